#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random small models: a run by straight-line code ends where one through KINSOL ends.

Usage: fused_agree.py GENERATOR FIRST LAST     models of these seeds, each with a method and a base method of its own; every other
                                               run is compensated

Models whose run is refused either way are passed over; fewer than half of them may be.
"""
import csv
import os
import random
import subprocess
import sys
import tempfile

BASES = ["verlet", "midpoint", "euler-a", "gauss-4", "lobatto-4", "rk4"]
ANY = [("rattle", BASES), ("rattle", BASES), ("shake", BASES)]
HOLONOMIC = [("lobatto", ["lobatto-4", "lobatto-6"])]
CONSTANT_MASS = [("leapfrog", [None]), ("vs", [None])]
STEPS = 20


def potential(rng, d):
    terms = [f"{rng.uniform(-1, 1):.3f}*q[{i}]" for i in range(1, d + 1)]
    terms += [f"{rng.uniform(0.2, 1):.3f}*q[{rng.randint(1, d)}]^{rng.choice([2, 4])}" for _ in range(2)]
    terms += [rng.choice(["0.3*cos(q[1])", "0.2*q[1]*q[2]^2", "0.1*exp(q[2])"])]
    return " + ".join(terms)


def constraint(rng, d):
    """What a model is held by; sometimes by nothing."""
    kind = rng.choice(["sphere", "turn", "weighted", "ellipse", "spin", "none", "plane"])
    holonomic = kind in ("sphere", "none", "plane")
    squares = " + ".join(f"q[{i}]^2" for i in range(1, d + 1))
    return holonomic, {
        "sphere": f"constraint g: {squares} == 1.5",
        "turn": "constraint g: q[1]^2 + p[1]^2 + q[2]^2 + p[2]^2 == 1.2",
        "weighted": "constraint g: w*q[1]^2 + p[1]^2/w + q[2]^2 + p[2]^2 == 1.3",
        "ellipse": "constraint g: w*q[1]^2 + p[1]^2 + q[2]^2 + w*p[2]^2 == 1.1",
        "spin": "constraint g: q[1]*p[2] - q[2]*p[1] == 0.7",
        "plane": "constraint g: q[1] + 0.5*q[2]^2 == 0.8",
        "none": "",
    }[kind]


def model(rng, name):
    """Its text, and a method and a base method that suit it."""
    d = rng.randint(2, 4)
    kinetic = " + ".join(f"{rng.uniform(0.5, 1.5):.3f}*p[{i}]^2/2" for i in range(1, d + 1))
    coupled = rng.choice(["", " + 0.2*p[1]*p[2]", " + 0.3*q[1]*p[2]", " + 0.1*q[2]^2*p[1]^2"])
    holonomic, held = constraint(rng, d)
    constant_mass = holonomic and "q" not in coupled
    method, bases = rng.choice(ANY + HOLONOMIC * 2 * holonomic + CONSTANT_MASS * constant_mass)
    inits = "".join(f"init {v}[{i}] = {rng.uniform(-0.6, 0.9):.3f}\n" for v in "qp" for i in range(1, d + 1))
    text = (f"model {name}\nset ax = 1 .. {d}\nparam w = 1.4 in (0, inf)\ncoord q[ax] momentum p\n"
            f"hamiltonian H = {kinetic}{coupled} + {potential(rng, d)}\n{held}\n{inits}")
    return text, method, rng.choice(bases)


def end(command, folder, solver):
    """The state at the end, or None and what was said."""
    path = os.path.join(folder, solver + ".csv")
    done = subprocess.run(command + ["--solver", solver, "--save-state", path], capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stdout + done.stderr
    with open(path, encoding="ascii") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return [float(row[-1]) for row in rows[1:]], done.stdout + done.stderr


def compare(generator, seed, folder):
    rng = random.Random(seed)
    path = os.path.join(folder, f"random{seed}.sw")
    text, method, base = model(rng, f"random{seed}")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    compensated = method in ("rattle", "shake") and seed % 2 == 0
    command = [generator, "run", path, "--method", method, *(["--base", base] if base else []),
               "--step", "0.01", "--steps", str(STEPS), "--project=inf", *(["--compensated"] if compensated else [])]
    wanted, why = end(command, folder, "kinsol")
    if wanted is None:
        return None, why
    found, said = end(command, folder, "fused")
    if found is None:
        return False, said
    size = max(map(abs, wanted))
    apart = max(abs(a - b) for a, b in zip(found, wanted)) / size
    return "straight line" in said and apart <= 1e-11, f"{' '.join(command)}: {apart:g} apart\n{said}"


def main():
    generator, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    agreed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last + 1):
            good, words = compare(generator, seed, folder)
            agreed += good is True
            failed += good is False
            if good is not True:
                print(f"seed {seed}: {'passed over' if good is None else 'FAILED'}: {words}")
    print(f"{last - first + 1} models, {agreed} agree, {failed} do not")
    return failed > 0 or 2 * agreed < last - first + 1


if __name__ == "__main__":
    sys.exit(main())
