#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ensembles as a user runs them: the same file for any number of threads, processes and parts, and after an interruption; trajectories that
# fail; files of states and parameters; what is refused.
# Usage: ensemble.sh PROGRAMS [mpi]
set -uo pipefail
programs=$1
source tests/program/lib.sh
chain=$programs/chain
pendulum=$programs/pendulum

same() { true_that "$1 is the same file" cmp -s "$2" "$3"; }

# ---- threads and parts ----
many=(--size N=5 --count 23 --sample 'q ~ normal(0, 0.01), p[2,x] ~ uniform(-1, 1)' --seed 1
  --step 1e-3 --steps 60 --every 7)
expect 0 '^trajectories   23, of which 0 failed; 10 rows of 37 columns$' "$chain" ensemble "${many[@]}" --out "$work/one.h5"
for threads in 2 3; do
  expect 0 '' "$chain" ensemble "${many[@]}" --threads $threads --quiet --out "$work/threads.h5"
  same "with $threads threads it" "$work/one.h5" "$work/threads.h5"
done
expect 0 '' "$chain" ensemble "${many[@]}" --seed 2 --quiet --out "$work/other.h5"
true_that 'another seed makes another file' test "$(cmp -s "$work/one.h5" "$work/other.h5"; echo $?)" -eq 1
expect 0 '' "$chain" ensemble "${many[@]}" --trajectories --quiet --out "$work/stored.h5"
for stored in '' --trajectories; do
  for part in 1 2 3; do
    expect 0 '' "$chain" ensemble "${many[@]}" $stored --index $part --of 3 --quiet --out "$work/part$part.h5"
  done
  expect 0 '' "$chain" merge --size N=5 --out "$work/merged.h5" "$work"/part{2,1,3}.h5
  if [ -z "$stored" ]; then whole=one; else whole=stored; fi
  same 'what is merged' "$work/$whole.h5" "$work/merged.h5"
done
# With any 300 bytes zeroed, a part is refused, or the bytes were unused ones.
damaged=0
for at in $(seq 0 300 "$(stat -c %s "$work/part2.h5")"); do
  cp "$work/part2.h5" "$work/zeros.h5"
  head -c 300 /dev/zero | dd of="$work/zeros.h5" bs=1 seek="$at" conv=notrunc status=none
  rm -f "$work/merged.h5"
  if "$chain" merge --size N=5 --out "$work/merged.h5" "$work"/{part1,zeros,part3}.h5 >"$work/output" 2>&1; then
    same "with zeros from byte $at on, which are unused, what is merged" "$work/$whole.h5" "$work/merged.h5"
  else
    grep -q "zeros.h5 is damaged" "$work/output" && damaged=$((damaged + 1))
  fi
done
true_that "most damage is found by digests: $damaged" test $damaged -gt 50
expect 2 'parts 1 to 3 are needed, each once' "$chain" merge --out "$work/merged.h5" "$work"/part{1,2}.h5
expect 2 'is not a part of an ensemble' "$chain" merge --out "$work/merged.h5" "$work/one.h5"
expect 0 '' "$chain" ensemble "${many[@]}" --seed 2 --index 2 --of 3 --quiet --out "$work/other2.h5"
expect 2 'other2.h5 belongs to another ensemble' "$chain" merge --out "$work/merged.h5" "$work"/{part1,other2,part3}.h5
expect 2 'belongs to another model' "$pendulum" merge --out "$work/merged.h5" "$work"/part{1,2,3}.h5
expect 2 'too few for these parts' "$chain" ensemble "${many[@]}" --count 1 --index 2 --of 2 --out "$work/none.h5"

# ---- processes ----
if [ "${2:-}" = mpi ] && command -v mpirun >/dev/null; then
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  for ranks in 1 2; do
    expect 0 'trajectories   23, of which 0 failed' mpirun -n $ranks "$chain" ensemble "${many[@]}" --out "$work/ranks.h5"
    same "with $ranks processes it" "$work/one.h5" "$work/ranks.h5"
  done
  expect 0 '' mpirun -n 2 "$chain" ensemble "${many[@]}" --threads 2 --trajectories --quiet --out "$work/ranks.h5"
  same 'with processes of several threads it' "$work/stored.h5" "$work/ranks.h5"
