# SPDX-License-Identifier: BSD-3-Clause
"""Molecules from .gro, .pdb and .top: what they say, against numbers by hand and by gmx grompp; and what malformed files are told."""
import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from sidewinder import FileError, OptionError
from sidewinder.import_molecule import molecule
from sidewinder.structure import read_structure
from sidewinder.topology import read_topology

GRAPHS = "examples/graphs"
WATER_GRO = """water
3
    1SOL     OW    1   0.000   0.000   0.000  0.1000 -0.2000  0.3000
    1SOL    HW1    2   0.082   0.058   0.000  0.0000  0.0000  0.0000
    1SOL    HW2    3  -0.082   0.058   0.000  0.0000  0.0000  1.0000
   2.0 3.0 4.0
"""
FIELD = """[ defaults ]
1 2 no 1 1
[ atomtypes ]
OW 15.9994 -0.82 A 0.316557 0.650194
HW 1.008 0.41 A 0 0
"""
WATER_TOP = FIELD + """[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1
2 HW 1 SOL HW1 1
3 HW 1 SOL HW2 1 0.41 1.008
#ifdef FLEXIBLE
[ bonds ]
1 2 1 0.1 345000
1 3 1 0.1 345000
[ angles ]
2 1 3 1 109.47 383
#else
[ settles ]
1 1 0.1 0.1633
#endif
[ position_restraints ]
1 1 1000 1000 1000
[ system ]
water
[ molecules ]
SOL 1
"""
ATOM = "ATOM  {:5d}  {:<3s} ALA A   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00          {:>2s}\n"
CARBONYL = ATOM.format(1, "C", 0, 0, 0, "C") + ATOM.format(2, "O", 0, 1.2, 0, "O")


@pytest.fixture
def files(tmp_path):
    """Writes {name: text}; returns their folder."""

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / name.replace("_", ".")).write_text(text)
        return tmp_path

    return write


def test_gro(files):
    water = read_structure(files(a_gro=WATER_GRO) / "a.gro")
    assert water.names == ["OW", "HW1", "HW2"] and water.residues == ["SOL"] * 3
    assert water.x.tolist() == [[0, 0, 0], [0.082, 0.058, 0], [-0.082, 0.058, 0]]
    assert water.v.tolist() == [[0.1, -0.2, 0.3], [0, 0, 0], [0, 0, 1]] and np.diag(water.box).tolist() == [2, 3, 4]


def test_gro_with_more_digits_another_box_and_no_velocities(files):
    text = "one\n1\n    1MOL      A    1" + "".join(f"{c:21.15f}" for c in (math.pi, -math.e, 1 / 3)) + "\n1 2 3 0 0 .1 0 .2 .3\n"
    one = read_structure(files(a_gro=text) / "a.gro")
    assert one.v is None and np.abs(one.x - [math.pi, -math.e, 1 / 3]).max() < 1e-15
    assert one.box.tolist() == [[1, 0, 0], [0.1, 2, 0], [0.2, 0.3, 3]]


def test_pdb(files):
    text = ("CRYST1   20.000   30.000   40.000  90.00  90.00  90.00 P 1\nMODEL 1\n" + CARBONYL + ATOM.format(3, "CA", 1, 2, 3, "") +
            ATOM.format(4, "HB1", 1, 2, 3, "H").replace(" ALA", "BALA") + "ENDMDL\nMODEL 2\n" + CARBONYL + "ENDMDL\n"
            "CONECT    1    2    3    2\nCONECT    2    1\nCONECT    3    4\nEND\n")
    made = read_structure(files(a_pdb=text) / "a.pdb")
    assert made.names == ["C", "O", "CA", "HB1"] and made.elements == ["C", "O", "C", "H"] and not made.left_out
    assert made.x.tolist()[:3] == [[0, 0, 0], [0, pytest.approx(0.12), 0], [pytest.approx(c) for c in (0.1, 0.2, 0.3)]]
    assert made.bonds == [(0, 1), (0, 2), (2, 3)] and np.diag(made.box) == pytest.approx([2, 3, 4])
    calcium = text.replace(" CA  ALA", "CA   ALA")
    assert read_structure(files(b_pdb=calcium) / "b.pdb").elements == ["C", "O", "CA", "H"]


