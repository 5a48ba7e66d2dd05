# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, in words of the generator and of the library."""


class Error(Exception):
    """Of all that follow.  `status` is the library's code, such as "SW_ERR_OFF_M", or None."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status

    def __reduce__(self):
        """The arguments of __init__ differ from `args`, which pickle would call it with."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind, args, members):
    """An error without a call of its __init__, for pickle and copy."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(members)
    return error


class InstallationError(Error):
    """The generator, the library or a C compiler is missing, or does not go with this package."""


class ModelError(Error):
    """The model file is wrong (`code` 2), or the theory does not cover it (`code` 1); the message is the generator's."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class OptionError(Error, ValueError):
    """There is no such method, option, parameter, size, column or initial state, or its value is refused."""


class FileError(Error, ValueError):
    """A file is not what a model's program has written, is cut short, or is not the one that its metadata are about; or one in a format of
    another program is wrong, or has what is not understood: then the message begins with file:line:."""

    def __init__(self, message, path=None, line=None):
        super().__init__(message if path is None else f"{path}:{line}: {message}")


class StepError(Error):
    """A step, a projection or a tangent has failed; the state is what it was before.

    `t` is the time of that state, `rows` what a run had recorded until then (None elsewhere).
    """

    def __init__(self, message, status, t=None, rows=None):
        super().__init__(message, status)
        self.t = t
        self.rows = rows
