/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/witness.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/arena.h"
#include "common/random.h"
#include "common/rational.h"
#include "model/model.h"
#include "sidewinder/witness.h"
#include "witness/tree.h"

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

/* A sum, product, literal integer power, or quotient by numbers and parameters. */
static int is_plain(const model *m, const model_expr *e);

/* 1 if all formulas of the families are plain. Then no equivalent form has terms of a larger
 * magnitude. */
static int are_plain(const model *m, int n, const model_family *const families[])
{
  int plain = 1;
  for (int i = 0; i < n; i++) {
    plain = plain && is_plain(m, families[i]->body);
  }
  return plain;
}

static int is_plain(const model *m, const model_expr *e)
{
  int plain = 1;
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
    return is_plain(m, e->a);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
    return is_plain(m, e->b) && is_plain(m, e->a);
  case EXPR_DIV:
    return is_factor(e->b) && is_plain(m, e->a);
  case EXPR_POW:
    return e->b->kind == EXPR_NUMBER && mpz_cmp_ui(mpq_denref(e->b->number), 1) == 0 &&
           is_plain(m, e->a);
  case EXPR_LET:
    for (int i = 0; i < e->let->n_arguments; i++) {
      plain = plain && is_plain(m, e->arguments[i].value);
    }
    return plain && is_plain(m, e->let->body);
  case EXPR_HAMILTONIAN:
    return are_plain(m, m->n_terms, m->terms);
  case EXPR_CONSTRAINT:
    return is_plain(m, e->family->body);
  default:
    return 0;
  }
}

/* ---- the choice of points ----
 *
 * Random states near the initial states, random parameters within their bounds, and random
 * multipliers. A model has the same points in every process. */

/* Limits on products of balls, first at one point at one precision, then in a whole case. When the
 * second is exceeded, no further point is started. */
static const long point_budget = 3000000;
static const long whole_budget = 6000000;

typedef struct points {
  arena *memory;
  const model *m;
  uint64_t random;
  jets counting; /* arithmetic of t */
  tree t;
  int n; /* 2d */
  int nk;
  double *k_default;           /* nk */
  sw_witness_values *defaults; /* nk: the defaults as exact values */
  sw_bounds *bounds;           /* nk */
  double *start; /* n_inits x 2d: the initial states; one row of zeros if there are none */
  /* 2d: for positions the largest position in all initial states, likewise for momenta; 1 if all
   * are 0 */
  double *length;
  /* work and table entries that the points have used up */
  long work;
  long entries;
} points;

/* How far parameters are from their defaults. */
typedef enum points_kind {
  POINTS_DEFAULT, /* the defaults */
  POINTS_NEAR,    /* each by up to 40 %, independently */
  /* between -2 and 2 times the default; the state is far away, multipliers are small */
  POINTS_WIDE,
  /* entries of the state, and parameters, are multiplied by factors from 1/100 to 100 */
  POINTS_SPREAD
} points_kind;

/* How often a random change is halved if the model is undefined after it. */
enum { HALVINGS = 12 };

/* Largest number of parameters for which each parameter is tried individually, after all together
 * failed. */
enum { MOST_SINGLE = 64 };

/* Bounds, defaults and initial states of the model. */

static void find_bounds(points *p)
{
  long at = 0;
  for (int i = 0; i < p->m->n_parameters; i++) {
    const model_parameter *parameter = p->m->parameters[i];
    const sw_bounds bounds = {
        .lower = parameter->lower ? rational_double(parameter->lower) : -INFINITY,
        .upper = parameter->upper ? rational_double(parameter->upper) : INFINITY,
        .closed = (unsigned char)(parameter->lower_closed + 2 * parameter->upper_closed +
                                  4 * parameter->is_data)};
    for (long e = tree_shape_count(&p->t, &parameter->shape); e > 0; e--) {
      p->bounds[at++] = bounds;
    }
  }
}

/* Copies the entries of a function into x. */
static void points_take(const sw_witness_values *values, double x[])
{
  for (int e = 0; e < values->n; e++) {
    x[values->entries[e].row] = values->entries[e].value;
  }
}

/* Evaluates functions that need no state. Returns their number. */
static int points_look(points *p, quantities_wanted wanted, sw_witness_values **values)
{
  long work = 0;
  const sw_witness_point nowhere = {.z = p->start, .k = p->k_default};
  *values = ARENA_ARRAY(p->memory, QUANTITIES_ROOM(p->m->n_inits), sw_witness_values);
  return quantities_at(p->memory, p->m, &nowhere, wanted, point_budget, &work, *values);
}

