/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic_loops.h"

#include <math.h>
#include <stdatomic.h>

#include "common/processor.h"
#include "common/shared_vectors.h"

/* Arguments of a loop for its threads; each loop uses some members. The struct is small, because
 * every loop of every step initialises one. Two loops have larger structs of their own. */
typedef struct loop {
  sw_holonomic *s;
  const sw_frame *of;
  const double *x;
  const double *y;
  const double *force;
  double *out;
  double *sizes;
  double factor;
  double kick;
} loop;

static const sw_holonomic_plan *plan_of(const loop *l)
{
  return &l->s->plan->fast;
}

static const int *columns(const loop *l)
{
  return l->s->system->constraint_jac_pattern.col;
}

/* ---- frames ---- */

/* The slope for a diagonal H_pp, and the sums of a frame. */
static inline void slope_rows(const sw_run *run, int width, int is_dense, const int col[],
                              const double mass[], const sw_frame *frame)
{
  const double *jac = frame->jac + run->entry;
  const int *place = col + run->entry;
  double *slope = frame->slope + run->entry;
  int dense = run->col;

  for (int i = run->first; i < run->end;
       i++, jac += width, place += width, slope += width, dense += run->step) {
    sw_frame_sums sums = {{0.0, 0.0}, {0.0, 0.0}};
    for (int t = 0; t < width && sw_run_is_paired(width, is_dense); t += 2) {
      sw_pair_put(slope + t,
                  sw_frame_slope(&sums, sw_pair_at(mass + dense + t), sw_pair_at(jac + t)));
    }
    for (int t = 0; t < width && !sw_run_is_paired(width, is_dense); t++) {
      const double entry = mass[sw_run_column(is_dense, dense, place, t)];
      slope[t] = sw_frame_slope(&sums, (sw_pair){entry, 0.0}, (sw_pair){jac[t], 0.0})[0];
    }
    frame->sums[i] = sw_pair_sum(sums.jac);
    frame->slope_sums[i] = sw_pair_sum(sums.slope);
  }
}

SW_FOR_EACH_PROCESSOR static void diagonal_frame(void *context, size_t first, size_t end)
{
  const loop *l = context;

  SW_ALONG_ROWS(&plan_of(l)->jac_runs, (int)first, (int)end, slope_rows, columns(l), l->s->mass,
                l->of)
}

static inline void frame_sizes(void *context, size_t first, size_t end)
{
  const loop *l = context;

  SW_ALONG_ROWS(&plan_of(l)->jac_runs, (int)first, (int)end, sw_size_rows, l->of->jac, l->of->sums)
  SW_ALONG_ROWS(&plan_of(l)->slope_runs, (int)first, (int)end, sw_size_rows, l->of->slope,
                l->of->slope_sums)
}

void sw_loop_frame(sw_holonomic *s, sw_frame *frame)
{
  const sw_holonomic_plan *plan = &s->plan->fast;
  loop l = {.s = s, .of = frame};

  if (sw_mass_is_diagonal(&plan->mass)) {
    sw_along_rows(s, diagonal_frame, &l);
  } else {
    sw_product_values(&plan->drift, frame->jac, s->mass, frame->slope);
    sw_along_rows(s, frame_sizes, &l);
  }
}

/* ---- positions and momenta ---- */

SW_FOR_EACH_PROCESSOR static void velocity(void *context, size_t first, size_t end)
{
  const loop *l = context;

  for (size_t i = first; i < end; i++) {
    l->out[i] = l->s->mass[i] * l->x[i];
  }
}

void sw_loop_velocity(sw_holonomic *s, const double p[])
{
  loop l = {.s = s, .x = p, .out = s->velocity};

  sw_along_positions(s, velocity, &l);
}

typedef struct drift {
  sw_holonomic *s;
  const double *force;
  const double *velocity; /* NULL if the velocity is H_pp p_half */
  double kick;
  sw_most most_velocity;
  sw_most most_force;
} drift;

