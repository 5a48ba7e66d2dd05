/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fused_clusters_models.h -- for test_fused.c: models whose constraints are equal clusters.
 */
#include "dimers.h"
#include "lanterns.h"
#include "water_box.h"

#define SW_FUSED_TABLE(X)                                                                          \
  X(sw_model_dimers, sw_stepper_dimers, 0.01)                                                      \
  X(sw_model_lanterns, sw_stepper_lanterns, 0.01)                                                  \
  X(sw_model_water_box, sw_stepper_water_box, 1e-3)
