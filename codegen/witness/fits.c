/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/fits.h"

#include <stddef.h>

#include "model/model_limits.h"
#include "witness/tree.h"

/* Nodes that are visited. */
static const long most_visits = 1000000;

/* A walk through the formulas. */
typedef struct walk {
  tree t;
  int met_empty_sum;
  int is_refused; /* whatever has instances */
} walk;

/* ---- divisors in what has no instance ---- */

static int is_of_sizes(const model_index *index)
{
  return !index ||
         (index->kind != INDEX_VARIABLE && is_of_sizes(index->a) && is_of_sizes(index->b));
}

/* Whether sizes alone make a divisor of mod in it 0 or less. */
static int index_has_bad_divisor(const tree *t, const model_index *index)
{
  return index &&
         ((index->kind == INDEX_MOD && is_of_sizes(index->b) && tree_index(t, index->b) <= 0) ||
          index_has_bad_divisor(t, index->a) || index_has_bad_divisor(t, index->b));
}

static int condition_has_bad_divisor(const tree *t, const model_condition *c)
{
  return c && (index_has_bad_divisor(t, c->left) || index_has_bad_divisor(t, c->right) ||
               condition_has_bad_divisor(t, c->a) || condition_has_bad_divisor(t, c->b));
}

static int binders_have_bad_divisor(const tree *t, int n, const model_binder *const binders[],
                                    const model_condition *condition)
{
  int has_bad_divisor = condition_has_bad_divisor(t, condition);
  for (int i = 0; i < n; i++) {
    const model_set *set = binders[i]->set;
    has_bad_divisor |= index_has_bad_divisor(t, set->lower) || index_has_bad_divisor(t, set->upper);
  }
  return has_bad_divisor;
}

static int has_bad_divisor(const tree *t, const model_expr *e)
{
  int found = 0;
  if (!e) {
    return 0;
  }
  for (int i = 0; i < e->n_index; i++) {
    found |= index_has_bad_divisor(t, e->index[i]);
  }
  for (int i = 0; e->let && i < e->let->n_arguments; i++) {
    found |= has_bad_divisor(t, e->arguments[i].value) ||
             index_has_bad_divisor(t, e->arguments[i].index);
  }
  return found || binders_have_bad_divisor(t, e->n_binders, e->binders, e->condition) ||
         (e->let && has_bad_divisor(t, e->let->body)) || has_bad_divisor(t, e->a) ||
         has_bad_divisor(t, e->b);
}

/* ---- references ---- */

static int is_inside(walk *w, const model_expr *e);

static int indices_fit(const tree *t, int n, const model_set *const sets[],
                       const model_index *const index[])
{
  for (int j = 0; j < n; j++) {
    long from_first = tree_index(t, index[j]) - tree_first(t, sets[j]);
    if (from_first < 0 || from_first >= tree_count(t, sets[j])) {
      return 0;
    }
  }
  return 1;
}

/* An instance of a constraint or an invariant, at its present indices. */
static int family_fits(walk *w, const model_expr *e)
{
  for (int j = 0; j < e->n_index; j++) {
    const model_set *set = e->family->binders[j]->set;
    if (!indices_fit(&w->t, 1, &set, &e->index[j])) {
      return 0;
    }
  }
  return 1;
}

static int each_fits(walk *w, const model_expr *e)
{
  tree_instances each = tree_sum(&w->t, e);
  while (tree_next(&each)) {
    if (!is_inside(w, e->a)) {
      return 0;
    }
  }
  w->met_empty_sum = w->met_empty_sum || each.number < 0;
  return 1;
}

/* Both parts are visited, so that an empty sum in either is met. */
static int both_inside(walk *w, const model_expr *e)
{
  int b = !e->b || is_inside(w, e->b);
  int a = !e->a || is_inside(w, e->a);
  return a && b;
}

static int let_fits(walk *w, const model_expr *e)
{
  long indices[MODEL_MAX_ARGUMENTS];
  for (int j = 0; j < e->let->n_arguments; j++) {
    const model_argument *argument = &e->arguments[j];
    if (!is_inside(w, argument->value)) {
      return 0;
    }
    indices[j] = argument->index ? tree_index(&w->t, argument->index) : 0;
  }
  for (int j = 0; j < e->let->n_arguments; j++) {
    w->t.environment[e->let->arguments[j]->slot] = indices[j];
  }
  return is_inside(w, e->let->body);
}

