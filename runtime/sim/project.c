/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "sim/sim_internal.h"
#include "step/projection.h"

/* Searches for dependent gradients and a singular N, for the message: first at the state, then at
 * the point that the projection has reached. */
static sw_status explain(sw_sim *sim, sw_status status, const double reached[])
{
  sw_failure *f = &sim->failure;
  sw_dependence *found = &f->dependence;
  const double *const states[] = {sim->state.z, reached};

  f->projects = 1;
  for (size_t i = 0; i < 2 && status != SW_ERR_MEMORY; i++) {
    if (sw_component_dependence(&sim->work.check.component, states[i], found) &&
        found->dependent + found->degenerate > 0) {
      f->at_end = i > 0;
      return status;
    }
  }
  *found = (sw_dependence){0};
  return status;
}

/* Finds the point of M nearest to sim->state.z; leaves it in p->u. */
static sw_status onto_m(sw_sim *sim, sw_projection *p)
{
  const sw_problem problem = {sw_projection_residual, sw_projection_jacobian, p};
  sw_solve_report report = {0};
  sw_solver *solver = NULL;

  if (!sw_projection_begin(p, sim->state.z)) {
    return sw_fail_not_finite(&sim->failure);
  }
  sw_status status = sw_make_solver(sim, &p->jacobian, 2 * p->system->nq, p->system->nc, &solver);
  if (status != SW_OK) {
    return status;
  }
  status = sw_solver_solve(solver, &problem, p->u, &report);
  sw_solver_free(&solver);
  sim->stats.solves++;
  sim->stats.newton_iterations += report.iterations;
  return status == SW_OK
             ? SW_OK
             : sw_check_solve(&sim->work.check, status, &report, sim->state.z, NULL, &sim->failure);
}

/* Slides from z along the fibre to M^H.  Leaves the end in the phase of the slide. */
static sw_status onto_mh(sw_sim *sim, const double z[])
{
  const int slide = sim->plan->slide;
  sw_phase *s = &sim->work.phase[slide];
  const sw_problem problem = sw_phase_problem(s);
  sw_solve_report report = {0};
  sw_solver *solver = NULL;
  sw_status status = sw_make_plan(sim, slide);

  if (status == SW_OK) {
    status = sw_make_solver(sim, &s->plan->jacobian, 0, sim->system->nc, &solver);
  }
  if (status != SW_OK) {
    return status;
  }
  *s->step = (sw_step){.z0 = z, .h = 1.0, .force = 1.0, .size = sw_sizes_of(sim->system, z)};
  if (!sw_phase_begin(s, z)) {
    status = sw_fail_not_finite(&sim->failure);
  } else {
    status = sw_solve_phase(sim, slide, solver, &problem, &report);
    if (status != SW_OK) {
      status = sw_check_solve(&sim->work.check, status, &report, sim->state.z, NULL, &sim->failure);
    }
  }
  sw_solver_free(&solver);
  return status;
}

/* Records the displacement of the state by the projection to `end`.  Errors:
 * SW_ERR_NOT_FINITE. */
static sw_status project_measure(sw_sim *sim, sw_projection *p, const double end[])
{
  const size_t d = (size_t)sim->system->nq;
  const sw_sizes moved = sw_sizes_between(d, sim->state.z, end);
  const double part = sw_projection_part(p, sim->state.z, end);

  if (!isfinite(moved.q) || isnan(part)) {
    return sw_fail_not_finite(&sim->failure);
  }
  sim->moved = (sw_moved){moved.q, moved.p, part > 0.0 ? moved.q / part : p->extent.q, p->extent.p};
  return SW_OK;
}

/* Writes "WHAT by 0.02 (5 % of 0.4)". */
static int put_part(char *text, size_t room, const char *what, double moved, double size)
{
  return size > 0.0
             ? snprintf(text, room, "%s by %.3g (%.3g %% of %.3g)", what, moved,
                        100.0 * moved / size, size)
             : snprintf(text, room, "%s by %.3g%s", what, moved, moved > 0.0 ? " (from 0)" : "");
}

void sw_moved_text(const sw_moved *moved, char text[SW_MOVED_TEXT])
{
  const int used = put_part(text, SW_MOVED_TEXT, "moves positions", moved->q, moved->size_q);
  put_part(text + used, SW_MOVED_TEXT - (size_t)used, ", momenta", moved->p, moved->size_p);
}

