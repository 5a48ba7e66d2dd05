/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr/domain.h -- domains of definition, derived from the form of an expression and the bounds of
 * parameters.
 */
#ifndef SIDEWINDER_EXPR_DOMAIN_H
#define SIDEWINDER_EXPR_DOMAIN_H

#include "expr/ir_program.h"

/* 0 if the form of e proves that e is defined for all z and all parameters within their bounds.
 * Surfaces on which a state-dependent divisor vanishes, such as a distance, are ignored.  Only the
 * bounds of parameters are read from *p. */
int ir_may_be_undefined(const ir_program *p, const ir_expr *e);

#endif
