/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gradient.c -- the time of a gradient over a trajectory per step, beside the time of a step.
 *
 * Usage: bench_gradient
 *
 * All states are kept, so that a gradient is a run forward and one backward.  Each time is the
 * shortest of ROUNDS rounds, which measure all of them in turn.
 */
#include <math.h>
#include <stdio.h>

#include "chain6.h"
#include "double_pendulum.h"
#include "measure.h"
#include "pendulum.h"
#include "sidewinder/adjoint.h"

enum { ROUNDS = 20, STEPS = 1000, MOST = 100 };

enum { OF_Z0, OF_K, GENERAL, GENERATED, TIMES };

/* z_0 at the last step. */
static int loss(void *user, long step, double t, const double z[], double *value, double gradient[])
{
  (void)user;
  (void)t;
  *value = step == STEPS ? z[0] : 0.0;
  gradient[0] = step == STEPS ? 1.0 : 0.0;
  return 0;
}

static sw_status work(sw_sim *general, sw_sim *generated, int what)
{
  static double z0[MOST];
  static double k[MOST];
  static double h;
  const sw_trajectory trajectory = {
      .h = 0.01, .steps = STEPS, .checkpoints = STEPS + 1, .loss = loss};
  sw_gradient gradient = {.z0 = z0};

  if (what == GENERAL || what == GENERATED) {
    return sw_sim_run(what == GENERAL ? general : generated, 0.01, STEPS, NULL, NULL);
  }
  if (what == OF_K) {
    gradient.k = k;
    gradient.h = &h;
  }
  return sw_sim_gradient(generated, &trajectory, &gradient);
}

static int measure(const sw_model *model, const sw_stepper *stepper)
{
  double best[TIMES];
  sw_sim *general = NULL;
  sw_sim *generated = NULL;
  sw_options options;

  sw_options_init(&options);
  options.solver = "kinsol";
  sw_status status = sw_sim_create(model, &options, &general);
  options.solver = "auto";
  options.stepper = stepper;
  status = status == SW_OK ? sw_sim_create(model, &options, &generated) : status;
  for (int round = 0; round < ROUNDS && status == SW_OK; round++) {
    for (int what = 0; what < TIMES && status == SW_OK; what++) {
      const double start = seconds();
      status = work(general, generated, what);
      const double time = (seconds() - start) / STEPS;
      best[what] = round == 0 ? time : fmin(best[what], time);
    }
  }
  if (status != SW_OK) {
    fprintf(stderr, "%s: %s\n", model->name, sw_status_text(status));
    return 1;
  }
  printf("%-16s", model->name);
  for (int what = 0; what < TIMES; what++) {
    printf(" %8.0f", 1e9 * best[what]);
  }
  printf(" %8.1f\n", best[OF_K] / best[GENERAL]);
  sw_sim_free(&general);
  sw_sim_free(&generated);
  return 0;
}

int main(void)
{
  printf("ns per step      dL/dz0 and dL/dk  general generated    ratio of dL/dk to general\n");
  return measure(&sw_model_pendulum, &sw_stepper_pendulum) ||
         measure(&sw_model_double_pendulum, &sw_stepper_double_pendulum) ||
         measure(&sw_model_chain6, &sw_stepper_chain6);
}