SW_FOR_EACH_PROCESSOR static void kick_and_drift(void *context, size_t first, size_t end)
{
  drift *l = context;
  const sw_holonomic *s = l->s;
  const double *z0 = s->step->z0;
  const double h = s->step->h;
  const size_t d = (size_t)s->system->nq;
  const double by = l->kick;
  const double *force = l->force;
  const double *mass = s->mass;
  double *restrict half_kicked = s->z1 + d;
  double *restrict moved = s->free;
  uint64_t most_force = 0;
  uint64_t most_velocity = 0;

  for (size_t i = first; i < end; i++) {
    const double half = by != 0.0 ? z0[d + i] - by * force[i] : z0[d + i];
    const double v = l->velocity ? l->velocity[i] : mass[i] * half;
    half_kicked[i] = half;
    moved[i] = z0[i] + h * v;
    most_force = sw_larger_bits(most_force, sw_size_bits(force[i]));
    most_velocity = sw_larger_bits(most_velocity, sw_size_bits(v));
  }
  sw_most_meet(&l->most_velocity, most_velocity);
  sw_most_meet(&l->most_force, most_force);
}

sw_sizes sw_loop_kick_and_drift(sw_holonomic *s, const double force[], const double v[])
{
  const double h = fabs(s->step->h);
  drift l = {.s = s,
             .force = force,
             .velocity = v,
             .kick = sw_first_kick(s),
             .most_velocity = sw_most_by(s->system->team),
             .most_force = sw_most_by(s->system->team)};

  sw_along_positions(s, kick_and_drift, &l);
  return (sw_sizes){h * sw_most_of(&l.most_velocity), h * sw_most_of(&l.most_force)};
}

/* to[j] += factor A_ij x_i for the positions j = first .. end-1. Only the full range is possible if
 * the runs are not sorted. */
static SW_INLINE_FOR_EACH void holonomic_loops_add_columns(const loop *l, const sw_runs *runs,
                                                           const int col[], const double a[],
                                                           size_t first, size_t end)
{
  if (end - first == (size_t)l->s->system->nq) {
    SW_ALONG_ROWS(runs, 0, l->s->plan->m, sw_add_rows, col, a, l->factor, l->x, l->out)
  } else {
    sw_add_columns(runs, col, a, l->factor, l->x, (int)first, (int)end, l->out);
  }
}

/* Each thread gets a range of positions if the rows that touch them are easy to find; otherwise one
 * thread does all. */
static void along_columns(loop *l, const sw_runs *runs, sw_range_job *job)
{
  if (l->s->system->team == NULL || sw_runs_rise(runs)) {
    sw_along_positions(l->s, job, l);
  } else {
    job(l, 0, (size_t)l->s->system->nq);
  }
}

SW_FOR_EACH_PROCESSOR static void positions(void *context, size_t first, size_t end)
{
  const loop *l = context;
  const sw_holonomic *s = l->s;
  const double by = -s->step->h * s->step->h;
  double *q1 = l->out;

  sw_zero(q1 + first, end - first);
  holonomic_loops_add_columns(l, sw_slope_runs(plan_of(l)),
                              sw_slope_pattern(plan_of(l), s->system)->col, s->start.slope, first,
                              end);
  for (size_t i = first; i < end; i++) {
    q1[i] = s->free[i] + by * q1[i];
  }
}

void sw_loop_positions(sw_holonomic *s, const double lambda[])
{
  loop l = {.s = s, .x = lambda, .factor = 1.0, .out = s->z1};

  if (lambda) {
    along_columns(&l, sw_slope_runs(plan_of(&l)), positions);
  } else {
    sw_share_copy(s->system->team, s->z1, s->free, (size_t)s->system->nq);
  }
}

SW_FOR_EACH_PROCESSOR static void momenta(void *context, size_t first, size_t end)
{
  const loop *l = context;

  holonomic_loops_add_columns(l, &plan_of(l)->jac_runs, columns(l), l->of->jac, first, end);
  const double by = l->kick;
  const double *force = l->force;
  double *restrict p = l->out;
  for (size_t i = first; i < end && force; i++) {
    p[i] -= by * force[i];
  }
}

void sw_loop_momenta(sw_holonomic *s, const sw_frame *frame, double factor, const double x[],
                     double by_force, const double force[])
{
  loop l = {.s = s,
            .of = frame,
            .x = x,
            .factor = factor,
            .kick = by_force,
            .force = force,
            .out = s->z1 + s->system->nq};

  along_columns(&l, &plan_of(&l)->jac_runs, momenta);
}

/* ---- rows ---- */

typedef struct correction {
  const double *from;
  const double *change;
  double *to;
} correction;

