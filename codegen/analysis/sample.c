/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/sample.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "analysis/study.h"
#include "common/random.h"

/* ---- from a starting point to a surface, in double precision ----
 *
 * The result is an approximation, which point.h turns into a point that is proved to exist.
 * Lengths are measured in the scales of the coordinates (study.h), and equations relative to their
 * terms, so units do not matter. */

typedef struct approach {
  study *s;
  uint64_t random; /* state of the random generator */
  int rows;        /* largest number of equations */
  double *z;       /* present point, 2d entries */
  double *value;   /* values of the equations */
  double *jac;     /* Jacobian, rows x 2d, row major, each column times its scale */
  double *size;    /* magnitudes of the terms of the equations */
  double *step;    /* right-hand side and step, max(2d, rows) entries */
  int *pivots;     /* 2d column exchanges */
} approach;

/* Creates an iteration for surfaces with at most `rows` equations.  The random generator has a
 * fixed seed. */
static approach *approach_create(study *s, int rows)
{
  approach *a = ARENA_NEW(s->memory, approach);
  size_t n = (size_t)s->n;
  size_t m = (size_t)rows;
  a->s = s;
  a->random = 20121;
  a->rows = rows;
  a->z = ARENA_ARRAY(s->memory, n, double);
  a->value = ARENA_ARRAY(s->memory, m + 1, double);
  a->jac = ARENA_ARRAY(s->memory, m * n + 1, double);
  a->size = ARENA_ARRAY(s->memory, m + 1, double);
  a->step = ARENA_ARRAY(s->memory, m > n ? m : n, double);
  a->pivots = ARENA_ARRAY(s->memory, n, int);
  return a;
}

/* Sets z to a random point at most `size` scales away from `from` in each entry; NULL: the
 * origin. */
static void approach_start_near(approach *a, const double from[], double size)
{
  for (int j = 0; j < a->s->n; j++) {
    a->z[j] = (from ? from[j] : 0) + size * a->s->scale[j] * sw_random(&a->random);
  }
}

/* Sets z to a random point around the origin. */
static void approach_start_anywhere(approach *a)
{
  approach_start_near(a, NULL, 1.5);
}

/* Sets z to the start of a trial: the initial states of the setting, first unchanged, then with
 * small or large perturbations, and points around the origin. */
static void approach_start(approach *a, const setting *at, int trial)
{
  static const double disturbance[] = {0.001, 0.05, 0.6, 0.2};
  const study *s = a->s;
  if (at->n_states == 0 || (trial >= at->n_states && trial % 5 == 4)) {
    approach_start_anywhere(a);
    return;
  }
  approach_start_near(a, at->states + (size_t)(trial % at->n_states) * (size_t)s->n,
                      trial < at->n_states ? 0.0 : disturbance[trial % 4]);
}

/* max_j |z_j| / scale_j; infinite if an entry is not finite. */
static double approach_size(const approach *a)
{
  double size = 0;
  for (int j = 0; j < a->s->n; j++) {
    double entry = fabs(a->z[j]) / a->s->scale[j];
    size = isfinite(entry) ? fmax(size, entry) : (double)INFINITY;
  }
  return size;
}

/* Evaluates the values, the scaled Jacobian and the sizes at z; returns 0 if one of them is not
 * finite. */
static int approach_evaluate(approach *a, const setting *at, const surface *f)
{
  study *s = a->s;
  int finite = 1;
  s->work += 20.0 * f->rows * s->n; /* measured, with the search for the largest slopes */
  study_begin(s, at, a->z);
  memset(a->jac, 0, (size_t)f->rows * (size_t)s->n * sizeof *a->jac);
  for (int i = 0; i < f->rows; i++) {
    a->value[i] = ir_evaluator_value(s->doubles, f->value[i]);
    a->size[i] = ir_evaluator_value(s->doubles, f->size[i]);
    finite = finite && isfinite(a->value[i]);
  }
  for (int e = 0; e < f->n && finite; e++) {
    const ir_entry *slope = &f->slope[e];
    double entry = ir_evaluator_value(s->doubles, slope->value) * s->scale[slope->col];
    a->jac[(size_t)slope->row * (size_t)s->n + (size_t)slope->col] = entry;
    finite = isfinite(entry);
  }
  return finite;
}

/* The largest change of equation i when one coordinate changes by its scale. */
static double largest_slope(const approach *a, int i)
{
  const double *row = a->jac + (size_t)i * (size_t)a->s->n;
  double largest = 0;
  for (int j = 0; j < a->s->n; j++) {
    largest = fmax(largest, fabs(row[j]));
  }
  return largest;
}

static double scaled_residual(const approach *a, int rows)
{
  double worst = 0;
  for (int i = 0; i < rows; i++) {
    double unit = fmax(isfinite(a->size[i]) ? a->size[i] : 0, largest_slope(a, i));
    if (a->value[i] != 0) {
      worst = fmax(worst, unit > 0 ? fabs(a->value[i]) / unit : (double)INFINITY);
    }
  }
  return worst;
}

