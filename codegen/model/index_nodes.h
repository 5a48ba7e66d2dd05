/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_nodes.h -- constructors of index expressions.
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

#ifdef __cplusplus
}
#endif

#endif
