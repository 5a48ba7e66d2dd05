/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/holonomic.h -- SHAKE and RATTLE where most of the work can be saved: constraints g(q), and
 * H = T(p) + V(q) with a constant H_pp, over a base method that kicks, drifts and kicks (sw_stage_plan_kick):
 *
 *   p_half = p0 - h Dg(q0)^T lambda - c h H_q(q0),   q1 = q0 + h H_p(p_half),   p1 = p_half - (1-c) h H_q(q1)
 *
 * The positions are affine in lambda,
 *
 *   q1 = q_free - h^2 S0 lambda,   S = H_pp Dg(q)^T,          so   dg/dlambda = -h^2 Dg(q1) S0,
 *
 * and RATTLE's slide moves the momenta alone, so that rho = Dg(q1) H_p is affine in sigma,
 *
 *   H_p = H_p(p1) - h S1 sigma,                               and  drho/dsigma = -h Dg(q1) S1 = h N.
 *
 * Each iteration needs g, Dg and products of fixed patterns; H_q is evaluated once a step, since the next
 * one begins where this one ends, and so are Dg and S at both ends.
 */
#ifndef SIDEWINDER_METHODS_HOLONOMIC_H
#define SIDEWINDER_METHODS_HOLONOMIC_H

#include "methods/shake.h"

/* H_q, Dg and S = H_pp Dg^T at the positions where a step starts or ends. */
typedef struct sw_frame {
  double *force;      /* d: H_q */
  double *jac;        /* values of Dg */
  double *slope;      /* values of S */
  double *sums;       /* m: sum_j |Dg_ij| */
  double *slope_sums; /* m: sum_j |S_ji| */
  int has_force;      /* 1 while force is that of the present start or end, */
  int known;          /* and the rest */
} sw_frame;

typedef struct sw_holonomic {
  sw_shake *shake;  /* the context, z0, h, the scales of g, and g */
  double kick;      /* c */
  sw_frame start;   /* at q0 */
  sw_frame end;     /* at q1; Dg is also that of the iterate */
  double *velocity; /* d: H_p where it was last asked for */
  int at_start;     /* 1 while that is at the momenta of the present start, */
  int at_end;       /* or of the end of the step that stands in the workspace */
  double *hessian;  /* of which H_pp is constant */
  int has_hessian;  /* 1 while it is that of the present parameters */
  double *free;     /* d: q_free */
  double *rho;      /* m */
  double *terms;    /* m: sum_j |Dg_ij H_p,j|, the terms of rho */
  double *scale;    /* m: of rho */
  double *F;        /* m: rho/scale at sigma = 0 */
  double *matrix;   /* of sw_holonomic_matrix, values in the plan's pattern */
  double *along;    /* values of Dg or of Drho: for the scale of rho */
} sw_holonomic;

/* y += factor A x, y: rows values.  A row is added up before it is stored. */
static inline void sw_add_product(const sw_pattern *pattern, const double a[], double factor,
                                  const double x[], double y[])
{
  const int *row = pattern->row;
  const int *col = pattern->col;
  const int entries = pattern->entries;

  for (int e = 0; e < entries;) {
    const int i = row[e];
    double sum = 0.0;
    do {
      sum += a[e] * x[col[e]];
    } while (++e < entries && row[e] == i);
    y[i] += factor * sum;
  }
}

/* H_q at the positions q, and H_p at the momenta p. */
static inline const double *sw_frame_force(sw_holonomic *s, sw_frame *frame, const double q[])
{
  const sw_shake *c = s->shake;

  if (!frame->has_force) {
    sw_half_gradient(c->system, c->k, 0, q, c->point, c->gradient, frame->force);
    frame->has_force = 1;
  }
  return frame->force;
}

static inline const double *sw_holonomic_velocity(sw_holonomic *s, const double p[])
{
  const sw_shake *c = s->shake;

  sw_half_gradient(c->system, c->k, 1, p, c->point, c->gradient, s->velocity);
  s->at_start = s->at_end = 0;
  return s->velocity;
}

/* Makes the frame that of a state z, unless it is. */
static inline void sw_frame_at(sw_holonomic *s, sw_frame *frame, const double z[])
{
  sw_shake *c = s->shake;
  const sw_system *system = c->system;
  const sw_pattern *slope = &c->plan->slope;

  if (frame->known) {
    return;
  }
  if (!s->has_hessian) {
    system->hamiltonian_hess(system, z, c->k, s->hessian);
    s->has_hessian = 1;
  }
  system->constraint_jac(system, z, c->k, frame->jac);
  sw_product_values(&c->plan->drift, s->hessian, frame->jac, frame->slope);
  sw_row_sums(&system->constraint_jac_pattern, frame->jac, frame->sums);
  sw_zero(frame->slope_sums, (size_t)c->m);
  for (int e = 0; e < slope->entries; e++) {
    frame->slope_sums[slope->col[e]] += fabs(frame->slope[e]);
  }
  frame->known = 1;
}

