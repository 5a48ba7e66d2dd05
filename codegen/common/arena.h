/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.h -- the one allocator of the generator.
 *
 * The generator compiles one model, prints, and exits; everything it builds lives until then.  An
 * arena that runs out of memory, or over its limit, says so on stderr and ends the process with
 * exit code 3: there is no half-built state to save.
 */
#ifndef SIDEWINDER_COMMON_ARENA_H
#define SIDEWINDER_COMMON_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arena arena;

arena *arena_create(void);
void arena_free(arena *a);

/* `a` takes over all memory of `other`, which is freed. */
void arena_take(arena *a, arena *other);

/* Bytes that the arena holds. */
size_t arena_size(const arena *a);

/* `count` objects of `size` bytes, zeroed, aligned for any type. */
void *arena_alloc(arena *a, size_t count, size_t size);
#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, n, type) ((type *)arena_alloc((a), (size_t)(n), sizeof(type)))

char *arena_strndup(arena *a, const char *text, size_t length);
char *arena_strdup(arena *a, const char *text);
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(arena *a, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* An array that grows: returns `items` with room for at least one more than n, where *capacity is
 * its present room (start with NULL, 0, 0). */
void *arena_grow(arena *a, void *items, size_t n, size_t *capacity, size_t size);

#ifdef __cplusplus
}
#endif

#endif
