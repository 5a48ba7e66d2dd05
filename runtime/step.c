/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c -- one step, which is made in the workspace and committed only when all of it is good.
 */
#include <math.h>

#include "sim_internal.h"

static int all_finite(size_t n, const double x[])
{
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

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

static void affine_residual(void *context, const double u[], double F[])
{
  sw_shake_affine_residual(context, u, F);
}

static void affine_jacobian(void *context, const double u[], double J[])
{
  (void)u;
  sw_shake_affine_jacobian(context, J);
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

sw_status sw_slide(sw_sim *sim, sw_solve_report *report)
{
  const sw_problem problem = {slide_residual, slide_jacobian, &sim->slide};

  sw_zero(sim->new_sigma, (size_t)sim->system->nc);
  return solve(sim, sim->slide_solver, &problem, sim->new_sigma, report);
}

/* z1 = phi_h(Gamma_{h lambda}(z0)) with g(z1) = 0, left in sim->shake.z1 and sim->new_lambda. */
static sw_status shake(sw_sim *sim, double h, double *residual)
{
  sw_shake *s = &sim->shake;
  const sw_problem general = {shake_residual, shake_jacobian, s};
  const sw_problem affine = {affine_residual, affine_jacobian, s};
  sw_solve_report report = {0.0, 0, 0};
  sw_status status;

  if (!sw_shake_begin(s, sim->z, h)) {
    return sw_fail_not_finite(sim, "step");
  }
  /* Nothing to solve for: an explicit step without constraints. */
  if (s->n == 0) {
    sw_shake_residual(s, sim->u, sim->u);
    return SW_OK;
  }
  sw_shake_guess(s, sim->u);
  if (sim->plan.affine) {
    sw_shake_prepare(s);
  }
  status = solve(sim, sim->shake_solver, sim->plan.affine ? &affine : &general, sim->u, &report);
  *residual = fmax(*residual, report.residual);
  sw_copy(sim->new_lambda, sim->u, (size_t)s->m);
  if (status != SW_OK) {
    return sw_fail_solve(sim, status, "step", &report);
  }
  if (sim->plan.affine) {
    sw_shake_affine_end(s, sim->u);
  }
  return SW_OK;
}

/* z1 = Gamma_{h sigma}(z) with rho(z1) = 0, left in sim->slide.z1 and sim->new_sigma. */
static sw_status rattle(sw_sim *sim, double h, double *residual)
{
  sw_solve_report report = {0.0, 0, 0};
  sw_status status;

  if (!sw_rattle_begin(&sim->slide, sim->shake.size, sim->z, sim->shake.z1, h)) {
    return sw_fail_not_finite(sim, "step");
  }
  status = sw_slide(sim, &report);
  *residual = fmax(*residual, report.residual);
  return status == SW_OK ? SW_OK : sw_fail_solve(sim, status, "step", &report);
}

/* Evaluates what the solves have not: g after a slide that moves positions, rho after SHAKE. */
static void residuals_at_end(sw_sim *sim, const double end[], double *g, double *rho)
{
  const sw_system *system = sim->system;
  const size_t m = (size_t)system->nc;

  if (m == 0) {
    return;
  }
  if (sim->rattle && !system->model->structure.holonomic) {
    system->constraint(system, end, sim->k, sim->shake.g);
  }
  if (!sim->rattle) {
    system->hidden(system, end, sim->k, sim->slide.rho);
  }
  *g = sw_max_abs(m, sim->shake.g);
  *rho = sw_max_abs(m, sim->slide.rho);
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

/* Refuses a state from which, or to which, the theory does not cover a step: `now` is the sign of det N there,
 * and `before` that of the state that the step begins with. */
static sw_status judge_component(sw_sim *sim, int before, int now)
{
  if (now == SW_SIGN_NOT_FINITE) {
    return sw_fail_not_finite(sim, "step");
  }
  if (now == 0) {
    return sw_fail(
        sim, SW_ERR_SINGULAR,
        "step refused at t = %.6g: N = {{g,H},g} is singular at its %s, so the constraints do not "
        "determine the motion there; try another %s",
        sim->t, before ? "end" : "start", before ? "step size" : "initial state");
  }
  if (before && now != before) {
    return sw_fail(
        sim, SW_ERR_COMPONENT,
        "step failed at t = %.6g: it would end on another component of M^H (det N changes its "
        "sign); try a smaller step",
        sim->t);
  }
  return SW_OK;
}

/* Takes over what the step has found. */
static void commit(sw_sim *sim, double t, const double end[], double solve_residual, double g,
                   double rho)
{
  const size_t m = (size_t)sim->system->nc;

  sw_copy(sim->z, end, 2 * (size_t)sim->system->nq);
  sw_copy(sim->lambda, sim->new_lambda, m);
  for (size_t i = 0; i < m && sim->rattle; i++) {
    sim->lambda[i] += sim->new_sigma[i];
  }
  sim->t = t;
  sim->stats.steps++;
  sim->stats.residual_g = fmax(sim->stats.residual_g, g);
  sim->stats.residual_hidden = fmax(sim->stats.residual_hidden, rho);
  sim->stats.residual_solve = fmax(sim->stats.residual_solve, solve_residual);
}

/* Everything of a step but the clean-up after a failure. */
static sw_status try_step(sw_sim *sim, double h, double t)
{
  const int has_slide = sim->rattle && sim->system->nc > 0;
  const double *end = sim->shake.z1;
  double residual = 0.0;
  double g = 0.0;
  double rho = 0.0;
  sw_status status;

  sim->message[0] = '\0';
  if (!isfinite(h) || h == 0.0 || !isfinite(t)) {
    return sw_fail(sim, SW_ERR_ARGUMENT,
                   "step refused: h = %g from t = %g; h must be finite and "
                   "not zero",
                   h, sim->t);
  }
  if (!sim->checked) {
    status = check_state(sim);
    if (status == SW_OK && has_slide) {
      sim->sign = sw_component_sign(sim, sim->z);
      status = judge_component(sim, 0, sim->sign);
    }
    if (status != SW_OK) {
      return status;
    }
  }
  status = shake(sim, h, &residual);
  if (status == SW_OK && has_slide) {
    status = rattle(sim, h, &residual);
    end = sim->slide.z1;
  }
  if (status != SW_OK) {
    return status;
  }
  residuals_at_end(sim, end, &g, &rho);
  if (!all_finite(2 * (size_t)sim->system->nq, end) || !isfinite(g) || !isfinite(rho)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (has_slide) {
    status = judge_component(sim, sim->sign, sw_component_sign_at_end(sim, h, end));
    if (status != SW_OK) {
      return status;
    }
  }
  commit(sim, t, end, residual, g, rho);
  sim->checked = 1;
  return SW_OK;
}

sw_status sw_step_to(sw_sim *sim, double h, double t)
{
  const sw_status status = try_step(sim, h, t);

  if (status != SW_OK) {
    sw_shake_forget(&sim->shake);
  }
  return status;
}
