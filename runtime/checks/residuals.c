/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/residuals.h"

#include <math.h>

void sw_residual_carve(sw_carver *c, const sw_system *system, sw_residual_scratch *s)
{
  SW_CARVE(c, (size_t)system->nc, 1, &s->value, &s->scale, &s->sums);
}

void sw_residual_carve_jac(sw_carver *c, const sw_system *system, sw_residual_scratch *s)
{
  const int g = system->constraint_jac_pattern.entries;
  const int rho = system->hidden_jac_pattern.entries;

  s->jac = sw_carve(c, (size_t)(g > rho ? g : rho), 1);
}

sw_residual sw_residual_of(int m, int finite, const sw_residual_scratch *s)
{
  sw_residual result = {.worst = -1};

  if (!finite) {
    result.largest = NAN;
    return result;
  }
  result.largest = sw_max_abs((size_t)m, s->value);
  for (int i = 0; i < m; i++) {
    const double scaled = fabs(s->value[i]) / s->scale[i];
    if (result.worst < 0 || scaled > result.scaled) {
      result.scaled = scaled;
      result.worst = i;
      result.value = s->value[i];
      result.scale = s->scale[i];
    }
  }
  return result;
}

sw_residual sw_residual_at(const sw_requirement *f, const double z[], sw_sizes size,
                           const sw_residual_scratch *s)
{
  const sw_system *system = f->system;

  if (system->nc == 0) {
    return (sw_residual){.worst = -1};
  }
  f->function(system, z, f->k, s->value);
  f->function_scale(system, z, f->k, s->scale);
  f->function_jac(system, z, f->k, s->jac);
  return sw_residual_of(system->nc,
                        sw_scales(f->pattern, s->jac, system->nq, size, s->scale, s->sums), s);
}