static void points_open(points *p, arena *a, const model *m)
{
  *p = (points){.memory = a, .m = m, .random = 20140323};
  jets_open(&p->counting, point_budget);
  p->t = tree_create(a, m, &p->counting);
  const int d = (int)tree_coordinates_count(&p->t);
  p->n = 2 * d;
  p->nk = (int)tree_parameters_count(&p->t);
  p->k_default = ARENA_ARRAY(a, p->nk + 1, double);
  p->bounds = ARENA_ARRAY(a, p->nk + 1, sw_bounds);
  p->start = ARENA_ARRAY(a, (m->n_inits + 1) * p->n, double);
  p->length = ARENA_ARRAY(a, p->n, double);
  find_bounds(p);
  if (points_look(p, QUANTITIES_DEFAULTS, &p->defaults)) {
    points_take(p->defaults, p->k_default);
  }
  sw_witness_values *states = NULL;
  double largest[2] = {0.0, 0.0};
  const int n_states = points_look(p, QUANTITIES_INITS, &states);
  for (int s = 0; s < n_states; s++) {
    double *start = p->start + (size_t)s * (size_t)p->n;
    points_take(&states[s], start);
    for (int i = 0; i < p->n; i++) {
      largest[i / d] = fmax(largest[i / d], fabs(start[i]));
    }
  }
  for (int i = 0; i < p->n; i++) {
    p->length[i] = largest[i / d] > 0.0 ? largest[i / d] : 1.0;
  }
}

/* Spread points alternate between two kinds: entries of very different sizes, so that one term of a
 * sum dominates, and entries of similar sizes with random signs. */
static double spread_of(int number)
{
  return number % 2 ? 0.15 : 1.0;
}

/* A size times 2 to a random power between -6.5 * amount and 6.5 * amount, with a random sign. The
 * mantissa has few digits, which keeps the table short. */
static double rough(points *p, double size, double amount)
{
  double power = floor(log2(size)) + floor(6.5 * amount * sw_random(&p->random) + 0.5);
  double mantissa = 1.0 + floor(128.0 * (1.0 + sw_random(&p->random))) / 256.0;
  return copysign(ldexp(mantissa, (int)power), sw_random(&p->random));
}

static int is_allowed(const sw_bounds *b, double k)
{
  return (k > b->lower || (k == b->lower && (b->closed & 1))) &&
         (k < b->upper || (k == b->upper && (b->closed & 2)));
}

/* A value at distance `by` from the default, to either side. The distance is halved until the
 * bounds allow the value. */
static double points_moved(const sw_bounds *bounds, double from, double by)
{
  for (int i = 0; i < HALVINGS; i++, by /= 2.0) {
    if (is_allowed(bounds, from + by)) {
      return from + by;
    }
    if (is_allowed(bounds, from - by)) {
      return from - by;
    }
  }
  return from;
}

static double random_parameter(points *p, points_kind kind, int number, int i)
{
  double from = p->k_default[i];
  double size = from != 0.0 ? fabs(from) : 1.0;
  double u = sw_random(&p->random);
  switch (kind) {
  case POINTS_DEFAULT:
    return from;
  case POINTS_NEAR:
    return points_moved(&p->bounds[i], from, 0.4 * size * u);
  case POINTS_WIDE:
    return points_moved(&p->bounds[i], from, 2.0 * size * u - from);
  case POINTS_SPREAD:
    break;
  }
  return points_moved(&p->bounds[i], from, rough(p, size, spread_of(number)) - from);
}

/* If all entries were small, sin(x) would equal x, and the test would not see an error in its
 * argument. So wide states reach to about 1, where elementary functions bend. They do not reach
 * other orders of magnitude, because small values may just be due to the units. */
static void random_state(points *p, points_kind kind, int number, double amount, double z[])
{
  static const double most = 32.0;
  int s = p->m->n_inits > 0 ? number % p->m->n_inits : 0;
  for (int i = 0; i < p->n; i++) {
    double length = p->length[i];
    double reach = kind == POINTS_WIDE && length < 1.0 ? fmin(most * length, 1.0) : length;
    z[i] = kind == POINTS_SPREAD ? rough(p, length, 5.0 * amount * spread_of(number))
                                 : p->start[s * p->n + i] + amount * reach * sw_random(&p->random);
  }
}

