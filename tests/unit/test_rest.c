/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rest.c -- states at rest stay at rest: 1,000 random models, in other units too, with every
 * method, for step sizes from 1e-8 to 1, with momenta that are 0 or scaled by 1e-16 to 1.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "near.h"
#include "rest_atoms.h"
#include "rest_mixed.h"
#include "sidewinder/sim.h"

enum { MODELS = 1000, STEPS = 8, ATOMS = 4, BONDS = 4, AXES = 3, D = ATOMS * AXES };

typedef struct pair {
  const char *method;
  const char *base;
  const char *compose;
} pair;

/* Methods for constraints on positions; and those for any. */
static const pair holonomic[] = {
    {"rattle", "verlet", NULL},     {"rattle", "euler-a", NULL},  {"rattle", "midpoint", NULL},
    {"rattle", "gauss-4", NULL},    {"rattle", "rk4", NULL},      {"rattle", "verlet", "suzuki-4"},
    {"shake", "verlet", NULL},      {"shake", "midpoint", NULL},  {"lobatto", "lobatto-4", NULL},
    {"lobatto", "lobatto-6", NULL}, {"variational", "rk4", NULL}, {"bdf2", "none", NULL},
    {"vs", "none", NULL},
};
static const pair mixed[] = {
    {"rattle", "verlet", NULL},  {"rattle", "midpoint", NULL}, {"rattle", "gauss-4", NULL},
    {"rattle", "euler-b", NULL}, {"shake", "midpoint", NULL},  {"shake", "verlet", NULL},
};

static double between(uint64_t *seed, double low, double high)
{
  return low + (high - low) * 0.5 * (sw_random(seed) + 1.0);
}

static double power(uint64_t *seed, double low, double high)
{
  return pow(10.0, between(seed, low, high));
}

/* A model, its state and the largest sizes that it may reach in STEPS steps of size h. */
typedef struct draw {
  double k[32];
  double z[2 * D];
  double h;
  double moved;    /* positions */
  double momentum; /* momenta */
} draw;

/* ---- rigid bonds ---- */

static const int bond[BONDS][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};

/* Takes away what momenta change of the lengths of bonds. */
static void make_tangent(const double q[], const double m[], double p[])
{
  for (int sweep = 0; sweep < 2000; sweep++) {
    const int *of = bond[sweep % BONDS];
    double square = 0.0;
    double rate = 0.0;
    for (int k = 0; k < AXES; k++) {
      const double apart = q[AXES * of[0] + k] - q[AXES * of[1] + k];
      square += apart * apart;
      rate += apart * (p[AXES * of[0] + k] / m[of[0]] - p[AXES * of[1] + k] / m[of[1]]);
    }
    const double impulse = rate / (square * (1.0 / m[of[0]] + 1.0 / m[of[1]]));
    for (int k = 0; k < AXES; k++) {
      const double apart = q[AXES * of[0] + k] - q[AXES * of[1] + k];
      p[AXES * of[0] + k] -= impulse * apart;
      p[AXES * of[1] + k] += impulse * apart;
    }
  }
}

/* In the units 10^length of positions, 10^mass of masses and 10^time of h. */
static draw draw_atoms(uint64_t *seed)
{
  const double length = power(seed, -20.0, 20.0);
  const double mass = power(seed, -20.0, 20.0);
  const double time = power(seed, -20.0, 20.0);
  const int has_force = sw_random(seed) > 0.0;
  const double scale = sw_random(seed) > 0.0 ? power(seed, -16.0, 0.0) : 0.0;
  const double h = power(seed, -8.0, has_force || scale > 1e-3 ? -3.0 : 0.0);
  const double far = between(seed, 0.0, 30.0);
  draw of = {.h = h};
  double *p = of.z + D;
  double heaviest = 0.0;

  for (int i = 0; i < ATOMS; i++) {
    of.k[i] = power(seed, -1.0, 1.0);
    heaviest = fmax(heaviest, of.k[i]);
  }
  for (int i = 0; i < D; i++) {
    const int corner = i / AXES == i % AXES + 1;
    of.z[i] = far + corner + 0.2 * sw_random(seed);
    p[i] = scale * sw_random(seed);
  }
  make_tangent(of.z, of.k, p);
  for (int b = 0; b < BONDS; b++) {
    for (int k = 0; k < AXES; k++) {
      const double apart =
          length * of.z[AXES * bond[b][0] + k] - length * of.z[AXES * bond[b][1] + k];
      of.k[ATOMS + b] += apart * apart;
    }
    of.k[ATOMS + BONDS + b] = has_force ? 2.0 * sw_random(seed) * mass / (time * time) : 0.0;
  }
  /* Light atoms move at most ten times as fast.  SHAKE's ends lack half a kick. */
  of.moved = length * (1e4 * DBL_EPSILON * (far + 2.0) + 400.0 * STEPS * h * scale);
  of.momentum = mass * length / time *
                (20.0 * scale + (has_force ? 40.0 * h : 0.0) +
                 1e5 * DBL_EPSILON * (far + 2.0) * heaviest / h);
  for (int i = 0; i < D; i++) {
    of.z[i] *= length;
    p[i] *= mass * length / time;
  }
  for (int i = 0; i < ATOMS; i++) {
    of.k[i] *= mass;
  }
  of.h *= time;
  return of;
}

