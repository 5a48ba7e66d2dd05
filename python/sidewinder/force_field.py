# SPDX-License-Identifier: BSD-3-Clause
"""Parameters by atom types, from the sections of a GROMACS topology before [ moleculetype ]."""
from __future__ import annotations

import itertools
from typing import NamedTuple, Tuple

from .errors import FileError
from .preprocessor import Line
from .structure import number
from .terms import combined, of_sigma


class Type(NamedTuple):
    """A type of atoms; v and w are its Lennard-Jones parameters."""

    bonded: str
    atomic_number: int | None
    mass: float
    charge: float
    particle: str
    v: float
    w: float


Key = Tuple[str, str, Tuple[str, ...]]  # section, function, types

# Sections of types, with the number of types per line.
ENDS = {"bondtypes": 2, "constrainttypes": 2, "angletypes": 3, "dihedraltypes": 4}
WILDCARD = "X"
MASKS = tuple(itertools.product((True, False), repeat=4))  # which types of a dihedral are not wildcards


def value(line: Line, i: int, what: str) -> float:
    if i >= len(line.words):
        raise FileError(f"{what} is missing", line.path, line.at)
    return number(line.words[i], line.path, line.at, what)


def whole(line: Line, i: int, what: str) -> int:
    found = value(line, i, what)
    if found != int(found):
        raise FileError(f"{what} is not an integer: '{line.words[i]}'", line.path, line.at)
    return int(found)


