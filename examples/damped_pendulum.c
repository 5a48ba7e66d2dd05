/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pendulum in air, by RATTLE over a base method of one's own: models/pendulum.sw has no drag, and
 * a Hamiltonian cannot have it, but phi_h may be any map that has a derivative.  Here it is the
 * exact fall with drag,
 *
 *   q' = p,   p' = -c p - (0, gravity),
 *
 * which is linear, so that it has the same derivative everywhere; RATTLE adds the rod.
 *
 *   cc -Igenerated -Ibuild/include examples/damped_pendulum.c generated/pendulum.c \
 *      build/lib/libsidewinder.a -lsundials_kinsol -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig -llapacke -ljansson -lm
 */
#include <math.h>
#include <stdio.h>

#include "pendulum.h"
#include "sidewinder/sim.h"

/* Parameters of the model, and entries of its state. */
enum { GRAVITY, LENGTH };
enum { X, Y, PX, PY, DIM };

typedef struct air {
  double drag;
} air;

/* z1 = phi_h(z).  The momentum tends to that of a steady fall. */
static int fall(void *context, double h, const double z[], const double k[], double z1[])
{
  const double c = ((const air *)context)->drag;
  const double steady = -k[GRAVITY] / c;
  const double reach = -expm1(-c * h) / c; /* integral of e^(-c s) over the step */

  z1[X] = z[X] + reach * z[PX];
  z1[Y] = z[Y] + reach * (z[PY] - steady) + h * steady;
  z1[PX] = exp(-c * h) * z[PX];
  z1[PY] = exp(-c * h) * (z[PY] - steady) + steady;
  return 0;
}

/* DV = phi_h'(z) V for n directions. */
static int fall_along(void *context, double h, const double z[], const double k[], int n,
                      const double V[], double DV[])
{
  const double c = ((const air *)context)->drag;

  (void)z, (void)k;
  for (int j = 0; j < n * DIM; j += DIM) {
    DV[j + X] = V[j + X] - expm1(-c * h) / c * V[j + PX];
    DV[j + Y] = V[j + Y] - expm1(-c * h) / c * V[j + PY];
    DV[j + PX] = exp(-c * h) * V[j + PX];
    DV[j + PY] = exp(-c * h) * V[j + PY];
  }
  return 0;
}

/* The angle and the energy of the pendulum after so many steps to time t; 0 where a step has
 * failed. */
static int swing(sw_flows *in_air, double t, long steps, double *angle, double *energy)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.flows = in_air;
  if (sw_sim_create(&sw_model_pendulum, &options, &sim) != SW_OK) {
    return 0;
  }
  const int good = sw_sim_run(sim, t / (double)steps, steps, NULL, NULL) == SW_OK;
  if (good) {
    *angle = atan2(sw_sim_state(sim)[X], -sw_sim_state(sim)[Y]);
    sw_sim_hamiltonian(sim, energy);
  } else {
    fprintf(stderr, "%s\n", sw_sim_message(sim));
  }
  sw_sim_free(&sim);
  return good;
}

int main(void)
{
  enum { HALVINGS = 4 };
  static const int once[] = {0};
  static const double whole[] = {1.0};
  air thick = {.drag = 0.2};
  /* symmetric: m_{-h} undoes m_h, as for every flow */
  const sw_map map = {fall, fall_along, &thick, 1};
  sw_flows in_air = {.name = "fall with drag",
                     .order = 2,
                     .n_maps = 1,
                     .maps = &map,
                     .n = 1,
                     .map = once,
                     .weight = whole};
  double angle[HALVINGS];
  double energy[HALVINGS];

  for (int i = 0; i < HALVINGS; i++) {
    const long steps = 100L << i;
    if (!swing(&in_air, 10.0, steps, &angle[i], &energy[i])) {
      return 1;
    }
    printf("step %-8g angle %.9f  energy %.9f", 10.0 / (double)steps, angle[i], energy[i]);
    if (i > 1) {
      const double before = angle[i - 1] - angle[i - 2];
      printf("  order %.2f", log2(fabs(before / (angle[i] - angle[i - 1]))));
    }
    printf("\n");
  }
  return 0;
}
