/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/elimination.h"

#include "expr/builders.h"

/* a - b c, where a may be NULL for zero. */
static const ir_expr *less(fused_values *f, const char *name, const ir_expr *a, const ir_expr *b,
                           const ir_expr *c)
{
  ir_context *all = f->context;
  const ir_expr *product = ir_times(all, b, c);
  return fused_compute(f, name, "", ir_minus(all, a ? a : ir_integer(all, 0), product));
}

int fused_factorise(fused_values *f, const char *name, fused_matrix *m)
{
  arena *a = ir_context_arena(f->context);
  for (int k = 0; k < m->n; k++) {
    if (!m->at[k][k] || ir_is_zero(m->at[k][k])) {
      return 0;
    }
    m->over_pivot[k] = fused_compute(f, arena_printf(a, "over_%s_%d", name, k + 1), "",
                                     ir_power(f->context, m->at[k][k], -1, 1));
    for (int i = k + 1; i < m->n; i++) {
      if (!m->at[i][k]) {
        continue;
      }
      m->at[i][k] = fused_compute(f, arena_printf(a, "%s_%d_%d", name, i + 1, k + 1), "",
                                  ir_times(f->context, m->at[i][k], m->over_pivot[k]));
      for (int j = k + 1; j < m->n; j++) {
        if (m->at[k][j]) {
          m->at[i][j] = less(f, arena_printf(a, "%s_%d_%d", name, i + 1, j + 1), m->at[i][j],
                             m->at[i][k], m->at[k][j]);
        }
      }
    }
  }
  return 1;
}

void fused_solve(fused_values *f, const char *name, const fused_matrix *m, const ir_expr *x[])
{
  arena *a = ir_context_arena(f->context);
  for (int i = 0; i < m->n; i++) {
    for (int k = 0; k < i; k++) {
      if (m->at[i][k]) {
        x[i] = less(f, arena_printf(a, "%s_%d", name, i + 1), x[i], m->at[i][k], x[k]);
      }
    }
  }
  for (int i = m->n - 1; i >= 0; i--) {
    for (int j = i + 1; j < m->n; j++) {
      if (m->at[i][j]) {
        x[i] = less(f, arena_printf(a, "%s_%d", name, i + 1), x[i], m->at[i][j], x[j]);
      }
    }
    x[i] = fused_compute(f, arena_printf(a, "%s_%d", name, i + 1), "",
                         ir_times(f->context, x[i], m->over_pivot[i]));
  }
}

static const ir_expr *entry(fused_values *f, const fused_matrix *m, int i, int j)
{
  const ir_expr *at = m->at[i % m->n][j % m->n];
  return at ? at : ir_integer(f->context, 0);
}

/* The cofactor of entry (i, j): indices that follow each other in a circle have the sign of their place with them. */
static const ir_expr *cofactor(fused_values *f, const fused_matrix *m, int i, int j)
{
  ir_context *c = f->context;
  if (m->n == 1) {
    return ir_integer(c, 1);
  }
  if (m->n == 2) {
    const ir_expr *other = entry(f, m, i + 1, j + 1);
    return i == j ? other : ir_negated(c, other);
  }
  return ir_minus(c, ir_times(c, entry(f, m, i + 1, j + 1), entry(f, m, i + 2, j + 2)),
                  ir_times(c, entry(f, m, i + 1, j + 2), entry(f, m, i + 2, j + 1)));
}

const ir_expr *fused_solve_by_cofactors(fused_values *f, const char *name, const fused_matrix *m,
                                        const ir_expr *x[])
{
  ir_context *c = f->context;
  arena *a = ir_context_arena(c);
  const ir_expr *of[FUSED_COFACTORS_MOST][FUSED_COFACTORS_MOST];
  const ir_expr *made[FUSED_COFACTORS_MOST];
  const ir_expr *sum = ir_integer(c, 0);
  for (int i = 0; i < m->n; i++) {
    for (int j = 0; j < m->n; j++) {
      of[i][j] = fused_compute(f, arena_printf(a, "%s_cofactor_%d_%d", name, i + 1, j + 1), "",
                               cofactor(f, m, i, j));
    }
  }
  for (int j = 0; j < m->n; j++) {
    sum = ir_plus(c, sum, ir_times(c, entry(f, m, 0, j), of[0][j]));
  }
  if (ir_is_zero(sum)) {
    return NULL;
  }
  const ir_expr *determinant = fused_compute(f, arena_printf(a, "det_%s", name), "", sum);
  const ir_expr *over =
      fused_compute(f, arena_printf(a, "over_det_%s", name), "", ir_power(c, determinant, -1, 1));
  for (int i = 0; i < m->n; i++) {
    sum = ir_integer(c, 0);
    for (int j = 0; j < m->n; j++) {
      sum = ir_plus(c, sum, ir_times(c, of[j][i], x[j]));
    }
    made[i] = fused_compute(f, arena_printf(a, "%s_turned_%d", name, i + 1), "", sum);
  }
  for (int i = 0; i < m->n; i++) {
    x[i] = fused_compute(f, arena_printf(a, "change_%d", i + 1), "", ir_times(c, made[i], over));
  }
  return determinant;
}
