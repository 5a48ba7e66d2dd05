/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_writer.h -- a growing text buffer.
 */
#ifndef SIDEWINDER_COMMON_TEXT_WRITER_H
#define SIDEWINDER_COMMON_TEXT_WRITER_H

#include "common/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct writer writer;

writer *writer_create(arena *a);
void writer_printf(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void writer_append(writer *w, const char *text, size_t length);

/* The text so far; the arena owns it. */
const char *writer_text(writer *w);

/* The arena of the writer. */
arena *writer_memory(const writer *w);

#ifdef __cplusplus
}
#endif

#endif
