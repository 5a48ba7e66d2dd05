/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/witness.h"

#include <string.h>

#include "model/model.h"
#include "witness/fits.h"
#include "witness/points.h"
#include "witness/quantities.h"

/* ---- whether a formula is written as a polynomial in the state ---- */

/* A number, a parameter, or a product of numbers and parameters. */
static int is_factor(const model_expr *e)
{
  switch (e->kind) {
  case EXPR_NUMBER:
  case EXPR_PI:
  case EXPR_INDEX:
  case EXPR_PARAMETER:
    return 1;
  case EXPR_MUL:
    return is_factor(e->a) && is_factor(e->b);
  default:
    return 0;
  }
}

static int polynomial_tree_is_plain(const model *m, const model_expr *e);

static int are_plain(const model *m, int n, const model_family *const families[])
{
  int plain = 1;
  for (int i = 0; i < n; i++) {
    plain = plain && polynomial_tree_is_plain(m, families[i]->body);
  }
  return plain;
}

static int is_plain_let(const model *m, const model_expr *e)
{
  int plain = polynomial_tree_is_plain(m, e->let->body);
  for (int i = 0; i < e->let->n_arguments; i++) {
    plain = plain && polynomial_tree_is_plain(m, e->arguments[i].value);
  }
  return plain;
}

static int is_plain_power(const model *m, const model_expr *e)
{
  return e->b->kind == EXPR_NUMBER && mpz_cmp_ui(mpq_denref(e->b->number), 1) == 0 &&
         polynomial_tree_is_plain(m, e->a);
}

static int polynomial_tree_is_plain(const model *m, const model_expr *e)
{
  switch (e->kind) {
  case EXPR_NUMBER:
  case EXPR_PI:
  case EXPR_INDEX:
  case EXPR_PARAMETER:
  case EXPR_ARGUMENT:
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
    return 1;
  case EXPR_NEG:
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return polynomial_tree_is_plain(m, e->a);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
    return polynomial_tree_is_plain(m, e->b) && polynomial_tree_is_plain(m, e->a);
  case EXPR_DIV:
    return is_factor(e->b) && polynomial_tree_is_plain(m, e->a);
  case EXPR_POW:
    return is_plain_power(m, e);
  case EXPR_LET:
    return is_plain_let(m, e);
  case EXPR_HAMILTONIAN:
    return are_plain(m, m->n_terms, m->terms);
  case EXPR_CONSTRAINT:
    return polynomial_tree_is_plain(m, e->family->body);
  default:
    return 0;
  }
}

/* 1 if H, or every constraint, consists of sums, products, literal integer powers, and quotients by
 * numbers and parameters. Then no equivalent form has terms of a larger magnitude. */
/* H of a Lagrangian counts as no polynomial, since it is a quotient in general. */
static int polynomial_tree_hamiltonian(const model *m)
{
  return !m->lagrangian_name && are_plain(m, m->n_terms, m->terms);
}

static int polynomial_tree_constraints(const model *m)
{
  return are_plain(m, m->n_constraints, m->constraints);
}

/* Limits on products of balls, first at one point at one precision, then in a whole case. When the
 * second is exceeded, no further point is started. */
static const long point_budget = 3000000;
static const long whole_budget = 6000000;

/* Limit on numbers in the table. When it is exceeded, no further point is started. */
static const long most_entries = 20000;

/* ---- sizes ---- */

