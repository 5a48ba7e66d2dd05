/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h -- tables in Markdown whose numbers are compared with references as they are written.
 *
 * A table is written row by row: page_row, cells, page_end_row.  A comparison that fails is told on stderr with the
 * row that it stands in, and counted.  With `wrong` set every number that was found is falsified by a little more than
 * what its comparison tolerates: each of them has to fail then, which shows that it can.
 */
#ifndef EXPERIMENTS_PAGE_H
#define EXPERIMENTS_PAGE_H

#include <stdio.h>

typedef struct page {
  FILE *text;
  const char *folder;    /* where the data of the figures go */
  const char *generator; /* the program `sidewinder` */
  int wrong;
  int comparisons;
  int failures;
  char row[256]; /* the first cell of the row that is being written */
} page;

/* Text as it is. */
void page_say(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The head of a table: titles of columns, separated by '|'. */
void page_head(page *p, const char *titles);

/* A row begins with its first cell. */
void page_row(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_cell(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_end_row(page *p);

/* Two cells, the reference and what was found, both to `digits` significant digits.  They have to agree but for one
 * unit of the last of them. */
void page_compare(page *p, double reference, double found, int digits);

/* One cell, "< bound": what was found is not negative and at most that. */
void page_below(page *p, double found, double bound);

/* One cell with a number that there is no reference for. */
void page_number(page *p, double value, int digits);

/* One cell, the reference: what was found, in another row, has to agree with it as above. */
void page_agrees(page *p, double reference, double found, int digits);

/* One cell, the size of an error that there is no reference for: two digits, or "< least". */
void page_size(page *p, double value, double least);

/* A number of things, and a row that compares it. */
void page_count_row(page *p, const char *what, const char *paper, long reference, long found);

/* An empty cell. */
void page_none(page *p);

/* Rows of the four columns: what, paper, reference, sidewinder; `paper` and `reference` are "" where they say nothing. */
void page_compare_row(page *p, const char *what, const char *paper, double reference, double found,
                      int digits);
void page_below_row(page *p, const char *what, const char *paper, const char *reference,
                    double found, double bound);

/* A file of data for figures in the folder, with its first line. */
FILE *page_data(const page *p, const char *name, const char *columns);
void page_close_data(FILE *file);

/* Says what is wrong on stderr, and ends the program with 3. */
void page_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
