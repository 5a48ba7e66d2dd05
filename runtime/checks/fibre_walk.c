/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/fibre_points.h"

#include <stdlib.h>

#include "common/carver.h"
#include "linear/dense.h"

enum { MOST_SAMPLES = 100000, FIRST_ROOM = 128, BISECTIONS = 100, ROUNDS = 10 };

/* The flow is closed if the ends of a turn are closer than this. */
static const double same_state = 1e-9;

/* ---- values at a state ---- */

static void carve(sw_carver *c, void *of)
{
  sw_fibre_probe *s = of;
  const sw_system *system = s->system;
  const size_t m = (size_t)system->nc;

  SW_CARVE(c, m, 1, &s->rho, &s->scale, &s->sums, &s->lambda);
  s->jac = sw_carve(c, (size_t)system->constraint_jac_pattern.entries, 1);
  s->slope = sw_carve(c, (size_t)system->hidden_jac_pattern.entries, 1);
  s->N = sw_carve(c, (size_t)system->nondegeneracy_pattern.entries, 1);
  s->dense = sw_carve(c, m, m);
  s->exchange = sw_carve_bytes(c, m * sizeof *s->exchange);
  SW_CARVE(c, m, 1, &s->g.q, &s->g.p, &s->of_rho.q, &s->of_rho.p);
}

sw_status sw_fibre_probe_open(const sw_system *system, const double k[], sw_fibre_probe *probe)
{
  *probe = (sw_fibre_probe){.system = system, .k = k};
  probe->memory = sw_carve_block(carve, probe);
  return probe->memory ? SW_OK : SW_ERR_MEMORY;
}

void sw_fibre_probe_close(sw_fibre_probe *probe)
{
  free(probe->memory);
  probe->memory = NULL;
}

/* Computes det N, log |det N| and the smallest |pivot| from the entries of N. */
static double determinant(sw_fibre_probe *s)
{
  const sw_pattern *pattern = &s->system->nondegeneracy_pattern;
  const int m = s->system->nc;
  double least = 0.0;
  double det = 1.0;

  s->pivot = 0.0;
  s->log_det = -INFINITY;
  sw_zero(s->dense, (size_t)m * (size_t)m);
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    const double noise = 64.0 * DBL_EPSILON * sw_bracket_terms(s->of_rho, i, s->g, j);
    sw_row(s->dense, m, j)[i] = fabs(s->N[e]) <= noise ? 0.0 : s->N[e];
  }
  if (m > 1 && sw_lu_factor(m, s->dense, s->exchange, &least) != 0) {
    return 0.0;
  }
  s->log_det = 0.0;
  for (int j = 0; j < m; j++) {
    const double pivot = fabs(sw_row(s->dense, m, j)[j]);
    s->log_det += log(pivot);
    s->pivot = j == 0 ? pivot : fmin(s->pivot, pivot);
    det *= sw_row(s->dense, m, j)[j] * (m > 1 && s->exchange[j] != j ? -1.0 : 1.0);
  }
  return det;
}

int sw_fibre_probe_at(sw_fibre_probe *s, const double z[])
{
  const sw_system *system = s->system;
  const int d = system->nq;

  system->hidden(system, z, s->k, s->rho);
  system->hidden_scale(system, z, s->k, s->scale);
  system->hidden_jac(system, z, s->k, s->slope);
  system->constraint_jac(system, z, s->k, s->jac);
  system->nondegeneracy(system, z, s->k, s->N);
  sw_gradients_of(&system->constraint_jac_pattern, s->jac, d, s->g);
  sw_gradients_of(&system->hidden_jac_pattern, s->slope, d, s->of_rho);
  const sw_sizes size = sw_larger_sizes(s->size, sw_sizes_of(system, z));
  const int finite = sw_scales(&system->hidden_jac_pattern, s->slope, d, size, s->scale, s->sums);
  s->det = determinant(s);
  return finite && isfinite(s->det) && isfinite(sw_max_abs((size_t)system->nc, s->rho));
}

/* out = the flow of constraint `index` from z with the multiplier lambda. */
static void sw_fibre_probe_flow(sw_fibre_probe *s, int index, const double z[], double lambda,
                                double out[])
{
  sw_zero(s->lambda, (size_t)s->system->nc);
  s->lambda[index] = lambda;
  s->system->fibre_flow(s->system, z, s->k, s->lambda, out);
}

