/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arguments.c -- indices of a let's body in the variables of the formula that calls it.
 */
#include "model/arguments.h"

/* The variable that stands in the place of one whose set depends on others. */
static const model_binder *standing_for(const model_binder *binder, const reach *r)
{
  for (; r; r = r->outer) {
    for (int j = 0; r->originals && j < r->n; j++) {
      if (r->originals[j] == binder) {
        return r->binders[j];
      }
    }
  }
  return binder;
}

argument_given arguments_put(arena *memory, const model_index *index, const argument_frame *f,
                             const reach *r)
{
  argument_given result = {index, 1};
  argument_given a = {NULL, 0};
  argument_given b = {NULL, 0};
  model_index *copy = NULL;
  if (index->kind == INDEX_VARIABLE && index->binder->set && index->binder->set->is_dependent) {
    copy = ARENA_NEW(memory, model_index);
    *copy = *index;
    copy->binder = standing_for(index->binder, r);
    result.index = copy;
    return result;
  }
  for (int j = 0; f && index->kind == INDEX_VARIABLE && j < f->n; j++) {
    if (f->binders[j] == index->binder) {
      return f->arguments[j];
    }
  }
  if (!index->a) {
    return result;
  }
  a = arguments_put(memory, index->a, f, r);
  if (index->b) {
    b = arguments_put(memory, index->b, f, r);
  }
  result.parts = 1 + a.parts + b.parts;
  if (a.index == index->a && b.index == index->b) {
    return result;
  }
  copy = ARENA_NEW(memory, model_index);
  *copy = *index;
  copy->a = a.index;
  copy->b = b.index;
  result.index = copy;
  return result;
}

long arguments_parts(const model_index *index)
{
  long parts = 1;
  if (index->a) {
    parts += arguments_parts(index->a);
  }
  if (index->b) {
    parts += arguments_parts(index->b);
  }
  return parts;
}

span arguments_place(const argument_frame *f, span where)
{
  for (; f; f = f->outer) {
    where = f->call;
  }
  return where;
}
