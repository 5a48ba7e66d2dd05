#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether standard input is one JSON object as docs/check.md describes it: every key stands in the tables there, keys
come in their order, numbers are finite, and what must agree does.  Usage: check_json.py DOCS ANSWER"""
import json
import re
import sys

import facts

text = sys.stdin.read()
docs = open(sys.argv[1], encoding="utf-8").read()
documented = re.findall(r"^\| `([A-Za-z_]+)` \|", docs, re.M)


def refuse(constant):
    sys.exit(f"{constant} is no JSON")


page = json.loads(text, parse_constant=refuse)


def walk(value, path):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in documented:
                sys.exit(f"{path}.{key} is not in {sys.argv[1]}")
            walk(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            walk(inner, f"{path}[{i}]")


def want(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


walk(page, "")
top = ["schema", "answer", "conclusion", "set_aside", "refusal", "file", "name", "title", "digest", "lowering", "d", "m",
       "parameter_count", "sizes", "indices", "coordinates", "parameters", "lagrangian", "hamiltonian", "constraints", "structure", "families",
       "formulas", "verdicts", "states", "no_generated_step", "no_accelerations", "no_discrete_gradients"]
want(list(page) == top, "the keys of the object, in their order")
want(page["schema"] == "sidewinder-check-2", "the schema")
want(page["answer"] == sys.argv[2], f"the answer {page['answer']} is {sys.argv[2]}")
want((page["refusal"] is None) == (page["answer"] != "no"), "a refusal has a reason")
want(page["m"] == sum(c["instances"] for c in page["constraints"]), "m is the number of instances")
want(page["d"] == sum(c["count"] for c in page["coordinates"]), "d is the number of coordinates")
want((page["lowering"] == "looped") == (page["families"] is not None), "looped models have families")
formulas = page["formulas"]
if page["lowering"] == "unrolled":
    want(len(formulas["positions"]) == page["d"], "a name for each position")
    want(len(formulas["defaults"]) == page["parameter_count"], "a default for each parameter")
    want(len(formulas.get("constraints", [])) == page["m"], "a formula for each constraint")
for what in facts.disagreements(page):
    want(False, what)
