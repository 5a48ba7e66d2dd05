/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/derivative.h"

#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"

/* ---- slopes ---- */

void ir_slopes_release(ir_slopes *s)
{
  free(s->seen);
  free(s->slope);
}

void ir_slopes_begin(ir_slopes *s)
{
  if (s->size < ir_context_size(s->c)) {
    ir_slopes_release(s);
    s->size = 2 * ir_context_size(s->c);
    s->seen = ir_zeros(s->size, sizeof *s->seen);
    s->slope = ir_zeros(s->size, sizeof(const ir_expr *));
  }
  s->pass++;
}

static const ir_expr *slopes_of_sum(ir_slopes *s, const ir_expr *e)
{
  const ir_expr **parts = ir_zeros((size_t)e->n, sizeof *parts);
  for (int i = 0; i < e->n; i++) {
    parts[i] = ir_scale(s->c, e->terms[i].coefficient, ir_slope_of(s, e->terms[i].node));
  }
  const ir_expr *sum = ir_add(s->c, e->n, parts);
  free(parts);
  return sum;
}

const ir_expr *ir_slope_of(ir_slopes *s, const ir_expr *e)
{
  if (s->seen[e->id] == s->pass) {
    return s->slope[e->id];
  }
  const ir_expr *r = NULL;
  switch (e->kind) {
  case IR_INPUT:
    r = s->seed && e->space == s->space ? s->seed[e->index]
                                        : ir_integer(s->c, ir_is_input(e, s->space, s->index));
    break;
  case IR_CALL:
    r = s->of_call(s, e);
    break;
  case IR_SUM:
    r = slopes_of_sum(s, e);
    break;
  case IR_PRODUCT:
    r = s->of_product(s, e);
    break;
  case IR_NUMBER:
  case IR_PI:
    r = ir_integer(s->c, 0);
    break;
  }
  s->seen[e->id] = s->pass;
  s->slope[e->id] = r;
  return r;
}

const ir_expr *ir_primitive(const ir_expr *e)
{
  return e->kind == IR_SUM && e->n == 1 ? e->terms[0].node : e;
}

/* f'(x) for a call f(x) of one argument. */
static const ir_expr *outer_slope(ir_context *c, const ir_expr *e)
{
  const ir_expr *x = e->arguments[0];
  const ir_expr *one = ir_integer(c, 1);
  switch (e->call) {
  case IR_SIN:
    return ir_apply(c, IR_COS, x, NULL);
  case IR_COS:
    return ir_negated(c, ir_apply(c, IR_SIN, x, NULL));
  case IR_TAN:
    return ir_plus(c, one, ir_power(c, e, 2, 1));
  case IR_ASIN:
    return ir_power(c, ir_minus(c, one, ir_power(c, x, 2, 1)), -1, 2);
  case IR_ACOS:
    return ir_negated(c, ir_power(c, ir_minus(c, one, ir_power(c, x, 2, 1)), -1, 2));
  case IR_ATAN:
    return ir_power(c, ir_plus(c, one, ir_power(c, x, 2, 1)), -1, 1);
  case IR_SINH:
    return ir_apply(c, IR_COSH, x, NULL);
  case IR_COSH:
    return ir_apply(c, IR_SINH, x, NULL);
  case IR_TANH:
    return ir_minus(c, one, ir_power(c, e, 2, 1));
  case IR_EXP:
    return e;
  case IR_LOG:
    return ir_power(c, x, -1, 1);
  case IR_ABS:
    return ir_times(c, e, ir_power(c, x, -1, 1));
  case IR_HOLD:
    return one;
  case IR_INSIDE: /* constant wherever it is defined */
  case IR_SIGN:
  case IR_ATAN2:
  case IR_MIN:
  case IR_MAX:
  case IR_POW:
  case IR_G0:
  case IR_G1:
  case IR_G2:
  case IR_G3:
  case IR_CALLS:
    break;
  }
  return ir_integer(c, 0);
}

static const ir_expr *g(ir_context *c, int k, const ir_expr *a, const ir_expr *t)
{
  return ir_apply(c, (ir_call)(IR_G0 + k), a, t);
}

/* dG_k/dc = (t G_{k+1} - k G_{k+2})/2, without functions of an order above 3: uses G_2(c, t) = 2
 * G_1(c, t/2)^2 and dG_3/dc = (t G_2 - 3 G_3)/(2 c).  (c never contains the variables by which a
 * model is differentiated.) */
