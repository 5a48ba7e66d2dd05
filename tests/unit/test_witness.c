/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_witness.c -- tables of witnesses: what is written in two ways has the same values; fibre
 * flows against closed forms and identities; what is left out.
 */
#include "emit/model_source.h"
#include "witness_of.h"

/* ---- two ways to write the same ---- */

static const char pairs_text[] =
    "model pairs\n"
    "set node = 1 .. 4\nset ax = {x, y}\nset some = 2 .. 3\n"
    "param m[i in node] = i/3\nparam a = 0.5\n"
    "coord q[node, ax] momentum p\n"
    "let d2(i, j) = sum(k in ax: (q[i,k] - q[j,k])^2)\n"
    "let twice(u) = u + u\n"
    "let rate(u) = bracket(u, p[1,x]^2/2 + q[1,x]*q[2,y]*a)\n"
    "hamiltonian H = sum(i in node, k in ax: p[i,k]^2/2)\n"
    "constraint odd[i in node where i != 2 and i < 4]: q[i,x]*m[i] == p[i,x]\n"
    "observe b1 = sum(i in node, j in node where i < j: d2(i, j))\n"
    "observe c1 = d2(1,2) + d2(1,3) + d2(1,4) + d2(2,3) + d2(2,4) + d2(3,4)\n"
    "observe b2 = product(i in some: 2 + q[i,y])\n"
    "observe c2 = (2 + q[2,y])*(2 + q[3,y])\n"
    "observe b3 = twice(d2(1, 2)*m[3])\n"
    "observe c3 = 2*m[3]*((q[1,x] - q[2,x])^2 + (q[1,y] - q[2,y])^2)\n"
    "observe b4 = rate(p[1,x]*q[1,x])\n"
    "observe c4 = p[1,x]^2 - q[1,x]*q[2,y]*a\n"
    "observe b5 = bracket(H, odd[3])\n"
    "observe c5 = -p[3,x]*m[3]\n"
    "observe b6 = odd[1] + multiplier(odd[3])\n"
    "observe c6 = q[1,x]*m[1] - p[1,x] + multiplier(odd[3])\n"
    "observe b7 = sum(i in node where not (i == 1 or i == 4): i*q[i,x]/(2*i))\n"
    "observe c7 = (q[2,x] + q[3,x])/2\n"
    "observe b8 = bracket(bracket(H, q[1,x]^2), q[1,x]*p[1,x])\n"
    "observe c8 = 0\n"
    "observe b9 = 2^-1 - -q[1,x]^2^1/2/3 - (1 - 2 - 3)\n"
    "observe c9 = 0.5 + q[1,x]*q[1,x]/6 + 4\n"
    "init q[i in node, k in ax] = {1: {1, 2}, 2: {x: 3, y: 4}, 3: {5, 6}, 4: {7, 8}}\n"
    "init p[i in node, x] = i*a\n"
    "init p[i in node, y] = m[i] - 1\n";

static void test_two_ways(void **state)
{
  table t = table_of(pairs_text, 0);
  (void)state;
  const sw_witness_case *c = &t.w->cases[0];
  assert_int_equal(t.w->n_cases, 1);
  assert_int_equal(c->nq, 8);
  assert_int_equal(c->nc, 2);
  assert_string_equal(c->names[0][5], "q.3.y");
  assert_string_equal(c->names[3][1], "odd.3");
  int seen = 0;
  for (int i = 0; i < c->n_points; i++) {
    const sw_witness_values *v = find(&c->points[i], SW_WITNESS_OBSERVE);
    for (int pair = 0; v && pair < 9; pair++, seen++) {
      assert_null(v->missing);
      if (pair == 7) {
        /* {{H, q^2}, q p} = {-2 q p, q p} = 0 */
        assert_near(entry(v, 14, 0), 0.0L, 1.0L);
      }
      assert_near(entry(v, 2 * pair, 0), entry(v, 2 * pair + 1, 0), 10.0L);
    }
  }
  assert_int_equal(seen, 4 * 9);
  release(&t);
}