def test_a_bath_is_a_temperature_and_a_friction(files):
    folder = files(a_gro=WATER_GRO, a_top=WATER_TOP)
    data = molecule(folder / "a.gro", folder / "a.top", bath=(300, 5))
    assert data["kT"] == pytest.approx(2.4943, abs=1e-4) and data["friction"] == 5
    for bath in ((-1, 2), (300, math.inf)):
        with pytest.raises(OptionError, match="bath"):
            molecule(folder / "a.gro", folder / "a.top", bath=bath)


def test_molecules_across_the_box_are_made_whole(files):
    moved = WATER_GRO.replace("  -0.082   0.058", "   1.918   3.058").replace("0.058   0.000  0.0000  0.0000  1.0", "0.058   4.000  0.0000  0.0000  1.0").replace(
        "3.058   0.000", "3.058   4.000")
    folder = files(a_gro=WATER_GRO, b_gro=moved, a_top=WATER_TOP)
    whole, apart = (molecule(folder / name, folder / "a.top") for name in ("a.gro", "b.gro"))
    assert np.abs(read_structure(folder / "b.gro").x - whole["x"]).max() > 1.9 and np.abs(apart["x"] - whole["x"]).max() < 1e-15
    slanted = moved.replace("1.918   3.058", "2.418   0.058").replace("2.0 3.0 4.0", "2 3 4 0 0 0.5 0 0 0").replace("2.418   0.058", "2.418   3.058")
    assert np.abs(molecule(files(c_gro=slanted) / "c.gro", folder / "a.top")["x"] - whole["x"]).max() < 1e-15


def test_water(files):
    folder, said = files(a_gro=WATER_GRO, a_top=WATER_TOP), []
    rigid = molecule(folder / "a.gro", folder / "a.top", say=said.append)
    assert list(zip(rigid["a"], rigid["b"], rigid["length"])) == [(1, 2, 0.1), (1, 3, 0.1), (2, 3, 0.1633)]
    assert rigid["mass"].tolist() == [15.9994, 1.008, 1.008] and rigid["charge"].tolist() == [-0.82, 0.41, 0.41]
    assert rigid["bend"] == rigid["pair"] == 0 and rigid["v"][2].tolist() == [0, 0, 1] and said == ["left out: [ position_restraints ] (1 lines)"]
    bent = molecule(folder / "a.gro", folder / "a.top", defines=["FLEXIBLE"])
    assert bent["bond"] == 2 and bent["bend"] == 1 and (bent["left"], bent["mid"], bent["right"]) == (2, 1, 3)
    assert bent["angle"] == pytest.approx(math.radians(109.47)) and bent["stiffness"] == 383
    files(b_top=WATER_TOP.replace("2 1 3 1 109.47", "2 1 3 2 109.47"))
    other = molecule(folder / "a.gro", folder / "b.top", defines=["FLEXIBLE"], say=said.append)
    assert other["bend"] == 0 and "angles that are neither harmonic nor constrained (1)" in said[1]
    fixed = molecule(folder / "a.gro", folder / "a.top", constraints="h-angles", defines=["FLEXIBLE"])
    assert fixed["bend"] == 0 and fixed["length"][2] == pytest.approx(0.2 * math.sin(math.radians(109.47 / 2)), rel=1e-14)


def test_many_molecules_and_their_pairs(files):
    gro = "two\n6\n" + "".join(WATER_GRO.splitlines(True)[2:5]) * 2 + "9 9 9\n"
    folder = files(a_gro=gro, a_top=WATER_TOP.replace("SOL 1\n", "SOL 2\n"))
    two = molecule(folder / "a.gro", folder / "a.top", nonbonded=True)
    assert list(zip(two["a"], two["b"])) == [(1, 2), (1, 3), (2, 3), (4, 5), (4, 6), (5, 6)]
    assert list(zip(two["one"], two["other"])) == [(i, j) for i in (1, 2, 3) for j in (4, 5, 6)]
    assert two["c6"][0] == pytest.approx(4 * 0.650194 * 0.316557**6) and two["c12"][0] == pytest.approx(4 * 0.650194 * 0.316557**12)
    assert not two["c6"][1:].any()


