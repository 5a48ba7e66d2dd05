# SPDX-License-Identifier: BSD-3-Clause
"""The cells of examples/pendulum.ipynb, in order: they print the stored output, and their last values look as stored."""
import ast
import json
import pathlib
import re
import sys
import types

import pytest

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples/pendulum.ipynb"
NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e[-+]\d+)?")


class SVG:
    """Replaces IPython.display.SVG, which need not be installed."""

    def __init__(self, path):
        self.text = pathlib.Path(path).read_text(encoding="utf-8")

    def _repr_svg_(self):
        return self.text


def run(source, space):
    """Executes a cell, and returns the value of its last line if that is an expression."""
    lines = ast.parse(source)
    last = lines.body.pop() if isinstance(lines.body[-1], ast.Expr) else None
    exec(compile(lines, "cell", "exec"), space)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), space) if last else None


def test_notebook(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    display = types.ModuleType("IPython.display")
    display.SVG = SVG
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    space = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        value = run("".join(cell["source"]), space)
        printed = capsys.readouterr().out
        stored = "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")
        assert NUMBER.sub("N", printed) == NUMBER.sub("N", stored)
        # abs: numbers at round-off, such as a residual
        assert [float(n) for n in NUMBER.findall(printed)] == pytest.approx([float(n) for n in NUMBER.findall(stored)], rel=1e-5, abs=1e-14)
        for shown in (o["data"] for o in cell["outputs"] if o["output_type"] == "execute_result"):
            if "text/html" in shown:
                assert value._repr_html_() == "".join(shown["text/html"])
            else:
                assert value._repr_svg_().count("<path") == "".join(shown["image/svg+xml"]).count("<path") > 2
