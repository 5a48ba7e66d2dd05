# SPDX-License-Identifier: BSD-3-Clause
"""The cost of the constraints of one long molecule, a polymer: sidewinder, GROMACS and LAMMPS.

  PYTHONPATH=python SIDEWINDER=build/bin/sidewinder python3 bench/rivals/polymer.py FOLDER PAGE [ROUNDS [BONDS]]

The polymer has BONDS (100000) bonds of 0.154 nm at the tetrahedral angle with random rotations, and
atoms of 14.027 u at 300 K.  Steps are 2 fs, without forces.  The model is
examples/graphs/molecule.sw with these bonds as its data.  Each setting of GROMACS first takes 20
steps, which must agree with RATTLE to the accuracy of its own constraints.  Each of ROUNDS (5)
rounds then runs every setting once, with one thread.  Writes a table into PAGE between the lines
"<!-- polymer -->" and "<!-- end of polymer -->".
"""
import math
import os
import re
import sys
import time

import numpy as np

import gromacs
import lammps
import sidewinder
from gromacs import Way
from process import call
from start import Nodes, Start
from tables import digits, figures, parts, processor, put

MODEL = "examples/graphs/molecule.sw"
BOND, MASS, STEP, KT = 0.154, 14.027, 2e-3, 2.494339
CHECK_STEPS = 20

WAYS = {"at 1e-4": [("SHAKE 1e-4, double", Way("double", "md-vv", "SHAKE", tolerance=1e-4)),
                    ("SHAKE 1e-4, mixed", Way("mixed", "md-vv", "SHAKE", tolerance=1e-4)),
                    ("LINCS order 4, 1 iteration, double", Way("double", "md-vv", "LINCS")),
                    ("LINCS order 4, 1 iteration, mixed", Way("mixed", "md-vv", "LINCS")),
                    ("LINCS order 4, 2 iterations, double", Way("double", "md-vv", "LINCS", iterations=2))],
        "to round-off": [("SHAKE 1e-12, double", Way("double", "md-vv", "SHAKE", tolerance=1e-12)),
                         ("LINCS order 16, 8 iterations, double", Way("double", "md-vv", "LINCS", order=16, iterations=8))]}

LAMMPS = """units lj
atom_style molecular
boundary f f f
bond_style zero
pair_style zero 0.5 nocoeff
read_data polymer.data
pair_coeff * *
bond_coeff * {bond}
fix move all nve
fix bonds all {fix} 1e-4 500 0 b 1
run 0
"""


def coil(bonds, seed=1):
    """Positions of the bonds + 1 atoms of a random coil."""
    random = np.random.default_rng(seed)
    x = np.zeros((bonds + 1, 3))
    u = np.array([0.0, 0.0, 1.0])
    for i in range(bonds):
        x[i + 1] = x[i] + BOND * u
        across = np.cross(u, random.normal(size=3))
        u = u / 3 + math.sqrt(8 / 9) * across / np.linalg.norm(across)
        u /= np.linalg.norm(u)
    return x


def polymer(bonds):
    """Data for the model."""
    x = coil(bonds)
    nothing = dict.fromkeys(("stretch", "bend", "straight", "torsion", "improper", "pair"), 0)
    return {"atom": bonds + 1, "mass": MASS, "charge": 0.0, "element": ["C"] * (bonds + 1), "x": x, "v": np.random.default_rng(2).normal(0, math.sqrt(KT / MASS), x.shape),
            "bond": bonds, "a": np.arange(1, bonds + 1), "b": np.arange(2, bonds + 2), "length": BOND, **nothing}


def nodes(sim):
    q, p = sim.q.reshape(-1, 3), sim.p.reshape(-1, 3)
    return Nodes(q.tolist(), (p / MASS).tolist())


def ours(sim, steps):
    """The processor time of our steps, in nanoseconds per step."""
    before = time.process_time()
    sim.run(steps, every=steps, columns=["energy"])
    return 1e9 * (time.process_time() - before) / steps


