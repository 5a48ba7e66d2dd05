# SPDX-License-Identifier: BSD-3-Clause
# The generator, stage by stage and as a user types it.

foreach(name test_language test_language_limits test_diagnostics test_model test_model_algebraic test_model_limits test_model_ranges test_expression test_evaluate
        test_ir test_secant test_code test_emit test_symbolic test_certify test_balls test_verdicts test_loops test_loops_refused test_emit_loops
        test_seams test_witness_jets test_witness test_witness_sizes)
  unit_test(${name} LIBRARIES sidewinder-codegen)
endforeach()
foreach(name test_bounded test_universal test_domains test_legendre test_newton_change)
  unit_test(${name} LIBRARIES sidewinder-codegen)
endforeach()

script_test(bad_models golden $<TARGET_FILE:sidewinder>)
script_test(bath program $<TARGET_FILE:sidewinder>)
script_test(forces program $<TARGET_FILE:sidewinder>)
script_test(events program $<TARGET_FILE:sidewinder>)
script_test(inputs program $<TARGET_FILE:sidewinder>)
script_test(golden golden $<TARGET_FILE:sidewinder>)
script_test(determinism golden $<TARGET_FILE:sidewinder> 4)
long_script_test(determinism $<TARGET_FILE:sidewinder> 16 all)

