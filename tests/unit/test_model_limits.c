/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_limits.c -- sizes from outside, large models, and texts that nobody would write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fixtures/cpu_time.h"
#include "model_texts.h"

/* Whether the messages contain a text. */
static int says(const checked_text *t, const char *text)
{
  char *printed = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&printed, &length);
  assert_non_null(out);
  diagnostics_print(t->errors, out);
  fclose(out);
  int found = strstr(printed, text) != NULL;
  if (!found)
    print_error("%s", printed);
  free(printed);
  return found;
}

static checked_text with_size(const char *text, const char *name, long value)
{
  const model_size_setting setting = {.name = name, .value = value};
  return check_bytes(text, strlen(text), 1, &setting);
}

static void sizes_from_outside(void **unused)
{
  checked_text t = with_size(chain_text, "N", 10);
  (void)unused;
  assert_non_null(t.m);
  assert_int_equal(t.m->sizes[0]->value, 10);
  assert_int_equal(t.m->nq, 30);
  assert_int_equal(t.m->nc, 12);
  arena_free(t.memory);
  /* With one node there is no link, and 1/(N-1) has no value. */
  t = with_size(chain_text, "N", 1);
  assert_null(t.m);
  assert_true(says(&t, "division by zero"));
  arena_free(t.memory);
}

static void bad_sizes_from_outside(void **unused)
{
  static const struct {
    const char *text;
    const char *name;
    long value;
    const char *message;
  } cases[] = {
      {chain_text, "M", 3,
       "test.sw:3:7: error: --size M=3: model 'chain' has no size 'M' (its sizes: N)"},
      {chain_text, "xyz", 3, "has no size 'xyz' (its sizes: N)"},
      {hopf_text, "N", 3,
       "test.sw:1:1: error: --size N=3: model 'hopf' has no size 'N' (its sizes: none)"},
      {chain_text, "N", -1, "--size N=-1: a size is an integer from 0 to 1000000000"},
      {chain_text, "N", 1000000001, "--size N=1000000001: a size is"},
      {chain_text, "N", 0, "index 1 is outside node = 1 .. 0, which is empty"},
  };
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    checked_text t = with_size(cases[i].text, cases[i].name, cases[i].value);
    assert_null(t.m);
    assert_true(says(&t, cases[i].message));
    arena_free(t.memory);
  }
}

static void a_million_nodes(void **unused)
{
  const double begin = cpu_seconds();
  checked_text t = with_size(chain_text, "N", 1000000);
  (void)unused;
  assert_at_once(begin, 0.2);
  assert_non_null(t.m);
  assert_int_equal(t.m->nq, 3000000);
  assert_int_equal(t.m->constraints[1]->count, 999999);
  /* Without enumeration, the position of the last link is as near as that of the first. */
  const model_family *length = t.m->constraints[1];
  const model_index last = {.kind = INDEX_INTEGER, .value = 999999};
  const model_index *index[] = {&last};
  long *scratch = calloc((size_t)t.m->n_slots, sizeof *scratch);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(model_family_position(length, index, scratch, scratch), 999998);
  assert_at_once(begin, 0.5);
  free(scratch);
  arena_free(t.memory);
}

/* Accepted or refused with a message; never both, never neither. */
static int judged(const char *text, size_t length)
{
  checked_text t = check_bytes(text, length, 0, NULL);
  int good = t.m != NULL;
  assert_int_equal(good, diagnostics_count(t.errors) == 0);
  arena_free(t.memory);
  return good;
}

static void every_prefix(void **unused)
{
  static const char *const texts[] = {chain_text, hopf_text};
  (void)unused;
  for (size_t i = 0; i < 2; i++)
    for (size_t n = 0; n <= strlen(texts[i]); n++)
      judged(texts[i], n);
}

/* A small generator of our own: the same bytes on every machine. */
static uint32_t next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

