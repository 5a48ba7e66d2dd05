/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.c -- a list of chunks, each filled from the front.
 */
#include "common/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE     ((size_t)256 * 1024)
#define ARENA_LIMIT    ((size_t)2 * 1024 * 1024 * 1024)
#define EXIT_NO_MEMORY 3

typedef struct chunk {
  struct chunk *next;
  size_t used;
  size_t room;
  max_align_t bytes[]; /* of the strictest type, so that every object is aligned */
} chunk;

struct arena {
  chunk *current;
  size_t total; /* bytes in all chunks */
};

static _Noreturn void give_up(const char *why)
{
  fprintf(stderr, "sidewinder: %s\n", why);
  exit(EXIT_NO_MEMORY);
}

arena *arena_create(void)
{
  arena *a = calloc(1, sizeof *a);
  if (!a) {
    give_up("out of memory");
  }
  return a;
}

void arena_free(arena *a)
{
  if (!a) {
    return;
  }
  for (chunk *c = a->current; c;) {
    chunk *next = c->next;
    free(c);
    c = next;
  }
  free(a);
}

void arena_take(arena *a, arena *other)
{
  chunk **end = &other->current;
  while (*end) {
    end = &(*end)->next;
  }
  /* Inserts other's chunks after the current chunk, which stays in use. */
  *end = a->current ? a->current->next : NULL;
  if (a->current) {
    a->current->next = other->current;
  } else {
    a->current = other->current;
  }
  a->total += other->total;
  free(other);
}

size_t arena_size(const arena *a)
{
  return a->total;
}

/* Objects need no clearing: chunks come from calloc, and each byte is handed out once. */
static chunk *chunk_create(arena *a, size_t room)
{
  if (a->total > ARENA_LIMIT || room > ARENA_LIMIT - a->total) {
    give_up("the model needs more than 2 GiB of memory");
  }
  chunk *c = calloc(1, sizeof *c + room);
  if (!c) {
    give_up("out of memory");
  }
  c->room = room;
  a->total += room;
  return c;
}

void *arena_alloc(arena *a, size_t count, size_t size)
{
  const size_t unit = _Alignof(max_align_t);
  if (size != 0 && count > ARENA_LIMIT / size) {
    give_up("the model needs more than 2 GiB of memory");
  }
  /* An empty object still has a unique address. */
  size_t need = count * size == 0 ? unit : (count * size + unit - 1) / unit * unit;
  chunk *c = a->current;
  if (!c || c->room - c->used < need) {
    chunk *fresh = chunk_create(a, need > CHUNK_SIZE ? need : CHUNK_SIZE);
    if (c && need > CHUNK_SIZE) {
      /* A large object fills its own chunk; small ones continue in the current chunk. */
      fresh->next = c->next;
      c->next = fresh;
    } else {
      fresh->next = c;
      a->current = fresh;
    }
    c = fresh;
  }
  void *object = (unsigned char *)c->bytes + c->used;
  c->used += need;
  return object;
}

char *arena_strndup(arena *a, const char *text, size_t length)
{
  if (length >= ARENA_LIMIT) {
    give_up("the model needs more than 2 GiB of memory");
  }
  char *copy = arena_alloc(a, length + 1, 1);
  if (length > 0) {
    memcpy(copy, text, length);
  }
  return copy;
}

void *arena_copy(arena *a, const void *object, size_t size)
{
  return memcpy(arena_alloc(a, 1, size), object, size);
}

char *arena_strdup(arena *a, const char *text)
{
  return arena_strndup(a, text, strlen(text));
}

char *arena_vprintf(arena *a, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) {
    give_up("out of memory");
  }
  char *text = arena_alloc(a, (size_t)length + 1, 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *arena_printf(arena *a, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = arena_vprintf(a, format, arguments);
  va_end(arguments);
  return text;
}

void *arena_grow(arena *a, void *items, size_t n, size_t *capacity, size_t size)
{
  if (n < *capacity) {
    return items;
  }
  if (n > ARENA_LIMIT / 2) {
    give_up("the model needs more than 2 GiB of memory");
  }
  size_t wanted = n < 8 ? 8 : 2 * n;
  void *grown = arena_alloc(a, wanted, size);
  if (n > 0) {
    memcpy(grown, items, n * size);
  }
  *capacity = wanted;
  return grown;
}
