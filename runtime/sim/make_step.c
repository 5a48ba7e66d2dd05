/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_step.c -- one step of the method, computed in the workspace: the solves of its phases, one
 * after the other, or those of step/holonomic.h.  step.c commits or discards the result.
 */
#include <math.h>

#include "sim/sim_internal.h"
#include "step/holonomic_loops.h"

/* Every solve starts from zero multipliers, so that a step is a map of the state alone.  An
 * initial guess from the last step could lead to another root, on another component of M^H, and
 * would make a run depend on its history. */
sw_status sw_solve_phase(sw_sim *sim, int phase, sw_solver *solver, const sw_problem *problem,
                         sw_solve_report *report)
{
  const sw_phase_plan *plan = &sim->plan->phase[phase];
  sw_watch *watch = &sim->work.check.watch;
  const int m = plan->m + plan->forces > 0 ? sim->system->nc : 0;

  watch->team = sim->system->team;
  const sw_problem watched = sw_watch_begin(watch, problem, plan->n, m);
  const sw_status status = sw_solver_solve(solver, &watched, sim->work.phase[phase].u, report);
  sim->stats.solves++;
  sim->stats.newton_iterations += report->iterations;
  return status;
}

/* Checks the result of a solve.  root: NULL for the root of the phase's solver. */
static sw_status check_solve(sw_sim *sim, int phase, sw_status status,
                             const sw_solve_report *report, const sw_root *root)
{
  sw_workspace *w = &sim->work;
  const sw_phase *s = &w->phase[phase];

  w->check.is_noise = 0;
  if (status == SW_ERR_SINGULAR && sw_multipliers_are_noise(&w->check)) {
    w->check.is_noise = 1;
    return SW_OK;
  }
  if (status != SW_OK) {
    return sw_check_solve(&w->check, status, report, sim->state.z, w->phase[w->from].end,
                          &sim->failure);
  }
  status = sw_check_root(&w->check, root ? *root : sw_solver_root(w->solver[phase]), s->start, s->u,
                         s->plan->hidden, &sim->failure);
  return status == SW_OK && s->plan->m > 0
             ? sw_check_slide(&w->check, s->start, s->u, &sim->failure)
             : status;
}

/* 1 if this is the step's first phase with a base method.  It measures the step, so the start can
 * be checked. */
static int has_unchecked_start(const sw_sim *sim, int phase)
{
  return phase == sim->work.from + (sim->plan->phase[sim->work.from].combination != NULL);
}

/* Rejects a step if constraints have dependent gradients at its start but independent ones where
 * the method evaluates them.  Discrete gradients and iterates off M are such cases.  Then the
 * multipliers of energy-momentum are not unique although its equations hold, and the solves of
 * other methods fail. */
static sw_status check_dropped(sw_sim *sim, int phase, sw_status status)
{
  const int fails = status == SW_ERR_SINGULAR || status == SW_ERR_NOT_CONVERGED;
  const sw_phase_plan *plan = &sim->plan->phase[phase];

  /* No factorisation of N exists if N is proved to be regular. */
  if (sim->plan->redundant == SW_REDUNDANT_ERROR || !sim->work.check.component.linear ||
      plan->hidden ||
      !(plan->discrete ? fails || status == SW_OK
                       : fails && (plan->forces > 0 || sim->plan->method->earlier))) {
    return status;
  }
  const sw_deficient *linear = sw_solver_linear(sim->work.solver[phase]);
  const int dropped = sw_deficient_was_regular(linear) ? 0 : sw_deficient_dropped(linear);
  const int dependent = sw_component_side(&sim->work.check.component, 0, sim->state.z).dropped;
  const int blocks = (plan->m + plan->forces) / sim->system->nc;
  return dropped >= dependent * blocks
             ? status
             : sw_fail(&sim->failure, SW_ERR_SINGULAR,
                       (sw_failure){.cause = SW_CAUSE_INDEPENDENT, .index = dependent});
}

