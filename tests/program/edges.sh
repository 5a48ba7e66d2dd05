#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Files that are no files, endings in upper case, output that cannot be written, and a cache with a folder in the place of a program.
# Usage: edges.sh SIDEWINDER
set -uo pipefail
sidewinder=$(realpath "$1")
source tests/program/lib.sh
models=$PWD/models
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache
expect 0 '' "$sidewinder" build "$models/pendulum.sw" -o pendulum
many=(--count 3 --sample 'p~normal(0,1)' --seed 1 --steps 20)
hdf5=yes
./pendulum ensemble "${many[@]}" --quiet --out all.h5 2>/dev/null || hdf5=no

# A pipe that nobody reads is refused at once.
mkfifo pipe pipe.h5
seconds=20
expect 2 'pipe is not a regular file' timeout $seconds ./pendulum run --steps 3 --checkpoint pipe
expect 2 'pipe is not a regular file' timeout $seconds ./pendulum run --steps 3 --resume pipe
if [ $hdf5 = yes ]; then
  expect 2 'pipe is not a regular file' timeout $seconds ./pendulum ensemble "${many[@]}" --out e.h5 --checkpoint pipe
  expect 2 'pipe.h5 is not a regular file' timeout $seconds ./pendulum ensemble "${many[@]}" --out pipe.h5
  expect 2 'pipe.h5 is not a regular file' timeout $seconds ./pendulum merge --out e.h5 pipe.h5
fi
# A pipe that somebody reads gets the state, and nothing before it.
mkfifo state.csv
timeout $seconds cat state.csv >read.csv &
expect 0 '' timeout $seconds ./pendulum run --steps 3 --save-state state.csv
wait
expect 0 '' ./pendulum run --steps 3 --save-state file.csv
true_that 'the state came through the pipe' cmp -s read.csv file.csv

# The ending tells the format, in upper case too.
for ending in npy csv xyz; do
  upper=$(echo $ending | tr a-z A-Z)
  model=pendulum
  expect 0 '' ./$model run --steps 3 --quiet --out "low.$ending"
  expect 0 '' ./$model run --steps 3 --quiet --out "UP.$upper"
  true_that "the same as .$upper" cmp -s "low.$ending" "UP.$upper"
done
expect 0 '' ./pendulum run --steps 3 --save-state z.NPY
expect 0 '' ./pendulum run --steps 3 --save-state z.npy
true_that 'the same state' cmp -s z.NPY z.npy
expect 0 '' ./pendulum run --steps 3 --init-file z.NPY
printf '{"gravity": 2}' >g.JSON
expect 0 '' ./pendulum run --steps 3 --data g.JSON
mkdir tables
printf 'name,value\ngravity,2\n' >tables/PARAMETERS.CSV
expect 2 'PARAMETERS' ./pendulum run --steps 3 --data tables
mv tables/PARAMETERS.CSV tables/parameters.CSV
expect 0 '' ./pendulum run --steps 3 --data tables
if [ $hdf5 = yes ]; then
  expect 0 '' ./pendulum run --steps 3 --quiet --out t.H5
  expect 0 '' ./pendulum ensemble "${many[@]}" --quiet --out all.HDF5
  true_that 'the same ensemble' cmp -s all.h5 all.HDF5
  expect 0 '' ./pendulum ensemble --init-from all.HDF5 --steps 3 --quiet --out again.h5
fi

# Output that cannot be written is exit 3, with its reason.
full() { # PATTERN COMMAND...
  local pattern=$1
  shift
  expect 3 "$pattern" bash -c '"$@" >/dev/full' full "$@"
}
full 'standard output cannot be written: No space left' ./pendulum run --steps 3
full 'standard output cannot be written: No space left' ./pendulum info
full 'standard output.*: No space left' "$sidewinder" check "$models/pendulum.sw"
full 'standard output.*: No space left' "$sidewinder" check --json "$models/chain6.sw"
full 'standard output.*: No space left' "$sidewinder" check --latex "$models/chain6.sw"
if [ $hdf5 = yes ]; then
  full 'standard output cannot be written: No space left' ./pendulum ensemble "${many[@]}" --out e.h5
  true_that 'the ensemble is whole' cmp -s e.h5 all.h5
fi

# So are files: here they may have 8 kB at most, which is another reason than a full disk, and told like that.
small() { # PATTERN COMMAND...
  local pattern=$1
  shift
  expect 3 "$pattern" bash -c 'trap "" XFSZ; ulimit -f 8; "$@"' small "$@"
}
mkdir generated
small 'cannot write below .generated.: File too large' "$sidewinder" generate "$models/chain6.sw" -o generated
small 'cannot write below .*/build-.*: File too large' env XDG_CACHE_HOME="$work/other" "$sidewinder" run "$models/chain6.sw"
small 'rows.csv cannot be written: File too large' ./pendulum run --steps 3000 --quiet --out rows.csv
if command -v gnuplot >/dev/null; then
  small 'gnuplot did not write|cannot write .*: File too large' "$sidewinder" plot low.npy q.x,q.y -o picture.svg
  true_that 'no picture is cut short' test ! -e picture.svg
fi
if [ $hdf5 = yes ]; then
  small 'e2.h5 cannot be written: File too large; the rows so far are in .*e2.h5.part-' ./pendulum ensemble --count 50 --sample 'p~normal(0,1)' \
    --seed 1 --steps 100 --every 1 --trajectories --out e2.h5
  expect 0 '' ./pendulum ensemble "${many[@]}" --quiet --index 1 --of 2 --out part1.h5
  expect 0 '' ./pendulum ensemble "${many[@]}" --quiet --index 2 --of 2 --out part2.h5
  small 'e3.h5 cannot be written: File too large$' ./pendulum merge --out e3.h5 part1.h5 part2.h5
  true_that 'nothing is left of it' test "$(echo e3.h5*)" = 'e3.h5*'
  head -c 20000 /dev/zero >zeros.h5
  expect 2 'zeros.h5 cannot be read as HDF5' ./pendulum merge --out e4.h5 zeros.h5
fi

# A folder in the place of a kept program is removed.
expect 0 '' "$sidewinder" run "$models/pendulum.sw" --steps 3
kept=$(echo "$XDG_CACHE_HOME"/sidewinder/pendulum-*)
true_that 'one program is kept' test -f "$kept"
rm "$kept"
mkdir -p "$kept/deeper"
touch "$kept/deeper/file"
expect 0 'steps +3' "$sidewinder" run "$models/pendulum.sw" --steps 3
# Sanitizers write the folder of the build into a program, so that its digest may be another one.
true_that 'a program is kept again' test -f "$(echo "$XDG_CACHE_HOME"/sidewinder/pendulum-*)"

# A program without such straight-line steps says how to get them.
expect 0 'built without --compensated; build it with --compensated for' ./pendulum run --compensated --steps 3
expect 0 '' "$sidewinder" build "$models/pendulum.sw" --compensated -o compensated
expect 0 'built with --compensated; build it with --compensated=no for' ./compensated run --steps 3
./compensated run --compensated --steps 3 >output
expect 1 '' grep -q 'build it' output
./pendulum run --compensated --steps 3 --solver kinsol >output
expect 1 '' grep -q 'build it' output
finish
