/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_holonomic_methods.c -- the methods for constraints on the positions: Lobatto IIIA-IIIB with
 * forces of constraints in the stages, SHAKE in the two forms of paper 002, and BDF2; and the
 * points of M^H on the fibres that SHAKE, of any constraints, goes through.  States of BDF2 are in
 * test_reference_rows.c, derivatives in test_tangent.c, what is kept of the symplectic form in
 * test_symplectic.c, restarts in test_restart.c.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "near.h"
#include "reference.h"

extern const sw_model sw_model_square;

enum { most = REFERENCE_MAX };

static sw_sim *make(const sw_model *model, const char *method, const char *base,
                    const char *compose, const char *redundant)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose ? compose : "none";
  options.redundant = redundant ? redundant : "error";
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

static void end_of(const sw_model *model, const char *method, const char *base, const char *compose,
                   double t, long steps, double z[])
{
  sw_sim *sim = make(model, method, base, compose, NULL);

  run(sim, t / (double)steps, steps);
  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  sw_sim_free(&sim);
}

/* ---- Lobatto IIIA-IIIB ---- */

/* The slopes of errors in positions [0] and momenta [1] where the step is halved. */
static void slopes(const sw_model *model, const char *base, const char *compose, double t,
                   long steps, double slope[2])
{
  const int d = model->n_coordinates;
  double exact[most];
  double z[most];
  double error[2][2];

  /* Another method than the one that is judged. */
  end_of(model, "rattle", "verlet", "kahan-li-8", t, 64 * steps, exact);
  for (int fine = 0; fine < 2; fine++) {
    end_of(model, "lobatto", base, compose, t, steps << fine, z);
    for (int half = 0; half < 2; half++) {
      error[fine][half] = reference_distance(d, z + half * d, exact + half * d);
    }
  }
  for (int half = 0; half < 2; half++) {
    slope[half] = log2(error[0][half] / error[1][half]);
    printf("  %-16s %-10s %-14s errors %.2e %.2e, slope %.3f\n", model->name, base, compose,
           error[0][half], error[1][half], slope[half]);
  }
}

static void lobatto_has_its_order(void **state)
{
  static const struct {
    const sw_model *model;
    double t;
    long steps[3];
  } of[] = {{&sw_model_pendulum, 1.0, {40, 20, 10}},
            {&sw_model_spherical, 1.0, {40, 20, 10}}, /* H is not separable */
            {&sw_model_double_pendulum, 1.0, {80, 20, 10}},
            /* With more steps of order 6 the errors come near the round-off of `exact`, 5e-14. */
            {&sw_model_chain6, 0.5, {100, 50, 16}}};
  static const char *const bases[] = {"lobatto-2", "lobatto-4", "lobatto-6"};
  double slope[2];

  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    for (int order = 2; order <= 6; order += 2) {
      const int b = order / 2 - 1;
      slopes(of[i].model, bases[b], "none", of[i].t, of[i].steps[b], slope);
      assert_near(slope[0], order, 0.15);
      assert_near(slope[1], order, 0.15);
    }
  }
  /* A composition raises the order of the method further, by its own conditions for one of order
   * 2. */
  slopes(&sw_model_pendulum, "lobatto-4", "kahan-li-6", 2.0, 8, slope);
  assert_true(slope[0] > 5.7 && slope[1] > 5.7);
  /* Compositions for methods of order 4: one step size, the factors, and their sum of fifth
   * powers. */
  static const long steps_of[] = {8, 12, 6};
  for (size_t i = 0; i < 3; i++) {
    slopes(of[i].model, "lobatto-4", "suzuki-6", of[i].t, steps_of[i], slope);
    assert_near(slope[0], 6.0, 0.15);
    assert_near(slope[1], 6.0, 0.15);
    slopes(of[i].model, "lobatto-4", "triple-jump-6", of[i].t, steps_of[i], slope);
    assert_near(slope[0], 6.0, 0.25);
    assert_near(slope[1], 6.0, 0.25);
  }
  /* RATTLE over the same base method is another method, of order 2. */
  double coarse[most];
  double fine[most];
  double exact[most];
  end_of(&sw_model_pendulum, "rattle", "lobatto-4", "none", 1.0, 20, coarse);
  end_of(&sw_model_pendulum, "rattle", "lobatto-4", "none", 1.0, 40, fine);
  end_of(&sw_model_pendulum, "lobatto", "lobatto-6", "none", 1.0, 100, exact);
  assert_near(log2(reference_distance(4, coarse, exact) / reference_distance(4, fine, exact)), 2.0,
              0.1);
}

