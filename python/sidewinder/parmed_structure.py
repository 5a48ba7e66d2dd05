# SPDX-License-Identifier: BSD-3-Clause
"""Atoms and terms of a ParmEd structure.

parmed.load_file creates such a structure from AMBER prmtop, CHARMM psf and other files,
parmed.openmm from a System.  ParmEd has lengths in angstrom, energies in kcal/mol and harmonic
terms without 1/2.  Exclusions and 1-4 pairs are those of its omm_nonbonded_force: pairs closer than
nrexcl bonds are excluded; 1-4 pairs are in `adjusts`, or else the ends of dihedrals without
ignore_end.
"""
from __future__ import annotations

import math
import os
from typing import Any, Iterable

import numpy as np
import numpy.typing as npt

from .elements import SYMBOLS
from .errors import FileError, InstallationError
from .kinds import Ends, Path
from .structure import Structure, cell
from .terms import Angle, Atom, Bond, Improper, Molecule, Pair, Ryckaert, System, Torsion, of_sigma

KCAL = 4.184  # kJ
ANGSTROM = 0.1  # nm
PER_SQUARE = 2 * KCAL / ANGSTROM**2  # k (r - r0)^2 to k/2 (r - r0)^2
LEFT_OUT = ("cmaps", "trigonal_angles", "out_of_plane_bends", "pi_torsions", "stretch_bends", "torsion_torsions", "chiral_frames", "multipole_frames")
PARAMETERS = (".prm", ".par", ".str", ".rtf", ".inp", ".top")


def load(paths: Iterable[Path]) -> Any:
    """Loads a ParmEd structure from files: a topology, then CHARMM parameters and coordinates."""
    try:
        import parmed  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise InstallationError("ParmEd is not installed (Debian: python3-parmed)") from error
    first, *rest = (os.fspath(path) for path in paths)
    try:
        structure = parmed.load_file(first)
        names = [path for path in rest if os.path.splitext(path)[1].lower() in PARAMETERS]
        if names:
            structure.load_parameters(parmed.charmm.CharmmParameterSet(*names))
        for path in rest:
            if path not in names:
                _place(structure, parmed.load_file(path))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError, parmed.exceptions.ParmedError) as error:
        raise FileError(f"{first}: ParmEd: {type(error).__name__}: {error}") from error
    return structure


def _place(structure: Any, found: Any) -> None:
    shape = (len(structure.atoms), 3)
    structure.coordinates = np.array(found.coordinates, dtype=float).reshape(-1, *shape)[0]
    velocities = getattr(found, "velocities", None)
    if velocities is not None:
        structure.velocities = np.array(velocities, dtype=float).reshape(-1, *shape)[0]
    if getattr(found, "box", None) is not None:
        structure.box = np.array(found.box, dtype=float).reshape(-1, 6)[0]


def from_parmed(structure: Any) -> tuple[Structure, System]:
    """A Structure, and a System with one molecule, from a ParmEd structure."""
    path = getattr(structure, "name", None) or "the ParmEd structure"
    if structure.coordinates is None:
        raise FileError(f"{path}: it has no coordinates")
    for atom in structure.atoms:
        if type(atom).__name__ == "ExtraPoint" or atom.mass <= 0:
            raise FileError(f"{path}: the atom {atom.idx + 1}, {atom.name} of {atom.residue.name}, is a virtual site: virtual sites are not understood")
    velocities = structure.velocities
    atoms = Structure(path, [atom.name for atom in structure.atoms], [atom.residue.name for atom in structure.atoms],
                      [SYMBOLS.get(atom.element) for atom in structure.atoms], ANGSTROM * np.array(structure.coordinates),
                      None if velocities is None else ANGSTROM * np.array(velocities), [], _box(structure, path))
    system = System()
    system.molecules = [(_molecule(structure, path), 1)]
    nonbonded = _Nonbonded(structure)
    system.c6_c12 = nonbonded.c6_c12
    return atoms, system


def _box(structure: Any, path: str) -> npt.NDArray[np.float64] | None:
    return None if structure.box is None or min(structure.box[:3]) <= 0 else cell([float(side) for side in structure.box], path)


def _type(term: Any, path: str) -> list[Any]:
    if term.type is None:
        raise FileError(f"{path}: the term {term!r} has no parameters")
    return term.type if isinstance(term.type, list) else [term.type]


def _molecule(structure: Any, path: str) -> Molecule:
    kind = Molecule(path, 0)
    kind.atoms = [Atom(atom.idx, atom.residue.name, atom.name, atom.charge, atom.mass, SYMBOLS.get(atom.element)) for atom in structure.atoms]
    for term in structure.bonds:
        for made in _type(term, path):
            kind.bonds.append(Bond(_ends(term, 2), ANGSTROM * made.req, PER_SQUARE * made.k, False, True))
    for term in structure.urey_bradleys:
        for made in _type(term, path):
            kind.bonds.append(Bond(_ends(term, 2), ANGSTROM * made.req, PER_SQUARE * made.k, False, False))
    for term in structure.angles:
        for made in _type(term, path):
            kind.angles.append(Angle(_ends(term, 3), made.theteq, 2 * KCAL * made.k))
    for term in structure.dihedrals:
        for made in _type(term, path):
            kind.torsions.append(Torsion(_ends(term, 4), made.phase, KCAL * made.phi_k, made.per))
    for term in structure.rb_torsions:
        for made in _type(term, path):
            kind.ryckaerts.append(Ryckaert(_ends(term, 4), [KCAL * getattr(made, f"c{n}") for n in range(6)]))
    for term in structure.impropers:
        for made in _type(term, path):
            kind.impropers.append(Improper(_ends(term, 4), made.psi_eq, 2 * KCAL * made.psi_k))
    for name in LEFT_OUT:
        if getattr(structure, name, ()):
            kind.leave_out(name, len(getattr(structure, name)))
    _add_pairs(structure, kind)
    return kind


