/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_multipliers.c -- multipliers are a function of the state, whatever method has led to it:
 * against closed forms, and against differences of rho along the motion.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "near.h"
#include "sidewinder/methods.h"
#include "sidewinder/sim.h"
#include "sidewinder/tableau.h"
#include "sim/sim_internal.h"

extern const sw_model sw_model_chain6;
extern const sw_model sw_model_four_particles;
extern const sw_model sw_model_hopf;
extern const sw_model sw_model_index1;
extern const sw_model sw_model_jolts;
extern const sw_model sw_model_pendulum;
extern const sw_model sw_model_rest_mixed;
extern const sw_model sw_model_square;
extern const sw_model sw_model_two_constraints;

enum { most = 24, steps = 6 };

static const double h = 0.02;

static void refuse(const sw_sim *sim, const char *what, double found, double wanted, double limit)
{
  if (!(fabs(found - wanted) <= limit)) {
    fail_msg("%s, %s over %s: %s is %.17g, not %.17g", sim->system->model->name,
             sim->plan->method->name, sim->plan->base ? sim->plan->base->name : "flows", what,
             found, wanted);
  }
}

typedef void judgement(sw_sim *sim, const double z[], const double lambda[]);

/* Steps, and judges the multipliers at each state, the first included. z: the point of M^H on the
 * fibre of the state. */
static void follow(sw_sim *sim, judgement *judge)
{
  for (int n = 0; n <= steps; n++) {
    double z[most];
    double lambda[most];
    double before[most];
    const size_t bytes = 2 * (size_t)sw_sim_nq(sim) * sizeof *z;
    memcpy(before, sw_sim_state(sim), bytes);
    if (sw_sim_multipliers(sim, lambda) != SW_OK || sw_sim_hidden_point(sim, z) != SW_OK) {
      fail_msg("%s", sw_sim_message(sim));
    }
    assert_memory_equal(before, sw_sim_state(sim), bytes);
    judge(sim, z, lambda);
    if (n < steps && sw_sim_step(sim, h) != SW_OK) {
      fail_msg("%s", sw_sim_message(sim));
    }
  }
}

/* All methods over all base methods that the model accepts, also composed. Returns their number. */
static int for_all_methods(const sw_model *model, judgement *judge)
{
  static const char *const compositions[] = {"none", "suzuki-4"};
  int count = 0;

  for (const char *const *method = sw_method_names(); *method; method++) {
    for (const char *const *base = sw_base_choices(); *base; base++) {
      for (int c = 0; c < 2; c++) {
        sw_options options;
        sw_sim *sim = NULL;
        sw_options_init(&options);
        options.method = *method;
        options.base = *base;
        options.compose = compositions[c];
        if (sw_options_objection(model, &options)[0] == '\0') {
          assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
          assert_int_equal(sw_sim_project(sim), SW_OK);
          follow(sim, judge);
          sw_sim_free(&sim);
          count++;
        }
      }
    }
  }
  return count;
}

/* ---- closed forms ---- */

/* The force of the rod on the mass 1 is -lambda 2 q: towards the centre, of size v^2/l + g cos. The
 * velocity is the part of p along the circle, and the position that of the state itself. */
static void judge_tension(sw_sim *sim, const double z[], const double lambda[])
{
  const double *q = sw_sim_state(sim);
  const double *p = q + 2;
  const double g = sw_sim_parameters(sim)[0];
  const double l = sw_sim_parameters(sim)[1];
  const double v = (q[0] * p[1] - q[1] * p[0]) / l;
  const double tension = v * v / l - g * q[1] / l;

  (void)z;
  refuse(sim, "the tension", 2.0 * l * lambda[0], tension, 1e-14 * fmax(1.0, fabs(tension)));
}

static void a_rod_pulls_as_its_closed_form(void **state)
{
  (void)state;
  assert_true(for_all_methods(&sw_model_pendulum, judge_tension) > 40);
}