static void test_states_and_defaults(void **state)
{
  table t = table_of(pairs_text, 0);
  (void)state;
  const sw_witness_case *c = &t.w->cases[0];
  assert_near(entry(c->k_default, 1, 0), 2.0L / 3.0L, 1.0L);
  for (int i = 0; i < c->n_points; i++) {
    const sw_witness_point *p = &c->points[i];
    const sw_witness_values *v = find(p, SW_WITNESS_INIT);
    if (v) {
      assert_near(entry(v, 2, 0), 3.0L, 1.0L);
      assert_near(entry(v, 7, 0), 8.0L, 1.0L);
      assert_near(entry(v, 8 + 4, 0), 3.0L * (long double)p->k[4], 1.0L);
      assert_near(entry(v, 8 + 5, 0), (long double)p->k[2] - 1.0L, 1.0L);
    }
  }
  release(&t);
}

/* ---- the forms with cases ---- */

/* min, max, sign, mod, sets that depend on outer variables, cases on indices, vectors, expressions
 * of invariants, and functions of 0 that have no slope there.  At the points entries of q are of
 * either sign and order. */
static const char forms_text[] =
    "model forms\n"
    "set node = 1 .. 5\nset ax = {x, y}\n"
    "param m[i in node, k in ax] = i/3\nparam s = 1\n"
    "coord q[node, ax] momentum p\n"
    "hamiltonian H = sum(i in node, k in ax: p[i,k]^2/2 + s*q[i,k]^2)\n"
    "invariant energy = H\n"
    "observe b1 = sum(i in node: min(q[i,x], q[i,y]))\n"
    "observe c1 = sum(i in node: (q[i,x] + q[i,y] - abs(q[i,x] - q[i,y]))/2)\n"
    "observe b2 = max(q[1,x], q[1,y], 2*q[2,x])\n"
    "observe c2 = -min(-q[1,x], min(-q[1,y], -2*q[2,x]))\n"
    "observe b3 = sum(i in node: sign(q[i,x])*q[i,x])\n"
    "observe c3 = sum(i in node: sqrt(q[i,x]^2))\n"
    "observe b4 = sum(i in node: q[mod(i, 5) + 1, x]*q[mod(i - 2, 5) + 1, y])\n"
    "observe c4 = q[2,x]*q[5,y] + q[3,x]*q[1,y] + q[4,x]*q[2,y] + q[5,x]*q[3,y] + q[1,x]*q[4,y]\n"
    "observe b5 = sum(i in node, j in 1 .. i-1: q[j,x]*q[i,y])\n"
    "observe c5 = sum(i in node, j in node where j < i: q[j,x]*q[i,y])\n"
    "observe b6 = sum(i in 2 .. 4, j in {i-1, i+1}: i*q[j,x])\n"
    "observe c6 = 2*q[1,x] + 3*q[2,x] + (2 + 4)*q[3,x] + 3*q[4,x] + 4*q[5,x]\n"
    "observe b7 = sum(i in node where i == 1 or i > 3: if mod(i, 2) == 0 then q[i,x] else "
    "i*q[i,y])\n"
    "observe c7 = q[1,y] + q[4,x] + 5*q[5,y]\n"
    "observe b8 = energy^2/2 + bracket(energy, q[1,x])\n"
    "observe c8 = H*H/2 - p[1,x]\n"
    "observe b9 = dot(q[1], p[2]) + norm2(q[3])\n"
    "observe c9 = q[1,x]*p[2,x] + q[1,y]*p[2,y] + sqrt(q[3,x]^2 + q[3,y]^2)\n"
    "observe b10 = q[1,x] + norm2(m[1] - m[1]) + abs(m[2,x] - m[2,x]) + (m[1,x] - m[1,x])^1.5\n"
    "observe c10 = q[1,x]\n"
    "init q[i in node, k in ax] = if mod(i, 2) == 0 then i/5 else -i/7\n"
    "init p[node, ax] = 0.3\n";

