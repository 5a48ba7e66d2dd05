#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a random model whose verdict is known, and what it is.

Usage: verdict_model.py SEED

The same seed gives the same text.  The first line, a comment, has the answer, the reason of a refusal, and the names
of constraints that have to be among those which the refusal is about.
"""
import random
import sys


class Text:
    """A model: degrees of freedom are added with their terms of H, their constraints and their initial values."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.head, self.terms, self.constraints, self.init = [], [], [], []
        self.names = 0

    def number(self, low=0.3, high=2.5):
        return f"{self.rng.uniform(low, high):.3g}"

    def pick(self, *choices):
        return self.rng.choice(choices)

    def freedom(self, q=0.0, p=0.0, kinetic=True):
        """A coordinate and its momentum; names of both."""
        self.names += 1
        x, u = f"x{self.names}", f"p{self.names}"
        self.head.append(f"coord {x} momentum {u}")
        self.init += [f"init {x} = {q}", f"init {u} = {p}"]
        if kinetic:
            self.terms.append(f"{u}^2/{self.number()}")
        return x, u

    def constrain(self, left, right, name=None):
        name = name or f"c{len(self.constraints) + 1}"
        self.constraints.append(f"constraint {name}: {left} == {right}")
        return name

    def function(self, e):
        """A smooth function of a positive expression."""
        return self.pick(f"log({e})", f"({e})^{self.pick(2, 3, 4)}", f"sqrt({e})", f"exp(-({e})/{self.number(3, 6)})",
                         f"1/({self.number()} + {e})", f"({e})^1.5", f"sin({e})", f"cosh({e}/4)", f"atan({e})")

    def polynomial(self, names):
        """A sum of monomials in some names."""
        terms = [f"{self.pick('', '-')}{self.number()}*" +
                 "*".join(self.pick(*names) for _ in range(self.rng.randint(1, 2))) for _ in range(self.rng.randint(2, 3))]
        return " + ".join(terms).replace("+ -", "- ")

    def rod(self):
        """A degree of freedom pair on a circle, which does no harm."""
        length = self.number()
        x, _ = self.freedom(length, 0)
        y, v = self.freedom(0, 0.4)
        self.terms.append(f"{self.number()}*{y}")
        self.constrain(f"{x}^2 + {y}^2", f"{length}^2")

    def text(self, answer, kind, constraints):
        terms = "\n    + ".join(self.terms)
        return "\n".join([f"# {answer} {kind} {' '.join(constraints)}".rstrip(), "model random", *self.head,
                          f"hamiltonian H = {terms}", *self.constraints, *self.init, ""])


def angular_momentum(t):
    """H depends on a rotating pair through what rotations leave alone: it conserves L."""
    x, u = t.freedom(1, 0.2, kinetic=False)
    y, v = t.freedom(0, 0.7, kinetic=False)
    r2, p2, L = f"({x}^2 + {y}^2)", f"({u}^2 + {v}^2)", f"({x}*{v} - {y}*{u})"
    t.terms += [f"{p2}/{t.number()}", f"{t.number()}*{t.function(r2)}"]
    for _ in range(t.rng.randint(0, 2)):
        t.terms.append(f"{t.number()}*{t.pick(r2, p2, L)}*{t.pick(r2, p2, t.function(r2))}")
    for _ in range(t.rng.randint(0, 2)):
        t.rod()
    if t.rng.random() < 0.5:
        z, _ = t.freedom(0.3, 0.1)
        t.terms.append(f"{z}^2*{t.function(r2)}")
    shape, value = t.pick(("{}", "0.7"), ("3*{}", "2.1"), ("{}^3", "0.343"), ("exp({})", "exp(0.7)"))
    name = t.constrain(shape.format(L), value, "spin")
    return t.text("no", "degenerate", [name])


def norm(t):
    """A chain of oscillators that exchange quanta, such as the discrete nonlinear Schroedinger equation."""
    n = t.rng.randint(2, 5)
    pairs = [t.freedom(1 if i == 0 else 0.1, 0.2, kinetic=False) for i in range(n)]
    for x, u in pairs:
        t.terms.append(f"{t.number()}*({x}^2 + {u}^2)^2")
    for (x, u), (y, v) in zip(pairs, pairs[1:]):
        t.terms.append(f"{t.number()}*({x}*{y} + {u}*{v})")
    total = " + ".join(f"{x}^2 + {u}^2" for x, u in pairs)
    for _ in range(t.rng.randint(0, 3)):
        t.rod()
    return t.text("no", "degenerate", [t.constrain(total, t.number(1.5, 2.5), "norm")])


def gauge(t):
    """Nothing depends on a coordinate whose momentum is fixed."""
    _, u = t.freedom(0.5, 0.3)
    x, _ = t.freedom(0.4, 0.2)
    t.terms.append(f"{t.function(f'(1 + {x}^2)')}*{u}")
    for _ in range(t.rng.randint(0, 4)):
        t.rod()
    return t.text("no", "degenerate", [t.constrain(u, "0.3", "still")])


