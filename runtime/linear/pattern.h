/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/pattern.h -- making patterns: which entries of a sparse matrix are there.
 *
 * Patterns made here are sorted by row, then column, hold each entry once, and own their arrays
 * (sw_pattern_free).  All work is linear in the entries and the rows and columns.
 */
#ifndef SIDEWINDER_LINEAR_PATTERN_H
#define SIDEWINDER_LINEAR_PATTERN_H

#include "sidewinder/status.h"

/* The entries of a matrix that are not identically zero, row by row and by column within a row:
 * entry e stands at (row[e], col[e]). */
typedef struct sw_pattern {
  int rows;
  int cols;
  int entries;
  const int *row; /* entries values, NULL where entries = 0 */
  const int *col; /* entries values, NULL where entries = 0 */
} sw_pattern;

/* From n contributions, in any order and with repetitions; place (n values, or NULL) becomes the entry
 * that each of them belongs to. */
sw_status sw_pattern_create(int rows, int cols, int n, const int row[], const int col[],
                            sw_pattern *pattern, int place[]);
void sw_pattern_free(sw_pattern *pattern);

/* Places of entries while they are gathered, in any order and with repetitions; zeros at first. */
typedef struct sw_gathered {
  int n;
  int room;
  int failed; /* 1 where memory has run out, or an int cannot count them */
  int *row;
  int *col;
} sw_gathered;

void sw_gather(sw_gathered *all, int row, int col);

/* Those of a pattern, moved down and to the right. */
void sw_gather_pattern(sw_gathered *all, const sw_pattern *pattern, int down, int right);

/* Their pattern, and where place is not NULL the entry that each of them belongs to, n values to be freed.  In any case nothing is left
 * of *all.  Errors: SW_ERR_MEMORY. */
sw_status sw_gathered_pattern(sw_gathered *all, int rows, int cols, sw_pattern *pattern,
                              int **place);

sw_status sw_pattern_copy(const sw_pattern *pattern, sw_pattern *copy);

/* The transposed pattern; place[e] (NULL: not wanted) is where entry e of *pattern is in *transposed. */
sw_status sw_pattern_transpose(const sw_pattern *pattern, sw_pattern *transposed, int place[]);

/* Both triangles of a symmetric matrix of which *lower holds the lower one; source[e] (NULL: not wanted;
 * room for twice the entries of lower) is the entry of lower that entry e of *whole repeats. */
sw_status sw_pattern_symmetric(const sw_pattern *lower, sw_pattern *whole, int source[]);

/* start[i] .. start[i+1]-1 are the entries of row i of a sorted pattern; start: rows + 1 values. */
void sw_pattern_rows(const sw_pattern *pattern, int start[]);

/* Numbers t = 0 .. n-1 by their keys key[via[t]] (via NULL: key[t]), in their order where these are equal: those with key i are
 * list[start[i]] .. list[start[i+1] - 1].  start: keys + 1 values, list: n. */
void sw_sort_by_key(int n, const int via[], const int key[], int keys, int start[], int list[]);

/* The first entry of a sorted pattern that is in row i or behind it. */
static inline int sw_pattern_row_start(const sw_pattern *pattern, int i)
{
  int low = 0;
  int high = pattern->entries;

  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (pattern->row[middle] < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

#endif
