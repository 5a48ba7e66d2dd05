#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/verdicts.md: small models, the output of the analysis for them, and their first steps.

Usage: verdicts.py GENERATOR [--write]

Without --write the page is generated and compared with the file.  Text must be equal, and numbers must agree to nine
digits or both be below 1e-10, which is round-off.  Run it from the root of the project.
"""
import csv
import io
import json
import re
import subprocess
import sys
import textwrap

PAGE = "docs/verdicts.md"
HERE = "tests/geometry/"
STEPS = 3
ROUND_OFF = 1e-10
DIGITS = 1e-9

INTRODUCTION = """\
# Small models, one for each answer

Each model below shows one answer of the analysis, or one form of the fibre flow. The text of the model comes
first. It is followed by the output of `sidewinder check --ascii` from "Found by analysis" on.
[geometry.md](geometry.md) explains the terms of the analysis and the evidence for each verdict.

If the model is accepted, the first three steps of RATTLE follow, with the base method and the step size of
the model. Below them are the largest |g| and |{g,H}| over these steps. A state off M or M^H is first
projected, from any distance (`--project=inf`), and the column of t = 0 has the projected state.

`tests/geometry/verdicts.py` generates this page from the models in `models/` and `tests/geometry/`. A test
repeats this and compares the result with the page. Numbers of the size of round-off, such as 1.1e-16, differ
between machines.
"""

# Heading, model, comment, options of the run.
PROJECT = ["--project=inf"]
MODELS = [
    ("Models to which SHAKE and RATTLE apply", None, None, None),
    ("Holonomic, one constraint", "models/pendulum.sw",
     "This is the classical case. Modulo the constraint, det N is `-4 length^2`, as an exact identity. So its sign "
     "is known for every positive length, and not only at samples.", []),
    ("Holonomic, two constraints, N by structure", "models/double_pendulum.sw",
     "For g(q) and a positive definite H_pp, N is -G H_pp G^T, which is definite wherever the gradients are "
     "independent. The proof needs no determinant.", []),
    ("On the momenta alone", HERE + "shell.sw",
     "This is the pendulum with q and p exchanged. The fibres are lines in q.", PROJECT),
    ("An affine function of the momenta, and the flow of a lift", HERE + "glide.sw",
     "The flow moves q along (1, 1) and subtracts from p the integral of 3 x^2 along this line, a polynomial in "
     "lambda. N is singular somewhere on M^H, but not near the run.", PROJECT),
    ("A rotation, and N singular somewhere", "models/hopf.sw",
     "None of the 32 sampled points is on the surface where N is singular. The analysis finds a point of it by "
     "solving det N = 0 together with g = rho = 0, and prints it.", []),
    ("A hyperbolic flow", HERE + "saddle.sw",
     "The analysis finds neither a zero of det N on M^H nor a proof that there is none. Its answer is therefore "
     "the count of samples, without \"proved\" and without \"not at all points\". In fact there is no zero: if det N = "
     "0, then |x px - y py| is at most 3 sqrt(3)/64 = 0.081, but on M it is 0.1.", PROJECT),
    ("A nilpotent flow, and a proof that is not found", HERE + "shear.sw",
     "On M, 2 x^2 + py^2 is at least 2 sqrt(2) |x py| = 0.4 sqrt(2), so N is invertible on all of M. The analysis "
     "does not find this proof: it uses polynomial identities and even powers, but no inequality of "
     "arithmetic and geometric means. So it claims only its samples.", PROJECT),
    ("Clusters without common variables", HERE + "pair.sw",
     "The two fibre flows act on different variables, so the closed form has one flow for each. N is still full, "
     "because H couples the variables.", PROJECT),
    ("Flows in sequence", "models/two_constraints.sw",
     "Both constraints move all variables of the first two planes, and {sphere, spin} = 0 identically. So the "
     "exponential of the sum is one flow after the other, in either order.", []),
    ("In involution on M alone", HERE + "mixed.sw",
     "This model has the M, the H and the state of the previous one, but other constraint functions. Their bracket "
     "is a multiple of the first function; the analysis prints the identity. Off M the flows do not commute, so "
     "the exponential of the sum is integrated numerically. The steps are those of the previous model, because "
     "they depend on M and not on g.", []),
    ("In involution at samples", HERE + "sampled.sw",
     "This model has sin(f) instead of f = excess in the second constraint. The bracket is zero on M, but it is "
     "not a polynomial combination of the constraints. So the analysis only reports its samples. M is unchanged, "
     "and so are the steps of RATTLE.", []),
    ("No closed flow", HERE + "squeeze.sw",
     "Along the fibre, x' = x^2. The generator does not try a closed form for this, so the flow is integrated to "
     "round-off. det N is proved negative, because its terms are even powers with one sign.", PROJECT),
    ("Index one", "models/index1.sw",
     "beta is a momentum. The constraint -alpha == 0 acts on its position, and the fibres are the lines along "
     "beta. So rho = -H_beta, and N = -H_beta,beta is proved negative.", []),
    ("A redundant constraint", HERE + "twice.sw",
     "The second constraint is three times the first, as an identity. The analysis warns, but does not refuse the "
     "model. A run needs `--redundant drop` or `--redundant min-norm`.", ["--redundant", "drop"]),
    ("Models that are refused", None, None, None),
    ("Second class", HERE + "second.sw",
     "The model declares the hidden constraint of the pendulum as a constraint. {rod, tangent} = 2 |q|^2, which is "
     "2 on M. The analysis prints a point of M with this value.", None),
    ("The energy as a constraint", HERE + "energy.sw",
     "rho = {H - 1, H} = 0 identically, so N = 0 and M^H = M. The multiplier changes the speed along the orbits of "
     "H, and no equation determines it.", None),
    ("Index five", HERE + "five.sw",
     "H is linear along the fibres (paper 000, section 5.2). The chain continues for two more levels, until it "
     "determines all variables and multipliers.", None),
    ("Infinitely many solutions", HERE + "free.sw",
     "H is constant along the fibres (the second Hamiltonian of that section). The chain ends at once, and pbar is "
     "arbitrary.", None),
    ("A hidden constraint with a double root", HERE + "power.sw",
     "rho = q^2/2. The chain continues with its root q, and the output says that a power of it must vanish. Then "
     "{q, H} = p, and {p, H} = -pbar q already vanishes. So pbar stays free.", None),
    ("A chain whose end is not found", HERE + "tangent.sw",
     "Two circles that touch have one point of the plane in common, which the analysis knows to half the digits "
     "only. det N is proved 0 on M, with a certificate. The analysis does not decide where the chain ends.", None),
    ("No motion", HERE + "never.sw",
     "rho is the constant 1, so no state of M satisfies the hidden constraint.", None),
    ("A double root", HERE + "square.sw",
     "dg = 2 f df vanishes where f does. M is the unit circle, but dg = 0 does not determine its tangent. "
     "Nondegeneracy is not examined, because N contains the same vanishing gradient.", None),
    ("Inconsistent constraints, proved", HERE + "none.sw",
     "1 = small/3 - large/3 is an identity, so M is empty, also over the complex numbers.", None),
    ("A constraint without real points", HERE + "imaginary.sw",
     "M has complex points, so no identity 1 = factor * rod exists. But the form of rod shows that it is never 0. "
     "Without such a proof, nothing would be concluded: the analysis may have missed the points of M.", None),
]


def command(*words):
    """Exit code, standard output, standard error."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def indented(text):
    return "".join("    " + line if line.strip() else "\n" for line in text.strip("\n").splitlines(True)) + "\n"


