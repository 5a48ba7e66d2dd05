/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the model with its table of witnesses (sidewinder/witness.h).
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "program/verifier.h"

/* ---- the model at the sizes of each case ---- */

/* Opens the model at sizes of the table.  On failure *system is NULL, and message may give the
 * reason. */
static sw_status witness_open_at(const sw_verifier *v, const long sizes[], sw_system **system,
                                 char message[])
{
  const sw_model *model = v->system->model;
  const sw_witness *witness = v->options.witness;
  *system = NULL;
  if (model->n_sizes != witness->n_sizes) {
    snprintf(message, SW_SYSTEM_MESSAGE, "the model has another number of sizes");
    return SW_ERR_SIZE;
  }
  sw_size *with = sw_sizes_given(model, sizes);
  if (with == NULL) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < witness->n_sizes; i++) {
    with[i].name = witness->size_names[i];
  }
  sw_status status =
      sw_system_create(model, model->n_sizes + model->n_indices, with, system, message);
  free(with);
  return status;
}

/* Opens the model at the sizes of a case.  Returns 0 if that fails; then the check fails. */
static int open_case(const sw_verifier *v, int number, sw_witness_opened *c, sw_finding *finding)
{
  char message[SW_SYSTEM_MESSAGE] = "";
  c->at = &v->options.witness->cases[number];
  sw_status status = witness_open_at(v, c->at->sizes, &c->system, message);
  if (status != SW_OK) {
    sw_finding_say(finding, SW_CHECK_FAIL, "case %d: %s", number,
                   message[0] != '\0' ? message : sw_status_text(status));
    return 0;
  }
  const int found[] = {c->system->nq,        c->system->nc,          c->system->nk,
                       c->system->n_observe, c->system->n_invariant, c->system->n_init};
  const int wanted[] = {c->at->nq,        c->at->nc,          c->at->nk,
                        c->at->n_observe, c->at->n_invariant, c->at->n_init};
  if (memcmp(found, wanted, sizeof found) != 0) {
    sw_finding_say(finding, SW_CHECK_FAIL,
                   "case %d: the model has other numbers of variables or functions", number);
    sw_system_free(&c->system);
    return 0;
  }
  return 1;
}

/* 1 if a table exists and belongs to this model; else the finding says why not. */
static int witness_is_there(const sw_verifier *v, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  if (witness == NULL) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "the program was made without witnesses");
    return 0;
  }
  if (witness->n_cases == 0) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "no small sizes were found to compute witnesses at");
    return 0;
  }
  if (strcmp(witness->digest, v->system->model->digest) != 0) {
    sw_finding_say(finding, SW_CHECK_FAIL, "the witnesses are those of another model");
    return 0;
  }
  return 1;
}

/* The values of a function at a point; NULL if the table has none. */
static const sw_witness_values *witness_find(const sw_witness_point *p, int what, int number)
{
  for (int i = 0; i < p->n; i++) {
    if ((int)p->values[i].what == what && p->values[i].number == number) {
      return &p->values[i];
    }
  }
  return NULL;
}

/* Sets a finding that says why nothing was compared. */
static void explain_nothing(const sw_verifier *v, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  int n_points = 0;
  for (int c = 0; c < witness->n_cases; c++) {
    n_points += witness->cases[c].n_points;
    for (int i = 0; i < witness->cases[c].n_points; i++) {
      const sw_witness_values *values = witness_find(&witness->cases[c].points[i], v->what, 0);
      if (values != NULL && values->missing != NULL) {
        sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "no witness: %s", values->missing);
        return;
      }
    }
  }
  sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                 n_points > 0 ? "the model has no such function, or it is known at no point"
                              : "no witness: at no point are H and g known");
}

void sw_witness_each_case(const sw_verifier *v, sw_witness_check *check, sw_finding *finding)
{
  sw_witness_opened c;
  if (!witness_is_there(v, finding)) {
    return;
  }
  for (int i = 0; i < v->options.witness->n_cases && finding->outcome == SW_CHECK_PASS; i++) {
    if (open_case(v, i, &c, finding)) {
      check(v, &c, finding);
      sw_system_free(&c.system);
    }
  }
  if (finding->outcome == SW_CHECK_PASS && finding->worst < 0.0) {
    explain_nothing(v, finding);
  }
}

/* ---- values ---- */

