/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fused.c -- steps by straight-line code and steps by the general way are the same, up to
 * round-off, and so are the verdicts on steps that should not be taken.
 *
 * SW_FUSED_MODELS is a header with SW_FUSED_TABLE(X), X(model, stepper, step) for each stepper:
 * those of the shipped models (fused_shipped.h), or of several methods and base methods.
 *
 * Usage: test_fused [TRIALS]: so many steps of random sizes from random states, for each model.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef SW_FUSED_MODELS
#define SW_FUSED_MODELS "fused_shipped.h"
#endif
#include SW_FUSED_MODELS
#include "common/random.h"
#include "hopf.h"
#include "methods/methods.h"
#include "pendulum.h"
#include "sidewinder/sim.h"

static const struct {
  const sw_model *model;
  const sw_stepper *stepper;
  double h;
} models[] = {
#define SW_FUSED_MODEL(model, stepper, h) {&(model), &(stepper), (h)},
    SW_FUSED_TABLE(SW_FUSED_MODEL)
#undef SW_FUSED_MODEL
};
enum { n_models = (int)(sizeof models / sizeof models[0]), most = 512 };

static long trials = 400;

static sw_options options_for(int i, const sw_stepper *stepper, const char *solver)
{
  sw_options options;

  sw_options_init(&options);
  options.method = models[i].stepper->method;
  options.base = models[i].stepper->base;
  options.compensated = models[i].stepper->compensated;
  options.redundant = models[i].model->follows ? "drop" : "error";
  options.stepper = stepper;
  options.solver = solver;
  return options;
}

static sw_sim *create_with(int i, const sw_stepper *stepper, const char *solver,
                           const char *compose)
{
  sw_options options = options_for(i, stepper, solver);
  sw_sim *sim = NULL;

  options.compose = compose;
  const char *objection = sw_options_objection(models[i].model, &options);
  if (*objection) {
    print_error("%s, %s over %s: %s\n", models[i].model->name, options.method, options.base,
                objection);
  }
  assert_int_equal(sw_sim_create(models[i].model, &options, &sim), SW_OK);
  assert_true(2 * sw_sim_nq(sim) <= most);
  return sim;
}

static sw_sim *create(int i, const char *solver)
{
  return create_with(i, models[i].stepper, solver, "none");
}

/* The largest difference of two states, relative to the size of each half. */
static double apart(const sw_sim *a, const sw_sim *b)
{
  const int d = sw_sim_nq(a);
  double largest = 0.0;

  for (int half = 0; half < 2; half++) {
    double size = 0.0;
    double difference = 0.0;
    for (int j = half * d; j < (half + 1) * d; j++) {
      size = fmax(size, fabs(sw_sim_state(a)[j]));
      difference = fmax(difference, fabs(sw_sim_state(a)[j] - sw_sim_state(b)[j]));
    }
    largest = fmax(largest, difference > 0.0 ? difference / fmax(size, 1e-3) : 0.0);
  }
  return largest;
}

/* Whether its steps can be composed. */
static int symmetric(int i)
{
  sw_options options;

  sw_options_init(&options);
  options.method = models[i].stepper->method;
  options.base = models[i].stepper->base;
  options.compose = "triple-jump-4";
  return *sw_options_objection(models[i].model, &options) == 0;
}

/* SHAKE finds multipliers by what they do to positions, h times what they do to momenta, and
 * nothing corrects that. */
static double reach(int i)
{
  return sw_method_find(models[i].stepper->method)->on_hidden ? 1.0 : models[i].h;
}

/* Goes to where the other one is, after a step of that size: the first step of some methods is
 * another one. */
static void go_to(sw_sim *sim, const sw_sim *other, double h)
{
  double saved[2 * most + 8];

  assert_true(sw_sim_saved_count(other) <= sizeof saved / sizeof saved[0]);
  sw_sim_save(other, saved);
  saved[0] = 0.0; /* the time of */
  saved[1] = 1.0; /* one step */
  saved[2] = h;
  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
}

static int needs_earlier(int i)
{
  return sw_method_find(models[i].stepper->method)->earlier;
}

/* The first of these steps of a method that needs the state before the present one is another one,
 * which makes that state. */
