/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_holonomic_newton.c -- the search of step/holonomic.h has the iterates of solver.h,
 * bit for bit, until it stops or gives up.
 *
 * From random states near those of the shipped models, with steps from small ones to ones that are
 * far too large: iterates, where they end, residuals, signs of determinants, weights, positions and
 * g.  Which of them it leaves is for solver.h to refuse or to solve; none may be taken that
 * solver.h refuses.
 */
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "near.h"
#include "shipped.h"
#include "sim/sim_internal.h"
#include "step/holonomic.h"

enum { states = 40 };

/* How often each has come out. */
typedef struct tally {
  int taken;
  int more; /* of them after several iterations */
  int none; /* of them at zero */
  int left;
  int refused; /* by solver.h */
} tally;

static void same(const sw_sim *sim, const char *what, size_t n, const double a[], const double b[])
{
  if (memcmp(a, b, n * sizeof *a) != 0) {
    fail_msg("%s: %s differs from that of solver.h", sim->system->model->name, what);
  }
}

/* From the state of the simulation; what the search finds first, then solver.h. */
static void compare(sw_sim *sim, double h, tally *count)
{
  sw_holonomic *s = &sim->work.holonomic;
  const size_t m = (size_t)sim->system->nc;
  const size_t d = (size_t)sim->system->nq;
  double *memory = calloc(8 * m + 2 * d, sizeof *memory);
  assert_non_null(memory);
  double *lambda = memory;
  double *u = memory + m;
  double *g = memory + 2 * m;
  double *q = memory + 7 * m;
  sw_holonomic_search search = {.solver = sim->work.solver[0],
                                .tolerance = sim->plan->options.tolerance,
                                .most_iterations = sim->plan->options.max_iterations,
                                .first = memory + 3 * m,
                                .change = memory + 4 * m,
                                .other = memory + 5 * m,
                                .weights = memory + 6 * m};
  const sw_problem problem = {sw_holonomic_residual, sw_holonomic_jacobian, s};
  sw_solve_report report = {0};

  sim->work.step =
      (sw_step){.z0 = sim->state.z, .h = h, .force = 1.0, .extent = sim->state.known.extent};
  sw_holonomic_forget(s);
  assert_true(sw_holonomic_begin(s));
  const int found = sw_holonomic_search_from_zero(s, &search, lambda);
  sw_copy(g, s->g->value, m);
  sw_copy(q, s->z1, d);
  const sw_status status = sw_solver_solve(sim->work.solver[0], &problem, u, &report);
  count->refused += status != SW_OK;
  count->left += !found;
  if (found) {
    assert_int_equal(status, SW_OK);
    same(sim, "lambda", m, lambda, u);
    same(sim, "g", m, g, s->g->value);
    same(sim, "q", d, q, s->z1);
    assert_int_equal(search.report.iterations, report.iterations);
    assert_true(search.report.residual == report.residual);
    const sw_root root = sw_solver_root(sim->work.solver[0]);
    assert_int_equal(search.root.sign, root.sign);
    assert_int_equal(search.root.first_sign, root.first_sign);
    if (report.iterations > 1) {
      same(sim, "the weights", m, search.root.weights, root.weights);
    }
    count->taken++;
    count->more += report.iterations > 1;
    count->none += report.iterations == 0;
  }
  free(memory);
}

/* On M, but for what the step has to bring back: a projected state with random momenta. */
static void move_state(sw_sim *sim, double size, uint64_t *seed)
{
  const int d = sim->system->nq;
  const double p = sw_nonzero_scale(sim->state.known.extent.p);

  for (int i = 0; i < d; i++) {
    sim->state.z[i] += size * sw_nonzero_scale(sim->state.known.extent.q) * sw_random(seed);
    sim->state.z[d + i] = p * sw_random(seed);
  }
  sim->state.known.extent = sw_sizes_of(sim->system, sim->state.z);
}

