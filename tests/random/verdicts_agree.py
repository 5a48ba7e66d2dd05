#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random models: does `sidewinder check` say of each what is known of it, and do all of its renderings and facts agree?

Usage: verdicts_agree.py GENERATOR FIRST LAST [--structures | --linear]

Seeds from FIRST to LAST of verdict_model.py, whose verdicts are known, with --linear of linear_model.py, whose verdicts
exact linear algebra gives, or with --structures of random_model.py.
"""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import linear_model
import random_model
import verdict_model

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
import facts  # noqa: E402

generator, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
structures = "--structures" in sys.argv[4:]
linear = "--linear" in sys.argv[4:]


def call(*words):
    return subprocess.run([generator, *words], capture_output=True, text=True, timeout=100)


def unknown(page, wanted):
    """What the object says otherwise than is known."""
    answer, kind, *constraints = wanted
    if page["answer"] != answer:
        yield f"the answer is {page['answer']}, not {answer}: {page['conclusion']}"
    elif answer == "no":
        if page["refusal"]["kind"] != kind:
            yield f"refused for {page['refusal']['kind']}, not {kind}"
        elif not set(constraints) <= set(page["refusal"]["constraints"]):
            yield f"the refusal is about {page['refusal']['constraints']}, not {constraints}"


def examine(seed):
    """Everything that is wrong with one model."""
    if structures:
        text, wanted = random_model.Model(seed).text(), None
    elif linear:
        model = linear_model.LinearModel(seed)
        text, wanted = model.text(), model.verdict()
    else:
        text, wanted = verdict_model.model(seed)
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.sw")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        as_object = call("check", "--json", path)
        if as_object.returncode == 2 and structures:
            return None
        if as_object.returncode not in (0, 1):
            return [f"exit code {as_object.returncode}: {as_object.stderr}"]
        page = json.loads(as_object.stdout)
        as_page = call("check", "--ascii", path)
        wrong += facts.disagreements(page)
        wrong += facts.of_page(page, as_page.stdout, as_page.returncode)
        made = call("generate", path, "-o", folder)
        name = page["name"]
        if made.returncode != (page["answer"] == "no"):  # check exits with 1, too, if nothing is concluded
            wrong.append(f"generate exits with {made.returncode}")
        if (made.returncode == 0) != os.path.exists(os.path.join(folder, name + ".c")):
            wrong.append("there is C where the model is accepted")
        elif made.returncode == 0:
            with open(os.path.join(folder, name + ".c"), encoding="utf-8") as file:
                wrong += facts.of_source(page, file.read())
        elif " ".join(page["refusal"]["message"].split()) not in " ".join(made.stderr.split()):
            wrong.append("generate gives the same reason")
    if wanted:
        wrong += unknown(page, wanted)
    return wrong


# What would be wrong with the object of a good model: the keys on the way, and another value.
CORRUPTIONS = [
    (("answer",), "no"), (("conclusion",), "The model is refused."), (("refusal",), {"kind": "degenerate"}),
    (("verdicts", "coisotropy", "coisotropic", "answer"), "no"),
    (("verdicts", "coisotropy", "coisotropic", "answer"), "undecided"),
    (("verdicts", "coisotropy", "coisotropic", "evidence"), "none"),
    (("verdicts", "coisotropy", "coisotropic", "evidence"), "sampled"),
    (("verdicts", "coisotropy", "coisotropic", "except"), "a = 1"),
    (("verdicts", "coisotropy", "witness"), [0.0, 0.0]),
    (("verdicts", "nondegeneracy", "nondegenerate", "answer"), "no"),
    (("verdicts", "nondegeneracy", "singular_everywhere", "answer"), "yes"),
    (("verdicts", "nondegeneracy", "singular_everywhere", "answer"), "undecided"),
    (("verdicts", "nondegeneracy", "singular_points"), 3), (("verdicts", "nondegeneracy", "zeros_of_det_N"), "somewhere"),
    (("verdicts", "nondegeneracy", "witness"), [0.0, 0.0]), (("verdicts", "nondegeneracy", "witness_exists"), True),
    (("verdicts", "independence", "rank"), 0), (("verdicts", "independence", "flat"), "rod"),
    (("verdicts", "sample_of_M", "shown_to_exist"), 100), (("verdicts", "invariants", 0, "at"), [0.0, 0.0]),
    (("states", 0, "N_singular"), True),
]


def blind():
    """Corruptions that are not noticed."""
    text = call("check", "--json", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models",
                                                 "spherical.sw")).stdout
    if list(facts.disagreements(json.loads(text))):
        yield "a good model is found bad"
    for path, value in CORRUPTIONS:
        page = json.loads(text)
        inner = page
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        if not list(facts.disagreements(page)):
            yield f"{path} = {value} goes unnoticed"


def main():
    for what in blind():
        sys.exit(what)
    failed = refused = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for seed, wrong in zip(range(first, last + 1), pool.map(examine, range(first, last + 1))):
            refused += wrong is None
            if wrong:
                failed += 1
                print(f"seed {seed}:", *wrong, sep="\n  ")
    print(f"{last - first + 1} models, {refused} of them no models, {failed} with a disagreement")
    sys.exit(failed > 0)


main()
