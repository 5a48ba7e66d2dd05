/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_variational.c -- variational integrators from Runge-Kutta methods (paper 004) against
 * independent numbers, and what is said about them: orders, the two-form, discrete momenta,
 * reversibility.  Their derivatives are in test_tangent.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../reference/rigid_body.h"
#include "../reference/spherical_pendulum.h"
#include "checks/symplectic.h"
#include "near.h"
#include "reference.h"

extern const sw_model sw_model_spherical_pendulum;
extern const sw_model sw_model_rigid_body;
extern const sw_model sw_model_curved;
extern const sw_model sw_model_cyclotron;

enum { most = REFERENCE_MAX, BASES = 4, BIASES = 3 };

static const char *const bases[BASES] = {"euler", "explicit-midpoint", "kutta-3", "rk4"};
static const double biases[BIASES][2] = {{-0.5, 0.5}, {0.0, 1.0}, {-0.3, 0.7}};

static sw_options options_of(const char *base, const double bias[2])
{
  sw_options options;

  sw_options_init(&options);
  options.method = "variational";
  options.base = base;
  options.bias[0] = bias[0];
  options.bias[1] = bias[1];
  return options;
}

static sw_sim *make(const sw_model *model, const char *base, const double bias[2])
{
  const sw_options options = options_of(base, bias);
  sw_sim *sim = NULL;

  assert_string_equal(sw_options_objection(model, &options), "");
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  return sim;
}

static void run(sw_sim *sim, double h, long steps)
{
  if (sw_sim_run(sim, h, steps, NULL, NULL) != SW_OK) {
    fail_msg("%s", sw_sim_message(sim));
  }
}

static double length(int n, const double a[], const double b[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sqrt(sum);
}

/* ---- numbers of the references ---- */

/* Worst distance between the states of rows and those of simulations; their errors, of which the
 * table has 7 digits, agree up to the round-off of states, too. */
static double rows_error(const sw_model *model, int n, const reference_variational rows[],
                         const double exact[], double round_off)
{
  double worst = 0.0;

  for (int i = 0; i < n; i++) {
    sw_sim *sim = make(model, rows[i].base, rows[i].bias);
    const int d = sw_sim_nq(sim);
    run(sim, rows[i].step, rows[i].steps);
    worst = fmax(worst, reference_distance(2 * d, sw_sim_state(sim), rows[i].z));
    if (exact) {
      assert_near(length(d, sw_sim_state(sim), exact), rows[i].error,
                  1e-7 * rows[i].error + round_off);
    }
    sw_sim_free(&sim);
  }
  return worst;
}

static void states_are_those_of_the_references(void **state)
{
  reference_variational wrong = reference_spherical_pendulum_states[0];

  (void)state;
  reference_accept("spherical_pendulum, states",
                   rows_error(&sw_model_spherical_pendulum,
                              REFERENCE_ROWS(reference_spherical_pendulum_states),
                              reference_spherical_pendulum_exact[0].z, 5e-15),
                   5e-15);
  reference_accept("spherical_pendulum, first step",
                   rows_error(&sw_model_spherical_pendulum,
                              REFERENCE_ROWS(reference_spherical_pendulum_first), NULL, 0.0),
                   1e-15);
  reference_accept("rigid_body, states",
                   rows_error(&sw_model_rigid_body, REFERENCE_ROWS(reference_rigid_body_states),
                              reference_rigid_body_exact[0].z, 1e-13),
                   1e-13);
  wrong.z[3] += 1e-14;
  reference_refuse("a wrong state",
                   rows_error(&sw_model_spherical_pendulum, 1, &wrong,
                              reference_spherical_pendulum_exact[0].z, 5e-15),
                   5e-15);
}

/* (qbar, mu) of the first step. */
static void curves_end_where_they_should(void **state)
{
  double x[6];

  (void)state;
  for (size_t i = 0;
       i < sizeof reference_spherical_pendulum_ends / sizeof *reference_spherical_pendulum_ends;
       i++) {
    const reference_variational *row = &reference_spherical_pendulum_ends[i];
    sw_sim *sim = make(&sw_model_spherical_pendulum, row->base, row->bias);
    assert_int_equal(sw_sim_legendre(sim, row->step, x, NULL), SW_OK);
    assert_all_near(x, row->z, 6, 1e-15);
    sw_sim_free(&sim);
  }
}

/* H - H0 over 2000 steps, computed in double precision. */
static void energy_does_not_drift(void **state)
{
  static const struct {
    const char *base;
    double bias[2];
    double low;
    double high;
  } of[] = {{"euler", {-0.5, 0.5}, -0.0006713513485672173, 0.0004262900768127187},
            {"kutta-3", {-0.5, 0.5}, -1.016472059633955e-06, 9.071691463580223e-07},
            {"explicit-midpoint", {0.0, 1.0}, -0.0007470493500771891, 0.0006265329143266829},
            {"rk4", {0.0, 1.0}, -1.0128232981188035e-06, 3.883005481819524e-06}};

  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    sw_sim *sim = make(&sw_model_spherical_pendulum, of[i].base, of[i].bias);
    double low = 0.0;
    double high = 0.0;
    for (int n = 0; n < 2000; n++) {
      double H = 0.0;
      run(sim, 0.1, 1);
      sw_sim_hamiltonian(sim, &H);
      low = fmin(low, H + 0.55);
      high = fmax(high, H + 0.55);
    }
    assert_near(low, of[i].low, 1e-11);
    assert_near(high, of[i].high, 1e-11);
    sw_sim_free(&sim);
  }
}

