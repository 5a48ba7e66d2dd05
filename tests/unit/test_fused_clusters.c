/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fused_clusters.c -- what test_fused.c asks of the steppers that are shipped, asked of those
 * for clusters of constraints.
 */
#define SW_FUSED_MODELS "fused_clusters_models.h"
#include "unit/test_fused.c"
