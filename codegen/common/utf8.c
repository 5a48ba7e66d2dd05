/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.c -- decoding of one character.
 */
#include "common/utf8.h"

size_t utf8_decode(const char *text, size_t length, unsigned *code)
{
  static const unsigned smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  if (length == 0) {
    return 0;
  }
  unsigned lead = (unsigned char)text[0];
  if (lead < 0x80) {
    *code = lead;
    return 1;
  }
  size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || n > length) {
    return 0;
  }
  unsigned value = lead & (0xFFu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    unsigned next = (unsigned char)text[i];
    if ((next & 0xC0) != 0x80) {
      return 0;
    }
    value = value << 6 | (next & 0x3F);
  }
  if (value < smallest[n] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    return 0;
  }
  *code = value;
  return n;
}

int utf8_is_control(unsigned code)
{
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x061C || code == 0xFEFF;
}
