/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * derivatives.c -- derivatives of a system against central differences of what they are derivatives
 * of.
 *
 * With h = 1e-5 and values of order one a difference is off by h^2/6 times the third derivative,
 * about 2e-11 of it, and by eps/h = 2e-11 of the value.  The tolerance, 1e-6, leaves room for third
 * derivatives in the thousands.
 */
#include <math.h>
#include <stdlib.h>

#include "linear/dense.h"
#include "pieces.h"

static const double spacing = 1e-5;
static const double tolerance = 1e-6;

typedef struct relation {
  piece derivative; /* rows x cols: row i is the derivative of entry i */
  piece parent;     /* rows values */
  int in_lambda;
} relation;

static const relation relations[] = {
    {PIECE_GRAD, PIECE_H, 0},
    {PIECE_HESS, PIECE_GRAD, 0},
    {PIECE_DG, PIECE_G, 0},
    {PIECE_LAMBDA_HESS, PIECE_DG, 0},
    {PIECE_HIDDEN_JAC, PIECE_HIDDEN, 0},
    {PIECE_FLOW_LAMBDA, PIECE_FLOW, 1},
    {PIECE_FLOW_Z, PIECE_FLOW, 0},
};

/* The parent, n values: of Hess(lambda.g) that is Dg^T lambda. */
static void evaluate_parent(const sw_system *system, const relation *r, const point *x,
                            double matrix[], double out[])
{
  if (r->derivative != PIECE_LAMBDA_HESS) {
    piece_evaluate(system, r->parent, x, out);
    return;
  }
  int n = 2 * system->nq;
  piece_evaluate(system, PIECE_DG, x, matrix);
  for (int j = 0; j < n; j++) {
    out[j] = 0.0;
    for (int i = 0; i < system->nc; i++) {
      out[j] += x->lambda[i] * matrix[i * n + j];
    }
  }
}

/* Room for evaluate_parent, and its values on both sides. */
typedef struct stencil {
  double *matrix;
  double *right;
  double *left;
} stencil;

static void check_column(const sw_system *system, const relation *r, const point *x,
                         const pieces *at, int column, const stencil *s, findings *f)
{
  double *moved = (r->in_lambda ? x->lambda : x->z) + column;
  double value = *moved;
  *moved = value + spacing;
  evaluate_parent(system, r, x, s->matrix, s->right);
  double width = *moved;
  *moved = value - spacing;
  evaluate_parent(system, r, x, s->matrix, s->left);
  width -= *moved;
  *moved = value;

  /* The gradient is stored as a column, and is one row here. */
  int is_gradient = r->derivative == PIECE_GRAD;
  int rows = is_gradient ? 1 : at->rows[r->derivative];
  int cols = is_gradient ? at->rows[r->derivative] : at->cols[r->derivative];
  double allowed = tolerance * (at->terms[r->derivative] + at->terms[r->parent]);
  for (int i = 0; i < rows; i++) {
    double difference = (s->right[i] - s->left[i]) / width;
    double derivative = at->at[r->derivative][i * cols + column];
    if (!(fabs(difference - derivative) <= allowed)) {
      finding(f, "%s(%d,%d): %.9g, by differences %.9g", piece_names[r->derivative], i, column,
              derivative, difference);
      return;
    }
  }
}

/* A symmetric matrix that may be a derivative of another one along a direction. */
typedef struct along {
  const char *name;
  sw_system_lambda_function *values; /* NULL: Hess H */
  const sw_pattern *pattern;
  int dim;
  const double *weights;
} along;

static void evaluate_along(const sw_system *system, const along *of, const double z[],
                           const double k[], double out[])
{
  double *values = allocate((size_t)of->pattern->entries, sizeof(double));
  if (of->values) {
    of->values(system, z, k, of->weights, values);
  } else {
    system->hamiltonian_hess(system, z, k, values);
  }
  sw_dense_symmetric(of->pattern->entries, of->pattern->row, of->pattern->col, values, of->dim,
                     out);
  free(values);
}

