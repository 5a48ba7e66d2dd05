/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * algebra.h -- formulas of the checked model, with sums over sets, and with lets by their names.
 */
#ifndef SIDEWINDER_REPORT_ALGEBRA_H
#define SIDEWINDER_REPORT_ALGEBRA_H

#include "formula/formula.h"
#include "model/model.h"

/* A writer. It records the lets that it has named, so that they can be defined after the
 * formula. */
typedef struct algebra algebra;

algebra *algebra_create(arena *a, spelling s, const model *m);

const formula *algebra_formula(algebra *w, const model_expr *e);

/* The sum of a family's body over its indices. A minus of the body is placed before the sum. */
const formula *algebra_total(algebra *w, const model_family *f);

/* The domain "i in link, i > 1" in the spelling of the writer; "" without binders. */
const char *algebra_domain(algebra *w, int n, const model_binder *const binders[],
                           const model_condition *condition);

/* The sum or product (`kind`) of a value over a domain. Without binders, the value counts only if
 * the condition holds. */
const formula *algebra_over(algebra *w, formula_kind kind, int n,
                            const model_binder *const binders[], const model_condition *condition,
                            const formula *value);

/* Gets the next let that was named and not yet defined, as "d2(i, j)" and its formula. Returns 0 if
 * there is none. */
int algebra_next_let(algebra *w, const char **left, const formula **right);

#endif
