/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * user_text.h -- what a user typed: strict reading of numbers, and messages about names that are not known; texts that
 * are written as files.  The thread's locale must have a decimal point.
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

/* Writes the message for a name that is not among names[0 .. count-1], such as
 *   unknown base method 'verlt'; did you mean 'verlet'? known: euler-a, euler-b, verlet, midpoint
 * A name is suggested where at most a third of its letters (at least one) would have to be changed,
 * dropped, inserted or swapped; the list is printed where it has at most 12 names. */
void sw_text_unknown(const char *kind, const char *given, const char *const names[], size_t count,
                     char message[SW_TEXT_MESSAGE]);

/* Closes a stream of open_memstream.  Returns *text, to be freed, or, where not all of it could be written, NULL. */
char *sw_text_written(FILE *stream, char **text);

#endif
