/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/energy_watch.h -- has the energy left its scale?
 *
 * A method that is symplectic or symmetric keeps H near its first value. The scale of the energy is
 *
 *   S = max(|H_0|, sum_i |p_i H_{p_i}| at the looks so far),
 *
 * the second of which does not depend on the zero of the potential.  A look counts only if
 * |H - H_0| is at most a quarter of its sum: the momenta of a motion that blows up are no scale.
 * H has left its scale at a state if |H - H_0| > 1000 S, with this state as the last look: a motion
 * that begins at rest with H_0 near 0 has its scale from its first step on.  A state that does not
 * move, h |H_p| <= 1e-10 |q|, has an energy of round-off and is no reason to stop.
 * All of this is independent of units.
 *
 * A look is due after every SW_LOOK_EVERY steps since the state was set, so that S does not depend
 * on how calls divide the steps.  sum |p_i H_{p_i}| is taken only if |H - H_0| > S/1000: a look
 * costs one evaluation of H in a run that keeps it.
 */
#ifndef SIDEWINDER_CHECKS_ENERGY_WATCH_H
#define SIDEWINDER_CHECKS_ENERGY_WATCH_H

#include "model/system.h"

enum { SW_LOOK_EVERY = 256 };

/* The energy of one trajectory since its state was set.  All zeros: nothing is known yet. */
typedef struct sw_energy_course {
  double first; /* H_0 */
  double scale; /* S */
  long steps;   /* steps since */
  int begun;    /* 1 if H_0 is known */
} sw_energy_course;

/* The same as numbers, for a file. */
enum { SW_COURSE_NUMBERS = 4 };
void sw_energy_course_save(const sw_energy_course *course, double to[SW_COURSE_NUMBERS]);
sw_energy_course sw_energy_course_restore(const double from[SW_COURSE_NUMBERS]);

/* A state and what its energy is computed with. */
typedef struct sw_energy_state {
  const sw_system *system;
  const double *z;
  const double *k;
  double h;         /* of the step that has led to it */
  double *gradient; /* scratch, 2d */
} sw_energy_state;

/* The number of steps until a look is due, from 1 to SW_LOOK_EVERY. */
long sw_energy_until_look(const sw_energy_course *course);

/* H of the state. */
double sw_energy_of(const sw_energy_state *at);

/* Begins a course at a state with the energy H, unless it has begun or H is not finite. */
void sw_energy_begin(sw_energy_course *course, const sw_energy_state *at, double H);

/* 1 if a state with the energy H has left the scale of a course, or H is not finite.  Takes the state into the scale if that is
 * why it has not. */
int sw_energy_leaves(sw_energy_course *course, const sw_energy_state *at, double H);

/* Takes a state with the energy H into the scale of a course; full: also if H is near H_0. */
void sw_energy_look(sw_energy_course *course, const sw_energy_state *at, double H, int full);

#endif
