# SPDX-License-Identifier: BSD-3-Clause
"""The energies of molecule.sw from its data, by NumPy."""
import numpy as np


def dihedrals(q, data, names):
    a, b, c, d = (q[np.array(data[name], dtype=int) - 1] for name in names)
    along = (c - b) / np.linalg.norm(c - b, axis=1)[:, None]
    u, v = ((side - (side * along).sum(axis=1)[:, None] * along) for side in (a - b, d - c))
    return np.arctan2((np.cross(along, u) * v).sum(axis=1), (u * v).sum(axis=1))


def angles(q, data, names):
    a, b, c = (q[np.array(data[name], dtype=int) - 1] for name in names)
    u, v = a - b, c - b
    return np.arctan2(np.linalg.norm(np.cross(u, v), axis=1), (u * v).sum(axis=1))


def distances(q, data, names):
    a, b = (q[np.array(data[name], dtype=int) - 1] for name in names)
    return np.linalg.norm(a - b, axis=1)


def energies(data, q, coulomb=138.935458):
    """By the names of the model's observables."""
    q = np.reshape(q, (-1, 3))
    turned = dihedrals(q, data, ("i1", "i2", "i3", "i4")) - data["tilt"]
    r = distances(q, data, ("one", "other"))
    return {
        "bond_energy": (data["spring"] / 2 * (distances(q, data, ("from", "to")) - data["rest"]) ** 2).sum(),
        "angle_energy": (data["stiffness"] / 2 * (angles(q, data, ("left", "mid", "right")) - data["angle"]) ** 2).sum()
        + (data["rigidity"] / 2 * (angles(q, data, ("first", "centre", "last")) - np.pi) ** 2).sum(),
        "torsion_energy": (data["barrier"] * (1 + np.cos(data["periods"] * dihedrals(q, data, ("t1", "t2", "t3", "t4")) - data["phase"]))).sum(),
        "improper_energy": (data["hardness"] / 2 * ((turned + np.pi) % (2 * np.pi) - np.pi) ** 2).sum(),
        "lennard_jones_energy": (data["c12"] / r**12 - data["c6"] / r**6).sum(),
        "coulomb_energy": (coulomb * data["qq"] / r).sum(),
    }


def energy(data, q, p):
    p = np.reshape(p, (-1, 3))
    return (p * p / (2 * data["mass"][:, None])).sum() + sum(energies(data, q).values())
