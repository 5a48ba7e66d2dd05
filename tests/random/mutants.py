# SPDX-License-Identifier: BSD-3-Clause
"""Small errors in generated C, one at a time: what a comparison has to find."""
import random
import re

PER_FUNCTION = 2

# A function of the file, from its head to the brace in the first column.
FUNCTION = re.compile(r"^static (?:void|long|int) (\w+)\(.*?^\}$", re.MULTILINE | re.DOTALL)
# What writes a value: the left side with its operator, and the right side.
VALUE = re.compile(r"(?<=[\s{])((?:out|z)\[[^;=]*\] [+-]?=)\s([^;]*);")
# A loop: up to its start, its start, and the rest of its head.
LOOP = re.compile(r"(for \(long \w+ = )([^;]+)(;[^{]*\{)")
# What reaching a place looks like.
TRAP = " __builtin_trap(); "


def is_zero(text):
    return text.strip() in ("0", "0.0")


def mutants(text, seed):
    """What was done, the text with that error, and the text with a trap there instead: where the trap does not
    go off, the place is never reached and nothing can be found.  Left alone are scales, which are bounds
    with room, and `references`, which says nothing where all is well."""
    rng = random.Random(seed)
    for function in FUNCTION.finditer(text):
        if "scale" in function.group(1) or function.group(1) == "references":
            continue
        places = [(place, "value") for place in VALUE.finditer(text, *function.span())]
        places = [place for place in places if not is_zero(place[0].group(2))]
        places += [(place, "loop") for place in LOOP.finditer(text, *function.span())]
        for place, kind in rng.sample(places, min(PER_FUNCTION, len(places))):
            if kind == "value":
                changed = f"{place.group(1)} 0.001 + ({place.group(2)});"
                trap = TRAP + place.group(0)
            else:
                changed = f"{place.group(1)}1 + ({place.group(2)}){place.group(3)}"
                trap = place.group(0) + TRAP
            line = text.count("\n", 0, place.start()) + 1
            what = f"{function.group(1)}, line {line}: {' '.join(place.group(0).split())}"
            before, after = text[:place.start()], text[place.end():]
            yield what, before + changed + after, before + trap + after
