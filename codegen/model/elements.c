/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elements.c -- indices as they are made, and the labels of a set.
 */
#include <string.h>

#include "model/checker.h"

static model_index *new_index(checker *c, model_index_kind kind, span where)
{
  model_index *index = ARENA_NEW(c->memory, model_index);
  index->kind = kind;
  index->where = where;
  return index;
}

const model_index *indices_integer(checker *c, long value, span where)
{
  model_index *index = new_index(c, INDEX_INTEGER, where);
  index->value = value;
  return index;
}

const model_index *indices_size(checker *c, const model_size *size, span where)
{
  model_index *index = new_index(c, INDEX_SIZE, where);
  index->size = size;
  return index;
}

const model_index *indices_label(checker *c, const model_set *set, long position, span where)
{
  model_index *index = new_index(c, INDEX_LABEL, where);
  index->set = set;
  index->value = position;
  return index;
}

const model_index *indices_variable(checker *c, const model_binder *binder, span where)
{
  model_index *index = new_index(c, INDEX_VARIABLE, where);
  index->binder = binder;
  return index;
}

const model_index *indices_entry(checker *c, const model_indices *indices, const model_index *at,
                                 span where)
{
  model_index *index = new_index(c, INDEX_ENTRY, where);
  index->indices = indices;
  index->a = at;
  return index;
}

const model_index *indices_operation(checker *c, model_index_kind kind, const model_index *a,
                                     const model_index *b, span where)
{
  model_index *index = new_index(c, kind, where);
  index->a = a;
  index->b = b;
  return index;
}

const model_index *indices_again(checker *c, const model_index *index, const model_index *a,
                                 const model_index *b)
{
  model_index *copy = new_index(c, index->kind, index->where);
  *copy = *index;
  copy->a = a;
  copy->b = b;
  return copy;
}

long sets_label(const model_set *set, const char *label)
{
  for (long i = 0; !set->is_range && i < set->count; i++) {
    if (strcmp(set->labels[i], label) == 0) {
      return i;
    }
  }
  return -1;
}