static void two_stages_are_rattle_over_verlet(void **state)
{
  static const sw_model *const models[] = {&sw_model_pendulum, &sw_model_spherical,
                                           &sw_model_double_pendulum, &sw_model_chain6};
  double a[most];
  double b[most];

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    end_of(models[i], "lobatto", "lobatto-2", "none", 1.0, 100, a);
    end_of(models[i], "rattle", "verlet", "none", 1.0, 100, b);
    assert_below(reference_distance(2 * models[i]->n_coordinates, a, b), 1e-14);
  }
}

/* ---- SHAKE ---- */

/* Positions equal those of RATTLE, also where the step changes; momenta are those between them. */
static void leapfrog_leaps_from_position_to_position(void **state)
{
  static const double steps[] = {0.01, 0.01, 0.02, 0.005, 0.005, 0.01};
  sw_sim *leaps = make(&sw_model_chain6, "leapfrog", NULL, NULL, NULL);
  sw_sim *walks = make(&sw_model_chain6, "rattle", "verlet", NULL, NULL);
  const int d = sw_sim_nq(leaps);
  double q[most];
  double worst = 0.0;

  (void)state;
  for (int n = 0; n < 500; n++) {
    const double h = steps[n % 6];
    memcpy(q, sw_sim_state(leaps), (size_t)d * sizeof *q);
    run(leaps, h, 1);
    run(walks, h, 1);
    worst = fmax(worst, reference_distance(d, sw_sim_state(leaps), sw_sim_state(walks)));
    for (int i = 0; i < d; i++) {
      assert_near(sw_sim_state(leaps)[d + i], (sw_sim_state(leaps)[i] - q[i]) / h, 1e-11);
    }
  }
  printf("  chain6, positions of leapfrog and rattle over 500 steps: %.2e\n", worst);
  assert_below(worst, 3e-12);
  /* The step back begins with no force at all, and leads to the positions before. */
  run(leaps, -steps[499 % 6], 1);
  assert_all_near(sw_sim_state(leaps), q, d, 1e-14);
  sw_sim_free(&leaps);
  sw_sim_free(&walks);
}

/* max |Dg(q_n) p_n|, of which the model's rho is twice as much, since its g is. */
static double largest_residual(double kappa, const char *method, long steps, double *first)
{
  const reference_problem problem = {&sw_model_chain6, "kappa", kappa};
  sw_sim *sim =
      reference_start(&problem, "default", method, strcmp(method, "vs") == 0 ? "none" : "verlet");
  double largest = 0.0;

  run(sim, 0.01, 1);
  *first = 0.5 * sw_sim_stats(sim).residual_hidden;
  run(sim, 0.01, steps - 1);
  largest = 0.5 * sw_sim_stats(sim).residual_hidden;
  sw_sim_free(&sim);
  return largest;
}

/* Against residuals over 1000 steps that were computed in double precision, so that round-off of
 * the positions counts there with 1/h, too; paper 002, Fig. 2. */
static void vs_stays_near_the_hidden_constraints(void **state)
{
  double first = 0.0;

  (void)state;
  assert_near(largest_residual(1.0, "vs", 1000, &first), 0.0017573229261007017, 1e-12);
  assert_near(first, 3.185688213707544e-05, 1e-13);
  assert_near(largest_residual(0.2, "vs", 1000, &first), 0.00014614711278372952, 1e-13);
  assert_near(first, 1.2773387172214205e-06, 1e-13);
  assert_near(largest_residual(1.0, "shake", 1000, &first), 0.08649324602329272, 1e-11);
}

