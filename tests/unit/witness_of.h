/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * witness_of.h -- the table of witnesses of a text, and its values in long double, value + rest,
 * whose 64 bits are the limit then.
 */
#ifndef SIDEWINDER_TESTS_WITNESS_OF_H
#define SIDEWINDER_TESTS_WITNESS_OF_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <flint/flint.h>

#include "model_texts.h"
#include "witness/witness.h"

static const long double tiny = 1e-18L;

typedef struct table {
  checked_text text;
  const sw_witness *w;
} table;

static inline table table_of(const char *text, int is_looped)
{
  table t = {check_text(text), NULL};
  if (!t.text.m) {
    diagnostics_print(t.text.errors, stderr);
  }
  assert_non_null(t.text.m);
  t.w = witness_create(t.text.memory, t.text.m, is_looped, 0, "digest");
  return t;
}

static inline void release(table *t)
{
  arena_free(t->text.memory);
  flint_cleanup();
}

static inline const sw_witness_values *find(const sw_witness_point *p, sw_witnessed what)
{
  for (int i = 0; i < p->n; i++) {
    if (p->values[i].what == what) {
      return &p->values[i];
    }
  }
  return NULL;
}

static inline long double entry(const sw_witness_values *v, int row, int col)
{
  for (int i = 0; i < v->n; i++) {
    if (v->entries[i].row == row && v->entries[i].col == col) {
      return (long double)v->entries[i].value + (long double)v->entries[i].rest;
    }
  }
  return 0.0L;
}

static inline void assert_near(long double a, long double b, long double size)
{
  if (!(fabsl(a - b) <= tiny * size)) {
    fail_msg("%.20Lg and %.20Lg", a, b);
  }
}

#endif
