/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_one_step.c -- variational integrators over a one-step method of a caller
 * (sidewinder/one_step.h).  The method here is Euler's for the pendulum on a sphere, written by
 * hand, so that the integrator has to be the one over the table of that name.
 */
#include <stdio.h>
#include <string.h>

#include "variational.h"

enum { D = 3, DIM = 2 * D };

/* What a case does wrong, if anything. */
typedef struct flaw {
  double slope;  /* a relative error of force and action in slopes */
  double second; /* an error of a second derivative of the action */
  double least;  /* no value where z is below this */
} flaw;

static double dot(const double a[], const double b[])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* L = |v|^2/2 - z and |q| = 1: A = -e + q s/r with s = z - |v|^2, r = |q|^2 (paper 004, (1.3), on
 * the sphere and off it). */
static int euler(void *context, double t, const double w[], const double k[], double w1[])
{
  const flaw *wrong = context;
  const double s = w[2] - dot(w + D, w + D);
  const double r = dot(w, w);

  (void)k;
  for (int i = 0; i < D; i++) {
    w1[i] = w[i] + t * w[D + i];
    w1[D + i] = w[D + i] + t * (w[i] * s / r - (i == 2));
  }
  return w[2] < wrong->least;
}

/* With f = c.A = -c_z + u s/r, u = c.q, and the action t L. */
static int euler_slope(void *context, double t, const double w[], const double k[],
                       const double a[], double b, double slope[])
{
  const flaw *wrong = context;
  const double *c = a + D;
  const double *v = w + D;
  const double s = w[2] - dot(v, v);
  const double r = dot(w, w);
  const double u = dot(c, w);
  const double force = t * (1.0 + wrong->slope);

  (void)k;
  for (int i = 0; i < D; i++) {
    slope[i] = a[i] - b * t * (i == 2) +
               force * (c[i] * s / r + u * (i == 2) / r - 2.0 * u * s * w[i] / (r * r));
    slope[D + i] = t * a[i] + c[i] + b * force * v[i] - force * 2.0 * u * v[i] / r;
  }
  return 0;
}

static int euler_second(void *context, double t, const double w[], const double k[],
                        const double a[], double b, double second[])
{
  const flaw *wrong = context;
  const double *c = a + D;
  const double *v = w + D;
  const double s = w[2] - dot(v, v);
  const double r = dot(w, w);
  const double u = dot(c, w);
  const double force = t;

  (void)k;
  for (int i = 0; i < D; i++) {
    for (int j = 0; j < D; j++) {
      const double e_c = c[i] * (j == 2) + c[j] * (i == 2);
      const double e_q = w[i] * (j == 2) + w[j] * (i == 2);
      const double c_q = c[i] * w[j] + c[j] * w[i];
      const double mixed = -2.0 * c[i] * v[j] / r + 4.0 * u * w[i] * v[j] / (r * r);
      second[i * DIM + j] =
          force * (e_c / r - 2.0 * s * c_q / (r * r) - 2.0 * u * e_q / (r * r) -
                   2.0 * u * s * (i == j) / (r * r) + 8.0 * u * s * w[i] * w[j] / (r * r * r));
      second[i * DIM + D + j] = force * mixed;
      second[(D + j) * DIM + i] = force * mixed;
      second[(D + i) * DIM + D + j] = (b - 2.0 * u / r) * force * (i == j);
    }
  }
  second[0] += b * t * wrong->second;
  return 0;
}

static sw_one_step method_of(flaw *wrong)
{
  return (sw_one_step){.name = "euler by hand",
                       .order = 1,
                       .values = euler,
                       .slope = euler_slope,
                       .second = euler_second,
                       .context = wrong};
}

static flaw none(void)
{
  return (flaw){0.0, 0.0, -INFINITY};
}

static sw_options options_with(const sw_one_step *method, const char *adjoint)
{
  sw_options options = variational_options(NULL, NULL, adjoint);

  options.one_step = method;
  return options;
}

/* The distance of the ends of 20 steps over the method and over the table. */
static double apart(const sw_one_step *method, const char *adjoint)
{
  const sw_options of_table = variational_options("euler", NULL, adjoint);
  const sw_options options = options_with(method, adjoint);
  double z[2][DIM];

  variational_end(&sw_model_spherical_pendulum, &options, 1.0, 20, z[0]);
  variational_end(&sw_model_spherical_pendulum, &of_table, 1.0, 20, z[1]);
  return reference_distance(DIM, z[0], z[1]);
}

