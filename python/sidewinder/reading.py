# SPDX-License-Identifier: BSD-3-Clause
"""Reads output files of models' programs, `run --out`, `run --events` and `ensemble --out`, as Rows."""
from __future__ import annotations

import json
import os
import re
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import FileError
from .kinds import Path
from .names import path_text
from .rows import Rows

TABLES = ("trajectory", "crossings")  # kinds of files with rows of one run
TRR_WORD = b"GMX_trn_file"
TRR_HEAD = np.dtype([("magic", ">i4"), ("lengths", ">i4", 2), ("word", "S12"), ("sizes", ">i4", 10), ("n", ">i4"), ("step", ">i4"),
                     ("nre", ">i4"), ("t", ">f8"), ("coupling", ">f8")])  # fmt: skip


def read(path: Path) -> Rows:
    """The rows of a file whose name ends in .csv, .npy, .h5, .hdf5, .xyz, .extxyz or .trr.

    The values equal the written ones bit for bit, in the units of the model.  Lengths of an .xyz or
    .extxyz file in angstrom are converted back to these units, to round-off.

    `metadata` of the rows is the dict in FILE.json (docs/output.md).  A .csv file may lack
    FILE.json, and its metadata is then {}; the other formats need it,
    except .h5, which contains it.

    Crossings of `run --events` have the number of each event in metadata["events"].

    :param path: the output of `run --out`, `run --events` or `ensemble --out`
    :returns: rows of shape (R,), or (R, W) for an ensemble written with --trajectories
    :raises FileError: no program has written the file, it does not match FILE.json, or it is
        truncated
    :raises OptionError: path is no path
    :raises OSError: the file cannot be opened

    Example::

        rows = sidewinder.read("traj.h5")
        print(rows["t"], rows["q"], rows.metadata["parameters"])
    """
    path = path_text("the file", path)
    ending = os.path.splitext(path)[1].lower()
    if ending in (".h5", ".hdf5"):
        about, names, values = _hdf5(path)
    elif ending in READERS:
        about = _about(path, needed=ending != ".csv")
        names, values = READERS[ending](path, about)
    else:
        raise FileError(f"{path}: the name ends in none of {', '.join([*READERS, '.h5', '.hdf5'])}, so its format is not known")
    if about and (values.shape[0] != about["rows"] or about["kind"] not in (*TABLES, "ensemble")):
        raise FileError(f"{path} has {values.shape[0]} rows, and its metadata say {about['rows']}: they do not belong together")
    if "crc32" in about and about["crc32"] != _digest(path, ending):
        raise FileError(f"{path} is not the file that its metadata are about: its digest is another one")
    rows = Rows.of(np.ascontiguousarray(values), names)
    rows.metadata = about
    return rows


