#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a model in other units.

Usage: rescale.py MODEL.sw [--power-of-two] [--seed N] [--largest E] [--units JSON] [-o FILE]

The names stay, and what they stand for is multiplied by a unit: a position Q = uq q, a momentum P = up p, the
Hamiltonian K = uH H(Q/uq, P/up), each constraint by a unit of its own, and each parameter.  The equations of motion are
then those of the model with the time T = ut t, ut = uq up/uH: the same motion, measured otherwise.  Where formulas contain
the time t, it is a position, and uH = up.  In the text:

* every use of a coordinate or parameter, with its indices, is divided by its unit, of the Hamiltonian's name and the time, too;
* initial states, defaults and bounds of parameters, step and t_end are multiplied by theirs;
* both sides of a constraint are multiplied by its unit, so multiplier(g) is worth uH/ug as much: its uses and those of
  bracket(a, b), which is worth 1/(uq up), are corrected, so that observables and invariants keep their values.

Units that are powers of two are written as such and change no digit of any number.  Without --units they are drawn:
a factor of up to 10^E [30] either way, evenly in its logarithm.  The units that were used are printed as
JSON to standard error: {"q":, "p":, "H":, "constraints": {}, "parameters": {}}.

As a module: Units.draw(model_text, rng, ...) and rescale(model_text, units).
"""
import argparse
import json
import random
import re
import sys
from fractions import Fraction

STATEMENTS = ("model", "size", "set", "param", "coord", "algebraic", "let", "hamiltonian", "constraint",
              "observe", "invariant", "init", "run")
OPENING, CLOSING = "([{", ")]}"
TOKEN = re.compile(r'\s+|#[^\n]*|"[^"\n]*"|[A-Za-z][A-Za-z0-9_]*|\d+\.(?=\.)|(?:\d+(?:\.\d+)?)(?:[eE][+-]?\d+)?'
                   r"|\.\.|==|!=|<=|>=|.", re.S)
LARGEST_POWER = 100  # of a constant, in the language
# Of a unit that is no power of two.  With more of them the coefficients of expanded formulas, which are exact, grow out
# of the range of doubles.
DIGITS = 6


class Unsupported(Exception):
    """The text has something that this program does not know how to rescale."""


# ---- numbers ----

def is_power_of_two(value):
    value = Fraction(value)
    top = max(value.numerator, value.denominator)
    return min(value.numerator, value.denominator) == 1 and top & (top - 1) == 0


def text_of(value):
    """A positive unit as a constant of the language, exactly."""
    value = Fraction(value)
    if is_power_of_two(value):
        power = value.numerator.bit_length() - value.denominator.bit_length()
        if abs(power) <= LARGEST_POWER:
            return f"2^{power}" if power >= 0 else f"2^({power})"
        half = power // 2
        return f"({text_of(Fraction(2) ** half)}*{text_of(Fraction(2) ** (power - half))})"
    return number_text(value)


def number_text(value):
    """The double next to a number; Python's shortest text of it is read back as the same double everywhere."""
    return repr(float(value))


# ---- text ----

def tokens_of(text):
    """Tokens without spaces and comments, each with the space before it so that lines stay."""
    tokens, space = [], ""
    for match in TOKEN.finditer(text):
        token = match.group()
        if token[0].isspace() or token[0] == "#":
            space += token
        else:
            tokens.append((space, token))
            space = ""
    return tokens


def joined(tokens):
    return "".join(space + token for space, token in tokens)


def closing_of(tokens, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i][1] in OPENING) - (tokens[i][1] in CLOSING)
        if depth == 0:
            return i
    raise Unsupported("a bracket is not closed")


