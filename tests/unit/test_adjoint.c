/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_adjoint.c -- gradients over trajectories: the schedule of checkpoints, and the gradients
 * against the products of the derivatives of all steps.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"
#include "near.h"
#include "pairs.h"
#include "sidewinder/adjoint.h"
#include "sidewinder/derivatives.h"
#include "simulation.h"

extern const sw_model sw_model_motors;
extern const sw_model sw_model_motors_lifted;
extern const sw_model sw_model_double_pendulum;
extern const sw_model sw_model_double_pendulum_lifted;
extern const sw_model sw_model_hopf;
extern const sw_model sw_model_hopf_lifted;

enum { STEPS = 23, MOST = 64 };

/* ---- a loss of every third step, and of the last one ---- */

typedef struct record {
  int dim;
  long steps;
  long next; /* the step of the next visit */
  long stop; /* the step at which the loss asks to stop; -1: none */
  int n_inputs;
  long stop_inputs; /* the same for the inputs */
} record;

static int has_loss(const record *r, long step)
{
  return step % 3 == 0 || step == r->steps;
}

/* l_j(z) = sum_i sin(i + j) z_i + z_i^3/3. */
static double slope(long step, int i, double z)
{
  return sin((double)(i + step)) + z * z;
}

static int loss(void *user, long step, double t, const double z[], double *value, double gradient[])
{
  record *r = user;

  assert_true(step == r->next--);
  assert_true(isfinite(t));
  assert_true(*value == 0.0);
  for (int i = 0; i < r->dim && has_loss(r, step); i++) {
    assert_true(gradient[i] == 0.0);
    *value += sin((double)(i + step)) * z[i] + z[i] * z[i] * z[i] / 3.0;
    gradient[i] += slope(step, i, z[i]);
  }
  return step == r->stop;
}

static sw_status find(sw_sim *sim, record *r, double h, long steps, long checkpoints,
                      sw_gradient *gradient)
{
  const sw_trajectory trajectory = {
      .h = h, .steps = steps, .checkpoints = checkpoints, .loss = loss, .user = r};

  r->dim = 2 * sw_sim_nq(sim);
  r->steps = r->next = steps;
  return sw_sim_gradient(sim, &trajectory, gradient);
}

/* ---- the schedule ---- */

/* The fewest forward steps for l states and c checkpoints, by dynamic programming: the next
 * checkpoint is m steps after the last one. */
static void schedule_is_optimal(void **state)
{
  enum { STATES = 90, CHECKPOINTS = 12 };
  static long fewest[CHECKPOINTS + 1][STATES + 1];

  (void)state;
  for (long c = 1; c <= CHECKPOINTS; c++) {
    for (long l = 1; l <= STATES; l++) {
      fewest[c][l] = l * (l - 1) / 2;
      for (long m = 1; m < l && c > 1; m++) {
        const long all = m + fewest[c - 1][l - m] + fewest[c][m];
        fewest[c][l] = all < fewest[c][l] ? all : fewest[c][l];
      }
      assert_int_equal(sw_gradient_forward_steps(l - 1, c), fewest[c][l]);
    }
  }
  assert_int_equal(sw_gradient_forward_steps(1000, 5000), 1000);
  assert_int_equal(sw_gradient_forward_steps(-1, 5), -1);
  assert_int_equal(sw_gradient_forward_steps(LONG_MAX, 5), -1);
  assert_int_equal(sw_gradient_forward_steps(5, 0), -1);
  assert_true(sw_gradient_forward_steps(LONG_MAX - 1, 1) == LONG_MAX);
  /* a million steps with 100 checkpoints: at most 4 forward passes */
  assert_true(sw_gradient_forward_steps(1000000, 100) < 4000000);
}

/* For any number of checkpoints, the sweep takes the optimal number of steps, and all gradients
 * agree bit for bit. */
static void checkpoints_do_not_change_the_gradient(void **state)
{
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");
  record r = {.stop = -1};
  double all[4];
  double z0[4];

  (void)state;
  for (long n = 0; n <= 40; n++) {
    sw_gradient whole = {.z0 = all};
    assert_int_equal(find(sim, &r, 0.05, n, n + 1, &whole), SW_OK);
    assert_int_equal(whole.forward_steps, n);
    assert_int_equal(r.next, -1);
    for (long c = 1; c <= n + 2; c++) {
      sw_gradient gradient = {.z0 = z0};
      assert_int_equal(find(sim, &r, 0.05, n, c, &gradient), SW_OK);
      assert_int_equal(gradient.forward_steps, sw_gradient_forward_steps(n, c));
      assert_true(gradient.value == whole.value);
      assert_memory_equal(z0, all, sizeof all);
    }
  }
  sw_sim_free(&sim);
}

