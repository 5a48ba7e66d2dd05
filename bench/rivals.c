/* SPDX-License-Identifier: BSD-3-Clause */
#include "rivals.h"

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <lapacke.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "linear/sparse.h"

/* ---- the differential-algebraic equations ---- */

typedef struct equations {
  const sw_system *system;
  const double *k;
  double *gradient; /* 2d */
  double *jac;      /* values of Dg */
  double *values;   /* values of the largest other pattern */
} equations;

static int largest_pattern(const sw_system *s)
{
  const int entries[] = {s->hamiltonian_hess_pattern.entries, s->constraint_hess_pattern.entries,
                         s->hidden_jac_pattern.entries, s->nondegeneracy_pattern.entries};
  int most = 0;

  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    most = entries[i] > most ? entries[i] : most;
  }
  return most;
}

/* Component i of J v, so that X_f = J grad f. */
static double field(const double v[], int d, int i)
{
  return i < d ? v[d + i] : -v[i - d];
}

/* F(z, lambda, mu; zdot), the equations of rivals.h. */
static int residual(realtype t, N_Vector y, N_Vector ydot, N_Vector F, void *user)
{
  const equations *e = user;
  const sw_system *s = e->system;
  const int d = s->nq;
  const int m = s->nc;
  const double *z = N_VGetArrayPointer(y);
  const double *lambda = z + 2 * d;
  const double *mu = lambda + m;
  const double *zdot = N_VGetArrayPointer(ydot);
  double *out = N_VGetArrayPointer(F);

  (void)t;
  s->hamiltonian_grad(s, z, e->k, e->gradient);
  s->constraint_jac(s, z, e->k, e->jac);
  sw_add_transposed(&s->constraint_jac_pattern, e->jac, lambda, e->gradient);
  for (int i = 0; i < 2 * d; i++) {
    out[i] = field(e->gradient, d, i) - zdot[i];
  }
  sw_add_transposed(&s->constraint_jac_pattern, e->jac, mu, out);
  s->constraint(s, z, e->k, out + 2 * d);
  s->hidden(s, z, e->k, out + 2 * d + m);
  return 0;
}

/* Adds a symmetric matrix with these values, times J if `turned` is 1, to the leading 2d x 2d
 * block of A. */
static void add_symmetric(SUNMatrix A, const sw_pattern *lower, const double values[], int d,
                          int turned)
{
  for (int e = 0; e < lower->entries; e++) {
    for (int side = 0; side < (lower->row[e] == lower->col[e] ? 1 : 2); side++) {
      const int i = side ? lower->col[e] : lower->row[e];
      const int j = side ? lower->row[e] : lower->col[e];
      if (turned) {
        SM_ELEMENT_D(A, i < d ? i + d : i - d, j) += i < d ? -values[e] : values[e];
      } else {
        SM_ELEMENT_D(A, i, j) += values[e];
      }
    }
  }
}

static int jacobian(realtype t, realtype c, N_Vector y, N_Vector ydot, N_Vector F, SUNMatrix A,
                    void *user, N_Vector a, N_Vector b, N_Vector x)
{
  const equations *e = user;
  const sw_system *s = e->system;
  const sw_pattern *Dg = &s->constraint_jac_pattern;
  const sw_pattern *Drho = &s->hidden_jac_pattern;
  const int d = s->nq;
  const int m = s->nc;
  const double *z = N_VGetArrayPointer(y);

  (void)t, (void)ydot, (void)F, (void)a, (void)b, (void)x;
  SUNMatZero(A);
  s->hamiltonian_hess(s, z, e->k, e->values);
  add_symmetric(A, &s->hamiltonian_hess_pattern, e->values, d, 1);
  s->constraint_hess(s, z, e->k, z + 2 * d, e->values);
  add_symmetric(A, &s->constraint_hess_pattern, e->values, d, 1);
  s->constraint_hess(s, z, e->k, z + 2 * d + m, e->values);
  add_symmetric(A, &s->constraint_hess_pattern, e->values, d, 0);
  for (int i = 0; i < 2 * d; i++) {
    SM_ELEMENT_D(A, i, i) -= c;
  }
  s->constraint_jac(s, z, e->k, e->jac);
  for (int i = 0; i < Dg->entries; i++) {
    const int row = Dg->row[i];
    const int col = Dg->col[i];
    SM_ELEMENT_D(A, col < d ? col + d : col - d, 2 * d + row) += col < d ? -e->jac[i] : e->jac[i];
    SM_ELEMENT_D(A, col, 2 * d + m + row) += e->jac[i];
    SM_ELEMENT_D(A, 2 * d + row, col) += e->jac[i];
  }
  s->hidden_jac(s, z, e->k, e->values);
  for (int i = 0; i < Drho->entries; i++) {
    SM_ELEMENT_D(A, 2 * d + m + Drho->row[i], Drho->col[i]) += e->values[i];
  }
  return 0;
}

