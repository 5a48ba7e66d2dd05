# SPDX-License-Identifier: BSD-3-Clause
"""Simulations: the program's own numbers, the exact tangent, what is kept after a failure, Ctrl-C."""
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sidewinder


@pytest.mark.parametrize(
    "name, words, settings",
    [
        ("pendulum", [], {}),
        ("hopf", ["--init", "zb"], {"init": "zb"}),
        ("hopf", ["--base", "gauss-4", "--compose", "triple-jump-4", "--step", "0.05"],
         {"base": "gauss-4", "compose": "triple-jump-4", "step": 0.05}),
        ("hopf", ["--set", "g=0", "--project=inf"], {"k": {"g": 0}, "project": np.inf}),
        ("pendulum", ["--method", "lobatto"], {"method": "lobatto"}),
        ("pendulum", ["--method", "bdf2"], {"method": "bdf2"}),
        ("pendulum", ["--method", "variational", "--base", "explicit-midpoint", "--bias", "forward"],
         {"method": "variational", "base": "explicit-midpoint", "bias": (0, 1)}),
        ("pendulum", ["--method", "energy-momentum"], {"method": "energy-momentum"}),
        ("pendulum", ["--solver", "kinsol", "--compensated"], {"solver": "kinsol", "compensated": True}),
        ("chain", ["--size", "N=12", "--step", "0.002"], {"sizes": {"N": 12}, "step": 0.002}),
        ("rigid_body", [], {}),
    ],
)
def test_rows_are_those_of_the_program(models, program, same, name, words, settings):
    wanted = program(name, "--steps", "205", "--every", "10", *words)
    rows = models(name).sim(**settings).run(205, every=10)
    assert list(rows.dtype.names) == list(wanted)
    assert len(rows) == 22 and rows["step"].dtype == np.int64
    for column, values in wanted.items():
        assert same(rows[column], values), column


def test_dropped_constraints(models):
    sim = models("square").sim(redundant="drop")
    assert sim.dropped == []
    sim.step()
    assert sim.dropped == ["fall"] and sim.impulses[sim.constraints.index("fall")] == 0
    sim = models("square").sim(redundant="min-norm")
    sim.step()
    assert sim.dropped == [] and all(sim.impulses)
    text = "model two\ncoord q momentum p\ncoord r momentum s\nhamiltonian H = (p^2 + s^2)/2\n" \
           "constraint a: q == 1\nconstraint b: (q - 1)*(1 + r) == 0\ninit q = 1\ninit r = 0\ninit p = 0\ninit s = 1\nrun step = 0.1\n"  # fmt: skip
    two = sidewinder.Model(text)
    assert two.sim(redundant="drop").dropped == ["b"]
    with two.ensemble(np.tile(two.sim(redundant="drop").z, (2, 1)), redundant="drop") as trajectories:
        trajectories.run(10)
        assert trajectories.dropped == ["b"] and trajectories.failed == 0


def test_columns_and_blocks(models, same):
    sim = models("chain").sim(sizes={"N": 5})
    rows = sim.run(20, every=20, columns=["t", "q", "energy"])
    assert rows.dtype.names[:2] == ("t", "q.1.x") and rows.dtype.names[-1] == "energy" and len(rows.dtype.names) == 17
    assert rows.block("q").shape == (2, 15) and same(rows.block("q")[-1], sim.q)
    assert same(rows["energy"][-1], sim.energy)
    with pytest.raises(KeyError):
        rows.block("zz")
    assert same(rows["q"], rows.block("q")) and same(rows["q.2"], np.stack([rows[f"q.2.{axis}"] for axis in "xyz"], axis=-1))
    assert rows.columns == list(rows.dtype.names) and np.shares_memory(rows["energy"], rows)
    assert rows[["t", "energy"]].dtype.names == ("t", "energy") and rows[-1]["t"] == rows["t"][1] and rows[1:]["q"].shape == (1, 15)
    for wrong in ("zz", "q.9", "q."):
        with pytest.raises(sidewinder.OptionError, match=f"no column '{wrong}'"):
            rows[wrong]