/* LARGEST_CASE: largest 2d of a looped model at small sizes. */
enum { LARGEST_CASE = 160, CASES = 2, TRIALS = 5 };

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
  const struct {
    int n;
    const model_family *const *families;
  } kinds[] = {{m->n_terms, m->terms},
               {m->n_constraints, m->constraints},
               {m->n_observe, m->observe},
               {m->n_invariants, m->invariants}};
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    for (int i = 0; i < kinds[kind].n; i++) {
      const model_family *f = kinds[kind].families[i];
      n += f->count > 1 || f->n_binders == 0 ? 2 : (int)f->count;
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
static const model *small_model(arena *a, const model *m, long sizes[])
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

static int is_taken(const long sizes[], int n, long value)
{
  int taken = 0;
  for (int i = 0; i < n; i++) {
    taken = taken || sizes[i] == value;
  }
  return taken;
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
      if (value >= 0 && value != before[j] && !is_taken(sizes, j, value)) {
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

static int small_models(arena *a, const model *m, const model *chosen[])
{
  long *sizes = ARENA_ARRAY(a, m->n_sizes + 1, long);
  int n = 0;
  chosen[n] = small_model(a, m, sizes);
  n += chosen[n] != NULL;
  chosen[n] = n > 0 ? other_small_model(a, m, sizes) : NULL;
  return n + (n > 0 && chosen[n] != NULL);
}

/* ---- one case ---- */

static const char *const *witness_family_names(arena *a, tree *t, int n,
                                               const model_family *const families[])
{
  const char **names = ARENA_ARRAY(a, tree_families_count(t, n, families) + 1, const char *);
  int at = 0;
  for (int f = 0; f < n; f++) {
    tree_instances each = tree_family(t, families[f]);
    while (tree_next(&each)) {
      names[at++] = tree_instance_name(a, families[f], &each);
    }
  }
  return names;
}

/* Appends the names of the entries of an array. */
static void add_entry_names(arena *a, const tree *t, const char *name, const model_shape *shape,
                            const char *names[], int *at)
{
  for (long e = 0; e < tree_shape_count(t, shape); e++) {
    names[(*at)++] = tree_entry_name(a, t, name, shape, e);
  }
}

static const char *const *coordinate_names(arena *a, const tree *t, int momenta)
{
  const char **names = ARENA_ARRAY(a, tree_coordinates_count(t) + 1, const char *);
  int at = 0;
  for (int i = 0; i < t->model->n_coordinates; i++) {
    const model_coordinate *c = t->model->coordinates[i];
    add_entry_names(a, t, momenta ? c->momentum : c->name, &c->shape, names, &at);
  }
  return names;
}

static const char *const *parameter_names(arena *a, const tree *t)
{
  const char **names = ARENA_ARRAY(a, tree_parameters_count(t) + 1, const char *);
  int at = 0;
  for (int i = 0; i < t->model->n_parameters; i++) {
    add_entry_names(a, t, t->model->parameters[i]->name, &t->model->parameters[i]->shape, names,
                    &at);
  }
  return names;
}

static const char *const *init_names(arena *a, const model *m)
{
  const char **names = ARENA_ARRAY(a, m->n_inits + 1, const char *);
  for (int i = 0; i < m->n_inits; i++) {
    names[i] = m->inits[i]->name;
  }
  return names;
}

/* Returns the sizes followed by the sample's values in the arrays of indices at these sizes:
 * *n_given numbers. */
static const long *with_indices(arena *a, const model *m, const long sizes[], int *n_given)
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

static void witness_describe(arena *a, const model *m, sw_witness_case *c)
{
  jets counting;
  jets_open(&counting, point_budget);
  tree t = tree_create(a, m, &counting);
  long *sizes = ARENA_ARRAY(a, m->n_sizes + 1, long);
  for (int i = 0; i < m->n_sizes; i++) {
    sizes[i] = m->sizes[i]->value;
  }
  c->sizes = with_indices(a, m, sizes, &c->n_given);
  c->nq = (int)tree_coordinates_count(&t);
  c->nc = (int)tree_families_count(&t, m->n_constraints, m->constraints);
  c->nk = (int)tree_parameters_count(&t);
  c->n_observe = (int)tree_families_count(&t, m->n_observe, m->observe);
  c->n_invariant = (int)tree_families_count(&t, m->n_invariants, m->invariants);
  c->n_init = m->n_inits;
  c->names[0] = coordinate_names(a, &t, 0);
  c->names[1] = coordinate_names(a, &t, 1);
  c->names[2] = parameter_names(a, &t);
  c->names[3] = witness_family_names(a, &t, m->n_constraints, m->constraints);
  c->names[4] = witness_family_names(a, &t, m->n_observe, m->observe);
  c->names[5] = witness_family_names(a, &t, m->n_invariants, m->invariants);
  c->names[6] = init_names(a, m);
  jets_close(&counting);
}

/* Work and table entries that a case has used up. */
typedef struct spent {
  long work;
  long entries;
} spent;

static int has_room(const spent *s)
{
  return s->work < whole_budget && s->entries < most_entries;
}

/* Adds a point if one is found. */
static void add_point(points *p, points_kind kind, int number, quantities_wanted wanted, spent *s,
                      sw_witness_point list[], int *n)
{
  sw_witness_point *point = &list[*n];
  sw_witness_values *values =
      ARENA_ARRAY(p->memory, QUANTITIES_ROOM(p->m->n_inits), sw_witness_values);
  if (!points_choose(p, kind, number, point)) {
    return;
  }
  point->n = quantities_at(p->memory, p->m, point, wanted, p->budget, &s->work, values);
  point->values = values;
  s->entries += 2L * p->n + p->nk;
  for (int i = 0; i < point->n; i++) {
    s->entries += values[i].n;
  }
  ++*n;
}

/* Adds the points of a case, in this order, until the limits are reached. */
static void witness_add_points(arena *a, const model *m, quantities_wanted wanted,
                               sw_witness_case *c, int few)
{
  static const points_kind kinds[] = {POINTS_NEAR, POINTS_WIDE, POINTS_DEFAULT, POINTS_NEAR};
  int spread = few ? 18 : 36;
  int full = (int)(sizeof kinds / sizeof *kinds);
  sw_witness_point *list = ARENA_ARRAY(a, full + spread, sw_witness_point);
  points p;
  points_open(&p, a, m, point_budget);
  spent s = {0, 0};
  for (int i = 0; i < full && (i == 0 || has_room(&s)); i++) {
    add_point(&p, kinds[i], i, wanted, &s, list, &c->n_points);
  }
  for (int i = 0; i < spread && m->n_constraints > 0 && has_room(&s); i++) {
    add_point(&p, POINTS_SPREAD, i, QUANTITIES_TERMS, &s, list, &c->n_points);
  }
  c->points = list;
  c->bounds = p.bounds;
  c->k_default = p.defaults;
  points_close(&p);
}

/* Tests whether the model exists if all its sizes have the same small value. */
static void try_sizes(arena *a, const model *m, sw_witness *w)
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
      trial->sizes = with_indices(a, m, sizes, &trial->n_given);
      trial->fits = fits;
    }
  }
  w->trials = trials;
}

