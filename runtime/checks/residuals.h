/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/residuals.h -- residuals of a state with respect to M = {g = 0} and M^H = {g = 0, rho =
 * 0}.
 */
#ifndef SIDEWINDER_CHECKS_RESIDUALS_H
#define SIDEWINDER_CHECKS_RESIDUALS_H

#include "sidewinder/acceptance.h"
#include "step/requirement.h"

/* Scratch memory: m values each; and jac, one value per entry of the larger of the patterns of Dg
 * and Drho, which sw_residual_carve_jac sets. */
typedef struct sw_residual_scratch {
  double *value;
  double *scale;
  double *sums;
  double *jac;
} sw_residual_scratch;

void sw_residual_carve(sw_carver *c, const sw_system *system, sw_residual_scratch *scratch);
void sw_residual_carve_jac(sw_carver *c, const sw_system *system, sw_residual_scratch *scratch);

typedef struct sw_residual {
  double largest; /* max |f_i|; NaN or infinite if an f_i or its scale is not finite */
  double scaled;  /* max |f_i| / scale_i, with the scales of scale.h for the given sizes */
  int worst;      /* the i that attains `scaled`, -1 if m = 0 */
  double value;   /* f_i for i = worst */
  double scale;   /* scale_i for i = worst */
} sw_residual;

/* 1 if all f_i are finite and at most `floor` times their scales (sidewinder/acceptance.h). */
static inline int sw_residual_accepted(const sw_residual *found, double floor)
{
  return isfinite(found->largest) && SW_ACCEPTS(found->value, found->scale, floor);
}

/* The residual of f (g or rho) at z. *f does not change. */
sw_residual sw_residual_at(const sw_requirement *f, const double z[], sw_sizes size,
                           const sw_residual_scratch *scratch);

/* The same from m values and scales in the scratch memory. finite: 0 if a scale is not finite. */
sw_residual sw_residual_of(int m, int finite, const sw_residual_scratch *scratch);

#endif
