/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_model_ranges.c -- random index expressions, conditions and ranges: the checker accepts a
 * model exactly where plain enumeration finds every index in range and every divisor positive, and
 * counts the instances of families as enumeration does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model_texts.h"

enum { ROUNDS = 8000, FIRST_I = -1, LAST_I = 3, FIRST_J = 2, LAST_J = 4, SIZE = 3 };

/* A tree that is both written as text and evaluated at values of i and j. */
typedef struct expression {
  char operation; /* i j n (number) N (size) + - * ~ (minus) m (mod) s (min) l (max) */
  long number;
  struct expression *a;
  struct expression *b;
} expression;

/* a and b, a or b, not a, or left < right and the like. */
typedef struct condition {
  char operation; /* & | ! or the number of the relation */
  struct condition *a;
  struct condition *b;
  expression *left;
  expression *right;
} condition;

static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">="};

static uint32_t next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static expression *make(uint64_t *state, int depth, const char *leaves)
{
  static const char nodes[] = "+-*~+-+-msl";
  expression *e = calloc(1, sizeof *e);
  assert_non_null(e);
  if (depth == 0 || next_random(state) % 4 == 0) {
    e->operation = leaves[next_random(state) % strlen(leaves)];
    e->number = next_random(state) % 5;
    return e;
  }
  e->operation = nodes[next_random(state) % 11];
  e->a = make(state, depth - 1, leaves);
  if (e->operation != '~')
    e->b = make(state, e->operation == 'm' ? 0 : depth - 1, leaves);
  return e;
}

static condition *make_condition(uint64_t *state, int depth)
{
  condition *c = calloc(1, sizeof *c);
  assert_non_null(c);
  if (depth == 0 || next_random(state) % 3 == 0) {
    c->operation = (char)(next_random(state) % 6);
    c->left = make(state, 1, "iijjnN");
    c->right = make(state, 1, "iijjnN");
    return c;
  }
  c->operation = "&||!"[next_random(state) % 4];
  c->a = make_condition(state, depth - 1);
  if (c->operation != '!')
    c->b = make_condition(state, depth - 1);
  return c;
}

static void discard(expression *e)
{
  if (!e)
    return;
  discard(e->a);
  discard(e->b);
  free(e);
}

static void discard_condition(condition *c)
{
  if (!c)
    return;
  discard(c->left);
  discard(c->right);
  discard_condition(c->a);
  discard_condition(c->b);
  free(c);
}

/* *bad becomes 1 where a divisor is not positive. */
static long value(const expression *e, long i, long j, int *bad)
{
  long a = e->a ? value(e->a, i, j, bad) : 0;
  long b = e->b ? value(e->b, i, j, bad) : 0;
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
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case 's':
    return a < b ? a : b;
  case 'l':
    return a > b ? a : b;
  case 'm':
    if (b <= 0) {
      *bad = 1;
      return 0;
    }
    return (a % b + b) % b;
  default:
    return -a;
  }
}

