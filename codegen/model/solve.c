/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * solve.c -- integer points of a box that satisfy conditions: is there one, and how many are there?
 *
 * Comparisons of affine indices tighten the box until nothing changes.  What is then still open is split: an
 * `or` into its parts, one after the other, and else the widest variable of a comparison into halves.  So
 * sets of any size cost the same where the bounds decide, and an `or` costs what its parts do.
 */
#include "model/checker.h"

enum { MAX_VARIABLES = 64, MAX_TERMS = 16, MAX_SPLITS = 2000 };

enum { FAILS = 0, HOLDS = 1, OPEN = -1 };

typedef struct box {
  long lower[MAX_VARIABLES];
  long upper[MAX_VARIABLES];
} box;

/* left - right as constant + sum of factor * variable. */
typedef struct affine {
  int exact; /* 0: it is no such form */
  long constant;
  int n;
  int at[MAX_TERMS];
  long factor[MAX_TERMS];
} affine;

/* A condition without `not`: a comparison of left - right with 0, or all or some of its parts. */
typedef struct node {
  model_condition_kind kind;
  const model_index *left;
  const model_index *right;
  affine difference;
  int n;
  const struct node **parts;
} node;

struct solve {
  checker *c;
  int n_variables;
  const model_binder *variables[MAX_VARIABLES];
  int n_replaced; /* binders of a family, in whose place indices stand */
  const model_binder *const *replaced;
  const model_index *const *by;
  const struct given *given;
  long parts; /* of all conditions: what one round costs */
  long rounds;
  int too_large; /* more variables than there is room for */
};

/* What has to hold. */
typedef struct given {
  const node *condition;
  const struct given *next;
} given;

solve *solve_create(checker *c)
{
  solve *s = ARENA_NEW(c->memory, solve);
  s->c = c;
  return s;
}

void solve_replace(solve *s, int n, const model_binder *const binders[],
                   const model_index *const by[])
{
  s->n_replaced = n;
  s->replaced = binders;
  s->by = by;
}

static const model_index *replaced(const solve *s, const model_index *index)
{
  for (int j = 0; index->kind == INDEX_VARIABLE && j < s->n_replaced; j++) {
    if (s->replaced[j] == index->binder) {
      return s->by[j];
    }
  }
  return index;
}

static int variable_at(const solve *s, const model_binder *binder)
{
  int j = 0;
  while (j < s->n_variables && s->variables[j] != binder) {
    j++;
  }
  return j;
}

void solve_variable(solve *s, const model_binder *binder)
{
  if (variable_at(s, binder) < s->n_variables) {
    return;
  }
  if (s->n_variables == MAX_VARIABLES) {
    s->too_large = 1;
    return;
  }
  s->variables[s->n_variables++] = binder;
}

/* ---- conditions ---- */

static void add_variables(solve *s, const model_index *written)
{
  const model_index *index = replaced(s, written);
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

static int add_constant(affine *f, long value, long factor)
{
  return !__builtin_mul_overflow(value, factor, &value) &&
         !__builtin_add_overflow(f->constant, value, &f->constant);
}

static int add_term(affine *f, int at, long factor)
{
  int j = 0;
  while (j < f->n && f->at[j] != at) {
    j++;
  }
  if (j == MAX_TERMS) {
    return 0;
  }
  if (j == f->n) {
    f->at[f->n] = at;
    f->factor[f->n++] = 0;
  }
  return !__builtin_add_overflow(f->factor[j], factor, &f->factor[j]);
}

/* f += factor * index; 0 where that is not affine. */
static int add_index(const solve *s, affine *f, const model_index *written, long factor)
{
  const model_index *index = replaced(s, written);
  long value = 0;
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    return add_constant(f, index->value, factor);
  case INDEX_SIZE:
    return add_constant(f, index->size->value, factor);
  case INDEX_VARIABLE:
    return add_term(f, variable_at(s, index->binder), factor);
  case INDEX_ADD:
    return add_index(s, f, index->a, factor) && add_index(s, f, index->b, factor);
  case INDEX_SUB:
    return add_index(s, f, index->a, factor) && add_index(s, f, index->b, -factor);
  case INDEX_NEG:
    return add_index(s, f, index->a, -factor);
  case INDEX_MUL:
    if (reach_constant(replaced(s, index->a), &value)) {
      return !__builtin_mul_overflow(value, factor, &value) && add_index(s, f, index->b, value);
    }
    return reach_constant(replaced(s, index->b), &value) &&
           !__builtin_mul_overflow(value, factor, &value) && add_index(s, f, index->a, value);
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
    break;
  }
  return 0;
}

