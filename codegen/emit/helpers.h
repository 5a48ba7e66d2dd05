/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helpers.h -- small functions that generated code calls and C lacks.
 */
#ifndef SIDEWINDER_EMIT_HELPERS_H
#define SIDEWINDER_EMIT_HELPERS_H

#include "emit/writer.h"

/* Writes the definitions of the helpers that `text`, the functions of a file, calls. */
void emit_helpers(writer *w, const char *text);

/* The same for vectors, in a file that is compiled for several lanes (sidewinder/lanes.h). */
void emit_helpers_in_lanes(writer *w, const char *text);

#endif
