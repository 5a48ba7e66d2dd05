/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reversible.c -- checks whether the step back leads to the start of the step.
 *
 * RATTLE over a symmetric base method is symmetric, R_{-h} o R_h = id.  Over any other base
 * method its inverse is RATTLE over the adjoint (paper 000, section 4).  Both statements assume
 * that both steps find the root that belongs to their start.  After a jump to another root, the
 * step back ends elsewhere or fails.  SHAKE maps a whole fibre to one point and has no inverse.
 */
#include <math.h>

#include "sim/sim_internal.h"

sw_status sw_check_reversible(sw_sim *sim, double h, const sw_made_step *made)
{
  const size_t d = (size_t)sim->system->nq;
  sw_sim *back = sim->back;
  sw_made_step again;

  sw_step_forget(back);
  sw_copy(back->z, made->end, 2 * d);
  sw_copy(back->k, sim->k, (size_t)sim->system->nk);
  back->check.known = made->known;
  back->t = sim->t + h;
  back->stats = sim->stats;
  const sw_status status = sw_step_make(back, -h, sim->t, &again);
  sim->stats.solves = back->stats.solves;
  sim->stats.newton_iterations = back->stats.newton_iterations;
  if (status != SW_OK) {
    return sw_fail(&sim->failure, SW_ERR_NOT_REVERSIBLE,
                   (sw_failure){.cause = SW_CAUSE_NO_WAY_BACK, .index = (int)status});
  }
  const double off = sw_sizes_relative(sw_sizes_between(d, again.end, sim->z), sim->step.size);
  if (!(off <= sim->options.reversible_tolerance)) {
    return sw_fail(&sim->failure, SW_ERR_NOT_REVERSIBLE,
                   (sw_failure){.cause = SW_CAUSE_OTHER_WAY,
                                .relative = off,
                                .limit = sim->options.reversible_tolerance});
  }
  return SW_OK;
}
