/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the metadata of the model with the table of witnesses: bounds, names, sizes, the run
 * line.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program/witness_cases.h"

/* 1 if the bounds agree up to two units in the last place; bounds are literals. */
static int same_bound(double a, double b)
{
  return a == b || (isfinite(b) && fabs(a - b) <= 2.0 * DBL_EPSILON * fabs(b));
}

void sw_witness_bounds(const sw_verifier *v, const sw_witness_opened *c, sw_finding *finding)
{
  (void)v;
  for (int i = 0; i < c->system->nk; i++) {
    char name[SW_NAME_BYTES];
    sw_bounds found = sw_system_bounds(c->system, i);
    sw_bounds right = c->at->bounds[i];
    int differ = !same_bound(found.lower, right.lower) || !same_bound(found.upper, right.upper) ||
                 found.closed != right.closed;
    sw_finding_take(finding, differ, "bounds of %s: %g to %g, closed %d; %g to %g, %d is right",
                    sw_system_name(c->system, SW_K, i, name), found.lower, found.upper,
                    found.closed, right.lower, right.upper, right.closed);
  }
}

static int same_text(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static int same_number(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

/* Compares the name, the title, the sizes and the `run` line of the model. */
static void compare_sayings(const sw_model *model, const sw_witness *right, sw_finding *finding)
{
  const sw_run_defaults *a = &model->run;
  const sw_run_defaults *b = &right->run;
  int same_run = same_text(a->method, b->method) && same_text(a->base, b->base) &&
                 same_text(a->compose, b->compose) && same_text(a->bias, b->bias) &&
                 a->compensated == b->compensated && same_text(a->base_minus, b->base_minus) &&
                 same_text(a->adjoint, b->adjoint) && same_text(a->init, b->init) &&
                 same_number(a->step, b->step) && same_number(a->t_end, b->t_end) &&
                 a->steps == b->steps && a->every == b->every;
  sw_finding_take(finding, !same_text(model->name, right->name), "'%.80s' should be '%.80s'",
                  model->name, right->name);
  sw_finding_take(finding, !same_text(model->title, right->title), "'%.80s' should be '%.80s'",
                  model->title, right->title);
  sw_finding_take(finding, !same_run, "the run line is not the model's");
  sw_finding_take(finding, model->n_sizes != right->n_sizes,
                  "the model has another number of sizes");
  for (int i = 0; i < model->n_sizes && i < right->n_sizes; i++) {
    sw_finding_take(finding,
                    model->size_default[i] != right->size_default[i] ||
                        !same_text(model->size_names[i], right->size_names[i]),
                    "the default of size %s is not %ld", right->size_names[i],
                    right->size_default[i]);
  }
}

/* Notes the number of points for each case: "4 points and 36 for scales; ...". */
static void note_points(const sw_witness *witness, sw_finding *finding)
{
  char text[sizeof finding->note] = "";
  size_t used = 0;
  for (int c = 0; c < witness->n_cases && used < sizeof text; c++) {
    const sw_witness_case *at = &witness->cases[c];
    int full = 0;
    for (int i = 0; i < at->n_points; i++) {
      full += sw_witness_find(&at->points[i], SW_WITNESS_HAMILTONIAN_GRAD, 0) != NULL;
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%d points and %d for scales",
                             c > 0 ? "; " : "", full, at->n_points - full);
    for (int i = 0; i < witness->n_sizes && used < sizeof text; i++) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %ld", i > 0 ? ", " : " at ",
                               witness->size_names[i], at->sizes[i]);
    }
  }
  sw_finding_say(finding, SW_CHECK_PASS, "%s", text);
}

void sw_witness_names(const sw_verifier *v, const sw_witness_opened *c, sw_finding *finding)
{
  const int counts[] = {c->at->nq,        c->at->nq,          c->at->nk,    c->at->nc,
                        c->at->n_observe, c->at->n_invariant, c->at->n_init};
  static const sw_name_kind kinds[] = {SW_Q, SW_P, SW_K, SW_C, SW_OBSERVE, SW_INVARIANT};
  char buffer[SW_NAME_BYTES];
  compare_sayings(c->system->model, v->options.witness, finding);
  for (int kind = 0; kind < 7; kind++) {
    for (int i = 0; i < counts[kind]; i++) {
      const char *right = c->at->names[kind][i];
      const char *found = kind < 6 ? sw_system_name(c->system, kinds[kind], i, buffer)
                                   : sw_system_init_name(c->system, i);
      sw_finding_take(finding, strcmp(found, right) != 0, "'%.80s' should be '%.80s'", found,
                      right);
    }
  }
  if (finding->worst == 0.0) {
    note_points(v->options.witness, finding);
  }
}

void sw_check_witness_sizes(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  (void)at;
  if (!sw_witness_is_there(v, finding)) {
    return;
  }
  if (witness->n_trials == 0) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "the sizes are fixed");
    return;
  }
  for (int i = 0; i < witness->n_trials; i++) {
    const sw_witness_trial *trial = &witness->trials[i];
    sw_system *system = NULL;
    char message[SW_SYSTEM_MESSAGE] = "";
    sw_status status = sw_witness_open_at(v, trial->sizes, &system, message);
    sw_finding_take(finding, (status == SW_OK) != trial->fits, "%s = %ld is %s: %.100s",
                    witness->size_names[0], trial->sizes[0],
                    status == SW_OK ? "accepted" : "refused", message);
    sw_system_free(&system);
  }
}
