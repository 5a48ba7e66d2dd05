/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rest.c -- states at rest stay at rest: 1,000 random models in random units, with every
 * method, with momenta that are 0 or scaled by 1e-16 to 1.
 *
 * h is 1e-8 to 1 in the unit of time, and steps are small in the units of the motion: h^2 times a
 * force that constraints hold, relative to masses and lengths, h times velocities and h times
 * frequencies are at most largest_step.  The first steps without a solution near the start were
 * found at 0.17.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "near.h"
#include "rest_atoms.h"
#include "rest_atoms_variational.h"
#include "rest_mixed.h"
#include "rest_mixed_discrete.h"
#include "rest_water.h"
#include "sidewinder/sim.h"

enum { MODELS = 1000, STEPS = 8, MOST_ATOMS = 4, MOST_BONDS = 4, AXES = 3, D = MOST_ATOMS * AXES };

static const double largest_step = 0.1;
static const double decades = 30.0; /* of units, up and down */

/* Where a method leaves a state that forces and constraints balance. */
typedef enum kind {
  AT_REST,  /* there, but for round-off */
  OF_ORDER, /* there to order 2 at least, since the base method alone does not leave it there */
  HALF_KICK /* with half of what constraints do in a step missing: SHAKE's ends are off M^H */
} kind;

typedef struct pair {
  const char *method;
  const char *base;
  const char *compose;
  kind kind;
} pair;

/* Methods for constraints on positions; for any; those that need accelerations; and those that need
 * discrete gradients. */
static const pair holonomic[] = {
    {"rattle", "verlet", NULL, AT_REST},
    {"rattle", "euler-a", NULL, AT_REST},
    {"rattle", "euler-b", NULL, AT_REST},
    {"rattle", "verlet", "suzuki-4", AT_REST},
    {"rattle", "midpoint", NULL, OF_ORDER},
    {"rattle", "gauss-4", NULL, OF_ORDER},
    {"rattle", "gauss-6", NULL, OF_ORDER},
    {"rattle", "lobatto-4", NULL, OF_ORDER},
    {"rattle", "rk4", NULL, OF_ORDER},
    {"rattle", "euler", NULL, OF_ORDER},
    {"rattle", "explicit-midpoint", NULL, OF_ORDER},
    {"rattle", "kutta-3", NULL, OF_ORDER},
    {"rattle", "splitting", NULL, OF_ORDER},
    {"rattle", "midpoint", "triple-jump-4", OF_ORDER},
    {"shake", "verlet", NULL, HALF_KICK},
    {"shake", "midpoint", NULL, HALF_KICK},
    {"shake", "gauss-4", NULL, HALF_KICK},
    {"vs", "none", NULL, HALF_KICK},
    {"lobatto", "lobatto-2", NULL, AT_REST},
    {"lobatto", "lobatto-4", NULL, AT_REST},
    {"lobatto", "lobatto-6", NULL, AT_REST},
    {"bdf2", "none", NULL, AT_REST},
};
static const pair mixed[] = {
    {"rattle", "verlet", NULL, OF_ORDER},  {"rattle", "midpoint", NULL, OF_ORDER},
    {"rattle", "gauss-4", NULL, OF_ORDER}, {"rattle", "gauss-6", NULL, OF_ORDER},
    {"rattle", "euler-a", NULL, OF_ORDER}, {"rattle", "euler-b", NULL, OF_ORDER},
    {"rattle", "rk4", NULL, OF_ORDER},     {"rattle", "midpoint", "suzuki-4", OF_ORDER},
    {"shake", "verlet", NULL, HALF_KICK},  {"shake", "midpoint", NULL, HALF_KICK},
    {"shake", "gauss-4", NULL, HALF_KICK},
};
static const pair variational[] = {{"variational", "rk4", NULL, AT_REST},
                                   {"variational", "kutta-3", NULL, AT_REST}};
static const pair discrete[] = {{"energy-momentum", "none", NULL, AT_REST}};

enum {
  HOLONOMIC = sizeof holonomic / sizeof *holonomic,
  VARIATIONAL = sizeof variational / sizeof *variational,
  MIXED = sizeof mixed / sizeof *mixed,
  DISCRETE = sizeof discrete / sizeof *discrete
};

