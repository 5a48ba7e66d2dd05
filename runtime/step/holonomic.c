/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic.h"

#include <math.h>

#include "common/shared_vectors.h"
#include "linear/sparse.h"
#include "step/holonomic_loops.h"

/* ---- memory ---- */

/* Sets the array pointers of a frame. */
static void carve_frame(sw_frame *frame, double *memory, size_t m, size_t jac, size_t slope)
{
  frame->jac = memory;
  frame->slope = frame->jac + jac;
  frame->sums = frame->slope + slope;
  frame->slope_sums = frame->sums + m;
}

void sw_holonomic_carve(sw_carver *c, sw_holonomic *s)
{
  const sw_system *system = s->system;
  const sw_holonomic_plan *plan = &s->plan->fast;
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const size_t jac = (size_t)system->constraint_jac_pattern.entries;
  const size_t slope = (size_t)sw_slope_pattern(plan, system)->entries;
  const size_t frame = 2 * m + jac + slope;
  const size_t given = (size_t)plan->mass.given;
  const int has_halves = system->hamiltonian_grad_q && system->hamiltonian_grad_p;

  s->frames = sw_carve(c, 2 * frame > given ? 2 * frame : given, 1);
  if (s->frames) {
    carve_frame(&s->start, s->frames, m, jac, slope);
    carve_frame(&s->end, s->frames + frame, m, jac, slope);
  }
  SW_CARVE(c, d, 1, &s->force, &s->velocity, &s->free);
  s->gradient = sw_carve(c, has_halves ? 0 : 2 * d, 1);
  s->mass = sw_carve(c, (size_t)plan->mass.entries, 1);
  SW_CARVE(c, m, 1, &s->rho, &s->terms, &s->scale, &s->F, &s->factor, &s->weight);
  s->matrix = sw_carve(c, (size_t)s->plan->jacobian.entries, 1);
  s->hidden_jac =
      sw_carve(c, system->constraint_jac_along ? 0 : (size_t)system->hidden_jac_pattern.entries, 1);
}

/* ---- values kept from step to step ---- */

/* H_q (half 0) or H_p (half 1), d values, at a state whose other half is not read. */
static void half_gradient(sw_holonomic *s, int half, const double z[], double out[])
{
  const sw_system *system = s->system;
  const size_t d = (size_t)system->nq;

  if (!s->gradient) {
    (half ? system->hamiltonian_grad_p : system->hamiltonian_grad_q)(system, z, s->k, out);
  } else {
    system->hamiltonian_grad(system, z, s->k, s->gradient);
    sw_share_copy(system->team, out, s->gradient + (size_t)half * d, d);
  }
}

const double *sw_holonomic_force(sw_holonomic *s, int at_end, const double z[])
{
  if (!(at_end ? s->force_at_end : s->force_at_start)) {
    half_gradient(s, 0, z, s->force);
    s->force_at_end = at_end;
    s->force_at_start = !at_end;
  }
  return s->force;
}

static const double *velocity_at(sw_holonomic *s, const double z[])
{
  const double *p = z + s->system->nq;

  if (s->mass_alone) {
    sw_loop_velocity(s, p);
  } else {
    half_gradient(s, 1, z, s->velocity);
  }
  return s->velocity;
}

/* Computes H_pp for the current parameters. Overwrites the end and both frames. */
static void find_mass(sw_holonomic *s, const double z[])
{
  const sw_mass *mass = &s->plan->fast.mass;
  const size_t d = (size_t)s->system->nq;

  sw_mass_values(mass, s->system, z, s->k, s->frames, s->mass);
  s->start.known = s->end.known = 0;
  s->has_mass = 1;
  (void)sw_copy_and_zero(s->z1, z, d);
  half_gradient(s, 1, s->z1, s->velocity);
  s->mass_alone = sw_mass_is_diagonal(mass) && sw_is_zero(s->system->nq, s->velocity);
}

int sw_holonomic_find_mass(sw_holonomic *s, const double z[])
{
  if (!s->has_mass) {
    find_mass(s, z);
  }
  return s->mass_alone;
}

void sw_frame_at(sw_holonomic *s, sw_frame *frame, const double z[])
{
  const sw_system *system = s->system;

  if (frame->known) {
    return;
  }
  system->constraint_jac(system, z, s->k, frame->jac);
  sw_loop_frame(s, frame);
  frame->known = 1;
}

