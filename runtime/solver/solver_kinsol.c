/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver_kinsol.c -- Newton's method by SUNDIALS KINSOL, with a line search where it needs one.
 *
 * The only file that includes SUNDIALS (versions 6 and 7).  KINSOL owns the iteration and the line
 * search; what is finite, what is good enough and which iterate was the best is decided here,
 * because KINSOL takes NaN for success, stops early by default and overwrites u when it fails.
 */
#include "solver/solver.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdint.h>
#include <string.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "solver/dense_lu.h"

/* Full Newton steps may raise the residual on their way, but not for so many evaluations. */
static const long patience = 8;

/* A residual above this has nothing to do with a solution, and its square would overflow. */
static const double hopeless = 1e100;

struct sw_solver {
  int n;
  double tolerance;
  long evaluation_limit;
  double *best;  /* n: the iterate with the smallest residual */
  double *last;  /* n: the iterate that was evaluated last */
  int *exchange; /* n: of the factorisation */

  /* The solve that is under way. */
  const sw_problem *problem;
  double best_residual;
  long evaluations;
  long since_best;     /* evaluations since the best iterate */
  int full_steps;      /* 1 in the search without line search */
  int last_not_finite; /* the last F, at a finite u */
  int jacobian_not_finite;
  int step_not_finite; /* a Newton step led out of the numbers */

  SUNContext context;
  void *kinsol;
  N_Vector u;
  N_Vector ones;
  SUNMatrix J;
  SUNLinearSolver linear;
};

/* Bytes of `count` objects, rounded up so that any type can follow. */
static size_t aligned(size_t count, size_t size)
{
  const size_t unit = _Alignof(max_align_t);

  return (count * size + unit - 1) / unit * unit;
}

size_t sw_solver_bytes(int n)
{
  const size_t per_unknown = 4 * (2 * sizeof(double) + sizeof(int));

  if (n < 1 || (size_t)n > SIZE_MAX / per_unknown - sizeof(sw_solver)) {
    return 0;
  }
  return aligned(1, sizeof(sw_solver)) + 2 * aligned((size_t)n, sizeof(double)) +
         aligned((size_t)n, sizeof(int));
}

/* F at u: keeps the best iterate.  Returns what KINSOL wants: 0 to go on, +1 where u is too far, -1
 * to stop because nothing is to be gained. */
static int evaluate(sw_solver *s, const double u[], double F[])
{
  const double previous = s->best_residual;
  double residual = 0.0;

  if (++s->evaluations > s->evaluation_limit) {
    return -1;
  }
  s->last_not_finite = 0;
  for (int i = 0; i < s->n; i++) {
    if (!isfinite(u[i])) {
      s->last_not_finite = s->evaluations == 1;
      s->step_not_finite = s->evaluations > 1;
      return 1;
    }
  }
  s->problem->residual(s->problem->context, u, F);
  memcpy(s->last, u, (size_t)s->n * sizeof *u);
  for (int i = 0; i < s->n; i++) {
    if (!isfinite(F[i])) {
      s->last_not_finite = 1;
      return 1;
    }
    residual = fmax(residual, fabs(F[i]));
  }
  if (residual < s->best_residual) {
    s->best_residual = residual;
    s->since_best = 0;
    memcpy(s->best, u, (size_t)s->n * sizeof *u);
  }
  if (residual > hopeless) {
    return 1;
  }
  if (s->full_steps && ++s->since_best > patience) {
    return -1;
  }
  return residual <= s->tolerance && residual > 0.5 * previous ? -1 : 0;
}

static int on_residual(N_Vector u, N_Vector F, void *user)
{
  return evaluate(user, N_VGetArrayPointer(u), N_VGetArrayPointer(F));
}

static int on_jacobian(N_Vector u, N_Vector F, SUNMatrix J, void *user, N_Vector scratch1,
                       N_Vector scratch2)
{
  sw_solver *s = user;
  const double *at = N_VGetArrayPointer(u);
  double *values = SUNDenseMatrix_Data(J);
  const size_t n = (size_t)s->n;

  (void)F;
  (void)scratch2;
  /* The line search may have gone back to a point before the last one. */
  if (memcmp(at, s->last, n * sizeof *at) != 0) {
    s->problem->residual(s->problem->context, at, N_VGetArrayPointer(scratch1));
    memcpy(s->last, at, n * sizeof *at);
  }
  s->problem->jacobian(s->problem->context, at, values);
  for (size_t i = 0; i < n * n; i++) {
    if (!isfinite(values[i])) {
      s->jacobian_not_finite = 1;
      return -1;
    }
  }
  return 0;
}

