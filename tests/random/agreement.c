/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agreement.c -- two systems of one model, one of fixed sizes and one with loops, say the same.
 *
 * What they compute is the same sum of terms in another order and another form.  With n terms of
 * size t the two differ by about n eps t; random models have terms of order one, some hundreds of
 * them, and functions that lose a digit or two.  So 1e-11 t allows 45000 eps, and a wrong sign,
 * factor or entry that contributes more than that is found.  An entry that only one of the patterns
 * has is compared with 0.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pieces.h"

static const double round_off = 1e-11;

/* Both scales sum magnitudes of the same formula, but not in the same form: x*(y - 2) and x*y -
 * 2*x. */
static const double scale_factor = 16.0;

static void same_count(const char *what, int a, int b, findings *f)
{
  if (a != b) {
    finding(f, "%s: %d and %d", what, a, b);
  }
}

static void same_number(const char *what, const char *name, double a, double b, findings *f)
{
  if (!(a == b || fabs(a - b) <= round_off * (1.0 + fabs(a)))) {
    finding(f, "%s of %s: %.17g and %.17g", what, name, a, b);
  }
}

static void same_names(const sw_system *a, const sw_system *b, sw_name_kind kind, int n,
                       findings *f)
{
  for (int i = 0; i < n; i++) {
    char first[SW_NAME_BYTES];
    char second[SW_NAME_BYTES];
    sw_system_name(a, kind, i, first);
    sw_system_name(b, kind, i, second);
    if (strcmp(first, second) != 0) {
      finding(f, "name %d of kind %d: '%s' and '%s'", i, (int)kind, first, second);
    }
  }
}

static void same_parameters(const sw_system *a, const sw_system *b, findings *f)
{
  for (int i = 0; i < a->nk; i++) {
    char name[SW_NAME_BYTES];
    sw_bounds first = sw_system_bounds(a, i);
    sw_bounds second = sw_system_bounds(b, i);
    sw_system_name(a, SW_K, i, name);
    same_number("default", name, a->k_default[i], b->k_default[i], f);
    same_number("lower bound", name, first.lower, second.lower, f);
    same_number("upper bound", name, first.upper, second.upper, f);
    same_count("which bounds are allowed", first.closed, second.closed, f);
  }
}

static void same_states(const sw_system *a, const sw_system *b, findings *f)
{
  int n = 2 * a->nq;
  double *first = allocate((size_t)n, sizeof *first);
  double *second = allocate((size_t)n, sizeof *second);
  for (int s = 0; s < a->n_init; s++) {
    if (strcmp(sw_system_init_name(a, s), sw_system_init_name(b, s)) != 0) {
      finding(f, "initial state %d is called '%s' and '%s'", s, sw_system_init_name(a, s),
              sw_system_init_name(b, s));
    }
    for (int i = 0; i < n; i++) {
      first[i] = second[i] = NAN;
    }
    sw_system_init(a, s, a->k_default, first);
    sw_system_init(b, s, b->k_default, second);
    for (int i = 0; i < n; i++) {
      char name[SW_NAME_BYTES];
      sw_system_name(a, i < a->nq ? SW_Q : SW_P, i % a->nq, name);
      same_number("initial value", name, first[i], second[i], f);
    }
  }
  free(first);
  free(second);
}

int same_model(const sw_system *a, const sw_system *b, findings *f)
{
  same_count("degrees of freedom", a->nq, b->nq, f);
  same_count("constraints", a->nc, b->nc, f);
  same_count("parameters", a->nk, b->nk, f);
  same_count("observables", a->n_observe, b->n_observe, f);
  same_count("invariants", a->n_invariant, b->n_invariant, f);
  same_count("initial states", a->n_init, b->n_init, f);
  if (f->failures) {
    return 0;
  }
  same_names(a, b, SW_Q, a->nq, f);
  same_names(a, b, SW_P, a->nq, f);
  same_names(a, b, SW_K, a->nk, f);
  same_names(a, b, SW_C, a->nc, f);
  same_names(a, b, SW_OBSERVE, a->n_observe, f);
  same_names(a, b, SW_INVARIANT, a->n_invariant, f);
  same_parameters(a, b, f);
  same_states(a, b, f);
  return f->failures == 0;
}

/* ---- at a point ---- */

static void same_piece(const pieces *a, const pieces *b, piece p, findings *f)
{
  for (int i = 0; i < a->rows[p]; i++) {
    for (int j = 0; j < a->cols[p]; j++) {
      double first = a->at[p][i * a->cols[p] + j];
      double second = b->at[p][i * a->cols[p] + j];
      if (!(fabs(first - second) <= round_off * a->terms[p])) {
        finding(f, "%s(%d,%d): %.17g and %.17g", piece_names[p], i, j, first, second);
        return;
      }
    }
  }
}

