/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_jump.c -- steps do not jump to another component of M^H without a word: the run of paper
 * 000, Fig. 6, that reaches a degenerate point; roots that do not belong to their start; steps that
 * cannot be undone.
 */
#include <string.h>

#include "checks/step_check.h"
#include "common/random.h"
#include "fixtures.h"
#include "fork.h"
#include "near.h"
#include "pairs.h"
#include "sim/sim_internal.h"
#include "simulation.h"

/* On the second component of M^H, in the fibre of the paper's z_a. */
static const double start[4] = {0.12881875232470061346, 0.42130856689192661432,
                                0.87627380334622605802, 0.19506163662319143874};

/* N/4 and H after step n = 1, 2, ... of size 0.1, from 40 digits.  Then there is no step. */
static const double rows[][2] = {
    {1.0506706749451598, 0.8242674459113416},  {1.063506894010755, 0.8242721941464928},
    {1.0717238595695113, 0.8242752411995765},  {1.0753816151503661, 0.8242765994308485},
    {1.074506392652016, 0.8242762743328026},   {1.0690919427455012, 0.8242742645918286},
    {1.0590992201801768, 0.8242705620729786},  {1.044454385646117, 0.8242651517325719},
    {1.0250448749829764, 0.8242580114916161},  {1.0007130172148067, 0.8242491121498415},
    {0.9712462827691539, 0.8242384175131162},  {0.9363625844970853, 0.824225885104956},
    {0.8956878840331417, 0.8242114682744837},  {0.8487211315531019, 0.8241951215511116},
    {0.7947770215737737, 0.8241768137028843},  {0.7328869342160228, 0.824156560095178},
    {0.6616133821469218, 0.8241345078937009},  {0.5786616976389983, 0.8241111867138431},
    {0.4799215583619443, 0.824088396352055},   {0.3563423904359467, 0.8240735880885198},
    {0.17435117298374997, 0.8241274212086125},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static double nondegeneracy(const sw_sim *sim)
{
  double N;

  sw_fixture_hopf.nondegeneracy.values(NULL, sw_sim_state(sim), sw_sim_parameters(sim), &N);
  return N;
}

static double energy(sw_sim *sim)
{
  double H;

  sw_sim_hamiltonian(sim, &H);
  return H;
}

/* What a step may say that has no end, or only one on another component. */
static int honest(sw_status status)
{
  return status == SW_ERR_NOT_CONVERGED || status == SW_ERR_SINGULAR || status == SW_ERR_COMPONENT;
}

static void the_run_to_a_degenerate_point_stops(void **state)
{
  static const char *const methods[] = {"shake", "rattle"};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    sw_sim *sim = create(&sw_fixture_hopf, methods[i], "midpoint");
    double before[4];

    assert_int_equal(sw_sim_set_state(sim, 0.0, start), SW_OK);
    for (int n = 0; n < ROWS; n++) {
      assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
      if (i == 1) {
        assert_near(nondegeneracy(sim) / 4.0, rows[n][0], 1e-12 / rows[n][0]);
        assert_near(energy(sim), rows[n][1], 1e-12);
      }
    }
    memcpy(before, sw_sim_state(sim), sizeof before);
    assert_true(honest(sw_sim_step(sim, 0.1)));
    assert_memory_equal(sw_sim_state(sim), before, sizeof before);
    assert_int_not_equal(strlen(sw_sim_message(sim)), 0);
    sw_sim_free(&sim);
  }
}

/* With smaller steps it gets nearer to that point, at t = 2.15 to 2.16, and stops there, too.  A
 * jump would show in H. */
static void no_smaller_step_jumps(void **state)
{
  (void)state;
  for (int halvings = 0; halvings < 24; halvings++) {
    const double h = 0.1 * exp2(-(double)halvings / 3.0);
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        if (!takes(&sw_fixture_hopf, *method, *base)) {
          continue;
        }
        sw_sim *sim = create(&sw_fixture_hopf, *method, *base);
        sw_status status = SW_OK;

        assert_int_equal(sw_sim_set_state(sim, 0.0, start), SW_OK);
        double H = energy(sim);
        while (status == SW_OK && sw_sim_time(sim) < 8.0) {
          status = sw_sim_step(sim, h);
          assert_true(nondegeneracy(sim) > 0.0);
          /* The Euler methods' energy is off by order h. */
          assert_near(energy(sim), H, 0.15 * h);
          H = energy(sim);
        }
        assert_true(honest(status));
        assert_in_range((long)(100.0 * sw_sim_time(sim)), 180, 240);
        sw_sim_free(&sim);
      }
    }
  }
}

