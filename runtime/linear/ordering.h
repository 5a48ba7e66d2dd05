/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/ordering.h -- orders of the rows and columns of a sparse matrix that keep its entries near
 * the diagonal.
 */
#ifndef SIDEWINDER_LINEAR_ORDERING_H
#define SIDEWINDER_LINEAR_ORDERING_H

#include <stddef.h>

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* The graph of A + A^T without its diagonal: neighbour[start[v]] .. neighbour[start[v+1]-1] are the
 * neighbours of v, those with few neighbours first. */
typedef struct sw_graph {
  int n;
  int *start;     /* n + 1 */
  int *neighbour; /* start[n] values */
  int *by_degree; /* n: all vertices, those with few neighbours first */
} sw_graph;

/* A: n x n, sorted by row and column, with at most INT_MAX/2 entries; the graph owns its arrays.  The
 * work is linear in n and the entries.  Errors: SW_ERR_MEMORY; then nothing has to be released. */
sw_status sw_graph_create(const sw_pattern *A, sw_graph *graph);
void sw_graph_free(sw_graph *graph);

/* Reverse Cuthill-McKee: place[v] (n values) becomes where v stands in the new order.  Each connected
 * component stays together and starts at a vertex that is nearly as far from another as any two are.
 * The work is linear in n and the edges.  Errors: SW_ERR_MEMORY. */
sw_status sw_graph_cuthill_mckee(const sw_graph *graph, int place[]);

/* How many places the lower triangle has from the first entry of each row up to the diagonal, which is not
 * counted, where v stands at place[v] (NULL: at v).  first (n values, or NULL) becomes the column of each
 * row's first entry, in the new order. */
size_t sw_graph_envelope(const sw_graph *graph, const int place[], int first[]);

#endif
