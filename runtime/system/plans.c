/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plans.c -- the patterns of a looped model's own matrices and of its fibre flow, and the scratch memory:
 * with those of brackets.c all that contractions.c needs, so that evaluation allocates nothing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sparse/pattern.h"
#include "system/looped.h"

static double *new_doubles(size_t n)
{
  return calloc(n + 1, sizeof(double));
}

/* ---- the model's own matrices ---- */

/* Contributions of a matrix: rows, columns, and where they go. */
typedef struct {
  int n;
  int *row;
  int *col;
} contributions;

static void free_contributions(contributions *c)
{
  free(c->row);
  free(c->col);
}

/* What a matrix of the model is. */
typedef struct {
  const char *what;
  int rows;
  int cols;
  int lower; /* 1: nothing is above the diagonal */
} description;

/* -1 everywhere, so that what a model leaves unwritten is seen. */
static int *unwritten(size_t n)
{
  int *values = sw_looped_ints(n);
  for (size_t i = 0; values && i < n; i++) {
    values[i] = -1;
  }
  return values;
}

/* Whether all of them are places of the matrix. */
static sw_status inspect(const description *d, const contributions *c, char message[])
{
  for (int t = 0; t < c->n; t++) {
    const int i = c->row[t];
    const int j = c->col[t];
    if (i < 0 || i >= d->rows || j < 0 || j >= d->cols || (d->lower && j > i)) {
      if (message) {
        (void)snprintf(message, SW_SYSTEM_MESSAGE,
                       "%s has no row %d, column %d, where contribution %d of %d should be; "
                       "generate the model again",
                       d->what, i, j, t + 1, c->n);
      }
      return SW_ERR_ARGUMENT;
    }
  }
  return SW_OK;
}

/* Leaves room for `more` contributions after the matrix's own; free_contributions, also after a failure. */
static sw_status ask(const sw_looped *looped, const sw_sized_matrix *matrix, const description *d,
                     size_t more, contributions *c, char message[])
{
  const long n = matrix->contributions ? matrix->contributions(looped->n, NULL, NULL) : 0;

  *c = (contributions){0, NULL, NULL};
  if (n < 0 || (unsigned long)n > INT_MAX || more > (size_t)(INT_MAX - n)) {
    char text[SW_SIZES_TEXT];
    sw_looped_sizes_text(looped, text);
    if (message) {
      (void)snprintf(message, SW_SYSTEM_MESSAGE,
                     "%s is too large%s: %ld contributions to its entries, at most %d can be had; "
                     "try smaller sizes",
                     d->what, text, n, INT_MAX);
    }
    return SW_ERR_SIZE;
  }
  c->n = (int)n;
  c->row = unwritten((size_t)n + more);
  c->col = unwritten((size_t)n + more);
  if (!c->row || !c->col) {
    return SW_ERR_MEMORY;
  }
  if (n > 0) {
    (void)matrix->contributions(looped->n, c->row, c->col);
  }
  return inspect(d, c, message);
}

static sw_status plan_matrix(const sw_looped *looped, const sw_sized_matrix *matrix,
                             const description *d, sw_pattern *pattern, int **place, char message[])
{
  contributions c;
  sw_status status = ask(looped, matrix, d, 0, &c, message);

  if (status == SW_OK) {
    *place = sw_looped_ints((size_t)c.n);
    status = *place ? sw_pattern_create(d->rows, d->cols, c.n, c.row, c.col, pattern, *place)
                    : SW_ERR_MEMORY;
  }
  free_contributions(&c);
  return status;
}

/* ---- the field J Dg^T ---- */

static sw_status plan_field(sw_system *system, sw_looped *looped)
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  sw_pattern *field = &system->fibre_flow_lambda_pattern;
  const int d = system->nq;
  const size_t n = (size_t)jac->entries;
  int *row = sw_looped_ints(n);
  int *place = sw_looped_ints(n);
  sw_status status = SW_ERR_MEMORY;

  looped->field_source = sw_looped_ints(n);
  looped->jac_start = sw_looped_ints((size_t)system->nc);
  if (row && place && looped->field_source && looped->jac_start) {
    sw_pattern_rows(jac, looped->jac_start);
    for (int e = 0; e < jac->entries; e++) {
      row[e] = jac->col[e] < d ? jac->col[e] + d : jac->col[e] - d;
    }
    status = sw_pattern_create(2 * d, system->nc, jac->entries, row, jac->row, field, place);
  }
  for (int e = 0; e < jac->entries && status == SW_OK; e++) {
    looped->field_source[place[e]] = e;
    looped->field_split += jac->col[e] >= d;
  }
  free(row);
  free(place);
  return status;
}