/* ---- samples ---- */

static size_t fibre_walk_dimension(const sw_fibre_walk *w)
{
  return 2 * (size_t)w->probe->system->nq;
}

/* Adds a sample at z with the values of the probe. */
static int fibre_walk_add(sw_fibre_walk *w, double lambda, const double z[])
{
  const size_t dim = fibre_walk_dimension(w);

  if (w->count == w->room) {
    const int room = w->room > 0 ? 2 * w->room : FIRST_ROOM;
    sw_fibre_sample *sample = realloc(w->sample, (size_t)room * sizeof *sample);
    w->sample = sample ? sample : w->sample;
    double *states = realloc(w->states, (size_t)room * dim * sizeof *states);
    w->states = states ? states : w->states;
    if (!sample || !states) {
      return 0;
    }
    w->room = room;
  }
  w->sample[w->count] = (sw_fibre_sample){.lambda = lambda,
                                          .rho = w->probe->rho[w->index],
                                          .scale = w->probe->scale[w->index],
                                          .det = w->probe->det,
                                          .at = (size_t)w->count * dim};
  sw_copy(w->states + (size_t)w->count * dim, z, dim);
  w->count++;
  return 1;
}

static int by_lambda(const void *a, const void *b)
{
  const double x = ((const sw_fibre_sample *)a)->lambda;
  const double y = ((const sw_fibre_sample *)b)->lambda;

  return (x > y) - (x < y);
}

static void sort(sw_fibre_walk *w)
{
  qsort(w->sample, (size_t)w->count, sizeof *w->sample, by_lambda);
}

/* ---- the walk ---- */

/* Speed of the state along the flow, relative to the sizes; uses Dg of the probe. */
static double speed(const sw_fibre_walk *w, sw_sizes size)
{
  const sw_pattern *pattern = &w->probe->system->constraint_jac_pattern;
  double fastest = 0.0;

  for (int e = 0; e < pattern->entries; e++) {
    if (pattern->row[e] == w->index) {
      const double of = pattern->col[e] < w->probe->system->nq ? size.p : size.q;
      fastest = sw_larger_or_nan(fastest, fabs(w->probe->jac[e]) / of);
    }
  }
  return fastest;
}

/* The sizes for lengths, at the start. A half that is 0 gets the size of its displacement by the
 * slide to M^H, or by a unit of the multiplier. */
static sw_sizes first_sizes(const sw_fibre_walk *w, const double z[])
{
  const sw_fibre_probe *s = w->probe;
  const double det = s->system->nc == 1 ? s->det : 0.0;
  const double slide = det != 0.0 ? fabs(s->rho[w->index] / det) : 0.0;
  const double unit = slide > 0.0 ? slide : 1.0;
  sw_sizes size = sw_sizes_of(s->system, z);

  size.q = sw_nonzero_scale(size.q > 0.0 ? size.q : unit * s->g.p[w->index]);
  size.p = sw_nonzero_scale(size.p > 0.0 ? size.p : unit * s->g.q[w->index]);
  return size;
}

static void begin_field(sw_fibre_walk *w)
{
  const sw_pattern *pattern = &w->probe->system->constraint_jac_pattern;
  const int d = w->probe->system->nq;

  sw_zero(w->field, fibre_walk_dimension(w));
  for (int e = 0; e < pattern->entries; e++) {
    const int column = pattern->col[e];
    if (pattern->row[e] == w->index && column < d) {
      w->field[d + column] -= w->probe->jac[e] / (w->size.p * w->size.p);
    } else if (pattern->row[e] == w->index) {
      w->field[column - d] += w->probe->jac[e] / (w->size.q * w->size.q);
    }
  }
}

/* Signed position of a state relative to the start, along the field there. */
static double side(const sw_fibre_walk *w, const double z[])
{
  double sum = 0.0;

  for (size_t i = 0; i < fibre_walk_dimension(w); i++) {
    sum += w->field[i] * (z[i] - w->states[i]);
  }
  return sum;
}

