/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The model against the table of witnesses that the generator computed from its text (sidewinder/witness.h).
 *
 * An entry is off by |computed - exact|, relative to the size of its terms, which is what rounding is a small
 * multiple of eps of.  An entry that a pattern leaves out is 0, and one that the table leaves out has to be.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/outputs.h"
#include "program/verifier.h"

/* A model at the sizes of one case. */
typedef struct opened {
  const sw_witness_case *at;
  sw_system *system;
} opened;

/* ---- over all cases and points ---- */

/* Opens the model at sizes; *system is NULL where that is not possible. */
static sw_status open_at(const sw_verifier *v, const long sizes[], sw_system **system,
                         char message[])
{
  const sw_witness *witness = v->options.witness;
  sw_size *with = calloc((size_t)witness->n_sizes + 1, sizeof *with);
  *system = NULL;
  if (with == NULL) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < witness->n_sizes; i++) {
    with[i] = (sw_size){witness->size_names[i], sizes[i]};
  }
  sw_status status = sw_system_create(v->system->model, witness->n_sizes, with, system, message);
  free(with);
  return status;
}

/* Opens the model at a case; 0 where that is not possible, which has failed then. */
static int open_case(const sw_verifier *v, int number, opened *c, sw_finding *finding)
{
  char message[SW_SYSTEM_MESSAGE] = "";
  c->at = &v->options.witness->cases[number];
  sw_status status = open_at(v, c->at->sizes, &c->system, message);
  if (status != SW_OK) {
    sw_finding_fail(finding, "case %d: %s", number,
                    message[0] != '\0' ? message : sw_status_text(status));
    return 0;
  }
  const int found[] = {c->system->nq,        c->system->nc,          c->system->nk,
                       c->system->n_observe, c->system->n_invariant, c->system->n_init};
  const int wanted[] = {c->at->nq,        c->at->nc,          c->at->nk,
                        c->at->n_observe, c->at->n_invariant, c->at->n_init};
  if (memcmp(found, wanted, sizeof found) != 0) {
    sw_finding_fail(finding, "case %d: the model has other numbers of variables or functions",
                    number);
    sw_system_free(&c->system);
    return 0;
  }
  return 1;
}

/* Whether there is a table to compare with, and it is this model's. */
static int has_witness(const sw_verifier *v, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  if (witness == NULL) {
    sw_finding_exclude(finding, "the program was made without witnesses");
    return 0;
  }
  if (witness->n_cases == 0) {
    sw_finding_exclude(finding, "no small sizes were found to compute witnesses at");
    return 0;
  }
  if (strcmp(witness->digest, v->system->model->digest) != 0) {
    sw_finding_fail(finding, "the witnesses are those of another model");
    return 0;
  }
  return 1;
}

typedef void visit_case(const sw_verifier *v, const opened *c, sw_witnessed what,
                        sw_finding *finding);

static void each_case(const sw_verifier *v, visit_case *visit, sw_witnessed what,
                      sw_finding *finding)
{
  opened c;
  if (!has_witness(v, finding)) {
    return;
  }
  for (int i = 0; i < v->options.witness->n_cases && finding->outcome == SW_CHECK_PASS; i++) {
    if (open_case(v, i, &c, finding)) {
      visit(v, &c, what, finding);
      sw_system_free(&c.system);
    }
  }
}

static const sw_witness_values *values_of(const sw_witness_point *p, sw_witnessed what, int number)
{
  for (int i = 0; i < p->n; i++) {
    if (p->values[i].what == what && p->values[i].number == number) {
      return &p->values[i];
    }
  }
  return NULL;
}

/* ---- one function at one point ---- */

/* What was computed: count values, at the places of a pattern or, for a vector, from `first` on. */
typedef struct computed {
  const char *name;
  const sw_pattern *pattern;
  int first;
  int count;
  const double *value;
} computed;

static double figure_of(double value, const sw_witness_entry *exact)
{
  double error = exact == NULL ? fabs(value) : fabs((value - exact->value) - exact->rest);
  double size = exact == NULL ? 0.0 : exact->size;
  return error == 0.0 ? 0.0 : error / size;
}

