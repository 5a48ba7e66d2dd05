# SPDX-License-Identifier: BSD-3-Clause
"""Terms of molecules: by term against GROMACS, and against NumPy; what is rigid; and ParmEd structures, evaluated from their own parameters."""
import itertools
import math
import os
import subprocess

import numpy as np
import pytest

import sidewinder
from molecule_energy import angles, dihedrals, distances, energies
from sidewinder import FileError, import_molecule
from sidewinder.import_molecule import molecule

TOP = """* remarks before the first section
#define TURN 180 4.6 2
[ Defaults ]
1 2 yes 0.5 0.8333
[ atom-types ]
CA  CA 6 12.011 0.1 A 0.35 0.30
NB     7 14.007 0.0 A 0.325 0.71
OX     8 15.999 0.0 A 0.296 0.88
HC  hc 1 1.008  0.0 A 0.25 0.06
CZ  CZ 6 12.011 0.0 A 0.33 0.40
[ nonbond_params ]
CA OX 1 0.31 0.9
[ pairtypes ]
CA HC 1 0.27 0.05
[ bond_types ]
CA NB 1 0.145 280000
NB OX 1 0.123 470000
hc CA 1 0.109 284512
CA CZ 1 0.146 300000
[ angletypes ]
hc CA NB 1 109.5 418
CA NB OX 5 121.4 669.4 0.227 8033
hc CA hc 1 107.8 276
hc CA CZ 1 110 300
NB CA CZ 1 110 310
CA CZ NB 1 180 400
[ dihedraltypes ]
hc CA NB OX 9 180 4.6 2
hc CA NB OX 9 30 1.3 3
X CA NB X 9 0 99 1
OX NB CA CZ 5 1.5 -0.7 2.1 0.4
[ molecule_type ]
Mol 3
[ atoms ]
1 HC 1 MOL H1 1 0.08
2 HC 1 MOL H2 1 0.08
3 CA 1 MOL C1 1 -0.2
4 NB 1 MOL N1 2 -0.3 14.007
5 OX 1 MOL O1 2 -0.4
6 CZ 1 MOL CZ 3 0.44
7 NB 1 MOL NZ 3 0.3
8 HC 1 MOL H3 3 0.0
[ bonds ]
1 3
2 3 1
3 4 1
4 5 1 0.123 470000
3 6 1
6 7 1 0.116 600000
7 8 1 0.101 400000
[ pairs ]
1 5 1
2 5
1 7 2 0.7 0.08 0.3 0.3 0.2
6 5 1 0.3 0.4
3 8 1
[ angles ]
1 3 4 1
2 3 4 1
1 3 2 1
3 4 5 5
1 3 6 1
2 3 6 1
4 3 6 1
3 6 7 1
6 7 8 1 180 250
[ dihedrals ]
1 3 4 5 9
2 3 4 5 9 TURN
6 3 4 5 5
4 3 6 7 3 1.0 2.0 -3.0 0.5 0.25 -1.1
3 1 2 4 2 35.3 334.8
3 1 6 2 4 180 4.5 2
5 4 3 2 2 -170 60
[ exclusions ]
1 8
[ system ]
x
[ molecules ]
MOL 2
"""
ATOMS = ("H1", "H2", "C1", "N1", "O1", "CZ", "NZ", "H3")
# gmx_d 2022.5, mdrun -rerun without constraints, plain cutoffs of 20 nm in a box of 50 nm.
GROMACS = {"Bond": 399.031577, "Angle": 564.297130, "U-B": 146.688933, "Proper Dih.": 29.561475, "Ryckaert-Bell.": -2.277909, "Fourier Dih.": 2.464899,
           "Improper Dih.": 192.061060, "Per. Imp. Dih.": 9.669986, "LJ-14": 5.136185, "Coulomb-14": -152.888731, "LJ (SR)": 20.802849,
           "Coulomb (SR)": -128.404653, "Potential": 1086.142801}
