#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes alkane.gro, alkane.top, peptide.pdb and peptide.top into a folder: the same bytes each time.

  python3 examples/graphs/make_molecules.py FOLDER

alkane: 100 united atoms of TraPPE (M. G. Martin and J. I. Siepmann, J. Phys. Chem. B 102, 2569, 1998) without its torsions, a coil that does not
meet itself.  peptide: 30 alanines as a helix, all atoms, with charged ends; lengths, angles, charges and Lennard-Jones parameters after
W. D. Cornell et al., J. Am. Chem. Soc. 117, 5179 (1995), without torsions and without its rules for neighbours of neighbours' neighbours.
"""
import math
import os
import sys

import numpy as np

BOLTZMANN = 0.00831446261815324  # kJ/mol/K


def place(a, b, c, length, angle, turn):
    """The atom at this distance from c, this angle from c to b, and this dihedral angle about b-c from a; degrees."""
    angle, turn = math.radians(angle), math.radians(turn)
    along = (c - b) / np.linalg.norm(c - b)
    normal = np.cross(b - a, along)
    normal /= np.linalg.norm(normal)
    across = np.cross(normal, along)
    return c + length * (-math.cos(angle) * along + math.sin(angle) * (math.cos(turn) * across + math.sin(turn) * normal))


def top(title, name, types, atoms, bonds, angles):
    """atoms: (type, residue number, residue, name, charge, mass); bonds: (i, j, length, k), rigid without k; angles: (i, j, k, theta, k)."""
    lines = [f"; {title}", "[ defaults ]", "1 2 no 1.0 1.0", "[ atomtypes ]"]
    lines += [f"{kind} {mass:g} 0 A {sigma:.10g} {epsilon:.10g}" for kind, (mass, sigma, epsilon) in types.items()]
    lines += ["[ moleculetype ]", f"{name} 3", "[ atoms ]"]
    lines += [f"{i} {kind} {number} {residue} {atom} {i} {charge:g} {mass:g}" for i, (kind, number, residue, atom, charge, mass) in enumerate(atoms, 1)]
    for section, wanted in (("bonds", 4), ("constraints", 3)):
        rows = [f"{i + 1} {j + 1} 1 " + " ".join(f"{value:g}" for value in values) for i, j, *values in bonds if len(values) + 2 == wanted]
        lines += [f"[ {section} ]", *rows] if rows else []
    lines += ["[ angles ]", *(f"{i + 1} {j + 1} {k + 1} 1 {theta:g} {stiffness:.10g}" for i, j, k, theta, stiffness in angles)]
    return "\n".join([*lines, "[ system ]", title, "[ molecules ]", f"{name} 1", ""])


# ---- the alkane ----

def coil(n, seed):
    """Positions with all dihedral angles near 180, 60 or -60 degrees, atoms four bonds or more apart 0.4 nm or more."""
    random = np.random.default_rng(seed)
    angle = math.radians(114)
    x = [np.zeros(3), np.array([0.154, 0, 0]), np.array([0.154 - 0.154 * math.cos(angle), 0.154 * math.sin(angle), 0])]
    while len(x) < n:
        for turn in random.permutation([180, 180, 180, 60, -60]):
            new = place(*x[-3:], 0.154, 114, turn + random.uniform(-10, 10))
            if len(x) < 5 or np.linalg.norm(np.array(x[:-3]) - new, axis=1).min() > 0.4:
                x.append(new)
                break
        else:
            del x[max(3, len(x) - 10):]
    return np.array(x)


def velocities(x, mass, temperature, seed):
    """Of that temperature, with none along a bond of the chain."""
    v = np.random.default_rng(seed).normal(size=x.shape) * np.sqrt(BOLTZMANN * temperature / mass)[:, None]
    bonds = np.zeros((len(x) - 1, *x.shape))
    for i in range(len(x) - 1):
        bonds[i, i], bonds[i, i + 1] = x[i] - x[i + 1], x[i + 1] - x[i]
    bonds = bonds.reshape(len(x) - 1, -1)
    slide = bonds.T / np.repeat(mass, 3)[:, None]
    return v - (slide @ np.linalg.solve(bonds @ slide, bonds @ v.ravel())).reshape(x.shape)


def alkane(n=100, seed=1):
    kinds = ["CH3"] + ["CH2"] * (n - 2) + ["CH3"]
    types = {"CH3": (15.035, 0.375, 98 * BOLTZMANN), "CH2": (14.027, 0.395, 46 * BOLTZMANN)}
    x = coil(n, seed)
    v = velocities(x, np.array([types[kind][0] for kind in kinds]), 300, seed)
    lines = ["alkane, united atoms", f"{n}"]
    lines += [f"{1:5d}{'ALK':<5s}{kind:>5s}{i:5d}" + "".join(f"{c:8.3f}" for c in at) + "".join(f"{c:8.4f}" for c in speed)
              for i, (kind, at, speed) in enumerate(zip(kinds, x, v), start=1)]
    gro = "\n".join([*lines, "   0.00000   0.00000   0.00000", ""])
    return gro, top("alkane, united atoms", "alkane", types, [(kind, 1, "ALK", kind, 0, types[kind][0]) for kind in kinds],
                    [(i, i + 1, 0.154) for i in range(n - 1)], [(i, i + 1, i + 2, 114, 62500 * BOLTZMANN) for i in range(n - 2)])


# ---- the peptide ----

TYPES = {"N": (14.007, 0.325, 0.71128), "H": (1.008, 0.106908, 0.0656888), "C": (12.011, 0.339967, 0.359824), "O": (15.999, 0.295992, 0.87864),
         "CT": (12.011, 0.339967, 0.457730), "HC": (1.008, 0.264953, 0.0656888)}
TYPE_OF = {"CA": "CT", "CB": "CT", "HA": "HC", "HB": "HC", "OXT": "O"}
BONDS = {"C N": (0.1335, 410032), "C CT": (0.1522, 265265.6), "C O": (0.1229, 476976), "CT N": (0.1449, 282001.6), "CT HC": (0.109, 284512),
         "CT CT": (0.1526, 259408), "H N": (0.101, 363171.2)}
ANGLES = {"C N CT": (121.9, 418.4), "C N H": (120, 251.04), "CT N H": (118.04, 251.04), "CT N H end": (109.5, 418.4), "H N H": (109.5, 292.88),
          "CT CT N": (109.7, 669.44), "C CT N": (110.1, 527.184), "C CT CT": (111.1, 527.184), "HC CT N": (109.5, 418.4), "C CT HC": (109.5, 418.4),
          "CT CT HC": (109.5, 418.4), "HC CT HC": (109.5, 292.88), "CT C O": (120.4, 669.44), "CT C N": (116.6, 585.76), "N C O": (122.9, 669.44),
          "O C O": (126, 669.44)}
CHARGES = {
    "first": {"N": 0.1414, "H": 0.1997, "CA": 0.0962, "HA": 0.0889, "CB": -0.0597, "HB": 0.03, "C": 0.6163, "O": -0.5722},
    "inner": {"N": -0.4157, "H": 0.2719, "CA": 0.0337, "HA": 0.0823, "CB": -0.1825, "HB": 0.0603, "C": 0.5973, "O": -0.5679},
    "last": {"N": -0.3821, "H": 0.2681, "CA": -0.1747, "HA": 0.1067, "CB": -0.2093, "HB": 0.0764, "C": 0.7731, "O": -0.8055, "OXT": -0.8055},
}


def helix(residues):
    """(residue number, name, position) of each atom, from the backbone's dihedral angles -57, -47 and 180."""
    start = np.array([[0.0, 0, 0], [0.1449, 0, 0], [0.1449 + 0.1522 * math.cos(math.radians(69.9)), 0.1522 * math.sin(math.radians(69.9)), 0]])
    n, ca, c = start
    atoms = []
    for r in range(1, residues + 1):
        next_n = place(n, ca, c, 0.1335, 116.6, -47)
        hydrogens = [f"H{i}" for i in (1, 2, 3)] if r == 1 else ["H"]
        atoms.append((r, "N", n))
        for i, name in enumerate(hydrogens):
            atoms.append((r, name, place(c, ca, n, 0.101, 109.5 if r == 1 else 118.04, 123 + 120 * i)))
        cb = place(next_n, c, ca, 0.1526, 111.1, -47 + 180 - 57)
        atoms += [(r, "CA", ca), (r, "HA", _fourth(ca, n, c, cb)), (r, "CB", cb)]
        atoms += [(r, f"HB{i + 1}", place(n, ca, cb, 0.109, 109.5, 60 + 120 * i)) for i in range(3)]
        atoms += [(r, "C", c), (r, "O", place(n, ca, c, 0.1229, 120.4, 133))]
        if r == residues:
            atoms.append((r, "OXT", place(n, ca, c, 0.1229, 117, -47)))
        next_ca = place(ca, c, next_n, 0.1449, 121.9, 180)
        n, ca, c = next_n, next_ca, place(c, next_n, next_ca, 0.1522, 110.1, -57)
    return atoms