static sw_status begin(int i, sw_sim *sim, double h, long steps)
{
  return needs_earlier(i) ? sw_sim_run(sim, h, steps, NULL, NULL) : SW_OK;
}

/* ---- the same steps ---- */

static void both_ways_make_the_same_steps(void **state)
{
  (void)state;
  for (int i = 0; i < n_models; i++) {
    for (int direction = 1; direction >= -1; direction -= 2) {
      sw_sim *fused = create(i, "fused");
      sw_sim *general = create(i, "kinsol");
      const double h = direction * models[i].h;
      double worst = 0.0;
      double worst_lambda = 0.0;
      long by_straight_line = 0;
      /* Away from rest, where momenta that are found as differences of positions are round-off. */
      assert_int_equal(begin(i, general, h, 10), SW_OK);
      for (int n = 0; n < 40; n++) {
        /* Each from the same state, so that nothing grows. */
        go_to(fused, general, h);
        go_to(general, general, h);
        assert_int_equal(sw_sim_step(fused, h), SW_OK);
        assert_int_equal(sw_sim_step(general, h), SW_OK);
        assert_int_equal(sw_sim_stats(fused).steps, 1);
        by_straight_line += sw_sim_stats(fused).fused_steps;
        worst = fmax(worst, apart(fused, general));
        double size = 1.0;
        for (int j = 0; j < sw_sim_nc(general); j++) {
          size = fmax(size, fabs(sw_sim_impulses(general)[j]));
        }
        for (int j = 0; j < sw_sim_nc(general); j++) {
          worst_lambda = fmax(worst_lambda,
                              fabs(sw_sim_impulses(fused)[j] - sw_sim_impulses(general)[j]) / size);
        }
      }
      const double bound = 1e-14 / reach(i);
      const double bound_lambda = fmax(2e-13, bound / reach(i));
      if (worst > bound || worst_lambda > bound_lambda) {
        print_error("%s, %s over %s, h = %g: states %g apart, multipliers %g\n",
                    models[i].model->name, models[i].stepper->method, models[i].stepper->base, h,
                    worst, worst_lambda);
      }
      assert_true(by_straight_line >= 35); /* not those from rest */
      assert_true(worst <= bound);
      assert_true(worst_lambda <= bound_lambda);
      sw_sim_free(&fused);
      sw_sim_free(&general);
    }
  }
}

/* So do variational integrators of other biases; of two methods, one of which has no stepper, they
 * go the general way. */
static void a_bias_is_that_of_the_options(void **state)
{
  static const double biases[][2] = {{0.0, 1.0}, {-1.0, 0.0}, {-0.3, 0.7}};

  (void)state;
  for (int n = 0; n < 3 * n_models; n++) {
    const int i = n / 3;
    sw_options options[] = {options_for(i, models[i].stepper, "fused"),
                            options_for(i, NULL, "kinsol")};
    sw_sim *sims[2];
    if (!sw_method_find(models[i].stepper->method)->has_bias) {
      continue;
    }
    for (int way = 0; way < 2; way++) {
      memcpy(options[way].bias, biases[n % 3], sizeof biases[0]);
      assert_int_equal(sw_sim_create(models[i].model, &options[way], &sims[way]), SW_OK);
      assert_int_equal(sw_sim_run(sims[way], models[i].h, 20, NULL, NULL), SW_OK);
    }
    assert_true(sw_sim_stats(sims[0]).fused_steps >= 19);
    assert_true(apart(sims[0], sims[1]) <= 1e-13);
    sw_sim_free(&sims[0]);
    sw_sim_free(&sims[1]);
    options[0].base_minus = strcmp(options[0].base, "euler") == 0 ? "rk4" : "euler";
    assert_int_equal(sw_sim_create(models[i].model, &options[0], &sims[0]), SW_ERR_OPTION);
    options[0].base_minus = NULL;
    options[0].adjoint = "both";
    assert_int_equal(sw_sim_create(models[i].model, &options[0], &sims[0]), SW_ERR_OPTION);
  }
}

static sw_status run(sw_sim *sim, double h, long steps)
{
  const sw_status status = sw_sim_run(sim, h, steps, NULL, NULL);

  if (status != SW_OK) {
    print_error("%s: %s\n", sw_sim_model(sim)->name, sw_sim_message(sim));
  }
  return status;
}

