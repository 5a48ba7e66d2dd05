# SPDX-License-Identifier: BSD-3-Clause
"""sidewinder.hmc: known answers, broken samplers that must be noticed, diagnostics, and arguments."""
import importlib.util
import math
import sys
import types

import numpy as np
import pytest

import sidewinder
from sidewinder import hmc

_spec = importlib.util.spec_from_file_location("hmc_on_manifold", "examples/hmc_on_manifold.py")
example = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(example)

# An ellipse with unequal masses and kT = 0.7, for which the three measures differ.
ELLIPSE = """model ellipse "A point on an ellipse"
coord x momentum px
coord y momentum py
hamiltonian H = px^2/2 + py^2/18 + 0.5*x
constraint curve: x^2 + 4*y^2 == 4
{}
observe W = 0.35*log((4*x^2 + 64*y^2/9)/(4*x^2 + 64*y^2))
init x = 2
init y = 0
init px = 0
init py = 0
run method = rattle, base = verlet, step = 0.4
"""
KT = 0.7


def ellipse_mean(measure):
    """E x^2 by quadrature; x = 2 cos(a), y = sin(a)."""
    a = (np.arange(4000) + 0.5) / 4000 * 2 * np.pi
    x, y = 2 * np.cos(a), np.sin(a)
    line = {
        "metric": np.sqrt(4 * np.sin(a) ** 2 + 9 * np.cos(a) ** 2),
        "hausdorff": np.sqrt(4 * np.sin(a) ** 2 + np.cos(a) ** 2),
        "delta": np.sqrt((4 * np.sin(a) ** 2 + np.cos(a) ** 2) / (4 * x**2 + 64 * y**2)),
    }[measure] * np.exp(-0.5 * x / KT)
    return np.sum(x**2 * line) / np.sum(line)


def distance(values, exact):
    """Standard errors between the mean and the exact one."""
    return abs(values.mean() - exact) / (values.std() / math.sqrt(hmc.ess(values, rank=False)))


@pytest.fixture(scope="module", name="ellipse")
def fixture_ellipse():
    return sidewinder.Model(ELLIPSE.format("invariant energy = H"))


def on_ellipse(model, **settings):
    how = {"chains": 128, "draws": 300, "warmup": 30, "steps": 6, "kT": KT, "columns": "x,y", "seed": 5, "target": None, "step": 1.0}
    return hmc.sample(model, **{**how, **settings})


@pytest.mark.parametrize("name", example.TARGETS)
def test_known_answers(name):
    target = example.TARGETS[name]
    values, samples = example.by_sidewinder(target, 100, 3)
    error = values.std() / math.sqrt(hmc.ess(values, rank=False))
    assert distance(values, target.exact) < 5 and error < 0.03 * values.std()
    assert hmc.rhat(values) < 1.05 and samples.accepted > 0.8
    assert np.abs(target.g(samples.q)).max() < 1e-10


def test_the_rival_is_the_same_algorithm():
    target = example.TARGETS["von Mises-Fisher, z"]
    start = np.tile([0.6, 0.0, 0.8], (64, 1))
    model = sidewinder.Model(target.model)
    p = example.project(np.random.default_rng(1).standard_normal((64, 3)), target.gradient(start))
    with model.ensemble(np.hstack([start, p]), method="rattle", base="verlet", step=0.2, k=np.full((64, 1), 2.0)) as all_:
        all_.run(10)
        assert np.abs(all_.z - np.hstack(example.rattle(target, start, p, 0.2, 10))).max() < 1e-12


@pytest.mark.parametrize("measure, correction", [("metric", None), ("delta", None), ("metric", "W")])
def test_measures_with_unequal_masses(ellipse, measure, correction):
    values = on_ellipse(ellipse, measure=measure, correction=correction)["x"] ** 2
    exact = {(m, c): ellipse_mean("hausdorff" if c else m) for m, c in [("metric", None), ("delta", None), ("metric", "W")]}
    assert distance(values, exact[measure, correction]) < 5
    assert all(distance(values, other) > 8 for of, other in exact.items() if of != (measure, correction))


def test_models_without_the_column_energy(ellipse):
    plain = on_ellipse(sidewinder.Model(ELLIPSE.format("")), draws=5, warmup=3)
    other = on_ellipse(sidewinder.Model(ELLIPSE.format("invariant energy = 2*H")), draws=5, warmup=3)
    with_column = on_ellipse(ellipse, draws=5, warmup=3)
    for samples in (plain, other):
        assert np.abs(samples["x"] - with_column["x"]).max() < 1e-6


