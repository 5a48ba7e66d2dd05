/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/sorted_names.h"

#include <stdlib.h>
#include <string.h>

static int sorted_names_by_name(const void *a, const void *b)
{
  return strcmp(**(const char *const *const *)a, **(const char *const *const *)b);
}

sw_sorted_names sw_names_sort(const char *const names[], size_t count)
{
  sw_sorted_names sorted = {names, calloc(count + 1, sizeof *sorted.place), count};
  for (size_t i = 0; sorted.place != NULL && i < count; i++) {
    sorted.place[i] = &names[i];
  }
  if (sorted.place != NULL && count > 0) {
    qsort(sorted.place, count, sizeof *sorted.place, sorted_names_by_name);
  }
  return sorted;
}

size_t sw_names_from(const sw_sorted_names *sorted, const char *name)
{
  size_t low = 0;
  size_t high = sorted->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(*sorted->place[middle], name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

size_t sw_names_number(const sw_sorted_names *sorted, const char *name)
{
  const size_t at = sw_names_from(sorted, name);
  return at < sorted->count && strcmp(*sorted->place[at], name) == 0
             ? (size_t)(sorted->place[at] - sorted->names)
             : sorted->count;
}