/*
 * Compares the model with the table of witnesses that the generator has computed from its text
 * (sidewinder/witness.h).
 *
 * The figure of an entry is |computed - exact|, relative to the magnitude of its terms; rounding
 * errors are a small multiple of eps of this magnitude.  An entry outside the pattern counts as
 * 0, and an entry outside the table must be 0.
 *
 * The table has no values of the fibre flow. They are compared with an integral of the flow's own
 * differential equation (model/numerical_fibre.h), whose terms Dg and Hess(lambda.g) the table has.
 * Its rounding error is that of its columns, so an entry counts with the largest magnitude in its
 * column, separately for positions and momenta.
 */

/* Computed values: `count` values, at the entries of a pattern or, for a vector, from index
 * `first` on. */
typedef struct computed {
  const char *name;
  const sw_pattern *pattern;
  int first;
  int count;
  const double *value;
} computed;

static void verify_witness_take(const computed *c, int row, int col, double value,
                                const sw_witness_entry *exact, int point, sw_finding *finding)
{
  const double figure = exact == NULL
                            ? sw_figure(value, 0.0)
                            : sw_figure((value - exact->value) - exact->rest, exact->size);
  if (c->pattern != NULL) {
    sw_finding_take(finding, figure, "%s at (%d, %d): %.17g, and %.17g is right (point %d)",
                    c->name, row, col, value, exact == NULL ? 0.0 : exact->value, point);
  } else {
    sw_finding_take(finding, figure, "%s, number %d: %.17g, and %.17g is right (point %d)", c->name,
                    row, value, exact == NULL ? 0.0 : exact->value, point);
  }
}

static int place_row(const computed *c, int e)
{
  return c->pattern != NULL ? c->pattern->row[e] : c->first + e;
}

static int place_col(const computed *c, int e)
{
  return c->pattern != NULL ? c->pattern->col[e] : 0;
}

/* Merges the computed and the exact entries, which are both sorted, and compares them. */
static void compare(const computed *c, const sw_witness_values *exact, int point,
                    sw_finding *finding)
{
  int at = 0;
  int is_part = c->pattern == NULL;
  for (int e = 0; e <= c->count; e++) {
    for (; at < exact->n; at++) {
      const sw_witness_entry *x = &exact->entries[at];
      int is_before = e == c->count || x->row < place_row(c, e) ||
                      (x->row == place_row(c, e) && x->col < place_col(c, e));
      if (!is_before) {
        break;
      }
      if (!is_part) {
        verify_witness_take(c, x->row, x->col, 0.0, x, point, finding);
      }
    }
    if (e < c->count) {
      const sw_witness_entry *x = at < exact->n ? &exact->entries[at] : NULL;
      int is_there = x != NULL && x->row == place_row(c, e) && x->col == place_col(c, e);
      verify_witness_take(c, place_row(c, e), place_col(c, e), c->value[e], is_there ? x : NULL,
                          point, finding);
      at += is_there;
    }
  }
}

/* The table's values of v->what at point i of a case; NULL if unknown. */
static const sw_witness_values *known(const sw_verifier *v, const sw_witness_opened *c, int i,
                                      int number)
{
  const sw_witness_values *exact = witness_find(&c->at->points[i], v->what, number);
  return exact != NULL && exact->missing == NULL ? exact : NULL;
}

/* Evaluates a function at a point, and compares it with the exact values. */
static void compare_at(const sw_verifier *v, const sw_system *system, const sw_output *of,
                       const sw_witness_point *p, const sw_witness_values *exact, int point,
                       sw_finding *finding)
{
  double *out = malloc(((size_t)of->count + 1 + SW_OUTPUT_WEIGHTS(system)) * sizeof *out);
  if (out == NULL) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
    return;
  }
  const double *lambda = sw_output_argument(system, v->what, p->lambda, p->v, out + of->count + 1);
  sw_output_evaluate(system, of, p->z, p->k, lambda, NAN, out);
  compare(&(computed){of->name, of->pattern, of->first, of->count, out}, exact, point, finding);
  /* Record that values were compared, even if there are none; a NaN stays. */
  finding->worst = finding->worst < 0.0 ? 0.0 : finding->worst;
  free(out);
}

/* Compares a function at every point of a case with known values. */
static void compare_output(const sw_verifier *v, const sw_witness_opened *c, const sw_output *of,
                           sw_finding *finding)
{
  for (int i = 0; i < c->at->n_points; i++) {
    const sw_witness_values *exact = known(v, c, i, of->init > 0 ? of->init - 1 : 0);
    if (exact != NULL) {
      compare_at(v, c->system, of, &c->at->points[i], exact, i, finding);
    }
  }
}

