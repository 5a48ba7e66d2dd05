#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A file and its metadata belong together, an unfinished file is continued as it was left, and what killed runs leave is named.
# Usage: unfinished.sh PROGRAMS [SIDEWINDER]
set -uo pipefail
program=$(realpath "$1")/pendulum
sidewinder=${2:+$(realpath "$2")}
source tests/program/lib.sh
cd "$work" || exit 1

digest() { # ENDING FILE: its CRC-32, as gzip has it in its last eight bytes; of .npy without the header
  local from=1
  [ "$1" = npy ] && from=129
  tail -c +$from "$2" | gzip -c | tail -c 8 | od -An -tu4 | awk '{ print $1 }'
}

endings=(csv npy xyz extxyz trr)
h5=
"$program" run --steps 1 --quiet --out t.h5 2>/dev/null && h5=h5
for ending in "${endings[@]}"; do
  expect 0 '' "$program" run --steps 200 --quiet --out "a.$ending"
  true_that "the digest of a.$ending" grep -q "\"crc32\": $(digest $ending a.$ending),\?\$" "a.$ending.json"
done
for ending in csv npy; do
  expect 0 '' "$program" run --steps 3 --quiet --save-state "z.$ending"
  true_that "the digest of z.$ending" grep -q "\"crc32\": $(digest $ending z.$ending),\?\$" "z.$ending.json"
done

# Two runs that write FILE and FILE.json at the same time: a pair of different ones is seen.
if [ -n "$sidewinder" ] && command -v gnuplot >/dev/null; then
  for ending in csv npy; do
    expect 0 '' "$program" run --steps 200 --quiet --set gravity=2 --out "b.$ending"
    expect 0 '' "$sidewinder" plot "a.$ending" q.x,q.y -o a.svg
    cp "b.$ending.json" "a.$ending.json"
    expect 2 'is not the file that its .json is about' "$sidewinder" plot "a.$ending" q.x,q.y -o a.svg
  done
fi

# A run that is killed leaves its checkpoint and an unfinished file; an altered byte is seen when it goes on.
killed() { # WORD...: a run that is killed after its checkpoint has some rows
  rm -f ./*.part-* check
  "$program" run --steps 100000000 --every 100 --quiet --checkpoint check --every-seconds 0.2 "$@" &
  local pid=$!
  for _ in $(seq 200); do
    sleep 0.1
    [ -e check ] && grep -aq '^rows: [1-9][0-9]' check && break
  done
  kill -9 $pid
  wait $pid 2>/dev/null
}
for ending in "${endings[@]}" $h5; do
  killed --out "k.$ending"
  part=$(echo k.$ending.part-??????)
  true_that "an unfinished file of .$ending" test -f "$part"
  steps=$(grep -a '^steps: ' check | cut -d' ' -f2)
  cp "$part" kept
  # The first row, at a place that is in all formats behind the header.
  printf '\377' | dd of="$part" bs=1 seek=200 conv=notrunc status=none
  expect 3 "unfinished file $part has changed" \
    "$program" run --steps $((steps + 100)) --every 100 --quiet --checkpoint check --resume check --out "k.$ending"
  cp kept "$part"
  expect 0 '' "$program" run --steps $((steps + 100)) --every 100 --quiet --checkpoint check --resume check --out "k.$ending"
  expect 0 '' "$program" run --steps $((steps + 100)) --every 100 --quiet --out "whole.$ending"
  true_that "the same file .$ending" cmp -s "k.$ending" "whole.$ending"
  true_that "the same metadata .$ending" cmp -s "k.$ending.json" "whole.$ending.json"
done

# The next run names what a killed one has left, but not the file of one that runs.
killed --out left.csv
part=$(echo left.csv.part-??????)
expect 0 "note: earlier runs have left $part beside 'left.csv'" "$program" run --steps 3 --out left.csv
true_that 'it is not removed' test -f "$part"
"$program" run --steps 3 --out other.csv >output 2>&1
expect 1 '' grep -q note: output
rm "$part"
"$program" run --steps 100000000 --quiet --every 10000 --out left.csv &
pid=$!
sleep 0.5
true_that 'it runs' test -f "$(echo left.csv.part-??????)"
"$program" run --steps 3 --out left.csv >output 2>&1
expect 1 '' grep -q note: output
kill $pid
wait $pid 2>/dev/null

if [ -n "$h5" ]; then
  ensemble=(ensemble --count 20 --sample 'p~normal(0,1)' --seed 1 --step 0.01 --every 100 --quiet --out e.h5 --checkpoint check)
  rm -f check
  "$program" "${ensemble[@]}" --steps 100000000 --every-seconds 0.1 &
  pid=$!
  for _ in $(seq 200); do
    sleep 0.1
    [ -e check ] && grep -aq '^rows: [1-9][0-9]' check && break
  done
  kill -9 $pid
  wait $pid 2>/dev/null
  part=$(echo e.h5.part-??????)
  cp "$part" kept
  printf '\377' | dd of="$part" bs=1 seek=200 conv=notrunc status=none
  expect 3 "$part: it has changed" "$program" "${ensemble[@]}" --steps 100000000 --resume check
  expect 0 "note: earlier runs have left $part" "$program" ensemble --count 2 --sample 'p~normal(0,1)' --seed 1 --steps 3 --out e.h5
fi
finish
