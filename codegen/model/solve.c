/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * solve.c -- existence and number of integer points of a box that satisfy conditions.
 *
 * Comparisons of affine indices tighten the box until nothing changes.  If a condition is still
 * undecided, the box is split: an `or` into its parts, one after the other; otherwise the widest
 * variable of a comparison is halved.  The cost does not depend on the size of a set if the bounds
 * decide; the cost of an `or` is the sum of the costs of its parts.
 */
#include "model/solve.h"

enum { MAX_SPLITS = 2000 };

enum { FAILS = 0, HOLDS = 1, OPEN = -1 };

typedef struct box {
  long lower[SOLVE_VARIABLES];
  long upper[SOLVE_VARIABLES];
} box;

/* ---- truth of conditions in a box ---- */

typedef struct within {
  const solve *s;
  const box *b;
} within;

static reach_interval variable_interval(const void *context, const model_binder *binder)
{
  const within *in = context;
  int j = solve_variable_at(in->s, binder);
  return (reach_interval){in->b->lower[j], in->b->upper[j], 1};
}

static reach_interval index_interval(const solve *s, const box *b, const model_index *index)
{
  const within in = {s, b};
  return reach_interval_of(index, variable_interval, &in);
}

/* The contribution of term j to the minimum (direction 1) or maximum (direction -1) of a form. */
static int extreme_part(const solve_affine *f, const box *b, int j, int direction, long *part)
{
  int at_lower = (f->factor[j] > 0) == (direction > 0);
  long at = at_lower ? b->lower[f->at[j]] : b->upper[f->at[j]];
  return !__builtin_mul_overflow(f->factor[j], at, part);
}

static int solve_extreme(const solve_affine *f, const box *b, int direction, long *value)
{
  *value = f->constant;
  for (int j = 0; j < f->n; j++) {
    long part = 0;
    if (!extreme_part(f, b, j, direction, &part) || __builtin_add_overflow(*value, part, value)) {
      return 0;
    }
  }
  return 1;
}

static int compare_interval(model_condition_kind kind, long least, long most)
{
  switch (kind) {
  case CONDITION_EQ:
    return least > 0 || most < 0 ? FAILS : least == 0 && most == 0 ? HOLDS : OPEN;
  case CONDITION_NE:
    return least > 0 || most < 0 ? HOLDS : least == 0 && most == 0 ? FAILS : OPEN;
  case CONDITION_LT:
    return most < 0 ? HOLDS : least >= 0 ? FAILS : OPEN;
  case CONDITION_LE:
    return most <= 0 ? HOLDS : least > 0 ? FAILS : OPEN;
  case CONDITION_GT:
    return least > 0 ? HOLDS : most <= 0 ? FAILS : OPEN;
  default:
    return least >= 0 ? HOLDS : most < 0 ? FAILS : OPEN;
  }
}

static int truth(const solve *s, const box *b, const solve_node *x)
{
  if (x->parts) {
    int decisive = x->kind == CONDITION_AND ? FAILS : HOLDS;
    int result = !decisive;
    for (int i = 0; i < x->n; i++) {
      int part = truth(s, b, x->parts[i]);
      if (part == decisive) {
        return decisive;
      }
      result = part == OPEN ? OPEN : result;
    }
    return result;
  }
  long least = 0;
  long most = 0;
  if (x->difference.exact && solve_extreme(&x->difference, b, 1, &least) &&
      solve_extreme(&x->difference, b, -1, &most)) {
    return compare_interval(x->kind, least, most);
  }
  reach_interval left = index_interval(s, b, x->left);
  reach_interval right = index_interval(s, b, x->right);
  if (!left.good || !right.good) {
    return OPEN;
  }
  return compare_interval(x->kind, left.lower - right.upper, left.upper - right.lower);
}

/* ---- tightening ---- */

