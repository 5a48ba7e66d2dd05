/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * solve_conditions.c -- the normal form of conditions for solve.c: no `not`, one node for a chain
 * of `and` or `or`, and comparisons as affine forms if possible.
 */
#include "model/solve.h"

solve *solve_create(checker *c)
{
  solve *s = ARENA_NEW(c->memory, solve);
  s->c = c;
  return s;
}

int solve_variable_at(const solve *s, const model_binder *binder)
{
  int j = 0;
  while (j < s->n_variables && s->variables[j] != binder) {
    j++;
  }
  return j;
}

void solve_variable(solve *s, const model_binder *binder)
{
  if (solve_variable_at(s, binder) < s->n_variables) {
    return;
  }
  if (s->n_variables == SOLVE_VARIABLES) {
    s->too_large = 1;
    return;
  }
  s->variables[s->n_variables++] = binder;
}

/* ---- conditions ---- */

static void add_variables(solve *s, const model_index *index)
{
  s->parts++;
  if (index->kind == INDEX_VARIABLE) {
    solve_variable(s, index->binder);
  }
  if (index->a) {
    add_variables(s, index->a);
  }
  if (index->b) {
    add_variables(s, index->b);
  }
}

static int add_constant(solve_affine *f, long value, long factor)
{
  return !__builtin_mul_overflow(value, factor, &value) &&
         !__builtin_add_overflow(f->constant, value, &f->constant);
}

static int solve_conditions_add_term(solve_affine *f, int at, long factor)
{
  int j = 0;
  while (j < f->n && f->at[j] != at) {
    j++;
  }
  if (j == SOLVE_TERMS) {
    return 0;
  }
  if (j == f->n) {
    f->at[f->n] = at;
    f->factor[f->n++] = 0;
  }
  return !__builtin_add_overflow(f->factor[j], factor, &f->factor[j]);
}

/* f += factor * index; 0 if the index is not affine. */
static int solve_conditions_add_index(const solve *s, solve_affine *f, const model_index *index,
                                      long factor)
{
  long value = 0;
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    return add_constant(f, index->value, factor);
  case INDEX_SIZE:
    return add_constant(f, index->size->value, factor);
  case INDEX_VARIABLE:
    return solve_conditions_add_term(f, solve_variable_at(s, index->binder), factor);
  case INDEX_ADD:
    return solve_conditions_add_index(s, f, index->a, factor) &&
           solve_conditions_add_index(s, f, index->b, factor);
  case INDEX_SUB:
    return solve_conditions_add_index(s, f, index->a, factor) &&
           solve_conditions_add_index(s, f, index->b, -factor);
  case INDEX_NEG:
    return solve_conditions_add_index(s, f, index->a, -factor);
  case INDEX_MUL:
    if (reach_constant(index->a, &value)) {
      return !__builtin_mul_overflow(value, factor, &value) &&
             solve_conditions_add_index(s, f, index->b, value);
    }
    return reach_constant(index->b, &value) && !__builtin_mul_overflow(value, factor, &value) &&
           solve_conditions_add_index(s, f, index->a, value);
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
  case INDEX_ENTRY:
    break;
  }
  return 0;
}

static const solve_node *solve_conditions_comparison(solve *s, model_condition_kind kind,
                                                     const model_index *left,
                                                     const model_index *right)
{
  solve_node *x = ARENA_NEW(s->c->memory, solve_node);
  x->kind = kind;
  x->left = left;
  x->right = right;
  add_variables(s, left);
  add_variables(s, right);
  if (!s->too_large) {
    x->difference.exact = solve_conditions_add_index(s, &x->difference, left, 1) &&
                          solve_conditions_add_index(s, &x->difference, right, -1);
  }
  return x;
}

static int solve_conditions_count_parts(const model_condition *c, model_condition_kind kind)
{
  return c->kind == kind
             ? solve_conditions_count_parts(c->a, kind) + solve_conditions_count_parts(c->b, kind)
             : 1;
}

static const solve_node *node_of(solve *s, const model_condition *c, int holds);

static void solve_conditions_add_parts(solve *s, const model_condition *c,
                                       model_condition_kind kind, int holds, solve_node *to)
{
  if (c->kind == kind) {
    solve_conditions_add_parts(s, c->a, kind, holds, to);
    solve_conditions_add_parts(s, c->b, kind, holds, to);
  } else {
    to->parts[to->n++] = node_of(s, c, holds);
  }
}

/* The node of the condition, or of its negation if `holds` is 0. */
static const solve_node *node_of(solve *s, const model_condition *c, int holds)
{
  if (c->kind == CONDITION_NOT) {
    return node_of(s, c->a, !holds);
  }
  model_condition_kind kind = holds ? c->kind : model_condition_opposite(c->kind);
  if (c->left) {
    return solve_conditions_comparison(s, kind, c->left, c->right);
  }
  solve_node *x = ARENA_NEW(s->c->memory, solve_node);
  x->kind = kind;
  x->parts =
      ARENA_ARRAY(s->c->memory, solve_conditions_count_parts(c, c->kind), const solve_node *);
  solve_conditions_add_parts(s, c, c->kind, holds, x);
  return x;
}

static void require(solve *s, const solve_node *condition)
{
  solve_given *g = ARENA_NEW(s->c->memory, solve_given);
  g->condition = condition;
  g->next = s->given;
  s->given = g;
}

void solve_require(solve *s, const model_condition *condition, int holds)
{
  require(s, node_of(s, condition, holds));
}

void solve_require_outside(solve *s, const model_index *index, long first, long last)
{
  const span nowhere = {0, 0};
  solve_node *x = ARENA_NEW(s->c->memory, solve_node);
  x->kind = CONDITION_OR;
  x->n = 2;
  x->parts = ARENA_ARRAY(s->c->memory, 2, const solve_node *);
  x->parts[0] = solve_conditions_comparison(s, CONDITION_LT, index,
                                            indices_integer(s->c->memory, first, nowhere));
  x->parts[1] = solve_conditions_comparison(s, CONDITION_GT, index,
                                            indices_integer(s->c->memory, last, nowhere));
  require(s, x);
}
