/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toolchain.h -- from generated C to a program: the C compiler, started without a shell.
 */
#ifndef SIDEWINDER_TOOLCHAIN_H
#define SIDEWINDER_TOOLCHAIN_H

#include "pipeline.h"

/* Compiles the model into the executable `program` with $CC, else cc, against the runtime that stands
 * beside this generator: PREFIX/include and PREFIX/lib, where the generator is PREFIX/bin/sidewinder, in
 * a build tree and in an installation alike.  Sources go to a temporary folder that is removed,
 * also where a user interrupts the compilation.  Refused before the compiler starts: a program that
 * cannot be written, and a runtime that is not there. */
outcome toolchain_build(arena *a, const compilation *c, const char *program);

/* The same, but kept in the user's cache ($XDG_CACHE_HOME, else ~/.cache, else a folder of this user alone
 * in $TMPDIR or /tmp) under a digest of the C, the
 * flags and the runtime; *program is its path. */
outcome toolchain_cached(arena *a, const compilation *c, const char **program);

#endif
