#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a random model with linear constraints and a quadratic Hamiltonian, whose verdict exact linear algebra gives.

Usage: linear_model.py SEED

With H = z.S z/2 + s.z and g = G z - c, all brackets are constants or linear:
    {a, b} = a.J b,  rho = G J (S z + s),  N = (G J S) J G^T.
The verdict follows from ranks over the rationals.  Nothing here is shared with the generator.
"""
import random
import sys
from fractions import Fraction


def rank(rows):
    """By Gaussian elimination over the rationals."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found])]
        found += 1
    return found


def has_solution(rows, right):
    return rank(rows) == rank([row + [value] for row, value in zip(rows, right)])


class LinearModel:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.d = rng.randint(1, 5)
        kind = rng.choice(("q", "p", "mixed", "mixed"))

        def small(chance):
            return Fraction(rng.choice((-2, -1, 1, 2))) if rng.random() < chance else Fraction(0)

        def row():
            return [small(0.5) if kind == "mixed" or (kind == "q") == (j < self.d) else Fraction(0)
                    for j in range(2 * self.d)]

        self.G, wanted = [], rng.randint(1, min(4, self.d))
        while len(self.G) < wanted:
            one = [2 * a for a in self.G[0]] if self.G and rng.random() < 0.12 else row()
            self.G += [one] if any(one) else []
        self.c = [Fraction(rng.choice((0, 0, 1, -1, 2))) for _ in self.G]
        n, density = 2 * self.d, rng.choice((0.15, 0.3, 0.6))
        self.S = [[Fraction(0)] * n for _ in range(n)]
        for i in range(n):
            for j in range(i, n):
                self.S[i][j] = self.S[j][i] = small(density if i != j else min(1, 2 * density))
        self.s = [small(0.3) for _ in range(n)]

    def bracket(self, a, b):
        d = self.d
        return sum(a[i] * b[d + i] - a[d + i] * b[i] for i in range(d))

    def hidden(self, g):
        """rho = {g, H} as a row and a right-hand side."""
        n = 2 * self.d
        columns = [[self.S[i][j] for i in range(n)] for j in range(n)]
        return [self.bracket(g, column) for column in columns], -self.bracket(g, self.s)

    def verdict(self):
        """The answer and the reason of a refusal."""
        if not has_solution(self.G, self.c):
            return "no", "no_point_of_M"
        rows, right = [], []
        for g, value in zip(self.G, self.c):
            if rank(rows + [g]) > len(rows):
                rows.append(g)
                right.append(value)
        if any(self.bracket(a, b) for a in rows for b in rows):
            return "no", "second_class"
        rho = [self.hidden(g) for g in rows]
        if not has_solution(rows + [row for row, _ in rho], right + [value for _, value in rho]):
            return "no", "no_motion"
        if rank([[self.bracket(row, g) for g in rows] for row, _ in rho]) < len(rows):
            return "no", "degenerate"
        return "yes", "-"

    def text(self):
        names = [f"x{i}" for i in range(self.d)] + [f"p{i}" for i in range(self.d)]
        terms = [f"({self.S[i][j]})*{names[i]}*{names[j]}{'/2' if i == j else ''}"
                 for i in range(len(names)) for j in range(i, len(names)) if self.S[i][j]]
        terms += [f"({value})*{name}" for value, name in zip(self.s, names) if value]
        lines = ["model linear", *(f"coord x{i} momentum p{i}" for i in range(self.d)),
                 f"hamiltonian H = {' + '.join(terms) or '0*x0'}"]
        for k, (row, value) in enumerate(zip(self.G, self.c)):
            left = " + ".join(f"({a})*{name}" for a, name in zip(row, names) if a)
            lines.append(f"constraint c{k}: {left} == {value}")
        return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(LinearModel(int(sys.argv[1])).text(), end="")
