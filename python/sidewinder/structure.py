# SPDX-License-Identifier: BSD-3-Clause
"""Atoms and their positions from .gro and .pdb files, in nm and ps.

GROMACS Reference Manual, "File formats: gro"; Protein Data Bank Contents Guide 3.3, sections 8 and
10.
"""
from __future__ import annotations

import math
import os
import re
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from .elements import MASS
from .errors import FileError
from .kinds import Path

DECIMAL = re.compile(r"[ ]*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?[ ]*")


class Structure:
    """Atoms and their positions from a file.

    path: the path of the file.
    names, residues: of n atoms.
    elements: symbols in capitals, or None.
    x: (n, 3), nm.  v: (n, 3), nm/ps, or None.
    bonds: sorted pairs (i, j), i < j, from 0.
    box: (3, 3), its rows are the edges, or None.
    left_out: {description: number} of omitted input.
    """

    def __init__(
            self, path: Path, names: list[str], residues: list[str], elements: Sequence[str | None] | None,
            x: npt.ArrayLike, v: npt.ArrayLike | None, bonds: list[tuple[int, int]],
            box: npt.NDArray[np.float64] | None, left_out: dict[str, int] | None = None
    ) -> None:
        self.path = path
        self.names = names
        self.residues = residues
        self.elements = elements
        self.x = np.array(x, dtype=float).reshape(len(names), 3)
        self.v = None if v is None else np.array(v, dtype=float).reshape(len(names), 3)
        self.bonds = bonds
        self.box = box
        self.left_out = left_out or {}


def read_lines(path: Path) -> list[str]:
    """The lines of a text file without line ends.  FileError if the file cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: {error.strerror}") from error


def number(text: str, path: Path, line: int, what: str) -> float:
    """Parses a finite decimal number.  Other spellings of Fortran and Python are errors."""
    if not DECIMAL.fullmatch(text) or not math.isfinite(float(text)):
        raise FileError(f"{what} is not a number: '{text.strip()}'", path, line)
    return float(text)


def read_structure(path: Path) -> Structure:
    """Reads a structure in the format of the file name's ending."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    readers = {".gro": read_gro, ".pdb": read_pdb, ".ent": read_pdb}
    if ending not in readers:
        raise FileError(f"{os.fspath(path)}: its name ends in none of {', '.join(sorted(readers))}")
    return readers[ending](path)


# ---- .gro ----

def read_gro(path: Path) -> Structure:
    """The first frame of a .gro file.

    Columns have a fixed width: the distance of the first two decimal points.  As in GROMACS,
    trailing blanks may be missing, and missing velocities are 0.
    """
    lines = read_lines(path)
    if len(lines) < 2 or not re.match(r"\s*\d+(\s|$)", lines[1]):
        raise FileError("the second line is to be the number of atoms", path, 2)
    count = int(lines[1].split()[0])
    if count == 0:
        raise FileError("the file has no atoms", path, 2)
    if len(lines) < count + 3:
        raise FileError(f"the file ends here, with {max(len(lines) - 2, 0)} lines after the number of atoms, which is {count}; {count + 1} are to follow: "
                        "the atoms and the box", path, len(lines))
    width = _width(lines[2], path)
    rows = [_gro_values(line.rstrip(), width, path, at) for at, line in enumerate(lines[2:count + 2], start=3)]
    moving = [len(row) > 3 for row in rows]
    x, v = [row[:3] for row in rows], [row[3:] + [0.0] * (6 - len(row)) for row in rows]
    partial = [i for i, row in enumerate(rows) if len(row) < 6] if any(moving) else []
    left_out = {f"velocities that the file lacks, taken as 0, the first of the atom {partial[0] + 1}": len(partial)} if partial else None
    names, residues = ([line[i:j].strip() for line in lines[2:count + 2]] for i, j in ((10, 15), (5, 10)))
    return Structure(path, names, residues, None, x, v if any(moving) else None, [], _box(lines[count + 2], path, count + 3), left_out)


