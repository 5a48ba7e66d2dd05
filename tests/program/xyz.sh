#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Trajectories as .xyz, .extxyz and .trr: the points of the positions, with the numbers that .csv has, also of a run in two parts; .trr also read by
# GROMACS, where that is installed.
# Usage: xyz.sh PROGRAMS
set -uo pipefail
. tests/program/lib.sh
programs=$1

expect 0 '' "$programs/water_box" run --size W=2 --steps 6 --every 2 --quiet --out "$work/water.xyz"
expect 0 '' "$programs/water_box" run --size W=2 --steps 6 --every 2 --quiet --out "$work/water.csv"
expect 0 '' "$programs/water_box" run --size W=2 --steps 6 --every 2 --quiet --out "$work/water.trr"
expect 0 '' "$programs/water_box" run --size W=2 --steps 6 --every 2 --quiet --out "$work/water.extxyz"
expect 0 '' "$programs/driven" run --steps 40 --quiet --out "$work/plane.xyz" --columns angle,q
expect 0 '' "$programs/driven" run --steps 40 --quiet --out "$work/plane.csv"
expect 0 '' "$programs/driven" run --steps 40 --quiet --out "$work/plane.trr"
long=(run --size N=5 --steps 60000 --every 1000 --quiet)
for ending in xyz extxyz; do
  expect 0 '' "$programs/chain" "${long[@]}" --out "$work/whole.$ending"
  "$programs/chain" "${long[@]}" --out "$work/parts.$ending" --checkpoint "$work/point.$ending" --every-seconds 0.01 &
  for _ in $(seq 500); do [ -e "$work/point.$ending" ] && break; sleep 0.01; done
  kill -TERM $! && wait $!
  true_that "it was interrupted" test $? = 143
  expect 0 '' "$programs/chain" "${long[@]}" --out "$work/parts.$ending" --checkpoint "$work/point.$ending" --resume "$work/point.$ending"
  true_that "two parts of .$ending are the whole" cmp "$work/whole.$ending" "$work/parts.$ending"
done
expect 0 '"format": "xyz"' cat "$work/whole.xyz.json"
for ending in xyz extxyz trr; do
  expect 2 "no points to write as .$ending" "$programs/hopf" run --steps 2 --out "$work/none.$ending"
  true_that "nothing is left of it" test ! -e "$work/none.$ending"
done
expect 2 'leave out --columns' "$programs/driven" run --steps 2 --out "$work/none.trr" --columns q

python3 - "$work" <<'END' >"$work/said" 2>&1
import csv, struct, sys
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
    assert points == [["X", row["q.x"], row["q.y"], "0"]] and values == {"angle": row["angle"]}
assert [[p[0] for p in points] for _, points in frames("whole")] == [5 * ["X"]] * 61

# .extxyz has the lines of .xyz, and velocities behind the positions.
with open(f"{work}/water.xyz") as plain, open(f"{work}/water.extxyz") as extended:
    for one, other in zip(plain, extended, strict=True):
        if one.startswith("Properties="):
            said = one.replace("pos:R:3 ", 'pos:R:3:velo:R:3 pbc="F F F" ', 1)
            assert other == said, (other, said)
        else:
            assert other.split()[:len(one.split())] == one.split() and len(other.split()) in (1, 7)

def trr_frames(name):
    with open(f"{work}/{name}.trr", "rb") as file:
        data = file.read()
    at, result = 0, []
    while at < len(data):
        magic, length, bytes_, word, *sizes = struct.unpack_from(">3i12s13i", data, at)
        n, step = sizes[10:12]
        assert (magic, length, bytes_, word) == (1993, 13, 12, b"GMX_trn_file")
        assert sizes[:10] == [0] * 7 + [24 * n, 24 * n, 0] and sizes[12] == 0
        t, coupling, *reals = struct.unpack_from(f">{2 + 6 * n}d", data, at + 76)
        assert coupling == 0
        result.append((step, t, reals[:3 * n], reals[3 * n:]))
        at += 76 + 16 + 48 * n
    return result
masses = {"O": 15.9994, "H1": 1.008, "H2": 1.008}
for (step, t, x, v), row in zip(trr_frames("water"), rows("water"), strict=True):
    names = [f"{w}.{s}.{k}" for w in (1, 2) for s in ("O", "H1", "H2") for k in "xyz"]
    assert (step, t) == (int(row["step"]), float(row["t"])) and x == [float(row[f"q.{n}"]) for n in names]
    for n, velocity in zip(names, v, strict=True):
        wanted = float(row[f"p.{n}"]) / masses[n.split(".")[1]]
        assert abs(velocity - wanted) <= 4e-16 * abs(wanted), (n, velocity, wanted)
for (step, t, x, v), row in zip(trr_frames("plane"), rows("plane"), strict=True):
    assert x == [float(row["q.x"]), float(row["q.y"]), 0.0] and v[2] == 0.0
END
good=$?
true_that "frames are the rows of .csv: $(cat "$work/said")" test $good = 0

# GROMACS rounds what it reads to single precision, and prints six digits.
if gmx=$(command -v gmx); then
  "$gmx" -quiet dump -f "$work/water.trr" >"$work/dump" 2>"$work/output"
  true_that "GROMACS has read .trr: $(tail -3 "$work/output")" test "$(grep -c 'natoms= *6 ' "$work/dump")" = 4
  python3 - "$work" <<'END' >"$work/said" 2>&1
import csv, re, sys
work = sys.argv[1]
with open(f"{work}/dump") as file:
    found = re.findall(r"^ *([xv])\[ *(\d+)\]=\{(.*)\}$", file.read(), re.MULTILINE)
with open(f"{work}/water.csv") as file:
    rows = list(csv.DictReader(file))
names = [f"{w}.{s}" for w in (1, 2) for s in ("O", "H1", "H2")]
assert len(found) == len(rows) * 2 * len(names)
for i, (kind, number, values) in enumerate(found):
    row, name = rows[i // (2 * len(names))], names[int(number)]
    mass = 15.9994 if name.endswith("O") else 1.008
    for axis, text in zip("xyz", values.split(","), strict=True):
        wanted = float(row[f"q.{name}.{axis}"]) if kind == "x" else float(row[f"p.{name}.{axis}"]) / mass
        assert abs(float(text) - wanted) <= 1e-5 * abs(wanted) + 1e-9, (i, kind, name, axis, text, wanted)
END
  good=$?
  true_that "GROMACS reads the numbers of .csv: $(cat "$work/said")" test $good = 0
else
  echo 'not tried without GROMACS (Debian: gromacs): its reading of .trr'
fi
finish
