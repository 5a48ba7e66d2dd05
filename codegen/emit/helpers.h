/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helpers.h -- small functions that generated code calls where C has none of the kind.
 */
#ifndef SIDEWINDER_EMIT_HELPERS_H
#define SIDEWINDER_EMIT_HELPERS_H

#include "emit/writer.h"

/* The definitions of those that `text`, the functions of a file, calls. */
void emit_helpers(writer *w, const char *text);

/* The same of vectors, in a file that is compiled for several lanes (sidewinder/lanes.h). */
void emit_helpers_in_lanes(writer *w, const char *text);

#endif
