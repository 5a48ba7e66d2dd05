/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c -- the model's own text, and indices as text.
 */
#include <ctype.h>
#include <string.h>

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

typedef struct buffer {
  arena *memory;
  char *text;
  size_t n;
  size_t capacity;
  int by_slot;
} buffer;

static void append(buffer *b, const char *text)
{
  for (; *text; text++) {
    b->text = arena_grow(b->memory, b->text, b->n, &b->capacity, 1);
    b->text[b->n++] = *text;
  }
}

/* How strongly an index holds together: what is weaker than its place needs parentheses. */
enum { AS_SUM, AS_PRODUCT, AS_ATOM };

static int strength(const model_index *index)
{
  switch (index->kind) {
  case INDEX_ADD:
  case INDEX_SUB:
  case INDEX_NEG:
    return AS_SUM;
  case INDEX_MUL:
    return AS_PRODUCT;
  default:
    return AS_ATOM;
  }
}

static void append_index(buffer *b, const model_index *index, int place);

/* mod(a,b) */
static void append_call(buffer *b, const model_index *index)
{
  append(b, model_index_function(index->kind));
  append(b, "(");
  append_index(b, index->a, AS_SUM);
  append(b, ",");
  append_index(b, index->b, AS_SUM);
  append(b, ")");
}

static void append_index(buffer *b, const model_index *index, int place)
{
  int parentheses = strength(index) < place;
  if (parentheses) {
    append(b, "(");
  }
  switch (index->kind) {
  case INDEX_INTEGER:
    append(b, arena_printf(b->memory, "%ld", index->value));
    break;
  case INDEX_SIZE:
    append(b, index->size->name);
    break;
  case INDEX_VARIABLE:
    append(b,
           b->by_slot ? arena_printf(b->memory, "#%d", index->binder->slot) : index->binder->name);
    break;
  case INDEX_LABEL:
    append(b, index->set->labels[index->value]);
    break;
  case INDEX_NEG:
    append(b, "-");
    append_index(b, index->a, AS_PRODUCT);
    break;
  case INDEX_ADD:
  case INDEX_SUB:
  case INDEX_MUL:
    append_index(b, index->a, index->kind == INDEX_MUL ? AS_PRODUCT : AS_SUM);
    append(b, index->kind == INDEX_ADD ? "+" : index->kind == INDEX_SUB ? "-" : "*");
    append_index(b, index->b,
                 index->kind == INDEX_ADD   ? AS_SUM
                 : index->kind == INDEX_SUB ? AS_PRODUCT
                                            : AS_ATOM);
    break;
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
    append_call(b, index);
    break;
  }
  if (parentheses) {
    append(b, ")");
  }
}

const char *text_index(arena *a, const model_index *index, int by_slot)
{
  buffer b = {a, NULL, 0, 0, by_slot};
  append_index(&b, index, AS_SUM);
  return arena_strndup(a, b.text, b.n);
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
  text_set_add(entries, b->set->is_range
                            ? arena_printf(a, "%s = %ld", b->name, value)
                            : arena_printf(a, "%s = %s", b->name, b->set->labels[value]));
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
