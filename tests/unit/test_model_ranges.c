/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_ranges.c -- random index expressions and conditions: the checker accepts a model exactly
 * where plain enumeration finds every index in range.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model_texts.h"

enum { ROUNDS = 4000, FIRST_I = -1, LAST_I = 3, FIRST_J = 2, LAST_J = 4, SIZE = 3 };

/* A tree that is both written as text and evaluated at values of i and j. */
typedef struct expression {
  char operation; /* i j n (number) N (size) + - * ~ (minus) */
  long number;
  struct expression *a;
  struct expression *b;
} expression;

static uint32_t next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static expression *make(uint64_t *state, int depth)
{
  static const char leaves[] = "iijjnN";
  static const char nodes[] = "+-*~+-";
  expression *e = calloc(1, sizeof *e);
  assert_non_null(e);
  if (depth == 0 || next_random(state) % 4 == 0) {
    e->operation = leaves[next_random(state) % 6];
    e->number = next_random(state) % 5;
    return e;
  }
  e->operation = nodes[next_random(state) % 6];
  e->a = make(state, depth - 1);
  if (e->operation != '~')
    e->b = make(state, depth - 1);
  return e;
}

static void discard(expression *e)
{
  if (!e)
    return;
  discard(e->a);
  discard(e->b);
  free(e);
}

static long value(const expression *e, long i, long j)
{
  switch (e->operation) {
  case 'i':
    return i;
  case 'j':
    return j;
  case 'n':
    return e->number;
  case 'N':
    return SIZE;
  case '+':
    return value(e->a, i, j) + value(e->b, i, j);
  case '-':
    return value(e->a, i, j) - value(e->b, i, j);
  case '*':
    return value(e->a, i, j) * value(e->b, i, j);
  default:
    return -value(e->a, i, j);
  }
}

static void write_expression(FILE *out, const expression *e)
{
  if (e->operation == 'n') {
    fprintf(out, "%ld", e->number);
    return;
  }
  if (!e->a) {
    fputc(e->operation, out);
    return;
  }
  fputs(e->b ? "(" : "(-", out);
  write_expression(out, e->a);
  if (e->b) {
    fputc(e->operation, out);
    write_expression(out, e->b);
  }
  fputc(')', out);
}

typedef struct trial {
  expression *index;
  expression *left; /* left < right, where there is a condition */
  expression *right;
  long first; /* of the array */
  long count;
  int through_let;
} trial;

static int all_in_range(const trial *t)
{
  for (long i = FIRST_I; i <= LAST_I; i++)
    for (long j = FIRST_J; j <= LAST_J; j++) {
      long at = value(t->index, i, j) - t->first;
      int holds = !t->left || value(t->left, i, j) < value(t->right, i, j);
      if (holds && (at < 0 || at >= t->count))
        return 0;
    }
  return 1;
}

/* The index stands in a sum within a family, or in a let with i and j as its arguments. */
static char *write_model(const trial *t)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  fprintf(out, "model m\nsize N = %d\nset s = %d .. %d\nset t = %d .. %d\nset r = %ld .. %ld\n",
          SIZE, FIRST_I, LAST_I, FIRST_J, LAST_J, t->first, t->first + t->count - 1);
  fprintf(out, "param c[r] = 0\ncoord q momentum p\nhamiltonian H = 0\n");
  if (t->through_let) {
    fprintf(out, "let f(i, j) = 1 + c[");
    write_expression(out, t->index);
    fprintf(out, "]\nlet g(j, i) = f(i, j)\n");
  }
  if (t->through_let) {
    fprintf(out, "observe o[a in s] = sum(b in t: g(b, a))\n");
    fclose(out);
    return text;
  }
  fprintf(out, "observe o[i in s] = sum(j in t");
  if (t->left) {
    fprintf(out, " where ");
    write_expression(out, t->left);
    fprintf(out, " < ");
    write_expression(out, t->right);
  }
  fprintf(out, ": c[");
  write_expression(out, t->index);
  fprintf(out, "])\n");
  fclose(out);
  return text;
}

static void random_indices(void **unused)
{
  uint64_t state = 4711;
  int accepted = 0;
  int refused = 0;
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    trial t = {.index = make(&state, 3), .through_let = round % 4 == 3};
    if (round % 4 == 1 || round % 4 == 2) {
      t.left = make(&state, 2);
      t.right = make(&state, 2);
    }
    t.first = (long)(next_random(&state) % 20) - 15;
    t.count = next_random(&state) % 30 + 1;
    char *text = write_model(&t);
    checked_text checked = check_text(text);
    if ((checked.m != NULL) != all_in_range(&t)) {
      diagnostics_print(checked.errors, stderr);
      fail_msg("round %d: %s", round, text);
    }
    *(checked.m ? &accepted : &refused) += 1;
    arena_free(checked.memory);
    free(text);
    discard(t.index);
    discard(t.left);
    discard(t.right);
  }
  assert_true(accepted > ROUNDS / 10);
  assert_true(refused > ROUNDS / 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_indices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
