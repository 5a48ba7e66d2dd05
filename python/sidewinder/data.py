# SPDX-License-Identifier: BSD-3-Clause
"""Data of a model (docs/data.md): sets, index arrays and parameters, from a file or by name."""
from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from .errors import OptionError
from .kinds import Source
from .library import Handle, Library, copied
from .names import is_masked, is_real, path_text


def _entries(
        name: str, value: Any
) -> Iterator[tuple[str, tuple[int, ...], npt.NDArray[np.float64], list[bytes | None] | None]]:
    """Yields arrays of numbers and labels by name.

    The keys of a dict are elements of the array's last set.
    """
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _entries(f"{name}.{key}", part)
    else:
        yield name, *_array(name, value)


def _array(name: str, value: Any) -> tuple[tuple[int, ...], npt.NDArray[np.float64], list[bytes | None] | None]:
    """The shape of a value, its numbers, and its labels (None if all entries are numbers)."""
    if is_masked(value):
        raise OptionError(f"data: '{name}' has masked entries; fill them first")
    try:
        found = np.asarray(value)
        if found.dtype.kind in "iuf":
            return found.shape, np.ascontiguousarray(found, dtype=np.float64).reshape(-1), None
        found = np.array(value, dtype=object)
    except (TypeError, ValueError) as error:
        raise OptionError(f"data: '{name}': {error}") from error
    flat = found.reshape(-1).tolist()
    labels = [entry.encode() if isinstance(entry, str) else None for entry in flat]
    for entry in flat:
        if isinstance(entry, (bool, np.bool_)) or not (isinstance(entry, str) or is_real(entry)):
            raise OptionError(f"data: '{name}' has the entry {entry!r}, which is neither a number nor a label")
    return found.shape, np.array([0.0 if isinstance(entry, str) else entry for entry in flat], dtype=np.float64), labels


class Data(Handle):
    """The data of a simulation, from a file, from a folder, or from a dict of arrays by name."""

    def __init__(self, library: Library, options: Any, given: Source) -> None:
        self._lib, self._handle, said = library, ctypes.c_void_p(), library.buffer()
        path, arrays = None, None
        kept: list[Any] = []  # memory that the arrays point to
        try:
            if isinstance(given, dict):
                arrays = self._arrays(given, kept)
            else:
                path = os.fsencode(path_text("data, unless it is a dict,", given))
            status = library.swpy_options_set_data(options, path, arrays, self._handle, said)
        finally:
            if arrays:
                library.swpy_arrays_free(arrays)
        if status:
            library.refuse(status, said.value.decode("utf-8", "replace"))
        self._finalizer = weakref.finalize(self, library.sw_data_free, ctypes.byref(self._handle))

    def _arrays(self, given: dict[str, Any], kept: list[Any]) -> Any:
        items = [entry for name, value in given.items() for entry in _entries(str(name), value)]
        arrays = self._lib.swpy_arrays_new(len(items))
        if not arrays:
            raise MemoryError("data")
        for i, (name, shape, values, labels) in enumerate(items):
            texts = None if labels is None else (ctypes.c_char_p * (len(labels) + 1))(*labels)
            size = np.array(shape or (0,), dtype=np.dtype("l"))
            kept += [name.encode(), values, texts]
            if not self._lib.swpy_arrays_set(arrays, i, kept[-3], len(shape), size, values, texts):
                self._lib.swpy_arrays_free(arrays)
                raise OptionError(f"data: '{name}' has too many indices")
        return arrays

    @property
    def k(self) -> npt.NDArray[np.float64]:
        """The parameters, nk values.

        Parameters that the data lack have their defaults, or NaN without a default.
        """
        return copied(self._lib.sw_data_parameters(self._handle), self._lib.sw_data_nk(self._handle))
