/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.c -- a looped model's sizes, and what follows from them alone: index sets, arrays, families, and
 * the defaults of the parameters.
 *
 * No function of the model but `ranges` is called before all is known to fit.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/looped.h"
#include "text.h"

#define LARGEST_SIZE 1000000000L

static sw_status fail(char message[], const char *format, ...)
{
  va_list arguments;

  if (message) {
    va_start(arguments, format);
    (void)vsnprintf(message, SW_SYSTEM_MESSAGE, format, arguments);
    va_end(arguments);
  }
  return SW_ERR_SIZE;
}

void sw_looped_sizes_text(const sw_looped *looped, char text[SW_SIZES_TEXT])
{
  enum { SHOWN = 4 };
  const int n = looped->loops->n_sizes;
  size_t used = 0;

  text[0] = '\0';
  for (int i = 0; i < n && i < SHOWN && used < SW_SIZES_TEXT; i++) {
    const int added = snprintf(text + used, SW_SIZES_TEXT - used, "%s%.30s = %ld",
                               i == 0 ? " at " : ", ", looped->loops->size_names[i], looped->n[i]);
    used += added > 0 ? (size_t)added : 0;
  }
}

/* Too many entries, all of that kind up to and with those of `name` counted. */
static sw_status fail_too_large(const sw_looped *looped, char message[], const char *kind,
                                const char *name, double count)
{
  char sizes[SW_SIZES_TEXT];

  sw_looped_sizes_text(looped, sizes);
  return fail(message,
              "%s %.64s is too large%s: %.10g entries, at most %d can be had; try smaller sizes",
              kind, name, sizes, count, SW_LOOPED_LIMIT);
}

/* ---- sizes and sets ---- */

static sw_status set_size(const sw_looped *looped, const sw_size *size, char message[])
{
  const sw_loops *loops = looped->loops;

  for (int i = 0; i < loops->n_sizes; i++) {
    if (strcmp(loops->size_names[i], size->name) == 0) {
      looped->n[i] = size->value;
      return SW_OK;
    }
  }
  char text[SW_TEXT_MESSAGE];
  sw_text_unknown("size", size->name, loops->size_names, (size_t)loops->n_sizes, text);
  return fail(message, "%s", text);
}

/* Defaults, then settings in their order, the last of a name counting. */
static sw_status set_sizes(const sw_looped *looped, int n_sizes, const sw_size sizes[],
                           char message[])
{
  const sw_loops *loops = looped->loops;

  for (int i = 0; i < loops->n_sizes; i++) {
    looped->n[i] = loops->size_default[i];
  }
  for (int i = 0; i < n_sizes; i++) {
    if (!sizes || !sizes[i].name) {
      (void)fail(message, "a size without a name");
      return SW_ERR_ARGUMENT;
    }
    if (set_size(looped, &sizes[i], message) != SW_OK) {
      return SW_ERR_SIZE;
    }
  }
  for (int i = 0; i < loops->n_sizes; i++) {
    if (looped->n[i] < 0 || looped->n[i] > LARGEST_SIZE) {
      return fail(message, "size %.64s = %ld is %s; give one from 0 to %ld", loops->size_names[i],
                  looped->n[i], looped->n[i] < 0 ? "negative" : "too large", LARGEST_SIZE);
    }
  }
  return SW_OK;
}

static sw_status set_ranges_from(sw_looped *looped, double *bounds, char message[])
{
  const sw_loops *loops = looped->loops;
  double *sizes = bounds;
  double *first = sizes + loops->n_sizes;
  double *last = first + loops->n_sets;

  for (int i = 0; i < loops->n_sizes; i++) {
    sizes[i] = (double)looped->n[i];
  }
  if (loops->n_sets > 0) {
    loops->ranges(sizes, first, last);
  }
  for (int i = 0; i < loops->n_sets; i++) {
    const double limit = 0x1p31;
    /* Written so that NaN fails. */
    if (!(fabs(first[i]) < limit && fabs(last[i]) < limit && last[i] - first[i] + 1.0 < limit)) {
      char text[SW_SIZES_TEXT];
      sw_looped_sizes_text(looped, text);
      return fail(message, "set %.64s = %.10g .. %.10g is too large%s; try smaller sizes",
                  loops->sets[i].name, first[i], last[i], text);
    }
    looped->first[i] = (long)first[i];
    looped->count[i] = last[i] < first[i] ? 0 : (int)(last[i] - first[i]) + 1;
  }
  return SW_OK;
}

