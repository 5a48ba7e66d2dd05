/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system.h"

const char *sw_system_name(const sw_system *system, sw_name_kind kind, int i,
                           char buffer[SW_NAME_BYTES])
{
  const sw_model *model = system->model;

  if (model->loops) {
    sw_looped_name(system, kind, i, buffer);
    return buffer;
  }
  const char *const *const names[] = {
      [SW_Q] = model->q_names,
      [SW_P] = model->p_names,
      [SW_K] = model->k_names,
      [SW_C] = model->c_names,
      [SW_OBSERVE] = model->observe_names,
      [SW_INVARIANT] = model->invariant_names,
  };
  /* A model written by hand need not name everything. */
  snprintf(buffer, SW_NAME_BYTES, "%s", names[kind] ? names[kind][i] : "?");
  return buffer;
}

static int count(const sw_system *system, sw_name_kind kind)
{
  const int counts[] = {
      [SW_Q] = system->nq,
      [SW_P] = system->nq,
      [SW_K] = system->nk,
      [SW_C] = system->nc,
      [SW_OBSERVE] = system->n_observe,
      [SW_INVARIANT] = system->n_invariant,
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

  return sw_names_create((size_t)count(system, kind), name_of_kind, &of);
}

sw_bounds sw_system_bounds(const sw_system *system, int i)
{
  const sw_model *model = system->model;

  if (model->loops) {
    return sw_looped_bounds(system, i);
  }
  return (sw_bounds){model->k_lower[i], model->k_upper[i], model->k_closed[i]};
}

const char *sw_system_init_name(const sw_system *system, int i)
{
  const sw_model *model = system->model;

  return model->loops ? model->loops->init[system->first_init + i].name
                      : model->init[system->first_init + i].name;
}

void sw_system_init(const sw_system *system, int i, const double k[], double z[])
{
  const sw_model *model = system->model;

  if (model->loops) {
    model->loops->init[system->first_init + i].state(sw_looped_sizes(system), k, z);
  } else {
    model->init[system->first_init + i].state(k, z);
  }
}