OURS = {"torsion_energy": ("Proper Dih.", "Per. Imp. Dih.", "Ryckaert-Bell.", "Fourier Dih."), "improper_energy": ("Improper Dih.",),
        "lennard_jones_energy": ("LJ-14", "LJ (SR)"), "coulomb_energy": ("Coulomb-14", "Coulomb (SR)")}


def positions():
    x = np.array([[-.05, .09, .02], [-.05, -.05, .085], [0, 0, 0], [.08, -.09, -.07], [.19, -.13, -.06], [-.1, .03, -.1], [-.18, .05, -.185],
                  [-.245, .075, -.26]])
    random = np.random.default_rng(4)
    return [x + random.normal(size=x.shape) * .006 + np.array([1.5 + .55 * m, 1.5, 1.5 + .2 * m]) for m in (0, 1)]


@pytest.fixture
def files(tmp_path):
    """a.gro and a.top in a folder."""
    rows = [f"{m + 1:5d}MOL  {name:>5s}{8 * m + i + 1:5d}" + "".join(f"{c:15.10f}" for c in place)
            for m, x in enumerate(positions()) for i, (name, place) in enumerate(zip(ATOMS, x))]
    (tmp_path / "a.gro").write_text("x\n16\n" + "\n".join(rows) + "\n  50 50 50\n")
    (tmp_path / "a.top").write_text(TOP)
    return tmp_path


def test_the_terms_are_those_of_gromacs(files, graph):
    said = []
    data = molecule(files / "a.gro", files / "a.top", "none", nonbonded=True, say=said.append)
    found = graph("molecule").sim(data=data).observables
    assert not said and (data["bond"], data["stretch"], data["straight"]) == (0, 16, 4)
    for ours, theirs in OURS.items():
        assert found[ours] == pytest.approx(sum(GROMACS[name] for name in theirs), abs=4e-6), ours
    # The distance of a Urey-Bradley term is among the bonds here.
    assert found["bond_energy"] + found["angle_energy"] == pytest.approx(GROMACS["Bond"] + GROMACS["Angle"] + GROMACS["U-B"], abs=4e-6)
    assert sum(found.values()) == pytest.approx(GROMACS["Potential"], abs=1e-5)


TYPES = "hc CA NB OX 9 180 4.6 2\nhc CA NB OX 9 30 1.3 3\nX CA NB X 9 0 99 1\n"


@pytest.mark.parametrize("old, new, energy, value", [
    (TYPES, "X CA NB X 9 0 99 1\nhc CA NB X 9 10 3 2\nX CA NB OX 9 20 2 1\n", "torsion_energy", 35.01),
    (TYPES, "X CA NB X 9 0 99 1\nX CA NB OX 9 20 2 1\nhc CA NB X 9 10 3 2\n", "torsion_energy", 35.64),
    (TYPES, "X NB CA X 9 0 9 1\nX NB CA hc 9 20 2 1\nX NB CA hc 9 40 3 3\nOX NB CA X 9 10 3 2\n", "torsion_energy", 41.18),
    ("1 2 yes", "1 3 yes", "lennard_jones_energy", 25.29), ("yes 0.5 0.8333", "Yes", "coulomb_energy", -315.5),
    ("Mol 3\n", "Mol 2\n", "lennard_jones_energy", 27.07), ("Mol 3\n", "Mol 1\n", "coulomb_energy", -592.3),
    ("1 8\n", "1 8 7 6\n2 7 8\n", "lennard_jones_energy", 25.96), ("MOL 2", "MOL 1\nmol 1", "lennard_jones_energy", 25.94)])
def test_choices_of_parameters_are_those_of_gromacs(files, old, new, energy, value):
    """Which types, rule, scales and exclusions count: energies of gmx_d 2022.5, to four digits."""
    assert old in TOP
    (files / "b.top").write_text(TOP.replace(old, new))
    data = molecule(files / "a.gro", files / "b.top", "none", nonbonded=True)
    assert energies(data, data["x"])[energy] == pytest.approx(value, rel=3e-4)


