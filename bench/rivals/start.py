# SPDX-License-Identifier: BSD-3-Clause
"""Where bench_round has written that a system of bonds starts, and what a program has made of it."""
import math


class Nodes:
    """Positions and velocities, lists of three numbers each."""

    def __init__(self, x, v):
        self.x = x
        self.v = v


class Start:
    """mass: of each node.  bonds: pairs of nodes.  h: the step.  begin, end: Nodes, `steps` steps apart.  molecules: lists of nodes that follow one another."""

    def __init__(self, path, scale):
        """scale: what lengths and velocities are multiplied by; masses become 12 where they are all equal, since these programs have units.
        Neither changes what a step does."""
        with open(path, encoding="ascii") as file:
            nodes, bonds, h, steps = file.readline().split()
            rows = [[float(word) for word in file.readline().split()] for _ in range(2 * int(nodes))]
            self.bonds = [tuple(int(word) for word in file.readline().split()) for _ in range(int(bonds))]
        self.h = float(h)
        self.steps = int(steps)
        n = int(nodes)
        self.mass = [row[0] for row in rows[:n]]
        if max(self.mass) == min(self.mass):
            self.mass = [12.0] * n
        self.begin, self.end = (
            Nodes([[scale * c for c in row[1:4]] for row in part], [[scale * c for c in row[4:7]] for row in part])
            for part in (rows[:n], rows[n:]))
        self.length = [math.dist(self.begin.x[a], self.begin.x[b]) for a, b in self.bonds]
        self.per_molecule = 3 if 3 * len(self.bonds) == 3 * n else n

    def residual(self, nodes):
        """max |d^2 - length^2| in units of the square of the shortest bond."""
        unit = min(self.length) ** 2
        return max(abs(math.dist(nodes.x[a], nodes.x[b]) ** 2 - length ** 2) / unit
                   for (a, b), length in zip(self.bonds, self.length))

    def slip(self, nodes):
        """max |rate of d^2 / 2|, in units of the shortest bond and the largest speed: whether velocities are tangent."""
        unit = min(self.length) * max(math.hypot(*v) for v in nodes.v)
        worst = 0.0
        for a, b in self.bonds:
            along = sum((p - q) * (r - s) for p, q, r, s in zip(nodes.x[a], nodes.x[b], nodes.v[a], nodes.v[b]))
            worst = max(worst, abs(along) / unit)
        return worst

    def distance(self, nodes):
        """Of these positions from where RATTLE has led after `steps` steps, in units of the longest way that a node has gone."""
        gone = max(math.dist(a, b) for a, b in zip(self.begin.x, self.end.x))
        return max(math.dist(a, b) for a, b in zip(nodes.x, self.end.x)) / gone
