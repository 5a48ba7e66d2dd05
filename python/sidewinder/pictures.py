# SPDX-License-Identifier: BSD-3-Clause
"""Pages and pictures: runs `sidewinder report` and `sidewinder plot`."""
import json
import os
import tempfile

import numpy as np

from .errors import InstallationError, ModelError, OptionError, StepError
from .generator import Installation
from .names import real, reals


def _values(folder, name, value):
    """The option --set for one number, or for an array, which is written to a file."""
    if np.ndim(value) == 0:
        return f"--set={name}={real(name, value)!r}"
    path = os.path.join(folder, f"{name}.npy")
    np.save(path, reals(name, value))
    return f"--set={name}=@{path}"


def _words(folder, options):
    """Options of `run` as words: step=0.1 is --step=0.1, project=True is --project.

    The options k and sizes are dicts.
    """
    given = dict(options)
    words = [f"--size={name}={value}" for name, value in (given.pop("sizes", None) or {}).items()]
    words += [_values(folder, name, value) for name, value in (given.pop("k", None) or {}).items()]
    for name, value in given.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option}={value}")
    return words


def _draw(installation, words, folder):
    """Runs a command that writes a file; raises an exception according to its exit code."""
    code, _, said = installation.run(*words, folder=folder)
    if code == 1:
        raise ModelError(said, code)
    if code == 2:
        raise OptionError(said)
    if code == 3 and "step " in said:
        raise StepError(said, None)
    if code:
        raise InstallationError(said)


def of_model(command, model, path, options, words=()):
    """Runs `command` on the model's text, which is a file in the model's temporary folder."""
    path = os.path.abspath(os.fspath(path))
    with tempfile.TemporaryDirectory(prefix="sidewinder-") as folder:
        asked = [command, "-o", path, model._file, *_words(folder, options), *words]
        _draw(model._installation, asked, model._folder.name)
    return path


def of_rows(rows, path, columns, x):
    """Draws columns of rows of shape (R,) over the column x."""
    if rows.ndim != 1:
        raise OptionError("rows of one trajectory are drawn: rows[:, i]")
    path = os.path.abspath(os.fspath(path))
    names = list(rows.dtype.names)
    with tempfile.TemporaryDirectory(prefix="sidewinder-") as folder:
        file = os.path.join(folder, "rows.npy")
        np.save(file, np.stack([np.asarray(rows[name], dtype=np.float64) for name in names], axis=-1))
        with open(file + ".json", "w", encoding="utf-8") as about:
            json.dump({"columns": names}, about)
        words = ["plot", file, *listed(columns), "-o", path]
        _draw(Installation(), words + ([] if x is None else ["-x", x]), folder)
    return path


def listed(columns):
    """The names as one comma-separated word in a list; [] if columns is None."""
    if columns is None:
        return []
    return [columns if isinstance(columns, str) else ",".join(columns)]
