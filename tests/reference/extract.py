#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of this folder from the JSON files of the reference computations.

    extract.py FOLDER [OUTPUT]

FOLDER holds A_unit.json, A_order.json, A2_two_constraints.json, B.json, C1.json, C2.json,
C3_index1.json, D_chain.json, D_lj.json, E_gonzalez.json, E_generic.json, F_sphere.json,
F2_rigidbody.json and G.json; OUTPUT is where the headers go (the script's own folder if not given).

The JSON files write vectors as decimal strings, q first.  A string is copied digit by digit, and a
number (double precision there) with 17 digits.  What is taken from which file:

    hopf.h             A_unit   SHAKE and RATTLE states, energy ranges
                       A_order  exact solution at t = 1
    hopf_free.h        B        SHAKE and RATTLE states
    pendulum.h         C1       states at T = 1 for every step size, states at h = 0.1, and the
                                exact solution
    spherical.h        C2       likewise
    index1.h           C3       SHAKE and RATTLE states, energy range
    two_constraints.h  A2       SHAKE and RATTLE states, energy range
    chain6.h           D_chain  states for kappa = 1 and 0.2, energy range for 0.2; of BDF2, too
    lj7.h              D_lj     RATTLE and BDF2 states, energy ranges of RATTLE
    square.h           G        RATTLE states of the square with five bars
    four_particles.h   E_gonzalez  energy-momentum states, and the errors of q4 at t = 0.1
    spherical_discrete.h  E_generic  energy-momentum states
    spherical_pendulum.h  F_sphere      variational integrators: states, errors, and the ends of
                                        the first curve with the momentum there, errors
                                        with an adjoint
    rigid_body.h          F2_rigidbody  states and errors, computed in double precision

Two facts save rows.  SHAKE sends a whole fibre to one point, so the state before the projection of
RATTLE's last step is the state of SHAKE after as many steps.  Where the constraints do not depend
on p, SHAKE and RATTLE have the same q.

Two numbers are left out, because the motion amplifies round-off too far for double precision: the
state of lj7 from "lowest" after 2000 steps, where the reference computation itself is off by
5.9e-10 in double precision, and the energy range of chain6 with kappa = 1 over 10000 steps, which
was computed in double precision only and differs by 2e-3 between two correct programs.
"""
import json
import pathlib
import sys

BASE = {"SE": "euler-a", "SV": "verlet", "MID": "midpoint"}


def number(value):
    """A C literal: the digits of a string as they are, a float with all its digits."""
    return value if isinstance(value, str) else repr(value)


def short(value):
    """A C literal for a step size or a time: the shortest that reads back as the same double."""
    return repr(float(value))


def vector(z):
    """The components of z, three on a line."""
    lines = [", ".join(number(v) for v in z[i:i + 3]) for i in range(0, len(z), 3)]
    return "   {" + ",\n    ".join(lines) + "}"


def row(init, method, base, step, steps, z):
    return f'{{"{init}", "{method}", "{base}", {short(step)}, {steps},\n{vector(z)}}}'


def energy(init, method, base, step, steps, bounds, offset="0.0"):
    low, high = bounds
    return (f'{{"{init}", "{method}", "{base}", {short(step)}, {steps},\n'
            f'   {number(offset)}, {number(low)}, {number(high)}}}')


def exact(init, t_end, z):
    return f'{{"{init}", {short(t_end)},\n{vector(z)}}}'


def hopf(folder):
    states, ranges = [], []
    for case in load(folder, "A_unit.json"):
        init = "z" + case["name"][-1]
        step = case["h"]
        for method in ("shake", "rattle"):
            states += [row(init, method, "midpoint", step, r["n"], r["z"]) for r in case[method]]
        long = case["long"]
        ranges.append(energy(init, "rattle", "midpoint", step, long["steps"],
                             long["RATTLE H min,max"]))
        ranges.append(energy(init, "shake", "midpoint", step, long["steps"],
                             long["SHAKE H min,max"]))
    solution = [exact("za", 1, load(folder, "A_order.json")["exact z(1)"])]
    return [("reference_row", "hopf_states", "", states),
            ("reference_range", "hopf_energy", "", ranges),
            ("reference_exact", "hopf_exact", "", solution)]


def hopf_free(folder):
    names = {"B1": "b1", "B1-negorient": "b1_reversed", "B2": "b2", "B2-negorient": "b2_reversed"}
    states = []
    for case in load(folder, "B.json"):
        for method in ("shake", "rattle"):
            states += [row(names[case["name"]], method, "midpoint", case["h"], r["n"], r["z"])
                       for r in case[method]]
    return [("reference_row", "hopf_free_states", "", states)]


def sphere(file, name):
    def tables(folder):
        ends, steps = load(folder, file)[:2]
        states = []
        for key, base in BASE.items():
            for r in ends["methods"][key]:
                q = r["RATTLE q(T)"]
                states.append(row("default", "rattle", base, r["h"], r["N"], q + r["RATTLE p(T)"]))
                states.append(row("default", "shake", base, r["h"], r["N"], q + r["SHAKE p(T)"]))
        for r in steps["rec"]:
            base, n = BASE[r["meth"]], r["n"]
            h = steps["h"]
            states.append(row("default", "rattle", base, h, n, r["RATTLE q"] + r["RATTLE p"]))
            states.append(row("default", "shake", base, h, n, r["SHAKE q"] + r["SHAKE p-"]))
        solution = [exact("default", ends["T"], ends["exact q(T)"] + ends["exact p(T)"])]
        return [("reference_row", f"{name}_states", "", states),
                ("reference_exact", f"{name}_exact", "", solution)]
    return tables


def index1(folder):
    """The state is (q, alpha, p, beta), and SHAKE and RATTLE have the same q and p."""
    case = load(folder, "C3_index1.json")[0]
    states = []
    for r in case["rec"]:
        for method in ("shake", "rattle"):
            z = [r["q"], "0.0", r["p"], r["beta " + method.upper()]]
            states.append(row("default", method, "midpoint", case["h"], r["n"], z))
    ranges = [energy("default", "rattle", "midpoint", case["h"], 1000, case["H range RATTLE"])]
    return [("reference_row", "index1_states", "", states),
            ("reference_range", "index1_energy", "Twelve digits", ranges)]


def two_constraints(folder):
    case = load(folder, "A2_two_constraints.json")[0]
    states = []
    for r in case["rec"]:
        for method in ("rattle", "shake"):
            states.append(row("default", method, "midpoint", case["h"], r["n"],
                              r[method.upper() + " z"]))
    ranges = [energy("default", "rattle", "midpoint", case["h"], 1000, case["RATTLE H min,max"])]
    return [("reference_row", "two_constraints_states", "", states),
            ("reference_range", "two_constraints_energy", "", ranges)]


def chain6(folder):
    tables = []
    for case, suffix in zip(load(folder, "D_chain.json"), ("1", "02")):
        states = []
        for r in case["VR h=0.01"]:
            states.append(row("default", "rattle", "verlet", 0.01, r["n"], r["q"] + r["p"]))
            states.append(row("default", "shake", "verlet", 0.01, r["n"],
                              r["q"] + r["SHAKE p- (before velocity projection)"]))
        states += [row("default", "bdf2", "none", 0.01, r["n"], r["q"] + r["p"])
                   for r in case["BDF2 h=0.01 (first step by VR)"]]
        remark = f"kappa = {case['kappa']}"
        tables.append(("reference_row", f"chain6_states_{suffix}", remark, states))
    ranges = [energy("default", "rattle", "verlet", 0.01, 10000,
                     case["[0,100] h=0.01"]["VR dH min,max"], case["H0"])]
    tables.append(("reference_range", "chain6_energy_02",
                   remark + ", computed in double precision", ranges))
    return tables


def lj7(folder):
    states, ranges = [], []
    for case, init in zip(load(folder, "D_lj.json"), ("s_shape", "lowest")):
        states += [row(init, "rattle", "verlet", 0.1, r["n"], r["q"] + r["p"])
                   for r in case["VR"] if init == "s_shape" or r["n"] <= 1000]
        states += [row(init, "bdf2", "none", 0.1, r["n"], r["q"] + r["p"])
                   for r in case["BDF2 converged"]["states"]]
        ranges.append(energy(init, "rattle", "verlet", 0.1, 2000,
                             case["VR energy"]["H-H0 min,max"], case["H0"]))
    return [("reference_row", "lj7_states", "", states),
            ("reference_range", "lj7_energy", "Computed in double precision", ranges)]


def square(folder):
    case = load(folder, "G.json")["G1 rigid square, one redundant diagonal"]
    states = [row("default", "rattle", "verlet", case["h"], r["n"], r["q"] + r["p"])
              for r in case["states (5 bars, mp 30)"]]
    return [("reference_row", "square_states", "Of the square with five of its six bars", states)]


def four_particles(folder):
    case = load(folder, "E_gonzalez.json")[0]
    states = [row("default", "energy-momentum", "none", case["dt"], r["n"], r["q"] + r["p"])
              for r in case["states"]]
    found = next(value for key, value in case.items() if key.startswith("convergence T=0.1"))
    errors = [f'{{{short(r["dt"])}, {number(r["rel err q4 vs dt=1e-05"])}}}' for r in found]
    end = ["{0.1,\n" + vector(case["q4(0.1) dt=1e-05"]) + "}"]
    return [("reference_row", "four_particles_states", "", states),
            ("reference_error", "four_particles_errors", "Of q4 at t = 0.1", errors),
            ("reference_end", "four_particles_q4", "What steps of 1e-5 lead to", end)]


def spherical_discrete(folder):
    case = load(folder, "E_generic.json")
    states = [row("default", "energy-momentum", "none", case["h"], r["n"], r["q"] + r["p"])
              for r in case["states"]]
    return [("reference_row", "spherical_discrete_states", "", states)]


BIAS = {"sym": "-0.5, 0.5", "fwd": "0.0, 1.0"}
OF_ORDER = ["euler", "explicit-midpoint", "kutta-3", "rk4"]


def variational(r, step, z, error):
    return (f'{{{{{BIAS[r["bias"][:3]]}}}, "{OF_ORDER[r["r"] - 1]}", {short(step)}, {r["N"]},\n'
            f'{vector(z)},\n   {number(error)}}}')


def spherical_pendulum(folder):
    case = load(folder, "F_sphere.json")
    states = [variational(r, r["h"], r["q(T)"] + r["v(T)"], r["err q"]) for r in case["runs"]]
    first, ends = [], []
    adjoint = [f'{{"{OF_ORDER[r["r"] - 1]}", {r["N"]}, {number(r["err q"])}}}'
               for r in case["adjoint variant orders"]]
    for r in case["runs"]:
        if r["N"] == 10:
            one = r["one step"]
            of_one = dict(r, N=1)
            first.append(variational(of_one, r["h"], one["q"] + one["v"], "0.0"))
            ends.append(variational(of_one, r["h"], one["qbar=d+(w0)"] + one["mu=p+(w0)"], "0.0"))
    return [("reference_variational", "spherical_pendulum_states", "", states),
            ("reference_variational", "spherical_pendulum_first", "The first step", first),
            ("reference_variational", "spherical_pendulum_ends",
             "Where the curve of the start ends, and the momentum there", ends),
            ("reference_adjoint", "spherical_pendulum_adjoint",
             "With the adjoint before a state, computed in double precision", adjoint),
            ("reference_exact", "spherical_pendulum_exact", "",
             [exact("default", 1.0, case["exact q(T)"] + case["exact v(T)"])])]


def rigid_body(folder):
    case = load(folder, "F2_rigidbody.json")
    states = []
    for r in case["runs"]:
        A, (x, y, z) = r["A(T)"], r["w(T)"]
        hat = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
        p = [(i + 1.0) * sum(A[i][k] * hat[k][j] for k in range(3))
             for i in range(3) for j in range(3)]
        states.append(variational(r, 1.0 / r["N"], sum(A, []) + p, r["err A (Frobenius)"]))
    end = sum(case["A(T) exact (DOP853)"], [])
    return [("reference_variational", "rigid_body_states", "Computed in double precision", states),
            ("reference_exact", "rigid_body_exact", "A alone", [exact("default", 1.0, end)])]


def load(folder, name):
    return json.loads((folder / name).read_text())


def header(name, tables):
    guard = f"TESTS_REFERENCE_{name.upper()}_H"
    lines = ["/* SPDX-License-Identifier: BSD-3-Clause */",
             f"/* {name}.h -- reference numbers for the model {name}; made by extract.py. */",
             f"#ifndef {guard}", f"#define {guard}", "",
             '#include "row.h"', "", "/* clang-format off */"]
    for kind, table, remark, rows in tables:
        lines.append("")
        if remark:
            lines.append(f"/* {remark[0].upper() + remark[1:]}. */")
        lines.append(f"static const {kind} reference_{table}[] = {{")
        lines += ["  " + r + "," for r in rows]
        lines.append("};")
    lines += ["", "#endif", ""]
    return "\n".join(lines)


PROBLEMS = {
    "hopf": hopf,
    "hopf_free": hopf_free,
    "pendulum": sphere("C1.json", "pendulum"),
    "spherical": sphere("C2.json", "spherical"),
    "index1": index1,
    "two_constraints": two_constraints,
    "chain6": chain6,
    "lj7": lj7,
    "square": square,
    "four_particles": four_particles,
    "spherical_discrete": spherical_discrete,
    "spherical_pendulum": spherical_pendulum,
    "rigid_body": rigid_body,
}


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.stderr.write("usage: extract.py FOLDER [OUTPUT]\n")
        return 2
    folder = pathlib.Path(arguments[1])
    output = pathlib.Path(arguments[2] if len(arguments) == 3 else __file__)
    output = output if output.is_dir() else output.parent
    for name, problem in PROBLEMS.items():
        (output / f"{name}.h").write_text(header(name, problem(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
