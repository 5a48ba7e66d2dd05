/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listed.c -- the positions of a matrix's values, as the model lists them: counted, written and
 * checked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/system_plan.h"

void sw_say_outside(const char *what, int row, int col, int rows, int cols, char message[])
{
  if (message) {
    (void)snprintf(message, SW_SYSTEM_MESSAGE,
                   "%s has an entry at (%d, %d), which is outside of what is to be given of a %d x "
                   "%d matrix",
                   what, row, col, rows, cols);
  }
}

static sw_status fill_list(const sw_plan *plan, const sw_places *places, const char *what, int rows,
                           int cols, sw_gathered *list, char message[])
{
  /* Detects positions that the model counts but does not write. */
  for (int e = 0; e < list->n; e++) {
    list->row[e] = list->col[e] = -1;
  }
  if (places->list && list->n > 0) {
    (void)places->list(plan->n, list->row, list->col);
  }
  for (int e = 0; e < list->n; e++) {
    list->row[e] = places->list ? list->row[e] : places->row[e];
    list->col[e] = places->list ? list->col[e] : places->col[e];
    if (list->row[e] < 0 || list->row[e] >= rows || list->col[e] < 0 || list->col[e] >= cols) {
      sw_say_outside(what, list->row[e], list->col[e], rows, cols, message);
      return SW_ERR_ARGUMENT;
    }
  }
  return SW_OK;
}

sw_status sw_plan_list(const sw_plan *plan, const sw_places *places, const char *what, int rows,
                       int cols, sw_gathered *list, char message[])
{
  const long n = places->list ? places->list(plan->n, NULL, NULL) : places->n;

  *list = (sw_gathered){0};
  if (n < 0 || n > INT_MAX) {
    char text[SW_SIZES_TEXT];
    sw_plan_sizes_text(plan, text);
    if (message) {
      (void)snprintf(
          message, SW_SYSTEM_MESSAGE,
          "%s is too large%s: %ld contributions to its entries, at most %d are possible; "
          "try smaller sizes",
          what, text, n, INT_MAX);
    }
    return SW_ERR_SIZE;
  }
  list->n = list->room = (int)n;
  list->row = sw_plan_ints((size_t)n);
  list->col = sw_plan_ints((size_t)n);
  return list->row && list->col ? fill_list(plan, places, what, rows, cols, list, message)
                                : SW_ERR_MEMORY;
}
