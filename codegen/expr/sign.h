/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr/sign.h -- signs and domains of expressions, derived from their form and from the bounds of
 * parameters.
 */
#ifndef SIDEWINDER_EXPR_SIGN_H
#define SIDEWINDER_EXPR_SIGN_H

#include "expr/ir_program.h"

/* The sign of e, 1 or -1, if its form proves it for all z and for all parameters within their
 * bounds, wherever e is defined; else 0. */
int ir_sign(const ir_program *p, const ir_expr *e);

/* 0 if the form of e proves, in the same sense, that e is never zero. */
int ir_may_vanish(const ir_program *p, const ir_expr *e);

/* 0 if the form of e proves, in the same sense, that e is never negative. */
int ir_may_be_negative(const ir_program *p, const ir_expr *e);

/* 0 if the form of e proves that e is defined for all z and all parameters within their bounds.
 * Surfaces on which a state-dependent divisor vanishes, such as a distance, are ignored.  Only the
 * bounds of parameters are read from *p. */
int ir_may_be_undefined(const ir_program *p, const ir_expr *e);

#endif
