#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether standard input is LaTeX that could be compiled, as far as one can tell without a compiler: braces,
environments, \\left and \\right balance, in order; formulas begin and end; what is special stands only where it
may.  Usage: check_latex.py [--document], exit code 1 and a line with the reason otherwise."""
import re
import sys

MATH = {"align*", "pmatrix"}
KNOWN = MATH | {"document", "description", "flushleft"}
TOKEN = re.compile(r"\\begin\{[^{}]*\}|\\end\{[^{}]*\}|\\[A-Za-z]+\*?|\\.|[{}$^_&#%~]|[^\\{}$^_&#%~]+", re.S)
COMMANDS = set("""documentclass usepackage allowdisplaybreaks section* subsection* texttt ttfamily noindent item text
    frac sqrt left right quad qquad partial sum prod in mapsto lambda rho Gamma pi cdots sin cos tan arcsin arccos
    arctan operatorname sinh cosh tanh exp log det mathit mathrm ne le ge textbackslash textasciicircum
    textasciitilde textless textgreater textbar textquotedbl alpha beta gamma delta epsilon zeta eta theta iota
    kappa mu nu xi sigma tau upsilon phi chi psi omega Delta Theta Lambda Xi Pi Sigma Phi Psi Omega""".split())


class Wrong(Exception):
    pass


def check(text, is_document):
    stack = []                 # open braces, environments, \left, \[ and $

    def in_math():
        for name in reversed(stack):
            if name == "text":
                return False
            if name in MATH or name in ("$", "\\["):
                return True
        return False

    def close(name):
        if not stack or stack[-1] != name:
            raise Wrong(f"'{name}' closes {stack[-1:]}")
        stack.pop()

    before = ""
    for token in TOKEN.findall(text):
        if token.startswith("\\begin"):
            name = token[7:-1]
            if name not in KNOWN:
                raise Wrong(f"environment '{name}'")
            if name == "pmatrix" and not in_math():
                raise Wrong("pmatrix outside of a formula")
            if name != "pmatrix" and in_math():
                raise Wrong(f"{name} inside of a formula")
            stack.append(name)
        elif token.startswith("\\end"):
            close(token[5:-1])
        elif token == "{":
            stack.append("text" if before == "\\text" else "{")
        elif token == "}":
            if not stack or stack[-1] not in ("{", "text"):
                raise Wrong(f"'}}' closes {stack[-1:]}")
            stack.pop()
        elif token == "$":
            if stack and stack[-1] == "$":
                stack.pop()
            elif in_math():
                raise Wrong("$ inside of a formula")
            else:
                stack.append("$")
        elif token == "\\[":
            stack.append("\\[")
        elif token == "\\]":
            close("\\[")
        elif token == "\\left":
            stack.append("\\left")
        elif token == "\\right":
            close("\\left")
        elif token in ("^", "_") and not in_math():
            raise Wrong(f"'{token}' outside of a formula, behind {before!r}")
        elif token == "&" and not any(name in MATH for name in stack):
            raise Wrong("'&' outside of a table")
        elif token in ("#", "%", "~"):
            raise Wrong(f"'{token}' is not escaped")
        elif token == "\\\\" and not (stack and stack[-1] in MATH):
            raise Wrong("a line ends inside of a group")
        elif re.fullmatch(r"\\[A-Za-z]+\*?", token) and token[1:] not in COMMANDS:
            raise Wrong(f"command {token}")
        elif in_math() and "\n\n" in token:
            raise Wrong("a paragraph ends inside of a formula")
        elif in_math() and re.search(r"[^\x00-\x7f]", token):
            raise Wrong(f"{token!r} inside of a formula")
        if token.strip():
            before = token
    if stack:
        raise Wrong(f"{stack} stays open")
    if is_document != text.startswith("\\documentclass"):
        raise Wrong("it is " + ("no document" if is_document else "a document"))
    if re.search(r"\\begin\{description\}\s*(?!\\item)\S", text):
        raise Wrong("a list begins without an item")
    if not text.strip():
        raise Wrong("it is empty")


try:
    check(sys.stdin.read(), "--document" in sys.argv)
except Wrong as reason:
    sys.exit(f"no LaTeX: {reason}")
