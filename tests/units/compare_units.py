#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs of models and of the same models in other units: they are the same motion.

Usage: compare_units.py GENERATOR TRAJECTORY INCLUDE MODEL.sw ... [--random FIRST LAST] [--draws N] [--steps N]

GENERATOR is the program `sidewinder`, TRAJECTORY that of trajectory.c, INCLUDE the folder of sidewinder/model.h.
Each model is run as it is, in units that are powers of two, and in N others [1] (rescale.py).  With powers of two every
number of the trajectory is a power of two times what it was, to the last bit, and the status is the same: square roots are
rounded alike, too; powers such as q^(1/3) would not be, and no model has them.  In other units states and times agree to 1e-10, relative to
the largest position or momentum of the model's initial state and of the trajectory.

Units lie between 1e-30 and 1e30.  Where a number leaves the range of doubles in them, such as sigma^12, and does not in
the model's own, the units are drawn again from half the decades; how often is printed.  Exits with 1 where runs differ, where the
generator refuses a model in other units for any other reason, or where less than half of what was to be compared could be.
"""
import argparse
import math
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "random"))
from random_model import random_model  # noqa: E402
from rescale import Units, rescale  # noqa: E402

AGREEMENT = 1e-10
NO_RUN = "no step could be made"
COMPARED, OUT_OF_RANGE = "compared", "out of range"
DECADES = (30.0, 15.0, 7.0, 3.0)
PATIENCE = 120
# Options of the runtime that a model needs, and sizes that take less time.
REDUNDANT = {"square": "drop", "chain6_tied": "drop", "bowl_twice": "drop"}
SIZES = {"chain": ["N=12"], "net": ["N=5"], "spin_chain": ["N=8"], "water_box": ["W=3"]}
BEYOND = "too large or too small for a double"
# In the C: a coefficient from which little is left to the end of the doubles.
NEARLY_BEYOND = re.compile(r"[\d.]e[+-]?(?:29\d|3\d\d)\b")
# Where the initial state is none.  Its projection is taken in the model's own units: a distance needs scales.
OFF = ("SW_ERR_OFF_M", "SW_ERR_OFF_MH")


class Failed(Exception):
    pass


class Trajectory:
    def __init__(self, text):
        lines = text.splitlines()
        d, m, *initial = lines[0].split()
        self.d, self.m = int(d), int(m)
        self.q, self.p = map(float.fromhex, initial)
        self.rows = [[float.fromhex(number) for number in line.split()]
                     for line in lines[1:] if re.match(r"-?0x", line) or line.startswith(("inf", "nan", "-inf", "-nan"))]
        tail = lines[1 + len(self.rows):]
        self.status = tail[0]
        self.in_range = tail[1] == "fine"
        self.message = tail[2] if len(tail) > 2 else ""


class Runner:
    def __init__(self, generator, program, include, steps):
        self.generator, self.program, self.include, self.steps = generator, program, include, steps
        self.compiler = os.environ.get("CC", "cc").split()

    def library(self, text, name, folder):
        """(a shared object of the model's C, its symbol, whether its coefficients are far inside of the doubles, what the
        generator says); the object is None where the generator refuses the model."""
        path = os.path.join(folder, name + ".sw")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([self.generator, "generate", path, "-o", folder], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        if done.returncode != 0:
            return None, None, BEYOND not in done.stderr, done.stderr
        with open(os.path.join(folder, name + ".h"), encoding="utf-8") as file:
            symbol = re.search(r"sw_model_(\w+);", file.read()).group(1)
        target = os.path.join(folder, name + ".so")
        done = subprocess.run([*self.compiler, "-std=c99", "-O0", "-ffp-contract=off", "-fPIC", "-shared", f"-I{self.include}",
                               os.path.join(folder, name + ".c"), "-o", target, "-lm"],
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise Failed(f"{name}: the compiler says: {done.stderr[:500]}")
        with open(os.path.join(folder, name + ".c"), encoding="utf-8") as file:
            return target, symbol, not NEARLY_BEYOND.search(file.read()), ""

    def run(self, library, symbol, name, base, step, start="init"):
        """start: "init", "project", or the state itself."""
        state = "" if isinstance(start, str) else " ".join(float(value).hex() for value in start)
        command = [self.program, library, symbol, "rattle", base, REDUNDANT.get(name, "error"),
                   "-" if state else start, float(step).hex(), str(self.steps), *SIZES.get(name, [])]
        done = subprocess.run(command, input=state, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise Failed(f"{name}: {' '.join(command)}: exit {done.returncode}: {done.stderr[:300]}")
        return Trajectory(done.stdout)


def run_line(text):
    """(base, step) of a model's run line, or the defaults."""
    text = re.sub(r"#[^\n]*", "", text)
    line = re.search(r"^run\b(.*)\Z", text, re.S | re.M)
    line = line.group(1) if line else ""
    base = re.search(r"\bbase\s*=\s*([\w-]+)", line)
    step = re.search(r"\bstep\s*=\s*([-\w.+]+)", line)
    return base.group(1) if base else "verlet", float(step.group(1)) if step else 0.01


def factors(trajectory, units):
    """Of each column but the multipliers': time, positions, momenta."""
    return [units.t] + [units.q] * trajectory.d + [units.p] * trajectory.d


def is_scaled(a, b):
    """b is a power of two times a, or both are zero."""
    if a == 0.0 or b == 0.0:
        return a == b
    return math.frexp(a)[0] == math.frexp(b)[0]