def test_broken_samplers_are_noticed(ellipse, monkeypatch):
    """Without the Metropolis test, with other momenta, and with the Euclidean projection, the mean is wrong."""
    exact = ellipse_mean("metric")
    assert distance(on_ellipse(ellipse)["x"] ** 2, exact) < 5
    with monkeypatch.context() as broken:
        broken.setattr(hmc, "_acceptance", lambda change, kT: np.ones(len(change)))
        assert distance(on_ellipse(ellipse, measure="delta")["x"] ** 2, ellipse_mean("delta")) > 5
    with monkeypatch.context() as broken:
        right = hmc._Chains._momenta
        broken.setattr(hmc._Chains, "_momenta", lambda self: right(self) * [1, 3])  # M instead of its root
        assert distance(on_ellipse(ellipse)["x"] ** 2, exact) > 5
    with monkeypatch.context() as broken:
        def euclidean(self):
            z = self.ensemble.z
            normal = z[:, :2] * [2, 8] * [1, 1 / 9]  # of the velocity condition on p
            normal /= np.linalg.norm(normal, axis=1, keepdims=True)
            z[:, 2:] -= np.sum(z[:, 2:] * normal, axis=1, keepdims=True) * normal
            self.ensemble.set(z)

        broken.setattr(hmc._Chains, "_project", euclidean)
        assert distance(on_ellipse(ellipse)["x"] ** 2, exact) > 5


def test_momenta_are_projected_orthogonally_in_the_metric():
    text = """model pair "Kinetic energy with a full mass matrix"
coord x momentum px
coord y momentum py
coord z momentum pz
hamiltonian H = px^2 + px*py/2 + py^2 + 0.3*py*pz + 2*pz^2
constraint surface: x^2 + 2*y^2 + 3*z^2 + x*y == 1
init x = 1
init y = 0
init z = 0
init px = 0
init py = 0
init pz = 0
"""
    inverse = np.array([[2, 0.5, 0], [0.5, 2, 0.3], [0, 0.3, 4]])
    sim = sidewinder.Model(text).sim(method="rattle", base="verlet", step=0.1)
    assert np.abs(hmc._inverse_mass(sim, False) - inverse).max() < 1e-12
    root = hmc._momentum_root(inverse)
    assert np.abs(root.T @ root - np.linalg.inv(inverse)).max() < 1e-14
    q, p = np.array([0.3, 0.4, 0.0]), np.array([0.7, -1.1, 0.4])
    q /= math.sqrt(q[0] ** 2 + 2 * q[1] ** 2 + q[0] * q[1])
    gradient = np.array([2 * q[0] + q[1], 4 * q[1] + q[0], 6 * q[2]])
    sim.set(q=q, p=p)
    sim.project(math.inf)
    expected = p - gradient * (gradient @ inverse @ p) / (gradient @ inverse @ gradient)
    assert np.abs(sim.p - expected).max() < 1e-13 and np.abs(sim.q - q).max() < 1e-15


def test_irreversible_trajectories_are_rejected():
    """With too large steps on the torus Newton's method finds other points on the way back."""
    model = sidewinder.Model("gallery/torus.sw")
    samples = hmc.sample(model, chains=64, draws=60, warmup=0, step=0.6, steps=3, seed=1)
    assert 0 < samples.not_reversible < 0.5 and samples.failures["SW_ERR_NOT_CONVERGED"] > 0
    rejected = 1 - samples.accepted - sum(samples.failures.values())
    assert 0 <= rejected < 0.02  # by the Metropolis test


def test_seeds_threads_and_continuation(ellipse, same):
    one = on_ellipse(ellipse, draws=20, threads=1)
    assert same(one["x"], on_ellipse(ellipse, draws=20, threads=3)["x"])
    assert not same(one["x"], on_ellipse(ellipse, draws=20, threads=1, seed=6)["x"])
    free = on_ellipse(ellipse, draws=3, seed=None)
    assert same(free["x"], on_ellipse(ellipse, draws=3, seed=free.seed)["x"])
    later = hmc.sample(ellipse, start=one.q, draws=2, warmup=0, step=one.step, kT=KT, columns="x,y", seed=1)
    assert later.rows.shape == (2, 128) and later.step == one.step


def test_the_step_size_is_adapted(ellipse):
    for target in (0.6, 0.95):
        samples = on_ellipse(ellipse, warmup=300, draws=60, target=target, step=0.01, length=12.0, jitter=0.5)
        assert abs(samples.acceptance - target) < 0.06
        assert 0.7 < samples.steps * samples.step / 12 < 1.3


