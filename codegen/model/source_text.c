/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_text.c -- excerpts of the model's text, and descriptions of ranges and values for errors.
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

const char *text_range(arena *a, const model_set *set)
{
  if (set->is_range && set->upper->kind == INDEX_SIZE && set->upper->size->is_data) {
    return arena_printf(a, "%s = %ld .. %s", set->name, set->first, set->upper->size->name);
  }
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
