/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/inner.h"

#include <stdlib.h>

#include "expr/derivative.h"

/* The tables are indexed by node id, so that shared parts are visited once. */
struct ir_inners {
  ir_context *c;
  char *degree; /* degree + 1; 0 if not yet computed */
  char *seen;
  const ir_expr **inner;
};

ir_inners *ir_inners_create(ir_context *c)
{
  size_t n = ir_context_size(c);
  ir_inners *s = ir_zeros(1, sizeof *s);
  *s = (ir_inners){c, ir_zeros(n, 1), ir_zeros(n, 1), ir_zeros(n, sizeof(const ir_expr *))};
  return s;
}

void ir_inners_free(ir_inners *s)
{
  if (s) {
    free(s->degree);
    free(s->seen);
    free(s->inner);
    free(s);
  }
}

/* ---- degrees ---- */

/* The degree of a part to the power n; 3 for any degree above 2 and for other powers. */
static int degree_of_power(int part, mpq_srcptr n)
{
  int is_small = mpz_cmp_ui(mpq_denref(n), 1) == 0 && mpq_sgn(n) > 0 && mpq_cmp_ui(n, 2, 1) <= 0;
  return part == 0 ? 0 : is_small ? part * (int)mpz_get_ui(mpq_numref(n)) : 3;
}

static int find_degree(ir_inners *s, const ir_expr *e)
{
  int most = e->kind == IR_INPUT && e->space == IR_Z;
  for (int i = 0; i < e->n && most < 3; i++) {
    int part = ir_degree(s, ir_operand(e, i));
    if (e->kind == IR_PRODUCT) {
      most += degree_of_power(part, e->factors[i].exponent);
    } else if (part > most) {
      most = e->kind == IR_SUM || e->call == IR_HOLD ? part : 3;
    }
  }
  return most > 3 ? 3 : most;
}

int ir_degree(ir_inners *s, const ir_expr *e)
{
  if (!s->degree[e->id]) {
    s->degree[e->id] = (char)(1 + find_degree(s, e));
  }
  return s->degree[e->id] - 1;
}

/* ---- inner expressions ---- */

/* The expression without constant terms and without its rational factor. */
static const ir_expr *without_constants(ir_inners *s, const ir_expr *e)
{
  if (e->kind != IR_SUM) {
    return e;
  }
  const ir_expr **terms = ARENA_ARRAY(ir_context_arena(s->c), e->n, const ir_expr *);
  int n = 0;
  for (int i = 0; i < e->n; i++) {
    if (ir_degree(s, e->terms[i].node) > 0) {
      terms[n++] = ir_scale(s->c, e->terms[i].coefficient, e->terms[i].node);
    }
  }
  return ir_primitive(ir_add(s->c, n, terms));
}

static const ir_expr *find_inner(ir_inners *s, const ir_expr *e)
{
  const ir_expr *nothing = ir_integer(s->c, 0);
  const ir_expr *found = ir_degree(s, e) > 0 && e->kind == IR_INPUT ? e : nothing;
  for (int i = 0; i < e->n && found; i++) {
    const ir_expr *part = ir_inner(s, ir_operand(e, i));
    found = found == nothing || found == part ? part : part == nothing ? found : NULL;
  }
  return found || ir_degree(s, e) > 2 ? found : without_constants(s, e);
}

const ir_expr *ir_inner(ir_inners *s, const ir_expr *e)
{
  if (!s->seen[e->id]) {
    s->inner[e->id] = find_inner(s, e);
    s->seen[e->id] = 1;
  }
  return s->inner[e->id];
}
