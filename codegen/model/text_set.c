/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_set.c -- a hash table with open addressing, at most half full, over a list of strings.
 */
#include "model/text_set.h"

#include <stdint.h>
#include <string.h>

struct text_set {
  arena *memory;
  const char **texts;
  size_t n;
  size_t room;
  size_t *table; /* position in texts plus one, 0 if free; the size is a power of two */
  size_t size;
};

enum { FIRST_SIZE = 16 };

text_set *text_set_create(arena *a)
{
  text_set *set = ARENA_NEW(a, text_set);
  set->memory = a;
  set->size = FIRST_SIZE;
  set->table = ARENA_ARRAY(a, set->size, size_t);
  return set;
}

/* FNV-1a. */
static uint64_t hash(const char *text)
{
  uint64_t h = 14695981039346656037u;
  for (; *text; text++) {
    h = (h ^ (unsigned char)*text) * 1099511628211u;
  }
  return h ^ h >> 32;
}

/* The slot of text in the table, or the free slot for it. */
static size_t *text_set_find(const text_set *set, const char *text)
{
  size_t i = (size_t)hash(text) & (set->size - 1);
  while (set->table[i] && strcmp(set->texts[set->table[i] - 1], text) != 0) {
    i = (i + 1) & (set->size - 1);
  }
  return &set->table[i];
}

int text_set_add(text_set *set, const char *text)
{
  size_t *place = text_set_find(set, text);
  if (*place) {
    return 0;
  }
  set->texts = arena_grow(set->memory, set->texts, set->n, &set->room, sizeof *set->texts);
  set->texts[set->n++] = text;
  *place = set->n;
  if (2 * set->n > set->size) {
    set->size *= 2;
    set->table = ARENA_ARRAY(set->memory, set->size, size_t);
    for (size_t i = 0; i < set->n; i++) {
      *text_set_find(set, set->texts[i]) = i + 1;
    }
  }
  return 1;
}

int text_set_contains(const text_set *set, const char *text)
{
  return *text_set_find(set, text) != 0;
}

int text_set_count(const text_set *set)
{
  return (int)set->n;
}

const char *text_set_at(const text_set *set, int i)
{
  return set->texts[i];
}
