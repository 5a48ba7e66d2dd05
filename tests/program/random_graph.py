# SPDX-License-Identifier: BSD-3-Clause
"""Random graphs of stiff bonds, as data and as a model that spells out every bond.

random_graph.py make SEED FOLDER     graph.json, graph/*.csv, labels.json and spelled.sw
random_graph.py compare A B MOST     exits with 1 where the last rows of two .csv files differ by more than MOST, or the first and the last row by
                                     less than 0.001: then nothing has moved
"""
import csv
import json
import os
import random
import sys


def make(seed, folder):
    rng = random.Random(seed)
    n = rng.randint(4, 7)
    # A tree, and perhaps a bond that closes a ring; both ways round.
    bonds = [(rng.randint(1, i - 1), i) for i in range(2, n + 1)]
    free = [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1) if (i, j) not in bonds]
    bonds += rng.sample(free, rng.randint(0, 1))
    bonds = [pair if rng.random() < 0.5 else pair[::-1] for pair in bonds]
    rng.shuffle(bonds)
    x = [[round(rng.uniform(-1, 1), 3) for _ in range(3)] for _ in range(n)]
    kind = [rng.randint(0, 1) for _ in range(n)]
    length = [sum((a - b) ** 2 for a, b in zip(x[i - 1], x[j - 1])) ** 0.5 for i, j in bonds]
    mass = [round(rng.uniform(0.5, 2), 3) for _ in range(2)]
    data = {
        "a": [a for a, _ in bonds],
        "b": [b for _, b in bonds],
        "kind": kind,
        "m": {"C": mass[0], "H": mass[1]},
        "length": length,
        "x": x,
    }
    with open(f"{folder}/graph.json", "w", encoding="utf-8") as file:
        json.dump(dict(data, atom=n, bond=len(bonds), comment=f"seed {seed}"), file)
    labels = [f"atom {i}" for i in range(1, n + 1)]
    named = dict(data, atom=labels, a=[labels[a - 1] for a, _ in bonds], kind=["CH"[k] for k in kind])
    with open(f"{folder}/labels.json", "w", encoding="utf-8") as file:
        json.dump(named, file, indent=1)
    os.makedirs(f"{folder}/graph", exist_ok=True)
    with open(f"{folder}/graph/atom.csv", "w", encoding="utf-8") as file:
        file.write("# atoms\nname,kind,x.x,x.y,x.z\n")
        file.writelines(f"{name},{'CH'[k]},{u!r},{v!r},{w!r}\n" for name, k, (u, v, w) in zip(labels, kind, x))
    with open(f"{folder}/graph/bond.csv", "w", encoding="utf-8") as file:
        file.write("a,b,length\n")
        file.writelines(f"{a},{labels[b - 1]},{l!r}\n" for (a, b), l in zip(bonds, length))
    with open(f"{folder}/graph/parameters.csv", "w", encoding="utf-8") as file:
        file.write(f"name,value\nm.C,{mass[0]}\nm.H,{mass[1]}\n")
    with open(f"{folder}/spelled.sw", "w", encoding="utf-8") as file:
        file.write(spelled(n, bonds, x, [mass[k] for k in kind], length))


def spelled(n, bonds, x, mass, length):
    lines = [
        "model spelled",
        f"set atom = 1 .. {n}",
        "set xyz = {x, y, z}",
        "param gravity = 9.81",
        "coord q[atom, xyz] momentum p",
        "hamiltonian H = " + " + ".join(
            f"sum(k in xyz: p[{i + 1},k]^2)/(2*{m!r}) + {m!r}*gravity*q[{i + 1},z]" for i, m in enumerate(mass)),
    ]
    lines += [f"constraint pin{k}: q[1,{k}] == {value!r}" for k, value in zip("xyz", x[0])]
    for e, ((a, b), l) in enumerate(zip(bonds, length)):
        lines.append(f"constraint stiff{e + 1}: sum(k in xyz: (q[{b},k] - q[{a},k])^2) == {l!r}^2")
    for i, row in enumerate(x):
        lines += [f"init given: q[{i + 1},{k}] = {value!r}" for k, value in zip("xyz", row)]
    lines.append("init given: p[i in atom, k in xyz] = 0")
    lines.append("run method = rattle, base = verlet, step = 1e-3, steps = 100")
    return "\n".join(lines) + "\n"


def rows(path):
    with open(path, encoding="utf-8") as file:
        found = list(csv.reader(file))[1:]
    return [float(value) for value in found[0]], [float(value) for value in found[-1]]


def compare(a, b, most):
    (first, last), (_, other) = rows(a), rows(b)
    moved = max(abs(u - v) for u, v in zip(first, last))
    apart = max(abs(u - v) for u, v in zip(last, other))
    good = len(last) == len(other) and moved > 1e-3 and apart <= float(most)
    print(f"moved {moved:.3g}, apart {apart:.3g}, {len(last)} and {len(other)} columns")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
