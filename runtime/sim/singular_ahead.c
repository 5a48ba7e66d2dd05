/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * singular_ahead.c -- has a step failed because the run comes to a surface where det N = 0?
 *
 * There the constraints no longer determine the multipliers, and no step size leads through.  From how N changes in
 * a much smaller step from the same state, N_t = (N1 - N0)/h, its nearest singular time follows:
 *
 *   N0 + t N_t is singular  <=>  t = -1/mu for an eigenvalue mu of N0^{-1} N_t,
 *
 * of which the largest is found by its powers.  All this is for failed steps alone.
 *
 * It is an extrapolation over a few steps that may be too long themselves, so that N may turn before it gets there: the
 * message says what smaller steps would tell.
 */
#include <math.h>

#include "sim/sim_internal.h"

/* The surface is named where it is at most so many steps ahead at the present rate of change. */
static const double steps_ahead = 5.0;

enum { powers = 60, trials = 3 };

/* N at z, or -N where sim->is_fast, with the pattern of sim->check.component.linear. */
static const sw_pattern *matrix_at(sw_sim *sim, const double z[], double values[])
{
  sw_holonomic *s = &sim->holonomic;

  if (!sim->is_fast) {
    sim->system->nondegeneracy(sim->system, z, sim->k, values);
    return &sim->system->nondegeneracy_pattern;
  }
  sw_frame_at(s, &s->end, z);
  sw_holonomic_product(s, &s->end, values);
  return &sim->plan[0].jacobian;
}

/* By what row i of the matrix at the state was divided before it was factorised. */
static double row_unit(const sw_sim *sim, int i)
{
  return sim->is_fast
             ? sw_frame_measure(&sim->holonomic.start, i)
             : sw_power_below(sw_gradient_change(sim->check.component.of_g, i, sim->extent));
}

/* N at the end of a step of size h in sim->ahead.later, with N at the start factorised.  Returns 0 where there
 * is no such step. */
static int look_after(sw_sim *sim, double h, const sw_pattern **pattern)
{
  sw_made_step made;

  if (sw_step_make(sim, h, sim->t + h, &made) != SW_OK) {
    return 0;
  }
  *pattern = matrix_at(sim, made.end, sim->ahead.later);
  const sw_side side = sw_component_side(&sim->check.component, 0, sim->z);
  return (side.sign == 1 || side.sign == -1) &&
         isfinite(sw_max_abs((size_t)(*pattern)->entries, sim->ahead.later));
}

/* w = N0^{-1} N1 v - v. */
static void apply(sw_sim *sim, const sw_pattern *pattern, const double v[], double w[])
{
  const int m = sim->system->nc;

  sw_multiply(pattern, sim->ahead.later, 1, v, w);
  for (int i = 0; i < m; i++) {
    w[i] /= row_unit(sim, i);
  }
  sw_deficient_solve(sim->check.component.linear, w);
  for (int i = 0; i < m; i++) {
    w[i] -= v[i];
  }
}

/* The eigenvalue of that map with the largest size, 0 where its powers do not tell.  Components of v are
 * compared by what they change in the equations. */
static double largest_eigenvalue(sw_sim *sim, const sw_pattern *pattern)
{
  const int m = sim->system->nc;
  double *v = sim->ahead.v;
  double *w = sim->ahead.w;
  double mu = 0.0;
  double off = INFINITY;

  for (int i = 0; i < m; i++) {
    v[i] = (1.0 + 0.1 * (i % 7)) / row_unit(sim, i);
  }
  for (int power = 0; power < powers && off > 1e-3; power++) {
    double most = 0.0;
    int at = 0;
    apply(sim, pattern, v, w);
    for (int i = 0; i < m; i++) {
      at = fabs(w[i]) * row_unit(sim, i) > fabs(w[at]) * row_unit(sim, at) ? i : at;
    }
    const double size = fabs(w[at]) * row_unit(sim, at);
    if (!(size > 0.0) || !isfinite(size) || v[at] == 0.0) {
      return 0.0;
    }
    mu = w[at] / v[at];
    for (int i = 0; i < m; i++) {
      most = fmax(most, fabs(w[i] - mu * v[i]) * row_unit(sim, i));
    }
    off = most / size;
    for (int i = 0; i < m; i++) {
      v[i] = w[i] / size;
    }
  }
  return off <= 1e-3 ? mu : 0.0;
}

/* What is left after a step of size h of N along the vector v that largest_eigenvalue has found; NaN where there is
 * no such step.  At its present rate of change that is 1 - h/ahead. */
static double left_after(sw_sim *sim, double h)
{
  const int m = sim->system->nc;
  const sw_pattern *pattern = NULL;
  double *v = sim->ahead.v;
  double *w = sim->ahead.w;
  int at = 0;

  if (!look_after(sim, h, &pattern)) {
    return NAN;
  }
  apply(sim, pattern, v, w);
  for (int i = 0; i < m; i++) {
    at = fabs(v[i]) * row_unit(sim, i) > fabs(v[at]) * row_unit(sim, at) ? i : at;
  }
  return 1.0 + w[at] / v[at];
}

/* Whether N keeps falling on the way there: to half of it on half the way and to a fifth on most of it, as far as there
 * are such steps; and where there is none to half the way, because N falls faster and faster, shortly before. */
static int keeps_falling(sw_sim *sim, double ahead)
{
  const double half = left_after(sim, 0.5 * ahead);

  if (isnan(half)) {
    return left_after(sim, 0.4 * ahead) <= 0.65;
  }
  return half <= 0.65 && !(left_after(sim, 0.8 * ahead) > 0.45);
}

/* How far ahead of the state, in time, N is singular at its present rate of change; 0 where it is not. */
static double time_to_singular(sw_sim *sim, double h)
{
  const sw_pattern *pattern = NULL;

  for (int trial = 1; trial <= trials; trial++) {
    const double small = ldexp(h, -10 * trial);
    if (look_after(sim, small, &pattern)) {
      const double mu = largest_eigenvalue(sim, pattern);
      const double ahead = -small / mu;
      const int near = mu < 0.0 && fabs(ahead) <= steps_ahead * fabs(h);
      return near && keeps_falling(sim, ahead) ? ahead : 0.0;
    }
  }
  return 0.0;
}

static int may_be_singular(sw_status status)
{
  return status == SW_ERR_NOT_CONVERGED || status == SW_ERR_SINGULAR ||
         status == SW_ERR_COMPONENT || status == SW_ERR_LEFT_M || status == SW_ERR_NOT_FINITE ||
         status == SW_ERR_NOT_REVERSIBLE;
}

double sw_singular_ahead(sw_sim *sim, double h, sw_status status)
{
  const sw_failure failure = sim->failure;
  const sw_stats stats = sim->stats;

  if (!may_be_singular(status) || failure.cause == SW_CAUSE_INDEPENDENT ||
      !sw_watches_n(&sim->check) ||
      sw_covered(sim->system, sim->k, sim->system->model->structure.nondegenerate) ||
      sw_sim_complete(sim) != SW_OK) {
    return 0.0;
  }
  const double ahead = time_to_singular(sim, h);
  sim->stats = stats;
  sim->failure = failure;
  return ahead;
}
