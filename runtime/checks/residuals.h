/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/residuals.h -- how far is a state from M = {g = 0} and from M^H = {g = 0, rho = 0}?
 */
#ifndef SIDEWINDER_CHECKS_RESIDUALS_H
#define SIDEWINDER_CHECKS_RESIDUALS_H

#include "model/scale.h"

/* Scratch memory: m values each, and one value per entry of the larger of the patterns of Dg and
 * Drho. */
typedef struct sw_residual_scratch {
  double *value;
  double *scale;
  double *sums;
  double *jac;
} sw_residual_scratch;

typedef struct sw_residual {
  double largest; /* max |f_i|; NaN or infinite where an f_i or its scale is not finite */
  double scaled;  /* max |f_i| / scale_i, with the scales of scale.h for the sizes that are given */
  int worst;      /* the i that attains `scaled`, -1 where m = 0 */
} sw_residual;

/* The residual of g at z, and that of rho = {g,H}. */
sw_residual sw_residual_g(const sw_system *system, const double k[], const double z[],
                          sw_sizes size, const sw_residual_scratch *scratch);
sw_residual sw_residual_hidden(const sw_system *system, const double k[], const double z[],
                               sw_sizes size, const sw_residual_scratch *scratch);

#endif
