/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/symplectic.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/vectors.h"

double sw_symplectic_form(int d, const double v[], const double w[], double *size)
{
  double sum = 0.0;

  *size = 0.0;
  for (int i = 0; i < d; i++) {
    sum += v[i] * w[d + i] - v[d + i] * w[i];
    *size += fabs(v[i] * w[d + i]) + fabs(v[d + i] * w[i]);
  }
  return sum;
}

sw_status sw_symplectic_images(sw_sim *sim, double h, int n, double V[])
{
  const size_t dim = 2 * (size_t)sw_sim_nq(sim);

  if (!sw_sim_has_legendre(sim)) {
    return SW_OK;
  }
  double *D = calloc(dim + 2, dim * sizeof *D);
  double *image =
      D ? D + dim * dim : NULL; /* images of one direction; earlier, the ends of the curve */
  sw_status status = D ? sw_sim_legendre(sim, h, image, D) : SW_ERR_MEMORY;
  for (size_t j = 0; j < (size_t)n && status == SW_OK; j++) {
    sw_zero(image, dim);
    for (size_t i = 0; i < dim; i++) {
      sw_add_scaled((int)dim, V[j * dim + i], D + i * dim, image);
    }
    sw_copy(V + j * dim, image, dim);
  }
  free(D);
  return status;
}

sw_status sw_symplectic_defect(sw_sim *sim, double h, int n, double V[], double DV[],
                               double *defect)
{
  enum { STEPS = 2 };
  const int d = sw_sim_nq(sim);
  const size_t dim = 2 * (size_t)d;
  sw_status status = SW_OK;

  *defect = 0.0;
  if (sw_sim_n_state(sim) != 2 * d) {
    return SW_ERR_OPTION;
  }
  for (int step = 0; step < STEPS && status == SW_OK; step++) {
    status = sw_sim_tangent_times(sim, h, n, V, V);
    if (status == SW_OK) {
      status = sw_sim_step(sim, h);
    }
  }
  if (status == SW_OK) {
    status = sw_sim_tangent_times(sim, h, n, V, DV);
  }
  status = status == SW_OK ? sw_symplectic_images(sim, h, n, V) : status;
  status = status == SW_OK ? sw_sim_step(sim, h) : status;
  status = status == SW_OK ? sw_symplectic_images(sim, h, n, DV) : status;
  for (int i = 0; i < n && status == SW_OK; i++) {
    for (int j = 0; j < i; j++) {
      const size_t a = (size_t)i * dim;
      const size_t b = (size_t)j * dim;
      double size = 0.0;
      double size_after = 0.0;
      const double before = sw_symplectic_form(d, V + a, V + b, &size);
      const double after = sw_symplectic_form(d, DV + a, DV + b, &size_after);
      const double figure = after == before ? 0.0 : fabs(after - before) / (size + size_after);
      /* This form of the comparison propagates NaN. */
      *defect = figure <= *defect ? *defect : figure;
    }
  }
  return status;
}
