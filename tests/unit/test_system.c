/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_system.c -- systems of looped models: every function against dense formulas and against
 * differences.
 *
 * Derivatives are compared in all entries, also in those outside of their patterns.  Differences
 * are central, of fourth order, with steps of 1/256: what they leave is below 1e-8.
 */
#include <string.h>

#include "fixtures.h"
#include "loops.h"
#include "model/system.h"
#include "near.h"

enum { max_dim = 40, max_m = 20, max_entries = 800 };

static const double difference_tolerance = 2e-8;

typedef struct {
  const sw_model *model;
  sw_size sizes[2];
  int n_sizes;
} sample;

static const sample samples[] = {
    {&sw_fixture_loops_chain, {{.name = "N", .value = 2}}, 1},
    {&sw_fixture_loops_chain, {{.name = "N", .value = 5}}, 1},
    {&sw_fixture_loops_spins, {{.name = "N", .value = 2}, {.name = "M", .value = 2}}, 2},
    {&sw_fixture_loops_spins, {{.name = "N", .value = 5}, {.name = "M", .value = 4}}, 2},
    /* Without beads the shifts are absent; with two, the filter of `spin` selects one. */
    {&sw_fixture_loops_spins, {{.name = "N", .value = 2}, {.name = "M", .value = 0}}, 2},
    {&sw_fixture_loops_spins, {{.name = "N", .value = 1}, {.name = "M", .value = 1}}, 2},
};

enum { sample_count = sizeof samples / sizeof samples[0] };

/* A system, and a point at which it is looked at. */
typedef struct {
  sw_system *made;
  sw_system s; /* a copy */
  double z[max_dim];
  double lambda[max_m];
} fixture;

static void open_sample(const sample *with, fixture *f)
{
  char message[SW_SYSTEM_MESSAGE] = "";
  uint64_t seed = 7;

  memset(f, 0, sizeof *f);
  if (sw_system_create(with->model, with->n_sizes, with->sizes, &f->made, message) != SW_OK) {
    fail_msg("%s", message);
  }
  f->s = *f->made;
  assert_in_range(f->s.nq, 1, max_dim / 2);
  assert_in_range(f->s.nc, 1, max_m);
  for (int i = 0; i < max_dim + max_m; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    *(i < max_dim ? &f->z[i] : &f->lambda[i - max_dim]) = (double)(seed >> 11) * 0x1p-53 - 0.3;
  }
}

/* The whole of a matrix with a pattern, after a check that the pattern is sorted. */
static void dense(const sw_pattern *pattern, const double values[], int symmetric,
                  double out[max_dim][max_dim])
{
  memset(out, 0, sizeof(double[max_dim][max_dim]));
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    assert_in_range(i, 0, pattern->rows - 1);
    assert_in_range(j, 0, pattern->cols - 1);
    if (e > 0) {
      assert_true(pattern->row[e - 1] < i || (pattern->row[e - 1] == i && pattern->col[e - 1] < j));
    }
    assert_true(!symmetric || i >= j);
    out[i][j] = values[e];
    if (symmetric) {
      out[j][i] = values[e];
    }
  }
}

static double scratch[max_entries];

/* Values that nobody has written show as NaN, and writing beyond the end too. */
static double *fresh(int entries)
{
  assert_true(entries < max_entries);
  for (int i = 0; i < max_entries; i++) {
    scratch[i] = NAN;
  }
  return scratch;
}

static void written(int entries)
{
  for (int i = 0; i < max_entries; i++) {
    assert_int_equal(isnan(scratch[i]) != 0, i >= entries);
  }
}

typedef enum { AT_Z, AT_LAMBDA } variable;

static void call(const fixture *f, const double z[], sw_system_function *function,
                 const sw_pattern *pattern, int symmetric, double out[max_dim][max_dim])
{
  function(&f->s, z, f->s.k_default, fresh(pattern->entries));
  written(pattern->entries);
  dense(pattern, scratch, symmetric, out);
}

