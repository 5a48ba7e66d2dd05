/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nondegeneracy.h -- where N is singular, and which constraints cause it.
 */
#ifndef SIDEWINDER_IR_NONDEGENERACY_H
#define SIDEWINDER_IR_NONDEGENERACY_H

#include "ir/certify.h"
#include "ir/equations.h"

/* What can be said of the zeros of det N on M^H, in this order: by an exact certificate modulo g, then
 * modulo g and rho; by the structure (N = G H_pp G^T with a positive H_pp, which is invertible wherever
 * the rows of G are independent); by a point of M^H with det N = 0, sought by Gauss-Newton; by nothing. 
 * `everywhere` says that N was singular at all sampled points `on_MH`, `independent` that the gradients
 * were independent there. */
verdict_nondegeneracy examine_determinant(arena *a, certifier *k, const ir_program *p,
                                          const equations_points *on_MH, int everywhere,
                                          int independent);

#endif
