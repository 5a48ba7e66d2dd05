/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_witness_sizes.c -- at what sizes looped models are witnessed, and at which they are known to
 * fit.
 */
#include "witness_of.h"

static void test_small_sizes(void **state)
{
  table t = table_of(chain_text, 1);
  (void)state;
  assert_int_equal(t.w->n_cases, 2);
  assert_int_equal(t.w->n_sizes, 1);
  assert_int_equal(t.w->size_default[0], 64);
  long first = t.w->cases[0].sizes[0];
  assert_int_not_equal(first, t.w->cases[1].sizes[0]);
  assert_int_equal(t.w->cases[0].nq, 3 * first);
  assert_near(entry(t.w->cases[0].k_default, 0, 0), 1.0L / (long double)first, 1.0L);
  /* At N = 1 the default of a is 1/0, at N = 0 there is nothing. */
  for (int i = 0; i < t.w->n_trials; i++) {
    assert_int_equal(t.w->trials[i].fits, t.w->trials[i].sizes[0] >= 2);
  }
  assert_true(t.w->n_trials >= 4);
  release(&t);
}

/* Of two sizes, and of a third beside them, the first is once the smallest and once the largest, by
 * 2 from the second:
 * an end such as min(N, M) that is wrong by 1 is seen from either side. */
static void test_sizes_in_both_orders(void **state)
{
  table t =
      table_of("model box\nsize N = 9\nsize M = 9\nsize L = 9\nset x = 1 .. N\nset y = 1 .. M\n"
               "coord q[1 .. L] momentum p\n"
               "hamiltonian H = sum(i in 1 .. L: p[i]^2/2 + q[i]^2) + sum(i in x where i <= M and "
               "i <= L: q[i]) + sum(i in y where i <= L: q[i])\n"
               "init q[1 .. L] = 1\ninit p[1 .. L] = 0\n",
               1);
  (void)state;
  assert_int_equal(t.w->n_cases, 2);
  const long *one = t.w->cases[0].sizes;
  const long *other = t.w->cases[1].sizes;
  assert_true(one[0] <= one[1] - 2 && one[1] <= one[2] - 2);
  assert_true(other[0] >= other[1] + 2 && other[0] > other[2] && other[1] != other[2]);
  for (int i = 0; i < 3; i++) {
    assert_int_not_equal(one[i], other[i]);
  }
  release(&t);
}

/* Where sizes alone make a divisor of mod 0, in what has no instance then: in a filter of a whole
 * family every program refuses it; within, some programs do, and nothing is said. */
static void test_divisor_of_nothing(void **state)
{
  static const char *const endings[] = {
      "sum(i in node where mod(i - 2, N) < 2: q[i])",
      "sum(i in node: q[i]*sum(j in 0 .. N where mod(j, N) < 2: q[j]))"};
  char text[512];
  (void)state;
  for (int within = 0; within < 2; within++) {
    snprintf(
        text, sizeof text,
        "model around\nsize N = 4\nset node = 1 .. N\ncoord q[0 .. N] momentum p\n"
        "hamiltonian H = sum(i in 0 .. N: p[i]^2/2 + q[i]^2*sum(j in node: q[j]^2))%s%s\n%s%s\n"
        "init q[0 .. N] = 1\ninit p[0 .. N] = 0\n",
        within ? "" : " + ", within ? "" : endings[0], within ? "observe o = " : "",
        within ? endings[1] : "");
    table t = table_of(text, 1);
    assert_int_equal(t.w->n_trials, 5 - within);
    for (int i = 0; i < t.w->n_trials; i++) {
      assert_int_equal(t.w->trials[i].sizes[0], i + within);
      assert_int_equal(t.w->trials[i].fits, i + within > 0);
    }
    release(&t);
  }
}

/* Whether a model with this observable in it fits at N = 0, where `node` is empty and q has the
 * entry q[0] alone; -1 if nothing is said. */
static int fits_at_none(const char *observable)
{
  char text[1024];
  snprintf(text, sizeof text,
           "model few\nsize N = 4\nset node = 1 .. N\ncoord q[0 .. N] momentum p\n"
           "let all = sum(i in node: q[i])\nlet spread(x) = 1 + x*all\nlet first(x, y) = x\n"
           "hamiltonian H = sum(i in 0 .. N: p[i]^2/2 + q[i]^2)\ninvariant total = all\n"
           "observe %s\ninit q[0 .. N] = 1\ninit p[0 .. N] = 0\n",
           observable);
  table t = table_of(text, 1);
  int fits = -1;
  for (int i = 0; i < t.w->n_trials; i++) {
    fits = t.w->trials[i].sizes[0] == 0 ? t.w->trials[i].fits : fits;
  }
  release(&t);
  return fits;
}

/* A reference outside is doubtful in a product with an empty sum alone, and certain beside it. */
static void test_references_outside(void **state)
{
  static const struct {
    const char *observable;
    int fits;
  } cases[] = {
      {"o = q[0]*all", 1},
      {"o = q[1]", 0},
      {"o = q[1]*all", -1},
      {"o = all/q[1]", -1},
      {"o = q[0]*(all*q[1])", -1},
      {"o = q[1] + all", 0},
      {"o = q[1]*(1 + all)", 0},
      {"o = q[1]*all + q[2]", 0},
      {"o = q[2] - q[1]*all", 0},
      {"o = sin(q[1]) + q[0]*all", 0},
      {"o = q[1]*sum(i in node, j in 1 .. 3: q[i])", -1},
      {"o = if N > 0 then q[1] else q[0]*all", 1},
      {"o = q[1]*(if N > 0 then 2 else 3)", 0},
      {"o = spread(q[1])", -1},
      {"o = spread(q[0])*q[1]", 0},
      {"o = first(q[0], q[1])", 1},
      {"o = first(q[1], q[0])", 0},
      {"o = q[1]*total", -1},
      {"o = q[1]*H", 0},
      {"o[k in 0 .. 1] = q[2]*sum(i in 1 .. k: q[0])", 0},
      {"o[k in 0 .. 1 where k < 1] = q[2]*sum(i in 1 .. k: q[0])", -1},
      {"o[k in node] = q[k-1]*q[N]", 1},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int fits = fits_at_none(cases[i].observable);
    if (fits != cases[i].fits) {
      fail_msg("%s: %d", cases[i].observable, fits);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_sizes), cmocka_unit_test(test_sizes_in_both_orders),
      cmocka_unit_test(test_divisor_of_nothing), cmocka_unit_test(test_references_outside)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