/* ---- an ellipsoid in phase space beside a rod ---- */

static draw draw_mixed(uint64_t *seed)
{
  draw of = {.h = power(seed, -8.0, -2.0)};
  double *k = of.k;
  const double angle = between(seed, 0.0, 6.28);
  const int is_still = sw_random(seed) > 0.0;

  /* a, b, level, mu, stiff, light, q0, p0. */
  for (int i = 0; i < 2; i++) {
    k[i] = between(seed, 0.5, 2.0);
    k[2 + i] = between(seed, 0.5, 2.0);
    k[6 + i] = between(seed, 1.0, 9.0);
    k[8 + i] = between(seed, 1.0, 9.0);
    k[10 + i] = sw_random(seed);
    k[12 + i] = is_still ? 0.0 : sw_random(seed);
    k[4] += k[i] * k[10 + i] * k[10 + i] + k[2 + i] * k[12 + i] * k[12 + i];
    of.z[i] = k[10 + i];
    of.z[4 + i] = k[12 + i];
  }
  k[5] = sw_random(seed);
  of.z[2] = cos(angle);
  of.z[3] = sin(angle);
  /* Base methods keep the fixed points of H alone; those of the constrained motion are kept to
   * order 2 at least. */
  of.moved = of.momentum = 100.0 * STEPS * of.h * of.h + 1e4 * DBL_EPSILON / of.h;
  return of;
}

/* ---- both ---- */

static double distance(int n, const double a[], const double b[])
{
  double largest = 0.0;

  for (int i = 0; i < n; i++) {
    largest = fmax(largest, fabs(a[i] - b[i]));
  }
  return largest;
}

static void stays(const sw_model *model, const sw_stepper *stepper, pair of, const draw *start)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = of.method;
  options.base = of.base;
  options.compose = of.compose ? of.compose : options.compose;
  options.stepper = stepper;
  if (sw_sim_create(model, &options, &sim) != SW_OK) {
    fail_msg("%s over %s: %s", of.method, of.base, sw_options_objection(model, &options));
  }
  const int d = sw_sim_nq(sim);
  assert_int_equal(sw_sim_set_parameters(sim, start->k), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, start->z), SW_OK);
  if (sw_sim_run(sim, start->h, STEPS, NULL, NULL) != SW_OK) {
    fail_msg("%s over %s, step %g: %s", of.method, of.base, start->h, sw_sim_message(sim));
  }
  const double *z = sw_sim_state(sim);
  const double moved = distance(d, z, start->z);
  const double momentum = distance(d, z + d, start->z + d);
  if (moved > start->moved || momentum > start->momentum) {
    fail_msg("%s over %s, h = %g: moved by %g > %g, %g > %g", of.method, of.base, start->h, moved,
             start->moved, momentum, start->momentum);
  }
  sw_sim_free(&sim);
}

static void random_models_stay_at_rest(void **state)
{
  enum { HOLONOMIC = sizeof holonomic / sizeof *holonomic, MIXED = sizeof mixed / sizeof *mixed };
  uint64_t seed = 5;

  (void)state;
  for (int i = 0; i < MODELS; i++) {
    if (i % 3) {
      const draw of = draw_atoms(&seed);
      stays(&sw_model_rest_atoms, i % 2 ? &sw_stepper_rest_atoms : NULL, holonomic[i % HOLONOMIC],
            &of);
    } else {
      const draw of = draw_mixed(&seed);
      stays(&sw_model_rest_mixed, i % 2 ? &sw_stepper_rest_mixed : NULL, mixed[i % MIXED], &of);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models_stay_at_rest)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
