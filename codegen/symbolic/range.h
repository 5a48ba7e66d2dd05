/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range.h -- what can be seen of the values of an expression, exactly.
 */
#ifndef SIDEWINDER_RANGE_H
#define SIDEWINDER_RANGE_H

#include <ginac/ginac.h>

#include <optional>

namespace sidewinder
{

/* Rational bounds of all real values of e where it is defined; none where nothing is seen. */
struct Range {
  std::optional<GiNaC::numeric> lower;
  std::optional<GiNaC::numeric> upper;
};

Range range_of(const GiNaC::ex &e);

/* Whether e cannot be negative, as far as is seen. */
bool is_nonnegative(const GiNaC::ex &e);

} // namespace sidewinder

#endif
