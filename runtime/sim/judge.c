/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judge.c -- may a step start from a state, and may it end at one?
 *
 * Everything that is asked of a state is a function of the state and the size of the step, and what was found
 * where a step ends holds where the next one starts: so a run that is taken up at any of its states is told
 * the same.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "sim/sim_internal.h"

/* What the round-off of a last slide, and of the evaluation of g and rho, can leave of them in their scales. */
static const double round_off = 16.0 * DBL_EPSILON;

static double floor_at_end(const sw_sim *sim)
{
  return sim->options.tolerance + round_off;
}

static double floor_at_start(const sw_sim *sim)
{
  return fmax(SW_STATE_TOLERANCE, 2.0 * floor_at_end(sim));
}

/* The sizes by which the state of a step that has begun is judged. */
static sw_sizes sizes_at_start(const sw_sim *sim)
{
  const sw_step *s = &sim->step;

  return sw_sizes_sum(s->extent, sw_sizes_proportion(s->extent, s->moved), s->moved);
}

/* ---- on M and on M^H ---- */

/* The worst of g and, on M^H of rho at z, in the scales for these sizes.  *hidden tells which. */
static sw_residual worst_residual(sw_sim *sim, const double z[], sw_sizes size, double floor,
                                  int *hidden)
{
  sw_residual found = sw_residual_g(sim->system, sim->k, z, size, &sim->scratch);

  *hidden = 0;
  if (sim->method->on_hidden && isfinite(found.largest) && found.scaled <= floor) {
    found = sw_residual_hidden(sim->system, sim->k, z, size, &sim->scratch);
    *hidden = 1;
  }
  return found;
}

static const char *residual_words(int hidden)
{
  return hidden ? "the hidden constraint {g,H} of" : "constraint";
}

/* 1 where the start is zero up to the round-off of the step, so that it is no size to judge by: a bead at rest
 * at the origin, which the step leaves there up to its round-off. */
static int is_nothing(const sw_sim *sim)
{
  const sw_step *s = &sim->step;

  return sw_sizes_proportion(s->extent, s->moved) <= SW_SIZES_NOTHING;
}

