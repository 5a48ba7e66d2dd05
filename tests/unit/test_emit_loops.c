/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_emit_loops.c -- the C of looped models, compiled and called, against the unrolled lowering of the
 * same model at the same sizes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "files.h"
#include "ir/evaluate.h"
#include "symbolic/symbolic.h"
#include "unit/loop_library.h"

/* ---- numbers ---- */

static double *filled(long n, double value)
{
  double *x = malloc(((size_t)n + 1) * sizeof *x);
  assert_non_null(x);
  for (long i = 0; i <= n; i++) {
    x[i] = value;
  }
  return x;
}

/* Numbers in (0.1, 1.1) that have nothing to do with each other. */
static double *scattered(long n, double phase)
{
  double *x = filled(n, 0);
  for (long i = 0; i < n; i++) {
    double whole = 0;
    x[i] = 0.1 + modf(phase + 0.6180339887498949 * (double)(i + 1), &whole);
  }
  return x;
}

static void same_values(const char *what, long n, const double a[], const double b[])
{
  for (long i = 0; i < n; i++) {
    if (!(fabs(a[i] - b[i]) <= 1e-12 * (1 + fabs(b[i])))) {
      fail_msg("%s, entry %ld of %ld: looped %.17g, unrolled %.17g", what, i, n, a[i], b[i]);
    }
  }
}

/* ---- the unrolled model at some sizes ---- */

typedef struct unrolled {
  arena *memory;
  const model *model;
  ir_context *context;
  const ir_program *program;
  const sw_loops *loops;
  long *n; /* the sizes */
  long d;
  long m;
  double *z;
  double *k;
  double *lambda;
  double *v;
} unrolled;

static unrolled unroll(const char *text, long N, const sw_loops *loops)
{
  unrolled u = {.memory = arena_create(), .loops = loops};
  model_size_setting size = {"N", N};
  diagnostics *d = diagnostics_create(u.memory, "test.sw", text, strlen(text));
  u.model = model_check(u.memory, d, "test.sw", text, strlen(text), N > 0, &size);
  u.context = ir_context_create(u.memory);
  u.program = u.model ? symbolic_lower(u.memory, d, u.model, u.context) : NULL;
  if (!u.program) {
    diagnostics_print(d, stderr);
  }
  assert_non_null(u.program);
  u.n = ARENA_ARRAY(u.memory, u.model->n_sizes + 1, long);
  for (int i = 0; i < u.model->n_sizes; i++) {
    u.n[i] = u.model->sizes[i]->value;
  }
  u.d = u.program->nq;
  u.m = u.program->nc;
  u.z = scattered(2 * u.d, 0.1);
  u.k = scattered(u.program->nk, 0.2);
  u.lambda = scattered(u.m, 0.3);
  u.v = scattered(2 * u.d, 0.4);
  return u;
}

static void release(unrolled *u)
{
  free(u->z);
  free(u->k);
  free(u->lambda);
  free(u->v);
  ir_context_free(u->context);
  arena_free(u->memory);
}

/* Dense values of one of its functions; a lower triangle is not mirrored. */
static double *expected(const unrolled *u, ir_function_id id, const double lambda[])
{
  const ir_function *f = &u->program->functions[id];
  long cols = f->cols ? f->cols : 1;
  double *out = filled(f->rows * cols, 0);
  ir_values in = {.in = {[IR_K] = u->k, [IR_LAMBDA] = lambda, [IR_Z] = u->z}};
  ir_evaluator *e = ir_evaluator_create(u->context);
  ir_evaluator_begin(e, &in);
  for (int i = 0; i < f->n; i++) {
    out[f->entries[i].row * cols + f->entries[i].col] = ir_evaluator_value(e, f->entries[i].value);
  }
  ir_evaluator_free(e);
  return out;
}

/* ---- comparisons ---- */

static void same_shapes(const unrolled *u)
{
  const sw_loops *l = u->loops;
  double *sizes = filled(l->n_sizes, 0);
  double *first = filled(l->n_sets, NAN);
  double *last = filled(l->n_sets, NAN);
  for (int i = 0; i < l->n_sizes; i++) {
    sizes[i] = (double)u->n[i];
  }
  l->ranges(sizes, first, last);
  for (int i = 0; i < l->n_sets; i++) {
    long count = (long)last[i] - (long)first[i] + 1;
    assert_string_equal(l->sets[i].name, u->model->sets[i]->name);
    assert_int_equal(first[i], u->model->sets[i]->first);
    assert_int_equal(count > 0 ? count : 0, u->model->sets[i]->count);
  }
  assert_int_equal(l->references(u->n), 0);
  free(sizes);
  free(first);
  free(last);
}

