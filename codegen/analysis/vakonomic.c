/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vakonomic.c -- which constraints look like rolling without slipping?
 *
 * A constraint n(q).p = 0 restricts the velocities: w.v = 0 with the one-form w_i = n_i/H_ii, if
 * H_pp is constant and diagonal.  It follows from a condition on positions only if w is integrable,
 * w ^ dw = 0 (Frobenius).  Otherwise nonholonomic mechanics, with a force on p alone, differs from
 * the constrained Hamiltonian system, whose multiplier also moves positions.
 *
 * Only positions that satisfy the constraints on positions alone count.  w ^ dw is evaluated at
 * random points of M, for tangent vectors a, b and c of these constraints: the sum of w(a) dw(b,c)
 * over the cyclic permutations.
 */
#include <math.h>

#include "analysis/examinations.h"
#include "analysis/proof.h"
#include "expr/builders.h"
#include "expr/derivative.h"

/* Limits on the degrees of freedom, and on the positions that a constraint reads or moves. */
enum { MOST_FREEDOM = 64, MOST_POSITIONS = 16 };
/* Number of random points, and of further starts from which they are sought. */
enum { POINTS = 4, FURTHER_STARTS = 60 };
/* A component of w ^ dw below this, relative to its terms, counts as zero. */
static const double small_component = 1e-8;
/* A pivot of the gradients of conditions below this, with the largest entry of a row 1, is none. */
static const double small_pivot = 1e-10;

typedef struct one_form {
  int n; /* number of positions */
  int position[MOST_POSITIONS];
  double w[MOST_POSITIONS];
  double slope[MOST_POSITIONS][MOST_POSITIONS]; /* slope[i][j] = dw_i/dq_j */
} one_form;

/* w and dw on the tangent vectors of a basis, with the magnitudes of their terms. */
typedef struct restricted_form {
  int n;
  double w[MOST_POSITIONS];
  double w_size[MOST_POSITIONS];
  double dw[MOST_POSITIONS][MOST_POSITIONS];
  double dw_size[MOST_POSITIONS][MOST_POSITIONS];
} restricted_form;

/* The constraints that depend on positions alone, and points of M. */
typedef struct conditions {
  int n;
  int *constraint;
  points at;
} conditions;

/* 1 if g = n(q).p as an identity, n is not constant, and g has few positions, which are listed in
 * *f. */
static int is_linear(study *s, const ir_expr *g, const ir_expr *const g_z[], one_form *f)
{
  const int d = s->n / 2;
  char *reads = ARENA_ARRAY(s->memory, s->n, char);
  const ir_expr *rest = g;
  int varies = 0;
  for (int i = 0; i < d; i++) {
    const ir_expr *n = g_z[d + i];
    if (ir_is_zero(g_z[i]) && ir_is_zero(n)) {
      continue;
    }
    if (f->n == MOST_POSITIONS) {
      return 0;
    }
    f->position[f->n++] = i;
    rest = ir_minus(s->c, rest, ir_times(s->c, n, ir_input(s->c, IR_Z, d + i)));
    ir_inputs_read(s->c, IR_Z, s->n, n, reads);
    for (int j = 0; j < s->n; j++) {
      if (j >= d && reads[j]) {
        return 0;
      }
      varies |= reads[j];
    }
  }
  return varies && (ir_is_zero(rest) || prove(s, 0, rest, 0, NULL, 0));
}

static void evaluate(study *s, const ir_expr *const g_z[], one_form *f)
{
  const int d = s->n / 2;
  const ir_expr **slope = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  for (int i = 0; i < f->n; i++) {
    const int at = d + f->position[i];
    const ir_expr *inverse = ir_entry_at(&s->p->functions[IR_HAMILTONIAN_HESS], at, at);
    const double mass = inverse ? 1 / ir_evaluator_value(s->doubles, inverse) : (double)NAN;
    f->w[i] = mass * ir_evaluator_value(s->doubles, g_z[at]);
    ir_gradient(s->c, s->n, g_z[at], slope);
    for (int j = 0; j < f->n; j++) {
      f->slope[i][j] = mass * ir_evaluator_value(s->doubles, slope[f->position[j]]);
    }
  }
}

