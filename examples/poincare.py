#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Poincare sections: the crossings of the event `section` of a model.

    PYTHONPATH=python SIDEWINDER=build/bin/sidewinder python3 examples/poincare.py [CROSSINGS [PICTURE]]

prints the period of an orbit of the Hopf model between crossings, then for CROSSINGS points (1000) of the double pendulum the time of
computation and the range of each coordinate of the section.  With PICTURE, such as section.png, matplotlib draws the points.
"""
import os
import sys
import time

import numpy as np

import sidewinder

HERE = os.path.dirname(os.path.abspath(__file__))


def points(sim: sidewinder.Sim, wanted: int, columns: list[str]) -> sidewinder.Rows:
    """At least `wanted` crossings of the model's event."""
    parts = [sim.run_events(1000, columns=columns)]
    while sum(map(len, parts)) < wanted:
        parts.append(sim.run_events(100 * (wanted - sum(map(len, parts))), columns=columns))
    return np.concatenate(parts).view(sidewinder.Rows)


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1000

    # On M^H, of dimension 2, a curve of constant energy is a periodic orbit.  The period converges with the order of the method.
    for h in (0.1, 0.05, 0.025):
        sim = sidewinder.Model(f"{HERE}/hopf_section.sw").sim(step=h)
        t = sim.run_events(round(30 / h), columns="t")["t"]
        print(f"hopf, h = {h:5}: period {(t[-1] - t[0]) / (len(t) - 1):.8f}")

    sim = sidewinder.Model(f"{HERE}/double_section.sw").sim()
    begun = time.perf_counter()
    rows = points(sim, wanted, ["t", "lower_angle", "lower_momentum", "energy"])
    took = time.perf_counter() - begun
    print(f"double pendulum: {len(rows)} points to t = {sim.t:.0f} in {took:.2f} s, {1e6 * took / len(rows):.0f} us each")
    for name in ("lower_angle", "lower_momentum", "energy"):
        print(f"{name:15} from {rows[name].min():9.5f} to {rows[name].max():9.5f}")
    if len(sys.argv) > 2:
        axes = rows.draw("lower_momentum", x="lower_angle", linestyle="", marker=".", markersize=1)
        axes.figure.savefig(sys.argv[2])


if __name__ == "__main__":
    main()