static const ir_expr *universal_by_c(ir_context *c, int k, const ir_expr *a, const ir_expr *t)
{
  const ir_expr *half = ir_times(c, ir_power(c, ir_integer(c, 2), -1, 1), t);
  const ir_expr *two = ir_integer(c, 2);
  switch (k) {
  case 0:
    return ir_times(c, half, g(c, 1, a, t));
  case 1:
    return ir_minus(c, ir_times(c, half, g(c, 2, a, t)),
                    ir_times(c, ir_power(c, two, -1, 1), g(c, 3, a, t)));
  case 2:
    return ir_times(c, ir_times(c, two, g(c, 1, a, half)),
                    ir_minus(c, ir_times(c, half, g(c, 2, a, half)), g(c, 3, a, half)));
  default:
    return ir_times(
        c, ir_minus(c, ir_times(c, t, g(c, 2, a, t)), ir_times(c, ir_integer(c, 3), g(c, 3, a, t))),
        ir_power(c, ir_times(c, two, a), -1, 1));
  }
}

/* Entry (i, j) of W' = -W M' W. */
static const ir_expr *inverse_slope(ir_slopes *m, const ir_equations *of, int i, int j)
{
  const int n = of->n;
  arena *a = ir_context_arena(m->c);
  const ir_expr **outer = ARENA_ARRAY(a, n, const ir_expr *);
  const ir_expr **inner = ARENA_ARRAY(a, n, const ir_expr *);
  int terms = 0;
  for (int l = 0; l < n; l++) {
    int n_inner = 0;
    for (int k = 0; k < n; k++) {
      const ir_expr *entry = of->M[k * n + l];
      const ir_expr *slope = entry ? ir_slope_of(m, entry) : NULL;
      if (slope && !ir_is_zero(slope)) {
        inner[n_inner++] = ir_times(m->c, of->W[i * n + k], ir_held(m->c, slope));
      }
    }
    if (n_inner) {
      outer[terms++] = ir_times(m->c, ir_add(m->c, n_inner, inner), of->W[l * n + j]);
    }
  }
  return ir_negated(m->c, ir_add(m->c, terms, outer));
}

/* Row i of v' = W (y' - M' v). */
static const ir_expr *solution_slope(ir_slopes *m, const ir_equations *of, int i)
{
  const int n = of->n;
  arena *a = ir_context_arena(m->c);
  const ir_expr **outer = ARENA_ARRAY(a, n, const ir_expr *);
  const ir_expr **inner = ARENA_ARRAY(a, n + 1, const ir_expr *);
  for (int k = 0; k < n; k++) {
    int terms = 0;
    inner[terms++] = ir_slope_of(m, of->y[k]);
    for (int l = 0; l < n; l++) {
      const ir_expr *entry = of->M[k * n + l];
      const ir_expr *slope = entry ? ir_slope_of(m, entry) : NULL;
      if (slope && !ir_is_zero(slope)) {
        inner[terms++] = ir_negated(m->c, ir_times(m->c, ir_held(m->c, slope), of->v[l]));
      }
    }
    outer[k] = ir_times(m->c, of->W[i * n + k], ir_held(m->c, ir_add(m->c, terms, inner)));
  }
  return ir_held(m->c, ir_add(m->c, n, outer));
}

/* The slope of a node according to its rule; NULL if the rule gives none. */
static const ir_expr *known_slope(ir_slopes *m, const ir_rule *rule)
{
  if (rule->slopes && m->space == IR_Z) {
    const ir_expr *slope = m->index < rule->n ? rule->slopes[m->index] : NULL;
    return slope ? slope : ir_integer(m->c, 0);
  }
  return !rule->equations    ? NULL
         : rule->column >= 0 ? inverse_slope(m, rule->equations, rule->row, rule->column)
                             : solution_slope(m, rule->equations, rule->row);
}

