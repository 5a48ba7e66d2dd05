/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * singular_ahead.c -- tests whether a step has failed because the run approaches a surface with
 * det N = 0.
 *
 * On this surface the constraints do not determine the multipliers, and no step size leads across
 * it.  The change of N in a much smaller step from the same state, N_t = (N1 - N0)/h, gives the
 * nearest singular time:
 *
 *   N0 + t N_t is singular  <=>  t = -1/mu for an eigenvalue mu of N0^{-1} N_t.
 *
 * The power iteration finds the largest mu.  The test runs only after failed steps.
 *
 * It extrapolates over several steps that may be too long themselves, so that N may turn before
 * it becomes singular.  The message says how smaller steps would decide this.
 */
#include <math.h>

#include "sim/sim_internal.h"

/* The surface is reported if it is at most this many steps ahead, at the present rate of
 * change. */
static const double steps_ahead = 5.0;

enum { powers = 60, trials = 3 };

/* Evaluates N at z, or -N if sim->plan->is_fast, and returns its pattern, that of
 * sim->work.check.component.linear. */
static const sw_pattern *matrix_at(sw_sim *sim, const double z[], double values[])
{
  sw_holonomic *s = &sim->work.holonomic;

  if (!sim->plan->is_fast) {
    sim->system->nondegeneracy(sim->system, z, sim->k, values);
    return &sim->system->nondegeneracy_pattern;
  }
  sw_frame_at(s, &s->end, z);
  sw_holonomic_product(s, &s->end, values);
  return &sim->plan->phase[0].jacobian;
}

/* The divisor of row i of the matrix before its factorisation at the state. */
static double row_unit(const sw_sim *sim, int i)
{
  return sim->plan->is_fast ? sw_frame_measure(&sim->work.holonomic.start, i)
                            : sw_power_below(sw_gradient_change(sim->work.check.component.of_g, i,
                                                                sim->state.known.extent));
}

/* Writes N at the end of a step of size h to sim->work.ahead.later, and factorises N at the start.
 * Returns 0 if the step fails. */
static int look_after(sw_sim *sim, double h, const sw_pattern **pattern)
{
  sw_made_step made;

  if (sw_step_make(sim, h, &made) != SW_OK) {
    return 0;
  }
  *pattern = matrix_at(sim, made.end, sim->work.ahead.later);
  const sw_side side = sw_component_side(&sim->work.check.component, 0, sim->state.z);
  return (side.sign == 1 || side.sign == -1) &&
         isfinite(sw_max_abs((size_t)(*pattern)->entries, sim->work.ahead.later));
}

/* w = N0^{-1} N1 v - v. */
static void apply(sw_sim *sim, const sw_pattern *pattern, const double v[], double w[])
{
  const int m = sim->system->nc;

  sw_multiply(pattern, sim->work.ahead.later, 1, v, w);
  for (int i = 0; i < m; i++) {
    w[i] /= row_unit(sim, i);
  }
  sw_deficient_solve(sim->work.check.component.linear, w);
  for (int i = 0; i < m; i++) {
    w[i] -= v[i];
  }
}

/* The eigenvalue of this map with the largest modulus; 0 if the power iteration does not
 * converge.  Components of v are weighted by their effect in the equations. */
static double largest_eigenvalue(sw_sim *sim, const sw_pattern *pattern)
{
  const int m = sim->system->nc;
  double *v = sim->work.ahead.v;
  double *w = sim->work.ahead.w;
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

/* The factor of N along the eigenvector v of largest_eigenvalue after a step of size h; NaN if
 * the step fails.  At the present rate of change it is 1 - h/ahead. */
static double left_after(sw_sim *sim, double h)
{
  const int m = sim->system->nc;
  const sw_pattern *pattern = NULL;
  double *v = sim->work.ahead.v;
  double *w = sim->work.ahead.w;
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

/* 1 if N keeps decreasing towards the surface: about to half of it at 0.5 ahead, and to a fifth
 * at 0.8 ahead if that step succeeds.  If the step of 0.5 ahead fails because N decreases faster
 * and faster, the test uses 0.4 ahead. */
static int keeps_falling(sw_sim *sim, double ahead)
{
  const double half = left_after(sim, 0.5 * ahead);

  if (isnan(half)) {
    return left_after(sim, 0.4 * ahead) <= 0.65;
  }
  return half <= 0.65 && !(left_after(sim, 0.8 * ahead) > 0.45);
}

/* The time until N is singular, at its present rate of change; 0 if it does not become
 * singular. */
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
      !sw_watches_n(&sim->work.check) ||
      sw_covered(sim->system, sim->k, sim->system->model->structure.nondegenerate) ||
      sw_sim_complete(sim) != SW_OK) {
    return 0.0;
  }
  const double ahead = time_to_singular(sim, h);
  sim->stats = stats;
  sim->failure = failure;
  return ahead;
}

