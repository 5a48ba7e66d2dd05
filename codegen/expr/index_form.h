/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_form.h -- index arithmetic as linear forms: what a looped model's loops, bounds and offsets are
 * written from.
 *
 * Sizes are 0 .. 10^9 and elements of sets fit an int (sidewinder/model.h), so that a linear form with
 * modest factors cannot overflow a long.  Whatever is no such form is computed in floating point.
 */
#ifndef SIDEWINDER_EXPR_INDEX_FORM_H
#define SIDEWINDER_EXPR_INDEX_FORM_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INDEX_TERMS 12

/* A size, a variable or an entry of an array of indices; or the product of two of these; or mod, min or max of two linear forms. */
typedef struct index_term {
  const model_index *of;
  long factor; /* not 0; 1 or -1 of a product, of which a form has at most one */
} index_term;

/* constant + sum of factor * variable; not linear: only `tree` says what it is. */
typedef struct index_form {
  int linear;
  const model_index *tree; /* NULL for what was computed */
  long constant;
  int n;
  index_term terms[INDEX_TERMS];
} index_form;

index_form index_form_constant(long value);
index_form index_form_of(const model_index *index);

/* a + factor * b. */
index_form index_form_add(const index_form *a, const index_form *b, long factor);
/* a + value. */
index_form index_form_plus(const index_form *a, long value);
/* The difference of two indices. */
index_form index_form_difference(const model_index *a, const model_index *b);

int index_form_is_constant(const index_form *a);

/* The factor of a variable in a form; *other becomes 1 where the form reads it in another way, too. */
long index_form_factor(const index_form *a, const model_binder *binder, int *other);

/* The form without the term of that variable alone. */
index_form index_form_without(const index_form *a, const model_binder *binder);

/* The first and the last element of a set. */
index_form index_form_first(const model_set *set);
index_form index_form_last(const model_set *set);

/* The number of elements of a set, where it is a form: known not to be negative. */
index_form index_form_count(const model_set *set);

/* 1 where a >= 0 for all sizes >= 0, all values of the binders in their sets and divisors of mod that are
 * positive; 0: not known, as for what is not linear. */
int index_form_never_negative(const index_form *a);

/* 1 where the index is an element of the set, likewise. */
int index_form_is_inside(const model_index *index, const model_set *set);

/* 1 where an index, or NULL, reads a binder. */
int index_reads(const model_index *index, const model_binder *binder);

#ifdef __cplusplus
}
#endif

#endif