/* ---- gradients ---- */

/* y <- y + D^T x for D with n rows. */
static void add_transposed(size_t n, size_t columns, const double D[], const double x[], double y[])
{
  for (size_t j = 0; j < columns; j++) {
    for (size_t i = 0; i < n; i++) {
      y[j] += D[j * n + i] * x[i];
    }
  }
}

static int inputs(void *user, long step, double u[])
{
  const record *r = user;

  for (int i = 0; i < r->n_inputs; i++) {
    u[i] = 0.3 * cos((double)(i + 2 * step));
  }
  return step == r->stop_inputs;
}

/* L and dL/dz0 from the derivatives D_j of all steps: lambda <- dl/dz + D_j^T lambda.  of_k: nk + 1
 * values, dL/dk and dL/dh from the derivatives along parameters and h; or NULL.  of_u: those along
 * the inputs of each step, which are then set; or NULL. */
static double product_of_tangents(sw_sim *sim, double h, double lambda[], double of_k[],
                                  double of_u[])
{
  const size_t N = (size_t)sw_sim_n_state(sim);
  const size_t nk = (size_t)sw_sim_nk(sim) + 1;
  record r = {.dim = 2 * sw_sim_nq(sim),
              .steps = STEPS,
              .stop = -1,
              .n_inputs = sw_sim_n_inputs(sim),
              .stop_inputs = -1};
  double u[MOST];
  double *D = calloc((STEPS + 1) * N * N, sizeof *D);
  double *slopes = calloc((STEPS + 1) * N, sizeof *slopes);
  double *saved = calloc(sw_sim_saved_count(sim), sizeof *saved);
  double *next = calloc(N, sizeof *next);
  double *D_k = calloc((STEPS + 1) * N * nk, sizeof *D_k);
  double value = 0.0;

  assert_true(D && slopes && saved && next && D_k);
  sw_sim_save(sim, saved);
  for (long j = 0; j <= STEPS; j++) {
    double l = 0.0;
    r.next = j;
    assert_int_equal(loss(&r, j, 0.0, sw_sim_state(sim), &l, slopes + (size_t)j * N), 0);
    value += l;
    if (j < STEPS) {
      if (of_u) {
        inputs(&r, j, u);
        assert_int_equal(sw_sim_set_inputs(sim, u), SW_OK);
      }
      assert_int_equal(sw_sim_tangent(sim, h, D + (size_t)j * N * N), SW_OK);
      assert_true(!of_k || sw_sim_tangent_parameters(sim, h, D_k + (size_t)j * N * nk) == SW_OK);
      assert_int_equal(sw_sim_step(sim, h), SW_OK);
    }
  }
  memset(lambda, 0, N * sizeof *lambda);
  for (long j = STEPS; j >= 0; j--) {
    double *D_kj = D_k + (size_t)j * N * nk;
    for (int i = 0; i < r.n_inputs && of_u && j < STEPS; i++) {
      double *to = of_u + j * r.n_inputs + i;
      *to = 0.0;
      add_transposed(N, 1, D_kj + (size_t)sw_sim_input(sim, i) * N, lambda, to);
    }
    if (of_k) {
      add_transposed(N, nk, D_kj, lambda, of_k);
    }
    memcpy(next, slopes + (size_t)j * N, N * sizeof *next);
    add_transposed(N, N, D + (size_t)j * N * N, lambda, next);
    memcpy(lambda, next, N * sizeof *lambda);
  }
  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
  free(D);
  free(slopes);
  free(saved);
  free(next);
  free(D_k);
  return value;
}

/* Compares the gradient with that product.  The simulation is the same afterwards, bit for bit: its
 * saved state, its statistics and its next steps. */
static void compare(sw_sim *sim, double h)
{
  record r = {.stop = -1};
  double expected[MOST];
  double z0[MOST];
  double before[2 * MOST];
  double after[2 * MOST];
  double next[2 * MOST];
  double scale = 1.0;
  sw_gradient gradient = {.z0 = z0};
  const size_t bytes = sw_sim_saved_count(sim) * sizeof(double);

  assert_true(sw_sim_n_state(sim) <= MOST && sw_sim_saved_count(sim) <= 2 * MOST);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  assert_int_equal(sw_sim_run(sim, h, 2, NULL, NULL), SW_OK);
  const double value = product_of_tangents(sim, h, expected, NULL, NULL);
  for (int i = 0; i < sw_sim_n_state(sim); i++) {
    scale = fmax(scale, fabs(expected[i]));
  }
  sw_sim_save(sim, before);
  assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
  sw_sim_save(sim, next);
  assert_int_equal(sw_sim_restore(sim, before), SW_OK);

  const sw_stats stats = sw_sim_stats(sim);
  assert_int_equal(find(sim, &r, h, STEPS, 4, &gradient), SW_OK);
  const sw_stats stats_after = sw_sim_stats(sim);
  assert_memory_equal(&stats, &stats_after, sizeof stats);
  sw_sim_save(sim, after);
  assert_memory_equal(before, after, bytes);
  assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
  sw_sim_save(sim, after);
  assert_memory_equal(next, after, bytes);
  assert_near(gradient.value, value, 1e-12 * fmax(1.0, fabs(value)));
  assert_all_near(z0, expected, sw_sim_n_state(sim), 1e-12 * scale);
}

