/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_watch.c -- what is not proved is watched: no step returns success off M, brackets that do
 * not vanish and N that becomes singular are named, and no good run is refused for it.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "all_models.h"
#include "pairs.h"
#include "sim/sim_internal.h"
#include "simulation.h"

/* ---- |g| and |rho| at the end ---- */

/* The worst of g, and of rho for "rattle", at the end of a step, in the scales of the states at
 * both ends. */
static double off(sw_sim *sim, sw_sizes before)
{
  const sw_sizes size = sw_larger_sizes(before, sw_sizes_of(sim->system, sim->state.z));
  double worst = sw_residual_at(&sim->work.g, sim->state.z, size, &sim->work.check.residual).scaled;

  if (sim->plan->method->on_hidden)
    worst =
        fmax(worst,
             sw_residual_at(&sim->work.rho, sim->state.z, size, &sim->work.check.residual).scaled);
  return worst;
}

/* A step has led off M by more than its tolerance and its rounding, in the sizes of scale.h; or by
 * more than twice as much in those of the states alone, where the step without constraints counts
 * as much as these at most. */
static void check_end(sw_sim *sim, const double before[], double h, const char *what)
{
  const sw_sizes own = sw_sizes_of(sim->system, before);
  const sw_sizes moved = sim->work.step.moved;
  const double share = sw_sizes_proportion(own, moved);
  const double in_sizes = off(sim, sw_sizes_sum(own, share, moved));

  if (!(in_sizes <= 1.01e-12))
    fail_msg("%s: a step of %g has led off M by %.3g", what, h, in_sizes);
  if (share * moved.q <= own.q && share * moved.p <= own.p && !(off(sim, own) <= 2.2e-12))
    fail_msg("%s: a step of %g has led off M by %.3g in its own sizes", what, h, off(sim, own));
}

/* Sizes are tried by thirds of a decade where this program is given an argument, else by two
 * decades. */
static int coarse = 6;

/* Steps of any size from a state end on M up to the tolerance, or they fail. */
static int check_sizes(const shipped *s, const char *method, const char *base,
                       const char *redundant)
{
  char what[200];
  int good = 0;
  sw_sim *sim = open_model(s, method, base, redundant);

  snprintf(what, sizeof what, "%s %s %s %s", s->model->name, method, base, redundant);
  start_model(sim, s->h, what);
  double *from = saved_state(sim);
  for (int e = -18; e <= (is_slow(s) ? 3 : 48); e += coarse)
    for (int sign = -1; sign <= 1; sign += 2) {
      const double h = sign * pow(10.0, e / 3.0) * (1.0 + 0.1 * ((e + 18) % 7));
      assert_int_equal(sw_sim_restore(sim, from), SW_OK);
      if (sw_sim_step(sim, h) == SW_OK) {
        good++;
        check_end(sim, from + 3, h, what);
      } else {
        assert_true(sw_sim_message(sim)[0] != '\0');
      }
    }
  free(from);
  sw_sim_free(&sim);
  return good;
}

static void no_step_returns_success_off_m(void **state)
{
  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++)
    for (const char *const *base = bases_and_none; *base; base++)
      for (int i = 0; i < n_models; i++)
        if (sweep_takes(i, *method, *base))
          assert_true(check_sizes(model_number(i), *method, *base, redundant_number(i)) >= 3);
}

static sw_sim *slanted(const sw_model *model, const char *method, const char *base, double a)
{
  sw_sim *sim = create(model, method, base);
  double z[6];

  assert_int_equal(sw_sim_set_parameters(sim, &a), SW_OK);
  model->init[0].state(NULL, &a, z);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  return sim;
}

/* Told that they are first class, second class constraints lead off M by the slide, which only |g|
 * shows. */
static void slides_that_leave_m_fail(void **state)
{
  sw_model model = sw_fixture_slanted;

  (void)state;
  model.structure.coisotropic = SW_PROVED;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_sim *sim = slanted(&model, "rattle", *base, 1.0);
    const snapshot before = take_snapshot(sim);

    assert_int_equal(sw_sim_step(sim, 0.05), SW_ERR_LEFT_M);
    assert_non_null(strstr(sw_sim_message(sim), "it would end off M: constraint '"));
    assert_unchanged(sim, &before);
    sw_sim_free(&sim);
  }
}

static int calls;

/* Told twice, at the start and before the solve, that any rho is round-off, the solve leaves it as
 * it is: the end is judged anew, and only by rho it is off M^H. */
