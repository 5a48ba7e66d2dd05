/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * user_text.h -- strict parsing of numbers that a user typed, messages about unknown names, and
 * formatted numbers and texts.  The thread's locale must have a decimal point.  The generator uses
 * this file, too.
 */
#ifndef SIDEWINDER_COMMON_USER_TEXT_H
#define SIDEWINDER_COMMON_USER_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Size in bytes of a message to the user, with the terminating zero. */
enum { SW_TEXT_MESSAGE = 512 };

/* Parses a decimal floating-point number.  The whole text must be the number, without blanks.
 * Rejected are hexadecimal numbers, "inf", "nan", overflow, and nonzero numbers that underflow to
 * zero.  Returns 1 and sets *value, or returns 0 and leaves *value unchanged. */
int sw_text_real(const char *text, double *value);

/* Parses a decimal integer in lowest .. LONG_MAX, with the same strictness. */
int sw_text_integer(const char *text, long lowest, long *value);

/* Returns 1 if text is a decimal integer above LONG_MAX. */
int sw_text_is_too_large(const char *text);

/* Size of the buffer of sw_text_shortest. */
enum { SW_TEXT_NUMBER = 32 };

/* Writes the shortest decimal number that is read back as the same finite x.  Returns text. */
char *sw_text_shortest(double x, char text[SW_TEXT_NUMBER]);

/* The index of a name in names[0 .. count-1], or -1. name may be NULL: -1. */
int sw_text_place(const char *name, const char *const names[], size_t count);

/* The index in endings[0 .. count-1] of the ending of the file's name, such as ".npy", or -1.  Case
 * is ignored. */
int sw_text_ending(const char *path, const char *const endings[], size_t count);

/* Suggests one of names[0 .. count-1] for a misspelt name: the nearest one, if at most (letters +
 * 1) / 3 letters of `given` must be changed, dropped, inserted or swapped; else NULL.  Case is
 * ignored, and the given name itself is never suggested. */
const char *sw_text_nearest(const char *given, const char *const names[], size_t count);

/* Writes the message for a name that is not in names[0 .. count-1], such as
 *   unknown base method 'verlt'; did you mean 'verlet'? known: euler-a, euler-b, verlet, midpoint
 * The list is printed if it has at most 12 names. */
void sw_text_unknown(const char *kind, const char *given, const char *const names[], size_t count,
                     char message[SW_TEXT_MESSAGE]);

/* The text from `from` to `to` without surrounding blanks and tabs.  Writes a zero after it. */
char *sw_text_trim(char *from, char *to);

/* Rewrites an entry's name in the model language, "J[1, 2]", as "J.1.2". */
void sw_text_with_dots(char *name);

/* Replaces docs/FILE, examples/FILE and models/FILE in a text by the paths of these files in the
 * installation of `file`, if they exist.  levels: the number of names in the path of `file` below
 * the prefix, such as 2 for PREFIX/bin/sidewinder.  Returns memory that the caller frees.  If file
 * is NULL or memory is short, returns the text itself. */
char *sw_text_installed(const char *file, int levels, const char *text);

/* Closes a stream of open_memstream.  Returns *text, which the caller frees, or NULL if some of it
 * could not be written. */
char *sw_text_written(FILE *stream, char **text);

#endif
