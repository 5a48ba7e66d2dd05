/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_form.h -- index arithmetic as linear forms: what a looped model's loops, bounds and offsets are
 * written from.
 *
 * Sizes are 0 .. 10^9 and elements of sets fit an int (sidewinder/model.h), so that a linear form with
 * modest factors cannot overflow a long.  Whatever is no such form is computed in floating point.
 */
#ifndef SIDEWINDER_EMIT_INDEX_FORM_H
#define SIDEWINDER_EMIT_INDEX_FORM_H

#include "model/model.h"

#define INDEX_TERMS 12

/* A variable: one of binder and size is set; or the product of two; or mod, min or max of two linear forms. */
typedef struct index_term {
  const model_binder *binder;
  const model_size *size;
  const model_binder *other_binder;
  const model_size *other_size;
  const model_index *made; /* its tree; NULL for the others */
  long factor;             /* not 0; 1 or -1 of a product, of which a form has at most one */
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

int index_form_is_constant(const index_form *a);

/* The first and the last element of a set. */
index_form index_form_first(const model_set *set);
index_form index_form_last(const model_set *set);

int index_term_is_product(const index_term *term);

/* 1 where the term reads the binder. */
int index_term_reads(const index_term *term, const model_binder *binder);

/* 1 where a >= 0 for all sizes >= 0, all values of the binders in their sets and divisors of mod that are
 * positive; 0: not known. */
int index_form_never_negative(const index_form *a);

/* The number of elements of a set, where it is a form: known not to be negative. */
index_form index_form_count(const model_set *set);

#endif
