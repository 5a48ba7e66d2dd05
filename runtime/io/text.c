/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int sw_text_real(const char *text, double *value)
{
  /* strtod also takes blanks, hexadecimal and words. */
  if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') {
    return 0;
  }
  char *end;
  errno = 0;
  double read = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(read) || (errno == ERANGE && read == 0.0)) {
    return 0;
  }
  *value = read;
  return 1;
}

int sw_text_integer(const char *text, long lowest, long *value)
{
  if (*text == '\0' || text[strspn(text, "+-0123456789")] != '\0') {
    return 0;
  }
  char *end;
  errno = 0;
  long read = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || read < lowest) {
    return 0;
  }
  *value = read;
  return 1;
}
