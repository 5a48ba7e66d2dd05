# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of a wrong type or at a wrong place: messages that say where they belong."""
import numpy as np
import pytest

import sidewinder

Z0 = np.zeros((3, 4))
CASES = [
    (lambda m: sidewinder.Model(3), "the model is a path.* not int"),
    (lambda m: sidewinder.Model("models/chain.sw", {"N": 3}), "text is the text of a model, not dict; .*sizes="),
    (lambda m: sidewinder.Model(text="models/chain.sw"), r"a path has no text=: Model\('models/chain.sw'\)"),
    (lambda m: sidewinder.Model("models/chain.sw", sizes=[3]), "sizes is a dict by name, not list"),
    (lambda m: sidewinder.check(m), "the model is a path.* not Model"),
    (lambda m: sidewinder.check("model x\n"), r"takes the path of a model file; Model\(text\).check\(\)"),
    (lambda m: sidewinder.read(Z0), "the file is a path.* not ndarray"),
    (lambda m: sidewinder.molecule(3), "a path or a ParmEd structure, not int"),
    (lambda m: m.sim("verlet"), "no method 'verlet'.*; a base method is base='verlet'"),
    (lambda m: m.sim(base="rattle"), "no base method 'rattle'.*; a method is method='rattle'"),
    (lambda m: m.sim(0.1), "method is a name.* not 0.1; the step size is step="),
    (lambda m: m.sim(h=0.1), "no option 'h'; the step size is step="),
    (lambda m: m.sim(steps=10), "no option 'steps'; it belongs to run"),
    (lambda m: m.sim(t_end=10), "no option 't_end'; run takes a number of steps"),
    (lambda m: m.sim(threads=8), "no option 'threads'; it belongs to ensemble"),
    (lambda m: m.sim(gravity=2), r"no option 'gravity'.*; a parameter is k=\{'gravity': ...\}"),
    (lambda m: m.sim(tolerence=1e-9), "no option 'tolerence'; did you mean 'tolerance'"),
    (lambda m: m.sim(k=3), "^k has 2 values, not 1"),
    (lambda m: m.sim(init=Z0[0]), "init is the name of an initial state, not ndarray; values are z="),
    (lambda m: m.sim(z="za"), "z: 'za' is not a real number"),
    (lambda m: m.sim(data=3), "data.* is a path.* not int"),
    (lambda m: m.sim(redundant="dropp"), "no redundant = 'dropp'; did you mean 'drop'"),
    (lambda m: m.sim(compose="yoshida"), "no compose = 'yoshida'; there are: none, triple-jump-4"),
    (lambda m: m.sim().run("10"), "steps: '10' is not a real number"),
    (lambda m: m.sim().run(10, 1, 3), "columns are names, .* not int objects"),
    (lambda m: m.sim().run(10, progress=True), "progress is a function of .* not bool"),
    (lambda m: m.sim().run(1)["q.z"], "no column 'q.z'; did you mean 'q.y'"),
    (lambda m: m.sim().run(1).plot("q.x"), "a path that ends in '.svg', not 'q.x'; columns are the second one"),
    (lambda m: m.plot("x.svg", 3), "columns are names, .* not int objects"),
    (lambda m: m.report(3), "the first argument is a path.* not int"),
    (lambda m: m.report("x.html", k=[1, 2]), "k of a command is a dict by name, not list"),
    (lambda m: m.report("x.html", z=Z0[0]), "a command has no option 'z'; .*init="),
    (lambda m: m.converge(h=0.1), "a command has no option 'h'; the step size is step="),
    (lambda m: m.converge(levels=1), "'1' is not an integer from 2 to 20$"),  # without a remedy for the command line
    (lambda m: m.ensemble(Z0, z=Z0[0]), "an ensemble has no option 'z'; z0 has the states"),
    (lambda m: m.ensemble(Z0, columns=3), "columns are names, .* not int objects"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CASES)))
def test_messages(models, number):
    call, words = CASES[number]
    with pytest.raises(sidewinder.OptionError, match=words):
        call(models("pendulum"))


def test_a_picture_needs_a_folder(models, tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder for"):
        models("pendulum").sim().run(1).plot(tmp_path / "none" / "p.svg")
