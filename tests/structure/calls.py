#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The calls among the files of a library: no two files may call each other, directly or around others.

Usage: calls.py OBJECT...

structure.py reads which headers are included; files behind one header can still call each other in a circle, and the
symbols of their objects show that.  A C++ class may have its methods in several files, which count as one.

Exit: 0 where there is no circle, else 1.
"""
import pathlib
import re
import subprocess
import sys

from structure import circles


def source(path):
    """"step/stages.c" of ".../sidewinder-runtime.dir/step/stages.c.o"."""
    return re.sub(r".*\.dir/(\./)?", "", path).removesuffix(".o")


def symbols(path):
    """What an object defines for others, and what it asks of others, demangled."""
    defined, asked = set(), set()
    listing = subprocess.run(["nm", "--demangle", path], capture_output=True, text=True, check=True).stdout
    for kind, name in re.findall(r"^[0-9a-f ]{16} (\w) (.*)$", listing, re.M):
        if kind in "TDRB":
            defined.add(name)
        elif kind == "U":
            asked.add(name)
    return defined, asked


def class_of(symbol):
    """"Looper" of "sidewinder::Looper::let(model_expr const&)"; None of a function."""
    found = re.match(r"(?:\w+::)*([A-Z]\w*)::~?\w+\(", symbol)
    return found and found[1]


def modules(defined):
    """The module of each file, by the name of one of its files: those that share a class are one."""
    above = {file: file for file in defined}

    def module(file):
        while above[file] != file:
            file = above[file]
        return file

    first = {}
    for file in sorted(defined):
        for name in sorted(filter(None, map(class_of, defined[file]))):
            above[module(file)] = module(first.setdefault(name, file))
    return {file: module(file) for file in defined}


def main():
    tables = {source(path): symbols(path) for path in sys.argv[1:]}
    name = modules({file: defined for file, (defined, _) in tables.items()})
    home = {symbol: name[file] for file, (defined, _) in tables.items() for symbol in defined}
    graph = {}
    for file, (_, asked) in tables.items():
        own = graph.setdefault(name[file], set())
        own.update(home[symbol] for symbol in asked if symbol in home)
        own.discard(name[file])
    found = circles(graph)
    for members in found:
        print("files that call each other:", ", ".join(members))
    arrows = sum(map(len, graph.values()))
    print(f"{len(graph)} modules with {arrows} arrows, {len(found)} circles")
    return 1 if found or not arrows else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main())
