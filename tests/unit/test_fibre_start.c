/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fibre_start.c -- SHAKE takes all points of a fibre to one point (paper 000, section 4):
 * random points of random fibres, over every base method, for holonomic and mixed constraints and
 * for a variable without a time derivative.
 */
#include <math.h>
#include <string.h>

#include "common/random.h"
#include "near.h"
#include "pairs.h"
#include "shipped.h"

#include "hopf_free.h"
#include "index1.h"

enum { MOST = 24, MOST_CONSTRAINTS = 8, POINTS = 12 };

typedef struct subject {
  const sw_model *model;
  double h;
  double slide; /* largest multiplier: so far along the fibre a start may lie */
} subject;

static const subject subjects[] = {{&sw_model_hopf, 0.05, 0.05},
                                   {&sw_model_hopf_free, 0.05, 0.05},
                                   {&sw_model_two_constraints, 0.05, 0.05},
                                   {&sw_model_pendulum, 0.1, 0.2},
                                   {&sw_model_spherical, 0.05, 0.1},
                                   {&sw_model_double_pendulum, 0.02, 0.1},
                                   {&sw_model_chain6, 0.01, 0.1},
                                   {&sw_model_index1, 0.1, 0.3}};

/* A simulation some steps from the last initial state, so that it is at no special point. */
static sw_sim *start(const subject *s, const char *base)
{
  sw_options options;
  sw_sim *sim = NULL;
  double z[MOST];

  sw_options_init(&options);
  options.method = "shake";
  options.base = base;
  assert_int_equal(sw_sim_create(s->model, &options, &sim), SW_OK);
  assert_true(2 * sw_sim_nq(sim) <= MOST && sw_sim_nc(sim) <= MOST_CONSTRAINTS);
  s->model->init[s->model->n_init - 1].state(NULL, sw_sim_parameters(sim), z);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_run(sim, s->h, 3, NULL, NULL), SW_OK);
  return sim;
}

/* Where a step from z leads. */
static void end_of(sw_sim *sim, double h, const double z[], double end[])
{
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  if (sw_sim_step(sim, h) != SW_OK) {
    fail_msg("%s: %s", sw_sim_model(sim)->name, sw_sim_message(sim));
  }
  memcpy(end, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *end);
}

/* The largest distance, in units of the largest component, between the end of a step from a point
 * and those from random points of its fibre, of which entry `moved` is changed by `by`. */
static double ends_apart(const subject *s, const char *base, uint64_t *seed, int moved, double by)
{
  sw_sim *sim = start(s, base);
  const int n = 2 * sw_sim_nq(sim);
  double z[MOST];
  double end[MOST];
  double size = 0.0;
  double worst = 0.0;

  memcpy(z, sw_sim_state(sim), (size_t)n * sizeof *z);
  end_of(sim, s->h, z, end);
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(end[i]));
  }
  for (int point = 0; point < POINTS; point++) {
    double lambda[MOST_CONSTRAINTS];
    double there[MOST];
    double other[MOST];
    for (int i = 0; i < sw_sim_nc(sim); i++) {
      lambda[i] = s->slide * sw_random(seed);
    }
    s->model->fibre_flow(NULL, z, sw_sim_parameters(sim), lambda, there);
    there[moved] += by;
    end_of(sim, s->h, there, other);
    for (int i = 0; i < n; i++) {
      worst = fmax(worst, fabs(end[i] - other[i]) / size);
    }
  }
  sw_sim_free(&sim);
  return worst;
}

/* The largest over all base methods. */
static double over_all_bases(const subject *s, int moved, double by)
{
  uint64_t seed = 20;
  double worst = 0.0;

  for (const char *const *base = sw_base_names(); *base != NULL; base++) {
    if (takes(s->model, "shake", *base)) {
      worst = fmax(worst, ends_apart(s, *base, &seed, moved, by));
    }
  }
  return worst;
}

enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static void the_place_on_a_fibre_makes_no_difference(void **state)
{
  (void)state;
  for (int i = 0; i < SUBJECTS; i++) {
    const double apart = over_all_bases(&subjects[i], 0, 0.0);
    print_message("  %-16s ends apart by %.1e\n", subjects[i].model->name, apart);
    assert_below(apart, 1e-12);
  }
}

/* A point 1e-11 beside the fibre, which is on M up to round-off as far as a start is asked to
 * be. */
static void a_point_beside_the_fibre_is_seen(void **state)
{
  (void)state;
  for (int i = 0; i < SUBJECTS; i++) {
    const double apart = over_all_bases(&subjects[i], 0, 1e-11);
    print_message("  %-16s 1e-11 beside the fibre: ends apart by %.1e\n", subjects[i].model->name,
                  apart);
    assert_true(apart > 1e-12);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_place_on_a_fibre_makes_no_difference),
      cmocka_unit_test(a_point_beside_the_fibre_is_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
