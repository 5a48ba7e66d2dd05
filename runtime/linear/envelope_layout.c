/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * envelope_layout.c -- creates and frees an envelope: chooses an order that keeps the entries near
 * the diagonal, and places them in memory.
 */
#include "linear/envelope.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/zeros.h"

/* ---- the order ---- */

/* The graph of A + A^T without its diagonal.  The neighbours of v are neighbour[start[v]] ..
 * neighbour[start[v+1]-1], sorted by increasing degree. */
typedef struct sw_graph {
  int n;
  int *start;     /* n + 1 */
  int *neighbour; /* start[n] values */
  int *by_degree; /* n: all vertices, by increasing degree */
} sw_graph;

/* A: n x n with at most INT_MAX/2 entries.  The graph owns its arrays.  The cost is linear in n and
 * the entries.  Errors: SW_ERR_MEMORY. */
static sw_status graph_create(const sw_pattern *A, sw_graph *graph)
{
  const size_t n = (size_t)A->rows;
  sw_gathered all = {0};
  sw_pattern edges;
  int *degree = sw_zeros(n + 1, sizeof *degree);
  int *next = sw_zeros(n + 1, sizeof *next);

  for (int e = 0; e < A->entries; e++) {
    if (A->row[e] != A->col[e]) {
      sw_gather(&all, A->row[e], A->col[e]);
      sw_gather(&all, A->col[e], A->row[e]);
    }
  }
  sw_status status = sw_gathered_pattern(&all, A->rows, A->rows, &edges, NULL);
  *graph = (sw_graph){.n = A->rows,
                      .start = sw_zeros(n + 1, sizeof(int)),
                      .neighbour = sw_zeros((size_t)edges.entries + 1, sizeof(int)),
                      .by_degree = sw_zeros(n, sizeof(int))};
  if (!degree || !next || !graph->start || !graph->neighbour || !graph->by_degree) {
    status = SW_ERR_MEMORY;
  }
  if (status == SW_OK) {
    sw_pattern_rows(&edges, graph->start);
    for (int v = 0; v < A->rows; v++) {
      degree[v] = graph->start[v + 1] - graph->start[v];
    }
    sw_sort_by_key(A->rows, NULL, degree, A->rows, next, graph->by_degree);
    /* Edges go both ways, so handing out the vertices by degree sorts all lists at once. */
    memcpy(next, graph->start, n * sizeof *next);
    for (int i = 0; i < A->rows; i++) {
      const int v = graph->by_degree[i];
      for (int e = graph->start[v]; e < graph->start[v + 1]; e++) {
        graph->neighbour[next[edges.col[e]]++] = v;
      }
    }
  }
  sw_pattern_free(&edges);
  free(degree);
  free(next);
  return status;
}

static void graph_free(sw_graph *graph)
{
  free(graph->start);
  free(graph->neighbour);
  free(graph->by_degree);
}

/* Repeated searches for a pseudo-peripheral vertex.  More than a few seldom improve it, and the
 * limit keeps the cost linear. */
enum { sweeps = 4 };

/* Breadth-first search from root; the neighbours of a vertex are visited by increasing degree.
 * queue receives the component of root in Cuthill-McKee order, and seen[v] becomes 1 for its
 * vertices.  Returns their number.  *depth is the number of levels after the first, and *last the
 * index in queue of the last level. */
static int breadth_first(const sw_graph *graph, int root, int queue[], unsigned char seen[],
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
  int count = breadth_first(graph, root, queue, seen, &depth, &last);

  for (int sweep = 0; sweep < sweeps && depth > 0; sweep++) {
    const int before = depth;
    const int far = lightest(graph, last, count, queue);

    for (int i = 0; i < count; i++) {
      seen[queue[i]] = 0;
    }
    count = breadth_first(graph, far, queue, seen, &depth, &last);
    if (depth <= before) {
      break;
    }
  }
  return count;
}

/* Reverse Cuthill-McKee order: place[v] (n values) becomes the new position of v.  Each connected
 * component is contiguous and starts at a pseudo-peripheral vertex.  The cost is linear in n and
 * the edges.  Errors: SW_ERR_MEMORY. */
static sw_status cuthill_mckee(const sw_graph *graph, int place[])
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

/* The size of the envelope: for each row of the lower triangle, the distance from its first entry
 * to the diagonal.  Vertex v has position place[v] (NULL: v).  first (n values, or NULL) receives
 * the column of each row's first entry, in the new order. */
static size_t envelope_size(const sw_graph *graph, const int place[], int first[])
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

/* ---- the layout ---- */

/* 1 if every diagonal entry is in the pattern. */
static int has_diagonal(const sw_pattern *A)
{
  int count = 0;

  for (int e = 0; e < A->entries; e++) {
    count += A->row[e] == A->col[e];
  }
  return count == A->rows;
}

/* Assigns positions in the store.  On entry length[i] is the first column of row i; it becomes the
 * row's length. */
