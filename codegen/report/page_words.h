/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_words.h -- ordinary words in the alphabets of the page, and long lines broken at blanks.
 */
#ifndef SIDEWINDER_REPORT_PAGE_WORDS_H
#define SIDEWINDER_REPORT_PAGE_WORDS_H

#include "common/text_writer.h"
#include "formula/notation.h"

/* Ordinary words: LaTeX's own characters are escaped, all else is kept.  In ASCII and in LaTeX a character
 * that the spelling lacks becomes its code, <U+2603>. */
const char *page_words(arena *a, spelling s, const char *words);

/* Words among which formulas stand between dollars.  These are kept in LaTeX, for which they are written; text is shown
 * them without dollars and backslashes: "$\{g,H\}$ is 0" is "{g,H} is 0". */
const char *page_prose(arena *a, spelling s, const char *words);

/* The text with what is no UTF-8 replaced by question marks. */
const char *page_utf8(arena *a, const char *text);

/* Columns that a text takes: its code points, each of which has one; of MathML those outside of tags. */
int page_columns(spelling s, const char *text);

/* The lines of `text`, the first one after `first` blanks and all others, also those that come of breaking,
 * after `next`; a line of the text that begins with blanks keeps them on all that becomes of it.  A line is
 * broken at a blank so that it takes at most `columns` columns: in front of the sign of a sum that is in
 * the fewest parentheses, or else where it is fullest.  A word that is too long is cut. */
void page_break(writer *out, const char *text, int first, int next, int columns);

#endif