/* Solves N lambda = -{rho,H} at z, and stores z, lambda, mu = 0 and their derivatives in y and
 * ydot.  Returns 0 if N is singular. */
static int begin(const equations *e, const double z[], double y[], double ydot[])
{
  const sw_system *s = e->system;
  const int d = s->nq;
  const int m = s->nc;
  double *N = calloc((size_t)m * (size_t)m + 1, sizeof *N);
  int *pivots = calloc((size_t)m + 1, sizeof *pivots);
  double *lambda = y + 2 * d;

  sw_copy(y, z, 2 * (size_t)d);
  s->hamiltonian_grad(s, z, e->k, e->gradient);
  s->hidden_jac(s, z, e->k, e->values);
  for (int i = 0; i < s->hidden_jac_pattern.entries; i++) {
    lambda[s->hidden_jac_pattern.row[i]] -=
        e->values[i] * field(e->gradient, d, s->hidden_jac_pattern.col[i]);
  }
  s->nondegeneracy(s, z, e->k, e->values);
  for (int i = 0; i < s->nondegeneracy_pattern.entries; i++) {
    N[s->nondegeneracy_pattern.col[i] * m + s->nondegeneracy_pattern.row[i]] = e->values[i];
  }
  const int good = LAPACKE_dgesv(LAPACK_COL_MAJOR, m, 1, N, m, pivots, lambda, m) == 0;
  s->constraint_jac(s, z, e->k, e->jac);
  sw_add_transposed(&s->constraint_jac_pattern, e->jac, lambda, e->gradient);
  for (int i = 0; i < 2 * d; i++) {
    ydot[i] = field(e->gradient, d, i);
  }
  free(N);
  free(pivots);
  return good;
}

/* The errors of the multipliers of an index-2 system are larger by a factor of 1/h.  They are
 * excluded from the Newton and error tests; otherwise the solver fails at tolerances below 1e-6.
 * Returns IDA's flag. */
static int set_tolerances(void *ida, const sw_system *system, double tolerance, N_Vector work)
{
  N_VConst(1e10, work);
  for (int i = 0; i < 2 * system->nq; i++) {
    NV_Ith_S(work, i) = tolerance;
  }
  const int flag = IDASVtolerances(ida, tolerance, work);
  return flag ? flag : IDASetErrFile(ida, NULL);
}

static int go_ida(void *ida, double t_end, N_Vector y, N_Vector ydot, rival_observer *observe,
                  void *user)
{
  double t = 0.0;
  int flag = IDASetStopTime(ida, t_end);

  while (flag >= 0 && t < t_end) {
    flag = IDASolve(ida, t_end, &t, y, ydot, observe ? IDA_ONE_STEP : IDA_NORMAL);
    if (flag >= 0 && observe) {
      observe(user, N_VGetArrayPointer(y));
    }
  }
  return flag < 0 ? flag : 0;
}