static void lay_out(sw_envelope *envelope)
{
  int at = 0;

  for (int i = 0; i < envelope->rows; i++) {
    envelope->length[i] = i - envelope->length[i];
    envelope->start[i] = at;
    at += 2 * envelope->length[i] + 1;
  }
  if (envelope->rows < envelope->n) {
    envelope->start[envelope->rows] = at;
    at += 2 * (envelope->reach[0] + envelope->reach[1]) + 1;
  }
  envelope->size = at;
}

/* The index in the store of an entry: row k of L in column `other`, column k of U in row `other`,
 * or the pivot if they are equal.  Each row and column is aligned at its end, next to the
 * diagonal. */
static int envelope_layout_place_of(const sw_envelope *envelope, int k, int other, int is_lower)
{
  if (k < envelope->rows) {
    const int at = envelope->start[k] + envelope->length[k] - (k - other);
    return is_lower ? at : at + envelope->length[k];
  }
  const int *reach = envelope->reach;
  const int second = other >= envelope->part[1];
  const int end = envelope->part[1 + second];
  const int start = envelope->start[k] + (second ? 2 * reach[0] : 0);
  return other == k ? envelope->start[k] + 2 * (reach[0] + reach[1])
                    : start + reach[second] - (end - other) + (is_lower ? 0 : reach[second]);
}

static void place_entries(sw_envelope *envelope, const sw_pattern *A, const int place[])
{
  for (int e = 0; e < A->entries; e++) {
    const int i = place ? place[A->row[e]] : A->row[e];
    const int j = place ? place[A->col[e]] : A->col[e];

    envelope->place[e] = envelope_layout_place_of(envelope, i > j ? i : j, i > j ? j : i, i > j);
  }
}

/* ---- parts ---- */

/* The smallest number of rows in a part for threads. */
enum { SHORTEST = SW_TEAM_GRAIN };

/* Matrices with fewer rows are not eliminated from both ends. */
enum { TWO_ENDED = 32 };

/* Lists the first row of each part; all parts are long enough.  first[i]: the first column of row
 * i.  Returns the number of parts. */
static int envelope_layout_find_parts(int n, const int first[], int part[])
{
  int parts = 1;
  int before = n; /* the smallest first column of the rows from i on */

  /* Collects the starts backwards, then reverses them. */
  part[0] = n;
  for (int i = n - 1; i > 0; i--) {
    before = first[i] < before ? first[i] : before;
    if (before >= i && part[parts - 1] - i >= SHORTEST && i >= SHORTEST) {
      part[parts++] = i;
    }
  }
  part[parts] = 0;
  for (int i = 0; i < parts - i; i++) {
    const int kept = part[i];
    part[i] = part[parts - i];
    part[parts - i] = kept;
  }
  return parts;
}

/* The row nearest to the middle that separates the matrix: no later row has an entry before it.
 * Returns -1 if there is none in the middle half. */
static int find_waist(int n, const int first[])
{
  int waist = -1;
  int before = n;

  for (int i = n - 1; i > n / 4; i--) {
    const int is_nearer = waist < 0 || abs(i - n / 2) < abs(waist - n / 2);
    if (i < n - n / 4 && before >= i && is_nearer) {
      waist = i;
    }
    before = first[i] < before ? first[i] : before;
  }
  return waist;
}

/* Moves the waist to the end as the border, and reverses the order of the rows behind it. */
static void divide_at(sw_envelope *envelope, const sw_graph *graph, int waist, int place[])
{
  const int n = envelope->n;
  int lowest[2];

  for (int v = 0; v < n; v++) {
    const int at = place[v];
    place[v] = at < waist ? at : at > waist ? waist + n - 1 - at : n - 1;
    envelope->order[place[v]] = v;
  }
  envelope->rows = n - 1;
  envelope->parts = 2;
  envelope->part[0] = 0;
  envelope->part[1] = lowest[0] = waist;
  envelope->part[2] = lowest[1] = n - 1;
  const int v = envelope->order[n - 1];
  for (int e = graph->start[v]; e < graph->start[v + 1]; e++) {
    const int at = place[graph->neighbour[e]];
    int *low = &lowest[at >= waist];
    *low = at < *low ? at : *low;
  }
  envelope->reach[0] = waist - lowest[0];
  envelope->reach[1] = n - 1 - lowest[1];
}

static sw_line find_line(const sw_envelope *envelope, int number)
{
  const int *order = envelope->order;
  sw_line longest = {0, 0, 0};
  sw_line line = {0, 0, 0};

  for (int i = envelope->part[number] + 1; i < envelope->part[number + 1]; i++) {
    const int step = order[i] - order[i - 1];
    if (envelope->length[i] != 1 || abs(step) != 1) {
      line = (sw_line){0, 0, 0};
      continue;
    }
    if (line.end != i || line.step != step) {
      line = (sw_line){i, i, step};
    }
    line.end = i + 1;
    longest = line.end - line.first > longest.end - longest.first ? line : longest;
  }
  return longest;
}

