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
# Functions of sums in functions: proofs and formulas that grow with the number of terms.
NESTED = """model nested
set s = 1 .. {n}
coord q[s] momentum p
hamiltonian H = sqrt(1+sum(i in s: p[i]^2)) + exp(sin(sum(i in s: q[i]*cos(q[i])/(1+p[i]^2))))
run method = energy-momentum
"""
MOST_SECONDS = 30 # of the processor, for any of these; up to 5 on Debian 12
MOST_MB = 150    # of the generator, for any of these; 26 to 70 MB on Debian 12
SLACK_MB = 20    # what a larger model may take less, if no step is tried for it: the 16 MiB of an attempt, and round-off
SANITIZED = "sanitize" in os.environ.get("SW_BUILD_FLAGS", "")


def generate(generator, folder, text, *options):
    """The header, the megabytes and seconds that the generator takes, and whether there is a step."""
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
        return file.read(), used.ru_maxrss/1024, used.ru_utime, os.path.exists(step)


def doubled(levels):
    """A formula of few nodes that is a tree of 3^levels parts."""
    lines = ["model doubled", "set s = 1 .. 2", "coord q[s] momentum p", "let a1(x,y) = sin(x) + x*cos(y)"]
    lines += [f"let a{i}(x,y) = sin(a{i - 1}(x,y)) + a{i - 1}(y,x)*cos(a{i - 1}(x,y))" for i in range(2, levels + 1)]
    lines += [f"hamiltonian H = sum(i in s: p[i]^2)/2 + a{levels}(q[1],q[2])", "run method = variational, base = rk4"]
    return "\n".join(lines) + "\n"


def refused(generator, folder, text, *options):
    """The exit code and the messages of `generate`, and the page of `check`."""
    path = os.path.join(folder, "refused.sw")
    with open(path, "w") as file:
        file.write(text)
    made = subprocess.run([generator, "generate", path, "-o", folder, *options], capture_output=True, text=True)
    page = subprocess.run([generator, "check", "--ascii", path], capture_output=True, text=True).stdout
    return made.returncode, made.stderr, " ".join(page.split())


def methods(generator, folder):
    """A method whose functions are too long is refused in one line that names another one; that one is accepted."""
    failures = []
    for text, method, why in [
            (ANGLES.format(n=6), "variational", "accelerations none, because they have more than 20000 operations"),
            (ANGLES.format(n=9).replace("variational, base = rk4", "energy-momentum"), "energy-momentum",
             "discrete gradients: none, because the mass matrix couples 9 velocities, more than 8")]:
        code, message, page = refused(generator, folder, text)
        remedy = re.search(r"use (--method rattle --base gauss-4)", message)
        if code != 2 or message.count("\n") != 1 or f"the method {method} does not take" not in message or not remedy:
            failures.append(f"{method}: exit code {code}, {message}")
        elif refused(generator, folder, text, *remedy.group(1).split())[0] != 0:
            failures.append(f"{method}: the remedy is refused")
        if why not in page or "generated step: none, because its mass matrix" not in page:
            failures.append(f"{method}: the page has no reason: {page}")
    windows = WINDOWS.replace("rattle, base = verlet", "variational, base = rk4")
    code, message, _ = refused(generator, folder, windows, "--size", "N=12")
    if code != 2 or "the method variational does not take" not in message or "more than 20000 operations" not in message:
        failures.append(f"windows without accelerations: exit code {code}, {message}")
    return failures


def main(generator):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        models = [("mixed", MIXED, ())] + [(f"angles {n}", ANGLES.format(n=n), ()) for n in (2, 3, 4)]
        models += [(f"windows {n}", WINDOWS, ("--size", f"N={n}")) for n in (4, 6, 8, 10, 11, 12, 14)]
        models += [(f"nested {n}", NESTED.format(n=n), ()) for n in (4, 12)]
        models += [(f"doubled {n}", doubled(n), ()) for n in (4, 8)]
        failures += methods(generator, folder)
        before = {}
        for name, text, options in models:
            header, megabytes, seconds, has_step = generate(generator, folder, text, *options)
            reason = re.search(r"/\* No \w+_step\.c: (.*?)\. \*/", header)
            kind = name.split()[0]
            print(f"{name}: {megabytes:.0f} MB, {seconds:.1f} s, {reason.group(1) if reason else 'with a step'}")
            if has_step == bool(reason):
                failures.append(f"{name}: neither a step nor the reason why there is none")
            if not SANITIZED and seconds > MOST_SECONDS:
                failures.append(f"{name}: {seconds:.0f} s")
            if not SANITIZED and (megabytes > MOST_MB or megabytes < before.get(kind, 0) - SLACK_MB):
                failures.append(f"{name}: {megabytes:.0f} MB, {before.get(kind, 0):.0f} MB for the next smaller one")
            before[kind] = megabytes
    print("\n".join(failures) if failures else f"{len(models)} models: passed")
    return bool(failures)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
