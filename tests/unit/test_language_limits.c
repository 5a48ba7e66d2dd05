/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_language_limits.c -- no text crashes the parser, and every limit lies where it is said to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/arena.h"
#include "common/diagnostics.h"
#include "language/syntax.h"

static const char chain[] =
    "# Hanging chain: N nodes, N-1 inextensible links, the first node pinned.\n"
    "model chain \"Inextensible chain of N nodes\"\n"
    "\n"
    "size  N = 64\n"
    "set   node = 1 .. N\n"
    "set   link = 1 .. N-1\n"
    "set   xyz  = {x, y, z}\n"
    "\n"
    "param m[i in node] = 1/N            # nodal masses; a run can override the array\n"
    "param a = 1/(N-1)                   # link length\n"
    "param gravity = 9.81\n"
    "\n"
    "coord q[node, xyz] momentum p\n"
    "\n"
    "let d2(i) = sum(k in xyz: (q[i+1,k] - q[i,k])^2)\n"
    "\n"
    "hamiltonian H = sum(i in node, k in xyz: p[i,k]^2/(2*m[i]))\n"
    "              + sum(i in node: m[i]*gravity*q[i,z])\n"
    "\n"
    "constraint pin[k in xyz]:     q[1,k] == 0\n"
    "constraint length[i in link]: d2(i) == a^2\n"
    "\n"
    "observe   tension[i in link] = multiplier(length[i])\n"
    "invariant energy = H\n"
    "\n"
    "init q[i in node, x] = (i-1)*a\n"
    "init q[i in node, y] = 0\n"
    "init q[i in node, z] = 0\n"
    "init p[i in node, k in xyz] = 0\n"
    "\n"
    "run method = rattle, step = 1e-3, t_end = 5, every = 50\n";

static const char hopf[] =
    "model hopf \"Hopf sphere |q|^2 + |p|^2 = 1, linear potential\"\n"
    "set ax = 1 .. 2\n"
    "param g[k in ax] = {1: 0, 2: -1} in (-inf, 1e3]\n"
    "coord q[ax] momentum p\n"
    "hamiltonian H = sum(k in ax where not (k < 1 or k == 3): p[k]^2/2 - g[k]*q[k])\n"
    "constraint sphere: sum(k in ax: q[k]^2 + p[k]^2) == 1\n"
    "invariant energy = H\n"
    "init za: q[k in ax] = {1: -0.78, 2: -0.40}\n"
    "run method = shake, base = euler-a, init = za\n";

/* Parses and prints; returns the number of errors.  The bytes are given to the parser in memory
 * that ends behind the last one.  With `message` the print must contain it. */
static int parse_bytes(const char *text, size_t length, int *statements, const char *message)
{
  char *exact = malloc(length > 0 ? length : 1);
  assert_non_null(exact);
  memcpy(exact, text, length);
  arena *a = arena_create();
  diagnostics *d = diagnostics_create(a, "m.sw", exact, length);
  const syntax_tree *tree = syntax_parse(a, d, exact, length);
  char *printed = NULL;
  size_t printed_length = 0;
  FILE *out = open_memstream(&printed, &printed_length);
  assert_non_null(out);
  int errors = diagnostics_print(d, out);
  assert_int_equal(fclose(out), 0);
  assert_int_equal(errors, diagnostics_count(d));
  assert_int_equal(errors > 0, printed_length > 0);
  if (message && !strstr(printed, message)) {
    fail_msg("'%s' is not in\n%s", message, printed);
  }
  if (statements) {
    *statements = tree->n;
  }
  free(printed);
  arena_free(a);
  free(exact);
  return errors;
}

static void prefixes(void **state)
{
  (void)state;
  const char *const texts[] = {chain, hopf};
  const int all[] = {20, 9};
  for (int k = 0; k < 2; k++) {
    size_t length = strlen(texts[k]);
    for (size_t n = 0; n <= length; n++) {
      int statements;
      int errors = parse_bytes(texts[k], n, &statements, NULL);
      assert_in_range(errors, 0, 2);
      assert_in_range(statements, 0, all[k]);
      if (n == length) {
        assert_int_equal(errors, 0);
        assert_int_equal(statements, all[k]);
      }
    }
  }
}

