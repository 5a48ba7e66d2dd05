/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/user_text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- numbers ---- */

int sw_text_real(const char *text, double *value)
{
  /* strtod would also accept blanks, hexadecimal numbers and words. */
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

int sw_text_is_too_large(const char *text)
{
  const char *digits = text + (*text == '+');
  errno = 0;
  return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0' &&
         strtol(text, NULL, 10) == LONG_MAX && errno == ERANGE;
}

char *sw_text_shortest(double x, char text[SW_TEXT_NUMBER])
{
  /* Most numbers have 15 digits or more.  Small numbers start at 1 digit because subnormal ones
   * have fewer, and large ones at 15 because 100 must not become 1e+02. */
  for (int digits = fabs(x) < 1.0 ? 1 : 15; digits <= 17; digits++) {
    snprintf(text, SW_TEXT_NUMBER, "%.*g", digits, x);
    if (strtod(text, NULL) == x) {
      break;
    }
  }
  return text;
}

/* ---- names ---- */

enum { LONGEST_NAME = 64, LONGEST_LIST = 20 };

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

static int same_letter(char a, char b)
{
  int lower_a = a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a;
  int lower_b = b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b;
  return lower_a == lower_b;
}

/* The number of changes, deletions, insertions and swaps of neighbouring letters that turn a into b
 * (restricted Damerau-Levenshtein distance).  Only three rows of the table are stored. */
static size_t user_text_distance(const char *a, size_t length_a, const char *b, size_t length_b)
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
      size_t change = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
      now[j] = least(change, least(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) {
        now[j] = least(now[j], before[j - 2] + 1);
      }
    }
  }
  return rows[length_a % 3][length_b];
}

int sw_text_place(const char *name, const char *const names[], size_t count)
{
  for (size_t i = 0; name != NULL && i < count; i++) {
    if (strcmp(names[i], name) == 0) {
      return (int)i;
    }
  }
  return -1;
}

int sw_text_ending(const char *path, const char *const endings[], size_t count)
{
  const char *name = strrchr(path, '/');
  const char *dot = strrchr(name == NULL ? path : name, '.');
  for (size_t i = 0; dot != NULL && i < count; i++) {
    if (strcasecmp(endings[i], dot) == 0) {
      return (int)i;
    }
  }
  return -1;
}

const char *sw_text_nearest(const char *given, const char *const names[], size_t count)
{
  const size_t length = strlen(given);
  const char *best = NULL;
  /* One change for names of 2 to 4 letters, two from 5, three from 8, and so on. */
  size_t fewer_than = (length + 1) / 3 + 1;
  if (length > LONGEST_NAME) {
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    const size_t other = strlen(names[i]);
    const size_t apart = other > length ? other - length : length - other;
    if (other > LONGEST_NAME || apart >= fewer_than || strcmp(given, names[i]) == 0) {
      continue;
    }
    const size_t changes = user_text_distance(given, length, names[i], other);
    if (changes < fewer_than) {
      best = names[i];
      fewer_than = changes;
    }
  }
  return best;
}

/* snprintf at *used; *used stays within the message. */
static void user_text_append(char message[SW_TEXT_MESSAGE], size_t *used, const char *before,
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
  const char *suggestion = sw_text_nearest(given, names, count);
  user_text_append(message, &used, "unknown ", kind, "");
  user_text_append(message, &used, " '", given, "'");
  if (suggestion != NULL) {
    user_text_append(message, &used, "; did you mean '", suggestion, "'?");
  }
  if (count == 0) {
    user_text_append(message, &used, "; the model has none", "", "");
  }
  for (size_t i = 0; i < count && count <= LONGEST_LIST; i++) {
    user_text_append(message, &used,
                     i > 0                ? ", "
                     : suggestion == NULL ? "; known: "
                                          : " known: ",
                     names[i], "");
  }
}

/* ---- texts ---- */

char *sw_text_trim(char *from, char *to)
{
  while (from < to && (*from == ' ' || *from == '\t')) {
    from++;
  }
  while (to > from && (to[-1] == ' ' || to[-1] == '\t')) {
    to--;
  }
  *to = '\0';
  return from;
}

void sw_text_with_dots(char *name)
{
  char *to = name;
  for (const char *from = name; *from != '\0'; from++) {
    if (*from == '[' || *from == ',') {
      *to++ = '.';
    } else if (*from != ']' && *from != ' ') {
      *to++ = *from;
    }
  }
  *to = '\0';
}

/* Writes the path of the installed file with this name and length.  Returns 0 if there is none. */
static int installed_path(const char *prefix, const char *name, size_t length, char path[PATH_MAX])
{
  static const struct {
    const char *folder;
    const char *below; /* the prefix */
  } places[] = {{"docs/", "share/doc/sidewinder"},
                {"examples/", "share/doc/sidewinder"},
                {"models/", "share/sidewinder"}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (strncmp(name, places[i].folder, strlen(places[i].folder)) == 0) {
      const int n =
          snprintf(path, PATH_MAX, "%s/%s/%.*s", prefix, places[i].below, (int)length, name);
      return n < PATH_MAX && access(path, R_OK) == 0;
    }
  }
  return 0;
}

char *sw_text_installed(const char *file, int levels, const char *text)
{
  static const char in_names[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./";
  char *const same = (char *)(void *)text;
  char *made = NULL;
  size_t size = 0;
  char *prefix = file != NULL && text != NULL ? strdup(file) : NULL;
  FILE *stream = prefix != NULL ? open_memstream(&made, &size) : NULL;
  for (int i = 0; i < levels && prefix != NULL && strrchr(prefix, '/') != NULL; i++) {
    *strrchr(prefix, '/') = '\0';
  }
  while (stream != NULL && *text != '\0') {
    char path[PATH_MAX];
    size_t length = strspn(text, in_names);
    length -= length > 0 && text[length - 1] == '.'; /* the end of a sentence */
    if (installed_path(prefix, text, length, path)) {
      fputs(path, stream);
    } else {
      fwrite(text, 1, length, stream);
    }
    text += length;
    if (*text != '\0') {
      fputc(*text++, stream);
    }
  }
  free(prefix);
  made = stream != NULL ? sw_text_written(stream, &made) : NULL;
  return made != NULL ? made : same;
}

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
