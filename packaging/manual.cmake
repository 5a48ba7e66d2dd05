# SPDX-License-Identifier: BSD-3-Clause
# Manual pages from the text of `--help`: sidewinder(1), and sidewinder-COMMAND(1) for each command. The commands of a model's program are
# described by the program of models/pendulum.sw. manual.h2m has the sections that all pages share.
find_program(HELP2MAN help2man)
if(NOT HELP2MAN)
  message(STATUS "Without help2man (Debian: help2man): no manual pages are written")
  return()
endif()

# name, title, arguments before --help
function(manual_page name title)
  string(TOUPPER ${name} upper)
  list(JOIN ARGN " " arguments)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/${name}.1)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name}.sh)
  file(GENERATE OUTPUT ${program} CONTENT "#!/bin/sh
case \$1 in
  --version) exec $<TARGET_FILE:sidewinder> --version ;;
  *) $<TARGET_FILE:sidewinder> ${arguments} --help | sed '1s/pendulum \\([a-z]*\\)/sidewinder \\1 MODEL.sw/' ;;
esac
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  file(WRITE ${page}.sed [=[
s/January 1970/1970-01-01/
]=] "s/^sidewinder .- /${name} \\\\- /\ns/^.TH SIDEWINDER/.TH ${upper}/\n")
  add_custom_command(OUTPUT ${page}.gz
    COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=0 LC_ALL=C.UTF-8 XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache
            ${HELP2MAN} --no-info --name=${title} --manual=sidewinder --include=${CMAKE_CURRENT_SOURCE_DIR}/manual.h2m
            --output=${page} ${program}
    COMMAND sed -E -i -f ${page}.sed ${page}
    COMMAND gzip -9nf ${page}
    DEPENDS sidewinder sidewinder-runtime ${program} ${CMAKE_CURRENT_SOURCE_DIR}/manual.h2m VERBATIM)
  set_property(GLOBAL APPEND PROPERTY SIDEWINDER_MANUAL ${page}.gz)
endfunction()

manual_page(sidewinder "verified integrators in C from a Hamiltonian and its constraints")
manual_page(sidewinder-check "analyse a model of sidewinder" check)
manual_page(sidewinder-generate "write the C of a model of sidewinder" generate)
manual_page(sidewinder-build "build the program of a model of sidewinder" build)
manual_page(sidewinder-plot "draw columns of a trajectory of sidewinder" plot)
manual_page(sidewinder-report "write a page with a model of sidewinder, its verdicts and a run" report)
set(model ${PROJECT_SOURCE_DIR}/models/pendulum.sw)
manual_page(sidewinder-run "integrate a model of sidewinder" run ${model})
manual_page(sidewinder-ensemble "integrate many trajectories of a model of sidewinder" ensemble ${model})
manual_page(sidewinder-merge "join the parts of an ensemble of sidewinder" merge ${model})
manual_page(sidewinder-verify "test the generated C and the methods of a model of sidewinder" verify ${model})
manual_page(sidewinder-converge "measure the order of a method of sidewinder" converge ${model})
manual_page(sidewinder-advise "choose a method and a step size for an error, by sidewinder" advise ${model})
manual_page(sidewinder-lyapunov "Lyapunov exponents of a model of sidewinder" lyapunov ${model})
manual_page(sidewinder-fibre "the points where a fibre of a model of sidewinder meets M^H" fibre ${model})
manual_page(sidewinder-info "sizes, parameters, states and columns of a model of sidewinder" info ${model})
get_property(pages GLOBAL PROPERTY SIDEWINDER_MANUAL)
add_custom_target(manual ALL DEPENDS ${pages})
add_dependencies(installed manual)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT generator)
