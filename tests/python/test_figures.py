# SPDX-License-Identifier: BSD-3-Clause
"""Rows.draw: rows on axes of matplotlib."""
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import sidewinder
from sidewinder import figures

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(name="pyplot")
def matplotlib_without_screen(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    yield pyplot
    pyplot.close("all")


def curves(ax):
    return [(line.get_label(), line.get_xdata(), line.get_ydata()) for line in ax.lines]


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_curves_are_the_rows(models, pyplot, same):
    rows = models("pendulum").sim(step=0.1).run(100)
    ax = rows.draw("q, energy")
    assert [label for label, _, _ in curves(ax)] == labels(ax) == ["q.x", "q.y", "energy"]
    assert all(same(x, rows["t"]) and same(y, rows[label]) for label, x, y in curves(ax))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("t", "q, energy")
    assert [line.get_color() for line in ax.lines] == list(figures.COLOURS[:3])
    assert pyplot.gcf() is ax.figure


def test_axes_are_those_of_the_caller(models, pyplot, same):
    rows = models("pendulum").sim(step=0.1).run(100)
    _, (left, right) = pyplot.subplots(1, 2)
    assert rows.draw("q.y", x="q.x", ax=left) is left and rows.draw("energy", ax=right, change=True, label="h = 0.1") is right
    (label, x, y), = curves(left)
    assert label == "q.y" and same(x, rows["q.x"]) and same(y, rows["q.y"]) and left.get_legend() is None
    assert (left.get_xlabel(), left.get_ylabel(), right.get_ylabel()) == ("q.x", "q.y", "change of energy")
    assert same(right.lines[0].get_ydata(), rows["energy"] - rows["energy"][0])
    models("pendulum").sim(step=0.05).run(200).draw("energy", ax=right, change=True, label="h = 0.05", color="black")
    assert labels(right) == ["h = 0.1", "h = 0.05"] and right.lines[1].get_color() == "black"
    assert len(pyplot.get_fignums()) == 1


def test_an_ensemble_has_a_curve_for_each_trajectory(models, pyplot, same):
    model = models("pendulum")
    with model.ensemble(np.tile(model.sim().z, (3, 1)), k={"gravity": [1, 2, 3]}, step=0.1) as trajectories:
        rows = trajectories.run(20, every=1)
    ax = rows.draw("q")
    assert labels(ax) == ["q.x", "q.y"] and len(ax.lines) == 6
    assert all(same(ax.lines[i].get_ydata(), rows["q.x"][:, i]) for i in range(3))
    assert {line.get_color() for line in ax.lines[:3]} == {figures.COLOURS[0]}
    assert {line.get_color() for line in ax.lines[3:]} == {figures.COLOURS[1]}
    assert same(rows[:, 1].draw("angle").lines[0].get_ydata(), rows["angle"][:, 1])


def test_units_of_a_file(models, pyplot):
    rows = models("pendulum").sim(step=0.1).run(3)
    rows.metadata = {"comments": {"q": "positions [nm], momenta [u nm/ps]", "p": "positions [nm], momenta [u nm/ps]",
                                  "angle": "from the vertical [rad]", "energy": "exact"}}  # fmt: skip
    ax = rows.draw("q,p.x,angle,energy", x="angle")
    assert labels(ax) == ["q.x [nm]", "q.y [nm]", "p.x [u nm/ps]", "angle [rad]", "energy"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("angle [rad]", "q [nm], p.x [u nm/ps], angle [rad], energy")
    rows.metadata = {"comments": {"q": "positions [nm]", "p": "positions [nm]"}}
    assert rows.draw("p.x").get_ylabel() == "p.x"


def test_arguments_at_the_wrong_place(models, pyplot):
    rows = models("pendulum").sim(step=0.1).run(3)
    for wrong, words in (
        (lambda: rows.draw("picture.svg"), "no column 'picture.svg'.*rows.plot writes a file"),
        (lambda: rows.draw("angel"), "no column 'angel'; did you mean 'angle'"),
        (lambda: rows.draw(rows["q.x"]), "columns are names, such as .* not float64 objects"),
        (lambda: rows.draw(3), "columns are names, such as .* not int objects"),
        (lambda: rows.draw("q", x="q"), "x is one column, such as 'q.x'; 'q' is an array"),
        (lambda: rows.draw("q", ax=pyplot), r"ax is an Axes of matplotlib, such as pyplot.subplots\(\)\[1\], not module"),
    ):
        with pytest.raises(sidewinder.OptionError, match=words):
            wrong()
    assert not pyplot.get_fignums()


def test_without_matplotlib(models, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    with pytest.raises(ImportError, match="draw needs matplotlib.*python3-matplotlib.*rows.plot") as error:
        models("pendulum").sim(step=0.1).run(3).draw("angle")
    assert error.value.name == "matplotlib"


def test_the_package_does_not_import_matplotlib():
    code = "import sys, sidewinder; assert not [name for name in sys.modules if name.startswith('matplotlib')]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_figure_of_the_documentation(pyplot, tmp_path, monkeypatch):
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    code = re.search(r"## Figures.*?^```python\n(.*?)^```", page, re.M | re.S)[1]
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    ax = pyplot.gca()
    full, half = (abs(line.get_ydata()).max() for line in ax.lines)
    assert full / half == pytest.approx(4, rel=0.02) and labels(ax) == ["h = 0.1", "h = 0.05"]
    assert (tmp_path / "figure.svg").stat().st_size > 1000 and (ROOT / "docs/python.svg").exists()


def test_colours_are_those_of_all_pictures():
    style = (ROOT / "codegen/report/web/style.gp").read_text(encoding="utf-8")
    assert re.search('^colours = "(.*)"', style, re.M)[1].split() == list(figures.COLOURS)
    assert re.search('^set grid lc rgb "(.*)"', style, re.M)[1] == figures.GRID
