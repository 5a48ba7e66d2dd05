/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model.c -- what the checked model says of a text that is right.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model_texts.h"
#include "sidewinder/methods.h"

/* The model of a text, which must be accepted. */
static checked_text accepted(const char *text)
{
  checked_text t = check_text(text);
  if (!t.m) {
    diagnostics_print(t.errors, stderr);
    fail_msg("the model is refused");
  }
  return t;
}

static int equals(mpq_srcptr number, long numerator, unsigned long denominator)
{
  return mpq_cmp_si(number, numerator, denominator) == 0;
}

static const model_family *find(int n, const model_family *const list[], const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(list[i]->name, name) == 0)
      return list[i];
  fail_msg("no family %s", name);
  return NULL;
}

static void chain_declarations(void **unused)
{
  checked_text t = accepted(chain_text);
  const model *m = t.m;
  (void)unused;
  assert_string_equal(m->name, "chain");
  assert_string_equal(m->title, "Inextensible chain of N nodes");
  assert_string_equal(m->file, "test.sw");
  assert_int_equal(m->n_sizes, 1);
  assert_int_equal(m->sizes[0]->value, 64);
  assert_int_equal(m->n_sets, 3);
  assert_string_equal(m->sets[1]->name, "link");
  assert_int_equal(m->sets[1]->first, 1);
  assert_int_equal(m->sets[1]->count, 63);
  assert_true(m->sets[1]->is_range);
  assert_int_equal(m->sets[1]->upper->kind, INDEX_SUB);
  assert_int_equal(m->sets[2]->count, 3);
  assert_string_equal(m->sets[2]->labels[2], "z");
  assert_int_equal(m->n_parameters, 3);
  assert_int_equal(m->parameters[0]->shape.count, 64);
  assert_int_equal(m->parameters[1]->offset, 64);
  assert_int_equal(m->parameters[2]->offset, 65);
  assert_int_equal(m->nk, 66);
  assert_true(equals(m->parameters[2]->values.body->number, 981, 100));
  assert_int_equal(m->n_coordinates, 1);
  assert_string_equal(m->coordinates[0]->name, "q");
  assert_string_equal(m->coordinates[0]->momentum, "p");
  assert_int_equal(m->coordinates[0]->shape.n, 2);
  assert_int_equal(m->nq, 192);
  assert_int_equal(m->n_lets, 1);
  assert_int_equal(m->lets[0]->n_arguments, 1);
  assert_null(m->lets[0]->arguments[0]->set);
  arena_free(t.memory);
}

static void chain_families(void **unused)
{
  checked_text t = accepted(chain_text);
  const model *m = t.m;
  (void)unused;
  assert_string_equal(m->hamiltonian_name, "H");
  assert_string_equal(m->hamiltonian_text, "sum(i in node, k in xyz: p[i,k]^2/(2*m[i])) "
                                           "+ sum(i in node: m[i]*gravity*q[i,z])");
  assert_int_equal(m->n_terms, 2);
  assert_int_equal(m->terms[0]->count, 192);
  assert_int_equal(m->terms[0]->n_binders, 2);
  assert_int_equal(m->terms[1]->offset, 192);
  assert_int_equal(m->terms[1]->count, 64);
  assert_int_equal(m->terms[1]->n_slots, 1);
  assert_string_equal(m->terms[1]->slots[0].text, "q[i,z]");
  assert_string_equal(m->terms[1]->text, "sum(i in node: m[i]*gravity*q[i,z])");
  assert_int_equal(m->n_constraints, 2);
  assert_int_equal(m->nc, 66);
  const model_family *length = m->constraints[1];
  assert_string_equal(length->name, "length");
  assert_string_equal(length->text, "d2(i) == a^2");
  assert_int_equal(length->offset, 3);
  assert_int_equal(length->count, 63);
  assert_int_equal(length->body->kind, EXPR_SUB);
  assert_int_equal(length->n_slots, 2);
  assert_string_equal(length->slots[0].text, "q[i+1,k]");
  assert_string_equal(length->slots[1].text, "q[i,k]");
  assert_int_equal(m->n_observe, 1);
  assert_int_equal(m->observe[0]->body->kind, EXPR_MULTIPLIER);
  assert_ptr_equal(m->observe[0]->body->family, length);
  assert_int_equal(m->invariants[0]->body->kind, EXPR_HAMILTONIAN);
  arena_free(t.memory);
}

