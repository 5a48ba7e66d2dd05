#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The C functions in docs/first_model.md are those that the generator writes for the models in that page; the C of docs/c.md is that of
examples/.

Usage: excerpts.py GENERATOR

Generates C for every indented block of docs/first_model.md that begins with "model NAME".  These files, or those of generated/, must
contain every indented C function of the page word for word.  A file of examples/ must contain every block of C of docs/c.md,
with any indentation.  Exit: 0 if they do, else 1.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def blocks(text):
    """The indented blocks, without their indentation."""
    lines = []
    for line in text.splitlines() + ["end"]:
        if line.startswith("    ") or (not line.strip() and lines):
            lines.append(line[4:])
        elif lines:
            yield "\n".join(lines).strip("\n")
            lines = []


def plain(text):
    """Without indentation."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def main():
    generator = sys.argv[1]
    found = list(blocks(pathlib.Path("docs/first_model.md").read_text()))
    sources = [path.read_text() for path in pathlib.Path("generated").glob("*.c")]
    with tempfile.TemporaryDirectory() as folder:
        for block in found:
            name = re.match(r"model (\w+)", block)
            if name:
                model = pathlib.Path(folder, f"{name[1]}.sw")
                model.write_text(block + "\n")
                subprocess.run([generator, "generate", model, "-o", folder], check=True, capture_output=True)
        sources += [path.read_text() for path in pathlib.Path(folder).glob("*.c")]
    functions = [f for block in found for f in re.findall(r"^static void .*?^}", block, re.M | re.S)]
    missing = [f for f in functions if not any(f in source for source in sources)]
    for function in missing:
        print("docs/first_model.md has a function that is not generated:\n" + function)
    print(f"{len(functions)} functions, {len(missing)} not generated")
    shown = re.findall(r"^```c\n(.*?)^```", pathlib.Path("docs/c.md").read_text(), re.M | re.S)
    examples = [plain(path.read_text()) for path in pathlib.Path("examples").glob("*.c")]
    strange = [block for block in shown if not any(plain(block) in example for example in examples)]
    for block in strange:
        print("docs/c.md shows what no example has:\n" + block)
    print(f"{len(shown)} blocks, {len(strange)} in no example")
    return 1 if missing or strange or not functions or not shown else 0


if __name__ == "__main__":
    sys.exit(main())
