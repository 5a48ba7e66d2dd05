/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/fits.h"

#include <stddef.h>

#include "model/model_limits.h"
#include "witness/tree.h"

/* Limit on the number of visited nodes. */
static const long most_visits = 1000000;

/* Result of a walk through a formula. */
typedef struct seen {
  /* a reference is outside its array, or a divisor is not positive, at a node that every program
   * evaluates */
  int leaves;
  int may_leave;  /* the same at a node that programs may skip */
  int is_nothing; /* the value consists only of sums without instances */
} seen;

/* A walk through the formulas. */
typedef struct walk {
  tree t;
  const seen *arguments; /* arguments of the let that is being visited */
  seen H;
} walk;

/* ---- mod, and entries of arrays of indices, in formulas without instances ---- */

static int is_of_sizes(const model_index *index)
{
  return !index ||
         (index->kind != INDEX_VARIABLE && is_of_sizes(index->a) && is_of_sizes(index->b));
}

static int is_outside(const tree *t, const model_set *set, long value)
{
  long from_first = value - tree_first(t, set);
  return from_first < 0 || from_first >= tree_count(t, set);
}

/* 1 if the index contains one of two faults that sizes alone decide: a divisor of mod that is 0 or
 * less, or an entry outside its array. */
static int index_has_fault(const tree *t, const model_index *index)
{
  return index &&
         ((index->kind == INDEX_MOD && is_of_sizes(index->b) && tree_index(t, index->b) <= 0) ||
          (index->kind == INDEX_ENTRY && is_of_sizes(index->a) &&
           is_outside(t, index->indices->set, tree_index(t, index->a))) ||
          index_has_fault(t, index->a) || index_has_fault(t, index->b));
}

static int condition_has_fault(const tree *t, const model_condition *c)
{
  return c && (index_has_fault(t, c->left) || index_has_fault(t, c->right) ||
               condition_has_fault(t, c->a) || condition_has_fault(t, c->b));
}

static int binders_have_fault(const tree *t, int n, const model_binder *const binders[],
                              const model_condition *condition)
{
  int has_fault = condition_has_fault(t, condition);
  for (int i = 0; i < n; i++) {
    const model_set *set = binders[i]->set;
    has_fault |= index_has_fault(t, set->lower) || index_has_fault(t, set->upper);
  }
  return has_fault;
}

static int has_fault(const tree *t, const model_expr *e)
{
  int found = 0;
  if (!e) {
    return 0;
  }
  for (int i = 0; i < e->n_index; i++) {
    found |= index_has_fault(t, e->index[i]);
  }
  for (int i = 0; e->let && i < e->let->n_arguments; i++) {
    found |= has_fault(t, e->arguments[i].value) || index_has_fault(t, e->arguments[i].index);
  }
  return found || binders_have_fault(t, e->n_binders, e->binders, e->condition) ||
         (e->let && has_fault(t, e->let->body)) || has_fault(t, e->a) || has_fault(t, e->b);
}

/* ---- references ---- */

/* A program with loops evaluates a product inside the loops of the sums among its factors. If one
 * of these sums has no instance, the product is never evaluated. Other terms beside the product are
 * evaluated anyway. */

static seen visit(walk *w, const model_expr *e);

static seen fits_added(seen a, seen b)
{
  return (seen){a.leaves || b.leaves, a.may_leave || b.may_leave, a.is_nothing && b.is_nothing};
}

static seen doubted(seen a)
{
  return (seen){0, a.leaves || a.may_leave, a.is_nothing};
}

static seen fits_multiplied(seen a, seen b)
{
  int is_nothing = a.is_nothing || b.is_nothing;
  seen both = fits_added(b.is_nothing ? doubted(a) : a, a.is_nothing ? doubted(b) : b);
  both.is_nothing = is_nothing;
  return both;
}

/* 1 if the last evaluation divided by a number that is not positive, or read outside an array of
 * indices. Clears this trouble so that the walk continues, because the rest may give a definite
 * answer. */
