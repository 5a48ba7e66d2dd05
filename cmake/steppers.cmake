# SPDX-License-Identifier: BSD-3-Clause
# Steppers for other methods and base methods than the shipped models have, for tests and measurements.

# sidewinder_stepper(MODEL METHOD BASE FOLDER [OPTION...]): FOLDER/NAME/MODEL_step.c, which exports sw_stepper_NAME, with the name and the file in
# stepper_name and stepper_source.  BASE is none for methods that have their own; options are those of `generate`.
function(sidewinder_stepper model method base folder)
  string(MAKE_C_IDENTIFIER ${model}_${method}_${base}${ARGN} name)
  set(source ${PROJECT_SOURCE_DIR}/models/${model}.sw)
  if(NOT EXISTS ${source})
    set(source ${PROJECT_SOURCE_DIR}/tests/models/${model}.sw)
  endif()
  set(made ${folder}/${name}/${model}_step.c)
  set(over --base ${base})
  if(base STREQUAL "none")
    set(over)
  endif()
  add_custom_command(OUTPUT ${made}
    COMMAND sidewinder generate ${source} --method ${method} ${over} ${ARGN} -o ${folder}/${name}
    DEPENDS sidewinder ${source} COMMENT "Generating ${method} over ${base} for ${model}" VERBATIM)
  set_source_files_properties(${made} PROPERTIES COMPILE_DEFINITIONS sw_stepper_${model}=sw_stepper_${name})
  set(stepper_name ${name} PARENT_SCOPE)
  set(stepper_source ${made} PARENT_SCOPE)
endfunction()
