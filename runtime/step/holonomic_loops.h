/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_loops.h -- the loops of holonomic.h over positions and over rows, which the system's team shares out.
 *
 * All have the same bits for any number of threads: a row or a position is computed by one thread, sums over the rows that touch a
 * position are in the order of the rows, and the largest of many sizes does not depend on their order.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_LOOPS_H
#define SIDEWINDER_STEP_HOLONOMIC_LOOPS_H

#include "common/pair.h"
#include "linear/row_maker.h"
#include "step/holonomic_state.h"

/* The sums of a row of a frame in the making: two by two where its columns stand side by side, in the same order by whatever loop makes the
 * frame, so that a run goes on from a saved state as from the frame that it had there. */
typedef struct sw_frame_sums {
  sw_pair jac;
  sw_pair slope;
} sw_frame_sums;

/* The slope of two entries of Dg, whose sizes are added up. */
static inline sw_pair sw_frame_slope(sw_frame_sums *sums, sw_pair mass, sw_pair jac)
{
  const sw_pair slope = mass * jac;

  sums->jac += sw_pair_size(jac);
  sums->slope += sw_pair_size(slope);
  return slope;
}

/* A loop over the rows, or the positions. */
static inline void sw_along_rows(const sw_holonomic *s, sw_range_job *job, void *context)
{
  sw_team_share(s->system->team, (size_t)s->plan->m, job, context);
}

static inline void sw_along_positions(const sw_holonomic *s, sw_range_job *job, void *context)
{
  sw_team_share(s->system->team, (size_t)s->system->nq, job, context);
}

/* S^T = Dg H_pp of a frame of which Dg is there, and both of its sums. */
void sw_loop_frame(sw_holonomic *s, sw_frame *frame);

/* S^T alone, for a diagonal H_pp. */
void sw_loop_slope(sw_holonomic *s, sw_frame *frame);

/* velocity = H_pp p for a diagonal H_pp. */
void sw_loop_velocity(sw_holonomic *s, const double p[]);

/* p_half without the part of the constraints. */
void sw_loop_kick(sw_holonomic *s, const double force[]);

/* The same, and q_free, at a velocity that is H_pp p_half (NULL) or given.  Returns how far these move. */
sw_sizes sw_loop_kick_and_drift(sw_holonomic *s, const double force[], const double velocity[]);

/* q1 = q_free - h^2 S0 lambda; lambda: NULL for zeros. */
void sw_loop_positions(sw_holonomic *s, const double lambda[]);

/* to = from - change for multipliers; from: NULL for zeros. */
void sw_loop_correct(const sw_holonomic *s, const double from[], const double change[],
                     double to[]);

/* p1 += factor Dg^T x for the Dg of a frame, and p1 -= by_force force; force: NULL for none. */
void sw_loop_momenta(sw_holonomic *s, const sw_frame *frame, double factor, const double x[],
                     double by_force, const double force[]);

/* to_i = sum_j a_ij v_j for values in the pattern of Dg, and the sum of the sizes of these terms. */
void sw_loop_rates(sw_holonomic *s, const double a[], const double v[], double to[],
                   double sizes[]);

/* sums_i = a_i by_a + sum_j |rows_ij| by_rows for values in the pattern of Dg, rows: NULL for none, and scale_i = max(own_i, sums_i) as
 * sw_larger_scales.  Returns 0 where one is not finite. */
typedef struct sw_scale_terms {
  const double *own;
  const double *a;
  double by_a;
  const double *rows;
  double by_rows;
} sw_scale_terms;
int sw_loop_scales(sw_holonomic *s, sw_scale_terms of, double sums[], double scale[]);

/* F_i = value_i/scale_i.  Returns max |F_i|, NaN where one is. */
double sw_loop_scaled(sw_holonomic *s, const double value[], const double scale[], double F[]);

/* s->factor, which the rows of products are multiplied by: by/scale_i, or one over the measures of a frame. */
void sw_loop_factors(sw_holonomic *s, const double scale[], double by);
void sw_loop_over_measures(sw_holonomic *s, const sw_frame *frame);

/* The values of Dg S for Dg and a frame, of which S is, row i multiplied by s->factor[i]. */
typedef struct sw_frame_product {
  sw_holonomic *s;
  const double *jac;
  const sw_frame *frame;
  double *values;
} sw_frame_product;
void sw_loop_product(sw_frame_product *of);

/* Who makes its rows; *of has to outlive that. */
sw_row_maker sw_loop_product_maker(sw_frame_product *of, const double right[]);

/* All of this where a slide begins, for a diagonal H_pp and H_p = H_pp p, in one pass: S^T and the sums of the end, of which Dg is there;
 * rho = S^T p and its terms; and the scales of rho, where the rows of `along` are those of sw_scale_terms.  Returns 0 where a scale is not
 * finite. */
int sw_loop_arrive(sw_holonomic *s, const double along[], double sums[]);

/* Of the slide: F at sigma = 0, s->weight and, for the matrix of the end, s->factor in the context, and what sw_slide_wanted makes of this F.
 * Returns max |F_i|, NaN where one is. */
double sw_loop_slide_begin(sw_holonomic *s, double wanted[]);

/* F(sigma) = (rho - h Dg S sigma)/scale, m values.  Returns max |F_i|, NaN where one is. */
double sw_slide_residual(sw_holonomic *s, const double sigma[], double F[]);

/* What is to be solved for with the matrix, so that its solution is the change of sigma which makes F vanish. */
void sw_slide_wanted(sw_holonomic *s, const double F[], double wanted[]);

#endif
