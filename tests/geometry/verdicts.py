#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes docs/verdicts.md: small models, what the analysis says of them, and their first steps.

Usage: verdicts.py GENERATOR [--write]

Without --write the page is made anew and compared with the file: text must be equal, figures must agree to nine
digits, and figures below 1e-10, which are round-off, must both be below that.  Run from the project's root.
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

Each model below shows one answer of the analysis, or one form of the fibre flow. Under its text stands what
`sidewinder check --ascii` says from "Found by analysis" on. Where the model is accepted, the first three steps of
RATTLE follow, with the base method and the step of the model, and the largest |g| and |{g,H}| over them; a state
that is off M or M^H is projected first (`--project=inf`: however far
that is), so that the column of t = 0 is the projected one. What the words of the analysis mean, and what they rest on, is in [geometry.md](geometry.md).

The page is made by `tests/geometry/verdicts.py` from the models in `models/` and `tests/geometry/`, and a test
makes it anew. Figures of the size of round-off, such as 1.1e-16, differ between machines.
"""

# Heading, model, what to look at, options of the run.
PROJECT = ["--project=inf"]
MODELS = [
    ("Where SHAKE and RATTLE apply", None, None, None),
    ("Holonomic, one constraint", "models/pendulum.sw",
     "The classical case. det N is `-4 length^2` modulo the constraint, an exact identity, so that it is known for "
     "every positive length and not at samples only.", []),
    ("Holonomic, two constraints, N by structure", "models/double_pendulum.sw",
     "For g(q) and a positive H_pp, N is -G H_pp G^T, definite wherever the gradients are independent; no "
     "determinant is needed.", []),
    ("On the momenta alone", HERE + "shell.sw",
     "The pendulum with q and p exchanged: the fibres are lines in q.", PROJECT),
    ("An affine function of the momenta, and the flow of a lift", HERE + "glide.sw",
     "The flow moves q along (1, 1) and takes from p the integral of 3 x^2 on the way, a polynomial in lambda; N is "
     "singular somewhere on M^H, away from where the run is.", PROJECT),
    ("A rotation, and N singular somewhere", "models/hopf.sw",
     "The 32 sampled points do not meet the surface where N is singular; it is found by solving det N = 0 together "
     "with g = rho = 0, and the witness is printed.", []),
    ("A hyperbolic flow", HERE + "saddle.sw",
     "Neither a proof was found that det N has no zero on M^H, nor a zero: the answer is the count of samples, "
     "without \"proved\" and without \"not at all points\". There is none: where det N = 0, |x px - y py| is at "
     "most 3 sqrt(3)/64 = 0.081, and on M it is 0.1.", PROJECT),
    ("A nilpotent flow, and a proof that is not found", HERE + "shear.sw",
     "On M, 2 x^2 + py^2 is at least 2 sqrt(2) |x py| = 0.4 sqrt(2), so N is invertible on all of M; the analysis "
     "looks for polynomial identities and even powers, not for inequalities of means, and claims only its samples.",
     PROJECT),
    ("Clusters that share nothing", HERE + "pair.sw",
     "The two fibre flows act on different variables and are taken side by side; N is full all the same, since H "
     "couples them.", PROJECT),
    ("Flows in sequence", "models/two_constraints.sw",
     "Both constraints move all of the first two planes, and {sphere, spin} = 0 identically: exp of the sum is one "
     "flow after the other, in either order.", []),
    ("In involution on M alone", HERE + "mixed.sw",
     "M, H and the state of the model before, by other functions: the bracket is a multiple of the first one, shown as "
     "an identity. Beside M the flows do not commute, so the exponential of the sum is integrated; the steps are "
     "those of the model before, since they depend on M and not on g.", []),
    ("In involution at samples", HERE + "sampled.sw",
     "As before with sin(f) for f: the bracket is zero on M, but not by a polynomial combination of the "
     "constraints, and the analysis says that it sampled. M is the same set, and so are the steps of RATTLE.", []),
    ("No closed flow", HERE + "squeeze.sw",
     "x' = x^2 along the fibre, of which no closed form is tried: the flow is integrated to round-off; det N is "
     "proved negative by even powers of one sign.", PROJECT),
    ("Index one", "models/index1.sw",
     "beta is a momentum, and the constraint -alpha == 0 on its position has the lines along beta as its fibres: "
     "rho = -H_beta, and N = -H_beta,beta is proved negative.", []),
    ("A redundant constraint", HERE + "twice.sw",
     "The second constraint is three times the first, as an identity: a warning and not a refusal, and the run "
     "needs to be told what to do.", ["--redundant", "drop"]),
    ("Where they do not", None, None, None),
    ("Second class", HERE + "second.sw",
     "The hidden constraint of the pendulum is declared as a constraint: {rod, tangent} = 2 |q|^2, which is 2 on M, "
     "at the point that is printed.", None),
    ("The energy as a constraint", HERE + "energy.sw",
     "rho = {H - 1, H} = 0 identically, so N = 0 and M^H = M: the multiplier changes the speed along the orbits of H "
     "and nothing determines it.", None),
    ("Index five", HERE + "five.sw",
     "H is linear along the fibres (paper 000, section 5.2), and the chain goes on for two more levels until "
     "everything is fixed.", None),
    ("Infinitely many solutions", HERE + "free.sw",
     "H is constant along the fibres (the second Hamiltonian of that section): the chain ends at once and pbar is "
     "arbitrary.", None),
    ("A hidden constraint with a double root", HERE + "power.sw",
     "rho = q^2/2, whose root is taken and marked; then {q, H} = p, and {p, H} = -pbar q vanishes already: pbar stays "
     "free.", None),
    ("A chain that is not found out", HERE + "tangent.sw",
     "Two circles that touch leave one point of the plane, known to half the digits; det N is proved 0 on M, with a "
     "certificate, but where the chain ends is not decided.", None),
    ("No motion", HERE + "never.sw",
     "rho is the constant 1, so no state of M satisfies the hidden constraint.", None),
    ("A double root", HERE + "square.sw",
     "dg = 2 f df vanishes with f: M is the unit circle, but g says nothing about its tangent; the count at "
     "\"nondegenerate\" has no meaning here, because N is made of the same vanishing gradient.", None),
    ("Inconsistent constraints, proved", HERE + "none.sw",
     "1 = small/3 - large/3 is an identity, so that M is empty, over the complex numbers, too.", None),
    ("Inconsistent constraints, not proved", HERE + "imaginary.sw",
     "M has complex points, so that no identity 1 = factor * rod exists; the analysis has looked and not found, and "
     "says no more than that.", None),
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


def made(generator):
    return (INTRODUCTION + "\n" + "".join(section(generator, *m) for m in MODELS)).rstrip("\n") + "\n"


NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")


def alike(one, other):
    """Whether two figures agree."""
    a, b = float(one), float(other)
    if abs(a) < ROUND_OFF and abs(b) < ROUND_OFF:
        return True
    return abs(a - b) <= DIGITS * max(abs(a), abs(b))


def words_of(page):
    """(line, word) for every word.  Lines are not compared, since a longer figure may wrap one elsewhere."""
    return [(number, word) for number, line in enumerate(page.splitlines(), 1) for word in line.split()]


def same(one, other):
    """Whether two words are equal but for round-off."""
    figures = list(zip(NUMBER.findall(one), NUMBER.findall(other)))
    return NUMBER.sub("#", one) == NUMBER.sub("#", other) and all(alike(a, b) for a, b in figures)


def differences(old, new):
    """Words that differ, as text."""
    old, new = words_of(old), words_of(new)
    found = [] if len(old) == len(new) else [f"{len(old)} words are there, {len(new)} are made"]
    for (number, x), (_, y) in zip(old, new):
        if not same(x, y):
            found.append(f"{PAGE}:{number}: there: {x}  made: {y}")
    return found


def sees_changes(page):
    """Whether the comparison fails, as it must: on each long figure changed in its ninth digit, and on a word."""
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
    page = made(generator)
    if sys.argv[2:] == ["--write"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)
        return 0
    with open(PAGE, encoding="utf-8") as file:
        old = file.read()
    found = differences(old, page)
    print("\n".join(found[:20]) or f"{PAGE} is what is made: {len(page.splitlines())} lines")
    if not sees_changes(page):
        print("the comparison does not see a changed figure")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