static void hidden_scale_that_grows(const long n[], const double z[], const double k[],
                                    double out[])
{
  sw_fixture_hopf.hidden_scale(n, z, k, out);
  if (++calls <= 2)
    out[0] *= 1e20;
}

static void ends_off_mh_fail(void **state)
{
  sw_model model = sw_fixture_hopf;

  (void)state;
  model.hidden_scale = hidden_scale_that_grows;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_sim *sim = create(&model, "rattle", *base);
    const snapshot before = take_snapshot(sim);

    calls = 0;
    assert_int_equal(sw_sim_step(sim, 0.05), SW_ERR_LEFT_M);
    assert_non_null(strstr(sw_sim_message(sim), "it would end off M^H: the hidden constraint"));
    assert_unchanged(sim, &before);
    sw_sim_free(&sim);
  }
}

/* ---- {g_i,g_j} ---- */

static void second_class_is_refused_where_it_is_not_ruled_out(void **state)
{
  static const sw_proof proofs[] = {SW_NOT_PROVED, SW_PROVED_BY_DEFAULT};

  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++)
    for (int p = 0; p < 2 && takes(&sw_fixture_slanted, *method, "verlet"); p++) {
      sw_model model = sw_fixture_slanted;
      model.structure.coisotropic = proofs[p];
      sw_sim *sim = slanted(&model, *method, "verlet", 0.0);
      assert_int_equal(sw_sim_run(sim, 0.05, 20, NULL, NULL), SW_OK);
      sw_sim_free(&sim);
      sim = slanted(&model, *method, "verlet", 1.0);
      assert_int_equal(sw_sim_step(sim, 0.05), SW_ERR_SECOND_CLASS);
      assert_non_null(
          strstr(sw_sim_message(sim), "{first, second} is not 0 on M but 1 at its start"));
      assert_non_null(strstr(sw_sim_message(sim), "the parameters a = 1 (default 0)"));
      sw_sim_free(&sim);
    }
}

/* {g_1,g_2} = a s, but 0 at the first three times that it is asked for. */
static void late_coisotropy(const long n[], const double z[], const double k[], double out[])
{
  calls++;
  sw_fixture_slanted.coisotropy.values(n, z, k, out);
  if (calls <= 3)
    out[0] = out[1] = 0.0;
}

/* At the start and at the end of every step, where the proof does not cover the parameters, and
 * nowhere else. */
static void brackets_are_looked_at_along_the_run(void **state)
{
  sw_model model = sw_fixture_slanted;

  (void)state;
  model.coisotropy.values = late_coisotropy;
  for (int covered = 0; covered < 2; covered++) {
    sw_sim *sim = slanted(&model, "rattle", "verlet", covered ? 0.0 : 1e-12);
    calls = 0;
    assert_int_equal(sw_sim_run(sim, 0.05, 2, NULL, NULL), SW_OK);
    assert_int_equal(calls, covered ? 0 : 3);
    const snapshot before = take_snapshot(sim);
    assert_int_equal(sw_sim_step(sim, 0.05), covered ? SW_OK : SW_ERR_SECOND_CLASS);
    if (!covered) {
      assert_unchanged(sim, &before);
      assert_non_null(strstr(sw_sim_message(sim), "at its end"));
    }
    sw_sim_free(&sim);
  }
}

/* ---- N ---- */

static sw_sim *on_cusp(const char *method, const char *base)
{
  const double k[] = {1.0, 0.0, 1.0};
  const double z[] = {1.0, 1.0, 0.0, 0.0};
  sw_sim *sim = create(&sw_fixture_wire, method, base);

  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  return sim;
}

/* The bead slides into the cusp, where dg = 0 and no step size leads on. */
static void a_singular_surface_ahead_is_named(void **state)
{
  static const double steps[] = {0.05, 0.01, 0.002};

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++)
    for (int i = 0; i < 3; i++) {
      sw_sim *sim = on_cusp("rattle", *base);
      const sw_status status = sw_sim_run(sim, steps[i], 2000, NULL, NULL);
      assert_true(status == SW_ERR_NOT_CONVERGED || status == SW_ERR_SINGULAR ||
                  status == SW_ERR_COMPONENT);
      if (!strstr(sw_sim_message(sim), "comes to a surface where det N = 0"))
        fail_msg("%s, h = %g: %s", *base, steps[i], sw_sim_message(sim));
      assert_null(strstr(sw_sim_message(sim), "try a smaller step"));
      /* The message is no step: what counts is the state that was reached. */
      const snapshot before = take_snapshot(sim);
      assert_true(sw_sim_step(sim, steps[i]) == status);
      assert_unchanged(sim, &before);
      sw_sim_free(&sim);
    }
}

