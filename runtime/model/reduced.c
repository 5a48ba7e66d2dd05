/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/reduced.h"

#include <stdlib.h>

#include "common/users.h"
#include "common/vectors.h"
#include "model/system_plan.h"

/* The matrices with a row or column for each constraint. */
#define REDUCED(X)                                                                                 \
  X(constraint_jac)                                                                                \
  X(hidden_jac)                                                                                    \
  X(nondegeneracy)                                                                                 \
  X(coisotropy)                                                                                    \
  X(fibre_flow_lambda)                                                                             \
  X(discrete_jac)

typedef enum matrix_number {
#define NUMBER(name) NUMBER_##name,
  REDUCED(NUMBER)
#undef NUMBER
      MATRICES
} matrix_number;

/* Shared by all copies of a reduced system. */
struct sw_reduction {
  sw_users users;
  int all; /* number of constraints of the whole system */
  int left;
  int *number;          /* left: the numbers of the remaining constraints in the whole system */
  int *place;           /* all: the number of a constraint among the remaining ones, or -1 */
  int *entry[MATRICES]; /* for each entry of a reduced matrix, the entry of the whole one */
};

struct sw_reduced_scratch {
  double *lambda; /* all */
  double *values; /* for the largest of the matrices, at least `all` */
};

int sw_follows(const sw_system *system, int constraint)
{
  const sw_family_table *table = &system->plan->constraints;
  int f = 0;

  if (system->whole || !system->model->follows) {
    return 0;
  }
  while (constraint >= table->start[f + 1]) {
    f++;
  }
  return system->model->follows[f];
}

int sw_reduced_number(const sw_system *reduced, int constraint)
{
  return reduced->reduction->number[constraint];
}

int sw_reduced_place(const sw_system *reduced, int constraint)
{
  return reduced->reduction->place[constraint];
}

void sw_reduced_spread(const sw_system *reduced, const double left[], double all[])
{
  const struct sw_reduction *r = reduced->reduction;

  sw_zero(all, (size_t)r->all);
  for (int i = 0; i < r->left; i++) {
    all[r->number[i]] = left[i];
  }
}

void sw_reduced_gather(const sw_system *reduced, const double all[], double left[])
{
  const struct sw_reduction *r = reduced->reduction;

  for (int i = 0; i < r->left; i++) {
    left[i] = all[r->number[i]];
  }
}

/* ---- functions ---- */

static const double *spread(const sw_system *s, const double lambda[])
{
  sw_reduced_spread(s, lambda, s->reduced_scratch->lambda);
  return s->reduced_scratch->lambda;
}

#define OF_CONSTRAINTS(name)                                                                       \
  static void name(const sw_system *s, const double z[], const double k[], double out[])           \
  {                                                                                                \
    s->whole->name(s->whole, z, k, s->reduced_scratch->values);                                    \
    sw_reduced_gather(s, s->reduced_scratch->values, out);                                         \
  }
OF_CONSTRAINTS(constraint)
OF_CONSTRAINTS(constraint_scale)
OF_CONSTRAINTS(hidden)
OF_CONSTRAINTS(hidden_scale)

#define OF_LAMBDA(name)                                                                            \
  static void name(const sw_system *s, const double z[], const double k[], const double lambda[],  \
                   double out[])                                                                   \
  {                                                                                                \
    s->whole->name(s->whole, z, k, spread(s, lambda), out);                                        \
  }
OF_LAMBDA(constraint_hess)
OF_LAMBDA(fibre_flow)
OF_LAMBDA(fibre_flow_z)
OF_LAMBDA(fibre_increment)

static void discrete_jac_next(const sw_system *s, const double z[], const double z1[],
                              const double k[], const double lambda[], double out[])
{
  s->whole->discrete_jac_next(s->whole, z, z1, k, spread(s, lambda), out);
}

