/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_blocks.c -- constraints that have nothing to do with each other hide no jump: a step of two
 * spheres together is refused if that of one alone is, by the general solver and by the generated
 * step, and taken if both are taken alone.
 *
 * A pair agrees with its spheres exactly unless one of them alone needs a line search, because full
 * Newton steps from zero do not converge for it.  Near N = 0 such a search may pass through 1e7,
 * and the last bits decide where it ends.  They differ in the pair: the scale of a residual has the
 * sizes of the whole state.  At most one in 5000 pairs may disagree so, and RATTLE's end has the
 * sign of N of its start then.
 */
#include <math.h>
#include <string.h>

#include "common/random.h"
#include "hopf.h"
#include "near.h"
#include "sidewinder/sim.h"
#include "sphere_chain.h"
#include "two_spheres.h"
#include "unequal_spheres.h"

enum { DRAWS = 4000, BALLS = 2, AXES = 2 };

/* Full steps give up after 8 iterations without progress (runtime/solve/solver.c), so a sphere with
 * at most so many Newton iterations in a step has not needed a line search. */
enum { FULL_STEPS = 11 };

typedef struct method {
  const char *name;
  const char *base;
  const sw_stepper *stepper;
} method;

static const method methods[] = {
    {"rattle", "midpoint", NULL}, {"rattle", "midpoint", &sw_stepper_two_spheres},
    {"rattle", "verlet", NULL},   {"shake", "midpoint", NULL},
    {"shake", "verlet", NULL},
};

enum { N_METHODS = sizeof methods / sizeof *methods };

/* N/4 of a sphere. */
static double nondegeneracy(const double g[AXES], const double q[AXES], const double p[AXES])
{
  double N = 0.0;

  for (int k = 0; k < AXES; k++) {
    N += p[k] * p[k] - q[k] * (q[k] + g[k]);
  }
  return N;
}

/* A state of M^H: |q|^2 + |p|^2 = 1 and p.(q + g) = 0. */
static void draw_ball(uint64_t *seed, double g[AXES], double q[AXES], double p[AXES])
{
  double square;

  do {
    for (int k = 0; k < AXES; k++) {
      g[k] = 1.5 * sw_random(seed);
      q[k] = sw_random(seed);
    }
    square = q[0] * q[0] + q[1] * q[1];
  } while (square > 0.98);
  const double x = q[0] + g[0];
  const double y = q[1] + g[1];
  const double length = sqrt((1.0 - square) / (x * x + y * y));
  p[0] = -length * y;
  p[1] = length * x;
}

static sw_sim *create(const sw_model *model, const method *of, const sw_stepper *stepper)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = of->name;
  options.base = of->base;
  options.stepper = stepper;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  return sim;
}

static sw_status step(sw_sim *sim, const double k[], const double z[], double h)
{
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  return sw_sim_run(sim, h, 1, NULL, NULL);
}

static void no_block_hides_another(void **state)
{
  uint64_t seed = 11;
  int hidden = 0;
  int others = 0;
  int searched = 0;

  (void)state;
  for (int n = 0; n < N_METHODS; n++) {
    const method *of = &methods[n];
    sw_sim *one = create(&sw_model_hopf, of, NULL);
    sw_sim *two = create(&sw_model_two_spheres, of, of->stepper);
    for (int i = 0; i < DRAWS; i++) {
      double g[BALLS][AXES];
      double q[BALLS][AXES];
      double p[BALLS][AXES];
      double both[2 * BALLS * AXES];
      int refused = 0;
      int hard = 0;
      const double h = 0.05 + 0.2 * (sw_random(&seed) + 1.0);
      for (int b = 0; b < BALLS; b++) {
        double alone[2 * AXES];
        draw_ball(&seed, g[b], q[b], p[b]);
        memcpy(alone, q[b], sizeof q[b]);
        memcpy(alone + AXES, p[b], sizeof p[b]);
        refused += step(one, g[b], alone, h) != SW_OK;
        hard |= sw_sim_stats(one).newton_iterations > FULL_STEPS;
      }
      memcpy(both, q, sizeof q);
      memcpy(both + BALLS * AXES, p, sizeof p);
      const sw_status status = step(two, g[0], both, h);
      assert_true(refused < BALLS || status != SW_OK);
      const int disagree = (status == SW_OK) != (refused == 0);
      assert_true(hard || !disagree);
      others += disagree;
      searched += hard;
      for (int b = 0; b < BALLS && status == SW_OK && of->name[0] == 'r'; b++) {
        const double *end = sw_sim_state(two);
        assert_true(nondegeneracy(g[b], q[b], p[b]) *
                        nondegeneracy(g[b], end + AXES * b, end + AXES * (BALLS + b)) >
                    0.0);
      }
      hidden += refused == BALLS;
    }
    sw_sim_free(&one);
    sw_sim_free(&two);
  }
  assert_in_range(hidden, 100, DRAWS);
  assert_in_range(searched, 100, DRAWS * N_METHODS / 2);
  assert_in_range(others, 0, DRAWS * N_METHODS / 5000);
}

