/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generating.h -- what it costs to generate and to compile the C of looped models.
 */
#ifndef BENCH_GENERATING_H
#define BENCH_GENERATING_H

enum { MAX_GENERATOR_OPTIONS = 16 };

/* Runs `GENERATOR generate MODEL OPTION... -o FOLDER` for some of models/, from the project's root, and a compiler on what that writes, and
 * prints a table in Markdown.  generator: the program and at most so many options, then NULL.  Returns the number of models that
 * failed. */
int measure_generators(const char *folder, char *const generator[]);

#endif
