# SPDX-License-Identifier: BSD-3-Clause
"""Molecules and their terms from GROMACS topologies (.top, .itp), read as gmx grompp does.

GROMACS Reference Manual, "Topology file formats".  Text before the first section is ignored.  Case,
'_' and '-' are ignored in names of sections.  An unknown section, or
[ intermolecular_interactions ], ends the molecule.  left_out counts the input that no term
represents.  Virtual sites are an error.
"""
from __future__ import annotations

import os
from typing import Iterable, Mapping

from .elements import SYMBOLS
from .errors import FileError
from .force_field import ENDS, ForceField, value, whole
from .kinds import Ends, Path
from .preprocessor import Line, Preprocessor
from .terms import Angle, Atom, Bond, Improper, Molecule, Pair, Ryckaert, System, Torsion

FORCE_FIELD = ("defaults", "atomtypes", "nonbond_params", "pairtypes")
VIRTUAL = ("virtual_sites1", "virtual_sites2", "virtual_sites3", "virtual_sites4", "virtual_sitesn",
           "dummies1", "dummies2", "dummies3", "dummies4", "dummiesn")
OF_MOLECULES = ("atoms", "bonds", "pairs", "pairs_nb", "angles", "dihedrals", "constraints", "settles", "exclusions")
# Ignored sections: titles, and parameters of unsupported terms.
SILENT = ("system", "cmaptypes", "implicit_genborn_params", "implicit_surface_params")
LEFT_OUT = ("polarization", "water_polarization", "thole_polarization", "position_restraints", "angle_restraints", "angle_restraints_z",
            "distance_restraints", "orientation_restraints", "dihedral_restraints", "cmap")
SECTIONS = {name.replace("_", ""): name for name in
            (*FORCE_FIELD, *ENDS, *SILENT, *OF_MOLECULES, *VIRTUAL, *LEFT_OUT, "moleculetype", "molecules", "intermolecular_interactions")}

# Number of parameters by function.  Bonds: the first parameter is a length; 5 has none, 6 is no
# chemical bond.
BONDS = {"1": 2, "2": 2, "3": 3, "4": 3, "5": 0, "6": 2, "7": 2, "8": 2, "9": 2, "10": 4}
BONDS_WITH_A_LENGTH = ("1", "2", "3", "4")
NOT_CHEMICAL = ("6", "9", "10")
ANGLES = {"1": 2, "2": 2, "3": 3, "4": 4, "5": 4, "6": 6, "8": 2, "9": 2, "10": 2}
ANGLES_WITH_AN_ANGLE = ("1", "2", "5", "10")
DIHEDRALS = {"1": 3, "2": 2, "3": 6, "4": 3, "5": 4, "8": 2, "9": 3, "10": 2, "11": 6}


def read_topology(path: Path, defines: Iterable[str] = (), folders: Iterable[Path] = ()) -> System:
    """Reads a topology as a System.  defines, folders: as the options -D and -I.

    Raises FileError.
    """
    return _Reader(path, defines, folders).system