def second_class(t):
    """Two constraints whose bracket is not zero, however small."""
    x, u = t.freedom(0, 0.3)
    y, v = t.freedom(0, 0.2)
    t.freedom(0.5, 0.1)
    small = f"1e-{t.rng.randint(0, 28)}"
    first = t.constrain(x, "0", "one")
    second = t.constrain(t.pick(f"{y} + {small}*{u}", f"{y} + {small}*{u}*exp({y})", f"{y} + {small}*{u}*(2 + {v})",
                                f"{y} + {small}*sin({u} + 0.1)"), t.pick("0", "0.01"), "two")
    return t.text("no", "second_class", [first, second])


def power(t):
    """A constraint whose derivative vanishes with it."""
    x, _ = t.freedom(0.4, 0.2)
    y, _ = t.freedom(0.3, 0.1)
    z, _ = t.freedom(0.2, -0.1)
    t.terms.append(f"{x}*{y} + {z}^2")
    f = t.pick(f"{x} - {y}", f"{x}", f"{x}*{y} - 0.1*{z}", f"{x}^2 + {y}^2 - {t.number()}", f"sin({x}) - {y}*{z}",
               f"exp({x} + {y}) - {z}", f"{x} + {t.polynomial((y, z))}", f"log(1 + {x}^2) - {y}", f"{x} - {y}^2 - {z}^2")
    n = t.rng.randint(2, 4)
    factor = t.pick("", "", f"*(1 + {z}^2)", f"*exp({x})", "*3")
    if t.rng.random() < 0.3:
        g, f = f"({x})^2 - 2*({x})*({y}) + ({y})^2", None
    else:
        g = f"({f})^{n}{factor}"
    return t.text("no", "vanishing_derivative", [t.constrain(g, "0", "flat")])


def hidden_power(t):
    """The same where no factor shows it."""
    x, _ = t.freedom(0.2, 0.2)
    y, _ = t.freedom(0.1, 0.1)
    f = t.pick(f"{x}", f"{x} - {y}", f"{x} + 0.5*{y}^2")
    g = t.pick(f"cosh({f}) - 1", f"1 - cos({f})", f"({f})*abs({f})", f"exp({f}) - 1 - ({f})", f"({f})*sinh({f})",
               f"({f})*tanh({f})")
    return t.text("no", "vanishing_derivative", [t.constrain(g, "0", "flat")])


def holonomic(t):
    """Rods and surfaces with masses of any size."""
    for _ in range(t.rng.randint(1, 4)):
        unit = f"1e{t.rng.randint(-25, 25)}"
        a, b = t.number(), t.number()
        x, _ = t.freedom(f"{a}*{unit}", 0, kinetic=False)
        y, v = t.freedom(0, 0, kinetic=False)
        mass = f"1e{t.rng.randint(-25, 25)}"
        t.terms.append(f"({v}^2 + {v.replace('p', 'p')}^2)/{mass} + p{t.names - 1}^2/{mass}")
        t.constrain(f"{x}^2/{a}^2 + {y}^2/{b}^2", f"{unit}^2")
    return t.text("yes", "-", [])


def redundant(t):
    """A constraint twice, in other words."""
    t.rod()
    x, y = "x1", "x2"
    radius = t.constraints[-1].split("== ")[1]
    other = t.pick((f"2*{x}^2 + 2*{y}^2", f"2*{radius}"), (f"({x}^2 + {y}^2)*(3 + {y}^2)", f"{radius}*(3 + {y}^2)"),
                   (f"log({x}^2 + {y}^2)", f"log({radius})"))
    t.constrain(*other, "again")
    return t.text("yes", "-", [])


def empty(t):
    x, _ = t.freedom(0.2, 0.2)
    y, _ = t.freedom(0.1, 0.1)
    g = t.pick(f"{x}^2 + {y}^2 + {t.number()}", f"exp({x}) + {y}^2", f"cosh({x}) + cosh({y}) - 1.9", f"({x} - {y})^2 + 1e-12")
    if g.startswith("cosh"):  # its form does not show that it is never 0
        return t.text("unexamined", "-", [t.constrain(g, "0", "nowhere")])
    return t.text("no", "no_point_of_M", [t.constrain(g, "0", "nowhere")])


def by_default(t):
    """Second class for all parameters but the default one."""
    x, u = t.freedom(0, 0.3)
    y, v = t.freedom(0, 0.2)
    s, _ = t.freedom(1, 0.1)
    t.head.insert(0, "param a = 0")
    t.constrain(x, "0", "one")
    t.constrain(f"{y} + a*{u}*{t.pick(s, f'(2 + {s})', f'exp({s})', '1')}", "0", "two")
    return t.text("not_everywhere", "-", [])


KINDS = (angular_momentum, norm, gauge, second_class, power, hidden_power, holonomic, redundant, empty, by_default)


def model(seed):
    """The text of a model, and the comment in its first line as a list of words."""
    text = KINDS[seed % len(KINDS)](Text(seed))
    return text, text.split("\n", 1)[0][2:].split()


if __name__ == "__main__":
    print(model(int(sys.argv[1]))[0], end="")
