# SPDX-License-Identifier: BSD-3-Clause
"""NumPy reads the files of `run` by the line of docs/first_model.md; `run` reads the files of NumPy.

Usage: numpy_reads.py PROGRAMS.  Run from the project's root.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

programs = os.path.abspath(sys.argv[1])
page = open("docs/first_model.md", encoding="utf-8").read()
os.chdir(tempfile.mkdtemp())


def run(model, *options):
    subprocess.run([f"{programs}/{model}", "run", "--quiet", *options], check=True)


# The line of docs/first_model.md.
run("hopf", "--steps", "50", "--out", "traj.csv")
line = re.search(r"^    traj = (np\..*)$", page, re.MULTILINE).group(1)
traj = eval(line)
names = "step t q.1 q.2 p.1 p.2 hopf_re hopf_im hopf_ax energy residual_g residual_hidden".split()
assert list(traj.dtype.names) == names, traj.dtype.names
assert len(traj) == 51 and traj["step"][-1] == 50 and traj["t"][-1] == 5.0
assert np.isfinite(traj["q.1"]).all()

# .npy has the same bits, and its names are in the .json.
run("hopf", "--steps", "50", "--out", "traj.npy")
array = np.load("traj.npy")
about = json.load(open("traj.npy.json"))
assert array.shape == (51, 12) == (about["rows"], len(about["columns"])) and array.dtype == np.float64
assert about["columns"] == names and about["end"] == "complete" and about["method"] == "rattle"
for i, name in enumerate(names):
    assert (array[:, i] == traj[name]).all(), name

# Columns that were chosen; what is no number is NaN: before the first step there is no impulse.
run("chain", "--size", "N=3", "--steps", "4", "--every", "2", "--columns", "t,tension,impulse", "--out", "few.csv")
few = np.genfromtxt("few.csv", delimiter=",", names=True, deletechars="")
assert few.dtype.names[:3] == ("t", "tension.1", "tension.2"), few.dtype.names
last = few.dtype.names[-1]
assert last.startswith("impulse.") and np.isnan(few[last][0]) and np.isfinite(few[last][1:]).all(), few.dtype.names
assert np.isfinite(few["tension.1"]).all()

# A state, and masses of any kind, in both directions.
run("chain", "--size", "N=3", "--steps", "2", "--save-state", "end.npy")
z = np.load("end.npy")
assert z.shape == (18,)
np.save("again.npy", z.reshape(2, 9))
run("chain", "--size", "N=3", "--t-end", "0", "--init-file", "again.npy", "--save-state", "same.npy")
assert (np.load("same.npy") == z).all()
np.savetxt("again.csv", z, fmt="%.17g")
run("chain", "--size", "N=3", "--t-end", "0", "--init-file", "again.csv", "--save-state", "same.npy")
assert (np.load("same.npy") == z).all()
masses = np.array([1, 2, 3])
for kind in (np.float64, np.float32, np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32, np.uint64,
             ">f8", ">f4", ">i4"):
    np.save("m.npy", masses.astype(kind))
    run("chain", "--size", "N=3", "--steps", "1", "--set", "m=@m.npy", "--out", "m.csv")
    k = json.load(open("m.csv.json"))["parameters"]
    assert [k["m.1"], k["m.2"], k["m.3"]] == [1, 2, 3], kind
np.save("m.npy", masses.reshape(3, 1))
run("chain", "--size", "N=3", "--steps", "1", "--set", "m=@m.npy")
np.savetxt("masses.csv", masses)
run("chain", "--size", "N=3", "--steps", "1", "--set", "m=@masses.csv")
print("NumPy", np.__version__, "reads and is read")
