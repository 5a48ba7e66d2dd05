/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sizes.c -- at which sizes the functions of a looped model are tabulated, and whether the model
 * exists at given sizes.
 */
#include <string.h>

#include "model/model_limits.h"
#include "witness/tree.h"
#include "witness/witness.h"

/* The families of a model by their kind: terms of H, constraints, observables, invariants,
 * forces, the positions of their momenta, and events. */
enum { FAMILY_KINDS = 7 };

static int families_of(const model *m, int kind, const model_family *const **families)
{
  *families = kind == 0   ? m->terms
              : kind == 1 ? m->constraints
              : kind == 2 ? m->observe
              : kind == 3 ? m->invariants
              : kind == 4 ? m->forces
              : kind == 5 ? m->force_targets
                          : m->events;
  return kind == 0   ? m->n_terms
         : kind == 1 ? m->n_constraints
         : kind == 2 ? m->n_observe
         : kind == 3 ? m->n_invariants
         : kind == 6 ? m->n_events
                     : m->n_forces;
}

/* ---- whether the model exists at given sizes ---- */

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

/* Visits an instance of a constraint or invariant at its present indices: its value, its
 * multiplier or its impulse. */
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
  return leaves || e->kind != EXPR_CONSTRAINT ? (seen){leaves, 0, 0} : visit(w, family->body);
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
    tree_index(&w->t, e->index[0]);
    return (seen){has_divided(w), 0, 0};
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return visit_sum(w, e);
  case EXPR_LET:
    return visit_let(w, e);
  case EXPR_ARGUMENT:
    return w->arguments[e->argument];
  case EXPR_CONSTRAINT:
  case EXPR_MULTIPLIER:
  case EXPR_IMPULSE:
    return visit_instance(w, e);
  case EXPR_HAMILTONIAN:
  case EXPR_LAGRANGIAN:
    return w->H;
  default:
    break;
  }
  seen a = e->a ? visit(w, e->a) : (seen){0, 0, 0};
  return !e->b                                        ? a
         : e->kind == EXPR_ADD || e->kind == EXPR_SUB ? fits_added(a, visit(w, e->b))
                                                      : fits_multiplied(a, visit(w, e->b));
}

