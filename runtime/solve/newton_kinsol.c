/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/newton_kinsol.h"

#include <kinsol/kinsol.h>
#include <stdlib.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "common/shared_vectors.h"
#include "solve/kinsol_session.h"

/* KINInit allocates five vectors; three are ours. */
enum { VECTORS = 8 };

struct sw_newton {
  int n;
  sw_team *team;
  sw_newton_calls calls;
  sw_session session;
  N_Vector u;
  N_Vector weights; /* weights of the unknowns */
  N_Vector ones;    /* weights of the equations, all 1 */
  SUNMatrix J;
  SUNLinearSolver linear;
};

static int newton_kinsol_on_residual(N_Vector u, N_Vector F, void *user)
{
  sw_newton *s = user;

  return s->calls.residual(s->calls.context, sw_vector_data(u), sw_vector_data(F));
}

static int newton_kinsol_on_jacobian(N_Vector u, N_Vector F, SUNMatrix J, void *user,
                                     N_Vector scratch1, N_Vector scratch2)
{
  sw_newton *s = user;

  (void)F;
  (void)J;
  (void)scratch1;
  (void)scratch2;
  return s->calls.jacobian(s->calls.context, sw_vector_data(u));
}

/* The matrix and the linear solver for KINSOL. The matrix is a placeholder: the caller stores the
 * entries, and no n x n array exists. */

static SUNMatrix_ID matrix_id(SUNMatrix J)
{
  (void)J;
  return SUNMATRIX_CUSTOM;
}

/* KINSOL zeroes the matrix before every Jacobian; this is unnecessary, because every entry is
 * overwritten. */
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

/* The caller has already factorised, in on_jacobian. */
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
    sw_share_copy(s->team, values, sw_vector_data(b), (size_t)s->n);
  }
  sw_deficient_solve(s->calls.system, values);
  return 0;
}

static int make_objects(sw_newton *s)
{
  sw_session *session = &s->session;

  s->J = sw_session_open(session, s->n, VECTORS) ? SUNMatNewEmpty(session->context) : NULL;
  s->linear = s->J ? SUNLinSolNewEmpty(session->context) : NULL;
  if (!s->linear) {
    return 0;
  }
  s->u = sw_vectors_take(session->vectors);
  s->weights = sw_vectors_take(session->vectors);
  s->ones = sw_vectors_take(session->vectors);
  N_VConst(1.0, s->ones);
  s->J->ops->getid = matrix_id;
  s->J->ops->zero = keep_matrix;
  s->linear->content = s;
  s->linear->ops->gettype = linear_type;
  s->linear->ops->setup = linear_setup;
  s->linear->ops->solve = linear_solve;
  return 1;
}

/* Each setting replaces an unsuitable default: a tolerance of 6e-6, a largest Newton step of 1000
 * |u0| or 1, a Jacobian kept for ten iterations, and a step tolerance that mistakes small
 * multipliers for convergence. */
static int newton_kinsol_configure(sw_newton *s, int max_iterations, double target)
{
  void *kinsol = s->session.kinsol;

  return KINInit(kinsol, newton_kinsol_on_residual, s->u) == KIN_SUCCESS &&
         KINSetUserData(kinsol, s) == KIN_SUCCESS &&
         KINSetLinearSolver(kinsol, s->linear, s->J) == KIN_SUCCESS &&
         KINSetJacFn(kinsol, newton_kinsol_on_jacobian) == KIN_SUCCESS &&
         KINSetNumMaxIters(kinsol, max_iterations) == KIN_SUCCESS &&
         KINSetFuncNormTol(kinsol, target) == KIN_SUCCESS &&
         KINSetScaledStepTol(kinsol, 1e-30) == KIN_SUCCESS &&
         KINSetMaxNewtonStep(kinsol, 1e200) == KIN_SUCCESS &&
         KINSetNoResMon(kinsol, SUNTRUE) == KIN_SUCCESS &&
         KINSetMaxSetupCalls(kinsol, 1) == KIN_SUCCESS;
}

sw_newton *sw_newton_create(int n, int max_iterations, double target, sw_newton_calls calls)
{
  sw_newton *s = calloc(1, sizeof *s);

  if (!s) {
    return NULL;
  }
  s->n = n;
  s->calls = calls;
  if (!make_objects(s) || !newton_kinsol_configure(s, max_iterations, target)) {
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
  if (s->session.kinsol) {
    KINFree(&s->session.kinsol); /* before the objects that it refers to */
  }
  if (s->linear) {
    SUNLinSolFreeEmpty(s->linear);
  }
  if (s->J) {
    SUNMatFreeEmpty(s->J);
  }
  sw_session_close(&s->session);
  free(s);
}

void sw_newton_share(sw_newton *s, sw_team *team)
{
  s->team = team;
  sw_vectors_share(s->session.vectors, team);
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
      KINSol(s->session.kinsol, s->u, line_search ? KIN_LINESEARCH : KIN_NONE, s->weights, s->ones);

  (void)KINGetNumNonlinSolvIters(s->session.kinsol, iterations);
  if (flag == KIN_LSETUP_FAIL || flag == KIN_LSOLVE_FAIL) {
    return SW_NEWTON_NO_MATRIX;
  }
  return flag == KIN_MAXITER_REACHED ? SW_NEWTON_EXHAUSTED : SW_NEWTON_ENDED;
}