static void take(const computed *c, int row, int col, double value, const sw_witness_entry *exact,
                 int point, sw_finding *finding)
{
  if (c->pattern != NULL) {
    sw_finding_take(finding, figure_of(value, exact),
                    "%s at (%d, %d): %.17g, and %.17g is right (point %d)", c->name, row, col,
                    value, exact == NULL ? 0.0 : exact->value, point);
  } else {
    sw_finding_take(finding, figure_of(value, exact),
                    "%s, number %d: %.17g, and %.17g is right (point %d)", c->name, row, value,
                    exact == NULL ? 0.0 : exact->value, point);
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

/* Goes along the computed and the exact entries, which both are sorted. */
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
        take(c, x->row, x->col, 0.0, x, point, finding);
      }
    }
    if (e < c->count) {
      const sw_witness_entry *x = at < exact->n ? &exact->entries[at] : NULL;
      int is_there = x != NULL && x->row == place_row(c, e) && x->col == place_col(c, e);
      take(c, place_row(c, e), place_col(c, e), c->value[e], is_there ? x : NULL, point, finding);
      at += is_there;
    }
  }
}

/* Evaluates a function at every point of a case at which its values are known. */
static void compare_output(const opened *c, const sw_output *of, sw_witnessed what,
                           sw_finding *finding)
{
  int number = of->init > 0 ? of->init - 1 : 0;
  double *out = malloc((size_t)(of->count + 1) * sizeof *out);
  for (int i = 0; out != NULL && i < c->at->n_points; i++) {
    const sw_witness_point *p = &c->at->points[i];
    const sw_witness_values *exact = values_of(p, what, number);
    if (exact == NULL || exact->missing != NULL) {
      continue;
    }
    const double *lambda = what == SW_WITNESS_CONSTRAINT_JAC_ALONG ? p->v : p->lambda;
    sw_output_evaluate(c->system, of, p->z, p->k, lambda, NAN, out);
    compare(&(computed){of->name, of->pattern, of->first, of->count, out}, exact, i, finding);
    finding->worst = fmax(finding->worst, 0.0);
  }
  if (out == NULL) {
    sw_finding_fail(finding, "out of memory");
  }
  free(out);
}

static void visit_function(const sw_verifier *v, const opened *c, sw_witnessed what,
                           sw_finding *finding)
{
  sw_output of = sw_output_of(c->system, what);
  (void)v;
  if (of.function != NULL || of.lambda_function != NULL) {
    compare_output(c, &of, what, finding);
  }
  for (int half = 0; what == SW_WITNESS_HAMILTONIAN_GRAD && half < 2; half++) {
    of = sw_output_half_gradient(c->system, half);
    if (of.function != NULL) {
      compare_output(c, &of, what, finding);
    }
  }
}

/* Says why nothing was compared. */
static void explain_nothing(const sw_verifier *v, sw_witnessed what, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  if (finding->outcome != SW_CHECK_PASS || finding->worst >= 0.0 || isnan(finding->worst)) {
    return;
  }
  for (int c = 0; c < witness->n_cases; c++) {
    for (int i = 0; i < witness->cases[c].n_points; i++) {
      const sw_witness_values *values = values_of(&witness->cases[c].points[i], what, 0);
      if (values != NULL && values->missing != NULL) {
        sw_finding_exclude(finding, "no witness: %s", values->missing);
        return;
      }
    }
  }
  sw_finding_exclude(finding, "the model has no such function");
}

static void check_function(sw_verifier *v, visit_case *visit, sw_witnessed what,
                           sw_finding *finding)
{
  each_case(v, visit, what, finding);
  explain_nothing(v, what, finding);
}

void sw_check_witness(sw_verifier *v, const char *base, sw_finding *finding)
{
  int what = SW_WITNESS_HAMILTONIAN;
  while (strcmp(sw_output_of(v->system, (sw_witnessed)what).name, base) != 0) {
    what++;
  }
  check_function(v, visit_function, (sw_witnessed)what, finding);
}

/* ---- what is no function of the state ---- */

static void visit_defaults(const sw_verifier *v, const opened *c, sw_witnessed what,
                           sw_finding *finding)
{
  (void)v;
  for (int i = 0; i < c->at->n_points; i++) {
    const sw_witness_values *exact = values_of(&c->at->points[i], what, 0);
    if (exact != NULL && exact->missing == NULL) {
      compare(&(computed){"k", NULL, 0, c->system->nk, c->system->k_default}, exact, i, finding);
    }
  }
}