static void test_cases(void **state)
{
  table t = table_of(forms_text, 0);
  (void)state;
  const sw_witness_case *c = &t.w->cases[0];
  int seen = 0;
  int negative = 0;
  int ordered = 0;
  assert_int_equal(c->n_observe, 20);
  for (int i = 0; i < c->n_points; i++) {
    const sw_witness_point *p = &c->points[i];
    const sw_witness_values *v = find(p, SW_WITNESS_OBSERVE);
    for (int pair = 0; v && pair < 10; pair++, seen++) {
      assert_null(v->missing);
      assert_near(entry(v, 2 * pair, 0), entry(v, 2 * pair + 1, 0), 1e3L);
    }
    for (int e = 0; v && e < 5; e++) {
      negative += p->z[2 * e] < 0.0;
      ordered += p->z[2 * e] < p->z[2 * e + 1];
    }
  }
  assert_int_equal(seen, 4 * 10);
  assert_in_range(negative, 1, 19);
  assert_in_range(ordered, 1, 19);
  release(&t);
}

/* H has values where a vector of numbers in it is 0. */
static void test_norm_of_zero(void **state)
{
  table t = table_of("model still\nset ax = {x, y}\nparam a[k in ax] = 0.5\n"
                     "coord q momentum p\nhamiltonian H = p^2/2 + q^2/(1 + norm2(a - a))\n"
                     "init q = 1\ninit p = 0\n",
                     0);
  (void)state;
  assert_int_equal(t.w->cases[0].n_points, 4);
  release(&t);
}

/* Two parameters with the same default are not the same at some point. */
static void test_equal_defaults_differ(void **state)
{
  table t =
      table_of("model equal\nparam a = 1 in (0, inf)\nparam b = 1 in (0, inf)\ncoord x momentum p\n"
               "hamiltonian H = a*p^2 + b*x^2\ninit x = 1\ninit p = 0\n",
               0);
  int differ = 0;
  (void)state;
  for (int i = 0; i < t.w->cases[0].n_points; i++) {
    const double *k = t.w->cases[0].points[i].k;
    assert_true(k[0] > 0.0 && k[1] > 0.0);
    differ += fabs(k[0] - k[1]) > 0.01;
  }
  assert_true(differ >= 2);
  release(&t);
}

/* The largest entry of a state at which there are all functions, for a model that starts at q = p =
 * size. */
static double farthest(const char *size)
{
  char text[512];
  double largest = 0.0;
  snprintf(text, sizeof text,
           "model near\ncoord q[1 .. 4] momentum p\n"
           "hamiltonian H = sum(i in 1 .. 4: p[i]^2/2) - cos(q[1]*q[2])\n"
           "init q[i in 1 .. 4] = %s\ninit p[1 .. 4] = %s\n",
           size, size);
  table t = table_of(text, 0);
  for (int i = 0; i < t.w->cases[0].n_points; i++) {
    const sw_witness_point *p = &t.w->cases[0].points[i];
    for (int e = 0; e < 8 && find(p, SW_WITNESS_HAMILTONIAN_HESS); e++) {
      largest = fmax(largest, fabs(p->z[e]));
    }
  }
  release(&t);
  return largest;
}

/* What starts near 0 is looked at where cos(x) is not 1, too; what has other units stays what it
 * is. */
static void test_far_from_rest(void **state)
{
  static const struct {
    const char *size;
    double least;
    double most;
  } cases[] = {{"0.05", 0.5, 1.6}, {"1", 1.0, 2.5}, {"1e-10", 1e-10, 5e-9}, {"1e10", 1e10, 2.5e10}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double largest = farthest(cases[i].size);
    if (!(largest >= cases[i].least && largest <= cases[i].most)) {
      fail_msg("from %s to %g", cases[i].size, largest);
    }
  }
}

/* ---- brackets ---- */