def test_a_run_in_parts_is_the_whole_one(models, same):
    whole, parts = models("hopf").sim(), models("hopf").sim()
    rows = whole.run(100, every=10)
    first, saved = parts.run(37, every=10), parts.save()
    for _ in range(3):
        parts.step()
    parts.restore(saved)
    last = parts.run(63, every=3)
    assert list(first["step"]) == [0, 10, 20, 30, 37] and last["step"][0] == 37 and last["step"][-1] == 100
    assert same(last["q.1"][last["step"] == 40], rows["q.1"][rows["step"] == 40])
    assert same(parts.z, whole.z) and same(parts.multipliers, whole.multipliers) and parts.t == whole.t == 10.0


def test_the_fused_step_is_used(models):
    for base in ("midpoint", "gauss-4"):
        sim = models("hopf").sim(base=base)
        sim.run(50)
        assert sim.stats["fused_steps"] == 50
    sim = models("hopf").sim(solver="kinsol")
    sim.run(50)
    assert sim.stats["fused_steps"] == 0 and sim.stats["steps"] == 50


def test_tangent_is_the_derivative(models):
    sim = models("hopf").sim()
    base = sim.z
    sim.set(base)
    D = sim.tangent()
    assert D.shape == (4, 4)
    for direction in np.eye(4):
        ends = []
        for e in (1e-4, -1e-4):
            sim.set(base + e * direction)
            sim.project()  # steps begin on M^H: what is compared is the difference of the projected states
            begin = sim.z
            sim.step()
            ends.append((begin, sim.z))
        from_, to = ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]
        assert np.linalg.norm(D @ from_ - to) < 3e-7 * np.linalg.norm(from_)
        assert np.linalg.norm(D.T @ from_ - to) > 0.1 * np.linalg.norm(from_)


def test_values_by_name(models):
    sim = models("pendulum").sim(k={"gravity": 2.0})
    assert sim.k == {"gravity": 2.0, "length": 1.0}
    assert sim.coordinates == ["q.x", "q.y", "p.x", "p.y"] and sim.constraints == ["rod"]
    assert sim.energy == sim.invariants["energy"] == (0.4**2 + 0.3**2) / 2 - 2 * 0.8
    assert sim.observables == {"angle": np.arctan2(0.6, 0.8)}
    assert np.abs(sim.multipliers - (0.4**2 + 0.3**2 + 2 * 0.8) / 2).max() < 1e-15
    assert (sim.impulses == 0).all()
    sim.step()
    assert sim.multipliers.shape == sim.impulses.shape == (1,)
    assert np.abs(sim.impulses / sim.h - sim.multipliers).max() < sim.h  # its mean over the step


def test_given_states(models, same):
    sim = models("pendulum").sim(q=[0, -1], p=[[0.5], [0]])
    assert same(sim.z, [0, -1, 0.5, 0])
    sim.q[0] = 7  # a copy
    assert same(sim.q, [0, -1])
    sim.set(p=[1, 1], t=2.0)
    assert same(sim.z, [0, -1, 1, 1]) and sim.t == 2.0
    sim.project(np.inf)
    assert np.abs(sim.q @ sim.p) < 1e-15 and np.abs(sim.p[0] - 1) < 1e-15


def test_a_failed_step_leaves_all_as_it_was(models, same):
    sim = models("pendulum").sim()
    sim.run(10)
    before = sim.save()
    with pytest.raises(sidewinder.StepError, match="try a smaller step") as caught:
        sim.step(5.0)
    assert caught.value.status == "SW_ERR_NOT_CONVERGED" and caught.value.t == sim.t == 1.0
    assert same(sim.save(), before)
    sim.set(q=[2, 2])
    with pytest.raises(sidewinder.StepError, match="rod") as caught:
        sim.run(10)
    assert caught.value.status == "SW_ERR_OFF_M" and len(caught.value.rows) == 1
    assert str(caught.value).endswith("; ask for projection (project=True)")


