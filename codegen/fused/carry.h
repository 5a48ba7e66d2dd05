/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/carry.h -- compensated steps: the state is z + c, with a carry c of what rounding has left out of z.
 *
 * A step is made at z, and what it adds to the state, known to some units of its own last digit, goes into c and z, of which c keeps what
 * rounding leaves out (runtime/sim/compensated.c).  The residual of g is
 *
 *   a(g(z0 + c0)) + sum_j S_j (z1 - z0)_j,   S the secant slopes between z0 and z1 (expr/secant.h),
 *
 * of which only the first part has rounding errors of the size of those of z, and that is there before the unknowns are.  Given g at the
 * end, Newton's method makes it vanish as it is computed there, and so ends at states where rounding errors of g have a sign.  They do the
 * work -g . dlambda, and the energy drifts.  a(g) is g where that is more than round-off.  Of round-off it is a small part, so that g is
 * averaged over many steps, and rounding errors that follow the motion cancel.
 */
#ifndef SIDEWINDER_FUSED_CARRY_H
#define SIDEWINDER_FUSED_CARRY_H

#include "fused/composer.h"

/* By how much a slide moves entry i of z, a formula as those of the fibre flow; with a refusal where that is a difference of larger terms. */
const ir_expr *carry_of_slide(composer *c, int i);

/* The value of what is added to entry i of the state up to now, and by more. */
const ir_expr *carry_more(composer *c, int i, const ir_expr *by);

/* The value z + (c + by) of entry i, with one rounding error, which follows from its exact value alone: what is rounded more than once, such as
 * (p + lambda dg) + constant, is rounded to one side for a long time. */
const ir_expr *carry_reached(composer *c, int i, const char *name, const ir_expr *by);

/* The residual of g_i, which is that formula, at z, where by has been added to the state.
 * The step has to remove this share of g at the start. */
const ir_expr *carry_residual(composer *c, int i, const ir_expr *formula, double share,
                              const ir_expr *const z[], const ir_expr *const by[]);

/* Entry i of c->z becomes that of the end of the step: of what has been added to the state, as it is rounded. */
void carry_end(composer *c, int i);

/* Later slides begin where the step ends, in the entries that are final. */
void carry_end_early(composer *c, const sw_operation *rest);

#endif