/* Another start, or other parameters. */
static inline void sw_holonomic_forget(sw_holonomic *s)
{
  s->start.known = s->start.has_force = 0;
  s->end.known = s->end.has_force = 0;
  s->at_start = s->at_end = s->has_hessian = 0;
}

/* Starts a step as sw_shake_begin does.  Returns 0 where a scale is not finite. */
static inline int sw_holonomic_begin(sw_holonomic *s, sw_sizes extent, const double z0[], double h)
{
  sw_shake *c = s->shake;
  const sw_system *system = c->system;
  const size_t d = (size_t)system->nq;
  const double *force = sw_frame_force(s, &s->start, z0);
  sw_sizes moved = {0.0, fabs(h) * sw_max_abs(d, force)};

  for (size_t i = 0; i < d; i++) {
    c->x[i] = s->kick > 0.0 ? z0[d + i] - s->kick * h * force[i] : z0[d + i];
  }
  /* Without a first kick these are the momenta of the start. */
  const double *velocity =
      s->at_start && s->kick == 0.0 ? s->velocity : sw_holonomic_velocity(s, c->x);
  for (size_t i = 0; i < d; i++) {
    s->free[i] = z0[i] + h * velocity[i];
  }
  moved.q = fabs(h) * sw_max_abs(d, velocity);
  if (!sw_shake_measure(c, z0, h, extent, moved)) {
    return 0;
  }
  sw_frame_at(s, &s->start, z0);
  s->end.known = s->end.has_force = 0;
  system->constraint_scale(system, z0, c->k, c->scale_g);
  /* g is a function of (q,p) that reads no p. */
  sw_copy(c->z1 + d, z0 + d, d);
  for (int i = 0; i < c->m; i++) {
    c->sums[i] = s->start.sums[i] * c->size.q;
  }
  return sw_larger_scales(c->m, c->sums, c->scale_g);
}

/* F(lambda) = g(q1)/scale, m values.  Leaves q1 and g in the context. */
static inline void sw_holonomic_residual(sw_holonomic *s, const double lambda[], double F[])
{
  sw_shake *c = s->shake;
  const sw_system *system = c->system;

  sw_copy(c->z1, s->free, (size_t)system->nq);
  /* The first guess costs no product. */
  if (!sw_is_zero(c->m, lambda)) {
    sw_add_product(&c->plan->slope, s->start.slope, -c->h * c->h, lambda, c->z1);
  }
  system->constraint(system, c->z1, c->k, c->g);
  for (int i = 0; i < c->m; i++) {
    F[i] = c->g[i] / c->scale_g[i];
  }
}

/* dF/dlambda at the last sw_holonomic_residual. */
static inline void sw_holonomic_jacobian(sw_holonomic *s, double J[])
{
  sw_shake *c = s->shake;
  const sw_pattern *pattern = &c->plan->jacobian;

  c->system->constraint_jac(c->system, c->z1, c->k, s->end.jac);
  sw_product_values(&c->plan->response, s->end.jac, s->start.slope, J);
  for (int e = 0; e < pattern->entries;) {
    const int i = pattern->row[e];
    const double by = -c->h * c->h / c->scale_g[i];
    do {
      J[e] *= by;
    } while (++e < pattern->entries && pattern->row[e] == i);
  }
}

/* Ends SHAKE with the lambda of the last sw_holonomic_residual: p1. */
static inline void sw_holonomic_end(sw_holonomic *s, const double lambda[])
{
  sw_shake *c = s->shake;
  const sw_pattern *jac = &c->system->constraint_jac_pattern;
  const size_t d = (size_t)c->system->nq;
  double *p1 = c->z1 + d;

  sw_copy(p1, c->x, d);
  for (int e = 0; e < jac->entries; e++) {
    p1[jac->col[e]] -= c->h * s->start.jac[e] * lambda[jac->row[e]];
  }
  if (s->kick < 1.0) {
    const double *force = sw_frame_force(s, &s->end, c->z1);
    for (size_t i = 0; i < d; i++) {
      p1[i] -= (1.0 - s->kick) * c->h * force[i];
    }
  }
  sw_frame_at(s, &s->end, c->z1);
}

/* matrix = Dg S at a frame, each row divided by a measure of its gradient: -N but for these factors, and a
 * function of the positions alone, so that its sign and what it lacks are. */
static inline double sw_holonomic_measure(const sw_frame *frame, int i)
{
  return sw_power_below(frame->sums[i]);
}

static inline void sw_holonomic_matrix(sw_holonomic *s, const sw_frame *frame)
{
  const sw_shake_plan *plan = s->shake->plan;
  const int *row = plan->jacobian.row;
  const int entries = plan->jacobian.entries;

  sw_product_values(&plan->response, frame->jac, frame->slope, s->matrix);
  for (int e = 0; e < entries;) {
    const int i = row[e];
    const double by = 1.0 / sw_holonomic_measure(frame, i);
    do {
      s->matrix[e] *= by;
    } while (++e < entries && row[e] == i);
  }
}

