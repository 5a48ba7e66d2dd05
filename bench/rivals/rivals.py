# SPDX-License-Identifier: BSD-3-Clause
"""Compares all RATTLE steps and their alternatives that are available on this machine.

  python3 bench/rivals/rivals.py BENCH_ROUND FOLDER PAGE [ROUNDS]

Each of ROUNDS (7) rounds runs every program and setting once, with one thread: our generated steps,
the hand-written steps, the general solver and IDA (all in bench_round), and CasADi, LAMMPS and
GROMACS if they are installed.  Before that, each setting of these three takes the first 100 steps,
which must agree with RATTLE to the accuracy of its own constraints; otherwise it is listed and not
timed.  Writes FOLDER/table.md, and FOLDER/ratios.dat and FOLDER/tolerance_*.dat for rivals.gp.
Puts the table into PAGE between the lines "<!-- rivals -->" and "<!-- end of rivals -->".
"""
import collections
import os
import subprocess
import sys

import casadi_steps
import gromacs
import lammps
from start import Start
from tables import digits, figures, parts, processor, put

BY_HAND = "by hand"
OTHERS = ("SUNDIALS", "CasADi", "LAMMPS", "GROMACS")
SECONDS_OF_A_RUN = 0.3

# subject: the name of its start file without .start, the factor for lengths, the unit that the
# table counts by, and the number of units
SUBJECTS = {"pendulum": ("pendulum", 1.0, "step", 1), "hopf": (None, 1.0, "step", 1), "chain6": ("chain6", 1.0, "step", 1),
            "chain 100": ("chain_100", 9.9, "node", 100), "chain 1000": ("chain_1000", 99.9, "node", 1000),
            "coil 1000": ("coil_1000", 99.9, "node", 1000), "water 1000": ("water_1000", 1.0, "molecule", 1000)}

GROMACS_CURVES = [f"GROMACS {algorithm}, {precision}" for algorithm in ("SHAKE", "LINCS") for precision in ("double", "mixed")]
CURVES = {"water 1000": ["by hand", "straight line", *GROMACS_CURVES, "straight line, W = 8", "GROMACS SETTLE, double", "GROMACS SETTLE, mixed", "LAMMPS fix rattle",
                         "LAMMPS fix shake"],
          "coil 1000": ["by hand", "general way", *GROMACS_CURVES]}

Result = collections.namedtuple("Result", "ns residual slip")


class Rival:
    """Another program with one setting, for one subject.

    name: in the table.  curve: in the plot of cost against tolerance, or "".  install: the command
    that installs the program.  run(folder, start, steps): returns the processor time per step in
    seconds, and the final Nodes.
    """

    def __init__(self, subject, name, curve, in_table, installed, install, run, most_steps=5000):
        self.subject = subject
        self.name = name
        self.curve = curve
        self.in_table = in_table
        self.installed = installed
        self.install = install
        self.run = run
        self.most_steps = most_steps
        self.steps = 100
        self.refused = ""
        self.distance = None


def of_lammps(fix, tolerance, in_table=False):
    return Rival("water 1000", f"LAMMPS fix {fix}, {tolerance:.0e}", f"LAMMPS fix {fix}", in_table, lammps.installed(), f"apt-get install {lammps.PACKAGE}",
                 lambda folder, start, steps: lammps.run(folder, start, fix, tolerance, steps))


def of_gromacs(subject, way, setting, in_table=False):
    half = "" if way.integrator == "md-vv" else ", positions alone"
    return Rival(subject, f"GROMACS {way.algorithm}{setting}, {way.precision}{half}",
                 f"GROMACS {way.algorithm}, {way.precision}" if not half else "", in_table, gromacs.installed(way.precision),
                 f"apt-get install {gromacs.PACKAGE}", lambda folder, start, steps: gromacs.run(folder, start, way, steps))


def shake(subject, precision, tolerance, in_table=False, integrator="md-vv"):
    return of_gromacs(subject, gromacs.Way(precision, integrator, "SHAKE", tolerance=tolerance), f" {tolerance:.0e}", in_table)


def lincs(subject, precision, order, iterations, in_table=False):
    return of_gromacs(subject, gromacs.Way(precision, "md-vv", "LINCS", order=order, iterations=iterations),
                      f" order {order}, {iterations} iterations", in_table)


def settle(precision, integrator="md-vv"):
    return of_gromacs("water 1000", gromacs.Way(precision, integrator, "SETTLE"), "", True)


def of_casadi(way):
    return Rival(way.subject, way.name, "", True, casadi_steps.installed(), casadi_steps.INSTALL, way.run, most_steps=40000)


def rivals():
    ways = [of_casadi(way) for way in casadi_steps.ways()]
    ways += [of_lammps(fix, 10.0 ** -digits, digits == 12) for fix in ("rattle", "shake") for digits in (2, 4, 8, 12, 14)]
    ways += [settle("double"), settle("double", "md"), settle("mixed")]
    for subject in ("water 1000", "coil 1000"):
        ways += [shake(subject, "double", 10.0 ** -digits, digits == 12) for digits in (2, 4, 6, 8, 10, 12, 13)]
        ways += [shake(subject, "mixed", 10.0 ** -digits) for digits in (2, 3, 4)]
        ways += [lincs(subject, "double", order, n, (order, n) == (16, 8))
                 for order, n in ((4, 1), (4, 2), (8, 2), (8, 4), (16, 4), (16, 8))]
        ways += [lincs(subject, "mixed", 4, 1, True), lincs(subject, "mixed", 4, 2)]
    ways += [shake("chain 1000", "double", 1e-12, True), lincs("chain 1000", "double", 16, 8, True)]
    return ways


