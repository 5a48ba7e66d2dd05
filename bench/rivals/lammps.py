# SPDX-License-Identifier: BSD-3-Clause
"""Rigid water in LAMMPS: fix shake and fix rattle over fix nve, in reduced units.

Its constraints support clusters of at most four atoms only, so there are no chains.  The cost of a
step without forces is that of the row "Modify" of the timing breakdown: the constraint fix, and the
updates of positions and velocities by fix nve.
"""
import math
import os
import re
import shutil

from process import call
from start import Nodes

PROGRAM = "lmp"
PACKAGE = "lammps"

SCRIPT = """units lj
atom_style molecular
boundary f f f
newton on
neighbor 0.3 bin
neigh_modify once yes
bond_style zero
angle_style zero
pair_style zero 0.5 nocoeff
read_data water.data
special_bonds lj/coul 0 0 0
pair_coeff * *
bond_coeff * {bond:.17g}
angle_coeff * {angle:.17g}
comm_modify cutoff 3.0
timestep {h:.17g}
fix move all nve
fix bonds all {fix} {tolerance:g} 500 0 b 1 a 1
thermo {steps}
run {steps}
write_dump all custom end.dump id x y z vx vy vz modify sort id format float %.17g
"""


def installed():
    return shutil.which(PROGRAM) is not None


def write_data(folder, start):
    n = len(start.mass)
    lines = ["water", "", f"{n} atoms", f"{2 * n // 3} bonds", f"{n // 3} angles", "2 atom types", "1 bond types",
             "1 angle types"]
    low = min(min(x) for x in start.begin.x) - 5.0
    high = max(max(x) for x in start.begin.x) + 5.0
    lines += [f"{low} {high} {c}lo {c}hi" for c in "xyz"]
    lines += ["", "Masses", "", f"1 {start.mass[0]:.17g}", f"2 {start.mass[1]:.17g}", "", "Atoms", ""]
    for i, x in enumerate(start.begin.x):
        lines.append(f"{i + 1} {i // 3 + 1} {1 if i % 3 == 0 else 2} " + " ".join(f"{c:.17g}" for c in x))
    lines += ["", "Velocities", ""]
    lines += [f"{i + 1} " + " ".join(f"{c:.17g}" for c in v) for i, v in enumerate(start.begin.v)]
    lines += ["", "Bonds", ""]
    lines += [f"{b + 1} 1 {3 * (b // 2) + 1} {3 * (b // 2) + 2 + b % 2}" for b in range(2 * n // 3)]
    lines += ["", "Angles", ""]
    lines += [f"{i + 1} 1 {3 * i + 2} {3 * i + 1} {3 * i + 3}" for i in range(n // 3)]
    with open(os.path.join(folder, "water.data"), "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def angle(start):
    """The angle H1-O-H2 in degrees."""
    return math.degrees(2 * math.asin(start.length[2] / (2 * start.length[0])))


def run(folder, start, fix, tolerance, steps):
    """Returns the processor time per step in seconds, and the final Nodes."""
    os.makedirs(folder, exist_ok=True)
    write_data(folder, start)
    with open(os.path.join(folder, "in.water"), "w", encoding="ascii") as file:
        file.write(SCRIPT.format(bond=start.length[0], angle=angle(start), h=start.h, fix=fix, tolerance=tolerance,
                                 steps=steps))
    _, share = call(folder, PROGRAM, "-in", "in.water", "-log", "log.lammps", "-screen", "none")
    with open(os.path.join(folder, "log.lammps"), encoding="utf-8") as file:
        log = file.read()
    modify = re.search(r"^Modify\s*\|\s*([0-9.e+-]+)", log, re.M)
    if modify is None:
        raise RuntimeError(f"{folder}/log.lammps has no timing breakdown")
    return share * float(modify.group(1)) / steps, read_dump(os.path.join(folder, "end.dump"))


def read_dump(path):
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    rows = [[float(word) for word in line.split()[1:]] for line in lines[9:] if line]
    return Nodes([row[:3] for row in rows], [row[3:] for row in rows])