/* The state that the flow of the sphere leads to in `angle`. */
static void turn(double angle, const double from[2 * AXES], double q[AXES], double p[AXES])
{
  for (int k = 0; k < AXES; k++) {
    q[k] = from[k] * cos(angle) + from[AXES + k] * sin(angle);
    p[k] = from[AXES + k] * cos(angle) - from[k] * sin(angle);
  }
}

/* From a state of M that is not on M^H the slide of SHAKE does not vanish with h.  It must not lead
 * past a point with N = 0. */
static void shake_stays_on_its_turn_of_the_fibre(void **state)
{
  enum { POINTS = 100, STATES = 2000 };
  uint64_t seed = 12;
  int taken = 0;

  (void)state;
  for (int n = 0; n < N_METHODS; n++) {
    sw_sim *sim = create(&sw_model_hopf, &methods[n], NULL);
    for (int i = 0; i < STATES && strcmp(methods[n].name, "shake") == 0; i++) {
      const double h = pow(10.0, -1.0 - i % 4);
      double g[AXES];
      double z[2 * AXES];
      double q[AXES];
      double p[AXES];
      draw_ball(&seed, g, z, z + AXES);
      turn(1.5 * sw_random(&seed), z, q, p);
      memcpy(z, q, sizeof q);
      memcpy(z + AXES, p, sizeof p);
      if (step(sim, g, z, h) != SW_OK) {
        continue;
      }
      taken++;
      const double N = nondegeneracy(g, z, z + AXES);
      const double angle = 2.0 * sw_sim_impulses(sim)[0];
      for (int t = 1; t <= POINTS; t++) {
        turn(angle * t / POINTS, z, q, p);
        assert_true(N * nondegeneracy(g, q, p) > -1e-3);
      }
    }
    sw_sim_free(&sim);
  }
  assert_in_range(taken, STATES, 2 * STATES);
}

/* A sphere so small that all of its slides are small for the large one beside it, which is
 * stationary.  In its own unit it is one of radius 1. */
static void no_large_sphere_hides_a_small_one(void **state)
{
  static const double radius[BALLS] = {1.0, 3e-4};
  const method of = {"rattle", "midpoint", &sw_stepper_unequal_spheres};
  sw_sim *one = create(&sw_model_hopf, &of, NULL);
  sw_sim *two = create(&sw_model_unequal_spheres, &of, of.stepper);
  uint64_t seed = 14;
  long generated = 0;
  int refused = 0;

  (void)state;
  for (int i = 0; i < 10 * DRAWS; i++) {
    double k[BALLS + BALLS * AXES];
    double both[2 * BALLS * AXES];
    sw_status status[BALLS];
    int hard = 0;
    const double h = 0.02 + 0.09 * (sw_random(&seed) + 1.0);
    for (int b = 0; b < BALLS; b++) {
      double alone[2 * AXES];
      double g[AXES];
      draw_ball(&seed, g, alone, alone + AXES);
      if (b == 0) {
        memcpy(g, (const double[]){-0.6, 0.0}, sizeof g);
        memcpy(alone, (const double[]){0.6, 0.0, 0.0, 0.8}, sizeof alone);
      }
      status[b] = step(one, g, alone, h);
      hard |= sw_sim_stats(one).newton_iterations > FULL_STEPS;
      k[b] = radius[b];
      for (int j = 0; j < AXES; j++) {
        k[BALLS + AXES * b + j] = radius[b] * g[j];
        both[AXES * b + j] = radius[b] * alone[j];
        both[AXES * (BALLS + b) + j] = radius[b] * alone[AXES + j];
      }
    }
    const sw_status together = step(two, k, both, h);
    assert_true(hard || status[1] == SW_OK || together != SW_OK);
    generated += together == SW_OK ? sw_sim_stats(two).fused_steps : 0;
    refused += !hard && status[1] != SW_OK;
  }
  assert_in_range(generated, DRAWS, 10 * DRAWS);
  assert_in_range(refused, 100, 10 * DRAWS);
  sw_sim_free(&one);
  sw_sim_free(&two);
}

