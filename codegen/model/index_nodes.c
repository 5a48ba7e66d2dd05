/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_nodes.c -- constructors of index expressions.
 */
#include "model/index_nodes.h"

#include <string.h>

long indices_position(const model_set *set, const char *label)
{
  for (long i = 0; !set->is_range && i < set->count; i++) {
    if (strcmp(set->labels[i], label) == 0) {
      return i;
    }
  }
  return -1;
}

static model_index *new_index(arena *a, model_index_kind kind, span where)
{
  model_index *index = ARENA_NEW(a, model_index);
  index->kind = kind;
  index->where = where;
  return index;
}

const model_index *indices_integer(arena *a, long value, span where)
{
  model_index *index = new_index(a, INDEX_INTEGER, where);
  index->value = value;
  return index;
}

const model_index *indices_size(arena *a, const model_size *size, span where)
{
  model_index *index = new_index(a, INDEX_SIZE, where);
  index->size = size;
  return index;
}

const model_index *indices_label(arena *a, const model_set *set, long position, span where)
{
  model_index *index = new_index(a, INDEX_LABEL, where);
  index->set = set;
  index->value = position;
  return index;
}

const model_index *indices_variable(arena *a, const model_binder *binder, span where)
{
  model_index *index = new_index(a, INDEX_VARIABLE, where);
  index->binder = binder;
  return index;
}

const model_index *indices_entry(arena *a, const model_indices *indices, const model_index *at,
                                 span where)
{
  model_index *index = new_index(a, INDEX_ENTRY, where);
  index->indices = indices;
  index->a = at;
  return index;
}

const model_index *indices_operation(arena *a, model_index_kind kind, const model_index *x,
                                     const model_index *y, span where)
{
  model_index *index = new_index(a, kind, where);
  index->a = x;
  index->b = y;
  return index;
}

const model_index *indices_again(arena *a, const model_index *index, const model_index *x,
                                 const model_index *y)
{
  model_index *copy = new_index(a, index->kind, index->where);
  *copy = *index;
  copy->a = x;
  copy->b = y;
  return copy;
}