/* ---- orders ---- */

static void end_of(const sw_model *model, const char *base, const double bias[2], double t,
                   long steps, double z[])
{
  sw_sim *sim = make(model, base, bias);

  run(sim, t / (double)steps, steps);
  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  sw_sim_free(&sim);
}

/* By other methods: of order 6 with constraints and without. */
static void solve_otherwise(const sw_model *model, double t, double z[])
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = model->n_constraints > 0 ? "lobatto" : "rattle";
  options.base = model->n_constraints > 0 ? "lobatto-6" : "gauss-6";
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  run(sim, t / 400.0, 400);
  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  sw_sim_free(&sim);
}

/* r; the next even number with a symmetric bias.  Positions and momenta, mass that varies, a field
 * a(q).v, no constraints. */
static void orders_are_those_of_the_base_method(void **state)
{
  static const sw_model *const models[] = {&sw_model_curved, &sw_model_cyclotron,
                                           &sw_model_spherical_pendulum, &sw_model_rigid_body};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    const int d2 = 2 * models[i]->n_coordinates;
    double exact[most];
    double z[2][most];
    solve_otherwise(models[i], 0.5, exact);
    for (int r = 1; r <= BASES; r++) {
      for (int b = 0; b < BIASES; b++) {
        const int order = r + (b == 0 ? r % 2 : 0);
        const long steps = r == 1 ? 160 : 20;
        sw_sim *sim = make(models[i], bases[r - 1], biases[b]);
        assert_int_equal(sw_sim_order(sim), order);
        sw_sim_free(&sim);
        end_of(models[i], bases[r - 1], biases[b], 0.5, steps, z[0]);
        end_of(models[i], bases[r - 1], biases[b], 0.5, 2 * steps, z[1]);
        const double slope =
            log2(reference_distance(d2, z[0], exact) / reference_distance(d2, z[1], exact));
        printf("  %-18s %-17s %4.1f,%3.1f  slope %.3f\n", models[i]->name, bases[r - 1],
               biases[b][0], biases[b][1], slope);
        assert_near(slope, order, 0.2);
      }
    }
  }
}

/* ---- what is kept ---- */

static double defect(const sw_model *model, const char *base, const double bias[2])
{
  enum { N = 4 };
  double V[N * most];
  double DV[N * most];
  double found = NAN;
  sw_sim *sim = make(model, base, bias);

  for (int i = 0; i < N * most; i++) {
    V[i] = sin(1.0 + 37.0 * (double)i);
  }
  assert_int_equal(sw_symplectic_defect(sim, 0.1, N, V, DV, &found), SW_OK);
  sw_sim_free(&sim);
  return found;
}

