# SPDX-License-Identifier: BSD-3-Clause
"""Models: what is refused and in which words, the record of facts, the cache, notebooks."""
import json
import os
import re
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
        ({"k": [1]}, "k has 2 values, not 1"),
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
    kept = list((cache / "sidewinder").iterdir())
    assert len(kept) == 1 and kept[0].name.startswith("pendulum-")
    said("run", "models/pendulum.sw", "--steps", "1")  # which clears up in the same folder
    assert kept[0].exists() and len(list(kept[0].parent.iterdir())) == 2
    # What is there is not compiled anew, and nothing else is taken for it.
    with monkeypatch.context() as other:
        other.setenv("CC", "false -std=c99")
        with pytest.raises(sidewinder.InstallationError, match="the C compiler 'false' failed"):
            sidewinder.Model("models/pendulum.sw")
    before = kept[0].stat().st_mtime_ns
    sidewinder.Model("models/pendulum.sw")
    assert kept[0].stat().st_mtime_ns == before
    sidewinder.Model("models/pendulum.sw").sim(base="gauss-4")
    assert len(list(kept[0].parent.iterdir())) == 3
    kept[0].parent.chmod(stat.S_IRWXU | stat.S_IWOTH)
    with pytest.raises(sidewinder.InstallationError, match="others can write"):
        sidewinder.Model("models/pendulum.sw")


GAUSS_4 = {
    "A": [[1 / 4, 1 / 4 - 3**0.5 / 6], [1 / 4 + 3**0.5 / 6, 1 / 4]],
    "b": np.array([1 / 2, 1 / 2]),
    "name": "mine",
}


def test_a_base_method_as_arrays(models, program, same, tmp_path):
    wanted = models("hopf").sim(base="gauss-4", solver="kinsol").run(50)
    sim = models("hopf").sim(base=GAUSS_4)
    rows = sim.run(50)
    assert sim.base == "mine" and sim.order == 2  # that of RATTLE over it
    assert all(np.allclose(rows[name], wanted[name], rtol=0, atol=1e-12) for name in ("q.1", "q.2", "p.1", "p.2"))
    # Bit for bit what the program makes of the same in a file; partitioned, with a midpoint that is not one.
    own = {"A": [[0, 0], [1 / 2, 1 / 2]], "b": [1 / 2, 1 / 2], "A_hat": [[1 / 2, 0], [1 / 2, 0]], "b_hat": [1 / 2, 1 / 2]}
    for tableau in (own, {name: np.array(values).tolist() for name, values in GAUSS_4.items() if name != "name"}):
        file = tmp_path / "own.json"
        file.write_text(json.dumps(dict(tableau, name="own")))
        wanted = program("pendulum", "--base-file", str(file), "--steps", "40")
        rows = models("pendulum").sim(base=tableau).run(40)
        assert all(same(rows[name], wanted[name]) for name in wanted)
    tables = [models("pendulum").converge(base=base, step=0.1, t_end=1, levels=3) for base in ({"A": np.array([[0.5]]), "b": [1]}, "midpoint")]
    assert tables[0].splitlines()[-3:] == tables[1].splitlines()[-3:]


@pytest.mark.parametrize(
    "tableau, words",
    [
        ({"A": [[1]]}, "a tableau has 'A' and 'b'"),
        ({"A": [[0.5]], "b": [1], "c": [0.5]}, "no part of a tableau 'c'"),
        ({"A": [[0.5, 0]], "b": [1]}, r"'A' of the tableau has the shape \(1, 2\)"),
        ({"A": [[0.5]], "b": ["one"]}, "'b' of the tableau"),
        ({"A": [[0.5]], "b": [2]}, "the tableau: .*add up to 1"),
        ({"A": [[np.nan]], "b": [1]}, "the tableau: .*finite"),
        ({"A": [[0.5]], "b": [1], "b_hat": [1]}, "the tableau: .*hat"),
        ({"A": [[0.5]], "b": [1], "name": "x" * 64}, "the tableau: .*name"),
    ],
)
def test_tableaus_that_are_refused(models, tableau, words):
    with pytest.raises(sidewinder.OptionError, match=words):
        models("hopf").sim(base=tableau)


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