static long floor_divided(long a, long b)
{
  long quotient = a / b;
  return quotient * b > a || (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

/* Tightens the box by f <= 0 (sign 1) or f >= 0 (sign -1), with f shifted by `shift`.  Returns 1
 * if the box became smaller. */
static int tighten_below(const solve_affine *f, box *b, int sign, long shift)
{
  long least = 0;
  int changed = 0;
  if (!solve_extreme(f, b, sign, &least)) {
    return 0;
  }
  least = sign * least + shift;
  for (int j = 0; j < f->n; j++) {
    long own = 0;
    long factor = sign * f->factor[j];
    if (factor == 0 || !extreme_part(f, b, j, sign, &own)) {
      continue;
    }
    long room = sign * own - least; /* factor * x is at most this */
    long *lower = &b->lower[f->at[j]];
    long *upper = &b->upper[f->at[j]];
    if (factor > 0 && floor_divided(room, factor) < *upper) {
      *upper = floor_divided(room, factor);
      changed = 1;
    } else if (factor < 0 && -floor_divided(room, -factor) > *lower) {
      *lower = -floor_divided(room, -factor);
      changed = 1;
    }
  }
  return changed;
}

/* Tightens the box by f != 0 if only one variable is undetermined: removes an end point at which
 * f = 0. */
static int tighten_apart(const solve_affine *f, box *b)
{
  int open = -1;
  long rest = f->constant;
  for (int j = 0; j < f->n; j++) {
    int at = f->at[j];
    if (b->lower[at] == b->upper[at]) {
      rest += f->factor[j] * b->lower[at];
    } else if (open >= 0 || f->factor[j] == 0) {
      return 0;
    } else {
      open = j;
    }
  }
  if (open < 0 || rest % f->factor[open] != 0) {
    return 0;
  }
  long excluded = -rest / f->factor[open];
  long *lower = &b->lower[f->at[open]];
  long *upper = &b->upper[f->at[open]];
  int at_end = excluded == *lower || excluded == *upper;
  *lower += excluded == *lower;
  *upper -= excluded == *upper;
  return at_end;
}

/* Tightens the box by a condition that must hold.  Returns 1 if the box became smaller. */
static int solve_tighten(const solve *s, box *b, const solve_node *x)
{
  int changed = 0;
  if (x->kind == CONDITION_AND) {
    for (int i = 0; i < x->n; i++) {
      changed |= solve_tighten(s, b, x->parts[i]);
    }
    return changed;
  }
  if (x->kind == CONDITION_OR) {
    const solve_node *alive = NULL;
    for (int i = 0; i < x->n; i++) {
      if (truth(s, b, x->parts[i]) == FAILS) {
        continue;
      }
      if (alive) {
        return 0;
      }
      alive = x->parts[i];
    }
    return alive ? solve_tighten(s, b, alive) : 0;
  }
  if (!x->difference.exact) {
    return 0;
  }
  int strict = x->kind == CONDITION_LT || x->kind == CONDITION_GT;
  if (x->kind == CONDITION_LT || x->kind == CONDITION_LE || x->kind == CONDITION_EQ) {
    changed |= tighten_below(&x->difference, b, 1, strict);
  }
  if (x->kind == CONDITION_GT || x->kind == CONDITION_GE || x->kind == CONDITION_EQ) {
    changed |= tighten_below(&x->difference, b, -1, strict);
  }
  return x->kind == CONDITION_NE ? tighten_apart(&x->difference, b) : changed;
}

static int solve_is_empty(const solve *s, const box *b)
{
  for (int j = 0; j < s->n_variables; j++) {
    if (b->lower[j] > b->upper[j]) {
      return 1;
    }
  }
  return 0;
}

static int affordable(solve *s)
{
  s->sweeps++;
  s->c->rounds_left -= s->parts + 1;
  return s->sweeps <= MODEL_MAX_ROUNDS && s->c->rounds_left >= 0;
}

/* Tightens the box by all conditions.  Returns HOLDS or FAILS if they are decided in the whole
 * box.  Returns OPEN with the first undecided condition in *x, or with NULL if the budget is
 * exhausted. */
static int solve_settle(solve *s, box *b, const solve_given *all, const solve_node **x)
{
  int changed = 1;
  *x = NULL;
  while (changed) {
    changed = 0;
    if (!affordable(s)) {
      return OPEN;
    }
    for (const solve_given *g = all; g; g = g->next) {
      changed |= solve_tighten(s, b, g->condition);
      if (solve_is_empty(s, b) || truth(s, b, g->condition) == FAILS) {
        return FAILS;
      }
    }
  }
  for (const solve_given *g = all; g; g = g->next) {
    if (truth(s, b, g->condition) == OPEN) {
      *x = g->condition;
      return OPEN;
    }
  }
  return HOLDS;
}

/* ---- splitting ---- */

/* An undecided comparison inside x; an undecided `or` as well if or_too is 1. */
static const solve_node *open_part(const solve *s, const box *b, const solve_node *x, int or_too)
{
  while (x->parts && !(or_too && x->kind == CONDITION_OR)) {
    int i = 0;
    while (truth(s, b, x->parts[i]) != OPEN) {
      i++;
    }
    x = x->parts[i];
  }
  return x;
}

static void find_widest(const solve *s, const box *b, const model_index *index, int *widest)
{
  if (index->kind == INDEX_VARIABLE) {
    int j = solve_variable_at(s, index->binder);
    if (*widest < 0 || b->upper[j] - b->lower[j] > b->upper[*widest] - b->lower[*widest]) {
      *widest = j;
    }
  }
  if (index->a) {
    find_widest(s, b, index->a, widest);
  }
  if (index->b) {
    find_widest(s, b, index->b, widest);
  }
}

/* The variable to halve for the undecided condition x; -1 if there is none. */
static int widest_of(const solve *s, const box *b, const solve_node *x)
{
  int widest = -1;
  x = open_part(s, b, x, 0);
  find_widest(s, b, x->left, &widest);
  find_widest(s, b, x->right, &widest);
  return widest >= 0 && b->lower[widest] < b->upper[widest] ? widest : -1;
}

static long middle_of(const box *b, int j)
{
  return b->lower[j] + (b->upper[j] - b->lower[j]) / 2;
}

static int find_point(solve *s, const box *outer, const solve_given *all, int splits)
{
  box b = *outer;
  const solve_node *x = NULL;
  int state = solve_settle(s, &b, all, &x);
  if (state == HOLDS) {
    for (int j = 0; j < s->n_variables; j++) {
      s->c->environment[s->variables[j]->slot] = b.lower[j];
    }
  }
  if (state != OPEN) {
    return state;
  }
  if (!x || splits == MAX_SPLITS) {
    return OPEN;
  }
  const solve_node *part = open_part(s, &b, x, 1);
  if (part->kind == CONDITION_OR) {
    for (int i = 0; i < part->n; i++) {
      const solve_given more = {part->parts[i], all};
      int found = find_point(s, &b, &more, splits + 1);
      if (found != FAILS) {
        return found;
      }
    }
    return FAILS;
  }
  int j = widest_of(s, &b, part);
  if (j < 0) {
    return OPEN;
  }
  box half = b;
  half.upper[j] = middle_of(&b, j);
  int found = find_point(s, &half, all, splits + 1);
  if (found != FAILS) {
    return found;
  }
  half = b;
  half.lower[j] = middle_of(&b, j) + 1;
  return find_point(s, &half, all, splits + 1);
}

/* The product or the sum, saturated at MODEL_MAX_INSTANCES + 1. */
static long at_most(long a, long b, int is_product)
{
  long result = 0;
  int overflows =
      is_product ? __builtin_mul_overflow(a, b, &result) : __builtin_add_overflow(a, b, &result);
  return overflows || result > MODEL_MAX_INSTANCES ? MODEL_MAX_INSTANCES + 1 : result;
}

static long count_points(solve *s, const box *outer, int splits)
{
  box b = *outer;
  const solve_node *x = NULL;
  int state = solve_settle(s, &b, s->given, &x);
  if (state == HOLDS) {
    long n = 1;
    for (int j = 0; j < s->n_variables; j++) {
      n = at_most(n, b.upper[j] - b.lower[j] + 1, 1);
    }
    return n;
  }
  if (state == FAILS || !x || splits == MAX_SPLITS) {
    return state == FAILS ? 0 : -1;
  }
  int j = widest_of(s, &b, x);
  if (j < 0) {
    return -1;
  }
  box half = b;
  half.upper[j] = middle_of(&b, j);
  long n = count_points(s, &half, splits + 1);
  half = b;
  half.lower[j] = middle_of(&b, j) + 1;
  long more = n < 0 ? -1 : count_points(s, &half, splits + 1);
  return more < 0 ? -1 : at_most(n, more, 0);
}

/* Sets the box to all values of the variables.  Returns 0 if the box is empty. */
static int whole_box(const solve *s, box *b)
{
  for (int j = 0; j < s->n_variables; j++) {
    const model_set *set = s->variables[j]->set;
    b->lower[j] = set->first;
    b->upper[j] = set->first + set->count - 1;
  }
  return !solve_is_empty(s, b);
}

int solve_point(solve *s)
{
  box b;
  if (s->too_large) {
    return OPEN;
  }
  return whole_box(s, &b) ? find_point(s, &b, s->given, 0) : FAILS;
}

long solve_count(solve *s)
{
  box b;
  if (s->too_large) {
    return -1;
  }
  return whole_box(s, &b) ? count_points(s, &b, 0) : 0;
}
