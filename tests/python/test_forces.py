# SPDX-License-Identifier: BSD-3-Clause
"""Forces and inputs: how Python sets inputs, work, a comparison with an accurate reference, and the two-form."""
import copy
import math

import numpy as np
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
    sim.set_inputs([1, 2, 4])
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


# ---- an accurate reference, of equations in other coordinates ----

def links(m1, m2, angle, turn, torque):
    """Angular accelerations of two links of length 1 with masses at their ends, under generalised forces `torque`."""
    c, s = np.cos(angle[0] - angle[1]), np.sin(angle[0] - angle[1])
    mass = [[m1 + m2, m2 * c], [m2 * c, m2]]
    return np.linalg.solve(mass, [torque[0] - m2 * s * turn[1] ** 2, torque[1] + m2 * s * turn[0] ** 2])


def motor(t):
    return 4 * math.sin(3 * t) + 1


def pendulum_rates(t, y):
    """The angles from below."""
    turn, brake = y[2:], 0.2
    torque = np.array([motor(t) - brake * turn[0] - brake * (turn[0] - turn[1]), -brake * (turn[1] - turn[0])])
    return [*turn, *links(1, 0.5, y[:2], turn, torque - 9.81 * np.array([1.5, 0.5]) * np.sin(y[:2]))]


def truss_rates(t, y):
    """The angles of the columns from the vertical; each storey stays a parallelogram, and has the mass 2."""
    turn = y[2:]
    long = np.sqrt(2.44 + 2.4 * np.sin(y[:2]))
    slope = 1.2 * np.cos(y[:2]) / long
    brace = -(30 * (long - math.sqrt(2.44)) + 1.5 * slope * turn) * slope
    return [*turn, *links(2, 2, y[:2], turn, brace + np.array([4, 2]) * np.sin(y[:2]))]


def sphere_rates(t, y):
    q, v = y[:3], y[3:]
    force = -(0.1 + 0.3 * np.linalg.norm(v)) * v - [0, 0, 1]
    return [*v, *(force - (force @ q + v @ v) * q)]


def pendulum_positions(y):
    first = np.array([math.sin(y[0]), -math.cos(y[0])])
    return [*first, *(first + [math.sin(y[1]), -math.cos(y[1])])]


def truss_positions(y):
    floors = np.cumsum([[0, 0], [math.sin(y[0]), math.cos(y[0])], [math.sin(y[1]), math.cos(y[1])]], axis=0)
    return [*floors.ravel(), *(floors + [1.2, 0]).ravel()]


@pytest.mark.parametrize("name, rates, start, positions, end", [
    ("driven_double_pendulum", pendulum_rates, [0, math.atan2(0.6, 0.8), 0, 0], pendulum_positions, 2),
    ("damped_truss", truss_rates, [math.atan2(0.6, 0.8)] * 2 + [0, 0], truss_positions, 2),
    ("rubbing_sphere", sphere_rates, [0.6, 0, -0.8, 0.4, 0.5, 0.3], lambda y: y[:3], 5),
])
def test_positions_converge_with_order_2_to_a_reference(name, rates, start, positions, end):
    integrate = pytest.importorskip("scipy.integrate")
    found = integrate.solve_ivp(rates, (0, end), start, method="DOP853", rtol=1e-12, atol=1e-13)
    wanted = np.array(positions(found.y[:, -1]))
    model = sidewinder.Model(f"examples/forces/{name}.sw")
    errors = []
    for steps in 100 * end, 200 * end, 400 * end:
        sim = model.sim(step=end / steps)
        for _ in range(steps):
            if sim.inputs:
                sim.inputs = {"torque": motor(sim.t + sim.h / 2)}
            sim.step()
        errors.append(abs(sim.q - wanted).max())
    assert errors[-1] < 1e-3 and abs(sim.work) > 0.1
    assert all(3.6 < coarse / fine < 4.4 for coarse, fine in zip(errors, errors[1:])), errors


# ---- damping of one strength: the two-form shrinks by exp(-gamma h) in each step ----

DAMPED = """model damped
param gamma = 0.3 in [0, inf)
coord q[i in 1 .. 3] momentum p
hamiltonian H = sum(i in 1 .. 3: p[i]^2)/2 + q[3] + q[1]^2/3 + q[1]*q[2]
{}
force damping[i in 1 .. 3] on p[i] = -gamma*p[i]
init q[i in 1 .. 3] = {{0.6, 0, -0.8}}
init p[i in 1 .. 3] = {{0.4, 0.5, 0.3}}
"""


@pytest.mark.parametrize("constraint", ["", "constraint sphere: sum(i in 1 .. 3: q[i]^2) == 1"])
def test_damping_shrinks_the_two_form(constraint):
    sim = sidewinder.Model(text=DAMPED.format(constraint)).sim(step=0.1)
    form = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.eye(3), np.zeros((3, 3))]])
    for _ in range(10):
        tangents = np.eye(6)
        if constraint:  # those of M^H, where q.q = 1 and q.p = 0
            normals = np.array([[*sim.q, 0, 0, 0], [*sim.p, *sim.q]])
            tangents = np.linalg.svd(normals)[2][2:].T
        moved = sim.tangent() @ tangents
        left = moved.T @ form @ moved - np.exp(-0.3 * sim.h) * (tangents.T @ form @ tangents)
        assert abs(left).max() < 1e-13
        sim.step()