def test_the_terms_are_those_of_numpy(files, graph):
    data = molecule(files / "a.gro", files / "a.top", "none", nonbonded=True)
    random = np.random.default_rng(1)
    for _ in range(5):
        sim = graph("molecule").sim(data=data)
        momenta = random.normal(size=data["x"].shape)
        sim.set(q=data["x"] + 0.02 * random.normal(size=data["x"].shape), p=momenta)
        wanted = energies(data, sim.q)
        wanted["kinetic_energy"] = (momenta**2 / (2 * np.reshape(data["mass"], (-1, 1)))).sum()
        for name, value in sim.observables.items():
            assert value == pytest.approx(wanted[name], rel=2e-9 if name == "improper_energy" else 1e-12), name


def test_impropers_are_those_of_numpy(graph, tmp_path):
    """To round-off where they are small, and to 2e-9 up to 180 degrees, the angle being taken between -180 and 180."""
    top = TOP[:TOP.index("[ dihedrals ]")] + "[ dihedrals ]\n3 1 2 4 2 {} 300\n[ molecules ]\nMol 1\n"
    rows = [f"    1MOL  {name:>5s}{i + 1:5d}" + "".join(f"{c:15.10f}" for c in place) for i, (name, place) in enumerate(zip(ATOMS, positions()[0]))]
    (tmp_path / "a.gro").write_text("x\n8\n" + "\n".join(rows) + "\n9 9 9\n")
    model, found = graph("molecule"), []
    for tilt in range(-180, 181, 5):
        (tmp_path / "a.top").write_text(top.format(tilt))
        data = molecule(tmp_path / "a.gro", tmp_path / "a.top", "none")
        value, wanted = model.sim(data=data).observables["improper_energy"], energies(data, data["x"])["improper_energy"]
        angle = math.degrees(math.sqrt(2 * wanted / 300))
        assert value == pytest.approx(wanted, rel=1e-13 if angle < 30 else 2.5e-11 if angle < 90 else 1.6e-9, abs=1e-10), tilt
        found.append(angle)
    assert min(found) < 5 and max(found) > 175


def test_a_straight_angle_is_smooth(graph, tmp_path):
    """Exactly straight there is no force, and near it the force is that of the spring: pi - theta is the transverse displacement over its lever."""
    top = TOP[:TOP.index("[ molecule_type ]")] + ("[ moleculetype ]\nM 3\n[ atoms ]\n1 CA 1 M C1 1 0\n2 CZ 1 M C2 1 0\n3 NB 1 M N 1 0\n"
                                                  "[ angles ]\n1 2 3 1\n[ molecules ]\nM 1\n")
    (tmp_path / "a.top").write_text(top)
    gro = "x\n3\n" + "".join(f"    1M       {'CCN'[i]}{i + 1:6d}{x:8.3f}{0:8.3f}{0:8.3f}\n" for i, x in enumerate((0, 0.15, 0.27))) + "9 9 9\n"
    (tmp_path / "a.gro").write_text(gro)
    data = molecule(tmp_path / "a.gro", tmp_path / "a.top")
    assert data["straight"] == 1 and data["bend"] == 0
    sim = graph("molecule").sim(data=data, step=1e-3)
    assert sim.energy == 0 and np.isfinite(sim.tangent()).all()
    sim.run(100)
    assert np.abs(sim.q.reshape(-1, 3) - data["x"]).max() < 1e-16
    for bent in (1e-9, 1e-4, 0.1, 0.3, 0.5):
        q = data["x"].copy()
        q[2] = q[1] + 0.12 * np.array([math.cos(bent), math.sin(bent), 0])
        sim.set(q=q, p=0 * q)
        assert sim.energy == pytest.approx(200 * bent**2, rel=3e-14, abs=1e-10)


