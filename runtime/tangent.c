/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tangent.c -- the exact derivative of a step, by the implicit function theorem.
 *
 * SHAKE solves F(u; z0) = 0 for u = (lambda, x), with y = Gamma_{h lambda}(z0) and F = (g(z1), r(y,x))
 * (methods/shake.h).  A direction V of z0 moves y by dGamma/dz V, and the solution by DU with
 *
 *   F_u DU = -F_z V,
 *
 * where F_u is the Newton matrix at the solution and F_z V comes from the base method's tangent.  RATTLE's
 * slide likewise: h N' Dsigma = -Drho(z1) dGamma/dz DZ, with the Newton matrix h N' of the slide.
 *
 * The two terms of DF = F_z V + F_u DU are computed apart, and what is left of their sum is solved for once
 * more, so that the linear systems are solved to the round-off of their data.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "sim_internal.h"

/* Directions that are taken together, so that one entry of a sparse matrix acts on that many values. */
enum { WIDTH = 16, ROUNDS = 2 };

typedef struct sw_tangent {
  sw_sim *sim;
  const sw_system *system;
  double h;
  int width; /* directions taken together, at most WIDTH */
  int n;     /* of them in use; the columns of every block below */
  int inner; /* unknowns of SHAKE */
  int tall;  /* the larger of inner and m */

  sw_stages base;
  double *argument; /* m: h lambda, then h sigma */
  double *y;        /* 2d: Gamma_{h lambda}(z0) */
  double *x;        /* stage values */
  double *r;        /* the same number */
  double *z1;       /* 2d: the end of SHAKE */
  double *jac;      /* values of Dg at z1 */
  double *flow_z;   /* values of dGamma/dz */
  double *flow;     /* values of dGamma/dlambda */
  double *newton;   /* values of the Newton matrix */
  double *column;   /* tall: one column of the right-hand side */

  double *V;  /* 2d x n */
  double *WY; /* 2d x n: dGamma/dz V */
  double *DY; /* 2d x n */
  double *DX; /* stages x n */
  double *DR; /* stages x n */
  double *DZ; /* 2d x n */
  double *DU; /* tall x n: of the unknowns */
  double *DF; /* tall x n */

  sw_deficient *shake;
  sw_deficient *slide;
  void *block; /* all the arrays above */
} sw_tangent;

static void carve(sw_carver *c, sw_tangent *s)
{
  const sw_system *system = s->system;
  const sw_shake *shake = &s->sim->shake;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const size_t stages = (size_t)shake->stages;
  const size_t tall = (size_t)s->tall;
  const size_t w = (size_t)s->width;
  const int newton[2] = {s->sim->plan.jacobian.entries, s->sim->slide.pattern.entries};

  sw_stages_open(&s->base, system, shake->base.plan, s->sim->k);
  sw_stages_carve(c, w, &s->base);
  s->argument = sw_carve(c, m, 1);
  s->y = sw_carve(c, dim, 1);
  s->x = sw_carve(c, stages, 1);
  s->r = sw_carve(c, stages, 1);
  s->z1 = sw_carve(c, dim, 1);
  s->jac = sw_carve(c, (size_t)system->constraint_jac_pattern.entries, 1);
  s->flow_z = sw_carve(c, (size_t)system->fibre_flow_z_pattern.entries, 1);
  s->flow = sw_carve(c, (size_t)system->fibre_flow_lambda_pattern.entries, 1);
  s->newton = sw_carve(c, (size_t)(newton[0] > newton[1] ? newton[0] : newton[1]), 1);
  s->column = sw_carve(c, tall, 1);
  s->V = sw_carve(c, dim, w);
  s->WY = sw_carve(c, dim, w);
  s->DY = sw_carve(c, dim, w);
  s->DX = sw_carve(c, stages, w);
  s->DR = sw_carve(c, stages, w);
  s->DZ = sw_carve(c, dim, w);
  s->DU = sw_carve(c, tall, w);
  s->DF = sw_carve(c, tall, w);
}

static sw_status allocate(sw_tangent *s)
{
  sw_carver counting = {NULL, 0, 0};
  sw_carver handing = {NULL, 0, 0};

  carve(&counting, s);
  if (counting.overflow) {
    return SW_ERR_MEMORY;
  }
  s->block = calloc(1, counting.used + 1);
  if (!s->block) {
    return SW_ERR_MEMORY;
  }
  handing.block = s->block;
  carve(&handing, s);
  return SW_OK;
}

static void tangent_free(sw_tangent *s)
{
  sw_deficient_free(&s->shake);
  sw_deficient_free(&s->slide);
  free(s->block);
}

