/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/kick.h"

#include <math.h>
#include <stdlib.h>

#include "linear/sparse.h"

/* 1 if entry e of a matrix m x 2d is in a column of a momentum. */
static int is_of_p(const sw_kick *kick, const sw_pattern *pattern, int e)
{
  return pattern->col[e] >= kick->system->nq;
}

/* Finds the entries of F_p on the diagonal, with which the flow is exact.  Returns SW_ERR_MEMORY if
 * memory runs out. */
static sw_status find_decay(sw_kick *kick)
{
  const sw_pattern *slope = &kick->system->force_jac_pattern;
  const int d = kick->system->nq;

  kick->decay = malloc((size_t)d * sizeof *kick->decay);
  if (!kick->decay) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < d; i++) {
    kick->decay[i] = -1;
  }
  for (int e = 0; e < slope->entries; e++) {
    if (slope->col[e] == slope->row[e] + d) {
      kick->decay[slope->row[e]] = e;
    }
  }
  return SW_OK;
}

/* Plans the contributions to the Jacobian, in the order of sw_kick_jacobian. */
static sw_status kick_plan_jacobian(sw_kick *kick)
{
  const sw_system *system = kick->system;
  const sw_pattern *slope = &system->force_jac_pattern;
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const int d = system->nq;
  sw_gathered all = {0};

  for (int i = 0; i < d; i++) {
    sw_gather(&all, i, i);
  }
  for (int e = 0; e < slope->entries; e++) {
    if (!kick->is_exact && is_of_p(kick, slope, e)) {
      sw_gather(&all, slope->row[e], slope->col[e] - d);
    }
  }
  for (int e = 0; e < jac->entries && kick->m > 0; e++) {
    if (!is_of_p(kick, jac, e)) {
      sw_gather(&all, jac->col[e], d + jac->row[e]);
    }
  }
  for (int e = 0; kick->m > 0 && e < kick->rho->pattern->entries; e++) {
    if (is_of_p(kick, kick->rho->pattern, e)) {
      sw_gather(&all, d + kick->rho->pattern->row[e], kick->rho->pattern->col[e] - d);
    }
  }
  return sw_gathered_pattern(&all, d + kick->m, d + kick->m, &kick->jacobian, &kick->place);
}

static void kick_carve(sw_carver *c, void *of)
{
  sw_kick *kick = of;
  const sw_system *system = kick->system;
  const size_t d = (size_t)system->nq;

  kick->u = sw_carve(c, d + (size_t)kick->m, 1);
  SW_CARVE(c, d, 1, &kick->flow, &kick->F, &kick->p0);
  SW_CARVE(c, 2 * d, 1, &kick->z1, &kick->mid);
  kick->slope = sw_carve(c, (size_t)system->force_jac_pattern.entries, 1);
  kick->jac = sw_carve(c, kick->m > 0 ? (size_t)system->constraint_jac_pattern.entries : 0, 1);
}

sw_status sw_kick_create(const sw_system *system, const double k[], sw_requirement *rho,
                         sw_kick **kick)
{
  const sw_force_kind kind = system->model->structure.force;
  const int m = rho ? system->nc : 0;
  sw_kick *made = malloc(sizeof *made);

  *kick = made;
  if (!made) {
    return SW_ERR_MEMORY;
  }
  *made = (sw_kick){.system = system,
                    .k = k,
                    .rho = m > 0 ? rho : NULL,
                    .m = m,
                    .is_exact = kind == SW_FORCE_OF_Q || kind == SW_FORCE_DAMPING ||
                                (kind == SW_FORCE_DIAGONAL && m == 0)};
  sw_status status = find_decay(made);
  if (status == SW_OK && sw_kick_needs_solve(made)) {
    status = kick_plan_jacobian(made);
  }
  if (status == SW_OK) {
    made->block = sw_carve_block(kick_carve, made);
    status = made->block ? SW_OK : SW_ERR_MEMORY;
  }
  if (status != SW_OK) {
    sw_kick_free(kick);
  }
  return status;
}

void sw_kick_free(sw_kick **kick)
{
  if (*kick) {
    sw_pattern_free(&(*kick)->jacobian);
    free((*kick)->place);
    free((*kick)->decay);
    free((*kick)->block);
    free(*kick);
    *kick = NULL;
  }
}

double sw_kick_phi(double x)
{
  return x == 0.0 ? 1.0 : expm1(x) / x;
}

/* Writes the exact end without sigma, or the Euler step if the flow is unknown, to kick->flow.
 * Returns the largest change of a momentum. */
