/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symmetries.c -- which affine maps of (q, p) leave H and all constraints unchanged?
 *
 * A function F of degree 1 or 2 has an affine flow.  If {F,H} and all {F,g_i} are identically 0,
 * the flow leaves H and g unchanged, and F is constant along the constrained motion.  Every value
 * of {F,H} or {F,g_i} at a point is a linear equation for the coefficients of F.  The solutions at
 * random points are found in doubles and reduced, fractions replace their coefficients, and the
 * brackets are then proved to be 0.
 *
 * Limits: MOST_UNKNOWNS coefficients.  F has all terms of degree 1 and 2 for up to 9 degrees of
 * freedom, and the terms p_i and q_i p_j (translations and linear maps of the positions) for up to
 * 14.  Larger models are not examined.
 */
#include <lapacke.h>
#include <math.h>

#include "analysis/examinations.h"
#include "analysis/proof.h"
#include "common/random.h"
#include "expr/builders.h"
#include "expr/derivative.h"

#define MOST_UNKNOWNS 210
/* Maximal number of terms of a listed function. */
#define MOST_TERMS 20
/* Number of points beyond the number of unknowns, and of attempts for each point. */
#define MORE_POINTS 8
#define ATTEMPTS    4
/* A singular value below this, relative to the largest, counts as zero. */
static const double singular_value = 1e-10;
/* An entry below this, relative to the largest, is no pivot. */
static const double small_entry = 1e-3;

/* The term z_a, or z_a z_b. */
typedef struct symmetry_term {
  int a;
  int b; /* -1 for z_a */
} symmetry_term;

typedef struct symmetry_search {
  study *s;
  int n; /* number of terms */
  symmetry_term term[MOST_UNKNOWNS];
  int n_rows;
  double *row;   /* the equations, n values each, with the largest term 1 */
  int n_found;   /* number of independent solutions */
  double *found; /* the solutions, n values each, reduced: 1 at the own pivot, 0 at the others */
  int pivot[MOST_UNKNOWNS];
  char *is_first; /* by entry of z: 1 if it is the first term of a solution of degree 1 */
} symmetry_search;

/* Chooses the terms of F; returns 0 if there are too many. */
static int choose_terms(symmetry_search *f)
{
  const int n = f->s->n;
  const int d = n / 2;
  const int all = n + n * (n + 1) / 2 <= MOST_UNKNOWNS;
  if (!all && d + d * d > MOST_UNKNOWNS) {
    return 0;
  }
  /* in lexical order, so that the first term of a product is the product of the first terms */
  for (int a = n - 1; a >= (all ? 0 : d); a--) {
    for (int b = all ? a : d - 1; b >= 0; b--) {
      f->term[f->n++] = (symmetry_term){a, b};
    }
  }
  for (int a = n - 1; a >= (all ? 0 : d); a--) {
    f->term[f->n++] = (symmetry_term){a, -1};
  }
  return 1;
}

/* The size of a term: the product of the scales of its factors. */
static double term_size(const symmetry_search *f, int k)
{
  const symmetry_term t = f->term[k];
  return f->s->scale[t.a] * (t.b < 0 ? 1 : f->s->scale[t.b]);
}

