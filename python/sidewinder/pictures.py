# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands on a model: pages and pictures (report, plot), and texts (verify, advise, ...)."""
from __future__ import annotations

import json
import os
import re
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, Mapping

import numpy as np

from .errors import InstallationError, ModelError, OptionError, StepError
from .generator import Installation
from .kinds import Names, Path
from .names import by_name, joined, path_text, real, reals

if TYPE_CHECKING:
    from .model import Model
    from .rows import Rows

INPUTS = ("base_file", "data", "init_file")  # options whose values are paths of files to read
PLACES = {
    **dict.fromkeys(("h", "dt"), "the step size is step="),
    **dict.fromkeys(("z", "q", "p"), "values are those of init=, the name of an initial state, or of init_file="),
}


def _values(folder: str, name: str, value: Any) -> str:
    """The option --set for one number, or for an array, which is written to a file."""
    if np.ndim(value) == 0:
        return f"--set={name}={real(name, value)!r}"
    path = os.path.join(folder, f"{name}.npy")
    np.save(path, reals(name, value))
    return f"--set={name}=@{path}"


def _words(folder: str, options: Mapping[str, Any]) -> list[str]:
    """Options of `run` as words: step=0.1 is --step=0.1, project=True is --project.

    The options k and sizes are dicts, and so may base be, a tableau as for Model.sim.
    """
    given = dict(options)
    if isinstance(given.get("base"), dict):
        given["base_file"] = os.path.join(folder, "base.json")
        with open(given["base_file"], "w", encoding="utf-8") as file:
            json.dump({"name": "tableau", **given.pop("base")}, file, default=lambda values: np.asarray(values).tolist())
    words = [f"--size={name}={value}" for name, value in by_name("sizes", given.pop("sizes", None)).items()]
    words += [_values(folder, name, value) for name, value in by_name("k of a command", given.pop("k", None)).items()]
    for name, value in given.items():
        option = "--" + name.replace("_", "-")
        if name in INPUTS and value is not None:
            words.append(f"{option}={os.path.abspath(path_text(name, value))}")
        elif name in PLACES:
            raise OptionError(f"a command has no option '{name}'; {PLACES[name]}")
        elif value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option}={value}")
    return words


def _run(installation: Installation, words: Iterable[str], folder: str) -> str:
    """Runs a command, and returns its output; raises an exception according to its exit code."""
    code, out, said = installation.run(*words, folder=folder)
    said = re.sub(r"\nTry [`'][^`']*--help'.*", "", said, flags=re.DOTALL)  # not a remedy for Python
    if code == 1:
        raise ModelError("\n".join(text for text in (said, out.strip()) if text), code)
    if code == 2:
        raise OptionError(said)
    if code == 3 and ("step " in said or "failed at t = " in said):
        raise StepError(said, None)
    if code:
        raise InstallationError(said)
    return out


def _to_write(path: Path, ending: str) -> str:
    """The absolute path of a file to write, whose name has this ending."""
    text = path_text("the first argument", path)
    if not text.endswith(ending):
        raise OptionError(f"the first argument is a path that ends in '{ending}', not {text!r}; columns are the second one")
    if not os.path.isdir(os.path.dirname(os.path.abspath(text))):
        raise FileNotFoundError(f"there is no folder for {text!r}")
    return os.path.abspath(text)


def of_model(
        command: str, model: Model, path: Path, options: Mapping[str, Any],
        words: Iterable[str] = ()
) -> str:
    """Runs `command` on the model's text, which is a file in the model's temporary folder."""
    path = _to_write(path, ".svg" if command == "plot" else "")
    with tempfile.TemporaryDirectory(prefix="sidewinder-") as folder:
        asked = [command, "-o", path, model._file, *_words(folder, options), *words]
        _run(model._installation, asked, model._folder.name)
    return path


def text_of_model(command: str, model: Model, options: Mapping[str, Any]) -> str:
    """Runs `command` on the model's text, and returns its output."""
    with tempfile.TemporaryDirectory(prefix="sidewinder-") as folder:
        asked = [command, model._file, *_words(folder, options)]
        return _run(model._installation, asked, model._folder.name)


def of_rows(rows: Rows, path: Path, columns: Names | None, x: str | None) -> str:
    """Draws columns of rows of shape (R,) over the column x."""
    if rows.ndim != 1:
        raise OptionError("rows of one trajectory are drawn: rows[:, i]")
    path = _to_write(path, ".svg")
    names = rows.columns
    with tempfile.TemporaryDirectory(prefix="sidewinder-") as folder:
        file = os.path.join(folder, "rows.npy")
        np.save(file, np.stack([np.asarray(rows[name], dtype=np.float64) for name in names], axis=-1))
        with open(file + ".json", "w", encoding="utf-8") as about:
            json.dump({"columns": names}, about)
        words = ["plot", file, *listed(columns), "-o", path]
        _run(Installation(), words + ([] if x is None else ["-x", joined(x)]), folder)
    return path


def listed(columns: Names | None) -> list[str]:
    """The names as one comma-separated word in a list; [] if columns is None."""
    return [] if columns is None else [joined(columns)]