def refusal_of_lammps(folder, start, fix):
    """The reply of LAMMPS to a chain, for the table."""
    if not lammps.installed():
        return f"not installed: `apt-get install {lammps.PACKAGE}`"
    os.makedirs(folder, exist_ok=True)
    n, low, high = len(start.mass), np.min(start.begin.x) - 5, np.max(start.begin.x) + 5
    lines = ["polymer", "", f"{n} atoms", f"{n - 1} bonds", "1 atom types", "1 bond types", *(f"{low} {high} {c}lo {c}hi" for c in "xyz")]
    lines += ["", "Masses", "", f"1 {MASS}", "", "Atoms", "", *(f"{i} 1 1 {x} {y} {z}" for i, (x, y, z) in enumerate(start.begin.x, start=1))]
    lines += ["", "Bonds", "", *(f"{b} 1 {b} {b + 1}" for b in range(1, n)), ""]
    for name, text in (("polymer.data", "\n".join(lines)), ("in.polymer", LAMMPS.format(bond=BOND, fix=fix))):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    try:
        call(folder, lammps.PROGRAM, "-in", "in.polymer", "-log", "log.lammps")
    except RuntimeError as failure:
        said = re.search(r"ERROR.*", str(failure))
        return f"refuses: `{said.group(0).split(' (../')[0]}`" if said else "gave up"
    return "takes it; this benchmark does not expect that"


def check(name, way, folder, start):
    """The reason to skip this setting, or ""; and the number of steps of a run."""
    if not gromacs.installed(way.precision):
        return f"not installed: `apt-get install {gromacs.PACKAGE}` ({gromacs.PROGRAMS[way.precision]})", 0
    try:
        seconds, end = gromacs.run(folder, start, way, CHECK_STEPS)
    except RuntimeError as failure:
        print(failure, file=sys.stderr)
        return "does not converge within its 1000 iterations" if "converge" in str(failure) else "gave up", 0
    residual, distance = start.residual(end), start.distance(end)
    print(f"{name}: {distance:.0e} from RATTLE, bonds are off by {residual:.0e}", file=sys.stderr, flush=True)
    if not (residual < 0.1 and distance <= 60 * max(residual, 1e-15)):
        return f"bonds are off by {residual:.0e} and positions by {distance:.0e} after {CHECK_STEPS} steps", 0
    return "", max(CHECK_STEPS, min(500, round(2.0 / seconds)))


def row(name, count, whole, rows, residual, slip):
    middle, low, high, least = (ns / count for ns in figures(whole))
    alone = digits(figures(rows)[0] / count) if rows else ""
    return f"| {name} | {digits(middle)} | {digits(low)} to {digits(high)} | {digits(least)} | {alone} | {residual:.0e} | {slip:.0e} |"


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    folder, page = sys.argv[1:3]
    rounds, bonds = (int(sys.argv[i]) if len(sys.argv) > i else default for i, default in ((3, 5), (4, 100000)))
    os.makedirs(folder, exist_ok=True)
    parts(page, "polymer")
    sim = sidewinder.Model(MODEL).sim(data=polymer(bonds), project=math.inf, step=STEP)
    begin = nodes(sim)
    sim.run(CHECK_STEPS, every=CHECK_STEPS, columns=["energy"])
    start = Start([MASS] * (bonds + 1), [(i, i + 1) for i in range(bonds)], STEP, CHECK_STEPS, begin, nodes(sim))
    ways = [(group, name, way, *check(name, way, os.path.join(folder, "run"), start)) for group in WAYS for name, way in WAYS[group]]
    mine, found = [], {name: [] for _, name, *_ in ways}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        mine.append(ours(sim, 100))
        for _, name, way, refused, steps in ways:
            if not refused:
                found[name].append(gromacs.run_in_parts(os.path.join(folder, "run"), start, way, steps))
    end = nodes(sim)
    lines = ["| way | ns | quartiles | least | of it \"Constraints\" | constraints | velocities |", "| --- | ---: | --- | ---: | ---: | ---: | ---: |",
             row("sidewinder, RATTLE, to round-off", bonds, mine, [], start.residual(end), start.slip(end))]
    for group, name, _, refused, _ in ways:
        runs = found[name]
        lines.append(f"| GROMACS {name} | {refused} | | | | | |" if refused else
                     row(f"GROMACS {name}", bonds, [1e9 * sum(part.values()) for part, _ in runs], [1e9 * part["Constraints"] for part, _ in runs],
                         max(start.residual(last) for _, last in runs), max(start.slip(last) for _, last in runs)))
    lines += [f"| LAMMPS fix {fix} | {refusal_of_lammps(os.path.join(folder, 'lammps'), start, fix)} | | | | | |" for fix in ("shake", "rattle")]
    lines += ["", f"A polymer of {bonds} bonds; {rounds} rounds on {processor()}; load {os.getloadavg()[1]:.1f}."]
    put(page, "polymer", lines)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
