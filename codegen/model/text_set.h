/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_set.h -- a set of strings in insertion order.
 */
#ifndef SIDEWINDER_TEXT_SET_H
#define SIDEWINDER_TEXT_SET_H

#include "common/arena.h"

typedef struct text_set text_set;

text_set *text_set_create(arena *a);

/* Adds text, which must outlive the set.  Returns 0 if the set contains the text already. */
int text_set_add(text_set *set, const char *text);

int text_set_contains(const text_set *set, const char *text);

/* Number of strings, and the string at position i, from 0. */
int text_set_count(const text_set *set);
const char *text_set_at(const text_set *set, int i);

#endif
