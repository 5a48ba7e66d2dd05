/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_shared_steps.c -- threads that share the loops of one simulation's steps
 * (sw_options.threads): the same bits, messages and statistics for any number of them, also where a
 * step fails in the range of one of them.
 *
 * test_shared_steps_watched is this file and the runtime under ThreadSanitizer.
 */
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "common/shared_vectors.h"
#include "linear/envelope.h"
#include "linear/row_runs.h"
#include "near.h"
#include "sim/sim_internal.h"
#include "spin_chain.h"
#include "water_box.h"

/* One thread comes first.  Under ThreadSanitizer all is slow, and three threads meet as eight
 * do. */
#ifdef __SANITIZE_THREAD__
static const int numbers[] = {1, 3};
#else
static const int numbers[] = {1, 2, 3, 8};
#endif
enum { NUMBERS = sizeof numbers / sizeof *numbers, STEPS = 2 };

/* ---- steps ---- */

typedef struct setting {
  const sw_model *model;
  sw_size sizes[2];
  int n_sizes;
  const char *base;
  const char *compose;
  const char *redundant;
  double h;
} setting;

/* As many constraints as make several ranges. */
static const setting settings[] = {
    {&sw_model_chain, {{.name = "N", .value = 12000}}, 1, "verlet", "none", "error", 0.064 / 12000},
    {&sw_model_chain, {{.name = "N", .value = 9001}}, 1, "euler-a", "none", "error", 0.01 / 9001},
    {&sw_model_chain,
     {{.name = "N", .value = 9001}},
     1,
     "verlet",
     "triple-jump-4",
     "error",
     0.02 / 9001},
    {&sw_model_chain, {{.name = "N", .value = 9001}}, 1, "verlet", "none", "drop", 0.064 / 9001},
    {&sw_model_water_box,
     {{.name = "W", .value = 4000}, {.name = "forces", .value = 0}},
     2,
     "verlet",
     "none",
     "error",
     1e-3},
    {&sw_model_spin_chain, {{.name = "N", .value = 10000}}, 1, "verlet", "none", "error", 0.05},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static sw_sim *make(const setting *of, int threads)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.base = of->base;
  options.compose = of->compose;
  options.redundant = of->redundant;
  options.n_sizes = of->n_sizes;
  options.sizes = of->sizes;
  options.threads = threads;
  assert_int_equal(sw_sim_create(of->model, &options, &sim), SW_OK);
  return sim;
}

static void assert_same(sw_sim *one, sw_sim *other)
{
  const sw_stats a = sw_sim_stats(one);
  const sw_stats b = sw_sim_stats(other);

  assert_memory_equal(sw_sim_state(one), sw_sim_state(other),
                      2 * (size_t)sw_sim_nq(one) * sizeof(double));
  assert_memory_equal(sw_sim_impulses(one), sw_sim_impulses(other),
                      (size_t)sw_sim_nc(one) * sizeof(double));
  assert_string_equal(sw_sim_message(one), sw_sim_message(other));
  assert_memory_equal(&a, &b, sizeof a);
}

static void any_number_of_threads_takes_the_same_steps(void **state)
{
  (void)state;
  for (int i = 0; i < SETTINGS; i++) {
    const setting *of = &settings[i];
    sw_sim *one = make(of, 1);
    assert_int_equal(sw_sim_run(one, of->h, STEPS, NULL, NULL), SW_OK);
    for (int t = 1; t < NUMBERS; t++) {
      sw_sim *several = make(of, numbers[t]);
      assert_int_equal(sw_sim_run(several, of->h, STEPS, NULL, NULL), SW_OK);
      assert_same(one, several);
      sw_sim_free(&several);
    }
    sw_sim_free(&one);
  }
}

