/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_formula.h -- expressions as far as they are short enough to be read.
 */
#ifndef SIDEWINDER_REPORT_PAGE_FORMULA_H
#define SIDEWINDER_REPORT_PAGE_FORMULA_H

#include "expr/expr_formula.h"

/* A printer keeps the length of every node that it has seen, for nodes are shared and written out can be
 * exponentially longer than they are. */
typedef struct page_printer page_printer;

page_printer *page_printer_create(arena *a, spelling s);

/* Whether it has written a universal function, which needs an explanation. */
int page_met_universal(const page_printer *f);

/* How many names, numbers and operations the expression has when it is written out; it saturates. */
double page_operations(page_printer *f, const ir_expr *e);

/* An expression as a sum of terms.  text[i] carries its sign, " + x" or " - x" with the blanks of the style
 * but for the first one, so that the concatenation is the formula. */
typedef struct page_sum {
  int n_terms; /* in all */
  int n;       /* terms that are in text: the first ones */
  const char *const *text;
  double operations;
} page_sum;

/* At most about `room` columns of terms: the rest is left out, and all of it where the first term alone
 * is too long.  The term that is a multiple of `lead` comes first; lead may be NULL. */
page_sum page_terms(page_printer *f, const ir_names *names, const ir_expr *e, const ir_expr *lead,
                    int room);

/* The terms of a formula, until they take `room` columns. */
page_sum page_formula(arena *a, spelling s, const formula *f, int room);

/* The whole expression in one text, or NULL where it has more than `most` operations. */
const char *page_expression(page_printer *f, const ir_names *names, const ir_expr *e, double most);

#endif
