/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * growth.h -- how the rounding errors of the energy grow over long runs.
 *
 * GROWTH_RUNS trajectories of a model, with momenta of different sizes, are run side by side by the model's straight-line code.  The energy
 * oscillates by far more than its rounding errors, so it is averaged over blocks of steps, with weights exp(-1/(s(1-s))) for s from
 * 0 to 1 along a block, which leave nothing of oscillations.  What is looked at is by how much the average of a block differs from
 * that of the first one.  Brouwer's law is a root mean square that grows as the square root of the steps, and a mean near 0.
 */
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "sidewinder/sim.h"

enum { GROWTH_BLOCK = 20000, GROWTH_RUNS = 64, GROWTH_MARKS = 32 };

typedef struct growth_example {
  const sw_model *model;        /* of at most four degrees of freedom */
  const sw_stepper *stepper[2]; /* plain, compensated */
  const sw_stepper *lanes[2][3];
  double h;
} growth_example;

/* One whose compensated steppers are those of compensated_steppers.h. */
#define GROWTH_EXAMPLE(model, h)                                                                   \
  {                                                                                                \
    &sw_model_##model, {&sw_stepper_##model, &sw_stepper_##model##_compensated},                   \
        {{&sw_stepper_##model##_4, &sw_stepper_##model##_8, NULL},                                 \
         {&sw_stepper_##model##_compensated_4, &sw_stepper_##model##_compensated_8, NULL}},        \
        h                                                                                          \
  }

/* What has been found after so many steps. */
typedef struct growth_mark {
  long steps;
  double error; /* root mean square over the trajectories */
  double mean;
  double largest_g; /* so far */
} growth_mark;

/* Marks at 10^5 steps, and so on, half a power of ten apart, up to `steps`, at least 10^5; returns how many.  *taken: ns for a step of one
 * trajectory.  Ends the program where a step fails. */
int growth_measure(const growth_example *e, int compensated, long steps, growth_mark marks[],
                   double *taken);

#endif
