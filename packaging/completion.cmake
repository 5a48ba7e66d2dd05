# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash, with the names that the runtime's header of methods lists.
set(header ${PROJECT_SOURCE_DIR}/runtime/include/sidewinder/methods.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
file(READ ${header} text)
foreach(list METHODS BASES BIASES ADJOINTS COMPOSITIONS)
  string(REGEX MATCH "#define SW_${list}\\(X\\)[^#]*" block "${text}")
  string(REGEX MATCHALL "\"[a-z0-9-]+\"" names "${block}")
  if(NOT names)
    message(FATAL_ERROR "no names in SW_${list} of ${header}")
  endif()
  list(JOIN names " " names)
  string(REPLACE "\"" "" sidewinder_${list} "${names}")
endforeach()
configure_file(sidewinder.bash.in sidewinder.bash @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sidewinder.bash RENAME sidewinder
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT generator)
