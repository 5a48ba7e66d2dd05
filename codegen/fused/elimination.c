/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/step.h"

#include "expr/builders.h"

/* Chooses the next pivot. Among those that are not zero it takes the row with the fewest entries,
 * and among such rows the one with the shortest chain of earlier pivots. */
static int next_pivot(int n, int is_linked[][FUSED_UNKNOWNS_MOST], const int depth[],
                      const char is_taken[])
{
  int best = -1;
  int least = 0;
  for (int i = 0; i < n; i++) {
    int rank = depth[i] + (is_linked[i][i] ? 0 : (n + 1) * FUSED_UNKNOWNS_MOST);
    for (int j = 0; j < n; j++) {
      rank += is_linked[i][j] && !is_taken[j] ? FUSED_UNKNOWNS_MOST : 0;
    }
    if (!is_taken[i] && (best < 0 || rank < least)) {
      best = i;
      least = rank;
    }
  }
  return best;
}

static void find_order(fused_matrix *m)
{
  int is_linked[FUSED_UNKNOWNS_MOST][FUSED_UNKNOWNS_MOST] = {{0}};
  char is_taken[FUSED_UNKNOWNS_MOST] = {0};
  int depth[FUSED_UNKNOWNS_MOST] = {0};
  for (int i = 0; i < m->n * m->n; i++) {
    is_linked[i / m->n][i % m->n] = m->at[i / m->n][i % m->n] || m->at[i % m->n][i / m->n];
  }
  for (int k = 0; k < m->n; k++) {
    const int p = m->is_free ? next_pivot(m->n, is_linked, depth, is_taken) : k;
    m->order[k] = p;
    is_taken[p] = 1;
    for (int i = 0; i < m->n; i++) {
      for (int j = 0; j < m->n; j++) {
        is_linked[i][j] |= is_linked[i][p] & is_linked[p][j];
      }
      depth[i] = is_linked[i][p] && depth[i] <= depth[p] ? depth[p] + 1 : depth[i];
    }
  }
}

/* Entry (i, j), with cyclic indices. */
static const ir_expr *elimination_entry(fused_values *f, const fused_matrix *m, int i, int j)
{
  const ir_expr *at = m->at[i % m->n][j % m->n];
  return at ? at : ir_integer(f->context, 0);
}

int fused_factorise(fused_values *f, const char *name, fused_matrix *m)
{
  ir_context *c = f->context;
  find_order(m);
  for (int first = 0; first < m->n; first++) {
    const int k = m->order[first];
    if (!m->at[k][k] || ir_is_zero(m->at[k][k])) {
      return 0;
    }
    m->over_pivot[k] =
        fused_compute_as(f, ir_power(c, m->at[k][k], -1, 1), "over_%s_%d", name, k + 1);
    for (int row = first + 1; row < m->n; row++) {
      const int i = m->order[row];
      if (!m->at[i][k]) {
        continue;
      }
      m->at[i][k] = fused_compute_as(f, ir_times(c, m->at[i][k], m->over_pivot[k]), "%s_%d_%d",
                                     name, i + 1, k + 1);
      for (int column = first + 1; column < m->n; column++) {
        const int j = m->order[column];
        if (m->at[k][j]) {
          m->at[i][j] = fused_compute_as(
              f, ir_minus(c, elimination_entry(f, m, i, j), ir_times(c, m->at[i][k], m->at[k][j])),
              "%s_%d_%d", name, i + 1, j + 1);
        }
      }
    }
  }
  return 1;
}

/* x/U_ii. It multiplies by 1/U_ii, unless U_ii is the last of several pivots and depends on the
 * unknowns. Then x is known before U_ii, and a direct division is shorter. */
static const ir_expr *divided(const fused_values *f, const fused_matrix *m, int i, const ir_expr *x)
{
  const int is_last = m->n > 1 && i == m->order[m->n - 1];
  return is_last && fused_level(fused_depends(f, m->at[i][i])) >= FUSED_TRY(f->phase)
             ? ir_times(f->context, x, ir_power(f->context, m->at[i][i], -1, 1))
             : ir_times(f->context, x, m->over_pivot[i]);
}

/* x_i <- x_i - m_ij x_j. */
static void subtract(fused_values *f, const char *name, const fused_matrix *m, int i, int j,
                     const ir_expr *x[])
{
  if (m->at[i][j]) {
    const ir_expr *product = ir_times(f->context, m->at[i][j], x[j]);
    x[i] = fused_compute_as(f, ir_minus(f->context, x[i], product), "%s_%d", name, i + 1);
  }
}

void fused_solve(fused_values *f, const char *name, const fused_matrix *m, const ir_expr *x[])
{
  for (int row = 0; row < m->n; row++) {
    for (int column = 0; column < row; column++) {
      subtract(f, name, m, m->order[row], m->order[column], x);
    }
  }
  for (int row = m->n - 1; row >= 0; row--) {
    const int i = m->order[row];
    for (int column = row + 1; column < m->n; column++) {
      subtract(f, name, m, i, m->order[column], x);
    }
    x[i] = fused_compute_as(f, divided(f, m, i, x[i]), "%s_%d", name, i + 1);
  }
}

/* The cofactor of entry (i, j). With cyclic indices the sign is included. */
static const ir_expr *cofactor(fused_values *f, const fused_matrix *m, int i, int j)
{
  ir_context *c = f->context;
  if (m->n == 1) {
    return ir_integer(c, 1);
  }
  if (m->n == 2) {
    const ir_expr *other = elimination_entry(f, m, i + 1, j + 1);
    return i == j ? other : ir_negated(c, other);
  }
  return ir_minus(
      c, ir_times(c, elimination_entry(f, m, i + 1, j + 1), elimination_entry(f, m, i + 2, j + 2)),
      ir_times(c, elimination_entry(f, m, i + 1, j + 2), elimination_entry(f, m, i + 2, j + 1)));
}

const ir_expr *fused_solve_by_cofactors(fused_values *f, const char *name, const fused_matrix *m,
                                        const ir_expr *x[])
{
  ir_context *c = f->context;
  const ir_expr *of[FUSED_COFACTORS_MOST][FUSED_COFACTORS_MOST];
  const ir_expr *made[FUSED_COFACTORS_MOST];
  const ir_expr *sum = ir_integer(c, 0);
  for (int i = 0; i < m->n; i++) {
    for (int j = 0; j < m->n; j++) {
      of[i][j] = fused_compute_as(f, cofactor(f, m, i, j), "%s_cofactor_%d_%d", name, i + 1, j + 1);
    }
  }
  for (int j = 0; j < m->n; j++) {
    sum = ir_plus(c, sum, ir_times(c, elimination_entry(f, m, 0, j), of[0][j]));
  }
  if (ir_is_zero(sum)) {
    return NULL;
  }
  const ir_expr *determinant = fused_compute_as(f, sum, "det_%s", name);
  const ir_expr *over = fused_compute_as(f, ir_power(c, determinant, -1, 1), "over_det_%s", name);
  for (int i = 0; i < m->n; i++) {
    sum = ir_integer(c, 0);
    for (int j = 0; j < m->n; j++) {
      sum = ir_plus(c, sum, ir_times(c, of[j][i], x[j]));
    }
    made[i] = fused_compute_as(f, sum, "%s_turned_%d", name, i + 1);
  }
  for (int i = 0; i < m->n; i++) {
    x[i] = fused_compute_as(f, ir_times(c, made[i], over), "change_%d", i + 1);
  }
  return determinant;
}
