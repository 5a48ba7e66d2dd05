/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic.h"

#include <math.h>

#include "linear/sparse.h"

/* ---- memory ---- */

static void carve_frame(sw_carver *c, const sw_holonomic *s, sw_frame *frame)
{
  const size_t m = (size_t)s->system->nc;

  frame->force = sw_carve(c, (size_t)s->system->nq, 1);
  frame->jac = sw_carve(c, (size_t)s->system->constraint_jac_pattern.entries, 1);
  frame->slope = sw_carve(c, (size_t)s->plan->slope.entries, 1);
  frame->sums = sw_carve(c, m, 1);
  frame->slope_sums = sw_carve(c, m, 1);
}

void sw_holonomic_carve(sw_carver *c, sw_holonomic *s)
{
  const sw_system *system = s->system;
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const int along[2] = {system->constraint_jac_pattern.entries, system->hidden_jac_pattern.entries};

  carve_frame(c, s, &s->start);
  carve_frame(c, s, &s->end);
  s->point = sw_carve(c, 2 * d, 1);
  s->gradient = sw_carve(c, 2 * d, 1);
  s->x = sw_carve(c, d, 1);
  s->velocity = sw_carve(c, d, 1);
  s->hessian = sw_carve(c, (size_t)system->hamiltonian_hess_pattern.entries, 1);
  s->free = sw_carve(c, d, 1);
  s->rho = sw_carve(c, m, 1);
  s->terms = sw_carve(c, m, 1);
  s->scale = sw_carve(c, m, 1);
  s->F = sw_carve(c, m, 1);
  s->matrix = sw_carve(c, (size_t)s->plan->jacobian.entries, 1);
  s->along = sw_carve(c, (size_t)(along[0] > along[1] ? along[0] : along[1]), 1);
}

/* ---- the step ---- */

/* y += factor A x, y: rows values.  A row is added up before it is stored. */
static void add_product(const sw_pattern *pattern, const double a[], double factor,
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
static const double *force_of(sw_holonomic *s, sw_frame *frame, const double q[])
{
  if (!frame->has_force) {
    sw_half_gradient(s->system, s->k, 0, q, s->point, s->gradient, frame->force);
    frame->has_force = 1;
  }
  return frame->force;
}

static const double *velocity_at(sw_holonomic *s, const double p[])
{
  sw_half_gradient(s->system, s->k, 1, p, s->point, s->gradient, s->velocity);
  s->at_start = s->at_end = 0;
  return s->velocity;
}

void sw_frame_at(sw_holonomic *s, sw_frame *frame, const double z[])
{
  const sw_system *system = s->system;
  const sw_pattern *slope = &s->plan->slope;

  if (frame->known) {
    return;
  }
  if (!s->has_hessian) {
    system->hamiltonian_hess(system, z, s->k, s->hessian);
    s->has_hessian = 1;
  }
  system->constraint_jac(system, z, s->k, frame->jac);
  sw_product_values(&s->plan->drift, s->hessian, frame->jac, frame->slope);
  sw_row_sums(&system->constraint_jac_pattern, frame->jac, frame->sums);
  sw_zero(frame->slope_sums, (size_t)s->plan->m);
  for (int e = 0; e < slope->entries; e++) {
    frame->slope_sums[slope->col[e]] += fabs(frame->slope[e]);
  }
  frame->known = 1;
}

void sw_holonomic_forget(sw_holonomic *s)
{
  s->start.known = s->start.has_force = 0;
  s->end.known = s->end.has_force = 0;
  s->at_start = s->at_end = s->has_hessian = 0;
}

int sw_holonomic_begin(sw_holonomic *s)
{
  const sw_system *system = s->system;
  const double *z0 = s->step->z0;
  const double h = s->step->h;
  const size_t d = (size_t)system->nq;
  const double kick = s->plan->kick * s->step->force;
  const double *force = force_of(s, &s->start, z0);
  sw_sizes moved = {0.0, fabs(h) * sw_max_abs(d, force)};

  for (size_t i = 0; i < d; i++) {
    s->x[i] = kick > 0.0 ? z0[d + i] - kick * h * force[i] : z0[d + i];
  }
  /* Without a first kick these are the momenta of the start. */
  const double *velocity = s->at_start && kick == 0.0 ? s->velocity : velocity_at(s, s->x);
  for (size_t i = 0; i < d; i++) {
    s->free[i] = z0[i] + h * velocity[i];
  }
  moved.q = fabs(h) * sw_max_abs(d, velocity);
  if (!sw_step_measure(s->step, moved)) {
    return 0;
  }
  sw_frame_at(s, &s->start, z0);
  s->end.known = s->end.has_force = 0;
  system->constraint_scale(system, z0, s->k, s->g->scale);
  /* g is a function of (q,p) that reads no p. */
  sw_copy(s->z1 + d, z0 + d, d);
  for (int i = 0; i < s->plan->m; i++) {
    s->g->sums[i] = s->start.sums[i] * s->step->size.q;
  }
  return sw_larger_scales(s->plan->m, s->g->sums, s->g->scale);
}

void sw_holonomic_residual(sw_holonomic *s, const double lambda[], double F[])
{
  const sw_system *system = s->system;

  sw_copy(s->z1, s->free, (size_t)system->nq);
  /* The first guess costs no product. */
  if (!sw_is_zero(s->plan->m, lambda)) {
    add_product(&s->plan->slope, s->start.slope, -s->step->h * s->step->h, lambda, s->z1);
  }
  system->constraint(system, s->z1, s->k, s->g->value);
  for (int i = 0; i < s->plan->m; i++) {
    F[i] = s->g->value[i] / s->g->scale[i];
  }
}

void sw_holonomic_jacobian(sw_holonomic *s, double J[])
{
  const sw_pattern *pattern = &s->plan->jacobian;

  s->system->constraint_jac(s->system, s->z1, s->k, s->end.jac);
  sw_product_values(&s->plan->product, s->end.jac, s->start.slope, J);
  for (int e = 0; e < pattern->entries;) {
    const int i = pattern->row[e];
    const double by = -s->step->h * s->step->h / s->g->scale[i];
    do {
      J[e] *= by;
    } while (++e < pattern->entries && pattern->row[e] == i);
  }
}

void sw_holonomic_end(sw_holonomic *s, const double lambda[])
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;
  const size_t d = (size_t)s->system->nq;
  double *p1 = s->z1 + d;

  sw_copy(p1, s->x, d);
  for (int e = 0; e < jac->entries; e++) {
    p1[jac->col[e]] -= s->step->h * s->start.jac[e] * lambda[jac->row[e]];
  }
  if (s->plan->kick < 1.0) {
    const double *force = force_of(s, &s->end, s->z1);
    for (size_t i = 0; i < d; i++) {
      p1[i] -= (1.0 - s->plan->kick) * s->step->h * force[i];
    }
  }
  sw_frame_at(s, &s->end, s->z1);
}

