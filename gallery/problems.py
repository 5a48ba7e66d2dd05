# SPDX-License-Identifier: BSD-3-Clause
"""The eight problems of the gallery: of each its model, what is known, how it is measured, and what its picture shows."""
import dataclasses
import os
import sys

import numpy as np
from measure import Result, crossings, elliptic, root, upwards

HERE = os.path.dirname(os.path.abspath(__file__))
ELSEWHERE = {"driven": os.path.join(HERE, "../models/driven.sw")}


@dataclasses.dataclass
class Problem:
    """`spoilt` are parameters under which no result is met; `picture` writes data for NAME.gp."""

    results: list
    picture: object
    spoilt: dict


def seen(x, y, z, degrees):
    """Points seen from so far below the z axis: to the right, upwards, and towards the eye."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return y, z * sin - x * cos, z * cos + x * sin


def path(name):
    return ELSEWHERE.get(name, os.path.join(HERE, name + ".sw"))


def butane(run):
    """Small torsions about trans, and a portrait of large ones."""
    mass, length, kelvins, boltzmann = (15.035, 14.027), 0.153, (1116, 1462, -1578, -368, 3156, -3788), 0.0083144626
    wilson = (2 / mass[0] + 2 / mass[1]) / (length**2 * 8 / 9)  # sin^2 of the tetrahedral angle is 8/9
    stiffness = -boltzmann * sum(n * v for n, v in enumerate(kelvins))  # d^2/dphi^2 of sum V_n cos(phi)^n at 0

    def frequency(step):
        rows = run(path("butane"), "--step", step, "--t-end", 2, "--columns", "t,torsion", start=1e-4)
        times = upwards(rows["t"], rows["torsion"])
        return (len(times) - 1) / (times[-1] - times[0])

    def picture():
        blocks = []
        for start in (0.25, 0.5, 0.75, 1.0, 1.2, 1.6, 1.9, 2.6, 2.75, 3.0, 3.14):
            rows = run(path("butane"), "--step", 1e-3, "--t-end", 1.2, "--columns", "t,torsion,energy", start=start)
            angle = np.unwrap(rows["torsion"])
            speed, wrapped = np.gradient(angle, rows["t"]), np.degrees(rows["torsion"])
            for sign in (1, -1) if start > 1 else (1,):
                block = []
                for here, how_fast in zip(sign * wrapped[::5], sign * speed[::5]):
                    if block and block[-1] is not None and abs(here - block[-1][0]) > 180:
                        block.append(None)
                    block.append((here, how_fast, rows["energy"][0]))
                blocks.append(block)
        run.write("butane.dat", *blocks)

    return Problem([Result("frequency of small torsions, 1/ps", np.sqrt(wilson * stiffness) / (2 * np.pi), frequency, 0.002)],
                   picture, {"m.1": 15.2})


PANELS = 4


def truss_joints():
    """Joints (x, y) of the bridge at rest, and its bars by name, as pairs of joints."""
    lower = {("a", i): (i, 0.0) for i in range(PANELS + 1)}
    joints = {**lower, **{("b", i): (i - 0.5, np.sqrt(3) / 2) for i in range(1, PANELS + 1)}}
    bars = {}
    for i in range(1, PANELS + 1):
        bars[f"bottom_force.{i}"] = ("a", i - 1), ("a", i)
        bars[f"rise_force.{i}"] = ("a", i - 1), ("b", i)
        bars[f"fall_force.{i}"] = ("a", i), ("b", i)
        if i > 1:
            bars[f"top_force.{i}"] = ("b", i - 1), ("b", i)
    return joints, bars


def truss_forces():
    """The forces in the bars by the method of joints, for a bridge of the weight 1."""
    joints, bars = truss_joints()
    index = {joint: i for i, joint in enumerate(joints)}
    matrix, load = np.zeros((2 * len(joints), len(bars) + 3)), np.zeros(2 * len(joints))
    for column, (one, other) in enumerate(bars.values()):
        direction = np.subtract(joints[other], joints[one])
        matrix[2 * index[one] : 2 * index[one] + 2, column] = direction
        matrix[2 * index[other] : 2 * index[other] + 2, column] = -direction
    left, right = 2 * index[("a", 0)], 2 * index[("a", PANELS)]
    matrix[left, -3] = matrix[left + 1, -2] = matrix[right + 1, -1] = 1  # the bearings
    load[1::2] = 1 / len(joints)
    return dict(zip(bars, np.linalg.solve(matrix, load)))


def truss(run):
    """The bridge on two bearings and on one."""
    joints, bars = truss_joints()
    forces = truss_forces()
    places = np.array(list(joints.values()))
    centre, inertia = places.mean(axis=0), np.mean(np.sum(places**2, axis=1))
    angle = np.arctan2(centre[0], -centre[1])
    period = 4 * elliptic(np.sin(angle / 2) ** 2) * np.sqrt(inertia / np.hypot(*centre))

    def swing(step):
        rows = run(path("truss"), "--step", step, "--t-end", 20, "--columns", "t,angle")
        times, _ = crossings(rows["t"], rows["angle"])
        return times[2] - times[0]

    def standing():
        return run(path("truss"), "--steps", 10, lift=0.5)

    def largest():
        rows = standing()
        return max(abs(rows[bar][-1] - force) for bar, force in forces.items())

    def picture():
        moving = run(path("truss"), "--step", 0.01, "--t-end", 20)
        half = round(period / 2 / 0.01)
        blocks = []
        for row in (0, *(round(part * half) for part in (0.31, 0.5, 0.69)), half):
            place = {joint: [moving[f"{joint[0]}.{joint[1]}.{k}"][row] for k in "xy"] for joint in joints}
            force = {bar: moving[bar][max(row, 1)] for bar in bars}
            blocks.append([line for bar, ends in bars.items() for line in (*((*place[end], force[bar]) for end in ends), None)])
            blocks.append(place.values())
        run.write("truss.dat", *blocks)

    middle = f"top_force.{PANELS // 2 + 1}"
    return Problem(
        [Result("force in the middle of the top", forces[middle], lambda: standing()[middle][-1]),
         Result("largest difference of all 15 forces", 0, largest),
         Result("period on one bearing", period, swing, 0.02)], picture, {"gravity": 1.01})


def top(run):
    """Flips about the middle axis."""
    inertia, omega = np.array([1, 2, 3]), np.array([0, 1, 0.01])
    twice, square = np.sum(inertia * omega**2), np.sum((inertia * omega) ** 2)  # 2 E and M^2; here M^2 > 2 E I_2
    first, second, third = inertia
    rate = np.sqrt((third - second) * (square - twice * first) / (first * second * third))
    modulus = (second - first) * (twice * third - square) / ((third - second) * (square - twice * first))
    flip = 2 * elliptic(modulus) / rate

    def between(step):
        rows = run(path("top"), "--step", step, "--t-end", 60, "--columns", "t,omega_2")
        return np.mean(np.diff(crossings(rows["t"], rows["omega_2"])[0]))

    def kept():
        return run(path("top"), "--step", 0.04, "--t-end", 60)["L_square"][-1]

    def picture():
        rows = run(path("top"), "--step", 0.02, "--t-end", 60)
        times, _ = crossings(rows["t"], rows["omega_2"])
        run.write("top.dat", zip(*(rows[k][::3] for k in ("t", "omega_1", "omega_2", "omega_3"))), [(times[0] + i * flip,) for i in range(3)])

    return Problem([Result("time between flips", flip, between, 0.04),
                    Result("angular momentum, its square", square, kept)], picture, {"I.2": 2.02})


def spins(run):
    """Waves, one by one, and all at once."""
    sites, tilt = 16, 0.5

    def wave(number):
        def speed(step):
            rows = run(path("spins"), "--step", step, "--t-end", 4, "--columns", "t,x,y", N=sites, wave=number, tilt=tilt)
            angle = np.unwrap(np.arctan2(rows["y.1"], rows["x.1"]))
            return (angle[-1] - angle[0]) / rows["t"][-1]

        return Result(f"angular velocity of wave {number} of {sites}", -2 * np.cos(tilt) * (1 - np.cos(2 * np.pi * number / sites)), speed, 0.04)

    def picture():
        ring, small, random = 64, 0.05, np.random.default_rng(1)
        second = small * (random.standard_normal(ring) + 1j * random.standard_normal(ring))
        first = np.sqrt(4 - np.abs(second) ** 2)
        start = os.path.join(run.folder, "start.npy")
        np.save(start, np.concatenate([np.column_stack(pair).ravel() for pair in ((first, second.real), (0 * first, second.imag))]))
        rows = run(path("spins"), "--init-file", start, "--step", 0.05, "--t-end", 120, "--every", 10, "--columns", "t,x,y", N=ring)
        field = np.array([rows[f"x.{i}"] + 1j * rows[f"y.{i}"] for i in range(1, ring + 1)])[:, :-1]
        power = np.abs(np.fft.fft2(field * np.hanning(field.shape[1]))) ** 2
        k = 2 * np.pi * np.fft.fftfreq(ring)
        omega = -2 * np.pi * np.fft.fftfreq(field.shape[1], 0.5)
        power = np.log10(power / power.max(axis=1, keepdims=True) + 1e-9)
        run.write("spins.dat", [line for i in np.argsort(omega) if -0.5 <= omega[i] <= 5
                                for line in [*((k[j], omega[i], power[j, i]) for j in np.argsort(k)), None]])

    return Problem([wave(number) for number in (1, 4, 8)], picture, {"J": 1.01})


def bose_hubbard(run):
    """Two wells: bosons that go to and fro, and bosons that stay."""
    z0 = 0.6
    start = z0**2

    def imbalance(step, end=40, **values):
        return run(path("bose_hubbard"), "--step", step, "--t-end", end, "--columns", "t,z", **values)

    def period(U):
        """z'^2 = (U^2/4) (z0^2 - z^2) (z^2 - other) in units with 2 J = 1: z is z0 cn or z0 dn."""
        energy = U * start / 2 - np.sqrt(1 - start)
        other = (energy * U - 1) / (U**2 / 4) - start
        if other > 0:
            return 2 * elliptic((start - other) / start) / (U / 2 * z0), (z0 + np.sqrt(other)) / 2
        return 4 * elliptic(start / (start - other)) / (U / 2 * np.sqrt(start - other)), 0

    def measured(U):
        _, level = period(U)

        def mean(step):
            rows = imbalance(step, U=U)
            times = upwards(rows["t"], rows["z"], level)
            return (times[-1] - times[0]) / (len(times) - 1)

        return mean

    def threshold(step):
        return root(lambda U: imbalance(step, end=15, U=U)["z"].min(), 9.9, 10.1, 1e-5)

    def norm():
        rows = run(path("bose_hubbard"), "--step", 0.01, "--t-end", 40, "--columns", "q,p")
        return (rows["q.1"] ** 2 + rows["q.2"] ** 2 + rows["p.1"] ** 2 + rows["p.2"] ** 2)[-1] / 2

    def picture():
        runs = [imbalance(0.002, end=16, U=U) for U in (8, 9.9, 10.1, 12)]
        run.write("bose_hubbard.dat", *([row for row in zip(r["t"], r["z"])][::10] for r in runs))

    return Problem([Result("threshold of U/(2 J)", 2 * (1 + np.sqrt(1 - start)) / start, threshold, 0.01),
                    Result("period below it, U/(2 J) = 9", period(9)[0], measured(9), 0.01),
                    Result("period above it, U/(2 J) = 11", period(11)[0], measured(11), 0.01),
                    Result("norm", 1, norm)], picture, {"J": 0.495, "norm": 1.01})


