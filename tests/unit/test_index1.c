/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_index1.c -- an algebraic variable's model against the equations that it stands for.
 *
 * Model index1: H = (p^2 + q^2)/2 + beta^2/2 + beta^4/4 - beta q p, in the phase space of
 * (q, alpha, p, beta) with alpha = 0.  The differential-algebraic equation is q' = p - beta q,
 * p' = -q + beta p, 0 = beta + beta^3 - q p, and the midpoint rule applied to it directly,
 *
 *   q1 = q0 + h (p - b q),  p1 = p0 - h (q - b p),  b + b^3 = q p   at q = (q0+q1)/2, p = (p0+p1)/2,
 *
 * is written down here by hand.  SHAKE and RATTLE over "midpoint" have the same q and p ("paper 000",
 * section 5.3, is named in sidewinder/model.h), and SHAKE's beta is b.
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

/* The root of beta + beta^3 = x, which is increasing in beta. */
static double root(double x)
{
  double beta = 0.0;
  for (int i = 0; i < 60; i++) {
    beta -= (beta + beta * beta * beta - x) / (1.0 + 3.0 * beta * beta);
  }
  return beta;
}

/* One step of the rule above on (q, p); returns b.  For a given b the rule is linear in the mean (q, p):
 * (1 + c b) q - c p = q0, c q + (1 - c b) p = p0 with c = h/2; and b follows from that, as a fixed point. */
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

/* Largest distance in (q, p) over 100 steps of two simulations, the second of which starts with q moved by
 * `dq` and with another beta. */
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

/* beta runs along the fibre: where it starts makes no difference, with any base method, and projection
 * finds it without moving q and p. */
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shake_and_rattle_are_the_direct_midpoint_rule),
      cmocka_unit_test(the_start_of_beta_is_irrelevant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
