/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_symbolic.c -- from model text to expressions: brackets, structure, fibre flows, refusals.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "expr/evaluate.h"
#include "report/page.h"
#include "symbolic/symbolic.h"

enum { MOST = 16 };

typedef struct lowered {
  arena *memory;
  diagnostics *errors;
  const model *model;
  ir_context *context;
  const ir_program *program;
} lowered;

static lowered lower_text(const char *text)
{
  lowered r = {.memory = arena_create()};
  r.errors = diagnostics_create(r.memory, "test.sw", text, strlen(text));
  r.model = model_check(r.memory, r.errors, "test.sw", text, strlen(text), 0, NULL);
  if (!r.model) {
    diagnostics_print(r.errors, stderr);
  }
  assert_non_null(r.model);
  r.context = ir_context_create(r.memory);
  r.program = symbolic_lower(r.memory, r.errors, r.model, r.context);
  return r;
}

/* What is known of the model, for words about it. */
static compilation known(const lowered *r, const record *found)
{
  return (compilation){
      .model = r->model, .context = r->context, .program = r->program, .found = found};
}

static void release(lowered *r)
{
  ir_context_free(r->context);
  arena_free(r->memory);
}

/* Dense values of a function at (z, lambda), parameters at their defaults. */
static void values(const lowered *r, ir_function_id id, const double z[], const double lambda[],
                   double out[])
{
  const ir_function *f = &r->program->functions[id];
  int cols = f->cols ? f->cols : 1;
  ir_evaluator *e = ir_evaluator_create(r->context);
  ir_values in = {{r->program->k_default, lambda, z}};
  ir_evaluator_begin(e, &in);
  for (int i = 0; i < f->rows * cols; i++) {
    out[i] = 0;
  }
  for (int i = 0; i < f->n; i++) {
    out[f->entries[i].row * cols + f->entries[i].col] = ir_evaluator_value(e, f->entries[i].value);
  }
  ir_evaluator_free(e);
}

/* ---- round trip ---- */

static char *read_file(const char *path)
{
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  size_t n = fread(text, 1, (1 << 20) - 1, file);
  assert_true(n > 0);
  fclose(file);
  return text;
}

/* The expression, made once more of its parts by the constructors of the IR. */
static const ir_expr *made_again(ir_context *c, const ir_expr *e)
{
  const ir_expr *parts[64];
  assert_in_range(e->n, 0, 64);
  for (int i = 0; i < e->n; i++) {
    parts[i] = e->kind == IR_SUM
                   ? ir_scale(c, e->terms[i].coefficient, made_again(c, e->terms[i].node))
               : e->kind == IR_PRODUCT
                   ? ir_pow(c, made_again(c, e->factors[i].base), e->factors[i].exponent)
                   : made_again(c, e->arguments[i]);
  }
  switch (e->kind) {
  case IR_SUM:
    return ir_add(c, e->n, parts);
  case IR_PRODUCT:
    return ir_mul(c, e->n, parts);
  case IR_CALL:
    if (e->call == IR_HOLD) {
      return ir_held(c, parts[0]);
    }
    return ir_apply(c, e->call, parts[0], e->n > 1 ? parts[1] : NULL);
  case IR_INPUT:
    return ir_input(c, e->space, e->index);
  case IR_NUMBER:
    return ir_number(c, e->value);
  case IR_PI:
    break;
  }
  return ir_pi(c);
}

static void every_expression_is_in_normal_form(void **state)
{
  (void)state;
  static const char *const names[] = {
      "pendulum", "pendulum_angles", "charge_lagrangian", "spherical",      "hopf", "hopf_free",
      "lj7",      "chain6",          "two_constraints",   "double_pendulum"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    snprintf(path, sizeof path, "models/%s.sw", names[i]);
    char *text = read_file(path);
    lowered r = lower_text(text);
    assert_non_null(r.program);
    for (int id = 0; id < IR_FUNCTIONS; id++) {
      const ir_function *f = &r.program->functions[id];
      for (int e = 0; e < f->n; e++) {
        assert_ptr_equal(made_again(r.context, f->entries[e].value), f->entries[e].value);
      }
    }
    release(&r);
    free(text);
  }
}

/* ---- brackets ---- */

static const char hopf_text[] = "model hopf\n"
                                "coord a momentum u\ncoord b momentum v\n"
                                "param g1 = 0.3\nparam g2 = -1\n"
                                "hamiltonian H = (u^2 + v^2)/2 - g1*a - g2*b\n"
                                "constraint sphere: a^2 + b^2 + u^2 + v^2 == 1\n";