def _fourth(middle, *others):
    """The hydrogen opposite to three other neighbours."""
    away = -sum((x - middle) / np.linalg.norm(x - middle) for x in others)
    return middle + 0.109 * away / np.linalg.norm(away)


def bonds_of(atoms):
    number = {(r, name): i for i, (r, name, _) in enumerate(atoms)}
    bonds = []
    for (r, name), i in number.items():
        to = {"N": (r - 1, "C"), "CA": (r, "N"), "HA": (r, "CA"), "CB": (r, "CA"), "C": (r, "CA"), "O": (r, "C"), "OXT": (r, "C")}.get(
            name, (r, "CB" if name.startswith("HB") else "N"))
        if to in number:
            bonds.append((number[to], i))
    return sorted(bonds)


def peptide(residues=30):
    atoms = helix(residues)
    bonds = bonds_of(atoms)
    kinds = [TYPE_OF.get(name, TYPE_OF.get(name[:2], name[:1])) for _, name, _ in atoms]
    where = ["first" if r == 1 else "last" if r == residues else "inner" for r, _, _ in atoms]
    rows = []
    for (r, name, _), kind, at in zip(atoms, kinds, where):
        charge = CHARGES[at].get(name, CHARGES[at].get(name[:2], CHARGES[at].get(name[:1])))
        rows.append((kind, r, "ALA", name, charge, TYPES[kind][0]))
    around = [[] for _ in atoms]
    for i, j in bonds:
        around[i].append(j)
        around[j].append(i)
    angles = []
    for j, ends in enumerate(around):
        for i, k in ((i, k) for i in ends for k in ends if i < k):
            key = " ".join([min(kinds[i], kinds[k]), kinds[j], max(kinds[i], kinds[k])])
            angles.append((i, j, k, *ANGLES[key + " end" if key == "CT N H" and where[j] == "first" else key]))
    title = f"{residues} alanines"
    text = top(title, "peptide", TYPES, rows, [(i, j, *BONDS[" ".join(sorted((kinds[i], kinds[j])))]) for i, j in bonds], angles)
    return pdb(title, atoms, kinds, around), text


def pdb(title, atoms, kinds, around):
    lines = [f"TITLE     {title.upper()}"]
    for i, ((r, name, x), kind) in enumerate(zip(atoms, kinds), start=1):
        lines.append(f"ATOM  {i:5d} {name if len(name) == 4 else ' ' + name:<4s} ALA A{r:4d}    " + "".join(f"{10 * c:8.3f}" for c in x) +
                     f"  1.00  0.00          {kind[:1]:>2s}")
    lines += [f"CONECT{i:5d}" + "".join(f"{j + 1:5d}" for j in sorted(ends)) for i, ends in enumerate(around, start=1)]
    return "\n".join([*lines, "END", ""])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, ending, (structure, topology) in (("alkane", "gro", alkane()), ("peptide", "pdb", peptide())):
        for suffix, text in ((ending, structure), ("top", topology)):
            with open(os.path.join(sys.argv[1], f"{name}.{suffix}"), "w", encoding="ascii") as file:
                file.write(text)


if __name__ == "__main__":
    main()
