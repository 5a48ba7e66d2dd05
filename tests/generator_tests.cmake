# SPDX-License-Identifier: BSD-3-Clause
# The generator, stage by stage and as a user types it.

foreach(name test_language test_language_limits test_diagnostics test_model test_model_algebraic test_model_limits test_model_ranges test_expression test_evaluate
        test_ir test_secant test_code test_emit test_symbolic test_certify test_balls test_verdicts test_loops test_loops_refused test_emit_loops
        test_witness_jets test_witness test_witness_sizes)
  unit_test(${name} LIBRARIES sidewinder-codegen)
endforeach()
foreach(name test_bounded test_universal test_domains test_legendre)
  unit_test(${name} LIBRARIES sidewinder-codegen)
endforeach()

script_test(bad_models golden $<TARGET_FILE:sidewinder>)
script_test(golden golden $<TARGET_FILE:sidewinder>)
script_test(determinism golden $<TARGET_FILE:sidewinder>)
# Once is enough: what clang says does not depend on the kind of build.
if(NOT SIDEWINDER_SANITIZE AND NOT SIDEWINDER_COVERAGE)
  foreach(suffix c cpp)
    add_test(NAME clang_accepts_${suffix}
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/clang_accepts.py ${CMAKE_BINARY_DIR} .${suffix})
    set_tests_properties(clang_accepts_${suffix} PROPERTIES LABELS golden PROCESSORS 2)
  endforeach()
endif()

script_test(commands program $<TARGET_FILE:sidewinder>)
script_test(steppers program $<TARGET_FILE:sidewinder>)
script_test(cache program $<TARGET_FILE:sidewinder>)
script_test(plot program $<TARGET_FILE:sidewinder>)
script_test(awkward_names program $<TARGET_FILE:sidewinder>)
script_test(refusals program $<TARGET_FILE:sidewinder>)
script_test(numerical_fibre program $<TARGET_FILE:sidewinder>)
script_test(redundant program $<TARGET_FILE:sidewinder>)
script_test(bounded_work program $<TARGET_FILE:sidewinder>)
script_test(lowering program $<TARGET_FILE:sidewinder>)
script_test(forms program $<TARGET_FILE:sidewinder>)
script_test(energy_momentum program $<TARGET_FILE:sidewinder>)
script_test(algebraic program $<TARGET_FILE:sidewinder>)
script_test(splitting program $<TARGET_FILE:sidewinder>)
script_test(lagrangian program $<TARGET_FILE:sidewinder> ${CMAKE_BINARY_DIR}/programs)
script_test(newcomer program $<TARGET_FILE:sidewinder>)
script_test(editors program $<TARGET_FILE:sidewinder> ${CMAKE_BINARY_DIR}/programs/pendulum ${CMAKE_BINARY_DIR}/packaging/sidewinder.bash)
# What is linked with instruments is not for others.
if(NOT SIDEWINDER_SANITIZE AND NOT SIDEWINDER_COVERAGE)
  script_test(install program ${CMAKE_BINARY_DIR})
  script_test(debian program ${CMAKE_BINARY_DIR})