@pytest.mark.parametrize("rule, c6, c12", [(1, 2 * 3, 5 * 7), (2, 4 * 35 * (6.5) ** 6, 4 * 35 * 6.5**12), (3, 4 * 35 * 36**3, 4 * 35 * 36**6)])
def test_combination_rules(files, rule, c6, c12):
    text = f"[ defaults ]\n1 {rule}\n[ atomtypes ]\nA 1 0 A 4 25\nB b 6 1 0 A 9 49\n"
    text += "[ moleculetype ]\nM 1\n[ atoms ]\n1 A 1 M A 1\n2 B 1 M B 1\n[ molecules ]\nM 1\n"
    assert read_topology(files(a_top=text) / "a.top").c6_c12("A", "B") == (pytest.approx(c6), pytest.approx(c12))


def test_preprocessor_and_types_of_bonds(files):
    top = ('#define gb_1 0.1435 6.1e6\n#define UNUSED\n#undef UNUSED\n#include "field.itp"\n[ moleculetype ]\nM 3\n[ atoms ]\n1 CX 1 M C1 1 0 15\n'
           "2 CX 1 M C2 1 0 15 ; a comment\n3 CX 1 M \\\nO 1 0 16\n#ifdef UNUSED\n[ nonsense\n#endif\n#ifndef UNUSED\n[ bonds ]\n1 2 1\n2 3 2 gb_1\n"
           "#endif\n[ angles ]\n1 2 3 1\n[ molecules ]\nM 1\n")
    field = "[ defaults ]\n1 2\n[ atomtypes ]\nCX ct 6 12 0 A 0.3 0.4\n[ bondtypes ]\nct ct 1 0.1526 259408\n[ angletypes ]\nct ct ct 1 112.7 488\n"
    kind = read_topology(files(a_top=top, field_itp=field) / "a.top").molecules[0][0]
    assert [bond.length for bond in kind.bonds] == [0.1526, 0.1435] and kind.angles[0][1:] == (112.7, 488.0)


def test_a_peptide_has_the_constraints_that_grompp_makes():
    """gmx grompp (GROMACS 2022.5) with constraints = h-angles makes 395 constraints and leaves 450 angles; H-H of a methyl group
    0.178027853 nm and of the charged end 0.164961606 nm, in single precision."""
    made = molecule(f"{GRAPHS}/peptide.pdb", f"{GRAPHS}/peptide.top", constraints="h-angles")
    assert (made["atom"], made["bond"], made["bend"]) == (303, 395, 450)
    for a, b, length in ((8, 9, 0.178027853), (2, 4, 0.164961606)):
        assert made["length"][(made["a"] == a) & (made["b"] == b)] == pytest.approx([length], abs=2e-8)
    assert abs(made["charge"].sum()) < 1e-12
    measured = molecule(f"{GRAPHS}/peptide.pdb", constraints="h-angles")
    assert np.array_equal(measured["a"], made["a"]) and np.array_equal(measured["b"], made["b"])
    assert 0 < np.abs(measured["length"] - made["length"]).max() < 2e-4  # the .pdb has a thousandth of an Angstrom
    assert measured["mass"] == pytest.approx(made["mass"])


def test_velocities_of_a_temperature(files):
    drawn = [molecule(f"{GRAPHS}/peptide.pdb", temperature=300, seed=seed) for seed in (1, 1, 2)]
    assert np.array_equal(drawn[0]["v"], drawn[1]["v"]) and not np.array_equal(drawn[0]["v"], drawn[2]["v"])
    folder = files(a_gro=WATER_GRO, a_top=WATER_TOP)
    for data in (*drawn, *(molecule(folder / "a.gro", folder / "a.top", temperature=300, seed=seed) for seed in range(5))):
        mass, v = data["mass"], data["v"]
        assert (mass[:, None] * v**2).sum() / (3 * len(mass) - 3) == pytest.approx(0.00831446261815324 * 300, rel=1e-13)
        assert np.abs(mass @ v).max() < 1e-12
    by_atom = np.array([(molecule(folder / "a.gro", folder / "a.top", temperature=300, seed=seed)["v"] ** 2).sum(axis=1) for seed in range(400)])
    mass = data["mass"]
    expected = (1 - mass / mass.sum()) / mass  # the mean square of a velocity without that of the centre of mass, but for a factor
    assert by_atom.mean(axis=0) / by_atom.mean(axis=0).sum() == pytest.approx(expected / expected.sum(), rel=0.1)
    for temperature in (0.0, -1.0):
        if temperature:
            with pytest.raises(OptionError, match="a temperature below 0"):
                molecule(folder / "a.gro", folder / "a.top", temperature=temperature)
        else:
            assert not molecule(folder / "a.gro", folder / "a.top", temperature=temperature)["v"].any()


