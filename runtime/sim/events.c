/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c -- states between steps, and the search for crossings of events there
 * (sidewinder/events.h).
 */
#include "sidewinder/events.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_internal.h"

/* Limits of the searches, in trial steps.  Bisection alone needs 53. */
enum { ROOT_STEPS = 120, MINIMUM_STEPS = 40 };

/* The parts of a simulation that a step changes, except for caches. */
typedef struct event_start {
  sw_state state;
  sw_stats stats;
  sw_energy_course energy;
} event_start;

struct sw_events {
  sw_sim *trial;
  event_start start; /* of the current step */
  double h;
  int n;              /* number of events */
  double *earlier;    /* n: values at the start of the step before */
  double *first;      /* n: values at the start of the step */
  double *last;       /* n: values at its end */
  double *value;      /* n: values at the last trial step */
  double at;          /* its part of the step; 0: none */
  int has_earlier;    /* 1: `earlier` and `first` are h apart */
  double seen;        /* time of `last` after the last run */
  sw_crossing *found; /* 2n */
  int n_found;
  sw_crossing stop;
  int stopped;
  double *block;
};

/* ---- values ---- */

int sw_sim_n_event(const sw_sim *sim)
{
  return sim->system->n_event;
}

sw_event_kind sw_sim_event_kind(const sw_sim *sim, int i)
{
  return sw_system_event_kind(sim->system, i);
}

void sw_sim_event(sw_sim *sim, double out[])
{
  if (sim->system->event) {
    sim->system->event(sim->system, sim->state.z, sim->k, out);
  }
}

/* ---- trial steps ---- */

const char *sw_sim_between_objection(const sw_sim *sim)
{
  const sw_method *method = sim->plan->method;

  return method->staggered ? "the momenta of this method are half a step earlier than the "
                             "positions, so a part of a step has no state; take rattle"
         : method->earlier ? "a step of this method needs a previous step of the same size, so a "
                             "part of a step has no state; take rattle"
                           : "";
}

/* Replaces state, statistics and energy course. */
static void put_start(sw_sim *sim, const event_start *from)
{
  sw_state_copy(sim, &sim->state, &from->state);
  sim->state.is_fused = 0;
  sim->stats = from->stats;
  sim->energy = from->energy;
  sim->H_known = 0;
  sw_step_forget(sim);
}

static sw_status trial_step(sw_sim *trial, const sw_sim *sim, const event_start *from, double h)
{
  sw_copy(trial->k, sim->k, (size_t)sim->system->nk);
  put_start(trial, from);
  return sw_sim_step(trial, h);
}

sw_status sw_sim_step_from(sw_sim *trial, const sw_sim *start, double h)
{
  const event_start from = {start->state, start->stats, start->energy};
  const char *objection = sw_sim_between_objection(start);

  sw_say_nothing(trial);
  return *objection ? sw_refuse(trial, SW_ERR_OPTION, "%s", objection)
                    : trial_step(trial, start, &from, h);
}

/* Restores the start of the step and reports a failure at a part of it. */
static sw_status fail(const sw_events *events, sw_sim *sim, int event, double part,
                      sw_status status, const char *why)
{
  char name[SW_NAME_BYTES];

  put_start(sim, &events->start);
  return sw_refuse(sim, status,
                   "event %.60s, step of size %g from t = %.6g, at %.6g of the step: %.300s",
                   sw_system_name(sim->system, SW_EVENT, event, name), events->h,
                   sw_clock_time(&sim->state.clock), part, why);
}

/* Moves the trial simulation to a part of the step. */
static sw_status move(sw_events *events, sw_sim *sim, int event, double part)
{
  if (events->at == part) {
    return SW_OK;
  }
  const sw_status status = trial_step(events->trial, sim, &events->start, part * events->h);
  events->at = status == SW_OK ? part : 0.0;
  if (status != SW_OK) {
    return fail(events, sim, event, part, status, sw_sim_message(events->trial));
  }
  sw_sim_event(events->trial, events->value);
  return SW_OK;
}

/* Sets *f to the value of the event at a part of the step. */
static sw_status try_part(sw_events *events, sw_sim *sim, int event, double part, double *f)
{
  const sw_status status = move(events, sim, event, part);

  *f = events->value[event];
  return status != SW_OK || isfinite(*f)
             ? status
             : fail(events, sim, event, part, SW_ERR_NOT_FINITE, "its value is not finite");
}

/* ---- roots ---- */

