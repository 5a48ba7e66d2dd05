/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * greek.h -- names of Greek letters.
 */
#ifndef SIDEWINDER_FORMULA_GREEK_H
#define SIDEWINDER_FORMULA_GREEK_H

#include <stddef.h>

/* The letter, in UTF-8, of the name of that length, such as "theta"; NULL for others, and for those that the theory has for itself:
 * lambda, rho, Gamma. */
const char *greek_letter(const char *name, size_t length);

#endif
