# SPDX-License-Identifier: BSD-3-Clause
"""A model in a notebook: H and g as LaTeX, and the verdicts of `sidewinder check`."""
from __future__ import annotations

import html as html_text
import re

LONGEST = 6000  # characters of the formulas under one heading; longer formulas are in `page` only


def _formulas(latex: str, heading: str) -> str:
    """The lines of the align* blocks under a heading of `check --latex`; "" if too long."""
    found = re.search(r"\\subsection\*\{" + heading + r"\}(.*?)(?=\\subsection\*|\Z)", latex, re.DOTALL)
    blocks = re.findall(r"\\begin\{align\*\}\n(.*?)\n?\\end\{align\*\}", found.group(1) if found else "", re.DOTALL)
    lines = " \\\\\n".join(blocks)
    return "" if len(lines) > LONGEST else lines


def latex(page: str) -> str | None:
    """H and g from the output of `sidewinder check --latex`, as one formula.

    Parts that are too long are omitted; None if both are.
    """
    lines = [text for text in (_formulas(page, "Hamiltonian"), _formulas(page, r"Constraints?")) if text]
    return "$$\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}$$" if lines else None


def _section(page: str, heading: str) -> list[str]:
    """The indented lines under a heading of the page."""
    lines = page.splitlines()
    if heading not in lines:
        return []
    found = []
    for line in lines[lines.index(heading) + 1 :]:
        if not line.startswith("  "):
            break
        found.append(line[2:])
    return found


def verdicts(page: str) -> list[tuple[str, str]]:
    """(property, finding) for each finding of the analysis, with continuation lines joined."""
    found: list[tuple[str, str]] = []
    for line in _section(page, "Found by analysis"):
        if line.startswith(" ") and found:
            found[-1] = (found[-1][0], found[-1][1] + " " + line.strip())
        else:
            what, _, finding = line.partition("  ") if "  " in line else line.partition(" ")
            found.append((what.strip(), finding.strip()))
    return found


def html(name: str, title: str, latex_page: str, page: str) -> str:
    """A heading, H and g, and a table of verdicts."""
    shown = latex(latex_page)
    # MathJax must not interpret the text of the cells.
    rows = "".join(
        f'<tr><th style="text-align:left">{html_text.escape(what)}</th><td style="text-align:left">{html_text.escape(finding)}</td></tr>'
        for what, finding in verdicts(page)
    )
    conclusion = " ".join(_section(page, "Conclusion"))
    return (
        f"<p><b>{html_text.escape(name)}</b> {html_text.escape(title)}</p>"
        + (html_text.escape(shown, quote=False) if shown else "")
        + f'<table class="tex2jax_ignore">{rows}</table><p>{html_text.escape(conclusion)}</p>'
    )
