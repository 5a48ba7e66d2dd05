/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/carry.h -- compensated steps. The state is z + c; the carry c holds the part of the state
 * that rounding removed from z.
 *
 * A step starts from z. Its increment, known to a few units in its own last digit, is added to c
 * and z, and c keeps the rounding error of z (runtime/sim/compensated.c). The residual of g is
 *
 *   a(g(z0 + c0)) + sum_j S_j (z1 - z0)_j,   S: secant slopes between z0 and z1 (expr/secant.h).
 *
 * Only its first term has rounding errors as large as those of z, and this term is known before the
 * unknowns. If the residual were g at the end of the step, Newton's method would zero the computed
 * g. It would then stop at states where the rounding errors of g have a systematic sign. These
 * errors do the work -g . dlambda, and the energy drifts.
 *
 * a(g) is g if g exceeds round-off. Otherwise a(g) is a small fraction of g, so g is averaged over
 * many steps, and rounding errors that vary with the motion cancel.
 */
#ifndef SIDEWINDER_FUSED_CARRY_H
#define SIDEWINDER_FUSED_CARRY_H

#include "fused/composer.h"

/* The increment of entry i of z by a slide, as a formula of the fibre flow. Sets a refusal if the
 * increment is a difference of larger terms. */
const ir_expr *carry_of_slide(composer *c, int i);

/* The total increment of entry i of the state, including `by`, as a value. */
const ir_expr *carry_more(composer *c, int i, const ir_expr *by);

/* The value z + (c + by) of entry i, rounded once, so that the rounding error depends on the exact
 * value alone. Repeated rounding, as in (p + lambda dg) + constant, can be biased to one side for a
 * long time. */
const ir_expr *carry_reached(composer *c, int i, const char *name, const ir_expr *by);

/* The residual of g_i at z, if the state has changed by by[].  The step has to remove this share of
 * g at its start. */
const ir_expr *carry_residual(composer *c, int i, double share, const ir_expr *const z[],
                              const ir_expr *const by[]);

/* Sets entry i of the end of the step, and its carry: the rounded sum of the start, its carry and
 * the increment. */
void carry_end(composer *c, int i);

/* Replaces final entries of c->z by their rounded values, so that later slides start from them. */
void carry_end_early(composer *c, const sw_operation *rest);

#endif
