/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_bounded.c -- the work for long sums and products grows with their length, and what would
 * grow faster is refused before it is done.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "expr/builders.h"
#include "expr/code.h"
#include "expr/derivative.h"
#include "expr/magnitude.h"
#include "fixtures/cpu_time.h"
#include "symbolic/symbolic.h"

/* f(k + 1) for k = 1..n joined to a sum or a product, where k is entry k of z. */
static const ir_expr *many(ir_context *c, int n, int product)
{
  const ir_expr **parts = ARENA_ARRAY(ir_context_arena(c), n, const ir_expr *);
  for (int i = 0; i < n; i++) {
    const ir_expr *shifted = ir_plus(c, ir_input(c, IR_Z, i), ir_integer(c, i + 1));
    parts[i] = product ? shifted : ir_power(c, shifted, 1, 2);
  }
  return product ? ir_mul(c, n, parts) : ir_add(c, n, parts);
}

/* Bytes that a function of a sum or product of n parts needs. */
static size_t bytes(int n, int product, void (*function)(ir_context *, const ir_expr *))
{
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  const ir_expr *e = many(c, n, product);
  size_t before = arena_size(a);
  function(c, e);
  size_t used = arena_size(a) - before;
  ir_context_free(c);
  arena_free(a);
  return used;
}

static void magnitude_of(ir_context *c, const ir_expr *e)
{
  const ir_expr *bound = NULL;
  ir_magnitudes(c, 1, &e, &bound);
  assert_non_null(bound);
}

/* One partial sum or product for every term, kept by the table of nodes, would be n^2 terms. */
static void magnitudes_need_memory_for_their_terms_alone(void **state)
{
  (void)state;
  for (int product = 0; product < 2; product++) {
    size_t once = bytes(4000, product, magnitude_of);
    size_t twice = bytes(8000, product, magnitude_of);
    print_message("magnitude of a %s: %zu bytes for 4000 parts, %zu for 8000\n",
                  product ? "product" : "sum", once, twice);
    assert_true(twice < 3 * once);
  }
}

/* A search through all powers so far would be 5e9 comparisons. */
static void code_for_many_roots_takes_time_for_each_once(void **state)
{
  (void)state;
  enum { ROOTS = 100000 };
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  const ir_expr *e = many(c, ROOTS, 0);
  const int size[IR_SPACES] = {[IR_Z] = ROOTS};
  double start = cpu_seconds();
  const ir_code *code = ir_code_create(c, 1, &e, size, NULL);
  assert_int_equal(code->calls, ROOTS);
  print_message("code for %d roots: %.2f s\n", ROOTS, cpu_seconds() - start);
  assert_at_once(start, 3);
  ir_context_free(c);
  arena_free(a);
}

/* ---- refusals ---- */

/* What symbolic_lower says of a model with this H; "" where it takes it. */
static const char *said(arena *a, const char *declarations, const char *H)
{
  const char *text = arena_printf(a,
                                  "model t\nset s = 1 .. 30\nset few = 1 .. 3\n%s\n"
                                  "hamiltonian H = %s\n",
                                  declarations, H);
  diagnostics *d = diagnostics_create(a, "t.sw", text, strlen(text));
  const model *m = model_check(a, d, "t.sw", text, strlen(text), 0, NULL);
  assert_non_null(m);
  ir_context *c = ir_context_create(a);
  char *said = ARENA_ARRAY(a, 4000, char);
  if (!symbolic_lower(a, d, m, c)) {
    FILE *out = fmemopen(said, 3999, "w");
    assert_non_null(out);
    diagnostics_print(d, out);
    fclose(out);
  }
  ir_context_free(c);
  return said;
}

static void formulas_whose_derivatives_explode_are_refused_at_their_place_and_at_once(void **state)
{
  (void)state;
  static const struct {
    const char *declarations;
    const char *H;
    const char *place; /* NULL: it is taken */
  } cases[] = {
      {"coord x momentum p", "p^2/2 + product(i in s, j in s: x - i*j)", "t.sw:5:25: error: "},
      {"coord x momentum p", "p^2/2 + product(i in s: x - i)", NULL},
      {"coord x[s] momentum p", "product(i in s, j in s, k in s: x[i] - x[j] + k)", "t.sw:5:17: "},
      {"coord x[s] momentum p", "product(i in s: x[i] + i)", NULL},
      {"coord x[few] momentum p\n"
       "constraint c: sum(i in s, j in s, k in s: sin(i*x[1] + j*x[2] + k*x[3])) == 1",
       "p[1]^2", "t.sw:5:12: error: "},
      {"coord x[s] momentum p", "sum(i in s, j in s, k in s: x[i]*x[j]*x[k])/100", NULL},
      {"coord x[s] momentum p\nlet a = product(i in s: x[i] + i)\nlet b = a*(a + 1)*(a + 2)",
       "b*(b + 1)*(b + 2)", "t.sw:7:17: error: "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    double start = cpu_seconds();
    const char *text = said(a, cases[i].declarations, cases[i].H);
    print_message("%.2f s, %zu bytes: %s\n", cpu_seconds() - start, arena_size(a), cases[i].H);
    assert_at_once(start, 5);
    if (cases[i].place) {
      assert_non_null(strstr(text, cases[i].place));
      assert_non_null(strstr(text, "the derivatives of this formula would be too large"));
      assert_non_null(strchr(text, '^'));
      assert_true(arena_size(a) < 64u * 1024 * 1024);
    } else {
      assert_string_equal(text, "");
    }
    arena_free(a);
  }
}

/* Multiplied one by one, n factors are copied n times. */
static void chains_of_many_links_are_built_at_once(void **state)
{
  (void)state;
  enum { LINKS = 9000 };
  static const char *const operators[] = {"*", "+"};
  for (int i = 0; i < 2; i++) {
    arena *a = arena_create();
    char *chain = ARENA_ARRAY(a, 20 * LINKS, char);
    size_t at = 0;
    for (int j = 1; j < LINKS; j++) {
      at += (size_t)snprintf(chain + at, 20, "%s(x + %d)", j > 1 ? operators[i] : "", j);
    }
    double start = cpu_seconds();
    const char *text =
        said(a, arena_printf(a, "coord x momentum p\nobserve o = %s", chain), "p^2/2");
    print_message("%d links of '%s': %.2f s\n", LINKS, operators[i], cpu_seconds() - start);
    assert_string_equal(text, "");
    assert_at_once(start, 2);
    arena_free(a);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(magnitudes_need_memory_for_their_terms_alone),
      cmocka_unit_test(code_for_many_roots_takes_time_for_each_once),
      cmocka_unit_test(formulas_whose_derivatives_explode_are_refused_at_their_place_and_at_once),
      cmocka_unit_test(chains_of_many_links_are_built_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
