#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random models through both lowerings: the looped C at several sizes against the unrolled C of each.

Usage: compare_lowerings.py GENERATOR COMPARE INCLUDE FIRST LAST [--mutants]

GENERATOR is the program `sidewinder`, COMPARE the one of compare.c, INCLUDE the folder of sidewinder/model.h;
seeds are FIRST .. LAST.  With --mutants every pair is first seen to agree, and then what is found of small
errors that are put into the looped C, one by one.

Exits with 1 where two differ, the generator crashes or misunderstands a model, more than 30 % of the models
are refused, or more than 5 % of the mutants that are reached are not found.
"""
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

BATCH = 10          # models to a shared object
PATIENCE = 60       # seconds for one run of the generator
LINES = 12          # shown of what a compiler or the generator says
SHOWN = 5           # models that failed; random_model.py prints the others
REFUSED = 0.3
SURVIVING = 0.05
MUTANTS = 25        # of each model
LAST_MUTANT = 6     # the last model that these are made of in every build
# Functions with mistakes that change nothing: bounds with room, and what says nothing where all is well.
UNCOMPARED = r"\w*scale|references|\w+: `t > MOST`"
# What is wrong with a model at some sizes only.
AT_THESE_SIZES = (r"error: index .* outside ", r"constraints on \d+ degrees of freedom",
                  r"no degrees of freedom",
                  r"does not depend on any coordinate or momentum: what it reads cancels")
# Of these, what the looped model has to notice when it is given the sizes.
NOTICED = AT_THESE_SIZES[:3]


def sizes_to_try(seed, names):
    """The default sizes, and two others."""
    chosen = random.Random(seed).sample((1, 2, 3, 5), 2)
    return [[]] + [[f"{name}={n if name == 'N' else max(1, n - place)}" for name in names]
                   for place, n in enumerate(chosen)]


class Failed(Exception):
    pass


class Driver:
    def __init__(self, generator, compare, include):
        self.generator, self.compare, self.include = generator, compare, include
        self.compiler = os.environ.get("CC", "cc").split() + os.environ.get("SW_BUILD_FLAGS", "").split()

    # ---- one run of a program ----

    def generate(self, model, folder, lowering, sizes, more=()):
        """'' where C was written, else why not."""
        command = [self.generator, "generate", model, "-o", folder, "--lowering", lowering]
        for size in sizes:
            command += ["--size", size]
        command += more
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return "takes too long"
        output = done.stdout + done.stderr
        if done.returncode == 0:
            return ""
        if done.returncode == 1:
            return next((line for line in output.splitlines() if line.startswith("Refused")), "Refused")
        error = next((line for line in output.splitlines() if "error: " in line), output)
        by_size = any(re.search(pattern, error) for pattern in AT_THESE_SIZES)
        unsupported = lowering == "looped" and "--lowering unrolled" in output
        if done.returncode == 2 and (by_size or unsupported):
            return error
        shown = "\n".join(output.splitlines()[:LINES])
        raise Failed(f"generate --lowering {lowering}, sizes {sizes}: exit code {done.returncode}\n{shown}")

    def compile(self, library, folder, sources):
        command = self.compiler + ["-std=c99", "-O0", "-w", "-shared", "-fPIC", "-I", self.include, "-o",
                                   library] + sources + ["-lm"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        if done.returncode:
            raise Failed("\n".join(done.stderr.splitlines()[:LINES]))

    def run_compare(self, library, pairs):
        """Findings, by label, None where it crashed; and all it printed."""
        done = subprocess.run([self.compare, library], input="".join(pairs), capture_output=True, text=True)
        if done.returncode not in (0, 1):
            return None, f"compare: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        found = collections.defaultdict(list)
        for line in done.stdout.splitlines()[:-1]:
            found[line.split(":")[0]].append(line)
        return found, done.stdout

    # ---- a model ----

    def prepare(self, seed, folder):
        """Generates all variants of a model: (sources, pairs, why there are none)."""
        text, names = random_model(seed)
        path = os.path.join(folder, f"random{seed}.sw")
        with open(path, "w") as file:
            file.write(text)
        looped, symbol = os.path.join(folder, f"{seed}_looped"), f"sw_model_random{seed}"
        # With derivatives along directions, too, which are compared with differences; mutants are of the others.
        more = ["--with", "variational"] if seed > LAST_MUTANT else []
        why = self.generate(path, looped, "looped", [], more)
        if why:
            return [], [], why
        sources, pairs = [self.rename(seed, folder, "looped")], []
        for place, sizes in enumerate(sizes_to_try(seed, names)):
            label = f"{seed}@{','.join(sizes) or 'default'}"
            variant = f"unrolled_{place}"
            why = self.generate(path, os.path.join(folder, f"{seed}_{variant}"), "unrolled", sizes)
            if not why:
                sources.append(self.rename(seed, folder, variant))
                pairs.append(f"{label} {symbol}_{variant} {symbol}_looped {' '.join(sizes)}\n")
            elif any(re.search(pattern, why) for pattern in NOTICED):
                pairs.append(f"{label} - {symbol}_looped {' '.join(sizes)}\n")
        if not any(" - " not in pair for pair in pairs):
            return [], [], why or "no sizes"
        return sources, pairs, ""

    @staticmethod
    def rename(seed, folder, variant, source=None):
        """A source file that gives a variant's model a name of its own."""
        name = f"sw_model_random{seed}"
        path = os.path.join(folder, f"{seed}_{variant}.c")
        with open(path, "w") as file:
            file.write(f"#define {name} {name}_{variant}\n"
                       f"#include \"{source or f'{seed}_{variant}'}/random{seed}.c\"\n")
        return path

    def batch(self, seeds):
        """Compares some models: (models compared, pairs, refusals, failures)."""
        models, refusals, failures = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            for seed in seeds:
                try:
                    sources, pairs, why = self.prepare(seed, folder)
                except Failed as failure:
                    failures.append((seed, str(failure)))
                    continue
                if why:
                    refusals.append((seed, why))
                else:
                    models.append((seed, sources, pairs))
            failures += self.compare_models(folder, models)
        return len(models), sum(len(pairs) for _, _, pairs in models), refusals, failures

    def compare_models(self, folder, models):
        """Failures; all models in one shared object, or one by one where that does not compile or crashes."""
        if not models:
            return []
        library = os.path.join(folder, f"models_{models[0][0]}_{len(models)}.so")
        try:
            self.compile(library, folder, [source for _, sources, _ in models for source in sources])
            found, output = self.run_compare(library, [pair for _, _, pairs in models for pair in pairs])
        except Failed as failure:
            found, output = None, str(failure)
        if found is not None:
            return [(int(label.split("@")[0]), "\n".join(lines)) for label, lines in found.items()]
        if len(models) == 1:
            return [(models[0][0], output)]
        return [failure for model in models for failure in self.compare_models(folder, [model])]

    # ---- mutants ----

    def mutate(self, seed):
        """Puts errors into the looped C: (mutants that are reached, those not found, failures)."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                sources, pairs, why = self.prepare(seed, folder)
                if why:
                    return 0, [], []
                failures = self.compare_models(folder, [(seed, sources, pairs)])
                if failures:
                    return 0, [], failures
                unrolled = os.path.join(folder, "unrolled.so")
                self.compile(unrolled, folder, sources[1:])
                with open(os.path.join(folder, f"{seed}_looped", f"random{seed}.c")) as file:
                    mutants = Mutants(file.read())
                survivors, count = [], 0
                places = [n for n in range(1, mutants.in_functions + 1)
                          if not re.match(UNCOMPARED, mutants.all[n - 1])]
                for n in random.Random(seed).sample(places, min(MUTANTS, len(places))):
                    reached = True
                    if not self.is_found(seed, folder, mutants.alone(n), unrolled, sources[0], pairs):
                        trap = mutants.alone(n, trap=True)
                        reached = self.is_found(seed, folder, trap, unrolled, sources[0], pairs)
                        survivors += [f"{seed}: {mutants.all[n - 1]}"] * reached
                    count += reached
                return count, survivors, []
            except Failed as failure:
                return 0, [], [(seed, str(failure))]

    def is_found(self, seed, folder, text, unrolled, source, pairs):
        """Whether the comparison sees anything wrong with this looped C."""
        with open(os.path.join(folder, f"{seed}_looped", f"random{seed}.c"), "w") as file:
            file.write(text)
        library = os.path.join(folder, "mutant.so")
        self.compile(library, folder, [source, unrolled])
        found, _ = self.run_compare(library, pairs)
        return found is None or bool(found)


def report(failures):
    for number, (seed, what) in enumerate(failures):
        print(f"FAILED: seed {seed}\n{what}")
        if number < SHOWN:
            print(f"---- its model\n{random_model(seed)[0]}----")


def compare_all(pool, driver, seeds):
    batches = [seeds[i:i + BATCH] for i in range(0, len(seeds), BATCH)]
    compared, pairs, refusals, failures = 0, 0, [], []
    for result in pool.imap_unordered(driver.batch, batches):
        compared += result[0]
        pairs += result[1]
        refusals += result[2]
        failures += result[3]
    report(sorted(failures))
    for seed, why in sorted(refusals):
        print(f"refused: seed {seed}: {why}")
    print(f"{len(seeds)} models: {compared} compared at {pairs} choices of sizes, {len(refusals)} refused, "
          f"{len(failures)} failures")
    return not failures and len(refusals) <= REFUSED * len(seeds) and compared > 0


def mutate_all(pool, driver, seeds):
    count, survivors, failures = 0, [], []
    for result in pool.imap_unordered(driver.mutate, seeds):
        count += result[0]
        survivors += result[1]
        failures += result[2]
    report(sorted(failures))
    for survivor in sorted(survivors):
        print(f"not found: seed {survivor}")
    print(f"{count} mutants of {len(seeds)} models, {len(survivors)} not found, {len(failures)} failures")
    return not failures and count >= len(seeds) and len(survivors) <= SURVIVING * count


def main(arguments):
    if len(arguments) not in (5, 6) or arguments[5:] not in ([], ["--mutants"]):
        sys.exit(__doc__)
    driver = Driver(*(os.path.abspath(path) for path in arguments[:3]))
    seeds = list(range(int(arguments[3]), int(arguments[4]) + 1))
    with multiprocessing.Pool(min(4, os.cpu_count() or 1)) as pool:
        good = (mutate_all if arguments[5:] else compare_all)(pool, driver, seeds)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
