/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range.h -- exact bounds of the values of an expression.
 */
#ifndef SIDEWINDER_RANGE_H
#define SIDEWINDER_RANGE_H

#include <ginac/ginac.h>

namespace sidewinder
{

/* Returns true only if interval bounds prove that e is not negative. */
bool is_nonnegative(const GiNaC::ex &e);

} // namespace sidewinder

#endif
