/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h -- clocks, peak memory, and tasks in processes of their own.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

/* Processor time of this process so far, in seconds.  Unlike wall-clock time it is not affected
 * by other processes of a busy machine. */
double seconds(void);

/* The peak resident memory of this process, in bytes. */
double peak_memory(void);

/* Calls task(argument, result) in a child process, so that peak_memory measures this call only,
 * and copies the `size` bytes of *result back.  Returns 0, or 1 if the process could not be
 * created or did not finish. */
int in_own_process(void (*task)(const void *argument, void *result), const void *argument,
                   void *result, size_t size);

/* Runs a program, found in PATH, and waits for it.  argv ends with NULL.  Returns the processor
 * time of the program and its children in seconds, or -1 on failure. */
double time_program(char *const argv[]);

#endif
