/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_loops_refused.c -- what the looped lowering refuses, where, and how near to that it accepts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/lowered_text.h"

/* ---- errors ---- */

/* without: what the error must not say; NULL for nothing. */
static void refused_without(const char *text, const char *line, const char *part,
                            const char *without)
{
  lowered r = lower_text(text, 0);
  char *printed = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&printed, &size);
  assert_non_null(out);
  diagnostics_print(r.errors, out);
  fclose(out);
  if (r.loops || !strstr(printed, part) || !strstr(printed, line)) {
    fail_msg("'%s' at '%s' is expected, and not: %s", part, line, printed);
  }
  if (without && strstr(printed, without)) {
    fail_msg("'%s' is advised, which cannot be: %s", without, printed);
  }
  free(printed);
  release(&r);
}

static void refused(const char *text, const char *line, const char *part)
{
  refused_without(text, line, part, NULL);
}

#define HEAD                                                                                       \
  "model e\nsize N = 3\nset s = 1 .. N\nset ax = {x, y}\ncoord q[s] momentum p\n"                  \
  "coord r[s, ax] momentum w\nlet all = sum(i in s: q[i])\n"
#define H "hamiltonian H = sum(i in s: p[i]^2/2)\n"

static void what_cannot_loop_is_refused_at_its_place(void **state)
{
  (void)state;
  refused(HEAD "hamiltonian H = sqrt(all)\n", ":7:", "not stand inside 'sqrt'");
  refused(HEAD "hamiltonian H = 1/all\n", ":7:", "in a divisor");
  refused(HEAD "hamiltonian H = all^2\n", ":7:", "inside a power");
  refused(HEAD "hamiltonian H = all*sum(i in s: p[i])\n", ":8:", "another such sum");
  refused(HEAD "hamiltonian H = product(i in s: p[i])\n",
          ":8:", "a product over a set of any size");
  refused(HEAD H "observe b = bracket(q[1], p[1])\n", ":9:", "--lowering unrolled");
  refused(HEAD H "constraint c[i in s where i > 1]: q[i] == 0\n"
                 "observe b[i in s where i > 1] = multiplier(c[i])\n",
          ":10:", "has a 'where'");
  refused(HEAD H "init q[i in s] = {1, 2, 3}\ninit p[i in s] = 0\n"
                 "init r[i in s, k in ax] = 0\ninit w[i in s, k in ax] = 0\n",
          ":9:", "a table fixes the number");
  refused(HEAD H "constraint c: q[1] - q[1] == 1\n", ":9:", "does not depend on any coordinate");
}

#define DATA                                                                                       \
  "model e\nset s = data\nset t = data\nparam of[t] in s\ncoord q[s] momentum p\n"                 \
  "coord r[t] momentum w\nlet all = sum(i in s: q[i])\n"