/* Visits every instance separately: an empty sum in one instance implies nothing about another. */
static seen visit_families(walk *w, int kind)
{
  const model_family *const *families = NULL;
  const int n = families_of(w->t.model, kind, &families);
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

static seen visit_init(walk *w, const model_init *init, seen all)
{
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
  seen all = w->H = visit_families(w, 0);
  for (int kind = 1; kind < FAMILY_KINDS; kind++) {
    all = fits_added(all, visit_families(w, kind));
  }
  for (int i = 0; i < m->n_inits; i++) {
    all = visit_init(w, m->inits[i], all);
  }
  return all;
}

/* 1 if sizes alone make a divisor of mod 0 or less, evaluated or not. */
static int model_has_fault(const tree *t)
{
  const model *m = t->model;
  int found = 0;
  for (int kind = 0; kind < FAMILY_KINDS; kind++) {
    const model_family *const *families = NULL;
    const int n = families_of(m, kind, &families);
    for (int f = 0; f < n; f++) {
      found |= binders_have_fault(t, families[f]->n_binders, families[f]->binders,
                                  families[f]->condition) ||
               has_fault(t, families[f]->body);
    }
  }
  for (int i = 0; i < m->n_inits; i++) {
    for (int j = 0; j < m->inits[i]->n; j++) {
      found |= has_fault(t, m->inits[i]->assignments[j].values.body);
    }
  }
  return found;
}

/* Whether the model exists at these sizes. 1: every reference in every instance of every formula is
 * inside its array, there is a degree of freedom, and the default of every parameter is finite. 0:
 * one of these conditions fails. -1: undecided, for one of three reasons:
 * - the decision takes too much work;
 * - all references outside an array are factors of products with an empty sum, which a loop with
 *   the product in its body never evaluates;
 * - a divisor of mod that depends on sizes alone is 0 or less in a formula without instances, and a
 *   program with loops may reject the sizes for it.
 *
 * The checker (model_at) decides differently: it rejects references in products with an empty sum
 * and initial values that are set twice, and accepts mod in formulas without instances. */
static int fits_at_sizes(arena *a, const model *m, const long sizes[])
{
  jets arithmetic;
  jets_open(&arithmetic, most_visits);
  walk w = {.t = tree_create(a, m, &arithmetic)};
  w.t.sizes = sizes;
  int result = 0;
  if (tree_coordinates_count(&w.t) > 0 && !arithmetic.trouble) {
    const seen all = visit_all(&w);
    if (!all.leaves && defaults_are_finite(&w)) {
      result = all.may_leave || model_has_fault(&w.t) ? -1 : 1;
    }
  }
  int is_known = arithmetic.work <= arithmetic.budget;
  jets_close(&arithmetic);
  return is_known ? result : -1;
}

/* ---- the sizes of the cases ---- */

/* LARGEST_CASE: largest 2d of a looped model at small sizes. */
enum { LARGEST_CASE = 160, TRIALS = 5 };

static const model *at_sizes(arena *a, const model *m, const long sizes[])
{
  model_size_setting *settings = ARENA_ARRAY(a, m->n_sizes + 1, model_size_setting);
  for (int i = 0; i < m->n_sizes; i++) {
    settings[i] = (model_size_setting){.name = m->sizes[i]->name, .value = sizes[i]};
  }
  return model_at(a, m, m->n_sizes, settings);
}

/* Counts the families of the model that have instances. A family with several instances, or without
 * binders, counts twice. */
static int count_populated(const model *m)
{
  int n = 0;
  for (int kind = 0; kind < FAMILY_KINDS; kind++) {
    const model_family *const *families = NULL;
    const int n_families = families_of(m, kind, &families);
    for (int i = 0; i < n_families; i++) {
      n += families[i]->count > 1 || families[i]->n_binders == 0 ? 2 : (int)families[i]->count;
    }
  }
  return n;
}

/* Proposes candidate number `i` for the sizes; returns 0 if there are no more. Kind 0 and 1: all
 * sizes differ by at least 2, rising or falling, so an end of a range that is wrong by 1 still
 * exceeds the smaller size. Kind 2: all sizes are equal. Later kinds: only one size changes. */
static int candidate(const model *m, int i, long sizes[])
{
  static const long smallest[] = {3, 4, 5, 2, 6, 8};
  int n = m->n_sizes;
  int bases = (int)(sizeof smallest / sizeof *smallest);
  long base = smallest[i % bases];
  int kind = i / bases;
  for (int j = 0; j < n; j++) {
    int alone = kind - 3;
    sizes[j] = kind == 0    ? base + 2 * j
               : kind == 1  ? base + 2 * (n - 1 - j)
               : kind == 2  ? base
               : j == alone ? base
                            : m->sizes[j]->value;
  }
  return kind < 3 + n;
}

static int witness_is_small(const model *m)
{
  return m && m->nc <= m->nq && 2 * m->nq <= LARGEST_CASE;
}

/* Returns the model at small sizes: the first candidate at which the most families have instances.
 * Returns NULL if no candidate works. */
static const model *first_small_model(arena *a, const model *m, long sizes[])
{
  const model *best = NULL;
  long *tried = ARENA_ARRAY(a, m->n_sizes + 1, long);
  for (int i = 0; candidate(m, i, tried); i++) {
    const model *small = at_sizes(a, m, tried);
    if (witness_is_small(small) && (!best || count_populated(small) > count_populated(best))) {
      best = small;
      memcpy(sizes, tried, (size_t)m->n_sizes * sizeof *sizes);
    }
  }
  return best;
}

/* Proposes value number i for size number j. `side` is the side of the first size (-1: below, 1:
 * above) on which the size was so far. Values on the other side of the new first size come first,
 * then values about the size's own. Returns 0 if there are no more. */
static int proposal(int n, const long sizes[], int j, long side, int i, long *value)
{
  static const long beyond[] = {2, 1, 3, 4, 5};
  static const long about_one[] = {1, 2, 3, -1, -2};
  static const long about_first[] = {2, 1, 3, -1, -2};
  enum { COUNT = sizeof beyond / sizeof *beyond };
  if (j > 0 && i < COUNT) {
    *value = sizes[0] - side * beyond[i];
    return 1;
  }
  i -= j > 0 ? COUNT : 0;
  if (i < COUNT) {
    *value = sizes[j] + (j == 0 && n > 1 ? about_first : about_one)[i];
  }
  return i < COUNT;
}

/* Returns another small model, in which as many sizes as possible are changed, one after the other.
 * Each size changes to the other side of the first size if possible, so that each of the two is
 * once the smaller one. */
static const model *other_small_model(arena *a, const model *m, long sizes[])
{
  const model *other = NULL;
  long *before = ARENA_ARRAY(a, m->n_sizes + 1, long);
  memcpy(before, sizes, (size_t)m->n_sizes * sizeof *before);
  for (int j = 0; j < m->n_sizes; j++) {
    const model *changed = NULL;
    long side = before[j] < before[0] ? -1 : 1;
    long value = 0;
    for (int i = 0; !changed && proposal(m->n_sizes, sizes, j, side, i, &value); i++) {
      int is_new = value >= 0 && value != before[j];
      for (int k = 0; k < j; k++) {
        is_new = is_new && sizes[k] != value;
      }
      if (is_new) {
        sizes[j] = value;
        changed = at_sizes(a, m, sizes);
        changed = witness_is_small(changed) ? changed : NULL;
        sizes[j] = changed ? value : before[j];
      }
    }
    other = changed ? changed : other;
  }
  return other;
}

int witness_small_models(arena *a, const model *m, const model *chosen[WITNESS_CASES])
{
  long *sizes = ARENA_ARRAY(a, m->n_sizes + 1, long);
  chosen[0] = first_small_model(a, m, sizes);
  chosen[1] = chosen[0] ? other_small_model(a, m, sizes) : NULL;
  return (chosen[0] != NULL) + (chosen[1] != NULL);
}

const long *witness_given(arena *a, const model *m, const long sizes[], int *n_given)
{
  tree t = tree_create(a, m, NULL);
  long count = m->n_sizes;
  t.sizes = sizes;
  for (int i = 0; i < m->n_indices; i++) {
    count += tree_count(&t, m->indices[i]->set);
  }
  long *given = ARENA_ARRAY(a, count + 1, long);
  long at = m->n_sizes;
  memcpy(given, sizes, (size_t)m->n_sizes * sizeof *given);
  for (int i = 0; i < m->n_indices; i++) {
    const model_indices *own = m->indices[i];
    const long first = tree_first(&t, own->target);
    for (long j = 0; j < tree_count(&t, own->set); j++) {
      given[at++] = model_sample(own, j, first, tree_count(&t, own->target));
    }
  }
  *n_given = (int)count;
  return given;
}

void witness_try_sizes(arena *a, const model *m, sw_witness *w)
{
  sw_witness_trial *trials = ARENA_ARRAY(a, TRIALS, sw_witness_trial);
  for (long value = 0; value < TRIALS; value++) {
    long *sizes = ARENA_ARRAY(a, m->n_sizes + 1, long);
    for (int i = 0; i < m->n_sizes; i++) {
      sizes[i] = value;
    }
    int fits = fits_at_sizes(a, m, sizes);
    if (fits >= 0) {
      sw_witness_trial *trial = &trials[w->n_trials++];
      trial->sizes = witness_given(a, m, sizes, &trial->n_given);
      trial->fits = fits;
    }
  }
  w->trials = trials;
}
