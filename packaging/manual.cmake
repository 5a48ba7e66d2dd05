# SPDX-License-Identifier: BSD-3-Clause
# Manual pages from what `--help` prints: sidewinder(1), and sidewinder-COMMAND(1) of the commands that read a model.
find_program(HELP2MAN help2man)
if(NOT HELP2MAN)
  message(STATUS "Without help2man (Debian: help2man): no manual pages are made")
  return()
endif()

# name, arguments, one line
function(manual_page name title)
  string(TOUPPER ${name} upper)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/${name}.1)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name}.sh)
  file(GENERATE OUTPUT ${program} CONTENT "#!/bin/sh
case \$1 in
  --version) exec $<TARGET_FILE:sidewinder> --version ;;
  *) exec $<TARGET_FILE:sidewinder> ${ARGN} --help ;;
esac
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  add_custom_command(OUTPUT ${page}.gz
    COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=0 LC_ALL=C.UTF-8
            ${HELP2MAN} --no-info --name=${title} --manual=sidewinder --output=${page} ${program}
    COMMAND sed -i "s/^sidewinder .- /${name} \\\\- /; s/^.TH SIDEWINDER/.TH ${upper}/" ${page}
    COMMAND gzip -9nf ${page}
    DEPENDS sidewinder VERBATIM)
  set_property(GLOBAL APPEND PROPERTY SIDEWINDER_MANUAL ${page}.gz)
endfunction()

manual_page(sidewinder "verified integrators in C from a Hamiltonian and its constraints")
manual_page(sidewinder-check "analyse a model of sidewinder" check)
manual_page(sidewinder-generate "write the C of a model of sidewinder" generate)
manual_page(sidewinder-build "make a program of a model of sidewinder" build)
manual_page(sidewinder-plot "draw columns of a trajectory of sidewinder" plot)
manual_page(sidewinder-report "a model, its verdicts and a run of it as one page" report)
get_property(pages GLOBAL PROPERTY SIDEWINDER_MANUAL)
add_custom_target(manual ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT generator)