void sw_witness_function(const sw_verifier *v, const sw_witness_opened *c, sw_finding *finding)
{
  const int is_gradient = v->what == SW_WITNESS_HAMILTONIAN_GRAD;
  const int parts[] = {v->what, SW_OUTPUT_GRAD_Q, SW_OUTPUT_GRAD_P};
  for (int i = 0; i < (is_gradient ? 3 : 1); i++) {
    const sw_output of = sw_output_of(c->system, parts[i]);
    if (of.function != NULL || of.lambda_function != NULL) {
      compare_output(v, c, &of, finding);
    }
  }
}

/* Writes the integrated values of a function of the fibre flow, with their sizes, as entries.
 * Returns 0 if the integral is not known.
 * room: 2 for each column, and one for each value. */
static int integrate(const sw_output *of, const sw_system *fine, const sw_witness_point *p,
                     double room[], sw_witness_entry entries[])
{
  const int columns = of->pattern != NULL ? of->pattern->cols : 1;
  double *value = room + 2 * (size_t)columns;
  sw_output_evaluate(fine, of, p->z, p->k, p->lambda, NAN, value);
  sw_zero(room, 2 * (size_t)columns);
  for (int e = 0; e < of->count; e++) {
    const int row = of->pattern != NULL ? of->pattern->row[e] : e;
    const int col = of->pattern != NULL ? of->pattern->col[e] : 0;
    double *largest = &room[2 * col + (row >= fine->nq)];
    entries[e] = (sw_witness_entry){.row = row, .col = col, .value = value[e]};
    *largest = fmax(*largest, fabs(value[e]));
    if (!isfinite(value[e])) {
      return 0;
    }
  }
  for (int e = 0; e < of->count; e++) {
    entries[e].size = room[2 * entries[e].col + (entries[e].row >= fine->nq)];
  }
  return 1;
}

/* Compares v->what with its integral, in the system `fine`, at the points where the table has the
 * terms of the differential equation. */
static void compare_flow(const sw_verifier *v, const sw_witness_opened *c, const sw_system *fine,
                         sw_finding *finding)
{
  const sw_output of = sw_output_of(c->system, v->what);
  const sw_output fine_of = sw_output_of(fine, v->what);
  const size_t count = (size_t)fine_of.count + 1;
  const size_t columns = fine_of.pattern != NULL ? (size_t)fine_of.pattern->cols : 1;
  double *room = malloc((2 * columns + count) * sizeof *room);
  sw_witness_entry *entries = malloc(count * sizeof *entries);
  for (int i = 0; room != NULL && entries != NULL && i < c->at->n_points; i++) {
    const sw_witness_point *p = &c->at->points[i];
    const sw_witness_values *term = witness_find(p, SW_WITNESS_CONSTRAINT_HESS, 0);
    if (term != NULL && term->missing == NULL && integrate(&fine_of, fine, p, room, entries)) {
      const sw_witness_values exact = {.n = fine_of.count, .entries = entries};
      compare_at(v, c->system, &of, p, &exact, i, finding);
    }
  }
  if (room == NULL || entries == NULL) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
  }
  free(room);
  free(entries);
}

void sw_witness_flow(const sw_verifier *v, const sw_witness_opened *c, sw_finding *finding)
{
  char message[SW_SYSTEM_MESSAGE] = "";
  sw_system *fine = NULL;
  if (c->system->fibre != NULL) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "the flow has no closed form; it is integrated from Dg and Hess(lambda.g)");
    return;
  }
  sw_status status = witness_open_at(v, c->at->sizes, &fine, message);
  status = status == SW_OK ? sw_system_integrate_fibre(fine) : status;
  if (status == SW_OK) {
    compare_flow(v, c, fine, finding);
  } else {
    sw_finding_say(finding, SW_CHECK_FAIL, "%s", sw_status_text(status));
  }
  sw_system_free(&fine);
}

void sw_witness_inits(const sw_verifier *v, const sw_witness_opened *c, sw_finding *finding)
{
  for (int i = 0; i < c->at->n_init; i++) {
    const sw_output of = sw_output_init(c->system, i);
    compare_output(v, c, &of, finding);
  }
}

/* Compares the default parameters.  A parameter without a default, which needs data, must be NaN;
 * the table then holds the value used for the examination. */
void sw_witness_defaults(const sw_verifier *v, const sw_witness_opened *c, sw_finding *finding)
{
  const sw_witness_values *exact = c->at->k_default;
  (void)v;
  int e = 0;
  for (int i = 0; exact->missing == NULL && i < c->system->nk; i++) {
    const sw_witness_entry *x =
        e < exact->n && exact->entries[e].row == i ? &exact->entries[e] : NULL;
    const double k = c->system->k_default[i];
    char name[SW_NAME_BYTES];
    e += x != NULL;
    if (c->at->bounds[i].closed & SW_NO_VALUE) {
      sw_finding_take(finding, !isnan(k), "%s has the default %g, and no default is right",
                      sw_system_name(c->system, SW_K, i, name), k);
    } else {
      verify_witness_take(&(computed){.name = "k"}, i, 0, k, x, 0, finding);
    }
  }
}

