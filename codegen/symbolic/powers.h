/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powers.h -- powers and elementary functions of GiNaC's expressions, within what its exact arithmetic can bear.
 */
#ifndef SIDEWINDER_POWERS_H
#define SIDEWINDER_POWERS_H

#include "symbolic/domain.h"

namespace sidewinder
{

/* Refuses a product or a power with an exponent whose numerator or denominator is beyond this, such as
 * ((((x^100)^100)^100)^100)^100: degrees and exponents are ints and doubles further on. */
constexpr long max_exponent = 2147483647;
void check_exponents(const ex &value, span where);

/* Powers and calls of elementary functions, from their operands; y for those of two arguments.  What they ask for is noted. */
ex power_of(const model_expr &e, const ex &base, const ex &exponent, Domain &domain);
ex function_of(const model_expr &e, const ex &x, const ex &y, Domain &domain);

} // namespace sidewinder

#endif
