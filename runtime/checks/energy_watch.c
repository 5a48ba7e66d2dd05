/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/energy_watch.h"

#include <math.h>
#include <stdlib.h>

#include "common/vectors.h"

static const double leaves_at = 1e3;
static const double stays_within = 1e-3;
static const double moves = 1e-10; /* of |q| in one step */

sw_status sw_energy_watch_create(const sw_system *system, sw_energy_watch *watch)
{
  *watch = (sw_energy_watch){.gradient = calloc(2 * (size_t)system->nq + 1, sizeof(double))};
  return watch->gradient ? SW_OK : SW_ERR_MEMORY;
}

void sw_energy_watch_free(sw_energy_watch *watch)
{
  free(watch->gradient);
  watch->gradient = NULL;
}

/* sum_i |p_i H_{p_i}|, with the gradient in watch->gradient. */
static double kinetic(sw_energy_watch *watch, const sw_system *system, const double z[],
                      const double k[])
{
  const int d = system->nq;
  double sum = 0.0;

  system->hamiltonian_grad(system, z, k, watch->gradient);
  for (int i = 0; i < d; i++) {
    sum += fabs(z[d + i] * watch->gradient[d + i]);
  }
  return sum;
}

int sw_energy_leaves(sw_energy_watch *watch, const sw_system *system, const double z[],
                     const double k[], double h, double H)
{
  const size_t d = (size_t)system->nq;
  const double change = watch->has_first ? fabs(H - watch->first) : 0.0;

  if (!isfinite(H)) {
    return 1;
  }
  if (watch->has_first && change <= stays_within * watch->scale) {
    watch->scale = fmax(watch->scale, fabs(H));
    return 0;
  }
  const double size = kinetic(watch, system, z, k);
  if (watch->has_first && watch->scale > 0.0 && change > leaves_at * watch->scale &&
      fabs(h) * sw_max_abs(d, watch->gradient + d) > moves * sw_max_abs(d, z)) {
    return 1;
  }
  watch->first = watch->has_first ? watch->first : H;
  watch->has_first = 1;
  watch->scale = fmax(watch->scale, isfinite(size) ? fmax(size, fabs(H)) : fabs(H));
  return 0;
}
