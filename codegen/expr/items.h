/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * items.h -- lists of (node, rational) that sums and products are made from; private to expr/.  They are on the heap: most
 * constructors find a node that exists, and the arena would keep the scratch memory of each call.
 */
#ifndef SIDEWINDER_EXPR_ITEMS_H
#define SIDEWINDER_EXPR_ITEMS_H

#include "expr/expr.h"

typedef struct item {
  const ir_expr *node; /* a term's node, or a factor's base */
  mpq_t value;         /* its coefficient, or exponent */
} item;

typedef struct items {
  item *at;
  size_t n;
  size_t capacity;
} items;

/* Appends a copy. */
void items_push(items *list, const ir_expr *node, mpq_srcptr value);

/* Sorts, adds the values of equal nodes, and drops those that vanish. */
void items_collect(items *list);

/* Frees the values and the list, which is empty then. */
void items_clear(items *list);

#endif
