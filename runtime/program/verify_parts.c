/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the parts of H: their sum must be H, and their flows must be exact.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/carver.h"
#include "common/vectors.h"
#include "linear/sparse.h"
#include "program/stepping.h"
#include "step/flows.h"
#include "step/splitting.h"

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
