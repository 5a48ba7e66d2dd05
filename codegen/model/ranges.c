/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.c -- every index of a formula lies in its range, at the present sizes.
 *
 * A let's body can only be judged where the let is called: the walk follows calls, with the call's
 * arguments put in for the let's.  A set of what has been seen keeps it from walking the same call
 * twice, and a budget bounds what nested lets can expand to.
 */
#include <string.h>

#include "model/index_values.h"
#include "model/text_set.h"

/* A call of a let, or a reference to a family, that the walk is within. */
typedef struct argument_frame {
  const char *name;
  int n;
  const model_binder *const *binders;
  const model_index *const *arguments; /* in the variables of the formula; NULL for a plain value */
  const struct argument_frame *outer;
  span call;
} argument_frame;

typedef struct walk {
  checker *c;
  text_set *seen;  /* calls */
  text_set *slots; /* references; NULL where they are not collected */
  long left;       /* of the budget */
  long last_reach; /* the reach that was numbered last */
  span where;      /* of the whole formula */
  int stopped;     /* the budget is spent, which has been reported */
} walk;

static int charge(walk *w, long parts)
{
  if (w->stopped) {
    return 0;
  }
  w->left -= parts;
  if (w->left >= 0) {
    return 1;
  }
  w->stopped = 1;
  diagnostics_error(w->c->d, w->where,
                    "this formula expands to too many parts with the lets that it uses; use fewer "
                    "nested lets");
  return 0;
}

/* ---- indices and conditions in the variables of the formula ---- */

/* The variable that stands in the place of one whose set depends on others. */
static const model_binder *standing_for(const model_binder *binder, const reach *r)
{
  for (; r; r = r->outer) {
    for (int j = 0; r->originals && j < r->n; j++) {
      if (r->originals[j] == binder) {
        return r->binders[j];
      }
    }
  }
  return binder;
}

/* The index with the arguments of the frame's calls put in for the binders of the lets, and with variables that
 * stand in the place of those whose sets depend on others. */
static const model_index *put(checker *c, const model_index *index, const argument_frame *f,
                              const reach *r)
{
  if (index->kind == INDEX_VARIABLE && index->binder->set && index->binder->set->is_dependent) {
    return indices_variable(c, standing_for(index->binder, r), index->where);
  }
  for (int j = 0; f && index->kind == INDEX_VARIABLE && j < f->n; j++) {
    if (f->binders[j] == index->binder) {
      return f->arguments[j];
    }
  }
  const model_index *a = index->a ? put(c, index->a, f, r) : NULL;
  const model_index *b = index->b ? put(c, index->b, f, r) : NULL;
  return a == index->a && b == index->b ? index : indices_again(c, index, a, b);
}

static long count_parts(const model_index *index)
{
  return index ? 1 + count_parts(index->a) + count_parts(index->b) : 0;
}

/* The place to report: the outermost call, since that is what determines the index. */
static span place_of(const argument_frame *f, span where)
{
  for (; f; f = f->outer) {
    where = f->call;
  }
  return where;
}

/* An index of the formula with all arguments put in; NULL where that grows too long. */
static const model_index *whole_index(walk *w, const model_index *index, const argument_frame *f,
                                      const reach *r)
{
  if (!charge(w, 1)) {
    return NULL;
  }
  const model_index *result = put(w->c, index, f, r);
  long parts = count_parts(result);
  if (parts <= MODEL_MAX_INDEX_PARTS) {
    return charge(w, parts) ? result : NULL;
  }
  diagnostics_error(
      w->c->d, place_of(f, index->where),
      "an index expression has more than %d parts once the arguments of lets are put in",
      MODEL_MAX_INDEX_PARTS);
  w->stopped = 1;
  return NULL;
}

/* A condition of a let's body likewise. */
static const model_condition *whole_condition(walk *w, const model_condition *condition,
                                              const argument_frame *f, const reach *r)
{
  if (!condition) {
    return condition;
  }
  model_condition *copy = ARENA_NEW(w->c->memory, model_condition);
  *copy = *condition;
  if (condition->left) {
    copy->left = whole_index(w, condition->left, f, r);
    copy->right = whole_index(w, condition->right, f, r);
    return copy->left && copy->right ? copy : NULL;
  }
  copy->a = whole_condition(w, condition->a, f, r);
  if (condition->b) {
    copy->b = whole_condition(w, condition->b, f, r);
  }
  return copy->a && (!condition->b || copy->b) ? copy : NULL;
}