static double between(uint64_t *seed, double low, double high)
{
  return low + (high - low) * 0.5 * (sw_random(seed) + 1.0);
}

static double power(uint64_t *seed, double low, double high)
{
  return pow(10.0, between(seed, low, high));
}

/* The largest distances that positions and momenta may move in STEPS steps. */
typedef struct limits {
  double q;
  double p;
} limits;

/* Parameters and a state. */
typedef struct draw {
  double k[32];
  double z[2 * D];
  double h;
  limits moved[3]; /* by the methods of each kind */
} draw;

/* ---- rigid bonds ---- */

typedef struct molecule {
  int atoms;
  int bonds;
  int bond[MOST_BONDS][2];
  double mass[MOST_ATOMS];     /* 0: random */
  double at[MOST_ATOMS][AXES]; /* in bonds */
  double spread;               /* of random distances from there */
} molecule;

static const molecule four_atoms = {.atoms = 4,
                                    .bonds = 4,
                                    .bond = {{0, 1}, {1, 2}, {0, 2}, {2, 3}},
                                    .at = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                    .spread = 0.2};
static const molecule water = {
    .atoms = 3,
    .bonds = 3,
    .bond = {{0, 1}, {0, 2}, {1, 2}},
    .mass = {15.9994, 1.008, 1.008},
    .at = {{0.0}, {0.57735026919, 0.81649658093}, {0.57735026919, -0.81649658093}}};

/* Takes away what momenta change of the lengths of bonds. */
static void make_tangent(const molecule *of, const double q[], const double m[], double p[])
{
  for (int sweep = 0; sweep < 500 * of->bonds; sweep++) {
    const int *ends = of->bond[sweep % of->bonds];
    double square = 0.0;
    double rate = 0.0;
    for (int k = 0; k < AXES; k++) {
      const double apart = q[AXES * ends[0] + k] - q[AXES * ends[1] + k];
      square += apart * apart;
      rate += apart * (p[AXES * ends[0] + k] / m[ends[0]] - p[AXES * ends[1] + k] / m[ends[1]]);
    }
    const double impulse = rate / (square * (1.0 / m[ends[0]] + 1.0 / m[ends[1]]));
    for (int k = 0; k < AXES; k++) {
      const double apart = q[AXES * ends[0] + k] - q[AXES * ends[1] + k];
      p[AXES * ends[0] + k] -= impulse * apart;
      p[AXES * ends[1] + k] += impulse * apart;
    }
  }
}

/* Turns n coordinates about three axes. */
static void turn(uint64_t *seed, int n, double q[])
{
  for (int axis = 0; axis < AXES; axis++) {
    const double angle = between(seed, 0.0, 6.28);
    for (int i = 0; i < n; i += AXES) {
      double *x = &q[i + axis];
      double *y = &q[i + (axis + 1) % AXES];
      const double turned = cos(angle) * *x - sin(angle) * *y;
      *y = sin(angle) * *x + cos(angle) * *y;
      *x = turned;
    }
  }
}

/* What a step is made of, without units. */
typedef struct motion {
  double h;
  double speed; /* of atoms */
  double kick;  /* h^2 times forces, for the lightest atom */
  double far;   /* how far the molecule is from the origin */
} motion;

static motion draw_motion(uint64_t *seed)
{
  motion of = {.h = power(seed, -8.0, 0.0), .far = between(seed, 0.0, 30.0)};

  of.speed = sw_random(seed) > 0.0 ? fmin(power(seed, -16.0, 0.0), largest_step / of.h) : 0.0;
  of.kick = sw_random(seed) > 0.0 ? power(seed, -18.0, log10(largest_step)) : 0.0;
  return of;
}

/* Positions know EPS of their size, velocities that over h. */
static void set_limits(draw *d, motion of, double length, double momentum)
{
  const double eps = 1e4 * DBL_EPSILON * (of.far + 2.0);
  const double order = 100.0 * STEPS * STEPS * of.kick * of.kick;
  const limits rest = {100.0 * STEPS * of.h * of.speed + eps, 100.0 * of.speed + 10.0 * eps / of.h};

  d->moved[AT_REST] = (limits){length * rest.q, momentum * rest.p};
  d->moved[OF_ORDER] = (limits){length * (rest.q + order), momentum * (rest.p + order / of.h)};
  d->moved[HALF_KICK] =
      (limits){length * (rest.q + order), momentum * (rest.p + 40.0 * of.kick / of.h)};
}

