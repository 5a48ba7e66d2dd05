# SPDX-License-Identifier: BSD-3-Clause
"""Handles have one owner: copies are real or refused, errors pickle, and what is no real number or no count is refused."""
import copy
import decimal
import fractions
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sidewinder


def outcome(code):
    """Exit code of a Python program; negative after a signal."""
    return subprocess.run([sys.executable, "-c", code], timeout=300, check=False).returncode


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("settings", [{}, {"method": "bdf2"}, {"compensated": True, "solver": "kinsol"}, {"k": {"gravity": 2.0}}])
def test_a_copy_of_a_simulation_is_another_one(models, same, copied, settings):
    sim = models("pendulum").sim(**settings)
    sim.run(7)
    other = copied(sim)
    assert same(other.save(), sim.save()) and other.k == sim.k and other.t == sim.t
    kept = sim.save()
    rows = other.run(20)
    assert rows["step"].tolist() == list(range(7, 28)) and same(sim.save(), kept)
    assert all(same(rows[name], values) for name, values in ((name, sim.run(20)[name]) for name in ["q.x"]))
    before, z = sim.t, sim.z
    del sim
    other.run(20)
    assert other.t > before and not same(other.z, z)


def test_a_copy_of_a_simulation_outlives_the_original():
    code = """
import copy, gc, sidewinder
def made(copied):
    return copied(sidewinder.Model("models/pendulum.sw").sim())
for copied in (copy.copy, copy.deepcopy):
    sim = made(copied)
    gc.collect()
    sim.run(100)
"""
    assert outcome(code) == 0


def test_what_cannot_be_copied(models):
    sim = models("pendulum").sim()
    with models("pendulum").ensemble([sim.z] * 3) as made:
        for thing in (made, sim._options, sim._lib):
            for copied in (copy.copy, copy.deepcopy, pickle.dumps):
                with pytest.raises(TypeError, match=f"{type(thing).__name__} of sidewinder cannot be copied or pickled"):
                    copied(thing)
        with pytest.raises(TypeError, match="make another"):
            copy.copy(made)
    with pytest.raises(TypeError, match="pickle its model"):
        pickle.dumps(sim)


def test_models_are_copied_and_pickled(models, same):
    model = models("pendulum")
    assert copy.copy(model) is model and copy.deepcopy({"a": model})["a"] is model
    again = pickle.loads(pickle.dumps(models("chain", sizes={"N": 4}, lowering="looped")))
    assert again.digest == models("chain", sizes={"N": 4}, lowering="looped").digest
    assert again.sim().d == 12


def test_an_ensemble_that_its_callback_closes():
    code = """
import sys
import sidewinder
model = sidewinder.Model("models/pendulum.sw")
for threads in (1, 2):
    for when in (0, 16, 10000):
        made = model.ensemble([model.sim().z] * 40, threads=threads)
        try:
            made.run(10000, every=7, progress=lambda done, steps: made.close() if done >= when else None)
            finished = when == 10000
        except ValueError as error:
            finished = when < 10000 and "closed" in str(error)
        if not finished:
            sys.exit(8)
sys.exit(7)
"""
    assert outcome(code) == 7


def errors():
    rows = sidewinder.Rows.of(np.zeros((2, 1)), ["t"])
    rows.metadata = {"model": "m"}
    return [
        sidewinder.Error("text", "SW_ERR_OFF_M"),
        sidewinder.InstallationError("text"),
        sidewinder.ModelError("text", 2),
        sidewinder.OptionError("text", "SW_ERR_OPTION"),
        sidewinder.FileError("text", "file", 3),
        sidewinder.StepError("text", "SW_ERR_OFF_M", 0.5, rows),
    ]


