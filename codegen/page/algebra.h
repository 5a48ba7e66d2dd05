/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * algebra.h -- formulas of the checked model, with their sums over sets and with lets by name.
 */
#ifndef SIDEWINDER_PAGE_ALGEBRA_H
#define SIDEWINDER_PAGE_ALGEBRA_H

#include "page/notation.h"

/* A writer remembers which lets it has named, so that these can be defined behind. */
typedef struct algebra algebra;

algebra *algebra_create(arena *a, page_style style, const model *m);

/* The formula. */
const char *algebra_expression(algebra *w, const model_expr *e);

/* "i in link, i > 1" in the style; "" without binders. */
const char *algebra_domain(algebra *w, int n, const model_binder *const binders[],
                           const model_condition *condition);

/* The next let that was named and not yet defined, as "d2(i, j)" and its formula; 0 where there is none. */
int algebra_next_let(algebra *w, const char **left, const char **right);

#endif