/* Chooses the order and fills in the layout.  place: n values of scratch, on entry the
 * Cuthill-McKee order.  Returns 0 if the envelope is too large. */
static int plan(sw_envelope *envelope, const sw_pattern *A, const sw_graph *graph, int place[])
{
  const size_t n = (size_t)A->rows;
  const size_t entries = (size_t)graph->start[A->rows] + n;
  const size_t natural = envelope_size(graph, NULL, NULL);
  const size_t ordered = envelope_size(graph, place, NULL);
  const size_t best = natural <= ordered ? natural : ordered;

  if (2 * best + n > 4 * entries + 8 * n || 2 * best + n > INT_MAX / 2) {
    return 0;
  }
  for (int v = 0; v < A->rows; v++) {
    place[v] = natural <= ordered ? v : place[v];
    envelope->order[place[v]] = v;
  }
  (void)envelope_size(graph, place, envelope->length);
  envelope->parts = envelope_layout_find_parts(A->rows, envelope->length, envelope->part);
  const int waist =
      envelope->parts == 1 && A->rows >= TWO_ENDED ? find_waist(A->rows, envelope->length) : -1;
  if (waist >= 0) {
    divide_at(envelope, graph, waist, place);
    (void)envelope_size(graph, place, envelope->length);
  } else if (natural <= ordered) {
    free(envelope->order);
    free(envelope->permuted);
    envelope->order = NULL;
    envelope->permuted = NULL;
  }
  lay_out(envelope);
  place_entries(envelope, A, place);
  for (int e = 0; e < A->entries; e++) {
    envelope->entry[A->row[e] + 1] = e + 1;
  }
  for (int side = 0; side < 2 && waist >= 0; side++) {
    envelope->line[side] = find_line(envelope, side);
  }
  return 1;
}

static sw_envelope *envelope_layout_allocate(const sw_pattern *A)
{
  const size_t n = (size_t)A->rows;
  sw_envelope *envelope = calloc(1, sizeof *envelope);

  if (!envelope) {
    return NULL;
  }
  envelope->n = envelope->rows = A->rows;
  envelope->entries = A->entries;
  envelope->length = sw_zeros(n, sizeof *envelope->length);
  envelope->start = sw_zeros(n, sizeof *envelope->start);
  envelope->place = sw_zeros((size_t)A->entries, sizeof *envelope->place);
  envelope->entry = sw_zeros(n + 1, sizeof *envelope->entry);
  envelope->order = sw_zeros(n, sizeof *envelope->order);
  envelope->permuted = sw_zeros(n, sizeof *envelope->permuted);
  envelope->part = sw_zeros(n / SHORTEST + 4, sizeof *envelope->part);
  if (!envelope->part || !envelope->length || !envelope->start || !envelope->place ||
      !envelope->entry || !envelope->order || !envelope->permuted) {
    sw_envelope_free(envelope);
    return NULL;
  }
  return envelope;
}

sw_status sw_envelope_create(const sw_pattern *A, sw_envelope **envelope)
{
  sw_graph graph = {0};
  sw_envelope *made = NULL;
  sw_status status = SW_ERR_MEMORY;

  *envelope = NULL;
  if (A->entries > INT_MAX / 2 || !has_diagonal(A)) {
    return SW_OK;
  }
  int *place = sw_zeros((size_t)A->rows, sizeof *place);
  if (place && graph_create(A, &graph) == SW_OK && cuthill_mckee(&graph, place) == SW_OK &&
      (made = envelope_layout_allocate(A)) != NULL) {
    status = SW_OK;
    if (!plan(made, A, &graph, place)) {
      sw_envelope_free(made);
      made = NULL;
    } else if (!(made->store = sw_zeros((size_t)made->size + 1, sizeof *made->store))) {
      sw_envelope_free(made);
      made = NULL;
      status = SW_ERR_MEMORY;
    }
  }
  graph_free(&graph);
  free(place);
  *envelope = made;
  return status;
}

void sw_envelope_free(sw_envelope *envelope)
{
  if (!envelope) {
    return;
  }
  free(envelope->length);
  free(envelope->start);
  free(envelope->place);
  free(envelope->entry);
  free(envelope->order);
  free(envelope->permuted);
  free(envelope->part);
  free(envelope->store);
  free(envelope);
}

int sw_parts_alone(const sw_envelope *envelope)
{
  return !envelope->team || envelope->parts == 1 || envelope->n < 2 * SW_TEAM_GRAIN;
}

void sw_along_parts(const sw_envelope *envelope, sw_team_job *job, void *context)
{
  if (!sw_parts_alone(envelope)) {
    sw_team_run(envelope->team, job, context, envelope->parts);
    return;
  }
  for (int p = 0; p < envelope->parts; p++) {
    job(context, p, 0);
  }
}
