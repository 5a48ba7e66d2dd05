#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Breaks generated C in small ways, one by one, and asks `verify`.

Usage: mutate.py GENERATOR JUDGE INCLUDE [--random FIRST LAST] [--each N] [--show] [MODEL.sw ...]

GENERATOR is the program `sidewinder`, JUDGE the one of mutant_judge.c, INCLUDE the folder of sidewinder/model.h.
Models are those named, and random ones with the seeds FIRST .. LAST, each unrolled and looped where it can be.
--each N: N mutants of each function and of each table, chosen by a fixed seed, and not all.  --show prints all that are not found, with the reason:

  not reached   the place is not reached at the fixed points, such as a branch for other parameters
  same          no output differs there by more than 1e-9 of itself
  scale         only scales of g or rho differ; they are bounds, and still are ones

Exits with 1 where `verify` fails on what is not broken, or passes what changes an output that is not a scale.
"""
import argparse
import collections
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile

from mutants import Mutants
from random_model import random_model

PATIENCE = 600
# At what sizes a looped model is broken: the first that are possible.
SIZES = (4, 5, 6, 3)


class Failed(Exception):
    pass


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()
        raise Failed(f"{os.path.basename(command[0])}: exit code {done.returncode}\n" + "\n".join(lines[:12]))
    return done.stdout


class Tools:
    def __init__(self, generator, judge, include):
        self.generator, self.judge, self.include = (os.path.abspath(path) for path in (generator, judge, include))
        self.compiler = os.environ.get("CC", "cc").split() + os.environ.get("SW_BUILD_FLAGS", "").split()

    def compile(self, library, *sources):
        run(self.compiler + ["-std=c99", "-O0", "-w", "-shared", "-fPIC", "-I", self.include, "-o", library, *sources, "-lm"])


def sizes_of(path):
    with open(path) as file:
        return re.findall(r"^size\s+(\w+)", file.read(), re.MULTILINE)


def compile_file(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def judge_lines(tools, folder, arguments, lines):
    """What the judge says to each line."""
    done = subprocess.run([tools.judge, *arguments], input="".join(line + "\n" for line in lines),
                          capture_output=True, text=True, timeout=100 * PATIENCE, cwd=folder)
    if done.returncode:
        raise Failed(f"the judge: exit code {done.returncode}: {done.stderr[:500]}")
    return [line.rsplit(" ", 3) for line in done.stdout.splitlines()]


def reason(reached, outputs):
    return {"same": "same" if reached == "1" else "not reached", "scales": "scale"}.get(outputs)


def choose(rng, names, n):
    """The places of n of each function or table, whose names stand before the colon."""
    places = collections.defaultdict(list)
    for i, name in enumerate(names):
        places[name.split(":")[0]].append(i)
    return sorted(i for of in places.values() for i in (of if n is None else rng.sample(of, min(n, len(of)))))


def break_file(tools, folder, name, source, sizes, each, label):
    """All mutants of a file: (counts by outcome, those of interest)."""
    with open(source) as file:
        mutants = Mutants(file.read())
    rng = random.Random(name)
    tables = list(mutants.tables())
    chosen = [i + 1 for i in choose(rng, mutants.all, each)]
    tables = [tables[i] for i in choose(rng, [what for what, _ in tables], each)]
    schemata = compile_file(os.path.join(folder, "schemata.c"), mutants.schemata(chosen))
    library = os.path.join(folder, "original.so")
    witness = source[:-2] + ".witness.c"
    tools.compile(library, schemata, witness)
    what = {str(n): mutants.all[n - 1] for n in chosen}
    found = judge_lines(tools, folder, [name, library, *sizes], what)
    if found[:1] == [["0", "1", "same", "fails"]]:
        raise Failed("`verify` fails on the C as it is generated")
    for i, (text, changed) in enumerate(tables):
        broken = os.path.join(folder, f"table{i}.so")
        try:
            tools.compile(broken, compile_file(os.path.join(folder, "table.c"), changed))
        except Failed:
            continue  # the compiler has found it
        what[f"0 {broken}"] = text
        found += judge_lines(tools, folder, [name, library, *sizes], [f"0 {broken}"])
        os.unlink(broken)
    counts, shown = collections.Counter(), []
    for key, reached, outputs, verdict in found:
        outcome = verdict if verdict != "passes" else reason(reached, outputs) or "SURVIVED"
        counts[outcome] += 1
        if verdict == "passes":
            shown.append(f"{outcome}: {label}: {what[key]}")
    return counts, shown


def break_model(task):
    """One model in one lowering: (label, counts, mutants that are not found, failure)."""
    tools, path, seed, lowering, each = task
    with tempfile.TemporaryDirectory() as folder:
        if path is None:
            path = compile_file(os.path.join(folder, f"random{seed}.sw"), random_model(seed)[0])
        name = os.path.basename(path)[:-3]
        label = f"{name} {lowering}"
        names = sizes_of(path)
        if lowering == "looped" and not names:
            return label, collections.Counter(), [], ""
        for size in SIZES:
            sizes = [f"{n}={size if n != 'forces' else 1}" for n in names]
            settings = [word for s in sizes for word in ("--size", s)] if lowering == "unrolled" else []
            done = subprocess.run([tools.generator, "generate", path, "-o", folder, "--witness", "--lowering", lowering,
                                   *settings], capture_output=True, text=True, timeout=PATIENCE)
            if done.returncode == 0:
                break
        else:
            return label, collections.Counter(), [], ""
        try:
            sizes = sizes if lowering == "looped" else []
            counts, shown = break_file(tools, folder, name, os.path.join(folder, name + ".c"), sizes, each, label)
            return label, counts, shown, ""
        except Failed as failure:
            return label, collections.Counter(), [], str(failure)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tools", nargs=3)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--random", nargs=2, type=int, default=(1, 0))
    parser.add_argument("--each", type=int)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_intermixed_args()
    tools = Tools(*options.tools)
    models = [(path, 0) for path in options.models]
    models += [(None, seed) for seed in range(options.random[0], options.random[1] + 1)]
    tasks = [(tools, path, seed, lowering, options.each) for path, seed in models for lowering in ("unrolled", "looped")]
    total, failures = collections.Counter(), 0
    with multiprocessing.Pool(min(4, os.cpu_count() or 1)) as pool:
        for label, counts, shown, failure in pool.imap(break_model, tasks):
            total += counts
            if failure:
                failures += 1
                print(f"FAILED: {label}: {failure}")
            elif counts:
                print(f"{label}: " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())), flush=True)
            for line in sorted(shown):
                if options.show or line.startswith("SURVIVED"):
                    print("  " + line)
    print(f"{sum(total.values())} mutants: " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(total.items())))
    killed = total["found"] + total["crash"]
    sys.exit(0 if not failures and killed > 0 and not total["SURVIVED"] else 1)


if __name__ == "__main__":
    main()
