/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/row_sums.h"

#include <stdlib.h>

/* A row of a matrix, as a sum under construction. */
typedef struct row_sum {
  int n;
  arb_ptr value;
  mag_ptr size;
} row_sum;

static row_sum row_open(int n)
{
  return (row_sum){n, _arb_vec_init(n), _mag_vec_init(n)};
}

/* Adds sign * term * value to entry `at`; `size` is the size of value. */
static void row_add(session *s, row_sum *row, int at, int sign, const jet_term *term,
                    const arb_t value, const mag_t size)
{
  arb_t product;
  arb_init(product);
  arb_mul(product, &term->value, value, s->arithmetic.precision);
  arb_mul_si(product, product, sign, s->arithmetic.precision);
  arb_add(row->value + at, row->value + at, product, s->arithmetic.precision);
  mag_addmul(row->size + at, &term->size, size);
  arb_clear(product);
}

/* Adds the row to the table and clears the row. */
static void row_flush(digits *e, int i, row_sum *row)
{
  for (int j = 0; j < row->n; j++) {
    digits_add(e, i, j, row->value + j, row->size + j);
    arb_zero(row->value + j);
    mag_zero(row->size + j);
  }
}

static void row_close(row_sum *row)
{
  _arb_vec_clear(row->value, row->n);
  _mag_vec_clear(row->size, row->n);
}

void row_sums_jac_along(session *s, digits *e)
{
  int n = 2 * s->d;
  row_sum row = row_open(n);
  arb_ptr v = session_vector(s->point->v, n);
  mag_t size;
  mag_init(size);
  for (int i = 0; i < s->nc; i++) {
    for (long j = 0; j < s->g[i]->n; j++) {
      const jet_term *term = &s->g[i]->terms[j];
      if (monomial_degree(term->monomial) == 2) {
        int a = monomial_variable(term->monomial, 0);
        int b = monomial_variable(term->monomial, 1);
        arb_get_mag(size, v + b);
        row_add(s, &row, a, 1, term, v + b, size);
        arb_get_mag(size, v + a);
        row_add(s, &row, b, 1, term, v + a, size);
      }
    }
    row_flush(e, i, &row);
  }
  mag_clear(size);
  _arb_vec_clear(v, n);
  row_close(&row);
}

/* A first derivative of g_j. */
typedef struct column_entry {
  int variable;
  int j;
  const jet_term *term;
} column_entry;

static int compare_columns(const void *first, const void *second)
{
  const column_entry *a = first;
  const column_entry *b = second;
  return a->variable != b->variable ? (a->variable > b->variable) - (a->variable < b->variable)
                                    : (a->j > b->j) - (a->j < b->j);
}

/* All first derivatives of g, sorted by variable; those of variable v begin at start[v]. */
static column_entry *by_columns(session *s, int start[])
{
  long n = 0;
  for (int i = 0; i < s->nc; i++) {
    n += s->g[i]->n;
  }
  column_entry *all = flint_malloc((size_t)(n + 1) * sizeof *all);
  long kept = 0;
  for (int i = 0; i < s->nc; i++) {
    for (long e = 0; e < s->g[i]->n; e++) {
      const jet_term *term = &s->g[i]->terms[e];
      if (monomial_degree(term->monomial) == 1) {
        all[kept++] = (column_entry){monomial_variable(term->monomial, 0), i, term};
      }
    }
  }
  if (kept > 0) {
    qsort(all, (size_t)kept, sizeof *all, compare_columns);
  }
  long at = 0;
  for (int v = 0; v <= 2 * s->d; v++) {
    while (at < kept && all[at].variable < v) {
      at++;
    }
    start[v] = (int)at;
  }
  return all;
}

void row_sums_brackets(session *s, const jet *const a[], digits *e)
{
  int *start = flint_malloc((size_t)(2 * s->d + 1) * sizeof *start);
  column_entry *columns = by_columns(s, start);
  row_sum row = row_open(s->nc);
  for (int i = 0; i < s->nc; i++) {
    for (long at = 0; at < a[i]->n; at++) {
      const jet_term *term = &a[i]->terms[at];
      if (monomial_degree(term->monomial) != 1) {
        continue;
      }
      int u = monomial_variable(term->monomial, 0);
      int other = u < s->d ? u + s->d : u - s->d;
      for (int c = start[other]; c < start[other + 1]; c++) {
        row_add(s, &row, columns[c].j, u < s->d ? 1 : -1, term, &columns[c].term->value,
                &columns[c].term->size);
      }
    }
    row_flush(e, i, &row);
  }
  row_close(&row);
  flint_free(columns);
  flint_free(start);
}