static void chain_start(void **unused)
{
  checked_text t = accepted(chain_text);
  const model *m = t.m;
  (void)unused;
  assert_int_equal(m->n_inits, 1);
  assert_string_equal(m->inits[0]->name, "default");
  assert_int_equal(m->inits[0]->n, 4);
  const model_assignment *first = &m->inits[0]->assignments[0];
  assert_false(first->is_momentum);
  assert_int_equal(first->values.n_binders, 1);
  assert_int_equal(first->index[0]->kind, INDEX_VARIABLE);
  assert_ptr_equal(first->index[0]->binder, first->values.binders[0]);
  assert_int_equal(first->index[1]->kind, INDEX_LABEL);
  assert_true(m->inits[0]->assignments[3].is_momentum);
  assert_string_equal(m->run.method, "rattle");
  assert_null(m->run.base);
  assert_null(m->run.init);
  assert_true(m->run.step == 1e-3);
  assert_true(m->run.t_end == 5.0);
  assert_int_equal(m->run.steps, -1);
  assert_int_equal(m->run.every, 50);
  arena_free(t.memory);
}

/* A run line takes every name that the tables of methods have, also those with numbers in them. */
static void run_words(void **unused)
{
#define NAME(identifier, name) name,
  static const char *const methods[] = {SW_METHODS(NAME)};
  static const char *const bases[] = {SW_BASES(NAME)};
  static const char *const compositions[] = {SW_COMPOSITIONS(NAME)};
#undef NAME
  static const struct {
    const char *setting;
    const char *const *names;
    size_t n;
  } settings[] = {{"method", methods, sizeof methods / sizeof *methods},
                  {"base", bases, sizeof bases / sizeof *bases},
                  {"compose", compositions, sizeof compositions / sizeof *compositions}};
  (void)unused;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    for (size_t j = 0; j < settings[i].n; j++) {
      char text[200];
      snprintf(text, sizeof text,
               "model m\ncoord q momentum p\nhamiltonian H = p^2/2\nrun %s = %s, steps = 5-2\n",
               settings[i].setting, settings[i].names[j]);
      checked_text t = accepted(text);
      const model_run *run = &t.m->run;
      const char *taken[] = {run->method, run->base, run->compose};
      assert_string_equal(taken[i], settings[i].names[j]);
      assert_int_equal(run->steps, 3);
      arena_free(t.memory);
    }
  }
}

static void hopf_content(void **unused)
{
  checked_text t = accepted(hopf_text);
  const model *m = t.m;
  (void)unused;
  assert_int_equal(m->nq, 2);
  assert_int_equal(m->nk, 2);
  assert_int_equal(m->nc, 1);
  assert_int_equal(m->n_inits, 0);
  assert_null(m->run.method);
  assert_true(isnan(m->run.step));
  assert_null(m->parameters[0]->values.body);
  assert_int_equal(m->parameters[0]->values.table[1]->kind, EXPR_NEG);
  assert_int_equal(m->n_terms, 1);
  assert_int_equal(m->terms[0]->count, 2);
  assert_int_equal(m->terms[0]->n_slots, 2);
  assert_string_equal(m->terms[0]->slots[0].text, "p[k]");
  assert_string_equal(m->constraints[0]->text, "sum(k in ax: q[k]^2 + p[k]^2) == 1");
  assert_int_equal(m->constraints[0]->count, 1);
  const char *const *names = model_shape_names(t.memory, "p", &m->coordinates[0]->shape);
  assert_string_equal(names[1], "p.2");
  names = model_family_names(t.memory, m, m->constraints[0]);
  assert_string_equal(names[0], "sphere");
  arena_free(t.memory);
}

