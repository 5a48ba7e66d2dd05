/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_base.c -- the base methods: exact tangents, order, symmetry.
 */
#include <string.h>

#include "fixtures.h"
#include "near.h"
#include "sidewinder/sim.h"
#include "step/stages.h"

enum { half_dim = 3, max_dim = 2 * half_dim, max_stages = 6 * half_dim, directions = 2 };

static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                         &sw_fixture_spherical, &sw_fixture_two, &sw_fixture_free};

enum { model_count = sizeof models / sizeof models[0] };

/* Stages with scratch memory that starts as NaN, so that what is not written shows. */
typedef struct {
  sw_stages stages;
  char block[1 << 15];
} bench;

static void bench_init(bench *b, const sw_system *system, const sw_stage_plan *plan)
{
  const double nothing = NAN;
  sw_carver c = {b->block, 0, 0};

  for (size_t i = 0; i + sizeof nothing <= sizeof b->block; i += sizeof nothing)
    memcpy(b->block + i, &nothing, sizeof nothing);
  b->stages = (sw_stages){0};
  sw_stages_open(&b->stages, system, plan, 0, system->k_default);
  sw_stages_carve(&c, directions, &b->stages);
  assert_true(c.used <= sizeof b->block);
}

static double uniform(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static void fill_uniform(uint64_t *seed, int count, double values[])
{
  for (int i = 0; i < count; i++)
    values[i] = uniform(seed);
}

static void fill_nan(int count, double values[])
{
  for (int i = 0; i < count; i++)
    values[i] = NAN;
}

/* What the values are at (y,x) + e (dy,dx): r and z1 one after the other. */
enum { max_outputs = max_stages + max_dim };

typedef struct {
  const sw_stage_plan *plan;
  double h;
  int dim;
  int stages;
  double y[max_dim];
  double x[max_stages];
  double DY[max_dim * directions];
  double DX[max_stages * directions];
} point;

static void outputs_at(const point *at, const sw_system *system, double e, int j, double out[])
{
  bench b;
  double y[max_dim];
  double x[max_stages];

  bench_init(&b, system, at->plan);
  for (int i = 0; i < at->dim; i++)
    y[i] = at->y[i] + e * at->DY[i * directions + j];
  for (int i = 0; i < at->stages; i++)
    x[i] = at->x[i] + e * at->DX[i * directions + j];
  sw_stages_values(&b.stages, at->h, y, x, out, out + at->stages);
}

/* The derivative in direction j, by central differences of fourth order: for the polynomials of the
 * fixtures, of which the stages make others of higher degree, it is exact but for round-off and
 * e^4. */
static void differences(const point *at, const sw_system *system, int j, double out[])
{
  const double e = 1.0 / 256.0;
  const int count = at->stages + at->dim;
  double f[4][max_outputs];

  outputs_at(at, system, 2.0 * e, j, f[0]);
  outputs_at(at, system, e, j, f[1]);
  outputs_at(at, system, -e, j, f[2]);
  outputs_at(at, system, -2.0 * e, j, f[3]);
  for (int i = 0; i < count; i++)
    out[i] = (8.0 * (f[1][i] - f[2][i]) - (f[0][i] - f[3][i])) / (12.0 * e);
}

static void check_tangent(const char *base, const sw_system *system, uint64_t *seed)
{
  sw_stage_plan plan;
  double DR[max_stages * directions];
  double DZ[max_dim * directions];
  double expected[max_outputs];
  double r[max_stages];
  double z1[max_dim];
  bench b;

  sw_stage_plan_make(sw_base_tableau(base), system->model->structure.separable, &plan);
  point at = {.plan = &plan, .h = 0.3, .dim = 2 * system->nq, .stages = plan.blocks * system->nq};
  assert_true(at.stages <= max_stages);
  fill_uniform(seed, max_dim, at.y);
  fill_uniform(seed, max_stages, at.x);
  fill_uniform(seed, max_dim * directions, at.DY);
  fill_uniform(seed, max_stages * directions, at.DX);
  fill_nan(max_stages * directions, DR);
  fill_nan(max_dim * directions, DZ);
  bench_init(&b, system, &plan);
  sw_stages_values(&b.stages, at.h, at.y, at.x, r, z1);
  sw_stages_directions(&b.stages, at.h, directions, 0, at.DY, NULL, at.DX, DR, DZ);
  for (int j = 0; j < directions; j++) {
    differences(&at, system, j, expected);
    for (int i = 0; i < at.stages; i++)
      assert_near(DR[i * directions + j], expected[i], 1e-12);
    for (int i = 0; i < at.dim; i++)
      assert_near(DZ[i * directions + j], expected[at.stages + i], 1e-12);
  }
}

static void tangents_are_exact(void **state)
{
  uint64_t seed = 1;

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++)
    for (int j = 0; j < model_count; j++) {
      sw_system *system = NULL;

      assert_int_equal(sw_system_create(models[j], 0, NULL, &system, NULL), SW_OK);
      for (int repeat = 0; repeat < 3; repeat++)
        check_tangent(*base, system, &seed);
      sw_system_free(&system);
    }
}