def split(tokens, separator):
    """Parts between separators that stand outside of all brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token[1] in OPENING) - (token[1] in CLOSING)
        if token[1] == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def statements_of(text):
    """Lists of tokens, each of which begins with the word of its statement."""
    statements, depth, before = [], 0, ""
    for token in tokens_of(text):
        depth += (token[1] in OPENING) - (token[1] in CLOSING)
        # `run ..., init = NAME` is no new statement.
        if token[1] in STATEMENTS and depth == 0 and before != ",":
            if not (token[1] == "init" and statements and statements[-1][0][1] == "run" and before == "run"):
                statements.append([])
        if not statements:
            raise Unsupported("the text does not begin with a statement")
        statements[-1].append(token)
        before = token[1]
    return statements


def behind_binders(statement, at):
    """The place behind the name at `at` and its [...], if it has them."""
    at += 1
    return closing_of(statement, at) + 1 if at < len(statement) and statement[at][1] == "[" else at


def uses_time(statement):
    """Whether t stands in it, and is no argument and no index there."""
    words = [token[1] for token in statement]
    own = any(pair == ["t", "in"] for pair in map(list, zip(words, words[1:]))) or \
        words[0] == "let" and words[2] == "(" and "t" in words[3:closing_of(statement, 2)]
    return "t" in words and not own


# ---- what a model declares ----

class Declarations:
    """Names of coordinates, parameters, constraints and of the Hamiltonian."""

    def __init__(self, statements):
        self.positions, self.momenta, self.parameters, self.constraints = [], [], [], []
        self.algebraic = []
        self.hamiltonian = None
        for s in statements:
            word = s[0][1]
            if word in ("coord", "algebraic"):
                # An algebraic variable is a momentum, and what it may name behind 'momentum' its position.
                own, other = (self.momenta, self.positions) if word == "algebraic" else (self.positions, self.momenta)
                at = behind_binders(s, 1)
                own.append(s[1][1])
                if at < len(s):
                    if s[at][1] != "momentum":
                        raise Unsupported(f"'{s[at][1]}' behind a coordinate")
                    other.append(s[at + 1][1])
                if word == "algebraic":
                    self.algebraic.append(s[1][1])
            elif word == "param":
                self.parameters.append(s[1][1])
            elif word == "constraint":
                self.constraints.append(s[1][1])
            elif word == "hamiltonian":
                self.hamiltonian = s[1][1]
        if self.hamiltonian is None:
            raise Unsupported("there is no 'hamiltonian'")
        # The word t is the time where nothing is declared by that name; then it is a position, behind the others.
        lets = [s[1][1] for s in statements if s[0][1] == "let"]
        self.has_time = any(uses_time(s) for s in statements) and \
            "t" not in self.positions + self.momenta + self.parameters + lets


class Units:
    """Positive factors, exact where they are Fractions."""

    def __init__(self, q=1, p=1, H=1, constraints=None, parameters=None):
        self.q, self.p, self.H = q, p, H
        self.constraints = constraints or {}
        self.parameters = parameters or {}

    @staticmethod
    def draw(text, rng, largest=30.0, power_of_two=False):
        """Units for the model of that text; the draws do not depend on one another's range."""
        names = Declarations(statements_of(text))

        def unit():
            exponent = rng.uniform(-largest, largest)
            if power_of_two:
                return Fraction(2) ** round(exponent * 3.321928094887362)
            return Fraction(f"{10.0 ** exponent:.{DIGITS - 1}e}")

        q, p, H = unit(), unit(), unit()
        if names.has_time:
            H = p  # so that the time, which is one of the positions, has their unit: sizes of positions are judged together
        return Units(q, p, H, {name: unit() for name in names.constraints},
                     {name: unit() for name in names.parameters})

    @property
    def t(self):
        return Fraction(self.q) * Fraction(self.p) / Fraction(self.H)

    def constraint(self, name):
        """Of a constraint; that of an algebraic variable is its position."""
        return self.q if name.startswith("algebraic_") and name not in self.constraints \
            else self.constraints.get(name, 1)

    def multiplier(self, name):
        return Fraction(self.H) / Fraction(self.constraint(name))

    def as_json(self):
        return json.dumps({"q": float(self.q), "p": float(self.p), "H": float(self.H), "t": float(self.t),
                           "constraints": {k: float(v) for k, v in self.constraints.items()},
                           "parameters": {k: float(v) for k, v in self.parameters.items()}})

    @staticmethod
    def from_json(text):
        values = json.loads(text)

        def exact(entries):
            return {name: Fraction(value) for name, value in entries.items()}
        return Units(Fraction(values.get("q", 1)), Fraction(values.get("p", 1)), Fraction(values.get("H", 1)),
                     exact(values.get("constraints", {})), exact(values.get("parameters", {})))


# ---- the text in other units ----