/* Tests whether the flow passes its start between the last sample x and a multiplier `by` after it.
 * If it does, w->last is the multiplier of the start. */
static int returns(sw_fibre_walk *w, const double x[], double from, double by)
{
  const size_t d = fibre_walk_dimension(w) / 2;
  double low = 0.0;
  double high = by;

  for (int i = 0; i < BISECTIONS && low < high; i++) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) {
      break;
    }
    sw_fibre_probe_flow(w->probe, w->index, x, middle, w->y);
    if (side(w, w->y) < 0.0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  sw_fibre_probe_flow(w->probe, w->index, x, high, w->y);
  w->last = from + high;
  return sw_sizes_relative(sw_sizes_between(d, w->states, w->y), w->size) <= same_state;
}

/* Walks in one direction. Sets is_closed if the flow returns to its start. */
static sw_status fibre_walk_follow(sw_fibre_walk *w, const double z[], double way, double range,
                                   double *end)
{
  sw_fibre_probe *s = w->probe;
  double before = 0.0; /* signed position of the last sample */
  double length = 0.0;

  *end = 0.0;
  sw_copy(w->x, z, fibre_walk_dimension(w));
  while (length < range && w->count < MOST_SAMPLES) {
    const sw_sizes now = sw_sizes_of(s->system, w->x);
    const sw_sizes size = sw_larger_sizes(w->size, now);
    const double rate = sw_fibre_probe_at(s, w->x) ? speed(w, size) : 0.0;
    if (!(rate > 0.0) || now.q > SW_FIBRE_GROWTH * w->size.q ||
        now.p > SW_FIBRE_GROWTH * w->size.p) {
      break;
    }
    const double by = way * SW_FIBRE_STEP / rate;
    sw_fibre_probe_flow(s, w->index, w->x, by, w->y);
    if (!isfinite(sw_max_abs(fibre_walk_dimension(w), w->y)) || !sw_fibre_probe_at(s, w->y)) {
      break;
    }
    const double now_at = side(w, w->y);
    if (way > 0.0 && before < 0.0 && now_at >= 0.0) {
      w->is_closed = returns(w, w->x, *end, by);
      if (w->is_closed) {
        w->is_bounded = 1;
        return SW_OK;
      }
      sw_fibre_probe_flow(s, w->index, w->x, by, w->y);
      (void)sw_fibre_probe_at(s, w->y);
    }
    before = now_at;
    *end += by;
    length += SW_FIBRE_STEP;
    if (!fibre_walk_add(w, *end, w->y)) {
      return SW_ERR_MEMORY;
    }
    sw_copy(w->x, w->y, fibre_walk_dimension(w));
  }
  w->is_bounded &= length >= range;
  return SW_OK;
}

sw_status sw_fibre_walk_open(sw_fibre_probe *probe, int index, const double z[], double range,
                             sw_fibre_walk *walk)
{
  const size_t dim = 2 * (size_t)probe->system->nq;

  *walk = (sw_fibre_walk){.probe = probe, .index = index, .is_bounded = 1};
  walk->x = calloc(3 * dim, sizeof *walk->x);
  if (!walk->x) {
    return SW_ERR_MEMORY;
  }
  walk->y = walk->x + dim;
  walk->field = walk->y + dim;
  if (!sw_fibre_probe_at(probe, z)) {
    return SW_ERR_NOT_FINITE;
  }
  walk->size = first_sizes(walk, z);
  probe->size = sw_larger_sizes(probe->size, walk->size);
  begin_field(walk);
  if (!fibre_walk_add(walk, 0.0, z)) {
    return SW_ERR_MEMORY;
  }
  double end = 0.0;
  sw_status status = fibre_walk_follow(walk, z, 1.0, range, &end);
  if (status == SW_OK && !walk->is_closed) {
    walk->last = end;
    status = fibre_walk_follow(walk, z, -1.0, range, &walk->first);
    sort(walk);
  }
  return status;
}

void sw_fibre_walk_close(sw_fibre_walk *walk)
{
  free(walk->sample);
  free(walk->states);
  free(walk->x);
  *walk = (sw_fibre_walk){0};
}

