# SPDX-License-Identifier: BSD-3-Clause
"""The terms of a force field.

Units: nm, u, e, kJ/mol; angles in degrees.  Atoms are numbered from 0, in their molecule or in the
system.
"""
from collections import namedtuple

Atom = namedtuple("Atom", "type residue name charge mass element")  # element: a symbol in capitals, or None

# A distance with the energy spring/2 (r - length)^2, or a constraint if `rigid`.
# spring = None: another energy, unsupported unless the bond is made rigid.  chemical: -c may make
# it rigid.
Bond = namedtuple("Bond", "ends length spring rigid chemical")
Angle = namedtuple("Angle", "ends theta stiffness")            # stiffness/2 (theta' - theta)^2; None: another energy
Torsion = namedtuple("Torsion", "ends phase barrier periods")   # barrier (1 + cos(periods phi - phase))
Ryckaert = namedtuple("Ryckaert", "ends powers")                # sum over n of powers[n] cos(phi - 180 degrees)^n, n = 0 .. 5
Improper = namedtuple("Improper", "ends tilt hardness")         # hardness/2 (phi - tilt)^2
Pair = namedtuple("Pair", "ends c6 c12 qq")                     # c12/r^12 - c6/r^6 + coulomb qq/r

TERMS = ("bonds", "angles", "torsions", "ryckaerts", "impropers", "pairs")


class Molecule:
    """A kind of molecule.

    links: pairs of atoms, the bonds that count for exclusions.  left_out: {description: number of
    lines} of input that no term represents.  virtual: the error about its virtual sites, or None.
    """

    def __init__(self, name, nrexcl):
        self.name = name
        self.nrexcl = nrexcl
        self.atoms = []
        self.bonds, self.angles, self.torsions, self.ryckaerts, self.impropers, self.pairs = ([] for _ in TERMS)
        self.links = []
        self.exclusions = []
        self.left_out = {}
        self.virtual = None

    def leave_out(self, what, count=1):
        self.left_out[what] = self.left_out.get(what, 0) + count

    def excluded(self):
        """Pairs (i, j), i < j, at a distance of at most nrexcl links, or excluded explicitly."""
        around, pairs = neighbours(len(self.atoms), set(self.links)), set()
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
    lines} of input outside molecules.  c6_c12(type, type): the parameters of Lennard-Jones pairs.
    """

    def __init__(self):
        self.molecules = []
        self.left_out = {}

    def leave_out(self, what, count=1):
        self.left_out[what] = self.left_out.get(what, 0) + count


def neighbours(n, bonds):
    around = [[] for _ in range(n)]
    for i, j in bonds:
        around[i].append(j)
        around[j].append(i)
    return [sorted(ends) for ends in around]


def combined(rule, one, other):
    """c6 and c12 for the parameters (V, W) of two types, by GROMACS' combination rule 1, 2 or 3."""
    (v, w), (x, y) = one, other
    if rule == 1:
        return (v * x) ** 0.5, (w * y) ** 0.5
    return of_sigma((v + x) / 2 if rule == 2 else (v * x) ** 0.5, (w * y) ** 0.5)


def of_sigma(sigma, epsilon):
    return 4 * epsilon * sigma ** 6, 4 * epsilon * sigma ** 12
