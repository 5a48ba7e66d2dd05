/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the invariants along solutions on M^H, for which zdot = X_H + sum_j lambda_j X_{g_j}:
 *
 *   dI/dt = {I,H} + sum_j lambda_j {I,g_j} = 0.
 *
 * The lambda keeps rho at 0:  0 = drho_i/dt = {rho_i,H} + sum_j N_ij lambda_j.  The single
 * {I,g_j} need not be 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/motion_multipliers.h"
#include "common/vectors.h"
#include "program/difference.h"
#include "program/verifier.h"

/* Data at a point of M^H: the velocity, and the gradients of the invariants from finite
 * differences.  A column holds the n_invariant derivatives with respect to one entry of z. */
typedef struct motion {
  double *velocity;   /* 2d: zdot */
  double *size;       /* 2d: magnitudes of the terms of zdot */
  double *lambda;     /* m */
  double *terms;      /* n_invariant: |I_i| + sum_j |dI_i/dz_j z_j| */
  double *derivative; /* 2d columns */
  double *rounding;   /* 2d columns: rounding errors of the derivatives */
  sw_motion *exact;   /* NULL without constraints */
} motion;

typedef struct context {
  sw_verifier *v;
  const sw_point *at;
} context;

static void evaluate_invariants(void *data, const double z[], double out[])
{
  const context *c = data;
  sw_output_evaluate(c->v->system, &c->v->output[SW_WITNESS_INVARIANT], z, c->at->k, NULL, NAN,
                     out);
}

/* Differentiates twice, because the magnitudes of the terms need the derivatives. */
static sw_status differentiate(sw_verifier *v, const sw_point *at, const motion *of)
{
  const size_t rows = (size_t)v->system->n_invariant;
  context c = {v, at};
  const sw_difference difference = {.evaluate = evaluate_invariants,
                                    .context = &c,
                                    .rows = v->system->n_invariant,
                                    .cols = v->n,
                                    .v = at->z,
                                    .length = v->length};
  double *sum = v->work[0];
  sw_status status = SW_OK;
  sw_zero(of->terms, rows);
  for (int pass = 0; pass < 2 && status == SW_OK; pass++) {
    evaluate_invariants(&c, at->z, sum);
    for (size_t i = 0; i < rows; i++) {
      sum[i] = fabs(sum[i]);
    }
    for (int j = 0; j < v->n && status == SW_OK; j++) {
      double *column = of->derivative + (size_t)j * rows;
      status =
          sw_difference_column(&difference, j, of->terms, column, of->rounding + (size_t)j * rows);
      for (size_t i = 0; i < rows; i++) {
        sum[i] += fabs(column[i] * at->z[j]);
      }
    }
    sw_copy(of->terms, sum, rows);
  }
  return status;
}

/* Computes zdot = X_f for f = H + lambda . g.  Errors: those of sw_motion_multipliers. */
static sw_status find_velocity(sw_verifier *v, const sw_point *at, const motion *to)
{
  const int d = v->system->nq;
  double *gradient = sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_GRAD, at);
  double *along = v->work[0];
  double *magnitude = v->work[1];
  sw_status status = SW_OK;
  sw_zero(along, (size_t)v->n);
  sw_zero(magnitude, (size_t)v->n);
  if (v->system->nc > 0) {
    sw_verifier_field(v, gradient, to->velocity);
    status = sw_motion_multipliers(to->exact, at->k, at->z, to->lambda);
    sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
    sw_verifier_multiply_transposed(v, SW_WITNESS_CONSTRAINT_JAC, to->lambda, along, magnitude);
  }
  for (int i = 0; i < v->n; i++) {
    to->size[i < d ? i + d : i - d] = fabs(gradient[i]) + magnitude[i];
    gradient[i] += along[i];
  }
  sw_verifier_field(v, gradient, to->velocity);
  return status;
}

/* Checks dI_i/dt relative to the magnitudes of its terms and to rounding. */
static void check_rates(const sw_verifier *v, const motion *of, int point, sw_finding *finding)
{
  size_t rows = (size_t)v->system->n_invariant;
  for (size_t i = 0; i < rows; i++) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (int j = 0; j < v->n; j++) {
      double derivative = of->derivative[(size_t)j * rows + i];
      double rounding = of->rounding[(size_t)j * rows + i];
      if (of->size[j] == 0.0) {
        continue;
      }
      sum += derivative * of->velocity[j];
      magnitude += of->size[j] * (fabs(derivative) + rounding / finding->tolerance);
    }
    sw_finding_take(finding, sw_figure(sum, magnitude),
                    "d(%s)/dt = %.3g on M^H, of terms of %.3g (point %d)",
                    v->names[SW_INVARIANT][i], sum, magnitude, point);
  }
}

/* Checks one point of M^H with its parameters.  Returns 1 if N is regular there. */
static int check_at(sw_verifier *v, const sw_point *at, const motion *of, sw_finding *finding)
{
  sw_status status = find_velocity(v, at, of);
  if (status == SW_OK) {
    status = differentiate(v, at, of);
  }
  if (status == SW_ERR_MEMORY) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
  } else if (status == SW_OK) {
    check_rates(v, of, at->number, finding);
  }
  return status == SW_OK;
}

/* Checks all points.  Points with the default parameters decide; failures with other parameters
 * are only noted. */
static void verify_invariants_check_points(sw_verifier *v, const motion *of, sw_finding *finding)
{
  sw_finding others = {.worst = -1.0, .tolerance = finding->tolerance};
  int regular = 0;
  for (int i = 0; i < v->reached; i++) {
    int own = sw_verifier_has_defaults(v, &v->on[i]);
    int good = check_at(v, &v->on[i], of, own ? finding : &others);
    regular += own && good;
  }
  if (regular == 0 && finding->outcome == SW_CHECK_PASS) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "no point was reached with the default parameters at which N is regular");
  } else if (finding->worst <= finding->tolerance && !(others.worst <= others.tolerance)) {
    sw_finding_say(finding, finding->outcome, "with the default parameters; with others %.120s",
                   others.note);
  }
}

void sw_check_invariants(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const size_t rows = (size_t)v->system->n_invariant;
  const size_t n = (size_t)v->n;
  double *block = malloc((rows + 2 * rows * n + 2 * n + (size_t)v->system->nc) * sizeof *block);
  (void)at;
  const int is_redundant = strcmp(v->redundant, "drop") == 0;
  sw_motion *exact = NULL;
  if (block == NULL ||
      (v->system->nc > 0 &&
       sw_motion_create(v->system, is_redundant ? SW_REDUNDANT_MIN_NORM : SW_REDUNDANT_ERROR, 0,
                        &exact) != SW_OK)) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
    free(block);
    return;
  }
  motion of = {.velocity = block, .size = block + n, .terms = block + 2 * n, .exact = exact};
  of.derivative = of.terms + rows;
  of.rounding = of.derivative + rows * n;
  of.lambda = of.rounding + rows * n;
  verify_invariants_check_points(v, &of, finding);
  sw_motion_free(&exact);
  free(block);
}
