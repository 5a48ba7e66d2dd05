#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Optional attempts are limited in bytes: memory grows with the model, and generated files give the reason for a missing step.

Usage: budgets.py GENERATOR
"""
import os
import re
import subprocess
import sys
import tempfile

ANGLES = """model angles
set arm = 1 .. {n}
coord a[arm] velocity u
lagrangian L = sum(k in arm: (sum(i in arm where i <= k: u[i]*cos(a[i]))^2
    + sum(i in arm where i <= k: u[i]*sin(a[i]))^2)/2 + sum(i in arm where i <= k: cos(a[i])))
init a[i in arm] = 0.3
init u[i in arm] = 0.1
run method = variational, base = rk4, step = 0.01, steps = 10
"""
MIXED = """model mixed
coord x velocity u
coord y velocity v
coord z velocity w
lagrangian L = (1+0.3*x^2)*u^2/2 + (1.2+0.2*sin(z))*v^2/2 + 0.4*w^2 + 0.1*y*u*v + 0.5*(x*v-y*u) + 0.2*z*u - 0.3*x*y
constraint surf: x^2 + 2*y^2 + z^4 == 1
run method = variational, base = rk4, step = 0.05, steps = 5
"""
WINDOWS = """model windows
size N = 2
set post = 0 .. N
set beam = 1 .. N
set xy = {x, y}
param g = 9.81
coord q[post, xy] velocity v
lagrangian L = sum(i in post, k in xy: v[i,k]^2)/6
             + sum(j in beam, k in xy: v[j-1,k]^2 + v[j-1,k]*v[j,k] + v[j,k]^2)/6
             - g*sum(i in post: q[i,y])/2 - g*sum(j in beam: q[j-1,y] + q[j,y])/2
constraint crank[i in post]: (q[i,x] - i)^2 + q[i,y]^2 == 1
constraint bar[j in beam]: sum(k in xy: (q[j,k] - q[j-1,k])^2) == 1
init q[i in post, x] = i
init q[i in post, y] = 1
init v[i in post, x] = 1
init v[i in post, y] = 0
run method = rattle, base = verlet, step = 1e-3
"""
MOST_MB = 150    # of the generator, for any of these; 26 to 70 MB on Debian 12
SLACK_MB = 20    # what a larger model may take less, if no step is tried for it: the 16 MiB of an attempt, and round-off
SANITIZED = "sanitize" in os.environ.get("SW_BUILD_FLAGS", "")


def generate(generator, folder, text, *options):
    """The header, the megabytes that the generator takes, and whether there is a step."""
    name = re.match(r"model (\w+)", text).group(1)
    path = os.path.join(folder, name + ".sw")
    with open(path, "w") as file:
        file.write(text)
    step = os.path.join(folder, name + "_step.c")
    if os.path.exists(step):
        os.remove(step)
    child = subprocess.Popen([generator, "generate", path, "-o", folder, *options], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{name} {' '.join(options)}: exit code {child.returncode}")
    with open(os.path.join(folder, name + ".h")) as file:
        return file.read(), used.ru_maxrss/1024, os.path.exists(step)


def main(generator):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        models = [("mixed", MIXED, ())] + [(f"angles {n}", ANGLES.format(n=n), ()) for n in (2, 3, 4)]
        models += [(f"windows {n}", WINDOWS, ("--size", f"N={n}")) for n in (4, 6, 8, 10, 11, 12, 14)]
        before = {}
        for name, text, options in models:
            header, megabytes, has_step = generate(generator, folder, text, *options)
            reason = re.search(r"/\* No \w+_step\.c: (.*?)\. \*/", header)
            kind = name.split()[0]
            print(f"{name}: {megabytes:.0f} MB, {reason.group(1) if reason else 'with a step'}")
            if has_step == bool(reason):
                failures.append(f"{name}: neither a step nor the reason why there is none")
            if not SANITIZED and (megabytes > MOST_MB or megabytes < before.get(kind, 0) - SLACK_MB):
                failures.append(f"{name}: {megabytes:.0f} MB, {before.get(kind, 0):.0f} MB for the next smaller one")
            before[kind] = megabytes
    print("\n".join(failures) if failures else f"{len(models)} models: passed")
    return bool(failures)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
