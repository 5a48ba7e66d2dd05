# SPDX-License-Identifier: BSD-3-Clause
"""Exceptions.  Their messages come from the generator or the library."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .kinds import Path

if TYPE_CHECKING:
    from .rows import Rows


class Error(Exception):
    """The base class of all exceptions of this package.

    `status` is the status of the library, such as "SW_ERR_OFF_M", or None.

    Example::

        try:
            rows = sidewinder.Model("hopf.sw").sim(step=0.5).run(1000)
        except sidewinder.StepError as error:
            print(error, error.status, error.t)
            rows = error.rows
        except sidewinder.Error as error:
            print(error)
    """

    def __init__(self, message: str, status: str | None = None) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle would call __init__ with `args`, which have a different form in the subclasses."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[Error], args: tuple[Any, ...], members: dict[str, Any]) -> Error:
    """Creates an error without calling its __init__, for pickle and copy."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(members)
    return error


class InstallationError(Error):
    """The generator, the library or a C compiler is missing, or has an incompatible version."""


class ModelError(Error):
    """The model file has an error (`code` 2), or the theory does not cover the model (`code` 1).

    The message is that of the generator.  `Model.verify` and `Model.lyapunov` raise it with `code` 1
    if a check fails; the message is then the output of the command.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class OptionError(Error, ValueError):
    """An option or a name is unknown, or its value is invalid.

    The name may be that of a method, option, parameter, size, column or initial state.
    """


class FileError(Error, ValueError):
    """A file cannot be read.

    An output file was not written by a model's program, is truncated, or does not match its
    metadata.  A file of another program has an error or an unsupported feature; its message then
    begins with file:line:.
    """

    def __init__(self, message: str, path: Path | None = None, line: int | None = None) -> None:
        super().__init__(message if path is None else f"{path}:{line}: {message}")


class StepError(Error):
    """A step, a projection or a tangent has failed.  The state is unchanged.

    `t` is the time of this state, None for errors of `Model.report` and other methods that start a
    command.  `rows` are the rows that a run recorded before the failure; None if the error is not
    from a run.
    """

    def __init__(self, message: str, status: str | None, t: float | None = None, rows: Rows | None = None) -> None:
        super().__init__(message, status)
        self.t = t
        self.rows = rows