static void same_instances(const unrolled *u, const sw_family *family, const model_family *of)
{
  if (!of->condition) {
    assert_null(family->instances);
    return;
  }
  long *environment = ARENA_ARRAY(u->memory, u->model->n_slots + 1, long);
  long *index = ARENA_ARRAY(u->memory, of->count * of->n_binders + 1, long);
  assert_int_equal(family->instances(u->n, NULL), of->count);
  assert_int_equal(family->instances(u->n, index), of->count);
  long at = 0;
  for (int more = model_binders_first(of->n_binders, of->binders, of->condition, environment); more;
       more = model_binders_next(of->n_binders, of->binders, of->condition, environment)) {
    for (int i = 0; i < of->n_binders; i++) {
      assert_int_equal(index[at++], environment[of->binders[i]->slot]);
    }
  }
}

static void same_states(const unrolled *u)
{
  const sw_loops *l = u->loops;
  double *k = filled(u->program->nk, NAN);
  l->parameter_values(u->n, k);
  same_values("defaults", u->program->nk, k, u->program->k_default);
  for (int s = 0; s < u->program->n_states; s++) {
    double *z = filled(2 * u->d, NAN);
    double *right = filled(2 * u->d, 0);
    ir_values in = {.in = {[IR_K] = u->k}};
    ir_evaluator *e = ir_evaluator_create(u->context);
    ir_evaluator_begin(e, &in);
    for (long i = 0; i < 2 * u->d; i++) {
      right[i] = ir_evaluator_value(e, u->program->states[s].z[i]);
    }
    ir_evaluator_free(e);
    l->init[s].state(u->n, u->k, z);
    same_values("initial state", 2 * u->d, z, right);
    free(z);
    free(right);
  }
  free(k);
}

static void same_function(const unrolled *u, const char *what, sw_sized_function *f,
                          ir_function_id id)
{
  long n = u->program->functions[id].rows;
  double *out = filled(n, NAN);
  double *right = expected(u, id, u->lambda);
  f(u->n, u->z, u->k, out);
  same_values(what, n, out, right);
  free(out);
  free(right);
}

/* Dense, by the contributions; asserts that a triangle is one. */
static double *assembled(const unrolled *u, const sw_sized_matrix *matrix, const double x[],
                         long rows, long cols, int triangle)
{
  long count = matrix->contributions(u->n, NULL, NULL);
  int *row = calloc((size_t)count + 1, sizeof *row);
  int *col = calloc((size_t)count + 1, sizeof *col);
  double *out = filled(rows * cols, 0);
  assert_true(row && col);
  row[count] = col[count] = 12345;
  assert_int_equal(matrix->contributions(u->n, row, col), count);
  assert_int_equal(row[count], 12345);
  for (long t = 0; t < count; t++) {
    assert_in_range(row[t], 0, rows - 1);
    assert_in_range(col[t], 0, cols - 1);
    assert_true(!triangle || row[t] >= col[t]);
    row[t] = (int)(row[t] * cols + col[t]);
  }
  matrix->scatter(u->n, u->z, u->k, x, row, out);
  free(row);
  free(col);
  return out;
}

static void same_matrix(const unrolled *u, const char *what, const sw_sized_matrix *matrix,
                        const double x[], ir_function_id id, int triangle)
{
  const ir_function *f = &u->program->functions[id];
  double *out = assembled(u, matrix, x, f->rows, f->cols, triangle);
  double *right = expected(u, id, u->lambda);
  if (id == IR_FIBRE_FLOW_Z) {
    for (long i = 0; i < 2 * u->d; i++) {
      out[i * 2 * u->d + i] += 1;
    }
  }
  same_values(what, (long)f->rows * f->cols, out, right);
  free(out);
  free(right);
}

/* Row i is g_i,zz v: the Hessian of lambda . g, for lambda = e_i, times v. */
static void same_along(const unrolled *u)
{
  long n = 2 * u->d;
  sw_sized_matrix along = {u->loops->constraint_jac.contributions, u->loops->constraint_jac_along};
  double *out = assembled(u, &along, u->v, u->m, n, 0);
  double *right = filled(u->m * n, 0);
  for (long i = 0; i < u->m; i++) {
    double *unit = filled(u->m, 0);
    unit[i] = 1;
    double *hessian = expected(u, IR_CONSTRAINT_HESS, unit);
    for (long r = 0; r < n; r++) {
      for (long c = 0; c < n; c++) {
        right[i * n + r] += hessian[r > c ? r * n + c : c * n + r] * u->v[c];
      }
    }
    free(unit);
    free(hessian);
  }
  same_values("g_zz v", u->m * n, out, right);
  free(out);
  free(right);
}

