#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Constrained HMC on five manifolds with known answers, by sidewinder.hmc and by a loop in NumPy.

    PYTHONPATH=python SIDEWINDER=build/bin/sidewinder python3 examples/hmc_on_manifold.py [DRAWS [SEED]]

prints for each target the mean of one quantity, its standard error, the exact mean, and effective samples per second.  The loop in
NumPy is the same algorithm, vectorised over the chains, with the same step size and number of steps.  Both use one thread.  The exit
code is 1 if a mean is more than five standard errors from the exact one.
"""
import os
import sys
import time

import numpy as np

import sidewinder
from sidewinder import hmc

CHAINS = 128

SPHERE = """model sphere "A particle on a sphere, with the density exp(b z)"
set xyz = {x, y, z}
param b = 0
coord q[xyz] momentum p
hamiltonian H = dot(p, p)/2 - b*q[z]
constraint ball: dot(q, q) == 1
invariant energy = H
init q[k in xyz] = {0.6, 0, 0.8}
init p[k in xyz] = 0
run method = rattle, base = verlet, step = 0.4
"""

TORUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../gallery/torus.sw")

ROTATION = """model rotation "Rotations A with the density exp(b trace(A))"
set axis = 1 .. 3
param b = 1
coord A[axis, axis] momentum p
hamiltonian H = sum(i in axis, j in axis: p[i,j]^2)/2 - b*sum(i in axis: A[i,i])
constraint orthonormal[i in axis, j in axis where i <= j]:
  sum(k in axis: A[i,k]*A[j,k]) == (if i == j then 1 else 0)
