/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_loops.h -- the loops of holonomic.h over positions and rows, which run on the
 * threads of the system's team.
 *
 * The results agree bit for bit for any number of threads: one thread computes each row or
 * position, sums over the rows that touch a position are in the order of the rows, and maxima do
 * not depend on the order.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_LOOPS_H
#define SIDEWINDER_STEP_HOLONOMIC_LOOPS_H

#include "common/pair.h"
#include "linear/row_product.h"
#include "step/phase_plan.h"
#include "step/requirement.h"
#include "step/stages.h"

/* Dg and the slope S^T = Dg H_pp, by rows (phase_plan.h), at the positions of the start or the
 * end of a step. */
typedef struct sw_frame {
  double *jac;
  double *slope;
  double *sums;       /* m: sum_j |Dg_ij| */
  double *slope_sums; /* m: sum_j |S_ji| */
  int known;          /* 1 while the values belong to the current start or end */
} sw_frame;

typedef struct sw_holonomic {
  const sw_system *system;
  const double *k;
  const sw_phase_plan *plan;
  sw_requirement *g;
  sw_step *step;
  sw_frame start;     /* at q0 */
  sw_frame end;       /* at q1; jac is also Dg of the iterate */
  double *frames;     /* memory of both frames; holds Hess H while neither frame is known */
  double *force;      /* d: H_q */
  int force_at_start; /* 1 while `force` belongs to the current start */
  int force_at_end;   /* 1 while `force` belongs to the end of the step in the workspace */
  double *gradient;   /* 2d: gradient of H, if the model lacks separate H_q and H_p; else NULL */
  double kick;        /* c of holonomic.h: that of the plan, or 0 in the second half of a step */
  double *z1;         /* 2d: q1, and p_half without constraint forces, which becomes p1 */
  const double *at;   /* d: the positions of the last evaluation of g, q1 or q_free */
  double *velocity;   /* d: H_p of the last evaluation */
  double *mass;       /* the constant H_pp */
  int has_mass;       /* 1 while `mass` belongs to the current parameters, at the start of a step */
  int mass_alone;     /* 1 if H_pp is diagonal and H_p = H_pp p */
  double *free;       /* d: q_free */
  double *rho;        /* m */
  double *terms;      /* m: sum_j |Dg_ij H_p,j|, the absolute terms of rho */
  double *scale;      /* m: scales of rho */
  double *F;          /* m: rho/scale at sigma = 0 */
  double *factor;     /* m: row factors of a product */
  /* m: measure_i/scale_i, which converts rows of sw_holonomic_matrix to units of rho's scales */
  double *weight;
  double *matrix;     /* values of sw_holonomic_matrix in the plan's pattern */
  double *hidden_jac; /* values of Drho if Dg has no derivative along a vector; else NULL */
} sw_holonomic;

/* The divisor of row i in a matrix of gradients. */
static inline double sw_frame_measure(const sw_frame *frame, int i)
{
  return sw_power_below(frame->sums[i]);
}

/* The sums of a row of a frame during its computation, two by two if its columns are adjacent.
 * Every loop that computes a frame uses this order, so a run from a saved state continues bit for
 * bit. */
typedef struct sw_frame_sums {
  sw_pair jac;
  sw_pair slope;
} sw_frame_sums;

/* The slopes of two entries of Dg; adds the absolute values of both to *sums. */
static inline sw_pair sw_frame_slope(sw_frame_sums *sums, sw_pair mass, sw_pair jac)
{
  const sw_pair slope = mass * jac;

  sums->jac += sw_pair_size(jac);
  sums->slope += sw_pair_size(slope);
  return slope;
}

/* Runs a loop over the rows, or over the positions, on the team. */
static inline void sw_along_rows(const sw_holonomic *s, sw_range_job *job, void *context)
{
  sw_team_share(s->system->team, (size_t)s->plan->m, job, context);
}

static inline void sw_along_positions(const sw_holonomic *s, sw_range_job *job, void *context)
{
  sw_team_share(s->system->team, (size_t)s->system->nq, job, context);
}

