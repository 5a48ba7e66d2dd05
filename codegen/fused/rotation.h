/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/rotation.h -- fibre flows that rotate. In them a multiplier occurs only in the sine and the
 * cosine of one angle, or in G_0(c,t) = cos(w t) and G_1(c,t) = sin(w t)/w (expr/expr.h). Here c =
 * -w^2 is negative for all parameters within their bounds.
 *
 * With u = tan(phi/2), sin phi = 2u/(1 + u^2) and 1 - cos phi = u sin phi (Cayley). So a step with
 * the unknown u evaluates no sine or cosine.
 */
#ifndef SIDEWINDER_FUSED_ROTATION_H
#define SIDEWINDER_FUSED_ROTATION_H

#include "expr/ir_program.h"

typedef struct fused_flow {
  /* 2d: the flow. If multiplier j rotates, input nc + 2j of IR_LAMBDA is sin phi_j, and input nc +
   * 2j + 1 is 1 - cos phi_j. */
  const ir_expr **z;
  /* nc: phi_j = rate_j lambda_j with a positive rate of parameters; NULL for a multiplier that does
   * not rotate */
  const ir_expr **rate;
} fused_flow;

fused_flow fused_flow_of(ir_context *c, const ir_program *p);

#endif