/* H = |p|^2/2 - g.q on |q|^2 + |p|^2 = 1: rho = 2 (q + g).p. */
static void judge_hopf(sw_sim *sim, const double z[], const double lambda[])
{
  const double *g = sw_sim_parameters(sim);
  double rate = 0.0;
  double N = 0.0;

  for (int i = 0; i < 2; i++) {
    const double q = z[i];
    const double p = z[2 + i];
    rate += 2.0 * (p * p + (q + g[i]) * g[i]);
    N += 4.0 * (p * p - (q + g[i]) * q);
  }
  refuse(sim, "lambda", lambda[0], -rate / N, 1e-14 * fmax(1.0, fabs(rate / N)));
}

static void momenta_may_be_constrained(void **state)
{
  (void)state;
  assert_true(for_all_methods(&sw_model_hopf, judge_hopf) > 20);
}

/* The multiplier of -alpha = 0 is the rate of beta: of beta + beta^3 = q p, with (q p)' = p^2 -
 * q^2. */
static void judge_rate(sw_sim *sim, const double z[], const double lambda[])
{
  const double q = z[0];
  const double p = z[2];
  const double beta = z[3];

  refuse(sim, "the rate of beta", lambda[0], (p * p - q * q) / (1.0 + 3.0 * beta * beta), 1e-14);
}

static void an_algebraic_variable_has_its_rate(void **state)
{
  (void)state;
  assert_true(for_all_methods(&sw_model_index1, judge_rate) > 20);
}

/* ---- differences of rho ---- */

/* The largest rate of rho along X_H + factor sum_i lambda_i X_{g_i}, by a central difference. */
static double rate_of_rho(const sw_system *system, const double k[], const double z[],
                          const double lambda[], double factor)
{
  static const double e = 1e-5;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  const int d = system->nq;
  double gradient[most];
  double jac[16 * most];
  double x[2][most];
  double rho[2][most];
  double largest = 0.0;

  system->hamiltonian_grad(system, z, k, gradient);
  system->constraint_jac(system, z, k, jac);
  for (int i = 0; i < pattern->entries; i++) {
    gradient[pattern->col[i]] += factor * lambda[pattern->row[i]] * jac[i];
  }
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < 2 * d; i++) {
      const double speed = i < d ? gradient[i + d] : -gradient[i - d];
      x[side][i] = z[i] + (side == 0 ? e : -e) * speed;
    }
    system->hidden(system, x[side], k, rho[side]);
  }
  for (int i = 0; i < system->nc; i++) {
    largest = fmax(largest, fabs(rho[0][i] - rho[1][i]) / (2.0 * e));
  }
  return largest;
}

static void judge_rates(sw_sim *sim, const double z[], const double lambda[])
{
  const sw_system *system = sw_system_whole(sim->system);

  refuse(sim, "rho'", rate_of_rho(system, sim->k, z, lambda, 1.0), 0.0, 1e-7);
  assert_true(rate_of_rho(system, sim->k, z, lambda, 1.001) > 1e-5);
  assert_true(rate_of_rho(system, sim->k, z, lambda, -1.0) > 1e-2);
}

static void mixed_constraints_keep_rho(void **state)
{
  (void)state;
  assert_true(for_all_methods(&sw_model_rest_mixed, judge_rates) > 10);
  assert_true(for_all_methods(&sw_model_two_constraints, judge_rates) > 10);
  assert_true(for_all_methods(&sw_model_chain6, judge_rates) > 40);
}

/* ---- redundant constraints ---- */

