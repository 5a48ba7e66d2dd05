#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Circles of files: a header and its source are one module, and no two modules may need each other.

Usage: circles.py ROOT INCLUDE_FOLDER...

Reads the #include lines with quotes of all C and C++ files below ROOT, finds what they mean from the file's own folder, ROOT
and the other folders, and prints every set of modules that need each other.  Exit: 0 where there is none, else 1.
"""
import pathlib
import re
import sys

ENDINGS = {".c", ".h", ".cpp", ".l", ".y"}


def module(path):
    return path.with_suffix("")


def needs(root, folders):
    """What each module below root includes, other modules below root."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.suffix not in ENDINGS:
            continue
        own = found.setdefault(module(path), set())
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M):
            for folder in [path.parent, *folders]:
                target = (folder / name).resolve()
                if target.exists() and target.is_relative_to(root):
                    own.add(module(target))
                    break
    for own, others in found.items():
        others.discard(own)
    return found


def circles(graph):
    """The strongly connected components of more than one module (R. Tarjan, SIAM J. Comput. 1, 1972)."""
    index, low, stack, result = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                result.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return result


def main():
    sys.setrecursionlimit(10000)
    root = pathlib.Path(sys.argv[1]).resolve()
    folders = [pathlib.Path(folder).resolve() for folder in [root, *sys.argv[2:]]]
    graph = needs(root, folders)
    found = circles(graph)
    for members in found:
        print("files that need each other:", ", ".join(str(m.relative_to(root)) for m in members))
    print(f"{len(graph)} modules of {root.name}, {len(found)} circles")
    return 1 if found or not graph else 0


if __name__ == "__main__":
    sys.exit(main())