/* p_n = (q_{n+1} - q_{n-1})/2h (M = 1), with the positions of RATTLE. */
static void vs_has_the_momenta_of_differences(void **state)
{
  sw_sim *sim = make(&sw_model_chain6, "vs", NULL, NULL, NULL);
  sw_sim *walks = make(&sw_model_chain6, "rattle", "verlet", NULL, NULL);
  const int d = sw_sim_nq(sim);
  const double h = 0.01;
  double q[3][most];
  double p[most];

  (void)state;
  for (int n = 0; n < 200; n++) {
    memcpy(q[n % 3], sw_sim_state(sim), (size_t)d * sizeof *p);
    for (int i = 0; i < d && n > 1; i++) {
      assert_near(p[i], (q[n % 3][i] - q[(n + 1) % 3][i]) / (2.0 * h), 1e-11);
    }
    memcpy(p, sw_sim_state(sim) + d, (size_t)d * sizeof *p);
    run(sim, h, 1);
    run(walks, h, 1);
    assert_all_near(sw_sim_state(sim), sw_sim_state(walks), d, 1e-11);
  }
  sw_sim_free(&sim);
  sw_sim_free(&walks);
}

/* ---- BDF2 ---- */

/* H - H0 at T/20, T/10, T/4, T/2 and T = 200, computed in double precision; paper 002, Fig. 7. */
static void bdf2_damps(void **state)
{
  static const struct {
    const char *init;
    double H0;
    double change[5];
  } of[] = {{"s_shape",
             -1.1906712929931418,
             {-0.025733427994809377, -0.037436671819403466, -0.05180052009918956,
              -0.05572610263653943, -0.057056188787425244}},
            {"lowest",
             -1.1906718934004767,
             {-0.03529654970532059, -0.04900434122693653, -0.05890422169156051,
              -0.06070625042516986, -0.06114438681342271}}};
  static const long at[] = {100, 200, 500, 1000, 2000};
  const reference_problem problem = {&sw_model_lj7, NULL, 0.0};

  (void)state;
  for (int c = 0; c < 2; c++) {
    sw_sim *sim = reference_start(&problem, of[c].init, "bdf2", "none");
    for (int i = 0; i < 5; i++) {
      double H = 0.0;
      run(sim, 0.1, at[i] - (i > 0 ? at[i - 1] : 0));
      sw_sim_hamiltonian(sim, &H);
      assert_near(H - of[c].H0, of[c].change[i], 1e-9);
    }
    sw_sim_free(&sim);
  }
}

static void same_step(sw_sim *bdf2, sw_sim *rattle, double h, int same)
{
  assert_int_equal(sw_sim_set_state(rattle, 0.0, sw_sim_state(bdf2)), SW_OK);
  assert_int_equal(sw_sim_project(rattle), SW_OK); /* bdf2 leaves M^H */
  run(bdf2, h, 1);
  run(rattle, h, 1);
  const double distance = reference_distance(4, sw_sim_state(bdf2), sw_sim_state(rattle));
  assert_true(same ? distance < 1e-15 : distance > 1e-6);
}

/* A step from a state that no step of its size has led to is one of RATTLE. */
static void bdf2_starts_with_rattle(void **state)
{
  sw_sim *bdf2 = make(&sw_model_pendulum, "bdf2", NULL, NULL, NULL);
  sw_sim *rattle = make(&sw_model_pendulum, "rattle", "verlet", NULL, NULL);

  (void)state;
  same_step(bdf2, rattle, 0.05, 1);
  same_step(bdf2, rattle, 0.05, 0);
  assert_int_equal(sw_sim_set_state(rattle, 0.0, sw_sim_state(bdf2)), SW_OK);
  assert_int_equal(sw_sim_project(rattle), SW_OK);
  assert_int_equal(sw_sim_set_state(bdf2, 0.0, sw_sim_state(rattle)), SW_OK);
  same_step(bdf2, rattle, 0.05, 1);
  same_step(bdf2, rattle, -0.07, 1); /* that one has led to M^H */
  same_step(bdf2, rattle, -0.07, 0);
  sw_sim_free(&bdf2);
  sw_sim_free(&rattle);
}

/* ---- all of them ---- */

/* The multipliers of a small step approximate those of the differential equation: over a pendulum
 * of mass and length 1 with g = |q|^2
 * - 1 and H = |p|^2/2 + q_y, lambda = (|p|^2 - q_y)/2. The first step of leapfrog applies half of
 * all forces. */