/* Models of these tests have flows for all constraints, or for none. */
static void same_flow(const unrolled *u)
{
  double *z = filled(2 * u->d, 0);
  double *right = expected(u, IR_FIBRE_FLOW, u->lambda);
  memcpy(z, u->z, (size_t)(2 * u->d) * sizeof *z);
  u->loops->fibre_flow(u->n, u->k, u->lambda, z);
  same_values("fibre flow", 2 * u->d, z, right);
  same_matrix(u, "dGamma/dz", &u->loops->fibre_flow_z, u->lambda, IR_FIBRE_FLOW_Z, 0);
  free(z);
  free(right);
}

static void same_constraints(const unrolled *u)
{
  const sw_loops *l = u->loops;
  same_function(u, "g", l->constraint, IR_CONSTRAINT);
  same_function(u, "scale of g", l->constraint_scale, IR_CONSTRAINT_SCALE);
  same_matrix(u, "Dg", &l->constraint_jac, NULL, IR_CONSTRAINT_JAC, 0);
  same_matrix(u, "Hess(lambda . g)", &l->constraint_hess, u->lambda, IR_CONSTRAINT_HESS, 1);
  same_along(u);
  if (l->fibre_flow) {
    same_flow(u);
  }
}

static void same_at(const loop_library *library, const char *text, long N)
{
  unrolled u = unroll(text, N, library->model->loops);
  const sw_loops *l = u.loops;
  same_shapes(&u);
  same_states(&u);
  for (int i = 0; i < l->n_constraints; i++) {
    same_instances(&u, &l->constraints[i], u.model->constraints[i]);
  }
  same_function(&u, "H", l->hamiltonian, IR_HAMILTONIAN);
  same_function(&u, "grad H", l->hamiltonian_grad, IR_HAMILTONIAN_GRAD);
  same_matrix(&u, "Hess H", &l->hamiltonian_hess, NULL, IR_HAMILTONIAN_HESS, 1);
  if (u.m) {
    same_constraints(&u);
  }
  if (u.program->n_invariants) {
    same_function(&u, "invariants", l->invariant_values, IR_INVARIANT);
  }
  if (u.program->n_observe) {
    double *out = filled(u.program->n_observe, NAN);
    double *right = expected(&u, IR_OBSERVE, u.lambda);
    l->observe_values(u.n, u.z, u.k, u.lambda, out);
    same_values("observables", u.program->n_observe, out, right);
    free(out);
    free(right);
  }
  release(&u);
}

static void same_as_unrolled(const char *text)
{
  static const long sizes[] = {1, 2, 5};
  loop_library library = loop_library_open(text, "test");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    same_at(&library, text, sizes[i]);
  }
  loop_library_close(&library);
}

/* ---- models ---- */

static void test_chain(void **state)
{
  (void)state;
  same_as_unrolled("model test \"Chain\"\n"
                   "size N = 4\nset node = 1 .. N\nset link = 1 .. N-1\nset xyz = {x, y, z}\n"
                   "param m[i in node] = 1/N in (0, inf)\nparam a = 1/N\nparam gravity = 9.81\n"
                   "coord q[node, xyz] momentum p\n"
                   "let d2(i) = sum(k in xyz: (q[i+1,k] - q[i,k])^2)\n"
                   "hamiltonian H = sum(i in node, k in xyz: p[i,k]^2/(2*m[i]))\n"
                   "  + sum(i in node: m[i]*gravity*q[i,z])\n"
                   "constraint pin[k in xyz]: q[1,k] == 0\n"
                   "constraint length[i in link]: d2(i) == a^2\n"
                   "observe tension[i in link] = i*multiplier(length[i])\n"
                   "observe height = sum(i in node: q[i,z])\n"
                   "invariant energy = H\n"
                   "init q[i in node, x] = (i-1)*a\ninit q[i in node, y] = 0\n"
                   "init q[i in node, z] = 0\ninit p[i in node, k in xyz] = i\n");
}

static void test_flow(void **state)
{
  (void)state;
  same_as_unrolled("model test\n"
                   "size N = 3\nset site = 1 .. N\nset ax = 1 .. 2\nparam r = 1\n"
                   "coord q[site, ax] momentum p\n"
                   "hamiltonian H = sum(i in site, j in site where j == i+1: q[i,1]*q[j,1])\n"
                   "  + sum(i in site: p[i,2])\n"
                   "constraint ball[i in site]: sum(k in ax: q[i,k]^2 + p[i,k]^2) == r*i\n"
                   "invariant energy = H\n"
                   "init q[i in site, k in ax] = i\ninit p[i in site, k in ax] = k\n");
}

