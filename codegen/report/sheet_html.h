/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet_html.h -- the layout of a sheet as sections of HTML, with formulas as MathML.
 *
 * Words are already escaped (report/page_words.h); formulas are in the spelling SPELL_MATHML.
 */
#ifndef SIDEWINDER_REPORT_SHEET_HTML_H
#define SIDEWINDER_REPORT_SHEET_HTML_H

#include "common/text_writer.h"

typedef struct html_sheet {
  writer *out;
  int in_section;
  int in_list; /* a list of items is open */
} html_sheet;

/* Begins a section with this heading, after ending the previous one. */
void html_section(html_sheet *h, const char *heading);

/* A line of the model file. */
void html_source(html_sheet *h, const char *text);

/* A paragraph, which belongs to an open item if there is one. */
void html_words(html_sheet *h, const char *words);

/* A label and its words. Without a label, the words continue the item above. */
void html_item(html_sheet *h, const char *label, const char *words);

/* left relation terms behind; lines can break between terms. */
void html_formula(html_sheet *h, const char *left, const char *relation, int n,
                  const char *const terms[], const char *behind);

/* left = matrix, with rows * cols cells in row order. */
void html_matrix(html_sheet *h, const char *left, int rows, int cols, const char *const cells[]);

/* Ends the last section. */
void html_end(html_sheet *h);

#endif
