/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toolchain.h -- compiles generated C to a program or a shared object, without a shell.
 */
#ifndef SIDEWINDER_COMMAND_TOOLCHAIN_H
#define SIDEWINDER_COMMAND_TOOLCHAIN_H

#include "pipeline.h"

/* The product of a compilation. */
typedef struct toolchain_product {
  int lanes; /* 1 to compile the step also for several trajectories at once */
  /* 1 for a shared object, which needs libsidewinder.so at its present path; 0 for a program */
  int shared;
  long limit; /* seconds for each run of the compiler; 0: no limit */
} toolchain_product;

/* As help_filter of argp: names the documentation and models of this installation. */
char *toolchain_help(int key, const char *text, void *input);

/* Compiles the model and its main_source into the file `path` with $CC (default cc).  The runtime
 * comes from PREFIX/include and PREFIX/lib, where this generator is PREFIX/bin/sidewinder; build
 * trees have the same layout.  Sources go to a folder in the cache (cache.h), which is removed even
 * if the user or the limit interrupts the compilation.  A compiler that runs for a minute is
 * reported on stderr.  Errors before the compiler starts: the file cannot be written, the runtime
 * is missing, or flags in $CC change the arithmetic. */
outcome toolchain_build(arena *a, const compilation *c, const toolchain_product *what,
                        const char *path);

/* The same, but the product is kept in the user's cache under a digest of the C, the flags and the
 * runtime; *path is its path. */
outcome toolchain_cached(arena *a, const compilation *c, const toolchain_product *what,
                         const char **path);

#endif
