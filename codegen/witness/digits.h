/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digits.h -- from balls to entries of a table: 30 digits that are certain, or none.
 */
#ifndef SIDEWINDER_WITNESS_DIGITS_H
#define SIDEWINDER_WITNESS_DIGITS_H

#include <arb.h>

#include "common/arena.h"
#include "sidewinder/witness.h"

/* The entries of one function that are being collected. */
typedef struct digits {
  arena *memory;
  sw_witness_entry *at;
  size_t n;
  size_t room;
  int uncertain;       /* entries that a higher precision may make certain */
  const char *trouble; /* why an entry could not be computed; NULL */
} digits;

digits digits_create(arena *a);

/* Adds a value and the size of its terms; nothing where both are exactly 0. */
void digits_add(digits *e, long row, long col, const arb_t value, const mag_t size);

/* The table, sorted; `missing` where there is trouble. */
sw_witness_values digits_values(digits *e, sw_witnessed what, int number);

#endif
