/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.h -- what the bytes of a text are: characters, controls, or neither.
 */
#ifndef SIDEWINDER_COMMON_UTF8_H
#define SIDEWINDER_COMMON_UTF8_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Length in bytes (1 to 4) of the well-formed UTF-8 sequence at the head of `text`, whose code point
 * is stored in *code; 0 where there is none within `length` bytes (overlong forms, surrogates and
 * values above U+10FFFF are not well-formed). */
size_t utf8_decode(const char *text, size_t length, unsigned *code);

/* Whether a terminal would act on the code point instead of showing it: C0, DEL, C1, the line and
 * paragraph separators, the byte order mark and the marks that change the direction of text. */
int utf8_is_control(unsigned code);

#ifdef __cplusplus
}
#endif

#endif