def run(way, folder, starts):
    """A Result, with the nanoseconds per step of the whole system, and the final Nodes."""
    start = starts[way.subject]
    seconds, end = way.run(folder, start, way.steps)
    return Result(1e9 * seconds, start.residual(end), start.slip(end)), end


def check(way, folder, starts):
    """Sets way.steps; sets way.refused to the reason if this setting must not be timed."""
    if not way.installed:
        way.refused = f"not installed: `{way.install}`"
        return
    try:
        result, end = run(way, folder, starts)
    except RuntimeError as failure:
        print(failure, file=sys.stderr)
        way.refused = "gave up" if "converge" not in str(failure) else "does not converge within its 1000 iterations"
        return
    way.distance = starts[way.subject].distance(end)
    # Each of about 100 steps may displace every node by the error of its constraints.
    if not (result.residual < 0.1 and way.distance <= 60 * max(result.residual, 1e-15)):
        way.refused = f"bonds are off by {result.residual:.0e} and positions by {way.distance:.0e} after 100 steps"
        return
    way.steps = 100 * round(min(way.most_steps, max(100, 1e9 * SECONDS_OF_A_RUN / max(result.ns, 1))) / 100)


def round_of_ours(program):
    text = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [line.split("\t") for line in text.splitlines()]
    return {(row[0], row[1]): Result(float(row[2]), float(row[3]), None) for row in rows}


def measure(program, folder, ways, starts, rounds):
    """A dict (subject, name) -> Results, one for each round."""
    found = collections.defaultdict(list)
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        for key, result in round_of_ours(program).items():
            found[key].append(result)
        for way in ways:
            if not way.refused:
                found[way.subject, way.name].append(run(way, folder, starts)[0])
    return found


def times(results):
    return [result.ns for result in results]


def worst(results, what):
    values = [getattr(result, what) for result in results]
    return "" if values[0] is None else f"{max(values):.0e}"


def table(found, ways):
    lines = ["| system | way | ns | quartiles | least | times by hand | constraints | velocities |",
             "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: |"]
    for subject, (_, _, unit, count) in SUBJECTS.items():
        names = [name for of, name in found if of == subject and not hidden(ways, subject, name)]
        hand = figures(times(found[subject, BY_HAND]))[0]
        for name in names:
            results = found[subject, name]
            middle, low, high, least = (ns / count for ns in figures(times(results)))
            lines.append(f"| {subject}, a {unit} | {name} | {digits(middle)} | {digits(low)} to {digits(high)} | {digits(least)} | {digits(middle * count / hand)} | "
                         f"{worst(results, 'residual')} | {worst(results, 'slip')} |")
        for way in ways:
            if way.subject == subject and way.in_table and way.refused:
                lines.append(f"| {subject}, a {unit} | {way.name} | - | {way.refused} | | | | |")
    return lines


def hidden(ways, subject, name):
    return any(way.subject == subject and way.name == name and not way.in_table for way in ways)


def write_ratios(path, found, ways):
    with open(path, "w", encoding="ascii") as file:
        row = 0
        for subject in SUBJECTS:
            hand = figures(times(found[subject, BY_HAND]))[0]
            for of, name in found:
                if of == subject and name != BY_HAND and not hidden(ways, subject, name):
                    middle, low, high, _ = (ns / hand for ns in figures(times(found[of, name])))
                    row += 1
                    whose = 0 if name.startswith(BY_HAND) else 2 if name.startswith(OTHERS) else 1
                    file.write(f'{row} {middle:.6g} {low:.6g} {high:.6g} {whose} "{subject}: {name}"\n')


def write_tolerances(folder, found, ways):
    """Writes FOLDER/tolerance_water.dat and tolerance_coil.dat, with a block for each curve.

    A line has the error of the constraints, ns per molecule or node, and the quartiles.  A curve
    without points gets a line of NaNs, so that the other curves keep their colours in rivals.gp.
    """
    for subject, curves in CURVES.items():
        count = SUBJECTS[subject][3]
        with open(os.path.join(folder, f"tolerance_{subject.split()[0]}.dat"), "w", encoding="ascii") as file:
            for curve in curves:
                names = [way.name for way in ways if way.subject == subject and way.curve == curve] or [curve]
                points = [found[subject, name] for name in names if (subject, name) in found]
                whose = "" if curve.startswith((BY_HAND, *OTHERS)) else "sidewinder, "
                file.write(f'"{whose}{curve}"\n' if points else f'"{curve}: not here"\nnan nan nan nan\n')
                for results in points:
                    middle, low, high, _ = (ns / count for ns in figures(times(results)))
                    # The axis is logarithmic, so an error of 0 would have no point.
                    file.write(f"{max(max(r.residual for r in results), 1e-16):.6g} {middle:.6g} {low:.6g} {high:.6g}\n")
                file.write("\n\n")


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    program, folder, page = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) == 5 else 7
    os.makedirs(folder, exist_ok=True)
    parts(page, "rivals")
    subprocess.run([program, folder], check=True)
    starts = {subject: Start.read(os.path.join(folder, file + ".start"), scale)
              for subject, (file, scale, _, _) in SUBJECTS.items() if file}
    ways = rivals()
    for way in ways:
        check(way, os.path.join(folder, "run"), starts)
        print(f"{way.subject}, {way.name}: {way.refused or f'{way.distance:.0e} from RATTLE'}", file=sys.stderr, flush=True)
    found = measure(program, os.path.join(folder, "run"), ways, starts, rounds)
    lines = table(found, ways) + ["", f"{rounds} rounds on {processor()}; load {os.getloadavg()[1]:.1f}."]
    with open(os.path.join(folder, "table.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    write_ratios(os.path.join(folder, "ratios.dat"), found, ways)
    write_tolerances(folder, found, ways)
    put(page, "rivals", lines)
    print("\n".join(lines))


main()