static sw_status set_ranges(sw_looped *looped, char message[])
{
  const sw_loops *loops = looped->loops;
  const size_t n = (size_t)loops->n_sizes + 2 * (size_t)loops->n_sets;
  double *bounds = calloc(n + 1, sizeof *bounds);

  if (!bounds) {
    return SW_ERR_MEMORY;
  }
  const sw_status status = set_ranges_from(looped, bounds, message);
  free(bounds);
  return status;
}

/* ---- arrays and families ---- */

/* Product of the numbers of elements; exact as far as it matters. */
static double product_of(const sw_looped *looped, int n_sets, const int set[])
{
  double product = 1.0;

  for (int i = 0; i < n_sets; i++) {
    product *= looped->count[set[i]];
  }
  return product;
}

static sw_status place_arrays(const sw_looped *looped, const char *kind, int n,
                              const sw_array arrays[], int start[], char message[])
{
  for (int i = 0; i < n; i++) {
    const double count = product_of(looped, arrays[i].n_sets, arrays[i].set);
    const double end = (double)start[i] + count;
    if (!(end <= SW_LOOPED_LIMIT)) {
      return fail_too_large(looped, message, kind, arrays[i].name, end);
    }
    start[i + 1] = (int)end;
  }
  return SW_OK;
}

/* Number of instances of a family, -1 where memory for the table of those selected is missing. */
static double count_instances(const sw_looped *looped, const sw_family *family, long **index)
{
  const double rounds = product_of(looped, family->n_sets, family->set);

  if (!family->instances || !(rounds < INT_MAX)) {
    return rounds;
  }
  const long count = family->instances(looped->n, NULL);
  const size_t values = (size_t)count * (size_t)family->n_sets;
  if (count > SW_LOOPED_LIMIT) {
    return (double)count;
  }
  *index = calloc(values + 1, sizeof **index);
  if (!*index) {
    return -1.0;
  }
  (void)family->instances(looped->n, *index);
  return (double)count;
}

static sw_status place_families(const sw_looped *looped, const char *kind, int n,
                                const sw_family family[], sw_family_table *table, char message[])
{
  table->family = family;
  table->start = calloc((size_t)n + 1, sizeof *table->start);
  table->index = calloc((size_t)n + 1, sizeof *table->index);
  if (!table->start || !table->index) {
    return SW_ERR_MEMORY;
  }
  table->n = n;
  for (int i = 0; i < n; i++) {
    const double count = count_instances(looped, &family[i], &table->index[i]);
    const double end = (double)table->start[i] + count;
    if (count < 0.0) {
      return SW_ERR_MEMORY;
    }
    if (!(end <= SW_LOOPED_LIMIT)) {
      return fail_too_large(looped, message, kind, family[i].name, end);
    }
    table->start[i + 1] = (int)end;
  }
  return SW_OK;
}

static sw_status place_coordinates(sw_system *system, sw_looped *looped, char message[])
{
  const sw_loops *loops = looped->loops;
  char text[SW_SIZES_TEXT];

  sw_status status = place_arrays(looped, "coordinate", loops->n_coordinates, loops->positions,
                                  looped->q_start, message);
  if (status == SW_OK) {
    status = place_arrays(looped, "parameter", loops->n_parameters, loops->parameters,
                          looped->k_start, message);
  }
  if (status != SW_OK) {
    return status;
  }
  system->nq = looped->q_start[loops->n_coordinates];
  system->nk = looped->k_start[loops->n_parameters];
  sw_looped_sizes_text(looped, text);
  if (system->nq == 0) {
    return fail(message, "there is nothing to integrate: no coordinates%s; try larger sizes", text);
  }
  const int outside = loops->references ? loops->references(looped->n) : 0;
  if (outside != 0) {
    return fail(message, "%.280s%s; try other sizes", loops->reference_texts[outside - 1], text);
  }
  return SW_OK;
}