def test_the_files_are_those_of_the_script(tmp_path):
    subprocess.run([sys.executable, f"{GRAPHS}/make_molecules.py", tmp_path], check=True)
    for name in ("alkane.gro", "alkane.top", "peptide.pdb", "peptide.top"):
        with open(f"{GRAPHS}/{name}", encoding="ascii") as file:
            assert (tmp_path / name).read_text() == file.read()


def command(*words):
    return subprocess.run([sys.executable, "-m", "sidewinder.import_molecule", *map(str, words)], capture_output=True, text=True, check=False)


def test_command(files):
    folder = files(a_gro=WATER_GRO.replace("HW2", "H2 "), a_top=WATER_TOP)
    done = command(folder / "a.gro", "-p", folder / "a.top", "-o", folder / "a.json")
    assert done.returncode == 0 and done.stdout == "3 atoms, 3 constraints, 0 springs, 0 angles, 0 torsions, 0 pairs\n"
    assert "1 atoms have other names in the topology, the first is 3, 'H2' and 'HW2'" in done.stderr and "[ position_restraints ] (1 lines)" in done.stderr
    with open(folder / "a.json", encoding="ascii") as file:
        data = json.load(file)
    assert data["atom"] == 3 and data["a"] == [1, 1, 2] and data["x"][1] == [0.082, 0.058, 0.0] and data["mass"][0] == 15.9994
    assert command(folder / "no.gro", "-o", folder / "b.json").returncode == 2 and not os.path.exists(folder / "b.json")
    done = command(folder / "a.gro", "-p", folder / "a.top", "-o", folder / "no" / "a.json")
    assert done.returncode == 3 and "No such file or directory" in done.stderr


