/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_loops.c -- the looped lowering: its kernels, walked over their loops, against the unrolled
 * lowering of the same model at the same sizes, and against values by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbolic/symbolic.h"
#include "unit/loop_values.h"
#include "unit/lowered_text.h"

/* ---- both lowerings ---- */

static double *zeros(long n)
{
  double *x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

/* Numbers in (0.1, 1.1) that have nothing to do with each other. */
static void scatter(long n, double phase, double x[])
{
  for (long i = 0; i < n; i++) {
    double whole = 0;
    x[i] = 0.1 + modf(phase + 0.6180339887498949 * (double)(i + 1), &whole);
  }
}

static void same_values(const char *what, long n, const double a[], const double b[])
{
  for (long i = 0; i < n; i++) {
    if (!(fabs(a[i] - b[i]) <= 1e-12 * (1 + fabs(a[i])))) {
      fail_msg("%s, entry %ld of %ld: looped %.17g, unrolled %.17g", what, i, n, a[i], b[i]);
    }
  }
}

/* Dense values of a function of the unrolled model; lower triangles are mirrored. */
static void unrolled(const ir_context *c, const ir_function *f, const ir_values *in, int mirrored,
                     double out[])
{
  long cols = f->cols ? f->cols : 1;
  ir_evaluator *e = ir_evaluator_create(c);
  ir_evaluator_begin(e, in);
  memset(out, 0, (size_t)(f->rows * cols) * sizeof *out);
  for (int i = 0; i < f->n; i++) {
    const ir_entry *entry = &f->entries[i];
    double value = ir_evaluator_value(e, entry->value);
    out[entry->row * cols + entry->col] = value;
    if (mirrored) {
      out[entry->col * cols + entry->row] = value;
    }
  }
  ir_evaluator_free(e);
}

typedef struct both {
  lowered r;
  const ir_program *program;
  loop_point point;
  ir_values in;
  double *z;
  double *k;
  double *lambda;
} both;

static both both_create(const char *text, long N)
{
  both b = {.r = lower_text(text, N)};
  diagnostics_print(b.r.errors, stderr);
  assert_non_null(b.r.loops);
  b.program = symbolic_lower(b.r.memory, b.r.errors, b.r.model, b.r.context);
  diagnostics_print(b.r.errors, stderr);
  assert_non_null(b.program);
  b.point = loop_point_create(b.r.model, b.r.context, b.r.loops);
  b.z = zeros(2 * b.r.model->nq);
  b.k = zeros(b.r.model->nk);
  b.lambda = zeros(b.r.model->nc);
  scatter(2 * b.r.model->nq, 0.0, b.z);
  scatter(b.r.model->nk, 0.3, b.k);
  scatter(b.r.model->nc, 0.7, b.lambda);
  b.point.z = b.z;
  b.point.k = b.k;
  b.point.lambda = b.lambda;
  b.in = (ir_values){{b.k, b.lambda, b.z}};
  return b;
}

static void both_free(both *b)
{
  loop_point_free(&b->point);
  release(&b->r);
  free(b->z);
  free(b->k);
  free(b->lambda);
}

static void compare(both *b, const char *what, ir_function_id id, int mirrored, long n,
                    const double looped[])
{
  const ir_function *f = &b->program->functions[id];
  double *expected = zeros(n);
  assert_int_equal(f->rows * (f->cols ? f->cols : 1), n);
  unrolled(b->r.context, f, &b->in, mirrored, expected);
  same_values(what, n, looped, expected);
  free(expected);
}

static void compare_hamiltonian(both *b)
{
  long n = 2 * b->r.model->nq;
  double H = 0;
  double *gradient = zeros(n);
  double *hessian = zeros(n * n);
  loop_instance(&b->point, &b->r.loops->hamiltonian, 1, &H, gradient, hessian);
  compare(b, "H", IR_HAMILTONIAN, 0, 1, &H);
  compare(b, "grad H", IR_HAMILTONIAN_GRAD, 0, n, gradient);
  compare(b, "Hess H", IR_HAMILTONIAN_HESS, 1, n * n, hessian);
  free(gradient);
  free(hessian);
}

static void compare_constraints(both *b)
{
  long n = 2 * b->r.model->nq;
  long m = b->r.model->nc;
  double *g = zeros(m);
  double *jacobian = zeros(m * n);
  double *hessian = zeros(n * n);
  long rows = loop_families(&b->point, b->r.loops->n_constraints, b->r.loops->constraints, g,
                            jacobian, hessian);
  assert_int_equal(rows, m);
  if (m > 0) {
    compare(b, "g", IR_CONSTRAINT, 0, m, g);
    compare(b, "Dg", IR_CONSTRAINT_JAC, 0, m * n, jacobian);
    compare(b, "Hess lambda.g", IR_CONSTRAINT_HESS, 1, n * n, hessian);
    assert_int_equal(b->program->structure.n_pairs, 0);
  }
  free(g);
  free(jacobian);
  free(hessian);
}

static void compare_flow(both *b)
{
  long n = 2 * b->r.model->nq;
  double *moved = zeros(n);
  memcpy(moved, b->z, (size_t)n * sizeof *moved);
  loop_move(&b->point, moved);
  b->point.z = b->z;
  if (b->r.model->nc > 0) {
    compare(b, "Gamma", IR_FIBRE_FLOW, 0, n, moved);
  }
  free(moved);
}

static void compare_outputs(both *b)
{
  double *observed = zeros(b->program->n_observe);
  double *invariants = zeros(b->program->n_invariants);
  loop_families(&b->point, b->r.loops->n_observe, b->r.loops->observe, observed, NULL, NULL);
  loop_families(&b->point, b->r.loops->n_invariants, b->r.loops->invariants, invariants, NULL,
                NULL);
  compare(b, "observables", IR_OBSERVE, 0, b->program->n_observe, observed);
  compare(b, "invariants", IR_INVARIANT, 0, b->program->n_invariants, invariants);
  free(observed);
  free(invariants);
}

static void compare_values(both *b)
{
  long n = 2 * b->r.model->nq;
  double *k = zeros(b->r.model->nk);
  double *z = zeros(n);
  double *expected = zeros(n);
  loop_assign(&b->point, b->r.loops->n_defaults, b->r.loops->defaults, k);
  same_values("defaults", b->r.model->nk, k, b->program->k_default);
  assert_int_equal(b->r.loops->n_states, b->program->n_states);
  for (int s = 0; s < b->program->n_states; s++) {
    const ir_looped_state *state = &b->r.loops->states[s];
    ir_evaluator *e = ir_evaluator_create(b->r.context);
    ir_evaluator_begin(e, &b->in);
    loop_assign(&b->point, state->n, state->assignments, z);
    for (long i = 0; i < n; i++) {
      expected[i] = ir_evaluator_value(e, b->program->states[s].z[i]);
    }
    same_values(state->name, n, z, expected);
    ir_evaluator_free(e);
  }
  free(k);
  free(z);
  free(expected);
}

static void both_agree(const char *text, long N)
{
  both b = both_create(text, N);
  compare_hamiltonian(&b);
  compare_constraints(&b);
  compare_flow(&b);
  compare_outputs(&b);
  compare_values(&b);
  assert_int_equal(b.r.loops->structure.holonomic, b.program->structure.holonomic);
  /* A family without an instance counts, too. */
  assert_true(b.r.loops->structure.degree_g >= b.program->structure.degree_g);
  assert_int_equal(b.r.loops->structure.degree_H, b.program->structure.degree_H);
  assert_int_equal(b.r.loops->structure.separable, b.program->structure.separable);
  both_free(&b);
}

static const char chain_text[] =
    "model chain \"Inextensible chain of N nodes\"\n"
    "size N = 4\nset node = 1 .. N\nset link = 1 .. N-1\nset xyz = {x, y, z}\n"
    "param m[i in node] = 1/N\nparam a = 1/(N-1+1e-3) in (0, inf)\nparam gravity = 9.81\n"
    "coord q[node, xyz] momentum p\n"
    "let d2(i) = sum(k in xyz: (q[i+1,k] - q[i,k])^2)\n"
    "hamiltonian H = sum(i in node, k in xyz: p[i,k]^2/(2*m[i]))\n"
    "              + sum(i in node: m[i]*gravity*q[i,z])\n"
    "constraint pin[k in xyz]: q[1,k] == 0\n"
    "constraint length[i in link]: d2(i) == a^2\n"
    "observe tension[i in link] = multiplier(length[i])*i\n"
    "observe pull = sum(i in link: multiplier(length[i])^2) + multiplier(pin[y])\n"
    "observe stretch[i in link] = sqrt(d2(i)) + sum(j in link where j != i: length[j])\n"
    "invariant energy = H\n"
    "init q[i in node, x] = (i-1)*a\ninit q[i in node, y] = {0.5, 1, 2, 3}\n"
    "init q[i in node, z] = 0\ninit p[i in node, k in xyz] = 0\n";

static void replace(char *text, const char *from, const char *to)
{
  char *at = strstr(text, from);
  assert_non_null(at);
  assert_true(strlen(to) <= strlen(from));
  memset(at, ' ', strlen(from));
  memcpy(at, to, strlen(to));
}

static void a_chain_is_the_same_looped_and_unrolled(void **state)
{
  (void)state;
  char text[sizeof chain_text];
  memcpy(text, chain_text, sizeof text);
  replace(text, "{0.5, 1, 2, 3}", "0.5*i^2/N");
  both_agree(text, 1);
  both_agree(text, 2);
  both_agree(text, 7);
}

static const char pairs_text[] =
    "model pairs\nsize N = 3\nset mol = 1 .. N\nset xy = {x, y}\n"
    "param s[k in xy] = {x: 1, y: 3/2}\nparam e = 2 in (0, inf)\n"
    "coord q[mol, xy] momentum p\n"
    "let r2(a, b) = sum(k in xy: s[k]*(q[a,k] - q[b,k])^2)\n"
    "let pull(c) = sum(a in mol: c*q[a,x])\n"
    "hamiltonian H = sum(a in mol, k in xy: p[a,k]^2/2)\n"
    "  + sum(a in mol, b in mol where a < b: sqrt(e)/sqrt(r2(a, b) + 1))\n"
    "  - 2*sum(a in mol, b in mol: q[a,x]*q[b,y]^2)\n"
    "  + sum(a in mol: q[a,x]*sum(b in mol where b != a and not b > N-1: exp(-r2(a, b))))/3\n"
    "  + pull(pull(1)) + product(k in xy: sin(q[1,k])) + sum(a in mol: q[N+1-a,x]*q[a,y]*a)\n"
    "  + sum(k in xy, j in xy where k != j: q[N,k]*p[1,j])\n"
    "observe far[a in mol, b in mol where a < b] = r2(a, b)\n"
    "invariant twice = 2*H + pull(3)\n"
    "init q[a in mol, k in xy] = a*s[k]\ninit p[a in mol, x] = 1/a\ninit p[a in mol, y] = 0\n";

static void pairs_and_nested_sums_are_the_same_looped_and_unrolled(void **state)
{
  (void)state;
  both_agree(pairs_text, 1);
  both_agree(pairs_text, 2);
  both_agree(pairs_text, 5);
}

static const char spins_text[] =
    "model spins\nsize N = 3\nset site = 1 .. N\nset ax = 1 .. 2\nparam g[k in ax] = {1: 1, 2: "
    "-1}\n"
    "coord q[site, ax] momentum p\n"
    "hamiltonian H = sum(i in site, k in ax: p[i,k]^2/2 - g[k]*q[i,k])\n"
    "  + sum(i in site where i < N: sum(k in ax: q[i,k]*q[i+1,k]))\n"
    "constraint sphere[i in site]: sum(k in ax: q[i,k]^2 + p[i,k]^2) == 1\n"
    "init q[i in site, 1] = 1\ninit q[i in site, 2] = 0\n"
    "init p[i in site, k in ax] = 0\n";

static void the_flow_of_spheres_has_its_jacobian(void **state)
{
  (void)state;
  both b = both_create(spins_text, 3);
  long n = 2 * b.r.model->nq;
  double *D = zeros(n * n);
  loop_flow_z(&b.point, D);
  compare(&b, "dGamma/dz", IR_FIBRE_FLOW_Z, 0, n * n, D);
  free(D);
  both_free(&b);
}

static void a_row_of_spheres_flows_in_closed_form(void **state)
{
  (void)state;
  both_agree(spins_text, 1);
  both_agree(spins_text, 4);
  lowered r = lower_text(spins_text, 0);
  assert_non_null(r.loops);
  assert_int_equal(r.loops->constraints[0].fibre, IR_FIBRE_CLOSED);
  assert_int_equal(r.loops->constraints[0].flow.n, 4);
  assert_string_equal(r.loops->structure.fibre,
                      "closed form: quadratic: rotation; the flows commute");
  release(&r);
}

static const char mixed_text[] =
    "model mixed\nsize N = 3\nset body = 1 .. N\nset xy = {x, y}\nparam m[i in body] = i + 1/2\n"
    "coord q[body, xy] momentum p\ncoord s momentum t\ncoord u[body] momentum v\n"
    "hamiltonian H = sum(i in body, k in xy: p[i,k]^2/(2*m[i])) + t^2/2 + sum(i in body: v[i]^2)\n"
    "  + sum(i in body, k in xy where k != x and i > 1 or i == N: q[i,k]*s*u[i])\n"
    "constraint com[k in xy]: sum(i in body: m[i]*q[i,k]) + s*sum(i in body: q[i,k]) == 0\n"
    "constraint far[a in body, b in body where a < b - 1]: q[a,x]*q[b,y] == 1\n"
    "constraint still: sum(i in body: i*v[i]^2) == 3\n"
    "init q[i in body, k in xy] = 1\ninit p[i in body, k in xy] = 0\ninit s = 1\ninit t = 0\n"
    "init u[i in body] = i\ninit v[i in body] = 0\n";

static void constraints_that_sum_over_all_bodies(void **state)
{
  (void)state;
  both_agree(mixed_text, 2);
  both_agree(mixed_text, 4);
}

/* ---- values by hand ---- */

static void a_chain_has_few_kernels_and_names_what_they_read(void **state)
{
  (void)state;
  char text[sizeof chain_text];
  memcpy(text, chain_text, sizeof text);
  replace(text, "{0.5, 1, 2, 3}", "0");
  lowered r = lower_text(text, 0);
  assert_non_null(r.loops);
  const ir_loops *l = r.loops;
  assert_int_equal(l->hamiltonian.n_parts, 2);
  assert_int_equal(l->hamiltonian.parts[0].nest.n, 2);
  assert_string_equal(l->hamiltonian.parts[0].kernel.sites[0].text, "q[i,k]");
  assert_string_equal(l->hamiltonian.parts[0].kernel.values[0].text, "m[i]");
  assert_string_equal(l->hamiltonian.parts[1].kernel.sites[0].text, "q[i,z]");
  const ir_kernel *length = &l->constraints[1].parts[0].kernel;
  static const char *const sites[] = {"q[i+1,x]", "q[i,x]",   "q[i+1,y]",
                                      "q[i,y]",   "q[i+1,z]", "q[i,z]"};
  assert_int_equal(length->n_sites, 6);
  for (int i = 0; i < 6; i++) {
    assert_string_equal(length->sites[i].text, sites[i]);
  }
  assert_int_equal(length->hessian.n, 9);
  assert_int_equal(l->constraints[1].fibre, IR_FIBRE_SHIFT_P);
  assert_string_equal(l->observe[0].parts[0].kernel.multipliers[0].text, "length[i]");
  assert_true(l->structure.separable);
  assert_true(l->structure.holonomic);
  assert_int_equal(l->structure.mass, IR_MASS_CONSTANT_DIAGONAL);
  assert_int_equal(l->structure.degree_H, 2);
  assert_int_equal(l->structure.degree_g, 2);
  assert_string_equal(l->structure.fibre, "closed form: holonomic; the flows commute");

  /* 3^2 + 1^2 + 2^2 - a^2 with a = 2, its gradient in the first site, and a part of its Hessian. */
  double z[12] = {4, 1, 1, 0, 2, 0};
  double a = 2;
  ir_values in = {{&a, NULL, z}};
  ir_evaluator *e = ir_evaluator_create(r.context);
  ir_evaluator_begin(e, &in);
  assert_true(ir_evaluator_value(e, length->value) == 10);
  assert_int_equal(length->gradient.entries[0].row, 0);
  assert_true(ir_evaluator_value(e, length->gradient.entries[0].value) == 6);
  assert_true(ir_evaluator_value(e, length->gradient.entries[1].value) == -6);
  assert_int_equal(length->hessian.entries[1].row, 1);
  assert_int_equal(length->hessian.entries[1].col, 0);
  assert_true(ir_evaluator_value(e, length->hessian.entries[1].value) == -2);
  ir_evaluator_free(e);
  release(&r);
}

static void sums_with_the_same_loops_are_one_kernel(void **state)
{
  (void)state;
  lowered r = lower_text("model s\nsize N = 3\nset a = 1 .. N\ncoord q[a] momentum p\n"
                         "let T = sum(i in a: p[i]^2)\n"
                         "hamiltonian H = T/4 + sum(j in a: q[j]^2) + T/4\n"
                         "  + sum(j in a where j > 1: q[j]) + sum(i in a where i > 1: q[i-1])\n"
                         "init q[i in a] = 0\ninit p[i in a] = 0\n",
                         0);
  assert_non_null(r.loops);
  assert_int_equal(r.loops->hamiltonian.n_parts, 2);
  assert_int_equal(r.loops->hamiltonian.parts[0].kernel.n_sites, 1);
  assert_int_equal(r.loops->hamiltonian.parts[1].kernel.n_sites, 2);
  release(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_is_the_same_looped_and_unrolled),
      cmocka_unit_test(pairs_and_nested_sums_are_the_same_looped_and_unrolled),
      cmocka_unit_test(a_row_of_spheres_flows_in_closed_form),
      cmocka_unit_test(the_flow_of_spheres_has_its_jacobian),
      cmocka_unit_test(constraints_that_sum_over_all_bodies),
      cmocka_unit_test(a_chain_has_few_kernels_and_names_what_they_read),
      cmocka_unit_test(sums_with_the_same_loops_are_one_kernel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