static int is_inside(walk *w, const model_expr *e)
{
  if (!jets_afford(w->t.arithmetic, 1)) {
    return 0;
  }
  switch (e->kind) {
  case EXPR_PARAMETER:
    return indices_fit(&w->t, e->n_index, e->parameter->shape.sets, e->index);
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
    return indices_fit(&w->t, e->n_index, e->coordinate->shape.sets, e->index);
  case EXPR_INDEX:
    tree_index(&w->t, e->index[0]);
    return !w->t.arithmetic->trouble;
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return each_fits(w, e);
  case EXPR_LET:
    return let_fits(w, e);
  case EXPR_CONSTRAINT:
  case EXPR_MULTIPLIER:
    return family_fits(w, e);
  default:
    return both_inside(w, e);
  }
}

static int families_fit(walk *w, int n, const model_family *const families[])
{
  for (int f = 0; f < n; f++) {
    const model_family *family = families[f];
    tree_instances each = tree_family(&w->t, family);
    if (binders_have_bad_divisor(&w->t, family->n_binders, family->binders, family->condition)) {
      w->is_refused = 1;
      return 0;
    }
    while (tree_next(&each)) {
      if (!is_inside(w, family->body)) {
        return 0;
      }
    }
  }
  return !w->t.arithmetic->trouble;
}

static int init_fits(walk *w, const model_init *init)
{
  for (int i = 0; i < init->n; i++) {
    const model_assignment *set = &init->assignments[i];
    tree_instances each = tree_array(&w->t, &set->values);
    while (tree_next(&each)) {
      const model_shape *shape = &set->coordinate->shape;
      if (!indices_fit(&w->t, shape->n, shape->sets, set->index) ||
          !is_inside(w, tree_array_value(&set->values, &each))) {
        return 0;
      }
    }
  }
  return 1;
}

static int defaults_are_finite(walk *w)
{
  for (int i = 0; i < w->t.model->n_parameters; i++) {
    const model_values *values = &w->t.model->parameters[i]->values;
    tree_instances each = tree_array(&w->t, values);
    while (tree_next(&each)) {
      tree_value(&w->t, tree_array_value(values, &each));
      if (w->t.arithmetic->trouble) {
        return 0;
      }
    }
  }
  return 1;
}

static int all_fits(walk *w)
{
  const model *m = w->t.model;
  long nq = tree_coordinates_count(&w->t);
  int fits = nq > 0 && families_fit(w, m->n_terms, m->terms) &&
             families_fit(w, m->n_constraints, m->constraints) &&
             families_fit(w, m->n_observe, m->observe) &&
             families_fit(w, m->n_invariants, m->invariants);
  for (int i = 0; fits && i < m->n_inits; i++) {
    fits = init_fits(w, m->inits[i]);
  }
  return fits && tree_families_count(&w->t, m->n_constraints, m->constraints) <= nq &&
         defaults_are_finite(w);
}

static int families_have_bad_divisor(const tree *t, int n, const model_family *const families[])
{
  int found = 0;
  for (int f = 0; f < n; f++) {
    found |= binders_have_bad_divisor(t, families[f]->n_binders, families[f]->binders,
                                      families[f]->condition) ||
             has_bad_divisor(t, families[f]->body);
  }
  return found;
}

/* Whether sizes alone make a divisor of mod 0 or less, be it evaluated or not. */
static int model_has_bad_divisor(const tree *t)
{
  const model *m = t->model;
  int found = families_have_bad_divisor(t, m->n_terms, m->terms) ||
              families_have_bad_divisor(t, m->n_constraints, m->constraints) ||
              families_have_bad_divisor(t, m->n_observe, m->observe) ||
              families_have_bad_divisor(t, m->n_invariants, m->invariants);
  for (int i = 0; i < m->n_inits; i++) {
    for (int j = 0; j < m->inits[i]->n; j++) {
      const model_values *values = &m->inits[i]->assignments[j].values;
      found |= has_bad_divisor(t, values->body);
    }
  }
  return found;
}

int fits_at_sizes(arena *a, const model *m, const long sizes[])
{
  jets arithmetic;
  jets_open(&arithmetic, most_visits);
  walk w = {tree_create(a, m, &arithmetic), 0, 0};
  w.t.sizes = sizes;
  int fits = all_fits(&w);
  int known = arithmetic.work <= arithmetic.budget &&
              (fits ? !model_has_bad_divisor(&w.t) : w.is_refused || !w.met_empty_sum);
  jets_close(&arithmetic);
  return known ? fits : -1;
}