script_test(commands program $<TARGET_FILE:sidewinder>)
script_test(steppers program $<TARGET_FILE:sidewinder>)
script_test(cache program $<TARGET_FILE:sidewinder>)
script_test(edges program $<TARGET_FILE:sidewinder>)
script_test(plot program $<TARGET_FILE:sidewinder>)
script_test(report program $<TARGET_FILE:sidewinder>)
# In a browser, where there is one; without it the test is reported as skipped.
add_test(NAME report_in_browser COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/report/look.py $<TARGET_FILE:sidewinder>
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(report_in_browser PROPERTIES LABELS program SKIP_RETURN_CODE 77 PROCESSORS 2
                     ENVIRONMENT "${leaks};CC=${CMAKE_C_COMPILER};XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache")
script_test(awkward_names program $<TARGET_FILE:sidewinder>)
add_test(NAME budgets COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/budgets.py $<TARGET_FILE:sidewinder>)
set_tests_properties(budgets PROPERTIES LABELS program TIMEOUT 300 ENVIRONMENT
  "${leaks};PYTHONDONTWRITEBYTECODE=1;SW_BUILD_FLAGS=${SIDEWINDER_BUILD_FLAGS}")
script_test(refusals program $<TARGET_FILE:sidewinder>)
script_test(numerical_fibre program $<TARGET_FILE:sidewinder>)
script_test(projection program $<TARGET_FILE:sidewinder>)
script_test(redundant program $<TARGET_FILE:sidewinder>)
script_test(bounded_work program $<TARGET_FILE:sidewinder>)
script_test(lowering program $<TARGET_FILE:sidewinder>)
script_test(forms program $<TARGET_FILE:sidewinder>)
script_test(energy_momentum program $<TARGET_FILE:sidewinder>)
script_test(lyapunov program $<TARGET_FILE:sidewinder>)
script_test(fibre program $<TARGET_FILE:sidewinder>)
script_test(monitor program $<TARGET_FILE:sidewinder>)
script_test(time program $<TARGET_FILE:sidewinder>)
script_test(algebraic program $<TARGET_FILE:sidewinder>)
script_test(data program $<TARGET_FILE:sidewinder>)
script_test(graphs program $<TARGET_FILE:sidewinder>)
# In these three models every array of indices and of parameters changes the motion or what is observed.
script_test(random_data program $<TARGET_FILE:sidewinder> 10 15 50)
foreach(seed RANGE 1 40)
  list(APPEND seeds ${seed})
endforeach()
long_script_test(random_data $<TARGET_FILE:sidewinder> ${seeds})
script_test(splitting program $<TARGET_FILE:sidewinder>)
script_test(lagrangian program $<TARGET_FILE:sidewinder> ${CMAKE_BINARY_DIR}/programs)
script_test(newcomer program $<TARGET_FILE:sidewinder>)
script_test(editors program $<TARGET_FILE:sidewinder> ${CMAKE_BINARY_DIR}/programs/pendulum ${CMAKE_BINARY_DIR}/packaging/sidewinder.bash
            ${CMAKE_BINARY_DIR}/packaging/sidewinder.zsh)
# What is linked with instruments is not for others.
if(NOT SIDEWINDER_SANITIZE AND NOT SIDEWINDER_COVERAGE)
  script_test(install program ${CMAKE_BINARY_DIR})
  script_test(release program)
  set_tests_properties(release PROPERTIES SKIP_RETURN_CODE 77)
  script_test(manual program $<TARGET_FILE:sidewinder> ${CMAKE_BINARY_DIR}/packaging)
  set_tests_properties(manual PROPERTIES SKIP_RETURN_CODE 77)
  script_test(debian program ${CMAKE_BINARY_DIR})
  # Fetches a Debian: five minutes.
  script_test(chroot long ${CMAKE_BINARY_DIR})
  set_tests_properties(chroot PROPERTIES SKIP_RETURN_CODE 77)
  # Debian's Python, which has Debian's modules; without them the test is reported as one that did not run.
  find_program(SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  script_test(python program ${CMAKE_BINARY_DIR} ${SYSTEM_PYTHON})
  script_test(graphs_page program $<TARGET_FILE:sidewinder> ${SYSTEM_PYTHON})
  script_test(polymer program $<TARGET_FILE:sidewinder> ${SYSTEM_PYTHON})
  script_test(wheel program ${CMAKE_BINARY_DIR} ${SYSTEM_PYTHON})
  set_tests_properties(wheel PROPERTIES SKIP_RETURN_CODE 77)
  # The problems of docs/gallery.md.
  foreach(name butane truss top spins bose_hubbard torus driven vortices)
    add_test(NAME gallery_${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/gallery.sh $<TARGET_FILE:sidewinder> ${SYSTEM_PYTHON} ${name}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    list(APPEND gallery gallery_${name})
  endforeach()
  get_property(environment TEST python PROPERTY ENVIRONMENT)
  set_tests_properties(${gallery} PROPERTIES LABELS papers ENVIRONMENT "${environment}")
  set(missing 1)
  if(SYSTEM_PYTHON)
    execute_process(COMMAND ${SYSTEM_PYTHON} -c "import numpy, pytest" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT missing EQUAL 0)
    set_tests_properties(python graphs_page polymer ${gallery} PROPERTIES DISABLED TRUE)
  endif()
endif()
# The models of the gallery, verified.
file(GLOB models RELATIVE ${PROJECT_SOURCE_DIR}/gallery ${PROJECT_SOURCE_DIR}/gallery/*.sw)
foreach(source ${models})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME verify_gallery_${name} COMMAND sidewinder verify gallery/${source} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  list(APPEND verified verify_gallery_${name})
endforeach()
# Models that `verify` once failed without an error in the generated C.
foreach(name axes quartic)
  add_test(NAME verify_form_${name} COMMAND sidewinder verify tests/forms/${name}.sw WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  list(APPEND verified verify_form_${name})
endforeach()
get_property(environment TEST commands PROPERTY ENVIRONMENT)
set_tests_properties(${verified} PROPERTIES LABELS golden ENVIRONMENT "${environment}")
# The page of the papers' experiments, docs/experiments.md.
add_test(NAME experiments_page COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/experiments.sh $<TARGET_FILE:experiments> $<TARGET_FILE:sidewinder>
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(experiments_page PROPERTIES LABELS papers
                     ENVIRONMENT
  "${leaks};CC=${CMAKE_C_COMPILER};XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache;SW_BUILD_FLAGS=${SIDEWINDER_BUILD_FLAGS}")
# The site of the documentation, with Sphinx and a browser, if there are any; without Sphinx the test is reported as skipped.
add_test(NAME site COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/site.py WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(site PROPERTIES LABELS program SKIP_RETURN_CODE 77 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
if(SIDEWINDER_SANITIZE OR SIDEWINDER_COVERAGE)
  set_tests_properties(site PROPERTIES LABELS "program;long")
endif()
# What the pages tell readers to type, and what it prints. Some of that needs NumPy, and none of it sanitizers.
if(NOT SIDEWINDER_SANITIZE AND NOT SIDEWINDER_COVERAGE)
  add_test(NAME docs_commands COMMAND ${SYSTEM_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/program/docs_commands.py ${CMAKE_BINARY_DIR}
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  get_property(environment TEST newcomer PROPERTY ENVIRONMENT)
  set_tests_properties(docs_commands PROPERTIES LABELS program TIMEOUT 900 ENVIRONMENT "${environment}")
  if(NOT missing EQUAL 0)
    set_tests_properties(docs_commands PROPERTIES DISABLED TRUE)
  endif()
endif()
add_test(NAME excerpts COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/program/excerpts.py $<TARGET_FILE:sidewinder>
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(excerpts PROPERTIES LABELS program ENVIRONMENT "${leaks}")

add_subdirectory(structure)
add_subdirectory(random)
script_test(lowerings_agree program $<TARGET_FILE:sidewinder> $<TARGET_FILE:compare>)
script_test(switched_off program $<TARGET_FILE:sidewinder>)

# What `./dev bench rivals` says where a rival is missing or wrong.
if(TARGET bench_round)
  script_test(rivals program $<TARGET_FILE:bench_round>)
endif()

# What `check` prints.
unit_test(test_page LIBRARIES sidewinder-codegen)
script_test(check_page program $<TARGET_FILE:sidewinder>)

# The page of small models, docs/verdicts.md.
add_subdirectory(geometry)

# The same models in other units.
add_subdirectory(units)

# Steppers for more methods and base methods than the shipped models have: test_fused_pairs.c.  (The generator's libraries leak, which sanitizers stop at.)
if(NOT SIDEWINDER_SANITIZE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/steppers)
  set(sources)
  set(lane_sources)
  set(lane_objects)
  set(includes)
  set(declarations)
  set(table "#define SW_FUSED_TABLE(X)")
  set(table_in_lanes "#define SW_LANES_TABLE(X)")
  set(in_lanes pendulum_leapfrog_none chain6_leapfrog_none pendulum_lobatto_lobatto_4 spherical_lobatto_lobatto_4
               double_pendulum_vs_none pendulum_bdf2_none spherical_bdf2_none ellipse_rattle_midpoint
               spherical_discrete_energy_momentum_none charged_sphere_rattle_splitting mirror_rattle_splitting hopf_rattle_splitting
               cyclotron_variational_explicit_midpoint spherical_pendulum_variational_kutta_3
               chain6_tied_rattle_verlet bowl_twice_rattle_midpoint pendulum_leapfrog_none__compensated pendulum_lobatto_lobatto_4__compensated)
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
          ellipse,rattle,midpoint,0.05 ellipse,rattle,euler-b,0.02 ellipse,shake,verlet,0.02
          pendulum,leapfrog,none,0.05 chain6,leapfrog,none,0.01 four_bar,leapfrog,none,0.01
          pendulum,lobatto,lobatto-4,0.05 pendulum,lobatto,lobatto-6,0.05 double_pendulum,lobatto,lobatto-4,0.02
          spherical,lobatto,lobatto-4,0.05 four_bar,lobatto,lobatto-4,0.01 charged_sphere,lobatto,lobatto-4,0.05
          charge_lagrangian,lobatto,lobatto-4,0.05 pendulum_angles,lobatto,lobatto-4,0.02
          chain6,lobatto,lobatto-4,0.01 four_particles,lobatto,lobatto-4,0.01 lj7,rattle,midpoint,0.005
          spherical_discrete,energy-momentum,none,0.05
          pendulum,vs,none,0.05 chain6,vs,none,0.01 double_pendulum,vs,none,0.02
          pendulum,bdf2,none,0.05 double_pendulum,bdf2,none,0.02 spherical,bdf2,none,0.05 charged_sphere,bdf2,none,0.02
          pendulum_angles,bdf2,none,0.02 hoop,bdf2,none,0.02 mirror,bdf2,none,0.02 four_particles,bdf2,none,0.01
          charged_sphere,rattle,splitting,0.05 mirror,rattle,splitting,0.02 pendulum,rattle,splitting,0.05 hopf,rattle,splitting,0.05
          two_constraints,shake,splitting,0.02 hopf_free,rattle,splitting,0.05 spherical_pendulum,shake,splitting,0.05
          cyclotron,variational,explicit-midpoint,0.05 cyclotron,variational,rk4,0.05 pendulum_angles,variational,explicit-midpoint,0.02
          angles_by_hand,variational,euler,0.02 spherical_pendulum,variational,euler,0.05 spherical_pendulum,variational,kutta-3,0.05
          charge_lagrangian,variational,explicit-midpoint,0.05 curved,variational,euler,0.05
          pendulum,rattle,verlet,0.05,--compensated pendulum,shake,midpoint,0.05,--compensated double_pendulum,rattle,verlet,0.02,--compensated
          chain6,rattle,verlet,0.01,--compensated spherical,rattle,gauss-4,0.05,--compensated hopf,rattle,midpoint,0.05,--compensated
          hopf,shake,rk4,0.05,--compensated hopf_free,rattle,lobatto-4,0.05,--compensated two_constraints,rattle,midpoint,0.02,--compensated
          index1,rattle,gauss-4,0.02,--compensated four_bar,rattle,verlet,0.01,--compensated
          lj7,rattle,verlet,0.005,--compensated charged_sphere,rattle,midpoint,0.05,--compensated
          charged_sphere,rattle,splitting,0.05,--compensated mirror,rattle,splitting,0.02,--compensated hopf,shake,splitting,0.05,--compensated
          pendulum,leapfrog,none,0.05,--compensated chain6,leapfrog,none,0.01,--compensated
          pendulum,lobatto,lobatto-4,0.05,--compensated pendulum,lobatto,lobatto-6,0.05,--compensated
          double_pendulum,lobatto,lobatto-4,0.02,--compensated spherical,lobatto,lobatto-4,0.05,--compensated
          charged_sphere,lobatto,lobatto-4,0.05,--compensated
          chain6_tied,rattle,verlet,0.01 chain6_tied,shake,midpoint,0.01 chain6_tied,lobatto,lobatto-4,0.01
          chain6_tied,rattle,verlet,0.01,--compensated bowl_twice,rattle,midpoint,0.02)
    string(REPLACE "," ";" words ${pair})
    list(GET words 0 model)
    list(GET words 1 method)
    list(GET words 2 base)
    list(GET words 3 step)
    list(REMOVE_AT words 0 1 2 3)
    sidewinder_stepper(${model} ${method} ${base} ${folder} ${words})
    set(name ${stepper_name})
    set(made ${stepper_source})
    list(APPEND sources ${made})
    string(APPEND includes "#include \"${model}.h\"\n")
    string(APPEND declarations "extern const sw_stepper sw_stepper_${name};\n")
    set(row " \\\n  X(sw_model_${model}, sw_stepper_${name}, ${step})")
    string(APPEND table "${row}")
    if(name IN_LIST in_lanes)
      string(APPEND table_in_lanes "${row}")
      foreach(lanes 4 8)
        add_library(${name}-${lanes} OBJECT ${made})
        target_include_directories(${name}-${lanes} PRIVATE ${PROJECT_SOURCE_DIR}/generated ${PROJECT_SOURCE_DIR}/tests/models
                                   ${PROJECT_SOURCE_DIR}/runtime/include)
        target_compile_definitions(${name}-${lanes} PRIVATE sw_stepper_${model}_${lanes}=sw_stepper_${name}_${lanes})
        target_compile_options(${name}-${lanes} PRIVATE -Wno-psabi)
        sidewinder_compile_in_lanes(${name}-${lanes} ${lanes})
        list(APPEND lane_objects $<TARGET_OBJECTS:${name}-${lanes}>)
        string(APPEND declarations "extern const sw_stepper sw_stepper_${name}_${lanes};\n")
      endforeach()
      list(APPEND lane_sources ${made})
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/fused_pairs.h CONTENT
       "${includes}#include \"sidewinder/stepper.h\"\n\n${declarations}\n${table}\n\n${table_in_lanes}\n" @ONLY)
  unit_test(test_fused_pairs SOURCES ${sources} LIBRARIES sidewinder-models test-models sidewinder-runtime)
  target_include_directories(test_fused_pairs PRIVATE ${folder})
  unit_test(test_batch_pairs SOURCES ${lane_sources} ${lane_objects} LIBRARIES sidewinder-models test-models
            sidewinder-runtime)
  target_include_directories(test_batch_pairs PRIVATE ${folder})
endif()

# examples/pd_controller.cpp, with the C of its model. At rest the motor carries the weight: Kp (target - angle) is the torque.
set(linkage ${CMAKE_CURRENT_BINARY_DIR}/examples)
add_custom_command(OUTPUT ${linkage}/driven_linkage.c ${linkage}/driven_linkage.h
  COMMAND ${CMAKE_COMMAND} -E make_directory ${linkage}
  COMMAND ${CMAKE_COMMAND} -E env ${leaks} $<TARGET_FILE:sidewinder> generate ${PROJECT_SOURCE_DIR}/examples/forces/driven_linkage.sw -o ${linkage}
  DEPENDS sidewinder ${PROJECT_SOURCE_DIR}/examples/forces/driven_linkage.sw VERBATIM)
add_executable(example_pd_controller ${PROJECT_SOURCE_DIR}/examples/pd_controller.cpp ${linkage}/driven_linkage.c)
set_target_properties(example_pd_controller PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_include_directories(example_pd_controller PRIVATE ${linkage})
target_link_libraries(example_pd_controller PRIVATE sidewinder-runtime m)
add_test(NAME example_pd_controller COMMAND example_pd_controller)
set_tests_properties(example_pd_controller PROPERTIES LABELS program PASS_REGULAR_EXPRESSION
  "t 5  angle 1.1884  rate [ 0-9.e-]*  torque   3.468\nH - work changed by .*: kept")
