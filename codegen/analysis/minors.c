/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/dependence_means.h"

#include "expr/builders.h"
#include "expr/derivative.h"

/* The determinant of n rows and columns, by expansion along the first row. */
static const ir_expr *expand(study *s, const ir_function *f, int n, const int rows[],
                             const int columns[])
{
  if (n == 0) {
    return ir_integer(s->c, 1);
  }
  const ir_expr *sum = ir_integer(s->c, 0);
  for (int j = 0; j < n; j++) {
    int rest[MINORS_ORDER] = {0};
    for (int i = 0, at = 0; i < n; i++) {
      if (i != j) {
        rest[at++] = columns[i];
      }
    }
    const ir_expr *entry = ir_entry_at(f, rows[0], columns[j]);
    if (entry && !ir_is_zero(entry)) {
      const ir_expr *term = ir_times(s->c, entry, expand(s, f, n - 1, rows + 1, rest));
      sum = j % 2 ? ir_minus(s->c, sum, term) : ir_plus(s->c, sum, term);
    }
  }
  return sum;
}

const ir_expr *determinant_of(study *s, const ir_function *f)
{
  static const int all[MINORS_ORDER] = {0, 1, 2};
  return expand(s, f, f->rows, all, all);
}

const ir_expr *minor_of(study *s, const ir_function *f, int row, int column)
{
  int rows[MINORS_ORDER] = {0};
  int columns[MINORS_ORDER] = {0};
  for (int i = 0, r = 0, c = 0; i < f->rows; i++) {
    if (i != row) {
      rows[r++] = i;
    }
    if (i != column) {
      columns[c++] = i;
    }
  }
  return expand(s, f, f->rows - 1, rows, columns);
}

/* Advances to the next choice of m of n columns, in ascending order; returns 0 after the last. */
static int next_choice(int m, int n, int choice[])
{
  int i = m - 1;
  while (i >= 0 && choice[i] == n - m + i) {
    i--;
  }
  if (i < 0) {
    return 0;
  }
  choice[i]++;
  for (int j = i + 1; j < m; j++) {
    choice[j] = choice[j - 1] + 1;
  }
  return 1;
}

int gradient_minors(study *s, const ir_expr *out[])
{
  static const int rows[MINORS_ORDER] = {0, 1, 2};
  const ir_function *f = &s->p->functions[IR_CONSTRAINT_JAC];
  int m = s->p->nc;
  int *used = ARENA_ARRAY(s->memory, s->n, int);
  int n = 0;
  int found = 0;
  for (int j = 0; j < s->n; j++) {
    int reads = 0;
    for (int e = 0; e < f->n; e++) {
      reads |= f->entries[e].col == j;
    }
    used[n] = j;
    n += reads;
  }
  if (m < 1 || m > MINORS_ORDER || n < m) {
    return 0;
  }
  int choice[MINORS_ORDER] = {0, 1, 2};
  do {
    int columns[MINORS_ORDER] = {0};
    for (int i = 0; i < m; i++) {
      columns[i] = used[choice[i]];
    }
    const ir_expr *minor = expand(s, f, m, rows, columns);
    if (!ir_is_zero(minor)) {
      if (found == MINORS_MOST) {
        return 0;
      }
      out[found++] = minor;
    }
  } while (next_choice(m, n, choice));
  return found;
}
