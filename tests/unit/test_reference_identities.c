/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_reference_identities.c -- what holds for SHAKE S_h and RATTLE R_h without a table ("paper
 * 000" is named in sidewinder/model.h):
 *
 *   Pi o S_h^k = Pi o R_h^k                they are one map of fibres (paper 000, equation 11)
 *   R^a_{-h} o R^b_h = id                  for adjoint base methods a and b, from paper 000,
 *                                          equation 14; with a = b it is Proposition 4.9
 *   R_h^n = rotation by n arcsin(h Omega)  for hopf_free (Proposition 5.1, made exact)
 *   the constraints sqrt(q.q) = 1 and q.q = 1 have the same RATTLE: it depends on M, not on g
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "reference.h"

static const double step = 0.1;

typedef struct subject {
  const char *what;
  reference_problem problem;
  const char *init;
  double step;
} subject;

static const subject pendulum = {"pendulum", {&sw_model_pendulum, NULL, 0.0}, "default", 0.1};
static const subject spherical = {"spherical", {&sw_model_spherical, NULL, 0.0}, "default", 0.1};
static const subject hopf = {"hopf", {&sw_model_hopf, NULL, 0.0}, "za", 0.1};
static const subject two = {
    "two_constraints", {&sw_model_two_constraints, NULL, 0.0}, "default", 0.1};
static const subject index1 = {"index1", {&sw_model_index1, NULL, 0.0}, "default", 0.1};
static const subject chain6 = {"chain6", {&sw_model_chain6, NULL, 0.0}, "default", 0.01};

/* |Pi(S^k z0) - R^k z0|, where Pi is the projection of a RATTLE simulation. */
static double fibre_error(const subject *s, const char *shake_base, const char *rattle_base,
                          long steps)
{
  int n = 2 * s->problem.model->n_coordinates;
  sw_sim *shake = reference_start(&s->problem, s->init, "shake", shake_base);
  sw_sim *rattle = reference_start(&s->problem, s->init, "rattle", rattle_base);
  sw_sim *projected = reference_start(&s->problem, s->init, "rattle", rattle_base);
  double error;
  reference_advance(shake, s->step, steps);
  reference_advance(rattle, s->step, steps);
  assert_int_equal(sw_sim_set_state(projected, 0.0, sw_sim_state(shake)), SW_OK);
  assert_int_equal(sw_sim_project(projected), SW_OK);
  error = reference_distance(n, sw_sim_state(projected), sw_sim_state(rattle));
  sw_sim_free(&shake);
  sw_sim_free(&rattle);
  sw_sim_free(&projected);
  return error;
}

static void shake_and_rattle_share_fibres(void **unused)
{
  const subject *const subjects[] = {&hopf, &pendulum, &spherical, &chain6, &two, &index1};
  const long counts[] = {1, 10, 100};
  (void)unused;
  print_message("  Pi S^k = Pi R^k for k = 1, 10, 100 and every base:\n");
  for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
    double worst = 0.0;
    for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++)
      for (const char *const *base = sw_base_names(); *base != NULL; base++)
        worst = fmax(worst, fibre_error(subjects[i], *base, *base, counts[j]));
    reference_accept(subjects[i]->what, worst, 1e-12);
  }
  reference_refuse("hopf, SHAKE over another base", fibre_error(&hopf, "euler-a", "midpoint", 10),
                   1e-12);
}

/* Ten steps of RATTLE over `there` and ten of size -h over `back`. */
static double adjoint_error(const subject *s, const char *there, const char *back)
{
  int n = 2 * s->problem.model->n_coordinates;
  double start[REFERENCE_MAX];
  sw_sim *forward = reference_start(&s->problem, s->init, "rattle", there);
  sw_sim *backward = reference_start(&s->problem, s->init, "rattle", back);
  double error;
  memcpy(start, sw_sim_state(forward), (size_t)n * sizeof start[0]);
  reference_advance(forward, s->step, 10);
  assert_int_equal(sw_sim_set_state(backward, 0.0, sw_sim_state(forward)), SW_OK);
  reference_advance(backward, -s->step, 10);
  error = reference_distance(n, sw_sim_state(backward), start);
  sw_sim_free(&forward);
  sw_sim_free(&backward);
  return error;
}

