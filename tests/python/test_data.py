# SPDX-License-Identifier: BSD-3-Clause
"""Models whose sets and arrays of indices are data: from Python's own lists and arrays, and from files."""
import json

import numpy as np
import pytest

import sidewinder

GRAPH = """model graph
set atom = data
set bond = data
set xyz = {x, y, z}
set species = {C, H}
param a[bond] in atom
param b[bond] in atom
param kind[atom] in species
param m[species] = 1 in (0, inf)
param length[bond] in (0, inf)
param x[atom, xyz]
coord q[atom, xyz] momentum p
hamiltonian H = sum(i in atom, k in xyz: p[i,k]^2/(2*m[kind[i]])) + sum(i in atom: m[kind[i]]*q[i,z])
constraint pin[k in xyz]: q[1,k] == x[1,k]
constraint stiff[e in bond]: sum(k in xyz: (q[b[e],k] - q[a[e],k])^2) == length[e]^2
init given: q[i in atom, k in xyz] = x[i,k]
init given: p[i in atom, k in xyz] = 0
run method = rattle, base = verlet, step = 1e-2
"""

DATA = {"a": [1, 2], "b": [2, 3], "kind": [0, 1, 1], "m": [12.0, 1.0], "length": 1.0, "x": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}


@pytest.fixture(scope="module")
def graph():
    return sidewinder.Model(text=GRAPH)


def test_lists_arrays_labels_and_files_are_the_same(graph, tmp_path, same):
    wanted = graph.sim(data=DATA).run(50)
    moved = wanted["q.3.z"][-1] - wanted["q.3.z"][0]
    assert abs(moved) > 1e-2
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(DATA))
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "bond.csv").write_text("a,b,length\n1,2,1\n2,3,1\n")
    (folder / "atom.csv").write_text("kind,x.x,x.y,x.z\nC,0,0,0\nH,1,0,0\nH,1,1,0\n")
    (folder / "parameters.csv").write_text("name,value\nm.C,12\nm.H,1\n")
    arrays = {name: np.array(value, dtype=np.float32 if name == "x" else None) for name, value in DATA.items()}
    labels = dict(DATA, atom=["P", "Q", "R"], a=["P", 2], b=np.array(["Q", "R"]), kind=["C", "H", 1], m={"H": 1, "C": 12})
    for data in (str(file), file, folder, arrays, labels):
        rows = graph.sim(data=data).run(50)
        assert all(same(rows[name], wanted[name]) for name in wanted.dtype.names)


def test_parameters_of_the_call_count_more(graph):
    assert graph.sim(data=DATA, k={"m.C": 3.0}).k["m.C"] == 3.0
    without = {name: value for name, value in DATA.items() if name != "length"}
    assert graph.sim(data=without, k={"length": 1.0}).k["length.2"] == 1.0
    with pytest.raises(sidewinder.OptionError, match="parameter length.1 comes from data and has no value"):
        graph.sim(data=without)


def test_ensembles_have_the_data(graph, same):
    sim = graph.sim(data=DATA)
    with graph.ensemble(np.array([sim.z, sim.z]), data=DATA) as ensemble:
        ensemble.run(50)
        sim.run(50)
        assert ensemble.failed == 0 and all(same(z, sim.z) for z in ensemble.z)


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"a": [1, 4]}, r"^data: a\[2\] = 4 is not in atom = 1 \.\. 3$"),
        ({"a": [1, 2.5]}, "entry 2 of 'a', 2.5, is no element of 'atom'"),
        ({"kind": [0, "N", 0]}, "entry 2 of 'kind': unknown label 'N'; known: C, H"),
        ({"b": [2]}, "'b' says that n_bond is 1, and 'a' that it is 2"),
        ({"lenght": 1}, "unknown name 'lenght'; did you mean 'length'"),
        ({"length": [1, -1]}, r"length.2 = -1 is outside its bounds \(0, inf\)"),
        ({"length": [1, np.nan]}, "nan for length.2 is not a finite number"),
        ({"length": [1, None]}, "'length' has the entry None, which is neither a number nor a label"),
        ({"length": [True, False]}, "'length' has the entry True"),
        ({"x": [[0, 0, 0], [1, 0]]}, "'x'"),
        ({"x": np.zeros((3, 2))}, "'x' has 3 x 2 entries, and not 3 x 3 for atom, xyz"),
        ({"x": np.zeros(9 * (1,))}, "'x' has too many indices"),
        ({"m": {"C": 1, "D": 2}}, "'m.D': 'D' is no element of 'species'"),
    ],
)
def test_what_is_wrong(graph, changed, words):
    with pytest.raises(sidewinder.OptionError, match=words):
        graph.sim(data=dict(DATA, **changed))


def test_what_is_missing(graph, tmp_path):
    with pytest.raises(sidewinder.OptionError, match="the number of elements of 'atom' comes from data"):
        graph.sim()
    with pytest.raises(sidewinder.OptionError, match="the array of indices 'kind' comes from data"):
        graph.sim(data={"a": [1, 2], "b": [2, 3], "atom": 3})
    with pytest.raises(sidewinder.OptionError, match="none.json cannot be read: No such file"):
        graph.sim(data=tmp_path / "none.json")