static void pairs(void **unused)
{
  checked_text t = accepted("model m\n"
                            "set mol = 0 .. 3\n"
                            "set xy = {x, y}\n"
                            "coord q[mol, xy] momentum p\n"
                            "hamiltonian H = 0\n"
                            "constraint c[i in mol, j in mol where i < j and not i == 1]:"
                            " q[i,x] == q[j,y]\n"
                            "constraint d[k in xy, i in mol]: q[i,k] == 0\n"
                            "observe f[i in mol where i < 3] = multiplier(c[0,i+1])\n");
  const model_family *c = t.m->constraints[0];
  long *environment = calloc((size_t)t.m->n_slots, sizeof *environment);
  long *scratch = calloc((size_t)t.m->n_slots, sizeof *scratch);
  static const char *const expected[] = {"c.0.1", "c.0.2", "c.0.3", "c.2.3"};
  const char *const *names = model_family_names(t.memory, t.m, c);
  (void)unused;
  assert_int_equal(c->count, 4);
  for (int i = 0; i < 4; i++)
    assert_string_equal(names[i], expected[i]);
  assert_int_equal(t.m->constraints[1]->offset, 4);
  names = model_family_names(t.memory, t.m, t.m->constraints[1]);
  assert_string_equal(names[5], "d.y.1");
  model_index i = {.kind = INDEX_INTEGER, .value = 2};
  model_index j = {.kind = INDEX_INTEGER, .value = 3};
  const model_index *index[] = {&i, &j};
  assert_int_equal(model_family_position(c, index, environment, scratch), 3);
  i.value = 1;
  assert_int_equal(model_family_position(c, index, environment, scratch), -1);
  i.value = 4;
  assert_int_equal(model_family_position(c, index, environment, scratch), -1);
  const model_set *xy = t.m->sets[1];
  const model_index y = {.kind = INDEX_LABEL, .set = xy, .value = 1};
  const model_index *other[] = {&y, &j};
  assert_int_equal(model_family_position(t.m->constraints[1], other, environment, scratch), 7);
  j.value = 4;
  assert_int_equal(model_family_position(t.m->constraints[1], other, environment, scratch), -1);
  j.value = 3;
  const model_index *entry[] = {&j, &y};
  assert_int_equal(model_shape_offset(&t.m->coordinates[0]->shape, entry, environment), 7);
  free(environment);
  free(scratch);
  arena_free(t.memory);
}

static void names_and_tables(void **unused)
{
  checked_text t = accepted("model m\nset a = -1 .. 0\nset b = {u, v, w}\nset c = 1 .. 2\n"
                            "coord q[a, b, c] momentum p\nhamiltonian H = 0\n"
                            "param k2[a, b] = {0: {w: 4, u: 5, v: 6}, -1: {1, 2, 3}}\n");
  const char *const *names = model_shape_names(t.memory, "q", &t.m->coordinates[0]->shape);
  static const long expected[] = {1, 2, 3, 5, 6, 4};
  (void)unused;
  assert_string_equal(names[0], "q.-1.u.1");
  assert_string_equal(names[3], "q.-1.v.2");
  assert_string_equal(names[11], "q.0.w.2");
  for (int i = 0; i < 6; i++)
    assert_true(equals(t.m->parameters[0]->values.table[i]->number, expected[i], 1));
  arena_free(t.memory);
}

static void empty_product_of_binders(void **unused)
{
  long environment[1] = {0};
  (void)unused;
  assert_int_equal(model_binders_next(0, 0, NULL, NULL, environment), 1);
  assert_int_equal(model_binders_next(1, 0, NULL, NULL, environment), 0);
  const model_set none = {.is_range = 1, .first = 1, .count = 0};
  const model_binder i = {"i", &none, 0, NULL};
  const model_binder *const binders[] = {&i};
  assert_int_equal(model_binders_next(0, 1, binders, NULL, environment), 0);
}

