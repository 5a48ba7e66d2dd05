#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The shipped models with loops, at sizes that make sense and that do not: exit codes and messages.  A crash
# would be another exit code; with sanitizers, so would anything that they find.
# Usage: model_sizes.sh PROGRAMS
set -uo pipefail
programs=$1
source tests/program/lib.sh

at() { # CODE PATTERN MODEL SIZE...: a run of two steps at these sizes
  local code=$1 pattern=$2 model=$3 sizes=() size
  shift 3
  for size in "$@"; do
    sizes+=(--size "$size")
  done
  expect "$code" "$pattern" timeout 60 "$programs/$model" run "${sizes[@]}" --step 1e-4 --steps 2
}

for model in chain:N net:N spin_chain:N water_box:W; do
  name=${model%:*}
  size=${model#*:}
  at 2 "nothing to integrate: no coordinates at $size = 0" "$name" "$size=0"
  at 0 '^steps +2, to t' "$name" "$size=2"
  at 0 '^steps +2, to t' "$name" "$size=3"
  # The last one that is given counts.
  at 0 '^steps +2, to t' "$name" "$size=0" "$size=4"
  at 2 "size $size = 1000000001 is too large; give one from 0 to 1000000000" "$name" "$size=1000000001"
  at 2 "size $size = 2147483647 is too large" "$name" "$size=2147483647"
  at 2 "size $size = 2147483648 is too large" "$name" "$size=2147483648"
  at 2 "size $size = 9223372036854775807 is too large" "$name" "$size=9223372036854775807"
  at 2 "size $size = 9223372036854775808 is too large; give one from 0 to 1000000000" "$name" "$size=9223372036854775808"
  at 2 "size $size = [+]99999999999999999999999 is too large" "$name" "$size=+99999999999999999999999"
  at 2 "coordinate q is too large at $size = 1000000000" "$name" "$size=1000000000"
  for wrong in -1 x '' 2.5 1e3 ' 3' 0x10; do
    at 2 'is not an integer of at least 0' "$name" "$size=$wrong"
  done
  at 2 "unknown size 'K'" "$name" K=3
  at 2 'is not of the form NAME=VALUE' "$name" "$size"
  at 2 'is not of the form NAME=VALUE' "$name" =3
  expect 2 'needs NAME=VALUE' "$programs/$name" run --size
  for command in info verify converge; do
    expect 2 'nothing to integrate' "$programs/$name" "$command" --size "$size=0"
    expect 2 'is too large' "$programs/$name" "$command" --size "$size=5000000000"
  done
  expect 0 'size +[0-9]+ degrees of freedom' "$programs/$name" info --size "$size=30"
  expect 0 ' 0 failed' timeout 100 "$programs/$name" verify --size "$size=2"
  expect 0 ' 0 failed' timeout 100 "$programs/$name" verify --size "$size=5"

  # A state that is not on M is moved there.
  expect 0 '' "$programs/$name" run --size "$size=6" --step 1e-4 --steps 3 --quiet --save-state "$work/on.csv"
  awk -F, -v OFS=, '{ if ($NF + 0 == $NF) $NF = $NF * 1.0001 + 1e-5 } 1' "$work/on.csv" >"$work/off.csv"
  expect 2 'the state is not on M' "$programs/$name" run --size "$size=6" --step 1e-4 --steps 2 \
    --init-file "$work/off.csv"
  expect 0 '^steps +2, to t' "$programs/$name" run --size "$size=6" --step 1e-4 --steps 2 \
    --init-file "$work/off.csv" --project
done

# One node: the length of its links is 1/(N-1), and the first spin is the last.
at 2 'the default of parameter a is inf at N = 1' chain N=1
at 2 'the default of parameter a is inf at N = 1' net N=1
at 2 'coordinate q is too large at N = 30000: 2700000000 entries' net N=30000
at 0 '^steps +2, to t' water_box W=1
# Filters and sets that select nothing: no pairs of molecules.
at 0 '^steps +2, to t' water_box forces=0
expect 0 ' 0 failed' timeout 100 "$programs/water_box" verify --size W=2 --size forces=0
at 2 'q\[j,O,x\] in H is outside of its array at W = 27, forces = 2' water_box forces=2
at 2 'size forces = 3000000000 is too large' water_box forces=3000000000
# Sizes that a model does not have.
for name in pendulum hopf chain6; do
  at 2 "'$name' has no size 'N' that can be set" "$name" N=2
done

# No memory: an address space of 1 GB, which AddressSanitizer needs a thousand times.
if [[ ${SW_BUILD_FLAGS:-} == *sanitize* ]]; then
  echo 'not tried in a build with sanitizers: a program without memory'
else
  for model in chain:N=30000000 net:N=5000 spin_chain:N=50000000 water_box:W=3000; do
    expect 3 'out of memory' bash -c "ulimit -v 1000000; exec $programs/${model%:*} run --size ${model#*:} --steps 2"
  done
fi
finish