/* Nearly all steps of a long run are by straight-line code, and it ends where the general way ends
 * but for round-off that grows. */
static void runs_are_fused_and_end_in_the_same_place(void **state)
{
  (void)state;
  for (int i = 0; i < n_models; i++) {
    for (int composed = 0; composed < 1 + symmetric(i); composed++) {
      const char *compose = composed ? "triple-jump-4" : "none";
      sw_sim *fused = create_with(i, models[i].stepper, "fused", compose);
      sw_sim *general = create_with(i, models[i].stepper, "kinsol", compose);
      assert_int_equal(run(fused, models[i].h, 60), SW_OK);
      assert_int_equal(run(general, models[i].h, 60), SW_OK);
      const sw_stats stats = sw_sim_stats(fused);
      if (stats.fused_steps < 50 || apart(fused, general) > 5e-12) {
        print_error("%s, %s: %ld of %ld steps fused, %g apart\n", models[i].model->name, compose,
                    stats.fused_steps, stats.steps, apart(fused, general));
      }
      assert_int_equal(stats.steps, 60);
      assert_true(stats.fused_steps >= 50);
      assert_int_equal(sw_sim_stats(general).fused_steps, 0);
      assert_true(apart(fused, general) <= 5e-12);
      assert_true(sw_sim_time(fused) == sw_sim_time(general));
      sw_sim_free(&fused);
      sw_sim_free(&general);
    }
  }
}

/* ---- a step is a map of the state ---- */

