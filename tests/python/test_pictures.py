# SPDX-License-Identifier: BSD-3-Clause
"""Reports and plots: the files that the commands write for the same run, and their refusals as exceptions."""
import os
import subprocess
import xml.etree.ElementTree as tree

import numpy as np
import pytest

import sidewinder


def texts(path):
    root = tree.parse(path).getroot()
    return ["".join(t.itertext()).strip() for t in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_report_is_that_of_the_command(models, tmp_path):
    ours, theirs = tmp_path / "ours.html", tmp_path / "theirs.html"
    found = models("pendulum").report(ours, step=0.05, steps=200, k={"length": 2})
    assert found == str(ours)
    words = ["report", "pendulum.sw", "--set=length=2.0", "--step=0.05", "--steps=200", "-o", str(theirs)]
    subprocess.run([os.environ["SIDEWINDER"], *words], cwd="models", check=True, capture_output=True)
    assert ours.read_bytes() == theirs.read_bytes()


def test_sizes_and_arrays(models, tmp_path):
    path = tmp_path / "chain.html"
    models("chain", sizes={"N": 4}).report(path, k={"m": [1, 2, 3, 4]}, steps=20, every=1)
    page = path.read_text()
    assert '"kinds":[0,0,0,0]' in page and "m (4 values)" in page and "1 … 4" in page


def test_a_step_that_fails_has_a_page(models, tmp_path):
    path = tmp_path / "hopf.html"
    with pytest.raises(sidewinder.StepError, match="step failed at t = 1.86"):
        models("hopf").report(path, step=0.31)
    assert "step failed at t = 1.86" in path.read_text()
    with pytest.raises(sidewinder.OptionError, match="unknown option '--stepp'; did you mean '--steps'"):
        models("hopf").report(tmp_path / "none.html", stepp=1)
    assert not (tmp_path / "none.html").exists()


def test_pictures(models, tmp_path):
    path = tmp_path / "p.svg"
    models("pendulum").plot(path, steps=100)
    assert {"change of energy", "residuals", "orbit"} <= set(texts(path))
    models("pendulum").plot(path, ["q.y", "multiplier"], x="q.x", steps=100)
    assert {"q.x", "q.y", "multiplier.rod"} <= set(texts(path))
    rows = models("pendulum").sim(step=0.1).run(100)
    rows.plot(path, "angle")
    assert {"t", "angle"} <= set(texts(path))
    rows.plot(path)
    assert "change of energy" in texts(path)
    with pytest.raises(sidewinder.OptionError, match="no column 'zz'"):
        rows.plot(path, "zz")
    with pytest.raises(sidewinder.OptionError, match="one trajectory"):
        np.stack([rows, rows], axis=-1).view(sidewinder.Rows).plot(path, "angle")