/* F = (u - a)(u - b), a problem with two roots. */
typedef struct {
  double a;
  double b;
} parabola;

static void parabola_residual(void *context, const double u[], double F[])
{
  const parabola *p = context;

  F[0] = (u[0] - p->a) * (u[0] - p->b);
}

static void parabola_jacobian(void *context, const double u[], double J[])
{
  const parabola *p = context;

  J[0] = 2.0 * u[0] - p->a - p->b;
}

/* Newton's method from zero finds the nearer root, which is never refused, however near the other
 * is; that one is always refused. */
static void two_roots_are_told_apart(void **state)
{
  static const int zero[] = {0};
  static const double ratios[] = {1e-9, 1e-3, 0.1, 0.5, 0.9, 0.99, 0.999, -0.5, -1e-3};
  const sw_pattern pattern = {1, 1, 1, zero, zero};
  sw_solver *solver = NULL;

  (void)state;
  assert_int_equal(sw_solver_create(&pattern, (sw_multipliers){0}, 1e-12, 30, &solver), SW_OK);
  for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
    for (int flip = 0; flip < 2; flip++) {
      parabola p = {.a = flip ? -ratios[i] : ratios[i], .b = flip ? -1.0 : 1.0};
      double first;
      sw_watch watch = {.first = &first};
      const sw_problem problem = {parabola_residual, parabola_jacobian, &p};
      sw_solve_report report;
      double distance;
      double u = 0.0;

      sw_problem watched = sw_watch_begin(&watch, &problem, 1, 1);
      assert_int_equal(sw_solver_solve(solver, &watched, &u, &report), SW_OK);
      assert_near(u, p.a, 1e-9);
      assert_int_equal(sw_find_jump(&watch, sw_solver_root(solver), &u, &distance), SW_JUMP_NONE);
      assert_below(distance, 1.0);

      /* The same beginning, and the other root. */
      const sw_watch begun = watch;
      u = p.b;
      const sw_jump far = sw_find_jump(&watch, sw_solver_root(solver), &u, &distance);
      u = 1.3 * p.b;
      watched = sw_watch_begin(&watch, &problem, 1, 1);
      assert_int_equal(sw_solver_solve(solver, &watched, &u, &report), SW_OK);
      assert_near(u, p.b, 1e-9);
      const int other_side = sw_solver_root(solver).sign * (flip ? 1 : -1) < 0;
      assert_true(begun.known && (far == SW_JUMP_FAR || other_side));
      assert_true(far == SW_JUMP_FAR || fabs(ratios[i]) > 0.1);
    }
  }
  sw_solver_free(&solver);
}

/* Multipliers that are round-off end a step whose slide moves the state, unless the step moves
 * positions by less than 1e-8 of their size: in all units. */
static void little_is_relative_to_positions(void **state)
{
  static const double lengths[] = {1e-20, 1.0, 1e20};
  static const double moved[] = {1e-9, 1e-7};

  (void)state;
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");
  sw_step_check *s = &sim->work.check;
  const double weight = 1.0;
  const double u = 1.0;
  for (size_t i = 0; i < 6; i++) {
    const double length = lengths[i / 2];
    const double z[] = {0.6 * length, -0.8 * length, 0.0, 0.0};
    sw_failure found = {SW_CAUSE_NONE};
    sim->work.step = (sw_step){.h = 1.0,
                               .size = {length, length},
                               .extent = {length, length},
                               .moved = {moved[i % 2] * length, 0.0}};
    s->watch.m = s->watch.known = s->watch.begun = 1;
    s->watch.at_zero = 1e-15;
    s->watch.first[0] = u;
    const sw_status status = sw_check_root(s, (sw_root){.weights = &weight}, z, &u, 0, &found);
    assert_int_equal(status, i % 2 ? SW_ERR_NOT_CONVERGED : SW_OK);
  }
  sw_sim_free(&sim);
}

