#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the data of spin_graph.sw for a random graph into FOLDER: site.csv and edge.csv.

  python3 examples/graphs/random_graph.py SITES DEGREE SEED FOLDER

Of all pairs of SITES as many as the mean number of neighbours DEGREE says are edges.
"""
import math
import os
import sys

import numpy as np

FIELD = np.array([0, -0.1])
COUPLING = 0.05


def random_edges(n, degree, seed):
    """n*degree/2 different pairs (i, j), i < j, counted from 0, in order."""
    random, edges = np.random.default_rng(seed), set()
    if degree * n / 2 > n * (n - 1) / 4:
        raise ValueError(f"{n} sites have no graph of degree {degree:g} of which most pairs are no edges")
    while len(edges) < round(n * degree / 2):
        i, j = sorted(int(end) for end in random.integers(0, n, 2))
        if i != j:
            edges.add((i, j))
    return sorted(edges)


def spins(x, edges):
    """Momenta on the sphere and at right angles to e_i = x_i + g - J sum_j x_j, so that every hidden constraint holds."""
    e = x + FIELD
    for i, j in edges:
        e[i] -= COUPLING * x[j]
        e[j] -= COUPLING * x[i]
    across = np.stack([e[:, 1], -e[:, 0]], axis=1) / np.hypot(e[:, 0], e[:, 1])[:, None]
    return across * np.sqrt(1 - (x * x).sum(axis=1))[:, None]


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    n, degree, seed, folder = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    edges = random_edges(n, degree, seed)
    angle = np.random.default_rng(seed).uniform(0, 2 * math.pi, n)
    x = 0.2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "site.csv"), "w", encoding="ascii") as file:
        file.write("x.1,x.2,y.1,y.2\n")
        file.writelines(",".join(repr(float(value)) for value in row) + "\n" for row in np.hstack([x, spins(x, edges)]))
    with open(os.path.join(folder, "edge.csv"), "w", encoding="ascii") as file:
        file.write("edge.1,edge.2\n")
        file.writelines(f"{i + 1},{j + 1}\n" for i, j in edges)


if __name__ == "__main__":
    main()
