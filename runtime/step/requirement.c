/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/requirement.h"

int sw_step_raise(sw_step *step, int entries, const sw_pattern *pattern, int first,
                  const double values[])
{
  double smallest = INFINITY;
  double largest = 0.0;

  for (int e = 0; e < entries; e++) {
    const int is_diagonal =
        !pattern->row || (pattern->row[e] == pattern->col[e] && pattern->row[e] >= first);
    const double rate = is_diagonal ? fabs(values[e]) : 0.0;
    if (rate > 0.0) {
      smallest = fmin(smallest, rate);
      largest = fmax(largest, rate);
    }
  }
  if (largest > 0.0 && isfinite(largest)) {
    step->floor_p = sw_sizes_floor(step->extent, step->h, smallest, largest);
    step->size.p = fmax(step->size.p, step->floor_p);
  }
  return isfinite(step->size.p);
}

int sw_step_measure_at(sw_step *step, const sw_system *system, const double k[], sw_sizes moved)
{
  const sw_pattern *pattern = &system->hamiltonian_hess_pattern;

  if (!sw_step_measure(step, moved)) {
    return 0;
  }
  if (!step->is_at_rest || !step->hess) {
    return 1;
  }
  system->hamiltonian_hess(system, step->z0, k, step->hess);
  return sw_step_raise(step, pattern->entries, pattern, system->nq, step->hess);
}