static int has_divided(walk *w)
{
  jets *arithmetic = w->t.arithmetic;
  int is_trouble = arithmetic->trouble && arithmetic->work <= arithmetic->budget;
  if (is_trouble) {
    arithmetic->trouble = NULL;
  }
  return is_trouble;
}

static seen visit_entry(walk *w, const model_shape *shape, const model_index *const index[])
{
  int leaves = 0;
  for (int j = 0; j < shape->n; j++) {
    leaves |= is_outside(&w->t, shape->sets[j], tree_index(&w->t, index[j]));
  }
  leaves |= has_divided(w);
  return (seen){leaves, 0, 0};
}

static seen visit_number(walk *w, const model_expr *e)
{
  tree_index(&w->t, e->index[0]);
  return (seen){has_divided(w), 0, 0};
}

/* Visits an instance of a constraint or invariant at its present indices: its value, or its
 * multiplier. */
static seen visit_instance(walk *w, const model_expr *e)
{
  const model_family *family = e->family;
  long at[MODEL_MAX_BINDERS] = {0};
  int leaves = 0;
  for (int j = 0; j < e->n_index; j++) {
    at[j] = tree_index(&w->t, e->index[j]);
  }
  leaves |= has_divided(w);
  for (int j = 0; j < e->n_index; j++) {
    leaves |= is_outside(&w->t, family->binders[j]->set, at[j]);
    w->t.environment[family->binders[j]->slot] = at[j];
  }
  return leaves || e->kind == EXPR_MULTIPLIER ? (seen){leaves, 0, 0} : visit(w, family->body);
}

static seen visit_sum(walk *w, const model_expr *e)
{
  seen all = {.is_nothing = 1};
  tree_instances each = tree_sum(&w->t, e);
  while (tree_next(&each)) {
    seen one = visit(w, e->a);
    all =
        e->kind == EXPR_SUM || each.number == 0 ? fits_added(all, one) : fits_multiplied(all, one);
  }
  all.leaves |= has_divided(w);
  return all;
}

/* Visits the arguments first; the body then uses their results if it refers to them. */
static seen visit_let(walk *w, const model_expr *e)
{
  seen values[MODEL_MAX_ARGUMENTS];
  long indices[MODEL_MAX_ARGUMENTS];
  const seen *outer = w->arguments;
  for (int j = 0; j < e->let->n_arguments; j++) {
    const model_argument *argument = &e->arguments[j];
    values[j] = visit(w, argument->value);
    indices[j] = argument->index ? tree_index(&w->t, argument->index) : 0;
  }
  for (int j = 0; j < e->let->n_arguments; j++) {
    w->t.environment[e->let->arguments[j]->slot] = indices[j];
  }
  int has_bad_index = has_divided(w);
  w->arguments = values;
  seen body = visit(w, e->let->body);
  w->arguments = outer;
  body.may_leave |= has_bad_index;
  return body;
}

static seen visit_operands(walk *w, const model_expr *e)
{
  seen a = e->a ? visit(w, e->a) : (seen){0, 0, 0};
  if (!e->b) {
    return a;
  }
  seen b = visit(w, e->b);
  return e->kind == EXPR_ADD || e->kind == EXPR_SUB ? fits_added(a, b) : fits_multiplied(a, b);
}

static seen visit(walk *w, const model_expr *e)
{
  if (!jets_afford(w->t.arithmetic, 1)) {
    return (seen){0, 1, 0};
  }
  switch (e->kind) {
  case EXPR_PARAMETER:
    return visit_entry(w, &e->parameter->shape, e->index);
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
  case EXPR_VELOCITY:
    return visit_entry(w, &e->coordinate->shape, e->index);
  case EXPR_INDEX:
    return visit_number(w, e);
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return visit_sum(w, e);
  case EXPR_LET:
    return visit_let(w, e);
  case EXPR_ARGUMENT:
    return w->arguments[e->argument];
  case EXPR_CONSTRAINT:
  case EXPR_MULTIPLIER:
    return visit_instance(w, e);
  case EXPR_HAMILTONIAN:
  case EXPR_LAGRANGIAN:
    return w->H;
  default:
    return visit_operands(w, e);
  }
}