def torus(run):
    """A sampler: what it draws, with a start and momenta that are random, but the same in each run."""
    import sidewinder  # needs the Python package, the other problems do not
    from sidewinder import hmc

    R, r, chains = 1.0, 0.5, 256
    drawn = []

    def sample(start, r, **how):
        return hmc.sample(sidewinder.Model(path("torus")), start, k={"r": r}, target=None, step=0.2, steps=15, seed=1, max_iterations=10, **how)

    def draws():
        """Of the cosine of the angle of the tube and of z^2, (draws, chains, 2), and the last positions."""
        if not drawn:
            present = run.spoilt.get("r", r)
            angle = np.random.default_rng(1).uniform(0, 2 * np.pi, (2, chains))
            rho = R + present * np.cos(angle[0])
            start = np.column_stack([rho * np.cos(angle[1]), rho * np.sin(angle[1]), present * np.sin(angle[0])])
            samples = sample(start, present, draws=900, warmup=100)
            q = samples["q"]
            drawn.extend([np.stack([(np.hypot(q[..., 0], q[..., 1]) - R) / r, q[..., 2] ** 2], axis=-1), samples.q])
        return drawn[0]

    def mean(column):
        def of():
            chains = draws()[:, :, column].mean(axis=0)
            return np.array([chains.mean(), chains.std(ddof=1) / np.sqrt(len(chains))])

        return of

    def picture():
        angle = np.degrees(np.arccos(np.clip(draws()[:, :, 0], -1, 1)))
        count, edges = np.histogram(angle, bins=36, range=(0, 180), density=True)
        points = []
        for q in sample(drawn[1], r, draws=15, warmup=0)["q"][2::3]:
            points.extend(zip(*seen(*q.T, 40)))
        run.write("torus.dat", zip((edges[1:] + edges[:-1]) / 2, count), sorted(points, key=lambda point: point[2]))

    return Problem([Result("mean of cos(phi)", r / (2 * R), mean(0)),
                    Result("mean of z^2", r**2 / 2, mean(1))], picture, {"r": 0.6})