/* ---- dGamma/dz ---- */

/* flows[i] becomes 1 for the degrees of freedom that a family with a flow of its own depends on. */
static void mark_flows(const sw_system *system, sw_looped *looped, char flows[])
{
  const sw_family_table *table = &looped->constraints;

  for (int f = 0; f < table->n; f++) {
    const int from = looped->jac_start[table->start[f]];
    const int to = looped->jac_start[table->start[f + 1]];
    if (table->start[f] == table->start[f + 1]) {
      continue;
    }
    if (table->family[f].fibre != SW_FIBRE_FLOW) {
      looped->has_shift = 1;
      continue;
    }
    looped->has_flow = 1;
    for (int e = from; e < to; e++) {
      flows[system->constraint_jac_pattern.col[e] % system->nq] = 1;
    }
  }
}

/* Appends the ones, and where the entries of Hess(lambda . g) go that belong to shifts: for g(q), entry
 * (q_i,q_j) to (p_i,q_j), for g(p), (p_i,p_j) to (q_i,p_j), and (j,i) likewise.  The rest of
 * it, (p_i,q_j) too, belongs to families with a flow, as two kinds share no degree of freedom. */
static void append_shifts(const sw_system *system, const sw_looped *looped, const char flows[],
                          contributions *c)
{
  const sw_pattern *hess = &system->constraint_hess_pattern;
  const int d = system->nq;

  for (int i = 0; i < 2 * d; i++) {
    looped->one_place[i] = c->n;
    c->row[c->n] = i;
    c->col[c->n++] = i;
  }
  for (int e = 0; e < hess->entries; e++) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    looped->shift_place[2 * (size_t)e] = looped->shift_place[2 * (size_t)e + 1] = -1;
    if (flows[i % d] || flows[j % d]) {
      continue;
    }
    const int shift = i < d ? d : -d;
    looped->shift_place[2 * (size_t)e] = c->n;
    c->row[c->n] = i + shift;
    c->col[c->n++] = j;
    if (i != j) {
      looped->shift_place[2 * (size_t)e + 1] = c->n;
      c->row[c->n] = j + shift;
      c->col[c->n++] = i;
    }
  }
}

static sw_status plan_flow_z_from(sw_system *system, sw_looped *looped, const char flows[],
                                  contributions *c)
{
  const int own = c->n;
  const size_t hess = (size_t)system->constraint_hess_pattern.entries;
  const size_t dim = 2 * (size_t)system->nq;
  int *place;
  sw_status status;

  looped->flow_place = sw_looped_ints((size_t)own);
  looped->one_place = sw_looped_ints(dim);
  looped->shift_place = sw_looped_ints(2 * hess);
  if (!looped->flow_place || !looped->one_place || !looped->shift_place) {
    return SW_ERR_MEMORY;
  }
  append_shifts(system, looped, flows, c);
  place = sw_looped_ints((size_t)c->n);
  if (!place) {
    return SW_ERR_MEMORY;
  }
  status = sw_pattern_create((int)dim, (int)dim, c->n, c->row, c->col,
                             &system->fibre_flow_z_pattern, place);
  if (status == SW_OK) {
    for (int t = 0; t < own; t++) {
      looped->flow_place[t] = place[t];
    }
    for (size_t i = 0; i < dim; i++) {
      looped->one_place[i] = place[looped->one_place[i]];
    }
    for (size_t e = 0; e < 2 * hess; e++) {
      looped->shift_place[e] = looped->shift_place[e] < 0 ? -1 : place[looped->shift_place[e]];
    }
  }
  free(place);
  return status;
}

static sw_status plan_flow_z(sw_system *system, sw_looped *looped, char message[])
{
  static const sw_sized_matrix none = {NULL, NULL};
  const size_t more = 2 * (size_t)system->nq + 2 * (size_t)system->constraint_hess_pattern.entries;
  char *flows = calloc((size_t)system->nq, sizeof *flows);
  contributions c = {0, NULL, NULL};
  sw_status status = SW_ERR_MEMORY;

  if (flows) {
    mark_flows(system, looped, flows);
    const description d = {"the derivative of the fibre flow", 2 * system->nq, 2 * system->nq, 0};
    status =
        ask(looped, looped->has_flow ? &looped->loops->fibre_flow_z : &none, &d, more, &c, message);
  }
  if (status == SW_OK) {
    status = plan_flow_z_from(system, looped, flows, &c);
  }
  free_contributions(&c);
  free(flows);
  return status;
}

/* ---- all of them ---- */

