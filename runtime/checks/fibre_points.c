/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/fibre_points.h"

#include <stdlib.h>

#include "common/carver.h"
#include "linear/dense.h"

enum { STARTS = 512, MOST_STARTS = 16 * STARTS, MOST_ITERATIONS = 60, FIRST_ROOM = 16 };

/* rho counts as 0 below zero_rho times its scale, and N below zero_det times its terms. */
static const double zero_rho = 1e-12;
static const double zero_det = 1e-8;
/* States closer than same_point are one point. A zero of rho closer than near_degenerate to a
 * degenerate point is that point. */
static const double same_point = 1e-7;
static const double near_degenerate = 1e-5;
/* Half a turn. With several constraints, each flow is searched for det N = 0 over this length; an
 * open flow is searched for points over twice this length in both directions. */
static const double half_turn = 3.141592653589793;

static double *sigma_of(const sw_fibre_points *f, int i)
{
  return f->sigma + (size_t)i * (size_t)f->m;
}

static double *state_of(const sw_fibre_points *f, int i)
{
  return f->z + (size_t)i * f->dim;
}

static int fibre_points_grow(sw_fibre_points *f)
{
  const size_t room = f->room > 0 ? 2 * (size_t)f->room : FIRST_ROOM;
  sw_fibre_point *point = realloc(f->point, room * sizeof *point);
  f->point = point ? point : f->point;
  double *sigma = realloc(f->sigma, room * (size_t)f->m * sizeof *sigma);
  f->sigma = sigma ? sigma : f->sigma;
  double *z = realloc(f->z, room * f->dim * sizeof *z);
  f->z = z ? z : f->z;
  f->room = point && sigma && z ? (int)room : f->room;
  return point && sigma && z;
}

/* Adds a point with the determinant of the probe. Returns 0 if memory runs out. */
static int fibre_points_add(sw_fibre_points *f, const double sigma[], const double z[], double det,
                            int is_degenerate)
{
  if (f->count == f->room && !fibre_points_grow(f)) {
    return 0;
  }
  f->point[f->count] = (sw_fibre_point){det, is_degenerate, is_degenerate ? 0.0 : INFINITY};
  sw_copy(sigma_of(f, f->count), sigma, (size_t)f->m);
  sw_copy(state_of(f, f->count), z, f->dim);
  f->count++;
  return 1;
}

static void take_out(sw_fibre_points *f, int i)
{
  f->count--;
  for (int j = i; j < f->count; j++) {
    f->point[j] = f->point[j + 1];
    sw_copy(sigma_of(f, j), sigma_of(f, j + 1), (size_t)f->m);
    sw_copy(state_of(f, j), state_of(f, j + 1), f->dim);
  }
}

static double states_apart(const sw_fibre_points *f, const double a[], const double b[])
{
  const size_t d = f->dim / 2;
  const sw_sizes of_both = {fmax(sw_max_abs(d, a), sw_max_abs(d, b)),
                            fmax(sw_max_abs(d, a + d), sw_max_abs(d, b + d))};

  return sw_sizes_relative(sw_sizes_between(d, a, b), sw_larger_sizes(of_both, f->size));
}

int sw_fibre_points_at(const sw_fibre_points *f, const double z[])
{
  int nearest = -1;
  double least = near_degenerate;

  for (int i = 0; i < f->count; i++) {
    const double apart = states_apart(f, state_of(f, i), z);
    if (apart <= least) {
      nearest = i;
      least = apart;
    }
  }
  return nearest;
}

/* ---- one constraint ---- */

/* An interval of the walk between neighbouring samples or zeros of det N, on which rho is
 * monotonic. */
typedef struct piece {
  int sample;
  double low;
  double high;
  double rho_low;
  double rho_high;
} piece;