/* A = L D L^T with a D whose signs are known. */
static void negative_eigenvalues_are_counted(void **state)
{
  enum { most = 9 };
  uint64_t random = 7;

  (void)state;
  for (int trial = 0; trial < 500; trial++) {
    const int n = 1 + trial % most;
    double L[most][most];
    double D[most];
    double A[most * most] = {0.0};
    double work[most];
    int pivots[most];
    int negative = 0;

    for (int i = 0; i < n; i++) {
      random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      D[i] = (random >> 40) % 2 ? 1.0 + i : -0.5;
      negative += D[i] < 0.0;
      for (int j = 0; j < n; j++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        L[i][j] = j > i ? 0.0 : j == i ? 1.0 : ldexp((double)(random >> 11), -52) - 1.0;
      }
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        for (int k = 0; k < n; k++) {
          A[j * n + i] += L[n - 1 - i][k] * D[k] * L[n - 1 - j][k];
        }
      }
    }
    assert_int_equal(sw_inertia_negative(n, A, pivots, work), negative);
  }
  double zero[4] = {0.0};
  double work[2];
  int pivots[2];
  assert_int_equal(sw_inertia_negative(2, zero, pivots, work), -1);
}

/* N of two constraints is symmetric on M^H; a step to where it has another signature is refused. */
static void the_signature_of_n_is_kept(void **state)
{
  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_sim *sim = create(&sw_fixture_two, "rattle", *base);
    double N[4];
    double before[6];

    assert_int_equal(sw_sim_run(sim, 0.05, 20, NULL, NULL), SW_OK);
    memcpy(before, sw_sim_state(sim), sizeof before);
    sw_fixture_two.nondegeneracy.values(NULL, before, sw_sim_parameters(sim), N);
    assert_near(N[1], N[2], 1e-13);
    const int negative = N[0] * N[3] - N[1] * N[2] < 0.0 ? 1 : 2 * (N[0] + N[3] < 0.0);
    assert_int_equal(sim->state.known.side.negative, negative);
    sim->state.known.side.negative = negative == 1 ? 2 : 2 - negative;
    assert_int_equal(sw_sim_step(sim, 0.05), SW_ERR_COMPONENT);
    assert_non_null(strstr(sw_sim_message(sim), "negative eigenvalue"));
    assert_memory_equal(sw_sim_state(sim), before, sizeof before);
    sim->state.known.side.negative = negative;
    assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
    sw_sim_free(&sim);
  }
}

static sw_status create_checked(const sw_model *model, const char *method, const char *base,
                                double tolerance, sw_sim **sim)
{
  sw_options options;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.check_reversible = 1;
  options.reversible_tolerance = tolerance;
  return sw_sim_create(model, &options, sim);
}

/* The check changes nothing where it passes, and it passes where steps are good. */
static void good_steps_can_be_undone(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *base = sw_base_names(); *base; base++) {
      sw_sim *plain = create(models[i], "rattle", *base);
      sw_sim *sim = NULL;

      assert_int_equal(create_checked(models[i], "rattle", *base, 1e-11, &sim), SW_OK);
      for (int n = 0; n < 100; n++) {
        assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
        assert_int_equal(sw_sim_step(plain, 0.05), SW_OK);
        assert_memory_equal(sw_sim_state(sim), sw_sim_state(plain),
                            2 * (size_t)models[i]->n_coordinates * sizeof(double));
      }
      sw_sim_free(&sim);
      sw_sim_free(&plain);
    }
  }
}

