#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs what README.md and docs/ tell readers to type, and compares what it prints with what the page shows.

Usage: docs_commands.py BUILD [PAGE ...]

A block is indented, or fenced as ```sh or ```console. Its first lines are commands if they begin with a program (PROGRAM below);
the lines behind them are the output of the last one. Behind output, "$ " begins the next command. A block behind a paragraph that
ends with a colon and has `sidewinder ...` in it is the output of that, which is run in any case. A block that begins with
"model NAME" is saved as NAME.sw, and C with a main function as example.c. Usage, with words in brackets or in capitals, is not run.

The commands of a page run in the order of the page in a temporary folder, which has the folders of the project, a copy of each shipped
model, and what a comment <!-- before: COMMAND --> leaves there. They succeed, or print what the page shows.

What is printed on standard output (by what fails: also on standard error) is what is shown if the words are the same, a line "..."
stands for any lines, and for each number
- both are the same to 6 digits,
- or both are below 1e-8, which is round-off,
- or it is a time: a number before "s" or "per second".

<!-- not run: REASON --> before a block, or <!-- no block of this page is run: REASON -->, says why a test cannot run it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"(\$ )?([A-Z]+=\S+ )*(sidewinder|python3|cmake|cc|gnuplot|gmx|mpirun|\./\w+|build/\S+|chain6|pendulum)( \S|$)")
USAGE = re.compile(r"[\[\]]|(^|[ =/])(MODEL|FILE|COLUMNS|FOLDER|NAME|COMMAND)\b")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
PATIENCE = 300


def pieces(text):
    """(kind, reason or language, lines, number of the first line): paragraphs, indented blocks and fenced ones, with markers before them."""
    lines = text.splitlines() + [""]
    i = 0
    while i < len(lines):
        line, start = lines[i], i
        if not line.strip():
            i += 1
            continue
        if line.startswith("```"):
            i += 1
            while not lines[i].startswith("```"):
                i += 1
            yield "fence", line[3:].strip(), lines[start + 1:i], start + 2
            i += 1
        elif line.startswith("    "):
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                i += 1
            block = [each[4:] for each in lines[start:i]]
            while not block[-1].strip():
                block.pop()
            yield "block", "", block, start + 1
        else:
            while lines[i].strip() and not lines[i].startswith("```") and (i == start or not lines[i].startswith("<!--")):
                i += 1
            yield "text", "", lines[start:i], start + 1


def commands_and_output(block):
    """For each part of a block: its commands, and the lines behind them.  "$ " begins another part behind output."""
    dollars, start = block[0].startswith("$ "), 0
    while start < len(block):
        at = start
        while at < len(block) and (PROGRAM.match(block[at]) or dollars and block[at].startswith("$ ") or block[at - 1].endswith("\\")):
            at += 1
        text = "\n".join(block[start:at]).replace("\\\n", " ")
        start = at
        while start < len(block) and not (dollars and block[start].startswith("$ ")):
            start += 1
        yield [re.sub(r"\s{2,}#.*", "", line).removeprefix("$ ") for line in text.splitlines()], block[at:start]


def same_number(shown, found):
    a, b = float(shown), float(found)
    return abs(a - b) <= 1e-6*max(abs(a), abs(b)) or max(abs(a), abs(b)) < 1e-8


def same_line(shown, found):
    times = [re.sub(NUMBER.pattern + r"(?= (s\b|\S*( samples)? per second))", "TIME", line) for line in (shown, found)]
    words = [re.sub(r"\s+", " ", NUMBER.sub("N", line)).strip() for line in times]
    return words[0] == words[1] and all(map(same_number, *(NUMBER.findall(line) for line in times)))


def difference(shown, found):
    """What is shown and not printed, '' where all is."""
    found, gap = list(found), False
    for line in shown:
        if line.strip() == "...":
            gap = True
            continue
        if not line.strip() and (gap or not found or found[0].strip()):
            continue
        while gap and found and not same_line(line, found[0]):
            found.pop(0)
        while found and line.strip() and not found[0].strip():
            found.pop(0)
        if not found or not same_line(line, found[0]):
            return f"shown:   {line}\nprinted: {found[0] if found else '(nothing more)'}"
        found.pop(0)
        gap = False
    return "" if gap or not any(line.strip() for line in found) else f"printed, and not shown: {found[0]}"


