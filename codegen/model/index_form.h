/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_form.h -- index arithmetic as linear forms.  The checker decides conditions with them
 * (solve.c), and the loops, bounds and offsets of a looped model are written from them.
 *
 * Sizes are 0 .. 10^9 and elements of sets fit an int (sidewinder/model.h).  A linear form with
 * modest factors therefore cannot overflow a long.  Any other index is computed in floating point.
 */
#ifndef SIDEWINDER_MODEL_INDEX_FORM_H
#define SIDEWINDER_MODEL_INDEX_FORM_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INDEX_TERMS 16

/* A term: a size, a variable, an entry of an index array, a product of two of these, or a mod, min
 * or max of two linear forms. */
typedef struct index_term {
  const model_index *of;
  long factor; /* nonzero; 1 or -1 for a product, of which a form has at most one */
} index_term;

/* constant + sum of factor * variable.  If linear is 0, only `tree` is valid. */
typedef struct index_form {
  int linear;
  const model_index *tree; /* the index in the model; NULL for computed forms */
  long constant;
  int n;
  index_term terms[INDEX_TERMS];
} index_form;

index_form index_form_constant(long value);
index_form index_form_of(const model_index *index);
/* index_form_of with the present values of the sizes. */
index_form index_form_at_sizes(const model_index *index);

/* a + factor * b. */
index_form index_form_add(const index_form *a, const index_form *b, long factor);
/* a + value. */
index_form index_form_plus(const index_form *a, long value);
/* The difference of two indices. */
index_form index_form_difference(const model_index *a, const model_index *b);

int index_form_is_constant(const index_form *a);

/* The factor of a variable in a form.  Sets *other to 1 if another term reads the variable. */
long index_form_factor(const index_form *a, const model_binder *binder, int *other);

/* The form without the linear term of this variable. */
index_form index_form_without(const index_form *a, const model_binder *binder);

/* The first and the last element of a set. */
index_form index_form_first(const model_set *set);
index_form index_form_last(const model_set *set);

/* The number of elements of a set.  The result is linear only if it is provably not negative. */
index_form index_form_count(const model_set *set);

/* 1 if a >= 0 is proved for all sizes >= 0, all binders within their sets, and positive divisors of
 * mod.  0 if it is not proved, which includes all nonlinear forms. */
int index_form_never_negative(const index_form *a);

/* 1 if the index is proved to be an element of the set, under the same assumptions. */
int index_form_is_inside(const model_index *index, const model_set *set);

/* 1 if an index reads a binder; 0 for NULL. */
int index_reads(const model_index *index, const model_binder *binder);

#ifdef __cplusplus
}
#endif

#endif
