/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toolchain.h -- from generated C to a program or a shared object: the C compiler, started without a shell.
 */
#ifndef SIDEWINDER_COMMAND_TOOLCHAIN_H
#define SIDEWINDER_COMMAND_TOOLCHAIN_H

#include "pipeline.h"

/* What is made of a model. */
typedef struct toolchain_product {
  int lanes;  /* 1: the step is also compiled for several trajectories at once */
  int shared; /* 1: a shared object, which needs libsidewinder.so where it is now; 0: a program */
  long limit; /* seconds that each run of the compiler may take; 0: no limit */
} toolchain_product;

/* Compiles the model and its main_source into the file `path` with $CC, else cc, against the
 * runtime that stands beside this generator: PREFIX/include and PREFIX/lib, where the generator is
 * PREFIX/bin/sidewinder, in a build tree and in an installation alike.  Sources go to a folder in
 * the cache (cache.h) that is removed, also if a user or the limit interrupts the compilation.  A
 * compiler that runs for a minute is reported on stderr.  Refused before the compiler starts: a
 * file that cannot be written, a runtime that is not there, and a $CC whose flags change the
 * arithmetic. */
outcome toolchain_build(arena *a, const compilation *c, const toolchain_product *what,
                        const char *path);

/* The same, but kept in the user's cache under a digest of the C, the flags and the runtime; *path is where. */
outcome toolchain_cached(arena *a, const compilation *c, const toolchain_product *what,
                         const char **path);

#endif