/* Copies the remaining entries of a matrix from the scratch memory. */
static void keep_entries(const sw_system *s, matrix_number number, const sw_pattern *pattern,
                         double out[])
{
  const int *entry = s->reduction->entry[number];

  for (int e = 0; e < pattern->entries; e++) {
    out[e] = s->reduced_scratch->values[entry[e]];
  }
}

#define OF_ENTRIES(name)                                                                           \
  static void name(const sw_system *s, const double z[], const double k[], double out[])           \
  {                                                                                                \
    s->whole->name(s->whole, z, k, s->reduced_scratch->values);                                    \
    keep_entries(s, NUMBER_##name, &s->name##_pattern, out);                                       \
  }
OF_ENTRIES(constraint_jac)
OF_ENTRIES(hidden_jac)
OF_ENTRIES(nondegeneracy)
OF_ENTRIES(coisotropy)

static void constraint_jac_along(const sw_system *s, const double z[], const double k[],
                                 const double v[], double out[])
{
  s->whole->constraint_jac_along(s->whole, z, k, v, s->reduced_scratch->values);
  keep_entries(s, NUMBER_constraint_jac, &s->constraint_jac_pattern, out);
}

static void fibre_flow_lambda(const sw_system *s, const double z[], const double k[],
                              const double lambda[], double out[])
{
  s->whole->fibre_flow_lambda(s->whole, z, k, spread(s, lambda), s->reduced_scratch->values);
  keep_entries(s, NUMBER_fibre_flow_lambda, &s->fibre_flow_lambda_pattern, out);
}

static void discrete_jac(const sw_system *s, const double z[], const double z1[], const double k[],
                         double out[])
{
  s->whole->discrete_jac(s->whole, z, z1, k, s->reduced_scratch->values);
  keep_entries(s, NUMBER_discrete_jac, &s->discrete_jac_pattern, out);
}

static void set_functions(sw_system *made)
{
#define SET(name) made->name = made->name ? (name) : NULL;
  SET(constraint)
  SET(constraint_scale)
  SET(constraint_jac)
  SET(constraint_hess)
  SET(constraint_jac_along)
  SET(hidden)
  SET(hidden_scale)
  SET(hidden_jac)
  SET(coisotropy)
  SET(nondegeneracy)
  SET(fibre_flow)
  SET(fibre_flow_lambda)
  SET(fibre_flow_z)
  SET(fibre_increment)
  SET(discrete_jac)
  SET(discrete_jac_next)
#undef SET
  made->acceleration = NULL; /* `variational` does not support redundant constraints */
  made->acceleration_jac = NULL;
  made->acceleration_hess = NULL;
  made->constraint_third = NULL;
  made->constraint_fourth = NULL;
}

/* ---- patterns ---- */

/* Whether the rows or the columns belong to constraints. */
enum { ROWS = 1, COLS = 2 };

static sw_status reduce_matrix(struct sw_reduction *r, matrix_number number,
                               const sw_pattern *whole, int of, sw_pattern *pattern)
{
  const int rows = of & ROWS ? r->left : whole->rows;
  const int cols = of & COLS ? r->left : whole->cols;
  sw_gathered all = {0};
  int n = 0;

  *pattern = (sw_pattern){rows, cols, 0, NULL, NULL};
  r->entry[number] = sw_plan_ints((size_t)whole->entries);
  if (!r->entry[number]) {
    return SW_ERR_MEMORY;
  }
  for (int e = 0; e < whole->entries; e++) {
    const int i = of & ROWS ? r->place[whole->row[e]] : whole->row[e];
    const int j = of & COLS ? r->place[whole->col[e]] : whole->col[e];
    if (i >= 0 && j >= 0) {
      sw_gather(&all, i, j);
      r->entry[number][n++] = e;
    }
  }
  return sw_gathered_pattern(&all, rows, cols, pattern, NULL);
}

static sw_status reduce_matrices(struct sw_reduction *r, sw_system *made)
{
  sw_status status = SW_OK;

#define REDUCE(name, of)                                                                           \
  status = status == SW_OK ? reduce_matrix(r, NUMBER_##name, &made->whole->name##_pattern, of,     \
                                           &made->name##_pattern)                                  \
                           : status;
  REDUCE(constraint_jac, ROWS)
  REDUCE(hidden_jac, ROWS)
  REDUCE(nondegeneracy, ROWS | COLS)
  REDUCE(coisotropy, ROWS | COLS)
  REDUCE(fibre_flow_lambda, COLS)
  REDUCE(discrete_jac, ROWS)
#undef REDUCE
  return status;
}

static void free_matrices(sw_system *made)
{
#define FREE_PATTERN(name) sw_pattern_free(&made->name##_pattern);
  REDUCED(FREE_PATTERN)
#undef FREE_PATTERN
}

static void clear_matrices(sw_system *made)
{
#define CLEAR_PATTERN(name) made->name##_pattern = (sw_pattern){0, 0, 0, NULL, NULL};
  REDUCED(CLEAR_PATTERN)
#undef CLEAR_PATTERN
}

/* ---- create and free ---- */

static void leave_reduction(struct sw_reduction *r, sw_system *made)
{
  if (!r || !sw_users_leave(&r->users)) {
    return;
  }
  free_matrices(made);
  for (int i = 0; i < MATRICES; i++) {
    free(r->entry[i]);
  }
  free(r->number);
  free(r->place);
  free(r);
}

static struct sw_reduction *find_left(const sw_system *whole)
{
  const sw_family_table *table = &whole->plan->constraints;
  struct sw_reduction *r = calloc(1, sizeof *r);

  if (!r) {
    return NULL;
  }
  r->users = 1;
  r->all = whole->nc;
  r->number = sw_plan_ints((size_t)whole->nc);
  r->place = sw_plan_ints((size_t)whole->nc);
  for (int f = 0; f < table->n && r->number && r->place; f++) {
    for (int i = table->start[f]; i < table->start[f + 1]; i++) {
      r->place[i] = whole->model->follows[f] ? -1 : r->left;
      r->number[r->left] = i;
      r->left += r->place[i] >= 0;
    }
  }
  return r;
}

/* Allocates scratch memory and sets the system's pointers to it. */
static sw_status open_scratch(sw_system *made)
{
  const sw_system *whole = made->whole;
  size_t most = (size_t)made->reduction->all;
  const size_t lambda = most;

#define LARGER(name)                                                                               \
  most =                                                                                           \
      (size_t)whole->name##_pattern.entries > most ? (size_t)whole->name##_pattern.entries : most;
  REDUCED(LARGER)
#undef LARGER
  made->reduced_scratch = malloc(sizeof *made->reduced_scratch + (lambda + most) * sizeof(double));
  if (!made->reduced_scratch) {
    return SW_ERR_MEMORY;
  }
  made->reduced_scratch->lambda = (double *)(void *)(made->reduced_scratch + 1);
  made->reduced_scratch->values = made->reduced_scratch->lambda + lambda;
  made->scratch = whole->scratch;
  made->fibre_scratch = whole->fibre_scratch;
  return SW_OK;
}

sw_status sw_reduced_make(sw_system *made)
{
  struct sw_reduction *r = find_left(made->whole);

  made->reduction = r;
  made->scratch = NULL;
  made->fibre_scratch = NULL;
  clear_matrices(made);
  if (!r || !r->number || !r->place) {
    return SW_ERR_MEMORY;
  }
  made->nc = r->left;
  set_functions(made);
  const sw_status status = reduce_matrices(r, made);
  return status == SW_OK ? open_scratch(made) : status;
}

sw_status sw_reduced_share(sw_system *made)
{
  sw_users_join(&made->reduction->users);
  made->reduced_scratch = NULL;
  return open_scratch(made);
}

void sw_reduced_free(sw_system *made)
{
  leave_reduction(made->reduction, made);
  free(made->reduced_scratch);
}