static void adjoints_undo_each_other(void **unused)
{
  const subject *const subjects[] = {&pendulum, &spherical, &hopf, &two, &chain6, &index1};
  const char *const pairs[][2] = {{"euler-a", "euler-b"},
                                  {"euler-b", "euler-a"},
                                  {"verlet", "verlet"},
                                  {"midpoint", "midpoint"}};
  (void)unused;
  print_message("  Ten steps forth over each base, and back over its adjoint:\n");
  for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
    double worst = 0.0;
    for (size_t j = 0; j < sizeof pairs / sizeof pairs[0]; j++)
      worst = fmax(worst, adjoint_error(subjects[i], pairs[j][0], pairs[j][1]));
    reference_accept(subjects[i]->what, worst, 1e-12);
  }
  reference_refuse("pendulum, euler-b is not its own adjoint",
                   adjoint_error(&pendulum, "euler-b", "euler-b"), 1e-12);
}

/* Distance of 1000 steps of RATTLE on hopf_free from rotations of q and p by n arcsin(h omega). */
static double rotation_error(const char *init, const char *base, double omega)
{
  const reference_problem problem = {&sw_model_hopf_free, NULL, 0.0};
  sw_sim *sim = reference_start(&problem, init, "rattle", base);
  double start[4];
  double worst = 0.0;
  memcpy(start, sw_sim_state(sim), sizeof start);
  for (int n = 1; n <= 1000; n++) {
    double angle = n * asin(step * omega);
    double c = cos(angle);
    double s = sin(angle);
    const double rotated[4] = {c * start[0] - s * start[1], s * start[0] + c * start[1],
                               c * start[2] - s * start[3], s * start[2] + c * start[3]};
    reference_advance(sim, step, 1);
    worst = fmax(worst, reference_distance(4, sw_sim_state(sim), rotated));
  }
  sw_sim_free(&sim);
  return worst;
}

/* Omega = det(q,p)/(|q|^2 - |p|^2); without a potential all base methods are the same drift. */
static void free_hopf_rotates(void **unused)
{
  const struct {
    const char *init;
    double omega;
  } states[] = {{"b1", 12.0 / 7.0},
                {"b1_reversed", -12.0 / 7.0},
                {"b2", -12.0 / 7.0},
                {"b2_reversed", 12.0 / 7.0}};
  (void)unused;
  print_message("  hopf_free, rotation by n arcsin(h Omega) for n <= 1000 and every base:\n");
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
    double worst = 0.0;
    for (const char *const *base = sw_base_names(); *base != NULL; base++)
      worst = fmax(worst, rotation_error(states[i].init, *base, states[i].omega));
    reference_accept(states[i].init, worst, 1e-11);
  }
  reference_refuse("b1, Omega off by 1e-12", rotation_error("b1", "midpoint", 12.0 / 7.0 + 1e-12),
                   1e-11);
}

/* Largest distance of two RATTLE trajectories over 1000 steps. */
static double trajectory_distance(const reference_problem *a, const reference_problem *b,
                                  const char *base)
{
  sw_sim *first = reference_start(a, "default", "rattle", base);
  sw_sim *second = reference_start(b, "default", "rattle", base);
  double worst = 0.0;
  for (int n = 1; n <= 1000; n++) {
    reference_advance(first, step, 1);
    reference_advance(second, step, 1);
    worst = fmax(worst, reference_distance(4, sw_sim_state(first), sw_sim_state(second)));
  }
  sw_sim_free(&first);
  sw_sim_free(&second);
  return worst;
}

static void only_the_manifold_matters(void **unused)
{
  const reference_problem square = {&sw_model_pendulum, NULL, 0.0};
  const reference_problem norm = {&sw_model_pendulum_norm, NULL, 0.0};
  const reference_problem heavier = {&sw_model_pendulum_norm, "gravity", 1.0 + 1e-11};
  (void)unused;
  for (const char *const *base = sw_base_names(); *base != NULL; base++)
    reference_accept("pendulum, |q| = 1 against q.q = 1, 1000 steps",
                     trajectory_distance(&square, &norm, *base), 1e-12);
  reference_refuse("pendulum, gravity off by 1e-11",
                   trajectory_distance(&square, &heavier, "verlet"), 1e-12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shake_and_rattle_share_fibres),
      cmocka_unit_test(adjoints_undo_each_other),
      cmocka_unit_test(free_hopf_rotates),
      cmocka_unit_test(only_the_manifold_matters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
