// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolic/domain.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "expr/builders.h"
#include "symbolic/range.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

using GiNaC::ex_to;
using GiNaC::is_exactly_a;
using GiNaC::numeric;

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
  if (number && !exponent.info(GiNaC::info_flags::integer)) {
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
  return e->kind == IR_NUMBER && mpz_cmp_ui(mpq_denref(e->value), 1) == 0;
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
    if (e->kind == IR_PRODUCT && mpz_cmp_ui(mpq_denref(e->factors[i].exponent), 1) != 0) {
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
  GiNaC::exvector factors;
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

} // namespace sidewinder
