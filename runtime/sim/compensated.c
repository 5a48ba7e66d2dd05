/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compensated.c -- compensated summation of steps (Hairer, Lubich, Wanner, Geometric Numerical
 * Integration, 2nd edition, section VIII.5).
 *
 * The exact state is z + c with a carry c below the last digit of z.  A step is made at z.  Its
 * increment, accurate to some units of its own last digit, is added to c and z, and c keeps the
 * rounding error of z.  So the error of a step is that of its increment, h times the error of a
 * sum without the carry.
 *
 * A residual g that a solve leaves shifts the surface g = 0, which does the work lambda . dg on
 * the system.  Over a run this work is the sum of -g . dlambda.  It is smaller by a factor h if g
 * is rounding error of random sign.  It is a drift if g is the remainder of an iteration that has
 * stopped early.  So each solve for g = 0 ends with a fixed number of additional Newton steps
 * with the residual at z + c.  One additional step is not enough, because a sum that is nearly 0
 * is rounded to 0 more often than to either side.
 *
 * The slide starts from the rounded end z, like the next step.  Another rounding of the same end
 * would give its forces another direction.
 */
#include "sim/sim_internal.h"

/* Computes the end of all phases up to this one, rounded, and its carry. */
static void add_phases(sw_sim *sim, int phase)
{
  sw_carry *carry = &sim->work.carry;
  const sw_two_sums step = carry->sum;
  const size_t dim = 2 * (size_t)sim->system->nq;

  sw_zero(step.sum, dim);
  sw_copy(step.left, sim->state.more, dim);
  for (int i = sim->work.from; i <= phase; i++) {
    sw_phase_increment(&sim->work.phase[i], step);
  }
  for (size_t i = 0; i < dim; i++) {
    double left = 0.0;
    const double change = sw_sum_exactly(step.sum[i], step.left[i], &left);
    const double end = sw_sum_exactly(sim->state.z[i], change, &left);
    carry->next[i] = 0.0;
    carry->end[i] = sw_sum_exactly(end, left, &carry->next[i]);
  }
}

/* F = scaled g at z + c at the end of a phase.  Replaces the residual in the equations of the
 * fibre's multipliers. */
static void residual_with_carry(sw_sim *sim, int phase)
{
  sw_workspace *w = &sim->work;
  const sw_carry *carry = &w->carry;
  const sw_pattern *pattern = w->g.pattern;

  add_phases(sim, phase);
  sim->system->constraint(sim->system, carry->end, sim->k, w->g.value);
  sw_requirement_jac(&w->g, carry->end);
  for (int e = 0; e < pattern->entries; e++) {
    w->g.value[pattern->row[e]] += w->g.jac[e] * carry->next[pattern->col[e]];
  }
  for (int i = 0; i < sim->plan->phase[phase].m; i++) {
    w->F[i] = w->g.value[i] / w->g.scale[i];
  }
}

const double *sw_carry_correct(sw_sim *sim, int phase)
{
  sw_workspace *w = &sim->work;
  enum { rounds = 3 };
  sw_phase *s = &w->phase[phase];
  const sw_problem problem = sw_phase_problem(s);

  sw_phase_values(s, s->u, w->F);
  for (int i = 0; i < rounds; i++) {
    residual_with_carry(sim, phase);
    sw_solver_correct(w->solver[phase], &problem, s->u, w->F);
  }
  add_phases(sim, phase);
  sw_copy(w->carry.reached, w->carry.end, 2 * (size_t)sim->system->nq);
  return w->carry.reached;
}

void sw_carry_add(sw_sim *sim, sw_made_step *made)
{
  add_phases(sim, sim->work.to - 1);
  made->end = sim->work.carry.end;
  made->rho = NULL;
}
