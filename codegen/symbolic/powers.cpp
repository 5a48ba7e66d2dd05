// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/powers.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "symbolic/exact.h"

namespace sidewinder
{

using GiNaC::ex_to;
using GiNaC::is_exactly_a;
using GiNaC::numeric;

// The rational number that GiNaC would raise to the power: the number itself, the numeric factor of
// a product, or the content of a sum's coefficients.
static numeric number_in(const ex &base)
{
  if (is_exactly_a<numeric>(base)) {
    return ex_to<numeric>(base);
  }
  if (is_exactly_a<GiNaC::mul>(base) && is_exactly_a<numeric>(base.op(base.nops() - 1))) {
    return ex_to<numeric>(base.op(base.nops() - 1));
  }
  return is_exactly_a<GiNaC::add>(base) ? base.integer_content() : numeric(1);
}

// GiNaC computes exact powers of numbers, so this check bounds their size in advance.
static void check_power_size(const model_expr &e, const ex &base, const ex &exponent)
{
  if (!is_exactly_a<numeric>(exponent)) {
    return;
  }
  const numeric b = number_in(base);
  const double n = std::fabs(ex_to<numeric>(exponent).to_double());
  const double bits = b.is_rational() && !b.is_equal(1)
                          ? static_cast<double>(b.numer().int_length() + b.denom().int_length())
                          : 0.0;
  if (!(n * bits < 1e5)) {
    throw ModelError(e.where, "this power of a number is too large to compute exactly");
  }
}

static void check_exponent(const ex &exponent, span where)
{
  if (!is_exactly_a<numeric>(exponent) || !ex_to<numeric>(exponent).is_rational()) {
    return;
  }
  const numeric n = ex_to<numeric>(exponent).numer();
  const numeric d = ex_to<numeric>(exponent).denom();
  if (GiNaC::abs(n) > max_exponent || d > max_exponent) {
    std::ostringstream text;
    text << "this makes a power with the exponent " << exponent
         << "; exponents are quotients of integers up to " << max_exponent;
    throw ModelError(where, text.str());
  }
}

void check_exponents(const ex &value, span where)
{
  if (is_exactly_a<GiNaC::power>(value)) {
    check_exponent(value.op(1), where);
  }
  for (size_t i = 0; is_exactly_a<GiNaC::mul>(value) && i < value.nops(); i++) {
    if (is_exactly_a<GiNaC::power>(value.op(i))) {
      check_exponent(value.op(i).op(1), where);
    }
  }
}

ex power_of(const model_expr &e, const ex &base, const ex &exponent, Domain &domain)
{
  domain.power(base, exponent, e.where);
  check_exponent(exponent, e.where);
  check_power_size(e, base, exponent);
  ex result = GiNaC::pow(base, exponent);
  check_exponents(result, e.where);
  return result;
}

ex function_of(const model_expr &e, const ex &x, const ex &y, Domain &domain)
{
  domain.function(e.function, x, e.where);
  if (e.function == FUNCTION_SQRT) {
    return GiNaC::sqrt(x);
  }
  for (const auto &known : elementary) {
    if (known.function == e.function) {
      const unsigned serial = GiNaC::function::find_function(known.name, e.b ? 2 : 1);
      return e.b ? GiNaC::function(serial, x, y) : GiNaC::function(serial, x);
    }
  }
  throw std::logic_error("unknown function");
}

} // namespace sidewinder
