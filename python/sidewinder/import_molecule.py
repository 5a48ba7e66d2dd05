# SPDX-License-Identifier: BSD-3-Clause
"""A molecule from the files of a molecular-dynamics program, as data for examples/graphs/molecule.sw.

    python3 -m sidewinder.import_molecule conf.gro --topology topol.top -o molecule.json
    sidewinder run molecule.sw --data molecule.json --project

.gro, .pdb: structure.py; .top, .itp: topology.py.  Units: nm, ps, u, e, kJ/mol = u nm^2/ps^2.
"""
import argparse
import json
import math
import os
import sys
from collections import deque

import numpy as np

from .elements import MASS
from .errors import FileError, OptionError
from .structure import read_structure
from .topology import Angle, read_topology

BOLTZMANN = 0.00831446261815324  # kJ/mol/K
CONSTRAINTS = ("bonds", "h-angles")
PAIRS_MOST = 10**6


def molecule(structure, topology=None, constraints="bonds", nonbonded=False, temperature=None, seed=None, defines=(), say=None):
    """Data for molecule.sw, a dict of numbers and NumPy arrays.  FileError where a file is not understood.

    structure: the path of a .gro or .pdb.  topology: of a .top; without one the bonds are those of CONECT, as long as they are in the file.
    constraints: "bonds", or "h-angles" for hydrogen angles, too, as distances of their outer atoms.  nonbonded: list pairs of atoms that attract and
    repel each other.  temperature, seed: draw velocities.  defines: names for #ifdef.  say: called with remarks about what was left out.
    """
    if constraints not in CONSTRAINTS:
        raise OptionError(f"constraints are {' or '.join(CONSTRAINTS)}, not {constraints!r}")
    say = say or (lambda text: None)
    atoms = read_structure(structure)
    parts = _from_topology(atoms, read_topology(topology, defines), say) if topology else _from_bonds(atoms)
    lengths = parts.constraints(constraints)
    x = _whole(atoms, lengths)
    v = np.zeros_like(x) if atoms.v is None else atoms.v
    if temperature is not None:
        v = np.random.default_rng(seed).normal(size=x.shape) * np.sqrt(BOLTZMANN * temperature / parts.mass)[:, None]
    ends = np.array(list(lengths), dtype=int).reshape(-1, 2) + 1
    bends = [angle for angle in parts.angles if angle.stiffness is not None and _outer(angle) not in lengths]
    corners = np.array([angle.ends for angle in bends], dtype=int).reshape(-1, 3) + 1
    pairs, c6, c12 = parts.pairs() if nonbonded else ([], [], [])
    pairs = np.array(pairs, dtype=int).reshape(-1, 2) + 1
    return {
        "atom": len(x), "mass": parts.mass, "charge": parts.charge, "x": x, "v": v,
        "bond": len(ends), "a": ends[:, 0], "b": ends[:, 1], "length": np.array(list(lengths.values())),
        "bend": len(bends), "left": corners[:, 0], "mid": corners[:, 1], "right": corners[:, 2],
        "angle": np.radians([angle.theta for angle in bends]), "stiffness": np.array([angle.stiffness for angle in bends]),
        "pair": len(pairs), "one": pairs[:, 0], "other": pairs[:, 1], "c6": np.array(c6), "c12": np.array(c12),
    }


