/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/sorted_names.h -- names in their order, to be found fast; the names themselves stay where they are.
 */
#ifndef SIDEWINDER_COMMON_SORTED_NAMES_H
#define SIDEWINDER_COMMON_SORTED_NAMES_H

#include <stddef.h>

typedef struct sw_sorted_names {
  const char *const *names;
  const char *const **place; /* of each name, in the order of the names; NULL: there is no memory */
  size_t count;
} sw_sorted_names;

/* Sorts them; place is to be freed.  Equal names stand one behind the other. */
sw_sorted_names sw_names_sort(const char *const names[], size_t count);

/* The first in the order that is not before `name`; count where all are. */
size_t sw_names_from(const sw_sorted_names *sorted, const char *name);

/* The number of a name in names[]; count where there is none. */
size_t sw_names_number(const sw_sorted_names *sorted, const char *name);

#endif
