/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet.h -- the layout of a page: headings, paragraphs, formulas and matrices, as text or as LaTeX.
 *
 * Formulas are given in the style of the sheet.  Words are given as they are and escaped here; a formula among the words
 * of a paragraph or of an item stands between dollars (report/page_words.h).
 */
#ifndef SIDEWINDER_REPORT_SHEET_H
#define SIDEWINDER_REPORT_SHEET_H

#include "report/page_formula.h"
#include "report/page_words.h"

#define SHEET_COLUMNS 100

typedef struct sheet sheet;

/* A document is a fragment that can be compiled by itself: LaTeX only. */
sheet *sheet_create(arena *a, spelling style, int is_document);

/* A sheet in ASCII for a part of a page by itself: without a margin, and long lines are not broken. */
sheet *sheet_plain(arena *a);

spelling sheet_style(const sheet *s);

/* What follows stands two columns further in. */
void sheet_deeper(sheet *s);

void sheet_title(sheet *s, const char *name, const char *title);
void sheet_section(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A heading with a formula, and words behind it. */
void sheet_section_of(sheet *s, const char *heading, const char *of, const char *behind);

/* A line as the model file has it, broken where it is too long. */
void sheet_source(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A paragraph below what came before, `indent` columns from the margin. */
void sheet_words(sheet *s, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What the words of all items begin with from here on. */
void sheet_before(sheet *s, const char *words);

/* A label and what is said about it; the words are broken, and stay right of the label. */
void sheet_item(sheet *s, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* left = right, with the rest counted where it was shortened; `left` may be "" for a formula that goes on
 * from a line above.  `relation` is "=", or an arrow; `behind` stands behind the whole formula. */
void sheet_formula(sheet *s, const char *left, const char *relation, page_sum right,
                   const char *behind);

/* left = matrix, its rows * cols cells in row order.  Returns 0, and writes nothing, where it is too wide. */
int sheet_matrix(sheet *s, const char *left, int rows, int cols, const char *const cells[]);

/* One formula as it stands, which may go on from a line above. */
void sheet_line(sheet *s, const char *text);

/* All that was written, ended. */
const char *sheet_text(sheet *s);

#endif
