/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/study.h"

#include <math.h>
#include <string.h>

#include "common/rational.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

const slong study_levels[STUDY_LEVELS] = {64, 256, 512};

/* Limit on work in operations on doubles; an operation on balls counts as BALL_COST of them. */
static const double most_work = 1e10;
#define BALL_COST 60.0

double study_spent(const study *s)
{
  return (s->work + BALL_COST * ball_work(s->balls)) / most_work;
}

int study_afford(study *s, double work, double part)
{
  const int affords = study_spent(s) + work / most_work <= part;
  s->work += affords ? work : 0;
  return affords;
}

void study_begin(study *s, const setting *at, const double z[])
{
  ir_values values = {{at->k, NULL, z}};
  ir_evaluator_begin(s->doubles, &values);
}

void study_begin_defaults(study *s)
{
  const ball_inputs inputs = {s->settings[0].exact, NULL, NULL};
  ball_begin(s->balls, &inputs, 256);
}

arb_ptr study_state(study *s)
{
  s->states = arena_grow(s->memory, s->states, s->n_states, &s->room, sizeof *s->states);
  return s->states[s->n_states++] = _arb_vec_init(s->n);
}

const ir_expr *const *study_gradients(study *s)
{
  const size_t n = (size_t)s->n;
  if (!s->gradients) {
    s->gradients = ARENA_ARRAY(s->memory, (size_t)(s->p->nc + 1) * n, const ir_expr *);
    for (int i = 0; i <= s->p->nc; i++) {
      ir_gradient(s->c, s->n, i ? s->g[i - 1] : s->H, s->gradients + (size_t)i * n);
    }
  }
  return s->gradients;
}

double study_default(study *s, const ir_expr *e)
{
  study_begin(s, &s->settings[0], NULL);
  return ir_evaluator_value(s->doubles, e);
}

const ir_expr *study_with(study *s, int by_default, const ir_expr *e)
{
  return by_default ? ir_substitute(s->c, IR_K, s->p->k_exact, e) : e;
}

/* ---- settings of the parameters ---- */

/* Limits on arrays and entries for settings with one changed array. */
#define SETTINGS_ARRAYS  24
#define SETTINGS_ENTRIES 2000

static const double spread = 0.6;

/* The largest shift of an entry, before its bounds are applied. */
static double width(const ir_program *p, int i, double lower, double upper)
{
  double size = fabs(p->k_default[i]);
  for (int j = 0; j < p->nk && size == 0; j++) {
    size = p->k_array[j] == p->k_array[i] ? fabs(p->k_default[j]) : size;
  }
  if (size > 0) {
    return spread * size;
  }
  if (isfinite(lower) && isfinite(upper)) {
    return 0.5 * (upper - lower);
  }
  size = isfinite(lower) ? fabs(lower) : isfinite(upper) ? fabs(upper) : 0;
  return size > 0 ? size : 1;
}

/* A value of entry i for a setting.  Fractional parts of multiples of irrationals are spread
 * evenly. */
static double other_value(const ir_program *p, int i, int number)
{
  const double x = 0.6180339887498949 * (i + 1) + 0.7548776662466927 * (number + 1);
  const double u = 2 * (x - floor(x)) - 1;
  const ir_bounds *b = &p->k_bounds[i];
  double value = p->k_default[i];
  double lower = b->lower ? rational_double(b->lower) : -(double)INFINITY;
  double upper = b->upper ? rational_double(b->upper) : (double)INFINITY;
  double w = width(p, i, lower, upper);
  double down = fmin(w, 0.9 * (value - lower));
  double up = fmin(w, 0.9 * (upper - value));
  /* A default at a bound allows one direction only. */
  double move = u < 0 ? u * (down > 0 ? down : -up) : u * (up > 0 ? up : -down);
  return value + move;
}

/* Evaluates the initial states with the parameters of a setting. */
static void find_states(study *s, setting *at)
{
  const ir_program *p = s->p;
  at->states = ARENA_ARRAY(s->memory, (size_t)p->n_states * (size_t)s->n + 1, double);
  study_begin(s, at, NULL);
  for (int j = 0; j < p->n_states; j++) {
    double *z = at->states + (size_t)at->n_states * (size_t)s->n;
    int finite = 1;
    for (int i = 0; i < s->n; i++) {
      z[i] = ir_evaluator_value(s->doubles, p->states[j].z[i]);
      finite = finite && isfinite(z[i]);
    }
    at->n_states += finite;
  }
}

