/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_nodes.h -- index expressions: constructors, text and formulas.
 */
#ifndef SIDEWINDER_MODEL_INDEX_NODES_H
#define SIDEWINDER_MODEL_INDEX_NODES_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Position of a label in a set, or -1. */
long indices_position(const model_set *set, const char *label);

/* Constructors: a number, a size, a label by its position in its set, a variable, an entry of an
 * index array, and an operation on x and y, or on x alone if y is NULL. */
const model_index *indices_integer(arena *a, long value, span where);
const model_index *indices_size(arena *a, const model_size *size, span where);
const model_index *indices_label(arena *a, const model_set *set, long position, span where);
const model_index *indices_variable(arena *a, const model_binder *binder, span where);
const model_index *indices_entry(arena *a, const model_indices *indices, const model_index *at,
                                 span where);
const model_index *indices_operation(arena *a, model_index_kind kind, const model_index *x,
                                     const model_index *y, span where);
/* The same operation as `index`, on other operands. */
const model_index *indices_again(arena *a, const model_index *index, const model_index *x,
                                 const model_index *y);

/* ---- index expressions as text and as formulas ---- */

/* An index as text: "i+1", "x".  If by_slot is 1, variables are written by slot, as in "#3+1",
 * so that distinct variables with the same name differ. */
const char *text_index(arena *a, const model_index *index, int by_slot);

/* An index as a formula.  `part` returns the formula of a part of the index, or NULL if the part
 * is an operation whose operands are to be converted in turn. */
struct formula;
typedef const struct formula *text_index_part(void *context, arena *a, const model_index *index);
const struct formula *text_index_formula(arena *a, const model_index *index, text_index_part *part,
                                         void *context);

/* Writes sizes, variables, labels and numbers as in a model file. */
text_index_part text_by_name;

/* "q[i+1,x]"; the name alone if there are no indices. */
const char *text_entry(arena *a, const char *name, int n, const model_index *const index[]);

#ifdef __cplusplus
}
#endif

#endif
