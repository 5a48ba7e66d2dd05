/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * algebra.h -- formulas of the checked model, with their sums over sets and with lets by name.
 */
#ifndef SIDEWINDER_REPORT_ALGEBRA_H
#define SIDEWINDER_REPORT_ALGEBRA_H

#include "formula/formula.h"
#include "model/model.h"

/* A writer remembers which lets it has named, so that these can be defined behind. */
typedef struct algebra algebra;

algebra *algebra_create(arena *a, spelling s, const model *m);

const formula *algebra_formula(algebra *w, const model_expr *e);

/* The sum over a family's indices of its body, with a minus in front where the body has one. */
const formula *algebra_total(algebra *w, const model_family *f);

/* "i in link, i > 1" as it is spelled; "" without binders. */
const char *algebra_domain(algebra *w, int n, const model_binder *const binders[],
                           const model_condition *condition);

/* The value summed or multiplied, as `kind` says, over that domain; without binders, it counts where the condition holds. */
const formula *algebra_over(algebra *w, formula_kind kind, int n,
                            const model_binder *const binders[], const model_condition *condition,
                            const formula *value);

/* The next let that was named and not yet defined, as "d2(i, j)" and its formula; 0 where there is none. */
int algebra_next_let(algebra *w, const char **left, const formula **right);

#endif
