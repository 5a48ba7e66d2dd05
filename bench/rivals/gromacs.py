# SPDX-License-Identifier: BSD-3-Clause
"""Rigid water, pinned chains and polymers in GROMACS, by SETTLE, SHAKE and LINCS.

Atoms do not interact.  The cost of a step without forces is that of the rows "Update" and
"Constraints" of the cycle accounting.  Velocity Verlet (md-vv) constrains positions and velocities,
as RATTLE does; leap-frog (md) constrains positions only.  The programs are gmx (mixed) and gmx_d
(double precision).
"""
import os
import re
import shutil
import struct

from process import call
from start import Nodes

PROGRAMS = {"mixed": "gmx", "double": "gmx_d"}
PACKAGE = "gromacs"

PARAMETERS = """integrator = {integrator}
dt = {h:.17g}
nsteps = {steps}
continuation = yes
gen-vel = no
comm-mode = None
nstcomm = 0
nstxout = {steps}
nstvout = {steps}
nstenergy = 0
nstcalcenergy = 0
nstlog = 0
cutoff-scheme = Verlet
verlet-buffer-tolerance = -1
nstlist = {nstlist}
rlist = 0.1
rcoulomb = 0.1
rvdw = 0.1
coulombtype = cut-off
tcoupl = no
pcoupl = no
constraints = none
constraint-algorithm = {algorithm}
shake-tol = {tolerance:g}
lincs-order = {order}
lincs-iter = {iterations}
lincs-warnangle = 90
"""


class Way:
    """A setting.  algorithm: "SETTLE", "SHAKE" (tolerance) or "LINCS" (order, iterations)."""

    def __init__(self, precision, integrator, algorithm, tolerance=1e-4, order=4, iterations=1):
        self.precision = precision
        self.integrator = integrator
        self.algorithm = algorithm
        self.tolerance = tolerance
        self.order = order
        self.iterations = iterations


def installed(precision):
    return shutil.which(PROGRAMS[precision]) is not None


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        file.write(text)


def shift(start):
    """The side of a cubic box around the initial positions, and the shift that centres them."""
    size = max(max(x) for x in start.begin.x) - min(min(x) for x in start.begin.x)
    side = 2 * size + 10
    middle = [(min(x[c] for x in start.begin.x) + max(x[c] for x in start.begin.x)) / 2 for c in range(3)]
    return side, [side / 2 - c for c in middle]


def write_nodes(folder, start):
    side, by = shift(start)
    lines = ["nodes", str(len(start.mass))]
    for i, (x, v) in enumerate(zip(start.begin.x, start.begin.v)):
        moved = "".join(f"{c + d:21.15f}" for c, d in zip(x, by))
        lines.append(f"{i // start.per_molecule % 99999 + 1:5d}MOL  {'A' + str(i % 3):>5s}{(i + 1) % 100000:5d}" + moved +
                     "".join(f"{c:21.16f}" for c in v))
    lines.append(f"{side:.5f} {side:.5f} {side:.5f}")
    write(folder, "start.gro", "\n".join(lines) + "\n")


def write_topology(folder, start, settle):
    n = start.per_molecule
    lines = ["[ defaults ]", "1 1 no 1.0 1.0", "[ atomtypes ]", "X 0 1.0 0.0 A 0.0 0.0", "[ moleculetype ]", "MOL 1",
             "[ atoms ]"]
    lines += [f"{i + 1} X 1 MOL A{i % 3} {i + 1} 0.0 {start.mass[i]:.17g}" for i in range(n)]
    if settle:
        lines += ["[ settles ]", f"1 1 {start.length[0]:.17g} {start.length[2]:.17g}"]
    else:
        lines.append("[ constraints ]")
        lines += [f"{a + 1} {b + 1} 1 {length:.17g}" for (a, b), length in zip(start.bonds, start.length) if b < n]
    if n == 3:
        lines += ["[ exclusions ]", "1 2 3", "2 1 3", "3 1 2"]
    lines += ["[ system ]", "nodes", "[ molecules ]", f"MOL {len(start.mass) // n}"]
    write(folder, "start.top", "\n".join(lines) + "\n")


def write_parameters(folder, start, way, steps):
    text = PARAMETERS.format(integrator=way.integrator, h=start.h, steps=steps, nstlist=steps + 1,
                             algorithm="LINCS" if way.algorithm == "SETTLE" else way.algorithm, tolerance=way.tolerance,
                             order=way.order, iterations=way.iterations)
    if start.pinned:
        text += "freezegrps = pin\nfreezedim = Y Y Y\n"
    write(folder, "start.mdp", text)
    write(folder, "start.ndx", "[ pin ]\n1\n[ System ]\n" +
          "\n".join(str(i + 1) for i in range(len(start.mass))) + "\n")


def run(folder, start, way, steps):
    """Returns the processor time per step in seconds, and the final Nodes."""
    seconds, end = run_in_parts(folder, start, way, steps)
    return sum(seconds.values()), end


def run_in_parts(folder, start, way, steps):
    """Returns {row of the cycle accounting: seconds per step}, and the final Nodes."""
    os.makedirs(folder, exist_ok=True)
    write_nodes(folder, start)
    write_topology(folder, start, way.algorithm == "SETTLE")
    write_parameters(folder, start, way, steps)
    program = PROGRAMS[way.precision]
    call(folder, program, "-quiet", "-nobackup", "grompp", "-f", "start.mdp", "-c", "start.gro", "-p", "start.top", "-n", "start.ndx", "-o", "run.tpr",
         "-maxwarn", "9")
    _, share = call(folder, program, "-quiet", "-nobackup", "mdrun", "-s", "run.tpr", "-deffnm", "run", "-ntmpi", "1", "-ntomp", "1", "-nb", "cpu")
    with open(os.path.join(folder, "run.log"), encoding="utf-8") as file:
        log = file.read()
    rows = {row: re.search(rf"^ {row}\s+1\s+1\s+\d+\s+([0-9.]+)", log, re.M) for row in ("Update", "Constraints")}
    if None in rows.values():
        raise RuntimeError(f"{folder}/run.log has no cycle accounting")
    _, by = shift(start)
    end = read_trajectory(os.path.join(folder, "run.trr"))
    end.x = [[c - d for c, d in zip(x, by)] for x in end.x]
    return {row: share * float(found.group(1)) / steps for row, found in rows.items()}, end


def read_trajectory(path):
    """The last frame of a .trr file: big-endian; a head, then the box, positions and velocities."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        text = struct.unpack_from(">i", data, at + 8)[0]
        at += 12 + (text + 3) // 4 * 4
        head = struct.unpack_from(">13i", data, at)
        sizes, atoms = head[:10], head[10]
        real = "d" if sizes[2] == 72 or sizes[7] == 24 * atoms else "f"
        at += 52 + 2 * struct.calcsize(real) + sum(sizes[:7])
        x, v = (struct.unpack_from(f">{3 * atoms}{real}", data, at + before) for before in (0, sizes[7]))
        at += sum(sizes[7:])
    return Nodes(*([list(part[3 * i:3 * i + 3]) for i in range(atoms)] for part in (x, v)))
