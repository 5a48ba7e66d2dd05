/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr/domain.h -- where expressions are defined, as far as their form and the bounds of parameters tell.
 */
#ifndef SIDEWINDER_EXPR_DOMAIN_H
#define SIDEWINDER_EXPR_DOMAIN_H

#include "expr/ir_program.h"

/* 0 where the form of the expression proves that it is defined for all parameters within their bounds and all z, but for surfaces on which
 * something that depends on z vanishes, such as a distance that is divided by.  Of the program the bounds of parameters are read alone. */
int ir_may_be_undefined(const ir_program *p, const ir_expr *e);

#endif
