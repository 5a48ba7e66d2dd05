// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/range.h"

#include <algorithm>
#include <optional>
#include <string>

namespace sidewinder
{

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::is_exactly_a;
using GiNaC::numeric;

/* Rational bounds of all real values of e in its domain.  A missing bound is unknown. */
struct Range {
  std::optional<numeric> lower;
  std::optional<numeric> upper;
};

static Range range_of(const ex &e);

static Range anything()
{
  return {};
}

static Range nonnegative()
{
  return {numeric(0), std::nullopt};
}

static Range between(long lower, long upper)
{
  return {numeric(lower), numeric(upper)};
}

static bool has_sign(const Range &r)
{
  return r.lower && !r.lower->is_negative();
}

static Range sum(const Range &a, const Range &b)
{
  Range result;
  if (a.lower && b.lower) {
    result.lower = *a.lower + *b.lower;
  }
  if (a.upper && b.upper) {
    result.upper = *a.upper + *b.upper;
  }
  return result;
}

static Range product(const Range &a, const Range &b)
{
  if (a.lower && a.upper && b.lower && b.upper) {
    const numeric corners[] = {*a.lower * *b.lower, *a.lower * *b.upper, *a.upper * *b.lower,
                               *a.upper * *b.upper};
    const auto less = [](const numeric &x, const numeric &y) { return x < y; };
    return {*std::min_element(corners, corners + 4, less),
            *std::max_element(corners, corners + 4, less)};
  }
  const auto falls = [](const Range &r) { return r.upper && !r.upper->is_positive(); };
  if ((has_sign(a) && has_sign(b)) || (falls(a) && falls(b))) {
    return nonnegative();
  }
  if ((has_sign(a) && falls(b)) || (falls(a) && has_sign(b))) {
    return {std::nullopt, numeric(0)};
  }
  return anything();
}

// The range of c x for x in the range r; either bound may be missing.
static Range scaled(const numeric &c, const Range &r)
{
  Range result;
  const std::optional<numeric> &lower = c.is_negative() ? r.upper : r.lower;
  const std::optional<numeric> &upper = c.is_negative() ? r.lower : r.upper;
  if (lower) {
    result.lower = c * *lower;
  }
  if (upper) {
    result.upper = c * *upper;
  }
  return result;
}

static Range of_power(const ex &base, const ex &exponent)
{
  const Range of_base = range_of(base);
  if (exponent.info(GiNaC::info_flags::even)) {
    const bool small = exponent.is_equal(2) && of_base.lower && of_base.upper;
    const Range square = small ? product(of_base, of_base) : anything();
    return {numeric(0), square.upper};
  }
  const bool whole = exponent.info(GiNaC::info_flags::integer);
  const bool root = is_exactly_a<numeric>(exponent) && !whole;
  return root || has_sign(of_base) ? nonnegative() : anything();
}

static Range of_function(const std::string &name)
{
  const struct {
    const char *name;
    Range range;
  } known[] = {{"sin", between(-1, 1)},
               {"cos", between(-1, 1)},
               {"tanh", between(-1, 1)},
               {"atan", between(-2, 2)},
               {"asin", between(-2, 2)},
               {"acos", between(0, 4)},
               {"atan2", between(-4, 4)},
               {"exp", nonnegative()},
               {"modulus", nonnegative()},
               {"inside", between(1, 1)},
               {"cosh", {numeric(1), std::nullopt}}};
  for (const auto &f : known) {
    if (name == f.name) {
      return f.range;
    }
  }
  return anything();
}

static Range range_of(const ex &e)
{
  if (is_exactly_a<numeric>(e)) {
    const numeric value = ex_to<numeric>(e);
    return value.is_rational() ? Range{value, value} : anything();
  }
  if (e.is_equal(GiNaC::Pi)) {
    return between(3, 4);
  }
  if (GiNaC::is_a<GiNaC::symbol>(e)) {
    return e.info(GiNaC::info_flags::positive) ? nonnegative() : anything();
  }
  if (is_exactly_a<GiNaC::power>(e)) {
    return of_power(e.op(0), e.op(1));
  }
  if (GiNaC::is_a<GiNaC::function>(e)) {
    return of_function(ex_to<GiNaC::function>(e).get_name());
  }
  if (is_exactly_a<GiNaC::add>(e)) {
    Range total = between(0, 0);
    for (size_t i = 0; i < e.nops() && (total.lower || total.upper); i++) {
      total = sum(total, range_of(e.op(i)));
    }
    return total;
  }
  if (is_exactly_a<GiNaC::mul>(e)) {
    Range total = between(1, 1);
    numeric factor = 1;
    for (size_t i = 0; i < e.nops(); i++) {
      if (is_exactly_a<numeric>(e.op(i))) {
        factor = factor * ex_to<numeric>(e.op(i));
      } else {
        total = total.lower == numeric(1) && total.upper == numeric(1)
                    ? range_of(e.op(i))
                    : product(total, range_of(e.op(i)));
      }
    }
    return factor.is_rational() ? scaled(factor, total) : anything();
  }
  return anything();
}

bool is_nonnegative(const ex &e)
{
  return has_sign(range_of(e));
}

} // namespace sidewinder