/* ---- messages ---- */

static void note_body(walk *w, const argument_frame *f, span where)
{
  if (f) {
    diagnostics_note(w->c->d, where, "this is the index, in '%s'", f->name);
  }
}

static void report_outside(walk *w, const model_index *index, const model_set *set,
                           const argument_frame *f)
{
  arena *a = w->c->memory;
  const char *text = text_index(a, index, 0);
  const char *at = index->kind == INDEX_VARIABLE ? "" : text_witness(w->c, 1, &index);
  const char *range = text_range(a, set);
  long value = model_index_value(index, w->c->environment);
  span where = place_of(f, index->where);
  if (index->kind == INDEX_INTEGER) {
    diagnostics_error(w->c->d, where, "index %s is outside %s", text, range);
  } else {
    diagnostics_error(w->c->d, where, "index %s is %ld%s, outside %s", text, value, at, range);
  }
}

static void report_undecided(walk *w, const argument_frame *f, span where)
{
  diagnostics_error(w->c->d, place_of(f, where),
                    "too many combinations of index values to check this index against the 'where' "
                    "conditions: at most %ld are tried, and fewer where many formulas need it",
                    MODEL_MAX_ROUNDS);
}

/* ---- indices ---- */

static void check_index(walk *w, const model_index *index, const model_set *set,
                        const argument_frame *f, const reach *r, span where)
{
  const reach_target target = {set, NULL, 1, &index};
  if (!reach_bounded(w->c, index, place_of(f, where)) ||
      !reach_divisors(w->c, r, index, place_of(f, where))) {
    return;
  }
  int missed = reach_miss(w->c, r, &target);
  if (missed > 0) {
    report_outside(w, index, set, f);
  } else if (missed < 0 && model_index_has(index, INDEX_ENTRY)) {
    diagnostics_error(w->c->d, place_of(f, index->where),
                      "index %s can be outside %s with some data; an array of indices into '%s' is "
                      "declared by 'in %s', and its entries stand alone",
                      text_index(w->c->memory, index, 0), text_range(w->c->memory, set), set->name,
                      set->name);
  } else if (missed < 0) {
    report_undecided(w, f, where);
  }
  if (missed) {
    note_body(w, f, where);
  }
}

/* The indices of a reference to sets[0 .. n-1], with arguments put in; NULL where the walk stops. */
static const model_index *const *check_indices(walk *w, const model_expr *e,
                                               const model_set *const sets[],
                                               const argument_frame *f, const reach *r)
{
  const model_index **index = ARENA_ARRAY(w->c->memory, e->n_index + 1, const model_index *);
  int before = diagnostics_count(w->c->d);
  for (int j = 0; j < e->n_index; j++) {
    index[j] = whole_index(w, e->index[j], f, r);
    if (!index[j]) {
      return NULL;
    }
    check_index(w, index[j], sets[j], f, r, e->index[j]->where);
  }
  return diagnostics_count(w->c->d) == before ? index : NULL;
}

static void check_slot(walk *w, const model_expr *e, const model_index *const index[])
{
  const char *name = e->kind == EXPR_MOMENTUM   ? e->coordinate->momentum
                     : e->kind == EXPR_VELOCITY ? e->coordinate->velocity
                                                : e->coordinate->name;
  text_set_add(w->slots, text_entry(w->c->memory, name, e->n_index, index));
}

static void check_entry(walk *w, const model_expr *e, const argument_frame *f, const reach *r)
{
  const model_shape *shape =
      e->kind == EXPR_PARAMETER ? &e->parameter->shape : &e->coordinate->shape;
  const model_index *const *index = check_indices(w, e, shape->sets, f, r);
  if (index && w->slots && e->kind != EXPR_PARAMETER) {
    check_slot(w, e, index);
  }
}

