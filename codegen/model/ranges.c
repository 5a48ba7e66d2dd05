/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.c -- checks that every index of a formula is in range at the present sizes.
 *
 * The body of a let can only be checked at its calls, so the walk follows calls and substitutes
 * their arguments.  A set of visited calls prevents repeated visits of the same call, and a budget
 * bounds the expansion of nested lets.
 */
#include "model/index_values.h"
#include "model/text_set.h"

/* An enclosing call of a let, or reference to a family, during the walk. */
typedef struct argument_frame {
  const char *name;
  int n;
  const model_binder *const *binders;
  /* in the variables of the outermost formula; NULL for an argument that is no index */
  const model_index *const *arguments;
  const struct argument_frame *outer;
  span call;
} argument_frame;

typedef struct walk {
  checker *c;
  text_set *seen;  /* calls that have been visited */
  text_set *slots; /* references; NULL if they are not collected */
  long left;       /* remaining budget */
  long last_reach; /* number of the last reach */
  span where;      /* location of the whole formula */
  int stopped;     /* 1 after the budget is exhausted, which has been reported */
} walk;

/* ---- checks the indices of a formula, with let arguments substituted ---- */

/* Subtracts parts from the budget.  Returns 0 if the budget is exhausted, and reports it once. */
static int ranges_charge(walk *w, long parts)
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

/* The variable that replaces a variable with a dependent set; the variable itself if there is
 * none. */
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

/* The index with arguments substituted for the binders of lets, and with the replacements of
 * variables whose sets are dependent. */
static const model_index *ranges_indices_put(checker *c, const model_index *index,
                                             const argument_frame *f, const reach *r)
{
  if (index->kind == INDEX_VARIABLE && index->binder->set && index->binder->set->is_dependent) {
    return indices_variable(c->memory, standing_for(index->binder, r), index->where);
  }
  for (int j = 0; f && index->kind == INDEX_VARIABLE && j < f->n; j++) {
    if (f->binders[j] == index->binder) {
      return f->arguments[j];
    }
  }
  const model_index *a = index->a ? ranges_indices_put(c, index->a, f, r) : NULL;
  const model_index *b = index->b ? ranges_indices_put(c, index->b, f, r) : NULL;
  return a == index->a && b == index->b ? index : indices_again(c->memory, index, a, b);
}

static long ranges_indices_count_parts(const model_index *index)
{
  return index ? 1 + ranges_indices_count_parts(index->a) + ranges_indices_count_parts(index->b)
               : 0;
}

/* The location for an error: the outermost call, because that call determines the index. */
static span ranges_place(const argument_frame *f, span where)
{
  for (; f; f = f->outer) {
    where = f->call;
  }
  return where;
}

/* An index, or a condition (which may be NULL), with all let arguments substituted; NULL if the
 * result becomes too large. */
static const model_index *ranges_index(walk *w, const model_index *index, const argument_frame *f,
                                       const reach *r)
{
  if (!ranges_charge(w, 1)) {
    return NULL;
  }
  const model_index *result = ranges_indices_put(w->c, index, f, r);
  long parts = ranges_indices_count_parts(result);
  if (parts <= MODEL_MAX_INDEX_PARTS) {
    return ranges_charge(w, parts) ? result : NULL;
  }
  diagnostics_error(
      w->c->d, ranges_place(f, index->where),
      "an index expression has more than %d parts once the arguments of lets are put in",
      MODEL_MAX_INDEX_PARTS);
  w->stopped = 1;
  return NULL;
}

static const model_condition *ranges_condition(walk *w, const model_condition *condition,
                                               const argument_frame *f, const reach *r)
{
  if (!condition) {
    return condition;
  }
  model_condition *copy = ARENA_COPY(w->c->memory, model_condition, condition);
  if (condition->left) {
    copy->left = ranges_index(w, condition->left, f, r);
    copy->right = ranges_index(w, condition->right, f, r);
    return copy->left && copy->right ? copy : NULL;
  }
  copy->a = ranges_condition(w, condition->a, f, r);
  if (condition->b) {
    copy->b = ranges_condition(w, condition->b, f, r);
  }
  return copy->a && (!condition->b || copy->b) ? copy : NULL;
}

/* ---- messages ---- */

static void report_outside(walk *w, const model_index *index, const model_set *set,
                           const argument_frame *f)
{
  arena *a = w->c->memory;
  const char *text = text_index(a, index, 0);
  const char *at = index->kind == INDEX_VARIABLE ? "" : text_witness(w->c, 1, &index);
  const char *range = text_range(a, set);
  long value = model_index_value(index, w->c->environment);
  span where = ranges_place(f, index->where);
  if (index->kind == INDEX_INTEGER) {
    diagnostics_error(w->c->d, where, "index %s is outside %s", text, range);
  } else {
    diagnostics_error(w->c->d, where, "index %s is %ld%s, outside %s", text, value, at, range);
  }
}