int rival_ida(const sw_system *system, const double k[], double t_end, double tolerance, double z[],
              rival_observer *observe, void *user)
{
  const int d = system->nq;
  const int n = 2 * d + 2 * system->nc;
  SUNContext context = NULL;
  equations e = {system, k, calloc(2 * (size_t)d, sizeof(double)),
                 calloc((size_t)system->constraint_jac_pattern.entries + 1, sizeof(double)),
                 calloc((size_t)largest_pattern(system) + 1, sizeof(double))};
  int flag = SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(n, context);
  N_Vector ydot = N_VNew_Serial(n, context);
  N_Vector id = N_VNew_Serial(n, context);
  N_Vector weights = N_VNew_Serial(n, context);
  SUNMatrix A = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  void *ida = IDACreate(context);

  N_VConst(0.0, y);
  N_VConst(0.0, ydot);
  for (int i = 0; i < n; i++) {
    NV_Ith_S(id, i) = i < 2 * d;
  }
  if (flag == 0 && begin(&e, z, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot))) {
    flag = IDAInit(ida, residual, 0.0, y, ydot);
    flag = flag ? flag : set_tolerances(ida, system, tolerance, weights);
    flag = flag ? flag : IDASetInitStep(ida, 1e-3 * sqrt(tolerance) * t_end);
    flag = flag ? flag : IDASetUserData(ida, &e);
    flag = flag ? flag : IDASetId(ida, id);
    flag = flag ? flag : IDASetSuppressAlg(ida, SUNTRUE);
    flag = flag ? flag : IDASetMaxNumSteps(ida, 1000000);
    flag = flag ? flag : IDASetLinearSolver(ida, solver, A);
    flag = flag ? flag : IDASetJacFn(ida, jacobian);
    flag = flag ? flag : go_ida(ida, t_end, y, ydot, observe, user);
  }
  sw_copy(z, N_VGetArrayPointer(y), 2 * (size_t)d);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(A);
  N_VDestroy(y);
  N_VDestroy(ydot);
  N_VDestroy(id);
  N_VDestroy(weights);
  SUNContext_Free(&context);
  free(e.gradient);
  free(e.jac);
  free(e.values);
  return flag;
}

/* ---- minimal coordinates of the pendulum: q = (sin a, -cos a), p = adot (cos a, sin a) ---- */

static int swing(realtype t, N_Vector y, N_Vector ydot, void *user)
{
  (void)t, (void)user;
  NV_Ith_S(ydot, 0) = NV_Ith_S(y, 1);
  NV_Ith_S(ydot, 1) = -sin(NV_Ith_S(y, 0));
  return 0;
}

static void to_plane(const double y[2], double z[4])
{
  z[0] = sin(y[0]);
  z[1] = -cos(y[0]);
  z[2] = y[1] * cos(y[0]);
  z[3] = y[1] * sin(y[0]);
}

int rival_cvode_pendulum(const sw_system *system, const double k[], double t_end, double tolerance,
                         double z[], rival_observer *observe, void *user)
{
  SUNContext context = NULL;
  double t = 0.0;
  int flag = SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(2, context);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
  void *cvode = CVodeCreate(CV_ADAMS, context);

  (void)system, (void)k;
  NV_Ith_S(y, 0) = atan2(z[0], -z[1]);
  NV_Ith_S(y, 1) = -z[1] * z[2] + z[0] * z[3];
  flag = flag ? flag : CVodeInit(cvode, swing, 0.0, y);
  flag = flag ? flag : CVodeSStolerances(cvode, tolerance, tolerance);
  flag = flag ? flag : CVodeSetNonlinearSolver(cvode, solver);
  flag = flag ? flag : CVodeSetMaxNumSteps(cvode, 10000000);
  flag = flag ? flag : CVodeSetStopTime(cvode, t_end);
  while (flag >= 0 && t < t_end) {
    flag = CVode(cvode, t_end, y, &t, observe ? CV_ONE_STEP : CV_NORMAL);
    to_plane(N_VGetArrayPointer(y), z);
    if (flag >= 0 && observe) {
      observe(user, z);
    }
  }
  CVodeFree(&cvode);
  SUNNonlinSolFree(solver);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return flag < 0 ? flag : 0;
}
