# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program with one thread, and says which share of the time it had a processor."""
import os
import subprocess


def call(folder, *words):
    """Returns what the program has printed, and that share; raises RuntimeError where it fails."""
    path = os.path.join(folder, "output.txt")
    with open(path, "w+", encoding="utf-8", errors="replace") as output:
        child = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                 env={**os.environ, "OMP_NUM_THREADS": "1", "GMX_SUPPRESS_DUMP": "1"})
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        share = share_of(child.pid)
        code = child.wait()
        output.seek(0)
        text = output.read()
    if code != 0:
        raise RuntimeError(f"{' '.join(words)} in {folder}:\n{text[-2000:]}")
    return text, share


def share_of(pid):
    """Of a process that has ended and was not waited for: the time that it ran, as a part of that and of the time that it could have run and did not get
    a processor (Linux; 1 where the kernel does not say)."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            ran, waited = (int(word) for word in file.read().split()[:2])
    except (OSError, ValueError):
        return 1.0
    return ran / (ran + waited) if ran > 0 else 1.0
