# SPDX-License-Identifier: BSD-3-Clause
"""Models whose graphs are data (examples/graphs): linkages, trusses, spins and molecules, against models without data, statics and numpy."""
import csv
import math
import runpy

import numpy as np
import pytest

from molecule_energy import energy
from sidewinder.import_molecule import molecule

GRAPHS = "examples/graphs"
XYZ = "xyz"


def table(path):
    with open(path, encoding="ascii") as file:
        return list(csv.DictReader(file))


# ---- linkages ----

def test_a_four_bar_linkage_is_the_model_of_it(graph, models):
    linkage = graph("linkage").sim(data=f"{GRAPHS}/four_bar", step=0.1)
    written = models("four_bar").sim(step=0.1)
    for _ in range(8):
        linkage.step()
        written.step()
        joints = linkage.q.reshape(4, 2)
        assert np.abs(joints[1:3].ravel() - written.q).max() < 1e-13
        assert np.abs(joints[[0, 3]] - [[0, 0], [2, 0]]).max() < 1e-15
    # The angle is 1 - t, but for the error of the method, which turns by asin(h).
    assert math.atan2(joints[1, 1], joints[1, 0]) == pytest.approx(1 - 8 * math.asin(0.1), abs=1e-13)


# ---- trusses ----

class Crane:
    """examples/graphs/crane as numbers."""

    def __init__(self):
        nodes, self.supports = table(f"{GRAPHS}/crane/node.csv"), table(f"{GRAPHS}/crane/support.csv")
        names = [row["name"] for row in nodes]
        self.x = np.array([[float(row[f"x.{k}"]) for k in XYZ] for row in nodes])
        self.mass = np.array([float(row["mass"]) for row in nodes])
        self.load = np.array([[float(row[f"load.{k}"]) for k in XYZ] for row in nodes])
        self.bars = [(names.index(row["a"]), names.index(row["b"])) for row in table(f"{GRAPHS}/crane/bar.csv")]
        self.held = [(names.index(row["held"]), XYZ.index(row["along"])) for row in self.supports]

    def forces(self, gravity=9.81):
        """Tensions and reactions, by the equilibrium of all nodes."""
        matrix = np.zeros((self.x.size, len(self.bars) + len(self.held)))
        for e, (i, j) in enumerate(self.bars):
            along = (self.x[j] - self.x[i]) / np.linalg.norm(self.x[j] - self.x[i])
            matrix[3 * i:3 * i + 3, e], matrix[3 * j:3 * j + 3, e] = along, -along
        for s, (i, k) in enumerate(self.held):
            matrix[3 * i + k, len(self.bars) + s] = 1
        outside = self.load.copy()
        outside[:, 2] -= self.mass * gravity
        return np.linalg.solve(matrix, -outside.ravel())

    def data(self, held):
        """The same as data, on other supports and with bars between its feet."""
        bars = np.array([*self.bars, (0, 1), (1, 2), (2, 0)]) + 1
        return {"node": len(self.x), "mass": self.mass, "load": 0 * self.load, "x": self.x, "v": 0 * self.x, "bar": len(bars),
                "a": bars[:, 0], "b": bars[:, 1],
                "support": len(held), "held": [i + 1 for i, _ in held], "along": [XYZ[k] for _, k in held]}


def test_the_forces_in_a_crane_are_those_of_statics(graph):
    crane = Crane()
    sim = graph("space_truss").sim(data=f"{GRAPHS}/crane")
    assert sim.m == sim.d == 45
    rows = sim.run(3)
    found = np.array([list(sim.observables.values())]).ravel()
    expected = crane.forces()
    assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()
    assert np.abs(sim.q.reshape(-1, 3) - crane.x).max() < 1e-12 and len(rows) == 4


def test_a_crane_on_a_hinge_is_a_pendulum(graph):
    """Held at A0 along x, y and z and at B0 along y and z it turns about the x axis: I angle'' = torque."""
    crane, held = Crane(), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)]
    inertia = (crane.mass * (crane.x[:, 1] ** 2 + crane.x[:, 2] ** 2)).sum()
    about = [9.81 * (crane.mass * crane.x[:, k]).sum() / inertia for k in (1, 2)]

    def rate(state):
        # y' = y cos - z sin of a node, so that the torque of its weight is -m g y'.
        return np.array([state[1], -about[0] * math.cos(state[0]) + about[1] * math.sin(state[0])])

    exact, small = np.zeros(2), 1e-3
    for _ in range(2000):
        k1 = rate(exact)
        k2 = rate(exact + small / 2 * k1)
        k3 = rate(exact + small / 2 * k2)
        exact = exact + small / 6 * (k1 + 2 * k2 + 2 * k3 + rate(exact + small * k3))
    errors = []
    for h in (0.02, 0.01, 0.005):
        sim = graph("space_truss").sim(data=crane.data(held), step=h)
        assert sim.m == sim.d - 1
        sim.run(round(2 / h), every=round(2 / h))
        x = sim.q.reshape(-1, 3)
        errors.append(abs(math.atan2(x[12, 2], x[12, 1]) - math.pi / 2 - exact[0]))
    assert abs(exact[0]) > 0.1 and errors[2] < 2e-4
    assert [math.log2(errors[i] / errors[i + 1]) for i in (0, 1)] == pytest.approx([2, 2], abs=0.1)


