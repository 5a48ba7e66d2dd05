#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of a pendulum above a magnet, from noisy positions.

    PYTHONPATH=python SIDEWINDER=build/bin/sidewinder python3 examples/identify.py [--numpy]

Three numbers are unknown: gravity, the strength of the magnet, and the momentum at the start.  The loss is the sum of the squares of
(x, y) minus the data at every tenth step, divided by the noise.  scipy.optimize minimises it with the gradients of Sim.gradient.  Without
scipy, or with --numpy, Gauss-Newton steps use the derivatives of Sim.tangent and Sim.tangent_parameters.  The exit code is 1 if a result
is more than four standard errors from the truth.
"""
import sys

import numpy as np

import sidewinder

try:
    from scipy import optimize
except ImportError:
    optimize = None

MODEL = """model magnet "A pendulum above a magnet"
set xy = {x, y}
param gravity = 9 in (0, inf)
param strength = 0.4 in (-inf, inf)
coord q[xy] momentum p
hamiltonian H = dot(p, p)/2 + gravity*q[y] - strength/sqrt(q[x]^2 + (q[y] + 1.5)^2)
constraint rod: dot(q, q) == 1
init q[k in xy] = {0.6, -0.8}
init p[k in xy] = 0
run method = rattle, base = verlet, step = 0.01
"""
TRUTH = np.array([9.81, 0.7, 0.5])  # gravity, strength, angular momentum at the start
GUESS = np.array([9.0, 0.4, 0.0])
NAMES = ["gravity", "strength"]
STEPS, EVERY, NOISE = 400, 10, 0.002
Q0 = np.array([0.6, -0.8])
DZ0 = np.array([0, 0, -Q0[1], Q0[0]])  # dz0/d(angular momentum): the momentum is tangent to the circle


def start(sim, x):
    """Sets the parameters and the state z0 = (Q0, x[2] (-Q0_y, Q0_x))."""
    sim.set_parameters(dict(zip(NAMES, x)))
    sim.set(np.concatenate([Q0, [0, 0]]) + x[2] * DZ0)


def positions(sim):
    """(x, y) at every tenth step."""
    return np.stack([row for row in sim.run(STEPS, every=EVERY)["q"]])[1:]


def loss_and_gradient(sim, data, x):
    """chi^2/2 and its derivatives.  z0 depends on the third unknown: dL/dx = dL/dz0 . dz0/dx."""

    def loss(step, _, z):
        if step == 0 or step % EVERY:
            return None
        error = (z[:2] - data[step // EVERY - 1]) / NOISE
        return error @ error / 2, np.concatenate([error / NOISE, [0, 0]])

    start(sim, x)
    found = sim.gradient(loss, STEPS)
    return found.value, np.array([*(found.k[name] for name in NAMES), found.z0 @ DZ0])


def residuals_and_jacobian(sim, data, x):
    """The errors divided by the noise, and their derivatives, forward through the steps."""
    start(sim, x)
    columns = [list(sim.k).index(name) for name in NAMES]
    S = np.column_stack([np.zeros((4, 2)), DZ0])  # dz/dx
    errors, rows = [], []
    for step in range(1, STEPS + 1):
        S = sim.tangent() @ S
        S[:, :2] += sim.tangent_parameters()[:, columns]
        sim.step()
        if step % EVERY == 0:
            errors.append((sim.q - data[step // EVERY - 1]) / NOISE)
            rows.append(S[:2] / NOISE)
    return np.concatenate(errors), np.concatenate(rows)


def fit(sim, data, with_scipy):
    """The unknowns that minimise the loss."""
    if with_scipy:
        return optimize.minimize(lambda x: loss_and_gradient(sim, data, x), GUESS, jac=True, method="BFGS").x
    x = GUESS
    for _ in range(10):
        errors, jacobian = residuals_and_jacobian(sim, data, x)
        x = x - np.linalg.lstsq(jacobian, errors, rcond=None)[0]
    return x


def main():
    with_scipy = optimize is not None and "--numpy" not in sys.argv[1:]
    sim = sidewinder.Model(MODEL).sim(derivatives=True)
    start(sim, TRUTH)
    data = positions(sim)
    data += NOISE * np.random.default_rng(1).standard_normal(data.shape)
    x = fit(sim, data, with_scipy)
    _, jacobian = residuals_and_jacobian(sim, data, x)
    deviation = np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian)))
    print("BFGS of scipy" if with_scipy else "Gauss-Newton in NumPy")
    for name, found, error, true in zip([*NAMES, "momentum"], x, deviation, TRUTH):
        print(f"{name:10} {found:8.4f} +- {error:.4f}   truth {true:g}")
    return int(np.any(abs(x - TRUTH) > 4 * deviation))


if __name__ == "__main__":
    sys.exit(main())
