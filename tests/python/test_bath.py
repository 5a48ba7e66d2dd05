# SPDX-License-Identifier: BSD-3-Clause
"""Heat baths: seeds, the kinetic temperature, and the noise of trajectories of an ensemble."""
import math
from pathlib import Path

import numpy as np
import pytest

import sidewinder

MODELS = Path(__file__).resolve().parent.parent / "models"


@pytest.fixture(name="bead", scope="module")
def bead_model():
    return sidewinder.Model(MODELS / "bath_bead.sw")


def test_seeds_and_temperature(bead):
    sim = bead.sim(step=0.1, seed=3)
    assert sim.method == "baoab" and math.isnan(sim.temperature)
    sim.run(20000)
    assert abs(sim.temperature - 0.6) < 0.02
    again = bead.sim(step=0.1, seed=3)
    again.run(100)
    middle = again.save()
    again.run(100)
    other = bead.sim(step=0.1)
    other.restore(middle)
    other.run(100)
    assert (other.z == again.z).all()
    other = bead.sim(step=0.1, seed=4)
    other.run(200)
    assert (other.z != again.z).any()


def test_an_ensemble_has_noise_of_its_own(bead):
    start = np.tile(bead.sim(step=0.1).z, (5, 1))
    with bead.ensemble(start, threads=2, step=0.1, seed=9) as all_:
        all_.set(start)
        all_.run(50)
        for i in range(5):
            sim = bead.sim(step=0.1)
            sim.set_seed(9, i)
            sim.run(50)
            assert (all_.z[i] == sim.z).all()


def test_seeds_need_noise(bead):
    with pytest.raises(sidewinder.OptionError, match="noise"):
        bead.sim(method="rattle", step=0.1, seed=1)
    with pytest.raises(sidewinder.OptionError, match="seed"):
        bead.sim(step=0.1, seed=-1)
    assert math.isnan(bead.sim(method="rattle", step=0.1).temperature)


def test_derivatives_leave_the_bath_out(bead):
    sim = bead.sim(step=0.1, derivatives=True)
    with pytest.raises(sidewinder.OptionError, match="noise"):
        sim.tangent_parameters()
    assert bead.sim(method="rattle", base="verlet", step=0.1, derivatives=True).tangent_parameters().shape == (6, 5)