double sw_holonomic_measure(const sw_frame *frame, int i)
{
  return sw_power_below(frame->sums[i]);
}

void sw_holonomic_matrix(sw_holonomic *s, const sw_frame *frame)
{
  const sw_phase_plan *plan = s->plan;
  const int *row = plan->jacobian.row;
  const int entries = plan->jacobian.entries;

  sw_product_values(&plan->product, frame->jac, frame->slope, s->matrix);
  for (int e = 0; e < entries;) {
    const int i = row[e];
    const double by = 1.0 / sw_holonomic_measure(frame, i);
    do {
      s->matrix[e] *= by;
    } while (++e < entries && row[e] == i);
  }
}

/* rho = Dg(q1) v and its terms. */
static void find_rho(sw_holonomic *s, const double v[])
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;
  const int entries = jac->entries;

  sw_zero(s->rho, (size_t)s->plan->m);
  sw_zero(s->terms, (size_t)s->plan->m);
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
static int slide_scales(sw_holonomic *s, const double velocity[])
{
  const sw_system *system = s->system;
  const sw_pattern *jac = &system->constraint_jac_pattern;

  if (!system->constraint_jac_along) {
    system->hidden_scale(system, s->z1, s->k, s->scale);
    system->hidden_jac(system, s->z1, s->k, s->along);
    return sw_scales(&system->hidden_jac_pattern, s->along, system->nq, s->step->size, s->scale,
                     s->g->sums);
  }
  system->constraint_jac_along(system, s->z1, s->k, velocity, s->along);
  for (int i = 0; i < s->plan->m; i++) {
    s->scale[i] = s->terms[i];
    s->g->sums[i] = s->end.slope_sums[i] * s->step->size.p;
  }
  for (int e = 0; e < jac->entries;) {
    const int i = jac->row[e];
    double changes = 0.0;
    do {
      changes += fabs(s->along[e]);
    } while (++e < jac->entries && jac->row[e] == i);
    s->g->sums[i] += changes * s->step->size.q;
  }
  return sw_larger_scales(s->plan->m, s->g->sums, s->scale);
}

int sw_slide_begin(sw_holonomic *s)
{
  const double *velocity = velocity_at(s, s->z1 + s->system->nq);

  find_rho(s, velocity);
  if (!slide_scales(s, velocity)) {
    return 0;
  }
  for (int i = 0; i < s->plan->m; i++) {
    s->F[i] = s->rho[i] / s->scale[i];
  }
  sw_holonomic_matrix(s, &s->end);
  return 1;
}

void sw_slide_residual(const sw_holonomic *s, const double sigma[], double F[])
{
  sw_zero(F, (size_t)s->plan->m);
  add_product(&s->plan->jacobian, s->matrix, s->step->h, sigma, F);
  for (int i = 0; i < s->plan->m; i++) {
    F[i] = s->F[i] - F[i] * (sw_holonomic_measure(&s->end, i) / s->scale[i]);
  }
}

void sw_slide_wanted(const sw_holonomic *s, const double F[], double b[])
{
  for (int i = 0; i < s->plan->m; i++) {
    b[i] = F[i] * s->scale[i] / (s->step->h * sw_holonomic_measure(&s->end, i));
  }
}

void sw_slide_end(sw_holonomic *s, const double sigma[])
{
  const sw_pattern *jac = &s->system->constraint_jac_pattern;
  const size_t d = (size_t)s->system->nq;
  double *p1 = s->z1 + d;

  for (int e = 0; e < jac->entries; e++) {
    p1[jac->col[e]] -= s->step->h * s->end.jac[e] * sigma[jac->row[e]];
  }
  find_rho(s, velocity_at(s, p1));
  s->at_end = 1;
}

void sw_holonomic_commit(sw_holonomic *s)
{
  const sw_frame start = s->start;

  s->start = s->end;
  s->end = start;
  s->end.known = s->end.has_force = 0;
  s->at_start = s->at_end;
  s->at_end = 0;
}
