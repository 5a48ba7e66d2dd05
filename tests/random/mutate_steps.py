#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Breaks generated steps, NAME_step.c, in small ways, one by one, and asks the row of `verify` on them.

Usage: mutate_steps.py GENERATOR JUDGE INCLUDE [--each N] [--only FUNCTION] [--show] MODEL.sw ...

GENERATOR is the program `sidewinder`, JUDGE the one of mutant_judge.c, INCLUDE the folder of sidewinder/model.h.
--each N: N mutants of each function, chosen by a fixed seed, instead of all.  --only FUNCTION: those of one function.  --show prints the mutants
that are not found, with the class:

  not reached   equivalent: no call of the step reaches the place
  same          equivalent: at more than a thousand calls, from states on and off M^H, with steps from far too
                large to round-off, each step is refused as before, or its end, multipliers and iterations are the same
  iterates      only numbers of iterations or residuals differ, by less than `verify` allows
  narrower      a step is refused that the original takes: the general solver takes it
  wider         a step is taken that the original refuses, and is right, or is one that no simulation asks for

Exits with 1 if `verify` fails on the original, if it passes a mutant that changes an end or a multiplier, or if it
finds fewer than LEAST of the mutants that change anything.
"""
import argparse
import collections
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile

from mutate import Failed, Tools, choose, compile_file, judge_lines
from step_mutants import StepMutants

REASONS = {"scales": "iterates", "other": "SURVIVED"}
EQUIVALENT = {"same", "not reached"}
LEAST = 0.8


def break_step(task):
    """One model: (label, counts, mutants that are not found, failure)."""
    tools, path, each, only = task
    name = os.path.basename(path)[:-3]
    counts, shown = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([tools.generator, "generate", path, "-o", folder], capture_output=True, text=True)
        step = os.path.join(folder, name + "_step.c")
        if done.returncode or not os.path.exists(step):
            return name, counts, shown, done.stderr.strip() or "it has no generated step"
        with open(step) as file:
            mutants = StepMutants(file.read())
        rng = random.Random(name)
        chosen = [i + 1 for i in choose(rng, mutants.all, each) if not only or mutants.all[i].startswith(only + ":")]
        model = os.path.join(folder, name + ".c")
        library = os.path.join(folder, "original.so")
        what = {str(n): mutants.all[n - 1] for n in chosen}
        also = ["-I", folder, "-Wl,--no-undefined"]
        try:
            tools.compile(library, compile_file(os.path.join(folder, "schemata.c"), mutants.schemata(chosen)), model, *also)
            for i, (text, changed) in enumerate([] if only else mutants.definitions()):
                broken = os.path.join(folder, f"broken{i}.so")
                try:
                    tools.compile(broken, compile_file(os.path.join(folder, "broken.c"), changed), model, *also)
                except Failed:
                    continue  # the compiler has found it
                what[f"0 {broken}"] = text
            found = judge_lines(tools, folder, ["--step", name, library], what)
            if found[:1] == [["0", "1", "same", "fails"]]:
                raise Failed("`verify` fails on the step as it is generated")
        except Failed as failure:
            return name, counts, shown, str(failure)
        for key, reached, outputs, verdict in found:
            unseen = "not reached" if reached == "0" and outputs == "same" else REASONS.get(outputs, outputs)
            outcome = verdict if verdict != "passes" else unseen
            counts[outcome] += 1
            if verdict == "passes":
                shown.append(f"{outcome}: {name}: {what[key]}")
    return name, counts, shown, ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tools", nargs=3)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--each", type=int)
    parser.add_argument("--only")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_intermixed_args()
    tools = Tools(*options.tools)
    total, failures = collections.Counter(), 0
    with multiprocessing.Pool(min(2, os.cpu_count() or 1)) as pool:
        for label, counts, shown, failure in pool.imap(break_step, [(tools, path, options.each, options.only) for path in options.models]):
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
    able = sum(n for outcome, n in total.items() if outcome not in EQUIVALENT)
    print(f"killed {killed} of the {able} that change anything")
    sys.exit(0 if not failures and killed >= LEAST * max(able, 1) and not total["SURVIVED"] else 1)


if __name__ == "__main__":
    main()
