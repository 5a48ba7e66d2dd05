# SPDX-License-Identifier: BSD-3-Clause
"""Forces and inputs: how Python sets inputs, and the work of forces."""
import copy

import pytest

import sidewinder


@pytest.fixture(scope="module", name="motors")
def load_motors():
    return sidewinder.Model("tests/models/motors.sw")


def test_inputs_by_name_and_as_an_array(motors):
    sim = motors.sim()
    assert sim.inputs == {"torque": 0.5, "wind.x": 0.5, "wind.y": 0.1}
    sim.inputs = {"wind": [2, 3]}
    sim.inputs = {"torque": -1}
    assert sim.inputs == {"torque": -1, "wind.x": 2, "wind.y": 3} and sim.k["torque"] == -1
    sim.inputs = [1, 2, 4]
    assert list(sim.inputs.values()) == [1, 2, 4] and copy.copy(sim).inputs == sim.inputs
    for wrong, message in [
        ({"gamma": 1}, "no input 'gamma'"), ({"wind": [1, 2, 3]}, "2 values"), ([1], "an array of inputs has 3 values"),
        ({"torque": 11}, "torque"), ({"torque": float("nan")}, "torque")
    ]:
        with pytest.raises(sidewinder.OptionError, match=message):
            sim.inputs = wrong
    assert list(sim.inputs.values()) == [1, 2, 4]


def test_inputs_act_from_the_next_step_as_parameters_do(motors, same):
    sim, other = motors.sim(), motors.sim()
    for i in range(20):
        sim.inputs = {"torque": i / 4}
        other.set_parameters({"torque": i / 4})
        sim.step()
        other.step()
    assert abs(sim.z - other.z).max() < 1e-12 and abs(sim.z - motors.sim().z).max() > 0.01
    again = motors.sim(k=sim.k)
    again.restore(sim.save())
    again.inputs = sim.inputs
    sim.step()
    again.step()
    assert same(sim.z, again.z) and sim.work == again.work


def test_energy_minus_work(motors, models):
    sim = motors.sim(step=0.001)
    before = sim.energy
    assert sim.work == 0
    sim.run(1000)
    assert abs(sim.work) > 0.1 and abs(sim.energy - before - sim.work) < 1e-4
    free = models("pendulum").sim(step=0.1)
    free.step()
    assert free.work == 0 and free.inputs == {}
    with pytest.raises(sidewinder.OptionError, match="no input 'torque'; there is none"):
        free.inputs = {"torque": 1}
