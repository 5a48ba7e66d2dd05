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

#include "linear/inertia.h"
#include "sim/sim_internal.h"

int sw_covered(const sw_sim *sim, sw_proof proof)
{
  const sw_system *system = sim->system;

  return proof == SW_PROVED ||
         (proof == SW_PROVED_BY_DEFAULT &&
          memcmp(sim->k, system->k_default, (size_t)system->nk * sizeof *sim->k) == 0);
}

int sw_component_values(sw_sim *sim, const double z[])
{
  const sw_system *system = sim->system;
  sw_component *c = &sim->component;

  system->nondegeneracy(system, z, sim->k, c->values);
  sw_requirement_jac_at(&sim->g, z);
  sw_requirement_jac_at(&sim->rho, z);
  sw_gradients_of(&system->constraint_jac_pattern, sim->g.jac, system->nq, c->g);
  sw_gradients_of(&system->hidden_jac_pattern, sim->rho.jac, system->nq, c->rho);
  return sw_nondegeneracy_clean(&system->nondegeneracy_pattern, c->g, c->rho,
                                sw_sizes_of(system, z), c->values);
}

/* N is symmetric on M^H, up to the rows' units, which become those of the columns, too. */
int sw_component_negative(sw_sim *sim, const double z[])
{
  const sw_component *c = &sim->component;
  const sw_pattern *pattern = &sim->system->nondegeneracy_pattern;
  const sw_sizes size = sw_sizes_of(sim->system, z);
  const int m = sim->system->nc;

  if (!c->dense) {
    return -1;
  }
  sw_zero(c->dense, (size_t)m * (size_t)m);
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    const size_t at = (size_t)(i < j ? i : j) * (size_t)m + (size_t)(i < j ? j : i);
    const double value = c->values[e] / sw_power_below(sw_gradient_change(c->g, j, size));
    c->dense[at] += i == j ? value : 0.5 * value;
  }
  return sw_inertia_negative(m, c->dense, c->pivots, c->work);
}

/* The sign and what was dropped of the last factorisation. */
static sw_side side_of(sw_deficient *linear, sw_status status)
{
  if (status == SW_ERR_MEMORY) {
    return (sw_side){.sign = SW_SIGN_NO_MEMORY};
  }
  if (status != SW_OK) {
    return (sw_side){.sign = 0};
  }
  return (sw_side){.sign = sw_deficient_sign(linear),
                   .dropped = sw_deficient_dropped(linear),
                   .clear = sw_deficient_clear(linear),
                   .negative = -1};
}

/* Which constraints are dropped does not matter to the sign: N is symmetric on M^H, and so N = U K U^T with
 * a regular K and rows of U that depend on each other; det N_RR = (det U_R)^2 det K for all choices R. */
sw_side sw_component_side(sw_sim *sim, int at_end, const double z[])
{
  sw_holonomic *s = &sim->holonomic;
  sw_deficient *linear = sim->component.linear;
  const double *values = sim->component.values;

  if (sim->is_fast) {
    sw_frame *frame = at_end ? &s->end : &s->start;
    sw_frame_at(s, frame, z);
    sw_holonomic_matrix(s, frame);
    values = s->matrix;
  } else if (!sw_component_values(sim, z)) {
    return (sw_side){.sign = SW_SIGN_NOT_FINITE};
  }
  sw_deficient_begin(linear);
  const sw_status status = sw_deficient_factor(linear, values);
  sw_side side = side_of(linear, status);
  if (status == SW_OK && side.dropped == 0) {
    side.negative = sw_component_negative(sim, z);
  }
  return side;
}

sw_side sw_component_side_of_slide(const sw_sim *sim, sw_status status)
{
  return side_of(sim->component.linear, status);
}

size_t sw_brackets_unknown(const sw_system *system)
{
  const sw_structure *s = &system->model->structure;

  return s->commuting || s->coisotropic == SW_PROVED ? 0
                                                     : (size_t)system->coisotropy_pattern.entries;
}

int sw_second_class(sw_sim *sim, const double z[], double *value, double *relative)
{
  const sw_system *system = sim->system;
  const sw_pattern *pattern = &system->coisotropy_pattern;
  const sw_sizes size = sw_sizes_of(system, z);
  sw_component *c = &sim->component;
  int worst = -1;

  *relative = SW_BRACKET_TOLERANCE;
  if (sw_brackets_unknown(system) == 0 || sw_covered(sim, system->model->structure.coisotropic)) {
    return -1;
  }
  system->coisotropy(system, z, sim->k, c->brackets);
  sw_requirement_jac_at(&sim->g, z);
  sw_gradients_of(&system->constraint_jac_pattern, sim->g.jac, system->nq, c->g);
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    const double found = sw_bracket_relative(c->brackets[e], c->g, i, j);
    /* Where the gradients nearly vanish in one half, round-off of the other one is no bracket. */
    const double change_i = c->g.q[i] * size.q + c->g.p[i] * size.p;
    const double change_j = c->g.q[j] * size.q + c->g.p[j] * size.p;
    const double noise = 64.0 * DBL_EPSILON * (change_i / size.q) * (change_j / size.p);
    if (!(found <= *relative) && !(fabs(c->brackets[e]) <= noise && isfinite(noise))) {
      *relative = found;
      *value = c->brackets[e];
      worst = e;
    }
  }
  return worst;
}

double sw_slides_apart(sw_sim *sim, double h, const double z[], const double a[], const double b[])
{
  const sw_system *system = sim->system;
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const sw_sizes size = sim->step.size;
  double *end = sim->scratch_state;
  double *other = sim->other;

  for (size_t i = 0; i < m; i++) {
    sim->component.a[i] = h * a[i];
    sim->component.b[i] = h * b[i];
  }
  system->fibre_flow(system, z, sim->k, sim->component.a, end);
  system->fibre_flow(system, z, sim->k, sim->component.b, other);
  return fmax(sw_distance(d, end, other) / sw_nonzero_scale(size.q),
              sw_distance(d, end + d, other + d) / sw_nonzero_scale(size.p));
}