static void terms_of_the_hamiltonian(void **unused)
{
  checked_text t = accepted("model m\nset s = 1 .. 3\ncoord q[s] momentum p\n"
                            "hamiltonian H = (p[1]^2 - (q[1] - 2*q[2])) # comment\n"
                            "   - sum(i in s: q[i]) + -(q[3])\n");
  static const struct {
    const char *text;
    int negative;
    long count;
  } expected[] = {{"p[1]^2", 0, 1},
                  {"-q[1]", 1, 1},
                  {"2*q[2]", 0, 1},
                  {"-sum(i in s: q[i])", 1, 3},
                  {"-q[3]", 1, 1}};
  (void)unused;
  assert_int_equal(t.m->n_terms, 5);
  for (int i = 0; i < 5; i++) {
    const model_family *term = t.m->terms[i];
    assert_string_equal(term->text, expected[i].text);
    assert_int_equal(term->body->kind == EXPR_NEG, expected[i].negative);
    assert_int_equal(term->count, expected[i].count);
    assert_int_equal(term->offset, i == 4 ? 6 : i);
  }
  assert_string_equal(t.m->hamiltonian_text,
                      "(p[1]^2 - (q[1] - 2*q[2])) - sum(i in s: q[i]) + -(q[3])");
  arena_free(t.memory);
}

static void arguments_of_lets(void **unused)
{
  checked_text t = accepted("model m\nset s = 1 .. 4\nset xy = {x, y}\n"
                            "coord q[s, xy] momentum p\nhamiltonian H = 0\n"
                            "let at(i, k) = q[i,k]\n"
                            "let square(v) = v^2\n"
                            "let both(i) = i*at(i + 1, y)\n"
                            "observe a = at(2, x) + square(3) + square(at(1, y)) + both(3)\n"
                            "observe b[k in xy] = sum(i in s where i < 4: at(i + 1, k))\n");
  const model_expr *a = find(t.m->n_observe, t.m->observe, "a")->body;
  const model_expr *both = a->b;
  const model_expr *of_value = a->a->b;
  const model_expr *of_number = a->a->a->b;
  const model_expr *at = a->a->a->a;
  (void)unused;
  assert_int_equal(at->kind, EXPR_LET);
  assert_int_equal(at->arguments[0].index->kind, INDEX_INTEGER);
  assert_int_equal(at->arguments[0].value->kind, EXPR_INDEX);
  assert_int_equal(at->arguments[1].index->kind, INDEX_LABEL);
  assert_int_equal(of_number->arguments[0].index->value, 3);
  assert_null(of_value->arguments[0].index);
  assert_int_equal(of_value->arguments[0].value->kind, EXPR_LET);
  const model_expr *body = both->let->body;
  assert_int_equal(body->a->kind, EXPR_ARGUMENT);
  assert_int_equal(body->b->arguments[0].index->kind, INDEX_ADD);
  assert_ptr_equal(body->b->arguments[0].index->a->binder, both->let->arguments[0]);
  const model_family *b = find(t.m->n_observe, t.m->observe, "b");
  assert_int_equal(b->n_slots, 1);
  assert_string_equal(b->slots[0].text, "q[i+1,k]");
  arena_free(t.memory);
}