/* The linear solver that KINSOL is given: SUNDIALS' own dense one does the same, but a build without
 * optimisation, as distributions have it, is three times slower. */

static SUNLinearSolver_Type linear_type(SUNLinearSolver linear)
{
  (void)linear;
  return SUNLINEARSOLVER_DIRECT;
}

static int linear_setup(SUNLinearSolver linear, SUNMatrix J)
{
  sw_solver *s = linear->content;

  return sw_lu_factor(s->n, SUNDenseMatrix_Data(J), s->exchange);
}

static int linear_solve(SUNLinearSolver linear, SUNMatrix J, N_Vector x, N_Vector b,
                        sunrealtype tolerance)
{
  sw_solver *s = linear->content;
  double *values = N_VGetArrayPointer(x);

  (void)tolerance;
  if (x != b) {
    memcpy(values, N_VGetArrayPointer(b), (size_t)s->n * sizeof *values);
  }
  sw_lu_solve(s->n, SUNDenseMatrix_Data(J), s->exchange, values);
  return 0;
}

/* KINSOL zeroes the matrix before every Jacobian, of which we write every entry anyway. */
static int keep_matrix(SUNMatrix J)
{
  (void)J;
  return 0;
}

#if SUNDIALS_VERSION_MAJOR < 7
/* KINSetErrFile(NULL) would be a slow way to the same silence. */
static void keep_silent(int code, const char *module, const char *function, char *message,
                        void *user)
{
  (void)code;
  (void)module;
  (void)function;
  (void)message;
  (void)user;
}
#endif

static int open_context(sw_solver *s)
{
#if SUNDIALS_VERSION_MAJOR < 7
  return SUNContext_Create(NULL, &s->context) == 0;
#else
  return SUNContext_Create(SUN_COMM_NULL, &s->context) == 0 &&
         SUNContext_ClearErrHandlers(s->context) == 0;
#endif
}

static int make_objects(sw_solver *s)
{
  if (!open_context(s)) {
    return 0;
  }
  s->kinsol = KINCreate(s->context);
  s->u = N_VNew_Serial(s->n, s->context);
  s->ones = N_VNew_Serial(s->n, s->context);
  s->J = SUNDenseMatrix(s->n, s->n, s->context);
  s->linear = SUNLinSolNewEmpty(s->context);
  if (!s->kinsol || !s->u || !s->ones || !s->J || !s->linear) {
    return 0;
  }
  N_VConst(1.0, s->ones);
  s->J->ops->zero = keep_matrix;
  s->linear->content = s;
  s->linear->ops->gettype = linear_type;
  s->linear->ops->setup = linear_setup;
  s->linear->ops->solve = linear_solve;
  return 1;
}

/* Each setting replaces a default that is wrong for us: a tolerance of 6e-6, a largest Newton step
 * of 1000 |u0| or 1, a Jacobian kept for ten iterations, and a step tolerance that takes small
 * multipliers for convergence. */
static int configure(sw_solver *s, int max_iterations)
{
#if SUNDIALS_VERSION_MAJOR < 7
  if (KINSetErrHandlerFn(s->kinsol, keep_silent, NULL) != KIN_SUCCESS) {
    return 0;
  }
#endif
  return KINInit(s->kinsol, on_residual, s->u) == KIN_SUCCESS &&
         KINSetUserData(s->kinsol, s) == KIN_SUCCESS &&
         KINSetLinearSolver(s->kinsol, s->linear, s->J) == KIN_SUCCESS &&
         KINSetJacFn(s->kinsol, on_jacobian) == KIN_SUCCESS &&
         KINSetNumMaxIters(s->kinsol, max_iterations) == KIN_SUCCESS &&
         KINSetFuncNormTol(s->kinsol, SW_SOLVE_TARGET) == KIN_SUCCESS &&
         KINSetScaledStepTol(s->kinsol, 1e-30) == KIN_SUCCESS &&
         KINSetMaxNewtonStep(s->kinsol, 1e200) == KIN_SUCCESS &&
         KINSetNoResMon(s->kinsol, SUNTRUE) == KIN_SUCCESS &&
         KINSetMaxSetupCalls(s->kinsol, 1) == KIN_SUCCESS;
}

