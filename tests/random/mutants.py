# SPDX-License-Identifier: BSD-3-Clause
"""Small errors in generated C, one at a time: what a comparison has to find."""
import random
import re

PER_FUNCTION = 2

# A function of the file, from its head to the brace in the first column.
FUNCTION = re.compile(r"^static (?:void|long|int) (\w+)\(.*?^\}$", re.MULTILINE | re.DOTALL)
# What writes a value: the left side with its operator, and the right side.
VALUE = re.compile(r"(?<=[\s{])((?:out|z)\[[^;=]*\] [+-]?=)\s([^;]*);")
# The start of a loop.
LOOP = re.compile(r"(for \(long \w+ = )([^;]+);")


def is_zero(text):
    return text.strip() in ("0", "0.0")


def mutants(text, seed):
    """Pairs of what was done and the text with that error.  Scales are bounds with room, and are left alone."""
    rng = random.Random(seed)
    for function in FUNCTION.finditer(text):
        if "scale" in function.group(1):
            continue
        places = [(place, "value") for place in VALUE.finditer(text, *function.span())
                  if not is_zero(place.group(2))]
        places += [(place, "loop") for place in LOOP.finditer(text, *function.span())]
        for place, kind in rng.sample(places, min(PER_FUNCTION, len(places))):
            if kind == "value":
                changed = f"{place.group(1)} 0.001 + ({place.group(2)});"
            else:
                changed = f"{place.group(1)}1 + ({place.group(2)});"
            line = text.count("\n", 0, place.start()) + 1
            what = f"{function.group(1)}, line {line}: {' '.join(place.group(0).split())}"
            yield what, text[:place.start()] + changed + text[place.end():]
