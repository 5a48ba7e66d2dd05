/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/linearised.h"

#include <math.h>
#include <stdlib.h>

static void carve(sw_carver *c, void *of)
{
  sw_linearised *s = of;
  const sw_sim *sim = s->of;
  const size_t w = (size_t)s->width;

  for (int i = 0; i < sim->plan->step_phases; i++) {
    s->phase[i] = sim->work.phase[i];
    s->phase[i].stages = (sw_stages){.k = sim->k};
    s->phase[i].flow_step = (sw_flow_step){.k = sim->k};
    sw_phase_carve(c, &s->phase[i], w, 1);
  }
  s->newton = sw_carve(c, (size_t)s->most, 1);
  s->other = sw_carve(c, s->is_transposed ? (size_t)s->most : 0, 1);
  s->column = sw_carve(c, (size_t)s->tall, 1);
  s->V = sw_carve(c, 2 * (size_t)sim->system->nq, w);
  s->earlier = sw_carve(c, sim->plan->method->earlier ? 2 * (size_t)sim->system->nq : 0, w);
  SW_CARVE(c, (size_t)s->tall, w, &s->DU, &s->DF);
}

static sw_status transpose_pattern(sw_linearised *s, int phase)
{
  const sw_pattern *pattern = &s->of->work.phase[phase].plan->jacobian;

  s->place[phase] = calloc((size_t)pattern->entries + 1, sizeof *s->place[phase]);
  return s->place[phase] ? sw_pattern_transpose(pattern, &s->transposed[phase], s->place[phase])
                         : SW_ERR_MEMORY;
}

sw_status sw_linearised_create(sw_linearised *s)
{
  sw_sim *sim = s->of;
  sw_status status = sw_sim_complete(s->sim);

  if (status == SW_OK && sim != s->sim) {
    status = sw_sim_complete(sim);
  }
  for (int i = 0; i < s->sim->plan->step_phases && status == SW_OK; i++) {
    status = sw_make_plan(s->sim, i);
  }
  for (int i = 0; i < sim->plan->step_phases && status == SW_OK && sim != s->sim; i++) {
    status = sw_make_plan(sim, i);
  }
  for (int i = 0; i < sim->plan->step_phases && status == SW_OK; i++) {
    const sw_phase_plan *plan = sim->work.phase[i].plan;
    s->tall = plan->n > s->tall ? plan->n : s->tall;
    s->most = plan->jacobian.entries > s->most ? plan->jacobian.entries : s->most;
    status = s->is_transposed && plan->n > 0 ? transpose_pattern(s, i) : SW_OK;
  }
  if (status == SW_OK) {
    s->block = sw_carve_block(carve, s);
    status = s->block ? SW_OK : SW_ERR_MEMORY;
  }
  return status;
}

void sw_linearised_free(sw_linearised *s)
{
  for (int i = 0; i < SW_PHASES_MOST; i++) {
    sw_deficient_free(&s->linear[i]);
    sw_pattern_free(&s->transposed[i]);
    free(s->place[i]);
  }
  free(s->block);
}

/* Factorises the Newton matrix s->newton of a phase, or its transpose. */
static sw_status linearised_factor(sw_linearised *s, int phase)
{
  sw_sim *sim = s->sim;
  const sw_phase_plan *plan = s->of->work.phase[phase].plan;
  const sw_pattern *pattern = s->is_transposed ? &s->transposed[phase] : &plan->jacobian;
  const sw_multipliers multipliers = {sim->plan->redundant, 0, plan->m + plan->forces};
  const double *values = s->newton;

  sw_deficient_free(&s->linear[phase]);
  const sw_status status = sw_deficient_create(pattern, multipliers, &s->linear[phase]);

  if (status != SW_OK) {
    return status;
  }
  if (!isfinite(sw_max_abs((size_t)pattern->entries, s->newton))) {
    return sw_fail_not_finite(&sim->failure);
  }
  if (s->is_transposed) {
    for (int e = 0; e < pattern->entries; e++) {
      s->other[s->place[phase][e]] = s->newton[e];
    }
    values = s->other;
  }
  if (sw_deficient_factor(s->linear[phase], values) != 0) {
    return sw_fail(&sim->failure, SW_ERR_SINGULAR, (sw_failure){.cause = SW_CAUSE_NO_DERIVATIVE});
  }
  return SW_OK;
}