/* Scales of g are alike, those of rho are no smaller than rho.  (How much larger is an estimate in
 * the one and a formula in the other; `verify` bounds both.) */
static void same_scales(const sw_system *a, const sw_system *b, const point *x, const pieces *at,
                        findings *f)
{
  int m = a->nc;
  double *first = allocate((size_t)m, sizeof *first);
  double *second = allocate((size_t)m, sizeof *second);
  if (m > 0) {
    a->constraint_scale(a, x->z, x->k, first);
    b->constraint_scale(b, x->z, x->k, second);
  }
  for (int i = 0; i < m; i++) {
    double least = fabs(at->at[PIECE_G][i]) * (1.0 - 1e-9);
    if (!(first[i] >= least && second[i] >= least && first[i] <= scale_factor * second[i] &&
          second[i] <= scale_factor * first[i])) {
      finding(f, "scale of g_%d = %.9g: %.9g and %.9g", i, at->at[PIECE_G][i], first[i], second[i]);
    }
  }
  if (m > 0) {
    a->hidden_scale(a, x->z, x->k, first);
    b->hidden_scale(b, x->z, x->k, second);
  }
  for (int i = 0; i < m; i++) {
    double least = fabs(at->at[PIECE_HIDDEN][i]) * (1.0 - 1e-9);
    if (!(first[i] >= least && second[i] >= least && isfinite(first[i]) && isfinite(second[i]))) {
      finding(f, "scale of rho_%d = %.9g: %.9g and %.9g", i, at->at[PIECE_HIDDEN][i], first[i],
              second[i]);
    }
  }
  free(first);
  free(second);
}

/* What a system says about the blocks of Hess H and of Dg is true here. */
static void claims_hold(const sw_system *system, const pieces *at, findings *f)
{
  const sw_structure *claims = &system->model->structure;
  int d = system->nq;
  int n = 2 * d;
  double tolerance = round_off * at->terms[PIECE_HESS];
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < d; j++) {
      double mixed = at->at[PIECE_HESS][(d + i) * n + j];
      double mass = at->at[PIECE_HESS][(d + i) * n + d + j];
      if (claims->separable && fabs(mixed) > tolerance) {
        finding(f, "separable, but H_pq(%d,%d) = %.9g", i, j, mixed);
      }
      if (claims->mass == SW_MASS_CONSTANT_DIAGONAL && i != j && fabs(mass) > tolerance) {
        finding(f, "diagonal mass matrix, but H_pp(%d,%d) = %.9g", i, j, mass);
      }
    }
  }
  for (int i = 0; i < system->nc && claims->holonomic; i++) {
    for (int j = d; j < n; j++) {
      if (at->at[PIECE_DG][i * n + j] != 0.0) {
        finding(f, "holonomic, but Dg(%d,%d) is not 0", i, j);
      }
    }
  }
}

/* A mass matrix that is said to be constant is the same at z = 0. */
static void constant_mass(const sw_system *system, const point *x, const pieces *at, findings *f)
{
  int d = system->nq;
  int n = 2 * d;
  if (system->model->structure.mass == SW_MASS_GENERAL) {
    return;
  }
  double *origin = allocate((size_t)n, sizeof *origin);
  double *there = allocate((size_t)n * (size_t)n, sizeof *there);
  point zero = {origin, x->k, x->lambda};
  piece_evaluate(system, PIECE_HESS, &zero, there);
  for (int i = d; i < n; i++) {
    for (int j = d; j < n; j++) {
      if (!(fabs(there[i * n + j] - at->at[PIECE_HESS][i * n + j]) <=
            round_off * at->terms[PIECE_HESS])) {
        finding(f, "constant mass matrix, but H_pp(%d,%d) is not", i - d, j - d);
      }
    }
  }
  free(origin);
  free(there);
}

void same_values(const sw_system *a, const sw_system *b, const point *x, findings *f)
{
  pieces first;
  pieces second;
  pieces_create(a, &first);
  pieces_create(b, &second);
  pieces_evaluate(a, x, &first);
  pieces_evaluate(b, x, &second);
  for (int p = 0; p < PIECES; p++) {
    same_piece(&first, &second, (piece)p, f);
  }
  same_scales(a, b, x, &first, f);
  claims_hold(a, &first, f);
  claims_hold(b, &second, f);
  constant_mass(a, x, &first, f);
  constant_mass(b, x, &second, f);
  pieces_free(&first);
  pieces_free(&second);
}
