/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Poincare section in C: the crossings of the event `section` of examples/double_section.sw, which
 * `sidewinder generate examples/double_section.sw` writes as double_section.c.  docs/c.md goes
 * through it.
 *
 *   poincare [CROSSINGS]
 *
 * prints the angle of the lower rod and its momentum at each crossing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "double_section.h"
#include "sidewinder/events.h"

typedef struct section {
  long wanted;
  long found;
} section;

static int print_point(sw_sim *at, const sw_crossing *crossing, void *user)
{
  section *to = user;
  double observed[2]; /* lower_angle, lower_momentum */

  sw_sim_observe(at, observed);
  printf("%.9f %.12f %.12f\n", crossing->t, observed[0], observed[1]);
  return ++to->found == to->wanted; /* 1 ends the run */
}

int main(int argc, char **argv)
{
  section of = {argc > 1 ? atol(argv[1]) : 10, 0};
  sw_options options;
  sw_sim *sim = NULL;
  sw_events *events = NULL;

  sw_options_of_run(&sw_model_double_section, NULL, &options);
  options.stepper = &sw_stepper_double_section;
  sw_status status = sw_sim_create(&sw_model_double_section, &options, &sim);
  if (status == SW_OK) {
    status = sw_events_create(sim, &events);
  }
  if (status == SW_OK) {
    status = sw_events_run(events, sim, 0.05, 1000 * of.wanted, NULL, print_point, &of);
    if (status == SW_ERR_STOPPED) { /* by print_point */
      status = SW_OK;
    }
  }
  if (status != SW_OK) {
    fprintf(stderr, "%s\n", sim ? sw_sim_message(sim) : sw_status_text(status));
  }
  printf("%ld points\n", of.found);
  sw_events_free(&events);
  sw_sim_free(&sim);
  return status != SW_OK;
}
