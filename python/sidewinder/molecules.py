# SPDX-License-Identifier: BSD-3-Clause
"""Data for examples/graphs/molecule.sw from a molecule.

The input is a .gro or .pdb file with a GROMACS topology, or a ParmEd structure.

Files: structure.py, topology.py.  ParmEd: parmed_structure.py.
Units: nm, ps, u, e, kJ/mol = u nm^2/ps^2.
"""
from __future__ import annotations

import math
import os
from collections import deque
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .elements import MASS
from .errors import FileError, OptionError
from .kinds import Ends, Path
from .names import real
from .parmed_structure import from_parmed
from .structure import Structure, read_structure
from .terms import TERMS, Angle, Atom, Bond, Improper, Molecule, Pair, Ryckaert, System, Torsion, neighbours
from .topology import read_topology

BOLTZMANN = 0.00831446261815324  # kJ/mol/K
CONSTRAINTS = ("none", "h-bonds", "all-bonds", "h-angles")
OLD_NAMES = {"bonds": "all-bonds"}
PAIRS_MOST = 10**6
STRAIGHT = 180.0
PERIODS_MOST = 12  # of the model


def molecule(
        structure: Any, topology: Path | None = None, constraints: str = "all-bonds", nonbonded: bool = False,
        temperature: float | None = None, seed: int | None = None, defines: Iterable[str] = (),
        say: Callable[[str], object] | None = None, folders: Iterable[Path] = (), strict: bool = False,
        bath: tuple[float, float] | None = None
) -> dict[str, Any]:
    """Data for examples/graphs/molecule.sw, as a dict of numbers and NumPy arrays.

    Units: nm, ps, u, e, kJ/mol.

    :param structure: the path of a .gro or .pdb file, or a ParmEd structure
    :param topology: the path of a .top file; None: use the CONECT bonds, with the lengths in the
        file
    :param constraints: the rigid distances in addition to those of the topology: "none", "h-bonds",
        "all-bonds", or "h-angles": all bonds, and hydrogen angles as distances of their outer atoms
    :param nonbonded: list all pairs that are not excluded
    :param temperature: in K: draw random velocities
    :param seed: of the velocities; None: another one at each call
    :param defines: names for #ifdef, or NAME=VALUE
    :param say: called with remarks, and with a list of omitted terms
    :param folders: search path of included files
    :param strict: raise FileError if terms are omitted
    :param bath: the temperature in K and the friction in 1/ps of a heat bath, for the method "baoab"
    :returns: the sets, index arrays and parameters by name; for n atoms "x" and "v" are (n, 3)
    :raises FileError: a file cannot be parsed
    :raises OptionError: an argument is invalid

    Example::

        data = sidewinder.molecule("conf.gro", "topol.top", constraints="h-bonds", temperature=300)
        sim = sidewinder.Model("molecule.sw").sim(data=data, project=True)
    """
    constraints = OLD_NAMES.get(constraints, constraints)
    if constraints not in CONSTRAINTS:
        raise OptionError(f"constraints are {', '.join(CONSTRAINTS[:-1])} or {CONSTRAINTS[-1]}, not {constraints!r}")
    say = say or (lambda text: None)
    if isinstance(structure, (str, os.PathLike)):
        atoms = read_structure(structure)
        system = read_topology(topology, defines, folders) if topology else _from_bonds(atoms, constraints)
    elif hasattr(structure, "coordinates"):
        atoms, system = from_parmed(structure)
    else:
        raise OptionError(f"structure is a path or a ParmEd structure, not {type(structure).__name__}")
    parts = Parts(atoms, system, say)
    data = parts.data(constraints, nonbonded)
    if temperature is not None:
        data["v"] = velocities(temperature, data["mass"], np.random.default_rng(seed))
    if bath is not None:
        kelvin, friction = (real("bath", value) for value in bath)
        if not (0 <= kelvin < math.inf and 0 <= friction < math.inf):
            raise OptionError(f"bath is a temperature and a friction, both at least 0, not {bath}")
        data.update(kT=BOLTZMANN * kelvin, friction=friction)
    _report(atoms, [atoms.left_out, *parts.left_out], strict, say)
    return data


def _report(atoms: Structure, left_outs: Iterable[dict[str, int]], strict: bool, say: Callable[[str], object]) -> None:
    left_out: dict[str, int] = {}
    for counts in left_outs:
        for what, count in counts.items():
            left_out[what] = left_out.get(what, 0) + count
    if left_out:
        text = "left out: " + ", ".join(f"{what} ({count}{' lines' if what.startswith('[') else ''})" for what, count in left_out.items())
        if strict:
            raise FileError(f"{os.fspath(atoms.path)}: {text}")
        say(text)