/* Adds the equations {F,H} = 0 and {F,g_i} = 0 at a point.  Returns 0 if one is not finite. */
static int add_equations(symmetry_search *f, const double z[])
{
  study *s = f->s;
  const int d = s->n / 2;
  study_begin(s, &s->settings[0], z);
  for (int i = 0; i <= s->p->nc; i++) {
    const ir_expr *const *slope = study_gradients(s) + (size_t)i * (size_t)s->n;
    double *row = f->row + (size_t)(f->n_rows + i) * (size_t)f->n;
    double size = 0;
    for (int k = 0; k < f->n; k++) {
      /* {z_a, H} is the derivative by the other half of the pair, with its sign. */
      const int of[2] = {f->term[k].a, f->term[k].b};
      row[k] = 0;
      for (int j = 0; j < 2 && of[j] >= 0; j++) {
        const int other = of[1 - j];
        const double rate = of[j] < d ? ir_evaluator_value(s->doubles, slope[of[j] + d])
                                      : -ir_evaluator_value(s->doubles, slope[of[j] - d]);
        row[k] += rate * (other < 0 ? 1 : z[other]);
      }
      row[k] /= term_size(f, k);
      size = isfinite(row[k]) ? fmax(size, fabs(row[k])) : (double)INFINITY;
    }
    if (isinf(size)) {
      return 0;
    }
    for (int k = 0; k < f->n && size > 0; k++) {
      row[k] /= size;
    }
  }
  f->n_rows += s->p->nc + 1;
  return 1;
}

/* The largest entry of column k in the rows from `first` on; its row in *row. */
static double largest_in_column(const symmetry_search *f, int first, int k, int *row)
{
  double largest = 0;
  for (int i = first; i < f->n_found; i++) {
    const double x = fabs(f->found[(size_t)i * (size_t)f->n + (size_t)k]);
    *row = x > largest ? i : *row;
    largest = fmax(largest, x);
  }
  return largest;
}

/* Reduces the solutions by Gauss-Jordan elimination.  The pivot is in the first column whose
 * entries are not small, so rounding does not decide between equal entries. */
static void reduce_solutions(symmetry_search *f)
{
  for (int i = 0; i < f->n_found; i++) {
    int from = i;
    double largest = 0;
    for (int k = 0; k < f->n; k++) {
      largest = fmax(largest, largest_in_column(f, i, k, &from));
    }
    f->pivot[i] = 0;
    while (largest_in_column(f, i, f->pivot[i], &from) < small_entry * largest) {
      f->pivot[i]++;
    }
    study_eliminate(f->found, f->n_found, f->n, i, from, f->pivot[i]);
  }
}

/* Finds the common solutions of all equations. Returns 0 if there are too few points. */
static int solve_equations(symmetry_search *f)
{
  const size_t n = (size_t)f->n;
  double *values = ARENA_ARRAY(f->s->memory, 2 * n, double);
  double *right = ARENA_ARRAY(f->s->memory, n * n, double);
  double none = 0;
  f->s->work += 20.0 * f->n_rows * f->n * f->n;
  if (f->n_rows < f->n || LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', f->n_rows, f->n, f->row, f->n,
                                         values, &none, 1, right, f->n, values + n) != 0) {
    return 0;
  }
  while (f->n_found < f->n && values[f->n - 1 - f->n_found] <= singular_value * values[0]) {
    f->n_found++;
  }
  f->found = right + (n - (size_t)f->n_found) * n;
  reduce_solutions(f);
  return 1;
}

/* Solution i with fractions for its coefficients; NULL if one is not near a small fraction, or if
 * there are too many. */
static const ir_expr *solution(const symmetry_search *f, int i)
{
  ir_context *c = f->s->c;
  const ir_expr *sum = ir_integer(c, 0);
  int terms = 0;
  mpq_t part;
  mpq_init(part);
  for (int k = 0; k < f->n && sum; k++) {
    const double x = f->found[(size_t)i * (size_t)f->n + (size_t)k];
    const symmetry_term t = f->term[k];
    const ir_expr *value = ir_input(c, IR_Z, t.a);
    value = t.b < 0 ? value : ir_times(c, ir_input(c, IR_Z, t.b), value);
    sum = nearby_fraction(x * term_size(f, f->pivot[i]) / term_size(f, k), part)
              ? ir_plus(c, sum, ir_scale(c, part, value))
              : NULL;
    terms += mpq_sgn(part) != 0;
  }
  mpq_clear(part);
  return terms <= MOST_TERMS ? sum : NULL;
}