static void gradient_is_the_product_of_tangents(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        if (takes(models[i], *method, *base)) {
          sw_sim *sim = create(models[i], *method, *base);
          compare(sim, 0.03);
          sw_sim_free(&sim);
        }
      }
    }
  }
}

static void gradient_of_compositions(void **state)
{
  sw_options options;
  sw_sim *sim = NULL;

  (void)state;
  sw_options_init(&options);
  options.compose = "triple-jump-4";
  assert_int_equal(sw_sim_create(&sw_fixture_hopf, &options, &sim), SW_OK);
  compare(sim, 0.03);
  sw_sim_free(&sim);
}

/* Along parameters and h, for models with derivatives along them. */
static void gradient_along_parameters(void **state)
{
  static const sw_model *const models[][2] = {
      {&sw_model_double_pendulum, &sw_model_double_pendulum_lifted},
      {&sw_model_hopf, &sw_model_hopf_lifted}};
  static const char *const compositions[] = {"none", "suzuki-4"};
  const double h = 0.03;

  (void)state;
  for (int i = 0; i < 4; i++) {
    sw_model model = *models[i / 2][0];
    sw_options options;
    sw_sim *sim = NULL;
    record r = {.stop = -1};
    double expected[MOST] = {0};
    double z0[MOST];
    double expected_z0[MOST];
    double of_k[MOST];
    double of_h;
    double scale = 1.0;
    sw_gradient gradient = {.z0 = z0, .k = of_k, .h = &of_h};

    model.lifted = models[i / 2][1];
    sw_options_init(&options);
    options.compose = compositions[i % 2];
    assert_int_equal(sw_sim_create(&model, &options, &sim), SW_OK);
    const int nk = sw_sim_nk(sim);
    assert_int_equal(sw_sim_run(sim, h, 2, NULL, NULL), SW_OK);
    const double value = product_of_tangents(sim, h, expected_z0, expected, NULL);
    for (int j = 0; j <= nk; j++) {
      scale = fmax(scale, fabs(expected[j]));
    }
    assert_int_equal(find(sim, &r, h, STEPS, 4, &gradient), SW_OK);
    assert_near(gradient.value, value, 1e-12 * fmax(1.0, fabs(value)));
    assert_all_near(of_k, expected, nk, 1e-12 * scale);
    assert_near(of_h, expected[nk], 1e-12 * scale);
    assert_int_equal(find(sim, &r, h, STEPS, 4, &(sw_gradient){.h = &of_h}), SW_OK);
    assert_near(of_h, expected[nk], 1e-12 * scale);
    sw_sim_free(&sim);
  }
}

/* With inputs that differ from step to step.  The inputs of before come back. */
static void gradient_along_inputs(void **state)
{
  const double h = 0.01;
  sw_model model = sw_model_motors;
  sw_sim *sim = NULL;
  double expected[MOST] = {0};
  double expected_z0[MOST];
  double expected_u[STEPS * 4];
  double z0[MOST];
  double of_k[MOST];
  double of_u[STEPS * 4];
  double k[MOST];
  double saved[MOST];
  double after[MOST];
  double scale = 1.0;

  (void)state;
  model.lifted = &sw_model_motors_lifted;
  assert_int_equal(sw_sim_create(&model, NULL, &sim), SW_OK);
  const int nk = sw_sim_nk(sim);
  const int n = sw_sim_n_inputs(sim);
  record r = {
      .dim = 2 * sw_sim_nq(sim), .steps = STEPS, .stop = -1, .n_inputs = n, .stop_inputs = -1};
  const size_t bytes = sw_sim_saved_count(sim) * sizeof(double);
  sw_trajectory trajectory = {
      .h = h, .steps = STEPS, .checkpoints = 4, .loss = loss, .inputs = inputs, .user = &r};
  sw_gradient gradient = {.z0 = z0, .k = of_k, .u = of_u};
  assert_true(n > 1 && n <= 4 && bytes <= sizeof saved);
  memcpy(k, sw_sim_parameters(sim), (size_t)nk * sizeof *k);
  sw_sim_save(sim, saved);
  const double value = product_of_tangents(sim, h, expected_z0, expected, expected_u);
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  for (int j = 0; j <= nk; j++) {
    scale = fmax(scale, fabs(expected[j]));
  }
  r.next = STEPS;
  assert_int_equal(sw_sim_gradient(sim, &trajectory, &gradient), SW_OK);
  assert_int_equal(gradient.forward_steps, sw_gradient_forward_steps(STEPS, 4));
  assert_near(gradient.value, value, 1e-12 * fmax(1.0, fabs(value)));
  assert_all_near(z0, expected_z0, r.dim, 1e-12 * scale);
  assert_all_near(of_k, expected, nk, 1e-12 * scale);
  assert_all_near(of_u, expected_u, STEPS * n, 1e-12 * scale);
  assert_memory_equal(k, sw_sim_parameters(sim), (size_t)nk * sizeof *k);
  for (r.stop_inputs = 0; r.stop_inputs < STEPS; r.stop_inputs += STEPS / 2) {
    r.next = STEPS;
    assert_int_equal(sw_sim_gradient(sim, &trajectory, &gradient), SW_ERR_STOPPED);
    assert_non_null(strstr(sw_sim_message(sim), "inputs asked to stop"));
    assert_memory_equal(k, sw_sim_parameters(sim), (size_t)nk * sizeof *k);
    sw_sim_save(sim, after);
    assert_memory_equal(saved, after, bytes);
  }
  sw_sim_free(&sim);
}

