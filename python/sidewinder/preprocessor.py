# SPDX-License-Identifier: BSD-3-Clause
"""The preprocessor of GROMACS topologies: comments, continued lines, #include, #define and #ifdef.

The rules are those of gmx grompp.  A macro with a value replaces whole words; each macro is applied
once, in the order of the definitions.  A macro without a value only affects #ifdef.  The search
path of an included file is the folder of the including file, then the folders of -I, then those of
GMXLIB.
"""
from __future__ import annotations

import os
import re
from typing import Iterable, Iterator, NamedTuple

from .errors import FileError
from .kinds import Path
from .structure import read_lines

class Line(NamedTuple):
    path: str
    at: int  # number of the line, from 1
    words: list[str]


INCLUDES_DEEP = 20
WORD = re.compile(r"[A-Za-z0-9_]+")


class Preprocessor:
    """defines: names, or NAME=VALUE.  folders: additional search path of included files."""

    def __init__(self, defines: Iterable[str] = (), folders: Iterable[Path] = ()) -> None:
        self.macros = {name: value for name, _, value in (define.partition("=") for define in defines)}
        library = os.environ.get("GMXLIB", "").split(os.pathsep)
        self.folders = [os.path.abspath(folder) for folder in [*folders, *library] if folder]

    def lines(self, path: str, around: tuple[str, ...] = ()) -> Iterator[Line]:
        """Yields the non-empty lines, with macros replaced.  around: the including files.

        Raises FileError.
        """
        branches: list[bool] = []  # for each open #ifdef: True if its lines are read
        at, begin, text, goes_on = 0, 1, "", False
        for at, raw in enumerate(read_lines(path), start=1):
            directive = raw.lstrip().startswith("#") and not goes_on
            if directive:
                yield from self._directive(Line(path, at, _stripped(raw).split()), branches, around)
            if directive or not all(branches):
                continue
            begin = begin if goes_on else at
            raw = self._replaced(raw).rstrip()
            goes_on = raw.endswith("\\")
            text += raw[:-1] + " " if goes_on else raw
            if not goes_on:
                words, text = _stripped(text).split(), ""
                if words:
                    yield Line(path, begin, words)
        if branches or goes_on:
            raise FileError("the file ends within an #ifdef" if branches else "the last line goes on", path, at)

    def _replaced(self, text: str) -> str:
        if any(word in self.macros for word in WORD.findall(text)):
            for name, value in self.macros.items():
                if value and name in text:
                    text = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", value.replace("\\", r"\\"), text)
        return text

    def _directive(self, line: Line, branches: list[bool], around: tuple[str, ...]) -> Iterator[Line]:
        word, rest = line.words[0], line.words[1:]
        if word == "#" and rest:
            word, rest = "#" + rest[0], rest[1:]
        if word in ("#ifdef", "#ifndef") and len(rest) == 1:
            branches.append((rest[0] in self.macros) == (word == "#ifdef"))
        elif word in ("#else", "#endif"):
            if not branches:
                raise FileError(f"{word} without an #ifdef", line.path, line.at)
            last = branches.pop()
            if word == "#else":
                branches.append(not last)
        elif not all(branches):
            return
        elif word == "#include" and rest:
            yield from self.lines(self._included(" ".join(rest).strip('"<>'), line, around), (*around, line.path))
        elif word == "#define" and rest:
            self.macros[rest[0]] = " ".join(rest[1:])
        elif word == "#undef" and len(rest) == 1:
            self.macros.pop(rest[0], None)
        else:
            raise FileError(f"'{' '.join(line.words)}' is not understood", line.path, line.at)

    def _included(self, name: str, line: Line, around: tuple[str, ...]) -> str:
        paths = [os.path.join(folder, name) for folder in (os.path.dirname(line.path), *self.folders)]
        path = next((path for path in paths if os.path.isfile(path)), None)
        if path is None:
            raise FileError(f"there is no file '{name}' beside this one, in a folder of -I, or in GMXLIB; for force fields that come with GROMACS, "
                            "give its folder share/gromacs/top", line.path, line.at)
        if any(os.path.samefile(path, other) for other in (*around, line.path)):
            raise FileError(f"'{name}' includes itself", line.path, line.at)
        if len(around) + 1 == INCLUDES_DEEP:
            raise FileError(f"more than {INCLUDES_DEEP} files that include one another", line.path, line.at)
        return path


def _stripped(text: str) -> str:
    return text.split(";", 1)[0].strip()
