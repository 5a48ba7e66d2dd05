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
} walk;

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
    return (!e->b || is_inside(w, e->b)) && (!e->a || is_inside(w, e->a));
  }
}

static int families_fit(walk *w, int n, const model_family *const families[])
{
  for (int f = 0; f < n; f++) {
    tree_instances each = tree_family(&w->t, families[f]);
    while (tree_next(&each)) {
      if (!is_inside(w, families[f]->body)) {
        return 0;
      }
    }
  }
  return 1;
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

int fits_at_sizes(arena *a, const model *m, const long sizes[])
{
  jets arithmetic;
  jets_open(&arithmetic, most_visits);
  walk w = {tree_create(a, m, &arithmetic), 0};
  w.t.sizes = sizes;
  int fits = all_fits(&w);
  int known = arithmetic.work <= arithmetic.budget && (fits || !w.met_empty_sum);
  jets_close(&arithmetic);
  return known ? fits : -1;
}