void sw_holonomic_forget(sw_holonomic *s)
{
  s->start.known = s->end.known = 0;
  s->force_at_start = s->force_at_end = 0;
  s->has_mass = 0;
}

void sw_holonomic_recall(sw_holonomic *s, int knows_force)
{
  s->has_mass = 1;
  s->force_at_start = knows_force;
}

void sw_holonomic_commit(sw_holonomic *s)
{
  const sw_frame start = s->start;

  s->start = s->end;
  s->end = start;
  s->end.known = 0;
  s->force_at_start = s->force_at_end;
  s->force_at_end = 0;
}

/* ---- SHAKE ---- */

/* H_p after the first kick; NULL if sw_loop_kick_and_drift computes it. */
static const double *first_velocity(sw_holonomic *s, const double force[])
{
  const size_t d = (size_t)s->system->nq;
  sw_team *team = s->system->team;

  if (s->mass_alone) {
    return NULL;
  }
  sw_share_copy(team, s->z1 + d, s->step->z0 + d, d);
  sw_share_add_scaled(team, d, -sw_first_kick(s), force, s->z1 + d);
  return velocity_at(s, s->z1);
}

/* Kick and drift without constraints: computes p_half and q_free, and measures the step's
 * displacement. Returns 0 if that is not finite. */
static int sw_holonomic_move(sw_holonomic *s)
{
  const sw_mass *mass = &s->plan->fast.mass;
  const double *z0 = s->step->z0;

  (void)sw_holonomic_find_mass(s, z0);
  /* The second half of a step with noise begins with a drift: this force only gives the scale. */
  const double *force = s->kick == s->plan->kick ? sw_holonomic_force(s, 0, z0) : s->force;
  const sw_sizes moved = sw_loop_kick_and_drift(s, force, first_velocity(s, force));
  if (!sw_step_measure(s->step, moved)) {
    return 0;
  }
  return !s->step->is_at_rest || sw_step_raise(s->step, mass->entries, &mass->pattern, 0, s->mass);
}

int sw_holonomic_begin(sw_holonomic *s)
{
  const sw_system *system = s->system;
  const double *z0 = s->step->z0;

  if (!sw_holonomic_move(s)) {
    return 0;
  }
  sw_frame_at(s, &s->start, z0);
  s->end.known = s->force_at_end = 0;
  system->constraint_scale(system, z0, s->k, s->g->scale);
  const sw_scale_terms of = {.own = s->g->scale, .a = s->start.sums, .by_a = s->step->size.q};
  return sw_loop_scales(s, of, s->g->sums, s->g->scale);
}

void sw_holonomic_residual(void *context, const double lambda[], double F[])
{
  sw_holonomic *s = context;
  const sw_system *system = s->system;

  /* The initial guess 0 costs no product. */
  sw_loop_positions(s, sw_share_is_zero(system->team, (size_t)s->plan->m, lambda) ? NULL : lambda);
  s->at = s->z1;
  system->constraint(system, s->z1, s->k, s->g->value);
  (void)sw_loop_scaled(s, s->g->value, s->g->scale, F);
}

/* The callback that produces the Jacobian's rows during a factorisation, which *of must outlive. */
static sw_row_maker jacobian_maker(sw_holonomic *s, double J[], sw_frame_product *of)
{
  s->system->constraint_jac(s->system, s->at, s->k, s->end.jac);
  sw_loop_factors(s, s->g->scale, -s->step->h * s->step->h);
  *of = (sw_frame_product){s, s->end.jac, &s->start, J};
  return sw_loop_product_maker(of);
}

void sw_holonomic_jacobian(void *context, const double lambda[], double J[])
{
  sw_frame_product of;

  (void)lambda;
  (void)jacobian_maker(context, J, &of);
  sw_loop_product(&of);
}

void sw_holonomic_end(sw_holonomic *s, const double lambda[])
{
  const double h = s->step->h;
  const double kick = (1.0 - s->kick) * h;

  sw_loop_momenta(s, &s->start, -h, lambda, kick,
                  s->kick < 1.0 ? sw_holonomic_force(s, 1, s->z1) : NULL);
}

/* ---- RATTLE's slide ---- */

void sw_holonomic_product(sw_holonomic *s, const sw_frame *frame, double values[])
{
  sw_frame_product of = {s, frame->jac, frame, values};

  sw_share_fill(s->system->team, s->factor, 1.0, (size_t)s->plan->m);
  sw_loop_product(&of);
}

