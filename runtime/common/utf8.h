/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * utf8.h -- decoding of UTF-8, and detection of control characters.
 */
#ifndef SIDEWINDER_COMMON_UTF8_H
#define SIDEWINDER_COMMON_UTF8_H

#include <stddef.h>

/* The length in bytes (1 to 4) of the well-formed UTF-8 sequence at the start of `text`; *code
 * becomes its code point.  Returns 0 if there is none within `length` bytes: overlong forms,
 * surrogates and values above U+10FFFF are ill-formed. */
static inline size_t utf8_decode(const char *text, size_t length, unsigned *code)
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

/* Returns 1 for characters that control a terminal instead of being shown: C0, C1, and direction
 * marks. */
static inline int utf8_is_control(unsigned code)
{
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x061C || code == 0xFEFF;
}

#endif