/* From half-way on, and in a simulation that is made like it. */
static void a_run_goes_on_with_other_threads(void **state)
{
  const setting *of = &settings[0];
  sw_sim *whole = make(of, 1);
  sw_sim *first = make(of, 3);
  sw_sim *second = NULL;

  (void)state;
  assert_int_equal(sw_sim_create_like(first, &second), SW_OK);
  assert_int_equal(sw_sim_run(whole, of->h, 2 * STEPS, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(first, of->h, STEPS, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_set_state(second, STEPS * of->h, sw_sim_state(first)), SW_OK);
  sw_sim_free(&first);
  assert_int_equal(sw_sim_run(second, of->h, STEPS, NULL, NULL), SW_OK);
  assert_memory_equal(sw_sim_state(whole), sw_sim_state(second),
                      2 * (size_t)sw_sim_nq(whole) * sizeof(double));
  sw_sim_free(&whole);
  sw_sim_free(&second);
}

/* What makes a step from the state of a chain fail, far inside of the range of some thread. */
typedef enum mistake { OFF_M, OFF_MH, NOT_FINITE, TOO_LARGE, FOLDED, MISTAKES } mistake;

static double spoil(mistake m, const setting *of, int nq, double z[])
{
  const size_t node = 10000;

  if (m == OFF_M) {
    z[3 * node] += 1e-3 / 12000;
  } else if (m == OFF_MH) {
    z[(size_t)nq + 3 * node + 2] += 1e-7;
  } else if (m == NOT_FINITE) {
    z[3 * node + 1] = NAN;
  } else if (m == FOLDED) {
    memcpy(z + 3 * node, z + 3 * (node - 1), 3 * sizeof *z);
  }
  return m == TOO_LARGE ? 1e3 : of->h;
}

static void a_step_fails_in_the_same_words(void **state)
{
  const setting *of = &settings[0];
  const size_t dim = 2 * 3 * 12000;
  double *z = calloc(dim, sizeof *z);

  (void)state;
  assert_non_null(z);
  for (int m = 0; m < MISTAKES; m++) {
    sw_sim *one = make(of, 1);
    memcpy(z, sw_sim_state(one), dim * sizeof *z);
    const double h = spoil((mistake)m, of, sw_sim_nq(one), z);
    const sw_status set = sw_sim_set_state(one, 0.0, z);
    const sw_status status = sw_sim_step(one, h);
    assert_true(set != SW_OK || status != SW_OK);
    for (int t = 1; t < NUMBERS; t++) {
      sw_sim *several = make(of, numbers[t]);
      assert_int_equal(sw_sim_set_state(several, 0.0, z), set);
      assert_int_equal(sw_sim_step(several, h), status);
      assert_same(one, several);
      sw_sim_free(&several);
    }
    sw_sim_free(&one);
  }
  free(z);
}

static void numbers_of_threads_have_bounds(void **state)
{
  sw_options options;
  sw_sim *sim = NULL;

  (void)state;
  sw_options_init(&options);
  options.threads = 0;
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &sim), SW_ERR_OPTION);
  options.threads = SW_THREADS_MOST + 1;
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &sim), SW_ERR_OPTION);
}

/* ---- functions in pieces ---- */

typedef void piece_caller(const sw_model *model, const long n[], long piece, long pieces,
                          const double z[], const double k[], double out[]);

static void call_constraint(const sw_model *model, const long n[], long piece, long pieces,
                            const double z[], const double k[], double out[])
{
  model->constraint_piece(n, piece, pieces, z, k, out);
}

static void call_scale(const sw_model *model, const long n[], long piece, long pieces,
                       const double z[], const double k[], double out[])
{
  model->constraint_scale_piece(n, piece, pieces, z, k, out);
}

static void call_jac(const sw_model *model, const long n[], long piece, long pieces,
                     const double z[], const double k[], double out[])
{
  model->constraint_jac_piece(n, piece, pieces, z, k, out);
}

static void call_along(const sw_model *model, const long n[], long piece, long pieces,
                       const double z[], const double k[], double out[])
{
  model->constraint_jac_along_piece(n, piece, pieces, z, k, z, out);
}

static void call_force(const sw_model *model, const long n[], long piece, long pieces,
                       const double z[], const double k[], double out[])
{
  model->hamiltonian_grad_q_piece(n, piece, pieces, z, k, out);
}

static void call_velocity(const sw_model *model, const long n[], long piece, long pieces,
                          const double z[], const double k[], double out[])
{
  model->hamiltonian_grad_p_piece(n, piece, pieces, z, k, out);
}