@pytest.mark.parametrize("name, settings", [("pendulum", {}), ("hopf", {}), ("chain", {}), ("pendulum", {"compose": "suzuki-4"})])
def test_points_between_the_slides(models, name, settings):
    model = models(name)
    plain = model.sim(**settings).run(6, columns="q,p")
    sim = model.sim(**settings)
    rows = sim.run(6, columns="q,p,z+,z-,sigma,impulse,smallest_pivot")
    assert sim.stats["fused_steps"] == 0 and np.isnan(rows["sigma." + sim.constraints[0]][0])
    scale = np.abs(sim.z).max()
    for row, column in ((i, c) for i in range(1, 7) for c in sim.coordinates):
        assert abs(rows[column][row] - plain[column][row]) < 1e-11 * scale
    for row in range(1, 7):
        minus = model.sim(z=[rows["z-." + c][row] for c in sim.coordinates], project=False)
        assert max(abs(g) for g in minus.run(0, columns="residual_g")["residual_g"]) < 1e-12
        if not settings:
            sigma, impulse = (np.array([rows[f"{a}.{c}"][row] for c in sim.constraints]) for a in ("sigma", "impulse"))
            assert np.abs(sigma - impulse / sim.h / 2).max() < 0.6 * np.abs(sigma).max()  # both halves tend to each other
    assert (rows["smallest_pivot"] > 0).all()
    with pytest.raises(sidewinder.OptionError, match="one run; an ensemble has none"):
        model.ensemble(sim.z[None], columns="q,z-")


def test_projections_have_the_limit_of_programs(same):
    model = sidewinder.Model("tests/models/squeeze.sw")
    far = "positions by 0.0472 .2.44 % of 1.93., momenta by 0.172 .34.5 % of 0.5., more than "
    for limit, words in ((True, far + "10 %"), (np.True_, far + "10 %"), (0.1, far + "10 %"), (0.3, far + "30 %"), (-1, "limit"), (np.nan, "limit")):
        with pytest.raises(ValueError, match=words):
            model.sim(project=limit)
        sim = model.sim()
        before = sim.save()
        with pytest.raises(sidewinder.OptionError, match=words):
            sim.project(limit)
        assert same(sim.save(), before)
    with pytest.raises(ValueError, match=far):
        sim.project()
    sim.project(0.35)
    assert same(sim.z, model.sim(project=0.35).z) and not same(sim.z, model.sim(project=False).z)
    z0 = model.sim().z[None]
    for limit, failed in ((True, 1), (0.3, 1), (0.35, 0), (np.inf, 0)):
        assert model.ensemble(z0, project=limit).failed == failed


def test_momenta_are_projected_orthogonally_in_their_metric():
    """A Gaussian of covariance M becomes that of the cotangent space, as docs/python.md says."""
    sim = sidewinder.Model("""model wheel
coord x momentum px
coord y momentum py
hamiltonian H = px^2/2 + py^2/8
constraint rim: x^2 + y^2 == 1
init x = 0.6
init y = 0.8
init px = 0
init py = 0
""").sim(step=0.1)
    q, M = sim.q, np.diag([1.0, 4.0])
    P = np.eye(2) - np.outer(q, np.linalg.solve(M, q)) / (q @ np.linalg.solve(M, q))
    moved = []
    for p in np.linalg.cholesky(M).T:
        sim.set(p=p)
        sim.project(np.inf)
        moved.append(sim.p)
        assert np.abs(sim.q - q).max() < 1e-15 and np.abs(sim.p - P @ p).max() < 1e-14
    tangent = np.array([-q[1], q[0]])
    expected = np.outer(M @ tangent, M @ tangent) / (tangent @ M @ tangent)  # of p = M v, v = s tangent, where s has the variance 1/(tangent M tangent)
    assert np.abs(np.array(moved).T @ np.array(moved) - expected).max() < 1e-14