static void brackets_of_the_hopf_model_follow_the_signs_of_the_design(void **state)
{
  (void)state;
  lowered r = lower_text(hopf_text);
  assert_non_null(r.program);
  const double z[4] = {0.3, -0.7, 0.2, 0.5};
  double rho = 0;
  double N = 0;
  values(&r, IR_HIDDEN, z, NULL, &rho);
  values(&r, IR_NONDEGENERACY, z, NULL, &N);
  /* rho = {g,H} = g_q.H_p - g_p.H_q = 2 q.p + 2 p.g */
  double expected_rho = 2 * (0.3 * 0.2 - 0.7 * 0.5) + 2 * (0.2 * 0.3 - 0.5);
  /* {rho,g} = rho_q.g_p - rho_p.g_q = 4 |p|^2 - 4 (q + g).q */
  double expected_N = 4 * (0.04 + 0.25) - 4 * (0.6 * 0.3 + (-1.7) * -0.7);
  assert_true(fabs(rho - expected_rho) < 1e-14);
  assert_true(fabs(N - expected_N) < 1e-14);
  assert_true(fabs(-rho - expected_rho) > 1e-3);
  assert_true(fabs(-N - expected_N) > 1e-3);
  assert_int_equal(r.program->functions[IR_COISOTROPY].n, 0);
  release(&r);
}

static void structure_of_simple_models(void **state)
{
  (void)state;
  lowered r = lower_text("model s\ncoord a momentum u\ncoord b momentum v\n"
                         "hamiltonian H = u^2/2 + v^2 + a^4*b\nconstraint c: a^2 + b^2 == 1\n"
                         "invariant energy = H\ninvariant wrong = a\n");
  const ir_structure *s = &r.program->structure;
  assert_true(s->separable);
  assert_true(s->holonomic);
  assert_int_equal(s->mass, IR_MASS_CONSTANT_DIAGONAL);
  assert_int_equal(s->degree_H, 5);
  assert_int_equal(s->degree_g, 2);
  assert_true(r.program->invariants[0].conserved);
  assert_false(r.program->invariants[1].conserved);
  release(&r);

  r = lower_text("model s\ncoord a momentum u\ncoord b momentum v\n"
                 "hamiltonian H = u^2 + v^2 + u*v + cos(a)\n");
  assert_int_equal(r.program->structure.mass, IR_MASS_CONSTANT);
  assert_int_equal(r.program->structure.degree_H, -1);
  release(&r);

  r = lower_text("model s\ncoord a momentum u\nhamiltonian H = (1 + a^2)*u^2\n");
  assert_int_equal(r.program->structure.mass, IR_MASS_GENERAL);
  assert_false(r.program->structure.separable);
  release(&r);
}

/* ---- fibre flows ---- */

/* Worst |dGamma/dlambda_i - X_{g_i}(Gamma)| and |Gamma_0 - id| at a point. */
static double flow_error(const char *text, const double z[])
{
  lowered r = lower_text(text);
  assert_non_null(r.program);
  assert_int_equal(r.program->structure.numerical.constraint, -1);
  int d = r.program->nq;
  int m = r.program->nc;
  double lambda[MOST] = {0};
  double at[MOST];
  double slope[MOST * MOST];
  double Dg[MOST * MOST];
  double worst = 0;
  values(&r, IR_FIBRE_FLOW, z, lambda, at);
  for (int i = 0; i < 2 * d; i++) {
    worst = fmax(worst, fabs(at[i] - z[i]));
  }
  for (int i = 0; i < m; i++) {
    lambda[i] = 0.3 + 0.2 * i;
  }
  values(&r, IR_FIBRE_FLOW, z, lambda, at);
  values(&r, IR_FIBRE_FLOW_LAMBDA, z, lambda, slope);
  values(&r, IR_CONSTRAINT_JAC, at, NULL, Dg);
  for (int i = 0; i < m; i++) {
    for (int a = 0; a < d; a++) {
      worst = fmax(worst, fabs(slope[a * m + i] - Dg[i * 2 * d + d + a]));
      worst = fmax(worst, fabs(slope[(d + a) * m + i] + Dg[i * 2 * d + a]));
    }
  }
  release(&r);
  return worst;
}

#define THREE "model f\ncoord a momentum u\ncoord b momentum v\ncoord c momentum w\n"
#define TWO   "model f\ncoord a momentum u\ncoord b momentum v\nparam w = 1.7 in (0, inf)\n"

