/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_hostile.c -- steps under hostile conditions: values that are not finite from any function of
 * the model, steps of any size, states of any scale, every rounding mode of the host.  A step ends
 * good, or nothing has changed, bit for bit.
 */
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <string.h>

#include "fixtures.h"
#include "model/scale.h"
#include "near.h"
#include "pairs.h"
#include "poisoned.h"
#include "sidewinder/sim.h"
#include "simulation.h"
#include "spherical_pendulum.h"

static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                         &sw_fixture_spherical, &sw_fixture_two, &sw_fixture_free};

enum { MODELS = sizeof models / sizeof models[0] };

/* One step, or with `tangent` its derivative, after two good ones, with `which` poisoned from its
 * call `first` on.  Returns whether the poison was met. */
static int poisoned(const sw_model *model, const char *method, const char *base, int tangent,
                    sw_poison which, long first, long calls, const double good[])
{
  sw_sim *sim = create(model, method, base);
  double D[4 * max_dim * max_dim];

  sw_poison_set(SW_POISON_COUNT, 1, 0);
  assert_int_equal(sw_sim_run(sim, 0.1, 2, NULL, NULL), SW_OK);
  const snapshot before = take_snapshot(sim);
  sw_poison_set(which, first, calls);
  const sw_status status = tangent ? sw_sim_tangent(sim, 0.1, D) : sw_sim_step(sim, 0.1);
  const int hit = sw_poison_hit();
  sw_poison_set(SW_POISON_COUNT, 1, 0);
  if (status != SW_OK || tangent) {
    assert_unchanged(sim, &before);
  }
  if (status != SW_OK) {
    assert_true(hit);
    assert_int_not_equal(strlen(sw_sim_message(sim)), 0);
  } else if (tangent) {
    /* What is poisoned once may be stepped around; D is finite all the same, and the next step is
     * good. */
    const size_t n = (size_t)sw_sim_n_state(sim);
    assert_true(isfinite(sw_max_abs(n * n, D)));
  }
  if (status != SW_OK || tangent) {
    assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
  }
  assert_all_near(sw_sim_state(sim), good, 2 * model->n_coordinates, hit ? 1e-11 : 0.0);
  sw_sim_free(&sim);
  return hit;
}

static long sweep(const sw_model *original, const char *method, const char *base, int tangent)
{
  static const double values[] = {NAN, INFINITY, -INFINITY};
  const sw_model model = sw_poison_model(original);
  double good[max_dim];
  sw_sim *sim = create(&model, method, base);
  long hits = 0;

  sw_poison_set(SW_POISON_COUNT, 1, 0);
  assert_int_equal(sw_sim_run(sim, 0.1, 3, NULL, NULL), SW_OK);
  memcpy(good, sw_sim_state(sim), 2 * (size_t)model.n_coordinates * sizeof *good);
  sw_sim_free(&sim);
  for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
    sw_poison_with(values[v]);
    for (int which = 0; which < SW_POISON_COUNT; which++) {
      for (long first = 1;; first++) {
        const int once = poisoned(&model, method, base, tangent, (sw_poison)which, first, 1, good);
        const int on =
            poisoned(&model, method, base, tangent, (sw_poison)which, first, LONG_MAX, good);
        assert_int_equal(once, on);
        if (!once) {
          break;
        }
        hits++;
      }
    }
  }
  sw_poison_with(NAN);
  return hits;
}

static int has_tangent(const sw_model *model, const char *method, const char *base)
{
  sw_sim *sim = create(model, method, base);
  const int has = sw_sim_has_tangent(sim);

  sw_sim_free(&sim);
  return has;
}

static void what_is_not_finite_changes_nothing(void **state)
{
  long hits = 0;

  (void)state;
  for (int i = 0; i < MODELS; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        /* Variational integrators are the same program over each base method. */
        const int again =
            strcmp(*method, "variational") == 0 && strcmp(*base, "explicit-midpoint") != 0;
        if (takes(models[i], *method, *base) && !again) {
          hits += sweep(models[i], *method, *base, 0);
          hits += has_tangent(models[i], *method, *base) ? sweep(models[i], *method, *base, 1) : 0;
        }
      }
    }
  }
  assert_true(hits > 2000);
}

/* g and rho of the state, relative to their scales. */
static double off(const sw_sim *sim)
{
  sw_check check;

  assert_int_equal(
      sw_model_check(sw_sim_model(sim), sw_sim_parameters(sim), sw_sim_state(sim), &check), SW_OK);
  return fmax(check.scaled_g, check.scaled_hidden);
}

static void steps_of_any_size(void **state)
{
  static const double sizes[] = {0.0,   -0.0,  5e-324, 1e-300, 1e-100,  1e-30, 1e-17,   1e-9,
                                 1e-5,  1e-2,  1.0,    1e1,    1e3,     1e9,   1e30,    1e100,
                                 1e155, 1e200, 1e300,  1e308,  DBL_MAX, NAN,   INFINITY};

  (void)state;
  for (int i = 0; i < MODELS; i++) {
    for (const char *const *base = sw_base_names(); *base; base++) {
      for (size_t j = 0; j < 2 * sizeof sizes / sizeof sizes[0]; j++) {
        const double h = j % 2 ? -sizes[j / 2] : sizes[j / 2];
        sw_sim *sim = create(models[i], "rattle", *base);

        assert_int_equal(sw_sim_run(sim, 0.05, 2, NULL, NULL), SW_OK);
        const snapshot before = take_snapshot(sim);
        const sw_status status = sw_sim_step(sim, h);
        if (h == 0.0 || !isfinite(h)) {
          assert_int_equal(status, SW_ERR_ARGUMENT);
        }
        if (fabs(h) >= 1e-9 && fabs(h) <= 1e-2) {
          assert_int_equal(status, SW_OK);
        }
        if (status == SW_OK) {
          assert_below(off(sim), 1e-12);
          assert_true(sw_sim_time(sim) == before.t + h);
          /* Nothing moves faster than 4, on its way; what is left of smaller steps is round-off. */
          for (int e = 0; e < 2 * models[i]->n_coordinates && fabs(h) < 1.0; e++) {
            assert_near(sw_sim_state(sim)[e], before.z[e], 4.0 * fabs(h) + 1e-12);
          }
        } else {
          assert_unchanged(sim, &before);
          assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
        }
        sw_sim_free(&sim);
      }
    }
  }
}

