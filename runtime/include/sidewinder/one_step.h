/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/one_step.h -- a one-step method in positions and velocities that the caller computes,
 * for variational integrators (Patrick, Cuell, Spiteri, Zhang, "On converting any one-step method
 * to a variational integrator of the same order"; "paper 004"):
 *
 *   R_t(w) approximates the motion from w = (q,v) after the time t,
 *   S_t(w) approximates the action, the integral of L(q,v) along it.
 *
 * R_t need not be a Runge-Kutta method; exact flows and compositions of flows are allowed. If the
 * model has constraints g(q) = 0, R_t need not preserve them. If a position is the time of the
 * model, w contains this position and its velocity 1; R_t must advance it by exactly t, the slopes
 * include its derivatives, and S_t omits the momentum of the time. The integrator has the order of
 * R_t (at least 1), for any R_t and S_t of that order.
 */
#ifndef SIDEWINDER_ONE_STEP_H
#define SIDEWINDER_ONE_STEP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Computes w1 = R_t(w), 2d values, with the parameters k. t may be negative. Returns 0 on success.
 * With any other result the step fails with SW_ERR_NOT_FINITE. The next two callbacks return the
 * same codes. */
typedef int sw_one_step_values(void *context, double t, const double w[], const double k[],
                               double w1[]);

/* slope = d/dw (a . R_t(w) + b S_t(w)), 2d values, for 2d weights a. */
typedef int sw_one_step_slope(void *context, double t, const double w[], const double k[],
                              const double a[], double b, double slope[]);

/* second = d^2/dw^2 (a . R_t(w) + b S_t(w)), 2d x 2d, both triangles. */
typedef int sw_one_step_second(void *context, double t, const double w[], const double k[],
                               const double a[], double b, double second[]);

typedef struct sw_one_step {
  const char *name;
  int order;     /* at least 1 */
  int symmetric; /* 1 if R_{-t} o R_t = id */
  sw_one_step_values *values;
  sw_one_step_slope *slope;
  /* Optional. Without it, Newton's method uses differences of `slope`; steps have no tangent. */
  sw_one_step_second *second;
  /* passed to all three callbacks by all simulations that share the method; may be NULL */
  void *context;
} sw_one_step;

#ifdef __cplusplus
}
#endif

#endif