static const node *comparison(solve *s, model_condition_kind kind, const model_index *left,
                              const model_index *right)
{
  node *x = ARENA_NEW(s->c->memory, node);
  x->kind = kind;
  x->left = left;
  x->right = right;
  add_variables(s, left);
  add_variables(s, right);
  if (!s->too_large) {
    x->difference.exact =
        add_index(s, &x->difference, left, 1) && add_index(s, &x->difference, right, -1);
  }
  return x;
}

static int count_parts(const model_condition *c, model_condition_kind kind)
{
  return c->kind == kind ? count_parts(c->a, kind) + count_parts(c->b, kind) : 1;
}

static const node *node_of(solve *s, const model_condition *c, int holds);

static void add_parts(solve *s, const model_condition *c, model_condition_kind kind, int holds,
                      node *to)
{
  if (c->kind == kind) {
    add_parts(s, c->a, kind, holds, to);
    add_parts(s, c->b, kind, holds, to);
  } else {
    to->parts[to->n++] = node_of(s, c, holds);
  }
}

/* The condition, or its opposite. */
static const node *node_of(solve *s, const model_condition *c, int holds)
{
  static const model_condition_kind opposite[] = {
      [CONDITION_EQ] = CONDITION_NE, [CONDITION_NE] = CONDITION_EQ, [CONDITION_LT] = CONDITION_GE,
      [CONDITION_LE] = CONDITION_GT, [CONDITION_GT] = CONDITION_LE, [CONDITION_GE] = CONDITION_LT,
      [CONDITION_AND] = CONDITION_OR, [CONDITION_OR] = CONDITION_AND};
  if (c->kind == CONDITION_NOT) {
    return node_of(s, c->a, !holds);
  }
  model_condition_kind kind = holds ? c->kind : opposite[c->kind];
  if (c->left) {
    return comparison(s, kind, c->left, c->right);
  }
  node *x = ARENA_NEW(s->c->memory, node);
  x->kind = kind;
  x->parts = ARENA_ARRAY(s->c->memory, count_parts(c, c->kind), const node *);
  add_parts(s, c, c->kind, holds, x);
  return x;
}

static void require(solve *s, const node *condition)
{
  given *g = ARENA_NEW(s->c->memory, given);
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
  model_index *ends = ARENA_ARRAY(s->c->memory, 2, model_index);
  ends[0] = (model_index){.kind = INDEX_INTEGER, .value = first};
  ends[1] = (model_index){.kind = INDEX_INTEGER, .value = last};
  node *x = ARENA_NEW(s->c->memory, node);
  x->kind = CONDITION_OR;
  x->n = 2;
  x->parts = ARENA_ARRAY(s->c->memory, 2, const node *);
  x->parts[0] = comparison(s, CONDITION_LT, index, &ends[0]);
  x->parts[1] = comparison(s, CONDITION_GT, index, &ends[1]);
  require(s, x);
}

/* ---- what is known in a box ---- */

typedef struct within {
  const solve *s;
  const box *b;
} within;

static reach_interval index_interval(const solve *s, const box *b, const model_index *index);

static reach_interval variable_interval(const void *context, const model_binder *binder)
{
  const within *in = context;
  for (int j = 0; j < in->s->n_replaced; j++) {
    if (in->s->replaced[j] == binder) {
      return index_interval(in->s, in->b, in->s->by[j]);
    }
  }
  int j = variable_at(in->s, binder);
  return (reach_interval){in->b->lower[j], in->b->upper[j], 1};
}

static reach_interval index_interval(const solve *s, const box *b, const model_index *index)
{
  const within in = {s, b};
  return reach_interval_of(index, variable_interval, &in);
}

/* A term's part in the least (direction 1) or largest (-1) value of a form. */
static int extreme_part(const affine *f, const box *b, int j, int direction, long *part)
{
  int at_lower = (f->factor[j] > 0) == (direction > 0);
  long at = at_lower ? b->lower[f->at[j]] : b->upper[f->at[j]];
  return !__builtin_mul_overflow(f->factor[j], at, part);
}

static int extreme(const affine *f, const box *b, int direction, long *value)
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