/* 1 if the brackets of F with H and all constraints are proved to be 0. */
static int is_symmetry(symmetry_search *f, const ir_expr *F, int by_default)
{
  study *s = f->s;
  const ir_expr **F_z = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  ir_gradient(s->c, s->n, F, F_z);
  for (int i = 0; i <= s->p->nc; i++) {
    const ir_expr *e =
        ir_bracket(s->c, s->n / 2, F_z, study_gradients(s) + (size_t)i * (size_t)s->n);
    if (!ir_is_zero(e) && !prove(s, by_default, e, 0, NULL, 0)) {
      return 0;
    }
  }
  return 1;
}

/* 1 if F is not listed.  It is H, or a product of conserved functions of degree 1 up to
 * solutions that are listed. */
static int is_left_out(const symmetry_search *f, const ir_expr *F, symmetry_term first)
{
  const ir_expr *H = f->s->H;
  return ir_primitive(F) == ir_primitive(H) ||
         ir_primitive(F) == ir_primitive(study_with(f->s, 1, H)) ||
         (first.b >= 0 && f->is_first[first.a] && f->is_first[first.b]);
}

static void add_symmetries(symmetry_search *f, record_list *list)
{
  list->items = ARENA_ARRAY(f->s->memory, f->n_found + 1, record_finding);
  for (int degree = 1; degree <= 2; degree++) {
    for (int i = f->n_found - 1; i >= 0 && !study_exhausted(f->s, 0.95); i--) {
      const symmetry_term t = f->term[f->pivot[i]];
      const ir_expr *F = (t.b < 0) == (degree == 1) ? solution(f, i) : NULL;
      if (!F || is_left_out(f, F, t)) {
        continue;
      }
      const int for_all = is_symmetry(f, F, 0);
      if (for_all || is_symmetry(f, F, 1)) {
        if (t.b < 0) {
          f->is_first[t.a] = 1;
        }
        list->items[list->n++] =
            (record_finding){.value = F, .range = for_all ? RANGE_ALL : RANGE_DEFAULTS};
      }
    }
  }
}

/* 1 if H or a constraint may have a seam. It may jump there, as abs(x)/x and sign(x) do, and
 * brackets that vanish on both sides prove nothing. */
static int is_not_smooth(study *s)
{
  int found = has_seams(s, s->H);
  for (int i = 0; i < s->p->nc && !found; i++) {
    found = has_seams(s, s->g[i]);
  }
  return found;
}

void examine_symmetries(study *s, record *r)
{
  symmetry_search *f = ARENA_NEW(s->memory, symmetry_search);
  double *z = ARENA_ARRAY(s->memory, s->n, double);
  const setting *at = &s->settings[0];
  uint64_t random = 1918; /* E. Noether */
  f->s = s;
  f->is_first = ARENA_ARRAY(s->memory, s->n, char);
  r->symmetries.unexamined =
      s->p->n_forces > 0 || !choose_terms(f) || study_exhausted(s, 0.9) || is_not_smooth(s);
  if (r->symmetries.unexamined) {
    return;
  }
  const int wanted = f->n + MORE_POINTS;
  f->row = ARENA_ARRAY(s->memory, (size_t)wanted * (size_t)(s->p->nc + 1) * (size_t)f->n, double);
  for (int i = 0, good = 0; i < ATTEMPTS * wanted && good < wanted && !study_exhausted(s, 0.9);
       i++) {
    const double *near =
        at->n_states ? at->states + (size_t)(i % at->n_states) * (size_t)s->n : NULL;
    for (int j = 0; j < s->n; j++) {
      z[j] = (near ? near[j] : 0) + (near ? 0.3 : 1.5) * s->scale[j] * sw_random(&random);
    }
    good += add_equations(f, z);
  }
  if (solve_equations(f)) {
    add_symmetries(f, &r->symmetries);
  }
  /* Without enough points or work, an empty list does not mean that there is no symmetry. */
  r->symmetries.unexamined = r->symmetries.n == 0 && (f->n_rows < f->n || study_exhausted(s, 0.95));
}