SW_FOR_EACH_PROCESSOR static void correct(void *context, size_t first, size_t end)
{
  const correction *c = context;
  const double *from = c->from;
  const double *change = c->change;
  double *restrict to = c->to;

  for (size_t i = first; i < end; i++) {
    to[i] = (from ? from[i] : 0.0) - change[i];
  }
}

void sw_loop_correct(const sw_holonomic *s, const double from[], const double change[], double to[])
{
  correction c = {from, change, to};

  sw_along_rows(s, correct, &c);
}

SW_FOR_EACH_PROCESSOR static void rates(void *context, size_t first, size_t end)
{
  const loop *l = context;

  SW_ALONG_ROWS(&plan_of(l)->jac_runs, (int)first, (int)end, sw_multiply_rows, columns(l), l->y,
                l->x, l->out, l->sizes)
}

void sw_loop_rates(sw_holonomic *s, const double a[], const double v[], double to[],
                   double term_sizes[])
{
  loop l = {.s = s, .y = a, .x = v, .out = to, .sizes = term_sizes};

  sw_along_rows(s, rates, &l);
}

typedef struct scales {
  sw_holonomic *s;
  const sw_scale_terms *of;
  double *sums;
  double *scale;
  atomic_int is_bad;
} scales;

static inline void scale_of_rows(const sw_run *run, int width, int is_dense, const scales *l,
                                 int *finite)
{
  const sw_scale_terms *t = l->of;
  const double by_a = t->by_a;
  const double by_rows = t->by_rows;
  const double *value = t->rows + run->entry;

  (void)is_dense;
  for (int i = run->first; i < run->end; i++, value += width) {
    double size = 0.0;
    for (int e = 0; e < width; e++) {
      size += fabs(value[e]);
    }
    l->sums[i] = t->a[i] * by_a + size * by_rows;
    *finite &= sw_larger_scale(l->sums[i], t->own[i], &l->scale[i]);
  }
}

SW_FOR_EACH_PROCESSOR static void larger_scales(void *context, size_t first, size_t end)
{
  scales *l = context;
  const sw_scale_terms *t = l->of;
  int finite = 1;

  if (t->rows) {
    SW_ALONG_ROWS(&l->s->plan->fast.jac_runs, (int)first, (int)end, scale_of_rows, l, &finite)
  }
  const double by_a = t->by_a;
  double *restrict sums = l->sums;
  double *restrict scale = l->scale;
  for (size_t i = first; i < end && !t->rows; i++) {
    sums[i] = t->a[i] * by_a;
    finite &= sw_larger_scale(sums[i], t->own[i], &scale[i]);
  }
  if (!finite) {
    atomic_store(&l->is_bad, 1);
  }
}

int sw_loop_scales(sw_holonomic *s, sw_scale_terms of, double sums[], double scale[])
{
  scales l = {s, &of, sums, scale, 0};

  sw_along_rows(s, larger_scales, &l);
  return !atomic_load(&l.is_bad);
}

typedef struct quotients {
  const double *value;
  const double *scale;
  double *F;
  sw_most most;
} quotients;

SW_FOR_EACH_PROCESSOR static void scaled(void *context, size_t first, size_t end)
{
  quotients *l = context;
  uint64_t most = 0;

  for (size_t i = first; i < end; i++) {
    l->F[i] = l->value[i] / l->scale[i];
    most = sw_larger_bits(most, sw_size_bits(l->F[i]));
  }
  sw_most_meet(&l->most, most);
}

double sw_loop_scaled(sw_holonomic *s, const double value[], const double scale[], double F[])
{
  quotients l = {value, scale, F, sw_most_by(s->system->team)};

  sw_along_rows(s, scaled, &l);
  return sw_most_of(&l.most);
}

SW_FOR_EACH_PROCESSOR static void factors(void *context, size_t first, size_t end)
{
  const loop *l = context;
  double *factor = l->s->factor;

  for (size_t i = first; i < end; i++) {
    factor[i] = l->factor / (l->x ? l->x[i] : sw_frame_measure(l->of, (int)i));
  }
}

void sw_loop_factors(sw_holonomic *s, const double scale[], double by)
{
  loop l = {.s = s, .x = scale, .factor = by};

  sw_along_rows(s, factors, &l);
}