static sw_status find_in_piece(sw_fibre_points *f, sw_fibre_walk *w, const piece *p)
{
  if ((p->rho_low < 0.0) == (p->rho_high < 0.0)) {
    return SW_OK;
  }
  const double at = sw_fibre_walk_zero(w, p->sample, SW_FIBRE_RHO, p->low, p->high, p->rho_low);
  const sw_fibre_probe *s = w->probe;
  const int is_degenerate = fabs(s->det) <= zero_det * sw_bracket_terms(s->of_rho, 0, s->g, 0);

  return fibre_points_add(f, &at, w->y, s->det, is_degenerate) ? SW_OK : SW_ERR_MEMORY;
}

/* Finds and stores the zero of det N between sample i and the next, and finds the points on both
 * sides of it. */
static sw_status find_around_zero(sw_fibre_points *f, sw_fibre_walk *w, piece whole)
{
  const sw_fibre_probe *s = w->probe;
  const double det = w->sample[whole.sample].det;
  const double at = sw_fibre_walk_zero(w, whole.sample, SW_FIBRE_DET, whole.low, whole.high, det);
  const double rho = s->rho[0];
  double *zero = realloc(f->zero, ((size_t)f->zeros + 1) * sizeof *zero);
  if (!zero) {
    return SW_ERR_MEMORY;
  }
  f->zero = zero;
  f->zero[f->zeros++] = at;
  if (fabs(rho) <= zero_rho * s->scale[0]) {
    return fibre_points_add(f, &at, w->y, s->det, 1) ? SW_OK : SW_ERR_MEMORY;
  }
  const piece before = {whole.sample, whole.low, at, whole.rho_low, rho};
  const piece behind = {whole.sample, at, whole.high, rho, whole.rho_high};
  const sw_status status = find_in_piece(f, w, &before);
  return status == SW_OK ? find_in_piece(f, w, &behind) : status;
}

/* Length of the shorter arc between a and b on a closed flow. */
static double way(const sw_fibre_walk *w, double a, double b)
{
  const double apart = fabs(a - b);

  return w->is_closed ? fmin(apart, fabs(w->last - apart)) : apart;
}

/* Near a degenerate point the sign of rho is round-off; zeros there are merged into the degenerate
 * point. */
static void merge_degenerate(sw_fibre_points *f)
{
  for (int i = 0; i < f->count; i++) {
    for (int j = f->count - 1; f->point[i].is_degenerate && j >= 0; j--) {
      if (j != i && states_apart(f, state_of(f, i), state_of(f, j)) <= near_degenerate) {
        take_out(f, j);
        i -= j < i;
      }
    }
  }
}

/* Maps multipliers of a closed fibre to the shorter arc from the state, and sorts all points. */
static void fibre_points_arrange(sw_fibre_points *f, const sw_fibre_walk *w)
{
  const double half = 0.5 * w->last;

  for (int i = 0; i < f->count + f->zeros && w->is_closed; i++) {
    double *at = i < f->count ? sigma_of(f, i) : &f->zero[i - f->count];
    *at -= *at > half ? w->last : 0.0;
  }
  for (int i = 1; i < f->zeros; i++) {
    for (int j = i; j > 0 && f->zero[j] < f->zero[j - 1]; j--) {
      const double moved = f->zero[j];
      f->zero[j] = f->zero[j - 1];
      f->zero[j - 1] = moved;
    }
  }
  for (int i = 1; i < f->count; i++) {
    for (int j = i; j > 0 && *sigma_of(f, j) < *sigma_of(f, j - 1); j--) {
      const sw_fibre_point point = f->point[j];
      f->point[j] = f->point[j - 1];
      f->point[j - 1] = point;
      for (size_t c = 0; c <= f->dim; c++) {
        double *a = c < f->dim ? state_of(f, j) + c : sigma_of(f, j);
        double *b = c < f->dim ? state_of(f, j - 1) + c : sigma_of(f, j - 1);
        const double moved = *a;
        *a = *b;
        *b = moved;
      }
    }
  }
  for (int i = 0; i < f->count; i++) {
    for (int j = 0; j < f->zeros && !f->point[i].is_degenerate; j++) {
      f->point[i].distance = fmin(f->point[i].distance, way(w, *sigma_of(f, i), f->zero[j]));
    }
  }
}

