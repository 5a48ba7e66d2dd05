# SPDX-License-Identifier: BSD-3-Clause
"""Writes tables of times into pages."""
import platform
import statistics
import sys


def figures(ns):
    """Median, quartiles, minimum."""
    ns = sorted(ns)
    if len(ns) == 1:
        return ns * 4
    low, middle, high = statistics.quantiles(ns, n=4, method="inclusive")
    return middle, low, high, ns[0]


def digits(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}"


def parts(page, name):
    """The text before and after the table with this name, including the lines that mark it."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    with open(page, encoding="utf-8") as file:
        text = file.read()
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        sys.exit(f"{page} has no place for the table of {name}")
    return before + begin, end + after


def put(page, name, lines):
    before, after = parts(page, name)
    with open(page, "w", encoding="utf-8") as file:
        file.write(before + "\n".join(lines) + "\n" + after)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(names)} processors"