enum { CHAIN_MOST = 40, CHAINS = 300 };

static sw_sim *create_chain(long n, const char *base)
{
  const sw_size size = {.name = "N", .value = n};
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = "rattle";
  options.base = base;
  options.n_sizes = 1;
  options.sizes = &size;
  assert_int_equal(sw_sim_create(&sw_model_sphere_chain, &options, &sim), SW_OK);
  return sim;
}

/* A sphere that takes a step of size h alone without a line search, or, if `refused`, does not take
 * it, because the sign of det N or of the determinant of the solve changes. */
static void draw_link(sw_sim *one, uint64_t *seed, double h, int refused, double g[AXES],
                      double q[AXES], double p[AXES])
{
  for (;;) {
    double alone[2 * AXES];
    draw_ball(seed, g, q, p);
    memcpy(alone, q, AXES * sizeof *q);
    memcpy(alone + AXES, p, AXES * sizeof *p);
    const sw_status status = step(one, g, alone, h);
    const int hard = sw_sim_stats(one).newton_iterations > FULL_STEPS;
    const int flips = status == SW_ERR_COMPONENT && strstr(sw_sim_message(one), "changes its sign");
    if (!hard && (refused ? flips : status == SW_OK)) {
      return;
    }
  }
}

/* Spheres that H couples have one banded N, which is judged by its inertia up to 32 constraints and
 * by its pivots above.  A chain is taken if all of its spheres are, and refused if a sign of one of
 * them changes.  Multipliers that are far from the first ones in one sphere alone may hide in a
 * chain, which has one largest distance. */
static void no_link_hides_in_a_chain(void **state)
{
  static const long sizes[] = {2, 12, CHAIN_MOST};
  static const char *const bases[] = {"midpoint", "verlet"};
  uint64_t seed = 13;

  (void)state;
  for (size_t s = 0; s < 6; s++) {
    const long n = sizes[s / 2];
    sw_sim *one = create(&sw_model_hopf, &(method){"rattle", bases[s % 2], NULL}, NULL);
    sw_sim *chain = create_chain(n, bases[s % 2]);
    for (int i = 0; i < CHAINS; i++) {
      double k[AXES * CHAIN_MOST + 1];
      double z[2 * AXES * CHAIN_MOST];
      const double h = 0.05 + 0.1 * (sw_random(&seed) + 1.0);
      /* No bad link, or one. */
      const long bad = (long)(0.5 * (sw_random(&seed) + 1.0) * (double)n) % n;
      for (long b = 0; b < n; b++) {
        draw_link(one, &seed, h, i % 2 && b == bad, k + AXES * b, z + AXES * b, z + AXES * (n + b));
      }
      k[AXES * n] = 1e-13; /* so that the state is on M^H */
      const sw_status status = step(chain, k, z, h);
      assert_int_equal(status == SW_OK, i % 2 == 0);
    }
    sw_sim_free(&one);
    sw_sim_free(&chain);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_block_hides_another),
                                     cmocka_unit_test(no_large_sphere_hides_a_small_one),
                                     cmocka_unit_test(no_link_hides_in_a_chain),
                                     cmocka_unit_test(shake_stays_on_its_turn_of_the_fibre)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
