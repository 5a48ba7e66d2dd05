/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/digits.h"

#include <stdlib.h>

/* Accuracy in bits: 2^-100 is below 1e-30. */
enum { CERTAIN = 100 };

/* Binary exponents beyond which a double, or its remainder, loses digits. */
enum { LARGEST = 960, SMALLEST = -900 };

digits digits_create(arena *a)
{
  return (digits){.memory = a};
}

static sw_witness_entry *digits_append(digits *e, long row, long col)
{
  e->at = arena_grow(e->memory, e->at, e->n, &e->room, sizeof *e->at);
  sw_witness_entry *entry = &e->at[e->n++];
  *entry = (sw_witness_entry){.row = (int)row, .col = (int)col};
  return entry;
}

/* 1 if |value| is certainly at most 2^-bits times size. */
static int digits_is_below(const arb_t value, const mag_t size, int bits)
{
  mag_t largest;
  mag_t bound;
  mag_init(largest);
  mag_init(bound);
  arb_get_mag(largest, value);
  mag_mul_2exp_si(bound, size, -bits);
  int below = mag_cmp(largest, bound) <= 0;
  mag_clear(largest);
  mag_clear(bound);
  return below;
}

static void digits_split(const arb_t value, sw_witness_entry *entry)
{
  arf_t rest;
  arf_init(rest);
  entry->value = arf_get_d(arb_midref(value), ARF_RND_NEAR);
  arf_set_d(rest, entry->value);
  arf_sub(rest, arb_midref(value), rest, 200, ARF_RND_NEAR);
  entry->rest = arf_get_d(rest, ARF_RND_NEAR);
  arf_clear(rest);
}

void digits_add(digits *e, long row, long col, const arb_t value, const mag_t size)
{
  if (arb_is_zero(value) && mag_is_zero(size)) {
    return;
  }
  if (!arb_is_finite(value) || mag_is_inf(size)) {
    e->trouble = "it is not defined, or not smooth, there";
    return;
  }
  int is_nothing = arb_is_zero(value) || digits_is_below(value, size, CERTAIN);
  int is_certain = is_nothing || arb_rel_accuracy_bits(value) >= CERTAIN;
  if (!is_certain) {
    e->uncertain = 1;
    return;
  }
  if (mag_cmp_2exp_si(size, LARGEST) > 0 ||
      (!is_nothing && arf_cmpabs_2exp_si(arb_midref(value), SMALLEST) < 0)) {
    e->trouble = "it is beyond what a double can hold";
    return;
  }
  sw_witness_entry *entry = digits_append(e, row, col);
  entry->size = mag_get_d(size);
  if (!is_nothing) {
    digits_split(value, entry);
  }
}

static int compare_entries(const void *first, const void *second)
{
  const sw_witness_entry *a = first;
  const sw_witness_entry *b = second;
  return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                          : (a->col > b->col) - (a->col < b->col);
}

sw_witness_values digits_values(digits *e, sw_witnessed what, int number)
{
  sw_witness_values values = {.what = what, .number = number, .missing = e->trouble};
  if (!e->trouble) {
    values.n = (int)e->n;
    values.entries = e->at;
    if (e->n > 0) {
      qsort(e->at, e->n, sizeof *e->at, compare_entries);
    }
  }
  return values;
}
