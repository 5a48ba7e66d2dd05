/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/one_step.h -- a one-step method in positions and velocities that a caller computes, for variational integrators
 * (Patrick, Cuell, Spiteri, Zhang, "On converting any one-step method to a variational integrator of the same order"; "paper 004"):
 *
 *   R_t(w) approximates the motion from w = (q,v) after the time t, and S_t(w) the action, the integral of L(q,v) along it.
 *
 * It need not be a Runge-Kutta method: an exact flow, or flows one after the other, will do.  Where a model has constraints
 * g(q) = 0, R_t may leave them.  Where one of the positions is the time of the model, w has that and its velocity, 1, among the others, to
 * which R_t adds t and nothing, and by which slopes are taken, too; S_t is without the momentum of the time.  The integrator is of the order of R_t, which is one or more, for any R_t and S_t that have it.
 */
#ifndef SIDEWINDER_ONE_STEP_H
#define SIDEWINDER_ONE_STEP_H

#ifdef __cplusplus
extern "C" {
#endif

/* w1 = R_t(w), 2d values, with the parameters k.  t may be negative.  Returns 0, or anything else where there is no value: the
 * step then fails with SW_ERR_NOT_FINITE.  So do the next two. */
typedef int sw_one_step_values(void *context, double t, const double w[], const double k[],
                               double w1[]);

/* slope: the derivative by w of a.R_t(w) + b S_t(w), 2d values, for 2d weights a. */
typedef int sw_one_step_slope(void *context, double t, const double w[], const double k[],
                              const double a[], double b, double slope[]);

/* second: the second derivatives by w of that sum, 2d x 2d, both triangles. */
typedef int sw_one_step_second(void *context, double t, const double w[], const double k[],
                               const double a[], double b, double second[]);

typedef struct sw_one_step {
  const char *name;
  int order;     /* 1 or more */
  int symmetric; /* 1 where R_{-t} o R_t = id */
  sw_one_step_values *values;
  sw_one_step_slope *slope;
  /* NULL: steps are then solved for by fixed-point iteration, and have no tangent. */
  sw_one_step_second *second;
  void *
      context; /* handed to all three, by all simulations that share the method; NULL where they need none */
} sw_one_step;

#ifdef __cplusplus
}
#endif

#endif