/* The largest change of dq ^ dp in a step, which is not what is kept. */
static double canonical_change(const sw_model *model, const char *base, const double bias[2])
{
  double V[2 * most];
  double DV[2 * most];
  double size = 0.0;
  sw_sim *sim = make(model, base, bias);
  const size_t dim = 2 * (size_t)sw_sim_nq(sim);

  for (size_t i = 0; i < 2 * dim; i++) {
    V[i] = cos(1.0 + 3.0 * (double)i);
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(sw_sim_tangent_times(sim, 0.1, 2, i ? V : V, V), SW_OK);
    run(sim, 0.1, 1);
  }
  assert_int_equal(sw_sim_tangent_times(sim, 0.1, 2, V, DV), SW_OK);
  const double before = sw_symplectic_form((int)dim / 2, V, V + dim, &size);
  const double after = sw_symplectic_form((int)dim / 2, DV, DV + dim, &size);
  sw_sim_free(&sim);
  return fabs(after - before) / size;
}

static void a_two_form_is_kept(void **state)
{
  static const sw_model *const models[] = {&sw_model_curved, &sw_model_cyclotron,
                                           &sw_model_spherical_pendulum, &sw_model_rigid_body};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    for (int r = 0; r < BASES; r++) {
      for (int b = 0; b < BIASES; b++) {
        assert_below(defect(models[i], bases[r], biases[b]), 1e-14);
      }
    }
    /* That is seen where it is another form. */
    assert_true(canonical_change(models[i], "euler", biases[1]) > 1e-5);
  }
}

/* J = A^T mu - mu^T A for n x n matrices, or of a vector in the plane of the first two axes where n
 * = 1. */
static double momentum(const sw_model *model, const double x[], int j, int k)
{
  double sum = 0.0;

  if (model == &sw_model_spherical_pendulum) {
    return x[0] * x[4] - x[1] * x[3];
  }
  for (int i = 0; i < 3; i++) {
    sum += x[3 * i + j] * x[9 + 3 * i + k] - x[3 * i + k] * x[9 + 3 * i + j];
  }
  return sum;
}

static void discrete_momenta_are_conserved(void **state)
{
  static const sw_model *const models[] = {&sw_model_spherical_pendulum, &sw_model_rigid_body};
  double x[most];

  (void)state;
  for (int i = 0; i < 2; i++) {
    for (int r = 0; r < BASES; r++) {
      for (int b = 0; b < BIASES; b++) {
        sw_sim *sim = make(models[i], bases[r], biases[b]);
        double first = 0.0;
        double worst = 0.0;
        double of_z = 0.0;
        for (int n = 0; n <= 500; n++) {
          assert_int_equal(sw_sim_legendre(sim, 0.1, x, NULL), SW_OK);
          const double J = momentum(models[i], x, 0, 2);
          first = n == 0 ? J : first;
          worst = fmax(worst, fabs(J - first));
          of_z = fmax(of_z, fabs(momentum(models[i], sw_sim_state(sim), 0, 2) - first));
          run(sim, 0.1, 1);
        }
        assert_below(worst, 1e-12);
        assert_true(of_z > 1e-8); /* that of the state is another one, and not conserved */
        if (i == 0 && r == 0 && b == 0) {
          assert_near(first, 0.300975, 1e-15);
        }
        sw_sim_free(&sim);
      }
    }
  }
}

