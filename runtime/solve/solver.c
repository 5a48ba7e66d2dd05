/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver.c -- Newton's method with a line search where it needs one.
 *
 * What is finite, what is good enough, which iterate was the best and when a Jacobian is worth its
 * factorisation is decided here, because KINSOL takes NaN for success, stops early by default and
 * overwrites u when it fails.
 *
 * KINSOL measures steps by a norm, and unknowns have units: it is told by how much each of them
 * changes the equations.  That comes from the Jacobian at the first guess, so F and J there are
 * evaluated before KINSOL asks for them.
 *
 * Blocks of unknowns that no equation connects share the length of a line search.  If full steps
 * fail, each block is therefore searched by itself, so that its root does not depend on the other
 * blocks.
 */
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>

#include "common/shared_vectors.h"
#include "common/zeros.h"
#include "linear/deficient.h"
#include "linear/row_runs.h"
#include "linear/sparse.h"
#include "solve/newton_kinsol.h"

/* Full Newton steps may raise the residual on their way, but not for so many evaluations. */
static const long patience = 8;

/* With more blocks than that left to search, a line search is for all of them. */
enum { BLOCKS_MOST = 64 };

/* A residual above this has nothing to do with a solution, and its square would overflow. */
static const double hopeless = 1e100;

struct sw_solver {
  int n;
  double tolerance;
  long evaluation_limit;
  int entries;          /* of the Jacobian */
  const int *column;    /* of each entry; the pattern is the caller's */
  sw_runs runs;         /* of its rows */
  double *best;         /* n: the iterate with the smallest residual */
  double *last;         /* n: the iterate that was evaluated last */
  double *F;            /* n: at the first guess of the present search */
  double *at_guess;     /* n: at the first guess of the solve */
  double *whole;        /* n: the roots of blocks that have been searched one by one */
  int *open;            /* n: whether a block is to be searched */
  double *block_now;    /* n: max |F| of each block, */
  double *block_best;   /* n: its smallest one in this search, */
  int *block_since;     /* n: and the evaluations since then */
  double *values;       /* entries: the Jacobian */
  sw_deficient *system; /* and its factorisation */
  sw_newton *newton;
  sw_team *team;     /* NULL for one thread, and then the next two are, too */
  int *column_start; /* n + 1: where the entries of a column start */
  int *in_column;    /* entries, by columns */

  /* The solve that is under way. */
  const sw_problem *problem;
  double best_residual;
  double last_residual; /* |F|_inf of the last evaluation, and of the one before it */
  double residual_before;
  long evaluations;
  long since_best;     /* evaluations since the best iterate */
  int full_steps;      /* 1 in the search without line search */
  int last_not_finite; /* the last F, at a finite u */
  int jacobian_not_finite;
  int step_not_finite; /* a Newton step led out of the numbers */
  int no_memory;       /* 1 where a factorisation found none */
  int first_asked;     /* 1 once KINSOL has been told F at the first guess */
  int factored;        /* 1 where the factorisation is of a Jacobian of this search */
  int first_sign;      /* of the determinant of the first that it factored; 0 before */
  uint64_t first_signs;
  int only; /* the block that is searched, or -1: all */
};

/* The equations of other blocks than the one that is searched count as solved. */
static void leave_others_out(const sw_solver *s, double F[])
{
  const int *block = sw_deficient_blocks(s->system);

  for (int i = 0; i < s->n && s->only >= 0; i++) {
    F[i] = block[i] == s->only ? F[i] : 0.0;
  }
}

/* Whether the residual of one of several blocks has not fallen for too many evaluations, which that
 * of another one may hide. */
