/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_words.h -- ordinary words in the alphabets of the page.
 */
#ifndef SIDEWINDER_REPORT_PAGE_WORDS_H
#define SIDEWINDER_REPORT_PAGE_WORDS_H

#include "formula/notation.h"

/* Ordinary words: LaTeX's own characters are escaped, all else is kept.  In ASCII and in LaTeX a character
 * that the spelling lacks becomes its code, <U+2603>. */
const char *page_words(arena *a, spelling s, const char *words);

/* Words for LaTeX, in which what the analysis writes in ASCII, such as {g_i,g_j} and M^H, is set as
 * formulas. */
const char *page_prose(arena *a, const char *words);

/* The text with what is no UTF-8 replaced by question marks. */
const char *page_utf8(arena *a, const char *text);

/* Columns that a text takes: its code points, each of which has one. */
int page_columns(const char *text);

#endif
