/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/symplectic.h -- does a step keep the symplectic form, omega(v,w) = v_q . w_p - v_p . w_q?
 *
 * SHAKE keeps its restriction to M, which is presymplectic, and RATTLE that to M^H, which is symplectic, over
 * any symplectic base method (paper 000, section 4).  Directions tangent to M or M^H need no projection: the
 * derivative of a step has no others as its values.  A variational integrator keeps a form of its own, which is omega of the images
 * of directions under the map of sw_sim_legendre.
 */
#ifndef SIDEWINDER_CHECKS_SYMPLECTIC_H
#define SIDEWINDER_CHECKS_SYMPLECTIC_H

#include "sidewinder/sim.h"

/* omega(v,w) for v, w of 2d values; *size is the sum of the absolute values of its terms. */
double sw_symplectic_form(int d, const double v[], const double w[], double *size);

/* Directions V at the present state, n times 2d values, become what omega takes for the form that a method keeps: they stay, or become
 * their images.  Errors: those of sw_sim_legendre, SW_ERR_MEMORY. */
sw_status sw_symplectic_images(sw_sim *sim, double h, int n, double V[]);

/* Takes two steps of size h along which the n directions V are carried, so that they are tangent and have
 * forgotten what was not, and compares omega before and after the derivative D of a third, which is taken, too:
 *
 *   *defect = max over pairs |omega(D v, D w) - omega(v,w)| / ( size of both )
 *
 * V, DV: n times 2d values; V: on entry any directions.  Errors: those of sw_sim_step and sw_sim_tangent. */
sw_status sw_symplectic_defect(sw_sim *sim, double h, int n, double V[], double DV[],
                               double *defect);

#endif
