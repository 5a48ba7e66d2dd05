# SPDX-License-Identifier: BSD-3-Clause
"""Ensembles: what each trajectory would be alone, on any number of threads; failures; threads that end; Ctrl-C."""
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import sidewinder


def states(n, seed=1):
    """n pendulums at rest, (n, 4)."""
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi, n)
    return np.column_stack([np.sin(angle), np.cos(angle), 0 * angle, 0 * angle])


def threads():
    return len(os.listdir("/proc/self/task"))


@pytest.mark.parametrize("count, workers", [(1, 1), (21, 1), (21, 2), (40, 3)])
@pytest.mark.parametrize("solver", ["auto", "kinsol"])
def test_each_trajectory_is_a_simulation(models, same, count, workers, solver):
    model, z0 = models("pendulum"), states(count)
    gravity = np.linspace(0.5, 2, count)
    with model.ensemble(z0, k={"gravity": gravity}, threads=workers, solver=solver) as all_:
        rows = all_.run(55, every=10)
        assert rows.shape == (7, count) and all_.failed == 0 and all_.step == 55 and (all_.steps == 55).all()
        assert all_.k.tolist() == [[g, 1.0] for g in gravity]
        for i in range(count):
            sim = model.sim(z=z0[i], k={"gravity": gravity[i]}, solver=solver)
            alone = sim.run(55, every=10)
            assert same(all_.z[i], sim.z)
            for name in rows.dtype.names:
                assert same(rows[name][:, i], alone[name]), (i, name)


def test_one_that_fails_disturbs_no_other(models, same):
    model, z0 = models("pendulum"), states(20)
    z0[7, 0] += 0.1
    made = model.ensemble(z0, threads=2, columns="q,energy")
    rows = made.run(40, every=20)
    assert made.failed == 1 and not made.ok[7] and made.ok.sum() == 19 and made.steps[7] == 0 and made.status[7] == "SW_ERR_OFF_M"
    assert list(made.messages) == [7] and "rod" in made.messages[7]
    assert np.isnan(rows["energy"][-1, 7]) and np.isfinite(np.delete(rows["energy"], 7, axis=1)).all()
    assert same(made.z[7], z0[7]) and same(made.z[8], final(model, z0[8], 40))
    made.project()
    assert made.failed == 1
    made.set(z0)
    made.project(np.inf)
    made.run(40)
    assert made.failed == 0


def test_energies(models, same):
    z0, gravity = states(5), np.linspace(0.5, 2, 5)
    with models("pendulum").ensemble(z0, k={"gravity": gravity}) as made:
        rows = made.run(7)
        assert same(made.energy, rows["energy"][-1])
    bare = sidewinder.Model("model free\ncoord x momentum p\nhamiltonian H = p^2/2\nrun step = 1\n")
    assert bare.ensemble([[0, 3]]).energy == [4.5]
    for make in (lambda: bare.ensemble([[0, 3]], columns="t,energy"), lambda: bare.sim().run(1, columns="energy")):
        with pytest.raises(sidewinder.OptionError, match="unknown column 'energy'; the model needs a line 'invariant energy = H'"):
            make()


def test_energies_that_leave_their_scale(same):
    model = sidewinder.Model("tests/monitor/barrier.sw")
    z0 = np.column_stack([np.linspace(0.9999, 1.0001, 24), -np.ones(24)])
    z0[::3, 1] = 1  # away from the barrier
    ends = []
    for every in (1, 60, 200):
        with model.ensemble(z0, threads=2) as made:
            rows = made.run(200, every=every)
            ends.append((made.z, made.steps, dict(made.messages)))
            assert made.failed == 16 and set(made.status[1::3]) == {"SW_ERR_ENERGY"} and made.ok[::3].all()
            assert np.nanmax(np.abs(rows["p"])) < 2
    for z, steps, messages in ends:
        assert same(z, ends[0][0]) and (steps == ends[0][1]).all() and messages == ends[0][2]
        assert (steps[::3] == 200).all() and (steps[1::3] < 101).all() and "leaves its scale" in messages[1]
    sim = model.sim(z=z0[1])
    with pytest.raises(sidewinder.StepError) as caught:
        sim.run(200)
    assert same(sim.z, ends[0][0][1]) and str(caught.value) == ends[0][2][1]


CLOCK = """model clock
set ax = 1 .. 2
coord q[ax] momentum p
hamiltonian H = (1+0.3*sin(2*t))*sum(k in ax: p[k]^2)/2 + q[2] + 0.2*q[1]^2*cos(t)
let square = (q[1]-0.3*sin(1.5*t))^2 + q[2]^2 + (p[1]^2 + p[2]^2)*(1+0.1*t)
constraint ball: square == 1
%s
init q[k in ax] = {1: -0.5, 2: -0.7}
init p[k in ax] = {1: 0.1, 2: 0.2}
init t = %r
run method = rattle, base = midpoint, step = 0.02, steps = 10
"""


