/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stage_four_equations.h -- the equations of stage_four.h, and their approximate solution: the
 * correction of an iteration.
 */
#ifndef SIDEWINDER_STEP_STAGE_FOUR_EQUATIONS_H
#define SIDEWINDER_STEP_STAGE_FOUR_EQUATIONS_H

#include "linear/sparse_product.h"
#include "step/sweep.h"

/* The unknowns of a curve, or corrections to them, one array after the other. For the curve of the
 * start, q and v are given and zeta is absent. For the curve of the end, the near foot is absent
 * (it is the start's far foot), and theta is in theta_near. */
typedef struct sw_curve {
  double *q; /* d each */
  double *v;
  double *mu;     /* mu^ */
  double *lambda; /* lambda^ */
  double *near;   /* feet of both ends */
  double *far;
  double *nu_1; /* m each */
  double *nu_2;
  double *theta_near;
  double *theta_far;
  double *zeta;
} sw_curve;

typedef struct sw_curve_equations {
  const sw_system *system;
  const double *k;
  /* index of the clock (legendre.h), or -1; mu^ and lambda^ have no clock component here, but mu
   * has */
  int clock;
  double t_near;
  double t_far;
  sw_field field;
  sw_sweep part[2]; /* the parts of a curve before and after its state */
  sw_sweep *near;   /* one of them */
  sw_sweep *far;    /* the other one */

  /* Values at the start of the step. */
  sw_field_point at; /* with factorisations of H_pp and of N = -G H_pp G^T */
  sw_pattern K_pattern;
  sw_scaled K;       /* factorisation of G G^T */
  sw_product square; /* the product that computes G G^T */
  double *G;         /* values of Dg */
  double *hess_H;    /* values of Hess H */
  double *w;         /* 2d: (q,v) */

  double *x;    /* d: position of F+(w) */
  double *mu;   /* d: momentum of F+(w) */
  double *Dg_x; /* values of Dg at x */

  sw_curve now; /* the unknowns */
  sw_curve off; /* the correction of an iteration */

  double *values; /* scratch: values of G G^T */
  double *jac;    /* scratch: values of Dg */
  double *turned; /* scratch: values of Dg without the clock's column */
  double *second; /* scratch: values of D^2(a.g) */
  double *point;  /* 2d each: scratch */
  double *slope;
  double *other;
  double *rq; /* d each */
  double *rv;
  double *g; /* m */
} sw_curve_equations;

/* The number of unknowns, 6 d + 5 m; and a function that sets the pointers of a curve into an array
 * of that length. */
size_t sw_curve_unknowns(const sw_system *system);
void sw_curve_divide(const sw_system *system, double *values, sw_curve *curve);

/* Creates the parts of *s that are not arrays; system, k and the methods of both parts are set.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_curve_open(sw_curve_equations *s);
void sw_curve_close(sw_curve_equations *s);
void sw_curve_carve(sw_carver *c, sw_curve_equations *s);

/* Sets the clock's entry of d values; does nothing without a clock. */
static inline void sw_curve_set_clock(const sw_curve_equations *s, double value, double x[])
{
  if (s->clock >= 0) {
    x[s->clock] = value;
  }
}

/* Prepares a curve that starts at s->w: computes G, H_pp, N and G G^T there. Returns 0 if one of
 * them is singular. */
int sw_curve_start_at(sw_curve_equations *s);

/* Factorises G G^T alone. Returns 0 if it is singular. */
int sw_curve_factor(sw_curve_equations *s);

/* D (mu^.R_near - S_near) (v,A) at the last values of the near part, for the state in s->at. */
double sw_curve_energy(sw_curve_equations *s);

/* Computes the corrections s->off at s->now, for the curve of the start, whose parts have been
 * evaluated, and for the curve of the end. */
void sw_curve_change_start(sw_curve_equations *s);
void sw_curve_change_end(sw_curve_equations *s);

/* Solves x + G^T y = r (without the clock) and G x = g for x (d) and y (m), which overwrite r and
 * g. */
void sw_curve_split(const sw_curve_equations *s, double r[], double g[]);

/* g at x, and Dg there in jac. */
void sw_curve_surface(sw_curve_equations *s, const double x[], double g[], double jac[]);

/* y += f D^2(a.g)(x) u. */
void sw_curve_add_bent(sw_curve_equations *s, const double x[], double f, const double a[],
                       const double u[], double y[]);

#endif