static sw_status fibre_points_find_along(sw_fibre_points *f, sw_fibre_walk *w)
{
  sw_status status = sw_fibre_walk_refine(w);

  f->is_constant = 1;
  for (int i = 0; i < w->count; i++) {
    f->is_constant &= fabs(w->sample[i].rho) <= zero_rho * w->sample[i].scale;
  }
  for (int i = 0; i < w->count && status == SW_OK && !f->is_constant; i++) {
    piece whole = {.sample = i, .low = w->sample[i].lambda, .rho_low = w->sample[i].rho};
    const sw_fibre_sample *next = sw_fibre_walk_next(w, i, &whole.high);
    if (next) {
      whole.rho_high = next->rho;
      status = (w->sample[i].det < 0.0) != (next->det < 0.0) ? find_around_zero(f, w, whole)
                                                             : find_in_piece(f, w, &whole);
    }
  }
  merge_degenerate(f);
  fibre_points_arrange(f, w);
  return status;
}

static sw_status find_on_curve(sw_fibre_points *f, sw_fibre_probe *probe, const double z[],
                               double range)
{
  sw_fibre_walk walk;
  sw_status status = sw_fibre_walk_open(probe, 0, z, range, &walk);

  if (status == SW_OK) {
    f->size = walk.size;
    f->turn[0] = (sw_fibre_turn){walk.is_closed, walk.is_bounded,
                                 walk.is_closed ? -0.5 * walk.last : walk.first,
                                 walk.is_closed ? 0.5 * walk.last : walk.last};
    status = fibre_points_find_along(f, &walk);
  }
  sw_fibre_walk_close(&walk);
  return status;
}

/* ---- several constraints ---- */

/* Newton's method for rho(Gamma_sigma(z)) = 0. */
typedef struct search {
  sw_fibre_probe *probe;
  const double *z;
  double *sigma;    /* m */
  double *x;        /* 2d: Gamma_sigma(z) */
  double *y;        /* 2d */
  double *change;   /* m */
  double *by_sigma; /* values of dGamma/dsigma */
  double *columns;  /* 2d x m: dense dGamma/dsigma */
  double *J;        /* m x m */
  double *factors;  /* m x m */
} search;

static void carve(sw_carver *c, void *of)
{
  search *s = of;
  const sw_system *system = s->probe->system;
  const size_t m = (size_t)system->nc;
  const size_t dim = 2 * (size_t)system->nq;

  SW_CARVE(c, m, 1, &s->sigma, &s->change);
  SW_CARVE(c, dim, 1, &s->x, &s->y);
  s->by_sigma = sw_carve(c, (size_t)system->fibre_flow_lambda_pattern.entries, 1);
  s->columns = sw_carve(c, dim, m);
  SW_CARVE(c, m, m, &s->J, &s->factors);
}

/* change = -(d rho/d sigma)^{-1} rho. Returns 0 if the matrix is singular. */
static int find_change(search *s)
{
  const sw_system *system = s->probe->system;
  const sw_pattern *pattern = &system->fibre_flow_lambda_pattern;
  const int m = system->nc;
  double least = 0.0;

  system->fibre_flow_lambda(system, s->z, s->probe->k, s->sigma, s->by_sigma);
  sw_zero(s->columns, 2 * (size_t)system->nq * (size_t)m);
  for (int e = 0; e < pattern->entries; e++) {
    sw_row(s->columns, m, pattern->row[e])[pattern->col[e]] = s->by_sigma[e];
  }
  sw_multiply(&system->hidden_jac_pattern, s->probe->slope, m, s->columns, s->J);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      sw_row(s->factors, m, j)[i] = sw_row(s->J, m, i)[j];
    }
    s->change[i] = -s->probe->rho[i];
  }
  if (sw_lu_factor(m, s->factors, s->probe->exchange, &least) != 0) {
    return 0;
  }
  sw_lu_solve(m, s->factors, s->probe->exchange, s->change);
  return isfinite(sw_max_abs((size_t)m, s->change));
}

