/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/bracket_terms.h"

#include <float.h>

void sw_gradients_of(const sw_pattern *pattern, const double jac[], int d, sw_gradients sizes)
{
  sw_zero(sizes.q, (size_t)pattern->rows);
  sw_zero(sizes.p, (size_t)pattern->rows);
  for (int e = 0; e < pattern->entries; e++) {
    double *half = pattern->col[e] < d ? sizes.q : sizes.p;
    half[pattern->row[e]] += fabs(jac[e]);
  }
}

int sw_nondegeneracy_clean(const sw_pattern *pattern, sw_gradients g, sw_gradients rho,
                           sw_sizes size, double values[])
{
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const double floor = 64.0 * DBL_EPSILON * sw_bracket_terms(rho, i, g, pattern->col[e]);
    if (!isfinite(values[e]) || !isfinite(floor)) {
      return 0;
    }
    values[e] =
        fabs(values[e]) > floor ? values[e] / sw_power_below(sw_gradient_change(g, i, size)) : 0.0;
  }
  return 1;
}