static void steps_can_be_taken_back(void **state)
{
  static const sw_model *const models[] = {&sw_model_curved, &sw_model_rigid_body};
  double z[most];

  (void)state;
  for (int i = 0; i < 2; i++) {
    for (int b = 0; b < BIASES; b++) {
      sw_options options = options_of("kutta-3", biases[b]);
      sw_sim *sim = NULL;
      options.check_reversible = 1;
      options.reversible_tolerance = 1e-12;
      assert_int_equal(sw_sim_create(models[i], &options, &sim), SW_OK);
      run(sim, 0.1, 20);
      sw_sim_free(&sim);
      /* The step of -h itself is that only with a symmetric bias. */
      sim = make(models[i], "kutta-3", biases[b]);
      memcpy(z, sw_sim_state(sim), sizeof(double) * 2 * (size_t)sw_sim_nq(sim));
      run(sim, 0.1, 1);
      run(sim, -0.1, 1);
      const double off = reference_distance(2 * sw_sim_nq(sim), z, sw_sim_state(sim));
      assert_true(b == 0 ? off < 1e-14 : off > 1e-8);
      sw_sim_free(&sim);
    }
  }
}

static void a_run_in_two_halves_is_the_whole(void **state)
{
  double saved[3 + 2 * most];
  double whole[most];

  (void)state;
  sw_sim *sim = make(&sw_model_curved, "rk4", biases[0]);
  run(sim, 0.1, 20);
  assert_true(sw_sim_saved_count(sim) == 3 + 6 + 1);
  sw_sim_save(sim, saved);
  run(sim, 0.1, 20);
  memcpy(whole, sw_sim_state(sim), 6 * sizeof *whole);
  sw_sim_free(&sim);
  sim = make(&sw_model_curved, "rk4", biases[0]);
  run(sim, -0.07, 3);
  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
  run(sim, 0.1, 20);
  assert_memory_equal(whole, sw_sim_state(sim), 6 * sizeof *whole);
  sw_sim_free(&sim);
}

/* g = |q|^2 - 1 and H = |p|^2/2 + q_z: 2 lambda = |p|^2 - q_z. */
static void multipliers_are_those_of_the_end(void **state)
{
  sw_sim *sim = make(&sw_model_spherical_pendulum, "rk4", biases[0]);

  (void)state;
  for (int n = 0; n < 5; n++) {
    run(sim, 0.1, 1);
    const double *z = sw_sim_state(sim);
    const double square = z[3] * z[3] + z[4] * z[4] + z[5] * z[5];
    assert_near(sw_sim_impulses(sim)[0] / 0.1, 0.5 * (square - z[2]), 1e-14);
  }
  sw_sim_free(&sim);
}

/* Masses, and with them momenta, in a unit that is 1e30 times smaller, or larger. */
static void units_change_nothing(void **state)
{
  static const double units[] = {1e30, 1e-30};
  double A[9];
  double D[3];
  double z[18];

  (void)state;
  end_of(&sw_model_rigid_body, "kutta-3", biases[0], 1.0, 10, z);
  memcpy(A, z, sizeof A);
  for (int u = 0; u < 2; u++) {
    sw_sim *sim = make(&sw_model_rigid_body, "kutta-3", biases[0]);
    for (int i = 0; i < 3; i++) {
      D[i] = units[u] * sw_sim_parameters(sim)[i];
    }
    for (int i = 0; i < 18; i++) {
      z[i] = (i < 9 ? 1.0 : units[u]) * sw_sim_state(sim)[i];
    }
    assert_int_equal(sw_sim_set_parameters(sim, D), SW_OK);
    assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
    run(sim, 0.1, 10);
    assert_all_near(sw_sim_state(sim), A, 9, 1e-13);
    sw_sim_free(&sim);
  }
}

/* ---- what goes together ---- */

/* Ralston's method of order 3, which is none of those that have a name. */
static void a_table_of_ones_own_is_taken(void **state)
{
  static const double A[] = {0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.75, 0.0};
  static const double b[] = {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0};
  const sw_tableau ralston = {"ralston", 3, A, b, NULL, NULL};
  double exact[most];
  double error[2];

  (void)state;
  solve_otherwise(&sw_model_curved, 0.5, exact);
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    for (int fine = 0; fine < 2; fine++) {
      sw_options options = options_of(NULL, biases[!symmetric]);
      sw_sim *sim = NULL;
      options.tableau = &ralston;
      assert_int_equal(sw_sim_create(&sw_model_curved, &options, &sim), SW_OK);
      run(sim, 0.025 / (1 + fine), 20 << fine);
      error[fine] = reference_distance(6, sw_sim_state(sim), exact);
      sw_sim_free(&sim);
    }
    assert_near(log2(error[0] / error[1]), 3 + symmetric, 0.2);
  }
}