class ForceField:
    """The parameters of a force field.

    The method with the name of a section parses a line of it.
    """

    def __init__(self) -> None:
        self.rule: int | None = None  # combination rule for parameters of unlike atoms
        self.generates = False  # True: compute missing parameters of 1-4 pairs
        self.fudge_lj = self.fudge_qq = 1.0
        self.types: dict[str, Type] = {}  # by name
        # {(section, function, types): list of parameter sets}; several for proper torsions
        self.bonded: dict[Key, list[list[str]]] = {}
        self.order: dict[Key, int] = {}  # order of insertion of the keys of `bonded`
        self.last: tuple[str, Key] | None = None  # path and key of the previous line
        # {(type, type): (c6, c12)}, in both orders; `pairs`: the same for 1-4 pairs
        self.nonbonded: dict[tuple[str, str], tuple[float, float]] = {}
        self.pairs: dict[tuple[str, str], tuple[float, float]] = {}

    def defaults(self, line: Line) -> None:
        function, rule = whole(line, 0, "the function of pairs"), whole(line, 1, "the combination rule")
        if self.rule is not None:
            raise FileError("a second [ defaults ]", line.path, line.at)
        if function != 1 or rule not in (1, 2, 3):
            raise FileError("only Lennard-Jones pairs (1) with combination rule 1, 2 or 3 are understood", line.path, line.at)
        self.rule = rule
        self.generates = len(line.words) > 2 and line.words[2][:1].upper() == "Y"
        self.fudge_lj = value(line, 3, "fudgeLJ") if len(line.words) > 3 else 1.0
        self.fudge_qq = value(line, 4, "fudgeQQ") if len(line.words) > 4 else 1.0
        if len(line.words) > 5 and value(line, 5, "the power of the repulsion") != 12:
            raise FileError("only a repulsion with the power 12 is understood", line.path, line.at)

    def atomtypes(self, line: Line) -> None:
        """Parses: name [bonded type] [atomic number] mass charge particle V W"""
        words = line.words
        kind = next((i for i in (5, 3, 4) if i < len(words) and len(words[i]) == 1 and words[i].isalpha()), None)
        if kind is None or len(words) < kind + 3:
            raise FileError("an atom type is to be: name [bonded type] [atomic number] mass charge A V W", line.path, line.at)
        numbers = [value(line, i, "a number of an atom type") for i in (kind - 2, kind - 1, kind + 1, kind + 2)]
        if min(numbers[2:]) < 0:
            raise FileError("a Lennard-Jones parameter below 0", line.path, line.at)
        has_bonded = kind == 5 or kind == 4 and not words[1].lstrip("+-").isdigit()
        atomic = words[kind - 3] if kind == 5 or kind == 4 and not has_bonded else ""
        self.types[words[0]] = Type(words[1] if has_bonded else words[0], int(atomic) if atomic.lstrip("-").isdigit() else None, numbers[0], numbers[1],
                                    words[kind].upper(), *numbers[2:])

    def of_types(self, section: str, line: Line) -> None:
        """Parses a line of a section in ENDS: types, a function, and its parameters."""
        names, parameters = line.words[:ENDS[section]], line.words[ENDS[section]:]
        if section == "dihedraltypes" and len(line.words) > 2 and line.words[2].isdigit() and len(line.words[2]) == 1:
            (one, other), parameters = line.words[:2], line.words[2:]
            names = [one, WILDCARD, WILDCARD, other] if parameters[0] == "2" else [WILDCARD, one, other, WILDCARD]
        if len(parameters) < 2 or not parameters[0].isdigit():
            raise FileError(f"this is to be {ENDS[section]} types, a function and its parameters", line.path, line.at)
        key = section, _function(section, parameters[0]), tuple(names)
        several = parameters[0] == "9" and self.last == (line.path, key) and key in self.bonded
        self.last = line.path, key
        for types in (key[2], key[2][::-1]):
            found = self.bonded.setdefault((*key[:2], types), [])
            self.order.setdefault((*key[:2], types), len(self.order))
            if several:
                found.append(parameters[1:])
            else:
                found[:] = [parameters[1:]]
            if key[2] == key[2][::-1]:
                break

    def look_up(self, section: str, function: str, types: tuple[str, ...]) -> list[list[str]]:
        """The parameter sets for these types, [] if there are none.

        For dihedrals the entry with the fewest wildcards counts; among equals, the first entry.
        """
        kind = _function(section, function)
        if section != "dihedraltypes":
            return self.bonded.get((section, kind, types), [])
        keys = ((section, kind, tuple(name if keep else WILDCARD for name, keep in zip(types, mask))) for mask in MASKS)
        found = [key for key in keys if key in self.bonded]
        return self.bonded[min(found, key=lambda key: (key[2].count(WILDCARD), self.order[key]))] if found else []

    def _two(self, line: Line, table: dict[tuple[str, str], tuple[float, float]]) -> None:
        one, other = line.words[:2]
        if len(line.words) < 5 or line.words[2] != "1":
            raise FileError("this is to be two types, 1 and two Lennard-Jones parameters", line.path, line.at)
        for name in (one, other):
            if name not in self.types:
                raise FileError(f"the type '{name}' is not in [ atomtypes ]", line.path, line.at)
        table[one, other] = table[other, one] = self.c6_c12_of(value(line, 3, "V"), value(line, 4, "W"))

    def nonbond_params(self, line: Line) -> None:
        self._two(line, self.nonbonded)

    def pairtypes(self, line: Line) -> None:
        self._two(line, self.pairs)

    # ---- pairs ----

    def c6_c12_of(self, v: float, w: float) -> tuple[float, float]:
        """c6 and c12 from the parameters V and W, whose meaning depends on the combination rule."""
        return (v, w) if self.rule == 1 else of_sigma(v, w)

    def c6_c12(self, one: str, other: str) -> tuple[float, float]:
        if (one, other) in self.nonbonded:
            return self.nonbonded[one, other]
        (v, w), (x, y) = (self.types[name][-2:] for name in (one, other))
        return combined(self.rule, (v, w), (x, y))

    def c6_c12_14(self, one: str, other: str) -> tuple[float, float] | None:
        """c6 and c12 of a 1-4 pair; None if there are no parameters."""
        if (one, other) in self.pairs or not self.generates:
            return self.pairs.get((one, other))
        c6, c12 = self.c6_c12(one, other)
        return self.fudge_lj * c6, self.fudge_lj * c12


def _function(section: str, function: str) -> str:
    """The function of the key: proper torsions 1 and 9 share one list of types."""
    return "1" if section == "dihedraltypes" and function == "9" else function

