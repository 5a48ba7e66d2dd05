#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The torques of a weak motor that swing a pendulum up.

    PYTHONPATH=python SIDEWINDER=build/bin/sidewinder python3 examples/optimal_control.py

The input is one torque for each of 400 steps of 0.02.  The loss is h/2 sum_j u_j^2 + 100 |z_n - z_up|^2/2, with the pendulum upright and at
rest in z_up.  Sim.gradient gives its derivatives with respect to all torques for the cost of a few runs, and L-BFGS minimises it.  The
motor alone could not hold the pendulum horizontally: gravity has a torque of 1.  The exit code is 1 if the end is not upright.
"""
import sys

import numpy as np

import sidewinder

MODEL = """model swing "A pendulum with a motor"
set xy = {x, y}
input torque = 0
coord q[xy] momentum p
hamiltonian H = dot(p, p)/2 + q[y]
constraint rod: dot(q, q) == 1
force motor_x on p[x] = -torque*q[y]
force motor_y on p[y] = torque*q[x]
init q[k in xy] = {0, -1}
init p[k in xy] = 0
run method = rattle, base = verlet, step = 0.02
"""
STEPS, WEIGHT = 400, 100.0
UP = np.array([0.0, 1.0, 0.0, 0.0])


def loss_and_gradient(sim, u):
    """The loss for these torques, and its derivative."""

    def loss(step, _, z):
        return (WEIGHT * (z - UP) @ (z - UP) / 2, WEIGHT * (z - UP)) if step == STEPS else None

    found = sim.gradient(loss, STEPS, inputs=u)
    return found.value + sim.h * u @ u / 2, found.inputs[:, 0] + sim.h * u


def minimise(f, x, iterations, memory=20):
    """L-BFGS (Nocedal, Mathematics of Computation 35, 1980), with steps halved until f decreases."""
    pairs = []
    value, slope = f(x)
    for _ in range(iterations):
        direction, weights = -slope, []
        for s, y in reversed(pairs):
            weights.append(s @ direction / (s @ y))
            direction = direction - weights[-1] * y
        if pairs:
            s, y = pairs[-1]
            direction = direction * (s @ y) / (y @ y)
        for (s, y), weight in zip(pairs, reversed(weights)):
            direction = direction + s * (weight - y @ direction / (s @ y))
        size = 1.0 if pairs else 1.0 / np.linalg.norm(slope)
        new, new_slope = f(x + size * direction)
        while new > value + 1e-4 * size * (slope @ direction) and size > 1e-10:
            size /= 2
            new, new_slope = f(x + size * direction)
        s, y = size * direction, new_slope - slope
        if s @ y > 0:
            pairs = [*pairs[1 - memory:], (s, y)]
        done = abs(new - value) < 1e-10 * abs(value)
        x, value, slope = x + s, new, new_slope
        if done:
            break
    return x, value


def main():
    sim = sidewinder.Model(MODEL).sim(derivatives=True)
    guess = 0.1 * np.sin(sim.h * np.arange(STEPS))
    u, value = minimise(lambda u: loss_and_gradient(sim, u), guess, 200)
    ends = []

    def show(step, _, z):
        if step == STEPS:
            ends.append(z)

    sim.gradient(show, STEPS, inputs=u)
    print(f"loss {value:.4f}, largest torque {abs(u).max():.3f}, end ({', '.join(f'{x:.3f}' for x in ends[0])})")
    return int(np.linalg.norm(ends[0] - UP) > 0.1)


if __name__ == "__main__":
    sys.exit(main())
