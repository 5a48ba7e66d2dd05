/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_formula.h -- expressions as text, shortened to a readable length.
 */
#ifndef SIDEWINDER_REPORT_PAGE_FORMULA_H
#define SIDEWINDER_REPORT_PAGE_FORMULA_H

#include "expr/expr_formula.h"

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

#endif
