# SPDX-License-Identifier: BSD-3-Clause
"""Runs many steps in chunks of about 50 ms.

Between chunks, Python handles Ctrl-C and calls a progress callback.
"""
from __future__ import annotations

import math
import time
from typing import Any, Callable

from .errors import OptionError
from .kinds import Progress
from .names import real

CHUNK_SECONDS = 0.05


def in_chunks(steps: int, advance: Callable[[int, int], None], progress: Progress | None = None) -> None:
    """Calls advance(done, n) for `steps` steps in all, and progress(done, steps) after each call."""
    if progress is not None and not callable(progress):
        raise OptionError(f"progress is a function of (done, steps), such as print, not {type(progress).__name__}")
    done, n = 0, 16
    if progress is not None:
        progress(0, steps)
    while done < steps:
        n = min(n, steps - done)
        begun = time.perf_counter()
        advance(done, n)
        took = time.perf_counter() - begun
        done += n
        if progress is not None:
            progress(done, steps)
        if took < CHUNK_SECONDS / 2:
            n *= 2
        elif took > 2 * CHUNK_SECONDS:
            n = max(1, n // 2)


def row_count(steps: int, every: int) -> int:
    """The number of rows for the start, every `every`-th step, and the last step."""
    return 1 + -(-steps // every)


def checked_count(what: str, value: Any, least: int = 0, most: int = 2**62) -> int:
    """The value as an int.

    OptionError (a ValueError) unless it is an integer from least to most.
    """
    found = real(what, value)
    if not math.isfinite(found) or int(value) != value or not least <= value <= most:
        bounds = f"of at least {least}" if found < least or most == 2**62 else f"from {least} to {most}"
        raise OptionError(f"{what} is a count {bounds}, not {value!r}")
    return int(value)


def counts(steps: Any, every: Any) -> tuple[int, int]:
    """Both numbers as checked ints."""
    return checked_count("steps", steps), checked_count("every", every, 1)
