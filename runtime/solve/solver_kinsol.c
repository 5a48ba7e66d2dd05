/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver_kinsol.c -- Newton's method by SUNDIALS KINSOL, with a line search where it needs one.
 *
 * SUNDIALS (versions 6 and 7) is included here and in kinsol_vectors only.  KINSOL owns the iteration and the
 * line search; what is finite, what is good enough, which iterate was the best and when a Jacobian is worth
 * its factorisation is decided here, because KINSOL takes NaN for success, stops early by default and
 * overwrites u when it fails.
 *
 * KINSOL measures steps by a norm, and unknowns have units: it is told by how much each of them changes the
 * equations.  That comes from the Jacobian at the first guess, so F and J there are evaluated before KINSOL
 * asks for them.
 */
#include "solve/solver.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "linear/deficient.h"
#include "linear/sparse.h"
#include "solve/kinsol_vectors.h"

/* Full Newton steps may raise the residual on their way, but not for so many evaluations. */
static const long patience = 8;

/* A residual above this has nothing to do with a solution, and its square would overflow. */
static const double hopeless = 1e100;

struct sw_solver {
  int n;
  double tolerance;
  long evaluation_limit;
  int entries;          /* of the Jacobian */
  const int *column;    /* of each entry; the pattern is the caller's */
  double *best;         /* n: the iterate with the smallest residual */
  double *last;         /* n: the iterate that was evaluated last */
  double *F;            /* n: at the first guess */
  double *values;       /* entries: the Jacobian */
  sw_deficient *system; /* and its factorisation */

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

  SUNContext context;
  void *no_context[16]; /* see open_context */
  void *kinsol;
  sw_vectors *vectors;
  N_Vector u;
  N_Vector weights; /* of the unknowns */
  N_Vector ones;    /* of the equations */
  SUNMatrix J;
  SUNLinearSolver linear;
};

/* F at u: keeps the best iterate.  Returns what KINSOL wants: 0 to go on, +1 where u is too far, -1
 * to stop because nothing is to be gained. */
