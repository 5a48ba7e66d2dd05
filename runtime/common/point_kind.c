/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/point_kind.h"

#include <ctype.h>
#include <string.h>

const char *sw_point_kind(const char *name, size_t *length)
{
  const char *end = strrchr(name, '.');
  const char *begin = end;
  while (begin != NULL && begin > name && begin[-1] != '.') {
    begin--;
  }
  if (begin == NULL || begin == name || isdigit((unsigned char)*begin) || *begin == '-') {
    begin = name;
    end = name + strcspn(name, ".");
  }
  while (end > begin + 1 && isdigit((unsigned char)end[-1])) {
    end--;
  }
  *length = (size_t)(end - begin);
  return begin;
}
