/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/newton_kinsol.h"

#include <kinsol/kinsol.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "solve/kinsol_vectors.h"

struct sw_newton {
  int n;
  sw_newton_calls calls;
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

static int on_residual(N_Vector u, N_Vector F, void *user)
{
  sw_newton *s = user;

  return s->calls.residual(s->calls.context, sw_vector_data(u), sw_vector_data(F));
}

static int on_jacobian(N_Vector u, N_Vector F, SUNMatrix J, void *user, N_Vector scratch1,
                       N_Vector scratch2)
{
  sw_newton *s = user;

  (void)F;
  (void)J;
  (void)scratch1;
  (void)scratch2;
  return s->calls.jacobian(s->calls.context, sw_vector_data(u));
}

/* The matrix and the linear solver that KINSOL is given.  The matrix is a name only: its entries are
 * the caller's, and nothing n x n exists. */

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

/* The caller has done it, in on_jacobian. */
static int linear_setup(SUNLinearSolver linear, SUNMatrix J)
{
  (void)linear;
  (void)J;
  return 0;
}

static int linear_solve(SUNLinearSolver linear, SUNMatrix J, N_Vector x, N_Vector b,
                        sunrealtype tolerance)
{
  sw_newton *s = linear->content;
  double *values = sw_vector_data(x);

  (void)J;
  (void)tolerance;
  if (x != b) {
    memcpy(values, sw_vector_data(b), (size_t)s->n * sizeof *values);
  }
  sw_deficient_solve(s->calls.system, values);
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
static int open_context(sw_newton *s)
{
  s->context = (SUNContext)(void *)s->no_context;
  return 1;
}

static void close_context(sw_newton *s)
{
  s->context = NULL;
}
#else
static int open_context(sw_newton *s)
{
#if SUNDIALS_VERSION_MAJOR < 7
  return SUNContext_Create(NULL, &s->context) == 0;
#else
  return SUNContext_Create(SUN_COMM_NULL, &s->context) == 0 &&
         SUNContext_ClearErrHandlers(s->context) == 0;
#endif
}

static void close_context(sw_newton *s)
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

static int make_objects(sw_newton *s)
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
static int configure(sw_newton *s, int max_iterations, double target)
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
         KINSetFuncNormTol(s->kinsol, target) == KIN_SUCCESS &&
         KINSetScaledStepTol(s->kinsol, 1e-30) == KIN_SUCCESS &&
         KINSetMaxNewtonStep(s->kinsol, 1e200) == KIN_SUCCESS &&
         KINSetNoResMon(s->kinsol, SUNTRUE) == KIN_SUCCESS &&
         KINSetMaxSetupCalls(s->kinsol, 1) == KIN_SUCCESS;
}

sw_newton *sw_newton_create(int n, int max_iterations, double target, sw_newton_calls calls)
{
  sw_newton *s = calloc(1, sizeof *s);

  if (!s) {
    return NULL;
  }
  s->n = n;
  s->calls = calls;
  if (!make_objects(s) || !configure(s, max_iterations, target)) {
    sw_newton_free(s);
    return NULL;
  }
  return s;
}

void sw_newton_free(sw_newton *s)
{
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
  free(s);
}

double *sw_newton_start(sw_newton *s)
{
  return sw_vector_data(s->u);
}

double *sw_newton_weights(const sw_newton *s)
{
  return sw_vector_data(s->weights);
}

sw_newton_end sw_newton_search(sw_newton *s, int line_search, long *iterations)
{
  const int flag =
      KINSol(s->kinsol, s->u, line_search ? KIN_LINESEARCH : KIN_NONE, s->weights, s->ones);

  (void)KINGetNumNonlinSolvIters(s->kinsol, iterations);
  if (flag == KIN_LSETUP_FAIL || flag == KIN_LSOLVE_FAIL) {
    return SW_NEWTON_NO_MATRIX;
  }
  return flag == KIN_MAXITER_REACHED ? SW_NEWTON_EXHAUSTED : SW_NEWTON_ENDED;
}
