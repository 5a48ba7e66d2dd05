/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/text.h -- messages about names that are not known.
 */
#ifndef SW_PROGRAM_TEXT_H
#define SW_PROGRAM_TEXT_H

#include <stddef.h>

#include "io/text.h"

/* Writes the message for a name that is not among names[0 .. count-1], such as
 *   unknown base method 'verlt'; did you mean 'verlet'? known: euler-a, euler-b, verlet, midpoint
 * A name is suggested where at most a third of its letters (at least one) would have to be changed,
 * dropped, inserted or swapped; the list is printed where it has at most 12 names. */
void sw_text_unknown(const char *kind, const char *given, const char *const names[], size_t count,
                     char message[SW_TEXT_MESSAGE]);

#endif
