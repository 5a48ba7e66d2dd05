/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entries.c -- names and bounds of entries, defaults, and initial states.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/given_sizes.h"
#include "model/reduced.h"
#include "model/system_plan.h"

/* The number f with start[f] <= i < start[f+1]; skips numbers without entries. */
static int entries_find(const int start[], int n, int i)
{
  int low = 0;
  int high = n - 1;

  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (i < start[middle + 1]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/* Appends to the text, whose length is *used; *used stays within the buffer. */
static void entries_append(char buffer[SW_NAME_BYTES], size_t *used, const char *before,
                           const char *text)
{
  const int added = snprintf(buffer + *used, SW_NAME_BYTES - *used, "%s%s", before, text);

  if (added > 0) {
    *used += (size_t)added;
  }
  if (*used > SW_NAME_BYTES - 1) {
    *used = SW_NAME_BYTES - 1;
  }
}

static void append_index(const sw_plan *plan, int set, long element, char buffer[SW_NAME_BYTES],
                         size_t *used)
{
  const char *const *labels = plan->model->sets[set].labels;
  char number[32];

  (void)snprintf(number, sizeof number, "%ld", element);
  entries_append(buffer, used, ".", labels ? labels[element] : number);
}

/* The element of set s in entry i of the product of the sets. */
static long entries_element_of(const sw_plan *plan, int n_sets, const int set[], int s, int i)
{
  for (int later = n_sets - 1; later > s; later--) {
    i /= plan->count[set[later]];
  }
  return plan->first[set[s]] + i % plan->count[set[s]];
}

static void name_array_entry(const sw_plan *plan, const sw_array arrays[], const int start[], int n,
                             int i, char buffer[SW_NAME_BYTES])
{
  const int number = entries_find(start, n, i);
  const sw_array *array = &arrays[number];
  size_t used = 0;

  entries_append(buffer, &used, "", array->name);
  for (int s = 0; s < array->n_sets; s++) {
    append_index(plan, array->set[s],
                 entries_element_of(plan, array->n_sets, array->set, s, i - start[number]), buffer,
                 &used);
  }
}

static void name_instance(const sw_plan *plan, const sw_family_table *table, int i,
                          char buffer[SW_NAME_BYTES])
{
  const int number = entries_find(table->start, table->n, i);
  const sw_family *family = &table->family[number];
  const long *index = table->index[number];
  const int instance = i - table->start[number];
  size_t used = 0;

  entries_append(buffer, &used, "", family->name);
  for (int s = 0; s < family->n_sets; s++) {
    const long element = index ? index[(size_t)instance * (size_t)family->n_sets + (size_t)s]
                               : entries_element_of(plan, family->n_sets, family->set, s, instance);
    append_index(plan, family->set[s], element, buffer, &used);
  }
}

const char *sw_system_name(const sw_system *system, sw_name_kind kind, int i,
                           char buffer[SW_NAME_BYTES])
{
  const sw_plan *plan = system->plan;
  const sw_model *model = plan->model;

  switch (kind) {
  case SW_Q:
  case SW_P:
    name_array_entry(plan, kind == SW_Q ? model->positions : model->momenta, plan->q_start,
                     model->n_coordinates, i, buffer);
    break;
  case SW_K:
    name_array_entry(plan, model->parameters, plan->k_start, model->n_parameters, i, buffer);
    break;
  case SW_C:
    name_instance(plan, &plan->constraints, system->whole ? sw_reduced_number(system, i) : i,
                  buffer);
    break;
  case SW_OBSERVE:
    name_instance(plan, &plan->observe, i, buffer);
    break;
  case SW_INVARIANT:
    name_instance(plan, &plan->invariants, i, buffer);
    break;
  case SW_EVENT:
    name_instance(plan, &plan->events, i, buffer);
    break;
  }
  return buffer;
}

sw_bounds sw_system_bounds(const sw_system *system, int i)
{
  const sw_model *model = system->model;

  return model->bounds[entries_find(system->plan->k_start, model->n_parameters, i)];
}

int sw_system_is_input(const sw_system *system, int i)
{
  const sw_model *model = system->model;

  return model->inputs &&
         model->inputs[entries_find(system->plan->k_start, model->n_parameters, i)];
}

int sw_system_allows(const sw_system *system, int i, double value)
{
  const sw_bounds of = sw_system_bounds(system, i);
  const int above = value > of.lower || ((of.closed & 1u) != 0 && value == of.lower);
  const int below = value < of.upper || ((of.closed & 2u) != 0 && value == of.upper);

  return isfinite(value) && above && below;
}

void sw_bounds_text(sw_bounds of, char text[64])
{
  text[0] = '\0';
  if (isfinite(of.lower) || isfinite(of.upper)) {
    snprintf(text, 64, "%c%.10g, %.10g%c", of.closed & 1u ? '[' : '(', of.lower, of.upper,
             of.closed & 2u ? ']' : ')');
  }
}

int sw_system_parameter(const sw_system *system, int number, int most, int count[])
{
  const sw_array *array = &system->model->parameters[number];

  for (int s = 0; s < array->n_sets && s < most; s++) {
    count[s] = system->plan->count[array->set[s]];
  }
  return system->plan->k_start[number];
}

long sw_system_first(const sw_system *system, int set)
{
  return system->plan->first[set];
}

void sw_system_set_defaults(sw_system *system, const double k[])
{
  const size_t size = (size_t)system->nk * sizeof *k;

  if (size > 0 && memcmp(system->plan->k_default, k, size) != 0) {
    memcpy(system->plan->k_default, k, size);
    system->is_given = 1;
  }
}

int sw_system_unset(const sw_system *system, const double k[])
{
  int i = 0;

  while (i < system->nk && !isnan(k[i])) {
    i++;
  }
  return i;
}

const long *sw_system_sizes(const sw_system *system)
{
  return system->plan->n;
}

const char *sw_system_init_name(const sw_system *system, int i)
{
  return system->model->init[system->first_init + i].name;
}

void sw_system_init(const sw_system *system, int i, const double k[], double z[])
{
  for (int j = 0; j < 2 * system->nq; j++) {
    z[j] = NAN; /* shows entries that the model does not set */
  }
  system->model->init[system->first_init + i].state(system->plan->n, k, z);
}

void sw_system_bath(const sw_system *system, const double k[], double z[])
{
  system->model->bath(system->plan->n, k, z);
}

uint64_t sw_system_indices_digest(const sw_system *system)
{
  const sw_plan *plan = system->plan;
  const long *values = plan->n + plan->model->n_sizes;
  const size_t n = sw_given_count(plan->model, plan->count);
  uint64_t digest = 14695981039346656037u;

  for (size_t i = 0; i < n; i++) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      digest = (digest ^ ((uint64_t)values[i] >> shift & 255u)) * 1099511628211u;
    }
  }
  return digest;
}
