#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts of models and of the same models in other units: they are the same.

Usage: verdicts_in_units.py GENERATOR MODEL.sw ... [--random FIRST LAST] [--known FIRST LAST] [--starts FIRST LAST]
       [--draws N]

Units are factors of up to 10^30 either way, powers of two and N others [1] (rescale.py), for the models that are named,
for random ones, for random ones whose verdict is known, and with --starts for random ones without initial states
(../random).  Exits with 1 where an answer, its evidence or its
range differs, or where less than half of what was to be compared could be.  Points that were drawn may differ.

Left out is what the range of doubles does not hold in these units: a model that has such a number, and a zero of det N
that was found in the model's own units, where det N or its derivatives leave the range in the others.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "random"))
from random_model import random_model  # noqa: E402
from rescale import Units, rescale  # noqa: E402
import start_model  # noqa: E402
import verdict_model  # noqa: E402

# det N, as a formula, has powers of states up to about this one beside its coefficients.
DEGREE = 6
DECADES = 290
ZEROS = ("zeros of det N", "nondegenerate", "answer")


def check(generator, text, lowering="auto"):
    """The JSON object of a model; None where it is no model, such as where a number leaves the range of doubles."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.sw")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([generator, "check", "--json", "--lowering", lowering, path], capture_output=True,
                              text=True, timeout=300)
        return json.loads(done.stdout) if done.returncode in (0, 1) else None


def fact(value):
    """What units must not change, of a fact."""
    return value["answer"], value["evidence"], value["parameters"], value["except"] is None


def verdict(page):
    """What units must not change, by name."""
    out = {"answer": page["answer"], "refusal": None}
    if page["refusal"]:
        out["refusal"] = page["refusal"]["kind"], tuple(page["refusal"]["constraints"])
    v = page["verdicts"]
    if v and "coisotropy" in v:
        n, d = v["nondegeneracy"], v["independence"]
        out["coisotropic"] = fact(v["coisotropy"]["coisotropic"])
        for pair in v["coisotropy"]["pairs"]:
            out["bracket of " + " and ".join(pair["constraints"])] = fact(pair["zero"])
        out["nondegenerate"] = fact(n["nondegenerate"])
        out["singular everywhere"] = fact(n["singular_everywhere"])
        out["zeros of det N"] = n["zeros_of_det_N"]
        out["positive masses"] = n["positive_masses"]
        out["conserved"] = tuple((c["constraint"], fact(c["conserved"])) for c in v["conserved"])
        out["independent"] = fact(d["regular"]), d["rank"] == d["wanted"], d["flat"]
        out["redundant"] = tuple((r["constraint"], r["evidence"]) for r in d["redundant"])
        out["conflicting"] = tuple(d["conflicting"])
        out["chain"] = v["chain"] and (v["chain"]["end"], v["chain"]["levels"], v["chain"]["index"])
    if v:
        for invariant in v["invariants"]:
            out["invariant " + invariant["name"]] = fact(invariant["conserved"]), invariant["commutes"]
        out["not smooth"] = tuple((s["kind"], s["in"], s["at"] is None) for s in v["not_smooth"])
    for state in page["states"]:
        out["state " + state["name"]] = state["finite"], state["N_singular"], state["on_M"], state["on_MH"]
    return out


def leaves_range(units, m):
    """Whether det N with its derivatives may leave the range of doubles; N = {{g,H},g} has the unit g^2 H/(q p)^2."""
    decades = {name: math.log10(value) for name, value in units.constraints.items()}
    of_motion = math.log10(units.H) - 2 * math.log10(units.q) - 2 * math.log10(units.p)
    largest = max((abs(2 * g + of_motion) for g in decades.values()), default=0)
    return m * largest + DEGREE * max(abs(math.log10(units.q)), abs(math.log10(units.p))) > DECADES


def compare(options, name, text):
    """What differs for one model: sentences; in how many units it was wanted, and could not be compared."""
    own = check(options.generator, text)
    if own is None:
        return [], 0, 0
    wanted, wrong, skipped = verdict(own), [], 0
    rng = random.Random(os.path.basename(name))
    for draw in range(options.draws + 1):
        units = Units.draw(text, rng, power_of_two=draw == 0)
        page = check(options.generator, rescale(text, units), own["lowering"])
        if page is None or any(a["finite"] and not b["finite"] for a, b in zip(own["states"], page["states"])):
            skipped += 1
            continue
        found = verdict(page)
        different = [key for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key)]
        if set(different) <= set(ZEROS) and wanted.get("zeros of det N") == "somewhere" and \
                leaves_range(units, own["m"]):
            continue
        wrong += [f"{name}: {key} is {wanted.get(key)}, and in other units {found.get(key)}\n    {units.as_json()}"
                  for key in sorted(different)]
    return wrong, options.draws + 1, skipped


def models(options):
    for path in options.models:
        with open(path, encoding="utf-8") as file:
            yield path, file.read()
    for seed in range(options.random[0], options.random[1] + 1):
        yield f"random {seed}", random_model(seed)[0]
    for seed in range(options.known[0], options.known[1] + 1):
        yield f"known {seed}", verdict_model.model(seed)[0]
    for seed in range(options.starts[0], options.starts[1] + 1):
        yield f"start {seed}", start_model.model(seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("generator")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--random", nargs=2, type=int, default=(1, 0), metavar=("FIRST", "LAST"))
    parser.add_argument("--known", nargs=2, type=int, default=(1, 0), metavar=("FIRST", "LAST"))
    parser.add_argument("--starts", nargs=2, type=int, default=(1, 0), metavar=("FIRST", "LAST"))
    parser.add_argument("--draws", type=int, default=1)
    options = parser.parse_args()
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = list(pool.map(lambda model: compare(options, *model), models(options)))
    wrong = [sentence for sentences, _, _ in found for sentence in sentences]
    draws = sum(n for _, n, _ in found)
    skipped = sum(n for _, _, n in found)
    print(*wrong, sep="\n")
    print(f"{len(found)} models, {draws} times in other units, {skipped} of these out of the range of doubles; "
          f"{len(wrong)} differences")
    sys.exit(bool(wrong) or 2 * skipped > draws)


main()