static int truth(const solve *s, const box *b, const node *x)
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
  if (x->difference.exact && extreme(&x->difference, b, 1, &least) &&
      extreme(&x->difference, b, -1, &most)) {
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

/* Where f <= 0 (sign 1) or f >= 0 (sign -1), f shifted by `shift`; 1 where the box became smaller. */
static int tighten_below(const affine *f, box *b, int sign, long shift)
{
  long least = 0;
  int changed = 0;
  if (!extreme(f, b, sign, &least)) {
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

/* Where f != 0 and one variable alone is not known: it is not at an end where f = 0. */
static int tighten_apart(const affine *f, box *b)
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

/* Where the condition holds. */
static int tighten(const solve *s, box *b, const node *x)
{
  int changed = 0;
  if (x->kind == CONDITION_AND) {
    for (int i = 0; i < x->n; i++) {
      changed |= tighten(s, b, x->parts[i]);
    }
    return changed;
  }
  if (x->kind == CONDITION_OR) {
    const node *alive = NULL;
    for (int i = 0; i < x->n; i++) {
      if (truth(s, b, x->parts[i]) == FAILS) {
        continue;
      }
      if (alive) {
        return 0;
      }
      alive = x->parts[i];
    }
    return alive ? tighten(s, b, alive) : 0;
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

static int is_empty(const solve *s, const box *b)
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
  s->rounds++;
  s->c->rounds_left -= s->parts + 1;
  return s->rounds <= MODEL_MAX_ROUNDS && s->c->rounds_left >= 0;
}

/* Tightens all; HOLDS or FAILS where that decides the whole box, OPEN with the first open condition in *x,
 * and OPEN with NULL where it was too much work. */
static int settle(solve *s, box *b, const given *all, const node **x)
{
  int changed = 1;
  *x = NULL;
  while (changed) {
    changed = 0;
    if (!affordable(s)) {
      return OPEN;
    }
    for (const given *g = all; g; g = g->next) {
      changed |= tighten(s, b, g->condition);
      if (is_empty(s, b) || truth(s, b, g->condition) == FAILS) {
        return FAILS;
      }
    }
  }
  for (const given *g = all; g; g = g->next) {
    if (truth(s, b, g->condition) == OPEN) {
      *x = g->condition;
      return OPEN;
    }
  }
  return HOLDS;
}

/* ---- splitting ---- */

/* An open `or` within x, or an open comparison. */
static const node *open_part(const solve *s, const box *b, const node *x)
{
  while (x->kind == CONDITION_AND) {
    int i = 0;
    while (truth(s, b, x->parts[i]) != OPEN) {
      i++;
    }
    x = x->parts[i];
  }
  return x;
}

static void find_widest(const solve *s, const box *b, const model_index *written, int *widest)
{
  const model_index *index = replaced(s, written);
  if (index->kind == INDEX_VARIABLE) {
    int j = variable_at(s, index->binder);
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

/* The variable to be halved for x, an open condition; -1 where there is none. */
static int widest_of(const solve *s, const box *b, const node *x)
{
  int widest = -1;
  while (x->parts) {
    int i = 0;
    while (truth(s, b, x->parts[i]) != OPEN) {
      i++;
    }
    x = x->parts[i];
  }
  find_widest(s, b, x->left, &widest);
  find_widest(s, b, x->right, &widest);
  return widest >= 0 && b->lower[widest] < b->upper[widest] ? widest : -1;
}

static long middle_of(const box *b, int j)
{
  return b->lower[j] + (b->upper[j] - b->lower[j]) / 2;
}

static int find_point(solve *s, const box *outer, const given *all, int splits)
{
  box b = *outer;
  const node *x = NULL;
  int state = settle(s, &b, all, &x);
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
  const node *part = open_part(s, &b, x);
  if (part->kind == CONDITION_OR) {
    for (int i = 0; i < part->n; i++) {
      const given more = {part->parts[i], all};
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

static long count_points(solve *s, const box *outer, int splits)
{
  box b = *outer;
  const node *x = NULL;
  int state = settle(s, &b, s->given, &x);
  if (state == HOLDS) {
    long n = 1;
    for (int j = 0; j < s->n_variables; j++) {
      n *= b.upper[j] - b.lower[j] + 1;
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
  return more < 0 ? -1 : n + more;
}

/* All values of the variables; 0 where there is none. */
static int whole_box(const solve *s, box *b)
{
  for (int j = 0; j < s->n_variables; j++) {
    const model_set *set = s->variables[j]->set;
    b->lower[j] = set->first;
    b->upper[j] = set->first + set->count - 1;
  }
  return !is_empty(s, b);
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