static int fibre_points_evaluate(search *s)
{
  const sw_system *system = s->probe->system;

  system->fibre_flow(system, s->z, s->probe->k, s->sigma, s->x);
  return isfinite(sw_max_abs(2 * (size_t)system->nq, s->x)) && sw_fibre_probe_at(s->probe, s->x);
}

static int fibre_points_is_zero(const search *s)
{
  int zero = 1;

  for (int i = 0; i < s->probe->system->nc; i++) {
    zero &= fabs(s->probe->rho[i]) <= zero_rho * s->probe->scale[i];
  }
  return zero;
}

/* Iterates from s->sigma. A step changes no multiplier by more than a quarter of the range. Returns
 * 1 at a zero. */
static int converge(search *s, const sw_fibre_turn turn[])
{
  const int m = s->probe->system->nc;
  int was_zero = 0;

  for (int iteration = 0; iteration < MOST_ITERATIONS && fibre_points_evaluate(s); iteration++) {
    const int zero = fibre_points_is_zero(s);
    if (zero && was_zero) {
      return 1;
    }
    was_zero = zero;
    if (!find_change(s)) {
      return zero;
    }
    double shrink = 1.0;
    for (int i = 0; i < m; i++) {
      const double most = 0.25 * (turn[i].last - turn[i].first);
      shrink = fabs(s->change[i]) > most ? fmin(shrink, most / fabs(s->change[i])) : shrink;
    }
    sw_add_scaled(m, shrink, s->change, s->sigma);
  }
  return 0;
}

/* Removes full turns from the multipliers if the state stays the same, as it does for commuting
 * flows. */
static void wrap(const sw_fibre_points *f, search *s)
{
  const sw_system *system = s->probe->system;

  sw_copy(s->change, s->sigma, (size_t)f->m);
  for (int i = 0; i < f->m; i++) {
    const double length = f->turn[i].last - f->turn[i].first;
    s->change[i] -= f->turn[i].is_closed ? length * round(s->sigma[i] / length) : 0.0;
  }
  system->fibre_flow(system, s->z, s->probe->k, s->change, s->y);
  if (states_apart(f, s->x, s->y) <= same_point) {
    sw_copy(s->sigma, s->change, (size_t)f->m);
  }
}

static sw_status search_from(sw_fibre_points *f, search *s)
{
  if (!converge(s, f->turn)) {
    return SW_OK;
  }
  wrap(f, s);
  for (int i = 0; i < f->count; i++) {
    if (states_apart(f, s->x, state_of(f, i)) <= same_point) {
      return SW_OK;
    }
  }
  return fibre_points_add(f, s->sigma, s->x, s->probe->det, s->probe->det == 0.0) ? SW_OK
                                                                                  : SW_ERR_MEMORY;
}

/* The multipliers of the first turn of each constraint's flow. */
static sw_status find_turns(sw_fibre_points *f, sw_fibre_probe *probe, const double z[],
                            double range)
{
  sw_status status = SW_OK;

  for (int i = 0; i < f->m && status == SW_OK; i++) {
    sw_fibre_walk w;
    sw_fibre_turn *turn = &f->turn[i];
    status = sw_fibre_walk_open(probe, i, z, range, &w);
    f->size = sw_larger_sizes(f->size, w.size);
    if (status == SW_OK && w.is_closed) {
      *turn = (sw_fibre_turn){1, 1, -0.5 * w.last, 0.5 * w.last};
    } else if (status == SW_OK) {
      const int around = (int)(2.0 * half_turn / SW_FIBRE_STEP);
      int start = 0;
      while (w.sample[start].lambda < 0.0) {
        start++;
      }
      *turn = (sw_fibre_turn){0, w.is_bounded, w.sample[sw_larger_int(start - around, 0)].lambda,
                              w.sample[sw_smaller_int(start + around, w.count - 1)].lambda};
    }
    sw_fibre_walk_close(&w);
  }
  return status;
}

/* Start n of Newton's method: points that fill the box of the first turns evenly (the additive
 * recurrence with powers of the root of x^(m+1) = x + 1). After STARTS points the box has twice the
 * size. */
