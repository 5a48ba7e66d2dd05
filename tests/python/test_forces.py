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


def test_rows_have_the_work(motors, same):
    sim, other = motors.sim(), motors.sim()
    rows = sim.run(10)
    assert rows.columns[-1] == "work" and rows["work"][0] == 0 and rows["work"][-1] == sim.work
    rows = other.run(10, columns=["H_minus_work", "work"])
    assert same(rows["H_minus_work"][-1:], [sim.energy - sim.work])
    with motors.ensemble(motors.sim().z[None]) as all_:
        assert same(all_.run(10, every=1)["work"][:, 0], rows["work"])


def test_names_of_the_model_that_equal_the_columns():
    text = "model {0}\ncoord x momentum p\nhamiltonian H = p^2/2\n{1}observe work = x\nobserve H_minus_work = p\ninit x = 1\ninit p = 2\n"
    free = sidewinder.Model(text=text.format("free", "")).sim(step=0.1).run(1)
    assert free.columns[4:6] == ["work", "H_minus_work"] and free["work"][0] == 1
    forced = sidewinder.Model(text=text.format("forced", "force f on p = 1\n")).sim(step=0.1).run(1)
    assert forced.columns[4:6] == ["observe.work", "observe.H_minus_work"]
    assert forced["observe.work"][0] == 1 and forced["work"][0] == 0