# ---- spins ----

RANDOM_GRAPH = runpy.run_path(f"{GRAPHS}/random_graph.py")


def spins(x, edges):
    pairs = [[i + 1, j + 1] for i, j in edges]
    return {"site": len(x), "edge": pairs, "x": x, "y": RANDOM_GRAPH["spins"](x, edges)}


def test_spins_on_a_path_are_the_chain(graph, models):
    n = 20
    i = np.arange(1, n + 1)
    x = 0.2 * np.stack([np.cos(i), np.sin(i)], axis=1)
    path = [(j, j + 1) for j in range(n - 1)]
    order = np.random.default_rng(3).permutation(n)
    chain = models("spin_chain", lowering="looped").sim(sizes={"N": n})
    sim = graph("spin_graph").sim(data=spins(x, path))
    mixed = graph("spin_graph").sim(data=spins(x[np.argsort(order)], [(order[a], order[b]) for a, b in path]))
    assert np.abs(sim.z - chain.z).max() < 1e-15
    for _ in range(50):
        for one in (chain, sim, mixed):
            one.step()
        assert np.abs(sim.z - chain.z).max() < 1e-13
        assert np.abs(mixed.q.reshape(n, 2)[order] - chain.q.reshape(n, 2)).max() < 1e-13
    assert np.abs(chain.z[:2 * n] - x.ravel()).max() > 0.1


def test_spins_on_a_random_graph_keep_their_spheres(graph):
    edges = RANDOM_GRAPH["random_edges"](200, 3, 1)
    assert len(edges) == len(set(edges)) == 300
    angle = np.random.default_rng(1).uniform(0, 2 * np.pi, 200)
    sim = graph("spin_graph").sim(data=spins(0.2 * np.stack([np.cos(angle), np.sin(angle)], axis=1), edges))
    before = sim.energy
    q, p = sim.q.reshape(-1, 2), sim.p.reshape(-1, 2)
    assert before == pytest.approx((p * p).sum() / 2 + 0.1 * q[:, 1].sum() + 0.05 * sum(q[i] @ q[j] for i, j in edges), rel=1e-14)
    rows = sim.run(200, every=10)
    q, p = sim.q.reshape(-1, 2), sim.p.reshape(-1, 2)
    assert np.abs((q * q).sum(axis=1) + (p * p).sum(axis=1) - 1).max() < 1e-13
    assert np.abs(rows["energy"] - before).max() < 2e-3


# ---- molecules ----

@pytest.mark.parametrize("name, ending, constraints, steps, bound", [("alkane", "gro", "all-bonds", 200, 0.12), ("peptide", "pdb", "h-angles", 40, 2.6)])
def test_a_molecule_keeps_its_bonds_momentum_and_energy(graph, name, ending, constraints, steps, bound):
    data = molecule(f"{GRAPHS}/{name}.{ending}", f"{GRAPHS}/{name}.top", constraints, nonbonded=True, temperature=300, seed=1)
    changes = []
    for h in (1e-3, 5e-4):
        sim = graph("molecule").sim(data=data, project=np.inf, step=h)
        assert np.abs(sim.q.reshape(-1, 3) - data["x"]).max() < 2e-3  # what the digits of the file leave out
        before = sim.energy
        assert before == pytest.approx(energy(data, sim.q, sim.p), rel=1e-11)
        total = sim.p.reshape(-1, 3).sum(axis=0)
        rows = sim.run(round(steps * 1e-3 / h))
        assert sim.energy == pytest.approx(energy(data, sim.q, sim.p), rel=1e-11)
        x = sim.q.reshape(-1, 3)
        lengths = np.linalg.norm(x[data["a"] - 1] - x[data["b"] - 1], axis=1)
        assert np.abs(lengths / data["length"] - 1).max() < 1e-12
        assert np.abs(sim.p.reshape(-1, 3).sum(axis=0) - total).max() < 1e-9
        assert np.abs(x - data["x"]).max() > 0.01
        changes.append(np.abs(rows["energy"] - before).max())
    assert changes[0] < bound and changes[0] / changes[1] == pytest.approx(4, abs=0.1)
