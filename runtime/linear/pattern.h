/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/pattern.h -- sparsity patterns and their construction.
 *
 * The patterns made here are sorted by row, then by column, and hold each entry once.  They own
 * their arrays (sw_pattern_free).  The cost is linear in the entries, rows and columns.
 */
#ifndef SIDEWINDER_LINEAR_PATTERN_H
#define SIDEWINDER_LINEAR_PATTERN_H

#include "sidewinder/status.h"

/* The structurally nonzero entries of a matrix, sorted by row and then by column: entry e is at
 * (row[e], col[e]). */
typedef struct sw_pattern {
  int rows;
  int cols;
  int entries;
  const int *row; /* entries values; NULL if entries is 0 */
  const int *col; /* entries values; NULL if entries is 0 */
} sw_pattern;

/* Makes a pattern from n contributions, in any order and with repetitions.  place (n values, or
 * NULL) receives the entry number of each contribution. */
sw_status sw_pattern_create(int rows, int cols, int n, const int row[], const int col[],
                            sw_pattern *pattern, int place[]);
void sw_pattern_free(sw_pattern *pattern);

/* A growing list of entries, in any order and with repetitions.  Initialise it with zeros. */
typedef struct sw_gathered {
  int n;
  int room;
  int failed; /* 1 if memory has run out or the count would overflow an int */
  int *row;
  int *col;
} sw_gathered;

void sw_gather(sw_gathered *all, int row, int col);
void sw_gathered_free(sw_gathered *all);

/* Appends the entries of a pattern, shifted by `down` rows and `right` columns. */
void sw_gather_pattern(sw_gathered *all, const sw_pattern *pattern, int down, int right);

/* Makes the pattern of the gathered entries and frees *all, even on failure.  If place is not NULL,
 * *place receives the entry number of each gathered entry: n values, which the caller frees.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_gathered_pattern(sw_gathered *all, int rows, int cols, sw_pattern *pattern,
                              int **place);

sw_status sw_pattern_copy(const sw_pattern *pattern, sw_pattern *copy);

/* The transposed pattern.  place (NULL: unused) receives the number in *transposed of each entry of
 * *pattern. */
sw_status sw_pattern_transpose(const sw_pattern *pattern, sw_pattern *transposed, int place[]);

/* The pattern of a whole symmetric matrix, of which *lower holds the lower triangle.  source (NULL:
 * unused; twice the entries of lower) receives the entry of lower that is equal to each entry of
 * *whole. */
sw_status sw_pattern_symmetric(const sw_pattern *lower, sw_pattern *whole, int source[]);

/* Entries start[i] .. start[i+1]-1 are row i of a sorted pattern.  start: rows + 1 values. */
void sw_pattern_rows(const sw_pattern *pattern, int start[]);

/* Counting sort of the numbers t = 0 .. n-1 by key[via[t]] (via NULL: key[t]); the sort is stable.
 * Numbers with key i are list[start[i]] .. list[start[i+1] - 1].  start: keys + 1 values, list:
 * n. */
void sw_sort_by_key(int n, const int via[], const int key[], int keys, int start[], int list[]);

#endif
