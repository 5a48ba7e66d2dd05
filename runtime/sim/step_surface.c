/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step_surface.c -- does a step lead over a surface where det N = 0, if det N has the same sign on
 * both sides?
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
 * This costs the rate of N at the end in each step (checks/component.h).  The rest is for suspect
 * steps alone.
 */
#include <math.h>

#include "sim/sim_internal.h"

static const double gap = 0.25;
static const double reach = 0.25;

enum { HALVINGS = 8 };

/* part[b] = the smallest part of `time` after which block b of N, extrapolated from z, has another
 * side than at z, infinite if there is none, for the blocks first .. end-1.  Bisects the blocks:
 * few of them change. */
static void parts_of_blocks(sw_sim *sim, const double z[], double time, const sw_side *side,
                            int first, int end, double part[])
{
  sw_component *c = &sim->check.component;
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
  sw_component *c = &sim->check.component;
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
static sw_status look_at_part(sw_sim *sim, double h, double t, double part, int b)
{
  sw_made_step made;
  const double after = part * h;
  double *there = sim->ahead.w;
  const sw_status status = sw_step_make(sim, after, t - h + after, &made);

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

sw_status sw_check_surface(sw_sim *sim, double h, double t, sw_made_step *made)
{
  const int blocks = sim->check.component.blocks.count;
  double *middle = sim->ahead.v;
  double *back = sim->ahead.w;

  find_parts(sim, made->end, -h, 0, blocks, back);
  find_parts(sim, sim->z, h, 0, blocks, middle);
  for (int b = 0; b < blocks; b++) {
    const double ahead = middle[b];
    const int suspect = ahead <= 1.0 && back[b] <= 1.0 && ahead + back[b] - 1.0 <= gap;
    middle[b] = suspect ? 0.5 * (ahead + 1.0 - back[b]) : -1.0;
  }
  for (int b = 0; b < blocks; b++) {
    const sw_status status = middle[b] >= 0.0 ? look_at_part(sim, h, t, middle[b], b) : SW_OK;
    if (status != SW_OK) {
      return status;
    }
  }
  return sw_step_make(sim, h, t, made);
}
