/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range.h -- what can be seen of the values of an expression, exactly.
 */
#ifndef SIDEWINDER_RANGE_H
#define SIDEWINDER_RANGE_H

#include <ginac/ginac.h>

namespace sidewinder
{

/* Whether e cannot be negative, as far as is seen. */
bool is_nonnegative(const GiNaC::ex &e);

} // namespace sidewinder

#endif
