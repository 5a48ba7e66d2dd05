/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c -- one step, which is made in the workspace and committed only when all of it is good.
 */
#include <math.h>

#include "fibre/fibre.h"
#include "sim_internal.h"

/* A condition of N from which on its constraints may be dependent, but for round-off. */
static const double ill_conditioned = 1e10;

/* The problems in the form that solver.h asks for. */

static void shake_residual(void *context, const double u[], double F[])
{
  sw_shake_residual(context, u, F);
}

static void shake_jacobian(void *context, const double u[], double J[])
{
  (void)u;
  sw_shake_jacobian(context, J);
}

static void slide_residual(void *context, const double u[], double F[])
{
  sw_rattle_residual(context, u, F);
}

static void slide_jacobian(void *context, const double u[], double J[])
{
  (void)u;
  sw_rattle_jacobian(context, J);
}

static void holonomic_residual(void *context, const double u[], double F[])
{
  sw_holonomic_residual(context, u, F);
}

static void holonomic_jacobian(void *context, const double u[], double J[])
{
  (void)u;
  sw_holonomic_jacobian(context, J);
}

static void momentum_residual(void *context, const double u[], double F[])
{
  sw_slide_residual(context, u, F);
}

static void momentum_jacobian(void *context, const double u[], double J[])
{
  (void)u;
  sw_slide_jacobian(context, J);
}

/* Every solve starts from zero multipliers, so that a step is a map of the state alone: a first guess from
 * the last step could lead to another root, on another component of M^H, and would make a run depend on
 * its history. */
static sw_status solve(sw_sim *sim, sw_solver *solver, const sw_problem *problem, double u[],
                       sw_solve_report *report)
{
  const sw_status status = sw_solver_solve(solver, problem, u, report);

  sim->stats.solves++;
  sim->stats.newton_iterations += report->iterations;
  return status;
}

sw_status sw_slide(sw_sim *sim, sw_solver *solver, sw_solve_report *report)
{
  const int m = sim->system->nc;
  const sw_problem problem = {slide_residual, slide_jacobian, &sim->slide};
  const sw_problem watched = sw_watch_begin(&sim->watch, &problem, m, m);

  sw_zero(sim->new_sigma, (size_t)m);
  return solve(sim, solver, &watched, sim->new_sigma, report);
}

/* z1 = phi_h(Gamma_{h lambda}(z0)) with g(z1) = 0, left in sim->shake.z1 and sim->new_lambda. */
static sw_status shake(sw_sim *sim, double h, sw_solve_report *report)
{
  sw_shake *s = &sim->shake;
  const sw_problem general = {shake_residual, shake_jacobian, s};
  const sw_problem holonomic = {holonomic_residual, holonomic_jacobian, &sim->holonomic};
  const int fast = sim->plan.holonomic;
  sw_status status;

  if (fast ? !sw_holonomic_begin(&sim->holonomic, sim->extent, sim->z, h)
           : !sw_shake_begin(s, sim->extent, sim->z, h)) {
    return sw_fail_not_finite(sim, "step");
  }
  /* Nothing to solve for: an explicit step without constraints. */
  if (s->n == 0) {
    sw_shake_residual(s, sim->u, sim->u);
    return SW_OK;
  }
  const sw_problem watched = sw_watch_begin(&sim->watch, fast ? &holonomic : &general, s->n, s->m);
  sw_shake_guess(s, sim->u);
  status = solve(sim, sim->shake_solver, &watched, sim->u, report);
  sw_copy(sim->new_lambda, sim->u, (size_t)s->m);
  if (status != SW_OK) {
    return sw_fail_solve(sim, status, "step", report);
  }
  status = sw_judge_root(sim, sim->shake_solver, h, sim->z, sim->u, "lambda");
  if (status != SW_OK) {
    return status;
  }
  if (fast) {
    sw_holonomic_end(&sim->holonomic, sim->u);
  }
  return SW_OK;
}

