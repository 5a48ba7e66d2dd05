/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/items.h"

#include <stdlib.h>

void items_push(items *list, const ir_expr *node, mpq_srcptr value)
{
  if (list->n == list->capacity) {
    list->capacity = list->n ? 2 * list->n : 8;
    list->at = ir_widen(list->at, list->capacity, sizeof *list->at);
  }
  list->at[list->n].node = node;
  mpq_init(list->at[list->n].value);
  mpq_set(list->at[list->n].value, value);
  list->n++;
}

void items_clear(items *list)
{
  for (size_t i = 0; i < list->n; i++) {
    mpq_clear(list->at[i].value);
  }
  free(list->at);
  *list = (items){0};
}

static int by_node(const void *a, const void *b)
{
  return ir_compare(((const item *)a)->node, ((const item *)b)->node);
}

void items_collect(items *list)
{
  if (list->n == 0) {
    return;
  }
  qsort(list->at, list->n, sizeof *list->at, by_node);
  size_t kept = 0;
  for (size_t i = 1; i < list->n; i++) {
    if (list->at[i].node == list->at[kept].node) {
      mpq_add(list->at[kept].value, list->at[kept].value, list->at[i].value);
      continue;
    }
    if (mpq_sgn(list->at[kept].value) != 0) {
      kept++;
    }
    if (kept != i) {
      list->at[kept].node = list->at[i].node;
      mpq_set(list->at[kept].value, list->at[i].value);
    }
  }
  if (mpq_sgn(list->at[kept].value) != 0) {
    kept++;
  }
  for (size_t i = kept; i < list->n; i++) {
    mpq_clear(list->at[i].value);
  }
  list->n = kept;
}
