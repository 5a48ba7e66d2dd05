/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * break.h -- long lines broken at blanks.
 */
#ifndef SIDEWINDER_REPORT_BREAK_H
#define SIDEWINDER_REPORT_BREAK_H

#include "common/text_writer.h"

/* The lines of `text`, the first one after `first` blanks and all others, also those that come of breaking,
 * after `next`; a line of the text that begins with blanks keeps them on all that becomes of it.  A line is
 * broken at a blank so that it takes at most `columns` columns: in front of the sign of a sum that is in
 * the fewest parentheses, or else where it is fullest.  A word that is too long is cut. */
void page_break(writer *out, const char *text, int first, int next, int columns);

#endif