static void call_lambda(const fixture *f, const double z[], const double lambda[],
                        sw_system_lambda_function *function, const sw_pattern *pattern,
                        int symmetric, double out[max_dim][max_dim])
{
  function(&f->s, z, f->s.k_default, lambda, fresh(pattern->entries));
  written(pattern->entries);
  dense(pattern, scratch, symmetric, out);
}

/* Functions of (z, lambda) to take differences of; `rows` values each. */
typedef void member(const fixture *f, const double z[], const double lambda[], double out[]);

static void value_of_h(const fixture *f, const double z[], const double lambda[], double out[])
{
  (void)lambda;
  f->s.hamiltonian(&f->s, z, f->s.k_default, out);
}

static void value_of_grad_h(const fixture *f, const double z[], const double lambda[], double out[])
{
  (void)lambda;
  f->s.hamiltonian_grad(&f->s, z, f->s.k_default, out);
}

static void value_of_g(const fixture *f, const double z[], const double lambda[], double out[])
{
  (void)lambda;
  f->s.constraint(&f->s, z, f->s.k_default, out);
}

static void value_of_rho(const fixture *f, const double z[], const double lambda[], double out[])
{
  (void)lambda;
  f->s.hidden(&f->s, z, f->s.k_default, out);
}

/* Dg^T lambda, by the dense matrix. */
static void value_of_lambda_dg(const fixture *f, const double z[], const double lambda[],
                               double out[])
{
  double jac[max_dim][max_dim];

  call(f, z, f->s.constraint_jac, &f->s.constraint_jac_pattern, 0, jac);
  for (int j = 0; j < 2 * f->s.nq; j++) {
    out[j] = 0.0;
    for (int i = 0; i < f->s.nc; i++) {
      out[j] += lambda[i] * jac[i][j];
    }
  }
}

static void value_of_flow(const fixture *f, const double z[], const double lambda[], double out[])
{
  f->s.fibre_flow(&f->s, z, f->s.k_default, lambda, out);
}

static void check_derivative(const fixture *f, member *function, variable of, int rows, int cols,
                             double derivative[max_dim][max_dim])
{
  const double h = 1.0 / 256.0;
  static const double at[] = {2.0, 1.0, -1.0, -2.0};
  double v[4][max_dim];

  for (int j = 0; j < cols; j++) {
    for (int s = 0; s < 4; s++) {
      double z[max_dim];
      double lambda[max_m];
      memcpy(z, f->z, sizeof z);
      memcpy(lambda, f->lambda, sizeof lambda);
      *(of == AT_Z ? &z[j] : &lambda[j]) += at[s] * h;
      function(f, z, lambda, v[s]);
    }
    for (int i = 0; i < rows; i++) {
      const double difference = (8.0 * (v[1][i] - v[2][i]) - (v[0][i] - v[3][i])) / (12.0 * h);
      assert_near(derivative[i][j], difference, difference_tolerance);
    }
  }
}

/* a J b */
static double bracket(int d, const double a[], const double b[])
{
  double sum = 0.0;

  for (int i = 0; i < d; i++) {
    sum += a[i] * b[d + i] - a[d + i] * b[i];
  }
  return sum;
}

static void derivatives_are_those_of_differences(void **state)
{
  (void)state;
  for (int i = 0; i < sample_count; i++) {
    double A[max_dim][max_dim];
    fixture f;

    open_sample(&samples[i], &f);
    const sw_system *s = &f.s;
    const int dim = 2 * s->nq;
    s->hamiltonian_grad(s, f.z, s->k_default, A[0]);
    check_derivative(&f, value_of_h, AT_Z, 1, dim, A);
    call(&f, f.z, s->hamiltonian_hess, &s->hamiltonian_hess_pattern, 1, A);
    check_derivative(&f, value_of_grad_h, AT_Z, dim, dim, A);
    call(&f, f.z, s->constraint_jac, &s->constraint_jac_pattern, 0, A);
    check_derivative(&f, value_of_g, AT_Z, s->nc, dim, A);
    call_lambda(&f, f.z, f.lambda, s->constraint_hess, &s->constraint_hess_pattern, 1, A);
    check_derivative(&f, value_of_lambda_dg, AT_Z, dim, dim, A);
    call(&f, f.z, s->hidden_jac, &s->hidden_jac_pattern, 0, A);
    check_derivative(&f, value_of_rho, AT_Z, s->nc, dim, A);
    call_lambda(&f, f.z, f.lambda, s->fibre_flow_lambda, &s->fibre_flow_lambda_pattern, 0, A);
    check_derivative(&f, value_of_flow, AT_LAMBDA, dim, s->nc, A);
    call_lambda(&f, f.z, f.lambda, s->fibre_flow_z, &s->fibre_flow_z_pattern, 0, A);
    check_derivative(&f, value_of_flow, AT_Z, dim, dim, A);
    sw_system_free(&f.made);
  }
}

