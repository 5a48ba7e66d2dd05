/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/user_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

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

/* ---- names ---- */

enum { LONGEST_NAME = 63, LONGEST_LIST = 12 };

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Number of letters to change, drop, insert or swap with a neighbour that turns a into b (restricted
 * Damerau-Levenshtein distance).  Three rows of the table are enough. */
static size_t distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
  size_t rows[3][LONGEST_NAME + 1];
  for (size_t j = 0; j <= length_b; j++) {
    rows[0][j] = j;
  }
  for (size_t i = 1; i <= length_a; i++) {
    size_t *now = rows[i % 3];
    const size_t *last = rows[(i + 2) % 3];
    const size_t *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= length_b; j++) {
      size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = least(change, least(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = least(now[j], before[j - 2] + 1);
      }
    }
  }
  return rows[length_a % 3][length_b];
}

static const char *nearest(const char *given, const char *const names[], size_t count)
{
  const char *best = NULL;
  size_t length = strlen(given);
  size_t least_distance = length / 3 > 1 ? length / 3 : 1;
  if (length > LONGEST_NAME) {
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    size_t other = strlen(names[i]);
    if (other > LONGEST_NAME) {
      continue;
    }
    size_t changes = distance(given, length, names[i], other);
    if (changes >= length) { /* nothing of what was typed is left */
      continue;
    }
    if (changes < least_distance || (changes == least_distance && best == NULL)) {
      best = names[i];
      least_distance = changes;
    }
  }
  return best;
}

/* snprintf at *used, which never passes the end of message. */
static void append(char message[SW_TEXT_MESSAGE], size_t *used, const char *before,
                   const char *text, const char *after)
{
  int added = snprintf(message + *used, SW_TEXT_MESSAGE - *used, "%s%.100s%s", before, text, after);
  if (added > 0) {
    *used = least(*used + (size_t)added, SW_TEXT_MESSAGE - 1);
  }
}

void sw_text_unknown(const char *kind, const char *given, const char *const names[], size_t count,
                     char message[SW_TEXT_MESSAGE])
{
  size_t used = 0;
  const char *suggestion = nearest(given, names, count);
  append(message, &used, "unknown ", kind, "");
  append(message, &used, " '", given, "'");
  if (suggestion != NULL) {
    append(message, &used, "; did you mean '", suggestion, "'?");
  }
  if (count == 0) {
    append(message, &used, "; the model has none", "", "");
  }
  for (size_t i = 0; i < count && count <= LONGEST_LIST; i++) {
    append(message, &used,
           i > 0                ? ", "
           : suggestion == NULL ? "; known: "
                                : " known: ",
           names[i], "");
  }
}

/* ---- texts as files ---- */

char *sw_text_written(FILE *stream, char **text)
{
  int good = !ferror(stream);
  good = fclose(stream) == 0 && good;
  if (!good) {
    free(*text);
    *text = NULL;
  }
  return *text;
}
