/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generating.h -- measures the generator and the compiler on looped models.
 */
#ifndef BENCH_GENERATING_H
#define BENCH_GENERATING_H

enum { MAX_GENERATOR_OPTIONS = 16 };

/* Runs `GENERATOR generate MODEL OPTION... -o FOLDER` for several of models/, from the project's
 * root, and compiles the output.  Prints a table in Markdown.  generator: the program and at
 * most MAX_GENERATOR_OPTIONS options, then NULL.  Returns the number of models that failed. */
int measure_generators(const char *folder, char *const generator[]);

#endif
