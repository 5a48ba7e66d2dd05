/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hopf.h -- the sphere |q|^2 + |p|^2 = 1 of paper 000, section 5.4: its fibres, and the sphere of its fibres.
 *
 * The angle theta of a fibre is that of the paper, (q, p) -> (cos theta q + sin theta p, -sin theta q + cos theta p): the
 * fibre flow of the model with lambda = theta/2.  The hidden constraint is given as p.(q + g), half of the model's rho.
 */
#ifndef EXPERIMENTS_HOPF_H
#define EXPERIMENTS_HOPF_H

#include <complex.h>

#include "sidewinder/model.h"

/* The point of the fibre through z at the angle theta. */
void hopf_along(const sw_model *model, const double z[4], double theta, double out[4]);

/* p.(q + g) = {g,H}/2, which is also -dH/dtheta, and its derivative along the fibre, N/4. */
double hopf_hidden(const sw_model *model, const double z[4]);
double hopf_slope(const sw_model *model, const double z[4]);

/* The angles in [-pi, pi) at which the fibre through z meets M^H, in increasing order; returns how many there are, at most
 * `max`. */
int hopf_points(const sw_model *model, const double z[4], int max, double theta[]);

/* The fibre as a point of the complex plane: the stereographic picture of its image under the Hopf map. */
static inline double complex hopf_fibre(const double z[4])
{
  return (z[0] + I * z[2]) / (z[1] + I * z[3]);
}

#endif
