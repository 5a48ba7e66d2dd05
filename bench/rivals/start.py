# SPDX-License-Identifier: BSD-3-Clause
"""Initial states of systems of bonds, and errors of final states."""
import math


class Nodes:
    """Positions and velocities, lists of three numbers each."""

    def __init__(self, x, v):
        self.x = x
        self.v = v


class Start:
    """A system of bonds with its initial state.

    mass: of each node.  bonds: pairs of nodes.  h: the step size.  begin, end: Nodes before and
    after `steps` steps of RATTLE.  pinned: True if the first node is fixed.
    """

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
        """Reads a file of bench_round, and converts it to units that suit the other programs.

        scale: factor for lengths and velocities.  Equal masses become 12.  Neither changes the
        steps.
        """
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
        """max |rate of d^2 / 2|, in units of (shortest bond) * (largest speed): 0 for tangent
        velocities.
        """
        unit = min(self.length) * max(math.hypot(*v) for v in nodes.v)
        worst = 0.0
        for a, b in self.bonds:
            along = sum((p - q) * (r - s) for p, q, r, s in zip(nodes.x[a], nodes.x[b], nodes.v[a], nodes.v[b]))
            worst = max(worst, abs(along) / unit)
        return worst

    def distance(self, nodes):
        """The distance of these positions from those of RATTLE after `steps` steps.

        The unit is the largest displacement of a node.
        """
        gone = max(math.dist(a, b) for a, b in zip(self.begin.x, self.end.x))
        return max(math.dist(a, b) for a, b in zip(nodes.x, self.end.x)) / gone
