/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/rates.h"

#include "witness/terms.h"

/* A variable of the state as a jet. */
static jet *variable(session *s, int number)
{
  return jet_variable(&s->arithmetic, number, &s->t.z[number]);
}

/* Component i of (H_p, rho). */
static const jet *rated(session *s, int i)
{
  s->arithmetic.order = 3;
  return i < s->d ? jet_bracket(&s->arithmetic, variable(s, i), s->H, s->d) : s->rho[i - s->d];
}

static const jet *multiplier(session *s, int j)
{
  return jet_number(&s->arithmetic, s->t.lambda + j);
}

/* Rate of f along the constrained field, to this order. */
static const jet *rate(session *s, const jet *f, int order)
{
  jets *a = &s->arithmetic;
  a->order = order;
  const jet *sum = jet_bracket(a, f, s->H, s->d);
  for (int j = 0; j < s->nc; j++) {
    const jet *part = jet_product(a, multiplier(s, j), jet_bracket(a, f, s->g[j], s->d));
    sum = jet_sum(a, sum, part);
  }
  return sum;
}

static void accelerations(session *s, digits *e, int with_derivatives)
{
  for (int i = 0; i < s->d + s->nc; i++) {
    size_t mark = s->arithmetic.n_made;
    const jet *f = rated(s, i);
    const jet *value = rate(s, f, 1);
    if (!with_derivatives) {
      terms_constant(s, e, i, 0, value);
    } else {
      terms_gradient(s, e, i, value);
      for (int j = 0; j < s->nc; j++) {
        terms_constant(s, e, i, 2 * s->d + j, jet_bracket(&s->arithmetic, f, s->g[j], s->d));
      }
    }
    jets_release(&s->arithmetic, mark);
  }
}

/* Entry i of v as a number. */
static const jet *vector_entry(session *s, int i)
{
  return jet_double(&s->arithmetic, s->point->v[i]);
}

/* For the sum a.A + b.B + c.H_p with the weights a = v_q, b = lambda, c = v_p: adds the lower
 * triangle of its second derivatives by z, then a row for each multiplier, in which the sum is
 * linear. */
static void second_derivatives(session *s, digits *e)
{
  jets *a = &s->arithmetic;
  const jet *sum = jet_zero(a);
  for (int i = 0; i < s->d + s->nc; i++) {
    const jet *f = rated(s, i);
    const jet *weight = i < s->d ? vector_entry(s, i) : multiplier(s, i - s->d);
    sum = jet_sum(a, sum, jet_product(a, weight, rate(s, f, 2)));
    if (i < s->d) {
      sum = jet_sum(a, sum, jet_product(a, vector_entry(s, s->d + i), f));
    }
  }
  terms_hessian(s, e, sum);
  for (int j = 0; j < s->nc; j++) {
    size_t mark = a->n_made;
    const jet *slope = jet_zero(a);
    for (int i = 0; i < s->d + s->nc; i++) {
      const jet *f = rated(s, i);
      const jet *weight = i < s->d ? vector_entry(s, i) : multiplier(s, i - s->d);
      a->order = 1;
      slope = jet_sum(a, slope, jet_product(a, weight, jet_bracket(a, f, s->g[j], s->d)));
    }
    terms_gradient(s, e, 2 * s->d + j, slope);
    jets_release(a, mark);
  }
}

/* Derivative of f by its first n variables along n entries of v: the first n entries, or, if
 * turned, the other half first and then the first half. */
static const jet *along(session *s, const jet *f, int n, int turned, int order)
{
  jets *a = &s->arithmetic;
  const jet *sum = jet_zero(a);
  a->order = order;
  for (int i = 0; i < n; i++) {
    const jet *slope = i < s->d ? jet_bracket(a, f, variable(s, s->d + i), s->d)
                                : jet_bracket(a, variable(s, i - s->d), f, s->d);
    int entry = turned ? (i + s->d) % (2 * s->d) : i;
    sum = jet_sum(a, sum, jet_product(a, vector_entry(s, entry), slope));
  }
  return sum;
}

/* Derivative of f along the first direction, or, if twice, along both directions, with its second
 * derivatives. */
static const jet *derived(session *s, const jet *f, int n, int twice)
{
  return twice ? along(s, along(s, f, n, 0, 3), n, 1, 2) : along(s, f, n, 0, 2);
}

/* Adds the second derivatives, by positions, of the derived constraints, summed with the weights
 * lambda. */
static void derived_constraints(session *s, digits *e, int twice)
{
  jets *a = &s->arithmetic;
  const jet *sum = jet_zero(a);
  for (int i = 0; i < s->nc; i++) {
    sum = jet_sum(a, sum, jet_product(a, multiplier(s, i), derived(s, s->g[i], s->d, twice)));
  }
  terms_hessian(s, e, sum);
}

void rates_make(session *s, sw_witnessed what, digits *e)
{
  size_t mark = s->arithmetic.n_made;
  switch (what) {
  case SW_WITNESS_ACCELERATION_HESS:
    second_derivatives(s, e);
    break;
  case SW_WITNESS_CONSTRAINT_THIRD:
  case SW_WITNESS_CONSTRAINT_FOURTH:
    derived_constraints(s, e, what == SW_WITNESS_CONSTRAINT_FOURTH);
    break;
  case SW_WITNESS_HAMILTONIAN_THIRD:
  case SW_WITNESS_HAMILTONIAN_FOURTH:
    terms_hessian(s, e, derived(s, s->H, 2 * s->d, what == SW_WITNESS_HAMILTONIAN_FOURTH));
    break;
  default:
    accelerations(s, e, what == SW_WITNESS_ACCELERATION_JAC);
    break;
  }
  jets_release(&s->arithmetic, mark);
  e->trouble = session_trouble(s);
}
