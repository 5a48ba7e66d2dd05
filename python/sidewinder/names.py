# SPDX-License-Identifier: BSD-3-Clause
"""Names of entries, such as "q.6.y" of the array "q", and values by name."""
from __future__ import annotations

import difflib
import os
from decimal import Decimal
from numbers import Real
from typing import Any, Mapping

import numpy as np
import numpy.typing as npt

from .errors import OptionError
from .kinds import Names, Path


def unknown(what: str, name: object, names: list[str], place: str = "") -> OptionError:
    """The OptionError for a name that is not among `names`, with a suggestion.

    `place` says where the name belongs if it is like none of the names.
    """
    near = difflib.get_close_matches(str(name), names, 1)
    known = ", ".join(names[:25]) + (", ..." if len(names) > 25 else "")
    hint = f"; did you mean '{near[0]}'?" if near else f"; there are: {known}" if names else "; there is none"
    return OptionError(f"there is no {what} '{name}'{hint}{'' if near or not place else '; ' + place}")


def path_text(what: str, value: Path) -> str:
    """The path as text; OptionError if it is none."""
    if not isinstance(value, (str, os.PathLike)):
        raise OptionError(f"{what} is a path, a text or os.PathLike, not {type(value).__name__}")
    return os.fspath(value)


def by_name(what: str, value: Any) -> dict[str, Any]:
    """A copy of a dict; {} for None; OptionError for other values."""
    if value is not None and not isinstance(value, Mapping):
        raise OptionError(f"{what} is a dict by name, not {type(value).__name__}")
    return dict(value or {})


def joined(columns: Names) -> str:
    """Names of columns, separated by commas."""
    given: Any = columns
    names = [given] if isinstance(given, str) or not np.iterable(given) else list(given)
    for name in names:
        if not isinstance(name, str):
            raise OptionError(f'columns are names, such as "q" or ["q.1", "energy"], not {type(name).__name__} objects')
    return ",".join(names)


def is_masked(values: Any) -> bool:
    """Whether an entry of an array, or of arrays in nested lists, is masked."""
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.any(values.mask))
    return isinstance(values, (list, tuple)) and any(is_masked(entry) for entry in values)


def is_real(value: object) -> bool:
    """Whether this is a real number.

    Python counts NumPy's timedelta64 as one; this function does not.
    """
    return isinstance(value, (Real, Decimal)) and not isinstance(value, np.timedelta64)


def reals(what: str, values: Any) -> npt.NDArray[np.float64]:
    """The values as a new array of doubles.

    OptionError for masked entries, complex numbers, texts, dates and None, which NumPy would
    convert.
    """
    if is_masked(values):
        raise OptionError(f"{what} has masked entries; fill them first")
    try:
        found = np.asarray(values)
        if found.dtype.kind == "O" and all(is_real(entry) for entry in found.flat):
            found = found.astype(np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise OptionError(f"{what}: {error}") from error
    if found.dtype.kind == "c":
        raise OptionError(f"{what} has complex entries; give their real part")
    if found.dtype.kind not in "biuf" and found.ndim == 0:
        raise OptionError(f"{what}: {values!r} is not a real number")
    if found.dtype.kind not in "biuf":
        raise OptionError(f"{what} has entries that are not real numbers ({found.dtype})")
    return np.array(found, dtype=np.float64, order="C")


def numbers(what: str, values: Any, n: int) -> npt.NDArray[np.float64]:
    """Values of any shape as a flat array of n doubles.

    OptionError for another number of values.
    """
    found = reals(what, values)
    if found.size != n:
        raise OptionError(f"{what} has {n} values, not {found.size}")
    return found.reshape(n)


def real(what: str, value: Any) -> float:
    """One number as a float."""
    return float(numbers(what, value, 1)[0])


def fill(what: str, names: list[str], values: npt.NDArray[np.float64], given: Any) -> npt.NDArray[np.float64]:
    """A copy of `values`, which has one value for each name, updated with `given`.

    `given` has all values, or is a dict by the names of entries and arrays.  An array gets one
    number for all its entries, or one number for each entry, in the order of the model file's
    indices.
    """
    if not isinstance(given, dict):
        return numbers("k" if what == "parameter" else f"an array of {what}s", given, len(names))
    filled = values.copy()
    for name, value in given.items():
        where = [i for i, entry in enumerate(names) if entry == name or entry.startswith(f"{name}.")]
        if not where:
            raise unknown(what, name, list(dict.fromkeys([entry.split(".")[0] for entry in names] + names)))
        value = reals(f"{what} '{name}'", value)
        filled[where] = value if value.ndim == 0 else numbers(f"{what} '{name}'", value, len(where))
    return filled
