#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The gallery, docs/gallery.md: measures what is known of each problem, and draws the pictures.  Run from the project's root.

Exit code 1 where a result is not met, or a page has another.  `./dev gallery [NAME ...]` calls this.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

from measure import HEADER, Runner
from problems import PROBLEMS

DIGITS = 1e-6  # to which figures of a page are compared; random means are not, but the test of their error is made anew


def block(name):
    """Where a page has the results of a problem: behind its command."""
    return re.compile(rf"(?<=    \./dev gallery {name}\n\n)(    .*\n)+")


def alike(one, other):
    """Whether two words of a page are equal, but for round-off."""
    try:
        return abs(float(one) - float(other)) <= DIGITS * abs(float(one))
    except ValueError:
        return one == other


def same(old, new):
    """Whether two blocks of results are equal, but for round-off and random means."""
    lines = [[line.split(" +- ")[0].rsplit(maxsplit=1)[0] if " +- " in line else line for line in text.splitlines()] for text in (old, new)]
    words = [[word for line in one for word in line.split()] for one in lines]
    return len(words[0]) == len(words[1]) and all(map(alike, *words))


def draw(name, problem, folder):
    """FOLDER/NAME.svg."""
    problem.picture()
    subprocess.run(["gnuplot", "-e", f"folder='{folder}'; name='{name}'", f"gallery/{name}.gp"], check=True)
    print(os.path.join(folder, name + ".svg"))


def show(name, given):
    """One problem: whether all is as it should be."""
    run = Runner(given.generator, given.folder)
    problem = PROBLEMS[name](run)
    if given.spoilt:
        run.spoilt.update(problem.spoilt)
    verdicts = [result.judge() for result in problem.results]
    text = HEADER + "".join(line for _, line in verdicts)
    print(f"{name}\n{text}", end="")
    good = all(good != given.spoilt for good, _ in verdicts)
    if given.pictures:
        draw(name, problem, given.folder)
    if given.page or given.write:
        with open(given.page or given.write, encoding="utf-8") as file:
            page = file.read()
        indented = "".join(f"    {line}\n" for line in text.splitlines())
        old = block(name).search(page)
        if old is None:
            sys.exit(f"the page has no results behind './dev gallery {name}'")
        if given.page and not same(old[0], indented):
            print("the page has\n" + old[0])
            good = False
        if given.write and good:
            with open(given.write, "w", encoding="utf-8") as file:
                file.write(page[: old.start()] + indented + page[old.end() :])
            shutil.copy(os.path.join(given.folder, name + ".svg"), os.path.join(os.path.dirname(given.write), "gallery"))
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("generator")
    parser.add_argument("folder", help="for trajectories, data and pictures")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of problems: " + " ".join(PROBLEMS))
    parser.add_argument("--spoilt", action="store_true", help="with wrong parameters; exit code 1 where a result is met all the same")
    parser.add_argument("--pictures", action="store_true", help="draw, too")
    parser.add_argument("--page", metavar="FILE", help="compare with the results in a page")
    parser.add_argument("--write", metavar="FILE", help="write the results into a page, and copy the pictures to gallery/ beside it")
    given = parser.parse_args()
    for name in given.names:
        if name not in PROBLEMS:
            parser.error(f"there is no problem '{name}'; there are {' '.join(PROBLEMS)}")
    given.pictures |= given.write is not None
    os.makedirs(given.folder, exist_ok=True)
    return 0 if all([show(name, given) for name in given.names or PROBLEMS]) else 1


if __name__ == "__main__":
    sys.exit(main())
