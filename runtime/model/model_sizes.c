/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_sizes.c -- a model's sizes and the quantities that depend on them alone: index sets,
 * arrays, families, and the defaults of the parameters.
 *
 * Until all sizes have been checked, no function of the model except `ranges` is called.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/given_sizes.h"
#include "model/system_plan.h"

static sw_status model_sizes_fail(char message[], const char *format, ...)
{
  va_list arguments;

  if (message) {
    va_start(arguments, format);
    (void)vsnprintf(message, SW_SYSTEM_MESSAGE, format, arguments);
    va_end(arguments);
  }
  return SW_ERR_SIZE;
}

void sw_plan_sizes_text(const sw_plan *plan, char text[SW_SIZES_TEXT])
{
  enum { SHOWN = 4 };
  const int n = plan->model->n_sizes;
  size_t used = 0;

  text[0] = '\0';
  for (int i = 0; i < n && i < SHOWN && used < SW_SIZES_TEXT; i++) {
    const int added = snprintf(text + used, SW_SIZES_TEXT - used, "%s%.30s = %ld",
                               i == 0 ? " at " : ", ", plan->model->size_names[i], plan->n[i]);
    used += added > 0 ? (size_t)added : 0;
  }
}

/* Writes the message that there are too many entries. count: the entries of this kind, up to and
 * including those of `name`. */
static sw_status fail_too_large(const sw_plan *plan, char message[], const char *kind,
                                const char *name, double count)
{
  char sizes[SW_SIZES_TEXT];

  sw_plan_sizes_text(plan, sizes);
  return model_sizes_fail(
      message, "%s %.64s is too large%s: %.10g entries, at most %d are possible; try smaller sizes",
      kind, name, sizes, count, SW_PLAN_LIMIT);
}

/* ---- sizes and sets ---- */

static sw_status set_ranges_from(sw_plan *plan, double *bounds, char message[])
{
  const sw_model *model = plan->model;
  double *sizes = bounds;
  double *first = sizes + model->n_sizes;
  double *last = first + model->n_sets;

  for (int i = 0; i < model->n_sizes; i++) {
    sizes[i] = (double)plan->n[i];
  }
  if (model->n_sets > 0) {
    model->ranges(sizes, first, last);
  }
  for (int i = 0; i < model->n_sets; i++) {
    const double limit = 0x1p31;
    /* The negated form also rejects NaN. */
    if (!(fabs(first[i]) < limit && fabs(last[i]) < limit && last[i] - first[i] + 1.0 < limit)) {
      char text[SW_SIZES_TEXT];
      sw_plan_sizes_text(plan, text);
      return model_sizes_fail(message,
                              "set %.64s = %.10g .. %.10g is too large%s; try smaller sizes",
                              model->sets[i].name, first[i], last[i], text);
    }
    plan->first[i] = (long)first[i];
    plan->count[i] = last[i] < first[i] ? 0 : (int)(last[i] - first[i]) + 1;
  }
  return SW_OK;
}

static sw_status set_ranges(sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  const size_t n = (size_t)model->n_sizes + 2 * (size_t)model->n_sets;
  double *bounds = calloc(n + 1, sizeof *bounds);

  if (!bounds) {
    return SW_ERR_MEMORY;
  }
  const sw_status status = set_ranges_from(plan, bounds, message);
  free(bounds);
  return status;
}

/* Appends the arrays of indices to the sizes. */
static sw_status set_indices(sw_plan *plan, const sw_given *given, sw_index_fault *fault,
                             char message[])
{
  const sw_model *model = plan->model;
  const size_t sizes = (size_t)model->n_sizes;
  const size_t n = sizes + sw_given_count(model, plan->count);
  long *grown = realloc(plan->n, (n + 1) * sizeof *grown);

  if (!grown) {
    return SW_ERR_MEMORY;
  }
  plan->n = grown;
  return sw_given_indices(given, plan->first, plan->count, plan->n + sizes, fault, message);
}

/* ---- arrays and families ---- */

/* The product of the numbers of elements; exact below 2^53. */
static double product_of(const sw_plan *plan, int n_sets, const int set[])
{
  double product = 1.0;

  for (int i = 0; i < n_sets; i++) {
    product *= plan->count[set[i]];
  }
  return product;
}

static sw_status place_arrays(const sw_plan *plan, const char *kind, int n, const sw_array arrays[],
                              int start[], char message[])
{
  for (int i = 0; i < n; i++) {
    const double count = product_of(plan, arrays[i].n_sets, arrays[i].set);
    const double end = (double)start[i] + count;
    if (!(end <= SW_PLAN_LIMIT)) {
      return fail_too_large(plan, message, kind, arrays[i].name, end);
    }
    start[i + 1] = (int)end;
  }
  return SW_OK;
}

/* The number of instances of a family, or -1 if memory for the table of selected instances is
 * short. */
static double count_instances(const sw_plan *plan, const sw_family *family, long **index)
{
  const double rounds = product_of(plan, family->n_sets, family->set);

  if (!family->instances || !(rounds < INT_MAX)) {
    return rounds;
  }
  const long count = family->instances(plan->n, NULL);
  const size_t values = (size_t)count * (size_t)family->n_sets;
  if (count > SW_PLAN_LIMIT) {
    return (double)count;
  }
  *index = calloc(values + 1, sizeof **index);
  if (!*index) {
    return -1.0;
  }
  (void)family->instances(plan->n, *index);
  return (double)count;
}

