/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/jump.h"

#include <math.h>

#include "linear/sparse.h"
#include "model/scale.h"

static void watched_residual(void *context, const double u[], double F[])
{
  sw_watch *watch = context;

  watch->problem.residual(watch->problem.context, u, F);
  if (!watch->begun) {
    watch->begun = 1;
    watch->at_zero = sw_max_abs((size_t)watch->n, F);
  }
  /* What is first tried but zero is u_1, since a search begins with full steps. */
  for (int i = 0; i < watch->m && !watch->known; i++) {
    watch->known = u[i] != 0.0;
  }
  if (watch->known == 1) {
    watch->known = 2;
    sw_copy(watch->first, u, (size_t)watch->m);
  }
}

static void watched_jacobian(void *context, const double u[], double J[])
{
  const sw_watch *watch = context;

  watch->problem.jacobian(watch->problem.context, u, J);
}

sw_problem sw_watch_begin(sw_watch *watch, const sw_problem *problem, int n, int m)
{
  watch->problem = *problem;
  watch->n = n;
  watch->m = m;
  watch->begun = 0;
  watch->at_zero = 0.0;
  watch->known = 0;
  return (sw_problem){watched_residual, watched_jacobian, watch};
}

/* As fmax, which is a call: the larger of them, without NaN. */
static inline double larger(double most, double x)
{
  return x > most ? x : most;
}

sw_jump sw_find_jump(const sw_watch *watch, const sw_solver *solver, const double u[],
                     double *distance)
{
  const double *weight = sw_solver_weights(solver);
  double apart = 0.0;
  double predicted = 0.0;

  *distance = 0.0;
  if (sw_solver_dropped(solver) == 0 && sw_solver_sign(solver) * sw_solver_first_sign(solver) < 0) {
    return SW_JUMP_SIGN;
  }
  for (int i = 0; i < watch->m && watch->known; i++) {
    apart = larger(apart, fabs(u[i] - watch->first[i]) * weight[i]);
    predicted = larger(predicted, fabs(watch->first[i]) * weight[i]);
  }
  if (apart > 0.0) {
    *distance = apart / predicted;
  }
  if (!(*distance <= SW_JUMP_FACTOR)) {
    return SW_JUMP_FAR;
  }
  return watch->known && watch->at_zero <= SW_JUMP_ROUND_OFF ? SW_JUMP_NOISE : SW_JUMP_NONE;
}
