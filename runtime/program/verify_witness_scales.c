/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scales of g and rho against the table of witnesses.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "program/outputs.h"
#include "program/witness_cases.h"

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

static void check_scale(const sw_verifier *v, const sw_witness_opened *c, const sw_output *value,
                        const sw_output *scale, const sw_witness_values *exact,
                        const sw_witness_point *p, int point, double out[], sw_finding *finding)
{
  double *scales = out + value->count;
  /* Contracted from gradients, rho has a scale that does not see what cancels within them. */
  double factor = allowed_factor(v->options.witness, exact->what, p);
  int contracted = c->system->model->hidden_scale == NULL && exact->what == SW_WITNESS_HIDDEN;
  sw_output_evaluate(c->system, value, p->z, p->k, NULL, NAN, out);
  sw_output_evaluate(c->system, scale, p->z, p->k, NULL, NAN, scales);
  for (int e = 0; e < exact->n; e++) {
    const sw_witness_entry *x = &exact->entries[e];
    int i = x->row;
    double error = contracted ? 0.0 : fabs((out[i] - x->value) - x->rest) - 1e-30 * x->size;
    double below = fmax(fmax(error, 0.0) / few_eps, fabs(x->value) - few_eps * x->size);
    double figure = fmax(below <= 0.0 ? 0.0 : below / scales[i],
                         scales[i] == 0.0 ? 0.0 : scales[i] / (factor * x->size));
    sw_finding_take(finding, isfinite(scales[i]) && scales[i] >= 0.0 ? figure : NAN,
                    "%s, number %d: %.3g where the value is %.3g, of terms of %.3g (point %d)",
                    scale->name, i, scales[i], x->value, x->size, point);
  }
}

static void visit_scale(const sw_verifier *v, const sw_witness_opened *c, sw_witnessed what,
                        sw_finding *finding)
{
  sw_output value = sw_output_of(c->system, what);
  sw_output scale = what == SW_WITNESS_CONSTRAINT ? sw_output_constraint_scale(c->system)
                                                  : sw_output_hidden_scale(c->system);
  double *out = malloc((size_t)(2 * value.count + 1) * sizeof *out);
  for (int i = 0; out != NULL && i < c->at->n_points; i++) {
    const sw_witness_point *p = &c->at->points[i];
    const sw_witness_values *exact = sw_witness_find(p, what, 0);
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
  sw_witness_check(v, visit_scale, SW_WITNESS_CONSTRAINT, finding);
}

void sw_check_witness_hidden_scale(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  sw_witness_check(v, visit_scale, SW_WITNESS_HIDDEN, finding);
}