/* N that falls may turn before it is singular.  The message leaves that open, and here smaller
 * steps do go on. */
static void a_surface_ahead_is_foretold_and_not_proved(void **state)
{
  sw_sim *sim = create(&sw_fixture_hopf, "rattle", "midpoint");

  (void)state;
  assert_int_equal(sw_sim_run(sim, 0.31, 1000, NULL, NULL), SW_ERR_COMPONENT);
  if (!strstr(sw_sim_message(sim),
              "if smaller steps fail near there, too, the run comes to a surface"))
    fail_msg("%s", sw_sim_message(sim));
  assert_int_equal(sw_sim_run(sim, 0.01, 200, NULL, NULL), SW_OK);
  sw_sim_free(&sim);
}

/* Steps that are too large fail, too, but not for that. */
static void no_surface_is_seen_where_there_is_none(void **state)
{
  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++)
    for (double h = 3.0; h < 1e12; h *= 7.0) {
      sw_sim *sim = create(&sw_fixture_wire, "rattle", *base);
      const double z[] = {1.0, 1.0, 0.5, 1.0};
      assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
      if (sw_sim_step(sim, h) != SW_OK)
        assert_null(strstr(sw_sim_message(sim), "surface"));
      sw_sim_free(&sim);
    }
}

/* SHAKE looks at N where constraints on the positions make that a function of them, unless it is
 * proved. */
static void shake_is_refused_where_n_is_singular(void **state)
{
  const double k[] = {1.0, 0.0, 1.0};
  const double tip[] = {0.0, 0.0, 0.0, 0.0};

  (void)state;
  for (int proved = 0; proved < 2; proved++) {
    sw_model model = sw_fixture_wire;
    model.structure.nondegenerate = proved ? SW_PROVED : SW_NOT_PROVED;
    sw_sim *sim = create(&model, "shake", "verlet");
    assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
    assert_int_equal(sw_sim_set_state(sim, 0.0, tip), SW_OK);
    const sw_status status = sw_sim_step(sim, 0.01);
    assert_int_not_equal(status, SW_OK);
    assert_int_equal(strstr(sw_sim_message(sim), "at its start") != NULL, !proved);
    sw_sim_free(&sim);
  }
}

/* ---- runs that are good ---- */

/* At rest in equilibrium there is nothing but round-off to measure by: in both halves at the bottom
 * of a parabola, in the momenta of a pendulum that hangs. */
static void rest_is_no_reason_to_refuse(void **state)
{
  static const double steps[] = {1e-3, 0.01, 0.1, 0.3};

  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++)
    for (const char *const *base = bases_and_none; *base; base++)
      for (int i = 0; i < 4; i++)
        for (int hangs = 0; hangs < 2; hangs++) {
          const double down[] = {0.0, -1.0, 0.0, 0.0};
          const sw_model *model = hangs ? &sw_fixture_pendulum : &sw_fixture_wire;
          if (!takes(model, *method, *base))
            continue;
          sw_sim *sim = create(model, *method, *base);
          if (hangs)
            assert_int_equal(sw_sim_set_state(sim, 0.0, down), SW_OK);
          if (sw_sim_run(sim, steps[i], 500, NULL, NULL) != SW_OK)
            fail_msg("%s %s h = %g: %s", *method, *base, steps[i], sw_sim_message(sim));
          assert_near(sw_sim_state(sim)[0], 0.0, 1e-15);
          assert_near(sw_sim_state(sim)[1], hangs ? -1.0 : 0.0, 1e-15);
          sw_sim_free(&sim);
        }
}

/* Small swings through the bottom, and through the origin. */
static void small_motions_are_followed(void **state)
{
  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++)
    for (double a = 1e-5; a < 1.0; a *= 10.0) {
      sw_sim *sim = create(&sw_fixture_wire, "rattle", *base);
      const double z[] = {0.5 * a, 0.25 * a * a, 0.0, 0.0};
      assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
      if (sw_sim_run(sim, 0.05, 400, NULL, NULL) != SW_OK)
        fail_msg("%s, a = %g: %s", *base, a, sw_sim_message(sim));
      sw_sim_free(&sim);
    }
}

