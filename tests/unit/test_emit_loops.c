/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_emit_loops.c -- the C of looped models, compiled and called, against the unrolled lowering
 * of the same model at the same sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/files.h"
#include "unit/same_as_unrolled.h"

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
                   "observe jolt[i in link] = impulse(length[i])*multiplier(length[i])\n"
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
      "observe jolt[i in s] = impulse(last)*q[i,a]\n"
      "observe two[i in s where i > 1] = q[i,a]*p[i,b]\n"
      "init q[i in s, k in ab] = i\ninit p[i in s, a] = 0\ninit p[i in s, b] = 1\n");
}

/* Parts of a condition that hold always, or never, whatever the sizes are. */
static void test_constant_parts_of_filters(void **state)
{
  (void)state;
  same_as_unrolled("model test\n"
                   "size N = 3\nset s = 1 .. N\n"
                   "coord q[s] momentum p\n"
                   "hamiltonian H = sum(i in s: p[i]^2)\n"
                   "  + sum(i in s where i > 2 or i <= i: q[i])\n"
                   "  + sum(i in s where i <= i or i > 2: q[i]^2)\n"
                   "  + sum(i in s where i > 2 or i < i: q[i]^3)\n"
                   "  + sum(i in s where i < i or i > 2: q[i]^4)\n"
                   "  + sum(i in s where i > 2 and i <= i: q[i]^5)\n"
                   "  + sum(i in s where i > 1 and not (i < i or i > 2): q[i]^6)\n"
                   "constraint all: sum(i in s where i > 2 or i <= i: q[i]^2) == 1\n"
                   "init q[i in s] = i\ninit p[i in s] = 0\n");
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
  const sw_model *loops = l.model;
  assert_int_equal(loops->references((const long[]){4}), 0);
  int which = loops->references((const long[]){3});
  assert_true(which > 0);
  assert_string_equal(loops->reference_texts[which - 1], "q[4] in H is outside of its array");
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
  const sw_model *loops = l.model;
  const long n[] = {1000000000};
  double first[2];
  double last[2];
  loops->ranges((const double[]){1e9}, first, last);
  assert_true(last[1] == 1e18);
  assert_true(loops->hamiltonian_hess.places.list(n, NULL, NULL) > 2147483647L);
  assert_null(loops->references);
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
      cmocka_unit_test(test_constant_parts_of_filters),
      cmocka_unit_test(test_awkward_names),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_shipped_models),
      cmocka_unit_test(test_references_outside),
      cmocka_unit_test(test_huge_sizes),
      cmocka_unit_test(test_same_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