/* Whatever a run does with them, the multipliers are the shortest ones. */
static void redundant_constraints_share_their_force(void **state)
{
  static const char *const ways[] = {"drop", "min-norm"};
  double lambda[2][6];

  (void)state;
  for (int w = 0; w < 2; w++) {
    sw_options options;
    sw_sim *sim = NULL;
    double observed[2];
    sw_options_init(&options);
    options.redundant = ways[w];
    assert_int_equal(sw_sim_create(&sw_model_square, &options, &sim), SW_OK);
    follow(sim, judge_rates);
    assert_int_equal(sw_sim_multipliers(sim, lambda[w]), SW_OK);
    sw_sim_observe(sim, observed);
    assert_true(observed[0] == lambda[w][4] && observed[1] == lambda[w][5]);
    sw_sim_free(&sim);
  }
  for (int i = 0; i < 6; i++) {
    assert_near(lambda[0][i], lambda[1][i], 1e-12);
    assert_true(fabs(lambda[0][i]) > 1e-3);
  }
}

/* They are as smooth as the motion, along which the sizes of the entries of N change. */
static void their_shares_are_smooth(void **state)
{
  enum { count = 200, m = 6 };
  static const double small = 0.01;
  double lambda[count][m];
  double largest = 0.0;
  sw_sim *sim = NULL;

  (void)state;
  sw_options options;
  sw_options_init(&options);
  options.redundant = "drop";
  assert_int_equal(sw_sim_create(&sw_model_square, &options, &sim), SW_OK);
  for (int n = 0; n < count; n++) {
    assert_int_equal(sw_sim_step(sim, small), SW_OK);
    assert_int_equal(sw_sim_multipliers(sim, lambda[n]), SW_OK);
  }
  for (int n = 1; n < count - 1; n++) {
    for (int i = 0; i < m; i++) {
      const double bend = lambda[n + 1][i] - 2.0 * lambda[n][i] + lambda[n - 1][i];
      largest = fmax(largest, fabs(bend));
    }
  }
  sw_sim_free(&sim);
  assert_true(largest < 1e-3);
}

/* ---- the simulation ---- */

/* A run has the same bits, and the same cost, if somebody reads multipliers. */
static void reading_changes_nothing(void **state)
{
  static const char *const methods[] = {"shake", "rattle", "energy-momentum"};

  (void)state;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    sw_options options;
    sw_sim *sims[2];
    double lambda[most];
    sw_options_init(&options);
    options.method = methods[i];
    for (int s = 0; s < 2; s++) {
      assert_int_equal(sw_sim_create(&sw_model_four_particles, &options, &sims[s]), SW_OK);
      for (int n = 0; n < 20; n++) {
        assert_int_equal(sw_sim_step(sims[s], h), SW_OK);
        assert_true(s == 0 || sw_sim_multipliers(sims[s], lambda) == SW_OK);
      }
    }
    const size_t count = sw_sim_saved_count(sims[0]);
    double saved[2][64];
    assert_true(count <= 64);
    sw_sim_save(sims[0], saved[0]);
    sw_sim_save(sims[1], saved[1]);
    const sw_stats a = sw_sim_stats(sims[0]);
    const sw_stats b = sw_sim_stats(sims[1]);
    assert_memory_equal(saved[0], saved[1], count * sizeof(double));
    assert_true(a.solves == b.solves && a.newton_iterations == b.newton_iterations);
    sw_sim_free(&sims[0]);
    sw_sim_free(&sims[1]);
  }
}

/* The momentum that a step takes from z0 to z1 along the rod at its start, p_1 - p_0 = -h V' - a 2
 * q_0. The force V' has no x component. */
static double taken_at_start(const double z0[], const double z1[])
{
  return (z0[2] - z1[2]) / (2.0 * z0[0]);
}

/* a + b of p_1 - p_0 = -h V' - a 2 q_0 - b 2 q_1. */
static double taken_at_ends(const double z0[], const double z1[], double step, double gravity)
{
  const double x = (z0[2] - z1[2]) / 2.0;
  const double y = (z0[3] - z1[3] - step * gravity) / 2.0;
  const double det = z0[0] * z1[1] - z1[0] * z0[1];

  return (x * z1[1] - z1[0] * y + z0[0] * y - x * z0[1]) / det;
}

/* Impulses account for all momentum that constraints take, also in a first step and after a change
 * of the step size. */
