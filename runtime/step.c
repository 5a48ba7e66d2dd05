/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c -- one step, which is made in the workspace and committed only when all of it is good.
 */
#include <math.h>

#include "fibre/fibre.h"
#include "sim_internal.h"

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

/* Starts the step at sim->z; what it starts from is known then. */
static sw_status begin(sw_sim *sim, double h)
{
  const int good = sim->plan.holonomic ? sw_holonomic_begin(&sim->holonomic, sim->extent, sim->z, h)
                                       : sw_shake_begin(&sim->shake, sim->extent, sim->z, h);

  return good ? sw_judge_start(sim) : sw_fail_not_finite(sim, "step");
}

/* z1 = phi_h(Gamma_{h lambda}(z0)) with g(z1) = 0, left in sim->shake.z1 and sim->new_lambda. */
static sw_status shake(sw_sim *sim, double h, sw_solve_report *report)
{
  sw_shake *s = &sim->shake;
  const sw_problem general = {shake_residual, shake_jacobian, s};
  const sw_problem holonomic = {holonomic_residual, holonomic_jacobian, &sim->holonomic};
  const int fast = sim->plan.holonomic;
  sw_status status;

  /* Nothing to solve for: an explicit step without constraints, which has been made. */
  if (s->n == 0) {
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
  if (status == SW_OK && fast) {
    sw_holonomic_end(&sim->holonomic, sim->u);
  }
  return status;
}

/* Solves for the slide of holonomic.h, which is linear in sigma; the corrections after the first one take away
 * its round-off. */
static sw_status solve_linear_slide(sw_sim *sim, sw_solve_report *report)
{
  enum { most_rounds = 4 };
  const sw_holonomic *s = &sim->holonomic;
  const int m = sim->system->nc;
  double *F = sim->component.a;
  double *change = sim->component.b;
  double *trial = sim->u;

  sw_zero(sim->new_sigma, (size_t)m);
  sw_copy(F, s->F, (size_t)m);
  report->residual = sw_max_abs((size_t)m, F);
  sim->stats.solves++;
  for (int falls = 1; report->iterations < most_rounds && falls; report->iterations++) {
    if (report->residual <= SW_SOLVE_TARGET) {
      break;
    }
    sw_slide_wanted(s, F, change);
    sw_deficient_solve(sim->component.linear, change);
    for (int i = 0; i < m; i++) {
      trial[i] = sim->new_sigma[i] + change[i];
    }
    sw_slide_residual(s, trial, F);
    const double left = sw_max_abs((size_t)m, F);
    falls = left < report->residual;
    if (falls) {
      sw_copy(sim->new_sigma, trial, (size_t)m);
      report->residual = left;
    }
  }
  sim->stats.newton_iterations += report->iterations;
  return report->residual <= sim->options.tolerance ? SW_OK : SW_ERR_NOT_CONVERGED;
}

/* RATTLE's slide where only momenta move, from sim->shake.z1 to a state in the same place. */
static sw_status slide_momenta(sw_sim *sim, sw_solve_report *report, sw_made_step *made)
{
  sw_holonomic *s = &sim->holonomic;
  sw_deficient *linear = sim->component.linear;

  if (!sw_slide_begin(s) || !isfinite(sw_max_abs((size_t)sim->plan.jacobian.entries, s->matrix))) {
    return sw_fail_not_finite(sim, "step");
  }
  sw_deficient_begin(linear);
  sw_status status = sw_deficient_factor(linear, s->matrix);
  made->side = sw_component_side_of_slide(sim, status);
  if (status == SW_OK) {
    status = solve_linear_slide(sim, report);
  }
  if (status != SW_OK) {
    return sw_fail_solve(sim, status, "step", report);
  }
  sw_slide_end(s, sim->new_sigma);
  made->rho = s->rho;
  return SW_OK;
}

/* z1 = Gamma_{h sigma}(z) with rho(z1) = 0, left in *made and sim->new_sigma. */
static sw_status rattle(sw_sim *sim, double h, sw_solve_report *report, sw_made_step *made)
{
  sw_rattle *s = &sim->slide;

  if (sim->plan.holonomic) {
    return slide_momenta(sim, report, made);
  }
  if (!sw_rattle_begin(s, sim->shake.size, sim->z, sim->shake.z1, h)) {
    return sw_fail_not_finite(sim, "step");
  }
  sw_status status = sw_slide(sim, sim->slide_solver, report);
  if (status != SW_OK) {
    return sw_fail_solve(sim, status, "step", report);
  }
  made->end = s->z1;
  made->rho = s->rho;
  return sw_judge_root(sim, sim->slide_solver, h, sim->shake.z1, sim->new_sigma, "sigma");
}

/* Where the step ends: its sizes, and max |g_i| and max |rho_i|.  What the solves have not evaluated is g after a
 * slide that moves positions, and rho after SHAKE. */
static sw_status look_at_end(sw_sim *sim, sw_made_step *made)
{
  const sw_system *system = sim->system;
  const size_t m = (size_t)system->nc;

  made->extent = sw_sizes_of(system, made->end);
  if (m > 0) {
    if (made->rho && !system->model->structure.holonomic) {
      system->constraint(system, made->end, sim->k, sim->shake.g);
    }
    if (!made->rho) {
      system->hidden(system, made->end, sim->k, sim->slide.rho);
      made->rho = sim->slide.rho;
    }
    made->largest_g = sw_max_abs(m, sim->shake.g);
    made->largest_rho = sw_max_abs(m, made->rho);
  }
  const int finite = isfinite(made->extent.q) && isfinite(made->extent.p) &&
                     isfinite(made->largest_g) && isfinite(made->largest_rho);
  return finite ? SW_OK : sw_fail_not_finite(sim, "step");
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
  sim->judged = made->sizes;
  sim->side = made->side;
  sim->checked = 1;
  sim->stats.steps++;
  sim->stats.residual_g = fmax(sim->stats.residual_g, made->largest_g);
  sim->stats.residual_hidden = fmax(sim->stats.residual_hidden, made->largest_rho);
  sim->stats.residual_solve = fmax(sim->stats.residual_solve, made->solve);
}

sw_status sw_step_make(sw_sim *sim, double h, double t, sw_made_step *made)
{
  const int has_slide = sim->rattle && sim->system->nc > 0;
  sw_solve_report first = {0.0, 0, 0};
  sw_solve_report second = {0.0, 0, 0};
  sw_status status = SW_OK;

  *made = (sw_made_step){.end = sim->shake.z1};
  if (!isfinite(h) || h == 0.0 || !isfinite(t)) {
    return sw_fail(sim, SW_ERR_ARGUMENT,
                   "step refused: h = %g from t = %g; h must be finite and "
                   "not zero",
                   h, sim->t);
  }
  if (!sim->checked) {
    status = sw_judge_finite(sim);
  }
  if (status == SW_OK) {
    status = begin(sim, h);
  }
  if (status == SW_OK) {
    status = shake(sim, h, &first);
  }
  if (status == SW_OK && has_slide) {
    status = rattle(sim, h, &second, made);
  }
  if (status == SW_OK) {
    status = look_at_end(sim, made);
  }
  if (status == SW_OK) {
    status = sw_judge_end(sim, made);
  }
  made->solve = fmax(first.residual, second.residual);
  return status;
}

void sw_step_forget(sw_sim *sim)
{
  sw_shake_forget(&sim->shake);
  sim->slide.jac_known = 0;
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
    if (sim->plan.holonomic) {
      sw_holonomic_commit(&sim->holonomic);
    } else {
      sw_stages_next(&sim->shake.base);
    }
  } else {
    sw_approach_explain(sim, h, status);
    sw_step_forget(sim);
  }
  return status;
}