def test_ess_and_rhat():
    random = np.random.default_rng(2)
    for phi in (0.0, 0.8, -0.4):
        x = np.empty((4000, 4))
        x[0] = random.standard_normal(4) / math.sqrt(1 - phi**2)
        for i in range(1, len(x)):
            x[i] = phi * x[i - 1] + random.standard_normal(4)
        exact = x.size * (1 - phi) / (1 + phi)
        assert abs(hmc.ess(x) / exact - 1) < 0.15 and abs(hmc.ess(x, rank=False) / exact - 1) < 0.15
        assert hmc.rhat(x) < 1.01
    assert hmc.rhat(x + np.arange(4)) > 1.2  # another mean in each chain
    assert hmc.rhat(x * [1, 1, 1, 3]) > 1.05  # another scale in one chain
    assert hmc.rhat(x + np.linspace(0, 3, 4000)[:, None]) > 1.2  # the halves of each chain differ
    assert hmc.rhat(np.stack([x, x], axis=-1)).shape == (2,) and math.isnan(hmc.ess(np.ones((10, 2))))
    scores = hmc._ranked(np.array([[3.0, 1.0], [2.0, 2.0]]))
    assert scores[0, 0] == -scores[0, 1] > 0.9 and abs(scores[1, 0]) < 1e-15 and scores[1, 0] == scores[1, 1]
    plain = random.standard_normal((500, 4))
    split = plain.reshape(2, 250, 4).transpose(1, 0, 2).reshape(250, 8)
    between, within = 250 * split.mean(axis=0).var(ddof=1), split.var(axis=0, ddof=1).mean()
    assert abs(hmc._ratio(hmc._halves(plain)) - math.sqrt((249 / 250 * within + between / 250) / within)) < 1e-12


def test_results_are_shown_and_exported(ellipse, monkeypatch):
    samples = on_ellipse(ellipse, draws=10)
    assert "accepted" in repr(samples) and samples.summary().count("\n") == 3
    assert samples.ess("x") > 0 and samples.rhat("x") > 0.9
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError):
        samples.to_arviz()
    fake = types.SimpleNamespace(from_dict=lambda posterior: {name: values.shape for name, values in posterior.items()})
    monkeypatch.setitem(sys.modules, "arviz", fake)
    assert samples.to_arviz() == {"x": (128, 10), "y": (128, 10)}


@pytest.mark.parametrize("wrong, message", [
    ({"kT": 0}, "kT"), ({"kT": math.inf}, "kT"), ({"target": 1}, "target"), ({"jitter": 1}, "jitter"), ({"draws": 0}, "draws"),
    ({"steps": 0}, "steps"), ({"length": -1}, "length"), ({"measure": "area"}, "metric, hausdorff, delta"),
    ({"measure": "hausdorff"}, "equal masses"), ({"correction": "V"}, "V"), ({"correction": 1}, "correction"),
    ({"seed": -1}, "seed"), ({"seed": "a"}, "seed"), ({"start": [1.0]}, "start"), ({"start": [math.nan, 0]}, "finite"),
    ({"start": [[2, 0]], "chains": 3}, "chains"), ({"chains": 0}, "chains"), ({"step": -0.1}, "step"), ({"step": 0}, "step"),
    ({"threads": 0}, "threads"), ({"columns": "w"}, "w"), ({"progress": 1}, "progress"), ({"method": "shake"}, "RATTLE over Verlet"),
    ({"step_size": 1}, "step_size"), ({"k": {"b": 1}}, "b"), ({"warmup": -1}, "warmup"),
])
def test_wrong_arguments(ellipse, wrong, message):
    how = {"draws": 1, "warmup": 0, "columns": "x"}
    with pytest.raises(sidewinder.OptionError, match=message):
        hmc.sample(ellipse, **{**how, **wrong})


def test_models_and_starts_that_do_not_fit(ellipse, models):
    with pytest.raises(sidewinder.OptionError, match="not str"):
        hmc.sample("models/hopf.sw")
    with pytest.raises(sidewinder.OptionError, match="depends on momenta"):
        hmc.sample(models("hopf"))
    with pytest.raises(sidewinder.OptionError, match="constant M"):
        hmc.sample(models("pendulum_angles"))
    with pytest.raises(sidewinder.OptionError, match="do not preserve; leave the forces of 'ellipse' out"):
        hmc.sample(sidewinder.Model(text=ELLIPSE.format("force brake on px = -px/10")))
    with pytest.raises(sidewinder.StepError, match="chain 1.*project=True"):
        hmc.sample(ellipse, start=[[2, 0], [2, 0.1]], draws=1, columns="x")
    assert hmc.sample(ellipse, start=[[2, 0], [2, 0.1]], draws=1, columns="x", project=True).rows.shape == (1, 2)
    calls = []
    hmc.sample(ellipse, draws=3, warmup=2, columns="x", progress=lambda done, of: calls.append((done, of)))
    assert calls == [(i, 5) for i in range(1, 6)]
