#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# An installation, used by a project outside of this tree (tests/outside): CMake with the shared and with the static library,
# pkg-config, the generator of the installation, and what depends on what.
# Usage: install.sh BUILD
set -uo pipefail
. tests/program/lib.sh
build=$1
prefix=$work/prefix
project=$work/project

expect 0 '' cmake --install "$build" --prefix "$prefix"
mkdir -p "$project"
cp -r tests/outside/. models/hopf.sw models/mirror.sw "$project"
sidewinder=$prefix/bin/sidewinder
export XDG_CACHE_HOME=$work/cache
expect 0 'steps +1000' "$sidewinder" run "$project/hopf.sw" --steps 1000 --out "$work/t.csv"
wanted=$(tail -1 "$work/t.csv" | cut -d, -f3,4)
true_that "a trajectory to compare with" test -n "$wanted"

# The same numbers, digit by digit, with either library and in a batch.
for static in OFF ON; do
  folder=$work/build-$static
  expect 0 '' cmake -G Ninja -S "$project" -B "$folder" -DCMAKE_PREFIX_PATH="$prefix" -Dsidewinder_USE_STATIC_LIBS=$static
  expect 0 'Generating C of the model hopf' cmake --build "$folder"
  expect 0 'status 0, mirror 3' "$folder/orbit"
  true_that "alone as the program" test "$(sed -n 2p "$work/output")" = "$wanted"
  true_that "in a batch as the program" test "$(sed -n 3p "$work/output")" = "$wanted"
  ldd "$folder/orbit" >"$work/needs"
  true_that "shared: not $static" test "$(grep -c libsidewinder.so.0 "$work/needs")" = "$([ $static = OFF ] && echo 1 || echo 0)"
done

# A changed model makes new C and nothing else does; what is wrong in it is shown where it is.
expect 0 'no work to do' cmake --build "$folder"
sed -i 's/2: -1}/2: -1.5}/' "$project/hopf.sw"
expect 0 'Generating C of the model hopf' cmake --build "$folder"
expect 8 'status 8' "$folder/orbit" # with this force the start is off M^H
sed -i 's/2: -1.5}/2: -1}/; s/hamiltonian H = /hamiltonian H = zz + /' "$project/hopf.sw"
expect 1 "hopf.sw:[0-9]+:[0-9]+: error: 'zz' is not declared" cmake --build "$folder"
sed -i 's/zz + //' "$project/hopf.sw"

# Wrong uses.
cat >"$work/wrong.cmake" <<'END'
cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES C)
find_package(sidewinder REQUIRED)
add_library(some STATIC IMPORTED)
END
wrong() { # pattern, statement
  mkdir -p "$work/wrong"
  { cat "$work/wrong.cmake"; echo "$2"; } >"$work/wrong/CMakeLists.txt"
  expect 1 "$1" cmake -G Ninja -S "$work/wrong" -B "$work/wrong/build" -DCMAKE_PREFIX_PATH="$prefix"
}
wrong "there is no target 'none'" 'sidewinder_add_model(none hopf.sw)'
wrong "there is no file" 'sidewinder_add_model(some absent.sw)'
wrong "what is 'FAST'" 'sidewinder_add_model(some hopf.sw FAST)'
wrong "begins with 'model NAME'" 'sidewinder_add_model(some CMakeLists.txt)'

# A project of C++ alone.
mkdir -p "$work/cxx"
cat >"$work/cxx/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(cxx LANGUAGES CXX)
find_package(sidewinder REQUIRED)
add_executable(orbit orbit.cpp)
sidewinder_add_model(orbit hopf.sw WITH discrete parameters NO_LANES)
END
cat >"$work/cxx/orbit.cpp" <<'END'
#include "hopf.h"
#include "sidewinder/sim.h"
#include <cstdio>

int main()
{
  sw_options options;
  sw_sim *sim = nullptr;
  sw_options_of_run(&sw_model_hopf, nullptr, &options);
  const bool good = sw_model_hopf.lifted != nullptr && sw_sim_create(&sw_model_hopf, &options, &sim) == SW_OK && sw_sim_run(sim, 0.1, 10, nullptr, nullptr) == SW_OK;
  std::printf("%s\n", good ? "ten steps" : "no");
  sw_sim_free(&sim);
  return !good;
}
END
cp "$project/hopf.sw" "$work/cxx"
expect 0 '' cmake -G Ninja -S "$work/cxx" -B "$work/cxx/build" -DCMAKE_PREFIX_PATH="$prefix"
expect 0 'Generating C of the model hopf' cmake --build "$work/cxx/build"
expect 0 'ten steps' "$work/cxx/build/orbit"

# The documentation and the examples are installed.
documents=$prefix/share/doc/sidewinder
true_that "README and docs are installed" test -s "$documents/README.md" -a -s "$documents/docs/methods.md"
true_that "examples are installed" test -s "$documents/examples/falling_pendulum.c"

# The help names files of the installation.
for command in '' check generate build run ensemble converge info; do
  "$sidewinder" $command --help
done >"$work/help" 2>&1
grep -oE '[^ ]*(docs|examples|models)/[a-z0-9_/]+\.[a-z]+' "$work/help" | sort -u >"$work/names"
true_that "the help names documents and models" test "$(wc -l <"$work/names")" -ge 8
while read -r name; do
  true_that "$name is installed" test "$name" = "$prefix${name#"$prefix"}" -a -f "$name"
done <"$work/names"
expect 0 '' "$sidewinder" build "$project/hopf.sw" -o "$work/hopf"
expect 0 "^$documents/docs/output.md" "$work/hopf" run --help

# Without CMake.
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
pkg-config sidewinder || PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name sidewinder.pc)")
expect 0 '' "$sidewinder" generate "$project/hopf.sw" -o "$work/c"
expect 0 '' "$sidewinder" generate "$project/mirror.sw" -o "$work/c" --always-step
lanes() { ${CC:-cc} -O2 -ffp-contract=off "$@" $(pkg-config --cflags sidewinder) -c "$work/c/hopf_step.c"; }
expect 0 '' lanes -DSW_LANES=4 -mavx2 -o "$work/c/4.o"
expect 0 '' lanes -DSW_LANES=8 -mavx512f -mavx512dq -mavx512vl -o "$work/c/8.o"
link() { # program, flags of pkg-config, more
  ${CC:-cc} -O2 -ffp-contract=off -I"$work/c" -I"$project/motion" "$project/orbit.c" "$project/motion/motion.c" "$work"/c/*.[co] \
    $(pkg-config --cflags sidewinder) -o "$@"
}
expect 0 '' link "$work/shared" $(pkg-config --libs sidewinder) -Wl,-rpath,"$(pkg-config --variable=libdir sidewinder)"
expect 0 'status 0' "$work/shared"
true_that "pkg-config, shared" test "$(sed -n 3p "$work/output")" = "$wanted"
expect 0 '' link "$work/static" $(pkg-config --libs --static sidewinder | sed 's/-lsidewinder/-l:libsidewinder.a/')
expect 0 'status 0' "$work/static"
true_that "pkg-config, static" test "$(sed -n 2p "$work/output")" = "$wanted"
finish