/* Each value is written by one piece, to the bits that the whole has. */
static void check_pieces(const sw_system *system, piece_caller *call, const double z[], int count)
{
  const sw_model *model = system->model;
  const long *n = sw_system_sizes(system);
  double *whole = calloc(3 * (size_t)count, sizeof *whole);
  double *part = whole + count;
  double *joined = part + count;

  assert_non_null(whole);
  call(model, n, 0, 1, z, system->k_default, whole);
  for (long pieces = 2; pieces < 40; pieces += 7) {
    for (int i = 0; i < count; i++) {
      joined[i] = NAN;
    }
    for (long piece = 0; piece < pieces; piece++) {
      for (int i = 0; i < count; i++) {
        part[i] = NAN;
      }
      call(model, n, piece, pieces, z, system->k_default, part);
      for (int i = 0; i < count; i++) {
        if (!isnan(part[i])) {
          assert_true(isnan(joined[i]));
          joined[i] = part[i];
        }
      }
    }
    assert_memory_equal(joined, whole, (size_t)count * sizeof *whole);
  }
  free(whole);
}

static void pieces_make_the_whole(void **state)
{
  static piece_caller *const callers[] = {call_constraint, call_scale, call_jac,
                                          call_along,      call_force, call_velocity};
  static const setting small[] = {
      {.model = &sw_model_chain, .sizes = {{.name = "N", .value = 23}}, .n_sizes = 1},
      {.model = &sw_model_water_box, .sizes = {{.name = "W", .value = 17}}, .n_sizes = 1},
      {.model = &sw_model_spin_chain, .sizes = {{.name = "N", .value = 11}}, .n_sizes = 1},
  };

  (void)state;
  for (size_t m = 0; m < sizeof small / sizeof *small; m++) {
    sw_system *system = NULL;
    assert_int_equal(sw_system_create(small[m].model, 1, small[m].sizes, &system, NULL), SW_OK);
    double *z = calloc(2 * (size_t)system->nq, sizeof *z);
    assert_non_null(z);
    for (int i = 0; i < 2 * system->nq; i++) {
      z[i] = sin(1.0 + 3.7 * i);
    }
    const long *n = sw_system_sizes(system);
    const int given = (int)system->model->constraint_jac.places.list(n, NULL, NULL);
    for (int c = 0; c < (system->model->hamiltonian_grad_q_piece ? 6 : 4); c++) {
      check_pieces(system, callers[c], z, c < 2 ? system->nc : c < 4 ? given : system->nq);
    }
    /* With what is left, and a bending energy that reaches over pieces. */
    double *k = calloc((size_t)system->nk, sizeof *k);
    double *whole = calloc(2 * (size_t)system->nq, sizeof *whole);
    assert_true(k && whole);
    memcpy(k, system->k_default, (size_t)system->nk * sizeof *k);
    if (system->model == &sw_model_chain) {
      k[system->nk - 3] = 0.3; /* kappa */
    }
    if (system->model->hamiltonian_grad_q_piece) {
      double *joined = whole + system->nq;
      system->model->hamiltonian_grad_q(n, z, k, whole);
      for (long piece = 0; piece < 5; piece++) {
        system->model->hamiltonian_grad_q_piece(n, piece, 5, z, k, joined);
      }
      if (system->model->hamiltonian_grad_q_rest) {
        system->model->hamiltonian_grad_q_rest(n, z, k, joined);
      }
      assert_memory_equal(joined, whole, (size_t)system->nq * sizeof *whole);
    }
    free(k);
    free(whole);
    free(z);
    sw_system_free(&system);
  }
}

/* ---- loops ---- */

static void count_up(void *context, size_t first, size_t end)
{
  int *seen = context;

  for (size_t i = first; i < end; i++) {
    seen[i]++;
  }
}

static double add_up(const void *context, size_t first, size_t end)
{
  const double *x = context;
  double sum = 0.0;

  for (size_t i = first; i < end; i++) {
    sum += x[i];
  }
  return sum;
}

