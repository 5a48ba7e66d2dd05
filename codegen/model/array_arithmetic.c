/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array_arithmetic.c -- whole-array arithmetic over one set.
 *
 * An array with all its indices but the last is a vector over the last set; sums, differences and
 * scalar multiples of vectors are vectors.  The checked model has no vector node: dot, cross and
 * norm2 request one component at a time, at an index that is the variable of a sum, and receive an
 * ordinary expression.
 */
#include <string.h>

#include "model/formula_checks.h"

/* The cross product is defined for vectors with this many components. */
enum { SPACE = 3 };

static int is_sum_or_product(syntax_kind kind)
{
  return kind == SYNTAX_ADD || kind == SYNTAX_SUB || kind == SYNTAX_MUL || kind == SYNTAX_DIV;
}

static int is_function(const checker *c, const syntax_expr *e, const char *name)
{
  return e->kind == SYNTAX_CALL && !strcmp(e->text, name) && !calls_is_let(c, name);
}

int vectors_is_function(const checker *c, const syntax_expr *e)
{
  return is_function(c, e, "dot") || is_function(c, e, "norm2") || is_function(c, e, "cross");
}

/* ---- the set of a vector's components ---- */

/* The last of n sets, if n - 1 indices are given; else NULL. */
static const model_set *last_set(const syntax_expr *e, int n, const model_set *const sets[])
{
  int given = e->kind == SYNTAX_REFERENCE ? e->n_args : 0;
  return n > 0 && given == n - 1 ? sets[n - 1] : NULL;
}

static const model_set *set_of_name(const checker *c, const syntax_expr *e, const bound *inner)
{
  const declared *d = scope_find(inner, e->text) ? NULL : names_find(c, e->text);
  if (!d) {
    return NULL;
  }
  if (d->kind == NAME_LET) {
    int is_call = e->kind == SYNTAX_CALL;
    return d->let && is_call == (c->tree->statements[d->order]->n_labels > 0) &&
                   e->kind != SYNTAX_REFERENCE
               ? d->vector
               : NULL;
  }
  const model_shape *shape = d->parameter    ? &d->parameter->shape
                             : d->coordinate ? &d->coordinate->shape
                                             : NULL;
  if (shape) {
    return last_set(e, shape->n, shape->sets);
  }
  return d->family && !d->family->condition
             ? last_set(e, d->family->n_binders, scope_sets(c, d->family))
             : NULL;
}

/* The set of a sum's body.  The scope gets placeholders for the variables, because only their
 * names matter. */
static const model_set *set_within(const checker *c, const syntax_expr *e, const bound *inner)
{
  bound hidden[MODEL_MAX_BINDERS];
  model_binder binders[MODEL_MAX_BINDERS];
  int n = e->binders.n < MODEL_MAX_BINDERS ? e->binders.n : MODEL_MAX_BINDERS;
  for (int j = 0; j < n; j++) {
    const char *name = e->binders.at[j].name.text;
    binders[j] = (model_binder){.name = name ? name : ""};
    hidden[j] = (bound){.binder = &binders[j], .outer = inner};
    inner = &hidden[j];
  }
  return vectors_set(c, e->a, inner);
}

const model_set *vectors_set(const checker *c, const syntax_expr *e, const bound *inner)
{
  for (; is_sum_or_product(e->kind); e = e->a) {
    const model_set *set = e->kind == SYNTAX_DIV ? NULL : vectors_set(c, e->b, inner);
    if (set) {
      return set;
    }
  }
  switch (e->kind) {
  case SYNTAX_NAME:
  case SYNTAX_REFERENCE:
    return set_of_name(c, e, inner);
  case SYNTAX_CALL:
    return is_function(c, e, "cross") && e->n_args > 0 ? vectors_set(c, e->args[0], inner)
           : vectors_is_function(c, e)                 ? NULL
                                                       : set_of_name(c, e, inner);
  case SYNTAX_NEG:
  case SYNTAX_IF:
    return vectors_set(c, e->a, inner);
  case SYNTAX_SUM:
    return set_within(c, e, inner);
  default:
    return NULL;
  }
}

/* 1 for the same set, and for ranges with the same bounds. */
static int are_alike(const checker *c, const model_set *a, const model_set *b)
{
  return a == b ||
         (a->is_range && b->is_range && !a->is_dependent && !b->is_dependent &&
          !strcmp(text_index(c->memory, a->lower, 0), text_index(c->memory, b->lower, 0)) &&
          !strcmp(text_index(c->memory, a->upper, 0), text_index(c->memory, b->upper, 0)));
}

