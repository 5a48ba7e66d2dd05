# SPDX-License-Identifier: BSD-3-Clause
"""What a model's program writes, read back."""
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import sidewinder

FORMATS = [".csv", ".npy", ".h5", ".xyz", ".extxyz", ".trr"]
MODEL = """model bead "A bead on a sphere"
set xyz = {x, y, z}
param mass = 2 in (0, inf)    # of the bead [kg]
param gravity = 9.81
coord q[xyz] momentum p  #positions [m], momenta [kg m/s] \t
hamiltonian H = sum(k in xyz: p[k]^2/(2*mass)) + mass*gravity*q[z]
constraint sphere: sum(k in xyz: q[k]^2) == 1
observe height = q[z]   # above the "middle" [m]
invariant energy = H    # [J], \u00b5-exact
invariant turning = q[x]*p[y] - q[y]*p[x]
init q[xyz] = {x: 1, y: 0, z: 0}
init p[xyz] = {x: 0, y: 1, z: 0}
run method = rattle, base = verlet, step = 0.01, steps = 20
"""


def write(folder, *words, name, command="run"):
    words = [os.path.abspath(os.environ["SIDEWINDER"]), command, "bead.sw", *words, "--quiet", "--out", name]
    return subprocess.run(words, check=False, capture_output=True, cwd=folder, text=True)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with the same run in every format, as bead.csv and so on; without HDF5 in the build, without that one."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "bead.sw").write_text(MODEL, encoding="utf-8")
    for ending in FORMATS:
        done = write(folder, "--every", "3", "--set", "mass=3", name="bead" + ending)
        assert done.returncode == 0 or (ending == ".h5" and "HDF5 was not there" in done.stderr), done.stderr
    return folder


def path_of(files, ending):
    path = files / ("bead" + ending)
    if ending == ".h5":
        pytest.importorskip("h5py")
        if not path.exists():
            pytest.skip("the programs of this build write no HDF5")
    return path


@pytest.mark.parametrize("ending", FORMATS)
def test_rows_are_those_of_a_simulation(files, ending, same):
    sim = sidewinder.Model(files / "bead.sw").sim(k={"mass": 3})
    wanted = sim.run(20, every=3)
    rows = sidewinder.read(path_of(files, ending))
    assert isinstance(rows, sidewinder.Rows) and len(rows) == len(wanted) == 8
    assert rows["step"].dtype.kind == "i"
    without_momenta = [name for name in wanted.dtype.names if not name.startswith("p.")]
    names = {
        ".xyz": without_momenta,
        ".extxyz": without_momenta,
        ".trr": ["step", "t", "q.x", "q.y", "q.z"],
    }.get(ending, list(wanted.dtype.names))
    assert sorted(name for name in rows.dtype.names if not name.startswith("velocity.")) == sorted(names)
    for name in names:
        assert same(rows[name], wanted[name]), name
    if ending in (".trr", ".extxyz"):
        assert np.allclose(rows.block("velocity"), wanted.block("p") / 3, rtol=4e-16, atol=0)


@pytest.mark.parametrize("ending", FORMATS)
def test_metadata(files, ending):
    rows = sidewinder.read(str(path_of(files, ending)))
    about = rows.metadata
    assert "".join(about["text"]) == MODEL
    assert about["parameters"] == {"mass": 3, "gravity": 9.81}
    assert about["digest"] == sidewinder.Model(files / "bead.sw").digest
    assert about["method"] == "rattle" and about["tolerance"] == 1e-12 and about["step"] == 0.01
    assert any("coisotropic" in line for line in about["verdicts"])
    assert set(about["versions"]) == {"sundials", "libc"} and about["sidewinder"] == sidewinder.__version__
    place = "positions [m], momenta [kg m/s]"
    assert about["comments"] == {
        "q": place,
        "p": place,
        "mass": "of the bead [kg]",
        "height": 'above the "middle" [m]',
        "energy": "[J], \u00b5-exact",
    }
    assert rows.comment("q.z") == place and rows.comment("energy") == "[J], \u00b5-exact"
    assert rows.comment("turning") == rows.comment("t") == ""
    assert rows[2:].metadata == about


@pytest.mark.parametrize(("box", "edges"), [("box[xyz] = {x: 2, y: 3, z: 4}", (20, 30, 40)), ("box = 5", (50, 50, 50)), (None, None)])
def test_frames_with_a_box(tmp_path, box, edges):
    declared = f"param {box}\n" if box else ""
    text = MODEL.replace("param gravity", declared + "param angstroms = 10\nparam gravity")
    (tmp_path / "bead.sw").write_text(text, encoding="utf-8")
    done = write(tmp_path, name="bead.extxyz")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "bead.extxyz").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "1" and lines[1].startswith("Properties=species:S:1:pos:R:3:velo:R:3 ")
    said = re.findall(r'(\w+)="([^"]*)"', lines[1])
    lattice = edges and ("Lattice", f"{edges[0]} 0 0 0 {edges[1]} 0 0 0 {edges[2]}")
    assert said == ([lattice, ("pbc", "T T T")] if edges else [("pbc", "F F F")])
    assert lines[2].split() == ["X", "10", "0", "0", "0", "5", "0"]
    rows, wanted = sidewinder.read(tmp_path / "bead.extxyz"), sidewinder.Model(tmp_path / "bead.sw").sim().run(20)
    assert np.allclose(rows.block("q"), wanted.block("q"), rtol=4e-16, atol=1e-18)
    assert np.allclose(rows.block("velocity"), wanted.block("p") / 2, rtol=8e-16, atol=1e-18)