/* The matrix with these values, factorised. */
static sw_status factor(sw_tangent *s, const sw_pattern *pattern, sw_deficient **linear)
{
  const sw_multipliers multipliers = {s->sim->redundant, 0, s->system->nc};
  const sw_status status = sw_deficient_create(pattern, multipliers, linear);

  if (status != SW_OK) {
    return status;
  }
  if (!isfinite(sw_max_abs((size_t)pattern->entries, s->newton))) {
    return sw_fail_not_finite(s->sim, "tangent");
  }
  if (sw_deficient_factor(*linear, s->newton) != 0) {
    return sw_fail(s->sim, SW_ERR_SINGULAR,
                   "tangent failed at t = %.6g: the Jacobian of the solve is singular at its "
                   "solution, so the step has no derivative there",
                   s->sim->t);
  }
  return SW_OK;
}

/* Goes through SHAKE once more with the lambda and x that have been found: y, x and z1, and the Newton
 * matrix there. */
static sw_status prepare_shake(sw_tangent *s)
{
  sw_sim *sim = s->sim;
  const sw_system *system = s->system;
  const int m = system->nc;

  if (s->inner > 0) {
    if (sim->plan.holonomic) {
      sw_holonomic_jacobian(&sim->holonomic, s->newton);
    } else {
      sw_shake_jacobian(&sim->shake, s->newton);
    }
    const sw_status status = factor(s, &sim->plan.jacobian, &s->shake);
    if (status != SW_OK) {
      return status;
    }
  }
  sw_copy(s->y, sim->z, 2 * (size_t)system->nq);
  if (m > 0) {
    for (int i = 0; i < m; i++) {
      s->argument[i] = s->h * sim->new_lambda[i];
    }
    system->fibre_flow(system, sim->z, sim->k, s->argument, s->y);
  }
  sw_copy(s->x, sim->u + m, (size_t)sim->shake.stages);
  sw_stages_values(&s->base, s->h, s->y, s->x, s->r, s->z1);
  return SW_OK;
}

/* The Newton matrix of the slide from z1; leaves the end of the step in sim->slide.z1. */
static sw_status prepare_slide(sw_tangent *s)
{
  sw_sim *sim = s->sim;

  if (!sw_rattle_begin(&sim->slide, sim->shake.size, sim->z, s->z1, s->h)) {
    return sw_fail_not_finite(sim, "tangent");
  }
  sw_rattle_residual(&sim->slide, sim->new_sigma, s->column);
  sw_rattle_jacobian(&sim->slide, s->newton);
  return factor(s, &sim->slide.pattern, &s->slide);
}

/* x <- x - A^{-1} b for n columns.  b, x: rows x n. */
static void correct(sw_tangent *s, sw_deficient *linear, int rows, const double b[], double x[])
{
  const size_t n = (size_t)s->n;

  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < (size_t)rows; i++) {
      s->column[i] = b[i * n + j];
    }
    sw_deficient_solve(linear, s->column);
    for (size_t i = 0; i < (size_t)rows; i++) {
      x[i * n + j] -= s->column[i];
    }
  }
}

/* Y = X + h F DU, Y and X: 2d x n, F the derivative of Gamma in lambda whose values are s->flow. */
static void add_flow(const sw_tangent *s, const double X[], double Y[])
{
  const sw_pattern *flow = &s->system->fibre_flow_lambda_pattern;

  sw_copy(Y, X, 2 * (size_t)s->system->nq * (size_t)s->n);
  for (int e = 0; e < flow->entries; e++) {
    sw_add_scaled(s->n, s->h * s->flow[e], sw_const_row(s->DU, s->n, flow->col[e]),
                  sw_row(Y, s->n, flow->row[e]));
  }
}

/* DZ and DF = (Dg DZ, DR)/scales, for DU and WY. */
static void along_shake(sw_tangent *s)
{
  const sw_sim *sim = s->sim;
  const sw_shake *shake = &sim->shake;
  const int m = s->system->nc;
  const int n = s->n;

  if (m > 0) {
    add_flow(s, s->WY, s->DY);
  } else {
    sw_copy(s->DY, s->WY, 2 * (size_t)s->system->nq * (size_t)n);
  }
  if (s->inner > m) {
    sw_copy(s->DX, sw_const_row(s->DU, n, m), (size_t)shake->stages * (size_t)n);
  }
  sw_stages_directions(&s->base, s->h, n, 0, s->DY, s->DX, s->DR, s->DZ);
  if (m > 0) {
    sw_multiply(&s->system->constraint_jac_pattern, s->jac, n, s->DZ, s->DF);
  }
  if (s->inner > m) {
    sw_copy(sw_row(s->DF, n, m), s->DR, (size_t)shake->stages * (size_t)n);
  }
  for (int i = 0; i < s->inner; i++) {
    const double scale = i < m ? shake->scale_g[i] : shake->scale_x[i - m];
    for (int j = 0; j < n; j++) {
      sw_row(s->DF, n, i)[j] /= scale;
    }
  }
}