def _gro_values(line: str, width: int, path: Path, at: int) -> list[float]:
    """Three positions, and up to three components of the velocity."""
    fields = [line[start:start + width] for start in range(20, len(line), width)][:6]
    while fields and len(fields) > 3 and not fields[-1].strip():
        fields.pop()
    if len(fields) < 3:
        raise FileError(f"an atom is to have three positions, {width} columns each, after column 20", path, at)
    return [number(field, path, at, f"the entry at column {21 + i * width}") for i, field in enumerate(fields)]


def _width(line: str, path: Path) -> int:
    points = [i for i, c in enumerate(line) if c == "." and i >= 20]
    if len(points) < 3 or points[1] - points[0] != points[2] - points[1]:
        raise FileError("an atom is to have three positions behind column 20, with decimal points at equal distances", path, 3)
    return points[1] - points[0]


def _box(line: str, path: Path, at: int) -> npt.NDArray[np.float64] | None:
    """The box from v1x v2y v3z, followed by v1y v1z v2x v2z v3x v3y unless it is rectangular."""
    values = [number(word, path, at, "an edge of the box") for word in line.split()]
    if len(values) not in (3, 9):
        raise FileError(f"the box is to have 3 or 9 numbers, not {len(values)}", path, at)
    box = np.diag(values[:3])
    if len(values) == 9:
        for (i, j), value in zip(((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)), values[3:]):
            box[i, j] = value
    return box if np.all(np.diag(box) > 0) else None


# ---- .pdb ----

def read_pdb(path: Path) -> Structure:
    """The first model of a .pdb file, with the bonds of CONECT.

    Alternative locations: each residue uses its first label.  An atom without a location of this
    label uses its first location.
    """
    atoms, conect, box, ended = _Locations(), [], None, False
    number_of: dict[str, int | None] = {}  # numbers of atoms by serial; None: omitted location
    for at, line in enumerate(read_lines(path), start=1):
        record = line[:6].strip()
        if record in ("ATOM", "HETATM") and not ended:
            serial = line[6:11].strip()
            index = atoms.add(line, at)
            if serial.isdigit() and number_of.setdefault(serial, index) != index and index is not None:
                raise FileError(f"a second atom has the number {serial}", path, at)
        elif record == "CONECT":
            conect.append((line, at))
        elif record == "CRYST1":
            box = _cell(line, path, at)
        elif record == "ENDMDL":
            ended = True
    if not atoms.lines:
        raise FileError(f"{os.fspath(path)}: there is no ATOM or HETATM in it")
    bonds = {bond for line, at in conect for bond in _conect(line, number_of, path, at)}
    elements = _elements(atoms.lines, path)
    x = [[0.1 * number(line[i:i + 8], path, at, f"the entry at column {i + 1}") for i in (30, 38, 46)] for line, at in atoms.lines]
    left_out = {"atoms at alternative locations": atoms.left_out} if atoms.left_out else None
    return Structure(path, [line[12:16].strip() for line, _ in atoms.lines], [line[17:20].strip() for line, _ in atoms.lines], elements, x, None,
                     sorted(bonds), box, left_out)