/* ---- scales ---- */

/* A scale is a bound, so the check tests whether it is valid and not too large.  Valid: |computed
 * - exact| <= a small multiple of eps times the scale, and |exact| <= scale.  Not too large:
 * compared with the magnitude of the terms of the formula as written in the model.
 *
 * For polynomials, no form in the generated C has a larger scale than this magnitude, except for
 * the digits of the table.  For other formulas the scale may be several times as large, and it is
 * checked only near the initial states.  Far away, each form bounds slopes of functions
 * differently. */
static const double few_eps = 64.0 * DBL_EPSILON;
static const double digits_of_table = 1.01;
static const double other_form = 16.0;

static double allowed_factor(const sw_witness *w, int what, const sw_witness_point *p)
{
  if (w->polynomial_g && (what != SW_WITNESS_HIDDEN || w->polynomial_H)) {
    return digits_of_table;
  }
  return p->is_near ? other_form : INFINITY;
}

/* Checks the scales of v->what at point i.  values: scratch for twice the number of values. */
static void verify_witness_check_scale(const sw_verifier *v, const sw_witness_opened *c, int i,
                                       const sw_witness_values *exact, double values[],
                                       sw_finding *finding)
{
  const int is_hidden = v->what == SW_WITNESS_HIDDEN;
  const sw_output function = sw_output_of(c->system, v->what);
  const sw_output scale =
      sw_output_of(c->system, is_hidden ? SW_OUTPUT_HIDDEN_SCALE : SW_OUTPUT_CONSTRAINT_SCALE);
  const sw_witness_point *p = &c->at->points[i];
  const double factor = allowed_factor(v->options.witness, v->what, p);
  /* If rho is contracted from gradients, its scale ignores terms that cancel within the
   * gradients. */
  const int contracted = is_hidden && c->system->model->hidden_scale == NULL;
  double *scales = values + function.count;
  sw_output_evaluate(c->system, &function, p->z, p->k, NULL, NAN, values);
  sw_output_evaluate(c->system, &scale, p->z, p->k, NULL, NAN, scales);
  for (int e = 0; e < exact->n; e++) {
    const sw_witness_entry *x = &exact->entries[e];
    const double found = scales[x->row];
    double error = contracted ? 0.0 : fabs((values[x->row] - x->value) - x->rest) - 1e-30 * x->size;
    double below = fmax(fmax(error, 0.0) / few_eps, fabs(x->value) - few_eps * x->size);
    double figure = fmax(below <= 0.0 ? 0.0 : below / found, sw_figure(found, factor * x->size));
    sw_finding_take(finding, isfinite(found) && found >= 0.0 ? figure : NAN,
                    "%s, number %d: %.3g where the value is %.3g, of terms of %.3g (point %d)",
                    scale.name, x->row, found, x->value, x->size, i);
  }
}

void sw_witness_scale(const sw_verifier *v, const sw_witness_opened *c, sw_finding *finding)
{
  double *values = malloc((size_t)(2 * c->system->nc + 1) * sizeof *values);
  for (int i = 0; values != NULL && i < c->at->n_points; i++) {
    const sw_witness_values *exact = known(v, c, i, 0);
    if (exact != NULL) {
      verify_witness_check_scale(v, c, i, exact, values, finding);
    }
  }
  if (values == NULL) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
  }
  free(values);
}

/* ---- bounds, names, sizes, the run line ---- */

/*
 * Compares the metadata of the model with the table of witnesses: bounds, names, sizes, the run
 * line.
 */

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
                 same_text(a->adjoint, b->adjoint) && same_text(a->iteration, b->iteration) &&
                 same_text(a->init, b->init) && same_number(a->step, b->step) &&
                 same_number(a->t_end, b->t_end) && a->steps == b->steps && a->every == b->every;
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
      full += witness_find(&at->points[i], SW_WITNESS_HAMILTONIAN_GRAD, 0) != NULL;
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
  if (!witness_is_there(v, finding)) {
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
    sw_status status = witness_open_at(v, trial->sizes, &system, message);
    sw_finding_take(finding, (status == SW_OK) != trial->fits, "%s = %ld is %s: %.100s",
                    witness->size_names[0], trial->sizes[0],
                    status == SW_OK ? "accepted" : "refused", message);
    sw_system_free(&system);
  }
}
