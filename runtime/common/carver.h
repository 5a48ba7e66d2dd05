/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * carver.h -- one block of memory, cut into arrays.
 *
 * The same walk is made twice: without a block it adds up the bytes, with one it hands them out.  So the sizes stand
 * in one place, and memory can only run out before anything else has been made.
 */
#ifndef SIDEWINDER_COMMON_CARVER_H
#define SIDEWINDER_COMMON_CARVER_H

#include <stddef.h>
#include <stdint.h>

#include "common/zeros.h"

typedef struct sw_carver {
  char *block;  /* NULL while the bytes are counted */
  size_t used;  /* a multiple of the strictest alignment */
  int overflow; /* 1 where the bytes do not fit a size_t */
} sw_carver;

/* NULL for no bytes, and while they are counted. */
static inline void *sw_carve_bytes(sw_carver *c, size_t bytes)
{
  const size_t unit = _Alignof(max_align_t);
  const size_t start = c->used;

  if (bytes > SIZE_MAX - unit - start) {
    c->overflow = 1;
    return NULL;
  }
  c->used = start + (bytes + unit - 1) / unit * unit;
  return c->block && bytes > 0 ? c->block + start : NULL;
}

/* For the second walk, from what the first one has counted: a block of zeros, to be freed, NULL where there is no memory or the bytes
 * do not fit. */
static inline sw_carver sw_carver_open(sw_carver counted)
{
  return (sw_carver){counted.overflow ? NULL : sw_zeros(1, counted.used + 1), 0, 0};
}

/* rows x columns doubles. */
static inline double *sw_carve(sw_carver *c, size_t rows, size_t columns)
{
  if (columns != 0 && rows > SIZE_MAX / sizeof(double) / columns) {
    c->overflow = 1;
    return NULL;
  }
  return sw_carve_bytes(c, rows * columns * sizeof(double));
}

#endif
