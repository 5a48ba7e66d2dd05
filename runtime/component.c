/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * component.c -- on which side of the degenerate points is a state, and do brackets vanish there?
 *
 * On a connected part of M^H where N_ij = {{g_i,H},g_j} is invertible, det N keeps its sign (paper 000,
 * Assumption 1 and Lemma 3.11).  A step between points where it differs has jumped over a degenerate
 * point, or to another component of M^H: the failure that the paper's Fig. 6 warns of.
 */
#include <float.h>
#include <math.h>

#include "geometry/inertia.h"
#include "sim_internal.h"

int sw_component_values(sw_sim *sim, const double z[])
{
  const sw_system *system = sim->system;
  const sw_pattern *pattern = &system->nondegeneracy_pattern;
  sw_component *c = &sim->component;

  system->nondegeneracy(system, z, sim->k, c->values);
  system->constraint_jac(system, z, sim->k, sim->shake.jac);
  system->hidden_jac(system, z, sim->k, sim->slide.jac);
  sw_row_sums(&system->constraint_jac_pattern, sim->shake.jac, c->g);
  sw_row_sums(&system->hidden_jac_pattern, sim->slide.jac, c->rho);
  for (int e = 0; e < pattern->entries; e++) {
    /* What is at the round-off of the bracket {rho_i, g_j} is no entry. */
    const double floor = 64.0 * DBL_EPSILON * c->rho[pattern->row[e]] * c->g[pattern->col[e]];
    if (!isfinite(c->values[e]) || !isfinite(floor)) {
      return 0;
    }
    if (!(fabs(c->values[e]) > floor)) {
      c->values[e] = 0.0;
    }
  }
  return 1;
}

int sw_component_negative(sw_sim *sim)
{
  const sw_component *c = &sim->component;
  const sw_pattern *pattern = &sim->system->nondegeneracy_pattern;
  const int m = sim->system->nc;

  if (!c->dense) {
    return -1;
  }
  sw_zero(c->dense, (size_t)m * (size_t)m);
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    const size_t at = (size_t)(i < j ? i : j) * (size_t)m + (size_t)(i < j ? j : i);
    c->dense[at] += i == j ? c->values[e] : 0.5 * c->values[e];
  }
  return sw_inertia_negative(m, c->dense, c->pivots, c->work);
}

/* Which constraints are dropped does not matter to the sign: N is symmetric on M^H, and so N = U K U^T with
 * a regular K and rows of U that depend on each other; det N_RR = (det U_R)^2 det K for all choices R. */
sw_side sw_component_side(sw_sim *sim, const double z[])
{
  sw_deficient *linear = sim->component.linear;

  if (!sw_component_values(sim, z)) {
    return (sw_side){SW_SIGN_NOT_FINITE, 0};
  }
  sw_deficient_begin(linear);
  const int singular = sw_deficient_factor(linear, sim->component.values);
  return (sw_side){singular ? 0 : sw_deficient_sign(linear), sw_deficient_dropped(linear)};
}

sw_side sw_component_side_at_end(sw_sim *sim, double h, const double end[])
{
  /* The matrix of a holonomic slide is h N(q1), each row divided by a scale. */
  if (sim->plan.holonomic) {
    const int sign = sw_solver_sign(sim->slide_solver);
    const int dropped = sw_solver_dropped(sim->slide_solver);
    const int odd = h < 0.0 && (sim->system->nc - dropped) % 2 == 1;
    if (sign != 0) {
      return (sw_side){odd ? -sign : sign, dropped};
    }
  }
  return sw_component_side(sim, end);
}

size_t sw_brackets_unknown(const sw_system *system)
{
  const sw_structure *s = &system->model->structure;
  const int known = !system->looped || s->commuting || s->coisotropic == SW_PROVED;

  return known ? 0 : (size_t)system->coisotropy_pattern.entries;
}

int sw_second_class(sw_sim *sim, double *value)
{
  const sw_system *system = sim->system;
  const sw_pattern *pattern = &system->coisotropy_pattern;
  sw_component *c = &sim->component;
  int worst = -1;

  *value = SW_BRACKET_TOLERANCE;
  if (sw_brackets_unknown(system) == 0) {
    return -1;
  }
  system->coisotropy(system, sim->z, sim->k, c->brackets);
  system->constraint_jac(system, sim->z, sim->k, sim->shake.jac);
  sw_row_sums(&system->constraint_jac_pattern, sim->shake.jac, c->g);
  for (int e = 0; e < pattern->entries; e++) {
    const double size = c->g[pattern->row[e]] * c->g[pattern->col[e]];
    const double found = fabs(c->brackets[e]) / sw_nonzero_scale(size);
    if (!(found <= *value)) {
      *value = found;
      worst = e;
    }
  }
  return worst;
}

/* How far apart the ends of two slides from z are, of h times the multipliers a and b, relative to the sizes
 * of the state.  Overwrites scratch. */
static double apart(sw_sim *sim, double h, const double z[], const double a[], const double b[])
{
  const sw_system *system = sim->system;
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const sw_sizes size = sim->shake.size;
  double *end = sim->shake.c.point;
  double *other = sim->other;

  for (size_t i = 0; i < m; i++) {
    sim->component.g[i] = h * a[i];
    sim->component.rho[i] = h * b[i];
  }
  system->fibre_flow(system, z, sim->k, sim->component.g, end);
  system->fibre_flow(system, z, sim->k, sim->component.rho, other);
  for (size_t i = 0; i < 2 * d; i++) {
    end[i] -= other[i];
  }
  return fmax(sw_max_abs(d, end) / sw_nonzero_scale(size.q),
              sw_max_abs(d, end + d) / sw_nonzero_scale(size.p));
}

sw_status sw_judge_root(sw_sim *sim, const sw_solver *solver, double h, const double z[],
                        const double u[], const char *what)
{
  double distance = 0.0;
  const sw_jump jump = sw_watch_judge(&sim->watch, solver, u, &distance);

  if (jump == SW_JUMP_NONE) {
    return SW_OK;
  }
  if (jump == SW_JUMP_NOISE) {
    sw_zero(sim->watch.first, (size_t)sim->system->nc);
  }
  if (jump != SW_JUMP_SIGN && apart(sim, h, z, u, sim->watch.first) <= SW_JUMP_SMALL) {
    return SW_OK;
  }
  if (jump == SW_JUMP_NOISE) {
    return sw_fail(sim, SW_ERR_NOT_CONVERGED,
                   "step failed at t = %.6g: h = %.3g is so small that its multipliers %s are "
                   "round-off; try a larger step",
                   sim->t, h, what);
  }
  if (jump == SW_JUMP_SIGN) {
    return sw_fail(
        sim, SW_ERR_COMPONENT,
        "step failed at t = %.6g: its multipliers %s lead to another component of M^H "
        "(the determinant of the solve changes its sign on the way from 0); try a smaller "
        "step",
        sim->t, what);
  }
  return sw_fail(
      sim, SW_ERR_COMPONENT,
      "step failed at t = %.6g: its multipliers %s lead to another component of M^H: they "
      "are %.2g times as far from the predicted ones as these are from 0, more than %g; "
      "try a smaller step",
      sim->t, what, distance, SW_JUMP_FACTOR);
}