static void multipliers_have_their_meaning(void **state)
{
  static const char *const methods[] = {"rattle", "lobatto", "leapfrog", "vs", "bdf2"};
  const double h = 1e-4;

  (void)state;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    sw_sim *sim = make(&sw_model_pendulum, methods[i], NULL, NULL, NULL);
    for (int n = 0; n < 3; n++) {
      run(sim, h, 1);
      const double *z = sw_sim_state(sim);
      const double lambda = 0.5 * (z[2] * z[2] + z[3] * z[3] - z[1]);
      const double part = n == 0 && strcmp(methods[i], "leapfrog") == 0 ? 0.5 : 1.0;
      assert_near(sw_sim_impulses(sim)[0] / h, part * lambda, 5.0 * h);
    }
    sw_sim_free(&sim);
  }
}

/* RATTLE is SHAKE that is looked at on M^H (paper 000, (11)), of any constraints; looking changes
 * nothing. */
static void shake_is_rattle_where_it_is_looked_at(void **state)
{
  static const struct {
    const sw_model *model;
    const char *redundant;
  } of[] = {{&sw_model_hopf, "error"},   {&sw_model_two_constraints, "error"},
            {&sw_model_index1, "error"}, {&sw_model_spherical, "error"},
            {&sw_model_chain6, "error"}, {&sw_model_square, "min-norm"}};

  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    sw_sim *shake = make(of[i].model, "shake", "midpoint", NULL, of[i].redundant);
    sw_sim *alone = make(of[i].model, "shake", "midpoint", NULL, of[i].redundant);
    sw_sim *rattle = make(of[i].model, "rattle", "midpoint", NULL, of[i].redundant);
    const int dim = 2 * sw_sim_nq(shake);
    double z[most];
    for (int n = 0; n < 50; n++) {
      run(shake, 0.02, 1);
      run(alone, 0.02, 1);
      run(rattle, 0.02, 1);
      assert_int_equal(sw_sim_hidden_point(shake, z), SW_OK);
      assert_all_near(z, sw_sim_state(rattle), dim, 1e-11);
      assert_memory_equal(sw_sim_state(shake), sw_sim_state(alone), (size_t)dim * sizeof *z);
    }
    assert_true(reference_distance(dim, sw_sim_state(shake), sw_sim_state(rattle)) > 1e-6);
    const sw_stats a = sw_sim_stats(shake);
    const sw_stats b = sw_sim_stats(alone);
    assert_memory_equal(&a, &b, sizeof a);
    sw_sim_free(&shake);
    sw_sim_free(&alone);
    sw_sim_free(&rattle);
  }
}

/* Of the six bars of a square one follows from the others. */
static void redundant_constraints_change_no_state(void **state)
{
  static const char *const methods[] = {"rattle", "lobatto", "leapfrog", "vs", "bdf2"};

  (void)state;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    sw_sim *dropped = make(&sw_model_square, methods[i], NULL, NULL, "drop");
    sw_sim *shortest = make(&sw_model_square, methods[i], NULL, NULL, "min-norm");
    sw_sim *strict = make(&sw_model_square, methods[i], NULL, NULL, "error");
    run(dropped, 0.01, 100);
    run(shortest, 0.01, 100);
    assert_all_near(sw_sim_state(dropped), sw_sim_state(shortest), 2 * sw_sim_nq(dropped), 1e-11);
    assert_int_equal(sw_sim_step(strict, 0.01), SW_ERR_SINGULAR);
    sw_sim_free(&dropped);
    sw_sim_free(&shortest);
    sw_sim_free(&strict);
  }
}

static void refused(const sw_model *model, const char *method, const char *base,
                    const char *compose, int reversible, const char *word)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose;
  options.check_reversible = reversible;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_ERR_OPTION);
  assert_non_null(strstr(sw_options_objection(model, &options), word));
}

