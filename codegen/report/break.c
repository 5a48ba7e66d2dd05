/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/break.h"

#include <limits.h>
#include <string.h>

/* Whether a sign of a sum stands at text: "+ ", "- " or the minus of Unicode, and a blank. */
static int is_sign(const char *text)
{
  static const char *const signs[] = {"+ ", "- ", "\xe2\x88\x92 "};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (!strncmp(text, signs[i], strlen(signs[i]))) {
      return 1;
    }
  }
  return 0;
}

/* Bytes of the first line; all of them where it fits in `room` columns. */
static size_t first_line(const char *text, size_t length, int room)
{
  size_t at_blank = 0;
  size_t at_sign = 0;
  size_t full = 0;
  int depth = 0;
  int least = INT_MAX;
  int columns = 0;
  for (size_t i = 0; i < length; i++) {
    columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    if (columns > room + (text[i] == ' ')) {
      size_t best = at_sign > full / 3 ? at_sign : at_blank;
      return best ? best : full;
    }
    if (((unsigned char)text[i + 1] & 0xC0) != 0x80) {
      full = i + 1;
    }
    depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
    if (text[i] == ' ' && i > 0) {
      at_blank = i;
      if (is_sign(text + i + 1) && (depth <= least || at_sign < full / 3)) {
        at_sign = i;
        least = depth;
      }
    }
  }
  return length;
}

void page_break(writer *out, const char *text, int first, int next, int columns)
{
  int indent = first;
  int own = 0; /* blanks that the present line of the text has itself */
  int is_new = 1;
  while (*text) {
    size_t line = strcspn(text, "\n");
    if (is_new) {
      own = (int)strspn(text, " ");
      own = (size_t)own < line && own < columns / 2 ? own : 0;
      text += own;
      line -= (size_t)own;
    }
    size_t taken = first_line(text, line, columns - indent - own);
    size_t shown = taken;
    while (shown > 0 && text[shown - 1] == ' ') {
      shown--;
    }
    writer_printf(out, "%*s%.*s\n", shown ? indent + own : 0, "", (int)shown, text);
    text += taken;
    is_new = taken == line;
    text += is_new ? *text == '\n' : strspn(text, " ");
    indent = next;
  }
}
