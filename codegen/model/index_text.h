/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_text.h -- index expressions as text and as formulas.
 */
#ifndef SIDEWINDER_MODEL_INDEX_TEXT_H
#define SIDEWINDER_MODEL_INDEX_TEXT_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

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