static void fibre_points_place(const sw_fibre_points *f, int n, double sigma[])
{
  const double size = n < STARTS ? 1.0 : 2.0;
  double root = 2.0;
  double power = 1.0;

  for (int i = 0; i < 60; i++) {
    root = pow(1.0 + root, 1.0 / (f->m + 1));
  }
  for (int i = 0; i < f->m; i++) {
    double whole = 0.0;
    power /= root;
    const double part = modf(0.5 + n * power, &whole);
    sigma[i] = size * (f->turn[i].first + part * (f->turn[i].last - f->turn[i].first));
  }
}

/* The distance of a point from det N = 0 along the flow of one constraint. */
static sw_status measure_along(sw_fibre_probe *probe, int index, const double z[], double *distance)
{
  sw_fibre_walk w;
  const sw_status status = sw_fibre_walk_open(probe, index, z, half_turn, &w);

  for (int i = 0; i < w.count && status == SW_OK; i++) {
    double high = 0.0;
    const sw_fibre_sample *next = sw_fibre_walk_next(&w, i, &high);
    const double low = w.sample[i].lambda;
    if (next && (w.sample[i].det < 0.0) != (next->det < 0.0)) {
      const double at = sw_fibre_walk_zero(&w, i, SW_FIBRE_DET, low, high, w.sample[i].det);
      *distance = fmin(*distance, way(&w, at, 0.0));
    }
  }
  sw_fibre_walk_close(&w);
  return status;
}

int sw_fibre_points_sum(const sw_fibre_points *f)
{
  int sum = 0;

  for (int i = 0; i < f->m; i++) {
    if (!f->turn[i].is_bounded) {
      return 0;
    }
  }
  for (int i = 0; i < f->count; i++) {
    if (f->point[i].is_degenerate) {
      return 0;
    }
    sum += f->point[i].det < 0.0 ? -1 : 1;
  }
  return sum;
}

static sw_status find_in_box(sw_fibre_points *f, sw_fibre_probe *probe, const double z[],
                             double range)
{
  search s = {.probe = probe, .z = z};
  void *memory = sw_carve_block(carve, &s);
  sw_status status = memory ? find_turns(f, probe, z, range) : SW_ERR_MEMORY;
  int latest = -1; /* the start that led to the last new point */
  for (int n = -1; status == SW_OK && n < MOST_STARTS; n++) {
    const int count = f->count;
    if (n - latest > STARTS && sw_fibre_points_sum(f) == 0) {
      break;
    }
    if (n < 0) {
      sw_zero(s.sigma, (size_t)f->m); /* the start of RATTLE's slide */
    } else {
      fibre_points_place(f, n, s.sigma);
    }
    status = search_from(f, &s);
    latest = f->count > count ? n : latest;
  }
  for (int i = 0; i < f->count && status == SW_OK; i++) {
    for (int j = 0; j < f->m && status == SW_OK && !f->point[i].is_degenerate; j++) {
      status = measure_along(probe, j, state_of(f, i), &f->point[i].distance);
    }
  }
  free(memory);
  return status;
}

sw_status sw_fibre_points_find(const sw_system *system, const double k[], const double z[],
                               double range, sw_fibre_points *f)
{
  sw_fibre_probe probe = {.memory = NULL};

  *f = (sw_fibre_points){.m = system->nc, .dim = 2 * (size_t)system->nq};
  f->turn = calloc((size_t)system->nc, sizeof *f->turn);
  sw_status status = f->turn ? sw_fibre_probe_open(system, k, &probe) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    status = f->m == 1 ? find_on_curve(f, &probe, z, range) : find_in_box(f, &probe, z, range);
  }
  sw_fibre_probe_close(&probe);
  return status;
}

void sw_fibre_points_close(sw_fibre_points *f)
{
  free(f->point);
  free(f->sigma);
  free(f->z);
  free(f->turn);
  free(f->zero);
  *f = (sw_fibre_points){0};
}
