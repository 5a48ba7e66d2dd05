# SPDX-License-Identifier: BSD-3-Clause
"""Models: what is refused and in which words, the record of facts, the cache, notebooks."""
import json
import os
import stat
import subprocess

import numpy as np
import pytest

import sidewinder

REFUSED = """model refused
coord x momentum px  coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + y
constraint rod: x^2 + y^2 == 1
constraint still: x*px + y*py == 0
"""


def said(*words):
    done = subprocess.run([os.environ["SIDEWINDER"], *words], capture_output=True, check=False)
    return done.stdout.decode(), done.stderr.decode().strip()


def test_the_record_of_facts(models):
    out, _ = said("check", "--json", "models/hopf.sw")
    wanted = json.loads(out)
    found = models("hopf").check()
    assert dict(found, file="") == dict(wanted, file="") and found["answer"] == "not_everywhere"
    assert sidewinder.check("models/hopf.sw") == wanted


def test_what_the_theory_does_not_cover(tmp_path):
    file = tmp_path / "refused.sw"
    file.write_text(REFUSED)
    with pytest.raises(sidewinder.ModelError) as caught:
        sidewinder.Model(file)
    assert caught.value.code == 1 and "'rod' and 'still' are second class" in str(caught.value)
    assert str(caught.value) == said("generate", str(file), "-o", str(tmp_path))[1]
    with pytest.raises(sidewinder.ModelError, match="second class"):
        sidewinder.Model(text=REFUSED)
    assert sidewinder.check(file)["answer"] == "no"


def test_what_is_wrong_in_a_file(tmp_path):
    with pytest.raises(sidewinder.ModelError) as caught:
        sidewinder.Model(text="model x\ncoord q momentum p\nhamiltonian H = cos(thetta)\n")
    assert caught.value.code == 2 and str(caught.value).startswith("x.sw:3:21: error: 'thetta' is not declared")
    with pytest.raises(sidewinder.ModelError, match="No such file"):
        sidewinder.Model("none.sw")
    with pytest.raises(TypeError):
        sidewinder.Model()


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"method": "ratle"}, "there is no method 'ratle'; did you mean 'rattle'"),
        ({"base": "midpont"}, "there is no base method 'midpont'; did you mean 'midpoint'"),
        ({"tolerence": 1e-9}, "there is no option 'tolerence'; did you mean 'tolerance'"),
        ({"tolerance": -1}, "tolerances have to be between 0 and 1"),
        ({"tolerance": "small"}, "the option 'tolerance'"),
        ({"solver": 3}, "the option 'solver' is a name"),
        ({"max_iterations": 1.5}, "the option 'max_iterations' is an integer"),
        ({"init": "zz"}, "there is no initial state 'zz'"),
        ({"k": {"gravty": 1}}, "there is no parameter 'gravty'; did you mean 'gravity'"),
        ({"k": {"gravity": [1, 2]}}, "parameter 'gravity' has 1 values, not 2"),
        ({"k": [1]}, "parameter has 2 values, not 1"),
        ({"k": {"length": -1}}, r"parameter length = -1 is outside its bounds, \(0, inf\)"),
        ({"q": [1]}, "q has 2 values, not 1"),
        ({"z": [1, 2, 3, np.nan]}, "finite"),
        ({"step": 0}, "step is a number that is not 0, not 0"),
        ({"sizes": {"N": 1.5}}, "the size 'N' is a count, not 1.5"),
        ({"method": "vs", "base": "verlet"}, "has a base method of its own"),
        ({"method": "lobatto", "base": "euler-a"}, "Lobatto|lobatto"),
    ],
)
def test_wrong_settings(models, settings, words):
    with pytest.raises(sidewinder.OptionError, match=words) as caught:
        models("pendulum").sim(**settings)
    assert isinstance(caught.value, ValueError)


def test_wrong_runs(models):
    sim = models("pendulum").sim()
    with pytest.raises(sidewinder.OptionError, match="unknown column 'zz'; known: step, t"):
        sim.run(1, columns="q,zz")
    for wrong in (lambda: sim.run(-1), lambda: sim.run(1.5), lambda: sim.run(1, every=0), lambda: sim.restore([1, 2])):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(sidewinder.ModelError, match="has no size 'N'"):
        models("pendulum").sim(sizes={"N": 3})