static void refused(const sw_model *model, const sw_options *options, const char *word)
{
  sw_sim *sim = NULL;

  assert_int_equal(sw_sim_create(model, options, &sim), SW_ERR_OPTION);
  assert_null(sim);
  if (!strstr(sw_options_objection(model, options), word)) {
    fail_msg("'%s' not in '%s'", word, sw_options_objection(model, options));
  }
}

static void what_does_not_go_together_is_refused(void **state)
{
  const sw_model *model = &sw_model_spherical_pendulum;
  static const double wrong[][2] = {{-0.3, 0.8}, {0.5, 1.5}, {-1.5, -0.5}, {NAN, 1.0}};
  double x[most];

  (void)state;
  sw_options options = options_of("verlet", biases[0]);
  refused(model, &options, "explicit base method");
  options = options_of("midpoint", biases[0]);
  refused(model, &options, "explicit base method");
  options = options_of("rk4", biases[0]);
  refused(&sw_model_hopf, &options, "positions alone");
  refused(&sw_model_spherical, &options, "--with variational");
  options.compose = "triple-jump-4";
  refused(model, &options, "two-forms");
  options.compose = "none";
  options.redundant = "drop";
  refused(model, &options, "redundant");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    options = options_of("rk4", wrong[i]);
    refused(model, &options, "A+ - A- = 1");
  }
  options = options_of("verlet", biases[1]);
  options.method = "rattle";
  refused(model, &options, "no bias");

  sw_sim *sim =
      reference_start(&(reference_problem){model, NULL, 0.0}, "default", "rattle", "verlet");
  assert_int_equal(sw_sim_legendre(sim, 0.1, x, NULL), SW_ERR_OPTION);
  sw_sim_free(&sim);
}

/* A step that is far too long fails, with a reason, and changes nothing. */
static void steps_fail_as_a_whole(void **state)
{
  double z[6];
  sw_sim *sim = make(&sw_model_spherical_pendulum, "rk4", biases[0]);

  (void)state;
  memcpy(z, sw_sim_state(sim), sizeof z);
  assert_int_not_equal(sw_sim_step(sim, 50.0), SW_OK);
  assert_true(strlen(sw_sim_message(sim)) > 0);
  assert_memory_equal(z, sw_sim_state(sim), sizeof z);
  run(sim, 0.1, 10);
  assert_all_near(sw_sim_state(sim), reference_spherical_pendulum_states[12].z, 6, 1e-14);
  sw_sim_free(&sim);
  /* So does one where the Jacobian is singular, and there are no constraints to be looked at. */
  sim = make(&sw_model_cyclotron, "kutta-3", biases[0]);
  assert_int_equal(sw_sim_step(sim, -130.0), SW_ERR_SINGULAR);
  assert_non_null(
      strstr(sw_sim_message(sim), "is singular after 0 iterations; try a smaller step"));
  assert_null(strstr(sw_sim_message(sim), "constraints"));
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_are_those_of_the_references),
      cmocka_unit_test(curves_end_where_they_should),
      cmocka_unit_test(energy_does_not_drift),
      cmocka_unit_test(orders_are_those_of_the_base_method),
      cmocka_unit_test(a_two_form_is_kept),
      cmocka_unit_test(discrete_momenta_are_conserved),
      cmocka_unit_test(steps_can_be_taken_back),
      cmocka_unit_test(a_run_in_two_halves_is_the_whole),
      cmocka_unit_test(multipliers_are_those_of_the_end),
      cmocka_unit_test(units_change_nothing),
      cmocka_unit_test(a_table_of_ones_own_is_taken),
      cmocka_unit_test(what_does_not_go_together_is_refused),
      cmocka_unit_test(steps_fail_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