BAD_GRO = [
    ("water", ":2: the second line is to be the number of atoms"),
    (WATER_GRO.replace("\n3\n", "\n4\n"), ":6: the file ends here"),
    (WATER_GRO.replace("\n3\n", "\n0\n"), ":2: the file has no atoms"),
    (WATER_GRO.replace("   0.082", "   0.0x2"), ":4: the entry at column 21 is not a number: '0.0x2'"),
    (WATER_GRO.replace("0.1000 -0.2000  0.3000", "   nan -0.2000  0.3000"), ":3: the entry at column 45 is not a number: 'nan'"),
    (WATER_GRO.replace("  -0.082   0.058   0.000  0.0000  0.0000  1.0000", "  -0.082   0.058"), ":5: an atom is to have three positions"),
    (WATER_GRO.replace("  -0.082   0.058", "-0.082 0.0580"), ":5: the entry at column 21 is not a number: '-0.082 0'"),
    (WATER_GRO.replace("0.000   0.000   0.000", " 0.00   0.000   0.000"), ":3: an atom is to have three positions"),
    (WATER_GRO.replace("2.0 3.0 4.0", "2.0 3.0"), ":6: the box is to have 3 or 9 numbers, not 2"),
]
BAD_PDB = [
    ("HEADER\n", ": there is no ATOM or HETATM in it"),
    (CARBONYL.replace("   1.200", "     1,2"), ":2: the entry at column 39 is not a number: '1,2'"),
    (CARBONYL.replace("           O", "          XX"), ":2: no mass is known for the element of the atom 'O': 'XX'"),
    (CARBONYL + "CONECT    1    3\n", ":3: a bond to the atom 3, which is not in the file"),
    (CARBONYL + "CONECT    1    1\n", ":3: a bond of the atom 1 with itself"),
    (CARBONYL + "CONECT\n", ":3: CONECT without an atom"),
    (CARBONYL + CARBONYL, ":3: a second atom has the number 1"),
    ("CRYST1   20.000   30.000   40.000  90.00  20.00  20.00\n" + CARBONYL, ":1: no cell has the angles 90, 20 and 20"),
]
LINES = len(WATER_TOP.splitlines())
BAD_TOP = [
    ("", ":1: the topology ends without [ molecules ]"),
    ("1 2 3\n", ":1: the topology ends without [ molecules ]"),
    ('#include "amber99.ff/forcefield.itp"\n', ":1: there is no file 'amber99.ff/forcefield.itp' beside this one"),
    ('#include "a.top"\n', ":1: 'a.top' includes itself"),
    ("#if 1\n", ":1: '#if 1' is not understood"),
    ("#endif\n", ":1: #endif without an #ifdef"),
    (WATER_TOP.replace("#endif\n", ""), f":{LINES - 1}: the file ends within an #ifdef"),
    (WATER_TOP + "\\\n", f":{LINES + 1}: the last line goes on"),
    (WATER_TOP.replace("1 2 no", "2 2 no"), ":2: only Lennard-Jones pairs (1)"),
    (WATER_TOP.replace("-0.82 A 0.3", "-0.82 0.3"), ":4: an atom type is to be"),
    (WATER_TOP.replace("A 0.316557", "A -0.316557"), ":4: a Lennard-Jones parameter below 0"),
    (WATER_TOP.replace("SOL 2\n", "SOL two\n"), ":7: the number of exclusions is not a number: 'two'"),
    (WATER_TOP.replace("2 HW 1", "5 HW 1"), ":10: the atom 5 is the 2. of its molecule"),
    (WATER_TOP.replace("2 HW 1", "2 HX 1"), ":10: the type 'HX' is not in [ atomtypes ]"),
    (WATER_TOP.replace("1.008\n#", "0\n#"), ":11: the atom 3 of 'SOL', HW2, has a mass of 0: virtual sites are not understood"),
    (WATER_TOP.replace("1 1 0.1 0.1633", "1 1 0.1"), ":20: the length is missing"),
    (WATER_TOP.replace("1 1 0.1 0.1633", "2 1 0.1 0.1633"), ":20: a rigid water is to be"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1", "[ constraints ]\n1 4 1 0.1"), ":20: there is no atom 4 in 'SOL', which has 3"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1", "[ constraints ]\n1 1 1 0.1"), ":20: the same atom twice"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1 0.1633", "[ constraints ]\n1 2 1 -0.1"), ":20: a length of -0.1"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1 0.1633", "[ constraints ]\n1 2 3 0.1"), ":20: [ constraints ] of the function 3; understood are 1, 2"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1 0.1633", "[ bonds ]\n1 2 11 0.1 1000"), ":20: [ bonds ] of the function 11"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1 0.1633", "[ bonds ]\n1 2 1"), ":20: no parameters here, and none in [ bondtypes ] for OW HW"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1 0.1633", "[ angles ]\n1 2 3 1 190 3"), ":20: an angle of 190 degrees"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1 0.1633", "[ angles ]\n1 2 3 7 90 3"), ":20: [ angles ] of the function 7"),
    (WATER_TOP.replace("[ settles ]\n1 1 0.1 0.1633", "[ exclusions ]\n1 2 9"), ":20: an atom that 'SOL' does not have"),
    (WATER_TOP.replace("SOL 1\n", "WAT 1\n"), f":{LINES}: there is no [ moleculetype ] 'WAT'"),
    (WATER_TOP.replace("SOL 1\n", "SOL -1\n"), f":{LINES}: a number of molecules of -1"),
    (FIELD + "[ atoms ]\n1 OW 1 SOL OW 1\n", ":7: [ atoms ] before [ moleculetype ]"),
]


BAD = {"gro": BAD_GRO, "pdb": BAD_PDB, "top": BAD_TOP}


@pytest.mark.parametrize("ending, text, message", [(ending, *case) for ending, cases in BAD.items() for case in cases])
def test_malformed_files(files, ending, text, message):
    path = files(**{f"a_{ending}": text}) / f"a.{ending}"
    with pytest.raises(FileError) as error:
        read_topology(path) if ending == "top" else read_structure(path)
    assert str(error.value).startswith(f"{path}{message}")


def test_files_that_do_not_go_together(files):
    folder = files(a_gro=WATER_GRO, a_pdb=CARBONYL, a_xyz="", a_top=WATER_TOP, b_top=WATER_TOP.replace("SOL 1\n", "SOL 2\n"),
                   c_top=WATER_TOP.replace("[ system ]", "[ constraints ]\n1 2 1 0.2\n[ system ]"))
    for name, top, message in (("a.gro", "b.top", "a.gro: 3 atoms, where the topology has 6"), ("a.gro", None, "there are no bonds in it (CONECT)"),
                               ("a.pdb", None, "there are no bonds in it (CONECT)"), ("a.xyz", None, "its name ends in none of .ent, .gro, .pdb"),
                               ("a.gro", "c.top", "the atoms 1 and 2 have two bonds of different lengths"), ("b.gro", None, "No such file")):
        with pytest.raises(FileError) as error:
            molecule(folder / name, top and folder / top)
        assert message in str(error.value)
    with pytest.raises(OptionError, match="constraints are none, h-bonds, all-bonds or h-angles, not 'all'"):
        molecule(folder / "a.gro", folder / "a.top", constraints="all")
    with pytest.raises(OptionError, match="need a topology"):
        molecule(f"{GRAPHS}/peptide.pdb", nonbonded=True)


