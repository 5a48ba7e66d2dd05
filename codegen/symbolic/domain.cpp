// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/domain.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "expr/builders.h"
#include "symbolic/exact.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

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
  if (exponent.info(info_flags::even)) {
    const bool small = exponent.is_equal(2) && of_base.lower && of_base.upper;
    const Range square = small ? product(of_base, of_base) : anything();
    return {numeric(0), square.upper};
  }
  const bool whole = exponent.info(info_flags::integer);
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
  if (is_a<GiNaC::symbol>(e)) {
    return e.info(info_flags::positive) ? nonnegative() : anything();
  }
  if (is_exactly_a<GiNaC::power>(e)) {
    return of_power(e.op(0), e.op(1));
  }
  if (is_a<GiNaC::function>(e)) {
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

static bool is_nonnegative(const ex &e)
{
  return has_sign(range_of(e));
}

static ex inside_eval(const ex &u)
{
  const bool holds = is_exactly_a<numeric>(u) && is_nonnegative(u);
  return holds ? ex(1) : inside(u).hold();
}

static ex inside_derivative(const ex &, unsigned)
{
  return 0;
}

REGISTER_FUNCTION(inside, eval_func(inside_eval).derivative_func(inside_derivative))

// ---- domain conditions of the syntax tree ----

// Irrational constants are evaluated in floating point; values above -1e-12 do not count as
// negative.
static bool is_negative_constant(const ex &u)
{
  const ex value = u.evalf();
  if (!is_exactly_a<numeric>(value)) {
    return false;
  }
  const numeric number = ex_to<numeric>(value);
  return !number.is_real() || number < (is_exactly_a<numeric>(u) ? numeric(0) : numeric(-1e-12));
}

void Domain::need(const ex &u, span where, const char *message)
{
  if (is_nonnegative(u)) {
    return;
  }
  if (!symbols_in(u).empty()) {
    lists.back().insert(u);
  } else if (is_negative_constant(u)) {
    throw ModelError(where, message);
  }
}

void Domain::power(const ex &base, const ex &exponent, span where)
{
  const bool number = is_exactly_a<numeric>(exponent);
  if (number && !exponent.info(info_flags::integer)) {
    need(base, where, "a root of a negative number is not real");
  } else if (!number && !is_nonnegative(base)) {
    if (symbols_in(base).empty() && symbols_in(exponent).empty()) {
      need(base, where, "this power of a negative number is not real");
    } else {
      lists.back().insert(modulus(GiNaC::pow(base, exponent)));
    }
  }
}

void Domain::function(model_function f, const ex &x, span where)
{
  switch (f) {
  case FUNCTION_SQRT:
    need(x, where, "a root of a negative number is not real");
    break;
  case FUNCTION_LOG:
    need(x, where, "the logarithm of a negative number is not real");
    break;
  case FUNCTION_ASIN:
  case FUNCTION_ACOS:
    need(1 - x * x, where, "the inverse sine or cosine of a number beyond 1 is not real");
    break;
  default:
    break;
  }
}

void Domain::begin()
{
  lists.emplace_back();
}

Conditions Domain::drop()
{
  Conditions last = std::move(lists.back());
  lists.pop_back();
  return last;
}

Conditions Domain::end()
{
  Conditions last = drop();
  note(last);
  return last;
}

void Domain::note(const Conditions &conditions)
{
  lists.back().insert(conditions.begin(), conditions.end());
}

// ---- domain conditions that a simplified formula still checks ----

static bool is_whole(const ir_expr *e)
{
  return e->kind == IR_NUMBER && rational_is_integer(e->value);
}

void Sight::ask(const ir_expr *u)
{
  seen.insert(ir_apply(c, IR_INSIDE, u, nullptr));
}

// In C, pow(NaN, 0) is 1, so NaN in the base of a power with a variable exponent may not reach the
// result. The base is therefore not visited.
void Sight::see_call(const ir_expr *e)
{
  const ir_expr *x = e->arguments[0];
  if (e->call == IR_POW && e->arguments[1]->kind != IR_NUMBER) {
    open_powers.push_back(e);
    see_node(e->arguments[1]);
    return;
  }
  if (e->call == IR_INSIDE) {
    seen.insert(e);
  } else if (e->call == IR_LOG || (e->call == IR_POW && !is_whole(e->arguments[1]))) {
    ask(x);
  } else if (e->call == IR_ASIN || e->call == IR_ACOS) {
    ask(ir_minus(c, ir_integer(c, 1), ir_power(c, x, 2, 1)));
  }
  for (int i = 0; i < e->n; i++) {
    see_node(e->arguments[i]);
  }
}

void Sight::see_node(const ir_expr *e)
{
  if (!visited.insert(e->id).second) {
    return;
  }
  if (e->kind == IR_CALL) {
    see_call(e);
    return;
  }
  for (int i = 0; i < e->n; i++) {
    if (e->kind == IR_PRODUCT && !rational_is_integer(e->factors[i].exponent)) {
      ask(e->factors[i].base);
    }
    see_node(ir_operand(e, i));
  }
}

// The condition |v^w| >= 0 is implied by v >= 0, and by a power of v whose exponent differs from w
// or -w by an integer.
bool Sight::is_seen(const ir_expr *condition) const
{
  if (condition->kind == IR_NUMBER || seen.count(condition) > 0) {
    return true;
  }
  const ir_expr *u = condition->arguments[0];
  if (u->kind != IR_CALL || u->call != IR_ABS || u->arguments[0]->kind != IR_CALL ||
      u->arguments[0]->call != IR_POW) {
    return false;
  }
  const ir_expr *power = u->arguments[0];
  const auto shows = [&](const ir_expr *other) {
    return other->arguments[0] == power->arguments[0] &&
           (is_whole(ir_minus(c, other->arguments[1], power->arguments[1])) ||
            is_whole(ir_plus(c, other->arguments[1], power->arguments[1])));
  };
  return seen.count(ir_apply(c, IR_INSIDE, power->arguments[0], nullptr)) > 0 ||
         std::any_of(open_powers.begin(), open_powers.end(), shows);
}

void Sight::see(const ex &formula)
{
  see_node(lower(formula));
}

ex Sight::keep(const ex &formula, const Conditions &conditions)
{
  // A condition that is kept may imply later ones, so the order matters.  GiNaC's order differs
  // between processes; the IR's order is deterministic.
  std::vector<std::pair<const ir_expr *, ex>> ordered;
  for (const ex &u : conditions) {
    ordered.emplace_back(ir_apply(c, IR_INSIDE, lower(u), nullptr), inside(u));
  }
  std::sort(ordered.begin(), ordered.end(),
            [](const auto &a, const auto &b) { return ir_compare(a.first, b.first) < 0; });
  exvector factors;
  for (const auto &[condition, factor] : ordered) {
    if (!is_seen(condition)) {
      factors.push_back(factor);
      see_node(condition);
    }
  }
  const ex all = GiNaC::mul(factors);
  return formula.is_zero() ? all - 1 : formula * all;
}

ex kept_inside(const ex &formula, const Conditions &conditions, ir_context *c, Lowering &lower,
               span where)
{
  if (conditions.empty()) {
    return formula;
  }
  return at_place(where, [&] {
    Sight sight(c, lower);
    sight.see(formula);
    return sight.keep(formula, conditions);
  });
}

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