void sw_loop_over_measures(sw_holonomic *s, const sw_frame *frame)
{
  loop l = {.s = s, .of = frame, .factor = 1.0};

  sw_along_rows(s, factors, &l);
}

static void product(void *context, size_t first, size_t end)
{
  const sw_frame_product *of = context;

  sw_row_product_values(&of->s->plan->fast.product, (int)first, (int)end, of->jac, of->frame->slope,
                        of->s->factor, of->values);
}

void sw_loop_product(sw_frame_product *of)
{
  sw_along_rows(of->s, product, of);
}

sw_row_maker sw_loop_product_maker(sw_frame_product *of)
{
  return (sw_row_maker){.make = product,
                        .context = of,
                        .neighbours =
                            sw_row_product_neighbours(&of->s->plan->fast.product, of->jac,
                                                      of->frame->slope, of->s->factor, of->values)};
}

/* ---- the loops that only RATTLE's slide uses ---- */

typedef struct arrival {
  const double *mass;
  const double *p;
  const double *jac;
  const double *along;
  double *slope;
  double *jac_sums;
  double *slope_sums;
  double *rho;
  double *terms;
  double *along_sums;
} arrival;

/* Sums along a row. */
typedef struct row_sums {
  sw_frame_sums frame;
  sw_pair rho;
  sw_pair terms;
  sw_pair along;
} row_sums;

static inline void add_pair(row_sums *sums, sw_pair mass, sw_pair p, sw_pair jac, sw_pair along,
                            double slope[])
{
  const sw_pair value = sw_frame_slope(&sums->frame, mass, jac);
  const sw_pair terms = value * p;

  sw_pair_put(slope, value);
  sums->rho += terms;
  sums->terms += sw_pair_size(terms);
  sums->along += sw_pair_size(along);
}

/* Fuses sw_loop_frame and sw_loop_rates row by row, while the row is in registers, and sums
 * |along|. */
static SW_INLINE_FOR_EACH void arrive_rows(const sw_run *run, int width, int is_dense,
                                           const int col[], const arrival *all)
{
  /* a local copy, because the compiler must assume that stores change *all */
  const arrival l = *all;
  /* neutral element: -0.0 + x is x for any x, with the sign of zero */
  const sw_pair nothing = {-0.0, -0.0};
  const ptrdiff_t step = run->step;
  const int end = run->end;
  ptrdiff_t e = run->entry;
  ptrdiff_t dense = run->col;

  for (int i = run->first; i < end; i++, e += width, dense += step) {
    row_sums sums = {{nothing, nothing}, {0.0, 0.0}, nothing, nothing};
    for (int t = 0; t < width && sw_run_is_paired(width, is_dense); t += 2) {
      add_pair(&sums, sw_pair_at(l.mass + dense + t), sw_pair_at(l.p + dense + t),
               sw_pair_at(l.jac + e + t), sw_pair_at(l.along + e + t), l.slope + e + t);
    }
    for (int t = 0; t < width && !sw_run_is_paired(width, is_dense); t++) {
      const int j = sw_run_column(is_dense, (int)dense, col + e, t);
      double both[2];
      add_pair(&sums, (sw_pair){l.mass[j], 0.0}, (sw_pair){l.p[j], 0.0},
               (sw_pair){l.jac[e + t], 0.0}, (sw_pair){l.along[e + t], 0.0}, both);
      l.slope[e + t] = both[0];
    }
    const sw_pair of_frame = sw_pair_sums(sums.frame.jac, sums.frame.slope);
    const sw_pair of_rho = sw_pair_sums(sums.rho, sums.terms);
    l.jac_sums[i] = of_frame[0];
    l.slope_sums[i] = of_frame[1];
    l.rho[i] = of_rho[0];
    l.terms[i] = of_rho[1];
    l.along_sums[i] = sw_pair_sum(sums.along);
  }
}

/* The scales of rho. A separate function, because only `restrict` parameters tell the compiler that
 * the arrays do not overlap. Returns 0 if a scale is not finite. */
static inline int holonomic_slide_scales_of_rho(size_t first, size_t end, sw_sizes size,
                                                const double *slope_sums, const double *terms,
                                                double *restrict sums, double *restrict scale)
{
  int finite = 1;

  for (size_t i = first; i < end; i++) {
    sums[i] = slope_sums[i] * size.p + sums[i] * size.q;
    finite &= sw_larger_scale(sums[i], terms[i], &scale[i]);
  }
  return finite;
}

