# SPDX-License-Identifier: BSD-3-Clause
"""How the gallery measures: runs of `sidewinder run`, times of crossings, elliptic integrals, and the verdict on a result."""
import dataclasses
import json
import math
import os
import subprocess
import sys
import typing

import numpy as np

ORDER, NEAR = 2, 0.1  # of all methods here, and how near the measured order has to be
ROUND_OFF = 8e-14  # of what a method keeps, relative to the larger of 1 and itself
ERRORS = 4  # standard errors that a mean may be off


@dataclasses.dataclass
class Runner:
    """Runs of models, whose parameters `spoilt` are wrong where the checks are checked."""

    generator: str
    folder: str
    spoilt: dict = dataclasses.field(default_factory=dict)

    def __call__(self, model, *options, **values):
        """The columns of a trajectory, by name.  `values` are parameters, N a size."""
        out = os.path.join(self.folder, "run.npy")
        words = [self.generator, "run", model, "--quiet", "--out", out, *map(str, options)]
        size = values.pop("N", None)
        words += [] if size is None else ["--size", f"N={size}"]
        for name, value in {**values, **self.spoilt}.items():
            words += ["--set", f"{name}={float(value)!r}"]
        if subprocess.run(words, stdin=subprocess.DEVNULL, check=False).returncode != 0:
            sys.exit("failed: " + " ".join(words))
        with open(out + ".json", encoding="utf-8") as file:
            names = json.load(file)["columns"]
        return dict(zip(names, np.load(out).T))

    def write(self, name, *blocks):
        """Blocks of rows for gnuplot, which calls the i-th of them `index i`; a row None interrupts a line."""
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            for block in blocks:
                file.write("\n\n" if file.tell() > 0 else "")
                for row in block:
                    file.write("\n" if row is None else " ".join(f"{x:.6g}" for x in row) + "\n")


HEADER = f"{'':36}{'known':<13}{'measured':<13}{'half the step':<15}order\n"


@dataclasses.dataclass
class Result:
    """A number that is known, and what is measured of it: with a step and half of it, so that the error shall fall as the method's order
    says; or, without a step, once, to round-off; or as a mean and its standard error."""

    what: str
    known: float
    measure: typing.Callable  # of the step, or of nothing
    step: float = 0.0

    def judge(self):
        """Whether it is met, and a line that says so."""
        if self.step > 0:
            values = [self.measure(self.step), self.measure(self.step / 2)]
            one, half = (abs(value - self.known) for value in values)
            order = math.log2(one / half) if min(one, half) > 0 else math.nan
            good, text = abs(order - ORDER) < NEAR, f"{values[0]:<13.8g}{values[1]:<15.8g}{order:.2f}"
        else:
            value, *error = np.atleast_1d(self.measure())
            if error:
                good, text = abs(value - self.known) <= ERRORS * error[0], f"{value:<13.3f}+- {error[0]:.4f}"
            else:
                good = abs(value - self.known) <= ROUND_OFF * max(1, abs(self.known))
                text = f"{round(value, 10) + 0:<13.8g}to {ROUND_OFF:.0e}"
        return good, f"{self.what:36}{self.known:<13.8g}{text}" + ("\n" if good else "   NOT MET\n")


def crossings(t, x, level=0.0):
    """Times at which x passes the level, upwards or downwards, by polynomials through six rows: (times, signs)."""
    x = x - level
    at = np.nonzero(x[:-1] * x[1:] < 0)[0]
    at = at[(at >= 2) & (at < len(x) - 3)]
    times = []
    for i in at:
        middle, width = t[i], t[i + 1] - t[i]
        line = np.polyfit((t[i - 2 : i + 4] - middle) / width, x[i - 2 : i + 4], 5)
        roots = np.roots(line)
        roots = roots[np.abs(roots.imag) < 1e-9].real
        times.append(middle + width * roots[np.argmin(np.abs(roots - 0.5))])
    return np.array(times), np.sign(x[at + 1])


def upwards(t, x, level=0.0):
    """Times at which x passes the level upwards."""
    times, signs = crossings(t, x, level)
    return times[signs > 0]


def elliptic(m):
    """The complete elliptic integral K of the parameter m = k^2 < 1, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - m)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def root(f, low, high, width):
    """Where f, of one sign at low and of the other at high, changes it, by bisection."""
    positive = f(low) > 0
    while high - low > width:
        middle = (low + high) / 2
        low, high = (middle, high) if (f(middle) > 0) == positive else (low, middle)
    return (low + high) / 2
