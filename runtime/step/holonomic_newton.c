/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic_newton.h"

#include "common/shared_vectors.h"
#include "step/holonomic_loops.h"

/* Where solver.h would go on for longer, it may. */
static const long patience = 8;

/* F at lambda (NULL: zero), in search->change.  Returns the largest of it. */
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

/* The weights of the Jacobian that stands in s->matrix, the first one. */
static void weigh(const sw_holonomic *s, sw_holonomic_search *search)
{
  if (search->root.weights == NULL) {
    sw_solver_weigh(search->solver, s->matrix, search->weights);
    search->root.weights = search->weights;
  }
}

/* Returns 0 where there are no pivots. */
static int factor(sw_holonomic *s, sw_holonomic_search *search)
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
  root->first_sign = root->first_sign != 0 ? root->first_sign : root->sign;
  return 1;
}

/* to = from - change, from: NULL for zero; also in `copy` unless that is NULL. */
typedef struct correction {
  const double *from;
  const double *change;
  double *to;
  double *copy;
} correction;

static void correct(void *context, size_t first, size_t end)
{
  const correction *c = context;

  for (size_t i = first; i < end && c->from; i++) {
    c->to[i] = c->from[i] - c->change[i];
  }
  for (size_t i = first; i < end && !c->from; i++) {
    c->to[i] = c->copy[i] = 0.0 - c->change[i];
  }
}

/* Whether Newton's method has got as far as it gets: the residual is at most the tolerance, and no longer falls much. */
static int is_over(const sw_holonomic_search *search, double left, double before)
{
  return left <= SW_SOLVE_TARGET || (left <= search->tolerance && left > 0.5 * before);
}

/* Ends at the last iterate, or where that is no better at the one before. */
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

int sw_holonomic_search_from_zero(sw_holonomic *s, sw_holonomic_search *search, double lambda[])
{
  const size_t m = (size_t)s->plan->m;
  double *u[2] = {lambda, search->other}; /* iterates, by turns */
  const long most = search->most_iterations < patience ? search->most_iterations : patience;
  double before = INFINITY;
  double left = residual(s, search, NULL);
  int serves = 0; /* whether the factorisation at hand will do, as in solver.h */

  search->at_zero = left;
  search->root = (sw_root){0};
  search->report = (sw_solve_report){.residual = left};
  if (left <= 0.01 * SW_SOLVE_TARGET) {
    sw_share_fill(s->system->team, lambda, 0.0, m);
    sw_loop_positions(s, NULL);
    return 1;
  }
  sw_deficient_begin(sw_solver_linear(search->solver));
  for (long i = 0; i < most && isfinite(left); i++) {
    if (!serves && !factor(s, search)) {
      return 0;
    }
    sw_deficient_solve(sw_solver_linear(search->solver), search->change);
    correction c = {i > 0 ? u[(i + 1) % 2] : NULL, search->change, u[i % 2], search->first};
    sw_team_share(s->system->team, m, correct, &c);
    before = left;
    left = residual(s, search, u[i % 2]);
    search->report.iterations++;
    if (is_over(search, left, before)) {
      if (i == 0 && !(left < before)) {
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