static void ranges_are_all_of_a_loop(void **state)
{
  static const size_t lengths[] = {
      0, 1, SW_TEAM_GRAIN, 2 * SW_TEAM_GRAIN, 2 * SW_TEAM_GRAIN + 1, 2100000};
  sw_team *team = NULL;
  int *seen = calloc(2100000, sizeof *seen);
  double *x = calloc(2100000, sizeof *x);

  (void)state;
  assert_true(seen && x);
  assert_int_equal(sw_team_create(3, &team), SW_OK);
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    const size_t n = lengths[l];
    double alone[SW_TEAM_RANGES];
    double shared[SW_TEAM_RANGES];
    memset(seen, 0, n * sizeof *seen);
    sw_team_share(team, n, count_up, seen);
    for (size_t i = 0; i < n; i++) {
      assert_int_equal(seen[i], 1);
      x[i] = sin((double)i);
    }
    const int parts = sw_share_parts(NULL, n, add_up, x, alone);
    assert_int_equal(sw_share_parts(team, n, add_up, x, shared), parts);
    assert_memory_equal(alone, shared, (size_t)parts * sizeof *alone);
    if (n > 0) {
      x[n / 2] = -7.0;
      assert_true(sw_share_max_abs(team, n, x) == 7.0);
      x[n - 1] = NAN;
      assert_true(isnan(sw_share_max_abs(team, n, x)));
      assert_false(sw_share_is_zero(team, n, x));
    }
  }
  sw_team_free(&team);
  free(seen);
  free(x);
}

/* ---- large matrices ---- */

enum { UNKNOWNS = 30000 };

typedef struct matrix {
  sw_pattern pattern;
  int *row;
  int *col;
  double *values;
} matrix;

/* Tridiagonal, or blocks of three whose unknowns stand far apart, as those of many molecules. */
static matrix make_matrix(int blocks)
{
  const int third = UNKNOWNS / 3;
  matrix A = {.row = calloc(3 * UNKNOWNS, sizeof *A.row),
              .col = calloc(3 * UNKNOWNS, sizeof *A.col),
              .values = calloc(3 * UNKNOWNS, sizeof *A.values)};
  int n = 0;

  assert_true(A.row && A.col && A.values);
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int t = 0; t < 3; t++) {
      const int j = blocks ? i % third + t * third : i + t - 1;
      if (j >= 0 && j < UNKNOWNS) {
        A.row[n] = i;
        A.col[n] = j;
        A.values[n++] = i == j ? 2.5 + sin(0.1 * i) : cos(0.3 * i + t);
      }
    }
  }
  A.pattern = (sw_pattern){UNKNOWNS, UNKNOWNS, n, A.row, A.col};
  return A;
}

static void drop_matrix(matrix *A)
{
  free(A->row);
  free(A->col);
  free(A->values);
}

/* The largest |A x - b|. */
static double residual(const matrix *A, const double x[], const double b[])
{
  double *r = calloc(UNKNOWNS, sizeof *r);
  double largest;

  assert_non_null(r);
  for (int e = 0; e < A->pattern.entries; e++) {
    r[A->row[e]] += A->values[e] * x[A->col[e]];
  }
  largest = sw_distance(UNKNOWNS, r, b);
  free(r);
  return largest;
}

static int entry_at(const matrix *A, int i, int j)
{
  int e = 0;

  while (A->row[e] != i || A->col[e] != j) {
    e++;
  }
  return e;
}