class Rescaler:
    def __init__(self, text, units):
        self.units = units
        self.statements = statements_of(text)
        self.names = Declarations(self.statements)
        self.divide = {name: units.q for name in self.names.positions}
        self.divide.update({name: units.p for name in self.names.momenta})
        self.divide.update({name: units.parameters.get(name, 1) for name in self.names.parameters})
        self.divide[self.names.hamiltonian] = units.H
        if self.names.has_time:
            self.divide.update({"t": units.q, "p_t": units.p})
        self.indices = ()  # of the statement: a parameter's index may have the name of a coordinate

    def uses(self, tokens, hidden=()):
        """An expression, whose names stand for the new quantities."""
        out, i = [], 0
        while i < len(tokens):
            space, word = tokens[i]
            if word == "[" and i > 0:
                # Indices, which are neither coordinates nor parameters.
                end = closing_of(tokens, i)
                out += tokens[i:end + 1]
                i = end + 1
            elif word in ("bracket", "multiplier") and i + 1 < len(tokens) and tokens[i + 1][1] == "(":
                end = closing_of(tokens, i + 1)
                inside = tokens[i + 2:end]
                if word == "bracket":
                    factor = Fraction(self.units.q) * Fraction(self.units.p)
                    inside = self.uses(inside, hidden)
                else:
                    factor = 1 / self.units.multiplier(inside[0][1])
                out += self.times(factor, [("", word), ("", "("), *inside, ("", ")")], space)
                i = end + 1
            elif word in self.divide and word not in hidden and word not in self.indices:
                end = behind_binders(tokens, i)
                out += [(space, "("), ("", word), *tokens[i + 1:end],
                        ("", f"/{text_of(self.divide[word])}"), ("", ")")]
                i = end
            else:
                out.append((space, word))
                i += 1
        return out

    @staticmethod
    def times(unit, tokens, space=" "):
        """unit*(tokens)."""
        first = [("", tokens[0][1])] + tokens[1:]
        return [(space, "("), ("", text_of(unit)), ("", "*"), ("", "("), *first, ("", ")"), ("", ")")]

    def value(self, unit, tokens):
        """An expression, or a table of them, times a unit."""
        if not tokens or tokens[0][1] != "{":
            return self.times(unit, self.uses(tokens))
        out = [tokens[0]]
        for n, entry in enumerate(split(tokens[1:-1], ",")):
            parts = split(entry, ":")
            if len(parts) > 2:
                raise Unsupported("more than one key in an entry of a table")
            out += [("", ",")] if n else []
            out += parts[0] + [("", ":")] if len(parts) == 2 else []
            out += self.value(unit, parts[-1])
        return out + [tokens[-1]]

    @staticmethod
    def bounds(unit, tokens):
        """`in (a, b]`: numbers times a unit."""
        out = []
        for n, (space, word) in enumerate(tokens):
            if word[0].isdigit():
                value = Fraction(word) * Fraction(unit)
                if value != 0:
                    word = number_text(value)
            out.append((space, word))
        return out

    def param(self, s):
        unit = self.units.parameters.get(s[1][1], 1)
        at = behind_binders(s, 1) + 1
        end, depth = len(s), 0
        for i in range(at, len(s)):
            depth += (s[i][1] in OPENING) - (s[i][1] in CLOSING)
            if s[i][1] == "in" and depth == 0:
                end = i
                break
        return s[:at] + self.value(unit, s[at:end]) + self.bounds(unit, s[end:])

    def let(self, s):
        at = 2
        hidden = ()
        if s[at][1] == "(":
            end = closing_of(s, at)
            hidden = tuple(token for _, token in s[at + 1:end] if token != ",")
            at = end + 1
        return s[:at + 1] + self.uses(s[at + 1:], hidden)

    def constraint(self, s):
        unit = self.units.constraints.get(s[1][1], 1)
        at = behind_binders(s, 1) + 1
        sides = split(s[at:], "==")
        if len(sides) != 2:
            raise Unsupported("a constraint without '=='")
        left, right = (self.times(unit, self.uses(side)) for side in sides)
        return s[:at] + left + [(" ", "==")] + right

    def init(self, s):
        at = 1
        if s[2][1] == ":":
            at = 3
        name = s[at][1]
        unit = self.units.q if name in [*self.names.positions, "t"] else self.units.p
        equals = behind_binders(s, at) + 1
        return s[:equals] + self.value(unit, s[equals:])

    def run(self, s):
        out = []
        for i, (space, word) in enumerate(s):
            if i > 2 and s[i - 2][1] in ("step", "t_end") or \
                    i > 3 and s[i - 1][1] == "-" and s[i - 3][1] in ("step", "t_end"):
                if word[0].isdigit():
                    word = number_text(Fraction(word) * self.units.t)
            out.append((space, word))
        return out

    @staticmethod
    def indices_of(s):
        """The names in NAME[i in A, j in B]."""
        end = behind_binders(s, 1)
        return tuple(s[i][1] for i in range(3, end - 1) if s[i + 1][1] == "in" and s[i - 1][1] in "[,")

    def statement(self, s):
        word = s[0][1]
        self.indices = self.indices_of(s) if word in ("param", "constraint", "observe", "invariant") else ()
        if word in ("param", "let", "constraint", "init", "run"):
            return getattr(self, word)(s)
        if word in ("observe", "invariant"):
            at = behind_binders(s, 1) + 1
            return s[:at] + self.uses(s[at:])
        if word == "hamiltonian":
            return s[:3] + self.times(self.units.H, self.uses(s[3:]))
        return s

    def text(self):
        return "".join(joined(self.statement(s)) for s in self.statements) + "\n"


def rescale(text, units):
    """The text of the same model in these units."""
    return Rescaler(text, units).text()


def main():
    parser = argparse.ArgumentParser(description="Writes a model in other units.")
    parser.add_argument("model")
    parser.add_argument("--power-of-two", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=float, default=30.0, metavar="E")
    parser.add_argument("--units", metavar="JSON")
    parser.add_argument("-o", "--output", metavar="FILE")
    options = parser.parse_args()
    with open(options.model, encoding="utf-8") as file:
        text = file.read()
    units = Units.from_json(options.units) if options.units else \
        Units.draw(text, random.Random(options.seed), options.largest, options.power_of_two)
    changed = rescale(text, units)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(changed)
    else:
        sys.stdout.write(changed)
    print(units.as_json(), file=sys.stderr)


if __name__ == "__main__":
    main()
