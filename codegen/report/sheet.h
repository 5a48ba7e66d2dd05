/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet.h -- the layout of a page (headings, paragraphs, formulas and matrices) as text, LaTeX or
 * HTML.
 *
 * Formulas are passed in the style of the sheet. Words are passed unescaped and are escaped here. A
 * formula among the words of a paragraph or an item is enclosed in dollar signs
 * (report/page_words.h).
 */
#ifndef SIDEWINDER_REPORT_SHEET_H
#define SIDEWINDER_REPORT_SHEET_H

#include "expr/expr_formula.h"
#include "report/page_words.h"

/*
 * Expressions as text, shortened to a readable length.
 */

/* A printer. It caches the length of every node, because nodes are shared, and the written-out text
 * can be exponentially longer. */
typedef struct page_printer page_printer;

page_printer *page_printer_create(arena *a, spelling s);

/* 1 if the printer has written a universal function, which needs an explanation. */
int page_met_universal(const page_printer *f);

/* The number of names, numbers and operations of the written-out expression; large values
 * saturate. */
double page_operations(page_printer *f, const ir_expr *e);

/* An expression as a sum of terms. text[i] includes its sign, " + x" or " - x", with the blanks of
 * the style. The first term has no blanks, so the concatenation of all text[i] is the formula. */
typedef struct page_sum {
  int n_terms; /* number of all terms */
  int n;       /* number of terms in text: the first ones */
  const char *const *text;
  double operations;
} page_sum;

/* The first terms, in at most about `room` columns. There are none if the first term alone is too
 * long. A multiple of `lead` comes first; lead may be NULL. */
page_sum page_terms(page_printer *f, const ir_names *names, const ir_expr *e, const ir_expr *lead,
                    int room);

/* The terms of a formula, up to `room` columns. */
page_sum page_formula(arena *a, spelling s, const formula *f, int room);

/* The whole expression as one text; NULL if it has more than `most` operations. */
const char *page_expression(page_printer *f, const ir_names *names, const ir_expr *e, double most);

#define SHEET_COLUMNS 100

typedef struct sheet sheet;

/* Creates a sheet. A document, which exists in LaTeX only, can be compiled by itself; otherwise the
 * sheet is a fragment. */
sheet *sheet_create(arena *a, spelling style, int is_document);

/* Creates an ASCII sheet for a single part of a page: without a margin, and without line breaks in
 * long lines. */
sheet *sheet_plain(arena *a);

spelling sheet_style(const sheet *s);

/* Indents everything that follows by two more columns. */
void sheet_deeper(sheet *s);

void sheet_title(sheet *s, const char *name, const char *title);
void sheet_section(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A heading with a formula, followed by words. */
void sheet_section_of(sheet *s, const char *heading, const char *of, const char *behind);

/* A line as in the model file, broken if it is too long. */
void sheet_source(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A paragraph, indented by `indent` columns from the margin. */
void sheet_words(sheet *s, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets a prefix for the words of all following items. */
void sheet_before(sheet *s, const char *words);

/* A label and words. Lines are broken, and all of them start to the right of the label. */
void sheet_item(sheet *s, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* left = right, and the number of omitted terms if it was shortened. `left` is "" for a formula
 * that continues the line above. `relation` is "=" or an arrow; `behind` follows the whole
 * formula. */
void sheet_formula(sheet *s, const char *left, const char *relation, page_sum right,
                   const char *behind);

/* left = matrix, with rows * cols cells in row order. Returns 0, and writes nothing, if the matrix
 * is too wide. */
int sheet_matrix(sheet *s, const char *left, int rows, int cols, const char *const cells[]);

/* A formula on one line, unchanged; it may continue the line above. */
void sheet_line(sheet *s, const char *text);

/* Ends the sheet and returns its text. */
const char *sheet_text(sheet *s);

#endif