static void the_search_is_that_of_the_solver(void **state)
{
  uint64_t seed = 11;
  tally count = {0};

  (void)state;
  for (int i = 0; i < n_shipped; i++) {
    const shipped *of = &shipped_models[i];
    sw_options options;
    sw_sim *sim = NULL;
    sw_options_init(&options);
    options.base = "verlet";
    options.n_sizes = of->n_sizes;
    options.sizes = of->sizes;
    if (sw_sim_create(of->model, &options, &sim) == SW_OK && sim->plan->is_fast) {
      double *z = calloc(2 * (size_t)sim->system->nq, sizeof *z);
      assert_non_null(z);
      sw_copy(z, sim->state.z, 2 * (size_t)sim->system->nq);
      for (int n = 0; n < states; n++) {
        sw_copy(sim->state.z, z, 2 * (size_t)sim->system->nq);
        sim->state.known.extent = sw_sizes_of(sim->system, sim->state.z);
        move_state(sim, n % 4 == 0 ? 0.0 : 1e-3 * (n % 4), &seed);
        compare(sim, of->h * ldexp(1.0, n % 16 - 8), &count);
      }
      /* From rest and without a step to speak of. */
      sw_copy(sim->state.z, z, 2 * (size_t)sim->system->nq);
      sw_zero(sim->state.z + sim->system->nq, (size_t)sim->system->nq);
      sim->state.known.extent = sw_sizes_of(sim->system, sim->state.z);
      compare(sim, 1e-13 * of->h, &count);
      free(z);
    }
    sw_sim_free(&sim);
  }
  print_message("%d taken, %d after several iterations, %d at zero; %d left, %d refused\n",
                count.taken, count.more, count.none, count.left, count.refused);
  assert_true(count.more > 100 && count.none > 0 && count.left > 20 && count.refused > 10);
}

/* It gives up after as many iterations as solver.h may make. */
static void it_keeps_the_limit_of_iterations(void **state)
{
  sw_options options;
  sw_sim *sim = NULL;
  uint64_t seed = 3;
  tally count = {0};

  (void)state;
  sw_options_init(&options);
  options.base = "verlet";
  options.max_iterations = 1;
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &sim), SW_OK);
  for (int n = 0; n < states; n++) {
    move_state(sim, 0.0, &seed);
    compare(sim, 0.1, &count);
  }
  assert_int_equal(count.more, 0);
  assert_true(count.left > 0);
  sw_sim_free(&sim);
}

/* The pendulum's g as if it were rounded to some 1e-15 of its terms: a function of the bits of
 * q. */
static void rounded(const long n[], const double z[], const double k[], double out[])
{
  uint64_t bits[2];

  sw_model_pendulum.constraint(n, z, k, out);
  memcpy(bits, z, sizeof bits);
  bits[0] ^= bits[1] * UINT64_C(6364136223846793005);
  out[0] += 2e-15 * k[1] * k[1] * sw_random(&bits[0]);
}

/* Residuals that are round-off, and more than half a unit: the search goes on until they no longer
 * fall to less than the half, and not until they rise. */
static void it_ends_where_residuals_are_round_off(void **state)
{
  sw_model model = sw_model_pendulum;
  sw_options options;
  sw_sim *sim = NULL;
  uint64_t seed = 5;
  tally count = {0};

  (void)state;
  model.constraint = rounded;
  sw_options_init(&options);
  options.base = "verlet";
  assert_int_equal(sw_sim_create(&model, &options, &sim), SW_OK);
  double z[4];
  sw_copy(z, sim->state.z, 4);
  for (int n = 0; n < 10 * states; n++) {
    sw_copy(sim->state.z, z, 4);
    sim->state.known.extent = sw_sizes_of(sim->system, sim->state.z);
    move_state(sim, 0.0, &seed);
    compare(sim, 0.05, &count);
  }
  assert_int_equal(count.taken, 10 * states);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_search_is_that_of_the_solver),
      cmocka_unit_test(it_keeps_the_limit_of_iterations),
      cmocka_unit_test(it_ends_where_residuals_are_round_off),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
