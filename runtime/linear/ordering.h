/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/ordering.h -- permutations of the rows and columns of a sparse matrix that keep its
 * entries near the diagonal.
 */
#ifndef SIDEWINDER_LINEAR_ORDERING_H
#define SIDEWINDER_LINEAR_ORDERING_H

#include <stddef.h>

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* The graph of A + A^T without its diagonal.  The neighbours of v are neighbour[start[v]] ..
 * neighbour[start[v+1]-1], sorted by increasing degree. */
typedef struct sw_graph {
  int n;
  int *start;     /* n + 1 */
  int *neighbour; /* start[n] values */
  int *by_degree; /* n: all vertices, by increasing degree */
} sw_graph;

/* A: n x n, sorted by row and column, with at most INT_MAX/2 entries.  The graph owns its arrays.
 * The cost is linear in n and the entries.  Errors: SW_ERR_MEMORY; nothing has to be released
 * then. */
sw_status sw_graph_create(const sw_pattern *A, sw_graph *graph);
void sw_graph_free(sw_graph *graph);

/* Reverse Cuthill-McKee order: place[v] (n values) becomes the new position of v.  Each connected
 * component is contiguous and starts at a pseudo-peripheral vertex.  The cost is linear in n and
 * the edges.  Errors: SW_ERR_MEMORY. */
sw_status sw_graph_cuthill_mckee(const sw_graph *graph, int place[]);

/* The size of the envelope: for each row of the lower triangle, the distance from its first entry
 * to the diagonal.  Vertex v has position place[v] (NULL: v).  first (n values, or NULL) receives
 * the column of each row's first entry, in the new order. */
size_t sw_graph_envelope(const sw_graph *graph, const int place[], int first[]);

#endif