/* Computes S^T = Dg H_pp of a frame from its Dg, and both sums. */
void sw_loop_frame(sw_holonomic *s, sw_frame *frame);

/* velocity = H_pp p for a diagonal H_pp. */
void sw_loop_velocity(sw_holonomic *s, const double p[]);

/* The factor of the first kick, p_half = p0 - sw_first_kick H_q(q0). */
static inline double sw_first_kick(const sw_holonomic *s)
{
  return s->kick * s->step->force * s->step->h;
}

/* Computes p_half without the constraint forces, and q_free with `velocity`, or with H_pp p_half if
 * velocity is NULL. Returns the displacement. */
sw_sizes sw_loop_kick_and_drift(sw_holonomic *s, const double force[], const double velocity[]);

/* q1 = q_free - h^2 S0 lambda. lambda = NULL means 0. */
void sw_loop_positions(sw_holonomic *s, const double lambda[]);

/* to = from - change for multipliers. from = NULL means 0. */
void sw_loop_correct(const sw_holonomic *s, const double from[], const double change[],
                     double to[]);

/* p1 += factor Dg^T x with Dg of a frame, and p1 -= by_force force. force = NULL means 0. */
void sw_loop_momenta(sw_holonomic *s, const sw_frame *frame, double factor, const double x[],
                     double by_force, const double force[]);

/* to_i = sum_j a_ij v_j for values in the pattern of Dg, and the sum of the absolute values of
 * these terms. */
void sw_loop_rates(sw_holonomic *s, const double a[], const double v[], double to[],
                   double sizes[]);

/* sums_i = a_i by_a + sum_j |rows_ij| by_rows for values in the pattern of Dg (rows = NULL means
 * 0), and scale_i = max(own_i, sums_i), as sw_larger_scales. Returns 0 if a scale is not finite. */
typedef struct sw_scale_terms {
  const double *own;
  const double *a;
  double by_a;
  const double *rows;
  double by_rows;
} sw_scale_terms;
int sw_loop_scales(sw_holonomic *s, sw_scale_terms of, double sums[], double scale[]);

/* F_i = value_i/scale_i. Returns max |F_i|, or NaN if an entry is NaN. */
double sw_loop_scaled(sw_holonomic *s, const double value[], const double scale[], double F[]);

/* Sets s->factor, the row factors of products: by/scale_i, or the reciprocal measures of a
 * frame. */
void sw_loop_factors(sw_holonomic *s, const double scale[], double by);
void sw_loop_over_measures(sw_holonomic *s, const sw_frame *frame);

/* The values of Dg S, for the given Dg and S of a frame; row i is multiplied by s->factor[i]. */
typedef struct sw_frame_product {
  sw_holonomic *s;
  const double *jac;
  const sw_frame *frame;
  double *values;
} sw_frame_product;
void sw_loop_product(sw_frame_product *of);

/* Callback that produces the rows of the product; *of must outlive the factorisation. */
sw_row_maker sw_loop_product_maker(sw_frame_product *of);

/* The combined pass at the start of a slide, for a diagonal H_pp and H_p = H_pp p. Computes S^T and
 * the sums of the end from its Dg; rho = S^T p and its terms; and the scales of rho, with `along`
 * as the rows of sw_scale_terms. Returns 0 if a scale is not finite. */
int sw_loop_arrive(sw_holonomic *s, const double along[], double sums[]);

/* Starts the slide: sets F at sigma = 0, s->weight, s->factor for the matrix at the end, and the
 * right-hand side of sw_slide_wanted. Returns max |F_i|, or NaN if an entry is NaN. */
double sw_loop_slide_begin(sw_holonomic *s, double wanted[]);

/* F(sigma) = (rho - h Dg S sigma)/scale, m values. Returns max |F_i|, or NaN if an entry is NaN. */
double sw_slide_residual(sw_holonomic *s, const double sigma[], double F[]);

/* Right-hand side for the matrix whose solution is the change of sigma that makes F vanish. */
void sw_slide_wanted(sw_holonomic *s, const double F[], double wanted[]);

#endif
