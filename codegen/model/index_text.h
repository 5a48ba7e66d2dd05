/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_text.h -- indices as text, and as formulas.
 */
#ifndef SIDEWINDER_MODEL_INDEX_TEXT_H
#define SIDEWINDER_MODEL_INDEX_TEXT_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An index as text: "i+1", "x".  By slot, it is "#3+1": distinct variables of one name differ. */
const char *text_index(arena *a, const model_index *index, int by_slot);

/* An index as a formula.  `part` says what stands for a part of it; where that is NULL, the part is an operation on
 * parts of its own. */
struct formula;
typedef const struct formula *text_index_part(void *context, arena *a, const model_index *index);
const struct formula *text_index_formula(arena *a, const model_index *index, text_index_part *part,
                                         void *context);

/* Sizes, variables, labels and numbers as a model file has them. */
text_index_part text_by_name;

/* "q[i+1,x]"; without indices, the name. */
const char *text_entry(arena *a, const char *name, int n, const model_index *const index[]);

#ifdef __cplusplus
}
#endif

#endif
