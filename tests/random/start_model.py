#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a random model without initial states, of one of 12 kinds.

Usage: start_model.py SEED

The analysis takes the sizes of positions and momenta from the terms of the constraints and of H alone.
"""
import random
import sys


class Text:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines, self.terms, self.names = [], [], 0

    def number(self, low=0.3, high=2.5):
        return f"{self.rng.uniform(low, high):.3g}"

    def freedoms(self, n, kinetic=True):
        """n pairs of names."""
        pairs = []
        for _ in range(n):
            self.names += 1
            pairs.append((f"x{self.names}", f"p{self.names}"))
            self.lines.append("coord x{0} momentum p{0}".format(self.names))
            self.terms += [f"p{self.names}^2/{self.number()}"] if kinetic else []
        return pairs

    def constrain(self, left, right="0"):
        self.lines.append(f"constraint c{len(self.lines)}: {left} == {right}")

    def text(self):
        heads = [line for line in self.lines if not line.startswith("constraint")]
        rest = [line for line in self.lines if line.startswith("constraint")]
        return "\n".join(["model start", *heads, f"hamiltonian H = {' + '.join(self.terms)}", *rest, ""])


def ellipsoid(t):
    pairs = t.freedoms(t.rng.randint(2, 3))
    t.constrain(" + ".join(f"{x}^2/{t.number()}^2" for x, _ in pairs), "1")
    t.terms.append(f"{t.number()}*{pairs[0][0]}")


def rods(t):
    pairs = t.freedoms(4)
    (a, _), (b, _), (c, _), (d, _) = pairs
    t.constrain(f"{a}^2 + {b}^2", f"{t.number()}^2")
    t.constrain(f"({c} - {a})^2 + ({d} - {b})^2", f"{t.number()}^2")
    t.terms.append(f"{t.number()}*({b} + {d})")


def mixed(t):
    (x, u), (y, v) = t.freedoms(2)
    t.constrain(f"({x}^2 + {y}^2)/{t.number()} + {u}^2" + t.rng.choice(("", f" + {v}^2/{t.number()}")), t.number())
    t.terms.append(f"{t.number()}*{y}")


def momenta(t):
    (_, u), (y, v) = t.freedoms(2)
    t.constrain(f"{u}^2 + {t.number()}*{v}^2", t.number())
    t.terms.append(f"{t.number()}*x1^2 + {t.number()}*{y}^2")


def redundant(t):
    (x, _), (y, _) = t.freedoms(2)
    radius, factor = t.number(), t.number()
    t.constrain(f"{x}^2 + {y}^2", f"{radius}^2")
    t.constrain(f"{factor}*{x}*({x}^2 + {y}^2)", f"{factor}*{x}*{radius}^2")
    t.terms.append(y)


def second_class(t):
    (x, u), (y, v) = t.freedoms(2)
    t.constrain(f"{x}^2 + {y}^2", f"{t.number()}^2")
    t.constrain(f"{x}*{u} + {t.number()}*{y}*{v}")


def rotation(t):
    (x, u), (y, v) = t.freedoms(2)
    t.terms = [f"({u}^2 + {v}^2)/{t.number()}", f"{t.number()}*({x}^2 + {y}^2)^2"]
    t.constrain(f"{x}*{v} - {y}*{u}", t.number())


def nowhere(t):
    (x, u), (y, _) = t.freedoms(2)
    t.constrain(f"{x}^2 + {y}^2" + t.rng.choice(("", f" + {u}^2")), f"-{t.number()}")


def no_motion(t):
    (x, _), (y, v) = t.freedoms(2)
    t.terms = [f"{t.number()}*p1", f"{v}^2/{t.number()}", f"{t.number()}*{y}^2"]
    t.constrain(x, t.number())


def angles(t):
    (a, u), (b, v), (z, _) = t.freedoms(3)
    t.constrain(f"{t.number()}*sin({a}) + {t.number()}*cos({b})", f"{z}/{t.number()}")
    t.terms.append(f"{t.number()}*{z} + {t.number()}*cos({a} - {b})*{u}*{v}/9")


def quartic(t):
    (x, _), (y, _), (z, _) = t.freedoms(3)
    t.constrain(f"{x}^4 + {t.number()}*{y}^2 + {z}^2", t.number())
    t.constrain(f"{x}*{z}", f"{t.number()}*{y}")
    t.terms.append(f"{t.number()}*{z}")


def index_five(t):
    t.terms = []
    (q, _), (s, r) = t.freedoms(2, kinetic=False)
    t.terms = [f"p1^2/{t.number()}", f"{t.number()}*{r}*{q}"]
    t.constrain(s)


KINDS = (ellipsoid, rods, mixed, momenta, redundant, second_class, rotation, nowhere, no_motion, angles, quartic, index_five)


def model(seed):
    text = Text(seed)
    KINDS[seed % len(KINDS)](text)
    return text.text()


if __name__ == "__main__":
    print(model(int(sys.argv[1])), end="")