@pytest.mark.parametrize("start", [0.0, 0.75])
@pytest.mark.parametrize("redundant, more", [("error", ""), ("drop", "constraint again: 2*square == 2"), ("min-norm", "constraint again: 2*square == 2")])
def test_projections_of_ensembles_leave_the_time(tmp_path, same, redundant, more, start):
    """dg/dt is not 0 at the start, and each trajectory is projected by another distance."""
    path = tmp_path / "clock.sw"
    path.write_text(CLOCK % (more, start))
    model = sidewinder.Model(str(path))
    like = model.sim(redundant=redundant)
    at = like.coordinates.index("t")
    rng = np.random.default_rng(4)
    z0 = np.tile(like.z, (19, 1))
    z0 += 0.05 * rng.standard_normal(z0.shape)
    z0[:, at] = start
    columns = "t,state.t,multiplier,impulse"
    with model.ensemble(z0, threads=2, redundant=redundant, columns=columns) as made:
        made.project(np.inf)
        assert made.failed == 0 and (made.z[:, at] == start).all()
        moved = np.abs(made.z - z0).max(axis=1)
        assert moved.min() > 1e-3 and len(set(moved)) == len(moved)
        z1 = made.z
        rows = made.run(40, every=10)
        assert made.failed == 0 and np.abs(rows["t"] + start - rows["state.t"]).max() < 1e-13
        for i in (0, 7, 18):
            sim = model.sim(z=z0[i], redundant=redundant)
            sim.project(np.inf)
            assert same(sim.z, z1[i])
            alone = sim.run(40, every=10, columns=columns)
            for name in rows.dtype.names:
                assert same(rows[name][1:, i], alone[name][1:]), name
        if redundant == "min-norm":  # the impulse of ball and twice that of again act together
            ball, again = rows["impulse.ball"][1:], rows["impulse.again"][1:]
            with model.ensemble(z1, redundant="drop", columns=columns) as one:
                both = one.run(40, every=10)
            assert np.abs(both["impulse.again"][1:]).max() == 0
            assert np.abs(ball + 2 * again - both["impulse.ball"][1:]).max() < 1e-11
            assert np.abs(2 * again - ball).max() < 1e-9 * np.abs(ball).max()  # each by its unit
            ball, again = rows["multiplier.ball"], rows["multiplier.again"]
            assert np.abs(both["multiplier.ball"] - ball).max() < 1e-11  # a function of the state
            assert np.abs(2 * again - ball).max() < 1e-9 * np.abs(ball).max()  # each by its unit


def final(model, z, steps):
    sim = model.sim(z=z)
    sim.run(steps)
    return sim.z


def test_parts_of_a_run(models, same):
    whole, parts = models("hopf").ensemble(np.tile(models("hopf").sim().z, (9, 1))), None
    whole.run(100)
    parts = models("hopf").ensemble(np.tile(models("hopf").sim().z, (9, 1)), threads=2)
    told = []
    for steps in (1, 0, 37, 62):
        parts.run(steps, every=5, progress=lambda done, steps: told.append((done, steps)))
    assert same(whole.z, parts.z) and told[0] == (0, 1) and told[-1] == (62, 62)


def test_threads_end(models):
    gc.collect()
    before = threads()
    made = models("pendulum").ensemble(states(64), threads=4)
    made.run(10)
    assert threads() == before + 3  # the calling one works, too
    made.close()
    assert threads() == before
    with pytest.raises(ValueError, match="closed"):
        made.run(1)
    for _ in range(50):
        models("pendulum").ensemble(states(64), threads=4).run(1)
    gc.collect()
    assert threads() == before


def test_wrong_shapes(models):
    model = models("pendulum")
    for z0 in (states(1)[0], states(4)[:, :3], np.empty((0, 4)), [["a"] * 4]):
        with pytest.raises(sidewinder.OptionError):
            model.ensemble(z0)
    made = model.ensemble(states(4))
    with pytest.raises(sidewinder.OptionError, match=r"z has the shape \(4, 4\), not \(3, 4\)"):
        made.set(states(3))
    with pytest.raises(sidewinder.OptionError, match="trajectory 2: .*finite"):
        made.set(np.where(np.arange(4)[:, None] == 2, np.nan, states(4)))
    with pytest.raises(sidewinder.OptionError, match="trajectory 1"):
        made.set_parameters({"length": [1, -1, 1, 1]})
    with pytest.raises(sidewinder.OptionError, match="unknown column 'zz'"):
        model.ensemble(states(4), columns="zz")
    with pytest.raises(sidewinder.OptionError):
        model.ensemble(states(4), threads=5000)


def test_an_interrupted_run_has_come_somewhere():
    code = """
import os, signal, sys, threading
import numpy as np
import sidewinder
model = sidewinder.Model("models/hopf.sw")
z0 = np.tile(model.sim().z, (24, 1))
made = model.ensemble(z0, threads=2)
begun = threading.Event()
def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
def progress(done, steps):
    if done > 0:
        begun.set()
try:
    made.run(10**12, every=10**10, progress=progress)
except KeyboardInterrupt as error:
    again = model.ensemble(z0)
    again.run(made.step)
    good = 0 < made.step < 10**12 and error.rows.shape[1] == 24 and again.z.tobytes() == made.z.tobytes()
    sys.exit(7 if good else 8)
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=300, check=False)
    assert done.returncode == 7