/* The next sample among the first `count` samples. */
static const sw_fibre_sample *next_of(const sw_fibre_walk *w, int count, int i, double *lambda)
{
  const int is_last = i + 1 == count;

  if (is_last && !w->is_closed) {
    return NULL;
  }
  *lambda = is_last ? w->last : w->sample[i + 1].lambda;
  return &w->sample[is_last ? 0 : i + 1];
}

const sw_fibre_sample *sw_fibre_walk_next(const sw_fibre_walk *w, int i, double *lambda)
{
  return next_of(w, w->count, i, lambda);
}

/* 1 if the probe's values, in the middle between samples a and b at the distance h, agree with the
 * cubic through the values and slopes of a and b. */
static int is_cubic(const sw_fibre_walk *w, const sw_fibre_sample *a, const sw_fibre_sample *b,
                    double h, double most_rho, double most_det)
{
  const double rho = w->probe->rho[w->index];
  const double det = w->probe->det;
  const double off_rho = rho - 0.5 * (a->rho + b->rho) - 0.125 * h * (a->det - b->det);
  const double off_det = det - 1.5 * (b->rho - a->rho) / h + 0.25 * (a->det + b->det);
  const double size_rho = fmax(fabs(rho), fmax(fabs(a->rho), fabs(b->rho)));
  const double size_det = fmax(fabs(det), fmax(fabs(a->det), fabs(b->det)));

  return fabs(off_rho) <= 1e-3 * size_rho + 1e-6 * most_rho &&
         fabs(off_det) <= 1e-2 * size_det + 1e-5 * most_det;
}

/* Adds the midpoints of all intervals that are not yet resolved. *left: the number of unresolved
 * intervals. */
static sw_status refine_once(sw_fibre_walk *w, double most_rho, double most_det, int *left)
{
  const int count = w->count;

  *left = 0;
  for (int i = 0; i < count; i++) {
    double to = 0.0;
    const sw_fibre_sample a = w->sample[i];
    const sw_fibre_sample *next = a.is_fine ? NULL : next_of(w, count, i, &to);
    w->sample[i].is_fine = 1;
    const double h = to - a.lambda;
    if (!next || !(h > 0.0)) {
      continue;
    }
    const sw_fibre_sample b = *next;
    sw_fibre_probe_flow(w->probe, w->index, w->states + a.at, 0.5 * h, w->y);
    if (!sw_fibre_probe_at(w->probe, w->y)) {
      continue;
    }
    const int is_fine = is_cubic(w, &a, &b, h, most_rho, most_det);
    w->sample[i].is_fine = is_fine;
    *left += !is_fine;
    if (!fibre_walk_add(w, a.lambda + 0.5 * h, w->y)) {
      return SW_ERR_MEMORY;
    }
    w->sample[w->count - 1].is_fine = is_fine;
  }
  sort(w);
  return SW_OK;
}

sw_status sw_fibre_walk_refine(sw_fibre_walk *w)
{
  double most_rho = 0.0;
  double most_det = 0.0;
  int left = 1;
  sw_status status = SW_OK;

  for (int i = 0; i < w->count; i++) {
    most_rho = fmax(most_rho, fabs(w->sample[i].rho));
    most_det = fmax(most_det, fabs(w->sample[i].det));
  }
  for (int round = 0; round < ROUNDS && left > 0 && status == SW_OK && w->count < MOST_SAMPLES;
       round++) {
    status = refine_once(w, most_rho, most_det, &left);
  }
  return status;
}

double sw_fibre_walk_zero(sw_fibre_walk *w, int i, sw_fibre_value of, double low, double high,
                          double from_low)
{
  const sw_fibre_sample *from = &w->sample[i];
  sw_fibre_probe *s = w->probe;
  double found = low;

  for (int step = 0; step < BISECTIONS; step++) {
    found = 0.5 * (low + high);
    sw_fibre_probe_flow(s, w->index, w->states + from->at, found - from->lambda, w->y);
    const int is_known = sw_fibre_probe_at(s, w->y);
    const double value = of == SW_FIBRE_RHO ? s->rho[w->index] : s->det;
    if (!is_known || found <= low || found >= high || value == 0.0) {
      break;
    }
    if ((value < 0.0) == (from_low < 0.0)) {
      low = found;
    } else {
      high = found;
    }
  }
  return found;
}
