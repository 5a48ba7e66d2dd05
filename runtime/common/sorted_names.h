/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/sorted_names.h -- a sorted index of names, for fast lookup.  The names themselves are not
 * moved.
 */
#ifndef SIDEWINDER_COMMON_SORTED_NAMES_H
#define SIDEWINDER_COMMON_SORTED_NAMES_H

#include <stddef.h>

typedef struct sw_sorted_names {
  const char *const *names;
  const char *const **place; /* pointers to the names, in sorted order; NULL if memory was short */
  size_t count;
} sw_sorted_names;

/* Sorts the names.  The caller frees place.  Equal names are adjacent. */
sw_sorted_names sw_names_sort(const char *const names[], size_t count);

/* The first sorted position whose name is not before `name`; count if all are before it. */
size_t sw_names_from(const sw_sorted_names *sorted, const char *name);

/* The index of a name in names[]; count if it is not found. */
size_t sw_names_number(const sw_sorted_names *sorted, const char *name);

#endif