def mathieu(shake):
    """The angular frequency above which the upright pendulum is stable, with length and gravity 1: -4/omega^2 is the
    characteristic value a_0(q) of Mathieu's equation at q = 2 shake, here by its power series."""
    q = 2 * shake
    return np.sqrt(4 / (q**2 / 2 - 7 / 128 * q**4 + 29 / 2304 * q**6 - 68687 / 18874368 * q**8))


def driven(run):
    """Kapitza's pendulum: where it stays upright."""
    tilt = 1e-4

    def threshold(part):
        """By Floquet's theorem: a small tilt at rest returns as itself after one period."""
        def change(omega):
            end = 2 * np.pi / omega
            return run(path("driven"), "--step", end * part, "--steps", round(1 / part), "--every", round(1 / part), "--columns", "angle",
                       omega=omega, tilt=tilt)["angle"][-1] / tilt - 1

        return root(change, 13.9, 14.4, 1e-6)

    def picture():
        import sidewinder

        shake, omega = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 0.6, 91), np.linspace(2, 30, 85)))
        start = np.zeros((len(shake), 6))  # x, y, t and their momenta
        start[:, 0], start[:, 1] = np.sin(0.02), shake + np.cos(0.02)
        with sidewinder.Model(path("driven")).ensemble(start, k={"omega": omega, "shake": shake}, step=2.5e-3, columns="angle") as all_of_them:
            falls = np.abs(all_of_them.run(12000, every=25)["angle"]).max(axis=0) > np.pi / 2
        run.write("driven.dat", zip(shake, omega, falls), [(a, mathieu(a), np.sqrt(2) / a) for a in np.linspace(0.04, 0.6, 100)])

    return Problem([Result("threshold of omega, shake = 0.1", mathieu(0.1), threshold, 1 / 100)], picture, {"length": 1.02})