static void brackets_are_those_of_gradients(void **state)
{
  (void)state;
  for (int i = 0; i < sample_count; i++) {
    double Dg[max_dim][max_dim];
    double Drho[max_dim][max_dim];
    double A[max_dim][max_dim];
    double gradient[max_dim];
    double rho[max_m];
    double scale[max_m];
    fixture f;

    open_sample(&samples[i], &f);
    const sw_system *s = &f.s;
    const int d = s->nq;
    call(&f, f.z, s->constraint_jac, &s->constraint_jac_pattern, 0, Dg);
    call(&f, f.z, s->hidden_jac, &s->hidden_jac_pattern, 0, Drho);
    s->hamiltonian_grad(s, f.z, s->k_default, gradient);
    s->hidden(s, f.z, s->k_default, rho);
    s->hidden_scale(s, f.z, s->k_default, scale);
    for (int a = 0; a < s->nc; a++) {
      double sum = 0.0;
      for (int j = 0; j < d; j++) {
        sum += fabs(Dg[a][j] * gradient[d + j]) + fabs(Dg[a][d + j] * gradient[j]);
      }
      assert_near(rho[a], bracket(d, Dg[a], gradient), 1e-13);
      assert_near(scale[a], sum, 1e-13);
    }
    call(&f, f.z, s->nondegeneracy, &s->nondegeneracy_pattern, 0, A);
    for (int a = 0; a < s->nc; a++) {
      for (int b = 0; b < s->nc; b++) {
        assert_near(A[a][b], bracket(d, Drho[a], Dg[b]), 1e-12);
        assert_near(bracket(d, Dg[a], Dg[b]), 0.0, 1e-13);
      }
    }
    /* All commute, structurally. */
    assert_int_equal(s->coisotropy_pattern.rows, s->nc);
    assert_int_equal(s->coisotropy_pattern.cols, s->nc);
    assert_int_equal(s->coisotropy_pattern.entries, 0);
    s->coisotropy(s, f.z, s->k_default, fresh(0));
    written(0);
    sw_system_free(&f.made);
  }
}

/* Where two constraints share a degree of freedom after all, C shows it: the spheres act on q and
 * p, and each of two tracks is made a function of the q of a site. */
static long shared_contributions(const long n[], int row[], int col[])
{
  const long count = sw_fixture_loops_spins.constraint_jac.places.list(n, row, col);

  if (row) {
    col[0] = 0;
    col[2] = 2;
  }
  return count;
}

static void second_class_pairs_show(void **state)
{
  sw_model model = sw_fixture_loops_spins;
  const sample with = {&model, {{.name = "N", .value = 2}, {.name = "M", .value = 3}}, 2};
  double Dg[max_dim][max_dim];
  double C[max_dim][max_dim];
  double largest = 0.0;
  fixture f;

  (void)state;
  model.constraint_jac.places.list = shared_contributions;
  open_sample(&with, &f);
  call(&f, f.z, f.s.constraint_jac, &f.s.constraint_jac_pattern, 0, Dg);
  call(&f, f.z, f.s.coisotropy, &f.s.coisotropy_pattern, 0, C);
  assert_int_equal(f.s.coisotropy_pattern.entries, 4);
  for (int a = 0; a < f.s.nc; a++) {
    for (int b = 0; b < f.s.nc; b++) {
      assert_near(C[a][b], bracket(f.s.nq, Dg[a], Dg[b]), 1e-14);
      largest = fmax(largest, fabs(C[a][b]));
    }
  }
  assert_true(largest > 0.01);
  sw_system_free(&f.made);
}