class Parts:
    """Of all atoms, counted from 0.  bonds: {(i, j): length}, i < j.  angles: Angle.  hydrogen, oxygen: of each atom, whether it is one.
    excluded: pairs (i, j), i < j, that do not interact.  c6_c12(i, j)."""

    def __init__(self, mass, charge, bonds, angles, hydrogen, oxygen, excluded=None, c6_c12=None):
        self.mass = np.array(mass, dtype=float)
        self.charge = np.array(charge, dtype=float)
        self.bonds = bonds
        self.angles = angles
        self.hydrogen = hydrogen
        self.oxygen = oxygen
        self.excluded = excluded
        self.c6_c12 = c6_c12

    def constraints(self, which):
        """{(i, j): length}: bonds, and hydrogen angles by the law of cosines.  Those are H-X-H and H-O-X, as GROMACS' h-angles has
        them: with all angles of a hydrogen the distances of a methyl group would depend on each other."""
        lengths = dict(self.bonds)
        for angle in self.angles if which == "h-angles" else []:
            i, j, k = angle.ends
            hydrogens = self.hydrogen[i] + self.hydrogen[k]
            sides = [self.bonds.get((min(j, end), max(j, end))) for end in (i, k)]
            if hydrogens + self.oxygen[j] >= 2 and hydrogens >= 1 and None not in sides:
                squared = sides[0] ** 2 + sides[1] ** 2 - 2 * sides[0] * sides[1] * math.cos(math.radians(angle.theta))
                lengths.setdefault(_outer(angle), math.sqrt(squared))
        return dict(sorted(lengths.items()))

    def pairs(self):
        """Pairs that are not excluded, their c6 and c12."""
        n = len(self.mass)
        if self.c6_c12 is None:
            raise OptionError("pairs of atoms that interact need a topology")
        if n * (n - 1) // 2 - len(self.excluded) > PAIRS_MOST:
            raise OptionError(f"{n} atoms have more than {PAIRS_MOST} pairs")
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if (i, j) not in self.excluded]
        values = [self.c6_c12(i, j) for i, j in pairs]
        return pairs, [value[0] for value in values], [value[1] for value in values]


def _outer(angle):
    i, _, k = angle.ends
    return min(i, k), max(i, k)


# ---- without a topology ----

def _from_bonds(atoms):
    if not atoms.bonds:
        raise FileError(f"{os.fspath(atoms.path)}: there are no bonds in it (CONECT); give a topology")
    x = _whole(atoms, dict.fromkeys(atoms.bonds))
    bonds = {(i, j): math.dist(x[i], x[j]) for i, j in atoms.bonds}
    angles = []
    for j, ends in enumerate(_neighbours(len(x), bonds)):
        for i in ends:
            angles += [Angle((i, j, k), _degrees(x[i] - x[j], x[k] - x[j]), None) for k in ends if k > i]
    mass = [MASS[symbol] for symbol in atoms.elements]
    return Parts(mass, [0.0] * len(x), bonds, angles, *([symbol == which for symbol in atoms.elements] for which in ("H", "O")))


def _degrees(u, v):
    return math.degrees(math.atan2(np.linalg.norm(np.cross(u, v)), np.dot(u, v)))


def _neighbours(n, bonds):
    around = [[] for _ in range(n)]
    for i, j in bonds:
        around[i].append(j)
        around[j].append(i)
    return [sorted(ends) for ends in around]


def _whole(atoms, bonds):
    """Positions in which no bond goes from one side of the box to the other."""
    x = atoms.x.copy()
    if atoms.box is None:
        return x
    around, seen = _neighbours(len(x), bonds), [False] * len(x)
    for begin in range(len(x)):
        queue = deque([] if seen[begin] else [begin])
        seen[begin] = True
        while queue:
            i = queue.popleft()
            for j in around[i]:
                if not seen[j]:
                    seen[j] = True
                    for edge in (2, 1, 0):  # each edge changes its own coordinate, and only lower ones besides
                        x[j] -= atoms.box[edge] * round((x[j, edge] - x[i, edge]) / atoms.box[edge, edge])
                    queue.append(j)
    return x


# ---- with one ----

