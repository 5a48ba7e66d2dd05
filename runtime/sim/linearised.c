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
  s->kick.kick = sim->work.kick;
  if (s->kick.kick) {
    sw_kick_tangent_carve(c, w, &s->kick);
  }
  s->newton = sw_carve(c, (size_t)s->most, 1);
  s->other = sw_carve(c, s->is_transposed ? (size_t)s->most : 0, 1);
  s->column = sw_carve(c, (size_t)s->tall, 1);
  s->V = sw_carve(c, 2 * (size_t)sim->system->nq, w);
  s->earlier = sw_carve(c, sim->plan->method->earlier ? 2 * (size_t)sim->system->nq : 0, w);
  SW_CARVE(c, (size_t)s->tall, w, &s->DU, &s->DF);
}

/* The pattern of the Newton matrix of a solve. */
static const sw_pattern *pattern_of_solve(const sw_linearised *s, int solve)
{
  return solve == SW_LINEARISED_KICK ? &s->of->work.kick->jacobian
                                     : &s->of->work.phase[solve].plan->jacobian;
}

int sw_linearised_unknowns(const sw_linearised *s, int solve)
{
  return solve == SW_LINEARISED_KICK ? s->of->work.kick->jacobian.rows
                                     : s->of->work.phase[solve].plan->n;
}

/* Adds a solve to the sizes of the arrays. */
static sw_status add_solve(sw_linearised *s, int solve)
{
  const sw_pattern *pattern = pattern_of_solve(s, solve);

  s->tall = sw_larger_int(s->tall, sw_linearised_unknowns(s, solve));
  s->most = sw_larger_int(s->most, pattern->entries);
  if (!s->is_transposed || sw_linearised_unknowns(s, solve) == 0) {
    return SW_OK;
  }
  s->place[solve] = calloc((size_t)pattern->entries + 1, sizeof *s->place[solve]);
  return s->place[solve] ? sw_pattern_transpose(pattern, &s->transposed[solve], s->place[solve])
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
    status = add_solve(s, i);
  }
  if (status == SW_OK && sim->work.kick) {
    status = add_solve(s, SW_LINEARISED_KICK);
  }
  if (status == SW_OK) {
    s->block = sw_carve_block(carve, s);
    status = s->block ? SW_OK : SW_ERR_MEMORY;
  }
  return status;
}

void sw_linearised_free(sw_linearised *s)
{
  for (int i = 0; i < SW_LINEARISED_SOLVES; i++) {
    sw_deficient_free(&s->linear[i]);
    sw_pattern_free(&s->transposed[i]);
    free(s->place[i]);
  }
  free(s->block);
}

sw_status sw_linearised_not_finite(const sw_linearised *s)
{
  return s->of == s->sim ? sw_fail_not_finite(&s->sim->failure)
                         : sw_fail(&s->sim->failure, SW_ERR_NOT_FINITE,
                                   (sw_failure){.cause = SW_CAUSE_ALONG_PARAMETERS});
}

