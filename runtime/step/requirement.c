/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/requirement.h"

int sw_step_measure_at(sw_step *step, const sw_system *system, const double k[], sw_sizes moved)
{
  const sw_pattern *pattern = &system->hamiltonian_hess_pattern;
  const int finite = sw_step_measure(step, moved);
  double smallest = INFINITY;
  double largest = 0.0;

  if (!finite || !step->is_at_rest || !step->hess) {
    return finite;
  }
  system->hamiltonian_hess(system, step->z0, k, step->hess);
  for (int e = 0; e < pattern->entries; e++) {
    const double rate = fabs(step->hess[e]);
    if (pattern->row[e] == pattern->col[e] && pattern->row[e] >= system->nq && rate > 0.0) {
      smallest = fmin(smallest, rate);
      largest = fmax(largest, rate);
    }
  }
  if (largest > 0.0 && isfinite(largest)) {
    sw_step_raise(step, smallest, largest);
  }
  return isfinite(step->size.p);
}
