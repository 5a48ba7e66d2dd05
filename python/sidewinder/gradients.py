# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of a loss over a trajectory (docs/mathematics.md, "Gradients")."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from .errors import OptionError
from .library import LOSS
from .names import numbers, real

# loss(step, t, z): None, or the value l and its derivative dl/dz, 2d values
Loss = Callable[[int, float, npt.NDArray[np.float64]], Optional[Tuple[float, npt.ArrayLike]]]


class Gradient(NamedTuple):
    """A loss L over a trajectory, and its derivatives.

    `k` and `inputs` are empty and `h` is None unless the simulation was created with
    ``derivatives=True``.
    """

    value: float
    """L."""
    z0: npt.NDArray[np.float64]
    """dL/dz0 at the start of the trajectory, (2d,), or (4d,) for "bdf2"."""
    k: dict[str, float]
    """dL/dk by name, for a fixed z0.  An input has the sum of its derivatives over all steps."""
    h: float | None
    """dL/dh for the step size h."""
    inputs: npt.NDArray[np.float64]
    """The derivatives with respect to the inputs of each step, (steps, number of inputs)."""


class Caller:
    """Calls a loss from C, and keeps its exception."""

    def __init__(self, loss: Loss, dim: int) -> None:
        if not callable(loss):
            raise OptionError(f"loss is a function of (step, t, z), not {type(loss).__name__}")
        self.error: BaseException | None = None
        self._loss = loss
        self._dim = dim
        self.function = LOSS(self._call)

    def _call(self, step: int, t: float, z: Any, value: Any, gradient: Any) -> int:
        try:
            found = self._loss(step, t, np.ctypeslib.as_array(z, (self._dim,)).copy())
            if found is not None:
                if not isinstance(found, (tuple, list)) or len(found) != 2:
                    raise OptionError("a loss returns None, or two values: l and its derivative dl/dz")
                value[0] = real("the value of the loss", found[0])
                np.ctypeslib.as_array(gradient, (self._dim,))[:] = numbers("the derivative of the loss", found[1], self._dim)
            return 0
        except BaseException as error:  # raised again after the call; C code cannot pass it on
            self.error = error
            return 1


def rows_of_inputs(inputs: npt.ArrayLike, steps: int, n: int) -> npt.NDArray[np.float64]:
    """The inputs of each step, steps x n."""
    given = numbers("the array of inputs", inputs, steps * n)
    shape = np.shape(inputs)
    if len(shape) > 1 and shape != (steps, n):
        raise OptionError(f"inputs has the shape (steps, number of inputs), {(steps, n)}, not {shape}")
    return given


def place(array: npt.NDArray[np.float64] | None) -> ctypes.c_void_p | None:
    """The address of an array for an argument that may be NULL."""
    return None if array is None or array.size == 0 else array.ctypes.data_as(ctypes.c_void_p)
