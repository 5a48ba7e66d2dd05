/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_newton.c -- the sparse Newton matrices of SHAKE and of RATTLE's slide, against dense ones
 * that are made of differences of the residuals: for every base method, over unrolled and looped
 * models.
 *
 * An entry that the pattern leaves out is compared with 0, so that a pattern that is too small is
 * found.
 *
 * A matrix is compared column by column.  The unknown is moved so far that the residuals, which are
 * of order one, move by about 1e-4; the difference of fourth order then has an error of about
 * (1e-4)^4 times fifth derivatives, and 1e-16/1e-4 of round-off, relative to the column's largest
 * entry.  1e-8 leaves room for what cancels.
 */
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "pairs.h"
#include "shipped.h"
#include "sim/sim_internal.h"

static const double tolerance = 1e-8;
static const double movement = 1e-4;
static const double round_off = 1e-15;

/* One of the three problems of a step. */
typedef struct {
  const char *what;
  sw_problem of;
  const sw_pattern *pattern;
} problem;

static double *vector(size_t n)
{
  double *values = calloc(n + 1, sizeof *values);
  assert_non_null(values);
  return values;
}

/* In (-1, 1). */
static double random_real(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/* Multipliers whose slides move the state by some percent: h sum |g_z| |lambda| is 0.02 of it. */
static void multiplier_sizes(const sw_sim *sim, double h, double sizes[])
{
  const sw_system *system = sim->system;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  double *jac = vector((size_t)pattern->entries);
  double *reach = vector((size_t)system->nc);

  if (system->nc > 0) {
    system->constraint_jac(system, sim->state.z, sim->k, jac);
  }
  for (int e = 0; e < pattern->entries; e++) {
    const double moves =
        pattern->col[e] < system->nq ? sim->state.known.extent.p : sim->state.known.extent.q;
    reach[pattern->row[e]] = fmax(reach[pattern->row[e]], fabs(jac[e]) / moves);
  }
  for (int i = 0; i < system->nc; i++) {
    sizes[i] = 0.02 / (h * reach[i]);
  }
  free(jac);
  free(reach);
}

static void choose_multipliers(const sw_sim *sim, double h, uint64_t *seed, double u[])
{
  multiplier_sizes(sim, h, u);
  for (int i = 0; i < sim->system->nc; i++) {
    u[i] *= random_real(seed);
  }
}

/* column = dF/du_i at u, by a central difference of fourth order. */
static void difference(const problem *p, const double u[], int i, double step, double column[])
{
  static const double at[] = {1.0, -1.0, 2.0, -2.0};
  static const double weight[] = {8.0, -8.0, -1.0, 1.0};
  const int n = p->pattern->rows;
  double *moved = vector((size_t)n);
  double *F = vector((size_t)n);

  sw_copy(moved, u, (size_t)n);
  sw_zero(column, (size_t)n);
  for (int side = 0; side < 4; side++) {
    moved[i] = u[i] + at[side] * step;
    p->of.residual(p->of.context, moved, F);
    for (int r = 0; r < n; r++) {
      column[r] += weight[side] * F[r] / (12.0 * step);
    }
  }
  free(moved);
  free(F);
}

static void compare(sw_sim *sim, double h, const problem *p, const double u[])
{
  const sw_pattern *pattern = p->pattern;
  const int n = pattern->rows;
  double *J = vector((size_t)pattern->entries);
  double *F = vector((size_t)n);
  double *expected = vector((size_t)n);
  double *actual = vector((size_t)n);
  double *sizes = vector((size_t)sim->system->nc);

  multiplier_sizes(sim, h, sizes);
  assert_int_equal(pattern->cols, n);
  for (int e = 0; e < pattern->entries; e++) {
    J[e] = NAN;
  }
  p->of.residual(p->of.context, u, F);
  p->of.jacobian(p->of.context, u, J);
  for (int i = 0; i < n; i++) {
    double largest = 0.0;
    sw_zero(actual, (size_t)n);
    for (int e = 0; e < pattern->entries; e++) {
      if (pattern->col[e] == i) {
        actual[pattern->row[e]] = J[e];
        largest = fmax(largest, fabs(J[e]));
      }
    }
    if (!(largest > 0.0)) {
      fail_msg("%s, %s, %s: column %d has no entry", sim->system->model->name,
               sim->plan->base->name, p->what, i);
    }
    /* A multiplier that hardly moves the residuals still moves the state. */
    const double most = i < sim->system->nc ? 0.1 * sizes[i] : INFINITY;
    const double step = fmin(movement / largest, most);
    const double allowed = tolerance * largest + round_off / step;
    difference(p, u, i, step, expected);
    for (int r = 0; r < n; r++) {
      if (!(fabs(actual[r] - expected[r]) <= allowed)) {
        fail_msg(
            "%s, %s, %s: J(%d,%d) = %.12g, but %.12g by differences; the largest of the column "
            "is %.3g",
            sim->system->model->name, sim->plan->base->name, p->what, r, i, actual[r], expected[r],
            largest);
      }
    }
  }
  free(J);
  free(F);
  free(expected);
  free(actual);
  free(sizes);
}

/* A state near the model's own, off M, so that nothing vanishes that need not. */
static void move_state(sw_sim *sim, uint64_t *seed)
{
  const int d = sim->system->nq;
  const sw_sizes size = sw_sizes_of(sim->system, sim->state.z);

  for (int i = 0; i < 2 * d; i++) {
    sim->state.z[i] += 0.02 * sw_nonzero_scale(i < d ? size.q : size.p) * random_real(seed);
  }
  sim->state.known.extent = sw_sizes_of(sim->system, sim->state.z);
}

/* What rho changes by when the end of SHAKE changes by its whole size, against sum_j |D rho_ij|
 * size_j. */
static void check_slide_scales(sw_sim *sim, const double u[])
{
  const sw_system *system = sim->system;
  const sw_pattern *pattern = &system->hidden_jac_pattern;
  sw_holonomic *s = &sim->work.holonomic;
  double *F = vector((size_t)sim->plan->phase[0].n);
  double *jac = vector((size_t)pattern->entries);
  double *expected = vector((size_t)system->nc);

  sw_holonomic_residual(s, u, F);
  sw_holonomic_end(s, u);
  double largest;
  assert_true(sw_slide_begin(s, F, &largest));
  system->hidden_jac(system, s->z1, sim->k, jac);
  for (int e = 0; e < pattern->entries; e++) {
    expected[pattern->row[e]] +=
        fabs(jac[e]) *
        (pattern->col[e] < system->nq ? sim->work.step.size.q : sim->work.step.size.p);
  }
  for (int i = 0; i < system->nc; i++) {
    assert_near(sim->work.g.sums[i], expected[i], 1e-12 * expected[i]);
    assert_true(s->scale[i] >= expected[i] * (1.0 - 1e-12));
  }
  free(F);
  free(jac);
  free(expected);
}

/* The first phase that is solved. */
static void check_step(sw_sim *sim, double h, uint64_t *seed, int *kinds)
{
  const int first = sim->plan->phase[0].combination != NULL;
  const int m = sim->plan->phase[first].m + sim->plan->phase[first].forces;
  const int fast = sim->plan->is_fast;
  const problem shake = {"SHAKE", sw_phase_problem(&sim->work.phase[first]),
                         &sim->plan->phase[first].jacobian};
  const problem holonomic = {"SHAKE, holonomic",
                             {sw_holonomic_residual, sw_holonomic_jacobian, &sim->work.holonomic},
                             &sim->plan->phase[0].jacobian};
  double *u = vector((size_t)sim->plan->phase[first].n);

  sim->work.step =
      (sw_step){.z0 = sim->state.z, .h = h, .force = 1.0, .extent = sim->state.known.extent};
  assert_true(fast ? sw_holonomic_begin(&sim->work.holonomic)
                   : sw_phase_begin(&sim->work.phase[first], sim->state.z));
  if (!fast) {
    sw_copy(u, sim->work.phase[first].u, (size_t)sim->plan->phase[first].n);
  }
  for (int i = 0; i < m; i += sim->system->nc) {
    choose_multipliers(sim, h, seed, u + i);
  }
  for (int i = m; i < sim->plan->phase[first].n; i++) {
    u[i] += 0.01 * sim->work.phase[first].scale_x[i - m] * random_real(seed);
  }
  compare(sim, h, fast ? &holonomic : &shake, u);
  if (fast) {
    check_slide_scales(sim, u);
  }
  kinds[fast                                 ? 0
        : sim->plan->phase[first].forces > 0 ? 4
        : sim->plan->phase[first].n > m      ? 1
                                             : 2]++;
  free(u);
}

static void check_slide(sw_sim *sim, double h, uint64_t *seed, int *kinds)
{
  double *u = vector((size_t)sim->system->nc);

  assert_int_equal(sw_make_plan(sim, 1), SW_OK);
  const problem slide = {"slide", sw_phase_problem(&sim->work.phase[1]),
                         &sim->work.phase[1].plan->jacobian};
  sim->work.step =
      (sw_step){.z0 = sim->state.z, .h = h, .force = 1.0, .size = sim->state.known.extent};
  assert_true(sw_phase_begin(&sim->work.phase[1], sim->state.z));
  choose_multipliers(sim, h, seed, u);
  compare(sim, h, &slide, u);
  kinds[3]++;
  free(u);
}

static void check_method(const shipped *s, const char *method, const char *base, uint64_t *seed,
                         int *kinds)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.n_sizes = s->n_sizes;
  options.sizes = s->sizes;
  assert_int_equal(sw_sim_create(s->model, &options, &sim), SW_OK);
  for (int repeat = 0; repeat < 2 && sw_sim_has_tangent(sim);
       repeat++) { /* else there is no matrix */
    move_state(sim, seed);
    if (sim->plan->phase[sim->plan->own_phases - 1].n > 0 || sim->plan->phase[0].n > 0) {
      check_step(sim, s->h, seed, kinds);
    }
    if (sim->plan->phase[sim->plan->own_phases - 1].hidden) {
      check_slide(sim, s->h, seed, kinds);
    }
  }
  sw_sim_free(&sim);
}

static void newton_matrices_are_derivatives(void **state)
{
  uint64_t seed = 20140323;
  int kinds[5] = {
      0}; /* holonomic, implicit, explicit, slides, with forces of constraints in stages */

  (void)state;
  for (int i = 0; i < n_shipped; i++) {
    const shipped *s = &shipped_models[i];
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        if (strcmp(*method, "shake") != 0 && takes(s->model, *method, *base)) {
          check_method(s, *method, *base, &seed, kinds);
        }
      }
    }
  }
  for (int kind = 0; kind < 5; kind++) {
    assert_true(kinds[kind] > 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newton_matrices_are_derivatives),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
