/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/energy_watch.h -- the check that the energy stays within its scale.
 *
 * A method that is symplectic or symmetric keeps H near its first value H_0. The scale of the
 * energy is
 *
 *   S = max(|H_0|, sum_i |p_i H_{p_i}| at the samples so far).
 *
 * The second term does not depend on the zero of the potential. A sample counts only if |H - H_0|
 * is at most a quarter of its sum, because the momenta of a diverging motion are no scale. H has
 * left its scale at a state if |H - H_0| > 1000 S, where S includes this state: a motion that
 * starts at rest with H_0 near 0 gets its scale from its first step. A state that does not move, h
 * |H_p| <= 1e-10 |q|, has a round-off energy and does not stop the run. All conditions are
 * independent of units.
 *
 * A sample is due every SW_LOOK_EVERY steps after the state was set, so S does not depend on the
 * division of the steps into calls. sum |p_i H_{p_i}| is computed only if |H - H_0| > S/1000: a
 * sample costs one evaluation of H in a run that conserves H.
 */
#ifndef SIDEWINDER_CHECKS_ENERGY_WATCH_H
#define SIDEWINDER_CHECKS_ENERGY_WATCH_H

#include "model/system.h"

enum { SW_LOOK_EVERY = 256 };

/* Energy record of one trajectory since its state was set. All zeros: not begun. */
typedef struct sw_energy_course {
  double first; /* H_0 */
  double scale; /* S */
  long steps;   /* steps since the state was set */
  int begun;    /* 1 if H_0 is known */
} sw_energy_course;

/* The record as numbers, for a file. */
enum { SW_COURSE_NUMBERS = 4 };
void sw_energy_course_save(const sw_energy_course *course, double to[SW_COURSE_NUMBERS]);
sw_energy_course sw_energy_course_restore(const double from[SW_COURSE_NUMBERS]);

/* A state with the data for its energy. */
typedef struct sw_energy_state {
  const sw_system *system;
  const double *z;
  const double *k;
  double h;         /* size of the step to this state */
  double *gradient; /* scratch, 2d */
} sw_energy_state;

/* Number of steps until the next sample, 1 to SW_LOOK_EVERY. */
long sw_energy_until_look(const sw_energy_course *course);

/* H of the state. */
double sw_energy_of(const sw_energy_state *at);

/* Begins a record at a state with the energy H, unless it has begun or H is not finite. */
void sw_energy_begin(sw_energy_course *course, const sw_energy_state *at, double H);

/* 1 if a state with the energy H has left the scale, or H is not finite. May add the state to the
 * scale first. */
int sw_energy_leaves(sw_energy_course *course, const sw_energy_state *at, double H);

/* Counts `taken` steps to a state with the energy H that has not left the scale. Adds the state to
 * the scale if a sample is due there. */
void sw_energy_count(sw_energy_course *course, const sw_energy_state *at, double H, long taken);

/* Adds a state with the energy H to the scale. full: 1 to compute the sum even if H is near H_0. */
void sw_energy_look(sw_energy_course *course, const sw_energy_state *at, double H, int full);

#endif