/* Two sites of a kernel are the same entry for some rounds. */
static void test_sites_that_coincide(void **state)
{
  (void)state;
  same_as_unrolled("model test\n"
                   "size N = 3\nset s = 1 .. N\nparam w[i in s] = i\n"
                   "coord q[s] momentum p\n"
                   "hamiltonian H = sum(i in s, j in s: w[i]*q[i]*q[j]^2*(q[i] - 2*p[j]))\n"
                   "  + sum(i in s, j in s where i <= j: p[i]^2*p[j]*sin(q[i]*q[j]))\n"
                   "  + sum(i in s, j in s where i != j: 1/(q[i]+q[j]))\n"
                   "constraint c: sum(i in s, j in s: exp(w[i]*q[i]*q[j])*q[j]) == 1\n"
                   "init q[i in s] = 1\ninit p[i in s] = 0\n");
}

static void test_filters(void **state)
{
  (void)state;
  same_as_unrolled(
      "model test\n"
      "size N = 3\nset s = 1 .. N\nset t = 0 .. N\nset ab = {a, b}\n"
      "coord q[s, ab] momentum p\n"
      "hamiltonian H = sum(i in s: p[i,a]^2 + p[i,b]^2)\n"
      "  + sum(i in s, j in s where i < j and j <= i + 2 and not i == 2: q[i,a]*q[j,a])\n"
      "  + sum(i in s where i > N: q[i,a]^3) + sum(i in s, j in s where i*j <= N: i*j*q[i*j,a]^2)\n"
      "  + sum(i in s where N > 1 and (i == 1 or i == N): q[i,b]^3)\n"
      "  + sum(i in s, j in t where j < i or j == 2*i: j*q[i,b]^2)\n"
      "  + sum(i in s, j in s where 2*i > j + N and i >= j: q[i,b]*q[j,b]^2)\n"
      "  + sum(i in s, j in s where i + j == N: q[i,b]*q[j,a])\n"
      "  + sum(i in s, k in ab where k == b: q[i,k]^4)\n"
      "constraint first[i in s, j in s where j == i + 1]: q[i,a]*q[j,a] + q[i,a] == 1\n"
      "constraint second[i in s where 2*i <= N]: q[i,b] == 1\n"
      "constraint none[i in s where i > N]: q[i,b]^2 == 2\n"
      "constraint last: sum(i in s where i != 2: q[i,a]^2) == 1\n"
      "observe tension = multiplier(last)\n"
      "observe two[i in s where i > 1] = q[i,a]*p[i,b]\n"
      "init q[i in s, k in ab] = i\ninit p[i in s, a] = 0\ninit p[i in s, b] = 1\n");
}

/* Names that C, or what is emitted, has other uses for. */
static void test_awkward_names(void **state)
{
  (void)state;
  same_as_unrolled(
      "model test\n"
      "size N = 2\nsize n = 3\nset d = 1 .. N\nset sizes = 1 .. n\nset ranges = {x, y}\n"
      "param row[t in sizes] = t\nparam s0 = 2\nparam MOST = 3\nparam unused = 4\n"
      "param larger[i in d, z in ranges] = 1\nparam linux = 5\n"
      "coord x[d, sizes] momentum v\ncoord theta momentum place\n"
      "coord q[ranges] momentum sum_of_it\n"
      "hamiltonian H = sum(k in d, z in sizes: row[z]*v[k,z]^2 + x[k,z]^2*theta)\n"
      "  + place^2*s0*MOST*unused*linux + sum(out in ranges: sum_of_it[out]^2*q[out])\n"
      "  + sum(i in d, lambda in ranges: larger[i,lambda]*q[lambda])\n"
      "constraint references: theta^2 == s0\n"
      "constraint bounds[i in d]: sum(lambda in sizes: x[i,lambda]^2) == i\n"
      "observe index = theta + place\n"
      "init x[i in d, j in sizes] = i*row[j]\ninit v[i in d, j in sizes] = 0\n"
      "init theta = s0\ninit place = 1\n"
      "init q[k in ranges] = 1\ninit sum_of_it[k in ranges] = 2\n");
}

