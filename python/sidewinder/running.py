# SPDX-License-Identifier: BSD-3-Clause
"""Many steps in chunks of some 50 ms, between which Python has a chance: Ctrl-C, and a callback that shows the progress."""
import time

CHUNK_SECONDS = 0.05


def in_chunks(steps, advance, progress=None):
    """Calls advance(done, n) for `steps` steps in all, and progress(done, steps) after each call."""
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


def row_count(steps, every):
    """Rows for the start, each every-th step and the last one."""
    return 1 + -(-steps // every)


def counts(steps, every):
    """Both as int; ValueError where they are no counts."""
    if int(steps) != steps or steps < 0:
        raise ValueError(f"steps is a count, not {steps}")
    if int(every) != every or every < 1:
        raise ValueError(f"every is a count of at least 1, not {every}")
    return int(steps), int(every)
