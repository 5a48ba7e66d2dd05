/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nondegeneracy.h -- where N is singular, and which constraints cause it.
 */
#ifndef SIDEWINDER_ANALYSIS_NONDEGENERACY_H
#define SIDEWINDER_ANALYSIS_NONDEGENERACY_H

#include "analysis/sample.h"

/* What is proved of det N on M^H, before any point is looked at: by a constraint that H conserves, by an exact certificate
 * modulo g, then modulo g and rho, by the signs of its form, and by the structure (N = - G H_pp G^T with a definite
 * H_pp, which is invertible wherever the rows of G are independent). */
void prove_determinant(study *s, record *r);

/* What is left open by that: N at the points of M^H, at further ones where it is singular at all of these (which are put in front of *MH), and a point of
 * M^H with det N = 0, sought by Gauss-Newton.  Hidden constraints with left_out[i] = 1 vanish on M. */
void examine_N(study *s, record *r, points *MH, const char left_out[]);

#endif