def test_comments_of_columns_in_hdf5(files):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path_of(files, ".h5")) as file:
        rows = sidewinder.read(file.filename)
        for name, comment in zip(file["columns"][()], file["comments"][()], strict=True):
            assert comment.decode() == rows.comment(name.decode())


@pytest.mark.parametrize("ending", FORMATS)
def test_a_file_that_is_cut_short(files, ending, tmp_path):
    path = path_of(files, ending)
    whole = path.read_bytes()
    beside = (files / ("bead" + ending + ".json")).read_bytes()
    cut = tmp_path / path.name
    (tmp_path / (path.name + ".json")).write_bytes(beside)
    for length in (len(whole) - 1, len(whole) - 200, len(whole) // 2):
        cut.write_bytes(whole[:length])
        with pytest.raises((sidewinder.FileError, OSError)):
            sidewinder.read(cut)
    if ending in (".csv", ".xyz", ".extxyz"):  # whole rows, but fewer
        frame = 1 if ending == ".csv" else 3
        cut.write_bytes(b"".join(whole.splitlines(keepends=True)[:-frame]))
        with pytest.raises(sidewinder.FileError, match="has 7 rows, and its metadata say 8"):
            sidewinder.read(cut)


def test_files_that_are_refused(files, tmp_path):
    with pytest.raises(sidewinder.FileError, match="ends in none of"):
        sidewinder.read("rows.txt")
    for ending in (".npy", ".xyz", ".extxyz", ".trr"):
        alone = tmp_path / ("alone" + ending)
        alone.write_bytes((files / ("bead" + ending)).read_bytes())
        with pytest.raises(sidewinder.FileError, match="json is not there"):
            sidewinder.read(alone)
    alone = tmp_path / "alone.csv"
    alone.write_bytes((files / "bead.csv").read_bytes())
    assert sidewinder.read(alone).metadata == {}
    about = json.loads((files / "bead.csv.json").read_text(encoding="utf-8"))
    about["columns"][3] = "q.w"
    (tmp_path / "alone.csv.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(sidewinder.FileError, match="other columns"):
        sidewinder.read(alone)
    alone.write_bytes(b"")
    with pytest.raises(sidewinder.FileError):
        sidewinder.read(alone)
    state = write(files, "--save-state", "state.npy", "--every", "20", name="other.csv")
    assert state.returncode == 0
    with pytest.raises(sidewinder.FileError, match="about a state"):
        sidewinder.read(files / "state.npy")


def test_without_h5py(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(sidewinder.FileError, match="python3-h5py"):
        sidewinder.read(files / "bead.h5")


def test_an_ensemble(files, same):
    h5py = pytest.importorskip("h5py")
    words = ["--count", "5", "--seed", "4", "--sample", "p ~ normal(0, 0.1)", "--every", "10"]
    if "HDF5 was not there" in write(files, *words, name="few.h5", command="ensemble").stderr:
        pytest.skip("the programs of this build write no HDF5")
    with pytest.raises(sidewinder.FileError, match="--trajectories"):
        sidewinder.read(files / "few.h5")
    done = write(files, *words, "--trajectories", name="all.h5", command="ensemble")
    assert done.returncode == 0, done.stderr
    rows = sidewinder.read(files / "all.h5")
    with h5py.File(files / "all.h5") as file:
        initial = file["initial"][()]
    with sidewinder.Model(files / "bead.sw").ensemble(initial) as ensemble:
        wanted = ensemble.run(20, every=10)
    assert rows.shape == wanted.shape == (3, 5)
    for name in rows.dtype.names:
        assert same(rows[name], wanted[name]), name


def test_xarray_has_comments(files):
    pytest.importorskip("xarray")
    data = sidewinder.read(files / "bead.csv").to_xarray()
    assert data["energy"].attrs["comment"] == "[J], \u00b5-exact" and data["turning"].attrs == {}


@pytest.mark.parametrize("ending", FORMATS)
def test_a_file_and_the_metadata_of_another_one(files, ending):
    if ending == ".h5":
        pytest.importorskip("h5py")
    for name, gravity in (("one", "1"), ("two", "2")):
        if "HDF5 was not there" in write(files, "--steps", "20", "--set", f"gravity={gravity}", name=name + ending).stderr:
            return
    one, two = (str(files / name) + ending for name in ("one", "two"))
    sidewinder.read(one)
    if ending == ".h5":  # the file has its metadata
        import h5py

        with h5py.File(one, "r+") as file:
            file["trajectory"][3, 3] += 1.0
        with pytest.raises(sidewinder.FileError, match="is damaged: its data sets have other digests"):
            sidewinder.read(one)
        with h5py.File(one, "r+") as file:
            del file["crc32"]
    else:
        os.replace(two + ".json", one + ".json")
    with pytest.raises(sidewinder.FileError, match="is not the file that its metadata are about"):
        sidewinder.read(one)
