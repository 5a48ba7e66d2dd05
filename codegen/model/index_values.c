/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_values.c -- the values of indices: their bounds, and the existence and number of integer
 * points of a box that satisfy conditions.
 *
 * Comparisons of affine indices tighten the box until nothing changes.  If a condition is still
 * undecided, the box is split: an `or` into its parts, one after the other; otherwise the widest
 * variable of a comparison is halved.  The cost does not depend on the size of a set if the bounds
 * decide; the cost of an `or` is the sum of the costs of its parts.
 */
#include "model/index_values.h"

#include "model/index_form.h"

enum { SOLVE_VARIABLES = 64 };

/* left - right at the present sizes.  It is linear only if all its terms are variables. */
typedef struct solve_affine {
  index_form form;
  int at[INDEX_TERMS]; /* numbers of the variables */
} solve_affine;

/* A condition without `not`: a comparison of left - right with 0, or the conjunction or
 * disjunction of its parts. */
typedef struct solve_node {
  model_condition_kind kind;
  const model_index *left;
  const model_index *right;
  solve_affine difference;
  int n;
  const struct solve_node **parts;
} solve_node;

struct solve {
  checker *c;
  int n_variables;
  const model_binder *variables[SOLVE_VARIABLES];
  const struct solve_given *given;
  long parts; /* size of all conditions: the cost of one sweep */
  long sweeps;
  int too_large; /* 1 if there are more than SOLVE_VARIABLES variables */
};

/* A list of required conditions. */
typedef struct solve_given {
  const solve_node *condition;
  const struct solve_given *next;
} solve_given;

typedef struct box {
  long lower[SOLVE_VARIABLES];
  long upper[SOLVE_VARIABLES];
} box;

/* Number of a variable; n_variables if it is unknown. */
static int solve_variable_at(const solve *s, const model_binder *binder)
{
  int j = 0;
  while (j < s->n_variables && s->variables[j] != binder) {
    j++;
  }
  return j;
}

/* ---- interval bounds of index expressions ---- */

static reach_interval interval_product(reach_interval a, reach_interval b)
{
  reach_interval result = {0, 0, a.good && b.good};
  const long x[2] = {a.lower, a.upper};
  const long y[2] = {b.lower, b.upper};
  for (int i = 0; i < 4; i++) {
    long value = 0;
    if (__builtin_mul_overflow(x[i / 2], y[i % 2], &value)) {
      result.good = 0;
    }
    result.lower = i == 0 || value < result.lower ? value : result.lower;
    result.upper = i == 0 || value > result.upper ? value : result.upper;
  }
  return result;
}

static long smaller(long x, long y)
{
  return x < y ? x : y;
}

static long interval_larger(long x, long y)
{
  return x > y ? x : y;
}

/* The divisor is assumed to be positive; check_divisor (index_checks.c) verifies this. */
static reach_interval remainder_of(reach_interval a, reach_interval b)
{
  if (a.lower >= 0 && a.upper < b.lower) {
    return a;
  }
  if (a.lower == a.upper && b.lower == b.upper) {
    long value = model_index_modulo(a.lower, b.lower);
    return (reach_interval){value, value, 1};
  }
  return (reach_interval){0, interval_larger(b.upper - 1, 0), 1};
}

static reach_interval interval_operation(const model_index *index, reach_interval a,
                                         reach_interval b)
{
  switch (index->kind) {
  case INDEX_ADD:
    return (reach_interval){a.lower + b.lower, a.upper + b.upper, 1};
  case INDEX_SUB:
    return (reach_interval){a.lower - b.upper, a.upper - b.lower, 1};
  case INDEX_MUL:
    return interval_product(a, b);
  case INDEX_MOD:
    return remainder_of(a, b);
  case INDEX_MIN:
    return (reach_interval){smaller(a.lower, b.lower), smaller(a.upper, b.upper), 1};
  case INDEX_MAX:
    return (reach_interval){interval_larger(a.lower, b.lower), interval_larger(a.upper, b.upper),
                            1};
  default:
    return (reach_interval){-a.upper, -a.lower, 1};
  }
}

/* Bounds of an entry: the sample's value if the index is known, else all of the target set. */
static reach_interval interval_entry(const model_indices *indices, reach_interval place)
{
  const model_set *target = indices->target;
  if (place.good && place.lower == place.upper) {
    long value =
        model_sample(indices, place.lower - indices->set->first, target->first, target->count);
    return (reach_interval){value, value, 1};
  }
  return (reach_interval){target->first, target->first + target->count - 1, place.good};
}

/* Bounds of an index in a box, or in the sets of its variables if s is NULL.  Parts beyond the
 * limit become 0 with good = 0, so sums of two parts cannot overflow. */
static reach_interval interval_of(const model_index *index, const solve *s, const box *in)
{
  const reach_interval none = {0, 0, 1};
  reach_interval a = index->a ? interval_of(index->a, s, in) : none;
  reach_interval b = index->b ? interval_of(index->b, s, in) : none;
  reach_interval result = {index->value, index->value, 1};
  if (index->kind == INDEX_SIZE) {
    result.lower = result.upper = index->size->value;
  } else if (index->kind == INDEX_VARIABLE && s) {
    int j = solve_variable_at(s, index->binder);
    result = (reach_interval){in->lower[j], in->upper[j], 1};
  } else if (index->kind == INDEX_VARIABLE) {
    const model_set *set = index->binder->set;
    result = (reach_interval){set->first, set->first + set->count - 1, 1};
  } else if (index->kind == INDEX_ENTRY) {
    result = interval_entry(index->indices, a);
  } else if (index->a) {
    result = interval_operation(index, a, b);
    result.good = result.good && a.good && b.good;
  }
  if (result.lower < -MODEL_MAX_INDEX || result.upper > MODEL_MAX_INDEX) {
    result.good = 0;
  }
  if (!result.good) {
    result.lower = result.upper = 0;
  }
  return result;
}