static sw_status refuse_far(sw_sim *sim, double part, double most)
{
  char text[SW_MOVED_TEXT];

  sw_moved_text(&sim->moved, text);
  return sw_refuse(sim, SW_ERR_OFF_M,
                   "the state is far from the constraint manifold: its projection %s, more than "
                   "%.3g %%; give a nearer state, or allow it with a limit of %.2g",
                   text, 100.0 * most, 1.1 * part);
}

/* Finds the end of the projection, without changing the state. */
static sw_status find_end(sw_sim *sim, sw_projection *p, const double **found)
{
  const size_t dim = 2 * (size_t)sim->system->nq;
  const double *end = p->u;
  sw_status status = onto_m(sim, p);

  if (status == SW_OK && (sim->plan->method->on_hidden || sim->plan->method->begins_on_hidden)) {
    status = onto_mh(sim, p->u);
    end = sim->work.phase[sim->plan->slide].end;
  }
  if (status == SW_OK && !isfinite(sw_max_abs(dim, end))) {
    status = sw_fail_not_finite(&sim->failure);
  }
  status = status == SW_OK ? project_measure(sim, p, end) : status;
  if (status != SW_OK) {
    return explain(sim, status, p->u);
  }
  *found = end;
  return SW_OK;
}

static void move_to(sw_sim *sim, const double end[])
{
  sw_copy(sim->state.z, end, 2 * (size_t)sim->system->nq);
  sim->state.known.extent = sw_sizes_of(sim->system, end);
  sw_zero(sim->state.lambda, (size_t)sim->system->nc);
  sw_begin_more(sim);
  sim->state.known.checked = 0;
  sim->energy = (sw_energy_course){.begun = 0};
  if (sim->plan->method->earlier) {
    sim->state.clock = (sw_clock){sw_clock_time(&sim->state.clock), 0,
                                  0.0}; /* the projected state has no previous step */
  }
  sw_step_forget(sim);
}

sw_status sw_sim_project(sw_sim *sim)
{
  return sw_sim_project_within(sim, INFINITY);
}

/* Allocates the projection on each call, because it is large and rarely used. */
sw_status sw_sim_project_within(sw_sim *sim, double most)
{
  sw_projection projection = {0};
  const double *end = NULL;

  sw_say_nothing(sim);
  sim->moved = (sw_moved){0};
  if (sim->system->nc == 0) {
    return SW_OK;
  }
  sw_status status = sw_sim_complete(sim);
  if (status != SW_OK) {
    return sw_say(sim, "projection", status);
  }
  /* Constraints that are proved to follow from others are independent off M but dependent on
   * M. */
  sw_system *reduced = NULL;
  if (sim->system->model->follows && !sim->system->whole) {
    status = sw_system_reduce(sim->system, &reduced);
  }
  if (status == SW_OK) {
    status = sw_projection_create(reduced ? reduced : sim->system, sim->k, sim->plan->redundant,
                                  &projection);
  }
  if (status == SW_OK) {
    status = find_end(sim, &projection, &end);
  }
  const double part = sw_moved_part(&sim->moved);
  const int far = status == SW_OK && part > most;
  if (far) {
    status = refuse_far(sim, part, most);
  } else if (status == SW_OK) {
    move_to(sim, end);
  }
  sw_projection_free(&projection);
  sw_system_free(&reduced);
  return far ? status : sw_say(sim, "projection", status);
}

sw_status sw_sim_hidden_point(sw_sim *sim, double z[])
{
  const size_t dim = 2 * (size_t)sim->system->nq;
  const sw_stats stats = sim->stats;
  sw_status status = SW_OK;

  sw_say_nothing(sim);
  if (sim->system->nc == 0) {
    sw_copy(z, sim->state.z, dim);
    return SW_OK;
  }
  status = sw_sim_complete(sim);
  status = status == SW_OK ? onto_mh(sim, sim->state.z) : status;
  status = status == SW_OK ? status : explain(sim, status, sim->state.z);
  if (status == SW_OK) {
    sw_copy(z, sim->work.phase[sim->plan->slide].end, dim);
  }
  sim->stats = stats;
  sw_step_forget(sim);
  return sw_say(sim, "projection", status);
}