def vortices(run):
    """A ring that turns, and one that breaks up."""
    number, stable, unstable, shift = 6, 0.4, 0.8, 1e-7

    def motion(step, end, **values):
        return run(path("vortices"), "--lowering", "looped", "--step", step, "--t-end", end, N=number, **values)

    def turning(step):
        rows = motion(step, 4, theta=stable)
        angle = np.unwrap(np.arctan2(rows["y.1"], rows["x.1"]))
        return (angle[-1] - angle[0]) / rows["t"][-1]

    def growth(step):
        """A deviation in latitude alone grows as cosh."""
        rows = motion(step, 12, theta=unstable, shift=shift)
        return np.arccosh(abs(np.arccos(rows["z.2"][-1]) - unstable) / shift) / rows["t"][-1]

    def picture():
        blocks = []
        for theta, end in ((stable, 6), (unstable, 21)):
            rows = motion(0.005, end, theta=theta, shift=0.01)
            blocks += [zip(*(part[::8] for part in seen(*(rows[f"{k}.{i}"] for k in "xyz"), 55))) for i in range(1, number + 1)]
        turn = np.linspace(0, 2 * np.pi, 121)
        circles = [seen(np.cos(b) * np.cos(turn), np.cos(b) * np.sin(turn), np.sin(b) + 0 * turn, 55) for b in np.radians(range(-60, 61, 30))]
        run.write("vortices.dat", *blocks, [row for circle in circles for row in [*zip(*circle), None]])

    rotation = (number - 1) * np.cos(stable) / (4 * np.pi * np.sin(stable) ** 2)
    pairs = number**2 / 4  # m (N - m) of the mode m = N/2
    rate = np.sqrt(pairs * (pairs - (number - 1) * (1 + np.cos(unstable) ** 2))) / (4 * np.pi * np.sin(unstable) ** 2)
    return Problem([Result("angular velocity of a ring of 6", rotation, turning, 0.01),
                    Result("growth of its deviation, theta 0.8", rate, growth, 0.01)], picture, {"gamma": 1.01})


PROBLEMS = {p.__name__: p for p in (butane, truss, top, spins, bose_hubbard, torus, driven, vortices)}