static void what_does_not_go_together_is_refused(void **state)
{
  (void)state;
  refused(&sw_model_hopf, "lobatto", NULL, "none", 0, "positions alone");
  refused(&sw_model_hopf, "bdf2", NULL, "none", 0, "positions alone");
  refused(&sw_model_spherical, "vs", NULL, "none", 0, "constant mass matrix");
  refused(&sw_model_spherical, "leapfrog", NULL, "none", 0, "constant mass matrix");
  refused(&sw_model_pendulum, "lobatto", "gauss-4", "none", 0, "lobatto-4");
  refused(&sw_model_pendulum, "lobatto", "euler-a", "none", 0, "lobatto-4");
  refused(&sw_model_pendulum, "vs", "verlet", "none", 0, "takes no other");
  refused(&sw_model_pendulum, "rattle", "none", "none", 0, "no base method of that name");
  refused(&sw_model_pendulum, "bdf2", NULL, "none", 1, "no inverse");
  refused(&sw_model_pendulum, "vs", NULL, "triple-jump-4", 0, "symmetric");
  refused(&sw_model_pendulum, "bdf2", "none", "triple-jump-4", 0, "symmetric");
}

/* n steps, a change of sign of p and n - 1 steps lead back to the end of the first step, but not to
 * the start, whose normal part of p the first step forgets. */
static void vs_is_reversible_from_its_first_step_on(void **state)
{
  static const sw_model *const models[] = {&sw_model_pendulum, &sw_model_double_pendulum,
                                           &sw_model_chain6};
  enum { steps = 10 };
  double z[most];
  double first[most];
  double start[most];

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    const int d = models[i]->n_coordinates;
    sw_sim *sim = make(models[i], "vs", NULL, NULL, NULL);
    memcpy(start, sw_sim_state(sim), 2 * (size_t)d * sizeof *start);
    run(sim, 0.02, 1);
    memcpy(first, sw_sim_state(sim), 2 * (size_t)d * sizeof *first);
    run(sim, 0.02, steps - 1);
    memcpy(z, sw_sim_state(sim), 2 * (size_t)d * sizeof *z);
    for (int j = d; j < 2 * d; j++) {
      z[j] = -z[j];
      first[j] = -first[j];
      start[j] = -start[j];
    }
    assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
    run(sim, 0.02, steps - 1);
    assert_all_near(sw_sim_state(sim), first, 2 * d, 1e-13);
    run(sim, 0.02, 1);
    /* The pendulum moves at its start; a start at rest is the mean of two half steps already. */
    assert_int_equal(reference_distance(2 * d, sw_sim_state(sim), start) > 1e-5, i == 0);
    sw_sim_free(&sim);
  }
}

/* A Lobatto method of somebody else, with other nodes, is one, too; here the same coefficients
 * under another name. */
static void a_table_of_that_kind_is_taken(void **state)
{
  sw_options options;
  sw_sim *sim = NULL;
  sw_tableau own = *sw_base_tableau("lobatto-6");
  double z[4];

  (void)state;
  own.name = "mine";
  sw_options_init(&options);
  options.method = "lobatto";
  options.tableau = &own;
  options.check_reversible = 1;
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_OK);
  run(sim, 0.05, 20);
  end_of(&sw_model_pendulum, "lobatto", "lobatto-6", "none", 1.0, 20, z);
  assert_all_near(sw_sim_state(sim), z, 4, 1e-15);
  assert_int_equal(sw_sim_order(sim), 4); /* what is examined of a table goes up to 4 */
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lobatto_has_its_order),
      cmocka_unit_test(two_stages_are_rattle_over_verlet),
      cmocka_unit_test(leapfrog_leaps_from_position_to_position),
      cmocka_unit_test(vs_stays_near_the_hidden_constraints),
      cmocka_unit_test(vs_has_the_momenta_of_differences),
      cmocka_unit_test(vs_is_reversible_from_its_first_step_on),
      cmocka_unit_test(bdf2_damps),
      cmocka_unit_test(bdf2_starts_with_rattle),
      cmocka_unit_test(multipliers_have_their_meaning),
      cmocka_unit_test(shake_is_rattle_where_it_is_looked_at),
      cmocka_unit_test(redundant_constraints_change_no_state),
      cmocka_unit_test(what_does_not_go_together_is_refused),
      cmocka_unit_test(a_table_of_that_kind_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
