/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/field.h"

#include <stdlib.h>

static int conjugate(const solution *s, int v)
{
  return v < s->d ? v + s->d : v - s->d;
}

/* X_f = (f_p, -f_q): the derivative by v belongs to the row of its conjugate variable, with this
 * sign. */
static int sign_of(const solution *s, int v)
{
  return v < s->d ? -1 : 1;
}

/* The constraints along z, family after family; the caller frees the array. */
static const jet **constraints_along(solution *s, arb_poly_struct *z, int order, slong length)
{
  const jet **g = flint_malloc((size_t)(s->nc + 1) * sizeof *g);
  s->t->arithmetic->order = order;
  s->t->arithmetic->length = length;
  s->t->z = z;
  tree_constraints(s->t, g);
  return g;
}

void field_speed(solution *s, arb_poly_struct *z, slong length, arb_poly_struct F[])
{
  size_t mark = s->t->arithmetic->n_made;
  const jet **g = constraints_along(s, z, 1, length);
  const jet *sum = tree_combined(s->t, s->nc, g);
  for (int v = 0; v < s->n; v++) {
    arb_poly_zero(&F[v]);
  }
  for (long i = 0; i < sum->n; i++) {
    if (monomial_degree(sum->terms[i].monomial) == 1) {
      int v = monomial_variable(sum->terms[i].monomial, 0);
      series_times(&F[conjugate(s, v)], &sum->terms[i].value, sign_of(s, v),
                   s->t->arithmetic->precision);
    }
  }
  flint_free(g);
  jets_release(s->t->arithmetic, mark);
}

static void set_moving(solution *s, moving *at, int row, int col, const jet_term *term, int factor)
{
  at->row = row;
  at->col = col;
  at->size = abs(factor) * mag_get_d(&term->size);
  arb_poly_init(&at->value);
  series_times(&at->value, &term->value, factor, s->t->arithmetic->precision);
}

field field_along(solution *s, arb_poly_struct *z, slong length)
{
  size_t mark = s->t->arithmetic->n_made;
  const jet **g = constraints_along(s, z, 2, length);
  const jet *sum = tree_combined(s->t, s->nc, g);
  long n_X = 0;
  for (int i = 0; i < s->nc && !s->t->arithmetic->trouble; i++) {
    n_X += g[i]->n;
  }
  field f = {flint_malloc((size_t)(2 * sum->n + 1) * sizeof *f.DF), 0,
             flint_malloc((size_t)(n_X + 1) * sizeof *f.X), 0};
  for (long i = 0; i < sum->n; i++) {
    const jet_term *term = &sum->terms[i];
    if (monomial_degree(term->monomial) != 2) {
      continue;
    }
    int a = monomial_variable(term->monomial, 0);
    int b = monomial_variable(term->monomial, 1);
    int factor = a == b ? 2 : 1;
    set_moving(s, &f.DF[f.n++], conjugate(s, a), b, term, factor * sign_of(s, a));
    if (a != b) {
      set_moving(s, &f.DF[f.n++], conjugate(s, b), a, term, sign_of(s, b));
    }
  }
  for (int i = 0; i < s->nc && !s->t->arithmetic->trouble; i++) {
    for (long e = 0; e < g[i]->n; e++) {
      const jet_term *term = &g[i]->terms[e];
      if (monomial_degree(term->monomial) == 1) {
        int v = monomial_variable(term->monomial, 0);
        set_moving(s, &f.X[f.n_X++], conjugate(s, v), i, term, sign_of(s, v));
      }
    }
  }
  flint_free(g);
  jets_release(s->t->arithmetic, mark);
  return f;
}

void field_clear(field *f)
{
  for (long i = 0; i < f->n; i++) {
    arb_poly_clear(&f->DF[i].value);
  }
  for (long i = 0; i < f->n_X; i++) {
    arb_poly_clear(&f->X[i].value);
  }
  flint_free(f->DF);
  flint_free(f->X);
}
