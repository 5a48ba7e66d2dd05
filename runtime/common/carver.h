/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * carver.h -- allocates one block of memory and divides it into arrays.
 *
 * The same function runs twice: without a block it adds up the bytes, and with one it assigns the
 * arrays.  The sizes are thus written once, and memory can only run out before anything else has
 * been allocated.
 */
#ifndef SIDEWINDER_COMMON_CARVER_H
#define SIDEWINDER_COMMON_CARVER_H

#include <stddef.h>
#include <stdint.h>

#include "common/zeros.h"

typedef struct sw_carver {
  char *block;  /* NULL during counting */
  size_t used;  /* a multiple of the strictest alignment */
  int overflow; /* 1 if the total does not fit a size_t */
} sw_carver;

/* Returns NULL for 0 bytes, and during counting. */
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

/* Starts the second run: allocates a block of zeros of the counted size.  The caller frees it.  The
 * block is NULL if memory is short or the size overflowed. */
static inline sw_carver sw_carver_open(sw_carver counted)
{
  return (sw_carver){counted.overflow ? NULL : sw_zeros(1, counted.used + 1), 0, 0};
}

/* Returns rows x columns doubles. */
static inline double *sw_carve(sw_carver *c, size_t rows, size_t columns)
{
  if (columns != 0 && rows > SIZE_MAX / sizeof(double) / columns) {
    c->overflow = 1;
    return NULL;
  }
  return sw_carve_bytes(c, rows * columns * sizeof(double));
}

/* Sets the pointers, such as &s->x, &s->y, to arrays of rows x columns doubles. */
#define SW_CARVE(c, rows, columns, ...)                                                            \
  sw_carve_each(c, rows, columns, (double **const[]){__VA_ARGS__, NULL})

static inline void sw_carve_each(sw_carver *c, size_t rows, size_t columns, double **const to[])
{
  for (; *to; to++) {
    **to = sw_carve(c, rows, columns);
  }
}

/* Both runs of a function that sets the arrays of *of.  Returns the block, which the caller frees;
 * or NULL if memory is short, and then all arrays are NULL. */
static inline void *sw_carve_block(void (*carve)(sw_carver *c, void *of), void *of)
{
  sw_carver c = {NULL, 0, 0};

  carve(&c, of);
  c = sw_carver_open(c);
  carve(&c, of);
  return c.block;
}

#endif
