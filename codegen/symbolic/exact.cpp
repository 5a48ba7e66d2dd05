// SPDX-License-Identifier: GPL-2.0-or-later
// exact.cpp -- GiNaC to IR, and exact numbers to GiNaC.  GiNaC's order of operands varies between
// processes; the constructors of the IR sort them.
#include "symbolic/exact.h"

#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sidewinder
{

static numeric integer(mpz_srcptr value)
{
  std::vector<char> text(mpz_sizeinbase(value, 10) + 2);
  mpz_get_str(text.data(), 10, value);
  return numeric(text.data());
}

ex exact(mpq_srcptr value)
{
  return integer(mpq_numref(value)) / integer(mpq_denref(value));
}

static std::string digits(const numeric &integer)
{
  std::ostringstream text;
  text << integer;
  return text.str();
}

const ir_expr *Lowering::number(const numeric &n)
{
  if (!n.is_rational()) {
    throw std::domain_error(n.is_real() ? "a number here is not rational"
                                        : "the value is not a real number");
  }
  mpq_t q;
  mpq_init(q);
  mpz_set_str(mpq_numref(q), digits(n.numer()).c_str(), 10);
  mpz_set_str(mpq_denref(q), digits(n.denom()).c_str(), 10);
  mpq_canonicalize(q);
  const ir_expr *e = ir_number(c, q);
  mpq_clear(q);
  return e;
}

const ir_expr *Lowering::power(const ex &base, const ex &exponent)
{
  if (is_exactly_a<numeric>(exponent) && ex_to<numeric>(exponent).is_rational()) {
    if (is_exactly_a<numeric>(base) && ex_to<numeric>(base).is_negative() &&
        !ex_to<numeric>(exponent).is_integer()) {
      throw std::domain_error("a root of a negative number is not real");
    }
    return ir_pow(c, (*this)(base), number(ex_to<numeric>(exponent))->value);
  }
  return ir_apply(c, IR_POW, (*this)(base), (*this)(exponent));
}

const ir_expr *Lowering::function(const ex &e)
{
  const std::string name = ex_to<GiNaC::function>(e).get_name();
  if (name == "universal") {
    const int k = ex_to<numeric>(e.op(0)).to_int();
    return ir_apply(c, static_cast<ir_call>(IR_G0 + k), (*this)(e.op(1)), (*this)(e.op(2)));
  }
  for (const auto &known : elementary) {
    if (name == known.name) {
      return ir_apply(c, known.call, (*this)(e.op(0)), e.nops() > 1 ? (*this)(e.op(1)) : nullptr);
    }
  }
  throw std::domain_error("the function '" + name + "' has no counterpart in C");
}

const ir_equations *Lowering::lowered(const Solution &of)
{
  const auto found = solutions.find(&of);
  if (found != solutions.end()) {
    return found->second;
  }
  ir_equations *equations = ARENA_NEW(ir_context_arena(c), ir_equations);
  solutions[&of] = equations;
  const auto all = [&](const std::vector<ex> &values) {
    const ir_expr **nodes = ARENA_ARRAY(ir_context_arena(c), values.size(), const ir_expr *);
    for (size_t i = 0; i < values.size(); i++) {
      nodes[i] = values[i].is_zero() ? nullptr : (*this)(values[i]);
    }
    return nodes;
  };
  *equations = {of.n, all(of.M), all(of.W), all(of.v), all(of.y)};
  return equations;
}

// Conversion of the quantity's formula may recurse to the same quantity, which then is in `done`.
const ir_expr *Lowering::held(const ex &e, const Quantity &known)
{
  const ir_expr *node = ir_held(c, (*this)(known.formula()));
  if (done.count(e) > 0 || node->kind != IR_CALL || known.kind() == Meaning::NAME) {
    return node;
  }
  done[e] = node;
  ir_rule *rule = ARENA_NEW(ir_context_arena(c), ir_rule);
  rule->column = -1;
  if (known.kind() == Meaning::INVERSE || known.kind() == Meaning::UNKNOWN) {
    rule->equations = lowered(known.solution());
    rule->row = known.place().first;
    rule->column = known.place().second;
  }
  if (known.kind() != Meaning::INVERSE) {
    rule->n = 2 * symbols.d;
    const ir_expr **slopes = ARENA_ARRAY(ir_context_arena(c), rule->n + 1, const ir_expr *);
    for (const int i : known.reads()) {
      slopes[i] = (*this)(known.slope(i));
    }
    rule->slopes = slopes;
  }
  ir_give_rule(c, node, rule);
  return node;
}

const ir_expr *Lowering::convert(const ex &e)
{
  if (is_exactly_a<numeric>(e)) {
    return number(ex_to<numeric>(e));
  }
  if (const Quantity *known = quantity(e)) {
    return held(e, *known);
  }
  if (is_a<GiNaC::symbol>(e)) {
    const Symbols::Input which = symbols.input(e);
    return ir_input(c, which.space, which.index);
  }
  if (e.is_equal(GiNaC::Pi)) {
    return ir_pi(c);
  }
  if (is_exactly_a<GiNaC::add>(e) || is_exactly_a<GiNaC::mul>(e)) {
    std::vector<const ir_expr *> parts;
    for (size_t i = 0; i < e.nops(); i++) {
      parts.push_back((*this)(e.op(i)));
    }
    const int n = element_count(parts);
    return is_exactly_a<GiNaC::add>(e) ? ir_add(c, n, parts.data()) : ir_mul(c, n, parts.data());
  }
  if (is_exactly_a<GiNaC::power>(e)) {
    return power(e.op(0), e.op(1));
  }
  if (is_a<GiNaC::function>(e)) {
    return function(e);
  }
  throw std::domain_error("an expression has no counterpart in C");
}

void Lowering::define(const ex &symbol, const ex &value)
{
  done[symbol] = ir_apply(c, IR_HOLD, (*this)(value), nullptr);
}

const ir_expr *Lowering::operator()(const ex &e)
{
  const auto found = done.find(e);
  if (found != done.end()) {
    return found->second;
  }
  const ir_expr *result = convert(e);
  done[e] = result;
  return result;
}

// Whether e is a polynomial of degree 1 or 2 in the state.
bool Named::is_at_most_quadratic(const ex &e) const
{
  const std::vector<ex> read = states(e);
  const double degree = read.empty() ? -1 : degree_in(e, read);
  return degree >= 0 && degree <= 2;
}

ex Named::of(const ex &value)
{
  const ex definition = plain(value);
  if (!is_at_most_quadratic(definition)) {
    return value;
  }
  const ex key = expanded(definition);
  const auto found = known.find(key);
  if (found != known.end()) {
    return found->second;
  }
  ex symbol = realsymbol("pi" + std::to_string(symbols.size()));
  symbols.push_back(symbol);
  definitions[symbol] = definition;
  known[key] = symbol;
  return symbol;
}

std::vector<ex> Named::in(const ex &e) const
{
  std::vector<ex> result;
  for (const ex &symbol : symbols) {
    if (e.has(symbol)) {
      result.push_back(symbol);
    }
  }
  return result;
}

std::vector<const ir_expr *> Named::lowered(const std::vector<ex> &names, int first,
                                            Lowering &lower, span where) const
{
  std::vector<const ir_expr *> values;
  for (const ex &symbol : names) {
    values.push_back(lower.at(plain(symbol), where));
    lower.name(symbol, first + element_count(values) - 1);
  }
  return values;
}

} // namespace sidewinder