static void closed_flows_satisfy_their_differential_equation(void **state)
{
  (void)state;
  static const double z[6] = {0.4, -0.6, 0.3, 0.8, -0.5, 0.7};
  static const char *const texts[] = {
      TWO "hamiltonian H = u^2 + v^2\nconstraint c: sqrt(a^2 + b^2) == 1\n",
      TWO "hamiltonian H = a^2 + b^2\nconstraint c: exp(u)*v == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a^2 + u^2 + 3*b + v == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: w*a^2 + u^2 + b^2 == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: u^2 - w*a^2 + a - 2*u == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a*u == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a*v - b*u == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a + u == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a^2 + u^2 == 1\nconstraint e: b*v == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a^2 + b^2 + u^2 + v^2 == 1\n"
          "constraint e: a*v - b*u == 0.1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a == 1\nconstraint e: v == 2\n",
      /* A^4 = 0, and with a constant part. */
      TWO "hamiltonian H = u^2 + a\nconstraint c: u*b + v^2/2 == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: u*b + w*v^2/2 + 2*u - 3*b + a == 1\n",
      /* A^3 = c A: the lift of a rotation about (1,1,1), and one that grows; with a constant
       * part. */
      THREE "hamiltonian H = u^2\nconstraint g: (b*w - c*v) + (c*u - a*w) + (a*v - b*u) == 1\n",
      THREE "hamiltonian H = u^2\nconstraint g: u*b + v*(a + c) + w*b + 2*a - 3*w + v == 1\n",
      /* A sign that a parameter has. */
      TWO "param s = 2\nhamiltonian H = u^2\nconstraint c: s*a^2 + u^2 + 3*a == 1\n",
      TWO "param s = -2\nhamiltonian H = u^2\nconstraint c: s*a^2 + u^2 + 3*a == 1\n",
      TWO "param s = 0\nhamiltonian H = u^2\nconstraint c: s*a^2 + u^2 + 3*a == 1\n",
      /* Lifts of translations. */
      TWO "hamiltonian H = u^2 + a\nconstraint c: u + 2*v + a^3*b + b == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: u + sin(b) == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: 2*u - v + exp(a + 2*b) == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a + u^3*w + exp(v) == 1\n",
      /* A quadratic, and a function that it leaves alone. */
      TWO "hamiltonian H = u^2 + a\nconstraint c: a*v - b*u + sqrt(a^2 + b^2) == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a*v - b*u + exp(-u^2 - v^2) == 1\n",
      TWO "hamiltonian H = u^2 + a\nconstraint c: a*u - b*v + sin(a*b) == 1\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double error = flow_error(texts[i], z);
    if (!(error < 1e-14)) {
      print_error("%s\nflow off by %g\n", texts[i], error);
    }
    assert_true(error < 1e-14);
  }
}

static void flows_without_a_closed_form_say_why(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    const char *reason;
  } cases[] = {
      {TWO "hamiltonian H = u^2\nconstraint c: a^2*u + b == 1\n", "neither holonomic"},
      {TWO "hamiltonian H = u^2\nconstraint c: sin(a) + cos(u) == 1\n", "neither holonomic"},
      {TWO "hamiltonian H = u^2\nconstraint c: a^2 + u^2 + 2*b^2 + v^2 + b*a == 1\n", "A^2 = c"},
      {TWO "hamiltonian H = u^2\nconstraint c: a^2 + u^2 == 1\nconstraint e: a == 0\n", "bracket"},
      {TWO "hamiltonian H = u^2\nconstraint c: u + exp(a) == 1\n", "neither holonomic"},
      {TWO "hamiltonian H = u^2\nconstraint c: a*v - b*u + a^3 == 1\n", "neither holonomic"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lowered r = lower_text(cases[i].text);
    assert_non_null(r.program);
    assert_int_equal(r.program->structure.numerical.constraint, 0);
    assert_non_null(strstr(r.program->structure.numerical.reason, cases[i].reason));
    assert_int_equal(r.program->functions[IR_FIBRE_FLOW].rows, 0);
    const record *found = analyse(r.memory, r.context, r.program);
    const compilation c = known(&r, found);
    const char *text = page_summary(&c);
    assert_non_null(strstr(text, "numerical, Gauss-Legendre"));
    assert_non_null(strstr(text, "no closed form for 'c'"));
    assert_non_null(strstr(text, cases[i].reason));
    release(&r);
  }
}

/* ---- verdicts ---- */