/* A part of the step and the value of an event there. */
typedef struct event_point {
  double part;
  double f;
} event_point;

static int sign_of(double f)
{
  return (f > 0.0) - (f < 0.0);
}

/* The next trial of Brent's method: by the inverse interpolation of a, b and c, or the secant of a
 * and b if a = c; at the middle of [b, c] unless that moves b by less than half of the step before
 * the last one, *before.  *last: the last step. */
static double next_root(event_point a, event_point b, event_point c, double *last, double *before)
{
  const double middle = 0.5 * (c.part - b.part);
  const double s = b.f / a.f;
  double p = 2.0 * middle * s;
  double q = 1.0 - s;

  if (a.part != c.part) {
    const double r = b.f / c.f;
    const double ratio = a.f / c.f;
    p = s * (2.0 * middle * ratio * (ratio - r) - (b.part - a.part) * (r - 1.0));
    q = (ratio - 1.0) * (r - 1.0) * (s - 1.0);
  }
  q = p > 0.0 ? -q : q;
  p = fabs(p);
  const double most = fmin(3.0 * middle * q - fabs(DBL_EPSILON * q), fabs(*before * q));
  if (fabs(*before) >= DBL_EPSILON && fabs(a.f) > fabs(b.f) && 2.0 * p < most) {
    *before = *last;
    *last = p / q;
  } else {
    *last = *before = middle;
  }
  return b.part + (fabs(*last) > DBL_EPSILON ? *last : copysign(DBL_EPSILON, middle));
}

/* Finds a root between `near` and `far`, where f has different signs or f(far) = 0.  Returns in
 * *root the end of the last bracket where f has left the sign of `near`. */
static sw_status find_root(sw_events *events, sw_sim *sim, int event, event_point near,
                           event_point far, double *root)
{
  event_point a = near;
  event_point b = far;
  event_point c = near;
  double last = b.part - a.part;
  double before = last;
  sw_status status = SW_OK;

  for (int i = 0; i < ROOT_STEPS && status == SW_OK; i++) {
    if (fabs(c.f) < fabs(b.f)) { /* b is the best point, and c brackets the root with it */
      a = b;
      b = c;
      c = a;
    }
    if (b.f == 0.0 || fabs(c.part - b.part) <= 2.0 * DBL_EPSILON) {
      break;
    }
    event_point next = {next_root(a, b, c, &last, &before), 0.0};
    a = b;
    b = next;
    status = try_part(events, sim, event, b.part, &b.f);
    if (sign_of(b.f) == sign_of(c.f)) {
      c = a;
      last = before = b.part - a.part;
    }
  }
  *root = sign_of(b.f) == sign_of(near.f) ? c.part : b.part;
  return status;
}

/* Inserts a crossing in the order of time, and of events at equal times. */
static void insert(sw_events *events, const sw_crossing *crossing)
{
  int i = events->n_found++;

  for (; i > 0 && (events->found[i - 1].part > crossing->part ||
                   (events->found[i - 1].part == crossing->part &&
                    events->found[i - 1].event > crossing->event));
       i--) {
    events->found[i] = events->found[i - 1];
  }
  events->found[i] = *crossing;
}

/* Adds a crossing between two points, if the event has this direction. */
static sw_status add_root(sw_events *events, sw_sim *sim, int event, event_point near,
                          event_point far)
{
  const sw_event_kind kind = sw_system_event_kind(sim->system, event);
  const int rises = near.f < 0.0;
  double part = far.part;

  if (!(kind.directions & (rises ? 1u : 2u))) {
    return SW_OK;
  }
  const sw_status status = find_root(events, sim, event, near, far, &part);
  if (status == SW_OK) {
    const double t = sw_clock_time(&events->start.state.clock) + part * events->h;
    insert(events, &(sw_crossing){event, rises ? 1 : -1, kind.stops, part, t});
  }
  return status;
}

/* ---- minima ---- */

/* The place of the minimum of the parabola through three points with increasing parts, and its
 * value there; the middle point if there is no minimum. */
static event_point parabola_minimum(event_point a, event_point b, event_point c)
{
  const double left = (b.f - a.f) / (b.part - a.part);
  const double right = (c.f - b.f) / (c.part - b.part);
  const double half = (right - left) / (c.part - a.part); /* half of the second derivative */
  const double slope = (left * (c.part - b.part) + right * (b.part - a.part)) / (c.part - a.part);

  return half > 0.0 ? (event_point){b.part - slope / (2.0 * half), b.f - slope * slope / (4 * half)}
                    : b;
}