/* Whether *of is the derivative of *parent along the direction u, `dim` entries of it. */
static void check_along(const sw_system *system, const along *of, const along *parent,
                        const double u[], const point *x, findings *f)
{
  size_t n = (size_t)of->dim * (size_t)of->dim;
  double *value = allocate(n, sizeof(double));
  double *right = allocate(n, sizeof(double));
  double *left = allocate(n, sizeof(double));
  double *z = allocate(2 * (size_t)system->nq, sizeof(double));
  double size = 1.0;
  evaluate_along(system, of, x->z, x->k, value);
  sw_copy(z, x->z, 2 * (size_t)system->nq);
  sw_add_scaled(of->dim, spacing, u, z);
  evaluate_along(system, parent, z, x->k, right);
  sw_add_scaled(of->dim, -2.0 * spacing, u, z);
  evaluate_along(system, parent, z, x->k, left);
  size += sw_max_abs(n, value) + sw_max_abs(n, right);
  for (size_t i = 0; i < n; i++) {
    double difference = (right[i] - left[i]) / (2.0 * spacing);
    if (!(fabs(difference - value[i]) <= tolerance * size)) {
      finding(f, "%s, value %zu: %.9g, by differences %.9g", of->name, i, value[i], difference);
      break;
    }
  }
  free(value);
  free(right);
  free(left);
  free(z);
}

/* Third and fourth derivatives, where there are some: with weights (lambda, u, w) of constraints
 * and (u, w) of H. */
static void true_directions(const sw_system *system, const point *x, findings *f)
{
  int d = system->nq;
  int m = system->nc;
  double *of_g = allocate((size_t)m + 4 * (size_t)d, sizeof(double));
  double *u = of_g + m;
  along H[] = {{"Hess H", NULL, &system->hamiltonian_hess_pattern, 2 * d, u},
               {"hamiltonian_third", system->hamiltonian_third, &system->hamiltonian_third_pattern,
                2 * d, u},
               {"hamiltonian_fourth", system->hamiltonian_fourth,
                &system->hamiltonian_fourth_pattern, 2 * d, u}};
  along g[] = {
      {"Hess(lambda.g)", system->constraint_hess, &system->constraint_hess_pattern, d, of_g},
      {"constraint_third", system->constraint_third, &system->constraint_third_pattern, d, of_g},
      {"constraint_fourth", system->constraint_fourth, &system->constraint_fourth_pattern, d,
       of_g}};
  sw_copy(of_g, x->lambda, (size_t)m);
  for (int i = 0; i < 4 * d; i++) {
    u[i] = cos(1.0 + 2.3 * i);
  }
  for (int order = 1; order < 3 && system->hamiltonian_third; order++) {
    check_along(system, &H[order], &H[order - 1], u + (order - 1) * 2 * d, x, f);
    if (m > 0) {
      check_along(system, &g[order], &g[order - 1], u + (order - 1) * d, x, f);
    }
  }
  free(of_g);
}

void true_derivatives(const sw_system *system, const point *x, findings *f)
{
  true_directions(system, x, f);
  size_t n = 2 * (size_t)system->nq;
  pieces at;
  pieces_create(system, &at);
  pieces_evaluate(system, x, &at);
  stencil s = {allocate(n * (size_t)system->nc, sizeof(double)), allocate(n, sizeof(double)),
               allocate(n, sizeof(double))};
  for (size_t r = 0; r < sizeof relations / sizeof relations[0]; r++) {
    int columns = relations[r].in_lambda ? system->nc : 2 * system->nq;
    if (at.rows[relations[r].derivative] == 0) {
      continue;
    }
    for (int column = 0; column < columns; column++) {
      check_column(system, &relations[r], x, &at, column, &s, f);
    }
  }
  free(s.matrix);
  free(s.right);
  free(s.left);
  pieces_free(&at);
}