/* C and N of the sphere and the angular momentum, against formulas. */
static void test_brackets(void **state)
{
  table t = table_of("model two\nset ax = 1 .. 2\nparam w = 2\ncoord q[ax] momentum p\n"
                     "hamiltonian H = sum(i in ax: p[i]^2/2) + w*q[1]^3\n"
                     "constraint a: q[1]*p[2] == 0.1\nconstraint b: q[2]^2 == 1\n"
                     "init q[i in ax] = 1\ninit p[i in ax] = 0.1\n",
                     0);
  (void)state;
  for (int i = 0; i < t.w->cases[0].n_points; i++) {
    const sw_witness_point *p = &t.w->cases[0].points[i];
    const sw_witness_values *C = find(p, SW_WITNESS_COISOTROPY);
    const sw_witness_values *N = find(p, SW_WITNESS_NONDEGENERACY);
    const sw_witness_values *rho = find(p, SW_WITNESS_HIDDEN);
    long double q1 = p->z[0];
    long double q2 = p->z[1];
    long double p1 = p->z[2];
    long double p2 = p->z[3];
    long double scale = 1e4L * (1.0L + fabsl(q1 * q2 * p1 * p2));
    /* rho = (p1 p2, 2 q2 p2) */
    assert_near(entry(rho, 0, 0), p1 * p2, scale);
    assert_near(entry(rho, 1, 0), 2 * q2 * p2, scale);
    if (C) {
      assert_near(entry(C, 0, 1), -2 * q1 * q2, scale);
      assert_near(entry(C, 1, 0), 2 * q1 * q2, scale);
      assert_near(entry(C, 0, 0), 0.0L, scale);
      assert_near(entry(N, 0, 0), -p2 * p2, scale);
      assert_near(entry(N, 0, 1), -2 * q2 * p1, scale);
      assert_near(entry(N, 1, 0), 2 * p2 * q1, scale);
      assert_near(entry(N, 1, 1), -4 * q2 * q2, scale);
    }
  }
  release(&t);
}

/* ---- what is left out ---- */

static void test_left_out(void **state)
{
  table t = table_of("model nowhere\ncoord x momentum p\nhamiltonian H = p^2/2 + log(-1 - x^2)\n"
                     "constraint g: x == 1\ninit x = 1\ninit p = 0\n",
                     0);
  (void)state;
  assert_int_equal(t.w->n_cases, 1);
  assert_int_equal(t.w->cases[0].n_points, 0);
  release(&t);
  t = table_of("model corner\nparam a = 1 in [0, 2]\ncoord x momentum p\nhamiltonian H = p^2/2 + "
               "x^2\nobserve far = log(x - 1e3)\n"
               "observe near = x\ninit x = 1\ninit p = sqrt(a - 5)\n",
               0);
  const sw_witness_point *p = &t.w->cases[0].points[0];
  assert_non_null(find(p, SW_WITNESS_OBSERVE)->missing);
  assert_non_null(find(p, SW_WITNESS_INIT)->missing);
  assert_null(find(p, SW_WITNESS_HAMILTONIAN_HESS)->missing);
  release(&t);
}

/* A text has one table, byte for byte. */
static void test_same_bytes(void **state)
{
  table one = table_of(hopf_text, 0);
  const char *text = emit_witness_table(one.text.memory, one.text.m, one.w);
  table two = table_of(hopf_text, 0);
  const char *again = emit_witness_table(two.text.memory, two.text.m, two.w);
  (void)state;
  assert_string_equal(text, again);
  assert_non_null(strstr(text, "const sw_witness sw_witness_of_hopf = {"));
  release(&two);
  release(&one);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_ways),
                                     cmocka_unit_test(test_states_and_defaults),
                                     cmocka_unit_test(test_cases),
                                     cmocka_unit_test(test_norm_of_zero),
                                     cmocka_unit_test(test_equal_defaults_differ),
                                     cmocka_unit_test(test_far_from_rest),
                                     cmocka_unit_test(test_brackets),
                                     cmocka_unit_test(test_left_out),
                                     cmocka_unit_test(test_same_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
