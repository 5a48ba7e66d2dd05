/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/ordering.c -- the graph of a matrix, and its reverse Cuthill-McKee order.
 */
#include "linear/ordering.h"

#include <stdlib.h>
#include <string.h>

/* Repeated searches for a pseudo-peripheral vertex.  More than a few seldom improve it, and the
 * limit keeps the cost linear. */
enum { sweeps = 4 };

/* start[i] .. start[i+1]-1 <- the range of sorted positions of the values equal to i. */
static void count_starts(int n, int entries, const int value[], int start[])
{
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (int e = 0; e < entries; e++) {
    start[value[e] + 1]++;
  }
  for (int i = 0; i < n; i++) {
    start[i + 1] += start[i];
  }
}

/* The rows of A^T: the rows with an entry in column j of A, in order, start at above[start[j]]. */
static void transpose(const sw_pattern *A, int start[], int above[])
{
  count_starts(A->rows, A->entries, A->col, start);
  for (int e = 0; e < A->entries; e++) {
    above[start[A->col[e]]++] = A->row[e];
  }
  for (int j = A->rows; j > 0; j--) {
    start[j] = start[j - 1];
  }
  start[0] = 0;
}

/* Merges the sorted columns and rows of v; each vertex occurs once, and v never.  Returns the
 * number of vertices. */
static int ordering_merge(int v, int n_left, const int left[], int n_right, const int right[],
                          int merged[])
{
  int count = 0;
  int i = 0;
  int j = 0;

  while (i < n_left || j < n_right) {
    const int next = j == n_right || (i < n_left && left[i] <= right[j]) ? left[i] : right[j];
    i += i < n_left && left[i] == next;
    j += j < n_right && right[j] == next;
    if (next != v) {
      merged[count++] = next;
    }
  }
  return count;
}

/* by_degree <- all vertices by increasing degree; vertices of equal degree stay in order.  bucket:
 * n + 1. */
static void sort_by_degree(const sw_graph *graph, int bucket[])
{
  const int n = graph->n;

  memset(bucket, 0, ((size_t)n + 1) * sizeof *bucket);
  for (int v = 0; v < n; v++) {
    bucket[graph->start[v + 1] - graph->start[v] + 1]++;
  }
  for (int d = 0; d < n; d++) {
    bucket[d + 1] += bucket[d];
  }
  for (int v = 0; v < n; v++) {
    graph->by_degree[bucket[graph->start[v + 1] - graph->start[v]]++] = v;
  }
}

/* neighbour <- the lists in `unsorted`, each sorted by degree.  Edges go both ways, so handing out
 * the vertices by degree sorts all lists at once. */
static void sort_lists(const sw_graph *graph, const int unsorted[], int next[])
{
  memcpy(next, graph->start, (size_t)graph->n * sizeof *next);
  for (int i = 0; i < graph->n; i++) {
    const int v = graph->by_degree[i];
    for (int e = graph->start[v]; e < graph->start[v + 1]; e++) {
      graph->neighbour[next[unsorted[e]]++] = v;
    }
  }
}

sw_status sw_graph_create(const sw_pattern *A, sw_graph *graph)
{
  const size_t n = (size_t)A->rows;
  const size_t entries = (size_t)A->entries;
  int *work = calloc(2 * (n + 1) + entries + 1, sizeof *work);
  int *unsorted = calloc(2 * entries + 1, sizeof *unsorted);

  *graph = (sw_graph){.n = A->rows,
                      .start = calloc(n + 1, sizeof(int)),
                      .neighbour = calloc(2 * entries + 1, sizeof(int)),
                      .by_degree = calloc(n, sizeof(int))};
  const int made = work && unsorted && graph->start && graph->neighbour && graph->by_degree;
  if (made) {
    int *row_start = work;
    int *col_start = work + n + 1;
    int *above = work + 2 * (n + 1);

    count_starts(A->rows, A->entries, A->row, row_start);
    transpose(A, col_start, above);
    for (int v = 0; v < A->rows; v++) {
      const int at = graph->start[v];
      graph->start[v + 1] =
          at + ordering_merge(v, row_start[v + 1] - row_start[v], A->col + row_start[v],
                              col_start[v + 1] - col_start[v], above + col_start[v], unsorted + at);
    }
    sort_by_degree(graph, work);
    sort_lists(graph, unsorted, work);
  } else {
    sw_graph_free(graph);
  }
  free(unsorted);
  free(work);
  return made ? SW_OK : SW_ERR_MEMORY;
}