class Page:
    def __init__(self, path, folder, environment):
        self.path, self.folder, self.environment = path, folder, environment
        self.run, self.compared, self.left_out, self.failures, self.output = 0, 0, [], [], []

    def type(self, command, line, may_fail=False):
        try:
            done = subprocess.run(command, shell=True, cwd=self.folder, env=self.environment, capture_output=True, stdin=subprocess.DEVNULL,
                                  text=True, timeout=PATIENCE, check=False)
            code = done.returncode
            self.output = (done.stdout + (done.stderr if code else "")).splitlines()
        except subprocess.TimeoutExpired:
            self.output, code = [], f"none after {PATIENCE} s"
        self.run += 1
        if code != 0 and not (may_fail and isinstance(code, int)):
            self.failures.append(f"{self.path}:{line}: {command}\nexit code {code}\n" + "\n".join(self.output[:12]))

    def compare(self, shown, line):
        self.compared += 1
        wrong = difference(shown, self.output)
        if wrong:
            self.failures.append(f"{self.path}:{line}\n{wrong}")

    def try_all(self):
        reason, announced = "", False
        text = self.path.read_text(encoding="utf-8")
        whole = re.search(r"<!-- no block of this page is run: (.*?) -->", text, re.S)
        for kind, language, lines, start in pieces(text):
            first = lines[0] if lines else ""
            if kind == "text":
                paragraph = " ".join(lines)
                marker = re.match(r"<!-- (not run|before): (.*) -->$", paragraph)
                if marker and marker[1] == "before":
                    self.type(marker[2], start)
                if marker:
                    reason = marker[2] if marker[1] == "not run" else reason
                    continue
                reason = ""
                typed = re.findall(r"`(sidewinder [^`]*)`", paragraph) if paragraph.endswith(":") else []
                typed = [] if whole else [command for command in typed if not USAGE.search(command) and len(command.split()) > 2]
                for command in typed:
                    self.type(command, start, may_fail=command == typed[-1])
                announced = bool(typed)
                continue
            if kind == "fence" and language == "c" and any(line.startswith("int main(") for line in lines):
                (self.folder / "example.c").write_text("\n".join(lines) + "\n", encoding="utf-8")
            elif kind == "block" and re.match(r"model \w+", first):
                (self.folder / f"{first.split()[1]}.sw").write_text("\n".join(lines) + "\n", encoding="utf-8")
            elif (kind == "block" or language in ("sh", "console")) and PROGRAM.match(first) and not USAGE.search(first):
                if whole or reason:
                    self.left_out.append(f"{self.path}:{start}: {(whole[1] if whole else reason)}")
                else:
                    for commands, shown in commands_and_output(lines):
                        for command in commands:
                            self.type(command, start, may_fail=bool(shown) and command == commands[-1])
                        if shown:
                            self.compare(shown, start)
            elif kind == "block" and announced:
                self.compare(lines, start)
            reason, announced = "", False


def main(build, *names):
    root = pathlib.Path.cwd()
    build = pathlib.Path(build).resolve()
    path = f"{build}/bin:{build}/programs:{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    environment = dict(os.environ, PATH=path, PYTHONPATH="python", SIDEWINDER=f"{build}/bin/sidewinder", LC_ALL="C.UTF-8",
                       GNUTERM="dumb", PYTHONDONTWRITEBYTECODE="1")
    pages, failures, left_out = [], [], []
    for path in [pathlib.Path(name) for name in names] or [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").rglob("*.md"))]:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("models", "examples", "experiments", "gallery", "python", "tests", "dev"):
                (pathlib.Path(folder) / name).symlink_to(root / name)
            (pathlib.Path(folder) / "build").symlink_to(build)
            for model in root.glob("models/*.sw"):
                shutil.copy(model, folder)
            page = Page(path, pathlib.Path(folder), environment)
            page.try_all()
        pages.append(page)
        failures += page.failures
        left_out += page.left_out
    print("\n\n".join(failures))
    print("not run:", *left_out, sep="\n  ")
    n_run, n_compared = sum(page.run for page in pages), sum(page.compared for page in pages)
    print(f"{n_run} commands run, {n_compared} outputs compared, {len(left_out)} blocks not run, {len(failures)} failures")
    return 1 if failures or not n_run or not n_compared else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