fi

# ---- interrupted, killed, and gone on with ----
long=(--size N=5 --count 40 --sample 'q ~ normal(0, 0.01)' --seed 3 --step 1e-3 --steps 4000 --every 100 --quiet)
expect 0 '' "$chain" ensemble "${long[@]}" --out "$work/whole.h5"
kept=("${long[@]}" --out "$work/kept.h5" --checkpoint "$work/kept.ckpt" --every-seconds 0)
interrupt() { # SIGNAL OPTIONS...: once there is a checkpoint; what it says is in $work/output
  local signal=$1 process
  shift
  "$chain" ensemble "$@" >"$work/output" 2>&1 &
  process=$!
  while [ ! -s "$work/kept.ckpt" ] && kill -0 $process 2>/dev/null; do sleep 0.01; done
  sleep 0.02
  kill -s "$signal" $process
  wait $process 2>/dev/null
}
interrupt TERM "${kept[@]}"
true_that 'it says how to go on' grep -q 'continue with --resume' "$work/output"
cp "$work/kept.ckpt" "$work/first.ckpt"
interrupt KILL "${kept[@]}" --resume "$work/first.ckpt" --threads 2
expect 2 "seed is '3' there and '4' here" "$chain" ensemble "${kept[@]}" --seed 4 --resume "$work/kept.ckpt"
expect 0 '' "$chain" ensemble "${kept[@]}" --resume "$work/kept.ckpt"
same 'what was interrupted twice' "$work/whole.h5" "$work/kept.h5"
expect 0 '' "$chain" ensemble "${kept[@]}" --resume "$work/kept.ckpt"
same 'what is resumed when it is whole' "$work/whole.h5" "$work/kept.h5"
head -c 3000 "$work/kept.ckpt" >"$work/cut.ckpt"
expect 2 'cut.ckpt is damaged' "$chain" ensemble "${kept[@]}" --resume "$work/cut.ckpt"

# ---- states and parameters from files; one that fails ----
cat >"$work/starts.csv" <<'END'
t,q.x,q.y,p.x,p.y,angle
0,0,-1,0.5,0,NaN
0,1,0,0,0.2,NaN
0,0.7,0.7,0,0,NaN
0,0,-1,0.1,0,NaN
END
given=(--init-from "$work/starts.csv" --step 0.1 --steps 20)
expect 3 '^failed         2 after 0 steps: SW_ERR_OFF_M: .*--project' "$pendulum" ensemble "${given[@]}" --out "$work/bad.h5"
expect 3 '1 of 4 trajectories have failed' "$pendulum" ensemble "${given[@]}" --threads 3 --out "$work/threads.h5"
same 'with a failure it' "$work/bad.h5" "$work/threads.h5"
for part in 1 2; do
  "$pendulum" ensemble "${given[@]}" --index $part --of 2 --quiet --out "$work/part$part.h5" 2>/dev/null
done
expect 0 '' "$pendulum" merge --out "$work/merged.h5" "$work"/part{1,2}.h5
same 'with a failure what is merged' "$work/bad.h5" "$work/merged.h5"
expect 0 '4, of which 0 failed' "$pendulum" ensemble "${given[@]}" --project=inf --out "$work/good.h5"
expect 0 '4, of which 0 failed' "$pendulum" ensemble --init-from "$work/good.h5" --steps 3 --out "$work/more.h5"
printf 'length\n1\n1\n' >"$work/lengths.csv"
expect 2 'lengths.csv has 2 rows for 4 trajectories' \
  "$pendulum" ensemble "${given[@]}" --set-from "$work/lengths.csv" --out "$work/x.h5"
printf 'length\n1\n1\n2\n-1\n' >"$work/lengths.csv"
expect 2 'row 4: length = -1 is outside its bounds' \
  "$pendulum" ensemble "${given[@]}" --set-from "$work/lengths.csv" --out "$work/x.h5"