const sw_witness *witness_create(arena *a, const model *m, int is_looped, int with_rates,
                                 const char *digest)
{
  const model *models[CASES] = {m, NULL};
  sw_witness *w = ARENA_NEW(a, sw_witness);
  const char **size_names = ARENA_ARRAY(a, m->n_sizes + 1, const char *);
  long *size_default = ARENA_ARRAY(a, m->n_sizes + 1, long);
  w->name = m->name;
  w->title = m->title;
  w->digest = digest;
  w->polynomial_H = polynomial_tree_hamiltonian(m);
  w->polynomial_g = polynomial_tree_constraints(m);
  w->run = m->run;
  w->n_cases = is_looped ? small_models(a, m, models) : 1;
  w->n_sizes = is_looped ? m->n_sizes : 0;
  for (int i = 0; i < m->n_sizes; i++) {
    size_names[i] = m->sizes[i]->name;
    size_default[i] = m->sizes[i]->is_data ? SW_NO_DEFAULT : m->sizes[i]->value;
  }
  w->size_names = size_names;
  w->size_default = size_default;
  sw_witness_case *cases = ARENA_ARRAY(a, CASES, sw_witness_case);
  for (int i = 0; i < w->n_cases; i++) {
    witness_describe(a, models[i], &cases[i]);
    witness_add_points(a, models[i],
                       !with_rates ? QUANTITIES_ALL
                       : is_looped ? QUANTITIES_ALONG
                                   : QUANTITIES_RATES,
                       &cases[i], is_looped);
  }
  w->cases = cases;
  if (is_looped && m->n_sizes > 0) {
    try_sizes(a, m, w);
  }
  return w;
}