/* A reference to an instance of a family, which its 'where' may leave out: its indices, NULL after an error. */
static const model_index *const *check_instance(walk *w, const model_expr *e,
                                                const argument_frame *f, const reach *r)
{
  reach_target target = {NULL, e->family, e->n_index, NULL};
  const model_index *const *index = check_indices(w, e, scope_sets(w->c, e->family), f, r);
  if (!index || !e->family->condition) {
    return index;
  }
  target.indices = index;
  int missed = reach_miss(w->c, r, &target);
  if (missed < 0) {
    report_undecided(w, f, e->where);
  }
  if (missed <= 0) {
    return missed == 0 ? index : NULL;
  }
  diagnostics_error(w->c->d, place_of(f, e->where),
                    "the 'where' of '%s' leaves this instance out%s", e->family->name,
                    text_witness(w->c, e->n_index, index));
  diagnostics_note(w->c->d, e->family->where, "'%s' is declared here", e->family->name);
  return NULL;
}

/* ---- formulas ---- */

static void formula(walk *w, const model_expr *e, const argument_frame *f, const reach *r);

/* A variable that takes all values between the ends of a set that depends on others, and is held between them
 * by *condition; NULL after an error. */
static const model_binder *independent(walk *w, const model_binder *binder, const argument_frame *f,
                                       const reach *r, span where,
                                       const model_condition **condition)
{
  checker *c = w->c;
  const model_index *lower = whole_index(w, binder->set->lower, f, r);
  const model_index *upper = lower ? whole_index(w, binder->set->upper, f, r) : NULL;
  if (!upper || !reach_bounded(c, lower, where) || !reach_bounded(c, upper, where) ||
      !reach_divisors(c, r, lower, where) || !reach_divisors(c, r, upper, where)) {
    return NULL;
  }
  model_set *set = ARENA_NEW(c->memory, model_set);
  model_binder *copy = ARENA_NEW(c->memory, model_binder);
  *set = *binder->set;
  set->is_dependent = 0;
  set->first = reach_hull(lower).lower;
  long last = reach_hull(upper).upper;
  set->count = last < set->first ? 0 : last - set->first + 1;
  *copy = *binder;
  copy->set = set;
  *condition =
      inline_joined(c, CONDITION_AND, *condition, inline_is_between(c, copy, lower, upper));
  return copy;
}

static void check_repeated(walk *w, const model_expr *e, const argument_frame *f,
                           const reach *outer)
{
  span where = place_of(f, e->where);
  const model_binder **binders = ARENA_ARRAY(w->c->memory, e->n_binders + 1, const model_binder *);
  reach inner = {++w->last_reach, 0, binders, e->binders, NULL, outer};
  for (; inner.n < e->n_binders; inner.n++) {
    const model_binder *b = e->binders[inner.n];
    binders[inner.n] =
        b->set->is_dependent ? independent(w, b, f, &inner, where, &inner.condition) : b;
    if (!binders[inner.n]) {
      return;
    }
  }
  if (reach_empty(&inner) || w->stopped) {
    return;
  }
  const model_condition *own = whole_condition(w, e->condition, f, &inner);
  if (own && (!reach_bounded_condition(w->c, own, where) ||
              !reach_divisors_condition(w->c, &inner, own, where))) {
    return;
  }
  inner.condition = inline_joined(w->c, CONDITION_AND, inner.condition, own);
  formula(w, e->a, f, &inner);
}

/* The name, reach and arguments of what is called, which determine all that the walk can find in it. */
static const char *call_key(walk *w, const char *name, int n, const model_index *const arguments[],
                            const reach *r)
{
  arena *a = w->c->memory;
  const char *key = arena_printf(a, "%s@%ld", name, r ? r->id : 0);
  for (int j = 0; j < n; j++) {
    key = arena_printf(a, "%s,%s", key, arguments[j] ? text_index(a, arguments[j], 1) : "");
  }
  return key;
}

