#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Trajectories as .xyz: the points of the positions, with the numbers that .csv has, also of a run in two parts.
# Usage: xyz.sh PROGRAMS
set -uo pipefail
. tests/program/lib.sh
programs=$1

expect 0 '' "$programs/water_box" run --size W=2 --steps 6 --every 2 --quiet --out "$work/water.xyz"
expect 0 '' "$programs/water_box" run --size W=2 --steps 6 --every 2 --quiet --out "$work/water.csv"
expect 0 '' "$programs/driven" run --steps 40 --quiet --out "$work/plane.xyz" --columns angle,q
expect 0 '' "$programs/driven" run --steps 40 --quiet --out "$work/plane.csv"
long=(run --size N=5 --steps 60000 --every 1000 --quiet)
expect 0 '' "$programs/chain" "${long[@]}" --out "$work/whole.xyz"
"$programs/chain" "${long[@]}" --out "$work/parts.xyz" --checkpoint "$work/point" --every-seconds 0.01 &
for _ in $(seq 500); do [ -e "$work/point" ] && break; sleep 0.01; done
kill -TERM $! && wait $!
true_that "it was interrupted" test $? = 143
expect 0 '' "$programs/chain" "${long[@]}" --out "$work/parts.xyz" --checkpoint "$work/point" --resume "$work/point"
true_that "two parts are the whole" cmp "$work/whole.xyz" "$work/parts.xyz"
expect 0 '"format": "xyz"' cat "$work/whole.xyz.json"
expect 2 'no points to write as .xyz' "$programs/hopf" run --steps 2 --out "$work/none.xyz"
true_that "nothing is left of it" test ! -e "$work/none.xyz"

python3 - "$work" <<'END' >"$work/said" 2>&1
import csv, sys
work = sys.argv[1]
def frames(name):
    with open(f"{work}/{name}.xyz") as file:
        lines = file.read().splitlines()
    at, result = 0, []
    while at < len(lines):
        n = int(lines[at])
        values = dict(word.split("=", 1) for word in lines[at + 1].split())
        assert values.pop("Properties") == "species:S:1:pos:R:3"
        result.append((values, [line.split() for line in lines[at + 2:at + 2 + n]]))
        at += 2 + n
    return result
def rows(name):
    with open(f"{work}/{name}.csv") as file:
        return list(csv.DictReader(file))
water = list(zip(frames("water"), rows("water"), strict=True))
assert len(water) == 4
for (values, points), row in water:
    assert [p[0] for p in points] == ["O", "H", "H"] * 2
    names = [f"q.{w}.{s}" for w in (1, 2) for s in ("O", "H1", "H2")]
    assert [p[1:] for p in points] == [[row[f"{n}.{k}"] for k in "xyz"] for n in names]
    assert all(row[k] == v for k, v in values.items()) and {"step", "t", "energy", "residual_g"} <= values.keys()
    assert not any(k.startswith(("q.", "p.")) for k in values)
for (values, points), row in zip(frames("plane"), rows("plane"), strict=True):
    assert points == [["q", row["q.x"], row["q.y"], "0"]] and values == {"angle": row["angle"]}
assert [len(points) for _, points in frames("whole")] == [5] * 61
END
good=$?
true_that "frames are the rows of .csv: $(cat "$work/said")" test $good = 0
finish