void sw_check_witness_defaults(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  if (v->system->nk == 0) {
    sw_finding_exclude(finding, "the model has no parameters");
    return;
  }
  check_function(v, visit_defaults, SW_WITNESS_K_DEFAULT, finding);
}

static void visit_inits(const sw_verifier *v, const opened *c, sw_witnessed what,
                        sw_finding *finding)
{
  (void)v;
  for (int i = 0; i < c->at->n_init; i++) {
    const sw_output of = sw_output_init(c->system, i);
    compare_output(c, &of, what, finding);
  }
}

void sw_check_witness_init(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  if (v->system->model->n_init == 0) {
    sw_finding_exclude(finding, "the model has no initial state");
    return;
  }
  check_function(v, visit_inits, SW_WITNESS_INIT, finding);
}

/* An ulp or two: bounds are literals. */
static int same_bound(double a, double b)
{
  return a == b || (isfinite(b) && fabs(a - b) <= 2.0 * DBL_EPSILON * fabs(b));
}

static void visit_bounds(const sw_verifier *v, const opened *c, sw_witnessed what,
                         sw_finding *finding)
{
  (void)v;
  (void)what;
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

void sw_check_witness_bounds(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  if (v->system->nk == 0) {
    sw_finding_exclude(finding, "the model has no parameters");
    return;
  }
  each_case(v, visit_bounds, SW_WITNESS_K_DEFAULT, finding);
}

static void visit_names(const sw_verifier *v, const opened *c, sw_witnessed what,
                        sw_finding *finding)
{
  const int counts[] = {c->at->nq,        c->at->nq,          c->at->nk,    c->at->nc,
                        c->at->n_observe, c->at->n_invariant, c->at->n_init};
  static const sw_name_kind kinds[] = {SW_Q, SW_P, SW_K, SW_C, SW_OBSERVE, SW_INVARIANT};
  char buffer[SW_NAME_BYTES];
  (void)v;
  (void)what;
  for (int kind = 0; kind < 7; kind++) {
    for (int i = 0; i < counts[kind]; i++) {
      const char *right = c->at->names[kind][i];
      const char *found = kind < 6 ? sw_system_name(c->system, kinds[kind], i, buffer)
                                   : sw_system_init_name(c->system, i);
      sw_finding_take(finding, strcmp(found, right) != 0, "'%.80s' should be '%.80s'", found,
                      right);
    }
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

/* What the model says of itself: its name, sizes and `run` line. */
static void compare_sayings(const sw_model *model, const sw_witness *right, sw_finding *finding)
{
  const sw_loops *loops = model->loops;
  const sw_run_defaults *a = &model->run;
  const sw_run_defaults *b = &right->run;
  int same_run = same_text(a->method, b->method) && same_text(a->base, b->base) &&
                 same_text(a->init, b->init) && same_number(a->step, b->step) &&
                 same_number(a->t_end, b->t_end) && a->steps == b->steps && a->every == b->every;
  sw_finding_take(finding, !same_text(model->name, right->name), "'%.80s' should be '%.80s'",
                  model->name, right->name);
  sw_finding_take(finding, !same_text(model->title, right->title), "'%.80s' should be '%.80s'",
                  model->title, right->title);
  sw_finding_take(finding, !same_run, "the run line is not the model's");
  sw_finding_take(finding, (loops == NULL ? 0 : loops->n_sizes) != right->n_sizes,
                  "the model has another number of sizes");
  for (int i = 0; loops != NULL && i < loops->n_sizes && i < right->n_sizes; i++) {
    sw_finding_take(finding,
                    loops->size_default[i] != right->size_default[i] ||
                        !same_text(loops->size_names[i], right->size_names[i]),
                    "the default of size %s is not %ld", right->size_names[i],
                    right->size_default[i]);
  }
}

void sw_check_witness_names(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  if (v->options.witness != NULL) {
    compare_sayings(v->system->model, v->options.witness, finding);
  }
  each_case(v, visit_names, SW_WITNESS_K_DEFAULT, finding);
}

/* ---- sizes ---- */

void sw_check_witness_sizes(sw_verifier *v, const char *base, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  (void)base;
  if (!has_witness(v, finding)) {
    return;
  }
  if (witness->n_trials == 0) {
    sw_finding_exclude(finding, "the sizes are fixed");
    return;
  }
  for (int i = 0; i < witness->n_trials; i++) {
    const sw_witness_trial *trial = &witness->trials[i];
    sw_system *system = NULL;
    char message[SW_SYSTEM_MESSAGE] = "";
    sw_status status = open_at(v, trial->sizes, &system, message);
    sw_finding_take(finding, (status == SW_OK) != trial->fits, "%s = %ld is %s: %.100s",
                    witness->size_names[0], trial->sizes[0],
                    status == SW_OK ? "accepted" : "refused", message);
    sw_system_free(&system);
  }
}

/* ---- scales ---- */

/* A scale is a bound, so it is held against what it says: |computed - exact| <= a small multiple of eps times the
 * scale, and |exact| <= scale.  It must not be much larger than the size of the terms of the formula as it is written.
 * No form that the C may have of a polynomial has a larger one, but for the digits of the table.  Of other formulas it
 * may be a few times as large, which is looked at near the initial states only: far away each form bounds slopes of
 * functions in its own way. */
static const double few_eps = 64.0 * DBL_EPSILON;
static const double digits_of_table = 1.01;
static const double other_form = 16.0;

static double allowed_factor(const sw_witness *w, sw_witnessed what, const sw_witness_point *p)
{
  if (w->polynomial_g && (what != SW_WITNESS_HIDDEN || w->polynomial_H)) {
    return digits_of_table;
  }
  return p->is_near ? other_form : INFINITY;
}

static void check_scale(const sw_verifier *v, const opened *c, const sw_output *value,
                        const sw_output *scale, const sw_witness_values *exact,
                        const sw_witness_point *p, int point, double out[], sw_finding *finding)
{
  double *scales = out + value->count;
  /* Contracted from gradients, rho has a scale that does not see what cancels within them. */
  double factor = allowed_factor(v->options.witness, exact->what, p);
  int contracted = c->system->looped != NULL && exact->what == SW_WITNESS_HIDDEN;
  sw_output_evaluate(c->system, value, p->z, p->k, NULL, NAN, out);
  sw_output_evaluate(c->system, scale, p->z, p->k, NULL, NAN, scales);
  for (int e = 0; e < exact->n; e++) {
    const sw_witness_entry *x = &exact->entries[e];
    int i = x->row;
    double error = contracted ? 0.0 : fabs((out[i] - x->value) - x->rest) - 1e-30 * x->size;
    double below = fmax(fmax(error, 0.0) / few_eps, fabs(x->value) - few_eps * x->size);
    double figure = fmax(below <= 0.0 ? 0.0 : below / scales[i],
                         scales[i] == 0.0 ? 0.0 : scales[i] / (factor * x->size));
    if (getenv("RATIO"))
      fprintf(stderr, "RATIO %s %.17g\n", scale->name, scales[i] / x->size);
    sw_finding_take(finding, isfinite(scales[i]) && scales[i] >= 0.0 ? figure : NAN,
                    "%s, number %d: %.3g where the value is %.3g, of terms of %.3g (point %d)",
                    scale->name, i, scales[i], x->value, x->size, point);
  }
}

static void visit_scale(const sw_verifier *v, const opened *c, sw_witnessed what,
                        sw_finding *finding)
{
  sw_output value = sw_output_of(c->system, what);
  sw_output scale = what == SW_WITNESS_CONSTRAINT ? sw_output_constraint_scale(c->system)
                                                  : sw_output_hidden_scale(c->system);
  double *out = malloc((size_t)(2 * value.count + 1) * sizeof *out);
  for (int i = 0; out != NULL && i < c->at->n_points; i++) {
    const sw_witness_point *p = &c->at->points[i];
    const sw_witness_values *exact = values_of(p, what, 0);
    if (exact != NULL && exact->missing == NULL) {
      check_scale(v, c, &value, &scale, exact, p, i, out, finding);
    }
  }
  if (out == NULL) {
    sw_finding_fail(finding, "out of memory");
  }
  free(out);
}

void sw_check_witness_constraint_scale(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  check_function(v, visit_scale, SW_WITNESS_CONSTRAINT, finding);
}

void sw_check_witness_hidden_scale(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  check_function(v, visit_scale, SW_WITNESS_HIDDEN, finding);
}
