# SPDX-License-Identifier: BSD-3-Clause
"""A molecule from the files of a molecular-dynamics program, as data for molecule.sw in the examples.

    python3 -m sidewinder.import_molecule conf.gro --topology topol.top -o molecule.json
    python3 -m sidewinder.import_molecule --parmed system.prmtop system.rst7 -o molecule.json
    sidewinder run molecule.sw --data molecule.json --project
"""
from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Sequence

import numpy as np

from .errors import FileError, InstallationError, OptionError
from .molecules import CONSTRAINTS, OLD_NAMES, molecule
from .parmed_structure import load


def write(data: dict[str, Any], path: str) -> None:
    """Writes the data as JSON, one name per line, numbers with all digits."""
    lines = (f"{json.dumps(name)}: {json.dumps(value.tolist() if isinstance(value, np.ndarray) else value)}" for name, value in data.items())
    with open(path, "w", encoding="ascii") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


def _bath(text: str) -> tuple[float, float]:
    kelvin, friction = text.split(",")
    return float(kelvin), float(friction)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m sidewinder.import_molecule", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("structure", nargs="?", help=".gro or .pdb")
    parser.add_argument("--parmed", nargs="+", metavar="FILE", help="instead: a topology, parameters and coordinates that ParmEd reads")
    parser.add_argument("-p", "--topology", help=".top; without it the bonds are those of CONECT, with the lengths of the file")
    parser.add_argument("-c", "--constraints", choices=[*CONSTRAINTS, *OLD_NAMES], default="all-bonds", help="rigid distances [%(default)s]")
    parser.add_argument("--nonbonded", action="store_true", help="list all pairs of atoms that are not excluded")
    parser.add_argument("--temperature", type=float, metavar="K", help="draw velocities")
    parser.add_argument("--seed", type=int, default=1, help="of the velocities [%(default)s]")
    parser.add_argument("--bath", type=_bath, metavar="K,FRICTION", help="the temperature of a heat bath, and its friction in 1/ps, for --method baoab")
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]", help="a name that #ifdef finds")
    parser.add_argument("-I", dest="folders", action="append", default=[], metavar="FOLDER", help="where included files are looked for, before GMXLIB")
    parser.add_argument("--strict", action="store_true", help="fail if anything is left out")
    parser.add_argument("-o", "--out", required=True, help="the file of data, .json")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    parser = _parser()
    said = parser.parse_args(words)
    if (said.structure is None) == (said.parmed is None):
        parser.error("give a .gro or .pdb file, or --parmed FILE ...")
    if said.parmed and said.topology:
        parser.error("--topology does not go with --parmed, whose first file is the topology")
    try:
        data = molecule(load(said.parmed) if said.parmed else said.structure, said.topology, said.constraints, said.nonbonded, said.temperature, said.seed,
                        said.defines, lambda text: print(f"{parser.prog}: {text}", file=sys.stderr), said.folders, said.strict, said.bath)
        write(data, said.out)
    except (FileError, OptionError, InstallationError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{said.out}: {error.strerror}", file=sys.stderr)
        return 3
    print(f"{data['atom']} atoms, {data['bond']} constraints, {data['stretch']} springs, {data['bend'] + data['straight']} angles, "
          f"{data['torsion'] + data['improper']} torsions, {data['pair']} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
