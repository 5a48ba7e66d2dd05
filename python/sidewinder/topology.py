# SPDX-License-Identifier: BSD-3-Clause
"""Which atoms are bonded, and how, from GROMACS topologies (.top, .itp).

GROMACS Reference Manual, "Topology file formats".  Understood: #include of files beside the file, #define, #undef, #ifdef, #ifndef, #else, #endif, and
the sections of HANDLED.  What other sections say is left out, and Topology.left_out names them.  Lengths in nm, angles in degrees, energies in kJ/mol.
"""
import os
from collections import namedtuple

from .errors import FileError
from .preprocessor import Line, preprocessed
from .structure import number

Atom = namedtuple("Atom", "type residue name charge mass")
Bond = namedtuple("Bond", "ends length constrained")
Angle = namedtuple("Angle", "ends theta stiffness")  # theta0 and k of k/2 (theta - theta0)^2; k None: of another function of the angle
Type = namedtuple("Type", "mass charge v w")

HANDLED = ("defaults", "atomtypes", "bondtypes", "constrainttypes", "angletypes", "moleculetype", "atoms", "bonds", "constraints", "angles",
           "settles", "exclusions", "system", "molecules")
# Functions whose first parameter is the length of a bond; 5 is a bond without one.
BONDS_WITH_A_LENGTH = ("1", "2", "3", "4")
ANGLES_WITH_AN_ANGLE = ("1", "2", "5")


class Molecule:
    """A [ moleculetype ]; its numbers of atoms count from 0."""

    def __init__(self, name, nrexcl):
        self.name = name
        self.nrexcl = nrexcl
        self.atoms = []
        self.bonds = []
        self.angles = []
        self.links = []  # pairs that count for exclusions: bonds and constraints that are chemical
        self.exclusions = []


class Topology:
    """molecules: (Molecule, count) in the order of the atoms.  left_out: what was read and has no place here: {section: lines}.
    c6_c12(type, type): of V = c12/r^12 - c6/r^6, kJ/mol nm^6 and nm^12."""

    def __init__(self):
        self.molecules = []
        self.left_out = {}
        self.kinds = {}   # Molecule by name
        self.types = {}   # Type by name
        self.bonded = {"names": {}, "bondtypes": {}, "constrainttypes": {}, "angletypes": {}}  # by types of atoms
        self.rule = None  # by which parameters of unlike atoms are combined

    def c6_c12(self, one, other):
        (v, w), (x, y) = (self.types[name][2:] for name in (one, other))
        if self.rule == 1:
            return (v * x) ** 0.5, (w * y) ** 0.5
        sigma = (v + x) / 2 if self.rule == 2 else (v * x) ** 0.5
        epsilon = (w * y) ** 0.5
        return 4 * epsilon * sigma ** 6, 4 * epsilon * sigma ** 12


def read_topology(path, defines=()):
    """Raises FileError.  defines: names that #ifdef finds, as -DNAME does."""
    return _Reader(path, defines).topology