/* Chooses a state at which the model with these parameters is defined. */
static int choose_state(points *p, points_kind kind, int number, const double k[], double z[],
                        double speed[])
{
  double amount = kind == POINTS_WIDE ? 1.5 : number == 0 || kind == POINTS_SPREAD ? 0.2 : 0.7;
  for (int i = 0; i < HALVINGS; i++, amount /= 2.0) {
    random_state(p, kind, number, amount, z);
    if (quantities_exist(p->memory, p->m, z, k, p->length, point_budget, speed)) {
      return 1;
    }
  }
  return 0;
}

/* Moves the parameters one by one and keeps each change for which the model is defined. An exponent
 * in q^n, for example, cannot change if q is negative. */
static void move_one_by_one(points *p, const double wanted[], const double z[], double k[],
                            double speed[])
{
  memcpy(k, p->k_default, (size_t)p->nk * sizeof *k);
  for (int i = 0; i < p->nk && p->nk <= MOST_SINGLE; i++) {
    k[i] = wanted[i];
    if (!quantities_exist(p->memory, p->m, z, k, p->length, point_budget, speed)) {
      k[i] = p->k_default[i];
    }
  }
}

/* Chooses a point at which H and g have second derivatives, near the initial state `number` modulo
 * the number of initial states. Returns 0 if no such point was found. */
static int points_choose(points *p, points_kind kind, int number, sw_witness_point *point)
{
  int nk = p->nk;
  long nc = p->m->nc;
  double *z = ARENA_ARRAY(p->memory, p->n, double);
  double *k = ARENA_ARRAY(p->memory, nk + 1, double);
  double *lambda = ARENA_ARRAY(p->memory, nc + 1, double);
  double *v = ARENA_ARRAY(p->memory, p->n, double);
  double *speed = ARENA_ARRAY(p->memory, nc + 1, double);
  double *wanted = ARENA_ARRAY(p->memory, nk + 1, double);
  for (int i = 0; i < nk; i++) {
    k[i] = wanted[i] = random_parameter(p, kind, number, i);
  }
  if (!choose_state(p, kind, number, k, z, speed)) {
    memcpy(k, p->k_default, (size_t)nk * sizeof *k);
    if (!choose_state(p, kind, number, k, z, speed)) {
      return 0;
    }
    move_one_by_one(p, wanted, z, k, speed);
    quantities_exist(p->memory, p->m, z, k, p->length, point_budget, speed);
  }
  /* A multiplier moves no entry of z by more than 0.3 of its length, or 0.003 for a wide point. */
  for (int i = 0; i < nc; i++) {
    double u = sw_random(&p->random);
    double part = 0.5 * (u + copysign(1.0, u));
    lambda[i] = (kind == POINTS_WIDE ? 0.003 : 0.3) * part /
                (speed[i] > 0.0 && isfinite(speed[i]) ? speed[i] : 1.0);
  }
  for (int i = 0; i < p->n; i++) {
    v[i] = p->length[i] * sw_random(&p->random);
  }
  *point = (sw_witness_point){.z = z,
                              .k = k,
                              .lambda = lambda,
                              .v = v,
                              .is_near = kind == POINTS_NEAR || kind == POINTS_DEFAULT};
  return 1;
}

/* Limit on numbers in the table. When it is exceeded, no further point is started. */
static const long most_entries = 20000;

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

static void witness_describe(arena *a, tree *t, sw_witness_case *c)
{
  const model *m = t->model;
  long *sizes = ARENA_ARRAY(a, m->n_sizes + 1, long);
  const char **inits = ARENA_ARRAY(a, m->n_inits + 1, const char *);
  for (int i = 0; i < m->n_sizes; i++) {
    sizes[i] = m->sizes[i]->value;
  }
  for (int i = 0; i < m->n_inits; i++) {
    inits[i] = m->inits[i]->name;
  }
  c->sizes = witness_given(a, m, sizes, &c->n_given);
  c->nq = (int)tree_coordinates_count(t);
  c->nc = (int)tree_families_count(t, m->n_constraints, m->constraints);
  c->nk = (int)tree_parameters_count(t);
  c->n_observe = (int)tree_families_count(t, m->n_observe, m->observe);
  c->n_invariant = (int)tree_families_count(t, m->n_invariants, m->invariants);
  c->n_init = m->n_inits;
  c->names[0] = coordinate_names(a, t, 0);
  c->names[1] = coordinate_names(a, t, 1);
  c->names[2] = parameter_names(a, t);
  c->names[3] = witness_family_names(a, t, m->n_constraints, m->constraints);
  c->names[4] = witness_family_names(a, t, m->n_observe, m->observe);
  c->names[5] = witness_family_names(a, t, m->n_invariants, m->invariants);
  c->names[6] = inits;
}

