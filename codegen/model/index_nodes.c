/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_nodes.c -- index expressions: constructors, text and formulas.
 */
#include "model/index_nodes.h"

#include <string.h>

#include "common/text_writer.h"
#include "formula/formula.h"

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
  model_index *copy = ARENA_COPY(a, model_index, index);
  copy->a = x;
  copy->b = y;
  return copy;
}

const formula *text_by_name(void *context, arena *a, const model_index *index)
{
  const char *text = NULL;
  (void)context;
  if (index->a) {
    return NULL;
  }
  switch (index->kind) {
  case INDEX_SIZE:
    text = index->size->name;
    break;
  case INDEX_VARIABLE:
    text = index->binder->name;
    break;
  case INDEX_LABEL:
    text = index->set->labels[index->value];
    break;
  default:
    text = arena_printf(a, "%ld", index->value);
    break;
  }
  return formula_atom(a, FORMULA_ATOM, text);
}

static const formula *text_by_slot(void *context, arena *a, const model_index *index)
{
  return index->kind == INDEX_VARIABLE
             ? formula_atom(a, FORMULA_ATOM, arena_printf(a, "#%d", index->binder->slot))
             : text_by_name(context, a, index);
}

/* x + y as one flat sum, so sums with the same text are the same formula. */
static const formula *index_text_sum_of(arena *a, const formula *x, const formula *y)
{
  const formula *const side[] = {x, y};
  size_t n = 0;
  const formula **part =
      ARENA_ARRAY(a, (x->kind == FORMULA_SUM ? x->n : 1) + (y->kind == FORMULA_SUM ? y->n : 1),
                  const formula *);
  for (int i = 0; i < 2; i++) {
    int is_sum = side[i]->kind == FORMULA_SUM;
    size_t more = is_sum ? (size_t)side[i]->n : 1;
    memcpy(part + n, is_sum ? side[i]->part : &side[i], more * sizeof *part);
    n += more;
  }
  return formula_list(a, FORMULA_SUM, (int)n, part);
}

/* "b[e]", or the name of a tuple's part. */
static const formula *index_text_entry_formula(arena *a, const model_index *entry, const char *at)
{
  const model_binder *tuple = entry->a->kind == INDEX_VARIABLE ? entry->a->binder : NULL;
  int part = entry->indices->part;
  return formula_atom(a, FORMULA_ATOM,
                      tuple && tuple->parts && part > 0 && !strcmp(at, tuple->name)
                          ? tuple->parts[part - 1]
                          : arena_printf(a, "%s[%s]", entry->indices->name, at));
}

const formula *text_index_formula(arena *a, const model_index *index, text_index_part *part,
                                  void *context)
{
  const formula *own = part(context, a, index);
  if (own) {
    return own;
  }
  const formula *x = text_index_formula(a, index->a, part, context);
  if (index->kind == INDEX_ENTRY) {
    return index_text_entry_formula(a, index, formula_text(a, SPELL_INDEX, x));
  }
  if (index->kind == INDEX_NEG) {
    return formula_of(a, FORMULA_NEGATION, x, NULL);
  }
  const formula *y = text_index_formula(a, index->b, part, context);
  switch (index->kind) {
  case INDEX_ADD:
    return index_text_sum_of(a, x, y);
  case INDEX_SUB:
    return formula_of(a, FORMULA_SUM, x, formula_of(a, FORMULA_NEGATION, y, NULL));
  case INDEX_MUL:
    return formula_of(a, FORMULA_PRODUCT, x, y);
  default:
    return formula_call(a, model_index_function(index->kind), x, y);
  }
}

const char *text_index(arena *a, const model_index *index, int by_slot)
{
  return formula_text(a, SPELL_INDEX,
                      text_index_formula(a, index, by_slot ? text_by_slot : text_by_name, NULL));
}

const char *text_entry(arena *a, const char *name, int n, const model_index *const index[])
{
  writer *w = writer_create(a);
  writer_printf(w, "%s", name);
  for (int i = 0; i < n; i++) {
    writer_printf(w, "%s%s", i ? "," : "[", text_index(a, index[i], 0));
  }
  writer_printf(w, "%s", n ? "]" : "");
  return writer_text(w);
}