static double kick_flow(sw_kick *kick)
{
  const sw_system *system = kick->system;
  const int d = system->nq;
  const double h = kick->h;
  double largest = 0.0;

  system->force(system, kick->step.z0, kick->k, kick->F);
  if (kick->is_exact && system->model->structure.force != SW_FORCE_OF_Q) {
    system->force_jac(system, kick->step.z0, kick->k, kick->slope);
  } else {
    sw_zero(kick->slope, (size_t)system->force_jac_pattern.entries);
  }
  for (int i = 0; i < d; i++) {
    const double rate = kick->decay[i] < 0 ? 0.0 : kick->slope[kick->decay[i]];
    const double change = h * sw_kick_phi(rate * h) * kick->F[i];
    kick->flow[i] = kick->step.z0[d + i] + change;
    largest = sw_larger_or_nan(largest, fabs(change));
  }
  return largest;
}

int sw_kick_begin(sw_kick *kick, double h, const double z0[], sw_sizes extent)
{
  const sw_system *system = kick->system;
  const size_t d = (size_t)system->nq;

  kick->h = h;
  kick->step = (sw_step){.z0 = z0, .h = h, .extent = extent};
  const double moved = kick_flow(kick);
  kick->step.size = (sw_sizes){extent.q, extent.p + moved};
  sw_copy(kick->z1, z0, d);
  sw_copy(kick->mid, z0, d);
  sw_copy(kick->z1 + d, kick->flow, d);
  sw_copy(kick->u, kick->flow, d);
  sw_zero(kick->u + d, (size_t)kick->m);
  if (!isfinite(kick->step.size.p)) {
    return 0;
  }
  if (kick->m == 0) {
    return 1;
  }
  system->constraint_jac(system, z0, kick->k, kick->jac);
  return sw_requirement_scales(kick->rho, &kick->step);
}

/* Evaluates F, or its derivative in kick->slope, at the midpoint of z0 and z1. */
static void at_midpoint(sw_kick *kick, const double u[], int derivative)
{
  const sw_system *system = kick->system;
  const int d = system->nq;

  for (int i = 0; i < d; i++) {
    kick->mid[d + i] = 0.5 * (kick->step.z0[d + i] + u[i]);
  }
  if (derivative) {
    system->force_jac(system, kick->mid, kick->k, kick->slope);
  } else {
    system->force(system, kick->mid, kick->k, kick->F);
  }
}

void sw_kick_residual(void *context, const double u[], double F[])
{
  sw_kick *kick = context;
  const sw_system *system = kick->system;
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const double size = sw_nonzero_scale(kick->step.size.p);
  const int d = system->nq;

  sw_copy(kick->z1 + d, u, (size_t)d);
  if (!kick->is_exact) {
    at_midpoint(kick, u, 0);
  }
  for (int i = 0; i < d; i++) {
    const double left = u[i] - kick->step.z0[d + i];
    F[i] = kick->is_exact ? u[i] - kick->flow[i] : left - kick->h * kick->F[i];
  }
  for (int e = 0; kick->m > 0 && e < jac->entries; e++) {
    if (!is_of_p(kick, jac, e)) {
      F[jac->col[e]] += kick->jac[e] * u[d + jac->row[e]];
    }
  }
  for (int i = 0; i < d; i++) {
    F[i] /= size;
  }
  if (kick->m > 0) {
    kick->rho->function(system, kick->z1, kick->k, kick->rho->value);
  }
  for (int i = 0; i < kick->m; i++) {
    F[d + i] = kick->rho->value[i] / kick->rho->scale[i];
  }
}

void sw_kick_jacobian(void *context, const double u[], double J[])
{
  sw_kick *kick = context;
  const sw_system *system = kick->system;
  const sw_pattern *slope = &system->force_jac_pattern;
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const double size = sw_nonzero_scale(kick->step.size.p);
  const int *place = kick->place;

  sw_zero(J, (size_t)kick->jacobian.entries);
  for (int i = 0; i < system->nq; i++) {
    J[*place++] += 1.0 / size;
  }
  if (!kick->is_exact) {
    at_midpoint(kick, u, 1);
    for (int e = 0; e < slope->entries; e++) {
      if (is_of_p(kick, slope, e)) {
        J[*place++] -= 0.5 * kick->h * kick->slope[e] / size;
      }
    }
  }
  if (kick->m == 0) {
    return;
  }
  for (int e = 0; e < jac->entries; e++) {
    if (!is_of_p(kick, jac, e)) {
      J[*place++] += kick->jac[e] / size;
    }
  }
  sw_requirement_jac(kick->rho, kick->z1);
  for (int e = 0; e < kick->rho->pattern->entries; e++) {
    if (is_of_p(kick, kick->rho->pattern, e)) {
      J[*place++] += kick->rho->jac[e] / kick->rho->scale[kick->rho->pattern->row[e]];
    }
  }
}
