# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash and zsh, with the names that the runtime's header of methods lists.
set(header ${PROJECT_SOURCE_DIR}/runtime/include/sidewinder/methods.h)
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
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header} completion.bash completion.zsh)
configure_file(completion.sh.in completion.sh @ONLY)
file(READ ${CMAKE_CURRENT_BINARY_DIR}/completion.sh lists)
# zsh looks for its command in the first line.
foreach(shell bash zsh)
  file(READ completion.${shell} text)
  file(CONFIGURE OUTPUT sidewinder.${shell} CONTENT "#compdef sidewinder\n@lists@\n@text@" @ONLY)
endforeach()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sidewinder.bash RENAME sidewinder
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT generator)
# zsh reads the first folder, and Debian's zsh the second one.
foreach(folder site-functions vendor-completions)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sidewinder.zsh RENAME _sidewinder
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder} COMPONENT generator)
endforeach()
