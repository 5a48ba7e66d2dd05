/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h -- clocks, memory, and processes whose memory is their own.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

/* Processor time of this process so far: unlike the clock on the wall it does not count what other
 * processes take of a busy machine. */
double seconds(void);

/* The most memory that this process has ever had in core, in bytes. */
double peak_memory(void);

/* Calls task(argument, result) in a process of its own, so that peak_memory is about that call alone, and
 * copies the `size` bytes of *result back.  Returns 0, or 1 where the process could not be made or did not
 * come to its end. */
int in_own_process(void (*task)(const void *argument, void *result), const void *argument,
                   void *result, size_t size);

/* Runs a program, found as the shell would, and waits for it.  argv ends with NULL.  Returns the
 * processor time that it and its children took, in seconds, or -1 where it failed. */
double time_program(char *const argv[]);

#endif
