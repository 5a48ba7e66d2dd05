/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holonomic_slide.c -- the loops of holonomic_loops.h that only RATTLE's slide uses.
 */
#include <stdatomic.h>

#include "common/processor.h"
#include "common/shared_vectors.h"
#include "step/holonomic_loops.h"

/* ---- the start of a slide ---- */

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

  SW_ALONG_ROWS(&s->plan->short_way.jac_runs, (int)first, (int)end, arrive_rows,
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

  sw_row_product_times(&s->plan->short_way.product, (int)first, (int)end, s->matrix,
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
