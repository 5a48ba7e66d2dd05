/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fixed_point.c -- what is finite, what is good enough and which iterate was the best is decided here, as solver.c does it for
 * Newton's method; KINSOL owns the iteration (D. G. Anderson, J. ACM 12, 1965; H. F. Walker, P. Ni, SIAM J. Numer. Anal. 49, 2011).
 */
#include "solve/fixed_point.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "solve/kinsol_session.h"

/* Earlier iterates that are combined, and the vectors that KINInit takes for them, that it takes anyway, and that are ours. */
enum { DEPTH = 5, VECTORS = 3 * DEPTH + 12 };

/* Accelerated iterations may raise the residual on their way, but below the tolerance not for so many evaluations. */
static const long patience = 8;

static const double hopeless = 1e100;

struct sw_fixed_point {
  int n;
  double tolerance;
  sw_session session;
  N_Vector u;
  N_Vector ones;
  double *best; /* n: G of the iterate with the smallest residual */

  /* The solve that is under way. */
  sw_fixed_map *map;
  void *context;
  double best_residual;
  double level; /* half of the best residual where since_best began */
  long since_best;
};

/* Keeps the best iterate.  Returns 0 to go on, -1 to stop. */
static int evaluate(N_Vector of_u, N_Vector of_G, void *user)
{
  sw_fixed_point *s = user;
  const double *u = sw_vector_data(of_u);
  double *G = sw_vector_data(of_G);
  double residual = 0.0;

  s->map(s->context, u, G);
  for (int i = 0; i < s->n; i++) {
    const double off = fabs(G[i] - u[i]);
    residual = off <= residual ? residual : off; /* NaN stays */
    if (isnan(residual)) {
      break;
    }
  }
  if (!(residual <= hopeless)) {
    return -1;
  }
  if (residual < s->best_residual) {
    s->best_residual = residual;
    memcpy(s->best, G, (size_t)s->n * sizeof *G);
  }
  s->since_best++;
  if (residual <= s->level) {
    s->level = 0.5 * residual;
    s->since_best = 0;
  }
  return residual <= SW_SOLVE_TARGET ||
                 (s->best_residual <= s->tolerance && s->since_best > patience)
             ? -1
             : 0;
}

/* KINInit does not survive where it finds no memory for what acceleration takes, a few kilobytes: it is asked only where there is
 * some. */
static int configure(sw_fixed_point *s, int max_iterations)
{
  void *kinsol = s->session.kinsol;

  return sw_session_has_memory() && KINSetNumMaxIters(kinsol, max_iterations) == KIN_SUCCESS &&
         KINSetMAA(kinsol, s->n > DEPTH ? DEPTH : s->n - 1) == KIN_SUCCESS &&
         KINInit(kinsol, evaluate, s->u) == KIN_SUCCESS &&
         KINSetUserData(kinsol, s) == KIN_SUCCESS &&
         KINSetFuncNormTol(kinsol, SW_SOLVE_TARGET) == KIN_SUCCESS;
}

sw_status sw_fixed_point_create(int n, double tolerance, int max_iterations,
                                sw_fixed_point **solver)
{
  sw_fixed_point *s = calloc(1, sizeof *s);

  *solver = s;
  if (!s) {
    return SW_ERR_MEMORY;
  }
  s->n = n;
  s->tolerance = tolerance;
  s->best = calloc((size_t)n, sizeof *s->best);
  if (!s->best || !sw_session_open(&s->session, n, VECTORS)) {
    sw_fixed_point_free(solver);
    return SW_ERR_MEMORY;
  }
  s->u = sw_vectors_take(s->session.vectors);
  s->ones = sw_vectors_take(s->session.vectors);
  N_VConst(1.0, s->ones);
  if (!configure(s, max_iterations)) {
    sw_fixed_point_free(solver);
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

void sw_fixed_point_free(sw_fixed_point **solver)
{
  if (*solver) {
    sw_session_close(&(*solver)->session);
    free((*solver)->best);
    free(*solver);
  }
  *solver = NULL;
}

sw_status sw_fixed_point_solve(sw_fixed_point *solver, sw_fixed_map *map, void *context, double u[],
                               sw_solve_report *report)
{
  sw_fixed_point *s = solver;
  const size_t bytes = (size_t)s->n * sizeof *u;
  long iterations = 0;

  s->map = map;
  s->context = context;
  s->best_residual = INFINITY;
  s->level = INFINITY;
  s->since_best = 0;
  memcpy(sw_vector_data(s->u), u, bytes);
  const int flag = KINSol(s->session.kinsol, s->u, KIN_FP, s->ones, s->ones);
  (void)KINGetNumNonlinSolvIters(s->session.kinsol, &iterations);
  report->iterations += iterations;
  report->residual = fmax(report->residual, s->best_residual);
  report->exhausted = flag == KIN_MAXITER_REACHED;
  report->fixed_point = 1;
  if (s->best_residual <= s->tolerance) {
    memcpy(u, s->best, bytes);
    return SW_OK;
  }
  /* Iterations that leave the numbers have diverged. */
  return s->best_residual < INFINITY ? SW_ERR_NOT_CONVERGED : SW_ERR_NOT_FINITE;
}