void sw_graph_free(sw_graph *graph)
{
  free(graph->start);
  free(graph->neighbour);
  free(graph->by_degree);
  *graph = (sw_graph){0};
}

/* Breadth-first search from root; the neighbours of a vertex are visited by increasing degree.
 * queue receives the component of root in Cuthill-McKee order, and seen[v] becomes 1 for its
 * vertices.  Returns their number.  *depth is the number of levels after the first, and *last the
 * index in queue of the last level. */
static int ordering_search(const sw_graph *graph, int root, int queue[], unsigned char seen[],
                           int *depth, int *last)
{
  int count = 1;
  int level_end = 1;

  *depth = 0;
  *last = 0;
  queue[0] = root;
  seen[root] = 1;
  for (int i = 0; i < count; i++) {
    if (i == level_end) {
      ++*depth;
      *last = i;
      level_end = count;
    }
    for (int e = graph->start[queue[i]]; e < graph->start[queue[i] + 1]; e++) {
      const int v = graph->neighbour[e];
      if (!seen[v]) {
        seen[v] = 1;
        queue[count++] = v;
      }
    }
  }
  return count;
}

/* The vertex of queue[from] .. queue[to-1] with the fewest neighbours. */
static int lightest(const sw_graph *graph, int from, int to, const int queue[])
{
  int best = queue[from];

  for (int i = from + 1; i < to; i++) {
    const int v = queue[i];
    if (graph->start[v + 1] - graph->start[v] < graph->start[best + 1] - graph->start[best]) {
      best = v;
    }
  }
  return best;
}

/* queue <- the component of root, ordered from a pseudo-peripheral vertex.  Returns its size. */
static int order_component(const sw_graph *graph, int root, int queue[], unsigned char seen[])
{
  int depth;
  int last;
  int count = ordering_search(graph, root, queue, seen, &depth, &last);

  for (int sweep = 0; sweep < sweeps && depth > 0; sweep++) {
    const int before = depth;
    const int far = lightest(graph, last, count, queue);

    for (int i = 0; i < count; i++) {
      seen[queue[i]] = 0;
    }
    count = ordering_search(graph, far, queue, seen, &depth, &last);
    if (depth <= before) {
      break;
    }
  }
  return count;
}

sw_status sw_graph_cuthill_mckee(const sw_graph *graph, int place[])
{
  const int n = graph->n;
  int *queue = calloc((size_t)n, sizeof *queue);
  unsigned char *seen = calloc((size_t)n, 1);
  const int made = queue && seen;

  if (made) {
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (!seen[graph->by_degree[i]]) {
        count += order_component(graph, graph->by_degree[i], queue + count, seen);
      }
    }
    for (int i = 0; i < n; i++) {
      place[queue[i]] = n - 1 - i;
    }
  }
  free(seen);
  free(queue);
  return made ? SW_OK : SW_ERR_MEMORY;
}

size_t sw_graph_envelope(const sw_graph *graph, const int place[], int first[])
{
  size_t size = 0;

  for (int v = 0; v < graph->n; v++) {
    const int i = place ? place[v] : v;
    int leftmost = i;

    for (int e = graph->start[v]; e < graph->start[v + 1]; e++) {
      const int j = place ? place[graph->neighbour[e]] : graph->neighbour[e];
      leftmost = j < leftmost ? j : leftmost;
    }
    if (first) {
      first[i] = leftmost;
    }
    size += (size_t)(i - leftmost);
  }
  return size;
}
