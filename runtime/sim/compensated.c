/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compensated.c -- compensated summation of steps (Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd edition,
 * section VIII.5).
 *
 * The state is z + c with a carry c that is smaller than the last digit of z.  A step is made at z, and its increment, known
 * to some units of its own last digit, is added to c and z, of which c keeps what rounding leaves out.  So the error of a step
 * is that of its increment, h times that of a sum without the carry.
 *
 * What a solve leaves of g moves the surface g = 0 by as much, which does the work lambda . dg on the system.  Over a run that is
 * the sum of -g . dlambda: h times smaller where g is rounding alone, of any sign, and a drift where g is what an iteration has
 * left when it was good enough.  So each solve for g = 0 ends with some more Newton steps, always as many, with the residual of
 * z + c; one is not enough, because a sum that is nearly 0 is rounded to 0 more often than to either side.  And the slide begins
 * at z, where the next step does, too: from another rounding of the same end its forces would have another direction.
 */
#include "sim/sim_internal.h"

/* Where the phases up to this one lead to, with what rounding leaves out. */
static void add_phases(sw_sim *sim, int phase)
{
  sw_carry *carry = &sim->carry;
  const sw_two_sums step = carry->sum;
  const size_t dim = 2 * (size_t)sim->system->nq;

  sw_zero(step.sum, dim);
  sw_copy(step.left, carry->now, dim);
  for (int i = sim->from; i <= phase; i++) {
    sw_phase_increment(&sim->phase[i], step);
  }
  for (size_t i = 0; i < dim; i++) {
    double left = 0.0;
    const double change = sw_sum_exactly(step.sum[i], step.left[i], &left);
    const double end = sw_sum_exactly(sim->z[i], change, &left);
    carry->next[i] = 0.0;
    carry->end[i] = sw_sum_exactly(end, left, &carry->next[i]);
  }
}

/* g at z + c where a phase leads to, by which F is replaced in the equations of the fibre's multipliers. */
static void residual_with_carry(sw_sim *sim, int phase)
{
  const sw_carry *carry = &sim->carry;
  const sw_pattern *pattern = sim->g.pattern;

  add_phases(sim, phase);
  sim->system->constraint(sim->system, carry->end, sim->k, sim->g.value);
  sw_requirement_jac(&sim->g, carry->end);
  for (int e = 0; e < pattern->entries; e++) {
    sim->g.value[pattern->row[e]] += sim->g.jac[e] * carry->next[pattern->col[e]];
  }
  for (int i = 0; i < sim->plan[phase].m; i++) {
    carry->F[i] = sim->g.value[i] / sim->g.scale[i];
  }
}

const double *sw_carry_correct(sw_sim *sim, int phase)
{
  enum { rounds = 3 };
  sw_phase *s = &sim->phase[phase];
  const sw_problem problem = sw_phase_problem(s);

  sw_phase_values(s, s->u, sim->carry.F);
  for (int i = 0; i < rounds; i++) {
    residual_with_carry(sim, phase);
    sw_solver_correct(sim->solver[phase], &problem, s->u, sim->carry.F);
  }
  add_phases(sim, phase);
  sw_copy(sim->carry.reached, sim->carry.end, 2 * (size_t)sim->system->nq);
  return sim->carry.reached;
}

void sw_carry_add(sw_sim *sim, sw_made_step *made)
{
  add_phases(sim, sim->to - 1);
  made->end = sim->carry.end;
  made->rho = NULL;
}
