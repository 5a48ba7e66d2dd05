/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/terms.h"

void terms_add(session *s, digits *e, long row, long col, const jet_term *term, int factor)
{
  arb_t value;
  mag_t size;
  arb_init(value);
  mag_init(size);
  arb_mul_si(value, &term->value, factor, s->arithmetic.precision);
  mag_mul_ui(size, &term->size, (ulong)factor);
  digits_add(e, row, col, value, size);
  arb_clear(value);
  mag_clear(size);
}

void terms_constant(session *s, digits *e, long row, long col, const jet *a)
{
  if (jet_constant(a)) {
    terms_add(s, e, row, col, jet_constant(a), 1);
  }
}

void terms_gradient(session *s, digits *e, long row, const jet *a)
{
  for (long i = 0; i < a->n; i++) {
    if (monomial_degree(a->terms[i].monomial) == 1) {
      int v = monomial_variable(a->terms[i].monomial, 0);
      terms_add(s, e, row < 0 ? v : row, row < 0 ? 0 : v, &a->terms[i], 1);
    }
  }
}

void terms_hessian(session *s, digits *e, const jet *a)
{
  for (long i = 0; i < a->n; i++) {
    uint64_t monomial = a->terms[i].monomial;
    if (monomial_degree(monomial) == 2) {
      int u = monomial_variable(monomial, 0);
      int v = monomial_variable(monomial, 1);
      terms_add(s, e, u, v, &a->terms[i], u == v ? 2 : 1);
    }
  }
}