/* The tangent of a step against central differences, along one direction. */
static double tangent_error(const sw_options *options)
{
  static const double V[DIM] = {0.8, 0.0, 0.6, -0.3, 0.3, 0.4}; /* tangent to M^H at the start */
  const double e = 1e-5;
  double along[DIM];
  double end[2][DIM];
  sw_sim *sim = variational_sim(&sw_model_spherical_pendulum, options);
  double z[DIM];

  memcpy(z, sw_sim_state(sim), sizeof z);
  assert_int_equal(sw_sim_tangent_times(sim, 0.1, 1, V, along), SW_OK);
  for (int side = 0; side < 2; side++) {
    double moved[DIM];
    for (int i = 0; i < DIM; i++) {
      moved[i] = z[i] + (side ? e : -e) * V[i];
    }
    assert_int_equal(sw_sim_set_state(sim, 0.0, moved), SW_OK);
    assert_int_equal(sw_sim_project(sim), SW_OK);
    variational_run(sim, 0.1, 1);
    memcpy(end[side], sw_sim_state(sim), sizeof end[side]);
  }
  sw_sim_free(&sim);
  for (int i = 0; i < DIM; i++) {
    end[0][i] = (end[1][i] - end[0][i]) / (2.0 * e);
  }
  return reference_distance(DIM, end[0], along);
}

static void steps_are_those_over_the_table(void **state)
{
  static const char *const adjoints[] = {"none", "minus", "plus", "both"};
  flaw wrong = none();
  const sw_one_step method = method_of(&wrong);

  (void)state;
  for (int i = 0; i < 4; i++) {
    wrong = none();
    assert_below(apart(&method, adjoints[i]), 1e-14);
    wrong.slope = 1e-6;
    assert_true(apart(&method, adjoints[i]) > 1e-10);
    wrong = none();
    const sw_options options = options_with(&method, adjoints[i]);
    assert_below(variational_defect(&sw_model_spherical_pendulum, &options), 1e-14);
    assert_below(tangent_error(&options), 1e-9);
    wrong.second = 1e-3;
    assert_true(tangent_error(&options) > 1e-6);
  }
}

/* A method before a state, a table behind it. */
static void a_method_goes_with_a_table(void **state)
{
  flaw wrong = none();
  const sw_one_step method = method_of(&wrong);
  const sw_options of_tables = variational_options("rk4", "euler", "minus");
  double z[2][DIM];

  (void)state;
  sw_options options = variational_options("rk4", NULL, "minus");
  options.one_step_minus = &method;
  variational_end(&sw_model_spherical_pendulum, &options, 1.0, 20, z[0]);
  variational_end(&sw_model_spherical_pendulum, &of_tables, 1.0, 20, z[1]);
  assert_all_near(z[0], z[1], DIM, 1e-14);
  options.check_reversible = 1;
  options.reversible_tolerance = 1e-12;
  variational_end(&sw_model_spherical_pendulum, &options, 1.0, 20, z[0]);
  sw_sim *sim = variational_sim(&sw_model_spherical_pendulum, &options);
  assert_int_equal(sw_sim_order(sim), 1);
  sw_sim_free(&sim);
}

static void without_second_derivatives_there_is_no_tangent(void **state)
{
  flaw wrong = none();
  sw_one_step method = method_of(&wrong);
  double D_z[DIM * DIM];

  (void)state;
  method.second = NULL;
  assert_below(apart(&method, "none"), 1e-14);
  assert_below(apart(&method, "minus"), 1e-14);
  const sw_options options = options_with(&method, "none");
  sw_sim *sim = variational_sim(&sw_model_spherical_pendulum, &options);
  assert_int_equal(sw_sim_has_tangent(sim), 0);
  assert_int_equal(sw_sim_tangent(sim, 0.1, D_z), SW_ERR_OPTION);
  sw_sim_free(&sim);
}

static void a_method_without_a_value_fails_the_step(void **state)
{
  flaw wrong = none();
  const sw_one_step method = method_of(&wrong);
  const sw_options options = options_with(&method, "none");
  double z[DIM];

  (void)state;
  sw_sim *sim = variational_sim(&sw_model_spherical_pendulum, &options);
  variational_run(sim, 0.05, 5);
  memcpy(z, sw_sim_state(sim), sizeof z);
  wrong.least = 1.0;
  assert_int_equal(sw_sim_step(sim, 0.05), SW_ERR_NOT_FINITE);
  assert_memory_equal(z, sw_sim_state(sim), sizeof z);
  wrong.least = -INFINITY;
  variational_run(sim, 0.05, 5);
  sw_sim_free(&sim);
}

static void refused(const sw_one_step *method, const char *name, const char *word)
{
  sw_options options = options_with(method, "none");
  sw_sim *sim = NULL;

  options.method = name;
  assert_int_equal(sw_sim_create(&sw_model_spherical_pendulum, &options, &sim), SW_ERR_OPTION);
  if (!strstr(sw_options_objection(&sw_model_spherical_pendulum, &options), word)) {
    fail_msg("'%s' not in '%s'", word,
             sw_options_objection(&sw_model_spherical_pendulum, &options));
  }
}

static void what_cannot_be_used_is_refused(void **state)
{
  flaw wrong = none();
  sw_one_step method = method_of(&wrong);

  (void)state;
  refused(&method, "rattle", "variational has others");
  method.order = 0;
  refused(&method, "variational", "order of 1 or more");
  method.order = 1;
  method.slope = NULL;
  refused(&method, "variational", "values and slopes");
}