static int holds(const condition *c, long i, long j, int *bad)
{
  if (!c)
    return 1;
  int a = c->a ? holds(c->a, i, j, bad) : 0;
  int b = c->b ? holds(c->b, i, j, bad) : 0;
  long x = c->left ? value(c->left, i, j, bad) : 0;
  long y = c->right ? value(c->right, i, j, bad) : 0;
  switch (c->operation) {
  case '&':
    return a && b;
  case '|':
    return a || b;
  case '!':
    return !a;
  case 0:
    return x == y;
  case 1:
    return x != y;
  case 2:
    return x < y;
  case 3:
    return x <= y;
  case 4:
    return x > y;
  default:
    return x >= y;
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
  int is_call = strchr("msl", e->operation) != NULL;
  fputs(e->operation == 'm'   ? "mod("
        : e->operation == 's' ? "min("
        : e->operation == 'l' ? "max("
        : e->b                ? "("
                              : "(-",
        out);
  write_expression(out, e->a);
  if (e->b) {
    fputc(is_call ? ',' : e->operation, out);
    write_expression(out, e->b);
  }
  fputc(')', out);
}

static void write_condition(FILE *out, const condition *c)
{
  if (c->left) {
    write_expression(out, c->left);
    fprintf(out, " %s ", relations[(int)c->operation]);
    write_expression(out, c->right);
    return;
  }
  fputs(c->operation == '!' ? "not (" : "(", out);
  write_condition(out, c->a);
  if (c->b) {
    fprintf(out, ") %s (", c->operation == '&' ? "and" : "or");
    write_condition(out, c->b);
  }
  fputc(')', out);
}

typedef struct trial {
  expression *index;
  condition *where; /* NULL: none */
  expression *from; /* ends of j's range, which may depend on i; NULL: a set */
  expression *to;
  long first; /* of the array */
  long count;
  int through_let;
  int by_if;     /* the condition stands around the body */
  int is_family; /* the whole is a family over i and j */
} trial;

/* Whether all is well; *count becomes the number of pairs for which the condition holds. */
static int all_good(const trial *t, long *count)
{
  int bad = 0;
  *count = 0;
  for (long i = FIRST_I; i <= LAST_I && !bad; i++) {
    long from = t->from ? value(t->from, i, 0, &bad) : FIRST_J;
    long to = t->to ? value(t->to, i, 0, &bad) : LAST_J;
    for (long j = from; j <= to && !bad; j++) {
      int chosen = holds(t->where, i, j, &bad);
      long at = chosen ? value(t->index, i, j, &bad) - t->first : 0;
      bad = bad || at < 0 || at >= t->count;
      *count += chosen;
    }
  }
  return !bad;
}

static void write_range(FILE *out, const trial *t)
{
  if (!t->from) {
    fputs("j in t", out);
    return;
  }
  fputs("j in ", out);
  write_expression(out, t->from);
  fputs(" .. ", out);
  write_expression(out, t->to);
}

static void write_body(FILE *out, const trial *t)
{
  if (t->by_if) {
    fputs("1 + (if ", out);
    write_condition(out, t->where);
    fputs(" then 2*c[", out);
    write_expression(out, t->index);
    fputs("] else 3)", out);
    return;
  }
  fputs("c[", out);
  write_expression(out, t->index);
  fputs("]", out);
}

static void write_where(FILE *out, const trial *t)
{
  if (t->where && !t->by_if) {
    fputs(" where ", out);
    write_condition(out, t->where);
  }
}

/* The index stands in a sum within a family, in a family, or in a let with i and j as its
 * arguments. */
static char *write_model(const trial *t)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  fprintf(out, "model m\nsize N = %d\nset s = %d .. %d\nset t = %d .. %d\nset r = %ld .. %ld\n",
          SIZE, FIRST_I, LAST_I, FIRST_J, LAST_J, t->first, t->first + t->count - 1);
  fprintf(out, "param c[r] = 0\ncoord q momentum p\nhamiltonian H = 0\n");
  if (t->is_family) {
    fputs("observe o[i in s, ", out);
    write_range(out, t);
    write_where(out, t);
    fputs("] = ", out);
    write_body(out, t);
  } else if (t->through_let) {
    fputs("let f(i) = sum(", out);
    write_range(out, t);
    write_where(out, t);
    fputs(": ", out);
    write_body(out, t);
    fputs(")\nlet g(i) = 1 + f(i)\nobserve o[a in s] = g(a)", out);
  } else {
    fputs("observe o[i in s] = sum(", out);
    write_range(out, t);
    write_where(out, t);
    fputs(": ", out);
    write_body(out, t);
    fputs(")", out);
  }
  fputc('\n', out);
  fclose(out);
  return text;
}

static trial random_trial(uint64_t *state, int round)
{
  trial t = {.index = make(state, 3, "iijjnN")};
  if (round % 3) {
    t.where = make_condition(state, 2);
    t.by_if = next_random(state) % 4 == 0;
  }
  if (next_random(state) % 3 == 0) {
    t.from = make(state, 2, "iinN");
    t.to = make(state, 2, "iinN");
  }
  t.through_let = next_random(state) % 3 == 0;
  t.is_family = !t.from && !t.by_if && next_random(state) % 3 == 0;
  t.first = (long)(next_random(state) % 20) - 15;
  t.count = next_random(state) % 30 + 1;
  return t;
}

static void random_indices(void **unused)
{
  uint64_t state = 4711;
  int accepted = 0;
  int refused = 0;
  int counted = 0;
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    trial t = random_trial(&state, round);
    char *text = write_model(&t);
    checked_text checked = check_text(text);
    long count = 0;
    int good = all_good(&t, &count);
    if ((checked.m != NULL) != good) {
      diagnostics_print(checked.errors, stderr);
      fail_msg("round %d: %s", round, text);
    }
    if (checked.m && t.is_family) {
      assert_int_equal(checked.m->observe[0]->count, count);
      counted += count > 0 && t.where;
    }
    *(checked.m ? &accepted : &refused) += 1;
    arena_free(checked.memory);
    free(text);
    discard(t.index);
    discard(t.from);
    discard(t.to);
    discard_condition(t.where);
  }
  assert_true(accepted > ROUNDS / 10);
  assert_true(refused > ROUNDS / 10);
  assert_true(counted > ROUNDS / 200);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_indices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