static conditions find_conditions(study *s)
{
  const int d = s->n / 2;
  conditions on = {.constraint = ARENA_ARRAY(s->memory, s->p->nc, int)};
  for (int i = 0; i < s->p->nc; i++) {
    const ir_expr *const *g_p = study_gradients(s) + (size_t)(i + 1) * (size_t)s->n + d;
    int moves = 0;
    for (int j = 0; j < d; j++) {
      moves |= !ir_is_zero(g_p[j]);
    }
    if (!moves) {
      on.constraint[on.n++] = i;
    }
  }
  /* The first points are the initial states. */
  const int most = s->settings[0].n_states + POINTS;
  on.at = sample_surface(s, surface_M(s), &s->settings[0], most, most + FURTHER_STARTS,
                         (double)INFINITY);
  return on;
}

/* The gradients of the conditions in the present pass, a row for each.  Columns are positions in
 * scales: first the positions that the form does not have, then the form's own. */
static double *gradients_of(study *s, const conditions *on, const one_form *f)
{
  const int d = s->n / 2;
  int *column = ARENA_ARRAY(s->memory, d, int);
  double *A = ARENA_ARRAY(s->memory, (size_t)on->n * (size_t)d + 1, double);
  for (int j = 0, before = 0; j < d; j++) {
    const int is_of_form = before < f->n && f->position[before] == j;
    column[j] = is_of_form ? d - f->n + before : j - before;
    before += is_of_form;
  }
  for (int i = 0; i < on->n; i++) {
    const ir_expr *const *g_z = study_gradients(s) + (size_t)(on->constraint[i] + 1) * (size_t)s->n;
    double *row = A + (size_t)i * (size_t)d;
    double largest = 0;
    for (int j = 0; j < d; j++) {
      row[column[j]] = ir_evaluator_value(s->doubles, g_z[j]) * s->scale[j];
      largest = fmax(largest, fabs(row[column[j]]));
    }
    for (int j = 0; j < d && largest > 0; j++) {
      row[j] /= largest;
    }
  }
  return A;
}

/* Makes the largest entry of a column, from row `top` on, its pivot.  Returns 0 if it is small. */
static int take_pivot(double *A, int rows, int columns, int top, int column)
{
  double largest = 0;
  int from = top;
  for (int i = top; i < rows; i++) {
    const double entry = fabs(A[(size_t)i * (size_t)columns + (size_t)column]);
    from = entry > largest ? i : from;
    largest = fmax(largest, entry);
  }
  if (!(largest > small_pivot)) {
    return 0;
  }
  study_eliminate(A, rows, columns, top, from, column);
  return 1;
}

/* A basis of the tangent vectors of the conditions, in the positions of the form: basis[a][i].
 * Returns its length. */
static int find_tangents(study *s, const conditions *on, const one_form *f,
                         double basis[MOST_POSITIONS][MOST_POSITIONS])
{
  const int d = s->n / 2;
  const int outside = d - f->n;
  double *A = gradients_of(s, on, f);
  int row_of[MOST_POSITIONS]; /* of a position of the form: the row of its pivot, or -1 */
  int rank = 0;
  int n = 0;
  for (int j = 0; j < outside && rank < on->n; j++) {
    rank += take_pivot(A, on->n, d, rank, j);
  }
  for (int j = 0; j < f->n; j++) {
    const int is_pivot = rank < on->n && take_pivot(A, on->n, d, rank, outside + j);
    row_of[j] = is_pivot ? rank++ : -1;
  }
  for (int b = 0; b < f->n; b++) {
    if (row_of[b] >= 0) {
      continue;
    }
    for (int j = 0; j < f->n; j++) {
      const double entry =
          row_of[j] >= 0 ? -A[(size_t)row_of[j] * (size_t)d + (size_t)(outside + b)] : j == b;
      basis[n][j] = entry * s->scale[f->position[j]];
    }
    n++;
  }
  return n;
}

