/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_energy_momentum.c -- the energy-momentum method: the numbers of an independent program, what
 * is kept, orders, the way back, the tangent, and discrete gradients of states that are nearly
 * equal.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../reference/four_particles.h"
#include "../reference/spherical_discrete.h"
#include "outcome.h"
#include "reference.h"

static const reference_problem particles = {&sw_model_four_particles, NULL, 0.0};
static const reference_problem sphere = {&sw_model_spherical_discrete, NULL, 0.0};
static const reference_problem forms = {&sw_model_discrete_forms, NULL, 0.0};

static sw_sim *start(const reference_problem *problem)
{
  return reference_start(problem, "default", "energy-momentum", "none");
}

/* ---- numbers ---- */

static void states_of_the_references(void **unused)
{
  (void)unused;
  reference_accept(
      "four particles, to 1000 steps",
      reference_rows_error(&particles, REFERENCE_ROWS(reference_four_particles_states)), 1e-11);
  reference_accept(
      "midpoint formula, to 100 steps",
      reference_rows_error(&sphere, REFERENCE_ROWS(reference_spherical_discrete_states)), 1e-12);
  reference_row wrong = reference_four_particles_states[4];
  wrong.z[7] += 2e-11;
  reference_refuse("four particles, one component moved by 2e-11",
                   reference_rows_error(&particles, 1, &wrong), 1e-11);
}

/* Relative error of q4 (paper 001, Fig. 4). */
static double error_of_q4(double step)
{
  const double *better = reference_four_particles_q4[0].x;
  const double t_end = reference_four_particles_q4[0].t_end;
  sw_sim *sim = start(&particles);
  double off = 0.0;
  double size = 0.0;

  reference_advance(sim, step, lround(t_end / step));
  for (int i = 0; i < 3; i++) {
    off = hypot(off, sw_sim_state(sim)[9 + i] - better[i]);
    size = hypot(size, better[i]);
  }
  sw_sim_free(&sim);
  return off / size;
}

static void errors_of_the_paper(void **unused)
{
  const int n = (int)(sizeof reference_four_particles_errors / sizeof(reference_error));

  (void)unused;
  for (int i = 0; i < n; i++) {
    const reference_error *known = &reference_four_particles_errors[i];
    const double found = error_of_q4(known->step);
    print_message("  step %g: error %.4e, reference %.4e\n", known->step, found, known->error);
    assert_true(fabs(found / known->error - 1.0) < 5e-4);
  }
}

/* ---- what is kept ---- */

/* Largest changes of the invariants, of |g| and of |rho_1|, |rho_2|. */
typedef struct kept {
  double first[16];
  double invariants;
  double g;
  double rho[2];
} kept;

static int watch(const sw_sim *sim, long step, void *user)
{
  const sw_model *model = sw_sim_model(sim);
  const double *z = sw_sim_state(sim);
  const double *k = sw_sim_parameters(sim);
  double value[16] = {0.0};
  kept *found = user;

  model->invariant(NULL, z, k, value);
  for (int i = 0; i < model->n_invariant; i++) {
    found->first[i] = step == 0 ? value[i] : found->first[i];
    found->invariants = fmax(found->invariants, fabs(value[i] - found->first[i]));
  }
  model->constraint(NULL, z, k, value);
  found->g = fmax(found->g, reference_distance(model->n_constraints, value, (double[16]){0.0}));
  model->hidden(NULL, z, k, value);
  for (int i = 0; i < model->n_constraints && i < 2; i++) {
    found->rho[i] = fmax(found->rho[i], fabs(value[i]));
  }
  return 0;
}

static kept run(const reference_problem *problem, double step, long steps)
{
  kept found = {.g = 0.0};
  sw_sim *sim = start(problem);

  assert_int_equal(sw_sim_run(sim, step, steps, watch, &found), SW_OK);
  sw_sim_free(&sim);
  return found;
}

/* H, L, J and g (section 4), and Fig. 3: 1.728e-5 and 1.418e-5. */
static void invariants_are_kept(void **unused)
{
  const kept found = run(&particles, 0.01, 1000);

  (void)unused;
  print_message("  H, L, J: %.1e, g: %.1e, rho: %.4e and %.4e\n", found.invariants, found.g,
                found.rho[0], found.rho[1]);
  assert_true(found.invariants < 1e-11 && found.g < 1e-11);
  assert_true(fabs(found.rho[0] - 1.728e-5) < 5e-9 && fabs(found.rho[1] - 1.418e-5) < 5e-9);
}

