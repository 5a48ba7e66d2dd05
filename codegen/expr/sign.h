/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr/sign.h -- signs of expressions that are seen from their form and from the bounds of parameters.
 */
#ifndef SIDEWINDER_EXPR_SIGN_H
#define SIDEWINDER_EXPR_SIGN_H

#include "expr/ir_program.h"

/* The sign of an expression: 1 or -1 where its form proves it for all z and for all parameters within their
 * bounds, wherever it is defined; 0 where it does not. */
int ir_sign(const ir_program *p, const ir_expr *e);

/* 0 where the form of the expression proves, likewise, that it is never zero. */
int ir_may_vanish(const ir_program *p, const ir_expr *e);

/* 0 where it proves, likewise, that it is never negative. */
int ir_may_be_negative(const ir_program *p, const ir_expr *e);

#endif
