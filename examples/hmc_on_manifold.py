#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Uniform samples on a torus by Hamiltonian Monte Carlo with RATTLE, many chains at once, and what they are known to be like.

    PYTHONPATH=python SIDEWINDER=build/bin/sidewinder python3 examples/hmc_on_manifold.py [DRAWS [SEED]]

Beside it the same sampler with RATTLE in plain NumPy, vectorised over the chains, too; both on one thread, with as many draws of each chain, which follow
from the seed.  Exit code 1 where a mean is more than four standard errors from the exact one.  The method: Brubaker, Salzmann and Urtasun, "A family of MCMC methods on implicitly defined
manifolds" (2012); that steps are refused which cannot be taken back: Zappa, Holmes-Cerfon and Goodman (2018).
"""
import os
import sys
import time

import numpy as np

import sidewinder

R, r, H, LENGTH, CHAINS, ROUNDS = 1.0, 0.5, 0.2, 15, 256, 5
MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../gallery/torus.sw")


def sample(move, z, random, count):
    """HMC from z, (CHAINS, 6), by so many trajectories z -> move(z), for which NaN is a refusal.

    Returns the last z, draws of the cosine of the angle of the tube and of z^2, (count, CHAINS, 2), the part that was accepted, and the time.
    """
    draws, accepted, begun = [], 0, time.perf_counter()
    for _ in range(count):
        q = z[:, :3]
        normal = gradient(q)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        p = random.standard_normal(q.shape)
        p -= np.sum(p * normal, axis=1, keepdims=True) * normal  # on M^H
        z = np.column_stack([q, p])
        new = move(z)
        change = np.sum(new[:, 3:] ** 2 - p**2, axis=1) / 2
        with np.errstate(invalid="ignore"):
            take = np.isfinite(new).all(axis=1) & (np.log(random.random(CHAINS)) < -change)
        z = np.where(take[:, None], new, z)
        accepted += np.mean(take)
        rho = np.hypot(z[:, 0], z[:, 1])
        draws.append(np.stack([(rho - R) / r, z[:, 2] ** 2], axis=1))
    return z, np.array(draws), accepted / len(draws), time.perf_counter() - begun


def gradient(q):
    rho = np.hypot(q[:, 0], q[:, 1])
    return np.column_stack([(2 * (1 - R / rho))[:, None] * q[:, :2], 2 * q[:, 2]])


def with_sidewinder(model, start, k=None):
    """Trajectories of LENGTH steps with the parameters k; those that are refused, or that the same steps do not lead back, are NaN."""
    chains = model.ensemble(start, k=k, step=H, threads=1, max_iterations=10, columns="t")
    turned = np.array([1, 1, 1, -1, -1, -1])

    def move(z):
        chains.set(z)
        chains.run(LENGTH)
        new, ok = chains.z, chains.ok
        chains.set(new * turned)
        chains.run(LENGTH)
        ok &= chains.ok & (np.abs(chains.z * turned - z) < 1e-8).all(axis=1)
        return np.where(ok[:, None], new, np.nan)

    return move


def with_numpy(start):
    """The same by Newton's method for one multiplier, on all chains at once."""

    def slide(q, p, h):
        normal, multiplier = gradient(q), np.zeros(len(q))
        for _ in range(30):
            new = q + h * (p - multiplier[:, None] * normal)
            rho = np.hypot(new[:, 0], new[:, 1])
            g = (rho - R) ** 2 + new[:, 2] ** 2 - r**2
            if np.nanmax(np.abs(g)) < 1e-13:
                break
            multiplier += g / (h * np.sum(gradient(new) * normal, axis=1))
        new[~(np.abs(g) < 1e-13)] = np.nan
        normal_new = gradient(new)
        p = p - multiplier[:, None] * normal
        return new, p - (np.sum(p * normal_new, axis=1) / np.sum(normal_new**2, axis=1))[:, None] * normal_new

    def move(z):
        q, p = z[:, :3], z[:, 3:]
        for _ in range(LENGTH):
            before = q
            q, p = slide(q, p, H)
            back, _ = slide(q, p, -H)
            q = np.where((np.abs(back - before) < 2e-8).all(axis=1)[:, None], q, np.nan)
        return np.concatenate([q, p], axis=1)

    return move


def effective(draws):
    """Independent samples of as much worth, from the means of the chains, which are independent of each other: (2,)."""
    return draws.shape[1] * draws.var(axis=(0, 1)) / draws.mean(axis=0).var(axis=0, ddof=1)


def report(name, rounds):
    """Means beside the exact ones; whether they go together, and effective samples per second."""
    exact = np.array([r / (2 * R), r**2 / 2])  # area is proportional to R + r cos(angle)
    draws = np.concatenate([draws for draws, _, _ in rounds[1:]])  # without the first round, on the way there
    chains = draws.mean(axis=0)
    mean, error = chains.mean(axis=0), chains.std(axis=0, ddof=1) / np.sqrt(CHAINS)
    accepted = np.mean([accepted for _, accepted, _ in rounds])
    rate = np.min(effective(draws)) / sum(took for _, _, took in rounds[1:])
    print(f"{name:10}  accepted {accepted:5.1%}; E cos = {mean[0]:.5f} +- {error[0]:.5f} (exact {exact[0]:.5f}), "
          f"E z^2 = {mean[1]:.5f} +- {error[1]:.5f} ({exact[1]:.5f}); {rate:.0f} effective samples per second")
    return bool(np.max(np.abs(mean - exact) / error) < 4), rate


def main():
    count = -(-int(sys.argv[1] if len(sys.argv) > 1 else 1000) // ROUNDS)
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    random = np.random.default_rng(seed)
    angle = random.uniform(0, 2 * np.pi, (2, CHAINS))
    rho = R + r * np.cos(angle[0])
    start = np.column_stack([rho * np.cos(angle[1]), rho * np.sin(angle[1]), r * np.sin(angle[0])] + 3 * [np.zeros(CHAINS)])
    model = sidewinder.Model(MODEL)
    movers = {"sidewinder": with_sidewinder(model, start), "NumPy": with_numpy(start)}
    states = dict.fromkeys(movers, start)
    randoms = {name: np.random.default_rng([seed, i]) for i, name in enumerate(movers)}
    rounds = {name: [] for name in movers}
    for _ in range(ROUNDS):  # in turns, as other programs may need the processors, too
        for name, move in movers.items():
            states[name], *found = sample(move, states[name], randoms[name], count)
            rounds[name].append(found)
    good, rates = zip(*(report(name, found) for name, found in rounds.items()))
    print(f"{rates[0] / rates[1]:.1f} times as many")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