# ---- the rules of gmx grompp, and what is left out ----

BEADS_GRO = "two beads\n2\n    1DIM     C1    1   1.000   1.000   1.000\n    1DIM     C2    2   1.280   1.000   1.000\n   3.0   3.0   3.0\n"
BEADS = """[ defaults ]
1 2
[ atomtypes ]
C 6 12.01 0.0 A 0.3 1.0
[ moleculetype ]
Dim 1
[ atoms ]
1 C 1 DIM C1 1 -1
2 C 1 DIM C2 2 1
[ bonds ]
1 2 1 0.28 10000
[ system ]
x
[ molecules ]
Dim 1
"""


def beads(files, top, gro=BEADS_GRO, **options):
    """Data, and what was said."""
    folder, said = files(d_gro=gro, d_top=top), []
    return molecule(folder / "d.gro", folder / "d.top", say=said.append, **options), said


@pytest.mark.parametrize("old, new", [("[ defaults ]", "****\n* a block of remarks [ *\nany text at all\n[ defaults ]"),
                                      ("[ bonds ]", "[ Bonds ]"), ("[ bonds ]", "[BONDS]"),
                                      ("[ moleculetype ]", "[ molecule_type ]"), ("[ moleculetype ]", "[ Molecule-Type ]"), ("Dim 1\n[ a", "DIM 1\n[ a"),
                                      ("[ atomtypes ]", "[ atom_types ] ; of one kind"), ("1 2 1 0.28 10000", "1 2 1 0.28 \\\n10000"),
                                      ("1 2 1 0.28 10000", "; \\\n1 2 1 9.99 1\n1 2 1 0.28 10000"),
                                      ("1 2 1 0.28 10000", "#define LENGTH 0.28\n#define BOND LENGTH 10000\n#define USED 1\n1 2 1 0.28 10000"),
                                      ("[ bonds ]", "# ifdef NOTHING\n[ nonsense ]\n1\n#else\n[ bonds ]\n# endif")])
def test_spellings_that_grompp_accepts(files, old, new):
    assert old in BEADS
    data, said = beads(files, BEADS.replace(old, new))
    assert (data["a"], data["b"], data["length"]) == (1, 2, 0.28) and not said


def test_macros(files):
    """A macro replaces whole words, in the order of definitions: only what is defined later is found in a value."""
    data, _ = beads(files, BEADS.replace("1 2 1 0.28 10000", "#define BOND LENGTH 10000\n#define LENGTH 0.28\n#define XLENGTH 9\n1 2 1 BOND"))
    assert data["length"] == [0.28]
    with pytest.raises(FileError, match="a parameter is not a number: 'BOND'"):
        beads(files, BEADS.replace("1 2 1 0.28 10000", "#define LENGTH BOND\n1 2 1 LENGTH"))
    data, _ = beads(files, BEADS.replace("0.28", "LENGTH"), defines=["LENGTH=0.25"])
    assert data["length"] == [0.25]
    assert beads(files, BEADS.replace("[ bonds ]", "#define C1\n[ bonds ]"))[0]["bond"] == 1  # without a value it replaces nothing
    assert beads(files, BEADS, defines=["8=9", "0=0", "1000=7"])[0]["length"] == [0.28]  # parts of words
    with pytest.raises(FileError, match="d.top:11: a parameter is not a number: 'x'"):
        beads(files, BEADS.replace("0.28 10000", "0.28 \\\nx"))