static int a_block_stalls(sw_solver *s, const double F[])
{
  const int *block = s->only < 0 && s->full_steps ? sw_deficient_blocks(s->system) : NULL;
  const int n = block ? s->n : 0;
  int stalls = 0;

  for (int i = 0; i < n; i++) {
    s->block_now[i] = 0.0;
  }
  for (int i = 0; i < n; i++) {
    s->block_now[block[i]] = fmax(s->block_now[block[i]], fabs(F[i]));
  }
  for (int b = 0; b < n; b++) {
    if (s->block_now[b] < s->block_best[b]) {
      s->block_best[b] = s->block_now[b];
      s->block_since[b] = 0;
    }
    stalls |= ++s->block_since[b] > patience && s->block_best[b] > s->tolerance;
  }
  return stalls;
}

/* F at u: keeps the best iterate.  Returns what KINSOL wants: 0 to go on, +1 where u is too far, -1
 * to stop because nothing is to be gained. */
static inline int solver_evaluate(sw_solver *s, const double u[], double F[])
{
  const double previous = s->best_residual;
  double residual;

  if (++s->evaluations > s->evaluation_limit) {
    return -1;
  }
  s->last_not_finite = 0;
  if (!isfinite(sw_share_max_abs(s->team, (size_t)s->n, u))) {
    s->last_not_finite = s->evaluations == 1;
    s->step_not_finite = s->evaluations > 1;
    return 1;
  }
  s->problem->residual(s->problem->context, u, F);
  leave_others_out(s, F);
  sw_share_copy(s->team, s->last, u, (size_t)s->n);
  residual = sw_share_max_abs(s->team, (size_t)s->n, F);
  s->residual_before = s->last_residual;
  s->last_residual = residual;
  if (!isfinite(residual)) {
    s->last_not_finite = 1;
    return 1;
  }
  if (residual < s->best_residual) {
    s->best_residual = residual;
    s->since_best = 0;
    sw_share_copy(s->team, s->best, u, (size_t)s->n);
  }
  if (residual > hopeless) {
    return 1;
  }
  if (s->full_steps && (++s->since_best > patience || a_block_stalls(s, F))) {
    return -1;
  }
  return residual <= s->tolerance && residual > 0.5 * previous && s->evaluations > 2 ? -1 : 0;
}

static int solver_on_residual(void *context, const double u[], double F[])
{
  sw_solver *s = context;

  if (!s->first_asked) {
    s->first_asked = 1;
    sw_share_copy(s->team, F, s->F, (size_t)s->n);
    return 0;
  }
  return solver_evaluate(s, u, F);
}

/* Whether the factorisation at hand will do for the next step: the last full step came from it, and
 * where the next one gains as much, it is the last one.  So keeping it costs no further
 * iterations. */
static int serves_again(const sw_solver *s)
{
  const double gain = s->last_residual / s->residual_before;

  return s->full_steps && s->factored && isfinite(s->residual_before) &&
         s->last_residual * gain <= SW_SOLVE_TARGET;
}

/* The Jacobian at u, where F was evaluated last, and its factorisation. */
static inline sw_status solver_factor(sw_solver *s, const double u[])
{
  s->problem->jacobian(s->problem->context, u, s->values);
  const sw_status status = sw_deficient_factor(s->system, s->values);

  s->factored = status == SW_OK;
  s->no_memory = status == SW_ERR_MEMORY;
  if (s->factored && s->first_sign == 0) {
    s->first_sign = sw_deficient_sign(s->system);
    s->first_signs = sw_signs_of_blocks(s->system);
  }
  if (!s->factored) {
    /* No factorisation succeeds with an entry that is not finite, so it is early enough to look
     * now. */
    s->jacobian_not_finite = !isfinite(sw_max_abs((size_t)s->entries, s->values));
  }
  return status;
}

static int solver_on_jacobian(void *context, const double u[])
{
  sw_solver *s = context;

  /* That at the first guess is there already. */
  if (s->evaluations == 1 || serves_again(s)) {
    return 0;
  }
  /* F was evaluated last at u.  With a Jacobian in every iteration KINSOL asks for it right after
   * the F that has ended the iteration before; where the line search goes back it evaluates F once
   * more, and where it finds no point at all, from a Jacobian that is no older, it ends. */
  return solver_factor(s, u) == SW_OK ? 0 : -1;
}

