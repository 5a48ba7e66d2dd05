/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * small_model.h -- analyses a small model in place of a looped one with the same formulas, to find
 * the facts that their instances share.
 */
#ifndef SIDEWINDER_SMALL_MODEL_H
#define SIDEWINDER_SMALL_MODEL_H

#include "compilation.h"

/* The sizes of a model, such as "N = 3, K = 2". */
const char *small_model_sizes(arena *a, const model *m);

/* The model of a compilation at other sizes, from its text: all sizes `value`, or its own sizes if
 * value is 0.  With is_sparse, sets that contain elements of index data have 2 value + 1 elements.
 * NULL if the model is invalid at these sizes. */
const model *small_model_at(arena *a, const compilation *c, long value, int is_sparse);

/* Sets c->program, c->found, c->examined and c->sibling, at the smallest sizes with an instance of
 * every family and at most as many constraints as coordinates, if there are any.  Sizes that are
 * refused, or at which no point of M was found, are set aside unless they are the model's own:
 * c->aside lists them, and the next sizes are tried.  If no sizes are left, program and found
 * belong to the first sizes if several are refused for proved reasons and none was left out;
 * otherwise they are NULL.  A model that takes data is analysed with a sample, which is set aside
 * if it may be the only reason for a refusal. */
void small_model_analyse(arena *a, compilation *c);

/* The contents of a data file. */
typedef struct given_data {
  const char *file;
  int n;
  const model_size_setting *settings; /* n sizes and index arrays */
  int nk;
  const double *k; /* nk parameters */
} given_data;

/* Analyses the unrolled model with the data, and sets c->model, c->program, c->found, c->sibling
 * and c->data.  Returns NULL, or the reason why this is impossible. */
const char *small_model_with(arena *a, compilation *c, const given_data *data);

#endif