/* Does a step lead over a surface where det N = 0, if det N has the same sign on both sides?
 *
 * The branches of an algebraic variable s with H_s = s^3 - s q meet in q = 0.  N is 2 q on one of
 * them and |q| on the other one: it runs into 0 and leaves it with the sign that it had.  So N
 * itself has to be followed.  With its rates N0' and N1' along the motion at the ends z0 and z1 of
 * the step,
 *
 *   N0 + s N0'  is first singular at s = a,     N1 - (h - s) N1'  is last singular at s = b.
 *
 * On such a surface both meet: a = b, if N0 and N1 change at constant rates.  The step is suspect
 * if a - b <= gap h, which a smooth minimum of N is, too, that is less than 0.6 of its values at
 * both ends.  Then the step to (a + b)/2 tells: it fails, or N there becomes singular within +-
 * reach h at its rate, if there is a surface.  A minimum of N between the ends of a step that is
 * not within a tenth of N at the ends passes.
 *
 * This costs the rate of N at the end in each step (checks/step_check.h).  The rest is for suspect
 * steps alone. */

static const double gap = 0.25;
static const double reach = 0.25;

enum { HALVINGS = 8 };

/* part[b] = the smallest part of `time` after which block b of N, extrapolated from z, has another
 * side than at z, infinite if there is none, for the blocks first .. end-1.  Bisects the blocks:
 * few of them change. */
static void parts_of_blocks(sw_sim *sim, const double z[], double time, const sw_side *side,
                            int first, int end, double part[])
{
  sw_component *c = &sim->work.check.component;
  const int middle = first + (end - first) / 2;
  const sw_side ahead = sw_component_extrapolated(c, z, time, first, end);
  double good = 0.0;
  double bad = 1.0;

  if (sw_same_side(side, &ahead)) {
    for (int b = first; b < end; b++) {
      part[b] = INFINITY;
    }
    return;
  }
  if (end - first > 1) {
    parts_of_blocks(sim, z, time, side, first, middle, part);
    parts_of_blocks(sim, z, time, side, middle, end, part);
    return;
  }
  for (int i = 0; i < HALVINGS; i++) {
    const double half = 0.5 * (good + bad);
    const sw_side there = sw_component_extrapolated(c, z, half * time, first, end);
    const int same = sw_same_side(side, &there);
    good = same ? half : good;
    bad = same ? bad : half;
  }
  part[first] = 0.5 * (good + bad);
}

/* The same from the state z, for the blocks first .. end-1; 0 where N at z is singular. */
static void find_parts(sw_sim *sim, const double z[], double time, int first, int end,
                       double part[])
{
  sw_component *c = &sim->work.check.component;
  const sw_side side = sw_component_side(c, 0, z);

  if ((side.sign == 1 || side.sign == -1) && sw_component_rate(c, z)) {
    parts_of_blocks(sim, z, time, &side, first, end, part);
    return;
  }
  for (int b = first; b < end; b++) {
    part[b] = 0.0;
  }
}

/* Makes the step to `part` of the step under way.  Errors: SW_ERR_COMPONENT if it fails, or leads
 * to where block b of N is nearly singular; SW_ERR_MEMORY. */
static sw_status look_at_part(sw_sim *sim, double h, double part, int b)
{
  sw_made_step made;
  double *there = sim->work.ahead.w;
  const sw_status status = sw_step_make(sim, part * h, &made);

  if (status == SW_OK) {
    find_parts(sim, made.end, reach * h, b, b + 1, there);
    if (there[b] > 1.0) {
      find_parts(sim, made.end, -reach * h, b, b + 1, there);
    }
  }
  return status == SW_ERR_MEMORY || (status == SW_OK && there[b] > 1.0)
             ? status
             : sw_fail(&sim->failure, SW_ERR_COMPONENT,
                       (sw_failure){.cause = SW_CAUSE_SURFACE, .value = part});
}

sw_status sw_check_surface(sw_sim *sim, double h, sw_made_step *made)
{
  const int blocks = sim->work.check.component.blocks.count;
  double *middle = sim->work.ahead.v;
  double *back = sim->work.ahead.w;

  find_parts(sim, made->end, -h, 0, blocks, back);
  find_parts(sim, sim->state.z, h, 0, blocks, middle);
  for (int b = 0; b < blocks; b++) {
    const double ahead = middle[b];
    const int suspect = ahead <= 1.0 && back[b] <= 1.0 && ahead + back[b] - 1.0 <= gap;
    middle[b] = suspect ? 0.5 * (ahead + 1.0 - back[b]) : -1.0;
  }
  for (int b = 0; b < blocks; b++) {
    const sw_status status = middle[b] >= 0.0 ? look_at_part(sim, h, middle[b], b) : SW_OK;
    if (status != SW_OK) {
      return status;
    }
  }
  return sw_step_make(sim, h, made);
}
