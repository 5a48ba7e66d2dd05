# SPDX-License-Identifier: BSD-3-Clause
"""pandas reads what `run` writes as it is, and `run` reads what pandas writes.

Usage: pandas_reads.py PROGRAMS
"""
import os
import subprocess
import sys
import tempfile

import pandas as pd

programs = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())


def run(model, *options):
    subprocess.run([f"{programs}/{model}", "run", "--quiet", *options], check=True)


run("chain", "--size", "N=3", "--steps", "4", "--every", "1", "--out", "t.csv", "--columns", "step,t,q,tension,impulse,residual_hidden")
t = pd.read_csv("t.csv")
assert list(t.columns[:3]) == ["step", "t", "q.1.x"] and t.columns[-1] == "residual_hidden"
assert len(t) == 5 and all(t.dtypes.map(lambda kind: kind.kind in "if")), t.dtypes
assert not t["tension.1"].isna().any()
impulse = [name for name in t.columns if name.startswith("impulse.")]
assert impulse and t[impulse[-1]].isna().tolist() == [True, False, False, False, False]

run("chain", "--size", "N=3", "--steps", "2", "--save-state", "s.csv")
s = pd.read_csv("s.csv")
assert list(s.columns) == ["name", "value"] and len(s) == 18 and s["name"][0] == "q.1.x"
pd.Series([1.0, 2.0, 3.0], name="mass").to_csv("m.csv", index=False)
run("chain", "--size", "N=3", "--steps", "1", "--set", "m=@m.csv")
print("pandas", pd.__version__, "reads and is read")
