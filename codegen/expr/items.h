/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * items.h -- lists of (node, rational) from which sums and products are built; private to expr/.
 * The lists are on the heap: most constructors find an existing node, and the arena would keep the
 * scratch memory of each call.
 */
#ifndef SIDEWINDER_EXPR_ITEMS_H
#define SIDEWINDER_EXPR_ITEMS_H

#include "expr/expr.h"

typedef struct item {
  const ir_expr *node; /* node of a term, or base of a factor */
  mpq_t value;         /* coefficient of a term, or exponent of a factor */
} item;

typedef struct items {
  item *at;
  size_t n;
  size_t capacity;
} items;

/* Appends an item with a copy of the value. */
void items_push(items *list, const ir_expr *node, mpq_srcptr value);

/* Sorts the list by node, adds the values of equal nodes, and drops items with value 0. */
void items_collect(items *list);

/* Frees the values and the list, and leaves it empty. */
void items_clear(items *list);

#endif