static void settings_make(study *s, setting *at, int array, int number)
{
  const ir_program *p = s->p;
  const ball_inputs none = {NULL, NULL, NULL};
  at->array = array;
  at->k = ARENA_ARRAY(s->memory, p->nk + 1, double);
  at->exact = _arb_vec_init(p->nk + 1);
  ball_begin(s->balls, &none, STUDY_EXACT);
  for (int i = 0; i < p->nk; i++) {
    at->k[i] = p->k_default[i];
    if (array == -2 || array == p->k_array[i]) {
      at->k[i] = other_value(p, i, number);
      arb_set_d(at->exact + i, at->k[i]);
    } else {
      arb_set(at->exact + i, ball_value(s->balls, p->k_exact[i]));
    }
  }
  find_states(s, at);
}

/* Creates the settings of s->p.  The entries of an array are shifted by up to 0.6 of their
 * defaults, within their bounds.  For a default of 0, the unit is the largest default of the array,
 * or a bound, or 1. */
static void settings_create(study *s)
{
  const ir_program *p = s->p;
  int arrays = p->nk > 0 ? p->k_array[p->nk - 1] + 1 : 0;
  int singles = arrays <= SETTINGS_ARRAYS && p->nk <= SETTINGS_ENTRIES ? arrays : 0;
  s->settings = ARENA_ARRAY(s->memory, 1 + SETTINGS_ALL + singles, setting);
  settings_make(s, &s->settings[s->n_settings++], -1, 0);
  for (int j = 0; j < SETTINGS_ALL && p->nk > 0; j++) {
    settings_make(s, &s->settings[s->n_settings++], -2, j);
  }
  for (int j = 0; j < singles; j++) {
    settings_make(s, &s->settings[s->n_settings++], j, SETTINGS_ALL + j);
  }
}

const char *study_setting_text(const study *s, const setting *at)
{
  enum { LISTED = 4 };
  const char *text = "";
  int shown = 0;
  for (int i = 0; i < s->p->nk; i++) {
    if (at->k[i] != s->p->k_default[i] && shown++ < LISTED) {
      text = arena_printf(s->memory, "%s%s%s = %.6g", text, *text ? ", " : "", s->p->k_names[i],
                          at->k[i]);
    }
  }
  return shown > LISTED ? arena_printf(s->memory, "%s, ...", text) : text;
}

study *study_create(arena *a, ir_context *c, const ir_program *p)
{
  study *s = ARENA_NEW(a, study);
  s->memory = a;
  s->c = c;
  s->p = p;
  s->n = 2 * p->nq;
  s->H = p->functions[IR_HAMILTONIAN].entries[0].value;
  s->g = ARENA_ARRAY(a, 2 * p->nc + 1, const ir_expr *);
  s->rho = s->g + p->nc;
  for (int i = 0; i < p->nc; i++) {
    s->g[i] = p->functions[IR_CONSTRAINT].entries[i].value;
    s->rho[i] = p->functions[IR_HIDDEN].entries[i].value;
  }
  s->k = certifier_create(c);
  s->balls = ball_evaluator_create(c);
  s->doubles = ir_evaluator_create(c);
  settings_create(s);
  study_begin(s, &s->settings[0], NULL);
  scales_find(s);
  return s;
}

void study_free(study *s)
{
  for (size_t i = 0; i < s->n_states; i++) {
    _arb_vec_clear(s->states[i], s->n);
  }
  for (int i = 0; i < s->n_settings; i++) {
    _arb_vec_clear(s->settings[i].exact, s->p->nk + 1);
  }
  ir_evaluator_free(s->doubles);
  ball_evaluator_free(s->balls);
  certifier_free(&s->k);
}

void study_eliminate(double *A, int rows, int columns, int top, int from, int column)
{
  double *const at_top = A + (size_t)top * (size_t)columns;
  double *const taken = A + (size_t)from * (size_t)columns;
  const double pivot = taken[column];
  for (int j = 0; j < columns; j++) {
    const double entry = taken[j];
    taken[j] = at_top[j];
    at_top[j] = entry;
  }
  /* Before the division, so that a multiple of the row becomes exactly 0. */
  for (int i = 0; i < rows; i++) {
    double *row = A + (size_t)i * (size_t)columns;
    const double factor = i == top ? 0 : row[column] / pivot;
    for (int j = 0; j < columns && factor != 0; j++) {
      row[j] -= factor * at_top[j];
    }
    row[column] = i == top ? pivot : 0;
  }
  for (int j = 0; j < columns; j++) {
    at_top[j] /= pivot;
  }
}
