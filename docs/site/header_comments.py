#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a C header with its comments in the form that Doxygen reads.

Usage: header_comments.py HEADER

A comment that begins a line describes the declaration after it. A comment after code on the same line describes that code, and continues
in the comments that stand alone on the next lines at a greater column. The comment "/*\n * NAME -- ..." at the head describes the file.
Text is shown as it is, in lines of fixed width, because the comments contain formulas.
"""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()


def escaped(comment):
    """The text of a comment as one paragraph per paragraph, with the characters that Doxygen would interpret escaped."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.split("\n")]
    body = "\n".join(lines).strip().replace(" -- ", " - ")
    body = re.sub(r"([\\@<>&#%|])", r"\\\1", body)
    # An indented line begins a list or a formula, which keep their lines.
    return re.sub(r"\n(?=\s*$|\n)", "\n", re.sub(r"\n( {2,}\S)", r"\\n\n\1", body))


def converted(match):
    before, comment = match[1], match[2]
    if comment.lstrip().startswith("SPDX"):
        return match[0]
    head = re.match(r"\s*\*?\s*(?:sidewinder/)?(\w+\.h) --", comment)
    if head:
        return f"{before}/** @file\n{escaped(comment)}\n*/"
    trailing = bool(before.strip())
    return f"{before}/**{'<' if trailing else ''} {escaped(comment)} */"


# A tag and its typedef have one name: Sphinx shows the tag alone.
text = re.sub(r"^typedef (?:struct|enum) (\w+) \1;$", "", text, flags=re.M)
text = re.sub(r"^typedef (struct|enum) (\w+) \{(.*?)\} \2;", r"\1 \2 {\3};", text, flags=re.M | re.S)
sys.stdout.write(re.sub(r"^([^\n]*?)/\*(.*?)\*/", converted, text, flags=re.M | re.S))