invariant energy = H
init A[i in axis, j in axis] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
init p[i in axis, j in axis] = 0
run method = rattle, base = verlet, step = 0.2
"""

POSTERIOR = """model posterior "A normal prior about (1, 0), given x^2 + x y + 3 y^2 = 1.5"
coord x momentum px
coord y momentum py
hamiltonian H = (px^2 + py^2)/2 + ((x - 1)^2 + y^2)/2
constraint datum: x^2 + x*y + 3*y^2 == 1.5
invariant energy = H
init x = sqrt(1.5)
init y = 0
init px = 0
init py = 0
run method = rattle, base = verlet, step = 0.2
"""


class Sphere:
    """Uniform points (b = 0) and the von Mises-Fisher distribution."""

    model, columns, measure, step, steps = SPHERE, "q", "metric", 0.2, 10

    def __init__(self, b, observe, exact):
        self.k, self.observe, self.exact = {"b": b}, observe, exact

    def g(self, q):
        return np.sum(q**2, axis=1)[:, None] - 1

    def gradient(self, q):
        return 2 * q[:, None, :]

    def potential(self, q):
        return -self.k["b"] * q[:, 2]

    def slope(self, q):
        return np.array([0, 0, -self.k["b"]])


class Torus:
    """Uniform points: the area is proportional to R + r cos(angle)."""

    model, columns, measure, step, steps, k = TORUS, "q", "hausdorff", 0.15, 15, {}
    exact = 0.5 / 2

    def observe(self, q):
        return (np.hypot(q[..., 0], q[..., 1]) - 1) / 0.5

    def g(self, q):
        return ((np.hypot(q[:, 0], q[:, 1]) - 1) ** 2 + q[:, 2] ** 2 - 0.25)[:, None]

    def gradient(self, q):
        return np.column_stack([(2 * (1 - 1 / np.hypot(q[:, 0], q[:, 1])))[:, None] * q[:, :2], 2 * q[:, 2]])[:, None, :]

    def potential(self, q):
        return np.zeros(len(q))

    def slope(self, q):
        return np.zeros(3)


class Rotation:
    """The matrix Langevin distribution on SO(3); the angle of a uniform rotation has the density (1 - cos(angle))/pi."""

    model, columns, measure, step, steps, k = ROTATION, "A", "metric", 0.15, 10, {"b": 1}
    _angle = (np.arange(2000) + 0.5) / 2000 * np.pi
    _weight = (1 - np.cos(_angle)) * np.exp(2 * np.cos(_angle))
    exact = np.sum((1 + 2 * np.cos(_angle)) * _weight) / np.sum(_weight)
    _pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]

    def observe(self, q):
        return q[..., 0] + q[..., 4] + q[..., 8]

    def g(self, q):
        rows = q.reshape(-1, 3, 3)
        product = rows @ rows.transpose(0, 2, 1) - np.eye(3)
        return np.stack([product[:, i, j] for i, j in self._pairs], axis=1)

    def gradient(self, q):
        rows, found = q.reshape(-1, 3, 3), np.zeros((len(q), 6, 3, 3))
        for number, (i, j) in enumerate(self._pairs):
            found[:, number, i] += rows[:, j]
            found[:, number, j] += rows[:, i]
        return found.reshape(-1, 6, 9)

    def potential(self, q):
        return -self.observe(q)

    def slope(self, q):
        return -np.eye(3).reshape(9)


class Posterior:
    """A posterior on an ellipse; in polar coordinates delta(a(angle) radius^2 - c) has the density 1/(2 a)."""

    model, columns, measure, step, steps, k = POSTERIOR, "x,y", "delta", 0.15, 12, {}
    _angle = np.arange(2000) / 2000 * 2 * np.pi
    _a = np.cos(_angle) ** 2 + np.cos(_angle) * np.sin(_angle) + 3 * np.sin(_angle) ** 2
    _x, _y = np.sqrt(1.5 / _a) * np.cos(_angle), np.sqrt(1.5 / _a) * np.sin(_angle)
    _weight = np.exp(-((_x - 1) ** 2 + _y**2) / 2) / _a
    exact = np.sum(_x * _weight) / np.sum(_weight)

    def observe(self, q):
        return q[..., 0]

    def g(self, q):
        return (q[:, 0] ** 2 + q[:, 0] * q[:, 1] + 3 * q[:, 1] ** 2 - 1.5)[:, None]

    def gradient(self, q):
        return np.column_stack([2 * q[:, 0] + q[:, 1], q[:, 0] + 6 * q[:, 1]])[:, None, :]

    def potential(self, q):
        return ((q[:, 0] - 1) ** 2 + q[:, 1] ** 2) / 2

    def slope(self, q):
        return q - [1, 0]


TARGETS = {
    "sphere, z^2": Sphere(0, lambda q: q[..., 2] ** 2, 1 / 3),
    "von Mises-Fisher, z": Sphere(2, lambda q: q[..., 2], 1 / np.tanh(2) - 1 / 2),
    "torus, cos(angle)": Torus(),
    "SO(3), trace": Rotation(),
    "posterior, x": Posterior(),
}


def by_sidewinder(target, draws, seed, **other):
    """Draws of the quantity, (draws, chains), the samples, and the start of the chains."""
    model = sidewinder.Model(target.model)
    settings = dict(chains=CHAINS, warmup=100, step=target.step, steps=target.steps, target=None, measure=target.measure,
                    columns=target.columns, k=target.k, seed=seed, threads=1, max_iterations=10)
    settings.update(other)
    samples = hmc.sample(model, draws=draws, **settings)
    q = np.concatenate([samples[name].reshape(*samples.rows.shape, -1) for name in target.columns.split(",")], axis=-1)
    return target.observe(q), samples


def solve(matrices, right):
    """Solutions of systems of one or several equations."""
    return right / matrices[:, 0] if right.shape[1] == 1 else np.linalg.solve(matrices, right[:, :, None])[:, :, 0]


def project(p, gradient):
    multiplier = solve(gradient @ gradient.transpose(0, 2, 1), np.einsum("wmd,wd->wm", gradient, p))
    return p - np.einsum("wm,wmd->wd", multiplier, gradient)


def rattle(target, q, p, h, steps):
    """RATTLE over Verlet with masses 1; NaN for the chains that fail."""
    for _ in range(steps):
        p = p - h / 2 * target.slope(q)
        normal = target.gradient(q)
        new = q + h * p
        for _ in range(10):
            g = target.g(new)
            if np.nanmax(np.abs(g), initial=0) < 1e-13:
                break
            matrices = target.gradient(new) @ normal.transpose(0, 2, 1)
            matrices[~np.isfinite(matrices).all(axis=(1, 2))] = np.eye(g.shape[1])
            new = new - np.einsum("wm,wmd->wd", solve(matrices, g), normal)
        new[~(np.abs(target.g(new)) < 1e-12).all(axis=1)] = np.nan
        p = (new - q) / h
        q = new
        p = p - h / 2 * target.slope(q)
        gradient = target.gradient(q)
        bad = ~np.isfinite(gradient).all(axis=(1, 2))
        gradient[bad] = np.eye(*gradient.shape[1:])
        p = project(p, gradient)
        p[bad] = np.nan
    return q, p


def by_numpy(target, q, draws, random):
    """The same algorithm from the positions q: draws of the quantity, and the time."""
    def weight(q, p):
        gradient = target.gradient(q)
        found = target.potential(q) + np.sum(p**2, axis=1) / 2
        if target.measure == "delta":
            found = found + np.log(np.linalg.det(gradient @ gradient.transpose(0, 2, 1))) / 2
        return found

    found, begun = [], time.perf_counter()
    for _ in range(draws):
        p = project(random.standard_normal(q.shape), target.gradient(q))
        new, velocity = rattle(target, q, p, target.step, target.steps)
        back, reversed_ = rattle(target, new, -velocity, target.step, target.steps)
        ok = (np.abs(back - q) < 1e-8).all(axis=1) & (np.abs(reversed_ + p) < 1e-8).all(axis=1)
        new, velocity = np.where(ok[:, None], new, q), np.where(ok[:, None], velocity, p)
        ok &= random.random(len(q)) < np.exp(np.minimum(weight(q, p) - weight(new, velocity), 0))
        q = np.where(ok[:, None], new, q)
        found.append(target.observe(q))
    return np.array(found), time.perf_counter() - begun


def main():
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    good = True
    print(f"{'':20} {'exact':>8}  {'sidewinder':>20} {'ESS/s':>8}  {'NumPy':>20} {'ESS/s':>8} {'ratio':>6}")
    for name, target in TARGETS.items():
        found, samples = by_sidewinder(target, draws, seed)
        rival, seconds = by_numpy(target, samples.q, draws, np.random.default_rng([seed, 1]))
        line, rates = f"{name:20} {target.exact:8.5f}", []
        for values, took in ((found, samples.seconds), (rival, seconds)):
            effective = hmc.ess(values, rank=False)
            error = values.std() / np.sqrt(effective)
            good &= bool(abs(values.mean() - target.exact) < 5 * error)
            rates.append(effective / took)
            line += f"  {values.mean():9.5f} +- {error:.5f} {rates[-1]:8.0f}"
        print(f"{line} {rates[0] / rates[1]:6.1f}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