/* The multipliers of a step below round-off are round-off divided by h: they would carry the state
 * along its fibre to any other point of M^H.  Such a step is refused, or it does next to
 * nothing. */
static void steps_lost_in_round_off(void **state)
{
  long refused = 0;

  (void)state;
  for (int i = 0; i < MODELS; i++) {
    for (const char *const *base = sw_base_names(); *base; base++) {
      sw_sim *sim = create(models[i], "rattle", *base);
      double z[max_dim];

      for (int n = 0; n < 300; n++) {
        assert_int_equal(sw_sim_step(sim, 0.02), SW_OK);
        memcpy(z, sw_sim_state(sim), 2 * (size_t)models[i]->n_coordinates * sizeof *z);
        for (double h = 1e-18; h < 1e-6; h *= 7.0) {
          if (sw_sim_step(sim, h) == SW_OK) {
            assert_all_near(sw_sim_state(sim), z, 2 * models[i]->n_coordinates, 1e-4);
          } else {
            refused++;
          }
          assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
        }
      }
      sw_sim_free(&sim);
    }
  }
  assert_true(refused > 1000);
}

/* Lengths and momenta times s at the same time scale: the pendulum with length and gravity s.  A
 * power of two changes nothing at all, any other factor only what is rounded. */
static void states_of_any_scale(void **state)
{
  static const double scales[] = {0x1p30, 0x1p-30, 1e9, 1e-9};

  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++) {
    for (const char *const *base = bases_and_none; *base; base++) {
      for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        const double s = scales[i];
        if (!takes(&sw_fixture_pendulum, *method, *base)) {
          continue;
        }
        const double k[2] = {s, s};
        double z[4];
        sw_sim *plain = create(&sw_fixture_pendulum, *method, *base);
        sw_sim *sim = create(&sw_fixture_pendulum, *method, *base);

        for (int e = 0; e < 4; e++) {
          z[e] = s * sw_sim_state(sim)[e];
        }
        assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
        assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
        assert_int_equal(sw_sim_project(sim), SW_OK);
        assert_int_equal(sw_sim_run(sim, 0.05, 100, NULL, NULL), SW_OK);
        assert_int_equal(sw_sim_run(plain, 0.05, 100, NULL, NULL), SW_OK);
        for (int e = 0; e < 4; e++) {
          assert_near(sw_sim_state(sim)[e] / s, sw_sim_state(plain)[e], 1e-12);
        }
        sw_sim_free(&plain);
        sw_sim_free(&sim);
      }
    }
  }
}

static void rounding_modes(void **state)
{
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

  (void)state;
  for (int i = 0; i < MODELS; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        for (size_t j = 0; j < sizeof modes / sizeof modes[0]; j++) {
          if (!takes(models[i], *method, *base)) {
            continue;
          }
          sw_sim *plain = create(models[i], *method, *base);
          sw_sim *sim = create(models[i], *method, *base);

          assert_int_equal(sw_sim_run(plain, 0.05, 100, NULL, NULL), SW_OK);
          assert_int_equal(fesetround(modes[j]), 0);
          const sw_status status = sw_sim_run(sim, 0.05, 100, NULL, NULL);
          assert_int_equal(fesetround(FE_TONEAREST), 0);
          assert_int_equal(status, SW_OK);
          assert_all_near(sw_sim_state(sim), sw_sim_state(plain), 2 * models[i]->n_coordinates,
                          1e-11);
          sw_sim_free(&plain);
          sw_sim_free(&sim);
        }
      }
    }
  }
}

/* Each name of the options may be NULL: it then is the default, or an option that is refused. */
static void names_that_are_not_there(void **state)
{
  const size_t members[] = {offsetof(sw_options, method),  offsetof(sw_options, base),
                            offsetof(sw_options, compose), offsetof(sw_options, base_minus),
                            offsetof(sw_options, adjoint), offsetof(sw_options, redundant),
                            offsetof(sw_options, solver)};
  const char *const methods[] = {"rattle", "variational", "bdf2"};
  const char *const nothing = NULL;
  (void)state;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
      sw_sim *sim = NULL;
      sw_options options;
      sw_options_init(&options);
      options.method = methods[m];
      options.base = m == 1 ? "euler" : options.base;
      memcpy((char *)&options + members[i], &nothing, sizeof nothing);
      const char *objection = sw_options_objection(&sw_model_spherical_pendulum, &options);
      const sw_status status = sw_sim_create(&sw_model_spherical_pendulum, &options, &sim);
      assert_true(status == SW_OK ? objection[0] == '\0' : status == SW_ERR_OPTION);
      if (members[i] == offsetof(sw_options, adjoint)) {
        assert_int_equal(status, SW_OK);
      }
      sw_sim_free(&sim);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_not_finite_changes_nothing),
      cmocka_unit_test(names_that_are_not_there),
      cmocka_unit_test(steps_of_any_size),
      cmocka_unit_test(steps_lost_in_round_off),
      cmocka_unit_test(states_of_any_scale),
      cmocka_unit_test(rounding_modes),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
