# SPDX-License-Identifier: BSD-3-Clause
"""Small errors in a generated step, NAME_step.c: in operators, constants, comparisons, variables, statements and guards.

`StepMutants(text)` lists them as `Mutants` does; `definitions()` yields those in the macros of a solve, as texts of their own.
"""
import re

from mutants import FUNCTIONS, HEAD, NUMBER, OPERATORS, TYPES, Mutants, joined, split_at

MEMBERS = re.compile(r"typedef struct (setup|work) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
POINTERS = {"s": "setup", "w": "work"}
MACRO = re.compile(r"SW_FUSED_(PIVOT|FAR|SMALL|REACH\w*|TURN\w*|IMPLICIT)$")
DEFINITION = re.compile(r"^#define (SW_FUSED_(?:GAIN|TURNS|KIND|FROM_ZERO|ONCE_MORE)) *(.*)$", re.MULTILINE)
# The first of each is the definition of a solve in which the second takes its place.
OTHER_DEFINITIONS = {"SW_FUSED_LINEAR": ["SW_FUSED_NEWTON"], "SW_NO": ["SW_YES"], "": [None],
                     "SW_LESS(s->h, 0.0)": ["SW_NO", "SW_LESS(0.0, s->h)"], "(turned ^ w->odd)": ["SW_NO"]}


class StepMutants(Mutants):
    function_pattern = re.compile(r"^static inline (?:void|int|number|truth) (\w+)\([^)]*\)\n(\{\n.*?^\})$",
                                  re.MULTILINE | re.DOTALL)
    types = TYPES | {"number", "truth", "whole"}
    operators = {**OPERATORS, "&": ["|"], "|": ["&"], "^": ["|"], "!": [""]}
    functions = {**FUNCTIONS, "SW_LESS": "SW_AT_MOST", "SW_AT_MOST": "SW_LESS", "SW_LARGER": "SW_SMALLER", "SW_NOT": "",
                 "SW_EQUAL": "SW_AT_MOST", "SW_SAME": "SW_AT_MOST"}
    head = HEAD + "#define SW_SMALLER(a, b) ((a) < (b) ? (a) : (b))\n"

    def __init__(self, text):
        self.members = {}
        for name, body in MEMBERS.findall(text):
            body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
            self.members[name] = [word for line in re.findall(r"number ([^;]*);", body) for word in line.split(", ")]
        super().__init__(text)

    def statement(self, tokens):
        """Calls have mutants in their arguments, too."""
        if tokens[0] in self.types or tokens[0] in ("return", "(", "enum") or any(t in ("=", "&=", "|=", "^=") for t in tokens):
            return super().statement(tokens)
        text = joined(tokens)
        branches = []
        for what, other in self.variants(tokens):
            n = self.number(self.where, f"`{text}`: {what}")
            branches += [f"if (sw_is({n})) {{ {joined(other)}; }} else "] if n else []
        return "".join(branches) + super().statement(tokens)

    def variants(self, tokens):
        yield from super().variants(tokens)
        for i, token in enumerate(tokens):
            if token == "->" and tokens[i - 1] in POINTERS:
                for other in self.other_members(POINTERS[tokens[i - 1]], tokens[i + 1]):
                    yield f"{tokens[i + 1]} -> {other} at {i + 1}", tokens[:i + 1] + [other] + tokens[i + 2:]
            elif MACRO.match(token):
                for factor in ("1e3", "1e-3"):
                    yield f"{token} times {factor}", tokens[:i] + ["(", factor, "*", token, ")"] + tokens[i + 1:]
            elif token in ("SW_YES", "SW_NO"):
                yield f"not {token}", tokens[:i] + ["SW_NO" if token == "SW_YES" else "SW_YES"] + tokens[i + 1:]

    def other_members(self, struct, name):
        members = self.members[struct]
        if name not in members:
            return []
        alike = [other for other in members if other != name and (other[:3] == name[:3] or len(other) == len(name))]
        return alike[:2]

    def swappable(self, tokens, i):
        return i == 0 or tokens[i - 1] not in ("->", ".")

    def definitions(self):
        for match in DEFINITION.finditer(self.text):
            name, value = match.groups()
            others = [str(1.5 * float(value)), str(float(value) / 1.5)] if NUMBER.match(value) else OTHER_DEFINITIONS.get(value, [])
            for other in others:
                line = f"#define {name} {other}" if other is not None else ""
                yield f"{name}: {value} -> {other}", self.text[:match.start()] + line + self.text[match.end():]
