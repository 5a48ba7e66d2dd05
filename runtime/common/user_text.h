/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * user_text.h -- what a user typed: strict reading of numbers, and messages about names that are not known; numbers and
 * texts that are written.  The thread's locale must have a decimal point.  The compiler has this file, too.
 */
#ifndef SIDEWINDER_COMMON_USER_TEXT_H
#define SIDEWINDER_COMMON_USER_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of a message to the user, the terminating zero included. */
enum { SW_TEXT_MESSAGE = 512 };

/* Reads a decimal floating-point number.  The whole of text must be the number, without blanks, and
 * its value finite; hexadecimal, "inf", "nan", overflow, and a nonzero number that underflows to zero
 * are refused.  Returns 1 and sets *value, or returns 0 and leaves *value alone. */
int sw_text_real(const char *text, double *value);

/* Reads a decimal integer in lowest .. LONG_MAX, likewise strictly. */
int sw_text_integer(const char *text, long lowest, long *value);

/* 1 where text is a decimal integer above LONG_MAX. */
int sw_text_is_too_large(const char *text);

/* Room for what sw_text_shortest writes. */
enum { SW_TEXT_NUMBER = 32 };

/* Writes the shortest decimal number that is read back as the same finite x, and returns text. */
char *sw_text_shortest(double x, char text[SW_TEXT_NUMBER]);

/* The place of the name among names[0 .. count-1], or -1; also for name = NULL. */
int sw_text_place(const char *name, const char *const names[], size_t count);

/* The place of the ending of the file's name, such as ".npy", among endings[0 .. count-1], or -1.  Upper and lower case are the same. */
int sw_text_ending(const char *path, const char *const endings[], size_t count);

/* The one of names[0 .. count-1] that was probably meant, or NULL: the nearest, where at most (letters + 1) / 3 letters
 * of `given` would have to be changed, dropped, inserted or swapped.  Case makes no difference, and a name that
 * is given as it is is not suggested. */
const char *sw_text_nearest(const char *given, const char *const names[], size_t count);

/* Writes the message for a name that is not among names[0 .. count-1], such as
 *   unknown base method 'verlt'; did you mean 'verlet'? known: euler-a, euler-b, verlet, midpoint
 * The list is printed where it has at most 12 names. */
void sw_text_unknown(const char *kind, const char *given, const char *const names[], size_t count,
                     char message[SW_TEXT_MESSAGE]);

/* The text from `from` up to `to`, which is in it, without blanks and tabs around it; a zero is written behind it. */
char *sw_text_trim(char *from, char *to);

/* Rewrites the name of an entry as the model language writes it, "J[1, 2]", as "J.1.2". */
void sw_text_with_dots(char *name);

/* Closes a stream of open_memstream.  Returns *text, to be freed, or, where not all of it could be written, NULL. */
char *sw_text_written(FILE *stream, char **text);

#endif
