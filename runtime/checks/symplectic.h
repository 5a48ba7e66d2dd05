/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/symplectic.h -- the check that a step preserves the symplectic form, omega(v,w) = v_q .
 * w_p - v_p . w_q.
 *
 * Over any symplectic base method, SHAKE preserves the restriction of omega to M, which is
 * presymplectic, and RATTLE preserves the restriction to M^H, which is symplectic (paper 000,
 * section 4). Directions need no projection to the tangent space of M or M^H: the derivative of a
 * step maps into it. A variational integrator preserves another form: omega of the images of
 * directions under the map of sw_sim_legendre.
 */
#ifndef SIDEWINDER_CHECKS_SYMPLECTIC_H
#define SIDEWINDER_CHECKS_SYMPLECTIC_H

#include "sidewinder/sim.h"

/* omega(v,w) for v, w of 2d values; *size is the sum of the absolute values of its terms. */
double sw_symplectic_form(int d, const double v[], const double w[], double *size);

/* Maps n directions V at the current state (n times 2d values) so that omega of the results is the
 * form that the method preserves: the identity, or the map of sw_sim_legendre for a variational
 * integrator.
 * Errors: those of sw_sim_legendre, SW_ERR_MEMORY. */
sw_status sw_symplectic_images(sw_sim *sim, double h, int n, double V[]);

/* Takes two steps of size h, which make the n directions V tangent, and then a third step with
 * derivative D. Compares omega before and after the third step:
 *
 *   *defect = max over pairs |omega(D v, D w) - omega(v,w)| / ( size of both )
 *
 * V, DV: n times 2d values; V: on entry any directions.
 * Errors: those of sw_sim_step and sw_sim_tangent. */
sw_status sw_symplectic_defect(sw_sim *sim, double h, int n, double V[], double DV[],
                               double *defect);

#endif
