/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stage_four_equations.h -- the equations of stage_four.h and their approximate solution: what an iteration changes.
 */
#ifndef SIDEWINDER_STEP_STAGE_FOUR_EQUATIONS_H
#define SIDEWINDER_STEP_STAGE_FOUR_EQUATIONS_H

#include "linear/sparse_product.h"
#include "step/sweep.h"

/* The unknowns of a curve, or changes of them, one array after the other.  The curve of the start has its q and v as they are, and
 * no zeta; that of the end has no near foot, which is the far one of the start, and theta in the place of theta_near. */
typedef struct sw_curve {
  double *q; /* d each */
  double *v;
  double *mu;     /* mu^ */
  double *lambda; /* lambda^ */
  double *near;   /* feet */
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
  int clock; /* the position of legendre.h, or -1: mu^ and lambda^ have none for it here, but mu has */
  double t_near;
  double t_far;
  sw_field field;
  sw_sweep part[2]; /* of a curve before its state and behind it */
  sw_sweep *near;   /* one of them */
  sw_sweep *far;    /* and the other */

  /* Where the step starts. */
  sw_field_point at; /* with the factors of H_pp and of N = -G H_pp G^T */
  sw_pattern K_pattern;
  sw_scaled K;       /* factors of G G^T */
  sw_product square; /* which is that of Dg */
  double *G;         /* values of Dg */
  double *hess_H;    /* and of Hess H */
  double *w;         /* 2d: (q,v) */

  double *x;    /* d: F+ of it */
  double *mu;   /* d */
  double *Dg_x; /* values of Dg at x */

  sw_curve now; /* the unknowns */
  sw_curve off; /* and what an iteration adds to them */

  double *values; /* of G G^T */
  double *jac;    /* of Dg */
  double *turned; /* of Dg without the column of the clock */
  double *second; /* of D^2(a.g) */
  double *point;  /* 2d each: scratch */
  double *slope;
  double *other;
  double *rq; /* d each */
  double *rv;
  double *g; /* m */
} sw_curve_equations;

/* 6 d + 5 m; and points a curve at so many values. */
size_t sw_curve_unknowns(const sw_system *system);
void sw_curve_divide(const sw_system *system, double *values, sw_curve *curve);

/* Makes what is not an array of *s, of which system and k and the methods of both parts are set.  Errors: SW_ERR_MEMORY. */
sw_status sw_curve_open(sw_curve_equations *s);
void sw_curve_close(sw_curve_equations *s);
void sw_curve_carve(sw_carver *c, sw_curve_equations *s);

/* The value of the clock among d values; nothing where there is none. */
static inline void sw_curve_set_clock(const sw_curve_equations *s, double value, double x[])
{
  if (s->clock >= 0) {
    x[s->clock] = value;
  }
}

/* A curve is to be found that starts at s->w: G, H_pp, N and G G^T there.  Returns 0 where one of them is singular. */
int sw_curve_start_at(sw_curve_equations *s);

/* The factors of G G^T alone.  Returns 0 where it is singular. */
int sw_curve_factor(sw_curve_equations *s);

/* D (mu^.R_near - S_near) (v,A) at the last values of the near part, of the state in s->at. */
double sw_curve_energy(sw_curve_equations *s);

/* s->off at s->now, for the curve of the start, whose parts have been evaluated, and for that of the end. */
void sw_curve_change_start(sw_curve_equations *s);
void sw_curve_change_end(sw_curve_equations *s);

/* x (d) and y (m) with x + G^T y = r, but for the clock, and G x = g, in the place of r and g. */
void sw_curve_split(const sw_curve_equations *s, double r[], double g[]);

/* g at x, and Dg there in jac. */
void sw_curve_surface(sw_curve_equations *s, const double x[], double g[], double jac[]);

/* y += f D^2(a.g)(x) u. */
void sw_curve_add_bent(sw_curve_equations *s, const double x[], double f, const double a[],
                       const double u[], double y[]);

#endif