/* A model with the same H and without constraints. */
static sw_model unconstrained(const sw_model *model)
{
  sw_model copy = *model;

  copy.n_constraints = 0;
  return copy;
}

static void flow(const sw_model *model, const char *base, double h, long steps, double z[])
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.base = base;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_run(sim, h, steps, NULL, NULL), SW_OK);
  memcpy(z, sw_sim_state(sim), 2 * (size_t)model->n_coordinates * sizeof *z);
  sw_sim_free(&sim);
}

static double distance(const double a[], const double b[], int count)
{
  double sum = 0.0;

  for (int i = 0; i < count; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static void start_of(const sw_model *model, double z[])
{
  model->init[0].state(NULL, sw_fixture_defaults(model), z);
}

/* Self-convergence: halving h divides the change of the result by 2^order.  For high orders the
 * steps are larger, so that the changes stay above round-off. */
static void check_order(const sw_model *model, const char *base)
{
  double z[4][max_dim];
  double slope;
  int order;
  int symmetric;

  assert_int_equal(sw_base_info(base, &order, &symmetric), SW_OK);
  const long steps = order > 4 ? 5 : 50;
  for (int i = 1; i < 4; i++) {
    start_of(model, z[i]);
    flow(model, base, 1.0 / (double)(steps << i), steps << i, z[i]);
  }
  slope = log2(distance(z[1], z[2], 2 * model->n_coordinates) /
               distance(z[2], z[3], 2 * model->n_coordinates));
  assert_near(slope, (double)order, 0.03);
}

static void orders_are_as_stated(void **state)
{
  const sw_model separable = unconstrained(&sw_fixture_two);
  const sw_model general = unconstrained(&sw_fixture_spherical);

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    check_order(&separable, *base);
    check_order(&general, *base);
  }
}

/* phi_{-h} o phi_h is the identity for the symmetric ones, and only for these. */
static void symmetry_is_as_stated(void **state)
{
  const sw_model general = unconstrained(&sw_fixture_spherical);

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    double z[max_dim];
    double z0[max_dim];
    double defect;
    int order;
    int symmetric;

    assert_int_equal(sw_base_info(*base, &order, &symmetric), SW_OK);
    start_of(&general, z0);
    start_of(&general, z);
    flow(&general, *base, 0.1, 1, z);
    flow(&general, *base, -0.1, 1, z);
    defect = distance(z, z0, max_dim);
    if (symmetric)
      assert_below(defect, 1e-14);
    else
      assert_true(defect > (order == 1 ? 1e-2 : order == 2 ? 1e-5 : 1e-9));
  }
}

/* euler-b is the adjoint of euler-a: each undoes the other's step back. */
static void the_euler_methods_are_adjoint(void **state)
{
  const sw_model general = unconstrained(&sw_fixture_spherical);
  double z[max_dim];
  double z0[max_dim];

  (void)state;
  start_of(&general, z0);
  start_of(&general, z);
  flow(&general, "euler-a", 0.1, 1, z);
  flow(&general, "euler-b", -0.1, 1, z);
  assert_all_near(z, z0, max_dim, 1e-14);
}

static void names_and_information_agree(void **state)
{
  const char *const *names = sw_base_names();
  int order = 0;
  int symmetric = -1;
  int count = 0;

  (void)state;
  for (; names[count]; count++)
    assert_int_equal(sw_base_info(names[count], &order, &symmetric), SW_OK);
  assert_int_equal(count, 13);
  assert_int_equal(sw_base_info("leapfrog", &order, &symmetric), SW_ERR_OPTION);
  assert_int_equal(sw_base_info(NULL, &order, &symmetric), SW_ERR_OPTION);
}

/* A free particle moves on a straight line, whatever the method; each of its 8 steps adds up to 3
 * slopes. */
static void free_particles_are_free(void **state)
{
  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    const double expected[4] = {1.0 + 0.5, 2.0 - 0.25, 0.5, -0.25};
    double z[4];

    start_of(&sw_fixture_free, z);
    flow(&sw_fixture_free, *base, 0.125, 8, z);
    assert_all_near(z, expected, 4, 8 * 3 * 1.2e-16);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangents_are_exact),
      cmocka_unit_test(orders_are_as_stated),
      cmocka_unit_test(symmetry_is_as_stated),
      cmocka_unit_test(the_euler_methods_are_adjoint),
      cmocka_unit_test(names_and_information_agree),
      cmocka_unit_test(free_particles_are_free),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