static const ir_expr *derivative_call_slope(ir_slopes *m, const ir_expr *e)
{
  ir_context *c = m->c;
  const ir_rule *rule = ir_rule_of(c, e);
  const ir_expr *known = rule ? known_slope(m, rule) : NULL;
  if (known) {
    return known;
  }
  const ir_expr *x = e->arguments[0];
  const ir_expr *x_slope = ir_slope_of(m, x);
  if (e->n == 1) {
    return ir_is_zero(x_slope) ? x_slope : ir_times(c, outer_slope(c, e), x_slope);
  }
  const ir_expr *y = e->arguments[1];
  const ir_expr *y_slope = ir_slope_of(m, y);
  if (ir_is_zero(x_slope) && ir_is_zero(y_slope)) {
    return x_slope;
  }
  int k = ir_universal_order(e->call);
  if (k >= 0) {
    /* dG_k/dt = G_{k-1}, and c G_1 for k = 0. */
    const ir_expr *by_t =
        ir_times(c, k ? g(c, k - 1, x, y) : ir_times(c, x, g(c, 1, x, y)), y_slope);
    return ir_is_zero(x_slope) ? by_t
                               : ir_plus(c, by_t, ir_times(c, universal_by_c(c, k, x, y), x_slope));
  }
  if (e->call == IR_ATAN2) { /* atan2(x, y), the angle of the point (y, x) */
    const ir_expr *cross = ir_minus(c, ir_times(c, y, x_slope), ir_times(c, x, y_slope));
    return ir_times(c, cross,
                    ir_power(c, ir_plus(c, ir_power(c, x, 2, 1), ir_power(c, y, 2, 1)), -1, 1));
  }
  /* the slope of the smaller or larger one; the mean of both slopes if x = y */
  if (e->call == IR_MIN || e->call == IR_MAX) {
    const ir_expr *side = ir_apply(c, IR_SIGN, ir_minus(c, x, y), NULL);
    const ir_expr *apart = ir_times(c, side, ir_minus(c, x_slope, y_slope));
    return ir_mean(c, ir_plus(c, x_slope, y_slope),
                   e->call == IR_MIN ? ir_negated(c, apart) : apart);
  }
  const ir_expr *by_base = ir_times(c, ir_times(c, y, x_slope), ir_power(c, x, -1, 1));
  const ir_expr *by_exponent =
      ir_is_zero(y_slope) ? y_slope : ir_times(c, ir_apply(c, IR_LOG, x, NULL), y_slope);
  return ir_times(c, e, ir_plus(c, by_base, by_exponent));
}

/* e sum_i a_i x_i'/x_i; the normal form cancels the division by x_i. */
static const ir_expr *derivative_product_slope(ir_slopes *m, const ir_expr *e)
{
  ir_context *c = m->c;
  const ir_expr **parts = ir_zeros((size_t)e->n, sizeof *parts);
  int n = 0;
  for (int i = 0; i < e->n; i++) {
    const ir_expr *slope = ir_slope_of(m, e->factors[i].base);
    if (!ir_is_zero(slope)) {
      const ir_expr *rest = ir_times(c, e, ir_power(c, e->factors[i].base, -1, 1));
      parts[n++] = ir_scale(c, e->factors[i].exponent, ir_times(c, slope, rest));
    }
  }
  const ir_expr *sum = ir_add(c, n, parts);
  free(parts);
  return sum;
}

static ir_slopes derivatives(ir_context *c, ir_space space)
{
  return (ir_slopes){.c = c,
                     .of_call = derivative_call_slope,
                     .of_product = derivative_product_slope,
                     .space = space};
}

/* Marks the inputs of the space that e reads. */
static void mark(ir_space space, const ir_expr *e, char *visited, char *reads)
{
  if (visited[e->id]) {
    return;
  }
  visited[e->id] = 1;
  if (e->kind == IR_INPUT && e->space == space) {
    reads[e->index] = 1;
  }
  for (int i = 0; i < e->n; i++) {
    mark(space, ir_operand(e, i), visited, reads);
  }
}

void ir_inputs_read(ir_context *c, ir_space space, int n, const ir_expr *e, char reads[])
{
  char *visited = ir_zeros(ir_context_size(c), 1);
  memset(reads, 0, (size_t)n);
  mark(space, e, visited, reads);
  free(visited);
}

/* The slopes with respect to all n inputs of the space; `reads` has one byte per input. */
static void slopes_of(ir_slopes *m, const ir_expr *e, int n, char *reads, const ir_expr *out[])
{
  ir_inputs_read(m->c, m->space, n, e, reads);
  for (m->index = 0; m->index < n; m->index++) {
    out[m->index] = ir_integer(m->c, 0);
    if (reads[m->index]) {
      ir_slopes_begin(m);
      out[m->index] = ir_slope_of(m, e);
    }
  }
}

void ir_gradient(ir_context *c, int n, const ir_expr *e, const ir_expr *out[])
{
  ir_slopes m = derivatives(c, IR_Z);
  slopes_of(&m, e, n, ARENA_ARRAY(ir_context_arena(c), n + 1, char), out);
  ir_slopes_release(&m);
}

const ir_expr *ir_entry_at(const ir_function *f, int row, int col)
{
  int low = 0;
  int high = f->n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const ir_entry *e = &f->entries[middle];
    int is_before = e->row < row || (e->row == row && e->col < col);
    low = is_before ? middle + 1 : low;
    high = is_before ? high : middle;
  }
  int found = low < f->n && f->entries[low].row == row && f->entries[low].col == col;
  return found ? f->entries[low].value : NULL;
}

