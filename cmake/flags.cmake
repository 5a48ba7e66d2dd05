# SPDX-License-Identifier: BSD-3-Clause
# Language, warnings and instrumentation that everything in this build shares.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# gcc in gnu11 mode and clang fuse a*b+c with -march flags; results are to be the same everywhere.
add_compile_options(-ffp-contract=off)
# gcc 12's vectoriser of straight-line code fuses them all the same (vfmaddsub).
if(CMAKE_C_FLAGS MATCHES "-m")
  add_compile_options(-fno-tree-slp-vectorize)
endif()

# Flags that a program must share with the runtime it links.
set(SIDEWINDER_BUILD_FLAGS "")
if(SIDEWINDER_SANITIZE)
  string(APPEND SIDEWINDER_BUILD_FLAGS "-g -fsanitize=address,undefined -fno-sanitize-recover=all")
endif()
if(SIDEWINDER_COVERAGE)
  string(APPEND SIDEWINDER_BUILD_FLAGS " --coverage")
endif()
separate_arguments(instrumentation UNIX_COMMAND "${SIDEWINDER_BUILD_FLAGS}")
add_compile_options(${instrumentation})
add_link_options(${instrumentation})

set(SIDEWINDER_WARNINGS
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)

# Steps for so many trajectories at once (sidewinder/lanes.h).
set(SIDEWINDER_FLAGS_4 -mavx2)
set(SIDEWINDER_FLAGS_8 -mavx512f -mavx512dq -mavx512vl)
function(sidewinder_compile_in_lanes target lanes)
  target_compile_definitions(${target} PRIVATE SW_LANES=${lanes})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${target} PRIVATE ${SIDEWINDER_FLAGS_${lanes}})
  endif()
endfunction()
