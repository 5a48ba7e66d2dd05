/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks flows: the fibre flow, and the parts of H with their flows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/symplectic.h"
#include "common/carver.h"
#include "common/vectors.h"
#include "linear/sparse.h"
#include "program/stepping.h"
#include "program/verifier.h"
#include "step/flows.h"
#include "step/splitting.h"

/* ---- the fibre flow ---- */

/*
 * Checks identities of the fibre flow Gamma_lambda = exp(sum_i lambda_i X_{g_i}) (paper 000,
 * Corollary 3.7).  If the constraints do not commute, the group property and the derivative
 * formula hold only along one direction of lambda.  Then only this direction is checked.
 */

void sw_check_flow_zero(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_point still = {at->number, at->z, at->k, v->work[0]};
  sw_zero(still.lambda, (size_t)v->system->nc);
  sw_finding_take_state(finding, v, sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW, &still), at->z,
                        "Gamma_0(z)", at->number);
}

/* |g| at the end of the flow.  The size of each g_i is its scale plus the effect of an error of z
 * in the units of `length`.  The addition is needed for a constraint with one term, such as p =
 * 0, whose scale vanishes on M. */
void sw_check_flow_tangent(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_pattern *pattern = &v->system->constraint_jac_pattern;
  const sw_point end = {at->number, sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW, at), at->k,
                        at->lambda};
  const double *g = sw_verifier_value(v, SW_WITNESS_CONSTRAINT, &end);
  const double *Dg = sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, &end);
  double *size = sw_verifier_value(v, SW_OUTPUT_CONSTRAINT_SCALE, &end);
  for (int e = 0; e < pattern->entries; e++) {
    size[pattern->row[e]] += fabs(Dg[e]) * v->length[pattern->col[e]];
  }
  for (int i = 0; i < v->system->nc; i++) {
    sw_finding_take(finding, sw_figure(g[i], size[i]), "%s = %.3g after the flow (point %d)",
                    v->names[SW_C][i], g[i], at->number);
  }
}

/* Gamma_b(Gamma_a(z)) = Gamma_{a+b}(z) */
void sw_check_flow_group(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const size_t n = (size_t)v->n;
  const sw_point first = {at->number, at->z, at->k, v->work[0]};
  const sw_point second = {at->number, v->work[1], at->k, v->work[2]};
  double *end = v->work[3];
  double part = 0.4;
  for (int i = 0; i < v->system->nc; i++) {
    if (v->system->model->structure.commuting) {
      part = sw_verifier_random(v);
    }
    first.lambda[i] = part * at->lambda[i];
    second.lambda[i] = at->lambda[i] - first.lambda[i];
  }
  sw_copy(second.z, sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW, &first), n);
  sw_copy(end, sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW, &second), n);
  sw_finding_take_state(finding, v, end, sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW, at),
                        "Gamma_b(Gamma_a(z))", at->number);
}

/* Compares dGamma/dlambda . w with sum_i w_i X_{g_i}(Gamma).  value[] must hold dGamma/dlambda,
 * and Dg at Gamma. */
static void check_direction(sw_verifier *v, const double w[], int point, sw_finding *finding)
{
  double *derivative = v->work[1];
  double *size = v->work[2];
  double *gradient = v->work[3];
  double *magnitude = v->work[4];
  double *field = v->work[5];
  const sw_pattern *jacobian = &v->system->constraint_jac_pattern;
  const double *Dg = v->value[SW_WITNESS_CONSTRAINT_JAC];
  const int d = v->system->nq;
  double largest = 0.0;
  sw_verifier_multiply(v, SW_WITNESS_FIBRE_FLOW_LAMBDA, w, derivative, size);
  sw_verifier_multiply_transposed(v, SW_WITNESS_CONSTRAINT_JAC, w, gradient, magnitude);
  sw_verifier_field(v, gradient, field);
  for (int e = 0; e < jacobian->entries; e++) {
    largest = fmax(largest, fabs(w[jacobian->row[e]] * Dg[e]));
  }
  for (int i = 0; i < v->n; i++) {
    const double terms = size[i] + magnitude[i < d ? i + d : i - d];
    sw_finding_take(finding, sw_figure(derivative[i] - field[i], terms + 1e-3 * largest),
                    "%s: dGamma/dlambda gives %.17g, X_g %.17g (point %d)",
                    sw_verifier_z_name(v, i), derivative[i], field[i], point);
  }
}