static int evaluate(sw_solver *s, const double u[], double F[])
{
  const double previous = s->best_residual;
  double residual;

  if (++s->evaluations > s->evaluation_limit) {
    return -1;
  }
  s->last_not_finite = 0;
  if (!isfinite(sw_max_abs((size_t)s->n, u))) {
    s->last_not_finite = s->evaluations == 1;
    s->step_not_finite = s->evaluations > 1;
    return 1;
  }
  s->problem->residual(s->problem->context, u, F);
  memcpy(s->last, u, (size_t)s->n * sizeof *u);
  residual = sw_max_abs((size_t)s->n, F);
  s->residual_before = s->last_residual;
  s->last_residual = residual;
  if (!isfinite(residual)) {
    s->last_not_finite = 1;
    return 1;
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
  sw_solver *s = user;

  if (!s->first_asked) {
    s->first_asked = 1;
    memcpy(sw_vector_data(F), s->F, (size_t)s->n * sizeof *s->F);
    return 0;
  }
  return evaluate(s, sw_vector_data(u), sw_vector_data(F));
}

/* Whether the factorisation at hand will do for the next step: the last full step came from it, and where the
 * next one gains as much, it is the last one.  So keeping it costs no further iterations. */
static int serves_again(const sw_solver *s)
{
  const double gain = s->last_residual / s->residual_before;

  return s->full_steps && s->factored && isfinite(s->residual_before) &&
         s->last_residual * gain <= SW_SOLVE_TARGET;
}

/* The Jacobian at u, where F was evaluated last, and its factorisation. */
static sw_status factor(sw_solver *s, const double u[])
{
  s->problem->jacobian(s->problem->context, u, s->values);
  const sw_status status = sw_deficient_factor(s->system, s->values);

  s->factored = status == SW_OK;
  s->no_memory = status == SW_ERR_MEMORY;
  if (s->factored && s->first_sign == 0) {
    s->first_sign = sw_deficient_sign(s->system);
  }
  if (!s->factored) {
    /* No factorisation succeeds with an entry that is not finite, so it is early enough to look now. */
    s->jacobian_not_finite = !isfinite(sw_max_abs((size_t)s->entries, s->values));
  }
  return status;
}

static int on_jacobian(N_Vector u, N_Vector F, SUNMatrix J, void *user, N_Vector scratch1,
                       N_Vector scratch2)
{
  sw_solver *s = user;

  (void)F;
  (void)J;
  (void)scratch1;
  (void)scratch2;
  /* That at the first guess is there already. */
  if (s->evaluations == 1 || serves_again(s)) {
    return 0;
  }
  /* F was evaluated last at u.  With a Jacobian in every iteration KINSOL asks for it right after the F that has ended
   * the iteration before; where the line search goes back it evaluates F once more, and where it finds no point at
   * all, from a Jacobian that is no older, it ends. */
  return factor(s, sw_vector_data(u)) == SW_OK ? 0 : -1;
}

/* The matrix and the linear solver that KINSOL is given.  The matrix is a name only: its entries are in
 * s->values, and nothing n x n exists. */

static SUNMatrix_ID matrix_id(SUNMatrix J)
{
  (void)J;
  return SUNMATRIX_CUSTOM;
}

/* KINSOL zeroes the matrix before every Jacobian, of which every entry is written anyway. */
static int keep_matrix(SUNMatrix J)
{
  (void)J;
  return 0;
}

static SUNLinearSolver_Type linear_type(SUNLinearSolver linear)
{
  (void)linear;
  return SUNLINEARSOLVER_DIRECT;
}

/* on_jacobian has done it. */
static int linear_setup(SUNLinearSolver linear, SUNMatrix J)
{
  (void)linear;
  (void)J;
  return 0;
}

static int linear_solve(SUNLinearSolver linear, SUNMatrix J, N_Vector x, N_Vector b,
                        sunrealtype tolerance)
{
  sw_solver *s = linear->content;
  double *values = sw_vector_data(x);

  (void)J;
  (void)tolerance;
  if (x != b) {
    memcpy(values, sw_vector_data(b), (size_t)s->n * sizeof *values);
  }
  sw_deficient_solve(s->system, values);
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

/* SUNDIALS 6 opens a log with each context, and one allocation of that is not looked at: where it fails, the
 * program crashes.  A context is nothing but its log and its profiler, and without them nobody looks
 * into it: zeros of ours will do. */
#if SUNDIALS_VERSION_MAJOR < 7 && !defined(SUNDIALS_BUILD_WITH_PROFILING)
static int open_context(sw_solver *s)
{
  s->context = (SUNContext)(void *)s->no_context;
  return 1;
}

static void close_context(sw_solver *s)
{
  s->context = NULL;
}
#else
static int open_context(sw_solver *s)
{
#if SUNDIALS_VERSION_MAJOR < 7
  return SUNContext_Create(NULL, &s->context) == 0;
#else
  return SUNContext_Create(SUN_COMM_NULL, &s->context) == 0 &&
         SUNContext_ClearErrHandlers(s->context) == 0;
#endif
}

static void close_context(sw_solver *s)
{
  if (s->context) {
    SUNContext_Free(&s->context);
  }
}
#endif

/* KINCreate prints where it finds no memory, so it is asked only where there is some. */
static void *open_kinsol(SUNContext context)
{
  enum { ample = 1 << 16 };
  void *trial = malloc(ample);

  free(trial);
  return trial ? KINCreate(context) : NULL;
}

static int make_objects(sw_solver *s)
{
  if (!open_context(s)) {
    return 0;
  }
  s->kinsol = open_kinsol(s->context);
  s->vectors = s->kinsol ? sw_vectors_create(s->n, s->context) : NULL;
  s->J = s->vectors ? SUNMatNewEmpty(s->context) : NULL;
  s->linear = s->J ? SUNLinSolNewEmpty(s->context) : NULL;
  if (!s->linear) {
    return 0;
  }
  s->u = sw_vectors_take(s->vectors);
  s->weights = sw_vectors_take(s->vectors);
  s->ones = sw_vectors_take(s->vectors);
  N_VConst(1.0, s->ones);
  s->J->ops->getid = matrix_id;
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

static int make(sw_solver *s, const sw_pattern *jacobian, sw_multipliers multipliers,
                int max_iterations)
{
  const size_t n = (size_t)s->n;

  s->best = calloc(n, sizeof *s->best);
  s->last = calloc(n, sizeof *s->last);
  s->F = calloc(n, sizeof *s->F);
  s->values = calloc((size_t)s->entries + 1, sizeof *s->values);
  return s->best && s->last && s->F && s->values &&
         sw_deficient_create(jacobian, multipliers, &s->system) == SW_OK && make_objects(s) &&
         configure(s, max_iterations);
}

sw_status sw_solver_create(const sw_pattern *jacobian, double tolerance, int max_iterations,
                           sw_solver **solver)
{
  const sw_multipliers none = {SW_REDUNDANT_ERROR, 0, 0};

  return sw_solver_create_redundant(jacobian, none, tolerance, max_iterations, solver);
}

sw_status sw_solver_create_redundant(const sw_pattern *jacobian, sw_multipliers multipliers,
                                     double tolerance, int max_iterations, sw_solver **solver)
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
  if (!make(s, jacobian, multipliers, max_iterations)) {
    sw_solver_free(solver);
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

void sw_solver_free(sw_solver **solver)
{
  sw_solver *s = solver ? *solver : NULL;

  if (!s) {
    return;
  }
  if (s->kinsol) {
    KINFree(&s->kinsol);
  }
  if (s->linear) {
    SUNLinSolFreeEmpty(s->linear);
  }
  if (s->J) {
    SUNMatFreeEmpty(s->J);
  }
  sw_vectors_free(s->vectors);
  close_context(s);
  sw_deficient_free(&s->system);
  free(s->values);
  free(s->F);
  free(s->last);
  free(s->best);
  free(s);
  *solver = NULL;
}

int sw_solver_sign(const sw_solver *solver)
{
  return solver->factored ? sw_deficient_sign(solver->system) : 0;
}

int sw_solver_dropped(const sw_solver *solver)
{
  return sw_deficient_dropped(solver->system);
}

int sw_solver_first_sign(const sw_solver *solver)
{
  return solver->first_sign;
}

const double *sw_solver_weights(const sw_solver *solver)
{
  return sw_vector_data(solver->weights);
}

/* What a solve that ended with `flag` amounts to. */
static sw_status classify(const sw_solver *s, int flag)
{
  const int no_factor = flag == KIN_LSETUP_FAIL || flag == KIN_LSOLVE_FAIL;

  if (s->no_memory) {
    return SW_ERR_MEMORY;
  }
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

static void begin(sw_solver *s, int strategy)
{
  s->best_residual = INFINITY;
  s->last_residual = INFINITY;
  s->residual_before = INFINITY;
  s->factored = 0;
  s->first_sign = 0;
  sw_deficient_begin(s->system);
  s->evaluations = 0;
  s->since_best = 0;
  s->full_steps = strategy == KIN_NONE;
  s->last_not_finite = 0;
  s->jacobian_not_finite = 0;
  s->step_not_finite = 0;
  s->no_memory = 0;
  s->first_asked = 0;
}

/* One run of KINSOL from u with or without line search.  A residual so small is no reason for KINSOL to do
 * anything. */
static sw_status search(sw_solver *s, int strategy, const double u[], sw_solve_report *report)
{
  const double nothing = 0.01 * SW_SOLVE_TARGET;
  long iterations = 0;
  int flag = KIN_FIRST_SYSFUNC_ERR;

  begin(s, strategy);
  if (evaluate(s, u, s->F) == 0 && s->best_residual > nothing) {
    flag = KIN_LSETUP_FAIL;
    if (factor(s, u) == SW_OK) {
      sw_column_weights(s->n, s->entries, s->column, s->values, sw_vector_data(s->weights));
      memcpy(sw_vector_data(s->u), u, (size_t)s->n * sizeof *u);
      flag = KINSol(s->kinsol, s->u, strategy, s->weights, s->ones);
      (void)KINGetNumNonlinSolvIters(s->kinsol, &iterations);
    }
  }
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
  double *again = sw_vector_data(solver->u);
  sw_status status;

  solver->problem = problem;
  report->iterations = 0;
  status = search(solver, KIN_NONE, u, report);
  if (status != SW_OK && status != SW_ERR_MEMORY) {
    status = search(solver, KIN_LINESEARCH, u, report);
  }
  if (status != SW_OK) {
    return status;
  }
  memcpy(u, solver->best, bytes);
  if (memcmp(solver->last, u, bytes) != 0) {
    /* Better iterates were tried in vain; what is returned must still be what it was. */
    problem->residual(problem->context, u, again);
    if (!isfinite(sw_max_abs((size_t)solver->n, again))) {
      return SW_ERR_NOT_FINITE;
    }
  }
  return SW_OK;
}
