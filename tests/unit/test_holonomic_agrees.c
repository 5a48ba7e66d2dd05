/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_holonomic_agrees.c -- the short way of step/holonomic.h and the general way make the same
 * step.
 *
 * A copy of a model that hides part of its structure is stepped by the general method.  The two
 * solve the same equations, by other unknowns and in another order, so they differ by round-off
 * alone.  A step's round-off is some tens of eps times the sizes of q and p, times what the solves
 * for the multipliers amplify it by, and it grows from step to step with the motion's own
 * sensitivity: 1e-11 after 20 steps allows 45000 eps.  A wrong term of the order of the step's
 * error would be 1e-6 or more.
 */
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "shipped.h"
#include "sim/sim_internal.h"

enum { steps = 20 };

static const double round_off = 1e-11;

/* What a copy of a model does not say. */
typedef enum { HIDE_MASS, HIDE_HOLONOMIC, HIDE_SEPARABLE, HIDE_HALVES, WAYS_TO_HIDE } hidden;

static sw_sim *create(const sw_model *model, const shipped *s, const char *method, const char *base)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.n_sizes = s->n_sizes;
  options.sizes = s->sizes;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  return sim;
}

static void same_values(const sw_sim *sim, hidden what, const double a[], const double b[], int n,
                        double size)
{
  for (int i = 0; i < n; i++) {
    if (!(fabs(a[i] - b[i]) <= round_off * size)) {
      fail_msg("%s, %s, %s, %d hidden: value %d is %.17g and %.17g, difference %.3g, size %.3g",
               sim->system->model->name, sim->plan->options.method, sim->plan->base->name,
               (int)what, i, a[i], b[i], a[i] - b[i], size);
    }
  }
}

/* The multipliers are compared by the impulse h lambda g_q that they give, relative to the
 * momenta. */
static double largest_slope(const sw_sim *sim)
{
  const sw_pattern *pattern = &sim->system->constraint_jac_pattern;
  double *jac = calloc((size_t)pattern->entries + 1, sizeof *jac);

  assert_non_null(jac);
  sim->system->constraint_jac(sim->system, sim->state.z, sim->k, jac);
  const double largest = sw_max_abs((size_t)pattern->entries, jac);
  free(jac);
  return largest;
}

static void check_same_step(const shipped *s, const char *method, const char *base, hidden what)
{
  sw_model copy = *s->model;

  if (what == HIDE_MASS) {
    copy.structure.mass = SW_MASS_GENERAL;
  } else if (what == HIDE_HOLONOMIC) {
    copy.structure.holonomic = 0;
  } else if (what == HIDE_SEPARABLE) {
    copy.structure.separable = 0;
  } else {
    copy.hamiltonian_grad_q = NULL;
    copy.hamiltonian_grad_p = NULL;
  }
  sw_sim *fast = create(s->model, s, method, base);
  sw_sim *general = create(&copy, s, method, base);
  const int d = fast->system->nq;

  assert_int_equal(fast->plan->is_fast, 1);
  assert_int_equal(general->plan->is_fast, what == HIDE_HALVES);
  assert_int_equal(sw_sim_set_state(general, 0.0, sw_sim_state(fast)), SW_OK);
  assert_int_equal(sw_sim_run(fast, s->h, steps, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(general, s->h, steps, NULL, NULL), SW_OK);
  same_values(fast, what, fast->state.z, general->state.z, d, fast->state.known.extent.q);
  same_values(fast, what, fast->state.z + d, general->state.z + d, d, fast->state.known.extent.p);
  /* A multiplier is a difference of momenta, divided by h g_q. */
  same_values(fast, what, fast->state.lambda, general->state.lambda, fast->system->nc,
              fast->state.known.extent.p / (s->h * largest_slope(fast)) +
                  sw_max_abs((size_t)fast->system->nc, fast->state.lambda));
  sw_sim_free(&fast);
  sw_sim_free(&general);
}

static void short_cuts_lead_to_the_same_place(void **state)
{
  static const char *const bases[] = {"euler-a", "euler-b", "verlet"};
  int compared = 0;

  (void)state;
  for (int i = 0; i < n_shipped; i++) {
    const shipped *s = &shipped_models[i];
    const sw_structure *structure = &s->model->structure;
    const int has_constraints = s->model->n_constraints > 0;
    if (!structure->holonomic || !structure->separable || structure->mass == SW_MASS_GENERAL ||
        !has_constraints) {
      continue;
    }
    for (int base = 0; base < 3; base++) {
      for (int what = 0; what < WAYS_TO_HIDE; what++) {
        check_same_step(s, "rattle", bases[base], (hidden)what);
        check_same_step(s, "shake", bases[base], (hidden)what);
        compared++;
      }
    }
  }
  assert_true(compared >= 8 * 3 * WAYS_TO_HIDE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_cuts_lead_to_the_same_place),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
