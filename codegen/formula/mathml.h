/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mathml.h -- MathML, which browsers render themselves: names and short formulas from text.
 */
#ifndef SIDEWINDER_FORMULA_MATHML_H
#define SIDEWINDER_FORMULA_MATHML_H

#include "common/text_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MathML of the name of an entry, an index or a set, as in a model file: "q[i+1,x]", "i-1", "1 ..
 * N".  Brackets become subscripts. */
const char *mathml_name(arena *a, const char *name);

/* MathML of a formula that mixes MathML with short text in the style of LaTeX: "H_{pp}", "|\rho|",
 * "M^H". */
const char *mathml_mixed(arena *a, const char *text);

/* Text for HTML and XML: escapes <, >, & and quotes, and drops characters that XML does not
 * allow. */
const char *markup_escaped(arena *a, const char *text);

/* The approximate width of a text with elements: the number of characters outside tags. */
int markup_columns(const char *text);

/* The letter with this name, such as "theta", in UTF-8.  NULL for other names, and for letters that
 * the theory uses: lambda, rho, Gamma. */
const char *greek_letter(const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
