/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * greek.h -- Greek letters by name.
 */
#ifndef SIDEWINDER_FORMULA_GREEK_H
#define SIDEWINDER_FORMULA_GREEK_H

#include <stddef.h>

/* The letter with this name, such as "theta", in UTF-8.  NULL for other names, and for letters that
 * the theory uses: lambda, rho, Gamma. */
const char *greek_letter(const char *name, size_t length);

#endif
