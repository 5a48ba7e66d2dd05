/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_index1.c -- an algebraic variable's model against the equations that it stands for.
 *
 * Model index1: H = (p^2 + q^2)/2 + beta^2/2 + beta^4/4 - beta q p, in the phase space of
 * (q, alpha, p, beta) with alpha = 0.  The differential-algebraic equation is q' = p - beta q,
 * p' = -q + beta p, 0 = beta + beta^3 - q p, and the midpoint rule applied to it directly,
 *
 *   q1 = q0 + h (p - b q),  p1 = p0 - h (q - b p),  b + b^3 = q p   at q = (q0+q1)/2, p =
 *                                                                   (p0+p1)/2,
 *
 * is written down here by hand.  SHAKE and RATTLE over "midpoint" have the same q and p ("paper
 * 000", section 5.3, is named in sidewinder/model.h), and SHAKE's beta is b.
 *
 * Model index1_by_hand is the same without beta, for which H_beta = 0 is solved in its file.  The
 * method "index1" over a base method makes the steps of this base method there.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "reference.h"

static const reference_problem problem = {&sw_model_index1, NULL, 0.0};
static const double step = 0.1;

enum { Q, ALPHA, P, BETA };

extern const sw_model sw_model_index1_by_hand;
static const reference_problem by_hand = {&sw_model_index1_by_hand, NULL, 0.0};
static const char *const gauss[] = {"midpoint", "gauss-4", "gauss-6"};

/* The root of beta + beta^3 = x, which is increasing in beta. */
static double root(double x)
{
  double beta = 0.0;
  for (int i = 0; i < 60; i++) {
    beta -= (beta + beta * beta * beta - x) / (1.0 + 3.0 * beta * beta);
  }
  return beta;
}

/* One step of the rule above on (q, p); returns b.  For a given b the rule is linear in the mean
 * (q, p):
 * (1 + c b) q - c p = q0, c q + (1 - c b) p = p0 with c = h/2; and b follows from that, as a fixed
 * point. */
static double direct_step(double h, double *q, double *p)
{
  const double c = h / 2.0;
  double b = root(*q * *p);
  double mean_q = *q;
  double mean_p = *p;
  for (int i = 0; i < 100; i++) {
    const double det = (1.0 + c * b) * (1.0 - c * b) + c * c;
    mean_q = ((1.0 - c * b) * *q + c * *p) / det;
    mean_p = ((1.0 + c * b) * *p - c * *q) / det;
    b = root(mean_q * mean_p);
  }
  *q = 2.0 * mean_q - *q;
  *p = 2.0 * mean_p - *p;
  return b;
}

typedef struct distances {
  double shake;       /* of (q, p) from the direct rule */
  double rattle;      /* likewise */
  double beta_shake;  /* from b */
  double beta_rattle; /* from the root of H_beta at the end of the step */
  double alpha;       /* from 0, in both */
} distances;

static double apart(const double z[], double q, double p)
{
  const double found[2] = {z[Q], z[P]};
  const double expected[2] = {q, p};
  return reference_distance(2, found, expected);
}

/* The largest distances over 1000 steps of size h, of a direct rule with steps of size `direct`. */
static distances follow(double h, double direct)
{
  sw_sim *shake = reference_start(&problem, "default", "shake", "midpoint");
  sw_sim *rattle = reference_start(&problem, "default", "rattle", "midpoint");
  double q = sw_sim_state(shake)[Q];
  double p = sw_sim_state(shake)[P];
  distances d = {0.0, 0.0, 0.0, 0.0, 0.0};
  for (int n = 0; n < 1000; n++) {
    const double b = direct_step(direct, &q, &p);
    reference_advance(shake, h, 1);
    reference_advance(rattle, h, 1);
    const double *zs = sw_sim_state(shake);
    const double *zr = sw_sim_state(rattle);
    const double on_hidden = root(q * p);
    const double zero = 0.0;
    d.shake = fmax(d.shake, apart(zs, q, p));
    d.rattle = fmax(d.rattle, apart(zr, q, p));
    d.beta_shake = fmax(d.beta_shake, reference_distance(1, &zs[BETA], &b));
    d.beta_rattle = fmax(d.beta_rattle, reference_distance(1, &zr[BETA], &on_hidden));
    d.alpha = fmax(d.alpha, reference_distance(1, &zs[ALPHA], &zero));
    d.alpha = fmax(d.alpha, reference_distance(1, &zr[ALPHA], &zero));
  }
  sw_sim_free(&shake);
  sw_sim_free(&rattle);
  return d;
}

static void shake_and_rattle_are_the_direct_midpoint_rule(void **unused)
{
  const distances d = follow(step, step);
  const distances wrong = follow(step, step * (1.0 + 1e-10));
  (void)unused;
  print_message("  index1, 1000 steps against the midpoint rule of the equation itself:\n");
  reference_accept("SHAKE, (q, p)", d.shake, 1e-12);
  reference_accept("RATTLE, (q, p)", d.rattle, 1e-12);
  reference_accept("SHAKE's beta and the rule's", d.beta_shake, 1e-12);
  reference_accept("RATTLE's beta and the root of H_beta", d.beta_rattle, 1e-12);
  reference_accept("alpha and 0", d.alpha, 1e-15);
  reference_refuse("a step off by 1e-11: SHAKE", wrong.shake, 1e-12);
  reference_refuse("a step off by 1e-11: RATTLE", wrong.rattle, 1e-12);
  reference_refuse("a step off by 1e-11: SHAKE's beta", wrong.beta_shake, 1e-12);
  reference_refuse("a step off by 1e-11: RATTLE's beta", wrong.beta_rattle, 1e-12);
}

/* Largest distance in (q, p) over 100 steps of two simulations, the second of which starts with q
 * moved by `dq` and with another beta. */
static double other_start(const char *method, const char *base, double dq)
{
  sw_sim *first = reference_start(&problem, "default", method, base);
  sw_sim *second = reference_start(&problem, "default", method, base);
  double z[4];
  double worst = 0.0;
  memcpy(z, sw_sim_state(second), sizeof z);
  z[BETA] = -0.4;
  z[Q] += dq;
  assert_int_equal(sw_sim_set_state(second, 0.0, z), SW_OK);
  if (strcmp(method, "rattle") == 0) {
    assert_int_equal(sw_sim_project(second), SW_OK);
  }
  for (int n = 0; n < 100; n++) {
    reference_advance(first, step, 1);
    reference_advance(second, step, 1);
    worst =
        fmax(worst, apart(sw_sim_state(second), sw_sim_state(first)[Q], sw_sim_state(first)[P]));
  }
  sw_sim_free(&first);
  sw_sim_free(&second);
  return worst;
}

/* beta runs along the fibre: where it starts makes no difference, with any base method, and
 * projection finds it without moving q and p. */
static void the_start_of_beta_is_irrelevant(void **unused)
{
  (void)unused;
  print_message("  index1 from another beta, 100 steps, every base:\n");
  for (const char *const *base = sw_base_names(); *base != NULL; base++) {
    reference_accept("SHAKE, (q, p)", other_start("shake", *base, 0.0), 1e-12);
    reference_accept("RATTLE, (q, p)", other_start("rattle", *base, 0.0), 1e-12);
  }
  reference_refuse("q moved by 1e-11", other_start("rattle", "midpoint", 1e-11), 1e-12);
}

/* ---- the method "index1" ---- */

/* Largest distances of (q, p), and of beta from the root, over 200 steps of "index1" and of the
 * base method for the model without beta, the latter of size h. */
static distances follow_by_hand(const char *base, double h)
{
  sw_sim *sim = reference_start(&problem, "default", "index1", base);
  sw_sim *alone = reference_start(&by_hand, "default", "rattle", base);
  distances d = {0.0, 0.0, 0.0, 0.0, 0.0};
  for (int n = 0; n < 200; n++) {
    reference_advance(sim, step, 1);
    reference_advance(alone, h, 1);
    const double *z = sw_sim_state(sim);
    const double *w = sw_sim_state(alone);
    const double beta = root(w[0] * w[1]);
    const double zero = 0.0;
    d.rattle = fmax(d.rattle, apart(z, w[0], w[1]));
    d.beta_rattle = fmax(d.beta_rattle, reference_distance(1, &z[BETA], &beta));
    d.alpha = fmax(d.alpha, reference_distance(1, &z[ALPHA], &zero));
  }
  assert_true(sw_sim_stats(sim).residual_g == d.alpha); /* g is that of the end, not of a stage */
  sw_sim_free(&sim);
  sw_sim_free(&alone);
  return d;
}

static void steps_are_those_without_beta(void **unused)
{
  (void)unused;
  print_message("  index1, 200 steps against beta eliminated by hand:\n");
  for (size_t i = 0; i < sizeof gauss / sizeof *gauss; i++) {
    const distances d = follow_by_hand(gauss[i], step);
    const distances wrong = follow_by_hand(gauss[i], step * (1.0 + 1e-10));
    reference_accept(gauss[i], d.rattle, 1e-12);
    reference_accept("  beta and the root of H_beta", d.beta_rattle, 1e-12);
    reference_accept("  alpha and 0", d.alpha, 1e-14);
    reference_refuse("  a step off by 1e-11", wrong.rattle, 1e-12);
  }
}

/* The errors of q, p and beta at the end, from many steps of the model without beta. */
static const double until = 1.0;
static void errors_at_end(const char *method, const char *base, long steps, double e[3])
{
  sw_sim *sim = reference_start(&problem, "default", method, base);
  sw_sim *fine = reference_start(&by_hand, "default", "rattle", "gauss-6");
  reference_advance(sim, until / (double)steps, steps);
  reference_advance(fine, until / 200.0, 200);
  const double *z = sw_sim_state(sim);
  const double *w = sw_sim_state(fine);
  e[0] = fabs(z[Q] - w[0]);
  e[1] = fabs(z[P] - w[1]);
  e[2] = fabs(z[BETA] - root(w[0] * w[1]));
  sw_sim_free(&sim);
  sw_sim_free(&fine);
}

/* As slopes between `steps` and twice as many. */
static void orders_are(const char *method, const char *base, double order, long steps)
{
  static const char *const of[] = {"q", "p", "beta"};
  double rough[3];
  double fine[3];
  errors_at_end(method, base, steps, rough);
  errors_at_end(method, base, 2 * steps, fine);
  for (int i = 0; i < 3; i++) {
    const double slope = log2(rough[i] / fine[i]);
    print_message("  %s over %s: order %.3f in %s\n", method, base, slope, of[i]);
    assert_true(fabs(slope - order) < 0.1);
  }
}

static void orders(void **unused)
{
  (void)unused;
  orders_are("index1", "midpoint", 2.0, 20);
  orders_are("index1", "gauss-4", 4.0, 20);
  orders_are("index1", "gauss-6", 6.0, 10);
  orders_are("lobatto", "lobatto-2", 2.0, 20);
  orders_are("lobatto", "lobatto-4", 4.0, 20);
  orders_are("lobatto", "lobatto-6", 6.0, 10);
  orders_are("bdf2", "none", 2.0, 160);
  orders_are("rattle", "gauss-4", 2.0, 20);
  orders_are("rattle", "gauss-6", 2.0, 20);
}

/* (q, p) -> (q1, p1) has determinant 1, no value at the end depends on the first beta, and alpha is
 * 0 at the end from any start, so that rounding errors of alpha do not add up. */
static void area_is_kept(void **unused)
{
  (void)unused;
  print_message("  index1, the tangent of a step:\n");
  for (size_t i = 0; i < sizeof gauss / sizeof *gauss; i++) {
    sw_sim *sim = reference_start(&problem, "default", "index1", gauss[i]);
    const double zeros[4] = {0.0};
    double D[16];
    double worst = 0.0;
    double of_beta = 0.0;
    double of_alpha = 0.0;
    for (int n = 0; n < 50; n++) {
      reference_advance(sim, 2.0 * step, 1);
      assert_int_equal(sw_sim_tangent(sim, 2.0 * step, D), SW_OK);
      const double area = D[4 * Q + Q] * D[4 * P + P] - D[4 * P + Q] * D[4 * Q + P];
      worst = fmax(worst, fabs(area - 1.0));
      of_beta = fmax(of_beta, reference_distance(4, D + 4 * (size_t)BETA, zeros));
      of_alpha = fmax(of_alpha, fabs(D[4 * ALPHA + ALPHA]));
    }
    reference_accept(gauss[i], worst, 1e-13);
    reference_accept("  derivatives by beta", of_beta, 1e-13);
    reference_accept("  alpha by alpha", of_alpha, 1e-13);
    sw_sim_free(&sim);
  }
}

/* The refusal of a method over a base method for a model. */
static void refused(const sw_model *model, const char *method, const char *base, const char *why)
{
  sw_options options;
  sw_options_init(&options);
  options.method = method;
  options.base = base;
  const char *objection = sw_options_objection(model, &options);
  if (!objection || !strstr(objection, why)) {
    fail_msg("%s over %s: %s", method, base, objection ? objection : "taken");
  }
}

/* Without constraints "index1" is its base method. */
static void a_model_without_constraints_is_taken(void **unused)
{
  (void)unused;
  sw_sim *sim = reference_start(&by_hand, "default", "index1", "gauss-6");
  sw_sim *alone = reference_start(&by_hand, "default", "rattle", "gauss-6");
  reference_advance(sim, step, 100);
  reference_advance(alone, step, 100);
  assert_memory_equal(sw_sim_state(sim), sw_sim_state(alone), 2 * sizeof(double));
  sw_sim_free(&sim);
  sw_sim_free(&alone);
}

/* Of index1, and of models with other constraints. */
static void what_does_not_apply_is_refused(void **unused)
{
  (void)unused;
  for (const char *const *base = sw_base_names(); *base != NULL; base++) {
    if (strcmp(*base, "midpoint") != 0 && strncmp(*base, "gauss", 5) != 0) {
      refused(problem.model, "index1", *base, "coefficients are invertible");
    }
  }
  refused(&sw_model_pendulum, "index1", "gauss-4", "linear in the positions");
  refused(&sw_model_hopf, "index1", "gauss-4", "positions alone");
  refused(problem.model, "leapfrog", "none", "T(p) + V(q)");
  refused(problem.model, "vs", "none", "T(p) + V(q)");
  refused(problem.model, "variational", "rk4", "quadratic in the momenta");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shake_and_rattle_are_the_direct_midpoint_rule),
      cmocka_unit_test(the_start_of_beta_is_irrelevant),
      cmocka_unit_test(steps_are_those_without_beta),
      cmocka_unit_test(orders),
      cmocka_unit_test(area_is_kept),
      cmocka_unit_test(a_model_without_constraints_is_taken),
      cmocka_unit_test(what_does_not_apply_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
