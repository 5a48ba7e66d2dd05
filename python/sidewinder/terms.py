# SPDX-License-Identifier: BSD-3-Clause
"""The terms of a force field.

Units: nm, u, e, kJ/mol; angles in degrees.  Atoms are numbered from 0, in their molecule or in the
system.
"""
from __future__ import annotations

from typing import Any, Callable, Iterable, NamedTuple

from .kinds import Ends


class Atom(NamedTuple):
    type: Any  # key of the parameters of pairs
    residue: str
    name: str
    charge: float
    mass: float
    element: str | None  # a symbol in capitals


class Bond(NamedTuple):
    """A distance with the energy spring/2 (r - length)^2, or a constraint if `rigid`."""

    ends: Ends
    length: float
    spring: float | None  # None: another energy, unsupported unless the bond is made rigid
    rigid: bool
    chemical: bool  # -c may make it rigid


class Angle(NamedTuple):
    """stiffness/2 (theta' - theta)^2"""

    ends: Ends
    theta: float
    stiffness: float | None  # None: another energy


class Torsion(NamedTuple):
    """barrier (1 + cos(periods phi - phase))"""

    ends: Ends
    phase: float
    barrier: float
    periods: float


class Ryckaert(NamedTuple):
    """The sum over n of powers[n] cos(phi - 180 degrees)^n, n = 0 .. 5."""

    ends: Ends
    powers: list[float]


class Improper(NamedTuple):
    """hardness/2 (phi - tilt)^2"""

    ends: Ends
    tilt: float
    hardness: float


class Pair(NamedTuple):
    """c12/r^12 - c6/r^6 + coulomb qq/r"""

    ends: Ends
    c6: float
    c12: float
    qq: float


TERMS = ("bonds", "angles", "torsions", "ryckaerts", "impropers", "pairs")


class Molecule:
    """A kind of molecule.

    links: pairs of atoms, the bonds that count for exclusions.  left_out: {description: number of
    lines} of input that no term represents.  virtual: the error about its virtual sites, or None.
    """

    def __init__(self, name: str, nrexcl: int) -> None:
        self.name = name
        self.nrexcl = nrexcl
        self.atoms: list[Atom] = []
        self.bonds: list[Bond] = []
        self.angles: list[Angle] = []
        self.torsions: list[Torsion] = []
        self.ryckaerts: list[Ryckaert] = []
        self.impropers: list[Improper] = []
        self.pairs: list[Pair] = []
        self.links: list[Ends] = []
        self.exclusions: list[Ends] = []
        self.left_out: dict[str, int] = {}
        self.virtual: tuple[str, str, int] | None = None

    def leave_out(self, what: str, count: int = 1) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + count

    def excluded(self) -> set[tuple[int, int]]:
        """Pairs (i, j), i < j, at a distance of at most nrexcl links, or excluded explicitly."""
        around = neighbours(len(self.atoms), set(self.links))
        pairs: set[tuple[int, int]] = set()
        for begin in range(len(self.atoms)):
            reached = edge = {begin}
            for _ in range(self.nrexcl):
                edge = {end for i in edge for end in around[i]} - reached
                reached = reached | edge
            pairs.update((begin, end) for end in reached if begin < end)
        return pairs | {(min(pair), max(pair)) for pair in self.exclusions if pair[0] != pair[1]}


class System:
    """A system of molecules.

    molecules: (Molecule, count) in the order of the atoms.  left_out: {description: number of
    lines} of input outside molecules.  c6_c12(type, type): the parameters of Lennard-Jones pairs;
    missing without a topology.
    """

    c6_c12: Callable[[Any, Any], tuple[float, float]]

    def __init__(self) -> None:
        self.molecules: list[tuple[Molecule, int]] = []
        self.left_out: dict[str, int] = {}

    def leave_out(self, what: str, count: int = 1) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + count


def neighbours(n: int, bonds: Iterable[Ends]) -> list[list[int]]:
    around: list[list[int]] = [[] for _ in range(n)]
    for i, j in bonds:
        around[i].append(j)
        around[j].append(i)
    return [sorted(ends) for ends in around]


def combined(rule: int | None, one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """c6 and c12 for the parameters (V, W) of two types, by GROMACS' combination rule 1, 2 or 3."""
    (v, w), (x, y) = one, other
    if rule == 1:
        return (v * x) ** 0.5, (w * y) ** 0.5
    return of_sigma((v + x) / 2 if rule == 2 else (v * x) ** 0.5, (w * y) ** 0.5)


def of_sigma(sigma: float, epsilon: float) -> tuple[float, float]:
    return 4 * epsilon * sigma ** 6, 4 * epsilon * sigma ** 12
