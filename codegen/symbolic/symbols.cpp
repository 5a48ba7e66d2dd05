// SPDX-License-Identifier: GPL-2.0-or-later
// symbols.cpp -- the symbols of a model, and queries about expressions.
#include "symbolic/symbols.h"

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace sidewinder
{

static ex modulus_eval(const ex &x)
{
  if (is_exactly_a<numeric>(x)) {
    return GiNaC::abs(ex_to<numeric>(x));
  }
  return modulus(x).hold();
}

static ex modulus_derivative(const ex &x, unsigned)
{
  return x / modulus(x);
}

REGISTER_FUNCTION(modulus, eval_func(modulus_eval).derivative_func(modulus_derivative))

static bool is_rational(const ex &x)
{
  return is_exactly_a<numeric>(x) && ex_to<numeric>(x).is_rational();
}

static ex sign_of_eval(const ex &x)
{
  return is_rational(x) ? ex(ex_to<numeric>(x).csgn()) : sign_of(x).hold();
}

static ex sign_of_derivative(const ex &, unsigned)
{
  return 0;
}

REGISTER_FUNCTION(sign_of, eval_func(sign_of_eval).derivative_func(sign_of_derivative))

static bool is_below(const ex &x, const ex &y)
{
  return ex_to<numeric>(x) < ex_to<numeric>(y);
}

static ex smaller_of_eval(const ex &x, const ex &y)
{
  return is_rational(x) && is_rational(y) ? (is_below(x, y) ? x : y) : smaller_of(x, y).hold();
}

static ex smaller_of_derivative(const ex &x, const ex &y, unsigned which)
{
  return (1 + (which == 0 ? -1 : 1) * sign_of(x - y)) / 2;
}

REGISTER_FUNCTION(smaller_of, eval_func(smaller_of_eval).derivative_func(smaller_of_derivative))

static ex larger_of_eval(const ex &x, const ex &y)
{
  return is_rational(x) && is_rational(y) ? (is_below(x, y) ? y : x) : larger_of(x, y).hold();
}

static ex larger_of_derivative(const ex &x, const ex &y, unsigned which)
{
  return (1 + (which == 0 ? 1 : -1) * sign_of(x - y)) / 2;
}

REGISTER_FUNCTION(larger_of, eval_func(larger_of_eval).derivative_func(larger_of_derivative))

static ex universal_eval(const ex &k, const ex &c, const ex &t)
{
  return c.is_zero() ? ex(GiNaC::pow(t, k) / GiNaC::factorial(k)) : universal(k, c, t).hold();
}

REGISTER_FUNCTION(universal, eval_func(universal_eval))

bool is_positive(const model_parameter &parameter)
{
  return parameter.lower && (mpq_sgn(parameter.lower) > 0 ||
                             (mpq_sgn(parameter.lower) == 0 && !parameter.lower_closed));
}

Symbols::Symbols(const model &m) : d(static_cast<int>(m.nq))
{
  for (long i = 0; i < 2 * m.nq; i++) {
    const bool position = i < m.nq;
    const std::string name = (position ? "q" : "p") + std::to_string(position ? i : i - m.nq);
    z.emplace_back(realsymbol(name));
  }
  for (int j = 0; j < m.n_parameters; j++) {
    const model_parameter &parameter = *m.parameters[j];
    const bool positive = is_positive(parameter);
    for (long i = 0; i < parameter.shape.count; i++) {
      const std::string name = "k" + std::to_string(k.size());
      k.push_back(positive ? ex(GiNaC::possymbol(name)) : ex(realsymbol(name)));
    }
  }
  for (long i = 0; i < m.nc; i++) {
    lambda.emplace_back(realsymbol("lambda" + std::to_string(i)));
  }
  for (long i = 0; model_reads_impulses(&m) && i < m.nc; i++) {
    impulse.emplace_back(realsymbol("impulse" + std::to_string(i)));
  }
  add_inputs(IR_Z, z);
  add_inputs(IR_K, k);
  add_inputs(IR_LAMBDA, lambda);
  add_inputs(IR_LAMBDA, impulse, lambda.size());
}

Symbols::Symbols(const std::vector<ex> &positions, const std::vector<ex> &momenta,
                 const std::vector<ex> &values, const std::vector<ex> &multipliers)
    : z(positions), k(values), lambda(multipliers), d(element_count(positions))
{
  z.insert(z.end(), momenta.begin(), momenta.end());
  add_inputs(IR_Z, z);
  add_inputs(IR_K, k);
  add_inputs(IR_LAMBDA, lambda);
}

void Symbols::add_inputs(ir_space space, const std::vector<ex> &symbols, size_t first)
{
  for (size_t i = 0; i < symbols.size(); i++) {
    inputs[symbols[i]] = {space, static_cast<int>(first + i)};
  }
}

Symbols::Input Symbols::input(const ex &symbol) const
{
  const auto found = inputs.find(symbol);
  if (found == inputs.end()) {
    throw std::logic_error("a symbol that is no input");
  }
  return found->second;
}

int Symbols::entry(const GiNaC::symbol &symbol) const
{
  const auto found = inputs.find(symbol);
  return found != inputs.end() && found->second.space == IR_Z ? found->second.index : -1;
}

// Expressions are DAGs: each node is visited once.
static void collect_symbols(const ex &e, std::set<ex, ex_is_less> &seen, std::vector<ex> &symbols)
{
  if (!seen.insert(e).second) {
    return;
  }
  if (is_a<GiNaC::symbol>(e)) {
    symbols.push_back(e);
  }
  for (size_t i = 0; i < e.nops(); i++) {
    collect_symbols(e.op(i), seen, symbols);
  }
}

std::vector<ex> symbols_in(const ex &e)
{
  std::set<ex, ex_is_less> seen;
  std::vector<ex> symbols;
  collect_symbols(e, seen, symbols);
  return symbols;
}

bool has_quantities(const ex &e)
{
  const std::vector<ex> all = symbols_in(e);
  return std::any_of(all.begin(), all.end(), [](const ex &symbol) {
    const Quantity *q = quantity(symbol);
    return q && !q->reads().empty();
  });
}

// e with its SHORT quantities replaced by their formulas.
static ex unfolded(const ex &e)
{
  exmap formulas;
  for (const ex &symbol : symbols_in(e)) {
    const Quantity *q = quantity(symbol);
    if (q && q->kind() == Meaning::SHORT) {
      formulas[symbol] = q->formula();
    }
  }
  return formulas.empty() ? e : replaced(e, formulas);
}

std::vector<int> Symbols::states(const ex &e) const
{
  std::vector<int> result;
  for (const ex &s : symbols_in(e)) {
    if (const Quantity *known = quantity(s)) {
      result.insert(result.end(), known->reads().begin(), known->reads().end());
      continue;
    }
    const Input which = input(s);
    if (which.space == IR_Z) {
      result.push_back(which.index);
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<ex> Symbols::state_symbols(const ex &e) const
{
  std::vector<ex> result;
  for (const int i : states(e)) {
    result.push_back(at(i));
  }
  return result;
}

// An estimate of the number of terms after expand().  It guards expand() and normal(), which could
// take extremely long beyond the limits below.
static double expanded_terms(const ex &e)
{
  double n = 1;
  if (is_exactly_a<GiNaC::add>(e)) {
    n = 0;
    for (size_t i = 0; i < e.nops(); i++) {
      n += expanded_terms(e.op(i));
    }
  } else if (is_exactly_a<GiNaC::mul>(e)) {
    for (size_t i = 0; i < e.nops(); i++) {
      n *= expanded_terms(e.op(i));
    }
  } else if (is_exactly_a<GiNaC::power>(e) && e.op(1).info(info_flags::integer)) {
    const double base = expanded_terms(e.op(0));
    n = std::pow(base, std::fabs(ex_to<numeric>(e.op(1)).to_double()));
  }
  return n;
}

// An estimate of the fraction that normal() would produce: the number of terms of the numerator,
// and the denominator as a product of powers.
struct Fraction {
  double numerator = 1;
  std::map<ex, double, ex_is_less> denominator; // base to exponent
};

static double terms_of(const std::map<ex, double, ex_is_less> &denominator)
{
  double n = 1;
  for (const auto &[base, exponent] : denominator) {
    n *= std::pow(expanded_terms(base), exponent);
  }
  return n;
}

static Fraction fraction(const ex &e);

static Fraction fraction_of_sum(const ex &e)
{
  std::vector<Fraction> summands;
  Fraction result;
  for (size_t i = 0; i < e.nops(); i++) {
    summands.push_back(fraction(e.op(i)));
    for (const auto &[base, exponent] : summands.back().denominator) {
      double &common = result.denominator[base];
      common = std::max(common, exponent);
    }
  }
  const double all = terms_of(result.denominator);
  result.numerator = 0;
  for (const Fraction &summand : summands) {
    result.numerator += summand.numerator * all / terms_of(summand.denominator);
  }
  return result;
}

static Fraction fraction(const ex &e)
{
  Fraction result;
  if (is_exactly_a<GiNaC::add>(e)) {
    return fraction_of_sum(e);
  }
  if (is_exactly_a<GiNaC::mul>(e)) {
    for (size_t i = 0; i < e.nops(); i++) {
      const Fraction factor = fraction(e.op(i));
      result.numerator *= factor.numerator;
      for (const auto &[base, exponent] : factor.denominator) {
        result.denominator[base] += exponent;
      }
    }
  } else if (is_exactly_a<GiNaC::power>(e) && e.op(1).info(info_flags::integer)) {
    const double exponent = ex_to<numeric>(e.op(1)).to_double();
    const Fraction base = fraction(e.op(0));
    if (exponent < 0) {
      result.numerator = std::pow(terms_of(base.denominator), -exponent);
      result.denominator[e.op(0)] = -exponent;
    } else {
      result.numerator = std::pow(base.numerator, exponent);
      for (const auto &[b, power] : base.denominator) {
        result.denominator[b] = power * exponent;
      }
    }
  }
  return result;
}

double degree_bound(const ex &e, const std::set<ex, ex_is_less> *in)
{
  if (is_a<GiNaC::symbol>(e)) {
    return !in || in->count(e) > 0 ? 1 : 0;
  }
  if (is_exactly_a<GiNaC::power>(e) && e.op(1).info(info_flags::real) &&
      is_exactly_a<numeric>(e.op(1))) {
    return degree_bound(e.op(0), in) * std::fabs(ex_to<numeric>(e.op(1)).to_double());
  }
  double largest = 0;
  double sum = 0;
  for (size_t i = 0; i < e.nops(); i++) {
    const double degree = degree_bound(e.op(i), in);
    largest = std::max(largest, degree);
    sum += degree;
  }
  return is_exactly_a<GiNaC::mul>(e) ? sum : largest;
}

static const double expand_limit = 20000;
static const double normal_limit = 500;
static const double fraction_limit = 2000;
static const double degree_limit = 300;

ex expanded(const ex &e)
{
  return expanded_terms(e) < expand_limit ? e.expand() : e;
}

double degree_in(const ex &e, const std::vector<ex> &symbols)
{
  GiNaC::lst variables;
  for (const ex &symbol : symbols) {
    variables.append(symbol);
  }
  const std::set<ex, ex_is_less> in(symbols.begin(), symbols.end());
  return symbols.empty() || e.is_polynomial(variables) ? degree_bound(expanded(e), &in) : -1;
}

// The largest numerator among the arguments of functions and roots, which normal() normalises, too.
static double largest_inside(const ex &e)
{
  const bool has_arguments = is_a<GiNaC::function>(e) ||
                             (is_exactly_a<GiNaC::power>(e) && !e.op(1).info(info_flags::integer));
  double largest = 0;
  for (size_t i = 0; i < e.nops() && largest < fraction_limit; i++) {
    largest = std::max(largest, has_arguments ? fraction(e.op(i)).numerator : 0);
    largest = std::max(largest, largest_inside(e.op(i)));
  }
  return largest;
}

static bool is_normalised(const ex &e)
{
  return expanded_terms(e) < normal_limit && fraction(e).numerator < fraction_limit &&
         degree_bound(e, nullptr) < degree_limit && largest_inside(e) < fraction_limit;
}

double effort(const ex &e)
{
  const double terms = expanded_terms(e);
  const double expanding = terms < expand_limit ? terms : 0;
  return expanding / 10 + (is_normalised(e) ? fraction(e).numerator : 0);
}

bool vanishes(const ex &folded)
{
  if (folded.is_zero()) {
    return true;
  }
  const ex e = unfolded(folded);
  if (is_a<numeric>(e)) {
    return false;
  }
  return expanded(e).is_zero() || (is_normalised(e) && e.normal().is_zero());
}

Quantity *Quantity::duplicate() const
{
  auto *copy = new Quantity(*this);
  copy->setflag(GiNaC::status_flags::dynallocated);
  return copy;
}

ex Quantity::derivative(const GiNaC::symbol &by) const
{
  const int i = meaning->entry_of(by);
  const std::vector<int> &all = reads();
  return std::binary_search(all.begin(), all.end(), i) ? slope(i) : ex(0);
}

const Quantity *quantity(const ex &e)
{
  return is_a<Quantity>(e) ? &ex_to<Quantity>(e) : nullptr;
}

} // namespace sidewinder
