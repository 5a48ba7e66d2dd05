/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry_names.c -- names in one block of memory.
 */
#include <stdlib.h>
#include <string.h>

#include "model/system.h"

static int entry_names_count(const sw_system *system, sw_name_kind kind)
{
  const int counts[] = {
      [SW_Q] = system->nq,
      [SW_P] = system->nq,
      [SW_K] = system->nk,
      [SW_C] = system->nc,
      [SW_OBSERVE] = system->n_observe,
      [SW_INVARIANT] = system->n_invariant,
      [SW_EVENT] = system->n_event,
  };

  return counts[kind];
}

const char **sw_names_create(size_t n, sw_namer *name, const void *context)
{
  const size_t table = (n + 1) * sizeof(char *);
  char buffer[SW_NAME_BYTES];
  size_t bytes = table;

  for (size_t i = 0; i < n; i++) {
    bytes += strlen(name(context, i, buffer)) + 1;
  }
  char *block = malloc(bytes);
  if (!block) {
    return NULL;
  }
  const char **names = (const char **)(void *)block;
  char *next = block + table;
  for (size_t i = 0; i < n; i++) {
    const size_t size = strlen(name(context, i, buffer)) + 1;
    memcpy(next, buffer, size);
    names[i] = next;
    next += size;
  }
  names[n] = NULL;
  return names;
}

typedef struct kind_of {
  const sw_system *system;
  sw_name_kind kind;
} kind_of;

static const char *name_of_kind(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  const kind_of *of = context;

  return sw_system_name(of->system, of->kind, (int)i, buffer);
}

const char **sw_system_names(const sw_system *system, sw_name_kind kind)
{
  const kind_of of = {system, kind};

  return sw_names_create((size_t)entry_names_count(system, kind), name_of_kind, &of);
}
