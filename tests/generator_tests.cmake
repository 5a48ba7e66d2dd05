# SPDX-License-Identifier: BSD-3-Clause
# The generator, stage by stage and as a user types it.

foreach(name test_language test_language_limits test_diagnostics test_model test_model_limits test_model_ranges test_expression test_evaluate
        test_ir test_code test_emit test_symbolic)
  unit_test(${name} LIBRARIES sidewinder-codegen)
endforeach()

add_executable(bad_model_printer unit/bad_model_printer.c)
set_target_properties(bad_model_printer PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_compile_definitions(bad_model_printer PRIVATE _GNU_SOURCE)
target_compile_options(bad_model_printer PRIVATE ${SIDEWINDER_WARNINGS})
target_link_libraries(bad_model_printer PRIVATE sidewinder-codegen)

script_test(bad_models golden $<TARGET_FILE:bad_model_printer>)
script_test(golden golden $<TARGET_FILE:sidewinder>)
script_test(determinism golden $<TARGET_FILE:sidewinder>)
script_test(commands program $<TARGET_FILE:sidewinder>)
script_test(refusals program $<TARGET_FILE:sidewinder>)
script_test(newcomer program $<TARGET_FILE:sidewinder>)
set_tests_properties(determinism PROPERTIES LABELS "golden;long")