/* z1 = Gamma_{h sigma}(z) with rho(z1) = 0, left in *end and sim->new_sigma, and rho there in *rho. */
static sw_status rattle(sw_sim *sim, double h, sw_solve_report *report, const double **end,
                        const double **rho)
{
  sw_holonomic *s = &sim->holonomic;
  const sw_problem momentum = {momentum_residual, momentum_jacobian, s};
  const int fast = sim->plan.holonomic;
  sw_status status;

  *end = fast ? sim->shake.z1 : sim->slide.z1;
  *rho = fast ? s->rho : sim->slide.rho;
  if (fast ? !sw_slide_begin(s)
           : !sw_rattle_begin(&sim->slide, sim->shake.size, sim->z, sim->shake.z1, h)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (fast) {
    sw_zero(sim->new_sigma, (size_t)sim->system->nc);
    status = solve(sim, sim->slide_solver, &momentum, sim->new_sigma, report);
  } else {
    status = sw_slide(sim, sim->slide_solver, report);
  }
  if (status != SW_OK) {
    return sw_fail_solve(sim, status, "step", report);
  }
  /* The fast slide is linear in sigma. */
  if (!fast) {
    status = sw_judge_root(sim, sim->slide_solver, h, sim->shake.z1, sim->new_sigma, "sigma");
    if (status != SW_OK) {
      return status;
    }
  }
  if (fast) {
    sw_slide_end(s, sim->new_sigma);
  }
  return SW_OK;
}

/* max |g_i| and max |rho_i| at the end; what the solves have not evaluated is: g after a slide that moves
 * positions, and rho after SHAKE, for which `rho` is NULL. */
static void residuals_at_end(sw_sim *sim, const double end[], const double rho[], double *largest_g,
                             double *largest_rho)
{
  const sw_system *system = sim->system;
  const size_t m = (size_t)system->nc;

  if (m == 0) {
    return;
  }
  if (rho && !system->model->structure.holonomic) {
    system->constraint(system, end, sim->k, sim->shake.g);
  }
  if (!rho) {
    system->hidden(system, end, sim->k, sim->slide.rho);
    rho = sim->slide.rho;
  }
  *largest_g = sw_max_abs(m, sim->shake.g);
  *largest_rho = sw_max_abs(m, rho);
}

/* SW_OK where the state is on M, and for "rattle" on M^H, to SW_STATE_TOLERANCE; else a message and
 * SW_ERR_OFF_M, SW_ERR_OFF_MH or SW_ERR_NOT_FINITE. */
static sw_status check_state(sw_sim *sim)
{
  const sw_system *system = sim->system;
  char name[SW_NAME_BYTES];
  sw_residual found = sw_residual_g(system, sim->k, sim->z, &sim->scratch);
  sw_status status = SW_ERR_OFF_M;

  if (isfinite(found.largest) && found.scaled <= SW_STATE_TOLERANCE && sim->rattle) {
    found = sw_residual_hidden(system, sim->k, sim->z, &sim->scratch);
    status = SW_ERR_OFF_MH;
  }
  if (!isfinite(found.largest)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (found.scaled <= SW_STATE_TOLERANCE) {
    return SW_OK;
  }
  return sw_fail(sim, status,
                 "step refused at t = %.6g: the state is not on %s: %s '%s' is %.3g (scaled %.2g > "
                 "%.0e); ask for projection (sw_sim_project, --project)",
                 sim->t, status == SW_ERR_OFF_M ? "M" : "M^H",
                 status == SW_ERR_OFF_M ? "constraint" : "the hidden constraint {g,H} of",
                 sw_system_name(system, SW_C, found.worst, name), sim->scratch.value[found.worst],
                 found.scaled, SW_STATE_TOLERANCE);
}

/* Refuses a step for what was found where it starts or ends. */
static sw_status refuse_dependent(sw_sim *sim, const char *where, const sw_dependence *found)
{
  return sw_fail(
      sim, SW_ERR_SINGULAR,
      "step refused at t = %.6g: the constraints are dependent at its %s, where %s; remove "
      "those that follow from others, or ask for --redundant drop or min-norm",
      sim->t, where, found->text);
}

/* Refuses a state z at the start or the end of a step, because N is singular there. */
static sw_status refuse_singular(sw_sim *sim, int at_end, const double z[])
{
  const char *where = at_end ? "end" : "start";
  sw_dependence found;

  if (sw_find_dependence(sim, z, &found)) {
    if (sim->redundant == SW_REDUNDANT_ERROR && found.dependent > 0) {
      return refuse_dependent(sim, where, &found);
    }
    if (found.large > 0) {
      return sw_fail(sim, SW_ERR_SINGULAR,
                     "step refused at t = %.6g: N = {{g,H},g} is singular at its %s; whether "
                     "constraints are dependent was not examined, because %d are connected, more "
                     "than %d",
                     sim->t, where, found.large, sw_dependence_limit(sim));
    }
  }
  return sw_fail(
      sim, SW_ERR_SINGULAR,
      "step refused at t = %.6g: N = {{g,H},g} is singular at its %s, so the constraints do not "
      "determine the motion there; try another %s",
      sim->t, where, at_end ? "step size" : "initial state");
}

/* Refuses a state z from which, or to which, the theory does not cover a step: `now` is where it is, `before`
 * where the step begins, with sign 0 where that is z itself. */
static sw_status judge_component(sw_sim *sim, sw_side before, sw_side now, const double z[])
{
  if (now.sign == SW_SIGN_NOT_FINITE) {
    return sw_fail_not_finite(sim, "step");
  }
  if (now.sign == 0) {
    return refuse_singular(sim, before.sign != 0, z);
  }
  if (before.sign && now.dropped == before.dropped && now.sign != before.sign) {
    return sw_fail(
        sim, SW_ERR_COMPONENT,
        "step failed at t = %.6g: it would end on another component of M^H (det N changes its "
        "sign); try a smaller step",
        sim->t);
  }
  return SW_OK;
}

/* Refuses a state at which two constraints are second class, where this is known for other sizes only. */
static sw_status judge_brackets(sw_sim *sim)
{
  const sw_system *system = sim->system;
  double value = 0.0;
  char first[SW_NAME_BYTES];
  char second[SW_NAME_BYTES];
  const int worst = sw_second_class(sim, &value);

  if (worst < 0) {
    return SW_OK;
  }
  return sw_fail(sim, SW_ERR_SIZE,
                 "step refused at t = %.6g: {%s, %s} is not 0 on M but %.3g, relative to the "
                 "gradients: at these sizes the constraints are second class; try others",
                 sim->t, sw_system_name(system, SW_C, system->coisotropy_pattern.row[worst], first),
                 sw_system_name(system, SW_C, system->coisotropy_pattern.col[worst], second),
                 value);
}

/* Takes over what the step has found. */
static void commit(sw_sim *sim, sw_clock clock, const sw_made_step *made)
{
  const size_t m = (size_t)sim->system->nc;

  sw_copy(sim->z, made->end, 2 * (size_t)sim->system->nq);
  sw_copy(sim->lambda, sim->new_lambda, m);
  for (size_t i = 0; i < m && sim->rattle; i++) {
    sim->lambda[i] += sim->new_sigma[i];
  }
  sim->clock = clock;
  sim->t = sw_clock_time(&clock);
  sim->extent = made->extent;
  sim->side = made->side;
  sim->checked = 1;
  sim->stats.steps++;
  sim->stats.residual_g = fmax(sim->stats.residual_g, made->g);
  sim->stats.residual_hidden = fmax(sim->stats.residual_hidden, made->rho);
  sim->stats.residual_solve = fmax(sim->stats.residual_solve, made->solve);
}

/* Looks closer at a start whose N is regular by its pivots, but only just, or by what was dropped:
 * constraints may be dependent but for round-off, and what was dropped has to depend on the others. */
static sw_status judge_start(sw_sim *sim)
{
  const int strict = sim->redundant == SW_REDUNDANT_ERROR;
  sw_component *c = &sim->component;
  sw_dependence found;

  if (strict ? !(sw_deficient_condition(c->linear, c->values) > ill_conditioned)
             : sim->side.dropped == 0) {
    return SW_OK;
  }
  if (!sw_find_dependence(sim, sim->z, &found)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (strict && found.dependent > 0) {
    return refuse_dependent(sim, "start", &found);
  }
  if (!strict && found.degenerate > 0) {
    return judge_component(sim, (sw_side){0, 0}, (sw_side){0, 0}, sim->z);
  }
  return SW_OK;
}

/* Refuses steps that make no sense, and the first one from a state that is not where it has to be. */
static sw_status check_start(sw_sim *sim, double h, double t)
{
  sw_status status = SW_OK;

  if (!isfinite(h) || h == 0.0 || !isfinite(t)) {
    return sw_fail(sim, SW_ERR_ARGUMENT,
                   "step refused: h = %g from t = %g; h must be finite and "
                   "not zero",
                   h, sim->t);
  }
  if (!sim->checked) {
    status = check_state(sim);
    if (status == SW_OK) {
      status = judge_brackets(sim);
    }
    if (status == SW_OK && sim->rattle && sim->system->nc > 0) {
      sim->side = sw_component_side(sim, sim->z);
      sim->negative = sim->side.dropped == 0 ? sw_component_negative(sim) : -1;
      status = judge_component(sim, (sw_side){0, 0}, sim->side, sim->z);
      status = status == SW_OK ? judge_start(sim) : status;
    }
  }
  return status;
}

/* Refuses an end of a step where N has other signs than at its start. */
static sw_status judge_signature(sw_sim *sim, sw_side side)
{
  const int negative = side.dropped == 0 ? sw_component_negative(sim) : -1;

  if (negative < 0 || sim->negative < 0 || negative == sim->negative) {
    return SW_OK;
  }
  return sw_fail(sim, SW_ERR_COMPONENT,
                 "step failed at t = %.6g: it would end on another component of M^H (N has %d "
                 "negative eigenvalues there, and %d at its start); try a smaller step",
                 sim->t, negative, sim->negative);
}

sw_status sw_step_make(sw_sim *sim, double h, double t, sw_made_step *made)
{
  const int has_slide = sim->rattle && sim->system->nc > 0;
  const double *end_rho = NULL;
  sw_solve_report first = {0.0, 0, 0};
  sw_solve_report second = {0.0, 0, 0};
  sw_status status = check_start(sim, h, t);

  *made = (sw_made_step){.end = sim->shake.z1};
  if (status == SW_OK) {
    status = shake(sim, h, &first);
  }
  if (status == SW_OK && has_slide) {
    status = rattle(sim, h, &second, &made->end, &end_rho);
  }
  if (status != SW_OK) {
    return status;
  }
  residuals_at_end(sim, made->end, end_rho, &made->g, &made->rho);
  made->extent = sw_sizes_of(sim->system, made->end);
  made->solve = fmax(first.residual, second.residual);
  if (!isfinite(made->extent.q) || !isfinite(made->extent.p) || !isfinite(made->g) ||
      !isfinite(made->rho)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (has_slide) {
    made->side = sw_component_side_at_end(sim, h, made->end);
    status = judge_component(sim, sim->side, made->side, made->end);
    status = status == SW_OK ? judge_signature(sim, made->side) : status;
  }
  return status;
}

void sw_step_forget(sw_sim *sim)
{
  sw_shake_forget(&sim->shake);
  sw_holonomic_forget(&sim->holonomic);
}

/* Adds up what the numerical fibre flow has done in this step; other simulations may use the same system. */
static void count_fibre(sw_sim *sim)
{
  const sw_fibre_counts *counts = &sim->system->fibre->counts;

  sim->stats.fibre_flows += counts->flows;
  sim->stats.fibre_steps += counts->steps;
  sim->stats.fibre_evaluations += counts->evaluations;
  sim->stats.fibre_error = fmax(sim->stats.fibre_error, counts->error);
}

sw_status sw_step_to(sw_sim *sim, sw_clock clock)
{
  const double h = clock.h;
  struct sw_fibre *fibre = sim->system->fibre;
  sw_made_step made;

  sim->message[0] = '\0';
  if (fibre) {
    fibre->counts = (sw_fibre_counts){0};
  }
  sw_status status = sw_step_make(sim, h, sw_clock_time(&clock), &made);
  if (status == SW_OK && sim->back) {
    status = sw_reversible_judge(sim, h, &made);
  }
  if (fibre) {
    count_fibre(sim);
  }
  if (status == SW_OK) {
    commit(sim, clock, &made);
    sw_holonomic_commit(&sim->holonomic);
  } else {
    sw_step_forget(sim);
  }
  return status;
}
