/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_algebraic.c -- what `algebraic` makes of a model: momenta, their positions,
 * constraints, and initial states, and what is said about them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "model_texts.h"

static const char shells[] =
    "model m\nsize N = 4\nset i = 1 .. N\nset xy = {x, y}\n"
    "algebraic s[i, xy]\n"
    "coord q[i, xy] momentum p\n"
    "algebraic beta momentum alpha\n"
    "hamiltonian H = sum(a in i, k in xy: p[a,k]^2 + (s[a,k] - q[a,k])^2)\n"
    "              + beta^2\n"
    "constraint pin: q[1,x] == 0\n"
    "observe rate[a in i] = multiplier(algebraic_s[a,y])\n"
    "init q[i, xy] = 0\ninit p[i, xy] = 0\ninit s[i, xy] = 1\n"
    "init beta = 2\n"
    "init other: q[i, xy] = 0\ninit other: p[i, xy] = 1\n"
    "init other: s[i, xy] = 1\ninit other: beta = 2\n";

static checked_text accepted(const char *text)
{
  checked_text t = check_text(text);
  if (!t.m) {
    diagnostics_print(t.errors, stderr);
    fail_msg("the model is refused");
  }
  return t;
}

static void momenta(void **unused)
{
  checked_text t = accepted(shells);
  const model *m = t.m;
  (void)unused;
  assert_int_equal(m->n_coordinates, 3);
  assert_int_equal(m->nq, 17);
  assert_string_equal(m->coordinates[0]->name, "alpha_s");
  assert_string_equal(m->coordinates[0]->momentum, "s");
  assert_true(m->coordinates[0]->is_algebraic);
  assert_int_equal(m->coordinates[0]->shape.count, 8);
  assert_false(m->coordinates[1]->is_algebraic);
  assert_int_equal(m->coordinates[1]->offset, 8);
  assert_true(m->coordinates[2]->is_algebraic);
  assert_int_equal(m->coordinates[2]->offset, 16);
  assert_string_equal(m->coordinates[2]->name, "alpha");
  assert_string_equal(m->coordinates[2]->momentum, "beta");
  arena_free(t.memory);
}

/* Index variables are chosen that no declaration has: here 'i' is a set. */
static void constraints(void **unused)
{
  checked_text t = accepted(shells);
  const model *m = t.m;
  (void)unused;
  assert_int_equal(m->n_constraints, 3);
  assert_int_equal(m->nc, 10);
  const model_family *s = m->constraints[0];
  assert_string_equal(s->name, "algebraic_s");
  assert_string_equal(s->heading, "algebraic_s[j in i, k in xy]");
  assert_string_equal(s->text, "-alpha_s[j,k] == 0");
  assert_int_equal(s->offset, 0);
  assert_int_equal(s->count, 8);
  assert_int_equal(s->n_slots, 1);
  assert_string_equal(s->slots[0].text, "alpha_s[j,k]");
  assert_int_equal(s->body->kind, EXPR_NEG);
  assert_int_equal(s->body->a->kind, EXPR_POSITION);
  assert_ptr_equal(s->body->a->coordinate, m->coordinates[0]);
  const model_family *beta = m->constraints[1];
  assert_string_equal(beta->heading, "algebraic_beta");
  assert_string_equal(beta->text, "-alpha == 0");
  assert_int_equal(beta->offset, 8);
  assert_int_equal(beta->count, 1);
  assert_string_equal(m->constraints[2]->name, "pin");
  assert_int_equal(m->constraints[2]->offset, 9);
  assert_ptr_equal(m->observe[0]->body->family, s);
  arena_free(t.memory);
}

static void initial_states(void **unused)
{
  checked_text t = accepted(shells);
  const model *m = t.m;
  (void)unused;
  assert_int_equal(m->n_inits, 2);
  for (int i = 0; i < 2; i++) {
    const model_init *init = m->inits[i];
    assert_int_equal(init->n, 6);
    for (int j = 4; j < 6; j++) {
      const model_assignment *alpha = &init->assignments[j];
      assert_ptr_equal(alpha->coordinate, m->coordinates[j == 4 ? 0 : 2]);
      assert_false(alpha->is_momentum);
      assert_int_equal(alpha->values.n_binders, j == 4 ? 2 : 0);
      assert_int_equal(mpq_sgn(alpha->values.body->number), 0);
    }
  }
  arena_free(t.memory);
}

static void words(void **unused)
{
  checked_text t = accepted(shells);
  checked_text single = accepted("model m\ncoord q momentum p\nalgebraic beta\n"
                                 "hamiltonian H = p^2/2 + (beta - q)^2\n");
  checked_text plain = accepted(hopf_text);
  (void)unused;
  const char *text = model_algebraic_text(t.memory, t.m);
  assert_non_null(strstr(text, "b = (s, beta) have no time derivative: H_b = 0"));
  assert_non_null(strstr(text, "they are momenta, whose positions (alpha_s, alpha)"));
  const char *one = model_algebraic_text(single.memory, single.m);
  assert_non_null(strstr(one, "beta has no time derivative: H_beta = 0"));
  assert_non_null(strstr(one, "it is a momentum, whose position alpha_beta"));
  assert_non_null(strstr(one, "the block of N is -H_beta,beta"));
  assert_non_null(strstr(model_algebraic_degenerate(t.memory, t.m), "(s, beta)"));
  assert_string_equal(model_algebraic_text(plain.memory, plain.m), "");
  assert_string_equal(model_algebraic_degenerate(plain.memory, plain.m), "");
  arena_free(t.memory);
  arena_free(single.memory);
  arena_free(plain.memory);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momenta),
      cmocka_unit_test(constraints),
      cmocka_unit_test(initial_states),
      cmocka_unit_test(words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