/* Factorises the Newton matrix s->newton of a solve, or its transpose. */
static sw_status linearised_factor(sw_linearised *s, int phase)
{
  sw_sim *sim = s->sim;
  const sw_pattern *pattern = s->is_transposed ? &s->transposed[phase] : pattern_of_solve(s, phase);
  const sw_phase_plan *plan = phase < SW_PHASES_MOST ? s->of->work.phase[phase].plan : NULL;
  const sw_multipliers multipliers = {sim->plan->redundant, plan ? 0 : s->of->system->nq,
                                      plan ? plan->m + plan->forces : s->of->work.kick->m};
  const double *values = s->newton;

  if (!s->linear[phase] && sw_deficient_create(pattern, multipliers, &s->linear[phase]) != SW_OK) {
    return SW_ERR_MEMORY;
  }
  sw_deficient_begin(s->linear[phase]);
  if (!isfinite(sw_max_abs((size_t)pattern->entries, s->newton))) {
    return sw_linearised_not_finite(s);
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
  const int follows = phase > s->from;

  own->before = follows ? s->phase[phase - 1].start : NULL;
  if (!sw_phase_begin(own, follows ? s->phase[phase - 1].end : s->of->state.z)) {
    return sw_linearised_not_finite(s);
  }
  if (own->plan->n > 0) {
    lift_unknowns(s, phase);
    sw_phase_values(own, own->u, s->column);
    sw_phase_jacobian(own, own->u, s->newton);
  }
  return SW_OK;
}

/* Evaluates a phase again, from z with its solution, and factorises its Newton matrix there. */
static sw_status prepare_phase(sw_linearised *s, int phase, const double z[])
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

/* ---- kicks ---- */

/* Begins the kick of the lifted model at the solution of the model's kick. */
static int lift_kick(const sw_linearised *s)
{
  const sw_kick *model = s->sim->work.kick;
  sw_kick *own = s->of->work.kick;
  const size_t d = (size_t)s->sim->system->nq;
  const size_t lifted = (size_t)s->of->system->nq;

  if (!sw_kick_begin(own, model->h, s->of->state.z, model->step.extent)) {
    return 0;
  }
  sw_copy(own->u, model->u, d);
  sw_copy(own->u + lifted, model->u + d, (size_t)model->m);
  return 1;
}

static sw_status prepare_kick(sw_linearised *s)
{
  sw_kick *kick = s->of->work.kick;
  const int rows = sw_linearised_unknowns(s, SW_LINEARISED_KICK);

  if (s->of != s->sim && !lift_kick(s)) {
    return sw_linearised_not_finite(s);
  }
  if (rows > 0) {
    sw_kick_residual(kick, kick->u, s->column);
    sw_kick_jacobian(kick, kick->u, s->newton);
  }
  return rows > 0 ? linearised_factor(s, SW_LINEARISED_KICK) : SW_OK;
}

void sw_linearised_along(sw_linearised *s, int solve)
{
  if (solve == SW_LINEARISED_KICK) {
    sw_kick_along(&s->kick);
  } else {
    sw_phase_along(&s->phase[solve]);
  }
}

const double *sw_linearised_directions(sw_linearised *s, int solve, int n, const double V[],
                                       const double DU[], double DF[])
{
  return solve == SW_LINEARISED_KICK ? sw_kick_directions(&s->kick, n, V, DU, DF)
                                     : sw_phase_directions(&s->phase[solve], n, V, DU, DF);
}

/* ---- operations ---- */

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

int sw_linearised_operations(const sw_linearised *s)
{
  return s->sim->plan->composition->n + (s->sim->plan->is_forced ? 2 : 0);
}

/* The number of the part of the step; -1 for a kick. */
static int part_of(const sw_linearised *s, int i)
{
  const int part = i - s->sim->plan->is_forced;

  return part < s->sim->plan->composition->n ? part : -1;
}

sw_status sw_linearised_begin(sw_linearised *s, double h)
{
  return s->sim->plan->is_forced ? sw_kicks_examine(s->sim, h) : SW_OK;
}

sw_status sw_linearised_make(sw_linearised *s, int i, double h)
{
  const int part = part_of(s, i);
  sw_status status;

  if (part < 0) {
    s->from = SW_LINEARISED_KICK;
    s->to = s->from + 1;
    return sw_kick_make(s->sim, 0.5 * h);
  }
  status = sw_step_make(s->sim, s->sim->plan->composition->factor[part] * h, &s->made);
  s->from = s->sim->work.from;
  s->to = s->sim->work.to;
  return status;
}

void sw_linearised_take(sw_linearised *s, int i)
{
  const int part = part_of(s, i);

  if (part < 0) {
    sw_kick_take(s->sim);
  } else {
    sw_step_take(s->sim, s->sim->plan->composition->factor[part], part > 0, &s->made);
  }
}

sw_status sw_linearised_prepare(sw_linearised *s)
{
  sw_status status = SW_OK;

  if (s->of != s->sim) {
    lift_step(s);
  }
  if (s->from == SW_LINEARISED_KICK) {
    return prepare_kick(s);
  }
  for (int i = s->from; i < s->to && status == SW_OK; i++) {
    status = prepare_phase(s, i, i == s->from ? s->of->state.z : s->phase[i - 1].end);
  }
  return status;
}