/* DZ = D(SHAKE) V. */
static void through_shake(sw_tangent *s)
{
  const sw_system *system = s->system;
  const sw_sim *sim = s->sim;

  sw_copy(s->WY, s->V, 2 * (size_t)system->nq * (size_t)s->n);
  if (system->nc > 0) {
    for (int i = 0; i < system->nc; i++) {
      s->argument[i] = s->h * sim->new_lambda[i];
    }
    system->fibre_flow_z(system, sim->z, sim->k, s->argument, s->flow_z);
    system->fibre_flow_lambda(system, sim->z, sim->k, s->argument, s->flow);
    system->constraint_jac(system, s->z1, sim->k, s->jac);
    sw_multiply(&system->fibre_flow_z_pattern, s->flow_z, s->n, s->V, s->WY);
  }
  sw_zero(s->DU, (size_t)s->tall * (size_t)s->n);
  along_shake(s);
  for (int round = 0; round < ROUNDS && s->inner > 0; round++) {
    correct(s, s->shake, s->inner, s->DF, s->DU);
    along_shake(s);
  }
}

/* DZ <- D(slide) DZ. */
static void through_slide(sw_tangent *s)
{
  const sw_system *system = s->system;
  sw_rattle *slide = &s->sim->slide;
  const int m = system->nc;

  system->fibre_flow_z(system, s->z1, slide->k, slide->argument, s->flow_z);
  system->fibre_flow_lambda(system, s->z1, slide->k, slide->argument, s->flow);
  sw_multiply(&system->fibre_flow_z_pattern, s->flow_z, s->n, s->DZ, s->WY);
  sw_zero(s->DU, (size_t)m * (size_t)s->n);
  add_flow(s, s->WY, s->DZ);
  for (int round = 0; round < ROUNDS; round++) {
    sw_multiply(&system->hidden_jac_pattern, slide->jac, s->n, s->DZ, s->DF);
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < s->n; j++) {
        sw_row(s->DF, s->n, i)[j] /= slide->scale[i];
      }
    }
    correct(s, s->slide, m, s->DF, s->DU);
    add_flow(s, s->WY, s->DZ);
  }
}

/* DV = D V for n directions, `width` at a time. */
static sw_status multiply(sw_tangent *s, int n, const double V[], double DV[])
{
  const size_t dim = 2 * (size_t)s->system->nq;
  double zero = 0.0; /* of x - x, which is NaN where x is not finite */

  for (int first = 0; first < n; first += s->n) {
    s->n = n - first < s->width ? n - first : s->width;
    for (size_t j = 0; j < (size_t)s->n; j++) {
      for (size_t i = 0; i < dim; i++) {
        s->V[i * (size_t)s->n + j] = V[((size_t)first + j) * dim + i];
      }
    }
    through_shake(s);
    if (s->slide) {
      through_slide(s);
    }
    for (size_t j = 0; j < (size_t)s->n; j++) {
      for (size_t i = 0; i < dim; i++) {
        const double value = s->DZ[i * (size_t)s->n + j];
        DV[((size_t)first + j) * dim + i] = value;
        zero += value - value;
      }
    }
  }
  return zero == 0.0 ? SW_OK : sw_fail_not_finite(s->sim, "tangent");
}

static sw_status tangent(sw_tangent *s, int n, const double V[], double DV[])
{
  sw_sim *sim = s->sim;
  const int has_slide = sim->rattle && s->system->nc > 0;
  sw_made_step made;
  sw_status status = has_slide ? sw_slide_plan(sim) : SW_OK;

  if (status == SW_OK) {
    status = allocate(s);
  }
  if (status == SW_OK) {
    status = sw_step_make(sim, s->h, sim->t + s->h, &made);
  }
  if (status == SW_OK) {
    status = prepare_shake(s);
  }
  if (status == SW_OK && has_slide) {
    status = prepare_slide(s);
  }
  return status == SW_OK ? multiply(s, n, V, DV) : status;
}

sw_status sw_sim_tangent_times(sw_sim *sim, double h, int n, const double V[], double DV[])
{
  const int m = sim->system->nc;
  const sw_stats stats = sim->stats;
  sw_tangent s = {.sim = sim, .system = sim->system, .h = h, .inner = sim->plan.n};

  sim->message[0] = '\0';
  if (n < 0 || ((!V || !DV) && n > 0)) {
    return sw_fail(sim, SW_ERR_ARGUMENT, "tangent refused: %d directions", n);
  }
  s.width = n < WIDTH ? n : WIDTH;
  s.tall = s.inner > m ? s.inner : m;
  const sw_status status = tangent(&s, n, V, DV);
  tangent_free(&s);
  sim->stats = stats;
  sw_step_forget(sim);
  if (status == SW_ERR_MEMORY) {
    return sw_fail(sim, status, "tangent failed: out of memory");
  }
  return status;
}

sw_status sw_sim_tangent(sw_sim *sim, double h, double D[])
{
  const size_t dim = 2 * (size_t)sim->system->nq;

  if (dim > INT_MAX || dim * dim / dim != dim) {
    return sw_fail(sim, SW_ERR_MEMORY, "tangent refused: %zu x %zu values do not fit", dim, dim);
  }
  sw_zero(D, dim * dim);
  for (size_t i = 0; i < dim; i++) {
    D[i * dim + i] = 1.0;
  }
  return sw_sim_tangent_times(sim, h, (int)dim, D, D);
}