def paragraph(text):
    """Wrapped, but not before an operator: a line that begins with one is an item of a list to Markdown."""
    text = re.sub(r" ([-+*=]) ", "\0\\1 ", text)
    return textwrap.fill(text, 110, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def steps(generator, model, options):
    """The states of a run, a line for each entry of z, and its largest residuals."""
    code, page, _ = command(generator, "check", model, "--json")
    formulas = json.loads(page)["formulas"]
    names = formulas["positions"] + formulas["momenta"]
    code, table, summary = command(generator, "run", model, "--steps", str(STEPS), "--every", "1", "--out", "-",
                                   *options)
    if code != 0:
        sys.exit(f"{model}: the run ended with {code}: {summary}")
    rows = list(csv.reader(io.StringIO(table)))[1:]
    if len(rows) != STEPS + 1:
        sys.exit(f"{model}: {len(rows)} rows")
    width = max(len(name) for name in names)
    text = ""
    for i, name in enumerate(["t"] + names):
        text += name.ljust(width) + "".join(f"{float(row[1 + i]):18.10g}" for row in rows) + "\n"
    found = re.search(r"\|g\| <= (\S+), \|\{g,H\}\| <= (\S+),", summary)
    if not found:
        sys.exit(f"{model}: no residuals in {summary}")
    text += f"\nmax |g| = {found[1]}, max |{{g,H}}| = {found[2]}\n"
    return text


def section(generator, heading, model, words, options):
    if model is None:
        return f"## {heading}\n\n"
    with open(model, encoding="utf-8") as file:
        source = file.read()
    code, page, errors = command(generator, "check", model, "--ascii")
    if code != (1 if options is None else 0):
        sys.exit(f"{model}: check ended with {code}: {errors}")
    page = page[page.index("Found by analysis"):]
    words = paragraph(f"`{model}`. {words}")
    text = f"### {heading}\n\n{words}\n\n"
    text += indented(re.search(r"^model .*", source, re.S | re.M)[0]) + "\n"
    text += "The analysis:\n\n" + indented(page) + "\n"
    if options is not None:
        words = "The first steps" + (f", with `{' '.join(options)}`" if options else "") + ":"
        text += words + "\n\n" + indented(steps(generator, model, options)) + "\n"
    return text


def generated(generator):
    return (INTRODUCTION + "\n" + "".join(section(generator, *m) for m in MODELS)).rstrip("\n") + "\n"


NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")


def alike(one, other):
    """Whether two numbers agree."""
    a, b = float(one), float(other)
    if abs(a) < ROUND_OFF and abs(b) < ROUND_OFF:
        return True
    return abs(a - b) <= DIGITS * max(abs(a), abs(b))


def words_of(page):
    """(line, word) for every word.  Lines are not compared, since a longer number may wrap a line elsewhere."""
    return [(number, word) for number, line in enumerate(page.splitlines(), 1) for word in line.split()]


def same(one, other):
    """Whether two words are equal but for round-off."""
    figures = list(zip(NUMBER.findall(one), NUMBER.findall(other)))
    return NUMBER.sub("#", one) == NUMBER.sub("#", other) and all(alike(a, b) for a, b in figures)


def differences(old, new):
    """Words that differ, as text."""
    old, new = words_of(old), words_of(new)
    found = [] if len(old) == len(new) else [f"the page has {len(old)} words, the generated one {len(new)}"]
    for (number, x), (_, y) in zip(old, new):
        if not same(x, y):
            found.append(f"{PAGE}:{number}: page: {x}  generated: {y}")
    return found


def sees_changes(page):
    """Whether the comparison detects a change of the ninth digit of each long number, and of a word."""
    figures = list(re.finditer(r"(?<= )-?0\.[1-9]\d{9}(?=\s)", page))
    for figure in figures:
        text = figure[0]
        ninth = str((int(text[-2]) + 5) % 10)
        changed = page[:figure.start()] + text[:-2] + ninth + text[-1] + page[figure.end():]
        if len(differences(page, changed)) != 1:
            return False
    return len(figures) > 50 and len(differences(page, page.replace("proved", "hoped", 1))) == 1


def main():
    generator = sys.argv[1]
    page = generated(generator)
    if sys.argv[2:] == ["--write"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)
        return 0
    with open(PAGE, encoding="utf-8") as file:
        old = file.read()
    found = differences(old, page)
    print("\n".join(found[:20]) or f"{PAGE} is up to date: {len(page.splitlines())} lines")
    if not sees_changes(page):
        print("the comparison misses a changed number")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