static sw_status place_families(const sw_plan *plan, const char *kind, int n,
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
    const double count = count_instances(plan, &family[i], &table->index[i]);
    const double end = (double)table->start[i] + count;
    if (count < 0.0) {
      return SW_ERR_MEMORY;
    }
    if (!(end <= SW_PLAN_LIMIT)) {
      return fail_too_large(plan, message, kind, family[i].name, end);
    }
    table->start[i + 1] = (int)end;
  }
  return SW_OK;
}

static sw_status place_coordinates(sw_system *system, sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  char text[SW_SIZES_TEXT];

  sw_status status = place_arrays(plan, "coordinate", model->n_coordinates, model->positions,
                                  plan->q_start, message);
  if (status == SW_OK) {
    status = place_arrays(plan, "parameter", model->n_parameters, model->parameters, plan->k_start,
                          message);
  }
  if (status != SW_OK) {
    return status;
  }
  system->nq = plan->q_start[model->n_coordinates];
  system->nk = plan->k_start[model->n_parameters];
  sw_plan_sizes_text(plan, text);
  if (system->nq == 0) {
    return model_sizes_fail(
        message, "there is nothing to integrate: no coordinates%s; try larger sizes", text);
  }
  const int outside = model->references ? model->references(plan->n) : 0;
  if (outside != 0) {
    return model_sizes_fail(message, "%.280s%s; try other sizes",
                            model->reference_texts[outside - 1], text);
  }
  return SW_OK;
}

static sw_status place_all_families(sw_system *system, sw_plan *plan, char message[])
{
  const sw_model *model = plan->model;
  sw_status status = place_families(plan, "constraint", model->n_constraints, model->constraints,
                                    &plan->constraints, message);

  if (status == SW_OK) {
    status = place_families(plan, "observable", model->n_observe, model->observables,
                            &plan->observe, message);
  }
  if (status == SW_OK) {
    status = place_families(plan, "invariant", model->n_invariant, model->invariants,
                            &plan->invariants, message);
  }
  if (status == SW_OK) {
    status = place_families(plan, "event", model->n_events, model->events, &plan->events, message);
  }
  if (status != SW_OK) {
    return status;
  }
  system->nc = plan->constraints.start[model->n_constraints];
  system->n_observe = plan->observe.start[model->n_observe];
  system->n_invariant = plan->invariants.start[model->n_invariant];
  system->n_event = plan->events.start[model->n_events];
  return SW_OK;
}

static sw_status model_sizes_set_parameters(sw_system *system, sw_plan *plan, char message[])
{
  plan->k_default = calloc((size_t)system->nk + 1, sizeof *plan->k_default);
  if (!plan->k_default) {
    return SW_ERR_MEMORY;
  }
  system->k_default = plan->k_default;
  if (system->nk > 0) {
    plan->model->parameter_values(plan->n, plan->k_default);
  }
  for (int i = 0; i < system->nk; i++) {
    if (!isfinite(plan->k_default[i]) &&
        !(isnan(plan->k_default[i]) && (sw_system_bounds(system, i).closed & SW_NO_VALUE) != 0)) {
      char text[SW_SIZES_TEXT];
      char name[SW_NAME_BYTES];
      sw_plan_sizes_text(plan, text);
      sw_system_name(system, SW_K, i, name);
      return model_sizes_fail(message, "the default of parameter %.200s is %g%s; try other sizes",
                              name, plan->k_default[i], text);
    }
  }
  return SW_OK;
}

static sw_status model_sizes_allocate(sw_plan *plan)
{
  const sw_model *model = plan->model;

  plan->n = calloc((size_t)model->n_sizes + 1, sizeof *plan->n);
  plan->first = calloc((size_t)model->n_sets + 1, sizeof *plan->first);
  plan->count = calloc((size_t)model->n_sets + 1, sizeof *plan->count);
  plan->q_start = calloc((size_t)model->n_coordinates + 1, sizeof *plan->q_start);
  plan->k_start = calloc((size_t)model->n_parameters + 1, sizeof *plan->k_start);
  return plan->n && plan->first && plan->count && plan->q_start && plan->k_start ? SW_OK
                                                                                 : SW_ERR_MEMORY;
}

sw_status sw_plan_size(sw_system *system, const sw_given *given, sw_index_fault *fault,
                       char message[])
{
  sw_plan *plan = system->plan;
  sw_status status = model_sizes_allocate(plan);

  if (status == SW_OK) {
    status = sw_given_sizes(given, plan->n, message);
  }
  if (status == SW_OK) {
    status = set_ranges(plan, message);
  }
  if (status == SW_OK && plan->model->n_indices > 0) {
    status = set_indices(plan, given, fault, message);
  }
  if (status == SW_OK) {
    status = place_coordinates(system, plan, message);
  }
  if (status == SW_OK) {
    status = place_all_families(system, plan, message);
  }
  if (status == SW_OK) {
    status = model_sizes_set_parameters(system, plan, message);
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

void sw_plan_size_free(sw_plan *plan)
{
  free(plan->n);
  free(plan->first);
  free(plan->count);
  free(plan->q_start);
  free(plan->k_start);
  free_families(&plan->constraints);
  free_families(&plan->observe);
  free_families(&plan->invariants);
  free_families(&plan->events);
  free(plan->k_default);
}