static void named_states(void **unused)
{
  checked_text t =
      accepted("model m\nset s = 1 .. 3\ncoord q[s] momentum p\ncoord t momentum pt\n"
               "hamiltonian H = 0\nparam l = 2 in (0, 3]\n"
               "init za: q[s] = {l, 2, 3}\ninit za: p[2] = 1\n"
               "set ends = 3 .. 3\ninit za: p[i in ends] = i\ninit za: p[1] = 0\n"
               "init za: t = pi\ninit za: pt = sin(l)\n"
               "run init = za, base = euler-a, steps = 10, step = -1/10, compensated = yes\n");
  const model_init *za = t.m->inits[0];
  (void)unused;
  assert_int_equal(t.m->n_inits, 1);
  assert_string_equal(za->name, "za");
  assert_int_equal(za->n, 6);
  assert_int_equal(za->assignments[0].values.table[0]->kind, EXPR_PARAMETER);
  assert_int_equal(za->assignments[2].values.n_binders, 1);
  assert_int_equal(t.m->coordinates[1]->offset, 3);
  assert_true(equals(t.m->parameters[0]->lower, 0, 1));
  assert_true(equals(t.m->parameters[0]->upper, 3, 1));
  assert_false(t.m->parameters[0]->lower_closed);
  assert_true(t.m->parameters[0]->upper_closed);
  assert_string_equal(t.m->run.init, "za");
  assert_string_equal(t.m->run.base, "euler-a");
  assert_int_equal(t.m->run.compensated, 1);
  assert_true(t.m->run.step == -0.1);
  assert_int_equal(t.m->run.steps, 10);
  arena_free(t.memory);
}

static void exact_numbers(void **unused)
{
  checked_text t = accepted("model m\ncoord q momentum p\nhamiltonian H = 0\n"
                            "param a = 0.1\nparam b = 12.50e-3\nparam c = 1e22\nparam d = 0.000\n"
                            "run t_end = 9007199254740995, step = 2/3\n");
  (void)unused;
  assert_true(equals(t.m->parameters[0]->values.body->number, 1, 10));
  assert_true(equals(t.m->parameters[1]->values.body->number, 1, 80));
  assert_true(mpq_get_d(t.m->parameters[2]->values.body->number) == 1e22);
  assert_true(equals(t.m->parameters[3]->values.body->number, 0, 1));
  /* Rounded to nearest, ties to even. */
  assert_true(t.m->run.t_end == 9007199254740996.0);
  assert_true(t.m->run.step == 2.0 / 3.0);
  arena_free(t.memory);
}

/* Indices that no box of values can show to be in range, since a condition cuts the box. */
static void ranges_within_conditions(void **unused)
{
  checked_text t = accepted(
      "model m\nsize N = 5\nset s = 1 .. N\nset k = 0 .. N\nset none = 3 .. 2\n"
      "coord q[s] momentum p\n"
      "hamiltonian H = sum(i in s where i < N: q[i+1])"
      " + sum(i in s: sum(j in s where j < i: q[i-j]))"
      " + sum(i in s where i < N: sum(j in s: p[i+1]*q[j]))"
      " + sum(i in s where not (i == 1 or i > 3): q[i*i-3*i+3]) + sum(i in none: q[i+100])\n"
      "let before(i) = sum(j in k where j < i and j > 0: q[j+1])\n"
      "observe a = sum(i in s: before(i)) + sum(i in s: q[i - i + 1] + q[6 - i])\n"
      "param c[none] = 1/0.5\n");
  (void)unused;
  assert_int_equal(t.m->terms[0]->count, 4);
  assert_int_equal(t.m->terms[3]->count, 2);
  assert_int_equal(t.m->terms[4]->count, 0);
  assert_int_equal(t.m->parameters[0]->shape.count, 0);
  arena_free(t.memory);
}

static void function_names(void **unused)
{
  (void)unused;
  for (int i = 0; i < FUNCTION_COUNT; i++)
    assert_non_null(model_function_name((model_function)i));
  assert_string_equal(model_function_name(FUNCTION_ATAN2), "atan2");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_declarations),
      cmocka_unit_test(chain_families),
      cmocka_unit_test(chain_start),
      cmocka_unit_test(run_words),
      cmocka_unit_test(hopf_content),
      cmocka_unit_test(pairs),
      cmocka_unit_test(names_and_tables),
      cmocka_unit_test(empty_product_of_binders),
      cmocka_unit_test(terms_of_the_hamiltonian),
      cmocka_unit_test(arguments_of_lets),
      cmocka_unit_test(named_states),
      cmocka_unit_test(exact_numbers),
      cmocka_unit_test(ranges_within_conditions),
      cmocka_unit_test(function_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