def _ends(term: Any, count: int) -> Ends:
    return tuple(getattr(term, f"atom{i}").idx for i in range(1, count + 1))


def _add_pairs(structure: Any, kind: Molecule) -> None:
    """Adds 1-4 pairs and exclusions; 1-4 pairs are excluded from the other pairs."""
    kind.links = [_ends(bond, 2) for bond in structure.bonds]
    kind.nrexcl = max(structure.nrexcl - 1, 0)
    pairs = {tuple(sorted(_ends(pair, 2))): _adjusted(pair) for pair in structure.adjusts} if structure.adjusts else _of_dihedrals(structure)
    apart = {tuple(sorted((atom.idx, other.idx))) for atom in structure.atoms for other in atom.exclusion_partners}
    kind.exclusions = [*apart, *pairs]
    kind.pairs = [pair for ends, pair in pairs.items() if ends not in apart]


def _adjusted(pair: Any) -> Pair:
    c6, c12 = of_sigma(ANGSTROM * pair.type.sigma, KCAL * pair.type.epsilon)
    return Pair(_ends(pair, 2), c6, c12, pair.atom1.charge * pair.atom2.charge * pair.type.chgscale)


def _of_dihedrals(structure: Any) -> dict[Ends, Pair]:
    pairs, nonbonded = {}, _Nonbonded(structure)
    for term in [*structure.dihedrals, *structure.rb_torsions]:
        if term.ignore_end:
            continue
        made = next((made for made in _type(term, "") if made.scee and made.scnb), None)
        if made is None:
            raise FileError(f"the dihedral {term!r} has a 1-4 pair, whose scales are 0")
        one, other = term.atom1, term.atom4
        c6, c12 = nonbonded.of_14(one, other)
        pairs[tuple(sorted((one.idx, other.idx)))] = Pair((one.idx, other.idx), c6 / made.scnb, c12 / made.scnb, one.charge * other.charge / made.scee)
    return pairs


class _Nonbonded:
    """c6 and c12 of pairs of atoms."""

    def __init__(self, structure: Any) -> None:
        self.atoms = structure.atoms
        self.is_mean = structure.combining_rule == "lorentz"
        self.table = _table(structure)

    def _fixed(self, one: Any, other: Any, first: int) -> tuple[float, float] | None:
        """Parameters specific to this pair of types (NBFIX), or None.

        They start at index `first` of (rmin, epsilon, rmin of 1-4 pairs, epsilon of 1-4 pairs).
        """
        fixed = getattr(one.atom_type, "nbfix", None)
        found = fixed.get(str(other.atom_type)) if fixed and hasattr(other.atom_type, "nbfix") else None
        if found is None:
            return None
        rmin, epsilon = ANGSTROM * found[first], KCAL * abs(found[first + 1])
        return 2 * epsilon * rmin**6, epsilon * rmin**12

    def _combined(self, sigmas: tuple[float, float], epsilons: tuple[float, float]) -> tuple[float, float]:
        sigma = sum(sigmas) / 2 if self.is_mean else math.sqrt(sigmas[0] * sigmas[1])
        return of_sigma(ANGSTROM * sigma, KCAL * math.sqrt(abs(epsilons[0] * epsilons[1])))

    def c6_c12(self, i: int, j: int) -> tuple[float, float]:
        one, other = self.atoms[i], self.atoms[j]
        if self.table is not None:
            c6, c12 = self.table[one.nb_idx - 1][other.nb_idx - 1]
            return c6, c12
        return self._fixed(one, other, 0) or self._combined((one.sigma, other.sigma), (one.epsilon, other.epsilon))

    def of_14(self, one: Any, other: Any) -> tuple[float, float]:
        if self.table is not None and not hasattr(one, "is_chamber") and one.sigma_14 == one.sigma:
            c6, c12 = self.table[one.nb_idx - 1][other.nb_idx - 1]
            return c6, c12
        return self._fixed(one, other, 2) or self._combined((one.sigma_14, other.sigma_14), (one.epsilon_14, other.epsilon_14))


def _table(structure: Any) -> list[list[tuple[float, float]]] | None:
    """(c6, c12) by type numbers for an AMBER topology with NBFIX pairs; else None."""
    data = getattr(structure, "parm_data", {})
    if "LENNARD_JONES_ACOEF" not in data or not structure.has_NBFIX():
        return None
    n = round(math.sqrt(len(data["NONBONDED_PARM_INDEX"])))
    index = np.array(data["NONBONDED_PARM_INDEX"], dtype=int).reshape(n, n) - 1
    if index.min() < 0:
        raise FileError("hydrogen bonds with the powers 10 and 12 are not understood")
    c6, c12 = (KCAL * ANGSTROM**power * np.array(data[f"LENNARD_JONES_{letter}COEF"], dtype=float) for letter, power in (("B", 6), ("A", 12)))
    return [[(c6[k], c12[k]) for k in row] for row in index]
