# SPDX-License-Identifier: BSD-3-Clause
# What can be tested without the generator: the runtime, and the shipped models as committed C.

add_library(test-fixtures STATIC fixtures/pendulum.c fixtures/hopf.c fixtures/spherical.c fixtures/free.c
            fixtures/two.c fixtures/wire.c fixtures/slanted.c fixtures/poisoned.c fixtures/loops_chain.c fixtures/loops_spins.c
            fixtures/loops_bonds.c)
target_include_directories(test-fixtures PUBLIC fixtures ${PROJECT_SOURCE_DIR}/runtime/include)
target_compile_options(test-fixtures PRIVATE ${SIDEWINDER_WARNINGS})

add_library(test-matrices STATIC fixtures/matrices.c)
target_include_directories(test-matrices PUBLIC fixtures PRIVATE ${PROJECT_SOURCE_DIR}/runtime)
target_compile_options(test-matrices PRIVATE ${SIDEWINDER_WARNINGS})
target_link_libraries(test-matrices PRIVATE sidewinder-runtime PkgConfig::CMOCKA)

foreach(name test_acceptance test_linear test_linear_alloc test_linear_parts test_redundancy test_phi_matrix test_row_product test_made_rows)
  unit_test(${name} LIBRARIES test-matrices sidewinder-runtime)
endforeach()

foreach(name test_base test_flows test_tableau test_solver test_sim test_geometry test_atomic
        test_io test_json test_progress test_data test_data_numbers test_data_hostile test_data_program test_program test_verify
        test_verify_affine test_verify_methods test_verify_witness test_sparse test_system test_system_sizes test_indices test_given_data test_given_data_program
        test_symplectic test_no_false_success test_honest_program test_target test_files test_checkpoint)
  unit_test(${name} LIBRARIES test-fixtures sidewinder-runtime)
endforeach()

set_property(TEST test_program APPEND PROPERTY ENVIRONMENT "LOCPATH=${locales}")

# Reads what was written by the library itself, which the runtime does not link.
unit_test(test_hdf5 LIBRARIES test-fixtures sidewinder-runtime)
if(TARGET hdf5-linked)
  target_link_libraries(test_hdf5 PRIVATE hdf5-linked)
endif()

unit_test(test_solver_sparse LIBRARIES test-fixtures sidewinder-runtime sundials_nvecserial)

foreach(name test_verify_parts test_newton test_holonomic_agrees test_holonomic_newton test_lean test_large test_threads test_shared_steps test_compose
        test_fibre_start test_fibre_points test_ensemble test_ensemble_alloc test_fork test_hostile)
  unit_test(${name} LIBRARIES sidewinder-models test-fixtures sidewinder-runtime)
endforeach()

add_library(test-models STATIC models/bath_bead.c models/bath_chain.c models/bath_pair.c models/dashpots.c models/dashpots_step.c models/damped_net.c models/damped_net_step.c models/motors.c models/motors_step.c models/clocks.c models/clocks_step.c models/ringing.c models/ringing_step.c models/jolts.c models/jolts_step.c models/pendulum_norm.c models/bowl_twice.c models/bowl_twice_step.c models/chain6_tied.c models/chain6_tied_step.c models/spun.c models/either.c models/spun_mixed.c
            models/squeeze.c models/slanted.c models/penning.c models/charge.c models/spherical_discrete.c
            models/discrete_forms.c models/curved.c models/cyclotron.c models/chain3.c models/angles_by_hand.c
            models/chain_lagrangian.c models/curved_lagrangian.c models/beads.c models/beads2.c models/moving.c models/ellipse.c models/dimers.c
            models/dimers_step.c models/lanterns.c models/lanterns_step.c models/rest_atoms.c models/rest_atoms_step.c models/rest_mixed.c
            models/pushed_variational.c models/rest_atoms_variational.c models/rest_mixed_step.c models/rest_mixed_discrete.c models/rest_mixed_discrete_step.c
            models/rest_water.c models/rest_water_step.c
            models/two_spheres.c models/two_spheres_step.c models/index1_by_hand.c models/fork.c models/fork_step.c
            models/sphere_chain.c models/unequal_spheres.c models/unequal_spheres_step.c models/tilted.c models/dampers.c)
