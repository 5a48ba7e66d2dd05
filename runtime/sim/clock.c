/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.c -- the time of a state, t_0 + n h.  Its rounding error does not grow with the number of
 * steps.
 */
#include "sim/sim_internal.h"

double sw_clock_time(const sw_clock *clock)
{
  return clock->n > 0 ? clock->t0 + (double)clock->n * clock->h : clock->t0;
}

sw_clock sw_clock_next(const sw_clock *clock, double h)
{
  if (clock->n > 0 && clock->h == h) {
    return (sw_clock){clock->t0, clock->n + 1, h};
  }
  return (sw_clock){sw_clock_time(clock), 1, h};
}
