/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slides.c -- the points of the fibres between which a step of RATTLE slides (paper 000, section 4
 * and figure 2):
 *
 *   z+ = Gamma_{h lambda}(z0),   z- = phi_h(z+) on M,   z1 = Gamma_{h sigma}(z-) on M^H.
 *
 * A step leaves lambda and sigma, and both points follow from its ends, because the flow of
 * -h sigma is the inverse of that of h sigma.  Generated steps leave only the sum of the
 * multipliers, so a simulation that keeps these points takes none.
 */
#include <stdlib.h>
#include <string.h>

#include "model/reduced.h"
#include "sim/sim_internal.h"

const char *sw_slides_objection(const sw_sim *sim)
{
  const sw_sim_plan *plan = sim->plan;

  return plan->method != &sw_method_rattle ? "only steps of rattle have them"
         : sim->system->nc == 0            ? "the model has no constraints"
         : plan->is_forced ? "steps of a model with forces have kicks beside the slides"
         : strcmp(plan->options.solver, "fused") == 0
             ? "generated steps do not keep them: choose another --solver than fused"
             : NULL;
}

static void carve(sw_carver *c, void *of)
{
  sw_sim *sim = of;
  sw_slides *s = sim->work.slides;
  const size_t d = (size_t)sim->system->nq;

  SW_CARVE(c, 2, d, &s->plus, &s->minus);
  s->sigma = sw_carve(c, (size_t)sw_system_whole(sim->system)->nc, 1);
  s->angles = sw_carve(c, (size_t)sim->system->nc, 1);
}

sw_status sw_slides_keep(sw_sim *sim)
{
  if (sim->work.slides) {
    return SW_OK;
  }
  sim->work.slides = calloc(1, sizeof *sim->work.slides);
  if (sim->work.slides) {
    sim->work.slides->memory = sw_carve_block(carve, sim);
  }
  if (!sim->work.slides || !sim->work.slides->memory) {
    free(sim->work.slides);
    sim->work.slides = NULL;
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

void sw_slides_free(sw_sim *sim)
{
  if (sim->work.slides) {
    free(sim->work.slides->memory);
  }
  free(sim->work.slides);
}

/* out = Gamma_{h lambda}(z). */
static void slide(sw_sim *sim, const double z[], double h, const double lambda[], double out[])
{
  double *angles = sim->work.slides->angles;

  for (int i = 0; i < sim->system->nc; i++) {
    angles[i] = h * lambda[i];
  }
  sim->system->fibre_flow(sim->system, z, sim->k, angles, out);
}

void sw_slides_note(sw_sim *sim, const double end[])
{
  sw_slides *s = sim->work.slides;
  const sw_phase *phase = sim->work.phase;
  const double h = sim->work.step.h;

  slide(sim, sim->state.z, h, phase[0].u, s->plus);
  slide(sim, end, -h, phase[1].u, s->minus);
  if (sim->system->whole) {
    sw_reduced_spread(sim->system, phase[1].u, s->sigma);
  } else {
    sw_copy(s->sigma, phase[1].u, (size_t)sim->system->nc);
  }
  s->is_known = 1;
}