static void runs_are_taken_up_bit_for_bit(void **state)
{
  double saved[2 * most + 8];
  const size_t room = sizeof saved / sizeof saved[0];

  (void)state;
  for (int i = 0; i < n_models; i++) {
    sw_sim *whole = create(i, "auto");
    sw_sim *first = create(i, "auto");
    sw_sim *second = create(i, "auto");
    assert_true(sw_sim_saved_count(first) <= room);
    assert_int_equal(sw_sim_run(whole, models[i].h, 60, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(first, models[i].h, 23, NULL, NULL), SW_OK);
    sw_sim_save(first, saved);
    assert_int_equal(sw_sim_restore(second, saved), SW_OK);
    for (int n = 23; n < 60; n++) {
      assert_int_equal(sw_sim_step(second, models[i].h), SW_OK);
    }
    assert_memory_equal(sw_sim_state(whole), sw_sim_state(second),
                        2 * (size_t)sw_sim_nq(whole) * sizeof(double));
    assert_memory_equal(sw_sim_impulses(whole), sw_sim_impulses(second),
                        (size_t)sw_sim_nc(whole) * sizeof(double));
    if (models[i].stepper->compensated) {
      assert_memory_equal(sw_sim_carry(whole), sw_sim_carry(second),
                          2 * (size_t)sw_sim_nq(whole) * sizeof(double));
    }
    assert_true(sw_sim_time(whole) == sw_sim_time(second));
    sw_sim_free(&whole);
    sw_sim_free(&first);
    sw_sim_free(&second);
  }
}

/* A run of so many steps that an int would not count them goes on as any other, in one part and in
 * two. */
static void steps_are_counted_beyond_32_bits(void **state)
{
  const double before = 5e9;
  double saved[2 * most + 8];

  (void)state;
  for (int i = 0; i < n_models; i++) {
    sw_sim *sims[3];
    for (int j = 0; j < 3; j++) {
      sims[j] = create(i, "auto");
    }
    assert_int_equal(sw_sim_run(sims[0], models[i].h, 9, NULL, NULL), SW_OK);
    sw_sim_save(sims[0], saved);
    assert_true(saved[1] == 9.0);
    saved[1] = before;
    assert_int_equal(sw_sim_restore(sims[1], saved), SW_OK);
    assert_int_equal(sw_sim_run(sims[0], models[i].h, 25, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(sims[1], models[i].h, 11, NULL, NULL), SW_OK);
    sw_sim_save(sims[1], saved);
    assert_true(saved[1] == before + 11.0);
    assert_int_equal(sw_sim_restore(sims[2], saved), SW_OK);
    assert_int_equal(sw_sim_run(sims[2], models[i].h, 14, NULL, NULL), SW_OK);
    assert_true(sw_sim_time(sims[2]) == (before + 25.0) * models[i].h);
    assert_memory_equal(sw_sim_state(sims[0]), sw_sim_state(sims[2]),
                        2 * (size_t)sw_sim_nq(sims[0]) * sizeof(double));
    for (int j = 0; j < 3; j++) {
      sw_sim_free(&sims[j]);
    }
  }
}

/* ---- the same verdicts ---- */

/* A state near the initial one, on M and M^H. */
static int go_to_random_state(sw_sim *sim, const double z[], uint64_t *random)
{
  double near[most];
  const int dim = 2 * sw_sim_nq(sim);
  const double far = pow(10.0, -2.0 + 2.0 * sw_random(random));

  for (int j = 0; j < dim; j++) {
    near[j] = z[j] + far * sw_random(random) * (1.0 + fabs(z[j]));
  }
  return sw_sim_set_state(sim, 0.0, near) == SW_OK && sw_sim_project(sim) == SW_OK;
}

/* Steps of random sizes, many of them too large: what straight-line code takes, the general way
 * takes, too, and to the same place. */
static void no_step_is_taken_that_should_not_be(void **state)
{
  uint64_t random = 20261122;
  long taken = 0;
  long refused = 0;
  long wrong = 0;

  (void)state;
  for (int i = 0; i < n_models; i++) {
    sw_sim *fused = create(i, "auto");
    sw_sim *general = create(i, "kinsol");
    double z[most];
    memcpy(z, sw_sim_state(general), 2 * (size_t)sw_sim_nq(general) * sizeof *z);
    for (long n = 0; n < trials; n++) {
      const double h = models[i].h * pow(10.0, 1.0 + sw_random(&random)) *
                       (sw_random(&random) < 0.0 ? -1.0 : 1.0);
      if (!go_to_random_state(general, z, &random) || begin(i, general, h, 1) != SW_OK) {
        continue;
      }
      go_to(fused, general, h);
      go_to(general, general, h);
      const sw_status found = sw_sim_step(fused, h);
      const sw_status wanted = sw_sim_step(general, h);
      const double difference = apart(fused, general);
      /* Momenta that are differences of positions have the errors of these over h. */
      const double bound = needs_earlier(i) ? 1e-10 * fmax(1.0, 1.0 / fabs(h)) : 1e-10;
      if (found != wanted || (wanted == SW_OK && difference > bound)) {
        print_error("%s, %s over %s, trial %ld, h = %.17g: %s and %s, %g apart\n%s\n%s\n",
                    models[i].model->name, models[i].stepper->method, models[i].stepper->base, n, h,
                    sw_status_name(found), sw_status_name(wanted), difference,
                    sw_sim_message(fused), sw_sim_message(general));
      }
      wrong += found != wanted || (wanted == SW_OK && difference > bound);
      taken += sw_sim_stats(fused).fused_steps;
      refused += wanted != SW_OK;
    }
    sw_sim_free(&fused);
    sw_sim_free(&general);
  }
  print_message("%ld steps taken by straight-line code, %ld refused, %ld by only one of both\n",
                taken, refused, wrong);
  assert_int_equal(wrong, 0);
  assert_true(taken > n_models * trials / 10);
  assert_true(refused > n_models * trials / 100);
}

/* Steps that straight-line code took although N is singular between their ends: along the slide of
 * SHAKE, or where the bars of the linkage are in line. */
static const struct {
  const char *model;
  const char *method;
  const char *base;
  double h;
  double z[8];
} passing[] = {
    {"hopf",
     "shake",
     "rk4",
     0.66426288851747972,
     {-0.43075920544975443, -0.37094659831708043, -0.60388797661218285, 0.55871677961246735}},
    {"ellipse",
     "shake",
     "verlet",
     -0.98828158058848059,
     {0.40359712144908572, 0.48649777423883339, -0.038454715592941939, 0.82766705467695778}},
    {"four_bar",
     "lobatto",
     "lobatto-4",
     0.80678198683855484,
     {0.81533099046869906, 0.57899514331411284, 2.8153309904686994, 0.57899514331411273,
      0.58339863016696469, -0.82153190482646221, 0.5833986301669648, -0.82153190482646299}},
};

static void no_step_passes_a_singular_N(void **state)
{
  size_t found = 0;

  (void)state;
  for (size_t n = 0; n < sizeof passing / sizeof passing[0]; n++) {
    for (int i = 0; i < n_models; i++) {
      if (models[i].stepper->compensated || strcmp(models[i].model->name, passing[n].model) != 0 ||
          strcmp(models[i].stepper->method, passing[n].method) != 0 ||
          strcmp(models[i].stepper->base, passing[n].base) != 0) {
        continue;
      }
      found++;
      for (int way = 0; way < 2; way++) {
        sw_sim *sim = create(i, way ? "kinsol" : "auto");
        assert_int_equal(sw_sim_set_state(sim, 0.0, passing[n].z), SW_OK);
        assert_int_equal(sw_sim_step(sim, passing[n].h), SW_ERR_COMPONENT);
        sw_sim_free(&sim);
      }
    }
  }
  assert_true(found == sizeof passing / sizeof passing[0] ||
              strcmp(SW_FUSED_MODELS, "fused_pairs.h") != 0);
}

/* ---- what these tests would see ---- */

static const sw_stepper *real;

/* Steps that are a little too long. */
static long wrong_steps(sw_fused *f, long n)
{
  f->h *= 1.0 + 1e-6;
  return real->steps(f, n);
}

/* The same of clusters. */
static int wrong_solve(sw_cluster_job *job, long first, long last)
{
  const double h = job->f.h;

  job->f.h *= 1.0 + 1e-6;
  const int taken = real->clusters->solve(job, first, last);
  job->f.h = h;
  return taken;
}

static void a_wrong_step_is_seen(void **state)
{
  (void)state;
  for (int i = 0; i < n_models; i++) {
    real = models[i].stepper;
    sw_stepper wrong = *real;
    sw_clusters wrong_clusters = {0};
    wrong.steps = wrong_steps;
    if (real->clusters) {
      wrong_clusters = *real->clusters;
      wrong_clusters.solve = wrong_solve;
      wrong.steps = NULL;
      wrong.clusters = &wrong_clusters;
    }
    sw_sim *fused = create_with(i, &wrong, "fused", "none");
    sw_sim *general = create(i, "kinsol");
    assert_int_equal(run(fused, models[i].h, 5), SW_OK);   /* the first may be from rest, */
    assert_int_equal(run(general, models[i].h, 5), SW_OK); /* which is left to the general way */
    if (apart(fused, general) <= 1e-13) {
      print_error("%s: %g apart\n", models[i].model->name, apart(fused, general));
    }
    assert_true(apart(fused, general) > 1e-13);
    sw_sim_free(&fused);
    sw_sim_free(&general);
  }
}

static void what_does_not_fit_is_refused(void **state)
{
  sw_options options;
  sw_sim *sim = NULL;

  (void)state;
  sw_options_init(&options);
  options.stepper = &sw_stepper_hopf;
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_ERR_OPTION);
  assert_string_equal(sw_options_objection(&sw_model_pendulum, &options),
                      "the stepper is that of another model");
  options.stepper = &sw_stepper_pendulum;
  options.base = "midpoint";
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.1, 3, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_stats(sim).fused_steps, 0);
  sw_sim_free(&sim);
  options.solver = "fused";
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_ERR_OPTION);
  options.base = "verlet";
  options.compensated = 1; /* which that one is not */
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_ERR_OPTION);
  options.solver = "other";
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_ERR_OPTION);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_make_the_same_steps),
      cmocka_unit_test(a_bias_is_that_of_the_options),
      cmocka_unit_test(runs_are_fused_and_end_in_the_same_place),
      cmocka_unit_test(runs_are_taken_up_bit_for_bit),
      cmocka_unit_test(steps_are_counted_beyond_32_bits),
      cmocka_unit_test(no_step_is_taken_that_should_not_be),
      cmocka_unit_test(no_step_passes_a_singular_N),
      cmocka_unit_test(a_wrong_step_is_seen),
      cmocka_unit_test(what_does_not_fit_is_refused),
  };

  trials = argc > 1 ? atol(argv[1]) : trials;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
