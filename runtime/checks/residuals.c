/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/residuals.h"

#include <math.h>

/* The three functions of a residual and the pattern of its Jacobian. */
typedef struct {
  sw_system_function *value;
  sw_system_function *scale;
  sw_system_function *jac;
  const sw_pattern *pattern;
} residual_functions;

static sw_residual evaluate(const sw_system *system, const residual_functions *f, const double k[],
                            const double z[], sw_sizes size, const sw_residual_scratch *s)
{
  sw_residual result = {0.0, 0.0, -1};

  if (system->nc == 0) {
    return result;
  }
  f->value(system, z, k, s->value);
  f->scale(system, z, k, s->scale);
  f->jac(system, z, k, s->jac);
  if (!sw_scales(f->pattern, s->jac, system->nq, size, s->scale, s->sums)) {
    result.largest = NAN;
    return result;
  }
  result.largest = sw_max_abs((size_t)system->nc, s->value);
  for (int i = 0; i < system->nc; i++) {
    const double scaled = fabs(s->value[i]) / s->scale[i];
    if (result.worst < 0 || scaled > result.scaled) {
      result.scaled = scaled;
      result.worst = i;
    }
  }
  return result;
}

sw_residual sw_residual_g(const sw_system *system, const double k[], const double z[],
                          sw_sizes size, const sw_residual_scratch *scratch)
{
  const residual_functions g = {system->constraint, system->constraint_scale,
                                system->constraint_jac, &system->constraint_jac_pattern};

  return evaluate(system, &g, k, z, size, scratch);
}

sw_residual sw_residual_hidden(const sw_system *system, const double k[], const double z[],
                               sw_sizes size, const sw_residual_scratch *scratch)
{
  const residual_functions rho = {system->hidden, system->hidden_scale, system->hidden_jac,
                                  &system->hidden_jac_pattern};

  return evaluate(system, &rho, k, z, size, scratch);
}