/* Follows g = |f| from a bracket a < b < c of a minimum, with g(b) below g(a) and g(c), by
 * parabolas.  Ends with b->f <= 0 if f changes its sign; else when a parabola promises less than a
 * thousandth of g(b). */
static sw_status find_minimum(sw_events *events, sw_sim *sim, int event, int sign, event_point a,
                              event_point *b, event_point c)
{
  sw_status status = SW_OK;

  for (int i = 0; i < MINIMUM_STEPS && status == SW_OK && b->f > 0.0; i++) {
    const event_point vertex = parabola_minimum(a, *b, c);
    const double apart = 0.01 * (c.part - a.part);
    event_point next = {vertex.part, 0.0};
    if (b->f - vertex.f <= 1e-3 * b->f || apart < DBL_EPSILON) {
      break;
    }
    if (fabs(next.part - b->part) < apart) { /* shrink the longer side */
      next.part = b->part + (c.part - b->part > b->part - a.part ? apart : -apart);
    }
    status = try_part(events, sim, event, next.part, &next.f);
    next.f *= sign;
    const int is_left = next.part < b->part;
    if (next.f <= b->f) {
      *(is_left ? &c : &a) = *b;
      *b = next;
    } else {
      *(is_left ? &a : &c) = next;
    }
  }
  return status;
}

/* Chooses a part of the step where |f| may be small although f has one sign at both ends; 0 if
 * there is none.  In units of the step, f is about f0 + s x + D x^2/2. */
static double likely_minimum(const sw_events *events, int event)
{
  const double f0 = fabs(events->first[event]);
  const double f1 = fabs(events->last[event]);
  const int sign = sign_of(events->first[event]);

  if (!events->has_earlier) {
    return 0.5;
  }
  const double before = sign * events->earlier[event];
  const double D = f1 - 2.0 * f0 + before;
  const double s = 0.5 * (f1 - before);
  const double x = -s / D;
  const int likely = D > 0.0 && x > -0.5 && x < 1.5 && f0 + 0.5 * s * x < 0.25 * D;
  return likely ? fmin(fmax(x, 0.05), 0.95) : 0.0;
}

/* Finds the two crossings of an event that has one sign at both ends of the step. */
static sw_status find_pair(sw_events *events, sw_sim *sim, int event)
{
  const int sign = sign_of(events->first[event]);
  const event_point a = {0.0, fabs(events->first[event])};
  const event_point c = {1.0, fabs(events->last[event])};
  event_point b = {likely_minimum(events, event), 0.0};

  if (b.part == 0.0) {
    return SW_OK;
  }
  sw_status status = try_part(events, sim, event, b.part, &b.f);
  b.f *= sign;
  if (status == SW_OK && b.f > 0.0 && b.f < fmin(a.f, c.f)) {
    status = find_minimum(events, sim, event, sign, a, &b, c);
  }
  if (status != SW_OK || b.f > 0.0) {
    return status;
  }
  const event_point start = {0.0, sign * a.f};
  const event_point end = {1.0, sign * c.f};
  const event_point inside = {b.part, sign * b.f};
  status = add_root(events, sim, event, start, inside);
  return status == SW_OK && b.f < 0.0 ? add_root(events, sim, event, inside, end) : status;
}

/* ---- a step ---- */

/* Finds all crossings of the step that the simulation has taken. */
static sw_status find_all(sw_events *events, sw_sim *sim)
{
  sw_status status = SW_OK;

  events->n_found = 0;
  events->at = 0.0;
  for (int e = 0; e < events->n && status == SW_OK; e++) {
    const event_point start = {0.0, events->first[e]};
    const event_point end = {1.0, events->last[e]};
    if (!isfinite(start.f) || !isfinite(end.f)) {
      status = fail(events, sim, e, isfinite(start.f) ? 1.0 : 0.0, SW_ERR_NOT_FINITE,
                    "its value is not finite");
    } else if (start.f != 0.0 && sign_of(start.f) != sign_of(end.f)) {
      status = add_root(events, sim, e, start, end);
    } else if (start.f != 0.0) {
      status = find_pair(events, sim, e);
    }
  }
  return status;
}

