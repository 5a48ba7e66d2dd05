# SPDX-License-Identifier: BSD-3-Clause
"""Types of arguments, for annotations."""
import os
from typing import Any, Callable, Dict, Iterable, Tuple, Union

import numpy.typing as npt

Path = Union[str, "os.PathLike[str]"]
Names = Union[str, Iterable[str]]  # one or several names; a text may have several, separated by commas
Parameters = Union[Dict[str, Any], npt.ArrayLike]  # all values, or values by name
Source = Union[Path, Dict[str, Any]]  # data: a file, a folder, or arrays by name
Progress = Callable[[int, int], object]  # called with the number of steps taken, and of all steps
Ends = Tuple[int, ...]  # atoms of a term, from 0
