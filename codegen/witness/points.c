/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/points.h"

#include <math.h>
#include <string.h>

#include "common/random.h"
#include "common/rational.h"
#include "witness/quantities.h"

/* How often a random change is halved if the model is undefined after it. */
enum { HALVINGS = 12 };

/* Largest number of parameters for which each parameter is tried individually, after all together
 * failed. */
enum { MOST_SINGLE = 64 };

/* ---- bounds, defaults and initial states of the model ---- */

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
  return quantities_at(p->memory, p->m, &nowhere, wanted, p->budget, &work, *values);
}

static void find_defaults(points *p)
{
  if (points_look(p, QUANTITIES_DEFAULTS, &p->defaults)) {
    points_take(p->defaults, p->k_default);
  }
}

static void find_starts(points *p)
{
  sw_witness_values *values = NULL;
  int n = points_look(p, QUANTITIES_INITS, &values);
  for (int i = 0; i < n; i++) {
    points_take(&values[i], p->start + (size_t)i * (size_t)p->n);
  }
}

static void find_lengths(points *p)
{
  double largest[2] = {0.0, 0.0};
  int d = p->n / 2;
  for (int s = 0; s < p->m->n_inits; s++) {
    for (int i = 0; i < p->n; i++) {
      largest[i / d] = fmax(largest[i / d], fabs(p->start[s * p->n + i]));
    }
  }
  for (int i = 0; i < p->n; i++) {
    p->length[i] = largest[i / d] > 0.0 ? largest[i / d] : 1.0;
  }
}

void points_open(points *p, arena *a, const model *m, long budget)
{
  *p = (points){.memory = a, .m = m, .random = 20140323, .budget = budget};
  jets_open(&p->counting, budget);
  p->t = tree_create(a, m, &p->counting);
  p->n = 2 * (int)tree_coordinates_count(&p->t);
  p->nk = (int)tree_parameters_count(&p->t);
  p->k_default = ARENA_ARRAY(a, p->nk + 1, double);
  p->bounds = ARENA_ARRAY(a, p->nk + 1, sw_bounds);
  p->start = ARENA_ARRAY(a, (m->n_inits + 1) * p->n, double);
  p->length = ARENA_ARRAY(a, p->n, double);
  find_bounds(p);
  find_defaults(p);
  find_starts(p);
  find_lengths(p);
}

void points_close(points *p)
{
  jets_close(&p->counting);
}

/* ---- parameters ---- */

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

/* ---- states ---- */

/* The distance of a state from an initial one. If all entries were small, sin(x) would equal x, and
 * the test would not see an error in its argument. So wide states reach to about 1, where
 * elementary functions bend. They do not reach other orders of magnitude, because small values may
 * just be due to the units. */
static double points_reach(const points *p, points_kind kind, int i)
{
  static const double most = 32.0;
  double length = p->length[i];
  return kind == POINTS_WIDE && length < 1.0 ? fmin(most * length, 1.0) : length;
}

static void random_state(points *p, points_kind kind, int number, double amount, double z[])
{
  int s = p->m->n_inits > 0 ? number % p->m->n_inits : 0;
  for (int i = 0; i < p->n; i++) {
    if (kind == POINTS_SPREAD) {
      z[i] = rough(p, p->length[i], 5.0 * amount * spread_of(number));
    } else {
      z[i] = p->start[s * p->n + i] + amount * points_reach(p, kind, i) * sw_random(&p->random);
    }
  }
}

/* Chooses a state at which the model with these parameters is defined. */
static int choose_state(points *p, points_kind kind, int number, const double k[], double z[],
                        double speed[])
{
  double amount = kind == POINTS_WIDE ? 1.5 : number == 0 || kind == POINTS_SPREAD ? 0.2 : 0.7;
  for (int i = 0; i < HALVINGS; i++, amount /= 2.0) {
    random_state(p, kind, number, amount, z);
    if (quantities_exist(p->memory, p->m, z, k, p->length, p->budget, speed)) {
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
    if (!quantities_exist(p->memory, p->m, z, k, p->length, p->budget, speed)) {
      k[i] = p->k_default[i];
    }
  }
}

/* Chooses multipliers. Each moves no entry of z by more than 0.3 of its length, or 0.003 for a wide
 * point. */
static void choose_lambda(points *p, points_kind kind, int nc, const double speed[],
                          double lambda[])
{
  double largest = kind == POINTS_WIDE ? 0.003 : 0.3;
  for (int i = 0; i < nc; i++) {
    double u = sw_random(&p->random);
    double part = 0.5 * (u + copysign(1.0, u));
    lambda[i] = largest * part / (speed[i] > 0.0 && isfinite(speed[i]) ? speed[i] : 1.0);
  }
}

int points_choose(points *p, points_kind kind, int number, sw_witness_point *point)
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
    quantities_exist(p->memory, p->m, z, k, p->length, p->budget, speed);
  }
  choose_lambda(p, kind, (int)nc, speed, lambda);
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