def test_rows_until_a_failure(models):
    model = sidewinder.Model(text="""
model well "falls off"
coord x momentum px
hamiltonian H = px^2/2 - sqrt(1 - x)
init x = 0
init px = 3
run step = 0.05
""")
    with pytest.raises(sidewinder.StepError) as caught:
        model.sim().run(1000)
    rows = caught.value.rows
    assert 2 < len(rows) < 1000 and list(rows["step"]) == list(range(len(rows))) and np.isfinite(rows["x"]).all()


def test_progress(models):
    told = []
    models("hopf").sim().run(1000, every=100, progress=lambda done, steps: told.append((done, steps)))
    assert told[0] == (0, 1000) and told[-1] == (1000, 1000) and told == sorted(told) and len(told) > 2


def test_an_interrupted_run_has_come_somewhere(same):
    code = """
import os, signal, sys, threading
import numpy as np
import sidewinder
sim = sidewinder.Model("models/hopf.sw").sim()
begun = threading.Event()
def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
def progress(done, steps):
    if done > 0:
        begun.set()
try:
    sim.run(10**12, every=10**9, progress=progress)
except KeyboardInterrupt as error:
    steps = sim.stats["steps"]
    again = sidewinder.Model("models/hopf.sw").sim()
    again.run(steps, every=max(steps, 1))
    ended = len(error.rows) >= 1 and 0 < steps < 10**12 and again.z.tobytes() == sim.z.tobytes()
    sys.exit(7 if ended else 8)
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=300, check=False)
    assert done.returncode == 7


def test_threads_wait_for_each_other(models, same):
    sim, alone = models("hopf").sim(), models("hopf").sim()
    workers = [threading.Thread(target=lambda: sim.run(500)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    alone.run(2000, every=2000)
    assert same(sim.z, alone.z)


def test_others_work_while_steps_are_taken(models, monkeypatch):
    monkeypatch.setattr(sidewinder.running, "CHUNK_SECONDS", 10.0)  # so that nothing but a call of C takes long
    sim, calls, ticks = models("hopf").sim(solver="kinsol"), [], []
    inner = sim._lib.swpy_sim_run

    def timed(*arguments):
        begun = time.perf_counter()
        status = inner(*arguments)
        calls.append((begun, time.perf_counter()))
        return status

    monkeypatch.setattr(sim._lib, "swpy_sim_run", timed)
    worker = threading.Thread(target=lambda: sim.run(2**17, every=2**17))
    worker.start()
    while worker.is_alive():
        ticks.append(time.perf_counter())
    begun, ended = max(calls, key=lambda call: call[1] - call[0])
    quarter = (ended - begun) / 4
    assert any(begun + quarter < tick < ended - quarter for tick in ticks)


def test_xarray(models):
    pytest.importorskip("xarray")
    data = models("hopf").sim().run(10).to_xarray()
    assert data["q.1"].dims == ("row",) and float(data["t"][-1]) == 1.0


def test_the_example_samples_what_it_should():
    done = subprocess.run([sys.executable, "examples/hmc_on_manifold.py", "200"], capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def test_an_energy_that_leaves_its_scale_ends_a_run(same):
    model = sidewinder.Model("tests/monitor/barrier.sw")
    ends = []
    for every in (1, 7, 200):
        sim = model.sim()
        with pytest.raises(sidewinder.StepError, match="the energy leaves its scale") as caught:
            sim.run(200, every=every)
        assert caught.value.status == "SW_ERR_ENERGY" and np.abs(caught.value.rows["p"]).max() < 2
        ends.append((sim.t, sim.z))
        before = sim.z
        with pytest.raises(sidewinder.StepError):
            sim.step()
        assert same(sim.z, before)
    assert all(t == 0.99 and same(z, ends[0][1]) for t, z in ends)
    sim = model.sim()
    for _ in range(99):
        sim.step()
    with pytest.raises(sidewinder.StepError, match="leaves its scale"):
        sim.step()
    assert same(sim.z, ends[0][1])
    model.sim(step=1e-4).run(20000, every=5000)
    model.sim(base="euler").run(200)  # need not conserve it
