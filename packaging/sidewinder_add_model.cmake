# SPDX-License-Identifier: BSD-3-Clause
#[=[
sidewinder_add_model(TARGET FILE.sw [METHOD NAME] [BASE NAME] [LOWERING unrolled|looped|auto]
                     [WITH discrete|variational|parameters ...] [SIZES NAME=VALUE ...] [COMPENSATED] [NO_LANES])

Adds the C of a model to an existing target: the constant sw_model_NAME, declared in NAME.h, and, of a small model, the
straight-line step sw_stepper_NAME of METHOD over BASE (those of its run line unless they are given), with compensated
summation where COMPENSATED is given, with sw_stepper_NAME_4 and sw_stepper_NAME_8 for batches unless NO_LANES is given.  The C is written into the build tree when
FILE.sw or the generator is newer than it.  TARGET also links sidewinder::runtime.  Call it in the folder that made TARGET.

Compilers may not fuse a*b + c in the generated C: otherwise lanes and single steps would differ.
]=]
function(sidewinder_add_model target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "COMPENSATED;NO_LANES" "METHOD;BASE;LOWERING" "SIZES;WITH")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "sidewinder_add_model: what is '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'?")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "sidewinder_add_model: there is no target '${target}'; make it first, by add_executable or add_library")
  endif()
  if(NOT TARGET sidewinder::sidewinder)
    message(FATAL_ERROR "sidewinder_add_model: the generator is not installed (Debian package sidewinder)")
  endif()
  if(NOT CMAKE_C_COMPILER)
    message(FATAL_ERROR "sidewinder_add_model: C is not enabled in this folder; call find_package(sidewinder) in the project's "
                        "first CMakeLists.txt, or write project(NAME LANGUAGES C CXX)")
  endif()

  # The generator names its files after the model.
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "sidewinder_add_model: there is no file '${file}'")
  endif()
  file(STRINGS ${file} statement REGEX "^[ \t]*model[ \t]+[A-Za-z_]" LIMIT_COUNT 1)
  if(NOT statement MATCHES "^[ \t]*model[ \t]+([A-Za-z0-9_]+)")
    message(FATAL_ERROR "sidewinder_add_model: no line of '${file}' begins with 'model NAME'")
  endif()
  set(name ${CMAKE_MATCH_1})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})

  set(options "")
  foreach(option METHOD BASE LOWERING)
    if(DEFINED arg_${option})
      string(TOLOWER ${option} word)
      list(APPEND options --${word}=${arg_${option}})
    endif()
  endforeach()
  if(arg_COMPENSATED)
    list(APPEND options --compensated)
  endif()
  foreach(part ${arg_WITH})
    list(APPEND options --with=${part})
  endforeach()
  foreach(size ${arg_SIZES})
    list(APPEND options --size=${size})
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.models)
  set(step ${folder}/${name}_step.c)
  set(outputs ${folder}/${name}.c ${folder}/${name}.h ${step})
  if(parameters IN_LIST arg_WITH)
    list(APPEND outputs ${folder}/${name}_lifted.c)
  endif()
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND sidewinder::sidewinder generate ${file} -o ${folder} --always-step ${options}
    DEPENDS ${file} sidewinder::sidewinder
    COMMENT "Generating C of the model ${name}"
    VERBATIM)
  set_source_files_properties(${outputs} PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-fno-tree-slp-vectorize")
  target_sources(${target} PRIVATE ${outputs})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
  target_link_libraries(${target} PUBLIC sidewinder::runtime)
  if(arg_NO_LANES)
    return()
  endif()

  # One object file for each number of lanes, of one source: each needs a target of its own.
  set(flags_4 -mavx2)
  set(flags_8 -mavx512f -mavx512dq -mavx512vl)
  add_custom_target(${target}-${name}-c DEPENDS ${outputs})
  foreach(lanes 4 8)
    set(objects ${target}-${name}-${lanes})
    add_library(${objects} OBJECT ${step})
    add_dependencies(${objects} ${target}-${name}-c)
    target_compile_definitions(${objects} PRIVATE SW_LANES=${lanes})
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      target_compile_options(${objects} PRIVATE ${flags_${lanes}})
    endif()
    target_include_directories(${objects} PRIVATE $<TARGET_PROPERTY:sidewinder::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${objects} PRIVATE sidewinder::runtime)
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  add_dependencies(${target} ${target}-${name}-c)
endfunction()