static int solver_make(sw_solver *s, const sw_pattern *jacobian, sw_multipliers multipliers,
                       int max_iterations)
{
  const size_t n = (size_t)s->n;

  s->best = sw_zeros(n, sizeof *s->best);
  s->last = sw_zeros(n, sizeof *s->last);
  s->F = sw_zeros(n, sizeof *s->F);
  s->at_guess = sw_zeros(n, sizeof *s->at_guess);
  s->whole = sw_zeros(n, sizeof *s->whole);
  s->open = sw_zeros(n, sizeof *s->open);
  s->block_now = sw_zeros(n, sizeof *s->block_now);
  s->block_best = sw_zeros(n, sizeof *s->block_best);
  s->block_since = sw_zeros(n, sizeof *s->block_since);
  s->values = sw_zeros((size_t)s->entries + 1, sizeof *s->values);
  if (!s->best || !s->last || !s->F || !s->at_guess || !s->whole || !s->open || !s->block_now ||
      !s->block_best || !s->block_since || !s->values ||
      sw_runs_create(jacobian, &s->runs) != SW_OK ||
      sw_deficient_create(jacobian, multipliers, &s->system) != SW_OK) {
    return 0;
  }
  s->newton =
      sw_newton_create(s->n, max_iterations, SW_SOLVE_TARGET,
                       (sw_newton_calls){solver_on_residual, solver_on_jacobian, s, s->system});
  return s->newton != NULL;
}