printf 'length\n1\n1\n0.9899494936611665\n2\n' >"$work/lengths.csv"
expect 3 '1 failed' "$pendulum" ensemble "${given[@]}" --set-from "$work/lengths.csv" --out "$work/x.h5"
printf 'lenght\n1\n' >"$work/lengths.csv"
expect 2 "column 1: unknown parameter 'lenght'; did you mean 'length'" \
  "$pendulum" ensemble "${given[@]}" --set-from "$work/lengths.csv" --out "$work/x.h5"
printf 'q.x,q.y,p.x,p.y\n0,-1,0,zero\n' >"$work/wrong.csv"
expect 2 "line 2, column 4 \(p.y\): 'zero' is not a finite decimal number" \
  "$pendulum" ensemble --init-from "$work/wrong.csv" --out "$work/x.h5"
printf 'q.x,q.y,p.x,p.y\n0,-1,0\n' >"$work/wrong.csv"
expect 2 'line 2 has fewer values than the 4 columns' "$pendulum" ensemble --init-from "$work/wrong.csv" --out "$work/x.h5"
printf 'q.x,q.y,p.x\n0,-1,0\n' >"$work/wrong.csv"
expect 2 "has no column 'p.y'" "$pendulum" ensemble --init-from "$work/wrong.csv" --out "$work/x.h5"
printf 'q.x,q.y,p.x,p.z\n0,-1,0,0\n' >"$work/wrong.csv"
expect 2 "column 4: unknown coordinate or momentum 'p.z'" "$pendulum" ensemble --init-from "$work/wrong.csv" --out "$work/x.h5"

# A trajectory is a file of states, too, as .csv, .npy and .h5.
for ending in csv npy h5; do
  if [ $ending = npy ]; then columns=q,p; else columns=t,q,p,multiplier,impulse,det_N; fi # an array is all state
  "$pendulum" run --steps 3 --step 0.1 --columns $columns --quiet --out "$work/rows.$ending"
  expect 0 '^trajectories   4, of which 0 failed' "$pendulum" ensemble --init-from "$work/rows.$ending" --steps 5 --out "$work/$ending.h5"
done

# ---- what is refused ----
sampled=(--count 3 --sample 'q ~ normal(0, 0.1)' --seed 1 --steps 2)
expect 2 'no initial states' "$pendulum" ensemble --steps 2 --out "$work/x.h5"
expect 2 'exclude each other' "$pendulum" ensemble "${given[@]}" "${sampled[@]}" --out "$work/x.h5"
expect 2 'needs --seed' "$pendulum" ensemble --count 3 --sample 'q ~ normal(0, 1)' --out "$work/x.h5"
expect 2 'needs --count' "$pendulum" ensemble --sample 'q ~ normal(0, 1)' --seed 1 --out "$work/x.h5"
expect 2 "did you mean 'normal'" "$pendulum" ensemble --count 3 --sample 'q ~ norml(0, 1)' --seed 1 --out "$work/x.h5"
expect 2 'whose name ends in .h5' "$pendulum" ensemble "${sampled[@]}" --out "$work/x.csv"
expect 2 'go together' "$pendulum" ensemble "${sampled[@]}" --index 1 --out "$work/x.h5"
expect 2 "'2' is not one of at most" "$pendulum" ensemble "${sampled[@]}" --quantiles 0,2 --out "$work/x.h5"
expect 2 "unknown column 'enrgy'; did you mean 'energy'" "$pendulum" ensemble "${sampled[@]}" --columns enrgy --out "$work/x.h5"
expect 2 'are the same file' "$pendulum" ensemble --init-from "$work/good.h5" --steps 2 --out "$work/good.h5"
expect 2 'is not an integer from 1 to 1024' "$pendulum" ensemble "${sampled[@]}" --threads 0 --out "$work/x.h5"
expect 3 'cannot be written' "$pendulum" ensemble "${sampled[@]}" --out "$work/none/x.h5"
true_that 'nothing unfinished is left' test -z "$(find "$work" -name '*.part-*')"
finish