def test_a_model_without_run_line_or_initial_state(same):
    model = sidewinder.Model(text="model free\ncoord x momentum px\nhamiltonian H = px^2/2\n")
    with pytest.raises(sidewinder.OptionError, match="which this model.s run line does not give"):
        model.sim()
    sim = model.sim(step=0.5, p=[2.0])
    sim.run(2)
    assert same(sim.z, [2.0, 2.0]) and sim.m == 0 and sim.multipliers.shape == (0,)


def test_the_cache(tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    sidewinder.Model("models/pendulum.sw").sim().run(10)
    kept = sorted((cache / "sidewinder" / "python").iterdir())
    assert len(kept) == 1 and kept[0].name.startswith("pendulum-") and kept[0].suffix == ".so"
    said("run", "models/pendulum.sw", "--steps", "1")  # which clears up in the same folder
    assert kept[0].exists()
    # What is there is not compiled anew, and nothing else is taken for it.
    with monkeypatch.context() as other:
        other.setenv("CC", "false -std=c99")
        with pytest.raises(sidewinder.InstallationError, match="the C compiler 'false' has failed"):
            sidewinder.Model("models/pendulum.sw")
    before = kept[0].stat().st_mtime_ns
    sidewinder.Model("models/pendulum.sw")
    assert kept[0].stat().st_mtime_ns == before
    sidewinder.Model("models/pendulum.sw").sim(base="gauss-4")
    assert len(list(kept[0].parent.iterdir())) == 2
    kept[0].parent.chmod(stat.S_IRWXU | stat.S_IWOTH)
    with pytest.raises(sidewinder.InstallationError, match="others can write"):
        sidewinder.Model("models/pendulum.sw")


def test_the_compiler_and_the_generator(monkeypatch):
    monkeypatch.setenv("CC", "cc -ffast-math")
    with pytest.raises(sidewinder.InstallationError, match="CC has '-ffast-math'"):
        sidewinder.Model("models/pendulum.sw")
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(sidewinder.InstallationError, match="cannot start the C compiler"):
        sidewinder.Model("models/pendulum.sw")
    monkeypatch.setenv("SIDEWINDER", "/no/such/generator")
    with pytest.raises(sidewinder.InstallationError, match="there is no generator"):
        sidewinder.Model("models/pendulum.sw")


def test_a_changed_file_changes_no_model(tmp_path, same):
    file = tmp_path / "pendulum.sw"
    text = open("models/pendulum.sw", encoding="utf-8").read()
    file.write_text(text)
    model = sidewinder.Model(file)
    file.write_text(text.replace("gravity = 1", "gravity = 3"))
    assert model.sim(base="gauss-4").k["gravity"] == 1.0
    assert sidewinder.Model(file).sim(base="gauss-4").k["gravity"] == 3.0


def test_sizes(models):
    model = models("chain", sizes={"N": 4})
    assert model.sim().d == 12 and model.sim(sizes={"N": 40}).d == 120
    with pytest.raises(sidewinder.Error):
        model.sim(sizes={"M": 3})


def test_one_library_for_all_sizes(models, program, same, tmp_path):
    model = models("chain", lowering="looped")
    before = len(os.listdir(os.path.join(os.environ["XDG_CACHE_HOME"], "sidewinder", "python")))
    for n in (3, 30):
        wanted = program("chain", "--lowering", "looped", "--size", f"N={n}", "--steps", "50", "--every", "25")
        rows = model.sim(sizes={"N": n}).run(50, every=25)
        assert list(rows.dtype.names) == list(wanted) and all(same(rows[name], wanted[name]) for name in wanted)
    assert len(os.listdir(os.path.join(os.environ["XDG_CACHE_HOME"], "sidewinder", "python"))) == before
    with pytest.raises(sidewinder.OptionError, match="there is no size 'M'"):
        model.sim(sizes={"M": 3})


def test_notebooks(models):
    formulas = models("hopf")._repr_latex_()
    assert formulas.startswith("$$\\begin{aligned}") and r"\frac{p_{1}^{2}}{2}" in formulas and r"\mathit{sphere}" in formulas
    page = models("hopf")._repr_html_()
    for text in ("<b>hopf</b>", "<th", "coisotropic", "proved: a single constraint always is", "SHAKE and RATTLE apply"):
        assert text in page
    assert "Σ" not in (models("chain")._repr_latex_() or "") and "<table" in models("chain")._repr_html_()
    assert repr(models("hopf")).startswith("<sidewinder.Model hopf: Hopf sphere")
    assert "midpoint" in repr(models("hopf").sim()) and "3 hopf" in repr(models("hopf").ensemble(np.tile(models("hopf").sim().z, (3, 1))))
