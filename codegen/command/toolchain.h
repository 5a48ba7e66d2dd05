/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toolchain.h -- from generated C to a program: the C compiler, started without a shell.
 */
#ifndef SIDEWINDER_COMMAND_TOOLCHAIN_H
#define SIDEWINDER_COMMAND_TOOLCHAIN_H

#include "pipeline.h"

/* Compiles the model into the executable `program` with $CC, else cc, against the runtime that stands
 * beside this generator: PREFIX/include and PREFIX/lib, where the generator is PREFIX/bin/sidewinder, in
 * a build tree and in an installation alike.  Sources go to a folder in the cache (cache.h) that is removed,
 * also where a user interrupts the compilation.  Refused before the compiler starts: a program that
 * cannot be written, a runtime that is not there, and a $CC whose flags change the arithmetic.  With `lanes` the step is
 * also compiled for several trajectories at once. */
outcome toolchain_build(arena *a, const compilation *c, int lanes, const char *program);

/* The same, but kept in the user's cache under a digest of the C, the flags and the runtime; *program is its
 * path. */
outcome toolchain_cached(arena *a, const compilation *c, int lanes, const char **program);

#endif
