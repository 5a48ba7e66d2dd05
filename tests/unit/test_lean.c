/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lean.c -- a simulation of a large model leaves out what steps of step/holonomic.h do without
 * (model/system.h): it takes the same steps bit for bit, and makes the rest when that is asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "model/system_plan.h"
#include "near.h"
#include "shipped.h"
#include "sim/sim_internal.h"

enum { nodes = 1200, directions = 2 };

static const sw_size sizes[] = {{.name = "N", .value = nodes}};
static const double h = 0.064 / nodes;

/* Both start a step away from the model's initial state, where nothing is 0 any more. */
typedef struct pair {
  sw_system *whole;
  sw_sim *lean;
  sw_sim *full;
  size_t dim;
} pair;

static void open_pair(pair *p)
{
  sw_options options;

  sw_options_init(&options);
  options.method = "rattle";
  options.base = "verlet";
  options.n_sizes = 1;
  options.sizes = sizes;
  assert_int_equal(sw_system_create(&sw_model_chain, 1, sizes, &p->whole, NULL), SW_OK);
  assert_int_equal(sw_sim_create_on(p->whole, &options, &p->full), SW_OK);
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &p->lean), SW_OK);
  p->dim = 2 * (size_t)p->whole->nq;
}

static void close_pair(pair *p)
{
  sw_sim_free(&p->lean);
  sw_sim_free(&p->full);
  sw_system_free(&p->whole);
}

static void assert_same(const pair *p)
{
  assert_memory_equal(sw_sim_state(p->lean), sw_sim_state(p->full), p->dim * sizeof(double));
  assert_memory_equal(sw_sim_impulses(p->lean), sw_sim_impulses(p->full),
                      (size_t)p->whole->nc * sizeof(double));
}

static void takes_the_same_steps(void **state)
{
  pair p = {0};

  (void)state;
  open_pair(&p);
  assert_true(p.lean->plan->is_fast && !p.lean->work.is_complete && p.lean->system->is_lean);
  assert_true(p.full->work.is_complete);
  for (int n = 0; n < 3; n++) {
    assert_int_equal(sw_sim_run(p.lean, h, 10, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(p.full, h, 10, NULL, NULL), SW_OK);
    assert_same(&p);
  }
  assert_int_equal(p.lean->work.is_complete, 0);
  close_pair(&p);
}

static void completes_for_a_tangent(void **state)
{
  pair p = {0};
  sw_sim *other = NULL;

  (void)state;
  open_pair(&p);
  assert_int_equal(sw_sim_create_like(p.lean, &other), SW_OK);
  double *V = calloc(2 * directions * p.dim, sizeof *V);
  double *D = V + directions * p.dim;
  assert_non_null(V);
  for (size_t i = 0; i < directions * p.dim; i++) {
    V[i] = (double)(i % 7) - 3.0;
  }
  memcpy(D, V, directions * p.dim * sizeof *V);
  assert_int_equal(sw_sim_tangent_times(p.lean, h, directions, V, V), SW_OK);
  assert_int_equal(sw_sim_tangent_times(p.full, h, directions, D, D), SW_OK);
  assert_memory_equal(V, D, directions * p.dim * sizeof *V);
  assert_int_equal(p.lean->work.is_complete, 1);
  /* Steps go on as before, and who shared its system keeps a lean one. */
  assert_int_equal(sw_sim_run(p.lean, h, 5, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(p.full, h, 5, NULL, NULL), SW_OK);
  assert_same(&p);
  assert_int_equal(other->work.is_complete, 0);
  assert_int_equal(sw_sim_run(other, h, 5, NULL, NULL), SW_OK);
  assert_memory_equal(sw_sim_state(other), sw_sim_state(p.full), p.dim * sizeof(double));
  free(V);
  sw_sim_free(&other);
  close_pair(&p);
}

/* Moves both off M and back onto M^H. */
static void completes_for_a_projection(void **state)
{
  pair p = {0};

  (void)state;
  open_pair(&p);
  double *z = calloc(p.dim, sizeof *z);
  assert_non_null(z);
  memcpy(z, sw_sim_state(p.full), p.dim * sizeof *z);
  for (size_t i = 0; i < p.dim; i++) {
    z[i] += 1e-7 / nodes * (double)(i % 5);
  }
  assert_int_equal(sw_sim_set_state(p.lean, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_set_state(p.full, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_step(p.lean, h), SW_ERR_OFF_M);
  assert_int_equal(sw_sim_step(p.full, h), SW_ERR_OFF_M);
  assert_string_equal(sw_sim_message(p.lean), sw_sim_message(p.full));
  assert_int_equal(sw_sim_project(p.lean), SW_OK);
  assert_int_equal(sw_sim_project(p.full), SW_OK);
  assert_same(&p);
  assert_int_equal(sw_sim_step(p.lean, h), SW_OK);
  assert_int_equal(sw_sim_step(p.full, h), SW_OK);
  assert_same(&p);
  free(z);
  close_pair(&p);
}

/* A step that is much too large fails with the same words, and leaves everything as it was. */
static void fails_alike(void **state)
{
  pair p = {0};

  (void)state;
  open_pair(&p);
  assert_int_equal(sw_sim_run(p.lean, h, 3, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(p.full, h, 3, NULL, NULL), SW_OK);
  const sw_status expected = sw_sim_step(p.full, 1e4 * h);
  assert_int_not_equal(expected, SW_OK);
  assert_int_equal(sw_sim_step(p.lean, 1e4 * h), expected);
  assert_string_equal(sw_sim_message(p.lean), sw_sim_message(p.full));
  assert_int_equal(sw_sim_run(p.lean, h, 3, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(p.full, h, 3, NULL, NULL), SW_OK);
  assert_same(&p);
  close_pair(&p);
}

/* The scales by which a state is judged to be on M and M^H, of Dg and the slope, are those of Dg
 * and Drho. */
static void judges_by_the_same_scales(void **state)
{
  pair p = {0};

  (void)state;
  open_pair(&p);
  sw_sim *sim = p.full;
  const int m = p.whole->nc;
  const sw_residual_scratch *general = &sim->work.check.residual;
  double *value = calloc(3 * (size_t)m, sizeof *value);
  double *scale = value + m;
  assert_non_null(value);
  assert_int_equal(sw_sim_run(sim, h, 20, NULL, NULL), SW_OK);
  assert_int_equal(sw_step_examine_start(sim, h), SW_OK);
  const sw_sizes size = sw_sizes_of(sim->system, sim->state.z);
  for (int hidden = 0; hidden < 2; hidden++) {
    assert_true(sw_holonomic_judge(&sim->work.holonomic, hidden, sim->state.z, size, value, scale,
                                   scale + m));
    const sw_residual found =
        sw_residual_at(hidden ? &sim->work.rho : &sim->work.g, sim->state.z, size, general);
    assert_true(isfinite(found.largest));
    for (int i = 0; i < m; i++) {
      assert_near(scale[i], general->scale[i], 1e-12 * general->scale[i]);
      assert_near(value[i], general->value[i], 1e-15 * general->scale[i]);
    }
  }
  free(value);
  close_pair(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_the_same_steps),       cmocka_unit_test(completes_for_a_tangent),
      cmocka_unit_test(completes_for_a_projection), cmocka_unit_test(fails_alike),
      cmocka_unit_test(judges_by_the_same_scales),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