static int along_calls;

static void count_along(const long n[], const double z[], const double k[], const double v[],
                        double out[])
{
  along_calls++;
  sw_fixture_loops_chain.constraint_jac_along(n, z, k, v, out);
}

/* N of constraints on q alone needs H_pp, and nothing of the second derivatives of g. */
static void what_N_does_not_need_is_not_evaluated(void **state)
{
  sw_model model = sw_fixture_loops_chain;
  const sample with = {&model, {{.name = "N", .value = 5}}, 1};
  fixture f;

  (void)state;
  model.constraint_jac_along = count_along;
  open_sample(&with, &f);
  along_calls = 0;
  f.s.nondegeneracy(&f.s, f.z, f.s.k_default, fresh(f.s.nondegeneracy_pattern.entries));
  assert_int_equal(along_calls, 0);
  f.s.hidden_jac(&f.s, f.z, f.s.k_default, fresh(f.s.hidden_jac_pattern.entries));
  assert_int_equal(along_calls, 1);
  sw_system_free(&f.made);
}

/* zdot = sum_i lambda_i X_{g_i} for a time of 1, by 400 steps of RK4. */
static void slide(const fixture *f, double z[])
{
  enum { steps = 400 };
  static const double weights[] = {1.0, 2.0, 2.0, 1.0};
  static const double next[] = {0.5, 0.5, 1.0, 0.0};
  const int d = f->s.nq;

  for (int step = 0; step < steps; step++) {
    double at[max_dim];
    double sum[max_dim] = {0.0};
    memcpy(at, z, sizeof at);
    for (int stage = 0; stage < 4; stage++) {
      double gradient[max_dim];
      double v[max_dim];
      value_of_lambda_dg(f, at, f->lambda, gradient);
      for (int i = 0; i < d; i++) {
        v[i] = gradient[d + i];
        v[d + i] = -gradient[i];
      }
      for (int i = 0; i < 2 * d; i++) {
        sum[i] += weights[stage] * v[i] / (6.0 * steps);
        at[i] = z[i] + next[stage] * v[i] / steps;
      }
    }
    for (int i = 0; i < 2 * d; i++) {
      z[i] += sum[i];
    }
  }
}

static void fibre_flows_are_flows(void **state)
{
  (void)state;
  for (int i = 0; i < sample_count; i++) {
    double expected[max_dim];
    fixture f;

    open_sample(&samples[i], &f);
    memcpy(expected, f.z, sizeof expected);
    slide(&f, expected);
    value_of_flow(&f, f.z, f.lambda, fresh(2 * f.s.nq));
    written(2 * f.s.nq);
    assert_all_near(scratch, expected, 2 * f.s.nq, 1e-10);
    sw_system_free(&f.made);
  }
}

static void outputs_are_passed_on(void **state)
{
  double out[max_m];
  double energy;
  fixture f;

  (void)state;
  open_sample(&samples[1], &f);
  assert_int_equal(f.s.n_observe, 4);
  assert_int_equal(f.s.n_invariant, 1);
  f.s.observe(&f.s, f.z, f.s.k_default, f.lambda, out);
  assert_all_near(out, f.lambda + 3, 4, 0.0);
  f.s.invariant(&f.s, f.z, f.s.k_default, out);
  f.s.hamiltonian(&f.s, f.z, f.s.k_default, &energy);
  assert_near(out[0], energy, 0.0);
  f.s.constraint_scale(&f.s, f.z, f.s.k_default, fresh(f.s.nc));
  written(f.s.nc);
  sw_system_free(&f.made);
  open_sample(&samples[2], &f);
  assert_null(f.s.observe);
  assert_null(f.s.invariant);
  sw_system_free(&f.made);
}

/* ---- what a model may leave out ---- */

static int jac_entries;

/* The rod of the pendulum, the sphere: Dg is 2 q. */
static void twice_v(const long n[], const double z[], const double k[], const double v[],
                    double out[])
{
  (void)n;
  (void)z;
  (void)k;
  for (int i = 0; i < jac_entries; i++) {
    out[i] = 2.0 * v[i];
  }
}

