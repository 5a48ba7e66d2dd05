# SPDX-License-Identifier: BSD-3-Clause
"""Atoms and their positions from .gro and .pdb files, in nm and ps.

GROMACS Reference Manual, "File formats: gro"; Protein Data Bank Contents Guide 3.3, sections 8 and 10.
"""
import math
import os
import re

import numpy as np

from .elements import MASS
from .errors import FileError

DECIMAL = re.compile(r"[ ]*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?[ ]*")


class Structure:
    """path: of its file.  names, residues: of n atoms.  elements: symbols in capitals, or None.  x: (n, 3), nm.
    v: (n, 3), nm/ps, or None.  bonds: pairs (i, j), i < j, counted from 0, in order.  box: (3, 3), rows are its edges, or None."""

    def __init__(self, path, names, residues, elements, x, v, bonds, box):
        self.path = path
        self.names = names
        self.residues = residues
        self.elements = elements
        self.x = np.array(x, dtype=float).reshape(len(names), 3)
        self.v = None if v is None else np.array(v, dtype=float).reshape(len(names), 3)
        self.bonds = bonds
        self.box = box


def read_lines(path):
    """The lines of a text file without their ends; FileError where there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: {error.strerror}") from error


def number(text, path, line, what):
    """A finite number; Fortran's and Python's other spellings of one are none."""
    if not DECIMAL.fullmatch(text) or not math.isfinite(float(text)):
        raise FileError(f"{what} is not a number: '{text.strip()}'", path, line)
    return float(text)


def read_structure(path):
    """By the file's ending."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    readers = {".gro": read_gro, ".pdb": read_pdb, ".ent": read_pdb}
    if ending not in readers:
        raise FileError(f"{os.fspath(path)}: its name ends in none of {', '.join(sorted(readers))}")
    return readers[ending](path)


# ---- .gro ----

def read_gro(path):
    """The first frame of the file: fixed columns, of which the distance of the first two decimal points says how wide they are."""
    lines = read_lines(path)
    if len(lines) < 2 or not re.fullmatch(r"\s*\d+\s*", lines[1]):
        raise FileError("the second line is to be the number of atoms", path, 2)
    count = int(lines[1])
    if count == 0:
        raise FileError("the file has no atoms", path, 2)
    if len(lines) < count + 3:
        raise FileError(f"the file ends here, with {max(len(lines) - 2, 0)} lines behind the number of atoms, which is {count}; one more "
                          "than that is to follow, with the box", path, len(lines))
    width = _width(lines[2], path)
    names, residues, x, v = [], [], [], []
    moving = len(lines[2].rstrip()) > 20 + 3 * width
    for at, line in enumerate(lines[2:count + 2], start=3):
        needed = 20 + (6 if moving else 3) * width
        if len(line.rstrip()) < needed:
            raise FileError(f"an atom is to have {6 if moving else 3} numbers, {width} columns each, behind column 20", path, at)
        names.append(line[10:15].strip())
        residues.append(line[5:10].strip())
        fields = [line[start:start + width] for start in range(20, needed, width)]
        values = [number(field, path, at, f"what stands from column {21 + i * width}") for i, field in enumerate(fields)]
        x.append(values[:3])
        v.append(values[3:])
    return Structure(path, names, residues, None, x, v if moving else None, [], _box(lines[count + 2], path, count + 3))


def _width(line, path):
    points = [i for i, c in enumerate(line) if c == "." and i >= 20]
    if len(points) < 3 or points[1] - points[0] != points[2] - points[1]:
        raise FileError("an atom is to have three positions behind column 20, with decimal points at equal distances", path, 3)
    return points[1] - points[0]


def _box(line, path, at):
    """v1x v2y v3z, and of one with other angles v1y v1z v2x v2z v3x v3y."""
    values = [number(word, path, at, "an edge of the box") for word in line.split()]
    if len(values) not in (3, 9):
        raise FileError(f"the box is to have 3 or 9 numbers, not {len(values)}", path, at)
    box = np.diag(values[:3])
    if len(values) == 9:
        for (i, j), value in zip(((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)), values[3:]):
            box[i, j] = value
    return box if np.all(np.diag(box) > 0) else None