static void second_class_pairs_are_refused_with_a_witness_on_M(void **state)
{
  (void)state;
  lowered r = lower_text(TWO "hamiltonian H = u^2 + v^2\nconstraint c: a^2 + b^2 == 1\n"
                             "constraint e: a*u + b*v == 0\n");
  const record *found = analyse(r.memory, r.context, r.program);
  assert_true(found->refused);
  assert_int_equal(found->coisotropic.answer, FACT_NO);
  assert_int_equal(found->pair, 0);
  double g[2];
  values(&r, IR_CONSTRAINT, found->brackets[0].at, NULL, g);
  assert_true(fabs(g[0]) < 1e-10 && fabs(g[1]) < 1e-10);
  assert_true(fabs(found->brackets[0].value) > 0.1);
  const compilation c = known(&r, found);
  const char *why = page_refusal(&c);
  assert_non_null(strstr(why, "'c' and 'e' are second class"));
  release(&r);
}

static void involution_on_M_alone_has_a_numerical_flow(void **state)
{
  (void)state;
  /* {g1, exp(u) g2} = {g1, exp(u)} g2 with commuting g1, g2: zero on M, not off it. */
  lowered r = lower_text(TWO "hamiltonian H = u^2 + v^2\nconstraint c: a^2 + b^2 == 1\n"
                             "constraint e: exp(u)*(b - a) == 0\n");
  const record *found = analyse(r.memory, r.context, r.program);
  assert_int_equal(found->coisotropic.answer, FACT_YES);
  assert_true(fact_proved(&found->coisotropic));
  assert_true(found->M.points > 10);
  assert_int_equal(found->brackets[0].points, found->M.points);
  assert_int_not_equal(r.program->structure.numerical.constraint, -1);
  release(&r);
}

static void a_hamiltonian_that_ignores_the_fibre_is_refused(void **state)
{
  (void)state;
  /* Paper 000, section 5.2: H = p^2/2 + pbar q with g = qbar has index five, H = p^2/2 infinitely
   * many solutions. */
  static const char *const energies[] = {"u^2/2 + v*a", "u^2/2"};
  for (int i = 0; i < 2; i++) {
    char text[256];
    snprintf(text, sizeof text, TWO "hamiltonian H = %s\nconstraint c: b == 0\n", energies[i]);
    lowered r = lower_text(text);
    const record *found = analyse(r.memory, r.context, r.program);
    assert_true(found->MH.points > 0);
    assert_int_equal(found->N.degenerate, found->MH.points);
    assert_int_equal(found->refused, REFUSED_DEGENERATE);
    const compilation c = known(&r, found);
    assert_non_null(strstr(page_refusal(&c), "N = {{g,H},g} is singular"));
    release(&r);
  }
}

/* ---- errors ---- */

static void poles_and_values_that_are_not_real_have_a_place(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    const char *message;
  } cases[] = {
      {"model e\ncoord a momentum u\nlet zero = a - a\nhamiltonian H = u^2/zero\n", "zero"},
      {"model e\ncoord a momentum u\nhamiltonian H = u^2*log(a - a)\n", "pole"},
      {"model e\ncoord a momentum u\nhamiltonian H = u^2 + sqrt(a - a - 2)\n", "not real"},
      {"model e\ncoord a momentum u\nhamiltonian H = u^2 + (((2 + a - a)^100)^100)^100\n",
       "too large"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lowered r = lower_text(cases[i].text);
    assert_null(r.program);
    assert_int_equal(diagnostics_count(r.errors), 1);
    char printed[1024] = "";
    FILE *out = fmemopen(printed, sizeof printed - 1, "w");
    assert_non_null(out);
    diagnostics_print(r.errors, out);
    fclose(out);
    if (!strstr(printed, cases[i].message)) {
      print_error("%s\n", printed);
    }
    assert_non_null(strstr(printed, cases[i].message));
    release(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_expression_is_in_normal_form),
      cmocka_unit_test(brackets_of_the_hopf_model_follow_the_signs_of_the_design),
      cmocka_unit_test(structure_of_simple_models),
      cmocka_unit_test(closed_flows_satisfy_their_differential_equation),
      cmocka_unit_test(flows_without_a_closed_form_say_why),
      cmocka_unit_test(second_class_pairs_are_refused_with_a_witness_on_M),
      cmocka_unit_test(involution_on_M_alone_has_a_numerical_flow),
      cmocka_unit_test(a_hamiltonian_that_ignores_the_fibre_is_refused),
      cmocka_unit_test(poles_and_values_that_are_not_real_have_a_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