class _Locations:
    """Lines of atoms as (text, line number), with one location for each atom."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, int]] = []
        self.left_out = 0
        self.label: dict[Any, tuple[str, str]] = {}  # by residue: the chosen label, and the name of the residue
        self.seen: dict[Any, tuple[str, int]] = {}  # by atom with a label: the label, and the number of the atom

    def add(self, line: str, at: int) -> int | None:
        """Adds a line.  Returns the number of the atom, None if the location is omitted."""
        label, residue = line[16:17].strip(), (line[21:22], line[22:27])
        if label:
            chosen, name = self.label.setdefault(residue, (label, line[17:20]))
            atom = (residue, line[12:16])
            known, index = self.seen.get(atom, (None, len(self.lines)))
            self.left_out += known is not None or name != line[17:20]
            if name != line[17:20] or known == chosen or known is not None and label != chosen:
                return None
            self.seen[atom] = label, index
            if known is not None:
                self.lines[index] = line, at
                return index
        self.lines.append((line, at))
        return len(self.lines) - 1


def _elements(lines: list[tuple[str, int]], path: Path) -> list[str]:
    left_aligned = not any(line[12:13] == " " for line, _ in lines)
    return [_element(line, left_aligned, path, at) for line, at in lines]


def _element(line: str, left_aligned: bool, path: Path, at: int) -> str:
    """The element in columns 77 and 78, or else from the beginning of the name.

    The symbol in a name ends in column 14, unless no name of the file has a blank in column 13
    (left-aligned names).  In that case H, C, N and O before a remoteness letter (CA, HG, NE) are
    one-letter symbols, except in a residue of the same name, which is an ion.
    """
    symbol = line[76:78].strip().upper()
    name = line[12:16].strip().upper()
    if not symbol:
        letters = name.lstrip("0123456789")
        two = line[12:14].upper()
        remote = left_aligned and re.match("[HCNO][ABGDEZHX]|P[ABG]", two) and name != line[17:20].strip().upper()
        is_hydrogen = two[:1] == "H" and len(name) == 4
        symbol = two if two in MASS and not remote and not is_hydrogen else letters[:1]
    if symbol not in MASS:
        raise FileError(f"no mass is known for the element of the atom '{line[12:16].strip()}': '{symbol}'; it belongs in columns 77 and 78",
                        path, at)
    return symbol


def _conect(line: str, number_of: dict[str, int | None], path: Path, at: int) -> list[tuple[int, int]]:
    serials = [line[i:i + 5].strip() for i in range(6, max(len(line.rstrip()), 11), 5)]
    for serial in serials[:5]:
        if serial and serial not in number_of:
            raise FileError(f"a bond to the atom {serial}, which is not in the file", path, at)
    if not serials[0]:
        raise FileError("CONECT without an atom", path, at)
    if serials[0] in serials[1:5]:
        raise FileError(f"a bond of the atom {serials[0]} with itself", path, at)
    first, *others = (number_of[serial] for serial in serials[:5] if serial)
    return [(min(first, other), max(first, other)) for other in others if first is not None and other is not None]


def _cell(line: str, path: Path, at: int) -> npt.NDArray[np.float64] | None:
    sides = [number(line[i:j], path, at, f"the entry at column {i + 1}") for i, j in ((6, 15), (15, 24), (24, 33), (33, 40), (40, 47), (47, 54))]
    return None if min(sides[:3]) <= 1.0 else cell(sides, path, at)  # 1 x 1 x 1 means that there is no box


def cell(sides: Sequence[float], path: Path, at: int | None = None) -> npt.NDArray[np.float64]:
    """Edges of a cell in nm, from three lengths in angstrom and three angles in degrees."""
    a, b, c, alpha, beta, gamma = sides
    cosines = [0.0 if angle == 90.0 else math.cos(math.radians(angle)) for angle in (alpha, beta, gamma)]
    sine = math.sqrt(1.0 - cosines[2] ** 2)
    cy = (cosines[0] - cosines[1] * cosines[2]) / sine if sine > 0 else math.inf
    rest = 1.0 - cosines[1] ** 2 - cy ** 2  # the squared z component of c/|c|
    if not (rest > 0 and 0 < min(alpha, beta, gamma) and max(alpha, beta, gamma) < 180):
        text = f"no cell has the angles {alpha:g}, {beta:g} and {gamma:g}"
        raise FileError(text if at else f"{path}: {text}", path if at else None, at)
    return 0.1 * np.array([[a, 0, 0], [b * cosines[2], b * sine, 0], [c * cosines[1], c * cy, c * math.sqrt(rest)]])
