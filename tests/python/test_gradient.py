# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives along parameters, and gradients over trajectories."""
import subprocess
import sys

import numpy as np
import pytest

import sidewinder

STEPS = 12


def loss(step, t, z):
    """sum_i sin(i + step) z_i + z_i^3/3 in every third step."""
    if step % 3:
        return None
    weights = np.sin(np.arange(len(z)) + step)
    return weights @ z + (z**3).sum() / 3, weights + z**2


def value_of(sim, h, k, z):
    """L from these parameters and this state."""
    sim.set_parameters(k)
    sim.set(z)
    value = loss(0, sim.t, sim.z)[0]
    for step in range(1, STEPS + 1):
        sim.step(h)
        value += (loss(step, sim.t, sim.z) or (0,))[0]
    return value


@pytest.mark.parametrize(
    "name, settings",
    [
        ("double_pendulum", {}),
        ("double_pendulum", {"compose": "suzuki-4"}),
        ("pendulum", {"method": "lobatto"}),
        ("hopf", {"base": "midpoint"}),
        ("hopf_free", {"base": "gauss-4"}),
        ("chain", {"sizes": {"N": 4}}),
    ],
)
def test_gradient_is_the_product_of_tangents(models, same, name, settings):
    h = 0.01
    sim = models(name).sim(derivatives=True, step=h, **settings)
    assert sim.has_derivatives
    sim.run(2)
    before = sim.save()
    found = sim.gradient(loss, STEPS)
    few = sim.gradient(loss, STEPS, h=h, checkpoints=2)
    assert same(sim.save(), before) and same(found.z0, few.z0) and found.k == few.k and found.value == few.value
    D, P, slopes, value = [], [], [], 0.0
    for step in range(STEPS + 1):
        l, slope = loss(step, sim.t, sim.z) or (0.0, np.zeros(2 * sim.d))
        value += l
        slopes.append(slope)
        if step < STEPS:
            D.append(sim.tangent())
            P.append(sim.tangent_parameters())
            weights = np.cos(np.arange(2 * sim.d))
            of_z, of_k = sim.pullback(weights)
            assert np.allclose(of_z, D[-1].T @ weights, rtol=0, atol=1e-12 * abs(D[-1]).max())
            assert np.allclose(of_k, P[-1].T @ weights, rtol=0, atol=1e-12 * max(1, abs(P[-1]).max()))
            sim.step()
    of_z, of_k = slopes[STEPS], np.zeros(len(sim.k) + 1)
    for step in reversed(range(STEPS)):
        of_k += P[step].T @ of_z
        of_z = slopes[step] + D[step].T @ of_z
    assert abs(found.value - value) <= 1e-12 * abs(value)
    assert np.allclose(found.z0, of_z, rtol=0, atol=1e-12 * abs(of_z).max())
    assert np.allclose([*found.k.values(), found.h], of_k, rtol=0, atol=1e-12 * abs(of_k).max())


def test_inputs(same):
    """Inputs of each step, against differences."""
    model = sidewinder.Model("tests/models/motors.sw")
    sim = model.sim(derivatives=True, step=0.02)
    u = 0.3 * np.cos(np.arange(3 * STEPS)).reshape(STEPS, 3)
    before, k = sim.save(), sim.k
    found = sim.gradient(loss, STEPS, inputs=u)
    assert same(sim.save(), before) and sim.k == k
    assert found.inputs.shape == u.shape
    names = ["torque", "wind.x", "wind.y"]
    assert np.allclose(found.inputs.sum(0), [found.k[name] for name in names], rtol=1e-12)
    for step, i in ((0, 0), (4, 2), (STEPS - 1, 0)):
        both = []
        for sign in (1, -1):
            shifted = u.copy()
            shifted[step, i] += sign * 1e-3
            both.append(sim.gradient(loss, STEPS, inputs=shifted).value)
        assert abs(found.inputs[step, i] - (both[0] - both[1]) / 2e-3) < 1e-8
    with pytest.raises(sidewinder.OptionError, match="torque"):
        sim.gradient(loss, STEPS, inputs=100 + u)
    assert same(sim.save(), before) and sim.k == k