/* The Gauss-Newton step of minimal norm, -Jacobian^+ value in the scales.  Rows are normalised to
 * largest entry one, so that a small gradient does not count as a missing one.  Returns the largest
 * entry of the step, or a negative number if the step takes too much work or LAPACK fails. */
static double shortest_step(approach *a, int rows)
{
  study *s = a->s;
  for (int i = 0; i < rows; i++) {
    double largest = largest_slope(a, i);
    double factor = largest > 0 ? 1 / largest : 0;
    double *row = a->jac + (size_t)i * (size_t)s->n;
    a->step[i] = -a->value[i] * factor;
    for (int j = 0; j < s->n; j++) {
      row[j] *= factor;
    }
  }
  for (int i = rows; i < s->n; i++) {
    a->step[i] = 0;
  }
  lapack_int rank = 0;
  memset(a->pivots, 0, (size_t)s->n * sizeof *a->pivots);
  /* measured cost of the rank-revealing factorisation in unblocked loops */
  if (!study_afford(s, 10.0 * rows * rows * s->n + 2e3, 2) ||
      LAPACKE_dgelsy(LAPACK_ROW_MAJOR, rows, s->n, 1, a->jac, s->n, a->step, 1, a->pivots, 1e-12,
                     &rank) != 0) {
    return -1;
  }
  double largest = 0;
  for (int j = 0; j < s->n; j++) {
    largest = fmax(largest, fabs(a->step[j]));
    a->z[j] += a->step[j] * s->scale[j];
  }
  return largest;
}

/* Gauss-Newton with steps of minimal norm, from z to the surface, in at most `iterations`
 * iterations.  Returns 1 if the residual or the step reaches the level of round-off. */
static int approach_reach(approach *a, const setting *at, const surface *f, int iterations)
{
  for (int i = 0; i < iterations; i++) {
    if (f->rows > a->rows || !approach_evaluate(a, at, f)) {
      return 0;
    }
    if (scaled_residual(a, f->rows) < 1e-13) {
      return 1;
    }
    double step = shortest_step(a, f->rows);
    if (step >= 0 && step <= 1e-15 * fmin(1, approach_size(a))) {
      return 1;
    }
    if (!(step >= 0)) {
      return 0;
    }
  }
  return 0;
}

/* ---- samples ---- */

/* Limit on iterations of an approach. */
enum { ITERATIONS = 80 };
/* Limits of the wider search: starting points, and points found. */
enum { WIDE_ROUNDS = 400, WIDE_POINTS = 6 };

static points points_create(study *s, int most)
{
  points p = {{0, 0, 0, 0, 0}, 0, ARENA_ARRAY(s->memory, most + 1, point *)};
  return p;
}

/* Adds a point, unless x is NULL. */
static void sample_add(points *p, point *x)
{
  if (x) {
    int elsewhere = x->at->array != -1;
    p->x[p->n++] = x;
    p->sample.points += !elsewhere;
    p->sample.elsewhere += elsewhere;
    p->sample.shown += !elsewhere && x->exists;
  }
}

/* The point of the surface to which the iteration converges from the present start; NULL if it
 * fails, or the point is farther away than allowed. */
static point *sample_reach(approach *a, const setting *at, const surface *f, double farthest)
{
  double limit = farthest * fmax(1, approach_size(a));
  return approach_reach(a, at, f, ITERATIONS) && approach_size(a) <= limit
             ? point_find(a->s, f, at, a->z)
             : NULL;
}

/* Computes the spread of the points. */
static void measure(const study *s, points *p)
{
  for (int j = 0; j < s->n && p->sample.points > 0; j++) {
    double low = p->x[0]->z[j];
    double high = low;
    for (int i = 1; i < p->sample.points; i++) {
      low = fmin(low, p->x[i]->z[j]);
      high = fmax(high, p->x[i]->z[j]);
    }
    p->sample.spread = fmax(p->sample.spread, (high - low) / s->scale[j]);
  }
}

points sample_surface(study *s, const surface *f, const setting *at, int most, int trials,
                      double farthest)
{
  points p = points_create(s, most);
  approach *a = approach_create(s, f->rows);
  while (p.sample.tried < trials && p.n < most && !study_exhausted(s, 0.9)) {
    approach_start(a, at, p.sample.tried++);
    sample_add(&p, sample_reach(a, at, f, farthest));
  }
  measure(s, &p);
  return p;
}

points sample_near(study *s, const surface *f, const point *x, int most)
{
  points p = points_create(s, most);
  approach *a = approach_create(s, f->rows);
  for (int i = 0; i < most; i++) {
    approach_start_near(a, x->z, 0.03);
    p.sample.tried++;
    sample_add(&p, sample_reach(a, x->at, f, (double)INFINITY));
  }
  return p;
}

