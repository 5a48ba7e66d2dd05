/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/text.h -- strict reading of numbers.  The thread's locale must have a decimal point.
 */
#ifndef SW_IO_TEXT_H
#define SW_IO_TEXT_H

/* Bytes of a message to the user, the terminating zero included. */
enum { SW_TEXT_MESSAGE = 512 };

/* Reads a decimal floating-point number.  The whole of text must be the number, without blanks, and
 * its value finite; hexadecimal, "inf", "nan", overflow, and a nonzero number that underflows to zero
 * are refused.  Returns 1 and sets *value, or returns 0 and leaves *value alone. */
int sw_text_real(const char *text, double *value);

/* Reads a decimal integer in lowest .. LONG_MAX, likewise strictly. */
int sw_text_integer(const char *text, long lowest, long *value);

#endif