def test_what_is_rigid(files):
    """As gmx grompp (GROMACS 2022.5) counts constraints: of one molecule 0, 3, 7 and 8."""
    made = {which: molecule(files / "a.gro", files / "a.top", which) for which in ("none", "h-bonds", "all-bonds", "h-angles", "bonds")}
    assert [made[which]["bond"] for which in made] == [0, 6, 14, 16, 14]
    assert [made[which]["stretch"] for which in made] == [16, 10, 2, 2, 2]  # what is left of 14 bonds, and 2 of Urey and Bradley
    assert [made[which]["bend"] + made[which]["straight"] for which in made] == [18, 18, 18, 16, 18]


def test_flexible_and_rigid_lengths(files, graph):
    data = molecule(files / "a.gro", files / "a.top", "h-bonds")
    sim = graph("molecule").sim(data=data, project=0.2, step=2e-4)
    before = sim.energy
    rows = sim.run(50)
    assert np.abs(distances(sim.q.reshape(-1, 3), data, ("a", "b")) / data["length"] - 1).max() < 1e-12
    assert np.abs(rows["energy"] - before).max() < 0.02 * abs(before)


def test_torsions_are_smooth_since_their_periods_are_integers(tmp_path):
    """A jump of atan2 by 2 pi is none in the cosine of an integer multiple; with a multiple that is any number, it is one."""
    with open("examples/graphs/molecule.sw", encoding="utf-8") as file:
        text = file.read()

    def kinds(path):
        found = sidewinder.check(path)
        assert found["answer"] == "yes"
        return {entry["kind"] for entry in found["verdicts"]["not_smooth"]}

    assert "jump_of_atan2" not in kinds("examples/graphs/molecule.sw")
    assert "param periods[torsion] in period\n" in text
    (tmp_path / "a.sw").write_text(text.replace("param periods[torsion] in period\n", "param periods[torsion]\n"))
    assert "jump_of_atan2" in kinds(tmp_path / "a.sw")


def test_xyz_has_elements_and_angstroms(files, graph):
    assert import_molecule.main([str(files / "a.gro"), "-p", str(files / "a.top"), "-o", str(files / "a.json")]) == 0
    out = str(files / "a.xyz")
    words = [os.environ["SIDEWINDER"], "run", "examples/graphs/molecule.sw", "--data", str(files / "a.json"), "--project=0.3", "--steps", "2", "--every", "1"]
    subprocess.run([*words, "--out", out], check=True, capture_output=True)
    with open(out, encoding="ascii") as file:
        lines = file.read().splitlines()
    first = [line.split() for line in lines[2:18]]
    assert [row[0] for row in first] == ["H", "H", "C", "N", "O", "C", "N", "H"] * 2
    sim = graph("molecule").sim(data=str(files / "a.json"), project=0.3)
    assert np.array([row[1:] for row in first], dtype=float) == pytest.approx(10 * sim.q.reshape(-1, 3), rel=1e-15)
    sim.run(2)
    assert sidewinder.read(out).block("q")[-1].ravel() == pytest.approx(sim.q, rel=1e-14)
    subprocess.run([*words, "--set", "angstroms=1", "--out", out], check=True, capture_output=True)
    with open(out, encoding="ascii") as file:
        assert float(file.read().splitlines()[2].split()[1]) == pytest.approx(0.1 * float(first[0][1]))