sw_status sw_solver_create(const sw_pattern *jacobian, sw_multipliers multipliers, double tolerance,
                           int max_iterations, sw_solver **solver)
{
  sw_solver *s = calloc(1, sizeof *s);

  *solver = s;
  if (!s) {
    return SW_ERR_MEMORY;
  }
  s->n = jacobian->rows;
  s->entries = jacobian->entries;
  s->column = jacobian->col;
  s->tolerance = tolerance;
  /* A line search that works tries a handful of points per iteration. */
  s->evaluation_limit = 10L * max_iterations;
  if (!solver_make(s, jacobian, multipliers, max_iterations)) {
    sw_solver_free(solver);
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

sw_status sw_solver_share(sw_solver *s, sw_team *team)
{
  s->column_start = sw_zeros((size_t)s->n + 1, sizeof *s->column_start);
  s->in_column = sw_zeros((size_t)s->entries + 1, sizeof *s->in_column);
  if (!s->column_start || !s->in_column) {
    return SW_ERR_MEMORY;
  }
  sw_sort_by_key(s->entries, NULL, s->column, s->n, s->column_start, s->in_column);
  s->team = team;
  sw_deficient_share(s->system, team);
  sw_newton_share(s->newton, team);
  return SW_OK;
}

void sw_solver_free(sw_solver **solver)
{
  sw_solver *s = solver ? *solver : NULL;

  if (!s) {
    return;
  }
  sw_newton_free(s->newton);
  sw_deficient_free(&s->system);
  sw_runs_free(&s->runs);
  free(s->column_start);
  free(s->in_column);
  free(s->values);
  free(s->open);
  free(s->block_now);
  free(s->block_best);
  free(s->block_since);
  free(s->whole);
  free(s->F);
  free(s->at_guess);
  free(s->last);
  free(s->best);
  free(s);
  *solver = NULL;
}

sw_deficient *sw_solver_linear(const sw_solver *solver)
{
  return solver->system;
}

sw_root sw_solver_root(const sw_solver *solver)
{
  const int factored = solver->factored;

  return (sw_root){.dropped = sw_deficient_dropped(solver->system),
                   .sign = factored ? sw_deficient_sign(solver->system) : 0,
                   .first_sign = solver->first_sign,
                   .signs = factored ? sw_signs_of_blocks(solver->system) : solver->first_signs,
                   .first_signs = solver->first_signs,
                   .block = sw_deficient_blocks(solver->system),
                   .weights = sw_newton_weights(solver->newton),
                   .at_guess = solver->at_guess};
}

/* What a search with that end amounts to. */
static sw_status classify(const sw_solver *s, sw_newton_end end)
{
  if (s->no_memory) {
    return SW_ERR_MEMORY;
  }
  if (s->best_residual <= SW_SOLVE_TARGET) {
    return SW_OK;
  }
  if (s->jacobian_not_finite) {
    return SW_ERR_NOT_FINITE;
  }
  if (end == SW_NEWTON_NO_MATRIX || s->step_not_finite) {
    return SW_ERR_SINGULAR;
  }
  if (s->best_residual <= s->tolerance) {
    return SW_OK;
  }
  return s->last_not_finite ? SW_ERR_NOT_FINITE : SW_ERR_NOT_CONVERGED;
}

/* As sw_column_weights, column by column where threads share them. */
typedef struct columns {
  const sw_solver *s;
  const double *values;
  double *weight;
} columns;

static void weigh_columns(void *context, size_t first, size_t end)
{
  const columns *c = context;
  const sw_solver *s = c->s;

  for (size_t j = first; j < end; j++) {
    double largest = 0.0;
    for (int t = s->column_start[j]; t < s->column_start[j + 1]; t++) {
      const double size = fabs(c->values[s->in_column[t]]);
      largest = size > largest ? size : largest;
    }
    c->weight[j] = sw_power_below(largest);
  }
}

void sw_solver_weigh(const sw_solver *s, const double values[], double weight[])
{
  columns c = {s, values, weight};

  if (s->team) {
    sw_team_share(s->team, (size_t)s->n, weigh_columns, &c);
  } else {
    sw_runs_column_weights(&s->runs, s->n, s->column, values, weight);
  }
}

static void solver_begin(sw_solver *s, int line_search)
{
  s->best_residual = INFINITY;
  s->last_residual = INFINITY;
  s->residual_before = INFINITY;
  s->factored = 0;
  s->first_sign = 0;
  s->first_signs = 0;
  sw_deficient_begin(s->system);
  s->evaluations = 0;
  s->since_best = 0;
  s->full_steps = !line_search;
  s->last_not_finite = 0;
  s->jacobian_not_finite = 0;
  s->step_not_finite = 0;
  s->no_memory = 0;
  s->first_asked = 0;
  for (int b = 0; b < s->n; b++) {
    s->block_best[b] = INFINITY;
    s->block_since[b] = 0;
  }
}

/* One search from u with or without line search.  A residual so small is no reason for KINSOL to do
 * anything. */
static sw_status solver_search(sw_solver *s, int line_search, const double u[],
                               sw_solve_report *report)
{
  const double nothing = 0.01 * SW_SOLVE_TARGET;
  long iterations = 0;
  sw_newton_end end = SW_NEWTON_ENDED;

  solver_begin(s, line_search);
  if (solver_evaluate(s, u, s->F) == 0 && s->best_residual > nothing) {
    end = SW_NEWTON_NO_MATRIX;
    if (solver_factor(s, u) == SW_OK) {
      sw_solver_weigh(s, s->values, sw_newton_weights(s->newton));
      sw_share_copy(s->team, sw_newton_start(s->newton), u, (size_t)s->n);
      end = sw_newton_search(s->newton, line_search, &iterations);
    }
  }
  report->iterations += iterations;
  report->residual = s->best_residual;
  report->exhausted = end == SW_NEWTON_EXHAUSTED || s->evaluations > s->evaluation_limit;
  return classify(s, end);
}

/* s->open, and s->whole: the blocks that the best iterate has solved, the others as in u.  Returns
 * how many unknowns are open. */
static int open_blocks(sw_solver *s, const int block[], const double u[])
{
  const double *reached = isfinite(s->best_residual) ? s->best : u;
  int open = 0;

  for (int i = 0; i < s->n; i++) {
    s->open[i] = 0;
  }
  s->problem->residual(s->problem->context, reached, s->F);
  for (int i = 0; i < s->n; i++) {
    s->open[block[i]] |= !(fabs(s->F[i]) <= SW_SOLVE_TARGET);
  }
  for (int i = 0; i < s->n; i++) {
    s->whole[i] = s->open[block[i]] ? u[i] : reached[i];
    open += s->open[i];
  }
  return open;
}

/* Searches the open blocks one by one, each with the others as in u, which leave it alone. */
static sw_status solver_search_open(sw_solver *s, const int block[], const double u[],
                                    sw_solve_report *report)
{
  sw_status status = SW_OK;

  for (int b = 0; b < s->n && status == SW_OK; b++) {
    if (s->open[b]) {
      s->only = b;
      status = solver_search(s, 0, u, report);
      if (status != SW_OK && status != SW_ERR_MEMORY) {
        status = solver_search(s, 1, u, report);
      }
      for (int i = 0; i < s->n; i++) {
        s->whole[i] = block[i] == b ? s->best[i] : s->whole[i];
      }
    }
  }
  s->only = -1;
  return status;
}

/* After full steps have failed: the line search, of each block by itself if there are several. */
static sw_status search_again(sw_solver *s, const double u[], sw_solve_report *report)
{
  const int *block = sw_deficient_blocks(s->system);

  if (!block || open_blocks(s, block, u) > BLOCKS_MOST) {
    return solver_search(s, 1, u, report);
  }
  const sw_status status = solver_search_open(s, block, u, report);
  if (status != SW_OK) {
    return status;
  }
  s->problem->residual(s->problem->context, s->whole, s->F);
  sw_share_copy(s->team, s->best, s->whole, (size_t)s->n);
  sw_share_copy(s->team, s->last, s->whole, (size_t)s->n);
  report->residual = sw_share_max_abs(s->team, (size_t)s->n, s->F);
  if (!(report->residual <= s->tolerance)) {
    return SW_ERR_NOT_CONVERGED;
  }
  return solver_factor(s, s->whole) == SW_ERR_MEMORY ? SW_ERR_MEMORY : SW_OK; /* for its signs */
}

/* Full Newton steps first: near a solution they converge although the residual may rise on the way,
 * where a line search that insists on its fall creeps.  The line search is for starts from which
 * Newton flies off. */
sw_status sw_solver_solve(sw_solver *solver, const sw_problem *problem, double u[],
                          sw_solve_report *report)
{
  const size_t n = (size_t)solver->n;
  double *again = sw_newton_start(solver->newton);
  sw_status status;

  solver->problem = problem;
  solver->only = -1;
  report->iterations = 0;
  status = solver_search(solver, 0, u, report);
  sw_share_copy(solver->team, solver->at_guess, solver->F, n);
  if (status != SW_OK && status != SW_ERR_MEMORY) {
    status = search_again(solver, u, report);
  }
  if (status != SW_OK) {
    return status;
  }
  sw_share_copy(solver->team, u, solver->best, n);
  if (!sw_share_is_same(solver->team, n, solver->last, u)) {
    /* No better iterate was found; what is returned must still be what it was. */
    problem->residual(problem->context, u, again);
    if (!isfinite(sw_share_max_abs(solver->team, n, again))) {
      return SW_ERR_NOT_FINITE;
    }
  }
  return SW_OK;
}

void sw_solver_correct(sw_solver *solver, const sw_problem *problem, double u[], double F[])
{
  solver->problem = problem;
  if (solver->factored || solver_factor(solver, u) == SW_OK) {
    sw_deficient_solve(solver->system, F);
    for (int i = 0; i < solver->n; i++) {
      u[i] -= F[i];
    }
    problem->residual(problem->context, u, F);
  }
}