/* Computes the Newton matrix of a phase at its solution in s->newton. */
static sw_status find_newton(sw_linearised *s, int phase)
{
  sw_sim *sim = s->sim;
  sw_phase *own = &sim->work.phase[phase];

  if (sim->plan->is_fast && phase == 0) {
    sw_holonomic_jacobian(&sim->work.holonomic, own->u, s->newton);
    return SW_OK;
  }
  /* holonomic.h has solved this phase in another form. */
  if (sim->plan->is_fast) {
    sw_copy(s->column, own->u, (size_t)own->plan->n);
    if (!sw_phase_begin(own, s->phase[phase].start)) {
      return sw_fail_not_finite(&sim->failure);
    }
    sw_copy(own->u, s->column, (size_t)own->plan->n);
    sw_phase_move(own, own->u);
  }
  sw_phase_jacobian(own, own->u, s->newton);
  return SW_OK;
}

/* Computes the unknowns of a phase of the lifted model, from those of the model.  The momenta of k
 * and s among the stage values may have any value, because no formula reads them. */
static void lift_unknowns(const sw_linearised *s, int phase)
{
  const sw_phase *model = &s->sim->work.phase[phase];
  const sw_phase *own = &s->of->work.phase[phase];
  const int first = own->plan->m + own->plan->forces;
  const int d = s->sim->system->nq;
  const int lifted = s->of->system->nq;

  sw_copy(own->u, model->u, (size_t)first);
  for (int b = 0; first + b * lifted < own->plan->n; b++) {
    double *x = own->u + first + b * lifted;
    sw_copy(x, model->u + first + b * d, (size_t)d);
    sw_copy(x + d, own->start + d, (size_t)(lifted - d));
  }
}

/* Computes the Newton matrix of a phase of the lifted model at the solution of the model's phase,
 * in s->newton. */
static sw_status lift_newton(sw_linearised *s, int phase)
{
  sw_phase *own = &s->of->work.phase[phase];
  const int follows = phase > s->sim->work.from;

  own->before = follows ? s->phase[phase - 1].start : NULL;
  if (!sw_phase_begin(own, follows ? s->phase[phase - 1].end : s->of->state.z)) {
    return sw_fail_not_finite(&s->sim->failure);
  }
  if (own->plan->n > 0) {
    lift_unknowns(s, phase);
    sw_phase_values(own, own->u, s->column);
    sw_phase_jacobian(own, own->u, s->newton);
  }
  return SW_OK;
}

/* Evaluates a phase again, from z with its solution, and factorises its Newton matrix there. */
static sw_status linearised_prepare(sw_linearised *s, int phase, const double z[])
{
  const sw_phase *own = &s->of->work.phase[phase];
  sw_phase *mine = &s->phase[phase];
  sw_status status = SW_OK;

  mine->start = z;
  if (s->of != s->sim) {
    status = lift_newton(s, phase);
  } else if (mine->plan->n > 0) {
    status = find_newton(s, phase);
  }
  mine->scale_x = own->scale_x;
  mine->before = own->before;
  if (mine->plan->stages) {
    sw_stages_forget(&mine->stages);
  }
  if (status == SW_OK && mine->plan->n > 0) {
    status = linearised_factor(s, phase);
  }
  mine->is_free = 0;
  if (status == SW_OK) {
    sw_phase_move(mine, own->u);
  }
  return status;
}

/* Gives the lifted simulation the step that has been made. */
static void lift_step(const sw_linearised *s)
{
  sw_workspace *to = &s->of->work;
  const sw_workspace *from = &s->sim->work;

  sw_lifted_set_state(s->sim);
  sw_step_forget(s->of);
  to->from = from->from;
  to->to = from->to;
  to->step = from->step;
  to->step.z0 = s->of->state.z;
  to->step.hess = to->hess;
}

sw_status sw_linearised_part(sw_linearised *s, double h, sw_made_step *made)
{
  const sw_sim *sim = s->sim;
  sw_status status = sw_step_make(s->sim, h, made);

  if (status == SW_OK && s->of != sim) {
    lift_step(s);
  }
  for (int i = sim->work.from; i < sim->work.to && status == SW_OK; i++) {
    status = linearised_prepare(s, i, i == sim->work.from ? s->of->state.z : s->phase[i - 1].end);
  }
  return status;
}