def test_elements(tmp_path):
    """Of atomic numbers, else of names and masses, which may be those of united atoms."""
    kinds = (("T1", 17, 35.45, "X9", "Cl"), ("T2", None, 15.035, "C1", "C"), ("T3", None, 14.027, "C2", "C"), ("T4", None, 35.45, "CL", "Cl"),
             ("T5", None, 12.011, "CA", "C"), ("T6", None, 40.078, "CA", "Ca"), ("T7", None, 3.024, "HA", "H"), ("T8", None, 72.0, "W", "X"),
             ("T9", None, 55.845, "MET", "Fe"))
    top = "[ defaults ]\n1 2\n[ atomtypes ]\n" + "".join(f"{kind} {number or ''} {mass} 0 A 0 0\n" for kind, number, mass, _, _ in kinds)
    top += "[ moleculetype ]\nM 0\n[ atoms ]\n" + "".join(f"{i} {kind[0]} 1 M {kind[3]} 1\n" for i, kind in enumerate(kinds, 1))
    (tmp_path / "a.top").write_text(top + "[ molecules ]\nM 1\n")
    rows = "".join(f"    1M    {kind[3]:>5s}{i:5d}{i:8.3f}{0:8.3f}{0:8.3f}\n" for i, kind in enumerate(kinds, 1))
    (tmp_path / "a.gro").write_text(f"x\n{len(kinds)}\n{rows}9 9 9\n")
    assert molecule(tmp_path / "a.gro", tmp_path / "a.top")["element"] == [kind[4] for kind in kinds]


@pytest.mark.parametrize("section, what", [("[ virtual_sites3 ]\n8 1 2 3 1 0.2 0.2\n", "the atom 8 of 'Mol' is a virtual site, [ virtual_sites3 ]"),
                                           ("[ Virtual-Sitesn ]\n8 1 2 3\n", "the atom 8 of 'Mol' is a virtual site, [ virtual_sitesn ]"),
                                           ("[ dummies2 ]\n8 1 2 1 0.5\n", "the atom 8 of 'Mol' is a virtual site, [ dummies2 ]")])
def test_virtual_sites_are_refused_by_name(files, section, what):
    (files / "b.top").write_text(TOP.replace("[ exclusions ]", section + "[ exclusions ]"))
    with pytest.raises(FileError) as error:
        molecule(files / "a.gro", files / "b.top")
    assert what in str(error.value)
    (files / "c.top").write_text(TOP.replace("[ system ]", "[ moleculetype ]\nW 1\n[ atoms ]\n1 HC 1 W M 1 0 0\n[ system ]"))
    assert molecule(files / "a.gro", files / "c.top")["atom"] == 16  # unused


# ---- ParmEd ----

@pytest.fixture(scope="module")
def parmed():
    return pytest.importorskip("parmed", reason="not tried without ParmEd (Debian: python3-parmed): its structures")


def by_parmed(structure):
    """Energies in kJ/mol from the parameters that a ParmEd structure shows, in its own forms and units."""
    x = structure.coordinates

    def ends(terms, n):
        return {str(i): np.array([getattr(term, f"atom{i}").idx + 1 for term in terms], dtype=int) for i in range(1, n + 1)}

    def sum_of(terms, n, measure, energy):
        measured = measure(x, ends(terms, n), [str(i) for i in range(1, n + 1)])
        types = [term.type if isinstance(term.type, list) else [term.type] for term in terms]
        return sum(energy(kind, value) for kinds, value in zip(types, measured) for kind in kinds)

    def wrapped(angle):
        return (angle + np.pi) % (2 * np.pi) - np.pi

    found = {
        "bond_energy": sum_of([*structure.bonds, *structure.urey_bradleys], 2, distances, lambda t, r: t.k * (r - t.req) ** 2),
        "angle_energy": sum_of(structure.angles, 3, angles, lambda t, a: t.k * (a - math.radians(t.theteq)) ** 2),
        "torsion_energy": sum_of(structure.dihedrals, 4, dihedrals, lambda t, a: t.phi_k * (1 + math.cos(t.per * a - math.radians(t.phase))))
        + sum_of(structure.rb_torsions, 4, dihedrals, lambda t, a: sum(getattr(t, f"c{n}") * (-math.cos(a)) ** n for n in range(6))),
        "improper_energy": sum_of(structure.impropers, 4, dihedrals, lambda t, a: t.psi_k * wrapped(a - math.radians(t.psi_eq)) ** 2),
        "lennard_jones_energy": 0.0, "coulomb_energy": 0.0}
    near = {tuple(sorted((i, j))) for i, j in ((bond.atom1.idx, bond.atom2.idx) for bond in structure.bonds)}
    near |= {tuple(sorted((angle.atom1.idx, angle.atom3.idx))) for angle in structure.angles}
    scaled = {tuple(sorted((t.atom1.idx, t.atom4.idx))): (k.scee, k.scnb) for t in structure.dihedrals if not t.ignore_end
              for k in (t.type if isinstance(t.type, list) else [t.type])[:1]}
    for one, other in itertools.combinations(structure.atoms, 2):
        pair = one.idx, other.idx
        if pair in near and pair not in scaled:
            continue
        scee, scnb = scaled.get(pair, (1, 1))
        r = np.linalg.norm(x[pair[0]] - x[pair[1]])
        sigma = (one.sigma + other.sigma) / 2
        found["lennard_jones_energy"] += 4 * math.sqrt(one.epsilon * other.epsilon) * ((sigma / r) ** 12 - (sigma / r) ** 6) / scnb
        found["coulomb_energy"] += 138.935458 * one.charge * other.charge / (0.1 * r) / scee / 4.184
    return {name: 4.184 * value for name, value in found.items()}


