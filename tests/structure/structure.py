#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The structure of a tree of C files: no two files may need each other, and no room one above it.

Usage: structure.py PAGE ROOT INCLUDE_FOLDER...

A header and its source are one module.  A room is a folder below ROOT, or a file there.  The order of the rooms stands in
PAGE, a Markdown file, as a list of lines that begin with the name of a room, from the one that needs no other upwards,
below a line "    ROOT/".

Reads the #include lines with quotes of all C and C++ files below ROOT, finds what they mean from the file's own folder, ROOT
and the other folders, and prints every set of modules that need each other, and every module that needs one of a room
above its own.  Exit: 0 where there is none, else 1.
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


def order_of_rooms(page, root):
    """The names below the line "    ROOT/" of the page: {name: place in the order}."""
    lines = iter(page.read_text().splitlines())
    for line in lines:
        if line.strip() == f"{root.name}/" and line.startswith("    "):
            break
    names = []
    for line in lines:
        if not line.startswith("      "):
            break
        names.append(line.split()[0])
    return {module(pathlib.Path(name)).name: place for place, name in enumerate(names)}


def out_of_order(graph, root, order):
    """What is wrong with the rooms, in words."""
    def room(path):
        return path.relative_to(root).parts[0]

    for own in sorted(graph):
        if room(own) not in order:
            yield f"{own.relative_to(root)} is in no room of the list"
            continue
        for other in sorted(graph[own]):
            if order.get(room(other), 0) > order[room(own)]:
                yield f"{own.relative_to(root)} needs {other.relative_to(root)}, of a room above its own"


def main():
    sys.setrecursionlimit(10000)
    page = pathlib.Path(sys.argv[1])
    root = pathlib.Path(sys.argv[2]).resolve()
    folders = [pathlib.Path(folder).resolve() for folder in [root, *sys.argv[3:]]]
    graph = needs(root, folders)
    found = circles(graph)
    wrong = list(out_of_order(graph, root, order_of_rooms(page, root)))
    for members in found:
        print("files that need each other:", ", ".join(str(m.relative_to(root)) for m in members))
    for words in wrong:
        print(words)
    print(f"{len(graph)} modules of {root.name}, {len(found)} circles, {len(wrong)} out of order")
    return 1 if found or wrong or not graph else 0


if __name__ == "__main__":
    sys.exit(main())