/* Whether the start is on M, or, where `hidden`, on M^H: by its own sizes, or, where these are nothing, by the step's. */
static sw_status judge_on_m_at_start(sw_sim *sim, int hidden)
{
  const double floor = floor_at_start(sim);
  char name[SW_NAME_BYTES];
  sw_residual found = (hidden ? sw_residual_hidden : sw_residual_g)(
      sim->system, sim->k, sim->z, sizes_at_start(sim), &sim->scratch);

  if (is_nothing(sim) && !(found.scaled <= floor)) {
    found = (hidden ? sw_residual_hidden : sw_residual_g)(sim->system, sim->k, sim->z,
                                                          sim->step.size, &sim->scratch);
  }
  if (!isfinite(found.largest)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (found.scaled <= floor) {
    return SW_OK;
  }
  return sw_fail(sim, hidden ? SW_ERR_OFF_MH : SW_ERR_OFF_M,
                 "step refused at t = %.6g: the state is not on %s: %s '%s' is %.3g (scaled %.2g > "
                 "%.0e); ask for projection (sw_sim_project, --project)",
                 sim->t, hidden ? "M^H" : "M", residual_words(hidden),
                 sw_system_name(sim->system, SW_C, found.worst, name),
                 sim->scratch.value[found.worst], found.scaled, floor);
}

/* 1 where |f_i| <= floor a_i or floor b_i for all i: a_i and b_i are parts of its scale. */
static int all_within(int m, const double f[], double floor, const double a[], double factor_a,
                      const double b[], double factor_b)
{
  int within = 1;

  for (int i = 0; i < m; i++) {
    const double size = fabs(f[i]);
    within &= size <= floor * factor_a * a[i] || size <= floor * factor_b * b[i];
  }
  return within;
}

/* Whether g and rho at the end are within the floor by what is known of their scales without evaluating more. */
static int clearly_on_m(const sw_sim *sim, const double rho[], sw_sizes size)
{
  const sw_holonomic *s = &sim->holonomic;
  const sw_component *c = &sim->component;
  const double floor = floor_at_end(sim);
  const double *g = sim->g.value;
  const int m = sim->system->nc;

  if (sim->is_fast) {
    return all_within(m, g, floor, s->end.sums, size.q, s->end.sums, size.q) &&
           (!sim->method->on_hidden ||
            all_within(m, rho, floor, s->terms, 1.0, s->end.slope_sums, size.p));
  }
  return all_within(m, g, floor, c->g.q, size.q, c->g.p, size.p) &&
         (!sim->method->on_hidden || all_within(m, rho, floor, c->rho.q, size.q, c->rho.p, size.p));
}

/* 1 where the start is nothing, and off M itself by its own sizes. */
static int starts_from_nothing(sw_sim *sim)
{
  const double floor = floor_at_end(sim);
  int hidden = 0;

  return is_nothing(sim) &&
         !(worst_residual(sim, sim->z, sizes_at_start(sim), floor, &hidden).scaled <= floor);
}

static sw_status judge_on_m_at_end(sw_sim *sim, sw_made_step *made)
{
  const double floor = floor_at_end(sim);
  char name[SW_NAME_BYTES];
  int hidden = 0;

  made->sizes = sw_larger_sizes(sizes_at_start(sim), made->extent);
  if (clearly_on_m(sim, made->rho, made->sizes)) {
    return SW_OK;
  }
  if (starts_from_nothing(sim)) {
    made->sizes = sw_larger_sizes(sim->step.size, made->extent);
  }
  const sw_residual found = worst_residual(sim, made->end, made->sizes, floor, &hidden);
  if (!isfinite(found.largest)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (found.scaled <= floor) {
    return SW_OK;
  }
  return sw_fail(sim, SW_ERR_LEFT_M,
                 "step failed at t = %.6g: it would end off %s: %s '%s' would be %.3g (scaled %.2g "
                 "> %.2g, which is what the solve and round-off may leave); try a smaller step",
                 sim->t, hidden ? "M^H" : "M", residual_words(hidden),
                 sw_system_name(sim->system, SW_C, found.worst, name),
                 sim->scratch.value[found.worst], found.scaled, floor);
}

/* ---- {g_i,g_j} = 0 ---- */

/* "the parameters a = 1 (default 0), ...", those that are not the defaults, and sizes. */
static void parameters_in_words(const sw_sim *sim, char text[200])
{
  enum { bytes = 200, most = 3 };
  const sw_system *system = sim->system;
  char name[SW_NAME_BYTES];
  int changed = 0;
  size_t used = 0;

  for (int i = 0; i < system->nk && used < bytes; i++) {
    if (sim->k[i] != system->k_default[i] && changed++ < most) {
      const int added =
          snprintf(text + used, bytes - used, "%s%.30s = %.6g (default %.6g)",
                   used ? ", " : "the parameters ", sw_system_name(system, SW_K, i, name),
                   sim->k[i], system->k_default[i]);
      used += added > 0 ? (size_t)added : 0;
    }
  }
  if (used < bytes) {
    (void)snprintf(text + used, bytes - used, "%s%s",
                   changed == 0     ? "the default parameters"
                   : changed > most ? " and more"
                                    : "",
                   system->model->n_sizes > 0 ? " at these sizes" : "");
  }
}

/* Refuses a state at which two constraints are second class, where that is not ruled out. */
static sw_status judge_brackets(sw_sim *sim, int at_end, const double z[])
{
  const sw_system *system = sim->system;
  const sw_pattern *pattern = &system->coisotropy_pattern;
  double value = 0.0;
  double relative = 0.0;
  char first[SW_NAME_BYTES];
  char second[SW_NAME_BYTES];
  char words[200];
  const int worst = sw_second_class(sim, z, &value, &relative);

  if (worst < 0) {
    return SW_OK;
  }
  if (!isfinite(relative)) {
    return sw_fail_not_finite(sim, "step");
  }
  parameters_in_words(sim, words);
  return sw_fail(
      sim, SW_ERR_SECOND_CLASS,
      "step %s at t = %.6g: {%.100s, %.100s} is not 0 on M but %.3g at its %s (%.2g of its "
      "terms): with %s the constraints are second class, which the theory does not cover; "
      "try others",
      at_end ? "failed" : "refused", sim->t,
      sw_system_name(system, SW_C, pattern->row[worst], first),
      sw_system_name(system, SW_C, pattern->col[worst], second), value, at_end ? "end" : "start",
      relative, words);
}

/* ---- N invertible ---- */

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

/* Looks closer at a state whose N is regular by its pivots, but only just, or by what was dropped:
 * constraints may be dependent but for round-off, and what was dropped has to depend on the others. */
static sw_status look_closer(sw_sim *sim, int at_end, const sw_side *side, const double z[])
{
  const int strict = sim->redundant == SW_REDUNDANT_ERROR;
  sw_dependence found;

  if (strict ? side->clear : side->dropped == 0) {
    return SW_OK;
  }
  if (!sw_find_dependence(sim, z, &found)) {
    return sw_fail_not_finite(sim, "step");
  }
  if (strict && found.dependent > 0) {
    return refuse_dependent(sim, at_end ? "end" : "start", &found);
  }
  return !strict && found.degenerate > 0 ? refuse_singular(sim, at_end, z) : SW_OK;
}

static sw_status judge_side(sw_sim *sim, int at_end, const sw_side *side, const double z[])
{
  if (side->sign == SW_SIGN_NO_MEMORY) {
    return sw_fail(sim, SW_ERR_MEMORY, "step failed at t = %.6g: out of memory", sim->t);
  }
  if (side->sign == SW_SIGN_NOT_FINITE) {
    return sw_fail_not_finite(sim, "step");
  }
  return side->sign == 0 ? refuse_singular(sim, at_end, z) : look_closer(sim, at_end, side, z);
}

/* Refuses an end on another side of the degenerate points than the start. */
static sw_status judge_sides(sw_sim *sim, const sw_side *before, const sw_side *after)
{
  if (after->dropped == before->dropped && after->sign != before->sign) {
    return sw_fail_component(sim, "it would end on another component of M^H (det N changes its "
                                  "sign)");
  }
  if (after->negative >= 0 && before->negative >= 0 && after->negative != before->negative) {
    char text[160];
    (void)snprintf(text, sizeof text,
                   "it would end on another component of M^H (N has %d negative eigenvalues there, "
                   "and %d at its start)",
                   after->negative, before->negative);
    return sw_fail_component(sim, text);
  }
  return SW_OK;
}

/* ---- a step ---- */

int sw_watches_n(const sw_sim *sim)
{
  const sw_structure *structure = &sim->system->model->structure;

  return sim->system->nc > 0 &&
         (sim->method->on_hidden ||
          (structure->holonomic && !sw_covered(sim, structure->nondegenerate)));
}

sw_status sw_judge_finite(sw_sim *sim)
{
  const sw_system *system = sim->system;
  double H = 0.0;

  system->hamiltonian(system, sim->z, sim->k, &H);
  if (!isfinite(H)) {
    return sw_fail(sim, SW_ERR_NOT_FINITE,
                   "step refused at t = %.6g: H is %g at its start; check the state and the "
                   "parameters",
                   sim->t, H);
  }
  system->hamiltonian_grad(system, sim->z, sim->k, sim->other);
  for (int i = 0; i < 2 * system->nq; i++) {
    char name[SW_NAME_BYTES];
    const int of_p = i >= system->nq;
    if (!isfinite(sim->other[i])) {
      return sw_fail(
          sim, SW_ERR_NOT_FINITE,
          "step refused at t = %.6g: the derivative of H in %s is %g at its start; check "
          "the state and the parameters",
          sim->t, sw_system_name(system, of_p ? SW_P : SW_Q, of_p ? i - system->nq : i, name),
          sim->other[i]);
    }
  }
  return SW_OK;
}

/* What was found where the last step has ended holds here, too, as long as the scales have not shrunk. */
static int found_on_m(const sw_sim *sim)
{
  const sw_sizes now = sizes_at_start(sim);
  const double ratio = floor_at_start(sim) / floor_at_end(sim);

  return sim->checked && sim->judged.q <= ratio * now.q && sim->judged.p <= ratio * now.p;
}

sw_status sw_judge_start(sw_sim *sim)
{
  const int known = found_on_m(sim);
  sw_status status = SW_OK;

  if (sim->system->nc == 0) {
    return SW_OK;
  }
  if (!known) {
    status = judge_on_m_at_start(sim, 0);
  }
  /* A hidden constraint of second class constraints is nothing to be on. */
  if (status == SW_OK && !sim->checked) {
    status = judge_brackets(sim, 0, sim->z);
  }
  if (status == SW_OK && !known && sim->method->on_hidden) {
    status = judge_on_m_at_start(sim, 1);
  }
  if (status == SW_OK && !sim->checked && sw_watches_n(sim)) {
    sim->side = sw_component_side(sim, 0, sim->z);
    status = judge_side(sim, 0, &sim->side, sim->z);
  }
  return status;
}

sw_status sw_judge_end(sw_sim *sim, sw_made_step *made)
{
  const int fast = sim->is_fast;
  sw_status status = SW_OK;

  if (sim->system->nc == 0) {
    return SW_OK;
  }
  if (sw_watches_n(sim) && !(fast && sim->method->on_hidden)) {
    made->side = sw_component_side(sim, 1, made->end);
  }
  if (!fast && !sim->method->on_hidden) {
    sw_requirement_jac_at(&sim->g, made->end);
    sw_gradients_of(&sim->system->constraint_jac_pattern, sim->g.jac, sim->system->nq,
                    sim->component.g);
  }
  status = judge_on_m_at_end(sim, made);
  const sw_status brackets = judge_brackets(sim, 1, made->end);
  if (brackets != SW_OK) {
    return brackets;
  }
  if (status == SW_OK && sw_watches_n(sim)) {
    status = judge_side(sim, 1, &made->side, made->end);
    status = status == SW_OK ? judge_sides(sim, &sim->side, &made->side) : status;
  }
  return status;
}

sw_status sw_judge_root(sw_sim *sim, const sw_solver *solver, double h, const double z[],
                        const double u[], const char *what)
{
  char text[240];
  double distance = 0.0;
  const sw_jump jump = sw_watch_judge(&sim->watch, solver, u, &distance);

  if (jump == SW_JUMP_NONE) {
    return SW_OK;
  }
  if (jump == SW_JUMP_NOISE) {
    sw_zero(sim->watch.first, (size_t)sim->system->nc);
  }
  if (jump != SW_JUMP_SIGN && sw_slides_apart(sim, h, z, u, sim->watch.first) <= SW_JUMP_SMALL) {
    return SW_OK;
  }
  if (jump == SW_JUMP_NOISE) {
    return sw_fail(
        sim, SW_ERR_NOT_CONVERGED,
        "step failed at t = %.6g: its multipliers %s are round-off, and yet they move the "
        "state, with h = %.3g; try a larger step",
        sim->t, what, h);
  }
  if (jump == SW_JUMP_SIGN) {
    (void)snprintf(text, sizeof text,
                   "its multipliers %s lead to another component of M^H (the determinant of the "
                   "solve changes its sign on the way from 0)",
                   what);
    return sw_fail_component(sim, text);
  }
  (void)snprintf(text, sizeof text,
                 "its multipliers %s lead to another component of M^H: they are %.2g times as far "
                 "from the predicted ones as these are from 0, more than %g",
                 what, distance, SW_JUMP_FACTOR);
  return sw_fail_component(sim, text);
}
