/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/setup.h"

#include <math.h>
#include <string.h>

#include "analysis/point.h"
#include "common/rational.h"

/* Limits on arrays and entries for settings with one changed array. */
#define SETTINGS_ARRAYS  24
#define SETTINGS_ENTRIES 2000

static const double spread = 0.6;

/* A number in (-1, 1) for entry i of setting j: fractional parts of multiples of irrationals, which
 * are spread evenly. */
static double settings_draw(int i, int j)
{
  double x = 0.6180339887498949 * (i + 1) + 0.7548776662466927 * (j + 1);
  return 2 * (x - floor(x)) - 1;
}

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

static double other_value(const ir_program *p, int i, double u)
{
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
      at->k[i] = other_value(p, i, settings_draw(i, number));
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

static void settings_free(study *s)
{
  for (int i = 0; i < s->n_settings; i++) {
    _arb_vec_clear(s->settings[i].exact, s->p->nk + 1);
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

study *setup_study(arena *a, ir_context *c, const ir_program *p)
{
  study *s = study_create(a, c, p);
  settings_create(s);
  scales_find(s);
  return s;
}

void setup_free(study *s)
{
  points_free(s);
  settings_free(s);
  study_free(s);
}
