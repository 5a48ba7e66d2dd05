/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.c -- evaluates what a system computes, as dense matrices.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "pieces.h"

enum { PRINTED = 8 };

const char *const piece_names[PIECES] = {
    "H",         "grad H",      "Hess H",     "g", "Dg",    "Hess(lambda.g)",
    "rho",       "Drho",        "C",          "N", "Gamma", "dGamma/dlambda",
    "dGamma/dz", "observables", "invariants",
};

void *allocate(size_t n, size_t size)
{
  void *memory = calloc(n ? n : 1, size);
  if (!memory) {
    fputs("out of memory\n", stderr);
    exit(3);
  }
  return memory;
}

void finding(findings *f, const char *format, ...)
{
  if (f->failures++ < PRINTED) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s: ", f->label);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
  }
}

/* ---- points ---- */

void point_create(const sw_system *system, point *x)
{
  x->z = allocate(2 * (size_t)system->nq, sizeof *x->z);
  x->k = allocate((size_t)system->nk, sizeof *x->k);
  x->lambda = allocate(2 * (size_t)system->nc, sizeof *x->lambda);
}

void point_free(point *x)
{
  free(x->z);
  free(x->k);
  free(x->lambda);
}

/* In (-1, 1); the linear congruential generator of Knuth's MMIX. */
static double next_random(unsigned long *state)
{
  *state = *state * 6364136223846793005UL + 1442695040888963407UL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

void point_random(const sw_system *system, unsigned long *state, point *x)
{
  for (int i = 0; i < 2 * system->nq; i++) {
    x->z[i] = next_random(state);
  }
  for (int i = 0; i < system->nk; i++) {
    x->k[i] = system->k_default[i] * (1.0 + 0.1 * next_random(state));
  }
  for (int i = 0; i < system->nc; i++) {
    x->lambda[i] = 0.3 * next_random(state);
    x->lambda[system->nc + i] = -0.5 * x->lambda[i];
  }
}

/* ---- one piece ---- */

/* How a piece is computed: by one of the two functions, NULL where there is none, into the entries
 * of a pattern, NULL for a vector. */
typedef struct recipe {
  sw_system_function *f;
  sw_system_lambda_function *lambda_f;
  const sw_pattern *pattern;
  int symmetric;
} recipe;

static recipe recipe_of(const sw_system *s, piece p)
{
  switch (p) {
  case PIECE_H:
    return (recipe){s->hamiltonian, NULL, NULL, 0};
  case PIECE_GRAD:
    return (recipe){s->hamiltonian_grad, NULL, NULL, 0};
  case PIECE_HESS:
    return (recipe){s->hamiltonian_hess, NULL, &s->hamiltonian_hess_pattern, 1};
  case PIECE_G:
    return (recipe){s->constraint, NULL, NULL, 0};
  case PIECE_DG:
    return (recipe){s->constraint_jac, NULL, &s->constraint_jac_pattern, 0};
  case PIECE_LAMBDA_HESS:
    return (recipe){NULL, s->constraint_hess, &s->constraint_hess_pattern, 1};
  case PIECE_HIDDEN:
    return (recipe){s->hidden, NULL, NULL, 0};
  case PIECE_HIDDEN_JAC:
    return (recipe){s->hidden_jac, NULL, &s->hidden_jac_pattern, 0};
  case PIECE_COISOTROPY:
    return (recipe){s->coisotropy, NULL, &s->coisotropy_pattern, 0};
  case PIECE_NONDEGENERACY:
    return (recipe){s->nondegeneracy, NULL, &s->nondegeneracy_pattern, 0};
  case PIECE_FLOW:
    return (recipe){NULL, s->fibre_flow, NULL, 0};
  case PIECE_FLOW_LAMBDA:
    return (recipe){NULL, s->fibre_flow_lambda, &s->fibre_flow_lambda_pattern, 0};
  case PIECE_FLOW_Z:
    return (recipe){NULL, s->fibre_flow_z, &s->fibre_flow_z_pattern, 0};
  case PIECE_OBSERVE:
    return (recipe){NULL, s->observe, NULL, 0};
  case PIECE_INVARIANT:
    return (recipe){s->invariant, NULL, NULL, 0};
  case PIECES:
    break;
  }
  return (recipe){NULL, NULL, NULL, 0};
}

void piece_shape(const sw_system *s, piece p, int *rows, int *cols)
{
  int n = 2 * s->nq;
  int m = s->nc;
  const int shapes[PIECES][2] = {
      [PIECE_H] = {1, 1},
      [PIECE_GRAD] = {n, 1},
      [PIECE_HESS] = {n, n},
      [PIECE_G] = {m, 1},
      [PIECE_DG] = {m, n},
      [PIECE_LAMBDA_HESS] = {m ? n : 0, n},
      [PIECE_HIDDEN] = {m, 1},
      [PIECE_HIDDEN_JAC] = {m, n},
      [PIECE_COISOTROPY] = {m, m},
      [PIECE_NONDEGENERACY] = {m, m},
      [PIECE_FLOW] = {m ? n : 0, 1},
      [PIECE_FLOW_LAMBDA] = {m ? n : 0, m},
      [PIECE_FLOW_Z] = {m ? n : 0, n},
      [PIECE_OBSERVE] = {s->n_observe, 1},
      [PIECE_INVARIANT] = {s->n_invariant, 1},
  };
  *rows = shapes[p][0];
  *cols = shapes[p][1];
}

/* Whether the entries are inside and in the order that system.h promises, so that none stands there
 * twice. */
static int is_sorted(const sw_pattern *pattern, int rows, int cols, int symmetric)
{
  if (pattern->rows != rows || pattern->cols != cols) {
    return 0;
  }
  for (int e = 0; e < pattern->entries; e++) {
    int i = pattern->row[e];
    int j = pattern->col[e];
    if (i < 0 || i >= rows || j < 0 || j >= cols || (symmetric && j > i)) {
      return 0;
    }
    if (e > 0 &&
        (i < pattern->row[e - 1] || (i == pattern->row[e - 1] && j <= pattern->col[e - 1]))) {
      return 0;
    }
  }
  return 1;
}

/* Entries that are not in the pattern are 0; a pattern that is wrong makes everything NaN. */
static void scatter(const sw_pattern *pattern, int rows, int cols, int symmetric,
                    const double values[], double out[])
{
  int is_good = is_sorted(pattern, rows, cols, symmetric);
  for (size_t i = 0; i < (size_t)rows * (size_t)cols; i++) {
    out[i] = is_good ? 0.0 : NAN;
  }
  for (int e = 0; e < pattern->entries && is_good; e++) {
    size_t i = (size_t)pattern->row[e];
    size_t j = (size_t)pattern->col[e];
    out[i * (size_t)cols + j] = values[e];
    if (symmetric) {
      out[j * (size_t)cols + i] = values[e];
    }
  }
}

void piece_evaluate(const sw_system *system, piece p, const point *x, double out[])
{
  recipe how = recipe_of(system, p);
  int rows = 0;
  int cols = 0;
  piece_shape(system, p, &rows, &cols);
  if (rows == 0 || cols == 0) {
    return;
  }
  int n = how.pattern ? how.pattern->entries : rows * cols;
  double *values = allocate((size_t)n, sizeof *values);
  for (int i = 0; i < n; i++) {
    values[i] = NAN;
  }
  if (how.f) {
    how.f(system, x->z, x->k, values);
  } else if (how.lambda_f) {
    how.lambda_f(system, x->z, x->k, x->lambda, values);
  }
  if (how.pattern) {
    scatter(how.pattern, rows, cols, how.symmetric, values, out);
  } else {
    for (int i = 0; i < n; i++) {
      out[i] = values[i];
    }
  }
  free(values);
}

/* ---- all of them ---- */

void pieces_create(const sw_system *system, pieces *all)
{
  for (int p = 0; p < PIECES; p++) {
    piece_shape(system, (piece)p, &all->rows[p], &all->cols[p]);
    all->at[p] = allocate((size_t)all->rows[p] * (size_t)all->cols[p], sizeof(double));
    all->terms[p] = 0.0;
  }
}

void pieces_free(pieces *all)
{
  for (int p = 0; p < PIECES; p++) {
    free(all->at[p]);
  }
}

void pieces_evaluate(const sw_system *system, const point *x, pieces *all)
{
  double largest[PIECES];
  for (int p = 0; p < PIECES; p++) {
    piece_evaluate(system, (piece)p, x, all->at[p]);
    largest[p] = 0.0;
    for (int i = 0; i < all->rows[p] * all->cols[p]; i++) {
      largest[p] = fmax(largest[p], fabs(all->at[p][i]));
    }
    all->terms[p] = 1.0 + largest[p];
  }
  /* A bracket is a sum of 2d products, which may cancel. */
  double n = 2.0 * system->nq;
  double Dg = largest[PIECE_DG];
  all->terms[PIECE_HIDDEN] += n * Dg * largest[PIECE_GRAD];
  all->terms[PIECE_HIDDEN_JAC] += n * Dg * largest[PIECE_HESS];
  all->terms[PIECE_COISOTROPY] += n * Dg * Dg;
  all->terms[PIECE_NONDEGENERACY] += n * Dg * largest[PIECE_HIDDEN_JAC];
}