/* Reports the crossings of a step.  Ends at the first one that stops. */
static sw_status report(sw_events *events, sw_sim *sim, sw_crossing_observer *cross, void *user)
{
  for (int i = 0; i < events->n_found && !events->stopped; i++) {
    const sw_crossing *found = &events->found[i];
    const sw_status status =
        cross || found->stops ? move(events, sim, found->event, found->part) : SW_OK;
    if (status != SW_OK) {
      return status;
    }
    if (cross && cross(events->trial, found, user) != 0) {
      return sw_refuse(sim, SW_ERR_STOPPED, "the observer asked to stop at t = %.15g", found->t);
    }
    events->stopped = found->stops;
    events->stop = *found;
  }
  if (events->stopped) {
    const sw_sim *trial = events->trial;
    const event_start end = {trial->state, trial->stats, events->start.energy};
    put_start(sim, &end);
    sw_sim_event(sim, events->last);
    for (int i = 0; sim->work.dropped && i < sim->system->nc; i++) {
      sim->work.dropped[i] = trial->work.dropped[i];
    }
  }
  return SW_OK;
}

static sw_status step_with_events(sw_events *events, sw_sim *sim, double h,
                                  sw_crossing_observer *cross, void *user)
{
  double *const earlier = events->earlier;

  sw_state_copy(sim, &events->start.state, &sim->state);
  events->start.stats = sim->stats;
  events->start.energy = sim->energy;
  events->h = h;
  sw_status status = sw_sim_step(sim, h);
  if (status != SW_OK) {
    return status;
  }
  sw_sim_event(sim, events->last);
  status = find_all(events, sim);
  status = status == SW_OK ? report(events, sim, cross, user) : status;
  events->earlier = events->first;
  events->first = events->last;
  events->last = earlier;
  events->has_earlier = status == SW_OK && !events->stopped;
  events->seen = sw_clock_time(&sim->state.clock);
  return status;
}

/* Evaluates the events at the start of a run, which may continue the last one. */
static void begin(sw_events *events, sw_sim *sim, double h)
{
  const size_t n = (size_t)events->n;

  sw_sim_event(sim, events->last);
  events->has_earlier = events->has_earlier && events->h == h &&
                        events->seen == sw_clock_time(&sim->state.clock) &&
                        memcmp(events->first, events->last, n * sizeof *events->first) == 0;
  sw_copy(events->first, events->last, n);
  events->stopped = 0;
}

sw_status sw_events_run(sw_events *events, sw_sim *sim, double h, long steps, sw_observer *observe,
                        sw_crossing_observer *cross, void *user)
{
  sw_say_nothing(sim);
  if (steps < 0) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "the number of steps is negative: %ld", steps);
  }
  begin(events, sim, h);
  for (long n = 0;; n++) {
    const sw_status status = n > 0 ? step_with_events(events, sim, h, cross, user) : SW_OK;

    if (status != SW_OK) {
      return status;
    }
    if (observe && observe(sim, n, user) != 0) {
      return sw_refuse(sim, SW_ERR_STOPPED, "the observer asked to stop after step %ld", n);
    }
    if (n == steps || events->stopped) {
      return SW_OK;
    }
  }
}

const sw_crossing *sw_events_stopped(const sw_events *events)
{
  return events->stopped ? &events->stop : NULL;
}

/* ---- create and free ---- */

sw_status sw_events_create(const sw_sim *sim, sw_events **events)
{
  const size_t n = (size_t)sim->system->n_event;
  const size_t dim = 2 * (size_t)sim->system->nq;
  const size_t m = (size_t)sim->system->nc;

  *events = NULL;
  if (n == 0 || *sw_sim_between_objection(sim)) {
    return SW_ERR_OPTION;
  }
  sw_events *made = calloc(1, sizeof *made);
  if (!made) {
    return SW_ERR_MEMORY;
  }
  made->n = (int)n;
  made->block = calloc(4 * n + dim + m + sim->plan->n_more + 1, sizeof *made->block);
  made->found = calloc(2 * n, sizeof *made->found);
  if (!made->block || !made->found || sw_sim_create_like(sim, &made->trial) != SW_OK) {
    sw_events_free(&made);
    return SW_ERR_MEMORY;
  }
  made->earlier = made->block;
  made->first = made->block + n;
  made->last = made->block + 2 * n;
  made->value = made->block + 3 * n;
  made->start.state = (sw_state){.z = made->block + 4 * n,
                                 .lambda = made->block + 4 * n + dim,
                                 .more = made->block + 4 * n + dim + m};
  *events = made;
  return SW_OK;
}

void sw_events_free(sw_events **events)
{
  sw_events *e = events ? *events : NULL;

  if (!e) {
    return;
  }
  sw_sim_free(&e->trial);
  free(e->found);
  free(e->block);
  free(e);
  *events = NULL;
}
