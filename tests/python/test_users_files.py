# SPDX-License-Identifier: BSD-3-Clause
"""Every file that docs/data.md, programs.md, ensembles.md and methods.md describe, written with the library of a user: h5py, NumPy,
pandas, json.  Each gives the run that the same values give by another file."""
import json
import os
import subprocess

import numpy as np
import pytest

MODEL = """model water "Rods between atoms"
set atom = data
set bond = data
set species = {O, H}
set xyz = {x, y, z}
param a[bond] in atom
param b[bond] in atom
param kind[atom] in species
param m[species] = 1 in (0, inf)
param length[bond] in (0, inf)
param x[atom, xyz]
coord q[atom, xyz] momentum p
hamiltonian H = sum(i in atom, k in xyz: p[i,k]^2/(2*m[kind[i]])) + sum(i in atom: m[kind[i]]*q[i,z])
constraint stiff[e in bond]: sum(k in xyz: (q[b[e],k] - q[a[e],k])^2) == length[e]^2
init given: q[i in atom, k in xyz] = x[i,k]
init given: p[i in atom, k in xyz] = 0
run method = rattle, base = verlet, step = 1e-2, steps = 10
"""

LABELS = {
    "atom": ["O", "H1", "H2"],
    "a": ["O", "O"],
    "b": ["H1", "H2"],
    "kind": ["O", "H", "H"],
    "m": {"O": 16.0, "H": 1.0},
    "length": [0.96, 0.96],
    "x": [[0.0, 0.0, 0.0], [0.96, 0.0, 0.0], [-0.24, 0.93, 0.0]],
}
NUMBERS = {"atom": 3, "a": [1, 1], "b": [2, 3], "kind": [0, 1, 1], "m": [16, 1], "length": LABELS["length"], "x": LABELS["x"]}


def run(folder, *words, ok=True):
    command = [os.environ["SIDEWINDER"], "run", "water.sw", "--quiet", "--project=inf", *words, "--out", "out.csv"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert (done.returncode == 0) == ok, done.stderr.decode()
    return (folder / "out.csv").read_text(encoding="utf-8") if ok else done.stderr.decode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "water.sw").write_text(MODEL, encoding="utf-8")
    (tmp_path / "labels.json").write_text(json.dumps(LABELS), encoding="utf-8")
    return tmp_path


@pytest.fixture
def wanted(folder):
    return run(folder, "--data", "labels.json")


def test_json(folder, wanted):
    (folder / "numbers.json").write_text(json.dumps(NUMBERS), encoding="utf-8")
    assert run(folder, "--data", "numbers.json") == wanted


@pytest.mark.parametrize(
    "labels, integer, real",
    [
        ("S8", "i8", "f8"),
        ("S2", "i4", "f4"),  # no byte is left for a zero at the end
        ("utf-8", "u1", ">f8"),
        ("ascii", ">i2", "f8"),
        ("S8", "f8", "f8"),
    ],
)
def test_hdf5(folder, labels, integer, real):
    h5py = pytest.importorskip("h5py")
    kind = labels if labels.startswith("S") else h5py.string_dtype(labels, 8)
    numbers = {name: np.array(value, dtype=integer if name in ("a", "b", "kind") else real) for name, value in NUMBERS.items()}
    (folder / "numbers.json").write_text(json.dumps({name: value.tolist() for name, value in numbers.items()}), encoding="utf-8")
    wanted = run(folder, "--data", "numbers.json")
    with h5py.File(folder / "data.h5", "w") as file:
        for name, value in numbers.items():
            file[name] = np.array([text.encode() for text in LABELS["atom"]], dtype=kind) if name == "atom" else value
    assert run(folder, "--data", "data.h5") == wanted


def test_hdf5_with_filters(folder, wanted):
    h5py = pytest.importorskip("h5py")
    with h5py.File(folder / "data.hdf5", "w") as file:
        for name, value in NUMBERS.items():
            value = np.array(LABELS["atom"], dtype="S8") if name == "atom" else np.array(value)
            file.create_dataset(name, data=value, chunks=True, compression="gzip")
    assert run(folder, "--data", "data.hdf5") == wanted


def test_hdf5_labels_that_are_twice_there(folder):
    h5py = pytest.importorskip("h5py")
    with h5py.File(folder / "data.h5", "w") as file:
        for name, value in NUMBERS.items():
            file[name] = np.array(["O", "H1", "H1"], dtype="S8") if name == "atom" else value
    assert "'H1'" in run(folder, "--data", "data.h5", ok=False)


def test_csv_by_pandas(folder, wanted):
    pandas = pytest.importorskip("pandas")
    data = folder / "tables"
    data.mkdir()
    x = np.array(LABELS["x"])
    frame = pandas.DataFrame({"name": LABELS["atom"], "kind": LABELS["kind"], "x.x": x[:, 0], "x.y": x[:, 1], "x.z": x[:, 2]})
    frame.to_csv(data / "atom.csv", index=False)
    pandas.DataFrame({name: LABELS[name] for name in ("a", "b", "length")}).to_csv(data / "bond.csv", index=False)
    pandas.DataFrame({"name": ["m.O", "m.H"], "value": [16, 1]}).to_csv(data / "parameters.csv", index=False)
    assert run(folder, "--data", "tables") == wanted