points sample_M(study *s)
{
  const surface *f = surface_M(s);
  approach *a = approach_create(s, f->rows);
  points p = points_create(s, SAMPLE_POINTS + SETTINGS_ALL * SAMPLE_OTHERS);
  int least = s->settings[0].n_states + 4;
  for (int j = 0; j < s->n_settings && s->settings[j].array != 0; j++) {
    const setting *at = &s->settings[j];
    int most = p.n + (j == 0 ? SAMPLE_POINTS : SAMPLE_OTHERS);
    int trials = j == 0 ? 8 * SAMPLE_POINTS : 4 * SAMPLE_OTHERS;
    for (int trial = 0; trial < trials && p.n < most; trial++) {
      if (study_exhausted(s, j == 0 ? 0.15 : 0.2) && (j > 0 || trial >= least)) {
        break;
      }
      approach_start(a, at, trial);
      p.sample.tried += j == 0;
      sample_add(&p, sample_reach(a, at, f, (double)INFINITY));
    }
  }
  measure(s, &p);
  return p;
}

points sample_MH(study *s, const points *M, const char left_out[])
{
  const surface *f = surface_MH(s, left_out);
  approach *a = approach_create(s, f->rows);
  points p = points_create(s, M->n);
  for (int i = 0; i < M->n && !(study_exhausted(s, 0.4) && i >= 4); i++) {
    const setting *at = M->x[i]->at;
    memcpy(a->z, M->x[i]->z, (size_t)s->n * sizeof *a->z);
    p.sample.tried += at->array == -1;
    sample_add(&p, sample_reach(a, at, f, (double)INFINITY));
  }
  measure(s, &p);
  return p;
}

points points_joined(study *s, const points *a, const points *b)
{
  points p = points_create(s, a->n + b->n);
  for (int i = 0; i < a->n + b->n; i++) {
    sample_add(&p, i < a->n ? a->x[i] : b->x[i - a->n]);
  }
  p.sample.tried = a->sample.tried + b->sample.tried;
  measure(s, &p);
  return p;
}

points sample_widely(study *s, const char left_out[])
{
  const setting *at = &s->settings[0];
  const surface *on_M = surface_M(s);
  const surface *on_MH = surface_MH(s, left_out);
  approach *a = approach_create(s, on_MH->rows > on_M->rows ? on_MH->rows : on_M->rows);
  points p = points_create(s, WIDE_POINTS);
  while (p.sample.tried < WIDE_ROUNDS && p.n < WIDE_POINTS && !study_exhausted(s, 0.5)) {
    p.sample.tried++;
    approach_start_anywhere(a);
    int on = approach_reach(a, at, on_M, ITERATIONS);
    point *x = on ? sample_reach(a, at, on_MH, (double)INFINITY) : NULL;
    sample_add(&p, x && x->exists && x->square.rank == on_MH->rows ? x : NULL);
  }
  return p;
}

/* Decides at one point, at increasing precision, about all values that are not known to differ from
 * zero. */
static void ask(study *s, point *x, int n, const ir_expr *const values[], sample_answer answers[],
                ball_answer here[])
{
  int open = 1;
  for (int j = 0; j < n; j++) {
    here[j] = BALL_UNDECIDED;
  }
  for (int level = 0; level < STUDY_LEVELS && open && !study_exhausted(s, 0.8); level++) {
    point_begin(s, x, study_levels[level]);
    open = 0;
    for (int j = 0; j < n; j++) {
      if (here[j] == BALL_UNDECIDED && answers[j].answer != BALL_NOT_ZERO) {
        here[j] = ball_decide(s->balls, values[j]);
        open |= here[j] == BALL_UNDECIDED;
        if (here[j] == BALL_NOT_ZERO && x->exists) {
          answers[j].answer = BALL_NOT_ZERO;
          answers[j].at = x;
          answers[j].value = ball_double(ball_value(s->balls, values[j]));
        }
      }
    }
  }
}

void sample_decide(study *s, const points *p, int n, int n_values, const ir_expr *const values[],
                   sample_answer answers[])
{
  ball_answer *here = ARENA_ARRAY(s->memory, n_values + 1, ball_answer);
  for (int j = 0; j < n_values; j++) {
    answers[j] = (sample_answer){.answer = BALL_UNDECIDED};
  }
  for (int i = 0; i < n; i++) {
    ask(s, p->x[i], n_values, values, answers, here);
    for (int j = 0; j < n_values; j++) {
      answers[j].zero += here[j] == BALL_ZERO;
    }
  }
  for (int j = 0; j < n_values; j++) {
    if (answers[j].answer != BALL_NOT_ZERO && n > 0 && answers[j].zero == n) {
      answers[j].answer = BALL_ZERO;
    }
  }
}