static void energy_is_kept(void **unused)
{
  (void)unused;
  for (int i = 0; i < 3; i++) {
    const reference_problem *const problems[] = {&particles, &sphere, &forms};
    const kept found = run(problems[i], 0.05, 200);
    print_message("  %s: H %.1e, g %.1e\n", problems[i]->model->name, found.invariants, found.g);
    assert_true(found.invariants < 1e-12 && found.g < 1e-12);
  }
}

/* ---- order, the way back ---- */

/* The state at t_end, and the multipliers of the last step. */
static void solve(const reference_problem *problem, double t_end, long steps, double z[],
                  double lambda[])
{
  sw_sim *sim = start(problem);

  reference_advance(sim, t_end / (double)steps, steps);
  memcpy(z, sw_sim_state(sim), (size_t)(2 * sw_sim_nq(sim)) * sizeof *z);
  for (int i = 0; i < sw_sim_nc(sim); i++) {
    lambda[i] = sw_sim_impulses(sim)[i] / (t_end / (double)steps);
  }
  sw_sim_free(&sim);
}

/* Slopes of the differences of successive halvings, of positions, momenta and multipliers. */
static void slopes(const reference_problem *problem, double t_end, long steps, double slope[3])
{
  const int d = problem->model->n_coordinates;
  const int m = problem->model->n_constraints;
  double z[3][REFERENCE_MAX];
  double lambda[3][4];
  double error[2][3];

  for (int i = 0; i < 3; i++) {
    solve(problem, t_end, steps << i, z[i], lambda[i]);
  }
  for (int i = 0; i < 2; i++) {
    error[i][0] = reference_distance(d, z[i], z[i + 1]);
    error[i][1] = reference_distance(d, z[i] + d, z[i + 1] + d);
    error[i][2] = reference_distance(m, lambda[i], lambda[i + 1]);
  }
  for (int j = 0; j < 3; j++) {
    slope[j] = log2(error[0][j] / error[1][j]);
  }
  print_message("  %s: slopes q %.3f, p %.3f, lambda %.3f\n", problem->model->name, slope[0],
                slope[1], slope[2]);
}

/* The multipliers are those of the middle of a step, and so of order 1 at its end. */
static void orders(void **unused)
{
  const reference_problem *const problems[] = {&particles, &sphere, &forms};
  double slope[3];

  (void)unused;
  for (int i = 0; i < 3; i++) {
    slopes(problems[i], i == 0 ? 0.1 : 1.0, i == 0 ? 80 : 160, slope);
    assert_true(fabs(slope[0] - 2.0) < 0.05 && fabs(slope[1] - 2.0) < 0.05);
    assert_true(fabs(slope[2] - 1.0) < 0.1);
  }
}

static void steps_back(void **unused)
{
  const reference_problem *const problems[] = {&particles, &sphere, &forms};

  (void)unused;
  for (int i = 0; i < 3; i++) {
    sw_options options;
    sw_sim *sim = NULL;
    sw_options_init(&options);
    options.method = "energy-momentum";
    options.check_reversible = 1;
    options.reversible_tolerance = 1e-11;
    assert_int_equal(sw_sim_create(problems[i]->model, &options, &sim), SW_OK);
    assert_int_equal(sw_sim_run(sim, 0.02, 100, NULL, NULL), SW_OK);
    sw_sim_free(&sim);
  }
}

/* ---- where it starts ---- */

/* A projection leads to M^H, although steps leave it. */
static void projection_onto_hidden_constraints(void **unused)
{
  sw_sim *sim = start(&forms);
  double z[6];
  double rho = 0.0;

  (void)unused;
  memcpy(z, sw_sim_state(sim), sizeof z);
  z[0] += 0.01;
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_step(sim, 0.05), SW_ERR_OFF_M);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  sw_model_discrete_forms.hidden(NULL, sw_sim_state(sim), sw_sim_parameters(sim), &rho);
  assert_true(fabs(rho) < 1e-14);
  assert_int_equal(sw_sim_run(sim, 0.05, 100, NULL, NULL), SW_OK);
  sw_model_discrete_forms.hidden(NULL, sw_sim_state(sim), sw_sim_parameters(sim), &rho);
  assert_true(fabs(rho) > 1e-8 && fabs(rho) < 1e-3);
  sw_sim_free(&sim);
}

