# SPDX-License-Identifier: BSD-3-Clause
"""Names of entries, such as "q.6.y" of the array "q", and values that are given by them."""
import difflib

import numpy as np

from .errors import OptionError


def unknown(what, name, names):
    """OptionError for a name that is not among `names`."""
    near = difflib.get_close_matches(str(name), names, 1)
    known = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    hint = f"; did you mean '{near[0]}'?" if near else f"; there are: {known}" if names else "; there is none"
    return OptionError(f"there is no {what} '{name}'{hint}")


def numbers(what, values, n):
    """n doubles of any shape, one after the other."""
    try:
        found = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"{what}: {error}") from error
    if found.size != n:
        raise OptionError(f"{what} has {n} values, not {found.size}")
    return np.ascontiguousarray(found.reshape(n))


def fill(what, names, values, given):
    """A copy of values, one for each name, with what is given: all of them, or a dict by the names of entries and of arrays.

    An array takes one number for all its entries, or as many as it has, in the order of the model file's indices.
    """
    if not isinstance(given, dict):
        return numbers(what, given, len(names))
    filled = values.copy()
    for name, value in given.items():
        where = [i for i, entry in enumerate(names) if entry == name or entry.startswith(f"{name}.")]
        if not where:
            raise unknown(what, name, list(dict.fromkeys([entry.split(".")[0] for entry in names] + names)))
        if np.ndim(value) == 0:
            value = [value] * len(where)
        filled[where] = numbers(f"{what} '{name}'", value, len(where))
    return filled