static sw_status place_all_families(sw_system *system, sw_looped *looped, char message[])
{
  const sw_loops *loops = looped->loops;
  sw_status status = place_families(looped, "constraint", loops->n_constraints, loops->constraints,
                                    &looped->constraints, message);

  if (status == SW_OK) {
    status = place_families(looped, "observable", loops->n_observe, loops->observe,
                            &looped->observe, message);
  }
  if (status == SW_OK) {
    status = place_families(looped, "invariant", loops->n_invariants, loops->invariants,
                            &looped->invariants, message);
  }
  if (status != SW_OK) {
    return status;
  }
  system->nc = looped->constraints.start[loops->n_constraints];
  system->n_observe = looped->observe.start[loops->n_observe];
  system->n_invariant = looped->invariants.start[loops->n_invariants];
  if (system->nc > system->nq) {
    char text[SW_SIZES_TEXT];
    sw_looped_sizes_text(looped, text);
    return fail(message, "%d constraints are too many for %d degrees of freedom%s; try other sizes",
                system->nc, system->nq, text);
  }
  return SW_OK;
}

static sw_status set_parameters(sw_system *system, sw_looped *looped, char message[])
{
  looped->k_default = calloc((size_t)system->nk + 1, sizeof *looped->k_default);
  if (!looped->k_default) {
    return SW_ERR_MEMORY;
  }
  system->k_default = looped->k_default;
  if (system->nk > 0) {
    looped->loops->parameter_values(looped->n, looped->k_default);
  }
  for (int i = 0; i < system->nk; i++) {
    if (!isfinite(looped->k_default[i])) {
      char text[SW_SIZES_TEXT];
      char name[SW_NAME_BYTES];
      sw_looped_sizes_text(looped, text);
      sw_looped_name(system, SW_K, i, name);
      return fail(message, "the default of parameter %.200s is %g%s; try other sizes", name,
                  looped->k_default[i], text);
    }
  }
  return SW_OK;
}

static sw_status allocate(sw_looped *looped)
{
  const sw_loops *loops = looped->loops;

  looped->n = calloc((size_t)loops->n_sizes + 1, sizeof *looped->n);
  looped->first = calloc((size_t)loops->n_sets + 1, sizeof *looped->first);
  looped->count = calloc((size_t)loops->n_sets + 1, sizeof *looped->count);
  looped->q_start = calloc((size_t)loops->n_coordinates + 1, sizeof *looped->q_start);
  looped->k_start = calloc((size_t)loops->n_parameters + 1, sizeof *looped->k_start);
  return looped->n && looped->first && looped->count && looped->q_start && looped->k_start
             ? SW_OK
             : SW_ERR_MEMORY;
}

sw_status sw_looped_size(sw_system *system, int n_sizes, const sw_size sizes[], char message[])
{
  sw_looped *looped = system->looped;
  sw_status status = allocate(looped);

  if (status == SW_OK) {
    status = set_sizes(looped, n_sizes, sizes, message);
  }
  if (status == SW_OK) {
    status = set_ranges(looped, message);
  }
  if (status == SW_OK) {
    status = place_coordinates(system, looped, message);
  }
  if (status == SW_OK) {
    status = place_all_families(system, looped, message);
  }
  if (status == SW_OK) {
    status = set_parameters(system, looped, message);
  }
  return status;
}

static void free_families(sw_family_table *table)
{
  for (int i = 0; i < table->n; i++) {
    free(table->index[i]);
  }
  free(table->start);
  free(table->index);
}

void sw_looped_size_free(sw_looped *looped)
{
  free(looped->n);
  free(looped->first);
  free(looped->count);
  free(looped->q_start);
  free(looped->k_start);
  free_families(&looped->constraints);
  free_families(&looped->observe);
  free_families(&looped->invariants);
  free(looped->k_default);
}
