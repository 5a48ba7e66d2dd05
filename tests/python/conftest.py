# SPDX-License-Identifier: BSD-3-Clause
import functools
import json
import os
import subprocess

import numpy as np
import pytest

import sidewinder


@pytest.fixture(scope="session")
def models():
    """Models of models/ by name, each loaded once."""
    loaded = {}

    def model(name, **settings):
        key = (name, repr(settings))
        if key not in loaded:
            loaded[key] = sidewinder.Model(f"models/{name}.sw", **settings)
        return loaded[key]

    return model


@pytest.fixture(scope="session")
def graph():
    """Models of examples/graphs by name, each loaded once."""
    return functools.cache(lambda name: sidewinder.Model(f"examples/graphs/{name}.sw"))


@pytest.fixture
def program(tmp_path):
    """Runs a model's own program; returns its columns by name."""

    def run(name, *words):
        out = str(tmp_path / "rows.npy")
        command = [os.environ["SIDEWINDER"], "run", f"models/{name}.sw", *words, "--out", out]
        subprocess.run(command, check=True, capture_output=True)
        with open(out + ".json", encoding="utf-8") as file:
            names = json.load(file)["columns"]
        return dict(zip(names, np.load(out).T))

    return run


def bits(values):
    return np.ascontiguousarray(values, dtype=np.float64).tobytes()


@pytest.fixture
def same():
    """Whether two arrays of doubles are the same, bit for bit."""
    return lambda a, b: bits(a) == bits(b)