/* The state after 40 steps, and after 20 from that after 20, bit for bit. */
static void a_run_in_two_halves(void **unused)
{
  sw_sim *whole = start(&particles);
  sw_sim *half = start(&particles);

  (void)unused;
  reference_advance(whole, 0.01, 20);
  assert_int_equal(sw_sim_set_state(half, sw_sim_time(whole), sw_sim_state(whole)), SW_OK);
  reference_advance(whole, 0.01, 20);
  reference_advance(half, 0.01, 20);
  assert_memory_equal(sw_sim_state(whole), sw_sim_state(half), 24 * sizeof(double));
  sw_sim_free(&whole);
  sw_sim_free(&half);
}

/* ---- what is refused ---- */

static void refusals(void **unused)
{
  sw_options options;
  sw_sim *sim = NULL;

  (void)unused;
  sw_options_init(&options);
  options.method = "energy-momentum";
  assert_int_equal(sw_sim_create(&sw_model_spherical, &options, &sim), SW_ERR_OPTION);
  assert_non_null(strstr(sw_options_objection(&sw_model_spherical, &options), "--with discrete"));
  options.base = "verlet";
  assert_int_equal(sw_sim_create(&sw_model_spherical_discrete, &options, &sim), SW_ERR_OPTION);
  options.base = "midpoint";
  assert_int_equal(sw_sim_create(&sw_model_spherical_discrete, &options, &sim), SW_OK);
  sw_sim_free(&sim);
  options.compose = "triple-jump-4"; /* momenta would stay of order 2: their slope is 2.006 then */
  assert_int_equal(sw_sim_create(&sw_model_spherical_discrete, &options, &sim), SW_ERR_OPTION);
  options.compose = "none";
  sw_model half = sw_model_spherical_discrete;
  half.discrete_jac_next.values = NULL;
  assert_int_equal(sw_sim_create(&half, &options, &sim), SW_ERR_ARGUMENT);
}

/* ---- nearly equal states ---- */

/* H of discrete_forms with more digits, written anew. */
static long double long_energy(const double z[])
{
  const long double c = 0.7, n = 2.5;
  long double r = 0, t = 0, s = 0;

  for (int i = 0; i < 3; i++) {
    r += (long double)z[i] * z[i];
    t += (long double)z[3 + i] * z[3 + i];
    s += (long double)z[i] * z[3 + i];
  }
  const long double x = z[0];
  const long double H1 =
      c * (expl(-r / 4) + sinl(s) - 2 * cosl(2 * s) + coshl(s / 2) + sinhl(s / 3)) / 10;
  const long double H2 = log1pl(r) / 5 + sqrtl(1 + t) / 3 + powl(1 + r, n) / 50 + 1 / (2 + t);
  const long double H3 = (tanl(s / 5) + tanhl(s) + atanl(s) + asinl(s / 5) + acosl(s / 7)) / 20;
  const long double H4 =
      r * r * r / 100 - powl(r - 1, 4) / 200 + powl(2 + r, -1.5L) + fabsl(s - 2) / 30;
  const long double H5 =
      fmaxl(x, -x / 2 - 3) / 10 + atan2l(2 + x, 3 - x) / 5 + r * t * s / 40 + expl(r - t) / 100;
  const long double H6 = (long double)z[0] * z[0] * z[4] * z[4] / 20 + sinl(z[1]) * z[5] / 30;
  const long double s1 = (long double)z[0] * z[0] + (long double)z[4] * z[4] + 2;
  const long double s2 = (long double)z[1] - z[5];
  const long double H7 = 1 / (3 * s1 * s1 * s1) + powl(s2 * s2 - 1, 2) * expl(s2 + 1) / 90;
  return t / 2 + z[2] + H1 + H2 + H3 + H4 + H5 + H6 + H7;
}