# ---- .pdb ----

def read_pdb(path):
    """The first model of the file, of alternative locations those that are marked blank or A; its bonds from CONECT."""
    names, residues, elements, x, bonds, number_of = [], [], [], [], set(), {}
    box, behind = None, False
    for at, line in enumerate(read_lines(path), start=1):
        record = line[:6].strip()
        if record in ("ATOM", "HETATM") and not behind:
            serial = line[6:11].strip()
            if line[16:17] not in ("", " ", "A"):
                number_of.setdefault(serial, None)
                continue
            if serial.isdigit() and number_of.setdefault(serial, len(names)) != len(names):
                raise FileError(f"a second atom has the number {serial}", path, at)
            names.append(line[12:16].strip())
            residues.append(line[17:20].strip())
            elements.append(_element(line, path, at))
            x.append([0.1 * number(line[i:i + 8], path, at, f"what stands from column {i + 1}") for i in (30, 38, 46)])
        elif record == "CONECT":
            bonds.update(_conect(line, number_of, path, at))
        elif record == "CRYST1":
            box = _cell(line, path, at)
        elif record == "ENDMDL":
            behind = True
    if not names:
        raise FileError(f"{os.fspath(path)}: there is no ATOM or HETATM in it")
    return Structure(path, names, residues, elements, x, None, sorted(bonds), box)


def _element(line, path, at):
    """Columns 77 and 78; where they are blank, what the name begins with, the symbol of an element ending in column 14."""
    symbol = line[76:78].strip().upper()
    if not symbol:
        begin = line[12:14].upper()
        symbol = begin.strip() if begin.strip() in MASS and not begin[:1].isdigit() else begin[1:].strip()
        if begin[:1] == "H" and len(line[12:16].strip()) == 4:
            symbol = "H"
    if symbol not in MASS:
        raise FileError(f"no mass is known for the element of the atom '{line[12:16].strip()}': '{symbol}'; it belongs in columns 77 and 78",
                          path, at)
    return symbol


def _conect(line, number_of, path, at):
    serials = [line[i:i + 5].strip() for i in range(6, max(len(line.rstrip()), 11), 5)]
    for serial in serials[:5]:
        if serial and serial not in number_of:
            raise FileError(f"a bond to the atom {serial}, which is not in the file", path, at)
    if not serials[0]:
        raise FileError("CONECT without an atom", path, at)
    if serials[0] in serials[1:5]:
        raise FileError(f"a bond of the atom {serials[0]} with itself", path, at)
    first, *others = (number_of[serial] for serial in serials[:5] if serial)
    return [(min(first, other), max(first, other)) for other in others if None not in (first, other)]  # None: another location


def _cell(line, path, at):
    a, b, c, alpha, beta, gamma = (number(line[i:j], path, at, f"what stands from column {i + 1}")
                                   for i, j in ((6, 15), (15, 24), (24, 33), (33, 40), (40, 47), (47, 54)))
    if min(a, b, c) <= 1.0:
        return None  # 1 x 1 x 1 stands for none
    cosines = [0.0 if angle == 90.0 else math.cos(math.radians(angle)) for angle in (alpha, beta, gamma)]
    sine = math.sqrt(1.0 - cosines[2] ** 2)
    cy = (cosines[0] - cosines[1] * cosines[2]) / sine if sine > 0 else math.inf
    rest = 1.0 - cosines[1] ** 2 - cy ** 2  # of c/|c|, its part along z, squared
    if not (rest > 0 and 0 < min(alpha, beta, gamma) and max(alpha, beta, gamma) < 180):
        raise FileError(f"no cell has the angles {alpha:g}, {beta:g} and {gamma:g}", path, at)
    return 0.1 * np.array([[a, 0, 0], [b * cosines[2], b * sine, 0], [c * cosines[1], c * cy, c * math.sqrt(rest)]])