/* Strides that are sizes, coordinates one after the other, constraints on momenta. */
static void test_strides(void **state)
{
  (void)state;
  same_as_unrolled(
      "model test\n"
      "size N = 3\nsize K = 2\nset a = 0 .. N\nset b = -1 .. K\nset inner = 1 .. K\n"
      "set xy = {x, y}\nparam w[i in a, j in b] = i + 2*j\n"
      "coord u[b] momentum pu\ncoord q[a, b, xy] momentum p\n"
      "hamiltonian H = sum(i in a, j in inner, k in xy: w[i,j-1]*q[i,j-1,k]^2*q[i,j,k])\n"
      "  + sum(j in b: pu[j]^2*u[j]) + sum(i in a, j in b: p[i,j,x]*p[N-i,j,y])\n"
      "constraint rest[k in xy]: sum(i in a, j in b: w[i,j]*p[i,j,k]) == 0\n"
      "constraint still[j in inner]: pu[j]^2 + pu[j-1] == 2\n"
      "invariant total[k in xy] = sum(i in a, j in b: q[i,j,k])\n"
      "init u[j in b] = j\ninit pu[j in b] = 1\n"
      "init q[i in a, j in b, k in xy] = i*j\ninit p[i in a, j in b, k in xy] = 0\n");
}

/* Models without sizes have loops too. */
static void test_shipped_models(void **state)
{
  (void)state;
  static const char *const names[] = {"chain6", "double_pendulum", "hopf",     "hopf_free",
                                      "lj7",    "pendulum",        "spherical"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    size_t length = 0;
    arena *a = arena_create();
    snprintf(path, sizeof path, "models/%s.sw", names[i]);
    const char *text = file_read(a, path, 100000, &length);
    assert_non_null(text);
    loop_library library = loop_library_open(text, names[i]);
    same_at(&library, text, 0);
    loop_library_close(&library);
    arena_free(a);
  }
}

/* ---- sizes that do not fit ---- */

static void test_references_outside(void **state)
{
  (void)state;
  loop_library l =
      loop_library_open("model test\nsize N = 5\nset s = 1 .. N\ncoord q[s] momentum p\n"
                        "hamiltonian H = sum(i in s: p[i]^2) + q[4]^2\n"
                        "constraint c[i in s where i < N]: q[i+1] - q[i] == 1\n"
                        "init q[i in s] = i\ninit p[i in s] = 0\n",
                        "test");
  const sw_loops *loops = l.model->loops;
  assert_int_equal(loops->references((const long[]){4}), 0);
  int which = loops->references((const long[]){3});
  assert_true(which > 0);
  assert_string_equal(loops->reference_texts[which - 1], "q[4] in H");
  which = loops->references((const long[]){0});
  assert_true(which > 0);
  loop_library_close(&l);
}

/* Counting ends where no int could number what is counted. */
static void test_huge_sizes(void **state)
{
  (void)state;
  loop_library l = loop_library_open(
      "model test\nsize N = 5\nset s = 1 .. N\nset many = 1 .. N*N\ncoord q[s] momentum p\n"
      "hamiltonian H = sum(i in s, j in s where i < j: p[i]*p[j])\n"
      "constraint c[i in s, j in s where i <= j and j <= i]: q[i] == 1\n"
      "init q[i in s] = i\ninit p[i in s] = 0\n",
      "test");
  const sw_loops *loops = l.model->loops;
  const long n[] = {1000000000};
  double first[2];
  double last[2];
  loops->ranges((const double[]){1e9}, first, last);
  assert_true(last[1] == 1e18);
  assert_true(loops->hamiltonian_hess.contributions(n, NULL, NULL) > 2147483647L);
  assert_int_equal(loops->references((const long[]){100000}), 0);
  loop_library_close(&l);
}

/* The length of the C does not depend on the sizes, and its bytes depend on the model alone. */
static void test_same_text(void **state)
{
  (void)state;
  static const char *const text =
      "model test\nsize N = 5\nset s = 1 .. N\nset t = {a, b}\ncoord q[s, t] momentum p\n"
      "hamiltonian H = sum(i in s, k in t: p[i,k]^2 + sin(q[i,k]))\n"
      "constraint c[i in s]: sum(k in t: q[i,k]^2) == 1\n"
      "init q[i in s, k in t] = i\ninit p[i in s, k in t] = 0\n";
  arena *a = arena_create();
  const char *first = loop_emit(a, text);
  for (int i = 0; i < 5; i++) {
    assert_string_equal(first, loop_emit(a, text));
  }
  assert_true(strlen(first) < 60000);
  arena_free(a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain),
      cmocka_unit_test(test_flow),
      cmocka_unit_test(test_sites_that_coincide),
      cmocka_unit_test(test_filters),
      cmocka_unit_test(test_awkward_names),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_shipped_models),
      cmocka_unit_test(test_references_outside),
      cmocka_unit_test(test_huge_sizes),
      cmocka_unit_test(test_same_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