/* Parameters are masses, squares of lengths and forces. */
static draw draw_molecule(uint64_t *seed, const molecule *of, motion m)
{
  const double length = power(seed, -decades, decades);
  const double time = power(seed, -decades, decades);
  const double mass = power(seed, -decades, decades) * time / length; /* the unit of p is drawn */
  const int n = AXES * of->atoms;
  draw d = {.h = m.h * time};
  double *q = d.z;
  double *p = d.z + n;
  double *square = d.k + of->atoms;
  double heaviest = 0.0;
  double lightest = INFINITY;

  for (int i = 0; i < of->atoms; i++) {
    d.k[i] = of->mass[i] > 0.0 ? of->mass[i] : power(seed, -1.0, 1.0);
    heaviest = fmax(heaviest, d.k[i]);
    lightest = fmin(lightest, d.k[i]);
  }
  for (int i = 0; i < n; i++) {
    q[i] = of->at[i / AXES][i % AXES] + of->spread * sw_random(seed);
    p[i] = d.k[i / AXES] * m.speed * sw_random(seed);
  }
  turn(seed, n, q);
  make_tangent(of, q, d.k, p);
  set_limits(&d, m, length, heaviest * mass * length / time);
  for (int i = 0; i < n; i++) {
    q[i] = length * (q[i] + m.far);
    p[i] *= mass * length / time;
  }
  for (int b = 0; b < of->bonds; b++) {
    for (int k = 0; k < AXES; k++) {
      const double apart = q[AXES * of->bond[b][0] + k] - q[AXES * of->bond[b][1] + k];
      square[b] += apart * apart;
    }
    square[of->bonds + b] = m.kick * sw_random(seed) * lightest * mass / (d.h * d.h);
  }
  for (int i = 0; i < of->atoms; i++) {
    d.k[i] *= mass;
  }
  return d;
}

/* ---- an ellipsoid in phase space beside a rod ---- */

static draw draw_mixed(uint64_t *seed)
{
  const double length = power(seed, -decades, decades);
  const double momentum = power(seed, -decades, decades);
  const double time = power(seed, -decades, decades);
  const double of_g = power(seed, -decades, decades);
  const double of_H = length * momentum / time;
  const double h = power(seed, -8.0, log10(largest_step));
  const double angle = between(seed, 0.0, 6.28);
  const double scale = sw_random(seed) > 0.0 ? power(seed, -16.0, 0.0) : 0.0;
  const double spin = sw_random(seed) > 0.0 ? power(seed, -16.0, 0.0) : 0.0;
  draw d = {.h = h * time};
  double *k = d.k;

  /* a, b, level, mu, stiff, light, q0, p0, square, mobility. */
  for (int i = 0; i < 2; i++) {
    k[i] = between(seed, 0.5, 2.0) * of_g / length / length;
    k[2 + i] = between(seed, 0.5, 2.0) * of_g / momentum / momentum;
    k[6 + i] = between(seed, 1.0, 9.0) * of_H / length / length;
    k[8 + i] = between(seed, 1.0, 9.0) * of_H / momentum / momentum;
    d.z[i] = k[10 + i] = sw_random(seed) * length;
    d.z[4 + i] = k[12 + i] = scale * sw_random(seed) * momentum;
    k[4] += k[i] * k[10 + i] * k[10 + i] + k[2 + i] * k[12 + i] * k[12 + i];
  }
  k[5] = sw_random(seed) * of_H / of_g;
  k[15] = of_H / momentum / momentum;
  d.z[2] = cos(angle) * length;
  d.z[3] = sin(angle) * length;
  k[14] = d.z[2] * d.z[2] + d.z[3] * d.z[3];
  /* Tangent to the rod, whose H has y[2]^2/3. */
  d.z[6] = -spin * sin(angle) * momentum;
  d.z[7] = 3.0 * spin * cos(angle) * momentum;
  /* Ends off M^H have the round-off of positions over h in both halves. */
  const double order = 100.0 * STEPS * h * h;
  const double off = 1e4 * DBL_EPSILON / h;
  const limits rest = {40.0 * STEPS * h * spin + 1e4 * DBL_EPSILON, 10.0 * spin + off};
  const double more[] = {off, order, off + order + 40.0 * h};
  for (int i = 0; i < 3; i++) {
    d.moved[i] = (limits){length * (rest.q + more[i]), momentum * (rest.p + more[i])};
  }
  return d;
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

static void stays(const sw_model *model, const sw_stepper *stepper, const pair *of,
                  const draw *start)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = of->method;
  options.base = of->base;
  options.compose = of->compose ? of->compose : options.compose;
  options.stepper = stepper;
  if (sw_sim_create(model, &options, &sim) != SW_OK) {
    fail_msg("%s over %s: %s", of->method, of->base, sw_options_objection(model, &options));
  }
  const int d = sw_sim_nq(sim);
  assert_int_equal(sw_sim_set_parameters(sim, start->k), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, start->z), SW_OK);
  if (sw_sim_run(sim, start->h, STEPS, NULL, NULL) != SW_OK) {
    fail_msg("%s: %s over %s, step %g: %s", model->name, of->method, of->base, start->h,
             sw_sim_message(sim));
  }
  const double *z = sw_sim_state(sim);
  const double moved = distance(d, z, start->z);
  const double momentum = distance(d, z + d, start->z + d);
  const limits most = start->moved[of->kind];
  if (!(moved <= most.q && momentum <= most.p)) {
    fail_msg("%s: %s over %s, h = %g: moved by %g > %g, %g > %g", model->name, of->method, of->base,
             start->h, moved, most.q, momentum, most.p);
  }
  sw_sim_free(&sim);
}