typedef struct arrivals {
  sw_holonomic *s;
  const double *along;
  double *sums;
  atomic_int is_bad;
} arrivals;

SW_FOR_EACH_PROCESSOR static void arrive(void *context, size_t first, size_t end)
{
  arrivals *all = context;
  const sw_holonomic *s = all->s;
  const arrival l = {s->mass,     s->z1 + s->system->nq, s->end.jac, all->along, s->end.slope,
                     s->end.sums, s->end.slope_sums,     s->rho,     s->terms,   all->sums};

  SW_ALONG_ROWS(&s->plan->fast.jac_runs, (int)first, (int)end, arrive_rows,
                s->system->constraint_jac_pattern.col, &l)
  if (!holonomic_slide_scales_of_rho(first, end, s->step->size, l.slope_sums, l.terms, l.along_sums,
                                     s->scale)) {
    atomic_store(&all->is_bad, 1);
  }
}

int sw_loop_arrive(sw_holonomic *s, const double along[], double sums[])
{
  arrivals all = {s, along, sums, 0};

  sw_along_rows(s, arrive, &all);
  return !atomic_load(&all.is_bad);
}

/* Arguments of the slide's loop for its threads. */
typedef struct sliding {
  sw_holonomic *s;
  const double *sigma;
  double *F;
  double *wanted;
  sw_most most;
} sliding;

/* A separate function for the same reason. Returns the largest |F_i|. */
SW_FOR_EACH_PROCESSOR static uint64_t
slide_begin_rows(size_t first, size_t end, double h, const double *rho, const double *scale,
                 const double *sums, double *restrict F, double *restrict wanted,
                 double *restrict factor, double *restrict weight)
{
  uint64_t most = 0;

  for (size_t i = first; i < end; i++) {
    const double over_scale = 1.0 / scale[i];
    const double measure = sw_power_below(sums[i]);
    const double over_measure = sw_over_power(measure);
    F[i] = rho[i] * over_scale;
    wanted[i] = rho[i] * over_measure / h;
    factor[i] = over_measure;
    weight[i] = measure * over_scale;
    most = sw_larger_bits(most, sw_size_bits(F[i]));
  }
  return most;
}

static void slide_begin(void *context, size_t first, size_t end)
{
  sliding *l = context;
  const sw_holonomic *s = l->s;

  sw_most_meet(&l->most, slide_begin_rows(first, end, s->step->h, s->rho, s->scale, s->end.sums,
                                          s->F, l->wanted, s->factor, s->weight));
}

double sw_loop_slide_begin(sw_holonomic *s, double wanted[])
{
  sliding l = {.s = s, .wanted = wanted, .most = sw_most_by(s->system->team)};

  sw_along_rows(s, slide_begin, &l);
  return sw_most_of(&l.most);
}

SW_FOR_EACH_PROCESSOR static void slide_residual(void *context, size_t first, size_t end)
{
  sliding *l = context;
  const sw_holonomic *s = l->s;
  double *F = l->F;
  uint64_t most = 0;

  sw_row_product_times(&s->plan->fast.product, (int)first, (int)end, s->matrix,
                       s->plan->jacobian.col, l->sigma, F);
  const double h = s->step->h;
  for (size_t i = first; i < end; i++) {
    F[i] = s->F[i] - h * F[i] * s->weight[i];
    most = sw_larger_bits(most, sw_size_bits(F[i]));
  }
  sw_most_meet(&l->most, most);
}

double sw_slide_residual(sw_holonomic *s, const double sigma[], double F[])
{
  sliding l = {.s = s, .sigma = sigma, .F = F, .most = sw_most_by(s->system->team)};

  sw_along_rows(s, slide_residual, &l);
  return sw_most_of(&l.most);
}

SW_FOR_EACH_PROCESSOR static void slide_wanted(void *context, size_t first, size_t end)
{
  const sliding *l = context;
  const double over_h = 1.0 / l->s->step->h;

  for (size_t i = first; i < end; i++) {
    l->wanted[i] = l->F[i] * over_h / l->s->weight[i];
  }
}

void sw_slide_wanted(sw_holonomic *s, const double F[], double wanted[])
{
  sliding l = {.s = s, .F = (double *)F, .wanted = wanted};

  sw_along_rows(s, slide_wanted, &l);
}
