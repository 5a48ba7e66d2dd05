/* SPDX-License-Identifier: BSD-3-Clause */
#include "motion.h"

#include "hopf.h"
#include "mirror.h"
#include "sidewinder/batch.h"
#include "sidewinder/sim.h"

static void position(const sw_sim *sim, double q[2])
{
  q[0] = sw_sim_state(sim)[0];
  q[1] = sw_sim_state(sim)[1];
}

int motion(long steps, double alone[2], double of_batch[2])
{
  static const sw_stepper *const lanes[] = {&sw_stepper_hopf_4, &sw_stepper_hopf_8, 0};
  sw_options options;
  sw_sim *sim = 0;
  sw_batch *batch = 0;
  sw_options_init(&options);
  options.base = "midpoint";
  options.stepper = &sw_stepper_hopf;
  options.lanes = lanes;
  sw_status status = sw_sim_create(&sw_model_hopf, &options, &sim);
  if (status == SW_OK) {
    status = sw_batch_create(sim, 3, &batch);
  }
  for (long n = 0; n < steps && status == SW_OK; n++) {
    status = sw_sim_step(sim, 0.1);
  }
  if (status == SW_OK) {
    status = sw_batch_run(batch, 0.1, steps);
  }
  if (status == SW_OK) {
    position(sim, alone);
    position(sw_batch_get(batch, 2), of_batch);
  }
  sw_batch_free(&batch);
  sw_sim_free(&sim);
  return (int)status;
}

int mirror_freedom(void)
{
  sw_options options;
  sw_sim *sim = 0;
  sw_options_init(&options);
  options.base = "splitting";
  int n = sw_sim_create(&sw_model_mirror, &options, &sim) == SW_OK ? sw_sim_nq(sim) : -1;
  sw_sim_free(&sim);
  return n;
}