void sw_check_flow_generator(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_point end = {at->number, sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW, at), at->k,
                        at->lambda};
  double *w = v->work[0];
  sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW_LAMBDA, at);
  sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, &end);
  if (!v->system->model->structure.commuting) {
    check_direction(v, at->lambda, at->number, finding);
    return;
  }
  sw_zero(w, (size_t)v->system->nc);
  for (int i = 0; i < v->system->nc; i++) {
    w[i] = 1.0;
    check_direction(v, w, at->number, finding);
    w[i] = 0.0;
  }
}

/* Checks z + increment = Gamma.  Also checks the increment of a short slide against
 * dGamma/dlambda at its middle; the difference Gamma - z would lose half of its digits there. */
void sw_check_flow_increment(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const double t = 0x1p-26;
  const sw_point near = {at->number, at->z, at->k, v->work[0]};
  double *derivative = v->work[1];
  double *size = v->work[2];
  double *end = v->work[3];
  const double *increment = sw_verifier_value(v, SW_OUTPUT_FIBRE_INCREMENT, at);
  for (int i = 0; i < v->n; i++) {
    end[i] = at->z[i] + increment[i];
  }
  sw_finding_take_state(finding, v, end, sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW, at),
                        "z + increment", at->number);
  for (int i = 0; i < v->system->nc; i++) {
    near.lambda[i] = t / 2.0 * at->lambda[i];
  }
  sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW_LAMBDA, &near);
  sw_verifier_multiply(v, SW_WITNESS_FIBRE_FLOW_LAMBDA, at->lambda, derivative, size);
  for (int i = 0; i < v->system->nc; i++) {
    near.lambda[i] *= 2.0;
  }
  increment = sw_verifier_value(v, SW_OUTPUT_FIBRE_INCREMENT, &near);
  for (int i = 0; i < v->n; i++) {
    sw_finding_take(finding, sw_figure(increment[i] / t - derivative[i], size[i]),
                    "%s: a short slide adds %.17g for each unit of lambda, dGamma/dlambda %.17g "
                    "(point %d)",
                    sw_verifier_z_name(v, i), increment[i] / t, derivative[i], at->number);
  }
}

/* Gamma is symplectic: omega(S u, S w) = omega(u, w) for S = dGamma/dz and random u and w in the
 * units of `length`.  The number of pairs is the dimension, at most 16. */
void sw_check_flow_symplectic(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const int d = v->system->nq;
  double **work = v->work;
  double size;
  sw_verifier_value(v, SW_WITNESS_FIBRE_FLOW_Z, at);
  for (int pair = 0; pair < v->n && pair < 16; pair++) {
    for (int i = 0; i < v->n; i++) {
      work[0][i] = v->length[i] * sw_verifier_random(v);
      work[1][i] = v->length[i] * sw_verifier_random(v);
    }
    sw_verifier_multiply(v, SW_WITNESS_FIBRE_FLOW_Z, work[0], work[2], work[3]);
    sw_verifier_multiply(v, SW_WITNESS_FIBRE_FLOW_Z, work[1], work[4], work[5]);
    const double before = sw_symplectic_form(d, work[0], work[1], &size);
    const double after = sw_symplectic_form(d, work[2], work[4], &size);
    sw_symplectic_form(d, work[3], work[5], &size);
    sw_finding_take(finding, fabs(after - before) / size,
                    "omega(Su,Sw) = %.17g, omega(u,w) = %.17g (point %d)", after, before,
                    at->number);
  }
}

/* ---- the parts of H for splitting methods ---- */

/*
 * Checks the parts of H: their sum must be H, and their flows must be exact.
 */

/* Returns the values of a part's function, in an array that was filled with NaN first.  The
 * caller frees it; NULL if memory is short. */
static double *evaluated(const sw_verifier *v, sw_function *function, int count, const sw_point *at)
{
  double *values = malloc(((size_t)count + 1) * sizeof *values);
  for (int i = 0; values != NULL && i < count; i++) {
    values[i] = NAN;
  }
  if (values != NULL) {
    function(sw_system_sizes(v->system), at->z, at->k, values);
  }
  return values;
}

/* Adds a part's gradient, and its Hessian times w, to sum[0] and sum[1], and their magnitudes to
 * size[].  Returns 0 if memory is short. */
