/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.c -- checks that every index of a formula is in range at the present sizes.
 *
 * The body of a let can only be checked at its calls, so the walk follows calls and substitutes
 * their arguments.  A set of visited calls prevents repeated visits of the same call, and a budget
 * bounds the expansion of nested lets.
 */
#include "model/ranges.h"

static void formula(walk *w, const model_expr *e, const argument_frame *f, const reach *r);

static void check_slot(walk *w, const model_expr *e, const model_index *const index[])
{
  const char *name = e->kind == EXPR_MOMENTUM   ? e->coordinate->momentum
                     : e->kind == EXPR_VELOCITY ? e->coordinate->velocity
                                                : e->coordinate->name;
  text_set_add(w->slots, text_entry(w->c->memory, name, e->n_index, index));
}

static void ranges_check_entry(walk *w, const model_expr *e, const argument_frame *f,
                               const reach *r)
{
  const model_shape *shape =
      e->kind == EXPR_PARAMETER ? &e->parameter->shape : &e->coordinate->shape;
  const model_index *const *index = ranges_entry(w, e, shape->sets, f, r);
  if (index && w->slots && e->kind != EXPR_PARAMETER) {
    check_slot(w, e, index);
  }
}

/* Replaces a variable with a dependent set by one over the hull of that set; *condition gets the
 * bounds.  Returns NULL after an error. */
static const model_binder *independent(walk *w, const model_binder *binder, const argument_frame *f,
                                       const reach *r, span where,
                                       const model_condition **condition)
{
  checker *c = w->c;
  const model_index *lower = ranges_index(w, binder->set->lower, f, r);
  const model_index *upper = lower ? ranges_index(w, binder->set->upper, f, r) : NULL;
  if (!upper || !reach_good(c, r, lower, where) || !reach_good(c, r, upper, where)) {
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
  span where = ranges_place(f, e->where);
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
  const model_condition *own = ranges_condition(w, e->condition, f, &inner);
  if (own && !reach_good_condition(w->c, &inner, own, where)) {
    return;
  }
  inner.condition = inline_joined(w->c, CONDITION_AND, inner.condition, own);
  formula(w, e->a, f, &inner);
}

/* Walks the body of a let or family, unless the same call has been visited.  The name, the reach
 * and the arguments determine all errors that the visit can find. */
static void follow(walk *w, const model_expr *body, const argument_frame *call, const reach *r)
{
  arena *a = w->c->memory;
  const char *key = arena_printf(a, "%s@%ld", call->name, r ? r->id : 0);
  for (int j = 0; j < call->n; j++) {
    const model_index *given = call->arguments[j];
    key = arena_printf(a, "%s,%s", key, given ? text_index(a, given, 1) : "");
  }
  if (text_set_add(w->seen, key)) {
    formula(w, body, call, r);
  }
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
    arguments[j] = ranges_index(w, given->index, f, r);
    if (!arguments[j] || !reach_bounded(w->c, arguments[j], ranges_place(f, e->where))) {
      return;
    }
  }
  const argument_frame inner = {let->name, let->n_arguments, let->arguments, arguments,
                                f,         e->where};
  if (!w->stopped) {
    follow(w, let->body, &inner, r);
  }
}

/* Checks the indices, and collects the references of the instance's body if they are wanted. */
static void check_family(walk *w, const model_expr *e, const argument_frame *f, const reach *r)
{
  const model_index *const *index = ranges_instance(w, e, f, r);
  const model_family *family = e->family;
  if (!index || !w->slots || e->kind == EXPR_MULTIPLIER) {
    return;
  }
  const argument_frame inner = {family->name, e->n_index, family->binders, index, f, e->where};
  follow(w, family->body, &inner, r);
}

static void formula(walk *w, const model_expr *e, const argument_frame *f, const reach *r)
{
  if (!ranges_charge(w, 1)) {
    return;
  }
  switch (e->kind) {
  case EXPR_PARAMETER:
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
  case EXPR_VELOCITY:
    ranges_check_entry(w, e, f, r);
    break;
  case EXPR_CONSTRAINT:
  case EXPR_MULTIPLIER:
    check_family(w, e, f, r);
    break;
  case EXPR_INDEX: {
    const model_index *index = ranges_index(w, e->index[0], f, r);
    if (index) {
      reach_good(w->c, r, index, ranges_place(f, e->where));
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

void ranges_family(checker *c, model_family *family)
{
  reach r = {1, family->n_binders, family->binders, NULL, NULL, NULL};
  text_set *found = text_set_create(c->memory);
  if (family->condition && !reach_good_condition(c, &r, family->condition, family->where)) {
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
  walk_formula(c, family->body, &r, found);
  int n = text_set_count(found);
  model_slot *list = ARENA_ARRAY(c->memory, n + 1, model_slot);
  for (int j = 0; j < n; j++) {
    list[j].text = text_set_at(found, j);
  }
  family->n_slots = n;
  family->slots = list;
}
