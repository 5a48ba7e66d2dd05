#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Compiles the committed C of the shipped models in a project of its own, with gcc and with clang.
# Usage: clean_room.sh FOLDER
set -euo pipefail
folder=$1
for compilers in "gcc g++" "clang clang++"; do
  read -r c cxx <<<"$compilers"
  rm -rf "${folder:?}/$c"
  cmake -G Ninja -S tests/clean_room -B "$folder/$c" -DCMAKE_C_COMPILER="$c" -DCMAKE_CXX_COMPILER="$cxx" \
    -DSOURCES="$PWD/generated" -DHEADERS="$PWD/runtime/include" >/dev/null
  cmake --build "$folder/$c" >"$folder/$c.log" 2>&1 || { cat "$folder/$c.log"; exit 1; }
  echo "$c: $(ls generated/*.c | wc -l) models compiled without a warning"
done