/* Computes a phase from z.  Leaves its end in the phase. */
static sw_status make_phase(sw_sim *sim, int phase, const double z[], sw_solve_report *report)
{
  sw_phase *s = &sim->work.phase[phase];

  if (!sw_phase_begin(s, z)) {
    return sw_fail_not_finite(&sim->failure);
  }
  const int is_start = has_unchecked_start(sim, phase);
  sw_status status = is_start ? sw_check_start(&sim->work.check, &sim->failure) : SW_OK;
  /* An explicit step without constraints has no unknowns and is already complete. */
  if (status != SW_OK || s->plan->n == 0) {
    return status;
  }
  const sw_problem problem = sw_phase_problem(s);
  status = sw_solve_phase(sim, phase, sim->work.solver[phase], &problem, report);
  status = check_solve(sim, phase, status, report, NULL);
  status = check_dropped(sim, phase, status);
  if (status == SW_OK && sim->work.check.is_noise) {
    /* a step at rest whose multipliers are round-off of the positions over h: they become zero */
    if (!sw_phase_begin(s, s->start)) {
      return sw_fail_not_finite(&sim->failure);
    }
    sw_phase_values(s, s->u, sim->work.F);
  }
  return status;
}

/* Computes all phases in their general form. */
static sw_status make_phases(sw_sim *sim, sw_made_step *made)
{
  sw_workspace *w = &sim->work;
  sw_status status = SW_OK;

  made->end = sim->state.z;
  for (int i = w->from; i < w->to && status == SW_OK; i++) {
    const sw_phase_plan *plan = &sim->plan->phase[i];
    sw_phase *s = &w->phase[i];
    sw_solve_report report = {0};
    s->before = i > w->from ? w->phase[i - 1].start : NULL;
    if (i > w->from && plan->stages) {
      sw_stages_forget(&s->stages); /* they start from the end of another phase */
    }
    status = plan->has_noise ? sw_heat_add(sim, &made->end) : SW_OK;
    status = status == SW_OK ? make_phase(sim, i, made->end, &report) : status;
    made->end = s->end;
    if (status == SW_OK && sim->plan->options.compensated && plan->m > 0 && !plan->hidden) {
      made->end = sw_carry_correct(sim, i);
    }
    made->rho = plan->hidden ? w->rho.value : NULL;
    /* whether the phase only slides along the fibre */
    made->slide = plan->hidden && plan->n == plan->m ? s->u : NULL;
    made->solve = fmax(made->solve, report.residual);
  }
  return status;
}

/* ---- solves of holonomic.h ---- */

/* Searches the multipliers of SHAKE in few passes, unless constraints are redundant.  Returns 0
 * if `solve` must find them. */
static int search_positions(sw_sim *sim, sw_solve_report *report, sw_root *root)
{
  sw_workspace *w = &sim->work;
  sw_watch *watch = &w->check.watch;
  sw_holonomic_search search = {.solver = w->solver[0],
                                .tolerance = sim->plan->options.tolerance,
                                .most_iterations = sim->plan->options.max_iterations,
                                .first = watch->first,
                                .change = w->change,
                                .other = w->trial,
                                .weights = w->F};

  if (sim->plan->redundant != SW_REDUNDANT_ERROR ||
      !sw_holonomic_search_from_zero(&w->holonomic, &search, w->phase[0].u)) {
    return 0;
  }
  *report = search.report;
  *root = search.root;
  watch->team = sim->system->team;
  watch->m = sim->system->nc;
  watch->at_zero = search.at_zero;
  watch->known = report->iterations > 0;
  sim->stats.solves++;
  sim->stats.newton_iterations += report->iterations;
  return 1;
}

static sw_status make_positions(sw_sim *sim, sw_solve_report *report)
{
  sw_workspace *w = &sim->work;
  sw_holonomic *s = &w->holonomic;
  const sw_problem problem = {sw_holonomic_residual, sw_holonomic_jacobian, s};

  if (!sw_holonomic_begin(s)) {
    return sw_fail_not_finite(&sim->failure);
  }
  sw_status status = sw_check_start(&w->check, &sim->failure);
  if (status != SW_OK) {
    return status;
  }
  w->phase[0].start = sim->state.z;
  sw_root root;
  const int found = search_positions(sim, report, &root);
  if (!found) {
    sw_share_fill(sim->system->team, w->phase[0].u, 0.0, (size_t)sim->system->nc);
    status = sw_solve_phase(sim, 0, w->solver[0], &problem, report);
  }
  status = check_solve(sim, 0, status, report, found ? &root : NULL);
  if (status == SW_OK && w->check.is_noise) {
    sw_share_fill(sim->system->team, w->phase[0].u, 0.0, (size_t)sim->system->nc);
    sw_holonomic_residual(s, w->phase[0].u, w->F);
  }
  if (status == SW_OK) {
    sw_holonomic_end(s, w->phase[0].u);
  }
  return status;
}