void sw_holonomic_matrix(sw_holonomic *s, const sw_frame *frame)
{
  sw_frame_product of = {s, frame->jac, frame, s->matrix};

  sw_loop_over_measures(s, frame);
  sw_loop_product(&of);
}

/* rho = Dg(q1) v and its terms. If H_p = H_pp p with a diagonal H_pp, rho = S^T p, and v is not
 * needed. */
static void find_rho(sw_holonomic *s, const double v[])
{
  if (s->mass_alone) {
    sw_loop_rates(s, s->end.slope, s->z1 + s->system->nq, s->rho, s->terms);
  } else {
    sw_loop_rates(s, s->end.jac, v, s->rho, s->terms);
  }
}

/* sums_i = sum_j |D rho_ij| size_j, and the scales from these sums and `own`, at a state with H_p =
 * v and the sums slope_sums of its slope: D_q rho is g_i,zz (H_p, 0), and D_p rho is S^T. along:
 * scratch, one value per entry of Dg. Returns 0 if a scale is not finite. */
static int holonomic_scales_of_rho(sw_holonomic *s, const double z[], const double v[],
                                   const double slope_sums[], sw_sizes size, double along[],
                                   const double own[], double sums[], double scale[])
{
  s->system->constraint_jac_along(s->system, z, s->k, v, along);
  const sw_scale_terms of = {
      .own = own, .a = slope_sums, .by_a = size.p, .rows = along, .by_rows = size.q};
  return sw_loop_scales(s, of, sums, scale);
}

/* rho at the start of a slide, and its scales (scale.h). Returns 0 if one is not finite. */
static int begin_rho(sw_holonomic *s)
{
  const sw_system *system = s->system;
  const sw_sizes size = s->step->size;
  const double *velocity = velocity_at(s, s->z1);
  double *along = s->start.jac; /* SHAKE no longer needs this array */
  double *sums = s->g->sums;

  s->start.known = 0;
  if (s->mass_alone && !s->hidden_jac && !s->end.known) {
    system->constraint_jac(system, s->z1, s->k, s->end.jac);
    system->constraint_jac_along(system, s->z1, s->k, velocity, along);
    s->end.known = 1;
    return sw_loop_arrive(s, along, sums);
  }
  sw_frame_at(s, &s->end, s->z1);
  find_rho(s, velocity);
  if (s->hidden_jac) {
    system->hidden_scale(system, s->z1, s->k, s->scale);
    system->hidden_jac(system, s->z1, s->k, s->hidden_jac);
    return sw_scales(&system->hidden_jac_pattern, s->hidden_jac, system->nq, size, s->scale, sums);
  }
  return holonomic_scales_of_rho(s, s->z1, velocity, s->end.slope_sums, size, along, s->terms, sums,
                                 s->scale);
}

int sw_slide_begin(sw_holonomic *s, double wanted[], double *largest)
{
  if (!begin_rho(s)) {
    return 0;
  }
  *largest = sw_loop_slide_begin(s, wanted);
  return 1;
}

sw_row_maker sw_slide_maker(sw_holonomic *s, sw_frame_product *of)
{
  *of = (sw_frame_product){s, s->end.jac, &s->end, s->matrix};
  return sw_loop_product_maker(of);
}

void sw_slide_end(sw_holonomic *s, const double sigma[])
{
  sw_loop_momenta(s, &s->end, -s->step->h, sigma, 0.0, NULL);
  find_rho(s, s->mass_alone ? NULL : velocity_at(s, s->z1));
}

int sw_holonomic_judge(sw_holonomic *s, int hidden, const double z[], sw_sizes size, double value[],
                       double scale[], double sums[])
{
  const sw_system *system = s->system;
  const int at_start = z == s->step->z0;
  sw_frame *frame = at_start ? &s->start : &s->end;
  /* The other frame is unused when this function is called. */
  double *along = at_start ? s->end.jac : s->start.jac;

  sw_frame_at(s, frame, z);
  if (hidden) {
    const double *velocity = velocity_at(s, z);
    sw_loop_rates(s, frame->jac, velocity, value, scale);
    (at_start ? &s->end : &s->start)->known = 0;
    return holonomic_scales_of_rho(s, z, velocity, frame->slope_sums, size, along, scale, sums,
                                   scale);
  }
  system->constraint(system, z, s->k, value);
  system->constraint_scale(system, z, s->k, scale);
  const sw_scale_terms of = {.own = scale, .a = frame->sums, .by_a = size.q};
  return sw_loop_scales(s, of, sums, scale);
}