def velocities(
        temperature: float, mass: npt.NDArray[np.float64], random: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Random velocities without motion of the centre of mass.

    They are scaled to a kinetic energy of k T/2 for each of the 3 n - 3 degrees of freedom that
    remain.  After a projection onto rigid bonds, that is the mean for each degree left.
    """
    if len(mass) < 2 or temperature < 0:
        raise OptionError("a temperature below 0" if temperature < 0 else "a temperature needs two atoms or more, since their centre of mass is at rest")
    v = random.normal(size=(len(mass), 3)) / np.sqrt(mass)[:, None]
    v -= mass @ v / mass.sum()
    scaled: npt.NDArray[np.float64] = v * math.sqrt(3 * (len(mass) - 1) * BOLTZMANN * temperature / (mass[:, None] * v ** 2).sum())
    return scaled


class Parts:
    """All atoms and terms of a system, numbered from 0.

    left_out: dicts {description: number} of omitted input, which grow during the conversion.
    """

    def __init__(self, atoms: Structure, system: System, say: Callable[[str], object]) -> None:
        self.structure = atoms
        self.system = system
        self.atoms: list[Atom] = []
        self.excluded: set[tuple[int, int]] = set()
        self.terms: dict[str, list[Any]] = {name: [] for name in TERMS}
        self.left_out: list[dict[str, int]] = [system.left_out, {}]
        self._add_molecules()
        if len(self.atoms) != len(atoms.names):
            raise FileError(f"{os.fspath(atoms.path)}: {len(atoms.names)} atoms, where the topology has {len(self.atoms)}")
        self.elements = _elements(self.atoms)
        other = [i for i, (name, atom) in enumerate(zip(atoms.names, self.atoms)) if name != atom.name]
        if other:
            i = other[0]
            say(f"{len(other)} atoms have other names in the topology, the first is {i + 1}, '{atoms.names[i]}' and '{self.atoms[i].name}'")

    def _add_molecules(self) -> None:
        seen = set()
        for kind, times in self.system.molecules:
            apart = kind.excluded() if times else ()
            if times and id(kind) not in seen:
                self.left_out.append(kind.left_out)
                seen.add(id(kind))
            for _ in range(times):
                first = len(self.atoms)
                self.atoms += kind.atoms
                for name in TERMS:
                    self.terms[name] += [term._replace(ends=tuple(first + end for end in term.ends)) for term in getattr(kind, name)]
                self.excluded.update((first + i, first + j) for i, j in apart)

    # ---- constraints ----

    def _constraints(self, which: str) -> tuple[dict[Ends, float], list[Bond], list[Angle]]:
        """The rigid distances as {(i, j): length}, and the other bonds and angles."""
        lengths: dict[Ends, float] = {}
        bonds: list[Bond] = []
        for bond in self.terms["bonds"]:
            hydrogens = sum(self.elements[end] == "H" for end in bond.ends)
            if bond.rigid or bond.chemical and (which in ("all-bonds", "h-angles") or which == "h-bonds" and hydrogens > 0):
                ends = min(bond.ends), max(bond.ends)
                if abs(lengths.setdefault(ends, bond.length) - bond.length) > 1e-6 * bond.length:
                    raise FileError(f"{os.fspath(self.structure.path)}: the atoms {ends[0] + 1} and {ends[1] + 1} have two bonds of different lengths")
            else:
                bonds.append(bond)
        outer: dict[Ends, float] = {}
        angles: list[Angle] = []
        for angle in self.terms["angles"]:
            length = self._angle_length(angle, lengths) if which == "h-angles" else None
            ends = min(angle.ends[0], angle.ends[2]), max(angle.ends[0], angle.ends[2])
            if length is not None and ends not in lengths:
                outer.setdefault(ends, length)
            if ends not in lengths and ends not in outer:
                angles.append(angle)
        return dict(sorted({**lengths, **outer}.items())), bonds, angles

    def _angle_length(self, angle: Angle, lengths: dict[Ends, float]) -> float | None:
        """The distance of the outer atoms, by the law of cosines; None for a flexible angle.

        Rigid angles are H-X-H and H-O-X, as for h-angles in GROMACS.  With all angles that contain
        a hydrogen, the distances of a methyl group would be redundant.
        """
        i, j, k = angle.ends
        hydrogens = sum(self.elements[end] == "H" for end in (i, k))
        sides = [lengths[pair] for pair in ((min(j, end), max(j, end)) for end in (i, k)) if pair in lengths]
        if hydrogens == 0 or hydrogens + (self.elements[j] == "O") < 2 or len(sides) < 2:
            return None
        return math.sqrt(sides[0] ** 2 + sides[1] ** 2 - 2 * sides[0] * sides[1] * math.cos(math.radians(angle.theta)))

    # ---- pairs ----

    def _pairs(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
        """All pairs that are not excluded: their ends, and their c6 and c12."""
        n = len(self.atoms)
        if not hasattr(self.system, "c6_c12"):
            raise OptionError("pairs of atoms that interact need a topology")
        if n * (n - 1) // 2 - len(self.excluded) > PAIRS_MOST:
            raise OptionError(f"{n} atoms have more than {PAIRS_MOST} pairs")
        names = sorted({atom.type for atom in self.atoms})
        table = np.array([[self.system.c6_c12(one, other) for other in names] for one in names])
        kind = np.array([names.index(atom.type) for atom in self.atoms])
        interacts = np.triu(np.ones((n, n), dtype=bool), 1)
        if self.excluded:
            interacts[tuple(np.array(sorted(self.excluded)).T)] = False
        ends = np.argwhere(interacts)
        return ends, table[kind[ends[:, 0]], kind[ends[:, 1]]]

    # ---- data ----

    def data(self, constraints: str, nonbonded: bool) -> dict[str, Any]:
        lengths, bonds, angles = self._constraints(constraints)
        stretches = [bond for bond in bonds if bond.spring is not None]
        bends = [angle for angle in angles if angle.stiffness]
        every = [*self.terms["torsions"], *(torsion for term in self.terms["ryckaerts"] for torsion in _as_torsions(term))]
        torsions = [term for term in every if term.periods in range(PERIODS_MOST + 1)]
        for kind, lost in (("bonds that are neither harmonic nor constrained", len(bonds) - len(stretches)),
                           ("angles that are neither harmonic nor constrained", sum(angle.stiffness is None for angle in angles)),
                           (f"torsions whose multiplicity is no integer from 0 to {PERIODS_MOST}", len(every) - len(torsions))):
            if lost:
                self.left_out[1][kind] = lost
        mass, charge = (np.array([getattr(atom, name) for atom in self.atoms], dtype=float) for name in ("mass", "charge"))
        x = _whole(self.structure, _ends(self.terms["bonds"]))
        return {
            "atom": len(x), "mass": mass, "charge": charge, "element": [symbol.capitalize() for symbol in self.elements], "x": x,
            "v": np.zeros_like(x) if self.structure.v is None else self.structure.v,
            **_columns("bond", ("a", "b"), list(lengths), {"length": lengths.values()}),
            **_columns("stretch", ("from", "to"), _ends(stretches),
                       {"rest": [bond.length for bond in stretches], "spring": [bond.spring for bond in stretches]}),
            **_angle_columns(bends), **_torsion_columns(torsions, self.terms["impropers"]), **self._pair_columns(nonbonded, charge),
        }

    def _pair_columns(self, nonbonded: bool, charge: npt.NDArray[np.float64]) -> dict[str, Any]:
        ends, c6_c12 = self._pairs() if nonbonded else (np.zeros((0, 2), dtype=int), np.zeros((0, 2)))
        near = self.terms["pairs"]
        every = np.concatenate([ends, np.array(_ends(near), dtype=int).reshape(-1, 2)])
        return _columns("pair", ("one", "other"), every, {
            "c6": [*c6_c12[:, 0], *(pair.c6 for pair in near)], "c12": [*c6_c12[:, 1], *(pair.c12 for pair in near)],
            "qq": [*(charge[ends[:, 0]] * charge[ends[:, 1]]), *(pair.qq for pair in near)]})


def _ends(terms: Iterable[Bond | Angle | Torsion | Improper | Pair]) -> list[Ends]:
    return [term.ends for term in terms]


def _columns(name: str, indices: Sequence[str], ends: Any, parameters: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
    """The data of a set: its size, its index arrays (from 1), and its parameters."""
    ends = np.array(ends, dtype=int).reshape(-1, len(indices)) + 1
    return {name: len(ends), **dict(zip(indices, ends.T)), **{key: np.array(list(values), dtype=float) for key, values in parameters.items()}}


def _angle_columns(angles: list[Angle]) -> dict[str, Any]:
    """Columns of angles.

    Angles about 180 degrees are a set of their own, because acos(cos theta) is singular there.
    """
    bends, straight = ([angle for angle in angles if (angle.theta == STRAIGHT) == is_straight] for is_straight in (False, True))
    return {**_columns("bend", ("left", "mid", "right"), _ends(bends), {"angle": np.radians([angle.theta for angle in bends]),
                                                                       "stiffness": [angle.stiffness for angle in bends]}),
            **_columns("straight", ("first", "centre", "last"), _ends(straight), {"rigidity": [angle.stiffness for angle in straight]})}


def _torsion_columns(torsions: list[Torsion], impropers: list[Improper]) -> dict[str, Any]:
    four = ("1", "2", "3", "4")
    return {**_columns("torsion", ["t" + i for i in four], _ends(torsions), {
        "barrier": [term.barrier for term in torsions], "phase": np.radians([term.phase for term in torsions])}),
        "periods": np.array([term.periods for term in torsions], dtype=int),
        **_columns("improper", ["i" + i for i in four], _ends(impropers), {
            "tilt": np.radians([term.tilt for term in impropers]), "hardness": [term.hardness for term in impropers]})}


def _as_torsions(ryckaert: Ryckaert) -> list[Torsion]:
    """A polynomial in cos(psi), psi = phi - 180 degrees, as a sum of terms k (1 + cos(n psi)).

    A term with n = 0 represents the constant.
    """
    poly2cheb: Callable[..., npt.NDArray[np.float64]] = np.polynomial.chebyshev.poly2cheb
    harmonics = poly2cheb(ryckaert.powers)
    terms = [Torsion(ryckaert.ends, 180.0 * n, k, n) for n, k in enumerate(harmonics) if n > 0 and k != 0]
    constant = (harmonics[0] - harmonics[1:].sum()) / 2
    return ([Torsion(ryckaert.ends, 0.0, constant, 0)] if constant != 0 else []) + terms


def _elements(atoms: Iterable[Atom]) -> list[str]:
    """Symbols of elements: from the atomic number if known, else from the name and the mass.

    Deuterium counts as hydrogen.
    """
    found = (atom.element or _element_of(atom) for atom in atoms)
    return ["H" if symbol == "D" else symbol for symbol in found]


def _element_of(atom: Atom) -> str:
    """The element by the name and the mass of an atom, or "X".

    This is the first two letters of the name if the mass fits this element; else the first letter;
    else the element with the nearest mass.
    The tolerance is wide for one letter, because a united atom includes the mass of its hydrogens.
    """
    letters = atom.name.lstrip("0123456789").upper()
    if letters[:2] in MASS and abs(MASS[letters[:2]] - atom.mass) < 0.02 * atom.mass:
        return letters[:2]
    if letters[:1] in MASS and 0.4 * atom.mass < MASS[letters[:1]] < 2.5 * atom.mass or letters[:1] == "H":
        return letters[:1]
    near = min(MASS, key=lambda symbol: abs(MASS[symbol] - atom.mass))
    return near if abs(MASS[near] - atom.mass) < 0.003 * atom.mass else "X"


# ---- without a topology ----

def _from_bonds(atoms: Structure, constraints: str) -> System:
    if not atoms.bonds:
        raise FileError(f"{os.fspath(atoms.path)}: there are no bonds in it (CONECT); give a topology")
    if constraints in ("none", "h-bonds"):
        raise OptionError(f"{os.fspath(atoms.path)} has bonds without force constants, which can be rigid only; give a topology (-p), or -c all-bonds")
    x = _whole(atoms, atoms.bonds)
    kind, system = Molecule("", 0), System()
    symbols = [symbol for symbol in atoms.elements or () if symbol is not None]  # of a .pdb file: of all atoms
    kind.atoms = [Atom(symbol, residue, name, 0.0, MASS[symbol], symbol)
                  for symbol, residue, name in zip(symbols, atoms.residues, atoms.names)]
    kind.bonds = [Bond((i, j), math.dist(x[i], x[j]), None, False, True) for i, j in atoms.bonds]
    around = neighbours(len(x), atoms.bonds)
    for j, ends in enumerate(around):
        for i in ends:
            kind.angles += [Angle((i, j, k), _degrees(x[i] - x[j], x[k] - x[j]), 0.0) for k in ends if k > i]
    single = [i for i, ends in enumerate(around) if not ends]
    if single:
        i = single[0]
        system.left_out = {f"bonds of atoms that CONECT does not name, which are those of standard residues in files of the Protein Data Bank: the first is "
                           f"{atoms.names[i]} of {atoms.residues[i]}, atom {i + 1}; a topology has them": len(single)}
    system.molecules = [(kind, 1)]
    return system


def _degrees(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> float:
    return math.degrees(math.atan2(np.linalg.norm(np.cross(u, v)), np.dot(u, v)))


def _whole(atoms: Structure, bonds: Iterable[Ends]) -> npt.NDArray[np.float64]:
    """Positions with molecules made whole: no bond crosses a boundary of the periodic box."""
    x = atoms.x.copy()
    if atoms.box is None:
        return x
    around, seen = neighbours(len(x), bonds), [False] * len(x)
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