static void steps_that_cannot_be_undone_are_refused(void **state)
{
  sw_sim *sim = NULL;
  double before[6];

  (void)state;
  assert_int_equal(create_checked(&sw_fixture_hopf, "shake", "midpoint", 2e-8, &sim),
                   SW_ERR_OPTION);
  assert_null(sim);
  assert_int_equal(create_checked(&sw_fixture_hopf, "rattle", "midpoint", 0.0, &sim),
                   SW_ERR_OPTION);
  assert_null(sim);

  /* The step back by explicit midpoint, which is not its own inverse. */
  assert_int_equal(create_checked(&sw_fixture_two, "rattle", "explicit-midpoint", 2e-8, &sim),
                   SW_OK);
  sw_sim_free(&sim->back);
  sim->back = create(&sw_fixture_two, "rattle", "explicit-midpoint");
  memcpy(before, sw_sim_state(sim), sizeof before);
  assert_int_equal(sw_sim_step(sim, 0.1), SW_ERR_NOT_REVERSIBLE);
  assert_non_null(strstr(sw_sim_message(sim), "misses its start by"));
  assert_memory_equal(sw_sim_state(sim), before, sizeof before);
  assert_true(sw_sim_time(sim) == 0.0 && sw_sim_impulses(sim)[0] == 0.0);
  assert_int_equal(sw_sim_stats(sim).steps, 0);
  /* What it misses by is of order h^3: a small enough step passes. */
  assert_int_equal(sw_sim_step(sim, 1e-4), SW_OK);
  sw_sim_free(&sim);
}

/* A slide of SHAKE for which N would have to be examined at too many points says so, and does not
 * claim a zero of det N. */
static void a_long_slide_is_refused_unexamined(void **state)
{
  static const double lengths[] = {1.0, 20.0};
  static const double h = 0.01;

  (void)state;
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    sw_sim *sim = create(&sw_fixture_hopf, "shake", "midpoint");
    char message[SW_MESSAGE_BYTES];

    assert_int_equal(sw_sim_set_state(sim, 0.0, start), SW_OK);
    assert_int_equal(sw_sim_step(sim, h), SW_OK);
    const double u = lengths[i] / h;
    assert_int_equal(sw_check_slide(&sim->work.check, sw_sim_state(sim), &u, &sim->failure),
                     SW_ERR_COMPONENT);
    sim->failed = "step";
    sw_sim_message_with(sim, NULL, message);
    assert_int_equal(strstr(message, "det N = 0") != NULL, lengths[i] < 10.0);
    assert_int_equal(strstr(message, "not examined") != NULL, lengths[i] > 10.0);
    sw_sim_free(&sim);
  }
}

/* A run of tests/models/fork.sw over t = 1 in steps of size h; returns the status of its last
 * step. */
static sw_status run_fork(const char *base, const sw_stepper *stepper, double h, double *t)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = "rattle";
  options.base = base;
  options.stepper = stepper;
  assert_int_equal(sw_sim_create(&sw_model_fork, &options, &sim), SW_OK);
  const sw_status status = sw_sim_run(sim, h, (long)(1.0 / h) + 5, NULL, NULL);
  *t = sw_sim_time(sim);
  sw_sim_free(&sim);
  return status;
}

/* det N vanishes at t = 1 and has the same sign before and after: no step leads over it, of
 * whatever size, by the generated step or by the general way.  Smaller steps fail for the same
 * reason. */
static void no_step_leads_over_a_branch_point(void **state)
{
  enum { SIZES = 40 };
  uint64_t seed = 5;
  double t;

  (void)state;
  for (int i = 0; i < SIZES; i++) {
    const double h = pow(10.0, -1.2 + 1.2 * sw_random(&seed));
    for (const char *const *base = sw_base_names(); *base; base++) {
      if (takes(&sw_model_fork, "rattle", *base)) {
        assert_true(honest(run_fork(*base, NULL, h, &t)));
        assert_true(t <= 1.0 && t + h >= 1.0 - 1e-12);
      }
    }
    assert_true(honest(run_fork("midpoint", &sw_stepper_fork, h, &t)));
    assert_true(t <= 1.0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_run_to_a_degenerate_point_stops),
      cmocka_unit_test(no_smaller_step_jumps),
      cmocka_unit_test(two_roots_are_told_apart),
      cmocka_unit_test(a_long_slide_is_refused_unexamined),
      cmocka_unit_test(no_step_leads_over_a_branch_point),
      cmocka_unit_test(little_is_relative_to_positions),
      cmocka_unit_test(negative_eigenvalues_are_counted),
      cmocka_unit_test(the_signature_of_n_is_kept),
      cmocka_unit_test(good_steps_can_be_undone),
      cmocka_unit_test(steps_that_cannot_be_undone_are_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