file(GLOB lifted CONFIGURE_DEPENDS models/*_lifted.c)
target_sources(test-models PRIVATE ${lifted})
target_include_directories(test-models PRIVATE ${PROJECT_SOURCE_DIR}/generated)
target_include_directories(test-models PUBLIC models ${PROJECT_SOURCE_DIR}/runtime/include)
target_compile_options(test-models PRIVATE ${SIDEWINDER_WARNINGS})

foreach(name test_reference_rows test_reference_identities test_reference_orders test_reference_energy test_index1
        test_redundant test_holonomic_methods test_energy_momentum test_variational test_variational_pairs
        test_variational_time test_variational_loops test_one_step test_lagrangian)
  unit_test(${name} SOURCES unit/reference.c LABELS papers
            LIBRARIES sidewinder-models test-models test-fixtures sidewinder-runtime)
endforeach()

foreach(name test_rest test_blocks test_jump test_restart test_bath test_kicks test_events test_watch test_units test_refinement test_splitting test_tangent test_adjoint test_parameters test_alloc test_compensated test_multipliers)
  unit_test(${name} LIBRARIES sidewinder-models test-models test-fixtures sidewinder-runtime)
endforeach()
# The same with every model, method and base method, and test_watch with steps of more sizes.
foreach(name test_restart test_watch test_units)
  add_test(NAME ${name}_all COMMAND ${name} all WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name}_all PROPERTIES LABELS long TIMEOUT 3000)
endforeach()
unit_test(test_fibre LIBRARIES sidewinder-models test-models sidewinder-runtime)
unit_test(test_lyapunov LIBRARIES sidewinder-models test-fixtures sidewinder-runtime)
unit_test(test_fused LIBRARIES sidewinder-models sidewinder-runtime)
unit_test(test_clusters LIBRARIES sidewinder-models test-models test-fixtures sidewinder-runtime)
unit_test(test_fused_clusters LIBRARIES sidewinder-models test-models sidewinder-runtime)
unit_test(test_batch LIBRARIES sidewinder-models sidewinder-runtime)
unit_test(test_columns LIBRARIES sidewinder-models sidewinder-runtime)
if(TARGET compensated-steppers)
  target_compile_definitions(test_batch PRIVATE SW_WITH_COMPENSATED)
  target_link_libraries(test_batch PRIVATE compensated-steppers)
  unit_test(test_long_runs LIBRARIES bench-growth)
endif()
unit_test(test_by_hand LIBRARIES bench-by-hand bench-by-hand-8 sidewinder-models test-fixtures sidewinder-runtime)

# Every shipped model as a program of its own, verified.
file(GLOB models RELATIVE ${PROJECT_SOURCE_DIR}/generated ${PROJECT_SOURCE_DIR}/generated/*.c)
list(FILTER models EXCLUDE REGEX "_step\\.c$")
foreach(source ${models})
  get_filename_component(name ${source} NAME_WE)
  set(steppers NULL)
  if(EXISTS ${PROJECT_SOURCE_DIR}/generated/${name}_step.c)
    set(steppers "(const sw_stepper *const[]){&sw_stepper_${name}, &sw_stepper_${name}_4, &sw_stepper_${name}_8, NULL}")
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/main_${name}.c CONTENT
"#include \"@name@.h\"
#include \"sidewinder/program.h\"
#include <stddef.h>

int main(int argc, char **argv)
{
  const sw_program program = {.model = &sw_model_@name@, .steppers = @steppers@};
  return sw_program_main_of(&program, argc, argv);
}
" @ONLY)
  add_executable(program_${name} ${CMAKE_CURRENT_BINARY_DIR}/main_${name}.c)
  set_target_properties(program_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/programs
                        OUTPUT_NAME ${name})
  target_link_libraries(program_${name} PRIVATE sidewinder-models sidewinder-runtime)
  # Nothing is to be learned from more molecules, whose pairs take most of the time.
  set(sizes)
  if(name STREQUAL water_box)
    set(sizes --size W=4)
  endif()
  add_test(NAME verify_${name} COMMAND program_${name} verify ${sizes})
  set_tests_properties(verify_${name} PROPERTIES LABELS golden)
endforeach()

# From points that move fast a step back finds another root.
add_test(NAME verify_chain_fast COMMAND program_chain verify --seed 2 --only euler-b)
# Few steps have errors above rounding that fall like a power of them.
add_test(NAME verify_pushed_hard COMMAND program_pushed verify --set torque=100)
set_tests_properties(verify_chain_fast verify_pushed_hard PROPERTIES LABELS golden)

add_subdirectory(readers)

# example(SOURCE PATTERN): examples/SOURCE.c, and what it has to print.
function(example source pattern)
  add_executable(example_${source} ${PROJECT_SOURCE_DIR}/examples/${source}.c)
  set_target_properties(example_${source} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_options(example_${source} PRIVATE ${SIDEWINDER_WARNINGS})
  target_link_libraries(example_${source} PRIVATE sidewinder-models sidewinder-runtime m)
  add_test(NAME example_${source} COMMAND example_${source})
  set_tests_properties(example_${source} PROPERTIES LABELS program PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()
# The angle of theta'' = -sin(theta) - 0.2 theta' at t = 10 is -0.288005044.
example(damped_pendulum "step 0.0125 *angle -0.28801[0-9]*  energy [-0-9.]*  order 2.00")
# The height of the pendulum at t = 10 is -0.787695.
example(falling_pendulum "step 0.0125 *height -0.7877[0-9]*  energy -0.549999[0-9]*  momentum kept  order 2.00")
example(ensemble "step  200  mean .*0 of 1000 have failed")
# The row at t = 20 is that of `sidewinder run`.
# Points of the section are those of `sidewinder run --events`.
if(TARGET sidewinder)
  set(section ${CMAKE_CURRENT_BINARY_DIR}/double_section)
  add_custom_command(OUTPUT ${section}.c ${section}_step.c ${section}.h
                     COMMAND ${CMAKE_COMMAND} -E env ${leaks} $<TARGET_FILE:sidewinder> generate ${PROJECT_SOURCE_DIR}/examples/double_section.sw -o ${CMAKE_CURRENT_BINARY_DIR}
                     DEPENDS sidewinder ${PROJECT_SOURCE_DIR}/examples/double_section.sw VERBATIM)
  example(poincare "3.785261799 0.13385054[0-9]* .*10 points")
  target_sources(example_poincare PRIVATE ${section}.c ${section}_step.c)
  target_include_directories(example_poincare PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endif()
example(embedding "20.000000,0.955804,-0.293997,-0.293994\nagain the same bits: yes\n.*a step of 1\n100 of 100 left\norder 2 over a tableau")
script_test(looped_data program ${CMAKE_BINARY_DIR}/programs)
script_test(model_sizes program ${CMAKE_BINARY_DIR}/programs)
script_test(base_file program ${CMAKE_BINARY_DIR}/programs)
script_test(advise program ${CMAKE_BINARY_DIR}/programs)
script_test(methods program ${CMAKE_BINARY_DIR}/programs)
script_test(xyz program ${CMAKE_BINARY_DIR}/programs)
script_test(compose program ${CMAKE_BINARY_DIR}/programs)
# Ensembles are written as HDF5 alone.
if(TARGET hdf5-linked)
  # Open MPI leaves memory behind, which sanitizers take for leaks.
  if(SIDEWINDER_SANITIZE)
    set(SIDEWINDER_WITH_MPI)
  endif()
  script_test(ensemble program ${CMAKE_BINARY_DIR}/programs ${SIDEWINDER_WITH_MPI})
endif()
script_test(kills program ${CMAKE_BINARY_DIR}/programs 40)
if(SIDEWINDER_GENERATOR)
  script_test(unfinished program ${CMAKE_BINARY_DIR}/programs $<TARGET_FILE:sidewinder>)
else()
  script_test(unfinished program ${CMAKE_BINARY_DIR}/programs)
endif()
add_test(NAME kills_10000 COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/kills.sh ${CMAKE_BINARY_DIR}/programs 10000
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(kills_10000 PROPERTIES LABELS long)
script_test(exported_symbols golden ${CMAKE_BINARY_DIR})
script_test(clean_room golden ${CMAKE_BINARY_DIR}/clean-room)

# Threads that share memory, with the runtime under ThreadSanitizer; and a program that shares too much, to be caught.
if(NOT SIDEWINDER_SANITIZE)
  get_target_property(watched sidewinder-runtime SOURCES)
  list(FILTER watched EXCLUDE REGEX "/(io|program)/")
  add_library(watched-runtime STATIC EXCLUDE_FROM_ALL ${watched} ${PROJECT_SOURCE_DIR}/generated/chain.c
              ${PROJECT_SOURCE_DIR}/generated/spin_chain.c ${PROJECT_SOURCE_DIR}/generated/water_box.c)
  target_include_directories(watched-runtime PUBLIC ${PROJECT_SOURCE_DIR}/runtime ${PROJECT_SOURCE_DIR}/runtime/include
                             ${PROJECT_SOURCE_DIR}/generated)
  target_compile_definitions(watched-runtime PUBLIC _GNU_SOURCE)
  target_compile_options(watched-runtime PUBLIC -O1 -g -fsanitize=thread)
  target_link_options(watched-runtime PUBLIC -fsanitize=thread)
  target_link_libraries(watched-runtime PUBLIC sundials_kinsol klu btf amd colamd suitesparseconfig lapacke m)

  add_executable(test_threads_watched unit/test_threads.c)
  target_include_directories(test_threads_watched PRIVATE fixtures)
  target_link_libraries(test_threads_watched PRIVATE watched-runtime PkgConfig::CMOCKA)
  add_executable(test_shared_steps_watched unit/test_shared_steps.c)
  target_include_directories(test_shared_steps_watched PRIVATE fixtures)
  target_link_libraries(test_shared_steps_watched PRIVATE watched-runtime PkgConfig::CMOCKA)
  add_executable(test_ensemble_watched unit/test_ensemble.c)
  target_link_libraries(test_ensemble_watched PRIVATE watched-runtime PkgConfig::CMOCKA)
  add_executable(data_race sanitizers/data_race.c)
  target_link_libraries(data_race PRIVATE watched-runtime)
  set_target_properties(test_threads_watched test_shared_steps_watched test_ensemble_watched data_race PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME test_threads_watched COMMAND test_threads_watched)
  add_test(NAME test_shared_steps_watched COMMAND test_shared_steps_watched)
  add_test(NAME test_ensemble_watched COMMAND test_ensemble_watched)
  add_test(NAME caught_data_race COMMAND data_race)
  set_tests_properties(caught_data_race PROPERTIES PASS_REGULAR_EXPRESSION "ThreadSanitizer: data race")
  set_tests_properties(test_threads_watched test_shared_steps_watched test_ensemble_watched caught_data_race PROPERTIES LABELS unit)
endif()

# The instruments of this build are on: each program makes one mistake and has to be caught.
if(SIDEWINDER_SANITIZE)
  foreach(mistake heap_overflow signed_overflow)
    add_executable(${mistake} sanitizers/${mistake}.c)
    set_target_properties(${mistake} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME caught_${mistake} COMMAND ${mistake})
    set_tests_properties(caught_${mistake} PROPERTIES LABELS unit)
  endforeach()
  set_tests_properties(caught_heap_overflow PROPERTIES PASS_REGULAR_EXPRESSION
                       "AddressSanitizer: heap-buffer-overflow")
  set_tests_properties(caught_signed_overflow PROPERTIES PASS_REGULAR_EXPRESSION
                       "runtime error: signed integer overflow")
endif()
