/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The model against the table of witnesses that the generator computed from its text (sidewinder/witness.h).
 *
 * An entry is off by |computed - exact|, relative to the size of its terms, which is what rounding is a small
 * multiple of eps of.  An entry that a pattern leaves out is 0, and one that the table leaves out has to be.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/outputs.h"
#include "program/witness_cases.h"

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
static void compare_output(const sw_witness_opened *c, const sw_output *of, sw_witnessed what,
                           sw_finding *finding)
{
  int number = of->init > 0 ? of->init - 1 : 0;
  double *out = malloc((size_t)(of->count + 1) * sizeof *out);
  for (int i = 0; out != NULL && i < c->at->n_points; i++) {
    const sw_witness_point *p = &c->at->points[i];
    const sw_witness_values *exact = sw_witness_find(p, what, number);
    if (exact == NULL || exact->missing != NULL) {
      continue;
    }
    const double *lambda = what == SW_WITNESS_CONSTRAINT_JAC_ALONG ? p->v : p->lambda;
    sw_output_evaluate(c->system, of, p->z, p->k, lambda, NAN, out);
    compare(&(computed){of->name, of->pattern, of->first, of->count, out}, exact, i, finding);
    /* Something was compared, and what is not a number stays. */
    finding->worst = finding->worst < 0.0 ? 0.0 : finding->worst;
  }
  if (out == NULL) {
    sw_finding_fail(finding, "out of memory");
  }
  free(out);
}

static void visit_function(const sw_verifier *v, const sw_witness_opened *c, sw_witnessed what,
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

void sw_check_witness(sw_verifier *v, const char *base, sw_finding *finding)
{
  int what = SW_WITNESS_HAMILTONIAN;
  while (strcmp(sw_output_of(v->system, (sw_witnessed)what).name, base) != 0) {
    what++;
  }
  sw_witness_check(v, visit_function, (sw_witnessed)what, finding);
}

/* ---- what is no function of the state ---- */

static void visit_defaults(const sw_verifier *v, const sw_witness_opened *c, sw_witnessed what,
                           sw_finding *finding)
{
  (void)v;
  (void)what;
  if (c->at->k_default->missing == NULL) {
    compare(&(computed){"k", NULL, 0, c->system->nk, c->system->k_default}, c->at->k_default, 0,
            finding);
  }
}

void sw_check_witness_defaults(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  if (v->system->nk == 0) {
    sw_finding_exclude(finding, "the model has no parameters");
    return;
  }
  sw_witness_check(v, visit_defaults, SW_WITNESS_K_DEFAULT, finding);
}

static void visit_inits(const sw_verifier *v, const sw_witness_opened *c, sw_witnessed what,
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
  sw_witness_check(v, visit_inits, SW_WITNESS_INIT, finding);
}