def test_wrong_arguments(same):
    """Of a loss and of inputs; the state stays."""
    sim = sidewinder.Model("tests/models/motors.sw").sim(derivatives=True, step=0.02)
    before = sim.save()
    for shape in ((3, 2), (2, 4), (1, 2, 3)):
        with pytest.raises(sidewinder.OptionError, match="inputs"):
            sim.gradient(loss, 2, inputs=np.zeros(shape))
    for wrong in (1.0, (1.0,), "ab c", (1.0, np.ones(10), 2.0)):
        with pytest.raises(sidewinder.OptionError, match="a loss returns"):
            sim.gradient(lambda step, t, z: wrong, 2)
    assert same(sim.save(), before)


def test_gradient_against_differences(models):
    """Along the masses and gravity, without effect on M, and along h."""
    m = models("double_pendulum")
    sim, h = m.sim(derivatives=True, step=0.05), 0.05
    found, z, k = sim.gradient(loss, STEPS), sim.z, sim.k
    assert abs(found.value - value_of(m.sim(), h, k, z)) < 1e-11
    for name in ("m.1", "m.2", "gravity", "h"):
        ends = []
        for e in (1e-3, 5e-4):
            both = []
            for sign in (1, -1):
                shifted = k if name == "h" else dict(k, **{name: k[name] + sign * e})
                both.append(value_of(m.sim(), h + sign * e if name == "h" else h, shifted, z))
            ends.append((both[0] - both[1]) / (2 * e))
        wanted = (4 * ends[1] - ends[0]) / 3
        assert abs((found.h if name == "h" else found.k[name]) - wanted) < 1e-7 * max(1, abs(wanted)), name


POWER = """model power
param n = 2
coord x momentum p
hamiltonian H = p^2/2 + x^n
init x = -0.5
init p = 0
run method = rattle, step = 0.01, steps = 10
"""


def test_no_derivative_along_an_exponent():
    """x^n has none along n for x < 0; the message names the reason."""
    sim = sidewinder.Model(POWER).sim(derivatives=True)
    for derivative in (sim.tangent_parameters, lambda: sim.pullback([1, 0]), lambda: sim.gradient(lambda *_: (0.0, [1, 0]), 2)):
        with pytest.raises(sidewinder.StepError, match="with respect to a parameter is not finite"):
            derivative()
    sim.tangent()


def test_without_parameters(models):
    sim = models("pendulum").sim(step=0.01)
    assert not sim.has_derivatives
    found = sim.gradient(loss, STEPS)
    assert found.k == {} and found.h is None and found.inputs.size == 0 and found.z0.shape == (4,)
    whole = models("pendulum").sim(step=0.01, derivatives=True).gradient(loss, STEPS)
    assert np.allclose(whole.z0, found.z0, rtol=0, atol=1e-12)
    assert sim.pullback([1, 0, 0, 0])[1].size == 0
    with pytest.raises(sidewinder.OptionError, match="derivatives=True"):
        sim.tangent_parameters()
    bdf2 = models("pendulum").sim("bdf2", step=0.01)
    bdf2.run(3)
    assert bdf2.gradient(loss, STEPS).z0.shape == (8,)


def test_failures(models, same):
    sim = models("pendulum").sim(step=0.01)
    before = sim.save()

    def broken(step, t, z):
        if step == 3:
            raise RuntimeError("the loss")
        return 0, z

    with pytest.raises(RuntimeError, match="the loss"):
        sim.gradient(broken, STEPS)
    for wrong in (lambda step, t, z: 1.0, lambda step, t, z: (1.0, [1, 2]), lambda step, t, z: (np.nan, z)):
        with pytest.raises((TypeError, sidewinder.OptionError, sidewinder.StepError)):
            sim.gradient(wrong, STEPS)
    for arguments in ((3, STEPS), (loss, -1), (loss, 2.5)):
        with pytest.raises(sidewinder.OptionError):
            sim.gradient(*arguments)
    for settings in ({"checkpoints": 0}, {"inputs": [1] * STEPS}):
        with pytest.raises(sidewinder.OptionError):
            sim.gradient(loss, STEPS, **settings)
    with pytest.raises(sidewinder.OptionError):
        sim.pullback([1, 2])
    with pytest.raises(sidewinder.StepError):
        sim.gradient(loss, 3, h=10)
    assert same(sim.save(), before)


@pytest.mark.parametrize("words", [["identify.py"], ["identify.py", "--numpy"], ["optimal_control.py"], ["torch_function.py"]])
def test_examples(words):
    """They compare with known answers, and exit with 1 if one is wrong."""
    done = subprocess.run([sys.executable, f"examples/{words[0]}", *words[1:]], capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