/* The form on the tangent vectors.  Returns 0 if a value is not finite. */
static int restrict_form(study *s, const conditions *on, const one_form *f, restricted_form *r)
{
  double basis[MOST_POSITIONS][MOST_POSITIONS];
  double sum = 0;
  *r = (restricted_form){.n = find_tangents(s, on, f, basis)};
  for (int a = 0; a < r->n; a++) {
    for (int i = 0; i < f->n; i++) {
      r->w[a] += basis[a][i] * f->w[i];
      r->w_size[a] += fabs(basis[a][i] * f->w[i]);
      for (int b = 0; b < r->n; b++) {
        for (int j = 0; j < f->n; j++) {
          const double area = basis[a][i] * basis[b][j];
          r->dw[a][b] += area * (f->slope[j][i] - f->slope[i][j]);
          r->dw_size[a][b] += fabs(area) * (fabs(f->slope[j][i]) + fabs(f->slope[i][j]));
        }
      }
    }
    for (int b = 0; b < r->n; b++) {
      sum += r->w_size[a] + r->dw_size[a][b];
    }
  }
  return isfinite(sum);
}

/* 1 if w ^ dw is zero. */
static int is_integrable(const restricted_form *r)
{
  for (int i = 0; i < r->n; i++) {
    for (int j = i + 1; j < r->n; j++) {
      for (int k = j + 1; k < r->n; k++) {
        const double value = r->w[i] * r->dw[j][k] + r->w[j] * r->dw[k][i] + r->w[k] * r->dw[i][j];
        const double size = r->w_size[i] * r->dw_size[j][k] + r->w_size[j] * r->dw_size[k][i] +
                            r->w_size[k] * r->dw_size[i][j];
        if (fabs(value) > small_component * size) {
          return 0;
        }
      }
    }
  }
  return 1;
}

/* Whether w ^ dw is zero at all points with finite values. */
static fact_answer integrable_at(study *s, const conditions *on, const ir_expr *const g_z[],
                                 one_form *f)
{
  int finite = 0;
  for (int i = 0; i < on->at.n; i++) {
    restricted_form r;
    study_begin(s, &s->settings[0], on->at.x[i]->z);
    evaluate(s, g_z, f);
    if (restrict_form(s, on, f, &r)) {
      if (!is_integrable(&r)) {
        return FACT_NO;
      }
      finite++;
    }
  }
  return finite > s->settings[0].n_states ? FACT_YES : FACT_UNDECIDED;
}

void examine_vakonomic(study *s, record *r)
{
  record_list *list = &r->vakonomic;
  conditions on = {0};
  if (s->p->structure.holonomic) {
    return;
  }
  list->unexamined = s->p->structure.mass != IR_MASS_CONSTANT_DIAGONAL || s->p->nq > MOST_FREEDOM ||
                     study_exhausted(s, 0.9);
  if (list->unexamined) {
    return;
  }
  list->items = ARENA_ARRAY(s->memory, s->p->nc + 1, record_finding);
  for (int i = 0; i < s->p->nc; i++) {
    const ir_expr *const *g_z = study_gradients(s) + (size_t)(i + 1) * (size_t)s->n;
    one_form f = {0};
    if (!is_linear(s, s->g[i], g_z, &f)) {
      continue;
    }
    if (!on.constraint) {
      on = find_conditions(s);
    }
    const fact_answer integrable = integrable_at(s, &on, g_z, &f);
    list->unexamined |= integrable == FACT_UNDECIDED;
    if (integrable == FACT_NO) {
      list->items[list->n++] =
          (record_finding){.value = s->g[i], .range = s->p->nk > 0 ? RANGE_DEFAULTS : RANGE_ALL};
    }
  }
}
