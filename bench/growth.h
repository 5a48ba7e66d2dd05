/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * growth.h -- growth of the rounding errors of the energy over long runs.
 *
 * The straight-line code of a model steps GROWTH_RUNS trajectories with momenta of different sizes.
 * The energy oscillates by far more than its rounding errors, so it is averaged over blocks of
 * steps, with weights exp(-1/(s(1-s))) for s from 0 to 1 along a block, which suppress the
 * oscillations.  The error is the difference between the average of a block and that of the first
 * block.  Brouwer's law predicts a root mean square that grows as the square root of the number of
 * steps, and a mean near 0.
 */
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "sidewinder/sim.h"

enum { GROWTH_BLOCK = 20000, GROWTH_RUNS = 64, GROWTH_MARKS = 32 };

typedef struct growth_example {
  const sw_model *model;        /* at most four degrees of freedom */
  const sw_stepper *stepper[2]; /* plain, compensated */
  const sw_stepper *lanes[2][3];
  double h;
} growth_example;

/* An example with the compensated steppers of compensated_steppers.h. */
#define GROWTH_EXAMPLE(model, h)                                                                   \
  {                                                                                                \
    &sw_model_##model, {&sw_stepper_##model, &sw_stepper_##model##_compensated},                   \
        {{&sw_stepper_##model##_4, &sw_stepper_##model##_8, NULL},                                 \
         {&sw_stepper_##model##_compensated_4, &sw_stepper_##model##_compensated_8, NULL}},        \
        h                                                                                          \
  }

/* The errors after `steps` steps. */
typedef struct growth_mark {
  long steps;
  double error; /* root mean square over the trajectories */
  double mean;
  double largest_g; /* maximum up to this step */
} growth_mark;

/* Measures at 10^5 steps and then in factors of the square root of ten, up to `steps`, which is
 * at least 10^5.  Returns the number of marks.  *taken: time in ns per step and trajectory.
 * Exits if a step fails. */
int growth_measure(const growth_example *e, int compensated, long steps, growth_mark marks[],
                   double *taken);

#endif
