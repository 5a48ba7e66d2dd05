// SPDX-License-Identifier: GPL-2.0-or-later
// raise.cpp -- IR to GiNaC, and exact numbers.
#include <memory>
#include <stdexcept>
#include <vector>

#include "symbolic/exact.h"

namespace sidewinder
{

using GiNaC::exvector;
using GiNaC::numeric;

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

static ex call(ir_call f, const ex &a, const ex &b)
{
  switch (f) {
  case IR_SIN:
    return GiNaC::sin(a);
  case IR_COS:
    return GiNaC::cos(a);
  case IR_TAN:
    return GiNaC::tan(a);
  case IR_ASIN:
    return GiNaC::asin(a);
  case IR_ACOS:
    return GiNaC::acos(a);
  case IR_ATAN:
    return GiNaC::atan(a);
  case IR_ATAN2:
    return GiNaC::atan2(a, b);
  case IR_SINH:
    return GiNaC::sinh(a);
  case IR_COSH:
    return GiNaC::cosh(a);
  case IR_TANH:
    return GiNaC::tanh(a);
  case IR_EXP:
    return GiNaC::exp(a);
  case IR_LOG:
    return GiNaC::log(a);
  case IR_ABS:
    return modulus(a);
  case IR_SIGN:
    return sign_of(a);
  case IR_MIN:
    return smaller_of(a, b);
  case IR_MAX:
    return larger_of(a, b);
  case IR_HOLD:
    return a;
  case IR_POW:
    return GiNaC::pow(a, b);
  case IR_CALLS:
    break;
  }
  throw std::logic_error("unknown call");
}

ex Raising::convert(const ir_expr *e)
{
  exvector parts;
  switch (e->kind) {
  case IR_NUMBER:
    return exact(e->value);
  case IR_PI:
    return GiNaC::Pi;
  case IR_INPUT: {
    const size_t i = static_cast<size_t>(e->index);
    return e->space == IR_K        ? symbols.k[i]
           : e->space == IR_LAMBDA ? symbols.lambda[i]
                                   : symbols.z[i];
  }
  case IR_CALL:
    return call(e->call, (*this)(e->arguments[0]), e->n > 1 ? (*this)(e->arguments[1]) : ex(0));
  case IR_SUM:
    for (int i = 0; i < e->n; i++) {
      parts.push_back(exact(e->terms[i].coefficient) * (*this)(e->terms[i].node));
    }
    return ex(GiNaC::add(parts));
  case IR_PRODUCT:
    for (int i = 0; i < e->n; i++) {
      parts.push_back(GiNaC::pow((*this)(e->factors[i].base), exact(e->factors[i].exponent)));
    }
    return ex(GiNaC::mul(parts));
  }
  throw std::logic_error("unknown kind");
}

ex Raising::operator()(const ir_expr *e)
{
  const auto found = done.find(e->id);
  if (found != done.end()) {
    return found->second;
  }
  ex result = convert(e);
  done[e->id] = result;
  return result;
}

} // namespace sidewinder