class _Reader:
    """A section is read by the method of its name."""

    def __init__(self, path, defines):
        self.topology = Topology()
        self.section = None
        self.molecule = None
        line = None
        for line in preprocessed(os.fspath(path), {name: [] for name in defines}):
            self._line(line)
        if not self.topology.molecules:
            raise FileError("the topology ends without [ molecules ]", line.path if line else path, line.at if line else 1)

    def _line(self, line):
        if line.words[0].startswith("["):
            self.section = "".join(line.words).strip("[]")
        elif self.section is None:
            raise FileError("a line before the first [ section ]", line.path, line.at)
        elif self.section in HANDLED:
            getattr(self, "_" + self.section)(line)
        else:
            self.topology.left_out[self.section] = self.topology.left_out.get(self.section, 0) + 1

    def _value(self, line, i, what):
        if i >= len(line.words):
            raise FileError(f"{what} is missing", line.path, line.at)
        return number(line.words[i], line.path, line.at, what)

    def _whole(self, line, i, what):
        value = self._value(line, i, what)
        if value != int(value):
            raise FileError(f"{what} is not an integer: '{line.words[i]}'", line.path, line.at)
        return int(value)

    def _length(self, line, i):
        value = self._value(line, i, "the length")
        if value <= 0:
            raise FileError(f"a length of {value:g}", line.path, line.at)
        return value

    # ---- the force field ----

    def _defaults(self, line):
        function, rule = self._whole(line, 0, "the function of pairs"), self._whole(line, 1, "the combination rule")
        if function != 1 or rule not in (1, 2, 3):
            raise FileError("only Lennard-Jones pairs (1) with combination rule 1, 2 or 3 are understood", line.path, line.at)
        self.topology.rule = rule

    def _atomtypes(self, line):
        """name [bonded type] [atomic number] mass charge particle V W"""
        kind = next((i for i, word in enumerate(line.words) if i >= 3 and word in ("A", "S", "V", "D")), None)
        if kind is None or len(line.words) != kind + 3:
            raise FileError("an atom type is to be: name [bonded type] [atomic number] mass charge A V W", line.path, line.at)
        numbers = [self._value(line, i, "a number of an atom type") for i in (kind - 2, kind - 1, kind + 1, kind + 2)]
        if min(numbers[2:]) < 0:
            raise FileError("a Lennard-Jones parameter below 0", line.path, line.at)
        bonded = line.words[1] if kind >= 4 and not line.words[1].replace(".", "").isdigit() else line.words[0]
        self.topology.types[line.words[0]] = Type(*numbers)
        self.topology.bonded["names"][line.words[0]] = bonded

    def _bondtypes(self, line):
        self._type("bondtypes", 2, line)

    def _constrainttypes(self, line):
        self._type("constrainttypes", 2, line)

    def _angletypes(self, line):
        self._type("angletypes", 3, line)

    def _type(self, section, count, line):
        key = tuple(line.words[:count])
        if len(line.words) < count + 2:
            raise FileError(f"this is to be {count} types, a function and its parameters", line.path, line.at)
        for names in (key, key[::-1]):
            self.topology.bonded[section][names] = line.words[count:]

    # ---- molecules ----

    def _moleculetype(self, line):
        if len(line.words) != 2 or line.words[0] in self.topology.kinds:
            raise FileError("a molecule type is to have a name of its own and a number of exclusions", line.path, line.at)
        self.molecule = Molecule(line.words[0], self._whole(line, 1, "the number of exclusions"))
        self.topology.kinds[self.molecule.name] = self.molecule

    def _current(self, line):
        if self.molecule is None:
            raise FileError(f"[ {self.section} ] before [ moleculetype ]", line.path, line.at)
        return self.molecule

    def _atoms(self, line):
        """nr type resnr residue atom cgnr [charge [mass]]"""
        atoms = self._current(line).atoms
        if len(line.words) < 6:
            raise FileError("an atom is to be: nr type resnr residue atom cgnr [charge [mass]]", line.path, line.at)
        if self._whole(line, 0, "the number of an atom") != len(atoms) + 1:
            raise FileError(f"the atom {line.words[0]} is the {len(atoms) + 1}. of its molecule", line.path, line.at)
        kind = self.topology.types.get(line.words[1])
        if len(line.words) < 8 and kind is None:
            raise FileError(f"the atom has no charge and mass of its own, and its type '{line.words[1]}' is not in [ atomtypes ]",
                              line.path, line.at)
        charge = self._value(line, 6, "the charge") if len(line.words) > 6 else kind.charge
        mass = self._value(line, 7, "the mass") if len(line.words) > 7 else kind.mass
        if mass <= 0:
            raise FileError(f"a mass of {mass:g}; virtual sites are not understood", line.path, line.at)
        atoms.append(Atom(line.words[1], line.words[3], line.words[4], charge, mass))

    def _ends(self, line, count):
        atoms = self._current(line).atoms
        ends = []
        for i in range(count):
            end = self._whole(line, i, f"atom {i + 1}")
            if not 1 <= end <= len(atoms):
                raise FileError(f"there is no atom {end} in '{self.molecule.name}', which has {len(atoms)}", line.path, line.at)
            ends.append(end - 1)
        if len(set(ends)) != count:
            raise FileError("the same atom twice", line.path, line.at)
        return tuple(ends)

    def _parameters(self, line, count, section):
        """A line whose words from `count` on are a function and its parameters: its own, else those of its types."""
        if len(line.words) > count + 1:
            return line
        names = self.topology.bonded["names"]
        types = tuple(names.get(self.molecule.atoms[end].type, self.molecule.atoms[end].type) for end in self._ends(line, count))
        found = self.topology.bonded[section].get(types)
        if found is None:
            raise FileError(f"no parameters here, and none in [ {section} ] for {' '.join(types)}", line.path, line.at)
        return Line(line.path, line.at, line.words[:count] + found)

    def _bonds(self, line):
        ends = self._ends(line, 2)
        function = str(self._whole(line, 2, "the function of the bond"))
        if function == "5":
            self.molecule.links.append(ends)
        elif function in BONDS_WITH_A_LENGTH:
            self.molecule.links.append(ends)
            self.molecule.bonds.append(Bond(ends, self._length(self._parameters(line, 2, "bondtypes"), 3), False))
        else:
            raise FileError(f"a bond of the function {function}; understood are {', '.join(BONDS_WITH_A_LENGTH)} and 5", line.path, line.at)

    def _constraints(self, line):
        ends = self._ends(line, 2)
        function = self._whole(line, 2, "the function of the constraint")
        if function not in (1, 2):
            raise FileError(f"a constraint of the function {function}; understood are 1 and 2", line.path, line.at)
        if function == 1:
            self.molecule.links.append(ends)
        self.molecule.bonds.append(Bond(ends, self._length(self._parameters(line, 2, "constrainttypes"), 3), True))

    def _angles(self, line):
        ends = self._ends(line, 3)
        function = str(self._whole(line, 3, "the function of the angle"))
        if function not in ANGLES_WITH_AN_ANGLE:
            raise FileError(f"an angle of the function {function}; understood are {', '.join(ANGLES_WITH_AN_ANGLE)}", line.path, line.at)
        line = self._parameters(line, 3, "angletypes")
        theta = self._value(line, 4, "the angle")
        if not 0 < theta <= 180:
            raise FileError(f"an angle of {theta:g} degrees", line.path, line.at)
        stiffness = self._value(line, 5, "the force constant")
        self.molecule.angles.append(Angle(ends, theta, stiffness if function == "1" else None))

    def _settles(self, line):
        """oxygen function doh dhh, for a molecule of three atoms."""
        first = self._ends(line, 1)[0]
        if self._whole(line, 1, "the function of a rigid water") != 1 or first + 2 >= len(self.molecule.atoms):
            raise FileError("a rigid water is to be: the first of three atoms, 1, two lengths", line.path, line.at)
        for i, j, which in ((0, 1, 2), (0, 2, 2), (1, 2, 3)):
            self.molecule.bonds.append(Bond((first + i, first + j), self._length(line, which), True))
        self.molecule.links += [(first, first + 1), (first, first + 2)]

    def _exclusions(self, line):
        first = self._whole(line, 0, "atom 1")
        others = [self._whole(line, i, f"atom {i + 1}") for i in range(1, len(line.words))]
        if not all(1 <= end <= len(self._current(line).atoms) for end in [first, *others]):
            raise FileError(f"an atom that '{self.molecule.name}' does not have", line.path, line.at)
        self.molecule.exclusions += [(first - 1, other - 1) for other in others]

    def _system(self, line):
        pass  # a title

    def _molecules(self, line):
        kind = self.topology.kinds.get(line.words[0])
        if kind is None:
            raise FileError(f"there is no [ moleculetype ] '{line.words[0]}'", line.path, line.at)
        count = self._whole(line, 1, "the number of molecules")
        if count < 0:
            raise FileError(f"a number of molecules of {count}", line.path, line.at)
        if not kind.atoms:
            raise FileError(f"'{kind.name}' has no [ atoms ]", line.path, line.at)
        self.topology.molecules.append((kind, count))
