// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/universal.h"

namespace sidewinder
{

// dG_k/dc = (t G_{k+1} - k G_{k+2})/2, without functions of an order above 3 (expr/derivative.c).
static ex by_c(int k, const ex &c, const ex &t)
{
  const ex half = t / 2;
  switch (k) {
  case 0:
    return half * universal(1, c, t);
  case 1:
    return half * universal(2, c, t) - universal(3, c, t) / 2;
  case 2:
    return 2 * universal(1, c, half) * (half * universal(2, c, half) - universal(3, c, half));
  default:
    return (t * universal(2, c, t) - 3 * universal(3, c, t)) / (2 * c);
  }
}

static ex slope(int k, const ex &c, const ex &t, unsigned argument)
{
  if (argument == 0) {
    return by_c(k, c, t);
  }
  return k == 0 ? c * universal(1, c, t) : universal(k - 1, c, t);
}

static ex slope0(const ex &c, const ex &t, unsigned argument)
{
  return slope(0, c, t, argument);
}

static ex slope1(const ex &c, const ex &t, unsigned argument)
{
  return slope(1, c, t, argument);
}

static ex slope2(const ex &c, const ex &t, unsigned argument)
{
  return slope(2, c, t, argument);
}

static ex slope3(const ex &c, const ex &t, unsigned argument)
{
  return slope(3, c, t, argument);
}

REGISTER_FUNCTION(universal0, derivative_func(slope0))
REGISTER_FUNCTION(universal1, derivative_func(slope1))
REGISTER_FUNCTION(universal2, derivative_func(slope2))
REGISTER_FUNCTION(universal3, derivative_func(slope3))

ex universal(int k, const ex &c, const ex &t)
{
  if (c.is_zero()) {
    return GiNaC::pow(t, k) / GiNaC::factorial(k);
  }
  switch (k) {
  case 0:
    return universal0(c, t);
  case 1:
    return universal1(c, t);
  case 2:
    return universal2(c, t);
  default:
    return universal3(c, t);
  }
}

} // namespace sidewinder