/* rho = Dg(q1) v and its terms. */
static inline void sw_slide_rho(sw_holonomic *s, const double v[])
{
  const sw_pattern *jac = &s->shake->system->constraint_jac_pattern;
  const int entries = jac->entries;

  sw_zero(s->rho, (size_t)s->shake->m);
  sw_zero(s->terms, (size_t)s->shake->m);
  for (int e = 0; e < entries;) {
    const int i = jac->row[e];
    double sum = 0.0;
    double sizes = 0.0;
    do {
      const double term = s->end.jac[e] * v[jac->col[e]];
      sum += term;
      sizes += fabs(term);
    } while (++e < entries && jac->row[e] == i);
    s->rho[i] = sum;
    s->terms[i] = sizes;
  }
}

/* The scales of rho at the end of SHAKE, as scale.h says: D_q rho is g_i,zz (H_p, 0), D_p rho is S^T.
 * Returns 0 where one is not finite. */
static inline int sw_slide_scales(sw_holonomic *s, const double velocity[])
{
  sw_shake *c = s->shake;
  const sw_system *system = c->system;
  const sw_pattern *jac = &system->constraint_jac_pattern;

  if (!system->constraint_jac_along) {
    system->hidden_scale(system, c->z1, c->k, s->scale);
    system->hidden_jac(system, c->z1, c->k, s->along);
    return sw_scales(&system->hidden_jac_pattern, s->along, system->nq, c->size, s->scale, c->sums);
  }
  system->constraint_jac_along(system, c->z1, c->k, velocity, s->along);
  for (int i = 0; i < c->m; i++) {
    s->scale[i] = s->terms[i];
    c->sums[i] = s->end.slope_sums[i] * c->size.p;
  }
  for (int e = 0; e < jac->entries;) {
    const int i = jac->row[e];
    double changes = 0.0;
    do {
      changes += fabs(s->along[e]);
    } while (++e < jac->entries && jac->row[e] == i);
    c->sums[i] += changes * c->size.q;
  }
  return sw_larger_scales(c->m, c->sums, s->scale);
}

/* Starts the slide from the end of SHAKE: F(0) and the matrix of F(sigma).  Returns 0 where a scale is not
 * finite. */
static inline int sw_slide_begin(sw_holonomic *s)
{
  sw_shake *c = s->shake;
  const double *velocity = sw_holonomic_velocity(s, c->z1 + c->system->nq);

  sw_slide_rho(s, velocity);
  if (!sw_slide_scales(s, velocity)) {
    return 0;
  }
  for (int i = 0; i < c->m; i++) {
    s->F[i] = s->rho[i] / s->scale[i];
  }
  sw_holonomic_matrix(s, &s->end);
  return 1;
}

/* F(sigma) = (rho - h Dg S sigma)/scale, m values. */
static inline void sw_slide_residual(const sw_holonomic *s, const double sigma[], double F[])
{
  const sw_shake *c = s->shake;

  sw_zero(F, (size_t)c->m);
  sw_add_product(&c->plan->jacobian, s->matrix, c->h, sigma, F);
  for (int i = 0; i < c->m; i++) {
    F[i] = s->F[i] - F[i] * (sw_holonomic_measure(&s->end, i) / s->scale[i]);
  }
}

/* What is to be solved for with the matrix, so that its solution is the change of sigma which makes F vanish. */
static inline void sw_slide_wanted(const sw_holonomic *s, const double F[], double b[])
{
  const sw_shake *c = s->shake;

  for (int i = 0; i < c->m; i++) {
    b[i] = F[i] * s->scale[i] / (c->h * sw_holonomic_measure(&s->end, i));
  }
}

/* Ends the slide: p1, and rho of the end point itself. */
static inline void sw_slide_end(sw_holonomic *s, const double sigma[])
{
  sw_shake *c = s->shake;
  const sw_pattern *jac = &c->system->constraint_jac_pattern;
  const size_t d = (size_t)c->system->nq;
  double *p1 = c->z1 + d;

  for (int e = 0; e < jac->entries; e++) {
    p1[jac->col[e]] -= c->h * s->end.jac[e] * sigma[jac->row[e]];
  }
  sw_slide_rho(s, sw_holonomic_velocity(s, p1));
  s->at_end = 1;
}

/* The end of this step is the start of the next. */
static inline void sw_holonomic_commit(sw_holonomic *s)
{
  const sw_frame start = s->start;

  s->start = s->end;
  s->end = start;
  s->end.known = s->end.has_force = 0;
  s->at_start = s->at_end;
  s->at_end = 0;
}

#endif