def test_csv_by_numpy(folder, wanted):
    data = folder / "tables"
    data.mkdir()
    atoms = [(name, kind, *x) for name, kind, x in zip(LABELS["atom"], LABELS["kind"], LABELS["x"])]
    rows = np.array(atoms, dtype=[("name", "U8"), ("kind", "U8"), ("x", "f8"), ("y", "f8"), ("z", "f8")])
    text = {"fmt": ["%s", "%s", "%.17g", "%.17g", "%.17g"], "delimiter": ",", "comments": "", "encoding": "utf-8"}
    np.savetxt(data / "atom.csv", rows, header="name,kind,x.x,x.y,x.z", **text)
    bonds = np.column_stack([NUMBERS["a"], NUMBERS["b"], NUMBERS["length"]])
    np.savetxt(data / "bond.csv", bonds, header="a,b,length", comments="", delimiter=",", fmt="%.17g")
    np.savetxt(data / "parameters.csv", np.array([["m.O", "16"], ["m.H", "1"]]), fmt="%s", header="name,value", comments="", delimiter=",")
    assert run(folder, "--data", "tables") == wanted


def states(folder):
    """The initial state as an array, and the names of its entries."""
    z = np.concatenate([np.ravel(LABELS["x"]), np.linspace(-0.1, 0.1, 9)])
    names = [f"{array}.{i}.{k}" for array in "qp" for i in (1, 2, 3) for k in "xyz"]
    return z, names


def test_states(folder):
    z, names = states(folder)
    np.save(folder / "z.npy", z)
    wanted = run(folder, "--data", "labels.json", "--init-file", "z.npy")
    for shape in ((2, 9), (18, 1)):
        np.save(folder / "z.npy", z.reshape(shape))
        assert run(folder, "--data", "labels.json", "--init-file", "z.npy") == wanted
    for header in ({}, {"header": "z"}, {"header": "z", "comments": ""}):
        np.savetxt(folder / "z.csv", z, **header)
        assert run(folder, "--data", "labels.json", "--init-file", "z.csv") == wanted
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"name": names, "value": z}).sample(frac=1, random_state=1).to_csv(folder / "z.csv", index=False)
    assert run(folder, "--data", "labels.json", "--init-file", "z.csv") == wanted


def test_parameters(folder, wanted):
    np.save(folder / "x.npy", np.array(LABELS["x"]))
    np.savetxt(folder / "length.csv", LABELS["length"])
    few = {name: value for name, value in LABELS.items() if name not in ("x", "length")}
    (folder / "few.json").write_text(json.dumps(few), encoding="utf-8")
    assert run(folder, "--data", "few.json", "--set", "x=@x.npy", "--set", "length=@length.csv") == wanted


def test_tableau(folder):
    wanted = run(folder, "--data", "labels.json", "--base", "gauss-4")
    root = np.sqrt(3) / 6
    table = {"name": "own", "A": np.array([[0.25, 0.25 - root], [0.25 + root, 0.25]]).tolist(), "b": np.array([0.5, 0.5]).tolist()}
    (folder / "gauss.json").write_text(json.dumps(table), encoding="utf-8")
    found = run(folder, "--data", "labels.json", "--base-file", "gauss.json")
    last = [np.array(text.split()[-1].split(","), dtype=float) for text in (wanted, found)]
    assert np.abs(last[0] - last[1]).max() < 1e-12


def test_ensembles(folder):
    h5py = pytest.importorskip("h5py")
    z, names = states(folder)
    z = np.stack([z, z + 1e-3])
    np.save(folder / "z.npy", z)
    np.savetxt(folder / "z.csv", np.column_stack([z, [0, 1]]), header=",".join([*names, "t"]), comments="", delimiter=",", fmt="%.17g")
    np.save(folder / "k.npy", np.array([[16.0, 1.0, 0.96, 0.96, *z[i, :9]] for i in (0, 1)]))
    np.savetxt(folder / "k.csv", [[16.0], [17.0]], header="m.O", comments="", fmt="%.17g")

    def ensemble(*words):
        command = [os.environ["SIDEWINDER"], "ensemble", "water.sw", "--data", "labels.json", "--project=inf", "--quiet", *words]
        done = subprocess.run([*command, "--out", "out.h5"], cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        with h5py.File(folder / "out.h5") as file:
            return file["final"][:].tobytes()

    wanted = ensemble("--init-from", "z.npy")
    assert ensemble("--init-from", "z.csv") == wanted
    assert ensemble("--init-from", "z.npy", "--set-from", "k.csv") != wanted
    ensemble("--init-from", "z.npy", "--set-from", "k.npy")
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame(z[:, ::-1], columns=names[::-1]).to_csv(folder / "z.csv", index=False)
    assert ensemble("--init-from", "z.csv") == wanted