def _from_topology(atoms, topology, say):
    count = sum(len(kind.atoms) * times for kind, times in topology.molecules)
    if count != len(atoms.names):
        raise FileError(f"{os.fspath(atoms.path)}: {len(atoms.names)} atoms, where the topology has {count}")
    made, bonds, angles, excluded = [], {}, [], set()
    for kind, times in topology.molecules:
        apart = _excluded(kind)
        for _ in range(times):
            first = len(made)
            made += kind.atoms
            for bond in kind.bonds:
                ends = tuple(sorted(first + end for end in bond.ends))
                if abs(bonds.setdefault(ends, bond.length) - bond.length) > 1e-6 * bond.length:
                    raise FileError(f"{os.fspath(atoms.path)}: the atoms {ends[0] + 1} and {ends[1] + 1} have two bonds of different lengths")
            angles += [angle._replace(ends=tuple(first + end for end in angle.ends)) for angle in kind.angles]
            excluded.update((first + i, first + j) for i, j in apart)
    _remarks(atoms, made, topology, say)
    return Parts([atom.mass for atom in made], [atom.charge for atom in made], bonds, angles, *(
        [atom.name.lstrip("0123456789")[:1].upper() == letter for atom in made] for letter in "HO"), excluded,
        lambda i, j: topology.c6_c12(made[i].type, made[j].type))


def _excluded(kind):
    """Pairs of a molecule that are nrexcl bonds or fewer apart, and those of [ exclusions ]."""
    around, pairs = _neighbours(len(kind.atoms), set(kind.links)), set()
    for begin in range(len(kind.atoms)):
        reached = edge = {begin}
        for _ in range(kind.nrexcl):
            edge = {end for i in edge for end in around[i]} - reached
            reached = reached | edge
        pairs.update((begin, end) for end in reached if begin < end)
    return pairs | {(min(pair), max(pair)) for pair in kind.exclusions if pair[0] != pair[1]}


def _remarks(atoms, made, topology, say):
    other = [i for i, (name, atom) in enumerate(zip(atoms.names, made)) if name != atom.name]
    if other:
        i = other[0]
        say(f"{len(other)} atoms have other names in the topology, the first is {i + 1}, '{atoms.names[i]}' and '{made[i].name}'")
    functions = sum(angle.stiffness is None for kind, times in topology.molecules if times for angle in kind.angles)
    left_out = dict(topology.left_out, **({"angles of function 2 or 5": functions} if functions else {}))
    if left_out:
        say("left out: " + ", ".join(f"[ {name} ] ({count} lines)" for name, count in left_out.items()))


# ---- the command ----

def write(data, path):
    """As JSON, one name a line, numbers with all their digits."""
    lines = (f"{json.dumps(name)}: {json.dumps(value.tolist() if isinstance(value, np.ndarray) else value)}" for name, value in data.items())
    with open(path, "w", encoding="ascii") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


def main(words=None):
    parser = argparse.ArgumentParser(prog="python3 -m sidewinder.import_molecule", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("structure", help=".gro or .pdb")
    parser.add_argument("-p", "--topology", help=".top; without one the bonds of CONECT, as long as they are")
    parser.add_argument("-c", "--constraints", choices=CONSTRAINTS, default=CONSTRAINTS[0], help="[%(default)s]")
    parser.add_argument("--nonbonded", action="store_true", help="list pairs of atoms that attract and repel each other")
    parser.add_argument("--temperature", type=float, metavar="K", help="draw velocities")
    parser.add_argument("--seed", type=int, default=1, help="of the velocities [%(default)s]")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME", help="a name that #ifdef finds")
    parser.add_argument("-o", "--out", required=True, help="the file of data, .json")
    said = parser.parse_args(words)
    try:
        data = molecule(said.structure, said.topology, said.constraints, said.nonbonded, said.temperature, said.seed, said.defines,
                        lambda text: print(f"{parser.prog}: {text}", file=sys.stderr))
        write(data, said.out)
    except (FileError, OptionError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{said.out}: {error.strerror}", file=sys.stderr)
        return 3
    print(f"{data['atom']} atoms, {data['bond']} constraints, {data['bend']} angles, {data['pair']} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
