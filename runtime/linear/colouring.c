/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/colouring.h"

#include <stddef.h>
#include <stdlib.h>

#include "linear/pattern.h"

typedef struct workspace {
  int *in_column; /* entry numbers, by columns */
  int *column_start;
  int *row_start;
  int *taken; /* taken[c] = j + 1 if a neighbour of column j has colour c */
} workspace;

static void clear(workspace *w)
{
  free(w->in_column);
  free(w->column_start);
  free(w->row_start);
  free(w->taken);
}

static sw_status colouring_prepare(const sw_pattern *pattern, workspace *w)
{
  *w = (workspace){.in_column = malloc(((size_t)pattern->entries + 1) * sizeof(int)),
                   .column_start = malloc(((size_t)pattern->cols + 1) * sizeof(int)),
                   .row_start = malloc(((size_t)pattern->rows + 1) * sizeof(int)),
                   .taken = calloc((size_t)pattern->cols + 1, sizeof(int))};
  if (!w->in_column || !w->column_start || !w->row_start || !w->taken) {
    clear(w);
    return SW_ERR_MEMORY;
  }
  sw_sort_by_key(pattern->entries, NULL, pattern->col, pattern->cols, w->column_start,
                 w->in_column);
  sw_pattern_rows(pattern, w->row_start);
  return SW_OK;
}

/* Above this number of pairs, rows couple so many columns that colours save nothing. */
static const double most_pairs = 1e11;

static double count_pairs(const sw_pattern *pattern, const int row_start[])
{
  double pairs = 0.0;

  for (int i = 0; i < pattern->rows; i++) {
    const double entries = row_start[i + 1] - row_start[i];
    pairs += entries * entries;
  }
  return pairs;
}

sw_status sw_colour_columns(const sw_pattern *pattern, int colour[], int *colours)
{
  workspace w;
  const sw_status status = colouring_prepare(pattern, &w);

  *colours = 0;
  if (status != SW_OK) {
    return status;
  }
  if (count_pairs(pattern, w.row_start) > most_pairs) {
    clear(&w);
    return SW_ERR_MEMORY;
  }
  for (int j = 0; j < pattern->cols; j++) {
    for (int e = w.column_start[j]; e < w.column_start[j + 1]; e++) {
      const int row = pattern->row[w.in_column[e]];
      /* Only neighbours before column j have colours. */
      for (int f = w.row_start[row]; pattern->col[f] < j; f++) {
        w.taken[colour[pattern->col[f]]] = j + 1;
      }
    }
    colour[j] = 0;
    while (w.taken[colour[j]] == j + 1) {
      colour[j]++;
    }
    *colours = *colours > colour[j] ? *colours : colour[j] + 1;
  }
  clear(&w);
  return SW_OK;
}