/* Solves for the slide of holonomic.h, which is linear in sigma.  Corrections after the first one
 * remove its round-off.  On entry report->residual is that at sigma = 0, and sigma is the
 * right-hand side there. */
static sw_status solve_linear_slide(sw_sim *sim, sw_solve_report *report)
{
  sw_workspace *w = &sim->work;
  enum { most_rounds = 4 };
  sw_holonomic *s = &w->holonomic;
  sw_deficient *linear = w->check.component.linear;
  sw_team *team = sim->system->team;
  const size_t m = (size_t)sim->system->nc;
  double *F = w->F;
  double *change = w->change;
  double *trial = w->trial;
  double *sigma = w->phase[1].u;
  int falls = report->residual > SW_SOLVE_TARGET;

  sim->stats.solves++;
  if (falls) {
    sw_deficient_solve(linear, sigma);
    const double left = sw_slide_residual(s, sigma, F);
    falls = left < report->residual;
    report->residual = falls ? left : report->residual;
    report->iterations++;
  }
  if (!falls) {
    sw_share_fill(team, sigma, 0.0, m);
  }
  while (falls && report->iterations < most_rounds && report->residual > SW_SOLVE_TARGET) {
    sw_slide_wanted(s, F, change);
    sw_deficient_solve(linear, change);
    sw_share_copy(team, trial, sigma, m);
    sw_share_add_scaled(team, m, 1.0, change, trial);
    const double left = sw_slide_residual(s, trial, F);
    falls = left < report->residual;
    if (falls) {
      sw_share_copy(team, sigma, trial, m);
      report->residual = left;
    }
    report->iterations++;
  }
  sim->stats.newton_iterations += report->iterations;
  return report->residual <= sim->plan->options.tolerance ? SW_OK : SW_ERR_NOT_CONVERGED;
}

/* The slide onto M^H that changes only momenta, from the end of the solve for the positions. */
static sw_status slide_momenta(sw_sim *sim, sw_solve_report *report, sw_made_step *made)
{
  sw_workspace *w = &sim->work;
  sw_holonomic *s = &w->holonomic;
  sw_deficient *linear = w->check.component.linear;
  const size_t entries = (size_t)sim->plan->phase[0].jacobian.entries;

  if (!sw_slide_begin(s, w->phase[1].u, &report->residual)) {
    return sw_fail_not_finite(&sim->failure);
  }
  sw_frame_product of;
  const sw_row_maker rows = sw_slide_maker(s, &of);
  sw_deficient_begin(linear);
  sw_status status = sw_deficient_make_and_factor(linear, s->matrix, &rows);
  /* A successful factorisation excludes values that are not finite, unless it leaves out
   * redundant constraints. */
  const int may_leave_out = sim->plan->redundant != SW_REDUNDANT_ERROR;
  if ((status != SW_OK || may_leave_out) &&
      !isfinite(sw_share_max_abs(sim->system->team, entries, s->matrix))) {
    return sw_fail_not_finite(&sim->failure);
  }
  made->known.side = sw_component_side_of_slide(&w->check.component, status);
  if (status == SW_OK) {
    status = solve_linear_slide(sim, report);
  }
  if (status != SW_OK) {
    return sw_check_solve(&w->check, status, report, sim->state.z, w->phase[0].end, &sim->failure);
  }
  sw_slide_end(s, w->phase[1].u);
  made->rho = s->rho;
  made->slide = w->phase[1].u;
  return SW_OK;
}

static sw_status make_fast(sw_sim *sim, sw_made_step *made)
{
  sw_solve_report first = {0};
  sw_solve_report second = {0};

  sw_status status = make_positions(sim, &first);

  made->end = sim->work.phase[0].end;
  if (status == SW_OK && sim->plan->own_phases > 1) {
    status = slide_momenta(sim, &second, made);
  } else if (status == SW_OK) {
    sw_frame_at(&sim->work.holonomic, &sim->work.holonomic.end, made->end);
  }
  made->solve = fmax(first.residual, second.residual);
  return status;
}

/* ---- the whole step ---- */

/* 1 if g at the end of the step is known from the last solve.  It is unknown if a slide has moved
 * positions, a combination made the end, or g was required only at stages. */
static int knows_g(const sw_sim *sim)
{
  const sw_phase_plan *last = &sim->plan->phase[sim->work.to - 1];
  const int slides = last->hidden && sim->system->model->structure.holonomic;
  const sw_phase_plan *of_g = slides && sim->work.to - sim->work.from > 1 ? last - 1 : last;

  return !sim->plan->options.compensated && !of_g->hidden && of_g->m > 0;
}