static void check_let(walk *w, const model_expr *e, const argument_frame *f, const reach *r)
{
  const model_let *let = e->let;
  const model_index **arguments =
      ARENA_ARRAY(w->c->memory, let->n_arguments + 1, const model_index *);
  for (int j = 0; j < let->n_arguments; j++) {
    const model_argument *given = &e->arguments[j];
    if (!given->index) {
      formula(w, given->value, f, r);
      continue;
    }
    arguments[j] = whole_index(w, given->index, f, r);
    if (!arguments[j] || !reach_bounded(w->c, arguments[j], place_of(f, e->where))) {
      return;
    }
  }
  if (w->stopped ||
      !text_set_add(w->seen, call_key(w, let->name, let->n_arguments, arguments, r))) {
    return;
  }
  const argument_frame inner = {let->name, let->n_arguments, let->arguments, arguments,
                                f,         e->where};
  formula(w, let->body, &inner, r);
}

/* The indices; and what the instance reads, where that is asked for. */
static void check_family(walk *w, const model_expr *e, const argument_frame *f, const reach *r)
{
  const model_index *const *index = check_instance(w, e, f, r);
  const model_family *family = e->family;
  if (!index || !w->slots || e->kind == EXPR_MULTIPLIER) {
    return;
  }
  if (text_set_add(w->seen, call_key(w, family->name, e->n_index, index, r))) {
    const argument_frame inner = {family->name, e->n_index, family->binders, index, f, e->where};
    formula(w, family->body, &inner, r);
  }
}

static void formula(walk *w, const model_expr *e, const argument_frame *f, const reach *r)
{
  if (!charge(w, 1)) {
    return;
  }
  switch (e->kind) {
  case EXPR_PARAMETER:
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
  case EXPR_VELOCITY:
    check_entry(w, e, f, r);
    break;
  case EXPR_CONSTRAINT:
  case EXPR_MULTIPLIER:
    check_family(w, e, f, r);
    break;
  case EXPR_INDEX: {
    const model_index *index = whole_index(w, e->index[0], f, r);
    if (index && reach_bounded(w->c, index, place_of(f, e->where))) {
      reach_divisors(w->c, r, index, place_of(f, e->where));
    }
    break;
  }
  case EXPR_SUM:
  case EXPR_PRODUCT:
    check_repeated(w, e, f, r);
    break;
  case EXPR_LET:
    check_let(w, e, f, r);
    break;
  default:
    if (e->a) {
      formula(w, e->a, f, r);
    }
    if (e->b) {
      formula(w, e->b, f, r);
    }
    break;
  }
}

static void walk_formula(checker *c, const model_expr *body, const reach *r, text_set *slots)
{
  long budget = c->expansion_left < MODEL_MAX_EXPANSION ? c->expansion_left : MODEL_MAX_EXPANSION;
  walk w = {c, text_set_create(c->memory), slots, budget, r->id, body->where, 0};
  if (reach_empty(r)) {
    return;
  }
  formula(&w, body, NULL, r);
  c->expansion_left -= budget - (w.left < 0 ? 0 : w.left);
}

void ranges_expression(checker *c, const model_expr *body, int n,
                       const model_binder *const binders[])
{
  const reach r = {1, n, binders, NULL, NULL, NULL};
  walk_formula(c, body, &r, NULL);
}

void ranges_family(checker *c, model_family *family, int slots)
{
  reach r = {1, family->n_binders, family->binders, NULL, NULL, NULL};
  text_set *found = text_set_create(c->memory);
  if (family->condition && (!reach_bounded_condition(c, family->condition, family->where) ||
                            !reach_divisors_condition(c, &r, family->condition, family->where))) {
    return;
  }
  r.condition = family->condition;
  family->count = reach_count(c, &r);
  if (family->count < 0) {
    diagnostics_error(
        c->d, family->where,
        "too many combinations of index values for a 'where': at most %ld are tried, and fewer "
        "where many formulas need it",
        MODEL_MAX_ROUNDS);
    return;
  }
  if (family->count > MODEL_MAX_INSTANCES) {
    diagnostics_error(c->d, family->where, "more than %ld instances", MODEL_MAX_INSTANCES);
    return;
  }
  walk_formula(c, family->body, &r, slots ? found : NULL);
  int n = text_set_count(found);
  model_slot *list = ARENA_ARRAY(c->memory, n + 1, model_slot);
  for (int j = 0; j < n; j++) {
    list[j].text = text_set_at(found, j);
  }
  family->n_slots = n;
  family->slots = list;
}
