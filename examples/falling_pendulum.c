/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pendulum on a sphere by a variational integrator over a one-step method of one's own, which is
 * no Runge-Kutta method: the exact free fall
 *
 *   q' = v,   v' = -(0, 0, 1),
 *
 * with its exact action.  It knows nothing of the rod of models/spherical_pendulum.sw, L = |v|^2/2
 * - z with |q| = 1; the projection of its ends does.  So it is of order 1 as a method for the
 * pendulum, and the integrator, which is symmetric, of order 2.
 *
 *   cc -Igenerated -Ibuild/include examples/falling_pendulum.c generated/spherical_pendulum.c
 *   build/lib/libsidewinder.a \
 *      -lsundials_kinsol -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig -llapacke -ljansson -lm
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sidewinder/sim.h"
#include "spherical_pendulum.h"

enum { D = 3, DIM = 2 * D };

/* R_t(q,v). */
static int fall(void *context, double t, const double w[], const double k[], double w1[])
{
  (void)context, (void)k;
  for (int i = 0; i < D; i++) {
    w1[i] = w[i] + t * w[D + i];
    w1[D + i] = w[D + i];
  }
  w1[2] -= t * t / 2.0;
  w1[D + 2] -= t;
  return 0;
}

/* The derivative of a.R_t + b S_t, where S_t = t |v|^2/2 - t^2 v_z - t z + t^3/3. */
static int fall_slope(void *context, double t, const double w[], const double k[], const double a[],
                      double b, double slope[])
{
  (void)context, (void)k;
  for (int i = 0; i < D; i++) {
    slope[i] = a[i];
    slope[D + i] = t * a[i] + a[D + i] + b * t * w[D + i];
  }
  slope[2] -= b * t;
  slope[D + 2] -= b * t * t;
  return 0;
}

static int fall_second(void *context, double t, const double w[], const double k[],
                       const double a[], double b, double second[])
{
  (void)context, (void)w, (void)k, (void)a;
  memset(second, 0, DIM * DIM * sizeof *second);
  for (int i = D; i < DIM; i++) {
    second[i * DIM + i] = b * t;
  }
  return 0;
}

/* What the run of so many steps to t = 10 ends with. */
typedef struct outcome {
  double q[D];
  double energy;
  double turn; /* how far the discrete momentum about the z axis has moved */
} outcome;

static double momentum(sw_sim *sim, double h)
{
  double x[DIM];

  return sw_sim_legendre(sim, h, x, NULL) == SW_OK ? x[0] * x[4] - x[1] * x[3] : NAN;
}

/* 0 where a step has failed. */
static int swing(const sw_one_step *falls, long steps, outcome *out)
{
  const double h = 10.0 / (double)steps;
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = "variational";
  options.one_step = falls;
  if (sw_sim_create(&sw_model_spherical_pendulum, &options, &sim) != SW_OK) {
    return 0;
  }
  out->turn = momentum(sim, h);
  const int good = sw_sim_run(sim, h, steps, NULL, NULL) == SW_OK;
  if (good) {
    out->turn -= momentum(sim, h);
    memcpy(out->q, sw_sim_state(sim), sizeof out->q);
    sw_sim_hamiltonian(sim, &out->energy);
  } else {
    fprintf(stderr, "%s\n", sw_sim_message(sim));
  }
  sw_sim_free(&sim);
  return good;
}

static double distance(const outcome *a, const outcome *b)
{
  return hypot(hypot(a->q[0] - b->q[0], a->q[1] - b->q[1]), a->q[2] - b->q[2]);
}

int main(void)
{
  enum { HALVINGS = 4 };
  const sw_one_step falls = {.name = "free fall",
                             .order = 1,
                             .symmetric = 1, /* R_{-t} undoes R_t, as for every flow */
                             .values = fall,
                             .slope = fall_slope,
                             .second = fall_second};
  outcome out[HALVINGS];

  for (int i = 0; i < HALVINGS; i++) {
    const long steps = 100L << i;
    if (!swing(&falls, steps, &out[i])) {
      return 1;
    }
    printf("step %-8g height %.9f  energy %.9f  momentum %s", 10.0 / (double)steps, out[i].q[2],
           out[i].energy, fabs(out[i].turn) < 1e-12 ? "kept" : "lost");
    if (i > 1) {
      printf("  order %.2f",
             log2(distance(&out[i - 1], &out[i - 2]) / distance(&out[i], &out[i - 1])));
    }
    printf("\n");
  }
  return 0;
}