/* ---- failures ---- */

static void assert_saved(const sw_sim *sim, const double before[], const char *part)
{
  double after[MOST];

  sw_sim_save(sim, after);
  assert_memory_equal(before, after, sw_sim_saved_count(sim) * sizeof(double));
  if (!strstr(sw_sim_message(sim), part)) {
    fail_msg("\"%s\" without \"%s\"", sw_sim_message(sim), part);
  }
}

static int no_inputs(void *user, long step, double u[])
{
  (void)user;
  (void)step;
  (void)u;
  return 0;
}

static void failures_keep_the_state(void **state)
{
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");
  record r = {.stop = -1};
  double before[MOST];
  double k[MOST];
  sw_gradient gradient = {0};
  sw_trajectory trajectory = {.h = 0.05, .steps = 3, .checkpoints = 2, .user = &r};

  (void)state;
  assert_int_equal(sw_sim_run(sim, 0.05, 7, NULL, NULL), SW_OK);
  sw_sim_save(sim, before);
  assert_int_equal(sw_sim_gradient(sim, &trajectory, &gradient), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_gradient(sim, NULL, &gradient), SW_ERR_ARGUMENT);
  assert_int_equal(find(sim, &r, 0.05, 3, 0, &gradient), SW_ERR_ARGUMENT);
  assert_saved(sim, before, "3 steps, 0 checkpoints");
  assert_int_equal(find(sim, &r, 0.05, -1, 1, &gradient), SW_ERR_ARGUMENT);
  assert_int_equal(find(sim, &r, 0.0, 3, 1, &gradient), SW_ERR_ARGUMENT);
  assert_saved(sim, before, "step");
  assert_int_equal(find(sim, &r, 0.05, 3, 1, &(sw_gradient){.u = k}), SW_ERR_OPTION);
  assert_saved(sim, before, "no inputs");
  trajectory.loss = loss;
  trajectory.inputs = no_inputs;
  assert_int_equal(sw_sim_gradient(sim, &trajectory, &gradient), SW_ERR_OPTION);
  assert_int_equal(find(sim, &r, 0.05, 3, 1, &(sw_gradient){.k = k}), SW_ERR_OPTION);
  assert_saved(sim, before, "parameters");
  r.stop = 4;
  assert_int_equal(find(sim, &r, 0.05, 30, 3, &gradient), SW_ERR_STOPPED);
  assert_saved(sim, before, "stop at step 4");
  /* A step so long that the rod cannot follow. */
  const double fast[4] = {1.0, 0.0, 0.0, 3.0};
  r.stop = -1;
  assert_int_equal(sw_sim_set_state(sim, 0.0, fast), SW_OK);
  sw_sim_save(sim, before);
  assert_int_equal(find(sim, &r, 1.0, 5, 2, &gradient), SW_ERR_NOT_CONVERGED);
  assert_saved(sim, before, "step");
  assert_int_equal(find(sim, &r, 0.05, 5, 2, &gradient), SW_OK);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schedule_is_optimal),
      cmocka_unit_test(checkpoints_do_not_change_the_gradient),
      cmocka_unit_test(gradient_is_the_product_of_tangents),
      cmocka_unit_test(gradient_of_compositions),
      cmocka_unit_test(gradient_along_parameters),
      cmocka_unit_test(gradient_along_inputs),
      cmocka_unit_test(failures_keep_the_state),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