def test_names_of_molecules_and_their_case(files):
    other = "[ moleculetype ]\nDIM 1\n[ atoms ]\n1 C 1 DIM C1 1 -1\n2 C 1 DIM C2 2 1\n[ constraints ]\n1 2 1 0.3\n[ system ]"
    assert beads(files, BEADS.replace("Dim 1\n[ a", "dim 1\n[ a"))[0]["bond"] == 1
    assert beads(files, BEADS.replace("[ system ]", other))[0]["length"] == [0.28]
    assert beads(files, BEADS.replace("[ system ]", other)[:-6] + "DIM 1\n")[0]["length"] == [0.3]
    with pytest.raises(FileError, match="2 molecule types have the name 'dim' but for their case"):
        beads(files, BEADS.replace("[ system ]", other)[:-6] + "dim 1\n")


@pytest.mark.parametrize("section, what", [("[ intermolecular_interactions ]\n[ bonds ]\n1 3 1 0.3 1000\n",
                                            "[ intermolecular_interactions ] [ bonds ] (1 lines)"),
                                           ("[ Intermolecular-Interactions ]\n[ bonds ]\n1 3 6 0.3 1000\n1 4 6 0.3 1000\n",
                                            "[ intermolecular_interactions ] [ bonds ] (2 lines)"),
                                           ("[ swarm ]\n1 2\n[ bonds ]\n1 2 1 0.3 1\n", "[ swarm ] (1 lines), [ swarm ] [ bonds ] (1 lines)")])
def test_sections_that_end_the_molecule(files, section, what):
    more = "    2DIM     C1    3   1.000   2.000   1.000\n    2DIM     C2    4   1.280   2.000   1.000\n"
    gro = BEADS_GRO.replace("\n2\n", "\n4\n").replace("   3.0 ", more + "   3.0 ", 1)
    text = BEADS[:-6] + "Dim 2\n" + section
    data, said = beads(files, text, gro)
    assert list(zip(data["a"], data["b"])) == [(1, 2), (3, 4)] and said == [f"left out: {what}"]
    with pytest.raises(FileError, match="left out: "):
        beads(files, text, gro, strict=True)


@pytest.mark.parametrize("lines, what", [("[ cmap ]\n1 2 1 2 1 1\n", "[ cmap ] (1 lines)"),
                                         ("[ position_restraints ]\n1 1 1 1 1\n2 1 1 1 1\n", "[ position_restraints ] (2 lines)"),
                                         ("[ bonds ]\n1 2 9 1 1000\n", "[ bonds ] of function 9 (1 lines)"),
                                         ("[ bonds ]\n1 2 1 0.28 10000 0.3 10000\n", "states B of [ bonds ] (1)")])
def test_what_is_left_out_is_named_with_a_count(files, lines, what):
    assert beads(files, BEADS.replace("[ system ]", lines + "[ system ]"))[1] == [f"left out: {what}"]
    unused = "[ moleculetype ]\nZ 1\n[ atoms ]\n1 C 1 Z C1 1 0\n2 C 1 Z C2 1 0\n"
    assert beads(files, BEADS.replace("[ system ]", unused + lines + "[ system ]"))[1] == []


def test_folders_of_included_files(files, tmp_path, monkeypatch):
    top = '#include "beads.itp"\n[ system ]\nx\n[ molecules ]\nDim 1\n'
    itp = BEADS[:BEADS.index("[ system ]")]
    for name, length in (("own", "0.28"), ("second", "0.29"), ("library", "0.30")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "beads.itp").write_text(itp.replace("0.28", length))
    monkeypatch.delenv("GMXLIB", raising=False)
    with pytest.raises(FileError, match="d.top:1: there is no file 'beads.itp' beside this one, in a folder of -I, or in GMXLIB"):
        beads(files, top)
    monkeypatch.setenv("GMXLIB", os.pathsep.join([str(tmp_path / "none"), str(tmp_path / "library")]))
    assert beads(files, top)[0]["length"] == [0.30]
    assert beads(files, top, folders=[tmp_path / "second", tmp_path / "own"])[0]["length"] == [0.29]
    (tmp_path / "beads.itp").write_text(itp.replace("0.28", "0.31"))
    assert beads(files, top, folders=[tmp_path / "second"])[0]["length"] == [0.31]
    done = command(tmp_path / "d.gro", "-p", tmp_path / "d.top", "-I", tmp_path / "own", "-o", tmp_path / "a.json")
    assert done.returncode == 0, done.stderr


# ---- .gro and .pdb ----

def test_gro_whose_lines_are_one_character_short(files):
    short = BEADS_GRO.replace("1DIM     C", "1DIM    C")
    assert beads(files, BEADS, short)[0]["x"].tolist() == [[1, 1, 1], [1.28, 1, 1]]


