/* SPDX-License-Identifier: BSD-3-Clause */
#include "geometry/residuals.h"

#include <math.h>

#include "scale.h"

/* The three functions of a residual and the pattern of its Jacobian. */
typedef struct {
  sw_function *value;
  sw_function *scale;
  sw_function *jac;
  const sw_pattern *pattern;
} residual_functions;

static sw_residual evaluate(const sw_model *model, const residual_functions *f, const double k[],
                            const double z[], const sw_residual_scratch *s)
{
  sw_residual result = {0.0, 0.0, -1};

  if (model->nc == 0) {
    return result;
  }
  f->value(z, k, s->value);
  f->scale(z, k, s->scale);
  f->jac(z, k, s->jac);
  if (!sw_scales(f->pattern, s->jac, model->nq, sw_sizes_at(model, k, z, 0.0, NULL), s->scale,
                 s->sums)) {
    result.largest = NAN;
    return result;
  }
  result.largest = sw_max_abs((size_t)model->nc, s->value);
  for (int i = 0; i < model->nc; i++) {
    const double scaled = fabs(s->value[i]) / s->scale[i];
    if (result.worst < 0 || scaled > result.scaled) {
      result.scaled = scaled;
      result.worst = i;
    }
  }
  return result;
}

sw_residual sw_residual_g(const sw_model *model, const double k[], const double z[],
                          const sw_residual_scratch *scratch)
{
  const residual_functions g = {model->constraint, model->constraint_scale, model->constraint_jac,
                                &model->constraint_jac_pattern};

  return evaluate(model, &g, k, z, scratch);
}

sw_residual sw_residual_hidden(const sw_model *model, const double k[], const double z[],
                               const sw_residual_scratch *scratch)
{
  const residual_functions rho = {model->hidden, model->hidden_scale, model->hidden_jac,
                                  &model->hidden_jac_pattern};

  return evaluate(model, &rho, k, z, scratch);
}
