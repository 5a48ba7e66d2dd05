# SPDX-License-Identifier: BSD-3-Clause
"""What GROMACS' preprocessor does to a topology: comments, lines that go on, #include, #define and #ifdef."""
import os
from collections import namedtuple

from .errors import FileError
from .structure import read_lines

Line = namedtuple("Line", "path at words")

INCLUDES_DEEP = 20


def preprocessed(path, macros, around=()):
    """Lines that have words, macros replaced by theirs.  macros: {name: words}, which #define changes.  around: files that include this one.
    Included are files beside the one that says so.  FileError for what is not understood."""
    branches = []  # of each open #ifdef, whether it is read
    at, begun, text = 0, 1, ""
    for at, raw in enumerate(read_lines(path), start=1):
        begun = at if not text else begun
        text += raw.split(";", 1)[0].rstrip()
        if text.endswith("\\"):
            text = text[:-1] + " "
            continue
        line, text = Line(path, begun, text.split()), ""
        if not line.words:
            continue
        if line.words[0] == "#include" and all(branches):
            yield from preprocessed(_included(line, (*around, path)), macros, (*around, path))
        elif line.words[0].startswith("#"):
            _directive(line, branches, macros)
        elif all(branches):
            yield line._replace(words=[part for word in line.words for part in macros.get(word, [word])])
    if branches or text:
        raise FileError("the file ends within an #ifdef" if branches else "the last line goes on", path, at)


def _directive(line, branches, macros):
    word, *rest = line.words
    if word in ("#ifdef", "#ifndef") and len(rest) == 1:
        branches.append((rest[0] in macros) == (word == "#ifdef"))
    elif word in ("#else", "#endif"):
        if not branches:
            raise FileError(f"{word} without an #ifdef", line.path, line.at)
        last = branches.pop()
        if word == "#else":
            branches.append(not last)
    elif not all(branches):
        pass
    elif word == "#define" and rest:
        macros[rest[0]] = rest[1:]
    elif word == "#undef" and len(rest) == 1:
        macros.pop(rest[0], None)
    else:
        raise FileError(f"'{' '.join(line.words)}' is not understood", line.path, line.at)


def _included(line, around):
    name = " ".join(line.words[1:]).strip('"<>')
    path = os.path.join(os.path.dirname(line.path), name)
    if not os.path.isfile(path):
        raise FileError(f"there is no file '{name}' beside this one, and GROMACS' own folders are not searched; `gmx grompp -pp` writes a topology "
                          "that includes nothing", line.path, line.at)
    if any(os.path.samefile(path, other) for other in around):
        raise FileError(f"'{name}' includes itself", line.path, line.at)
    if len(around) == INCLUDES_DEEP:
        raise FileError(f"more than {INCLUDES_DEEP} files that include one another", line.path, line.at)
    return path
