/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/lyapunov_exponents.h"

#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks/symplectic.h"
#include "common/carver.h"
#include "common/random.h"
#include "linear/sparse.h"

/* Replaces V by the orthonormal V' of V = V' R and adds log R_ii to logs. Each direction is
 * orthogonalised twice against the previous ones, which gives orthogonality to round-off. Returns 0
 * if the directions are dependent or not finite. */
static int orthonormalise(sw_lyapunov *s)
{
  const int dim = 2 * sw_sim_nq(s->sim);

  for (int i = 0; i < s->n; i++) {
    double *v = s->V + (size_t)i * (size_t)dim;
    const double before = sqrt(sw_inner(dim, v, v));
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < i; j++) {
        const double *w = s->V + (size_t)j * (size_t)dim;
        sw_add_scaled(dim, -sw_inner(dim, w, v), w, v);
      }
    }
    const double length = sqrt(sw_inner(dim, v, v));
    if (!isfinite(length) || !(length > 1e-14 * before)) {
      return 0;
    }
    for (int e = 0; e < dim; e++) {
      v[e] /= length;
    }
    s->logs[i] += log(length);
  }
  return 1;
}

/* log vol(V); NaN if V does not contain all directions. */
static double log_volume(sw_lyapunov *s)
{
  const int d = sw_sim_nq(s->sim);
  const size_t n = (size_t)s->n;
  double sum = 0.0;
  double size;

  if (s->n != s->all) {
    return NAN;
  }
  sw_copy(s->images, s->V, n * 2 * (size_t)d);
  if (sw_symplectic_images(s->sim, s->h, s->n, s->images) != SW_OK) {
    return NAN;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      s->form[i * n + j] = sw_symplectic_form(d, s->images + i * 2 * (size_t)d,
                                              s->images + j * 2 * (size_t)d, &size);
    }
  }
  if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, s->n, s->n, s->form, s->n, s->pivots) < 0) {
    return NAN;
  }
  for (size_t i = 0; i < n; i++) {
    sum += 0.5 * log(fabs(s->form[i * n + i]));
  }
  return sum;
}

static sw_status carry(sw_lyapunov *s, double h)
{
  sw_status status = sw_sim_tangent_times(s->sim, h, s->n, s->V, s->V);

  s->h = h;
  if (status == SW_OK) {
    status = sw_sim_step(s->sim, h);
  }
  if (status == SW_OK) {
    status = sw_sim_project_directions(s->sim, s->n, s->V);
  }
  if (status == SW_OK && !orthonormalise(s)) {
    status = SW_ERR_SINGULAR;
  }
  return status;
}

int sw_lyapunov_count(sw_sim *sim)
{
  const int independent = sw_sim_n_independent(sim);

  return independent < 0 ? -1 : 2 * (sw_sim_nq(sim) - independent);
}

static void carve(sw_carver *c, void *of)
{
  sw_lyapunov *s = of;
  const size_t n = (size_t)s->n;
  const size_t dim = 2 * (size_t)sw_sim_nq(s->sim);

  SW_CARVE(c, n, dim, &s->V, &s->images);
  s->logs = sw_carve(c, n, 1);
  s->form = sw_carve(c, n, n);
  s->pivots = sw_carve_bytes(c, n * sizeof *s->pivots);
}

sw_status sw_lyapunov_open(sw_sim *sim, double h, int n, sw_lyapunov *lyapunov)
{
  enum { STEPS = 2 };
  const size_t dim = 2 * (size_t)sw_sim_nq(sim);
  const int all = sw_lyapunov_count(sim);
  uint64_t random = 1;
  sw_status status = SW_OK;

  *lyapunov = (sw_lyapunov){.sim = sim, .n = n, .all = all, .volume = NAN};
  if (all < 0) {
    return SW_ERR_MEMORY;
  }
  if (n < 1 || n > all) {
    return SW_ERR_ARGUMENT;
  }
  lyapunov->memory = sw_carve_block(carve, lyapunov);
  if (!lyapunov->memory) {
    return SW_ERR_MEMORY;
  }
  for (size_t i = 0; i < dim * (size_t)n; i++) {
    lyapunov->V[i] = sw_random(&random);
  }
  for (int step = 0; step < STEPS && status == SW_OK; step++) {
    status = carry(lyapunov, h);
  }
  sw_zero(lyapunov->logs, (size_t)n);
  lyapunov->volume = log_volume(lyapunov);
  return status;
}

void sw_lyapunov_close(sw_lyapunov *lyapunov)
{
  free(lyapunov->memory);
  *lyapunov = (sw_lyapunov){0};
}

sw_status sw_lyapunov_step(sw_lyapunov *lyapunov, double h)
{
  const sw_status status = carry(lyapunov, h);

  lyapunov->time += status == SW_OK ? h : 0.0;
  return status;
}

double sw_lyapunov_exponent(const sw_lyapunov *lyapunov, int i)
{
  return lyapunov->time != 0.0 ? lyapunov->logs[i] / fabs(lyapunov->time) : NAN;
}

double sw_lyapunov_sum_defect(sw_lyapunov *lyapunov)
{
  double sum = log_volume(lyapunov) - lyapunov->volume;

  for (int i = 0; i < lyapunov->n; i++) {
    sum += lyapunov->logs[i];
  }
  return lyapunov->time != 0.0 ? sum / fabs(lyapunov->time) : NAN;
}

double sw_lyapunov_pairing(const sw_lyapunov *lyapunov)
{
  double largest = 0.0;

  for (int i = 0; i < lyapunov->n; i++) {
    largest = fmax(largest, fabs(sw_lyapunov_exponent(lyapunov, i) +
                                 sw_lyapunov_exponent(lyapunov, lyapunov->n - 1 - i)));
  }
  return lyapunov->n == lyapunov->all ? largest : NAN;
}