/* A small generator of our own, so that every machine makes the same mutations. */
static unsigned next_random(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*seed >> 33);
}

static void mutations(void **state)
{
  (void)state;
  uint64_t seed = 20261120;
  int rejected = 0;
  char text[sizeof chain + 1];
  for (int round = 0; round < 2000; round++) {
    const char *source = round % 2 ? chain : hopf;
    size_t length = strlen(source);
    size_t place = next_random(&seed) % length;
    char byte = (char)(next_random(&seed) % 256);
    unsigned way = next_random(&seed) % 3; /* replace, insert, delete */
    size_t kept = way == 1 ? place : place + 1;
    size_t written = way == 2 ? 0 : 1;
    memcpy(text, source, place);
    text[place] = byte;
    memcpy(text + place + written, source + kept, length - kept);
    rejected += parse_bytes(text, place + written + length - kept, NULL, NULL) > 0;
  }
  assert_in_range(rejected, 1000, 1999);
}

/* head, then n times part, then middle, then n times close, then tail. */
static int repeated(const char *head, const char *part, size_t n, const char *middle,
                    const char *close, const char *tail, const char *message)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  fputs(head, out);
  for (size_t i = 0; i < n; i++) {
    fputs(part, out);
  }
  fputs(middle, out);
  for (size_t i = 0; i < n; i++) {
    fputs(close, out);
  }
  fputs(tail, out);
  assert_int_equal(fclose(out), 0);
  int errors = parse_bytes(text, length, NULL, message);
  free(text);
  return errors;
}

static void nesting(void **state)
{
  (void)state;
  static const struct {
    const char *head;
    const char *part;
    const char *middle;
    const char *close;
    const char *tail; /* and an error of the next statement, which must be seen too */
    size_t most;
  } forms[] = {
      {"let a = ", "(", "1", ")", "\nlet b = (]", 200},
      {"let a = ", "- ", "1", "", "\nlet b = (]", 200},
      {"let a = ", "2^", "1", "", "\nlet b = (]", 200},
      {"let a = ", "f(", "1", ")", "\nlet b = (]", 200},
      {"let a = ", "q[", "1", "]", "\nlet b = (]", 200},
      {"let a = ", "(1-2^", "1", ")", "\nlet b = (]", 100},
      {"let a = ", "sum(i in n: ", "1", ")", "\nlet b = (]", 200},
      {"let a = ", "bracket(1, ", "1", ")", "\nlet b = (]", 200},
      {"param a = ", "{", "1", "}", "\nlet b = (]", 200},
      {"let a = sum(i in n where ", "not ", "i == 1", "", ": i)\nlet b = (]", 199},
      {"let a = sum(i in n where ", "(", "i == 1", ")", ": i)\nlet b = (]", 199},
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    const size_t counts[] = {forms[i].most, forms[i].most + 1, 100000};
    for (int k = 0; k < 3; k++) {
      const char *const messages[] = {"unexpected ']'", "nested too deeply (more than 200 levels)"};
      for (int seen = 0; seen <= (k > 0); seen++) {
        int errors = repeated(forms[i].head, forms[i].part, counts[k], forms[i].middle,
                              forms[i].close, forms[i].tail, messages[seen]);
        assert_int_equal(errors, k == 0 ? 1 : 2);
      }
    }
  }
  /* Brackets that are closed again do not count. */
  assert_int_equal(repeated("let a = 1", "+(-2^3^f(4))", 1000, "", "", "", NULL), 0);
}