/* ---- Newton's method for SHAKE ---- */

/* Iteration limit of this search. After it, solver.h starts again with its own limit. */
static const long patience = 8;

/* Computes F at lambda (NULL: zero) into search->change. Returns max |F_i|. */
static double search_residual(sw_holonomic *s, const sw_holonomic_search *search,
                              const double lambda[])
{
  const sw_system *system = s->system;

  s->at = s->free;
  if (lambda) {
    sw_loop_positions(s, lambda);
    s->at = s->z1;
  }
  system->constraint(system, s->at, s->k, s->g->value);
  return sw_loop_scaled(s, s->g->value, s->g->scale, search->change);
}

/* Computes the weights from the first Jacobian, in s->matrix. */
static void search_weigh(const sw_holonomic *s, sw_holonomic_search *search)
{
  if (search->root.weights == NULL) {
    sw_solver_weigh(search->solver, s->matrix, search->weights);
    search->root.weights = search->weights;
  }
}

/* Factorises the Jacobian at the last iterate. Returns 0 if there are no pivots. */
static int search_factor(sw_holonomic *s, sw_holonomic_search *search)
{
  sw_root *root = &search->root;
  sw_deficient *linear = sw_solver_linear(search->solver);

  if (root->first_sign != 0) {
    search_weigh(s, search);
  }
  sw_frame_product of;
  const sw_row_maker rows = jacobian_maker(s, s->matrix, &of);
  if (sw_deficient_make_and_factor(linear, s->matrix, &rows) != SW_OK) {
    return 0;
  }
  root->sign = sw_deficient_sign(linear);
  root->signs = sw_signs_of_blocks(linear);
  if (root->first_sign == 0) {
    root->first_sign = root->sign;
    root->first_signs = root->signs;
    root->block = sw_deficient_blocks(linear);
  }
  return 1;
}

/* Ends at the last iterate, or at the previous one if the last is not better. */
static void search_end(sw_holonomic *s, sw_holonomic_search *search, const double last[],
                       double left, const double previous[], double before, double lambda[])
{
  const size_t m = (size_t)s->plan->m;
  const int is_better = left < before;
  const double *best = is_better ? last : previous;

  if (best != lambda) {
    sw_share_copy(s->system->team, lambda, best, m);
  }
  if (!is_better) {
    (void)search_residual(s, search, lambda);
  }
  if (search->report.iterations > 1) {
    search_weigh(s, search);
  }
  search->report.residual = is_better ? left : before;
}

int sw_holonomic_search_from_zero(sw_holonomic *s, sw_holonomic_search *search, double lambda[])
{
  sw_deficient *linear = sw_solver_linear(search->solver);
  double *u[2] = {lambda, search->other}; /* the iterates, alternating */
  const long most = search->most_iterations < patience ? search->most_iterations : patience;
  double before = INFINITY;
  int serves = 0; /* 1 if the current factorisation is accurate enough, as in solver.h */

  sw_deficient_begin(linear);
  search->root = (sw_root){0};
  search->report = (sw_solve_report){0};
  double left = search_residual(s, search, NULL);
  search->at_zero = search->report.residual = left;
  if (left <= 0.01 * SW_SOLVE_TARGET) {
    sw_share_fill(s->system->team, lambda, 0.0, (size_t)s->plan->m);
    sw_loop_positions(s, NULL);
    return 1;
  }
  for (long i = 0; i < most && isfinite(left); i++) {
    if (!serves && !search_factor(s, search)) {
      return 0;
    }
    const double *from = i > 0 ? u[(i + 1) % 2] : NULL;
    if (i == 1) {
      sw_share_copy(s->system->team, search->first, from, (size_t)s->plan->m);
    }
    before = left;
    sw_deficient_solve(linear, search->change);
    sw_loop_correct(s, from, search->change, u[i % 2]);
    left = search_residual(s, search, u[i % 2]);
    search->report.iterations++;
    if (left <= SW_SOLVE_TARGET || (left <= search->tolerance && left > 0.5 * before)) {
      if (!(left < before) && i == 0) {
        return 0;
      }
      search_end(s, search, u[i % 2], left, u[(i + 1) % 2], before, lambda);
      return 1;
    }
    if (!(left < before)) {
      return 0;
    }
    serves = left * (left / before) <= SW_SOLVE_TARGET;
  }
  return 0;
}