/* ---- with a clock ---- */

extern const sw_model sw_model_pushed_variational;

enum { CLOCK = 1, E = 2, DIM_E = 2 * E }; /* q = (theta, t), v = (theta', 1) */

/* What is wrong with the method: nothing, or slopes that forget the clock. */
typedef enum clock_fault { NO_FAULT, NO_SLOPE } clock_fault;

/* L = v^2/2 + g cos(theta) + torque theta cos(omega t), A = L_theta. */
static double pushing(const double w[], const double k[])
{
  return k[1] * cos(k[2] * w[CLOCK]) - k[0] * sin(w[0]);
}

static int clock_euler(void *context, double t, const double w[], const double k[], double w1[])
{
  (void)context;
  w1[0] = w[0] + t * w[E];
  w1[CLOCK] = w[CLOCK] + t;
  w1[E] = w[E] + t * pushing(w, k);
  w1[E + CLOCK] = w[E + CLOCK];
  return 0;
}

/* The action is t L. */
static int clock_slope(void *context, double t, const double w[], const double k[],
                       const double a[], double b, double slope[])
{
  const clock_fault *fault = context;
  const double turn = *fault == NO_SLOPE ? 0.0 : -k[1] * k[2] * sin(k[2] * w[CLOCK]);

  slope[0] = a[0] - a[E] * t * k[0] * cos(w[0]) + b * t * pushing(w, k);
  slope[CLOCK] = a[CLOCK] + a[E] * t * turn + b * t * w[0] * turn;
  slope[E] = a[E] + t * (a[0] + b * w[E]);
  slope[E + CLOCK] = a[E + CLOCK];
  return 0;
}

static void pushed_end(const sw_options *options, long steps, double z[])
{
  sw_sim *sim = variational_sim(&sw_model_pushed_variational, options);

  assert_int_equal(sw_sim_nq(sim), E);
  variational_run(sim, 1.0 / (double)steps, steps);
  memcpy(z, sw_sim_state(sim), DIM_E * sizeof *z);
  assert_near(z[CLOCK], 1.0, 3e-14); /* 200 sums, each rounded by up to 1.1e-16 */
  sw_sim_free(&sim);
}

/* By which part the error of (q,p), and of p_t, is smaller with twice as many steps. */
static void pushed_orders(const sw_options *options, double *of_rest, double *of_p_t)
{
  double rest[2] = {0.0, 0.0};
  double p_t[2];
  double exact[DIM_E];
  sw_options otherwise;

  sw_options_init(&otherwise);
  otherwise.base = "gauss-6";
  pushed_end(&otherwise, 200, exact);
  for (int fine = 0; fine < 2; fine++) {
    double z[DIM_E];
    pushed_end(options, 100L << fine, z);
    p_t[fine] = fabs(z[E + CLOCK] - exact[E + CLOCK]);
    for (int i = 0; i < E + CLOCK; i++) {
      rest[fine] = fmax(rest[fine], fabs(z[i] - exact[i]));
    }
  }
  *of_rest = log2(rest[0] / rest[1]);
  *of_p_t = log2(p_t[0] / p_t[1]);
}

static void a_method_of_a_caller_has_a_clock(void **state)
{
  const struct {
    const char *adjoint;
    double bias[2];
    int order;
  } cases[] = {{"none", {0.0, 1.0}, 1},
               {"none", {-0.5, 0.5}, 2},
               {"minus", {-0.5, 0.5}, 1},
               {"both", {-0.5, 0.5}, 2}};
  clock_fault fault = NO_FAULT;
  const sw_one_step method = {.name = "euler with a clock",
                              .order = 1,
                              .values = clock_euler,
                              .slope = clock_slope,
                              .context = &fault};
  double of_rest, of_p_t;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sw_options options = options_with(&method, cases[i].adjoint);
    memcpy(options.bias, cases[i].bias, sizeof options.bias);
    fault = NO_FAULT;
    pushed_orders(&options, &of_rest, &of_p_t);
    printf("  %s, bias %g: slope %.2f, of p_t %.2f\n", cases[i].adjoint, cases[i].bias[0], of_rest,
           of_p_t);
    assert_near(of_rest, cases[i].order, 0.1);
    assert_near(of_p_t, cases[i].order, 0.1);
    fault = NO_SLOPE;
    pushed_orders(&options, &of_rest, &of_p_t);
    assert_true(of_p_t < cases[i].order - 0.5);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_those_over_the_table),
      cmocka_unit_test(a_method_goes_with_a_table),
      cmocka_unit_test(without_second_derivatives_there_is_no_tangent),
      cmocka_unit_test(a_method_without_a_value_fails_the_step),
      cmocka_unit_test(what_cannot_be_used_is_refused),
      cmocka_unit_test(a_method_of_a_caller_has_a_clock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
