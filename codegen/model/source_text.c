/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_text.c -- the model's own text, and indices as text.
 */
#include <ctype.h>
#include <string.h>

#include "common/text_writer.h"
#include "formula/formula.h"
#include "model/checker.h"
#include "model/text_set.h"

const char *text_folded(checker *c, span where)
{
  char *text = ARENA_ARRAY(c->memory, where.end - where.begin + 1, char);
  size_t n = 0;
  for (int i = where.begin; i < where.end; i++) {
    char byte = c->text[i];
    if (byte == '#') {
      while (i < where.end && c->text[i] != '\n') {
        i++;
      }
      byte = ' ';
    }
    if (!isspace((unsigned char)byte)) {
      text[n++] = byte;
    } else if (n > 0 && text[n - 1] != ' ') {
      text[n++] = ' ';
    }
  }
  while (n > 0 && text[n - 1] == ' ') {
    n--;
  }
  text[n] = '\0';
  return text;
}

static const char *leaf_text(arena *a, const model_index *index, int by_slot)
{
  switch (index->kind) {
  case INDEX_SIZE:
    return index->size->name;
  case INDEX_VARIABLE:
    return by_slot ? arena_printf(a, "#%d", index->binder->slot) : index->binder->name;
  case INDEX_LABEL:
    return index->set->labels[index->value];
  default:
    return arena_printf(a, "%ld", index->value);
  }
}

/* x + y as one flat sum, so that the many sums that are one text are one index. */
static const formula *sum_of(arena *a, const formula *x, const formula *y)
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

static const formula *index_formula(arena *a, const model_index *index, int by_slot)
{
  if (!index->a) {
    return formula_atom(a, FORMULA_ATOM, leaf_text(a, index, by_slot));
  }
  const formula *x = index_formula(a, index->a, by_slot);
  if (index->kind == INDEX_NEG) {
    return formula_of(a, FORMULA_NEGATION, x, NULL);
  }
  const formula *y = index_formula(a, index->b, by_slot);
  switch (index->kind) {
  case INDEX_ADD:
    return sum_of(a, x, y);
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
  return formula_text(a, SPELL_INDEX, index_formula(a, index, by_slot));
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

const char *text_range(arena *a, const model_set *set)
{
  const char *ends = arena_printf(a, "%ld .. %ld", set->first, set->first + set->count - 1);
  const char *empty = set->count == 0 ? ", which is empty" : "";
  return strcmp(ends, set->name) ? arena_printf(a, "%s = %s%s", set->name, ends, empty)
                                 : arena_printf(a, "%s%s", ends, empty);
}

/* ---- variables at their values ---- */

static void add_witness(checker *c, const model_index *index, text_set *entries)
{
  const model_binder *b = index->binder;
  arena *a = c->memory;
  if (index->a) {
    add_witness(c, index->a, entries);
  }
  if (index->b) {
    add_witness(c, index->b, entries);
  }
  if (index->kind != INDEX_VARIABLE) {
    return;
  }
  long value = c->environment[b->slot];
  text_set_add(entries, arena_printf(a, "%s = %s", b->name, model_element_text(a, b->set, value)));
}

const char *text_witness(checker *c, int n, const model_index *const index[])
{
  text_set *entries = text_set_create(c->memory);
  const char *text = "";
  for (int j = 0; j < n; j++) {
    add_witness(c, index[j], entries);
  }
  for (int j = 0; j < text_set_count(entries); j++) {
    text = arena_printf(c->memory, "%s%s%s", text, j ? ", " : " at ", text_set_at(entries, j));
  }
  return text;
}