@pytest.mark.parametrize("error", errors(), ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("restored", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
def test_errors_pickle(error, restored):
    found = restored(error)
    assert type(found) is type(error) and str(found) == str(error) and found.args == error.args
    for name, value in vars(error).items():
        if name == "rows":
            assert found.rows.tolist() == value.tolist() and found.rows.dtype == value.dtype
            assert found.rows.metadata == value.metadata
        else:
            assert getattr(found, name) == value


def step_off(z):
    sidewinder.Model("models/pendulum.sw").sim(z=z).run(3)


def test_a_pool_ends_where_a_step_fails():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(step_off, [[0, -1, 0, 0], [2, 2, 0, 0]])
        with pytest.raises(sidewinder.StepError, match="rod") as caught:
            found.get(timeout=120)
    assert caught.value.status == "SW_ERR_OFF_M" and caught.value.t == 0.0 and len(caught.value.rows) == 1


NO_NUMBERS = [
    np.array([0, -1, 0, 1j]),
    [0, -1, 0, 1j],
    [0, -1, 0, np.complex128(1j)],
    np.ma.array([0, -1, 0, 0.0], mask=[0, 0, 0, 1]),
    np.ma.masked_invalid([0, -1, 0, np.nan]),
    [0, -1, 0, np.ma.masked],
    [np.ma.array([0.0, -1.0]), np.ma.array([0.0, 0.0], mask=[1, 0])],
    ["0", "-1", "0", "0"],
    [0, -1, 0, None],
    np.array(["2000", "2001", "2002", "2003"], dtype="M8[Y]"),
    np.array([0, -1, 0, 0], dtype="m8[s]"),
    np.zeros(4, dtype=[("a", "f8")]),
    np.array([0, -1, 0, 1j], dtype=object),
    np.array([0, -1, 0, np.timedelta64(1, "s")], dtype=object),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("values", NO_NUMBERS, ids=range(len(NO_NUMBERS)))
def test_arrays_without_real_numbers_are_refused(models, values):
    model = models("pendulum")
    sim = model.sim()
    before = sim.save()
    for ask in (
        lambda: model.sim(z=values),
        lambda: sim.set(values),
        lambda: sim.restore([*values] * 2),
        lambda: sim.set_parameters(values),
        lambda: sim.set_parameters({"gravity": values}),
        lambda: model.ensemble([values]),
        lambda: model.ensemble([sim.z], k=[values]),
        lambda: model.ensemble([sim.z] * 4, k={"gravity": values}),
        lambda: model.sim(data={"gravity": values}),
        lambda: model.sim(base={"A": [[0.5]], "b": values}),
        lambda: model.sim(bias=values),
    ):
        with pytest.raises(sidewinder.OptionError):
            ask()
    assert (sim.save() == before).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [1j, np.complex128(1), np.ma.masked, "1", np.timedelta64(1, "s"), np.array(1 + 0j)], ids=range(6))
def test_what_is_no_real_number_is_refused(models, value):
    model = models("pendulum")
    sim = model.sim()
    before = sim.save()
    for ask in (
        lambda: sim.set(t=value),
        lambda: sim.step(value),
        lambda: sim.tangent(value),
        lambda: sim.run(value),
        lambda: sim.run(2, every=value),
        lambda: sim.set_parameters({"gravity": value}),
        lambda: model.sim(step=value),
        lambda: model.sim(tolerance=value),
        lambda: model.ensemble([sim.z], threads=value),
        lambda: model.ensemble([sim.z]).set([sim.z], t=value),
        lambda: model.ensemble([sim.z]).run(value),
        lambda: model.ensemble([sim.z], k={"gravity": value}),
        lambda: model.plot("none.svg", k={"gravity": value}),
        lambda: model.sim(data={"gravity": value}),
        lambda: model.sim(base={"A": [[value]], "b": [1.0]}),
    ):
        with pytest.raises(sidewinder.OptionError):
            ask()
    assert (sim.save() == before).all()


def test_what_is_a_real_number(models, same):
    model, wanted = models("pendulum"), [0.0, -1.0, 0.5, 0.0]
    for values in (
        [0, -1, fractions.Fraction(1, 2), 0],
        [0, -1, decimal.Decimal("0.5"), 0],
        np.ma.array([0, -1, 0.5, 0]),
        np.array(wanted, dtype=">f4"),
        np.array(wanted, dtype=np.longdouble),
        [np.float32(0), np.int8(-1), 0.5, False],
    ):
        assert same(model.sim(z=values).z, wanted)


@pytest.mark.parametrize("value", [0, -1, 2.5, "2", None, 2**70, np.nan, np.inf, 1j])
def test_counts(models, value):
    model = models("pendulum")
    sim = model.sim()
    made = model.ensemble([sim.z])
    with pytest.raises(ValueError):
        sim.run(10, every=value)
    if value is not None:
        with pytest.raises(ValueError):
            made.run(10, every=value)
        with pytest.raises(ValueError):
            model.ensemble([sim.z], threads=value)
    if value != 0:
        with pytest.raises(ValueError):
            sim.run(value)
        with pytest.raises(ValueError):
            made.run(value)
    assert sim.t == 0.0 and made.step == 0


def test_a_state_of_another_simulation_is_refused(models, same):
    sim = models("pendulum").sim()
    sim.run(5)
    saved = sim.save()
    again = models("pendulum").sim(step=0.05, tolerance=1e-9, solver="kinsol")
    again.restore(np.array(saved.tolist()))
    assert same(again.save(), saved)
    for other in (
        models("hopf").sim(),
        models("spherical").sim(),
        models("pendulum").sim(method="shake"),
        models("pendulum").sim(method="bdf2"),
        models("pendulum").sim(base="midpoint"),
        models("pendulum").sim(compose="suzuki-4"),
        models("pendulum").sim(compensated=True),
    ):
        before = other.save()
        with pytest.raises(sidewinder.OptionError):
            other.restore(saved)
        assert same(other.save(), before)
    same_shape = sidewinder.Model(text=open("models/pendulum.sw", encoding="utf-8").read().replace("model pendulum", "model swing"))
    with pytest.raises(sidewinder.OptionError, match="another model"):
        same_shape.sim().restore(saved)