def difference_exact(original, other, units):
    for n, (a, b) in enumerate(zip(original.rows, other.rows)):
        columns = factors(original, units)
        for i, factor in enumerate(columns):
            if float(factor) * a[i] != b[i]:
                return f"row {n}, column {i}: {b[i].hex()} is not {float(factor)} times {a[i].hex()}"
        for i in range(len(columns), len(a)):
            if not is_scaled(a[i], b[i]):
                return f"row {n}, multiplier {i - len(columns)}: {b[i].hex()} is no power of two times {a[i].hex()}"
    return None


def difference_near(original, other, units):
    d = original.d
    q = max(original.q, *(abs(x) for row in original.rows for x in row[1:1 + d]))
    p = max(original.p, *(abs(x) for row in original.rows for x in row[1 + d:1 + 2 * d]))
    t = abs(original.rows[-1][0])
    sizes = [t] + [q] * d + [p] * d
    worst = 0.0
    for a, b in zip(original.rows, other.rows):
        for x, y, size, factor in zip(a, b, sizes, factors(original, units)):
            off = abs(y / float(factor) - x)
            if not off <= AGREEMENT * size:
                return f"{y!r} in a unit of {float(factor):.3g} is {y / float(factor)!r}, and not {x!r}"
            worst = max(worst, off / size if size else 0.0)
    return None


def compare(original, other, units, exact):
    if other.status != original.status:
        return f"{other.status} ({other.message}) and not {original.status} ({original.message})"
    if len(other.rows) != len(original.rows):
        return f"{len(other.rows)} rows and not {len(original.rows)}"
    return (difference_exact if exact else difference_near)(original, other, units)


def check_draw(runner, name, text, original, base, step, seed, powers):
    """(what came of it, what is wrong, how many draws left the range of doubles)."""
    for again, decades in enumerate(DECADES):
        units = Units.draw(text, random.Random(f"{name} {seed} {again}"), decades, powers)
        with tempfile.TemporaryDirectory() as folder:
            library, symbol, in_range, said = runner.library(rescale(text, units), name, folder)
            if library is None and in_range:
                raise Failed(f"refused in units {units.as_json()}: {said[:500]}")
            if library is None:
                continue
            start = [float(x * factor) for x, factor in zip(map(Fraction, original.rows[0][1:]), factors(original, units)[1:])]
            other = runner.run(library, symbol, name, base, float(Fraction(step) * units.t), start)
        if (in_range and other.in_range) or not original.in_range:
            wrong = compare(original, other, units, powers)
            return COMPARED, f"in units {units.as_json()}: {wrong}" if wrong else "", again
    return OUT_OF_RANGE, "", len(DECADES)


def check_model(job):
    """(name, status of the original or None, what came of each draw, what is wrong, how many draws left the range)."""
    runner, name, text, draws = job
    base, step = run_line(text)
    problems, outcomes, narrower = [], [], 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            library, symbol, _, _ = runner.library(text, name, folder)
            if library is None:
                return name, None, [], [], 0
            original = runner.run(library, symbol, name, base, step)
            if original.status in OFF:
                original = runner.run(library, symbol, name, base, step, "project")
        if len(original.rows) < 2:
            return name, None, [], [], 0
        for seed in range(2 * draws):
            powers = seed % 2 == 0
            outcome, wrong, again = check_draw(runner, name, text, original, base, step, seed, powers)
            narrower += again
            outcomes.append(outcome)
            if wrong:
                problems.append(("powers of two" if powers else "any units") + ": " + wrong)
    except (Failed, subprocess.TimeoutExpired) as failure:
        problems.append(str(failure))
        return name, None, outcomes, problems, narrower
    return name, original.status, outcomes, problems, narrower


def main():
    parser = argparse.ArgumentParser(description="Runs of models in other units.")
    parser.add_argument("generator")
    parser.add_argument("trajectory")
    parser.add_argument("include")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--random", nargs=2, type=int, metavar=("FIRST", "LAST"))
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    runner = Runner(options.generator, options.trajectory, options.include, options.steps)
    jobs = []
    for path in options.models:
        with open(path, encoding="utf-8") as file:
            jobs.append((runner, os.path.splitext(os.path.basename(path))[0], file.read(), options.draws))
    if options.random:
        for seed in range(options.random[0], options.random[1] + 1):
            jobs.append((runner, f"random{seed}", random_model(seed)[0], options.draws))
    wrong = runs = narrower = 0
    outcomes = []
    with multiprocessing.Pool(min(2, os.cpu_count() or 1)) as pool:
        for name, status, of_model, problems, again in pool.imap(check_model, jobs):
            for problem in problems:
                print(f"FAILED: {name}, {problem}")
            print(f"{name}: {status or NO_RUN}", *of_model, sep=", ")
            narrower += again
            wrong += bool(problems)
            runs += status is not None
            outcomes += of_model
    compared = outcomes.count(COMPARED)
    print(f"{len(jobs)} models, {runs} run, {wrong} differ; in other units {compared} times compared, "
          f"{outcomes.count(OUT_OF_RANGE)} times out of range; "
          f"{narrower} times units were drawn again because formulas left the range of doubles")
    return 1 if wrong or compared == 0 or compared < options.draws * len(jobs) else 0


if __name__ == "__main__":
    sys.exit(main())