static void nearly_equal_states(void **unused)
{
  const sw_model *model = &sw_model_discrete_forms;
  const double z[6] = {0.3, -0.4, 0.2, 0.5, 0.1, -0.6};
  const double k[2] = {0.7, 2.5};

  (void)unused;
  for (int far = 0; far <= 8; far++) {
    double z1[6];
    double D[6];
    double sum = 0.0;
    double size = 0.0;
    for (int i = 0; i < 6; i++) {
      z1[i] = z[i] + 0.3 * pow(0.1, far) * sin(1.0 + 3.0 * i);
    }
    model->discrete_grad(NULL, z, z1, k, D);
    for (int i = 0; i < 6; i++) {
      sum += D[i] * (z1[i] - z[i]);
      size += fabs(D[i] * (z1[i] - z[i]));
    }
    const double error = fabs(sum - (double)(long_energy(z1) - long_energy(z))) / size;
    /* What long doubles lose in the difference of two energies. */
    const double lost = 1e-19 / (0.3 * pow(0.1, far));
    print_message("  states apart by %.0e: error %.1e\n", 0.3 * pow(0.1, far), error);
    assert_true(error < 1e-15 + 10.0 * lost);
  }
}

/* ---- verify ---- */

/* One factor of DH that is wrong by 1e-7, and a quotient in the place of a divided difference. */
static void wrong_difference(const long n[], const double z[], const double z1[], const double k[],
                             double out[])
{
  sw_model_four_particles.discrete_grad(n, z, z1, k, out);
  for (int i = 0; i < 12; i++) {
    out[i] *= 1.0 + 1e-7;
  }
}

static void naive_quotient(const long n[], const double z[], const double z1[], const double k[],
                           double out[])
{
  double pi[2] = {0.0, 0.0};

  sw_model_four_particles.discrete_grad(n, z, z1, k, out);
  for (int a = 0; a < 3; a++) {
    const double w = z[a] - z[6 + a];
    const double w1 = z1[a] - z1[6 + a];
    pi[0] += w * w;
    pi[1] += w1 * w1;
  }
  const double V = k[6] * (pi[0] - 1.0) * (pi[0] - 1.0) / 4.0;
  const double V1 = k[6] * (pi[1] - 1.0) * (pi[1] - 1.0) / 4.0;
  for (int a = 0; a < 3; a++) {
    const double slope = (V1 - V) / (pi[1] - pi[0]) * (z[a] - z[6 + a] + z1[a] - z1[6 + a]);
    out[a] = slope;
    out[6 + a] = -slope;
  }
}

static void wrong_sign(const long n[], const double z[], const double z1[], const double k[],
                       double out[])
{
  sw_model_four_particles.discrete_jac.values(n, z, z1, k, out);
  out[3] = -out[3];
}

static void forgotten(const long n[], const double z[], const double z1[], const double k[],
                      double out[])
{
  const double before = out[7];

  sw_model_four_particles.discrete_grad_next.values(n, z, z1, k, out);
  out[7] = before;
}

static void verify_sees_what_is_wrong(void **unused)
{
  sw_model wrong = sw_model_four_particles;

  (void)unused;
  assert_int_equal(outcome(&wrong, "DH.(z1 - z) = H(z1) - H(z)"), SW_CHECK_PASS);
  wrong.discrete_grad = wrong_difference;
  assert_int_equal(outcome(&wrong, "DH.(z1 - z) = H(z1) - H(z)"), SW_CHECK_FAIL);
  wrong.discrete_grad = naive_quotient;
  assert_int_equal(outcome(&wrong, "DH.(z1 - z) = H(z1) - H(z)"), SW_CHECK_PASS);
  assert_int_equal(outcome(&wrong, "DH = grad H where z1 is near z"), SW_CHECK_FAIL);
  wrong = sw_model_four_particles;
  wrong.discrete_jac.values = wrong_sign;
  assert_int_equal(outcome(&wrong, "Dg.(z1 - z) = g(z1) - g(z)"), SW_CHECK_FAIL);
  wrong = sw_model_four_particles;
  wrong.discrete_grad_next.values = forgotten;
  assert_int_equal(outcome(&wrong, "dDH/dz1 / differences"), SW_CHECK_FAIL);
  assert_int_equal(outcome(&sw_model_spherical, "dDH/dz1 / differences"), SW_CHECK_NOT_APPLICABLE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_of_the_references),
                                     cmocka_unit_test(errors_of_the_paper),
                                     cmocka_unit_test(invariants_are_kept),
                                     cmocka_unit_test(energy_is_kept),
                                     cmocka_unit_test(orders),
                                     cmocka_unit_test(steps_back),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(nearly_equal_states),
                                     cmocka_unit_test(projection_onto_hidden_constraints),
                                     cmocka_unit_test(a_run_in_two_halves),
                                     cmocka_unit_test(verify_sees_what_is_wrong)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