/* Replaces, inserts or swaps bytes that occur in models, so that many mutants still parse. */
static void mutations(void **unused)
{
  static const char *const texts[] = {chain_text, hopf_text};
  static const char bytes[] = "ijkqpxyzNaHm0123456789+-*/^()[]{},.:=<>\n #e_";
  uint64_t state = 20261120;
  int accepted = 0;
  (void)unused;
  for (int round = 0; round < 3000; round++) {
    const char *source = texts[round % 2];
    size_t n = strlen(source);
    char *text = strdup(source);
    for (int edits = 1 + round % 3; edits > 0; edits--) {
      size_t at = next_random(&state) % n;
      if (edits == 2)
        text[at] = source[next_random(&state) % n];
      else
        text[at] = bytes[next_random(&state) % (sizeof bytes - 1)];
    }
    accepted += judged(text, n);
    free(text);
  }
  assert_in_range(accepted, 100, 2900);
}

/* A text that repeats a part. */
static char *repeated(const char *head, const char *part, int n, const char *tail)
{
  size_t length = strlen(head) + (size_t)n * strlen(part) + strlen(tail);
  char *text = malloc(length + 1);
  char *end = text;
  assert_non_null(text);
  end += sprintf(end, "%s", head);
  for (int i = 0; i < n; i++)
    end += sprintf(end, "%s", part);
  sprintf(end, "%s", tail);
  return text;
}

#define HEAD "model m\nset s = 1 .. 3\ncoord q[s] momentum p\n"

static void long_formulas(void **unused)
{
  (void)unused;
  static const struct {
    const char *head;
    const char *part;
    int n;
    const char *tail;
    int good;
  } cases[] = {
      {HEAD "hamiltonian H = 0", " + q[1]", 9000, "\n", 1},
      {HEAD "hamiltonian H = 0", " - 1/7", 9000, "\n", 1},
      {HEAD "hamiltonian H = 1", "*1.5", 9000, "\n", 0},
      {HEAD "hamiltonian H = q[2", "+1-1", 249, "]\n", 1},
      {HEAD "hamiltonian H = q[1", "+1-1", 9000 / 2, "]\n", 0},
      {HEAD "hamiltonian H = sum(i in s where i > 0", " and i > 0", 9000, ": q[i])\n", 1},
      {HEAD "hamiltonian H = ", "-", 150, "q[1]\n", 1},
      {HEAD "hamiltonian H = 0\n", "init q[s] = 0\n", 5000, "", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = repeated(cases[i].head, cases[i].part, cases[i].n, cases[i].tail);
    if (judged(text, strlen(text)) != cases[i].good)
      fail_msg("case %zu", i);
    free(text);
  }
}

/* Each let calls the one before it: deep, and with as many levels as nodes allow. */
static char *tower(const char *head, const char *step, int n, const char *last)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  fputs(head, out);
  for (int i = 1; i <= n; i++)
    fprintf(out, step, i, i - 1, i - 1);
  fprintf(out, last, n);
  fclose(out);
  return text;
}

static void towers_of_lets(void **unused)
{
  static const struct {
    const char *step;
    int n;
    int good;
  } cases[] = {
      /* Calls with equal arguments are looked at once; others are, up to a limit, one by one. */
      {"let f%d(i) = f%d(i) + f%d(i)\n", 50, 1},
      {"let f%d(i) = f%d(1) + f%d(2)\n", 50, 1},
      {"let f%d(i) = f%d(i*i) + f%d(i)\n", 50, 0},
      {"let f%d(i) = f%d(i + 0) + f%d(0 + i)\n", 50, 1},
      {"let f%d(i) = f%d(2*i) + f%d(2*i + 1)\n", 30, 0},
      {"let f%d(i) = sum(k%d in s: f%d(i))\n", 50, 1},
      {"let f%d(i) = 1 + 1 + 1 - (f%d(i))*%d\n", 2000, 1},
      {"let f%d(i) = 1 + 1 + 1 - (f%d(i))*%d\n", 9000, 0},
  };
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = tower(HEAD "hamiltonian H = 0\nlet f0(i) = q[i*0+1]\n", cases[i].step, cases[i].n,
                       "observe o[j in s] = f%d(j)\n");
    if (judged(text, strlen(text)) != cases[i].good)
      fail_msg("case %zu", i);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_from_outside), cmocka_unit_test(bad_sizes_from_outside),
      cmocka_unit_test(a_million_nodes),    cmocka_unit_test(every_prefix),
      cmocka_unit_test(mutations),          cmocka_unit_test(long_formulas),
      cmocka_unit_test(towers_of_lets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