static void all_stay(const sw_model *model, const sw_stepper *stepper, int n, const pair of[],
                     const draw *start)
{
  for (int i = 0; i < n; i++) {
    stays(model, stepper, &of[i], start);
  }
}

static void water_stays(const draw *start, int is_fused)
{
  all_stay(&sw_model_rest_water, NULL, HOLONOMIC, holonomic, start);
  all_stay(&sw_model_rest_water, is_fused ? &sw_stepper_rest_water : NULL, DISCRETE, discrete,
           start);
}

static void random_models_stay_at_rest(void **state)
{
  uint64_t seed = 5;

  (void)state;
  for (int i = 0; i < MODELS; i++) {
    const int fused = i % 2;
    if (i % 3 == 0) {
      const draw of = draw_molecule(&seed, &four_atoms, draw_motion(&seed));
      all_stay(&sw_model_rest_atoms, fused ? &sw_stepper_rest_atoms : NULL, HOLONOMIC, holonomic,
               &of);
      all_stay(&sw_model_rest_atoms_variational, NULL, VARIATIONAL, variational, &of);
    } else if (i % 3 == 1) {
      const draw of = draw_molecule(&seed, &water, draw_motion(&seed));
      water_stays(&of, fused);
    } else {
      const draw of = draw_mixed(&seed);
      all_stay(&sw_model_rest_mixed, fused ? &sw_stepper_rest_mixed : NULL, MIXED, mixed, &of);
      all_stay(&sw_model_rest_mixed_discrete, fused ? &sw_stepper_rest_mixed_discrete : NULL,
               DISCRETE, discrete, &of);
    }
  }
}

/* At rest, with a momentum of 1e-12 and with forces that the bonds hold, for all step sizes. */
static void a_water_molecule_stays_at_rest(void **state)
{
  uint64_t seed = 6;

  (void)state;
  for (int decade = -8; decade <= 0; decade++) {
    const double h = pow(10.0, decade);
    for (int i = 0; i < 4; i++) {
      const draw of = draw_molecule(&seed, &water,
                                    (motion){.h = h,
                                             .speed = i % 2 ? 1e-12 : 0.0,
                                             .kick = i / 2 ? fmin(h * h, largest_step) : 0.0,
                                             .far = 3.0});
      water_stays(&of, i % 2);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models_stay_at_rest),
                                     cmocka_unit_test(a_water_molecule_stays_at_rest)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
