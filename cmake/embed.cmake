# SPDX-License-Identifier: BSD-3-Clause
# Writes a C file with texts: cmake -DOUT=FILE.c -DNAMES="a;b" -DFILES="x;y" -P embed.cmake
set(text "/* Made by cmake/embed.cmake. */\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REPEAT "0x..," 16 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  string(APPEND text "\nextern const char ${name}[];\nconst char ${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