/* Adds a point if one is found. Returns 0 once the limits are reached. */
static int add_point(points *p, points_kind kind, int number, quantities_wanted wanted,
                     sw_witness_point list[], int *n)
{
  sw_witness_point *point = &list[*n];
  sw_witness_values *values =
      ARENA_ARRAY(p->memory, QUANTITIES_ROOM(p->m->n_inits), sw_witness_values);
  if (points_choose(p, kind, number, point)) {
    point->n = quantities_at(p->memory, p->m, point, wanted, point_budget, &p->work, values);
    point->values = values;
    p->entries += 2L * p->n + p->nk;
    for (int i = 0; i < point->n; i++) {
      p->entries += values[i].n;
    }
    ++*n;
  }
  return p->work < whole_budget && p->entries < most_entries;
}

/* Fills a case. Points are added in this order until the limits are reached. */
static void witness_fill(arena *a, const model *m, quantities_wanted wanted, sw_witness_case *c,
                         int few)
{
  static const points_kind kinds[] = {POINTS_NEAR, POINTS_WIDE, POINTS_DEFAULT, POINTS_NEAR};
  int spread = m->n_constraints == 0 ? 0 : few ? 18 : 36;
  int full = (int)(sizeof kinds / sizeof *kinds);
  int more = 1;
  sw_witness_point *list = ARENA_ARRAY(a, full + spread, sw_witness_point);
  points p;
  points_open(&p, a, m);
  witness_describe(a, &p.t, c);
  for (int i = 0; i < full && more; i++) {
    more = add_point(&p, kinds[i], i, wanted, list, &c->n_points);
  }
  for (int i = 0; i < spread && more; i++) {
    more = add_point(&p, POINTS_SPREAD, i, QUANTITIES_TERMS, list, &c->n_points);
  }
  c->points = list;
  c->bounds = p.bounds;
  c->k_default = p.defaults;
  jets_close(&p.counting);
}

const sw_witness *witness_create(arena *a, const model *m, int is_looped, int with_rates,
                                 const char *digest)
{
  const model *models[WITNESS_CASES] = {m, NULL};
  sw_witness *w = ARENA_NEW(a, sw_witness);
  const char **size_names = ARENA_ARRAY(a, m->n_sizes + 1, const char *);
  long *size_default = ARENA_ARRAY(a, m->n_sizes + 1, long);
  w->name = m->name;
  w->title = m->title;
  w->digest = digest;
  /* H of a Lagrangian counts as no polynomial, since it is a quotient in general. */
  w->polynomial_H = !m->lagrangian_name && are_plain(m, m->n_terms, m->terms);
  w->polynomial_g = are_plain(m, m->n_constraints, m->constraints);
  w->run = m->run;
  w->n_cases = is_looped ? witness_small_models(a, m, models) : 1;
  w->n_sizes = is_looped ? m->n_sizes : 0;
  for (int i = 0; i < m->n_sizes; i++) {
    size_names[i] = m->sizes[i]->name;
    size_default[i] = m->sizes[i]->is_data ? SW_NO_DEFAULT : m->sizes[i]->value;
  }
  w->size_names = size_names;
  w->size_default = size_default;
  sw_witness_case *cases = ARENA_ARRAY(a, WITNESS_CASES, sw_witness_case);
  for (int i = 0; i < w->n_cases; i++) {
    witness_fill(a, models[i],
                 !with_rates ? QUANTITIES_ALL
                 : is_looped ? QUANTITIES_ALONG
                             : QUANTITIES_RATES,
                 &cases[i], is_looped);
  }
  w->cases = cases;
  if (is_looped && m->n_sizes > 0) {
    witness_try_sizes(a, m, w);
  }
  return w;
}