static void report_undecided(walk *w, const argument_frame *f, span where)
{
  diagnostics_error(w->c->d, ranges_place(f, where),
                    "too many combinations of index values to check this index against the 'where' "
                    "conditions: at most %ld are tried, and fewer where many formulas need it",
                    MODEL_MAX_ROUNDS);
}

/* ---- indices ---- */

static void check_index(walk *w, const model_index *index, const model_set *set,
                        const argument_frame *f, const reach *r, span where)
{
  if (!reach_good(w->c, r, index, ranges_place(f, where))) {
    return;
  }
  int missed = reach_outside(w->c, r, index, set);
  if (missed > 0) {
    report_outside(w, index, set, f);
  } else if (missed < 0 && model_index_has(index, INDEX_ENTRY)) {
    diagnostics_error(w->c->d, ranges_place(f, index->where),
                      "index %s can be outside %s with some data; an array of indices into '%s' is "
                      "declared by 'in %s', and its entries stand alone",
                      text_index(w->c->memory, index, 0), text_range(w->c->memory, set), set->name,
                      set->name);
  } else if (missed < 0) {
    report_undecided(w, f, where);
  }
  if (missed && f) {
    diagnostics_note(w->c->d, where, "this is the index, in '%s'", f->name);
  }
}

/* The indices of a reference, with let arguments substituted: to an array over sets[0 .. n-1],
 * or to an instance of a family, whose condition may exclude it.  NULL after an error, or when
 * the walk has stopped. */
static const model_index *const *ranges_entry(walk *w, const model_expr *e,
                                              const model_set *const sets[],
                                              const argument_frame *f, const reach *r)
{
  const model_index **index = ARENA_ARRAY(w->c->memory, e->n_index + 1, const model_index *);
  int before = diagnostics_count(w->c->d);
  for (int j = 0; j < e->n_index; j++) {
    index[j] = ranges_index(w, e->index[j], f, r);
    if (!index[j]) {
      return NULL;
    }
    check_index(w, index[j], sets[j], f, r, e->index[j]->where);
  }
  return diagnostics_count(w->c->d) == before ? index : NULL;
}

static const model_index *const *ranges_instance(walk *w, const model_expr *e,
                                                 const argument_frame *f, const reach *r)
{
  const model_index *const *index = ranges_entry(w, e, scope_sets(w->c, e->family), f, r);
  if (!index || !e->family->condition) {
    return index;
  }
  const argument_frame own = {NULL, e->n_index, e->family->binders, index, f, e->where};
  const model_condition *condition = ranges_condition(w, e->family->condition, &own, NULL);
  if (!condition) {
    return NULL;
  }
  int missed = reach_failing(w->c, r, condition);
  if (missed < 0) {
    report_undecided(w, f, e->where);
  }
  if (missed <= 0) {
    return missed == 0 ? index : NULL;
  }
  diagnostics_error(w->c->d, ranges_place(f, e->where),
                    "the 'where' of '%s' leaves this instance out%s", e->family->name,
                    text_witness(w->c, e->n_index, index));
  diagnostics_note(w->c->d, e->family->where, "'%s' is declared here", e->family->name);
  return NULL;
}

static void formula(walk *w, const model_expr *e, const argument_frame *f, const reach *r);

static void ranges_check_entry(walk *w, const model_expr *e, const argument_frame *f,
                               const reach *r)
{
  const model_shape *shape =
      e->kind == EXPR_PARAMETER ? &e->parameter->shape : &e->coordinate->shape;
  const model_index *const *index = ranges_entry(w, e, shape->sets, f, r);
  if (index && w->slots && e->kind != EXPR_PARAMETER) {
    const char *name = e->kind == EXPR_MOMENTUM   ? e->coordinate->momentum
                       : e->kind == EXPR_VELOCITY ? e->coordinate->velocity
                                                  : e->coordinate->name;
    text_set_add(w->slots, text_entry(w->c->memory, name, e->n_index, index));
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
  model_set *set = ARENA_COPY(c->memory, model_set, binder->set);
  model_binder *copy = ARENA_COPY(c->memory, model_binder, binder);
  set->is_dependent = 0;
  set->first = reach_hull(lower).lower;
  long last = reach_hull(upper).upper;
  set->count = last < set->first ? 0 : last - set->first + 1;
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
  if (!index || !w->slots || e->kind != EXPR_CONSTRAINT) {
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
  case EXPR_IMPULSE:
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
