/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/motion_multipliers.h"

#include <float.h>
#include <stdlib.h>

#include "checks/step_check.h"

/* rho counts as 0 below this fraction of its scale. */
static const double round_off = 64.0 * DBL_EPSILON;

struct sw_motion {
  sw_component component;
  sw_requirement g;
  sw_requirement rho;
  sw_residual_scratch residual;
  double *point; /* 2d */
};

static void motion_carve(sw_carver *c, sw_motion *m)
{
  sw_requirement_carve_jac(c, &m->g);
  sw_requirement_carve_jac(c, &m->rho);
  sw_residual_carve(c, m->component.system, &m->residual);
  sw_residual_carve_jac(c, m->component.system, &m->residual);
  sw_component_carve(c, &m->component);
  m->component.weight = sw_carve(c, (size_t)m->component.system->nc, 1);
  m->point = sw_carve(c, 2, (size_t)m->component.system->nq);
}

sw_status sw_motion_create(const sw_system *system, sw_redundant redundant, int adds_forces,
                           sw_motion **motion)
{
  const sw_multipliers all = {redundant, 0, system->nc};
  sw_motion members = {.component = {.system = system, .adds_forces = adds_forces}};
  sw_carver c = {0};

  sw_requirement_open(&members.g, system, NULL, 0);
  sw_requirement_open(&members.rho, system, NULL, 1);
  (void)sw_carve_bytes(&c, sizeof members);
  motion_carve(&c, &members);
  c = sw_carver_open(c);
  sw_motion *m = *motion = sw_carve_bytes(&c, sizeof members);
  if (!m) {
    return SW_ERR_MEMORY;
  }
  *m = members;
  motion_carve(&c, m);
  m->component.g = &m->g;
  m->component.rho = &m->rho;
  const sw_status status =
      sw_deficient_create(&system->nondegeneracy_pattern, all, &m->component.linear);
  if (status != SW_OK) {
    sw_motion_free(motion);
    return status;
  }
  sw_deficient_weigh(m->component.linear, m->component.weight);
  return SW_OK;
}

void sw_motion_free(sw_motion **motion)
{
  if (*motion) {
    sw_deficient_free(&(*motion)->component.linear);
    free(*motion);
    *motion = NULL;
  }
}

double *sw_motion_point(sw_motion *m)
{
  return m->point;
}

static void set_parameters(sw_motion *m, const double k[])
{
  m->component.k = m->g.k = m->rho.k = k;
  m->g.jac_known = m->rho.jac_known = 0; /* they may be those of other parameters */
}

int sw_motion_is_on_hidden(sw_motion *m, const double k[], const double z[])
{
  const sw_system *system = m->component.system;

  set_parameters(m, k);
  const sw_residual found = sw_residual_at(&m->rho, z, sw_sizes_of(system, z), &m->residual);
  return sw_residual_accepted(&found, round_off);
}

sw_status sw_motion_multipliers(sw_motion *m, const double k[], const double z[], double lambda[])
{
  set_parameters(m, k);
  return sw_component_multipliers(&m->component, z, lambda);
}
