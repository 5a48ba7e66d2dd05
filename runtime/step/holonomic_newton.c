/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic_newton.h"

#include "common/shared_vectors.h"
#include "step/holonomic_loops.h"

/* Iteration limit of this search. After it, solver.h starts again with its own limit. */
static const long patience = 8;

/* Computes F at lambda (NULL: zero) into search->change. Returns max |F_i|. */
static double residual(sw_holonomic *s, const sw_holonomic_search *search, const double lambda[])
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
static void weigh(const sw_holonomic *s, sw_holonomic_search *search)
{
  if (search->root.weights == NULL) {
    sw_solver_weigh(search->solver, s->matrix, search->weights);
    search->root.weights = search->weights;
  }
}

/* Factorises the Jacobian at the last iterate. Returns 0 if there are no pivots. */
static int holonomic_newton_factor(sw_holonomic *s, sw_holonomic_search *search)
{
  sw_root *root = &search->root;
  sw_deficient *linear = sw_solver_linear(search->solver);

  if (root->first_sign != 0) {
    weigh(s, search);
  }
  sw_frame_product of;
  const sw_row_maker rows = sw_holonomic_jacobian_maker(s, s->matrix, &of);
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

/* 1 if Newton's method has converged: the residual is at most the tolerance and no longer
 * halves. */
static int is_over(const sw_holonomic_search *search, double left, double before)
{
  return left <= SW_SOLVE_TARGET || (left <= search->tolerance && left > 0.5 * before);
}

/* Ends at the last iterate, or at the previous one if the last is not better. */
static void end(sw_holonomic *s, sw_holonomic_search *search, const double last[], double left,
                const double previous[], double before, double lambda[])
{
  const size_t m = (size_t)s->plan->m;
  const int is_better = left < before;
  const double *best = is_better ? last : previous;

  if (best != lambda) {
    sw_share_copy(s->system->team, lambda, best, m);
  }
  if (!is_better) {
    (void)residual(s, search, lambda);
  }
  if (search->report.iterations > 1) {
    weigh(s, search);
  }
  search->report.residual = is_better ? left : before;
}

/* Computes the next iterate. Returns its residual. */
static double holonomic_newton_improve(sw_holonomic *s, sw_holonomic_search *search,
                                       const double from[], double to[])
{
  sw_deficient *linear = sw_solver_linear(search->solver);

  sw_deficient_solve(linear, search->change);
  sw_loop_correct(s, from, search->change, to);
  return residual(s, search, to);
}

/* Returns the residual at zero. */
static double holonomic_newton_start(sw_holonomic *s, sw_holonomic_search *search)
{
  sw_deficient_begin(sw_solver_linear(search->solver));
  search->root = (sw_root){0};
  search->report = (sw_solve_report){0};
  return search->at_zero = search->report.residual = residual(s, search, NULL);
}

int sw_holonomic_search_from_zero(sw_holonomic *s, sw_holonomic_search *search, double lambda[])
{
  double *u[2] = {lambda, search->other}; /* the iterates, alternating */
  const long most = search->most_iterations < patience ? search->most_iterations : patience;
  double before = INFINITY;
  double left = holonomic_newton_start(s, search);
  int serves = 0; /* 1 if the current factorisation is accurate enough, as in solver.h */

  if (left <= 0.01 * SW_SOLVE_TARGET) {
    sw_share_fill(s->system->team, lambda, 0.0, (size_t)s->plan->m);
    sw_loop_positions(s, NULL);
    return 1;
  }
  for (long i = 0; i < most && isfinite(left); i++) {
    if (!serves && !holonomic_newton_factor(s, search)) {
      return 0;
    }
    const double *from = i > 0 ? u[(i + 1) % 2] : NULL;
    if (i == 1) {
      sw_share_copy(s->system->team, search->first, from, (size_t)s->plan->m);
    }
    before = left;
    left = holonomic_newton_improve(s, search, from, u[i % 2]);
    search->report.iterations++;
    if (is_over(search, left, before)) {
      if (!(left < before) && i == 0) {
        return 0;
      }
      end(s, search, u[i % 2], left, u[(i + 1) % 2], before, lambda);
      return 1;
    }
    if (!(left < before)) {
      return 0;
    }
    serves = left * (left / before) <= SW_SOLVE_TARGET;
  }
  return 0;
}