/* ---- components ---- */

static const char *array_arithmetic_kind_of(checker *c, const syntax_expr *e, const bound *inner)
{
  const model_set *set = vectors_set(c, e, inner);
  return set ? arena_printf(c->memory, "a vector over '%s'", set->name) : "a number";
}

/* The component of e at `at`; e itself, which is a number, if `at` is NULL. */
static checked component_or_number(checker *c, const syntax_expr *e, const bound *inner,
                                   const vector_component *at)
{
  return at ? vectors_component(c, e, inner, at) : c->formula(c, e, inner);
}

/* The component of u + v, u - v, s*u, u*s or u/s; the left operand has been checked. */
static checked array_arithmetic_operation(checker *c, const syntax_expr *e, const bound *inner,
                                          const vector_component *at, int left_is_vector,
                                          const checked *left)
{
  int is_sum = e->kind == SYNTAX_ADD || e->kind == SYNTAX_SUB;
  int right_is_vector = vectors_set(c, e->b, inner) != NULL;
  if (is_sum && left_is_vector != right_is_vector) {
    diagnostics_error(c->d, e->where, "a vector and a number cannot be added: this is %s, and %s",
                      array_arithmetic_kind_of(c, e->a, inner),
                      array_arithmetic_kind_of(c, e->b, inner));
    return failed;
  }
  if (e->kind == SYNTAX_MUL && left_is_vector && right_is_vector) {
    diagnostics_error(c->d, e->where,
                      "the product of two vectors is written dot(u, v) or cross(u, v)");
    return failed;
  }
  if (e->kind == SYNTAX_DIV && right_is_vector) {
    diagnostics_error(c->d, e->b->where, "this is %s, and nothing can be divided by it",
                      array_arithmetic_kind_of(c, e->b, inner));
    return failed;
  }
  checked right = component_or_number(c, e->b, inner, right_is_vector ? at : NULL);
  return expressions_combine(c, e, left, &right);
}

static checked array_arithmetic_chain(checker *c, const syntax_expr *e, const bound *inner,
                                      const vector_component *at)
{
  int n = 0;
  const syntax_expr **links = expressions_chain(c, e, is_sum_or_product, &n);
  const syntax_expr *first = links[n];
  int is_vector = vectors_set(c, first, inner) != NULL;
  checked result = component_or_number(c, first, inner, is_vector ? at : NULL);
  while (n-- > 0 && result.expr) {
    result = array_arithmetic_operation(c, links[n], inner, at, is_vector, &result);
    is_vector = is_vector || vectors_set(c, links[n]->b, inner);
  }
  return result;
}

/* The index advanced by `steps`, cyclically. */
static const model_index *turned(checker *c, const vector_component *at, long steps, span where)
{
  const model_set *set = at->set;
  const model_index *index = at->index;
  if (index->kind == INDEX_INTEGER || index->kind == INDEX_LABEL) {
    model_index *next = ARENA_COPY(c->memory, model_index, index);
    next->value = set->first + model_index_modulo(index->value - set->first + steps, SPACE);
    return next;
  }
  const model_index *by = indices_integer(c->memory, steps - set->first, where);
  index = indices_operation(c->memory, INDEX_ADD, index, by, where);
  index = indices_operation(c->memory, INDEX_MOD, index, indices_integer(c->memory, SPACE, where),
                            where);
  const model_index *first = indices_integer(c->memory, set->first, where);
  return set->first ? indices_operation(c->memory, INDEX_ADD, index, first, where) : index;
}

/* (u x v)_k = u_{k+1} v_{k+2} - u_{k+2} v_{k+1}, with cyclic indices. */
static checked cross(checker *c, const syntax_expr *e, const bound *inner,
                     const vector_component *at)
{
  const vector_component next = {at->set, turned(c, at, 1, e->where)};
  const vector_component last = {at->set, turned(c, at, 2, e->where)};
  checked a = vectors_component(c, e->args[0], inner, &next);
  checked b = vectors_component(c, e->args[1], inner, &last);
  checked first = expressions_operation(c, EXPR_MUL, e->where, &a, &b);
  a = vectors_component(c, e->args[0], inner, &last);
  b = vectors_component(c, e->args[1], inner, &next);
  checked second = expressions_operation(c, EXPR_MUL, e->where, &a, &b);
  return expressions_operation(c, EXPR_SUB, e->where, &first, &second);
}

