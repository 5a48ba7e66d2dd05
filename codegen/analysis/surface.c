/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/point.h"

#include "expr/derivative.h"
#include "expr/magnitude.h"

surface *surface_create(study *s, int n, const ir_expr *const values[])
{
  surface *f = ARENA_NEW(s->memory, surface);
  const ir_expr **slopes = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  f->value = ARENA_ARRAY(s->memory, n + 1, const ir_expr *);
  f->size = ARENA_ARRAY(s->memory, n + 1, const ir_expr *);
  f->slope = ARENA_ARRAY(s->memory, (size_t)n * (size_t)s->n + 1, ir_entry);
  for (int i = 0; i < n; i++) {
    if (ir_is_zero(values[i])) {
      continue;
    }
    ir_gradient(s->c, s->n, values[i], slopes);
    for (int j = 0; j < s->n; j++) {
      if (!ir_is_zero(slopes[j])) {
        f->slope[f->n++] = (ir_entry){f->rows, j, slopes[j]};
      }
    }
    f->value[f->rows++] = values[i];
  }
  ir_magnitudes(s->c, f->rows, f->value, f->size);
  return f;
}

/* Appends the rows of a function of the model, with its magnitudes and its Jacobian, to *f. */
static void surface_append(surface *f, const ir_function *value, const ir_function *scale,
                           const ir_function *jac, const char left_out[])
{
  for (int i = 0, e = 0; i < value->n; i++) {
    int is_zero = ir_is_zero(value->entries[i].value) || (left_out && left_out[i]);
    for (; e < jac->n && jac->entries[e].row == i; e++) {
      if (!is_zero) {
        f->slope[f->n++] = (ir_entry){f->rows, jac->entries[e].col, jac->entries[e].value};
      }
    }
    if (!is_zero) {
      f->size[f->rows] = scale->entries[i].value;
      f->value[f->rows++] = value->entries[i].value;
    }
  }
}

static surface *of_model(study *s, int hidden, const char left_out[])
{
  const ir_function *g = s->p->functions;
  int rows = (hidden ? 2 : 1) * s->p->nc;
  int entries = g[IR_CONSTRAINT_JAC].n + (hidden ? g[IR_HIDDEN_JAC].n : 0);
  surface *f = ARENA_NEW(s->memory, surface);
  f->value = ARENA_ARRAY(s->memory, rows + 1, const ir_expr *);
  f->size = ARENA_ARRAY(s->memory, rows + 1, const ir_expr *);
  f->slope = ARENA_ARRAY(s->memory, entries + 1, ir_entry);
  surface_append(f, &g[IR_CONSTRAINT], &g[IR_CONSTRAINT_SCALE], &g[IR_CONSTRAINT_JAC], NULL);
  if (hidden) {
    surface_append(f, &g[IR_HIDDEN], &g[IR_HIDDEN_SCALE], &g[IR_HIDDEN_JAC], left_out);
  }
  return f;
}

/* The surface with the square-free parts of constraints in their place. */
static surface *with_parts(study *s, int hidden, const char left_out[])
{
  int m = s->p->nc;
  const ir_expr **values = ARENA_ARRAY(s->memory, 2 * m, const ir_expr *);
  for (int i = 0; i < m; i++) {
    values[i] = s->instead[i] ? s->instead[i] : s->g[i];
    values[m + i] = left_out && left_out[i] ? ir_integer(s->c, 0) : s->rho[i];
  }
  return surface_create(s, hidden ? 2 * m : m, values);
}

surface *surface_M(study *s)
{
  return s->instead ? with_parts(s, 0, NULL) : of_model(s, 0, NULL);
}

surface *surface_MH(study *s, const char left_out[])
{
  return s->instead ? with_parts(s, 1, left_out) : of_model(s, 1, left_out);
}
