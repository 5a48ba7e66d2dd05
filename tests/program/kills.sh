#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are killed (SIGKILL) at random moments and resumed from their checkpoint, until they have ended, leave
# the files of a run that was not: bit for bit, in every format.  Then what SIGINT and SIGTERM do.
# Usage: kills.sh PROGRAMS KILLS
set -uo pipefail
programs=$(realpath "$1")
kills=$2
source tests/program/lib.sh
RANDOM=8

# MODEL and options of a run that takes some tenths of a second, and what its rows are written to.  Sanitizers take
# twenty times as long.
slow=1
[[ ${SW_BUILD_FLAGS:-} == *sanitize* ]] && slow=20
runs=("pendulum --step 0.01 --steps $((60000 / slow)) --every 2 --out rows.csv"
  "hopf --step 0.01 --steps $((40000 / slow)) --every 3 --columns t,q,energy --out rows.npy"
  "pendulum --method bdf2 --step 0.01 --steps $((40000 / slow)) --every 5 --out rows.csv"
  "chain --size N=40 --step 1e-4 --steps $((1200 / slow)) --every 1 --out rows.csv"
  "chain --size N=10 --step 1e-4 --steps $((5000 / slow)) --every 2 --out rows.xyz"
  "chain --size N=10 --step 1e-4 --steps $((5000 / slow)) --every 2 --out rows.trr")
if "$programs/pendulum" run --steps 1 --quiet --out "$work/probe.h5" 2>"$work/output" ||
  ! grep -q 'HDF5 was not there when the runtime was built' "$work/output"; then
  runs+=("pendulum --step 0.01 --steps $((60000 / slow)) --every 2 --out rows.h5")
else
  echo 'not tried in a build without HDF5: .h5'
fi

# The whole run, once, in a folder of its own.
mkdir "$work/killed"
for i in "${!runs[@]}"; do
  mkdir "$work/whole$i"
  read -r model options <<<"${runs[$i]}"
  # shellcheck disable=SC2086
  expect 0 '' env -C "$work/whole$i" "$programs/$model" run $options --save-state end.npy --quiet
done

killed=0
ended=0
while [ $killed -lt "$kills" ] || [ $ended -lt ${#runs[@]} ]; do
  i=$((ended % ${#runs[@]}))
  read -r model options <<<"${runs[$i]}"
  rm -rf "$work/killed"
  mkdir "$work/killed"
  while :; do
    resume=
    [ -e "$work/killed/c" ] && resume='--resume c'
    # shellcheck disable=SC2086
    env -C "$work/killed" "$programs/$model" run $options --save-state end.npy --quiet --checkpoint c \
      --every-seconds 0.005 $resume 2>"$work/output" &
    job=$!
    # Now and then long enough to end.
    sleep "0.$(printf '%03d' $((RANDOM % (RANDOM % 8 == 0 ? 900 : 60))))"
    kill -KILL $job 2>/dev/null
    wait $job 2>/dev/null
    code=$?
    [ $code -eq 137 ] || break
    killed=$((killed + 1))
  done
  ended=$((ended + 1))
  if [ $code -ne 0 ] || ! diff -rq -x c -x '*.part-*' "$work/whole$i" "$work/killed" >"$work/difference"; then
    true_that "run $ended of ${runs[$i]} ends as if it had not been killed: code $code" false
    cat "$work/output" "$work/difference"
    break
  fi
  passed=$((passed + 1))
done
echo "$killed kills, $ended runs ended"

# A file that goes on behind its checkpoint by pieces of records, as a killed process leaves it, is cut to the last whole row of that;
# one that is shorter, which no killed process leaves, is refused and not touched.
for i in "${!runs[@]}"; do
  read -r model options <<<"${runs[$i]}"
  rm -rf "$work/killed"
  mkdir "$work/killed"
  # shellcheck disable=SC2086
  env -C "$work/killed" "$programs/$model" run $options --save-state end.npy --quiet --checkpoint c --every-seconds 0.005 \
    2>"$work/output" &
  job=$!
  for _ in $(seq 1000); do [ -e "$work/killed/c" ] && break; sleep 0.002; done
  kill -KILL $job 2>/dev/null
  wait $job 2>/dev/null
  unfinished=$(find "$work/killed" -name 'rows.*.part-*')
  true_that "run of ${runs[$i]} was killed" test -n "$unfinished"
  kept=$(sed -n 's/^bytes: //p' "$work/killed/c" | tr -d '\0')
  truncate -s "$kept" "$unfinished"
  printf '0.1,0.2,0.' >>"$unfinished"
  truncate -s +8M "$unfinished" # more than is written from there on, so that nothing hides it
  cp "$unfinished" "$work/torn"
  truncate -s $((kept - 3)) "$unfinished"
  # shellcheck disable=SC2086
  expect 3 'is shorter than it was' env -C "$work/killed" "$programs/$model" run $options --save-state end.npy --quiet \
    --checkpoint c --resume c
  true_that 'what is refused stays as it was' test "$(stat -c %s "$unfinished")" -eq $((kept - 3))
  cp "$work/torn" "$unfinished"
  # shellcheck disable=SC2086
  expect 0 '' env -C "$work/killed" "$programs/$model" run $options --save-state end.npy --quiet --checkpoint c --resume c
  true_that "a torn end of ${runs[$i]} leaves nothing" diff -rq -x c -x '*.part-*' "$work/whole$i" "$work/killed"
done

# Signals end the step that is under way: whole rows, exit codes, and the run goes on from its checkpoint.
long=('--step' 0.01 '--steps' 2000000000 '--every' 7)
for signal in INT TERM; do
  rm -f "$work/t.csv"
  env --default-signal=INT,TERM "$programs/pendulum" run "${long[@]}" --out "$work/t.csv" \
    --save-state "$work/s.csv" >"$work/summary" 2>"$work/output" &
  job=$!
  sleep 0.3
  true_that 'no file of that name yet' test ! -e "$work/t.csv"
  kill -s $signal $job
  wait $job
  code=$?
  true_that "SIG$signal is exit code $((128 + $(kill -l $signal)))" test $code -eq $((128 + $(kill -l $signal)))
  true_that 'it says where the run ended' grep -qE 'interrupted at t = [0-9.]+, after [0-9]+ of 2000000000 steps; .*t\.csv ends there' "$work/output"
  true_that 'the summary is there' grep -q '^energy ' "$work/summary"
  true_that 'the state is there' test "$(wc -l <"$work/s.csv")" -eq 5
  true_that 'all rows are whole' awk -F, 'NF != 10 { bad = 1 } END { exit bad || NR < 100 }' "$work/t.csv"
  true_that 'the last row is whole' test -z "$(tail -c 1 "$work/t.csv")"
  true_that 'nothing else is left' test -z "$(find "$work" -name 't.csv.part-*')"
done
finish