static void parts_of_a_matrix_are_solved_alike(void **state)
{
  (void)state;
  for (int blocks = 0; blocks < 2; blocks++) {
    matrix A = make_matrix(blocks);
    double *b = calloc(3 * (size_t)UNKNOWNS, sizeof *b);
    double *x = b + UNKNOWNS;
    double *y = x + UNKNOWNS;
    sw_envelope *alone = NULL;
    sw_envelope *shared = NULL;
    sw_team *team = NULL;
    assert_non_null(b);
    assert_int_equal(sw_team_create(3, &team), SW_OK);
    assert_int_equal(sw_envelope_create(&A.pattern, &alone), SW_OK);
    assert_int_equal(sw_envelope_create(&A.pattern, &shared), SW_OK);
    assert_true(alone && shared);
    sw_envelope_share(shared, team);
    for (int i = 0; i < UNKNOWNS; i++) {
      b[i] = x[i] = y[i] = sin(2.0 * i);
    }
    assert_int_equal(sw_envelope_factor(alone, A.values, NULL), 0);
    assert_int_equal(sw_envelope_factor(shared, A.values, NULL), 0);
    sw_envelope_solve(alone, x);
    sw_envelope_solve(shared, y);
    assert_memory_equal(x, y, UNKNOWNS * sizeof *x);
    assert_below(residual(&A, x, b), 2e-13);
    const int sign = sw_envelope_sign(alone);
    assert_int_equal(sw_envelope_sign(shared), sign);
    /* A row times -1, also of the border, which is in the middle. */
    static const int turned[] = {7, UNKNOWNS / 2, UNKNOWNS - 3};
    for (int t = 0; t < 3; t++) {
      for (int e = 0; e < A.pattern.entries; e++) {
        A.values[e] *= A.row[e] == turned[t] ? -1.0 : 1.0;
      }
      assert_int_equal(sw_envelope_factor(shared, A.values, NULL), 0);
      assert_int_equal(sw_envelope_sign(shared), t % 2 ? sign : -sign);
    }
    /* A row of zeros in one part, and in the border. */
    static const int gone[] = {20000, UNKNOWNS / 2};
    for (int t = 0; t < 2; t++) {
      matrix B = make_matrix(blocks);
      for (int e = 0; e < B.pattern.entries; e++) {
        B.values[e] *= B.row[e] == gone[t] ? 0.0 : 1.0;
      }
      assert_int_equal(sw_envelope_factor(alone, B.values, NULL), 1);
      assert_int_equal(sw_envelope_factor(shared, B.values, NULL), 1);
      B.values[entry_at(&B, gone[t], gone[t])] = NAN;
      assert_int_equal(sw_envelope_factor(shared, B.values, NULL), 1);
      drop_matrix(&B);
    }
    sw_envelope_free(alone);
    sw_envelope_free(shared);
    sw_team_free(&team);
    free(b);
    drop_matrix(&A);
  }
}

/* Columns by ranges of any length, against rows: the same sums in the same order. */
static void columns_are_summed_in_the_order_of_rows(void **state)
{
  enum { rows = 300, cols = 40 };
  static int row[6 * rows];
  static int col[6 * rows];
  double a[6 * rows];
  double x[rows];
  double by_rows[cols];
  double by_columns[cols];
  sw_runs runs;
  int n = 0;

  (void)state;
  for (int i = 0; i < rows; i++) {
    const int from = i / 100 * 3 + i % 100 / 4; /* three families along the same coordinates */
    const int gap = i >= 100 && i < 200 ? 2 : 0;
    for (int t = 0; t < 6; t++) {
      row[n] = i;
      col[n] = from + t + (t > 2 ? gap : 0);
      a[n] = sin(1.0 + n);
      n++;
    }
    x[i] = cos(3.0 * i);
  }
  const sw_pattern A = {rows, cols, n, row, col};
  assert_int_equal(sw_runs_create(&A, &runs), SW_OK);
  assert_true(sw_runs_rise(&runs));
  memset(by_rows, 0, sizeof by_rows);
  SW_ALONG_ROWS(&runs, 0, rows, sw_add_rows, col, a, -0.7, x, by_rows)
  for (int length = 1; length <= cols; length++) {
    memset(by_columns, 0, sizeof by_columns);
    for (int first = 0; first < cols; first += length) {
      const int end = first + length < cols ? first + length : cols;
      sw_add_columns(&runs, col, a, -0.7, x, first, end, by_columns);
    }
    assert_memory_equal(by_columns, by_rows, sizeof by_rows);
  }
  sw_runs_free(&runs);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_number_of_threads_takes_the_same_steps),
      cmocka_unit_test(a_run_goes_on_with_other_threads),
      cmocka_unit_test(a_step_fails_in_the_same_words),
      cmocka_unit_test(numbers_of_threads_have_bounds),
      cmocka_unit_test(pieces_make_the_whole),
      cmocka_unit_test(ranges_are_all_of_a_loop),
      cmocka_unit_test(parts_of_a_matrix_are_solved_alike),
      cmocka_unit_test(columns_are_summed_in_the_order_of_rows),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