endif()
# The page of the papers' experiments, docs/experiments.md.
add_test(NAME experiments_page COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/experiments.sh $<TARGET_FILE:experiments> $<TARGET_FILE:sidewinder>
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(experiments_page PROPERTIES LABELS papers ENVIRONMENT "${leaks}")
add_test(NAME excerpts COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/excerpts.py $<TARGET_FILE:sidewinder>
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(excerpts PROPERTIES LABELS program ENVIRONMENT "${leaks}")
if(SIDEWINDER_SANITIZE OR SIDEWINDER_COVERAGE)
  set_tests_properties(determinism PROPERTIES LABELS "golden;long")
endif()

add_subdirectory(structure)
add_subdirectory(random)
script_test(lowerings_agree program $<TARGET_FILE:sidewinder> $<TARGET_FILE:compare>)

# What `check` prints.
unit_test(test_page LIBRARIES sidewinder-codegen)
script_test(check_page program $<TARGET_FILE:sidewinder>)

# The page of small models, docs/gallery.md.
add_subdirectory(geometry)

# The same models in other units.
add_subdirectory(units)

# Steppers for more methods and base methods than the shipped models have: test_fused_pairs.c.  (The generator's libraries leak, which sanitizers stop at.)
if(NOT SIDEWINDER_SANITIZE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/steppers)
  set(sources)
  set(includes)
  set(declarations)
  set(table "#define SW_FUSED_TABLE(X)")
  foreach(pair
          pendulum,shake,midpoint,0.05 pendulum,rattle,gauss-6,0.05 pendulum,rattle,rk4,0.05
          double_pendulum,rattle,midpoint,0.02 double_pendulum,shake,verlet,0.02
          chain6,rattle,euler-a,0.01 lj7,shake,euler-b,0.005
          spherical,rattle,gauss-4,0.05 spherical,shake,lobatto-4,0.05
          hopf,rattle,gauss-4,0.05 hopf,shake,rk4,0.05 hopf,rattle,euler-b,0.02 hopf_free,rattle,lobatto-4,0.05
          two_constraints,rattle,gauss-4,0.02 two_constraints,shake,verlet,0.02
          index1,rattle,gauss-4,0.02 index1,shake,rk4,0.02 four_bar,rattle,gauss-4,0.01
          charged_sphere,rattle,midpoint,0.05 four_particles,rattle,verlet,0.002 spherical_pendulum,shake,verlet,0.05
          charge_lagrangian,rattle,midpoint,0.05 charge_lagrangian,rattle,rk4,0.05
          pendulum_angles,rattle,gauss-4,0.02 pendulum_angles,rattle,verlet,0.02
          pendulum,rattle,verlet,0.05,--compensated pendulum,shake,midpoint,0.05,--compensated double_pendulum,rattle,verlet,0.02,--compensated
          chain6,rattle,verlet,0.01,--compensated spherical,rattle,gauss-4,0.05,--compensated hopf,rattle,midpoint,0.05,--compensated
          hopf,shake,rk4,0.05,--compensated hopf_free,rattle,lobatto-4,0.05,--compensated two_constraints,rattle,midpoint,0.02,--compensated
          index1,rattle,gauss-4,0.02,--compensated four_bar,rattle,verlet,0.01,--compensated
          lj7,rattle,verlet,0.005,--compensated charged_sphere,rattle,midpoint,0.05,--compensated)
    string(REPLACE "," ";" words ${pair})
    list(GET words 0 model)
    list(GET words 1 method)
    list(GET words 2 base)
    list(GET words 3 step)
    list(REMOVE_AT words 0 1 2 3)
    set(more ${words})
    string(MAKE_C_IDENTIFIER ${model}_${method}_${base}${more} name)
    set(source ${PROJECT_SOURCE_DIR}/models/${model}.sw)
    set(made ${folder}/${name}/${model}_step.c)
    add_custom_command(OUTPUT ${made}
      COMMAND sidewinder generate ${source} --method ${method} --base ${base} ${more} -o ${folder}/${name}
      DEPENDS sidewinder ${source} COMMENT "Generating ${method} over ${base} for ${model}" VERBATIM)
    set_source_files_properties(${made} PROPERTIES COMPILE_DEFINITIONS sw_stepper_${model}=sw_stepper_${name})
    list(APPEND sources ${made})
    string(APPEND includes "#include \"${model}.h\"\n")
    string(APPEND declarations "extern const sw_stepper sw_stepper_${name};\n")
    string(APPEND table " \\\n  X(sw_model_${model}, sw_stepper_${name}, ${step})")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/fused_pairs.h CONTENT
       "${includes}#include \"sidewinder/stepper.h\"\n\n${declarations}\n${table}\n" @ONLY)
  unit_test(test_fused_pairs SOURCES ${sources} LIBRARIES sidewinder-models sidewinder-runtime)
  target_include_directories(test_fused_pairs PRIVATE ${folder})
endif()