/* Sets the sizes of the step's end, max |g_i| and max |rho_i|.  Evaluates g and rho unless a
 * solve has left them. */
static sw_status look_at_end(sw_sim *sim, sw_made_step *made)
{
  const sw_system *system = sim->system;
  const size_t m = (size_t)system->nc;

  made->known.extent = sw_sizes_of(system, made->end);
  if (m > 0) {
    if (!knows_g(sim)) {
      system->constraint(system, made->end, sim->k, sim->work.g.value);
    }
    if (!made->rho) {
      system->hidden(system, made->end, sim->k, sim->work.rho.value);
      made->rho = sim->work.rho.value;
    }
    made->largest_g = sw_share_max_abs(system->team, m, sim->work.g.value);
    made->largest_rho = sw_share_max_abs(system->team, m, made->rho);
  }
  const int finite = isfinite(made->known.extent.q) && isfinite(made->known.extent.p) &&
                     isfinite(made->largest_g) && isfinite(made->largest_rho);
  return finite ? SW_OK : sw_fail_not_finite(&sim->failure);
}

/* Chooses the phases of a step of size h from the present state, and the fraction of the forces
 * that acts in it. */
static void begin_step(sw_sim *sim, double h)
{
  sw_workspace *w = &sim->work;
  const sw_clock *clock = &sim->state.clock;
  const double before = clock->h; /* size of the previous step */
  const int starts = sim->plan->method->start && before != h;

  w->from = starts ? sim->plan->own_phases : 0;
  w->to = starts ? sim->plan->step_phases : sim->plan->own_phases;
  w->step = (sw_step){
      .z0 = sim->state.z, .h = h, .force = 1.0, .extent = sim->state.known.extent, .hess = w->hess};
  if (sim->plan->method->staggered) {
    w->step.force = 0.5 * (before + h) / h;
  }
}

sw_status sw_step_make(sw_sim *sim, double h, sw_made_step *made)
{
  sw_status status = SW_OK;

  *made = (sw_made_step){.end = sim->state.z, .known.checked = 1};
  if (!sw_is_step_size(h)) {
    return sw_fail(&sim->failure, SW_ERR_ARGUMENT,
                   (sw_failure){.cause = SW_CAUSE_STEP_SIZE, .value = h});
  }
  begin_step(sim, h);
  if (!sim->state.known.checked) {
    status = sw_check_finite(&sim->work.check, &sim->failure);
  }
  if (status == SW_OK) {
    status = sim->plan->is_fast ? make_fast(sim, made) : make_phases(sim, made);
  }
  if (status == SW_OK && sim->plan->options.compensated) {
    sw_carry_add(sim, made);
  }
  if (status == SW_OK) {
    status = look_at_end(sim, made);
  }
  if (status == SW_OK) {
    status = sw_check_end(&sim->work.check, made, &sim->failure);
  }
  return status == SW_OK ? sw_mass_watch_step(sim->work.mass_watch, sim->state.z, made->end, sim->k,
                                              &sim->failure)
                         : status;
}

sw_status sw_step_examine_start(sw_sim *sim, double h)
{
  const int fast = sim->plan->is_fast;
  sw_workspace *w = &sim->work;
  const double *z = sim->state.z;

  begin_step(sim, h);
  sim->state.known.checked = 0;
  const sw_status status = sw_check_finite(&w->check, &sim->failure);
  if (status != SW_OK) {
    return status;
  }
  int begun = fast ? sw_holonomic_begin(&w->holonomic) : 1;
  for (int i = w->from; i < w->to && begun && !fast; i++) {
    begun = sw_phase_begin(&w->phase[i], z);
    z = w->phase[i].end;
    if (has_unchecked_start(sim, i)) {
      break;
    }
  }
  return begun ? sw_check_start(&w->check, &sim->failure) : sw_fail_not_finite(&sim->failure);
}

void sw_step_forget(sw_sim *sim)
{
  sw_workspace *w = &sim->work;

  w->g.jac_known = 0;
  w->rho.jac_known = 0;
  for (int i = 0; i < sim->plan->phases && w->is_complete; i++) {
    sw_phase_forget(&w->phase[i]);
  }
  sw_holonomic_forget(&w->holonomic);
  w->clusters.ready = w->clusters.is_current = 0;
  if (w->slides) {
    w->slides->is_known = 0;
  }
}