def _digest(path: str, ending: str) -> int:
    """CRC-32 of a file; for .npy and .h5, CRC-32 of the bytes of the array."""
    if ending in (".h5", ".hdf5"):
        import h5py

        with h5py.File(path, "r") as file:
            return zlib.crc32(np.ascontiguousarray(file["trajectory"][()], dtype="<f8").data)
    if ending == ".npy":
        return zlib.crc32(np.ascontiguousarray(np.load(path, allow_pickle=False), dtype="<f8").data)
    digest = 0
    with open(path, "rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            digest = zlib.crc32(part, digest)
    return digest


def _about(path: str, needed: bool) -> dict[str, Any]:
    """The metadata in FILE.json; {} if the file does not exist and is not needed."""
    try:
        with open(path + ".json", encoding="utf-8") as file:
            about: dict[str, Any] = json.load(file)
    except FileNotFoundError:
        if needed:
            raise FileError(f"{path}.json is not there, and {path} does not say which columns it has") from None
        return {}
    except ValueError as error:
        raise FileError(f"{path}.json: {error}") from error
    if about.get("kind") not in TABLES:
        raise FileError(f"{path}.json is about a {about.get('kind')}, not about a trajectory")
    return about


def _csv(path: str, about: dict[str, Any]) -> tuple[list[str], npt.NDArray[np.float64]]:
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
        if about and names != about["columns"]:
            raise FileError(f"{path} has other columns than {path}.json says")
        numbers = {name: str(i) for i, name in enumerate(about.get("events", []))}
        lines = (",".join([numbers.get(line.split(",")[0], "?"), *line.split(",")[1:]]) for line in file) if numbers else file
        try:
            values = np.loadtxt(lines, delimiter=",", ndmin=2)
        except ValueError as error:
            raise FileError(f"{path}: {error}") from error
    with open(path, "rb") as file:
        file.seek(max(os.path.getsize(path) - 1, 0))
        if file.read() != b"\n" or (len(values) and values.shape[1] != len(names)):
            raise FileError(f"{path} is cut short, or is no trajectory")
    return names, values.reshape(-1, len(names))


def _npy(path: str, about: dict[str, Any]) -> tuple[list[str], npt.NDArray[np.float64]]:
    try:
        values = np.load(path, allow_pickle=False)
    except ValueError as error:
        raise FileError(f"{path}: {error}") from error
    if values.ndim != 2 or values.shape[1] != len(about["columns"]):
        raise FileError(f"{path} has other columns than {path}.json says")
    return about["columns"], values


def _crc32_of(data_set: Any) -> int:
    """CRC-32 of the bytes of a data set's values; a text is padded with zeros to its full size."""
    values = data_set[()]
    size = data_set.dtype.itemsize
    return zlib.crc32(values.ljust(size, b"\0") if isinstance(values, bytes) else np.ascontiguousarray(values).data)


def _hdf5(path: str) -> tuple[dict[str, Any], list[str], npt.NDArray[np.float64]]:
    try:
        import h5py
    except ImportError as error:
        raise FileError(f"{path}: HDF5 is read with h5py, which is not there (Debian: python3-h5py); write .npy") from error
    try:
        with h5py.File(path, "r") as file:
            return _hdf5_values(path, file)
    except (FileError, FileNotFoundError, PermissionError):
        raise
    except (OSError, KeyError, RuntimeError, ValueError) as error:
        raise FileError(f"{path} cannot be read as HDF5: {error}") from error


def _hdf5_values(path: str, file: Any) -> tuple[dict[str, Any], list[str], npt.NDArray[np.float64]]:
    if "metadata" not in file or ("trajectory" not in file and "mean" not in file):
        raise FileError(f"{path} has not been written by a model's program")
    if "crc32" in file and list(file["crc32"][()]) != [_crc32_of(file[name]) for name in sorted(file) if name != "crc32"]:
        raise FileError(f"{path} is damaged: its data sets have other digests than its 'crc32' says")
    about = json.loads(file["metadata"][()].decode())
    names = [name.decode() for name in file["columns"][()]]
    if about["kind"] in TABLES:
        return about, names, file["trajectory"][()]
    if "values" not in file:
        raise FileError(
            f"{path} has statistics of an ensemble and no trajectories: write it with --trajectories, or read "
            f"'mean', 'variance' and 'quantiles' with h5py"
        )
    return about, names, file["values"][()].transpose(0, 2, 1)


def _points(about: dict[str, Any]) -> tuple[list[str], list[int]]:
    """Names of all coordinates of n points, and their positions among 3 n values.

    Points may have fewer than three coordinates.
    """
    names = [name for point in about["points"] for name in point + [None] * (3 - len(point))]
    return [name for name in names if name], [i for i, name in enumerate(names) if name]


NAME_VALUE = re.compile(r'(\S+?)=("[^"]*"|\S*)')


def _xyz(path: str, about: dict[str, Any]) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Column names and frames of an .xyz or .extxyz file, the latter possibly with velocities."""
    names, at = _points(about)
    kinds = 2 if about["velocities"] else 1
    n, values = len(about["points"]), []
    scale = about["parameters"].get("angstroms", 1)
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if len(lines) % (n + 2) != 1 or lines[-1]:
        raise FileError(f"{path} is cut short, or its frames have not the {n} points of {path}.json")
    try:
        for first in range(0, len(lines) - 1, n + 2):
            said = dict(NAME_VALUE.findall(lines[first + 1]))
            points = np.array([line.split()[1:] for line in lines[first + 2 : first + 2 + n]], dtype=float).reshape(n, kinds, 3)
            vectors = points.transpose(1, 0, 2).reshape(kinds, 3 * n)[:, at] / scale
            values.append([float(said[name]) for name in about["columns"]] + [*vectors.ravel()])
    except (KeyError, IndexError, ValueError) as error:
        raise FileError(f"{path}: the frame at line {first + 1} is not as {path}.json says: {error}") from error
    names = names + [f"velocity.{name}" for name in names if about["velocities"]]
    return about["columns"] + names, np.array(values).reshape(len(values), -1)


def _trr(path: str, about: dict[str, Any]) -> tuple[list[str], npt.NDArray[np.float64]]:
    names, at = _points(about)
    n = len(about["points"])
    frame = np.dtype([("head", TRR_HEAD), ("x", ">f8", 3 * n), ("v", ">f8", 3 * n)])
    with open(path, "rb") as file:
        data = file.read()
    if len(data) % frame.itemsize:
        raise FileError(f"{path} is cut short, or its frames have not the {n} points of {path}.json")
    frames = np.frombuffer(data, frame)
    head = frames["head"]
    if not ((head["magic"] == 1993) & (head["word"] == TRR_WORD) & (head["n"] == n) & (head["sizes"][:, 7:9] == 24 * n).all(axis=1)).all():
        raise FileError(f"{path} is no .trr file of {n} points with velocities in double precision")
    columns = [head["step"], head["t"], *frames["x"].T[at], *frames["v"].T[at]]
    return ["step", "t"] + names + [f"velocity.{name}" for name in names], np.stack(columns, axis=1).astype(np.float64)


READERS = {".csv": _csv, ".npy": _npy, ".xyz": _xyz, ".extxyz": _xyz, ".trr": _trr}
