# SPDX-License-Identifier: BSD-3-Clause
"""Where a system of bonds starts, and what a program has made of it."""
import math


class Nodes:
    """Positions and velocities, lists of three numbers each."""

    def __init__(self, x, v):
        self.x = x
        self.v = v


class Start:
    """mass: of each node.  bonds: pairs of nodes.  h: the step.  begin, end: Nodes, `steps` steps of RATTLE apart.  pinned: whether the first node is."""

    def __init__(self, mass, bonds, h, steps, begin, end, pinned=False):
        self.mass = mass
        self.bonds = bonds
        self.h = h
        self.steps = steps
        self.begin = begin
        self.end = end
        self.pinned = pinned
        self.length = [math.dist(begin.x[a], begin.x[b]) for a, b in bonds]
        self.per_molecule = 3 if len(bonds) == len(mass) else len(mass)

    @classmethod
    def read(cls, path, scale):
        """What bench_round has written.  scale: what lengths and velocities are multiplied by; masses become 12 where they are all equal, since these
        programs have units.  Neither changes what a step does."""
        with open(path, encoding="ascii") as file:
            n, bonds, h, steps = (float(word) for word in file.readline().split())
            rows = [[float(word) for word in file.readline().split()] for _ in range(2 * int(n))]
            ends = [tuple(int(word) for word in file.readline().split()) for _ in range(int(bonds))]
        mass = [row[0] for row in rows[:int(n)]]
        begin, end = (Nodes([[scale * c for c in row[1:4]] for row in part], [[scale * c for c in row[4:7]] for row in part])
                      for part in (rows[:int(n)], rows[int(n):]))
        same = max(mass) == min(mass)
        return cls([12.0] * int(n) if same else mass, ends, h, int(steps), begin, end, pinned=len(ends) < int(n))

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
