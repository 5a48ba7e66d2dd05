/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/position_constraints.h"

#include "expr/builders.h"

void constraints_add_pulls(composer *c, const ir_expr *const x[], const ir_expr *const weight[],
                           const ir_expr *sum[])
{
  const ir_function *Dg = &c->program->functions[IR_CONSTRAINT_JAC];
  for (int e = 0; e < Dg->n && c->program->nc; e++) {
    const ir_entry *entry = &Dg->entries[e];
    const ir_expr *slope = composer_at(c, entry->value, x, NULL);
    sum[entry->col] =
        ir_plus(c->context, sum[entry->col], ir_times(c->context, weight[entry->row], slope));
  }
}

const ir_expr *constraints_slope_along(composer *c, const ir_expr *const x[], int i,
                                       const ir_expr *const u[])
{
  const ir_function *Dg = &c->program->functions[IR_CONSTRAINT_JAC];
  const ir_expr *sum = ir_integer(c->context, 0);
  for (int e = 0; e < Dg->n; e++) {
    const ir_entry *entry = &Dg->entries[e];
    if (entry->row == i) {
      const ir_expr *slope = composer_at(c, entry->value, x, NULL);
      sum = ir_plus(c->context, sum, ir_times(c->context, slope, u[entry->col]));
    }
  }
  return sum;
}

void constraints_add_bent(composer *c, const ir_expr *const x[], const ir_expr *const weight[],
                          const ir_expr *const u[], const ir_expr *sum[])
{
  const ir_function *hess = &c->program->functions[IR_CONSTRAINT_HESS];
  for (int e = 0; e < hess->n && c->program->nc; e++) {
    const int row = hess->entries[e].row;
    const int col = hess->entries[e].col;
    const ir_expr *value = composer_at(c, hess->entries[e].value, x, weight);
    sum[row] = ir_plus(c->context, sum[row], ir_times(c->context, value, u[col]));
    if (row != col) {
      sum[col] = ir_plus(c->context, sum[col], ir_times(c->context, value, u[row]));
    }
  }
}

const ir_expr **constraints_straightened(composer *c, const ir_expr *const x[],
                                         const ir_expr *const theta[], const ir_expr *const mu[])
{
  const ir_program *p = c->program;
  const ir_function *hess = &p->functions[IR_CONSTRAINT_HESS];
  const ir_function *Dg = &p->functions[IR_CONSTRAINT_JAC];
  const int n = p->nc ? p->nq + p->nc : 0;
  fused_matrix saddle = {.n = n};
  const ir_expr **hat = ARENA_ARRAY(c->memory, p->nq + p->nc, const ir_expr *);
  for (int i = 0; i < p->nq + p->nc; i++) {
    hat[i] = i < p->nq ? mu[i] : ir_integer(c->context, 0);
    saddle.at[i][i] = i < p->nq ? ir_integer(c->context, 1) : NULL;
  }
  for (int e = 0; e < hess->n && n; e++) {
    const int row = hess->entries[e].row;
    const int col = hess->entries[e].col;
    const ir_expr *bent = composer_at(c, hess->entries[e].value, x, theta);
    bent = row == col ? ir_plus(c->context, saddle.at[row][row], bent) : bent;
    saddle.at[row][col] = saddle.at[col][row] = fused_define(c->values, "bent", "", bent);
  }
  for (int e = 0; e < Dg->n && n; e++) {
    const int row = p->nq + Dg->entries[e].row;
    const int col = Dg->entries[e].col;
    saddle.at[row][col] = saddle.at[col][row] =
        fused_define(c->values, "Dg", "", composer_at(c, Dg->entries[e].value, x, NULL));
  }
  if (!fused_factorise(c->values, "bent", &saddle)) {
    c->refusal = "a constraint reads no position";
    return hat;
  }
  fused_solve(c->values, "mu", &saddle, hat);
  return hat;
}