static void same_matrix(const sw_system *a, const sw_system *b, const sw_pattern *pattern_a,
                        const sw_pattern *pattern_b, const double values_a[],
                        const double values_b[])
{
  double A[max_dim][max_dim];
  double B[max_dim][max_dim];

  dense(pattern_a, values_a, 0, A);
  dense(pattern_b, values_b, 0, B);
  for (int i = 0; i < 2 * a->nq; i++) {
    assert_all_near(A[i], B[i], 2 * b->nq, 1e-13);
  }
}

#define SAME(function, of)                                                                         \
  do {                                                                                             \
    double a_[max_entries] = {0.0};                                                                \
    double b_[max_entries] = {0.0};                                                                \
    a->function of(a, a_);                                                                         \
    b->function of(b, b_);                                                                         \
    same_matrix(a, b, &a->function##_pattern, &b->function##_pattern, a_, b_);                     \
  } while (0)
#define AT_POINT(s, out)   (s, z, s->k_default, out)
#define AT_LAMBDA_(s, out) (s, z, s->k_default, lambda, out)

static void same_systems(const sw_system *a, const sw_system *b)
{
  const double z[6] = {0.3, -0.7, 0.4, 0.2, 0.9, -0.5};
  const double lambda[1] = {0.6};
  double x[6];
  double y[6];

  a->hidden(a, z, a->k_default, x);
  b->hidden(b, z, b->k_default, y);
  assert_all_near(x, y, 1, 1e-13);
  a->hidden_scale(a, z, a->k_default, x);
  b->hidden_scale(b, z, b->k_default, y);
  assert_true(x[0] > 0.1 && y[0] > 0.1 && x[0] < 10.0 * y[0] && y[0] < 10.0 * x[0]);
  a->fibre_flow(a, z, a->k_default, lambda, x);
  b->fibre_flow(b, z, b->k_default, lambda, y);
  assert_all_near(x, y, 2 * a->nq, 1e-13);
  SAME(hidden_jac, AT_POINT);
  SAME(coisotropy, AT_POINT);
  SAME(nondegeneracy, AT_POINT);
  SAME(fibre_flow_lambda, AT_LAMBDA_);
  SAME(fibre_flow_z, AT_LAMBDA_);
}

/* Whatever of its formulas a model leaves out, the system is the same. */
static void formulas_are_optional(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_spherical};

  (void)state;
  for (int i = 0; i < 2; i++) {
    sw_system *whole = NULL;
    jac_entries = models[i]->constraint_jac.places.n;
    assert_int_equal(sw_system_create(models[i], 0, NULL, &whole, NULL), SW_OK);
    for (unsigned left_out = 0; left_out < 64; left_out++) {
      sw_model model = *models[i];
      sw_system *part = NULL;
      model.constraint_jac_along = twice_v;
      model.hidden = left_out & 1 ? NULL : model.hidden;
      model.hidden_scale = left_out & 2 ? NULL : model.hidden_scale;
      model.hidden_jac.values = left_out & 4 ? NULL : model.hidden_jac.values;
      model.coisotropy.values = left_out & 8 ? NULL : model.coisotropy.values;
      model.nondegeneracy.values = left_out & 16 ? NULL : model.nondegeneracy.values;
      if (left_out & 32) {
        model.fibre_flow = NULL;
        model.fibre_flow_lambda.values = model.fibre_flow_z.values = NULL;
      }
      assert_int_equal(sw_system_create(&model, 0, NULL, &part, NULL), SW_OK);
      assert_null(part->fibre);
      same_systems(whole, part);
      sw_system_free(&part);
    }
    sw_system_free(&whole);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(brackets_are_those_of_gradients),
      cmocka_unit_test(second_class_pairs_show),
      cmocka_unit_test(what_N_does_not_need_is_not_evaluated),
      cmocka_unit_test(fibre_flows_are_flows),
      cmocka_unit_test(outputs_are_passed_on),
      cmocka_unit_test(formulas_are_optional),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
