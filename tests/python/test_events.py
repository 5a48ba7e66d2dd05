# SPDX-License-Identifier: BSD-3-Clause
"""Crossings of events: the program's own numbers, a run that they do not disturb, stops and failures."""
import copy
import os
import subprocess

import numpy as np
import pytest

import sidewinder

CLOCKS = "tests/models/clocks.sw"


@pytest.fixture(scope="module")
def clocks():
    return sidewinder.Model(CLOCKS)


@pytest.mark.parametrize("name", ["e.csv", "e.npy", "e.h5"])
def test_rows_are_those_of_the_program(clocks, same, tmp_path, name):
    if name.endswith(".h5"):
        pytest.importorskip("h5py")
    out = str(tmp_path / name)
    subprocess.run([os.environ["SIDEWINDER"], "run", CLOCKS, "--events", out], check=True, capture_output=True)
    wanted = sidewinder.read(out)
    sim = clocks.sim()
    rows = sim.run_events(200)
    assert sim.events == wanted.metadata["events"] == rows.metadata["events"] == ["mark.1", "mark.2", "low.2", "top_of", "end"]
    assert rows.columns == wanted.columns and len(rows) == 13 and rows.metadata["stopped_by"] is None
    for column in rows.columns:
        assert same(rows[column], wanted[column]), column


def test_the_run_is_the_same(clocks, same):
    plain, watched = clocks.sim(), clocks.sim()
    plain.run(100)
    rows = watched.run_events(50)
    more = watched.run_events(50, columns=["step", "t", "q"])
    assert same(plain.save(), watched.save()) and plain.stats == watched.stats
    assert len(rows) > 0 and len(more) > 0 and more.columns[:5] == ["event", "direction", "step", "t", "q.1.x"]
    assert all(50 <= step < 100 for step in more["step"])
    at = more[more["event"] == watched.events.index("mark.2")]
    assert np.abs(at["q.2.y"] - 0.5).max() < 1e-15 and (at["direction"] == 1).all()


def test_more_crossings_than_the_first_buffer_holds(clocks):
    sim = clocks.sim(k={"top": 0.5})
    done = []
    rows = sim.run_events(20000, columns="t", progress=lambda *state: done.append(state))
    assert len(rows) > 800 and (np.diff(rows["t"]) >= 0).all() and done[-1] == (20000, 20000)


def test_a_stop(clocks):
    sim = clocks.sim(k={"ends": 0.3})
    rows = sim.run_events(200)
    assert rows.metadata["stopped_by"] == "end" and sim.t == rows["t"][-1] and abs(sim.q[0] - 0.3) < 1e-15
    assert sim.stats["steps"] == 26
    other = copy.copy(sim)
    assert other.run_events(20).metadata["stopped_by"] is None
    assert sim.events.index("end") not in sim.run_events(20)["event"]


def test_what_is_refused(clocks, models):
    with pytest.raises(sidewinder.OptionError, match="the model has no events"):
        models("pendulum").sim().run_events(10)
    assert models("pendulum").sim().events == []
    with pytest.raises(sidewinder.OptionError, match="previous step of the same size"):
        clocks.sim(method="bdf2").run_events(10)
    with pytest.raises(sidewinder.OptionError, match="count"):
        clocks.sim().run_events(-1)
    with pytest.raises(sidewinder.OptionError, match="unknown column"):
        clocks.sim().run_events(1, columns="x")


def test_a_failure_has_the_crossings_before(clocks):
    text = "model late\ncoord q momentum p\nhamiltonian H = p^2/2 + q^2/2\nevent zero: q\nevent bad: sqrt(2 - t) == 0\n" \
           "init q = 1\ninit p = 0\nrun step = 0.1\n"  # fmt: skip
    sim = sidewinder.Model(text).sim()
    with pytest.raises(sidewinder.StepError, match="event bad, step of size 0.1 from t = .*its value is not finite") as caught:
        sim.run_events(100)
    assert len(caught.value.rows) >= 1 and caught.value.rows.metadata["events"] == ["zero", "bad"]
    assert 1.8 < sim.t < 2.1