/* Visits every instance separately: an empty sum in one instance implies nothing about another. */
static seen visit_families(walk *w, int n, const model_family *const families[])
{
  seen all = {.is_nothing = 1};
  for (int f = 0; f < n; f++) {
    const model_family *family = families[f];
    tree_instances each = tree_family(&w->t, family);
    while (tree_next(&each)) {
      all = fits_added(all, visit(w, family->body));
    }
    all.leaves |= has_divided(w) ||
                  binders_have_fault(&w->t, family->n_binders, family->binders, family->condition);
  }
  return all;
}

static seen visit_init(walk *w, const model_init *init)
{
  seen all = {.is_nothing = 1};
  for (int i = 0; i < init->n; i++) {
    const model_assignment *set = &init->assignments[i];
    tree_instances each = tree_array(&w->t, &set->values);
    while (tree_next(&each)) {
      all = fits_added(all, visit_entry(w, &set->coordinate->shape, set->index));
      all = fits_added(all, visit(w, tree_array_value(&set->values, &each)));
    }
  }
  return all;
}

static int defaults_are_finite(walk *w)
{
  for (int i = 0; i < w->t.model->n_parameters; i++) {
    const model_values *values = &w->t.model->parameters[i]->values;
    tree_instances each = tree_array(&w->t, values);
    /* A sample has values only for the sizes of the model. */
    while (!w->t.model->parameters[i]->is_data && tree_next(&each)) {
      tree_value(&w->t, tree_array_value(values, &each));
      if (w->t.arithmetic->trouble) {
        return 0;
      }
    }
  }
  return 1;
}

/* Visits all formulas except the defaults of parameters. */
static seen visit_all(walk *w)
{
  const model *m = w->t.model;
  w->H = visit_families(w, m->n_terms, m->terms);
  seen all = fits_added(w->H, visit_families(w, m->n_constraints, m->constraints));
  all = fits_added(all, visit_families(w, m->n_observe, m->observe));
  all = fits_added(all, visit_families(w, m->n_invariants, m->invariants));
  for (int i = 0; i < m->n_inits; i++) {
    all = fits_added(all, visit_init(w, m->inits[i]));
  }
  return all;
}

static int families_have_bad_divisor(const tree *t, int n, const model_family *const families[])
{
  int found = 0;
  for (int f = 0; f < n; f++) {
    found |= binders_have_fault(t, families[f]->n_binders, families[f]->binders,
                                families[f]->condition) ||
             has_fault(t, families[f]->body);
  }
  return found;
}

/* 1 if sizes alone make a divisor of mod 0 or less, evaluated or not. */
static int model_has_fault(const tree *t)
{
  const model *m = t->model;
  int found = families_have_bad_divisor(t, m->n_terms, m->terms) ||
              families_have_bad_divisor(t, m->n_constraints, m->constraints) ||
              families_have_bad_divisor(t, m->n_observe, m->observe) ||
              families_have_bad_divisor(t, m->n_invariants, m->invariants);
  for (int i = 0; i < m->n_inits; i++) {
    for (int j = 0; j < m->inits[i]->n; j++) {
      const model_values *values = &m->inits[i]->assignments[j].values;
      found |= has_fault(t, values->body);
    }
  }
  return found;
}

static int fits(walk *w)
{
  long nq = tree_coordinates_count(&w->t);
  if (nq == 0 || w->t.arithmetic->trouble) {
    return 0;
  }
  seen all = visit_all(w);
  if (all.leaves || !defaults_are_finite(w)) {
    return 0;
  }
  return all.may_leave || model_has_fault(&w->t) ? -1 : 1;
}

int fits_at_sizes(arena *a, const model *m, const long sizes[])
{
  jets arithmetic;
  jets_open(&arithmetic, most_visits);
  walk w = {.t = tree_create(a, m, &arithmetic)};
  w.t.sizes = sizes;
  int result = fits(&w);
  int is_known = arithmetic.work <= arithmetic.budget;
  jets_close(&arithmetic);
  return is_known ? result : -1;
}
