# SPDX-License-Identifier: BSD-3-Clause
"""Types: what mypy --strict says about the package and about files of users."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

import sidewinder

pytest.importorskip("mypy")

PACKAGE = pathlib.Path(sidewinder.__file__).parent
SETTINGS = pathlib.Path(__file__).parents[2] / "python" / "pyproject.toml"

GOOD = """import numpy as np
import numpy.typing as npt

import sidewinder


def show(done: int, steps: int) -> None:
    print(done, "of", steps)


model = sidewinder.Model("models/pendulum.sw")
answer: str = model.check()["answer"]
sim: sidewinder.Sim = model.sim(base="midpoint", step=0.1, k={"gravity": 2}, q=[1, 0], p=np.zeros(2))
rows: sidewinder.Rows = sim.run(100, every=10, columns=["t", "q", "energy"], progress=show)
block: npt.NDArray[np.float64] = rows.block("q")
drift = float(abs(rows["energy"] - rows["energy"][0]).max())
late = rows[rows["t"] > 5.0]
assert (block == rows["q"]).all() and late["q"].shape == (5, 2) and sim.tangent().shape == (4, 4)
state: npt.NDArray[np.float64] = sim.z
gravity: float = sim.k["gravity"]
force = sidewinder.Model("tests/models/motors.sw").sim()
force.inputs = {"torque": 2.0}
force.set_inputs(np.ones(3))
work: float = force.work + force.inputs["torque"]
with model.ensemble(np.tile(state, (3, 1)), threads=2, base="midpoint", step=0.1) as trajectories:
    print(trajectories.run(10, every=5)["q.x"].mean(axis=1), trajectories.messages)
try:
    sim.run(10)
except sidewinder.StepError as error:
    if error.rows is not None:
        print(error.rows["t"], error.t)
table: str = model.converge(levels=2)
"""

WRONG = """import sidewinder

sim = sidewinder.Model("pendulum.sw").sim(step="small")  # wrong
sim.run("100")  # wrong
steps: int = sim.energy  # wrong
sim.z = [1.0, 0.0, 0.0, 0.0]  # wrong
sim.run(100).blok("q")  # wrong
sidewinder.Model(3)  # wrong
sim.run(100).block("q")
"""


@pytest.fixture(scope="module", name="mypy")
def checker(tmp_path_factory):
    """Runs mypy; returns its exit code and its output."""
    folder = tmp_path_factory.mktemp("mypy")
    settings = ["--strict", "--config-file", SETTINGS, "--cache-dir", folder / "cache"]

    def mypy(*words):
        command = [sys.executable, "-m", "mypy", *settings, *words]
        variables = dict(os.environ, MYPYPATH=str(PACKAGE.parent))
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=variables)
        return done.returncode, done.stdout + done.stderr

    return mypy


def test_the_package(mypy):
    assert (PACKAGE / "py.typed").exists()
    code, said = mypy("-p", "sidewinder")
    assert code == 0 and "no issues found" in said, said


def test_a_users_file(mypy, tmp_path):
    file = tmp_path / "good.py"
    file.write_text(GOOD)
    code, said = mypy(file)
    assert code == 0, said
    subprocess.run([sys.executable, file], check=True, capture_output=True)


def test_errors_of_a_users_file(mypy, tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    code, said = mypy(file)
    found = {int(line) for line in re.findall(r"wrong\.py:(\d+): error:", said)}
    assert code == 1 and found == {i for i, line in enumerate(WRONG.split("\n"), start=1) if line.endswith("# wrong")}, said


def test_public_names_have_docstrings():
    for name in sidewinder.__all__:
        kind = getattr(sidewinder, name)
        members = vars(kind).items() if isinstance(kind, type) else ()
        for member, value in [("", kind), *members]:
            if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                assert value.__doc__, f"{name}.{member}"
