/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thousand pendulums (models/pendulum.sw) that begin near each other at the top, on two threads:
 * how their heights drift apart.
 *
 *   cc -Igenerated -Ibuild/include examples/ensemble.c generated/pendulum.c
 *   generated/pendulum_step.c build/lib/libsidewinder.a \
 *      -lsundials_kinsol -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig -llapacke -ljansson -lm
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "pendulum.h"
#include "sidewinder/ensemble.h"

enum { COUNT = 1000, THREADS = 2, X = 0, Y = 1 };

/* What is measured of each pendulum: its height. */
static void height(sw_sim *sim, long step, int worker, double values[], void *user)
{
  (void)step, (void)worker, (void)user;
  values[0] = sw_sim_state(sim)[Y];
}

/* A row: statistics over all pendulums. */
static int print_row(const sw_ensemble *ensemble, long step, void *user)
{
  const double levels[] = {0.05, 0.5, 0.95};
  double *sorted = user;
  double found[5];

  sw_statistics(COUNT, sw_ensemble_values(ensemble), 3, levels, sorted, found);
  printf("step %4ld  mean %9.6f  deviation %8.6f  quantiles %9.6f %9.6f %9.6f\n", step, found[0],
         sqrt(found[1]), found[2], found[3], found[4]);
  return 0;
}

int main(void)
{
  static double room[COUNT];
  sw_options options;
  sw_ensemble_options of;
  sw_sim *sim = NULL;
  sw_ensemble *ensemble = NULL;

  sw_options_init(&options);
  options.stepper = &sw_stepper_pendulum;
  sw_ensemble_options_init(&of);
  of.count = COUNT;
  of.threads = THREADS;
  of.n_values = 1;
  of.measure = height;
  sw_status status = sw_sim_create(&sw_model_pendulum, &options, &sim);
  if (status == SW_OK) {
    status = sw_ensemble_create(sim, &of, &ensemble);
  }
  for (long i = 0; status == SW_OK && i < COUNT; i++) {
    const double angle = 0.01 * sw_draw_normal(1, (uint64_t)i, X);
    const double z[4] = {sin(angle), cos(angle), 0.0, 0.0};
    status = sw_ensemble_set_state(ensemble, i, 0.0, z);
  }
  if (status == SW_OK) {
    status = sw_ensemble_run(ensemble, 0.05, 200, 50, print_row, room);
  }
  if (status == SW_OK) {
    printf("%ld of %d have failed\n", sw_ensemble_failed(ensemble), COUNT);
  } else {
    fprintf(stderr, "ensemble: %s\n", sw_status_text(status));
  }
  sw_ensemble_free(&ensemble);
  sw_sim_free(&sim);
  return status == SW_OK ? 0 : 1;
}
