/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fixed_point.c -- stopping rules and selection of the best iterate, as solver.c has them for
 * Newton's method. KINSOL controls the iteration (D. G. Anderson, J. ACM 12, 1965; H. F. Walker, P.
 * Ni, SIAM J. Numer. Anal. 49, 2011).
 */
#include "solve/fixed_point.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "solve/newton_kinsol.h"

/* Depth of the acceleration; and the number of vectors: those that KINInit allocates for it, those
 * that it always allocates, and ours. */
enum { DEPTH = 5, VECTORS = 3 * DEPTH + 12 };

/* Accelerated iterations may increase the residual temporarily. Below the tolerance, this many
 * evaluations without progress end the iteration. */
static const long patience = 8;

static const double hopeless = 1e100;

struct sw_fixed_point {
  int n;
  double tolerance;
  sw_session session;
  N_Vector u;
  N_Vector ones;
  double *best; /* n: G of the iterate with the smallest residual */

  /* State of the current solve. */
  sw_fixed_map *map;
  void *context;
  double best_residual;
  double level; /* half of the best residual at the start of since_best */
  long since_best;
};

/* Evaluates the map and keeps the best iterate. Returns 0 to continue, -1 to stop. */
static int fixed_point_evaluate(N_Vector of_u, N_Vector of_G, void *user)
{
  sw_fixed_point *s = user;
  const double *u = sw_vector_data(of_u);
  double *G = sw_vector_data(of_G);
  double residual = 0.0;

  s->map(s->context, u, G);
  for (int i = 0; i < s->n; i++) {
    const double off = fabs(G[i] - u[i]);
    residual = off <= residual ? residual : off; /* propagates NaN */
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

/* KINInit crashes if it finds no memory for the acceleration (a few kilobytes); it is called only
 * if memory is available. */
static int fixed_point_configure(sw_fixed_point *s, int max_iterations)
{
  void *kinsol = s->session.kinsol;

  return sw_session_has_memory() && KINSetNumMaxIters(kinsol, max_iterations) == KIN_SUCCESS &&
         KINSetMAA(kinsol, s->n > DEPTH ? DEPTH : s->n - 1) == KIN_SUCCESS &&
         KINInit(kinsol, fixed_point_evaluate, s->u) == KIN_SUCCESS &&
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
  if (!fixed_point_configure(s, max_iterations)) {
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
  /* The iteration has diverged if it overflows. */
  return s->best_residual < INFINITY ? SW_ERR_NOT_CONVERGED : SW_ERR_NOT_FINITE;
}