static sw_status allocate_scratch(const sw_system *system, sw_looped *looped)
{
  const size_t dim = 2 * (size_t)system->nq;
  const int hidden =
      looped->needs_along ? system->hidden_jac_pattern.entries : looped->reached.entries;

  looped->gradient = new_doubles(dim);
  looped->velocity = new_doubles(dim);
  looped->state = new_doubles(dim);
  looped->hamiltonian_hess = new_doubles((size_t)system->hamiltonian_hess_pattern.entries);
  looped->jac = new_doubles((size_t)system->constraint_jac_pattern.entries);
  looped->hess = new_doubles((size_t)system->constraint_hess_pattern.entries);
  looped->field = new_doubles((size_t)system->fibre_flow_lambda_pattern.entries);
  looped->hidden_jac = new_doubles((size_t)hidden);
  return looped->gradient && looped->velocity && looped->state && looped->hamiltonian_hess &&
                 looped->jac && looped->hess && looped->field && looped->hidden_jac
             ? SW_OK
             : SW_ERR_MEMORY;
}

static void set_empty_patterns(sw_system *system)
{
  const int dim = 2 * system->nq;
  const int m = system->nc;

  system->hamiltonian_hess_pattern = system->constraint_hess_pattern =
      system->fibre_flow_z_pattern = (sw_pattern){dim, dim, 0, NULL, NULL};
  system->constraint_jac_pattern = system->hidden_jac_pattern = (sw_pattern){m, dim, 0, NULL, NULL};
  system->coisotropy_pattern = system->nondegeneracy_pattern = (sw_pattern){m, m, 0, NULL, NULL};
  system->fibre_flow_lambda_pattern = (sw_pattern){dim, m, 0, NULL, NULL};
}

static sw_status plan_constraints(sw_system *system, sw_looped *looped, char message[])
{
  const sw_loops *loops = looped->loops;
  const int dim = 2 * system->nq;
  const description jac = {"the Jacobian of the constraints", system->nc, dim, 0};
  const description hess = {"the Hessian of the constraints", dim, dim, 1};
  sw_status status = plan_matrix(looped, &loops->constraint_jac, &jac,
                                 &system->constraint_jac_pattern, &looped->jac_place, message);

  if (status == SW_OK) {
    status = plan_matrix(looped, &loops->constraint_hess, &hess, &system->constraint_hess_pattern,
                         &looped->hess_place, message);
  }
  if (status == SW_OK) {
    status = plan_field(system, looped);
  }
  if (status == SW_OK) {
    status = sw_looped_plan_brackets(system);
  }
  if (status == SW_OK) {
    status = plan_flow_z(system, looped, message);
  }
  return status;
}

sw_status sw_looped_plan(sw_system *system, char message[])
{
  sw_looped *looped = system->looped;
  const int dim = 2 * system->nq;

  const description hess = {"the Hessian of H", dim, dim, 1};

  set_empty_patterns(system);
  sw_status status =
      plan_matrix(looped, &looped->loops->hamiltonian_hess, &hess,
                  &system->hamiltonian_hess_pattern, &looped->hamiltonian_hess_place, message);
  if (status == SW_OK && system->nc > 0) {
    status = plan_constraints(system, looped, message);
  }
  return status == SW_OK ? allocate_scratch(system, looped) : status;
}

void sw_looped_plan_free(sw_system *system)
{
  sw_looped *looped = system->looped;
  int *const places[] = {looped->hamiltonian_hess_place,
                         looped->jac_place,
                         looped->hess_place,
                         looped->field_source,
                         looped->jac_start,
                         looped->along_place,
                         looped->one_place,
                         looped->shift_place,
                         looped->flow_place};
  double *const scratch[] = {
      looped->gradient, looped->velocity, looped->state, looped->hamiltonian_hess,
      looped->jac,      looped->hess,     looped->field, looped->hidden_jac};
  sw_pattern *const patterns[] = {
      &system->hamiltonian_hess_pattern,  &system->constraint_jac_pattern,
      &system->constraint_hess_pattern,   &system->hidden_jac_pattern,
      &system->coisotropy_pattern,        &system->nondegeneracy_pattern,
      &system->fibre_flow_lambda_pattern, &system->fibre_flow_z_pattern};

  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    free(places[i]);
  }
  for (size_t i = 0; i < sizeof scratch / sizeof scratch[0]; i++) {
    free(scratch[i]);
  }
  for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
    sw_pattern_free(patterns[i]);
  }
  sw_product_free(&looped->curvature);
  sw_product_free(&looped->nondegeneracy);
  sw_product_free(&looped->reached);
  sw_product_free(&looped->coisotropy);
}
