/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/energy_watch.h -- has the energy left its scale?
 *
 * A method that is symplectic or symmetric keeps H near its first value. The scale of the energy is
 *
 *   S = max over the looks so far of (|H|, sum_i |p_i H_{p_i}|),
 *
 * the second of which does not depend on the zero of the potential.  H has left its scale at a look if |H - H_0| > 1000 S, with
 * the S of the looks before.
 * A state that does not move, h |H_p| <= 1e-10 |q|, has an energy of round-off and is no reason to stop.  All of this is
 * independent of units.
 *
 * sum |p_i H_{p_i}| is taken only while |H - H_0| > S/1000, so that a look costs one evaluation of H in a run that keeps it.
 */
#ifndef SIDEWINDER_CHECKS_ENERGY_WATCH_H
#define SIDEWINDER_CHECKS_ENERGY_WATCH_H

#include "model/system.h"

typedef struct sw_energy_watch {
  double first;     /* H_0 */
  double scale;     /* S */
  double *gradient; /* 2d */
  int has_first;    /* 1 after the first look */
} sw_energy_watch;

/* Errors: SW_ERR_MEMORY. */
sw_status sw_energy_watch_create(const sw_system *system, sw_energy_watch *watch);
void sw_energy_watch_free(sw_energy_watch *watch);

/* Looks at a state z with energy H that steps of size h have led to.  Returns 1 if H has left its scale or is not finite; the
 * scale is then that of the looks before. */
int sw_energy_leaves(sw_energy_watch *watch, const sw_system *system, const double z[],
                     const double k[], double h, double H);

#endif