def a_structure(parmed):
    """Six atoms in a chain with a branch, as AMBER and CHARMM have them."""
    made = parmed.Structure()
    x = 10 * positions()[0]
    for i, (name, number, mass) in enumerate((("H1", 1, 1.008), ("H2", 1, 1.008), ("C1", 6, 12.011), ("N1", 7, 14.007), ("O1", 8, 15.999), ("CZ", 6, 12.011),
                                              ("NZ", 7, 14.007), ("H3", 1, 1.008))):
        atom = parmed.Atom(atomic_number=number, name=name, type=name, charge=0.1 * (i - 3.5), mass=mass, rmin=1.2 + 0.1 * i, epsilon=0.05 + 0.02 * i)
        made.add_atom(atom, "MOL", 1)
    at = made.atoms
    bonds = [(0, 2), (1, 2), (2, 3), (3, 4), (2, 5), (5, 6), (6, 7)]
    for i, j in bonds:
        made.bonds.append(parmed.Bond(at[i], at[j], parmed.BondType(300 + 10 * i, 1.0 + 0.1 * j)))
    for i, j, k in ((0, 2, 3), (1, 2, 3), (0, 2, 1), (2, 3, 4), (0, 2, 5), (1, 2, 5), (3, 2, 5), (2, 5, 6), (5, 6, 7)):
        made.angles.append(parmed.Angle(at[i], at[j], at[k], parmed.AngleType(50 + i, 180 if k > 5 else 110)))
    for (i, j, k, l), ignored in (((0, 2, 3, 4), False), ((1, 2, 3, 4), False), ((5, 2, 3, 4), False), ((5, 2, 3, 4), True), ((3, 2, 5, 6), False)):
        kind = parmed.DihedralType(0.4 + i, 2 + ignored, 180 - 30 * i, 1.2, 2.0)
        made.dihedrals.append(parmed.Dihedral(at[i], at[j], at[k], at[l], ignore_end=ignored, type=kind))
    made.rb_torsions.append(parmed.Dihedral(at[2], at[5], at[6], at[7], ignore_end=True, type=parmed.RBTorsionType(1, -2, 3, .5, .25, -.1)))
    made.impropers.append(parmed.Improper(at[2], at[0], at[1], at[5], parmed.ImproperType(40, 33)))
    made.urey_bradleys.append(parmed.UreyBradley(at[2], at[4], parmed.BondType(20, 2.3)))
    for terms, types in ((made.bonds, made.bond_types), (made.angles, made.angle_types), (made.dihedrals, made.dihedral_types),
                         (made.rb_torsions, made.rb_torsion_types), (made.impropers, made.improper_types), (made.urey_bradleys, made.urey_bradley_types)):
        types.extend([term.type for term in terms])
        types.claim()
    made.coordinates = x
    return made