ir_function ir_jacobian(ir_context *c, const ir_function *f, ir_space space, int n)
{
  arena *a = ir_context_arena(c);
  ir_slopes m = derivatives(c, space);
  ir_function result = {.rows = f->rows, .cols = n};
  size_t room = 0;
  char *reads = ARENA_ARRAY(a, n + 1, char);
  const ir_expr **row = ARENA_ARRAY(a, n + 1, const ir_expr *);
  for (int i = 0; i < f->n; i++) {
    slopes_of(&m, f->entries[i].value, n, reads, row);
    for (int j = 0; j < n; j++) {
      if (!ir_is_zero(row[j])) {
        result.entries =
            arena_grow(a, result.entries, (size_t)result.n, &room, sizeof *result.entries);
        result.entries[result.n++] = (ir_entry){f->entries[i].row, j, row[j]};
      }
    }
  }
  ir_slopes_release(&m);
  return result;
}

const ir_expr *ir_slope_along(ir_context *c, ir_space space, const ir_expr *const seed[],
                              const ir_expr *e)
{
  ir_slopes m = derivatives(c, space);
  m.index = -1;
  m.seed = seed;
  ir_slopes_begin(&m);
  const ir_expr *slope = ir_slope_of(&m, e);
  ir_slopes_release(&m);
  return slope;
}

ir_function ir_along(ir_context *c, const ir_function *f, int n, int first)
{
  arena *a = ir_context_arena(c);
  ir_function result = {f->rows, f->cols, 0, ARENA_ARRAY(a, f->n + 1, ir_entry)};
  const ir_expr **seed = ARENA_ARRAY(a, n + 1, const ir_expr *);
  for (int j = 0; j < n; j++) {
    seed[j] = ir_input(c, IR_LAMBDA, first + j);
  }
  for (int i = 0; i < f->n; i++) {
    const ir_entry *entry = &f->entries[i];
    const ir_expr *slope = ir_slope_along(c, IR_Z, seed, entry->value);
    if (!ir_is_zero(slope)) {
      result.entries[result.n++] = (ir_entry){entry->row, entry->col, slope};
    }
  }
  return result;
}

ir_function ir_vector(ir_context *c, int n, const ir_expr *const values[])
{
  ir_function f = {.rows = n, .n = n};
  f.entries = ARENA_ARRAY(ir_context_arena(c), n + 1, ir_entry);
  for (int i = 0; i < n; i++) {
    f.entries[i] = (ir_entry){i, 0, values[i]};
  }
  return f;
}

void ir_keep_lower(ir_function *f)
{
  int kept = 0;
  for (int e = 0; e < f->n; e++) {
    if (f->entries[e].col <= f->entries[e].row) {
      f->entries[kept++] = f->entries[e];
    }
  }
  f->n = kept;
}

ir_function ir_increment(ir_context *c, const ir_function *map)
{
  ir_function result = *map;
  result.entries = ARENA_ARRAY(ir_context_arena(c), map->n + 1, ir_entry);
  for (int i = 0; i < map->n; i++) {
    const ir_entry *e = &map->entries[i];
    result.entries[i] = (ir_entry){e->row, 0, ir_minus(c, e->value, ir_input(c, IR_Z, e->row))};
  }
  return result;
}

const ir_expr *ir_bracket(ir_context *c, int d, const ir_expr *const a_z[],
                          const ir_expr *const b_z[])
{
  const ir_expr **parts = ARENA_ARRAY(ir_context_arena(c), 2 * (size_t)d, const ir_expr *);
  for (int i = 0; i < d; i++) {
    parts[2 * i] = ir_times(c, a_z[i], b_z[d + i]);
    parts[2 * i + 1] = ir_negated(c, ir_times(c, a_z[d + i], b_z[i]));
  }
  return ir_add(c, 2 * d, parts);
}

/* 1 if e contains the node, or, for NULL, an entry of z. */
static int has_part(const ir_expr *e, const ir_expr *node, char *visited)
{
  if (visited[e->id]) {
    return 0; /* the first visit has searched this node */
  }
  visited[e->id] = 1;
  int found = node ? e == node : e->kind == IR_INPUT && e->space == IR_Z;
  for (int i = 0; i < e->n && !found; i++) {
    found = has_part(ir_operand(e, i), node, visited);
  }
  return found;
}

int ir_reads(const ir_context *c, const ir_expr *e, const ir_expr *node)
{
  char *visited = ir_zeros(ir_context_size(c), 1);
  int found = has_part(e, node, visited);
  free(visited);
  return found;
}

int ir_reads_state(const ir_context *c, const ir_expr *e)
{
  return ir_reads(c, e, NULL);
}