static void long_chains(void **state)
{
  (void)state;
  const char *message = "more than 10000 terms in one expression; use sum(...)";
  assert_int_equal(repeated("let a = ", "x+", 9999, "1", "", "", NULL), 0);
  assert_int_equal(repeated("let a = ", "x+", 10000, "1", "", "", message), 1);
  assert_int_equal(repeated("let a = ", "x+", 1000000, "1", "", "\nlet b = ]\n", message), 2);
  assert_int_equal(repeated("let a = ", "x/", 10000, "1", "", "", message), 1);
  /* What counts is the depth of the tree, here that of both chains together. */
  assert_int_equal(repeated("let a = (1", "+x", 6000, ")", "+x", "", message), 1);
  assert_int_equal(repeated("let a = (1", "+x", 4000, ")", "+x", "", NULL), 0);
  assert_int_equal(repeated("let a = 1", "+x", 6000, "+(1", "+x", ")", NULL), 0);
  assert_int_equal(
      repeated("let a = sum(i in n where ", "i==1 or ", 10000, "i==1", "", ": i)", message), 1);
}

static void sizes(void **state)
{
  (void)state;
  const char *nodes = "more than 200000 names, numbers and operators in one model";
  assert_int_equal(repeated("param a = {", "1, ", 99999, "1}", "", "", NULL), 0);
  assert_int_equal(repeated("param a = {", "1, ", 100000, "1}", "", "", nodes), 1);
  assert_int_equal(repeated("run ", "a = 1, ", 100000, "a = 1", "", "", nodes), 1);
  assert_int_equal(repeated("set a = {", "x, ", 300000, "x}", "", "", nodes), 1);
  assert_int_equal(repeated("", "size a = 1\n", 10000, "", "", "", NULL), 0);
  assert_int_equal(
      repeated("", "size a = 1\n", 10001, "", "", "", "more than 10000 statements in one model"),
      1);
  assert_int_equal(repeated("#", "x", SYNTAX_MAX_TEXT - 1, "", "", "", NULL), 0);
  assert_int_equal(repeated("#", "x", SYNTAX_MAX_TEXT, "", "", "",
                            "1:1: error: a model file of 4194305 bytes; at most 4194304"),
                   1);
  assert_int_equal(repeated("model a \"", "x", SYNTAX_MAX_TITLE, "\"", "", "", NULL), 0);
  assert_int_equal(repeated("model a \"", "x", SYNTAX_MAX_TITLE + 1, "\"", "", "",
                            "a title of 201 bytes; at most 200 are allowed"),
                   1);
  assert_int_equal(repeated("let a = 0.", "1", SYNTAX_MAX_DIGITS - 1, "e-400", "", "", NULL), 0);
  assert_int_equal(repeated("let a = 0.", "1", SYNTAX_MAX_DIGITS, "", "", "",
                            "a number of 61 digits; at most 60 are allowed"),
                   1);
  assert_int_equal(repeated("let a = 1e0", "0", 1000000, "401", "", "",
                            "the exponent of a number lies between -400 and 400"),
                   1);
}

/* Files without any sense: many errors, names without end, and bytes that are no text. */
static void rubbish(void **state)
{
  (void)state;
  assert_int_equal(repeated("", "let @\n", 300000, "", "", "", "20 errors; 299980 more not shown"),
                   300000);
  assert_int_equal(repeated("", "@", 4000000, "", "", "", NULL), 1);
  assert_int_equal(repeated("", "\"", 4000000, "", "", "", NULL) > 0, 1);
  assert_int_equal(repeated("let ", "a", 4000000, "", "", "", "unexpected end of file"), 1);
  assert_int_equal(repeated("", "size ", 800000, "", "", "", NULL), 1);
  assert_int_equal(repeated("", "\xFF", 1000000, "", "", "", "not UTF-8 (byte \\xFF)"), 1);
  assert_int_equal(repeated("", "\n", 4000000, "]", "", "", "m.sw:4000001:1: error"), 1);
  assert_int_equal(parse_bytes("let a = 1.", 10, NULL, "write '1.0'"), 1);
  assert_int_equal(parse_bytes("let a = \0", 9, NULL, "control character U+0000"), 1);
  assert_int_equal(parse_bytes("init", 4, NULL, "unexpected end of file; expected a name"), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prefixes),    cmocka_unit_test(mutations), cmocka_unit_test(nesting),
      cmocka_unit_test(long_chains), cmocka_unit_test(sizes),     cmocka_unit_test(rubbish),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
