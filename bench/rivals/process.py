# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program with one thread, and measures its share of a processor."""
import os
import subprocess


def call(folder, *words):
    """Returns the output of the program, and its share of a processor.

    RuntimeError if it fails.
    """
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
    """The share of a processor that a zombie process had: its run time / (run time + waiting time).

    The waiting time is that of the run queue.  Linux only; 1 if the kernel has no such statistics.
    """
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            ran, waited = (int(word) for word in file.read().split()[:2])
    except (OSError, ValueError):
        return 1.0
    return ran / (ran + waited) if ran > 0 else 1.0
