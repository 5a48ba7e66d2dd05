#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""clang takes every source of the generator and the runtime, with the warnings and flags of this build, without a word.

Usage: clang_accepts.py BUILD SUFFIX: the build has compile_commands.json; SUFFIX is ".c" or ".cpp".
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

build, suffix = sys.argv[1:]
compiler = {".c": "clang", ".cpp": "clang++"}[suffix]


def look(entry):
    given = shlex.split(entry["command"])
    words = [compiler, "-fsyntax-only"]
    skip = False
    for word in given[1:]:
        if skip or word in ("-o", "-MT", "-MF", "-c", "-MD", "--coverage"):
            skip = not skip and word in ("-o", "-MT", "-MF")
            continue
        words.append(word)
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)
    return entry["file"], done.returncode, done.stdout + done.stderr


with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
    entries = [entry for entry in json.load(file)
               if entry["file"].endswith(suffix) and re.search("/(codegen|runtime)/", entry["file"])]
if len(entries) < 10:
    sys.exit(f"only {len(entries)} files are known")
bad = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for name, code, said in pool.map(look, entries):
        if code != 0 or said:
            bad += 1
            print(f"{name}: {code}\n{said}")
print(f"{len(entries)} files, {bad} that clang does not take")
sys.exit(bad > 0)
