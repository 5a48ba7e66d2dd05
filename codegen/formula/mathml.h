/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mathml.h -- MathML, which browsers draw without a program: names and short formulas from text.
 */
#ifndef SIDEWINDER_FORMULA_MATHML_H
#define SIDEWINDER_FORMULA_MATHML_H

#include "common/text_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the name of an entry, of an index or of a set, as a model file writes it: "q[i+1,x]", "i-1", "1 .. N".  What is between
 * brackets stands below the line. */
const char *mathml_name(arena *a, const char *name);

/* Of a formula in which MathML is mixed with text, as in LaTeX where that is short: "H_{pp}", "|\rho|", "M^H". */
const char *mathml_mixed(arena *a, const char *text);

/* Text for HTML and XML, with <, >, & and quotes escaped, and without the characters that XML has not. */
const char *markup_escaped(arena *a, const char *text);

/* Columns that a text with elements takes, more or less: its characters outside of tags. */
int markup_columns(const char *text);

#ifdef __cplusplus
}
#endif

#endif