/* 1 if both arguments are vectors over the same set; otherwise reports the fault. */
static int are_vectors(checker *c, const syntax_expr *e, const bound *inner)
{
  const model_set *first = NULL;
  for (int i = 0; i < e->n_args; i++) {
    const syntax_expr *x = e->args[i];
    const model_set *set = vectors_set(c, x, inner);
    if (!set) {
      int before = diagnostics_count(c->d);
      checked number = c->formula(c, x, inner);
      if (number.expr || diagnostics_count(c->d) == before) {
        diagnostics_error(
            c->d, x->where,
            "%s takes vectors, and this is a number: a vector is an array without its "
            "last index, or a sum of such",
            e->text);
      }
      return 0;
    }
    if (first && !are_alike(c, first, set)) {
      diagnostics_error(c->d, e->where,
                        "%s takes vectors over one set: these are over '%s' and '%s'", e->text,
                        first->name, set->name);
      return 0;
    }
    first = set;
  }
  return 1;
}

/* 1 if cross(u, v) is defined; otherwise reports the fault. */
static int cross_good(checker *c, const syntax_expr *e, const bound *inner)
{
  if (!are_vectors(c, e, inner)) {
    return 0;
  }
  const model_set *set = vectors_set(c, e, inner);
  if (set->count == SPACE && !model_index_has(set->lower, INDEX_SIZE) &&
      !model_index_has(set->upper, INDEX_SIZE)) {
    return 1;
  }
  diagnostics_error(c->d, e->where,
                    "cross takes vectors of three components at all sizes, and '%s' has %ld",
                    set->name, set->count);
  return 0;
}

checked vectors_choice(checker *c, const syntax_expr *e, const bound *inner,
                       const vector_component *at)
{
  const model_condition *condition = indices_condition(c, e->binders.condition, inner);
  checked a = component_or_number(c, e->a, inner, at);
  checked b = component_or_number(c, e->b, inner, at);
  return expressions_choice(c, e, condition, &a, &b);
}

checked vectors_repeated(checker *c, const syntax_expr *e, const bound *inner,
                         const vector_component *at)
{
  scope_binders binders;
  if (!scope_binders_check(c, &e->binders, inner, 0, &binders)) {
    return failed;
  }
  checked body = component_or_number(c, e->a, binders.inner, at);
  return expressions_sum(c, e->kind == SYNTAX_SUM ? EXPR_SUM : EXPR_PRODUCT, &binders, &body,
                         e->where);
}

checked vectors_component(checker *c, const syntax_expr *e, const bound *inner,
                          const vector_component *at)
{
  const model_set *set = vectors_set(c, e, inner);
  if (--c->components_left < 0) {
    if (c->components_left == -1) {
      diagnostics_error(c->d, e->where,
                        "the components of this vector are too many formulas; name "
                        "parts of it by lets");
    }
    return failed;
  }
  if (set && !are_alike(c, set, at->set)) {
    diagnostics_error(c->d, e->where, "this is a vector over '%s', where one over '%s' is expected",
                      set->name, at->set->name);
    return failed;
  }
  if (!set) {
    diagnostics_error(c->d, e->where, "this is a number, where a vector over '%s' is expected",
                      at->set->name);
    return failed;
  }
  if (is_sum_or_product(e->kind)) {
    return array_arithmetic_chain(c, e, inner, at);
  }
  if (e->kind == SYNTAX_NEG) {
    checked a = vectors_component(c, e->a, inner, at);
    return expressions_operation(c, EXPR_NEG, e->where, &a, NULL);
  }
  if (e->kind == SYNTAX_IF) {
    return vectors_choice(c, e, inner, at);
  }
  if (e->kind == SYNTAX_SUM) {
    return vectors_repeated(c, e, inner, at);
  }
  if (is_function(c, e, "cross")) {
    return calls_count_good(c, e) && cross_good(c, e, inner) ? cross(c, e, inner, at) : failed;
  }
  /* A name or a call, with the component as its last index. */
  const vector_component *outer = c->component;
  c->component = at;
  checked result = c->formula(c, e, inner);
  c->component = outer;
  return result;
}

/* ---- sums of products ---- */

