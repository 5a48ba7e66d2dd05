/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * small_model.h -- a small model with the formulas of a looped one, which is examined in its place: what its instances have in common is
 * read off it.
 */
#ifndef SIDEWINDER_SMALL_MODEL_H
#define SIDEWINDER_SMALL_MODEL_H

#include "compilation.h"

/* The model of a compilation at other sizes: all of them `value`, or its own, from its text, where that is 0.  is_sparse: sets of which
 * indices of data are elements have twice as many.  NULL where it is no model at these. */
const model *small_model_at(arena *a, const compilation *c, long value, int is_sparse);

/* Sets c->program, c->found and c->sibling, the first two to NULL where there is no such model: at the smallest sizes with an instance of
 * everything; of a model that takes data with a sample of it, and then c->found says nothing that may be of the sample alone, which
 * is in c->of_sample. */
void small_model_analyse(arena *a, compilation *c);

/* What data give. */
typedef struct given_data {
  const char *file;
  int n;
  const model_size_setting *settings; /* n: sizes and arrays of indices */
  int nk;
  const double *k; /* nk: the parameters */
} given_data;

/* Analyses the model with the data, unrolled, and sets c->model, c->program, c->found, c->sibling and c->data.  Returns NULL, or why
 * that is not possible. */
const char *small_model_with(arena *a, compilation *c, const given_data *data);

#endif
