/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/rotation.h -- fibre flows that turn: those that read a multiplier by the sine and the cosine of one angle alone, or by G_0(c,t) = cos(w t) and
 * G_1(c,t) = sin(w t)/w (expr/expr.h) with c = -w^2 negative for all parameters within their bounds.
 *
 * With u = tan(phi/2) these are rational, sin phi = 2u/(1 + u^2) and 1 - cos phi = u sin phi (Cayley), so that a step with u for its unknown
 * needs neither.
 */
#ifndef SIDEWINDER_FUSED_ROTATION_H
#define SIDEWINDER_FUSED_ROTATION_H

#include "expr/ir_program.h"

typedef struct fused_flow {
  /* 2d: the flow, where multipliers that turn are replaced: input nc + 2j of IR_LAMBDA is sin phi_j, and nc + 2j + 1 is 1 - cos phi_j. */
  const ir_expr **z;
  const ir_expr **
      rate; /* nc: phi_j = rate_j lambda_j, of parameters and positive; NULL for a multiplier that does not turn */
} fused_flow;

fused_flow fused_flow_of(ir_context *c, const ir_program *p);

#endif