class _Reader:
    """Reads a topology.  The method with the name of a section parses a line of it."""

    def __init__(self, path: Path, defines: Iterable[str], folders: Iterable[Path]) -> None:
        self.field = ForceField()
        self.system = System()
        self.system.c6_c12 = self.field.c6_c12
        self.kinds: dict[str, Molecule] = {}  # by name
        self.section: str | None = None
        self.molecule: Molecule | None = None
        self.outside: str | None = None  # the section that ended the molecule, or None
        line = None
        for line in Preprocessor(defines, folders).lines(os.fspath(path)):
            self._line(line)
        if not self.system.molecules:
            raise FileError("the topology ends without [ molecules ]", line.path if line else path, line.at if line else 1)
        for kind, count in self.system.molecules:
            if count and kind.virtual:
                raise FileError(*kind.virtual)

    def _line(self, line: Line) -> None:
        if line.words[0].startswith("["):
            self._begin(" ".join(line.words).lstrip("[").split("]")[0].strip())
        elif self.section is None or self.section in SILENT:
            return
        elif self.section in FORCE_FIELD:
            getattr(self.field, self.section)(line)
        elif self.section in ENDS:
            self.field.of_types(self.section, line)
        elif self.outside is not None:
            known = self.section if self.section != self.outside else ""
            self.system.leave_out(f"[ {self.outside} ]{f' [ {known} ]' if known else ''}")
        elif self.section in LEFT_OUT:
            self._current(line).leave_out(f"[ {self.section} ]")
        elif self.section in VIRTUAL:
            self._virtual(line, f"the atom {line.words[0]} of '{self._current(line).name}' is a virtual site, [ {self.section} ]")
        else:
            getattr(self, "_" + self.section)(line)

    def _begin(self, name: str) -> None:
        known = SECTIONS.get(name.lower().replace("_", "").replace("-", ""))
        self.section = known or name
        if known in (None, "intermolecular_interactions"):
            self.outside, self.molecule = self.section, None
        elif known in ("moleculetype", "molecules", "system"):
            self.outside = None

    def _virtual(self, line: Line, text: str) -> None:
        molecule = self._current(line)
        if molecule.virtual is None:
            molecule.virtual = f"{text}: virtual sites are not understood", line.path, line.at

    # ---- molecules ----

    def _moleculetype(self, line: Line) -> None:
        if len(line.words) < 2 or line.words[0] in self.kinds:
            raise FileError("a molecule type is to have a name of its own and a number of exclusions", line.path, line.at)
        self.molecule = Molecule(line.words[0], whole(line, 1, "the number of exclusions"))
        self.kinds[self.molecule.name] = self.molecule

    def _current(self, line: Line) -> Molecule:
        if self.molecule is None:
            raise FileError(f"[ {self.section} ] before [ moleculetype ]", line.path, line.at)
        return self.molecule

    def _atoms(self, line: Line) -> None:
        """Parses: nr type resnr residue atom cgnr [charge [mass [type charge mass]]]

        The last three are those of state B.
        """
        molecule = self._current(line)
        if len(line.words) < 6:
            raise FileError("an atom is to be: nr type resnr residue atom cgnr [charge [mass]]", line.path, line.at)
        if whole(line, 0, "the number of an atom") != len(molecule.atoms) + 1:
            raise FileError(f"the atom {line.words[0]} is the {len(molecule.atoms) + 1}. of its molecule", line.path, line.at)
        kind = self.field.types.get(line.words[1])
        if kind is None:
            raise FileError(f"the type '{line.words[1]}' is not in [ atomtypes ]", line.path, line.at)
        charge = value(line, 6, "the charge") if len(line.words) > 6 else kind.charge
        mass = value(line, 7, "the mass") if len(line.words) > 7 else kind.mass
        if len(line.words) > 8:
            molecule.leave_out("atoms' states B")
        if kind.particle != "A":
            self._virtual(line, f"the atom {line.words[0]} of '{molecule.name}', {line.words[4]}, is a particle of the kind '{kind.particle}'")
        elif mass <= 0:
            self._virtual(line, f"the atom {line.words[0]} of '{molecule.name}', {line.words[4]}, has a mass of {mass:g}")
        molecule.atoms.append(Atom(line.words[1], line.words[3], line.words[4], charge, mass, SYMBOLS.get(kind.atomic_number or 0)))

    def _ends(self, line: Line, count: int) -> Ends:
        atoms = self._current(line).atoms
        ends = []
        for i in range(count):
            end = whole(line, i, f"atom {i + 1}")
            if not 1 <= end <= len(atoms):
                raise FileError(f"there is no atom {end} in '{self._current(line).name}', which has {len(atoms)}", line.path, line.at)
            ends.append(end - 1)
        if len(set(ends)) != count:
            raise FileError("the same atom twice", line.path, line.at)
        return tuple(ends)

    def _term(
            self, line: Line, n_ends: int, functions: Mapping[str, int], section: str
    ) -> tuple[Ends, str, list[list[float]]]:
        """The ends, the function, and its parameter sets: of the line, or else of the types."""
        ends = self._ends(line, n_ends)
        function = line.words[n_ends] if len(line.words) > n_ends else "1"
        if function not in functions:
            raise FileError(f"[ {self.section} ] of the function {function}; understood are {', '.join(functions)}", line.path, line.at)
        needed, own = functions[function], line.words[n_ends + 1:]
        types = tuple(self.field.types[self._current(line).atoms[end].type].bonded for end in ends)
        rows = [own] if own or needed == 0 else self.field.look_up(section, function, types)
        if not rows:
            raise FileError(f"no parameters here, and none in [ {section} ] for {' '.join(types)}", line.path, line.at)
        numbers = [[number_of(word, line) for word in row] for row in rows]
        for row in numbers:
            if len(row) < needed:
                raise FileError(f"a function {function} of [ {self.section} ] has {needed} parameters, not {len(row)}", line.path, line.at)
            if row[needed:] and row[needed:] != row[:len(row) - needed]:
                self._current(line).leave_out(f"states B of [ {self.section} ]")
        return ends, function, [row[:needed] for row in numbers]

    def _length(self, found: float, line: Line) -> float:
        if found <= 0:
            raise FileError(f"a length of {found:g}", line.path, line.at)
        return found

    def _bonds(self, line: Line) -> None:
        ends, function, (row, *_) = self._term(line, 2, BONDS, "bondtypes")
        chemical = function not in NOT_CHEMICAL
        if chemical:
            self._current(line).links.append(ends)
        if function == "6" or function in BONDS_WITH_A_LENGTH:
            length = row[0] if function == "6" else self._length(row[0], line)
            self._current(line).bonds.append(Bond(ends, length, row[1] if function in ("1", "6") else None, False, chemical))
        elif function != "5":
            self._current(line).leave_out(f"[ bonds ] of function {function}")

    def _constraints(self, line: Line) -> None:
        ends, function, (row, *_) = self._term(line, 2, {"1": 1, "2": 1}, "constrainttypes")
        if function == "1":
            self._current(line).links.append(ends)
        self._current(line).bonds.append(Bond(ends, self._length(row[0], line), None, True, True))

    def _settles(self, line: Line) -> None:
        """Parses a rigid water of three atoms: oxygen function doh dhh"""
        first = self._ends(line, 1)[0]
        if whole(line, 1, "the function of a rigid water") != 1 or first + 2 >= len(self._current(line).atoms):
            raise FileError("a rigid water is to be: the first of three atoms, 1, two lengths", line.path, line.at)
        for i, j, which in ((0, 1, 2), (0, 2, 2), (1, 2, 3)):
            length = self._length(value(line, which, "the length"), line)
            self._current(line).bonds.append(Bond((first + i, first + j), length, None, True, True))
        self._current(line).links += [(first, first + 1), (first, first + 2)]

    def _angles(self, line: Line) -> None:
        ends, function, (row, *_) = self._term(line, 3, ANGLES, "angletypes")
        if function in ANGLES_WITH_AN_ANGLE:
            if not 0 <= row[0] <= 180:
                raise FileError(f"an angle of {row[0]:g} degrees", line.path, line.at)
            self._current(line).angles.append(Angle(ends, row[0], row[1] if function in ("1", "5") else None))
            if function == "5" and row[3] != 0:
                self._current(line).bonds.append(Bond((ends[0], ends[2]), row[2], row[3], False, False))
        else:
            self._current(line).leave_out(f"[ angles ] of function {function}")

    def _dihedrals(self, line: Line) -> None:
        ends, function, rows = self._term(line, 4, DIHEDRALS, "dihedraltypes")
        for row in rows:
            if function in ("1", "4", "9"):
                self._current(line).torsions.append(Torsion(ends, row[0], row[1], row[2]))
            elif function == "2":
                self._current(line).impropers.append(Improper(ends, row[0], row[1]))
            elif function in ("3", "5"):
                self._current(line).ryckaerts.append(Ryckaert(ends, row if function == "3" else _fourier(row)))
            else:
                self._current(line).leave_out(f"[ dihedrals ] of function {function}")

    def _pairs(self, line: Line) -> None:
        ends = self._ends(line, 2)
        function = whole(line, 2, "the function of the pair") if len(line.words) > 2 else 1
        own = [number_of(word, line) for word in line.words[3:]]
        one, other = (self._current(line).atoms[end] for end in ends)
        if function not in (1, 2) or len(own) not in ((0, 2, 4) if function == 1 else (0, 1, 5)):
            raise FileError("a pair is to be: two atoms, 1 [V W], or 2 [fudgeQQ [qi qj V W]]", line.path, line.at)
        if len(own) == 4 and own[2:] != own[:2]:
            self._current(line).leave_out("states B of [ pairs ]")
        scale = own[0] if function == 2 and own else self.field.fudge_qq
        charges = own[1:3] if len(own) == 5 else [one.charge, other.charge]
        given = own[3:] if len(own) == 5 else own[:2] if function == 1 else []
        found = self.field.c6_c12_of(*given) if given else self.field.c6_c12_14(one.type, other.type)
        if found is None:
            raise FileError(f"no parameters here, and none in [ pairtypes ] for {one.type} {other.type}", line.path, line.at)
        self._current(line).pairs.append(Pair(ends, *found, scale * charges[0] * charges[1]))

    def _pairs_nb(self, line: Line) -> None:
        ends = self._ends(line, 2)
        charge, other, v, w = (value(line, i, "a parameter of the pair") for i in (3, 4, 5, 6))
        self._current(line).pairs.append(Pair(ends, *self.field.c6_c12_of(v, w), charge * other))

    def _exclusions(self, line: Line) -> None:
        first = whole(line, 0, "atom 1")
        others = [whole(line, i, f"atom {i + 1}") for i in range(1, len(line.words))]
        if not all(1 <= end <= len(self._current(line).atoms) for end in [first, *others]):
            raise FileError(f"an atom that '{self._current(line).name}' does not have", line.path, line.at)
        self._current(line).exclusions += [(first - 1, other - 1) for other in others]

    def _molecules(self, line: Line) -> None:
        """Parses a molecule and a count.  The name may differ in case if this is unambiguous."""
        name = line.words[0]
        found = [kind for kind in self.kinds.values() if kind.name.lower() == name.lower()]
        kind = self.kinds.get(name) or (found[0] if len(found) == 1 else None)
        if kind is None:
            raise FileError(f"there is no [ moleculetype ] '{name}'" if not found else
                            f"{len(found)} molecule types have the name '{name}' but for their case", line.path, line.at)
        count = whole(line, 1, "the number of molecules")
        if count < 0:
            raise FileError(f"a number of molecules of {count}", line.path, line.at)
        if not kind.atoms:
            raise FileError(f"'{kind.name}' has no [ atoms ]", line.path, line.at)
        self.system.molecules.append((kind, count))


def number_of(word: str, line: Line) -> float:
    """Parses a parameter as a number."""
    return value(line._replace(words=[word]), 0, "a parameter")


def _fourier(row: list[float]) -> list[float]:
    """Converts a Fourier dihedral to powers of cos(phi - 180 degrees).

    The energy is half of F1 (1 + cos phi) + F2 (1 - cos 2 phi) + F3 (1 + cos 3 phi) +
    F4 (1 - cos 4 phi).
    """
    f1, f2, f3, f4 = row
    return [f2 + (f1 + f3) / 2, (3 * f3 - f1) / 2, 4 * f4 - f2, -2 * f3, -4 * f4, 0.0]