def test_a_parmed_structure(parmed, graph):
    structure = a_structure(parmed)
    said = []
    data = sidewinder.molecule(structure, constraints="none", nonbonded=True, say=said.append)
    wanted, found = by_parmed(structure), graph("molecule").sim(data=data).observables
    assert not said and data["straight"] == 2 and data["x"] == pytest.approx(0.1 * structure.coordinates)
    assert found.pop("kinetic_energy") == 0
    for name, value in found.items():
        assert value == pytest.approx(wanted[name], rel=1e-9 if name == "improper_energy" else 1e-12) and value != 0, name
    rigid = sidewinder.molecule(structure, constraints="h-bonds")
    assert rigid["bond"] == 3 and rigid["stretch"] == 5 and rigid["pair"] == 4 and rigid["length"][0] == pytest.approx(0.12)
    structure.velocities = np.ones((8, 3))
    assert sidewinder.molecule(structure)["v"] == pytest.approx(0.1 * np.ones((8, 3)))


def test_what_parmed_structures_have_beside(parmed):
    structure = a_structure(parmed)
    structure.cmaps.append(parmed.Cmap(*structure.atoms[:5], parmed.CmapType(2, [0.0] * 4)))
    said = []
    sidewinder.molecule(structure, say=said.append)
    assert said == ["left out: cmaps (1)"]
    with pytest.raises(FileError, match="left out: cmaps"):
        sidewinder.molecule(structure, strict=True)
    structure.add_atom(parmed.ExtraPoint(name="EP", mass=0), "MOL", 1)
    structure.coordinates = np.zeros((9, 3))
    with pytest.raises(FileError, match="the atom 9, EP of MOL, is a virtual site"):
        sidewinder.molecule(structure)
    structure = a_structure(parmed)
    structure.bonds[0].type = None
    with pytest.raises(FileError, match="has no parameters"):
        sidewinder.molecule(structure)


def test_files_of_parmed(parmed, graph, tmp_path, monkeypatch):
    """A prmtop and its coordinates by the command; its numbers have nine digits."""
    structure = a_structure(parmed)
    for terms in ("rb_torsions", "impropers", "urey_bradleys"):
        del getattr(structure, terms)[:]
    for atom in structure.atoms:
        atom.atom_type = parmed.AtomType(atom.name, atom.idx + 1, atom.mass, atom.element)
        atom.atom_type.set_lj_params(atom.epsilon, atom.rmin)
    amber = parmed.amber.AmberParm.from_structure(structure)
    amber.save(str(tmp_path / "a.prmtop"), overwrite=True)
    structure.save(str(tmp_path / "a.rst7"), overwrite=True)
    monkeypatch.chdir(tmp_path)
    assert import_molecule.main(["--parmed", "a.prmtop", "a.rst7", "-c", "none", "--nonbonded", "-o", "a.json"]) == 0
    read = parmed.load_file("a.prmtop", xyz="a.rst7")
    monkeypatch.undo()
    found = graph("molecule").sim(data=tmp_path / "a.json").observables
    for name, value in by_parmed(read).items():
        assert found[name] == pytest.approx(value, rel=1e-12), name
    wanted = by_parmed(structure)  # but for pairs, among which AMBER's files scale all 1-4 pairs
    for name in ("bond_energy", "angle_energy", "torsion_energy"):
        assert found[name] == pytest.approx(wanted[name], rel=1e-5), name
    assert import_molecule.main(["--parmed", str(tmp_path / "none.prmtop"), "-o", str(tmp_path / "b.json")]) == 2