def test_one_library_for_all_sizes(program, same, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # its files are counted, so no other process may build in it
    model = sidewinder.Model("models/chain.sw", lowering="looped")
    for n in (3, 30):
        wanted = program("chain", "--lowering", "looped", "--size", f"N={n}", "--steps", "50", "--every", "25")
        rows = model.sim(sizes={"N": n}).run(50, every=25)
        assert list(rows.dtype.names) == list(wanted) and all(same(rows[name], wanted[name]) for name in wanted)
    assert len(os.listdir(tmp_path / "sidewinder")) == 2  # the library and the program
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


def test_text_of_several_lines_is_a_model():
    text = "model free\ncoord q momentum p\nhamiltonian H = p^2/2\ninit q = 0\ninit p = 1\n"
    assert sidewinder.Model(text).name == "free"
    with pytest.raises(sidewinder.ModelError, match="cannot read 'no such model'"):
        sidewinder.Model("no such model")


def test_commands_with_a_text(models, tmp_path):
    pendulum = models("pendulum")
    assert pendulum.verify(points=2, seed=3, only="Hess") == said("verify", "models/pendulum.sw", "--points=2", "--seed=3", "--only=Hess")[0]
    options = {"step": 0.1, "t_end": 1, "levels": 3, "k": {"length": 2.0}, "base": "midpoint"}
    words = ["--step=0.1", "--t-end=1", "--levels=3", "--set=length=2", "--base=midpoint"]
    assert pendulum.converge(**options) == said("converge", "models/pendulum.sw", *words)[0]
    assert pendulum.lyapunov(step=0.1, steps=100) == said("lyapunov", "models/pendulum.sw", "--step=0.1", "--steps=100")[0]
    assert re.search(r"^advice +--method", pendulum.advise(error=1e-4, t_end=10), re.MULTILINE)
    chain = sidewinder.Model("models/chain.sw", sizes={"N": 3}, lowering="looped")
    found = chain.converge(levels=2, t_end=0.01, step=0.005, sizes={"N": 4}, k={"m": [1, 2, 3, 4]})
    assert len(found.strip().split("\n")) == 3


def test_commands_that_fail(models, monkeypatch, tmp_path):
    pendulum = models("pendulum")
    with pytest.raises(sidewinder.StepError, match="converge: step failed at t = 0"):
        pendulum.converge(step=5, t_end=50)
    with pytest.raises(sidewinder.StepError, match="tangent failed at t = 0"):
        pendulum.lyapunov(step=100, steps=50)
    with pytest.raises(sidewinder.OptionError, match="'--tolerence'; did you mean '--tolerance'"):
        pendulum.advise(tolerence=1e-9)
    with pytest.raises(sidewinder.OptionError, match="no check has a name that begins with 'zz'"):
        pendulum.verify(only="zz")
    with pytest.raises(sidewinder.OptionError, match="has no size 'N'"):
        pendulum.converge(sizes={"N": 3})
    # The file is looked for in the present folder.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sidewinder.Error, match=re.escape(str(tmp_path / "none.npy"))):
        pendulum.converge(init_file="none.npy")
    np.save("state.npy", pendulum.sim().z)
    assert pendulum.converge(init_file="state.npy", levels=2) == pendulum.converge(levels=2)
    # A check of `verify` that fails is not overlooked.
    generator = tmp_path / "sidewinder"
    generator.write_text("#!/bin/sh\necho 'Hess H  1.00e+00  1.00e-08  FAIL'\nexit 1\n")
    generator.chmod(0o755)
    monkeypatch.setattr(pendulum._installation, "generator", str(generator))
    with pytest.raises(sidewinder.ModelError, match="FAIL") as caught:
        pendulum.verify()
    assert caught.value.code == 1