reach_interval reach_hull(const model_index *index)
{
  return interval_of(index, NULL, NULL);
}

int reach_constant(const model_index *index, long *value)
{
  reach_interval i = {0, 0, 0};
  if (!model_index_has(index, INDEX_VARIABLE)) {
    i = reach_hull(index);
  }
  *value = i.lower;
  return i.good && i.lower == i.upper;
}

/* ---- conditions in normal form ----
 *
 * There is no `not`, one node for a chain of `and` or `or`, and comparisons are affine forms if
 * possible. */

solve *solve_create(checker *c)
{
  solve *s = ARENA_NEW(c->memory, solve);
  s->c = c;
  return s;
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

static const solve_node *solve_comparison(solve *s, model_condition_kind kind,
                                          const model_index *left, const model_index *right)
{
  solve_node *x = ARENA_NEW(s->c->memory, solve_node);
  x->kind = kind;
  x->left = left;
  x->right = right;
  add_variables(s, left);
  add_variables(s, right);
  index_form subtrahend = index_form_at_sizes(right);
  index_form *form = &x->difference.form;
  *form = index_form_at_sizes(left);
  *form = index_form_add(form, &subtrahend, -1);
  for (int j = 0; j < form->n; j++) {
    x->difference.at[j] = solve_variable_at(s, form->terms[j].of->binder);
    form->linear = form->linear && form->terms[j].of->kind == INDEX_VARIABLE && !s->too_large;
  }
  return x;
}

static int solve_count_parts(const model_condition *c, model_condition_kind kind)
{
  return c->kind == kind ? solve_count_parts(c->a, kind) + solve_count_parts(c->b, kind) : 1;
}

static const solve_node *node_of(solve *s, const model_condition *c, int holds);

static void solve_add_parts(solve *s, const model_condition *c, model_condition_kind kind,
                            int holds, solve_node *to)
{
  if (c->kind == kind) {
    solve_add_parts(s, c->a, kind, holds, to);
    solve_add_parts(s, c->b, kind, holds, to);
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
    return solve_comparison(s, kind, c->left, c->right);
  }
  solve_node *x = ARENA_NEW(s->c->memory, solve_node);
  x->kind = kind;
  x->parts = ARENA_ARRAY(s->c->memory, solve_count_parts(c, c->kind), const solve_node *);
  solve_add_parts(s, c, c->kind, holds, x);
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
  x->parts[0] =
      solve_comparison(s, CONDITION_LT, index, indices_integer(s->c->memory, first, nowhere));
  x->parts[1] =
      solve_comparison(s, CONDITION_GT, index, indices_integer(s->c->memory, last, nowhere));
  require(s, x);
}

enum { MAX_SPLITS = 2000 };

enum { FAILS = 0, HOLDS = 1, OPEN = -1 };

/* ---- truth of conditions in a box ---- */

/* The contribution of term j to the minimum (direction 1) or maximum (direction -1) of a form. */
static int extreme_part(const solve_affine *f, const box *b, int j, int direction, long *part)
{
  int at_lower = (f->form.terms[j].factor > 0) == (direction > 0);
  long at = at_lower ? b->lower[f->at[j]] : b->upper[f->at[j]];
  return !__builtin_mul_overflow(f->form.terms[j].factor, at, part);
}

static int solve_extreme(const solve_affine *f, const box *b, int direction, long *value)
{
  *value = f->form.constant;
  for (int j = 0; j < f->form.n; j++) {
    long part = 0;
    if (!extreme_part(f, b, j, direction, &part) || __builtin_add_overflow(*value, part, value)) {
      return 0;
    }
  }
  return 1;
}

static int compare_interval(model_condition_kind kind, long least, long most)
{
  int at_least = model_condition_holds(kind, least);
  if (kind == CONDITION_EQ || kind == CONDITION_NE) {
    int is_zero_outside = least > 0 || most < 0;
    return is_zero_outside || least == most ? at_least : OPEN;
  }
  return at_least == model_condition_holds(kind, most) ? at_least : OPEN;
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
  if (x->difference.form.linear && solve_extreme(&x->difference, b, 1, &least) &&
      solve_extreme(&x->difference, b, -1, &most)) {
    return compare_interval(x->kind, least, most);
  }
  reach_interval left = interval_of(x->left, s, b);
  reach_interval right = interval_of(x->right, s, b);
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
  for (int j = 0; j < f->form.n; j++) {
    long own = 0;
    long factor = sign * f->form.terms[j].factor;
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
  long rest = f->form.constant;
  for (int j = 0; j < f->form.n; j++) {
    int at = f->at[j];
    if (b->lower[at] == b->upper[at]) {
      rest += f->form.terms[j].factor * b->lower[at];
    } else if (open >= 0 || f->form.terms[j].factor == 0) {
      return 0;
    } else {
      open = j;
    }
  }
  if (open < 0 || rest % f->form.terms[open].factor != 0) {
    return 0;
  }
  long excluded = -rest / f->form.terms[open].factor;
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
  if (!x->difference.form.linear) {
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

/* Tightens the box by all conditions.  Returns HOLDS or FAILS if they are decided in the whole
 * box.  Returns OPEN with the first undecided condition in *x, or with NULL if the budget is
 * exhausted. */
static int solve_settle(solve *s, box *b, const solve_given *all, const solve_node **x)
{
  int changed = 1;
  *x = NULL;
  while (changed) {
    changed = 0;
    s->sweeps++;
    s->c->rounds_left -= s->parts + 1;
    if (s->sweeps > MODEL_MAX_ROUNDS || s->c->rounds_left < 0) {
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
