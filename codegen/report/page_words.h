/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_words.h -- words in the character set of a page, and line breaks.
 */
#ifndef SIDEWINDER_REPORT_PAGE_WORDS_H
#define SIDEWINDER_REPORT_PAGE_WORDS_H

#include "common/text_writer.h"
#include "formula/notation.h"

/* Escapes words: the special characters of LaTeX are escaped. In ASCII and LaTeX, a character
 * outside the character set becomes its code, <U+2603>. */
const char *page_words(arena *a, spelling s, const char *words);

/* Escapes words with formulas between dollar signs. The formulas are written in LaTeX. In text,
 * dollars and backslashes are removed: "$\{g,H\}$ is 0" becomes "{g,H} is 0". */
const char *page_prose(arena *a, spelling s, const char *words);

/* The text with invalid UTF-8 replaced by question marks. */
const char *page_utf8(arena *a, const char *text);

/* Number of columns of a text: its code points, each of which takes one; in MathML, those outside
 * tags. */
int page_columns(spelling s, const char *text);

/* Writes the lines of `text`. The first line has `first` blanks before it; all further lines,
 * including those after line breaks, have `next`. Blanks at the beginning of a line of the text are
 * repeated on its continuation lines. A line longer than `columns` is broken before the sign of a
 * sum with the lowest nesting of parentheses, unless this sign is in the first third. Otherwise it
 * is broken at the last blank that fits. A word that is too long is cut. */
void page_break(writer *out, const char *text, int first, int next, int columns);

#endif
