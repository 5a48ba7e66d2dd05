/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/sample.h"

#include <math.h>
#include <string.h>

#include "analysis/setup.h"

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
