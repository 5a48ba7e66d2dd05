/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the derivatives of a step with respect to the parameters and the step size
 * (sidewinder/derivatives.h), which come from the lifted model, against differences of steps.
 */
#include <math.h>
#include <stdlib.h>

#include "common/vectors.h"
#include "program/stepping.h"
#include "sidewinder/derivatives.h"
#include "sim/sim_internal.h"

enum { MOST_COLUMNS = 200 };

/* Steps from one state, as a function of one parameter or of the step size. */
typedef struct shifted_steps {
  sw_sim *sim;
  const sw_point *at;
  sw_known known; /* results of the tests of the state with the parameters of the point */
  int column;     /* the parameter, or nk for the step size */
  double h;
} shifted_steps;

/* Writes the end of the step with the parameter v[0]; NaN if the step fails.  The step starts from
 * the same state, although the parameter may move M. */
static void shifted_end(void *context, const double v[], double out[])
{
  const shifted_steps *of = context;
  sw_sim *sim = of->sim;
  const int of_h = of->column == sim->system->nk;
  const size_t n = 2 * (size_t)sim->system->nq;
  sw_status status = sw_sim_set_state(sim, 0.0, of->at->z);

  sim->state.known = of->known;
  if (!of_h) {
    sim->k[of->column] = v[0];
  }
  status = status == SW_OK ? sw_sim_step(sim, of_h ? v[0] : of->h) : status;
  if (!of_h) {
    sim->k[of->column] = of->at->k[of->column];
  }
  for (size_t i = 0; i < n; i++) {
    out[i] = status == SW_OK ? sim->state.z[i] : NAN;
  }
}

/* The typical size of a parameter or of the step size, within the bounds; 0 at a bound. */
static double length_of(const shifted_steps *of, double value)
{
  const double size = value == 0.0 ? 1.0 : fabs(value);
  if (of->column == of->sim->system->nk) {
    return size;
  }
  const sw_bounds bounds = sw_system_bounds(of->sim->system, of->column);
  return fmin(size, fmin(value - bounds.lower, bounds.upper - value));
}

/* Writes the magnitudes of the terms of ends, for sw_difference_compare.  A step is exact up to the
 * tolerance of its solves, which is a hundred times the rounding of that function.  Returns 0 if it
 * is less exact because its solves are ill-conditioned: second differences for tiny shifts of the
 * parameter x show a larger noise. */
static int terms_of_ends(const sw_verifier *v, shifted_steps *of, double x, double length,
                         double terms[])
{
  enum { SAMPLES = 8 };
  const double largest_noise = 1e-11;
  double *end = v->work[2];
  double *next = v->work[3];
  double *before = v->work[4];
  double noise = 0.0;
  for (int i = 0; i < v->n; i++) {
    terms[i] = 100.0 * (v->length[i] + fabs(of->at->z[i]));
  }
  shifted_end(of, &x, end);
  for (int sample = 1; sample <= SAMPLES; sample++) {
    const double above = x + 1e-9 * sample * length;
    const double below = x - 1e-9 * sample * length;
    shifted_end(of, &above, next);
    shifted_end(of, &below, before);
    for (int i = 0; i < v->n; i++) {
      noise = fmax(noise, 100.0 * fabs(next[i] - 2.0 * end[i] + before[i]) / terms[i]);
    }
  }
  return noise <= largest_noise;
}

/* Compares column of->column of the derivative, n values. */
static sw_status compare_column(sw_verifier *v, shifted_steps *of, const double value[],
                                sw_finding *finding)
{
  const int of_h = of->column == of->sim->system->nk;
  const double x = of_h ? of->h : of->at->k[of->column];
  const double length = length_of(of, x);
  double *terms = v->work[0];
  double *none = v->work[1];
  sw_difference_worst worst;
  if (length > 0.0 && !terms_of_ends(v, of, x, length, terms)) {
    finding->outcome = SW_CHECK_NOT_APPLICABLE;
    return SW_OK;
  }
  sw_zero(none, (size_t)v->n);
  const sw_difference difference = {.evaluate = shifted_end,
                                    .context = of,
                                    .rows = v->n,
                                    .cols = 1,
                                    .v = &x,
                                    .length = &length,
                                    .value = value,
                                    .terms = terms,
                                    .value_terms = none};
  const sw_status status = length > 0.0 ? sw_difference_compare(&difference, &worst) : SW_OK;
  if (status == SW_OK && length > 0.0) {
    sw_finding_take(finding, worst.figure,
                    "%s along %s: %.17g computed, %.17g by differences (h = %g, point %d)",
                    sw_verifier_z_name(v, worst.row), of_h ? "h" : v->names[SW_K][of->column],
                    worst.generated, worst.difference, of->h, of->at->number);
  }
  return status;
}

/* Compares all columns at a point. */
static sw_status compare_columns(sw_verifier *v, const sw_stepping *stepping, const sw_point *at,
                                 double h, sw_finding *finding)
{
  shifted_steps of = {.sim = stepping->first, .at = at, .h = h};
  const size_t n = (size_t)v->n;
  const int nk = v->system->nk;
  double *D = malloc(n * ((size_t)nk + 1) * sizeof *D);
  if (D == NULL) {
    return SW_ERR_MEMORY;
  }
  sw_status status = sw_sim_set_state(of.sim, 0.0, at->z);
  if (status == SW_OK) {
    status = sw_sim_tangent_parameters(of.sim, h, D);
  }
  if (status == SW_OK) {
    status = sw_step_examine_start(of.sim, h);
    sw_step_forget(of.sim);
    of.known = of.sim->state.known;
    of.known.checked = 1;
  }
  for (; of.column <= nk && status == SW_OK && finding->outcome == SW_CHECK_PASS; of.column++) {
    status = compare_column(v, &of, D + n * (size_t)of.column, finding);
  }
  free(D);
  return status;
}

void sw_check_along_parameters(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  sw_stepping stepping;
  (void)at;
  if (v->system->nk + 1 > MOST_COLUMNS) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "differences for more than %d parameters take too long; try smaller sizes",
                   MOST_COLUMNS);
    return;
  }
  if (sw_stepping_init(v, v->method, NULL, v->method, NULL, &stepping, finding)) {
    sw_stepping_try(v, &stepping, compare_columns, v->method, finding);
    if (finding->outcome == SW_CHECK_NOT_APPLICABLE) {
      finding->worst = -1.0;
      sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                     "differences are too inexact: the solves of steps are ill-conditioned");
    }
  }
  sw_stepping_clear(&stepping);
}