/* To unroll a model is no advice where it takes data, or would be too large. */
static void unrolling_is_advised_where_it_can_be(void **state)
{
  (void)state;
  const char *const unroll = "--lowering unrolled";
  const char *const line = ":8:";
  const char *const lagrangian = "model e\nset s = data\nset t = data\nparam of[t] in s\n"
                                 "coord q[s] velocity v\ncoord r[t] velocity w\n\n";
  const struct {
    const char *head, *rest, *line, *part;
  } wrong[] = {
      {DATA, "hamiltonian H = sqrt(all)\n", ":7:", "make the set small and fixed\n"},
      {DATA, "hamiltonian H = product(i in s: p[i])\n", line, "make the set small and fixed\n"},
      {DATA, H "observe b = bracket(q[1], p[1])\n", ":9:", "no 'bracket'; write its formula out\n"},
      {DATA,
       H "constraint c[i in t where i > 1]: r[i] == 0\n"
         "observe b[i in t where i > 1] = multiplier(c[i])\n",
       ":10:", "give its instances a set of their own\n"},
      {DATA,
       H "init q[i in s] = {1, 2, 3, 4}\ninit p[i in s] = 0\ninit r[i in t] = 0\n"
         "init w[i in t] = 0\n",
       ":9:", "give one expression for all entries\n"},
      {lagrangian, "lagrangian L = sum(e in t: v[of[e]]^2 + w[e]^2)\n", line, "of its sum\n"},
      {lagrangian, "lagrangian L = sum(i in s where i > 1: v[i]^2) + sum(e in t: w[e]^2)\n", line,
       "a condition on its indices\n"},
      {lagrangian, "lagrangian L = sum(i in s: v[i]*q[i]) + sum(e in t: w[e]^2)\n", line,
       "write both over one set\n"},
      {"model e\nsize N = 30000\nset s = 1 .. N\ncoord q[s] momentum p\n\n\n"
       "let all = sum(i in s: q[i])\n",
       "hamiltonian H = sqrt(all)\n", ":7:", "make the set small and fixed\n"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[1000];
    snprintf(text, sizeof text, "%s%s", wrong[i].head, wrong[i].rest);
    refused_without(text, wrong[i].line, wrong[i].part, unroll);
  }
  refused(HEAD "hamiltonian H = sqrt(all)\n",
          ":7:", "make the set small and fixed, or generate with --lowering unrolled");
}

/* Nothing is known about brackets at all sizes, and the sentence says why. */
static void shared(const char *text, const char *part)
{
  lowered r = lower_text(text, 0);
  diagnostics_print(r.errors, stderr);
  assert_non_null(r.loops);
  assert_int_equal(r.loops->shares, 1);
  assert_int_equal(r.loops->constraints[r.loops->n_constraints - 1].fibre, IR_FIBRE_NUMERICAL);
  if (!strstr(r.loops->structure.numerical.reason, part)) {
    fail_msg("'%s' is expected, and not: %s", part, r.loops->structure.numerical.reason);
  }
  release(&r);
}

static void constraints_that_may_not_commute_are_named(void **state)
{
  (void)state;
  shared(HEAD H "constraint a[i in s]: q[i] == 0\nconstraint b[i in s]: p[i] == 0\n",
         "'a' and 'b' can share 'q[i]'");
  shared(HEAD H "constraint a[i in s where i < N]: q[i]^2 + p[i]^2 + q[i+1]^2 == 1\n",
         "two instances of constraint 'a'");
  shared(HEAD H "constraint a[i in s, j in s]: r[i,x]*w[i,y] == j\n",
         "two instances of constraint 'a'");
  shared(HEAD H "constraint a: q[2] == 1\nconstraint b[i in s where 2*i <= N]: p[2*i] == 1\n",
         "can share 'q[2]'");
  shared(HEAD H "constraint a[i in s where i <= 3]: q[i] == 0\n"
                "constraint b[i in s where i > 2]: p[i] == 0\n",
         "can share 'q[i]'");
  shared(HEAD "coord t[s, s] momentum v\n" H
              "constraint a[i in s, j in s where i != j]: t[i,j]^2 + v[j,i]^2 == 1\n",
         "two instances of constraint 'a'");
  shared(HEAD H "constraint c[i in s, j in s]: q[i]^3*w[i,x] + p[j]^2 + r[i,x]^3 == 1\n",
         "may be the same entry");
}

static void accepted(const char *text)
{
  lowered r = lower_text(text, 0);
  diagnostics_print(r.errors, stderr);
  assert_non_null(r.loops);
  assert_int_equal(r.loops->shares, 0);
  release(&r);
}

static void constraints_that_cannot_meet_are_accepted(void **state)
{
  (void)state;
  accepted(HEAD H "constraint a[i in s]: r[i,x] == 0\nconstraint b[i in s]: w[i,y] == 0\n");
  accepted(HEAD H "constraint a[i in s where 2*i <= N]: q[2*i] == 0\n"
                  "constraint b[i in s where 2*i - 1 <= N]: p[2*i-1] == 0\n");
  accepted(HEAD "set t = 2 .. N\n" H "constraint a: q[1] == 0\nconstraint b[i in t]: p[i] == 0\n");
  accepted(HEAD "set t = 1 .. N-1\n" H
                "constraint a: q[N] == 0\nconstraint b[i in t]: p[i] == 0\n");
  accepted(HEAD H "constraint a[i in s]: sum(k in ax: r[i,k]^2 + w[i,k]^2) == 1\n");
  accepted(HEAD H "constraint a[i in s where 2*i <= N]: q[2*i]*p[2*i-1] == 1\n");
  accepted(HEAD H "constraint a[i in s where i <= 2 and i < N]: q[i] == 0\n"
                  "constraint b[i in s where i > 2]: p[i] == 0\n");
  accepted(HEAD H "constraint a: sum(i in s where i > 2: q[i]) == 0\n"
                  "constraint b[i in s where not i > 5 and i != 1 and i < 3]: p[i] == 0\n");
  accepted(HEAD H "constraint a[i in s where i != N]: p[i] == 0\nconstraint b: q[N] == 0\n");
  accepted(HEAD "coord t[s, s] momentum v\n" H
                "constraint a[i in s, j in s where i < j]: t[i,j]^2 + v[j,i]^2 == 1\n");
}

static void numerical(const char *text, const char *reason)
{
  lowered r = lower_text(text, 0);
  diagnostics_print(r.errors, stderr);
  assert_non_null(r.loops);
  assert_int_equal(r.loops->constraints[0].fibre, IR_FIBRE_NUMERICAL);
  assert_int_equal(r.loops->structure.numerical.constraint, 0);
  if (!strstr(r.loops->structure.numerical.reason, reason)) {
    fail_msg("'%s' is expected, and not: %s", reason, r.loops->structure.numerical.reason);
  }
  assert_non_null(strstr(r.loops->structure.fibre, "no closed form for 'c'"));
  release(&r);
}

static void flows_without_a_closed_form_are_numerical(void **state)
{
  (void)state;
  numerical(HEAD H "constraint c: q[1]^3*p[1] + p[1] == 1\n", "neither holonomic");
  numerical(HEAD H "constraint c: sum(i in s: q[i]^2 + p[i]^2) == 1\n", "a set of any size");
  numerical(HEAD H "constraint c: sum(j in s where j <= 2: sum(k in ax: r[j,k]*w[1,k])) == 1\n",
            "a set of any size");
  numerical(HEAD "size K = 2\n" H "constraint c: q[1]^2 + p[K]^2 == 1\n", "may be the same entry");
}

/* ---- bounds ---- */

static void sums_within_sums_are_not_unrolled_without_end(void **state)
{
  (void)state;
  static const char head[] = "model n\nset a = 1 .. 40\ncoord q[a, a, a] momentum p\n";
  char text[400];
  snprintf(text, sizeof text, "%shamiltonian H = %s", head,
           "sum(i in a: sum(j in a: sum(k in a: p[i,j,k]^2 + q[i,j,k])))\n");
  lowered r = lower_text(text, 0);
  assert_non_null(r.loops);
  assert_int_equal(r.loops->hamiltonian.n_parts, 1);
  assert_int_equal(r.loops->hamiltonian.parts[0].nest.n, 2);
  assert_int_equal(r.loops->hamiltonian.parts[0].kernel.n_sites, 40);
  release(&r);
  snprintf(text, sizeof text, "%shamiltonian H = %s", head,
           "product(i in a: product(j in a: p[i,j,1]^2 + q[i,j,1]))\n");
  refused(text, ":4:", "a product over a set of any size, or of more than 64 terms");
}

static void lets_that_double_end_in_an_error(void **state)
{
  (void)state;
  char text[4096] =
      "model d\nsize N = 3\nset s = 1 .. N\ncoord q[s] momentum p\nlet f0(x) = x*q[1]\n";
  for (int i = 1; i <= 30; i++) {
    char line[80];
    snprintf(line, sizeof line, "let f%d(x) = sin(f%d(x + 1))*sin(f%d(x + 2))\n", i, i - 1, i - 1);
    strcat(text, line);
  }
  strcat(text, "hamiltonian H = sum(i in s: f14(q[i])) + p[1]^2\n");
  lowered r = lower_text(text, 0);
  assert_null(r.loops);
  assert_int_equal(diagnostics_count(r.errors), 1);
  release(&r);
}

/* Thousands of lets that use each other are an error, thousands of terms are not. */
static void formulas_may_be_long_but_not_deep(void **state)
{
  (void)state;
  enum { MANY = 3500, ROOM = 60 * MANY };
  char *text = calloc(1, ROOM);
  assert_non_null(text);
  char *end = text + sprintf(text, HEAD "let f0(a) = a\n");
  for (int i = 1; i < MANY; i++) {
    end += sprintf(end, "let f%d(a) = sin(f%d(a) + 1)\n", i, i - 1);
  }
  sprintf(end, "hamiltonian H = sum(i in s: p[i]^2) + f%d(1)\n", MANY - 1);
  refused(text, "let f", "too many levels deep");
  end = text + sprintf(text, HEAD "hamiltonian H = sum(i in s: p[i]^2)");
  for (int i = 1; i < MANY; i++) {
    end += sprintf(end, " + sin(%d)*q[1]", i);
  }
  sprintf(end, "\n");
  accepted(text);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cannot_loop_is_refused_at_its_place),
      cmocka_unit_test(unrolling_is_advised_where_it_can_be),
      cmocka_unit_test(constraints_that_may_not_commute_are_named),
      cmocka_unit_test(constraints_that_cannot_meet_are_accepted),
      cmocka_unit_test(flows_without_a_closed_form_are_numerical),
      cmocka_unit_test(sums_within_sums_are_not_unrolled_without_end),
      cmocka_unit_test(formulas_may_be_long_but_not_deep),
      cmocka_unit_test(lets_that_double_end_in_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
