/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powers.h -- powers and elementary functions of GiNaC expressions, within the limits of exact
 * arithmetic.
 */
#ifndef SIDEWINDER_POWERS_H
#define SIDEWINDER_POWERS_H

#include "symbolic/domain.h"

namespace sidewinder
{

/* Throws ModelError if an exponent in the value has a numerator or denominator beyond this
 * limit, as in ((((x^100)^100)^100)^100)^100.  Later stages store degrees and exponents in ints
 * and doubles. */
constexpr long max_exponent = 2147483647;
void check_exponents(const ex &value, span where);

/* The power or the function call `e` with these operands; y is the second argument of a binary
 * function. Records their domain conditions. */
ex power_of(const model_expr &e, const ex &base, const ex &exponent, Domain &domain);
ex function_of(const model_expr &e, const ex &x, const ex &y, Domain &domain);

} // namespace sidewinder

#endif
