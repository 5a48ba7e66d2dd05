#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random models, small or with clusters of constraints: a run by straight-line code ends where one through KINSOL ends.

Usage: fused_agree.py GENERATOR FIRST LAST     models of these seeds, each with a method and a base method of its own; every
                                               fourth has loops over clusters, and half of the others are compensated

Models whose run is refused either way are passed over; fewer than half of them may be.
"""
import csv
import os
import random
import subprocess
import sys
import tempfile

BASES = ["verlet", "midpoint", "euler-a", "gauss-4", "lobatto-4", "rk4", "splitting"]
ANY = [("rattle", BASES), ("rattle", BASES), ("shake", BASES)]
HOLONOMIC = [("lobatto", ["lobatto-4", "lobatto-6"]), ("bdf2", [None]), ("variational", ["euler", "explicit-midpoint"])]
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


def clusters(rng, name):
    """Equal clusters of constraints, with loops over them: rigid chains of a few sites, sometimes on a curve, held to their neighbours
    by springs; and a method and a base method.  The order of the indices decides how far apart the entries of a cluster are."""
    sites = "ABCD"[:rng.randint(2, 4)]
    axes = "xyz"[:rng.randint(2, 3)]
    order = rng.sample(["mol", "site", "axis"], 3)

    def at(v, mol, site, axis):
        return f"{v}[{','.join({'mol': mol, 'site': site, 'axis': axis}[o] for o in order)}]"

    def square(mol, a, b):
        return f"sum(k in axis: ({at('q', mol, a, 'k')} - {at('q', mol, b, 'k')})^2)"

    varied = rng.random() < 0.5
    length, mass = ("l[i]", "m[i,s]") if varied else ("l[A]", "m[s]")
    held = [f"constraint l{a}[i in mol]: {square('i', a, b)} == {length}^2" for a, b in zip(sites, sites[1:])]
    if rng.random() < 0.5:
        held.append(f"constraint curve[i in mol]: {at('q', 'i', 'A', 'y')} == 0.3*sin({at('q', 'i', 'A', 'x')})")
    if len(sites) > 2 and rng.random() < 0.5:
        held.append(f"constraint closed[i in mol]: {square('i', sites[0], sites[2])} == 1.1")
    every = "i in mol, s in site, k in axis: "
    inits = "".join(f"init {at('q', 'i in mol', s, k)} = {'i + ' * (k == 'x')}{rng.uniform(-0.2, 0.2) + 0.7 * j * (k == 'y'):.3f}\n"
                    f"init {at('p', 'i in mol', s, k)} = {rng.uniform(-0.4, 0.4):.3f}*cos(i)\n"
                    for j, s in enumerate(sites) for k in axes)
    text = (f"model {name}\nsize N = 13\nset mol = 1 .. N\nset gap = 1 .. N-1\nset site = {{{', '.join(sites)}}}\n"
            f"set axis = {{{', '.join(axes)}}}\n"
            + ("param m[i in mol, s in site] = 1 + i/9 in (0, inf)\nparam l[i in mol] = 0.8 + i/50 in (0, inf)\n" if varied else
               f"param m[s in site] = {{{', '.join(f'{s}: {rng.uniform(0.5, 2):.3f}' for s in sites)}}} in (0, inf)\n"
               "param l[s in site] = 0.8 in (0, inf)\n") + f"coord q[{', '.join(order)}] momentum p\n"
            f"hamiltonian H = sum({every}{at('p', 'i', 's', 'k')}^2/(2*{mass})) + sum({every}cos({at('q', 'i', 's', 'k')}))"
            f" + sum(i in gap, k in axis: ({at('q', 'i', 'A', 'k')} - {at('q', 'i+1', 'B', 'k')})^2/2)\n"
            + "\n".join(held) + f"\n{inits}")
    return text, "rattle", rng.choice(["verlet", "euler-a", "euler-b"])


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
    text, method, base = (model if seed % 4 else clusters)(rng, f"random{seed}")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    compensated = method in ("rattle", "shake", "lobatto", "leapfrog") and seed % 4 in (1, 2)
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
