/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.h -- the only allocator of the generator.
 *
 * The generator compiles one model, prints, and exits; all its data lives until then.  If memory is
 * exhausted or the limit is exceeded, the arena prints a message and exits with code 3: there is no
 * partial result to save.
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

/* The size of all chunks, in bytes. */
size_t arena_size(const arena *a);

/* `count` objects of `size` bytes, zeroed, aligned for any type. */
void *arena_alloc(arena *a, size_t count, size_t size);
#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, n, type) ((type *)arena_alloc((a), (size_t)(n), sizeof(type)))

/* A copy of an object of `size` bytes. */
void *arena_copy(arena *a, const void *object, size_t size);
#define ARENA_COPY(a, type, ...) ((type *)arena_copy((a), (__VA_ARGS__), sizeof(type)))

char *arena_strndup(arena *a, const char *text, size_t length);
char *arena_strdup(arena *a, const char *text);
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(arena *a, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Grows an array: returns `items` with room for at least one more than n.  *capacity is the present
 * capacity (start with NULL, 0, 0). */
void *arena_grow(arena *a, void *items, size_t n, size_t *capacity, size_t size);

#ifdef __cplusplus
}
#endif

#endif
