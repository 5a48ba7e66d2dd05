/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holonomic_slide.c -- the loops of holonomic_loops.h that RATTLE's slide has alone.
 */
#include <stdatomic.h>

#include "common/processor.h"
#include "common/shared_vectors.h"
#include "step/holonomic_loops.h"

/* ---- where it begins ---- */

typedef struct arrival {
  sw_holonomic *s;
  const double *along;
  double *sums;
  atomic_int is_bad;
} arrival;

/* What is summed up along a row. */
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

/* What sw_loop_frame, sw_loop_rates and sw_loop_scales do with each row, while its numbers are at hand. */
static inline void arrive_rows(const sw_run *run, int width, int is_dense, const int col[],
                               const arrival *l, int *finite)
{
  const sw_holonomic *s = l->s;
  const double *mass = s->mass;
  const double *p = s->z1 + s->system->nq;
  const double *jac = s->end.jac + run->entry;
  const double *along = l->along + run->entry;
  const int *place = col + run->entry;
  double *slope = s->end.slope + run->entry;
  const sw_sizes size = s->step->size;
  int dense = run->col;

  for (int i = run->first; i < run->end;
       i++, jac += width, along += width, place += width, slope += width, dense += run->step) {
    row_sums sums = {{{0.0, 0.0}, {0.0, 0.0}}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    for (int t = 0; t < width && sw_run_is_paired(width, is_dense); t += 2) {
      const int j = dense + t;
      add_pair(&sums, sw_pair_at(mass + j), sw_pair_at(p + j), sw_pair_at(jac + t),
               sw_pair_at(along + t), slope + t);
    }
    for (int t = 0; t < width && !sw_run_is_paired(width, is_dense); t++) {
      const int j = sw_run_column(is_dense, dense, place, t);
      double both[2];
      add_pair(&sums, (sw_pair){mass[j], 0.0}, (sw_pair){p[j], 0.0}, (sw_pair){jac[t], 0.0},
               (sw_pair){along[t], 0.0}, both);
      slope[t] = both[0];
    }
    const double slope_sum = sw_pair_sum(sums.frame.slope);
    const double terms = sw_pair_sum(sums.terms);
    s->end.sums[i] = sw_pair_sum(sums.frame.jac);
    s->end.slope_sums[i] = slope_sum;
    s->rho[i] = sw_pair_sum(sums.rho);
    s->terms[i] = terms;
    l->sums[i] = slope_sum * size.p + sw_pair_sum(sums.along) * size.q;
    *finite &= sw_larger_scale(l->sums[i], terms, &s->scale[i]);
  }
}

SW_FOR_EACH_PROCESSOR static void arrive(void *context, size_t first, size_t end)
{
  arrival *l = context;
  const sw_system *system = l->s->system;
  int finite = 1;

  SW_ALONG_ROWS(&l->s->plan->short_way.jac_runs, (int)first, (int)end, arrive_rows,
                system->constraint_jac_pattern.col, l, &finite)
  if (!finite) {
    atomic_store(&l->is_bad, 1);
  }
}

int sw_loop_arrive(sw_holonomic *s, const double along[], double sums[])
{
  arrival l = {s, along, sums, 0};

  sw_along_rows(s, arrive, &l);
  return !atomic_load(&l.is_bad);
}

/* What the threads know of one of its loops. */
typedef struct sliding {
  sw_holonomic *s;
  const double *sigma;
  double *F;
  double *wanted;
  sw_most most;
} sliding;

/* A function of its own, since only parameters tell the compiler that no two of these arrays meet.  Returns the largest of F. */
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