static int has_cross(const checker *c, const syntax_expr *e)
{
  for (; is_sum_or_product(e->kind); e = e->a) {
    if (has_cross(c, e->b)) {
      return 1;
    }
  }
  return is_function(c, e, "cross") || (e->kind == SYNTAX_NEG && has_cross(c, e->a)) ||
         (e->kind == SYNTAX_IF && (has_cross(c, e->a) || has_cross(c, e->b)));
}

/* u_k v_k, or u_k^2 if both are written identically. */
static checked array_arithmetic_term(checker *c, const syntax_expr *e, const bound *inner,
                                     const vector_component *at)
{
  const syntax_expr *u = e->args[0];
  const syntax_expr *v = e->args[e->n_args - 1];
  checked a = vectors_component(c, u, inner, at);
  checked b;
  if (a.expr && (u == v || !strcmp(text_folded(c, u->where), text_folded(c, v->where)))) {
    b = expressions_number(c, numbers_from_long(c->memory, 2), e->where);
    return expressions_operation(c, EXPR_POW, e->where, &a, &b);
  }
  b = vectors_component(c, v, inner, at);
  return expressions_operation(c, EXPR_MUL, e->where, &a, &b);
}

/* Written out component by component, which is more readable if there is a cross product. */
static checked array_arithmetic_written_out(checker *c, const syntax_expr *e, const bound *inner,
                                            const model_set *set)
{
  checked total = failed;
  for (long k = set->first; k < set->first + set->count; k++) {
    const vector_component at = {set, set->is_range ? indices_integer(c->memory, k, e->where)
                                                    : indices_label(c->memory, set, k, e->where)};
    checked next = array_arithmetic_term(c, e, inner, &at);
    total = total.expr ? expressions_operation(c, EXPR_ADD, e->where, &total, &next) : next;
    if (!total.expr) {
      return failed;
    }
  }
  return total;
}

static checked dot(checker *c, const syntax_expr *e, const bound *inner)
{
  if (!are_vectors(c, e, inner)) {
    return failed;
  }
  const model_set *set = vectors_set(c, e->args[0], inner);
  if (set->count == SPACE && (has_cross(c, e->args[0]) || has_cross(c, e->args[e->n_args - 1]))) {
    return array_arithmetic_written_out(c, e, inner, set);
  }
  const model_binder **binders = ARENA_ARRAY(c->memory, 1, const model_binder *);
  binders[0] = scope_binder(c, scope_free_name(c, inner, 0), set);
  const vector_component at = {set, indices_variable(c->memory, binders[0], e->where)};
  const scope_binders over = {1, binders, NULL, NULL};
  /* the variable's name occurs nowhere in the file */
  checked body = array_arithmetic_term(c, e, inner, &at);
  return expressions_sum(c, EXPR_SUM, &over, &body, e->where);
}

checked vectors_call(checker *c, const syntax_expr *e, const bound *inner)
{
  if (!calls_count_good(c, e)) {
    return failed;
  }
  if (is_function(c, e, "cross")) {
    if (cross_good(c, e, inner)) {
      diagnostics_error(c->d, e->where,
                        "cross(u, v) is a vector over '%s': take a component, cross(u, v)[...], or "
                        "use it in dot or norm2",
                        vectors_set(c, e, inner)->name);
    }
    return failed;
  }
  checked square = dot(c, e, inner);
  return is_function(c, e, "dot") ? square
                                  : expressions_call(c, FUNCTION_SQRT, e->where, &square, NULL);
}

checked vectors_entry(checker *c, const syntax_expr *e, const syntax_expr *vector,
                      const model_set *set, const char *name, const bound *inner)
{
  if (e->n_args != 1) {
    diagnostics_error(c->d, e->where,
                      "'%s' is a vector over '%s' and takes 1 index, and %d are given", name,
                      set->name, e->n_args);
    return failed;
  }
  const vector_component at = {set, indices_for_set(c, e->args[0], set, inner)};
  return at.index ? vectors_component(c, vector, inner, &at) : failed;
}

checked vectors_of_call(checker *c, const syntax_expr *e, const bound *inner)
{
  const model_set *set = vectors_set(c, e->a, inner);
  if (set) {
    const char *name = arena_printf(c->memory, "%s(...)", e->a->text);
    return vectors_entry(c, e, e->a, set, name, inner);
  }
  checked number = c->formula(c, e->a, inner);
  if (number.expr) {
    diagnostics_error(c->d, e->where, "'%s(...)' is a number and has no components", e->a->text);
  }
  return failed;
}