static int verify_parts_add_part(const sw_verifier *v, const sw_part *part, const sw_point *at,
                                 const double w[], double *sum[2], double *size[2])
{
  const sw_places *places = &part->hess.places;
  const sw_pattern lower = {v->n, v->n, places->n, places->row, places->col};
  double *grad = evaluated(v, part->grad, v->n, at);
  double *hess = evaluated(v, part->hess.values, places->n, at);
  const int good = grad != NULL && hess != NULL;
  for (int i = 0; good && i < v->n; i++) {
    sum[0][i] += grad[i];
    size[0][i] += fabs(grad[i]);
  }
  if (good) {
    sw_symmetric_add(&lower, 1.0, hess, w, sum[1]);
    sw_add_sizes(&lower, hess, w, size[1]);
  }
  free(grad);
  free(hess);
  return good;
}

void sw_check_parts_add_up(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  static const char *const what[] = {"the gradients", "the Hessians"};
  const sw_model *model = v->system->model;
  double *sum[2] = {v->work[0], v->work[1]};
  double *size[2] = {v->work[2], v->work[3]};
  double *w = v->work[4];
  const size_t n = (size_t)v->n;
  for (size_t i = 0; i < n; i++) {
    w[i] = v->length[i] * sw_verifier_random(v);
    sum[0][i] = sum[1][i] = size[0][i] = size[1][i] = 0.0;
  }
  for (int i = 0; i < model->n_parts; i++) {
    if (!verify_parts_add_part(v, &model->parts[i], at, w, sum, size)) {
      sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
      return;
    }
  }
  const double *grad = sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_GRAD, at);
  double *whole = v->work[5];
  const double *hess = sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_HESS, at);
  sw_symmetric_multiply(&v->system->hamiltonian_hess_pattern, hess, 1, w, whole);
  sw_verifier_add_sizes(v, SW_WITNESS_HAMILTONIAN_HESS, w, size[1]);
  for (size_t i = 0; i < 2 * n; i++) {
    const size_t j = i % n;
    const double expected = i < n ? grad[j] : whole[j];
    sw_finding_take(finding, sw_figure(sum[i / n][j] - expected, size[i / n][j] + fabs(expected)),
                    "%s add up to %.17g at %s, not to %.17g (point %d)", what[i / n], sum[i / n][j],
                    sw_verifier_z_name(v, (int)j), expected, at->number);
  }
}

/* ---- flows ---- */

/* Compares each flow over the whole step with the same flow over two parts of the step. */
static void check_group(sw_verifier *v, sw_flow_step *step, const sw_point *at, double h,
                        sw_finding *finding)
{
  char what[64];
  for (int i = 0; i < step->flows->n_maps; i++) {
    const double first = 0.3 + 0.4 * fabs(sw_verifier_random(v));
    sw_part_flow *flow = &step->part[i];
    (void)sw_part_flow_values(flow, first * h, at->z, at->k, v->work[0]);
    (void)sw_part_flow_values(flow, h - first * h, v->work[0], at->k, v->work[1]);
    (void)sw_part_flow_values(flow, h, at->z, at->k, v->work[2]);
    snprintf(what, sizeof what, "two steps of part %d", i + 1);
    sw_finding_take_state(finding, v, v->work[1], v->work[2], what, at->number);
  }
}

void sw_check_parts_exact(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  sw_carver counting = {NULL, 0, 0};
  sw_splitting *splitting = calloc(1, sizeof *splitting);
  sw_flow_step step = {.system = v->system, .k = at->k};
  sw_status status = splitting ? sw_splitting_make(v->system, splitting) : SW_ERR_MEMORY;
  char *block = NULL;
  if (status == SW_OK) {
    step.flows = &splitting->flows;
    step.parts = splitting->part;
    sw_flow_step_carve(&counting, 1, &step);
    block = counting.overflow ? NULL : calloc(counting.used, 1);
  }
  if (block != NULL) {
    sw_flow_step_carve(&(sw_carver){block, 0, 0}, 1, &step);
    check_group(v, &step, at, sw_stepping_first_step(v->system), finding);
  } else {
    sw_finding_say(finding, SW_CHECK_FAIL, "%s", sw_status_text(status ? status : SW_ERR_MEMORY));
  }
  if (splitting) {
    sw_splitting_free(splitting);
  }
  free(splitting);
  free(block);
}
