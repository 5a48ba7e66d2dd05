/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digits.h -- from balls to entries of a table: 30 certain digits, or no value.
 */
#ifndef SIDEWINDER_WITNESS_DIGITS_H
#define SIDEWINDER_WITNESS_DIGITS_H

#include <arb.h>

#include "common/arena.h"
#include "sidewinder/witness.h"

/* The entries of one function while they are collected. */
typedef struct digits {
  arena *memory;
  sw_witness_entry *at;
  size_t n;
  size_t room;
  int uncertain;       /* 1 if a higher precision may make some entries certain */
  const char *trouble; /* why an entry could not be computed, or NULL */
} digits;

digits digits_create(arena *a);

/* Adds a value and the size of its terms, unless both are exactly 0. */
void digits_add(digits *e, long row, long col, const arb_t value, const mag_t size);

/* Returns the sorted entries, or sets `missing` if there was trouble. */
sw_witness_values digits_values(digits *e, sw_witnessed what, int number);

#endif
