/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/monomial.h"

enum { BITS = 16, MASK = 0xffff };

int monomial_degree(uint64_t monomial)
{
  int degree = 0;
  for (; monomial; monomial >>= BITS) {
    degree++;
  }
  return degree;
}

int monomial_variable(uint64_t monomial, int i)
{
  return (int)(monomial >> (BITS * i) & MASK) - 1;
}

uint64_t monomial_times(uint64_t a, uint64_t b)
{
  uint64_t product = 0;
  for (int shift = 0; a || b; shift += BITS) {
    uint64_t *from = (a & MASK) > (b & MASK) ? &a : &b;
    product |= (*from & MASK) << shift;
    *from >>= BITS;
  }
  return product;
}

uint64_t monomial_without(uint64_t monomial, int variable)
{
  uint64_t below = 0;
  int shift = 0;
  while (monomial_variable(monomial, 0) != variable) {
    below |= (monomial & MASK) << shift;
    monomial >>= BITS;
    shift += BITS;
  }
  return below | (monomial >> BITS) << shift;
}

int monomial_exponent(uint64_t monomial, int variable)
{
  int n = 0;
  for (; monomial; monomial >>= BITS) {
    n += monomial_variable(monomial, 0) == variable;
  }
  return n;
}

uint64_t monomial_rest(uint64_t monomial)
{
  return monomial >> BITS;
}
