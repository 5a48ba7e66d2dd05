/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * same_as_unrolled.h -- a model's looped C, compiled and called, has the values of its unrolled
 * lowering at the same sizes: for tests of the emission.
 */
#ifndef SIDEWINDER_TESTS_SAME_AS_UNROLLED_H
#define SIDEWINDER_TESTS_SAME_AS_UNROLLED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/evaluate.h"
#include "symbolic/symbolic.h"
#include "unit/loop_library.h"

/* ---- numbers ---- */

static inline double *filled(long n, double value)
{
  double *x = malloc(((size_t)n + 1) * sizeof *x);
  assert_non_null(x);
  for (long i = 0; i <= n; i++) {
    x[i] = value;
  }
  return x;
}

/* Numbers in (0.1, 1.1) that have nothing to do with each other. */
static inline double *scattered(long n, double phase)
{
  double *x = filled(n, 0);
  for (long i = 0; i < n; i++) {
    double whole = 0;
    x[i] = 0.1 + modf(phase + 0.6180339887498949 * (double)(i + 1), &whole);
  }
  return x;
}

static inline void same_values(const char *what, long n, const double a[], const double b[])
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
  const sw_model *looped;
  long *n; /* the sizes */
  long d;
  long m;
  double *z;
  double *k;
  double *lambda;
  double *v;
} unrolled;

static inline unrolled unroll(const char *text, long N, const sw_model *looped)
{
  unrolled u = {.memory = arena_create(), .looped = looped};
  model_size_setting size = {.name = "N", .value = N};
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
  u.lambda = scattered(2 * u.m, 0.3); /* observables read impulses after the multipliers */
  u.v = scattered(2 * u.d, 0.4);
  return u;
}

static inline void release(unrolled *u)
{
  free(u->z);
  free(u->k);
  free(u->lambda);
  free(u->v);
  ir_context_free(u->context);
  arena_free(u->memory);
}

/* Dense values of one of its functions; a lower triangle is not mirrored. */
static inline double *expected(const unrolled *u, ir_function_id id, const double lambda[])
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

static inline void same_shapes(const unrolled *u)
{
  const sw_model *l = u->looped;
  double *sizes = filled(l->n_sizes, 0);
  double *first = filled(l->n_sets, NAN);
  double *last = filled(l->n_sets, NAN);
  for (int i = 0; i < l->n_sizes; i++) {
    sizes[i] = (double)u->n[i];
  }
  if (l->n_sets) {
    l->ranges(sizes, first, last);
  }
  for (int i = 0; i < l->n_sets; i++) {
    long count = (long)last[i] - (long)first[i] + 1;
    assert_string_equal(l->sets[i].name, u->model->sets[i]->name);
    assert_int_equal(first[i], u->model->sets[i]->first);
    assert_int_equal(count > 0 ? count : 0, u->model->sets[i]->count);
  }
  assert_int_equal(l->references ? l->references(u->n) : 0, 0);
  free(sizes);
  free(first);
  free(last);
}

static inline void same_instances(const unrolled *u, const sw_family *family,
                                  const model_family *of)
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
  for (long round = 0;
       model_binders_next(round, of->n_binders, of->binders, of->condition, environment); round++) {
    for (int i = 0; i < of->n_binders; i++) {
      assert_int_equal(index[at++], environment[of->binders[i]->slot]);
    }
  }
}

