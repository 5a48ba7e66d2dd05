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
