/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/residuals.h -- how far is a state from M = {g = 0} and from M^H = {g = 0, rho = 0}?
 */
#ifndef SIDEWINDER_CHECKS_RESIDUALS_H
#define SIDEWINDER_CHECKS_RESIDUALS_H

#include "sidewinder/acceptance.h"
#include "step/requirement.h"

/* Scratch memory: m values each, and one value per entry of the larger of the patterns of Dg and
 * Drho, for which there is sw_residual_carve_jac. */
typedef struct sw_residual_scratch {
  double *value;
  double *scale;
  double *sums;
  double *jac;
} sw_residual_scratch;

void sw_residual_carve(sw_carver *c, const sw_system *system, sw_residual_scratch *scratch);
void sw_residual_carve_jac(sw_carver *c, const sw_system *system, sw_residual_scratch *scratch);

typedef struct sw_residual {
  double largest; /* max |f_i|; NaN or infinite where an f_i or its scale is not finite */
  double scaled;  /* max |f_i| / scale_i, with the scales of scale.h for the sizes that are given */
  int worst;      /* the i that attains `scaled`, -1 where m = 0 */
  double value;   /* its f_i */
  double scale;   /* and scale_i */
} sw_residual;

/* Whether all f_i are finite and at most the floor times their scales (sidewinder/acceptance.h). */
static inline int sw_residual_accepted(const sw_residual *found, double floor)
{
  return isfinite(found->largest) && SW_ACCEPTS(found->value, found->scale, floor);
}

/* The residual at z of g or rho, as f requires; what the requirement holds stays. */
sw_residual sw_residual_at(const sw_requirement *f, const double z[], sw_sizes size,
                           const sw_residual_scratch *scratch);

/* The same for m values and scales that stand in the scratch memory; finite: 0 where a scale is not. */
sw_residual sw_residual_of(int m, int finite, const sw_residual_scratch *scratch);

#endif