sw_status sw_solver_init(void *memory, int n, double tolerance, int max_iterations,
                         sw_solver **solver)
{
  char *next = memory;
  sw_solver *s = memory;

  next += aligned(1, sizeof *s);
  s->best = (double *)(void *)next;
  next += aligned((size_t)n, sizeof(double));
  s->last = (double *)(void *)next;
  next += aligned((size_t)n, sizeof(double));
  s->exchange = (int *)(void *)next;
  s->n = n;
  s->tolerance = tolerance;
  /* A line search that works tries a handful of points per iteration. */
  s->evaluation_limit = 10L * max_iterations;
  if (!make_objects(s) || !configure(s, max_iterations)) {
    sw_solver_free(s);
    *solver = NULL;
    return SW_ERR_MEMORY;
  }
  *solver = s;
  return SW_OK;
}

void sw_solver_free(sw_solver *solver)
{
  if (!solver) {
    return;
  }
  if (solver->kinsol) {
    KINFree(&solver->kinsol);
  }
  if (solver->linear) {
    SUNLinSolFreeEmpty(solver->linear);
  }
  if (solver->J) {
    SUNMatDestroy(solver->J);
  }
  if (solver->ones) {
    N_VDestroy(solver->ones);
  }
  if (solver->u) {
    N_VDestroy(solver->u);
  }
  if (solver->context) {
    SUNContext_Free(&solver->context);
  }
}

/* What a solve that ended with `flag` amounts to. */
static sw_status classify(const sw_solver *s, int flag)
{
  const int no_factor = flag == KIN_LSETUP_FAIL || flag == KIN_LSOLVE_FAIL;

  if (s->best_residual <= SW_SOLVE_TARGET) {
    return SW_OK;
  }
  if (s->jacobian_not_finite) {
    return SW_ERR_NOT_FINITE;
  }
  if (no_factor || s->step_not_finite) {
    return SW_ERR_SINGULAR;
  }
  if (s->best_residual <= s->tolerance) {
    return SW_OK;
  }
  return s->last_not_finite ? SW_ERR_NOT_FINITE : SW_ERR_NOT_CONVERGED;
}

/* One run of KINSOL from u with or without line search. */
static sw_status search(sw_solver *s, int strategy, const double u[], sw_solve_report *report)
{
  long iterations = 0;

  s->best_residual = INFINITY;
  s->evaluations = 0;
  s->since_best = 0;
  s->full_steps = strategy == KIN_NONE;
  s->last_not_finite = 0;
  s->jacobian_not_finite = 0;
  s->step_not_finite = 0;
  memcpy(N_VGetArrayPointer(s->u), u, (size_t)s->n * sizeof *u);
  const int flag = KINSol(s->kinsol, s->u, strategy, s->ones, s->ones);

  (void)KINGetNumNonlinSolvIters(s->kinsol, &iterations);
  report->iterations += iterations;
  report->residual = s->best_residual;
  report->exhausted = flag == KIN_MAXITER_REACHED || s->evaluations > s->evaluation_limit;
  return classify(s, flag);
}

/* Full Newton steps first: near a solution they converge although the residual may rise on the way, where a
 * line search that insists on its fall creeps.  The line search is for starts from which Newton flies off. */
sw_status sw_solver_solve(sw_solver *solver, const sw_problem *problem, double u[],
                          sw_solve_report *report)
{
  const size_t bytes = (size_t)solver->n * sizeof *u;
  double *iterate = N_VGetArrayPointer(solver->u);
  sw_status status;

  solver->problem = problem;
  report->iterations = 0;
  status = search(solver, KIN_NONE, u, report);
  if (status != SW_OK) {
    status = search(solver, KIN_LINESEARCH, u, report);
  }
  if (status != SW_OK) {
    return status;
  }
  memcpy(u, solver->best, bytes);
  if (memcmp(solver->last, u, bytes) != 0) {
    /* Better iterates were tried in vain; what is returned must still be what it was. */
    problem->residual(problem->context, u, iterate);
    for (int i = 0; i < solver->n; i++) {
      if (!isfinite(iterate[i])) {
        return SW_ERR_NOT_FINITE;
      }
    }
  }
  return SW_OK;
}