/* ---- what is not finite where a run starts ---- */

static double value_of_h = 1.0;
static double slope_of_h = 0.0;

static void spoiled_h(const long n[], const double z[], const double k[], double out[])
{
  sw_fixture_pendulum.hamiltonian(n, z, k, out);
  out[0] *= value_of_h;
}

static void spoiled_grad(const long n[], const double z[], const double k[], double out[])
{
  sw_fixture_pendulum.hamiltonian_grad(n, z, k, out);
  out[2] += slope_of_h;
}

static void a_hamiltonian_that_is_not_finite_is_refused(void **state)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  sw_model model = sw_fixture_pendulum;
  double D[16];

  (void)state;
  model.hamiltonian = spoiled_h;
  model.hamiltonian_grad = spoiled_grad;
  for (int i = 0; i < 3; i++)
    for (int grad = 0; grad < 2; grad++) {
      sw_sim *sim = create(&model, "rattle", "verlet");
      const snapshot before = take_snapshot(sim);
      value_of_h = grad ? 1.0 : bad[i];
      slope_of_h = grad ? bad[i] : 0.0;
      const sw_status step = sw_sim_step(sim, 0.1);
      const int told =
          strstr(sw_sim_message(sim), grad ? "derivative of H in p.x" : "H is ") != NULL;
      const sw_status run = sw_sim_run(sim, 0.1, 3, NULL, NULL);
      const sw_status tangent = sw_sim_tangent(sim, 0.1, D);
      value_of_h = 1.0;
      slope_of_h = 0.0;
      assert_int_equal(step, SW_ERR_NOT_FINITE);
      assert_int_equal(run, SW_ERR_NOT_FINITE);
      assert_int_equal(tangent, SW_ERR_NOT_FINITE);
      assert_true(told);
      assert_unchanged(sim, &before);
      assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
      sw_sim_free(&sim);
    }
}

/* The scale of the energy is sampled every SW_LOOK_EVERY steps: it grows to sum |p_i H_{p_i}|. */
static void the_scale_of_the_energy_is_sampled(void **state)
{
  double gradient[4];
  sw_sim *sim = NULL;

  (void)state;
  assert_int_equal(sw_sim_create(&sw_model_pendulum, NULL, &sim), SW_OK);
  const double *p = sw_sim_state(sim) + 2;
  const double kinetic = p[0] * p[0] + p[1] * p[1];
  const sw_energy_state at = {sim->system, sw_sim_state(sim), sw_sim_parameters(sim), 0.1,
                              gradient};
  sw_energy_course course = {.first = 0.01 * kinetic, .scale = 0.1 * kinetic, .begun = 1};
  sw_energy_count(&course, &at, 0.0, SW_LOOK_EVERY - 1);
  assert_true(course.steps == SW_LOOK_EVERY - 1 && course.scale == 0.1 * kinetic);
  sw_energy_count(&course, &at, 0.0, 1);
  assert_true(course.steps == SW_LOOK_EVERY && fabs(course.scale - kinetic) <= 1e-15 * kinetic);
  course = (sw_energy_course){.scale = 0.1 * kinetic};
  sw_energy_count(&course, &at, 0.0, SW_LOOK_EVERY);
  assert_true(course.scale == 0.1 * kinetic); /* it has not begun */
  sw_sim_free(&sim);
}

int main(int argc, char **argv)
{
  (void)argv;
  coarse = argc > 1 ? 1 : coarse;
  whole_sweep = argc > 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_step_returns_success_off_m),
      cmocka_unit_test(slides_that_leave_m_fail),
      cmocka_unit_test(ends_off_mh_fail),
      cmocka_unit_test(second_class_is_refused_where_it_is_not_ruled_out),
      cmocka_unit_test(brackets_are_looked_at_along_the_run),
      cmocka_unit_test(a_singular_surface_ahead_is_named),
      cmocka_unit_test(a_surface_ahead_is_foretold_and_not_proved),
      cmocka_unit_test(no_surface_is_seen_where_there_is_none),
      cmocka_unit_test(shake_is_refused_where_n_is_singular),
      cmocka_unit_test(rest_is_no_reason_to_refuse),
      cmocka_unit_test(small_motions_are_followed),
      cmocka_unit_test(a_hamiltonian_that_is_not_finite_is_refused),
      cmocka_unit_test(the_scale_of_the_energy_is_sampled),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