static inline void same_states(const unrolled *u)
{
  const sw_model *l = u->looped;
  double *k = filled(u->program->nk, NAN);
  if (l->n_parameters) {
    l->parameter_values(u->n, k);
  }
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

static inline void same_function(const unrolled *u, const char *what, sw_function *f,
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

/* Dense, of what is given at the places; asserts that a triangle is one. */
static inline double *assembled(const unrolled *u, const sw_places *places, const double values[],
                                long rows, long cols, int triangle)
{
  long count = places->list(u->n, NULL, NULL);
  int *row = calloc((size_t)count + 1, sizeof *row);
  int *col = calloc((size_t)count + 1, sizeof *col);
  double *out = filled(rows * cols, 0);
  assert_true(row && col);
  row[count] = col[count] = 12345;
  assert_int_equal(places->list(u->n, row, col), count);
  assert_int_equal(row[count], 12345);
  for (long t = 0; t < count; t++) {
    assert_in_range(row[t], 0, rows - 1);
    assert_in_range(col[t], 0, cols - 1);
    assert_true(!triangle || row[t] >= col[t]);
    out[row[t] * cols + col[t]] += values[t];
  }
  free(row);
  free(col);
  return out;
}

/* Exactly one of the two functions is there. */
static inline void same_matrix(const unrolled *u, const char *what, const sw_places *places,
                               sw_function *f, sw_lambda_function *f_lambda, ir_function_id id,
                               int triangle)
{
  const ir_function *of = &u->program->functions[id];
  long count = places->list(u->n, NULL, NULL);
  double *values = filled(count, NAN);
  if (f) {
    f(u->n, u->z, u->k, values);
  } else {
    f_lambda(u->n, u->z, u->k, u->lambda, values);
  }
  assert_true(isnan(values[count]));
  double *out = assembled(u, places, values, of->rows, of->cols, triangle);
  double *right = expected(u, id, u->lambda);
  if (id == IR_FIBRE_FLOW_Z) {
    for (long i = 0; i < 2 * u->d; i++) {
      out[i * 2 * u->d + i] += 1;
    }
  }
  same_values(what, (long)of->rows * of->cols, out, right);
  free(values);
  free(out);
  free(right);
}

/* Row i is g_i,zz v: the Hessian of lambda . g, for lambda = e_i, times v. */
static inline void same_along(const unrolled *u)
{
  long n = 2 * u->d;
  const sw_places *places = &u->looped->constraint_jac.places;
  double *values = filled(places->list(u->n, NULL, NULL), NAN);
  u->looped->constraint_jac_along(u->n, u->z, u->k, u->v, values);
  double *out = assembled(u, places, values, u->m, n, 0);
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
  free(values);
  free(out);
  free(right);
}

/* Models of these tests have flows for all constraints, or for none. */
static inline void same_flow(const unrolled *u)
{
  double *z = filled(2 * u->d, 0);
  double *right = expected(u, IR_FIBRE_FLOW, u->lambda);
  memcpy(z, u->z, (size_t)(2 * u->d) * sizeof *z);
  u->looped->family_flow(u->n, u->k, u->lambda, z);
  same_values("fibre flow", 2 * u->d, z, right);
  double *added = filled(2 * u->d, 0);
  double *increment = expected(u, IR_FIBRE_INCREMENT, u->lambda);
  u->looped->family_increment(u->n, u->z, u->k, u->lambda, added);
  same_values("increment", 2 * u->d, added, increment);
  free(added);
  free(increment);
  same_matrix(u, "dGamma/dz", &u->looped->family_flow_z.places, NULL,
              u->looped->family_flow_z.values, IR_FIBRE_FLOW_Z, 0);
  free(z);
  free(right);
}

static inline void same_constraints(const unrolled *u)
{
  const sw_model *l = u->looped;
  same_function(u, "g", l->constraint, IR_CONSTRAINT);
  same_function(u, "scale of g", l->constraint_scale, IR_CONSTRAINT_SCALE);
  same_matrix(u, "Dg", &l->constraint_jac.places, l->constraint_jac.values, NULL, IR_CONSTRAINT_JAC,
              0);
  same_matrix(u, "Hess(lambda . g)", &l->constraint_hess.places, NULL, l->constraint_hess.values,
              IR_CONSTRAINT_HESS, 1);
  same_along(u);
  if (l->family_flow) {
    same_flow(u);
  }
}

static inline void same_at(const loop_library *library, const char *text, long N)
{
  unrolled u = unroll(text, N, library->model);
  const sw_model *l = u.looped;
  same_shapes(&u);
  same_states(&u);
  for (int i = 0; i < l->n_constraints; i++) {
    same_instances(&u, &l->constraints[i], u.model->constraints[i]);
  }
  same_function(&u, "H", l->hamiltonian, IR_HAMILTONIAN);
  same_function(&u, "grad H", l->hamiltonian_grad, IR_HAMILTONIAN_GRAD);
  same_matrix(&u, "Hess H", &l->hamiltonian_hess.places, l->hamiltonian_hess.values, NULL,
              IR_HAMILTONIAN_HESS, 1);
  if (u.m) {
    same_constraints(&u);
  }
  if (u.program->n_invariants) {
    same_function(&u, "invariants", l->invariant, IR_INVARIANT);
  }
  if (u.program->n_observe) {
    double *out = filled(u.program->n_observe, NAN);
    double *right = expected(&u, IR_OBSERVE, u.lambda);
    l->observe(u.n, u.z, u.k, u.lambda, out);
    same_values("observables", u.program->n_observe, out, right);
    free(out);
    free(right);
  }
  release(&u);
}

static inline void same_as_unrolled(const char *text)
{
  static const long sizes[] = {1, 2, 5};
  loop_library library = loop_library_open(text, "test");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    same_at(&library, text, sizes[i]);
  }
  loop_library_close(&library);
}

#endif
