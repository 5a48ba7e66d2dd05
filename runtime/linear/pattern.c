/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/pattern.h"

#include <limits.h>
#include <stdlib.h>

#include "common/zeros.h"

static int same_place(const int row[], const int col[], int a, int b)
{
  return row[a] == row[b] && col[a] == col[b];
}

/* Makes the pattern of n contributions, which `order` sorts by row and column. */
static sw_status pattern_collect(int n, const int row[], const int col[], const int order[],
                                 sw_pattern *pattern, int place[])
{
  int entries = 0;

  for (int t = 0; t < n; t++) {
    entries += t == 0 || !same_place(row, col, order[t - 1], order[t]);
  }
  int *rows = sw_zeros((size_t)entries + 1, sizeof *rows);
  int *cols = sw_zeros((size_t)entries + 1, sizeof *cols);
  if (!rows || !cols) {
    free(rows);
    free(cols);
    return SW_ERR_MEMORY;
  }
  int e = -1;
  for (int t = 0; t < n; t++) {
    if (t == 0 || !same_place(row, col, order[t - 1], order[t])) {
      e++;
      rows[e] = row[order[t]];
      cols[e] = col[order[t]];
    }
    if (place) {
      place[order[t]] = e;
    }
  }
  pattern->entries = entries;
  pattern->row = rows;
  pattern->col = cols;
  return SW_OK;
}

/* Two counting sorts: by column, then by row. */
sw_status sw_pattern_create(int rows, int cols, int n, const int row[], const int col[],
                            sw_pattern *pattern, int place[])
{
  *pattern = (sw_pattern){rows, cols, 0, NULL, NULL};
  if (n == 0) {
    return SW_OK;
  }
  const size_t keys = (size_t)(rows > cols ? rows : cols);
  int *next = sw_zeros(keys + 1, sizeof *next);
  int *by_column = sw_zeros((size_t)n, sizeof *by_column);
  int *order = sw_zeros((size_t)n, sizeof *order);
  sw_status status = SW_ERR_MEMORY;

  if (next && by_column && order) {
    sw_sort_by_key(n, NULL, col, cols, next, by_column);
    sw_sort_by_key(n, by_column, row, rows, next, order);
    for (int t = 0; t < n; t++) {
      order[t] = by_column[order[t]];
    }
    status = pattern_collect(n, row, col, order, pattern, place);
  }
  free(next);
  free(by_column);
  free(order);
  return status;
}

void sw_pattern_free(sw_pattern *pattern)
{
  free((int *)pattern->row);
  free((int *)pattern->col);
  *pattern = (sw_pattern){0, 0, 0, NULL, NULL};
}

/* ---- gathering entries ---- */

static int pattern_grow(sw_gathered *all)
{
  const int most = INT_MAX / 2 - 64;
  const size_t room = all->room < most ? 2 * (size_t)all->room + 64 : 0;
  int *row = room ? realloc(all->row, room * sizeof *row) : NULL;

  all->row = row ? row : all->row;
  int *col = row ? realloc(all->col, room * sizeof *col) : NULL;
  all->col = col ? col : all->col;
  all->room = col ? (int)room : all->room;
  all->failed = !col;
  return !all->failed;
}

void sw_gather(sw_gathered *all, int row, int col)
{
  if (!all->failed && (all->n < all->room || pattern_grow(all))) {
    all->row[all->n] = row;
    all->col[all->n++] = col;
  }
}

void sw_gathered_free(sw_gathered *all)
{
  free(all->row);
  free(all->col);
  *all = (sw_gathered){0};
}

void sw_gather_pattern(sw_gathered *all, const sw_pattern *pattern, int down, int right)
{
  for (int e = 0; e < pattern->entries; e++) {
    sw_gather(all, down + pattern->row[e], right + pattern->col[e]);
  }
}

sw_status sw_gathered_pattern(sw_gathered *all, int rows, int cols, sw_pattern *pattern,
                              int **place)
{
  sw_status status = all->failed ? SW_ERR_MEMORY : SW_OK;

  *pattern = (sw_pattern){rows, cols, 0, NULL, NULL};
  if (place) {
    *place = sw_zeros((size_t)all->n + 1, sizeof **place);
    status = *place ? status : SW_ERR_MEMORY;
  }
  if (status == SW_OK) {
    status =
        sw_pattern_create(rows, cols, all->n, all->row, all->col, pattern, place ? *place : NULL);
  }
  sw_gathered_free(all);
  return status;
}

/* ---- patterns derived from another pattern ---- */

sw_status sw_pattern_transpose(const sw_pattern *pattern, sw_pattern *transposed, int place[])
{
  return sw_pattern_create(pattern->cols, pattern->rows, pattern->entries, pattern->col,
                           pattern->row, transposed, place);
}

sw_status sw_pattern_symmetric(const sw_pattern *lower, sw_pattern *whole, int source[])
{
  sw_gathered all = {0};
  int *place = NULL;
  int n = lower->entries;

  *whole = (sw_pattern){lower->rows, lower->cols, 0, NULL, NULL};
  if (lower->entries > INT_MAX / 2) {
    return SW_ERR_MEMORY;
  }
  sw_gather_pattern(&all, lower, 0, 0);
  for (int e = 0; e < lower->entries; e++) {
    if (lower->row[e] != lower->col[e]) {
      sw_gather(&all, lower->col[e], lower->row[e]);
    }
  }
  const sw_status status =
      sw_gathered_pattern(&all, lower->rows, lower->cols, whole, source ? &place : NULL);
  for (int e = 0; e < lower->entries && source && status == SW_OK; e++) {
    source[place[e]] = e;
    if (lower->row[e] != lower->col[e]) {
      source[place[n++]] = e;
    }
  }
  free(place);
  return status;
}

void sw_pattern_rows(const sw_pattern *pattern, int start[])
{
  int e = 0;

  for (int i = 0; i < pattern->rows; i++) {
    start[i] = e;
    while (e < pattern->entries && pattern->row[e] == i) {
      e++;
    }
  }
  start[pattern->rows] = pattern->entries;
}

sw_status sw_pattern_copy(const sw_pattern *pattern, sw_pattern *copy)
{
  return sw_pattern_create(pattern->rows, pattern->cols, pattern->entries, pattern->row,
                           pattern->col, copy, NULL);
}

void sw_sort_by_key(int n, const int via[], const int key[], int keys, int start[], int list[])
{
  for (int i = 0; i <= keys; i++) {
    start[i] = 0;
  }
  for (int t = 0; t < n; t++) {
    start[key[via ? via[t] : t] + 1]++;
  }
  for (int i = 0; i < keys; i++) {
    start[i + 1] += start[i];
  }
  for (int t = 0; t < n; t++) {
    list[start[key[via ? via[t] : t]]++] = t;
  }
  for (int i = keys; i > 0; i--) {
    start[i] = start[i - 1];
  }
  start[0] = 0;
}