static void impulses_move_momenta(void **state)
{
  static const struct {
    const char *method;
    const char *base;
    int at_end; /* 1 if dg/dq is evaluated at the end, too */
  } methods[] = {{"shake", "euler-a", 0},
                 {"leapfrog", NULL, 0},
                 {"vs", NULL, 1},
                 {"rattle", "verlet", 1},
                 {"lobatto", "lobatto-2", 1}};
  static const double sizes[] = {0.02, 0.02, 0.03, 0.03, 0.01};

  (void)state;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    sw_options options;
    sw_sim *sim = NULL;
    double before[4];
    sw_options_init(&options);
    options.method = methods[i].method;
    options.base = methods[i].base != NULL ? methods[i].base : options.base;
    assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_OK);
    assert_true(sw_sim_impulses(sim)[0] == 0.0);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
      memcpy(before, sw_sim_state(sim), sizeof before);
      assert_int_equal(sw_sim_step(sim, sizes[n]), SW_OK);
      const double *z = sw_sim_state(sim);
      const double taken = methods[i].at_end
                               ? taken_at_ends(before, z, sizes[n], sw_sim_parameters(sim)[0])
                               : taken_at_start(before, z);
      refuse(sim, "the impulse", sw_sim_impulses(sim)[0], taken, methods[i].at_end ? 1e-13 : 1e-15);
    }
    sw_sim_free(&sim);
  }
}

/* Hopf at q = (0, 1), p = 0, where N = 0. */
static void a_singular_n_has_no_multiplier(void **state)
{
  const double z[4] = {0.0, 1.0, 0.0, 0.0};
  sw_sim *sim = NULL;
  double lambda = 0.0;

  (void)state;
  assert_int_equal(sw_sim_create(&sw_model_hopf, NULL, &sim), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_multipliers(sim, &lambda), SW_ERR_SINGULAR);
  assert_true(isnan(lambda));
  assert_non_null(strstr(sw_sim_message(sim), "N = {{g,H},g} is singular"));
  sw_sim_free(&sim);
}

/* The observables of jolts.sw are those of the last step's impulses, beside the multipliers of the
 * state: 2 of pin, 2 of odd and 2 of even. */
static void judge_observed_impulses(sw_sim *sim, const double z[], const double lambda[])
{
  const double *impulse = sw_sim_impulses(sim);
  const double x = sw_sim_state(sim)[8];
  const double wanted[] = {impulse[0],
                           impulse[1],
                           lambda[0] - 3.0 * impulse[0] * x,
                           lambda[1] - 3.0 * impulse[1] * x,
                           impulse[0] + impulse[1] + impulse[0] * impulse[1],
                           lambda[1]};
  double found[6];

  (void)z;
  sw_sim_observe(sim, found);
  for (int i = 0; i < 6; i++) {
    refuse(sim, "an observable", found[i], wanted[i], 1e-15 * fmax(1.0, fabs(wanted[i])));
  }
  if (sw_sim_time(sim) == 0.0) {
    refuse(sim, "the impulse before a step", impulse[1], 0.0, 0.0);
  } else if (sw_sim_time(sim) > 1.5 * h) {
    refuse(sim, "the impulse over h, with gravity 1,", impulse[1] / h, -1.0, 0.5);
  }
}

static void observables_read_impulses(void **state)
{
  (void)state;
  assert_true(for_all_methods(&sw_model_jolts, judge_observed_impulses) > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_rod_pulls_as_its_closed_form),
                                     cmocka_unit_test(momenta_may_be_constrained),
                                     cmocka_unit_test(an_algebraic_variable_has_its_rate),
                                     cmocka_unit_test(mixed_constraints_keep_rho),
                                     cmocka_unit_test(redundant_constraints_share_their_force),
                                     cmocka_unit_test(their_shares_are_smooth),
                                     cmocka_unit_test(reading_changes_nothing),
                                     cmocka_unit_test(impulses_move_momenta),
                                     cmocka_unit_test(observables_read_impulses),
                                     cmocka_unit_test(a_singular_n_has_no_multiplier)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