def test_gro_with_velocities_of_some_atoms(files):
    second = BEADS_GRO.replace("1.280   1.000   1.000", "1.280   1.000   1.000  0.0000 -1.0000  0.0000")
    data, said = beads(files, BEADS, second)
    assert data["v"].tolist() == [[0, 0, 0], [0, -1, 0]]
    assert said == ["left out: velocities that the file lacks, taken as 0, the first of the atom 1 (1)"]
    with pytest.raises(FileError, match="velocities that the file lacks"):
        beads(files, BEADS, second, strict=True)


LEFT = "HETATM{:5d} {:<4s} {:<3s} A   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00            \n"


@pytest.mark.parametrize("names, residue, elements", [(("CA", "CD1", "HG", "NE"), "WAT", "C C H N"), (("CL1", "CA", "HB1", "BR"), "LIG", "CL C H BR"),
                                                      (("CA",), "CA", "CA"), (("NA", "FE", "ND"), "HEM", "N FE N"), (("ZN", "CL"), "ZN", "ZN CL"),
                                                      (("HE21", "1HB", "CG2", "SD"), "GLN", "H H C S")])
def test_elements_of_left_aligned_names(files, names, residue, elements):
    text = "".join(LEFT.format(i, name, residue, i, 0, 0) for i, name in enumerate(names, 1))
    assert read_structure(files(l_pdb=text) / "l.pdb").elements == elements.split()


def test_elements_of_names_in_their_columns(files):
    text = "".join(LEFT.format(i, name, "X", i, 0, 0) for i, name in enumerate((" N", " CA", "CA", "HG", " HG", "FE"), 1))
    assert read_structure(files(l_pdb=text) / "l.pdb").elements == ["N", "C", "CA", "HG", "H", "FE"]


def location(number, name, label, residue="WAT", x=0.0):
    return f"HETATM{number:5d}  {name:<3s}{label}{residue} A   1    {x:8.3f}   0.000   0.000  1.00  0.00          {name[:1]:>2s}\n"


@pytest.mark.parametrize("rows, read, count", [
    ([("O", " "), ("H1", "B"), ("H1", "C"), ("H2", " ")], [0, 1, 3], 1), ([("O", "A"), ("O", "B"), ("H1", "A"), ("H1", "B")], [0, 2], 2),
    ([("O", "A"), ("O", "B"), ("H1", "B"), ("H1", "C")], [0, 2], 2), ([("O", "A"), ("H1", "B"), ("H1", "A")], [0, 2], 1),
    ([("O", "A"), ("O", "B", "SER"), ("C", "B", "SER")], [0], 2)])
def test_alternative_locations(files, rows, read, count):
    text = "".join(location(i, *row, x=float(i)) for i, row in enumerate(rows))
    made = read_structure(files(l_pdb=text) / "l.pdb")
    assert made.x[:, 0].tolist() == [pytest.approx(0.1 * i) for i in read] and made.left_out == {"atoms at alternative locations": count}


def test_a_protein_whose_bonds_are_not_in_conect(files):
    """Files of the Protein Data Bank have no CONECT for bonds within standard residues."""
    text = "".join(ATOM.format(i, name, 1.5 * i, 0, 0, name[:1]) for i, name in enumerate(("N", "CA", "C", "O"), 1)) + "CONECT    3    4\n"
    folder, said = files(a_pdb=text), []
    assert molecule(folder / "a.pdb", say=said.append)["bond"] == 1
    assert len(said) == 1 and "bonds of atoms that CONECT does not name" in said[0] and "the first is N of ALA, atom 1" in said[0] and said[0].endswith("(2)")
    done = command(folder / "a.pdb", "--strict", "-o", folder / "a.json")
    assert done.returncode == 2 and "CONECT does not name" in done.stderr and not os.path.exists(folder / "a.json")
    with pytest.raises(OptionError, match="bonds without force constants.* give a topology .-p., or -c all-bonds"):
        molecule(folder / "a.pdb", constraints="none")


def test_command_wants_one_source(files):
    folder = files(a_gro=WATER_GRO, a_top=WATER_TOP)
    assert "give a .gro or .pdb file, or --parmed FILE" in command("-o", folder / "a.json").stderr
    assert command(folder / "a.gro", "--parmed", folder / "a.top", "-o", folder / "a.json").returncode == 2
