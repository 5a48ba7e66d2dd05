/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.c -- all kinds of phases: those with a solve (phase_operations.c), weighted sums of states,
 * and those of variational integrators.
 */
#include "step/phase.h"

/* ---- a weighted sum of states ---- */

static void carve_combination(sw_carver *c, sw_phase *s, size_t columns, int for_tangent)
{
  const size_t dim = 2 * (size_t)s->system->nq;

  (void)for_tangent;
  s->made = sw_carve(c, dim, 1);
  s->D_made = sw_carve(c, dim, columns);
  s->end = s->made;
}

/* made = weighted sum of the states. A state with weight 0 need not exist. */
static void combine(sw_phase *s, const double u[])
{
  const sw_combination *c = s->plan->combination;
  const double *state[3] = {s->start, s->before, s->earlier};
  const double *weight[3] = {c->now, c->before, c->earlier};
  const size_t d = (size_t)s->system->nq;

  (void)u;
  sw_zero(s->made, 2 * d);
  for (int i = 0; i < 3; i++) {
    for (size_t j = 0; j < 2 * d; j++) {
      const double w = weight[i][j >= d];
      s->made[j] += w == 0.0 ? 0.0 : w * state[i][j];
    }
  }
}

static int begin_combination(sw_phase *s, const double z[])
{
  (void)z;
  combine(s, NULL);
  return 1;
}

static void along_combination(sw_phase *s)
{
  (void)s;
}

static const double *combine_directions(sw_phase *s, int n, const double V[], const double DU[],
                                        double DF[])
{
  const sw_combination *c = s->plan->combination;
  const double *state[3] = {V, s->V_before, s->V_earlier};
  const double *weight[3] = {c->now, c->before, c->earlier};
  const int d = s->system->nq;

  (void)DU, (void)DF;
  sw_zero(s->D_made, 2 * (size_t)d * (size_t)n);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 2 * d; j++) {
      const double w = weight[i][j >= d];
      if (w != 0.0) {
        sw_add_scaled(n, w, sw_const_row(state[i], n, j), sw_row(s->D_made, n, j));
      }
    }
  }
  return s->D_made;
}

static const sw_phase_kind combination = {.carve = carve_combination,
                                          .begin = begin_combination,
                                          .move = combine,
                                          .along = along_combination,
                                          .directions = combine_directions};

/* ---- a variational integrator ---- */

static void carve_variational(sw_carver *c, sw_phase *s, size_t columns, int for_tangent)
{
  (void)for_tangent;
  s->u = sw_carve(c, (size_t)s->plan->n, 1);
  s->variational.step = s->step;
  sw_variational_carve(c, s->system, s->k, s->plan->layer, s->plan->bias, columns, &s->variational);
  s->end = s->variational.at;
}

static int begin_variational(sw_phase *s, const double z[])
{
  return sw_variational_begin(&s->variational, z, s->u);
}

static void move_variational(sw_phase *s, const double u[])
{
  sw_variational_move(&s->variational, u);
}

static void variational_values(sw_phase *s, const double u[], double F[])
{
  sw_variational_values(&s->variational, u, F);
}

static void variational_jacobian(sw_phase *s, double J[])
{
  sw_variational_jacobian(&s->variational, J);
}

static void along_variational(sw_phase *s)
{
  sw_variational_along(&s->variational, s->start);
}

static const double *variational_directions(sw_phase *s, int n, const double V[], const double DU[],
                                            double DF[])
{
  sw_variational_directions(&s->variational, n, V, DU, DF);
  return DU; /* the state comes first in u */
}

static const sw_phase_kind variational = {.carve = carve_variational,
                                          .begin = begin_variational,
                                          .move = move_variational,
                                          .values = variational_values,
                                          .jacobian = variational_jacobian,
                                          .along = along_variational,
                                          .directions = variational_directions};

/* ---- dispatch ---- */

static const sw_phase_kind *phase_kind_of(const sw_phase *s)
{
  return s->plan->combination ? &combination
         : s->plan->layer     ? &variational
                              : &sw_phase_of_operations;
}

void sw_phase_carve(sw_carver *c, sw_phase *s, size_t columns, int for_tangent)
{
  phase_kind_of(s)->carve(c, s, columns, for_tangent);
}

void sw_phase_open(sw_phase *s)
{
  const sw_phase_plan *plan = s->plan;

  for (int i = plan->m; i < plan->n && plan->colours > 0; i++) {
    sw_row(s->seed, plan->colours, i - plan->m)[plan->colour[i]] = 1.0;
  }
  for (int i = 0; plan->discrete && i < plan->m; i++) {
    sw_row(s->discrete.seed, plan->colours, i)[plan->colour[i]] = 1.0;
  }
}

void sw_phase_forget(sw_phase *s)
{
  s->required->jac_known = 0;
  if (s->plan->stages) {
    sw_stages_forget(&s->stages);
  }
}

int sw_phase_begin(sw_phase *s, const double z[])
{
  s->start = z;
  return phase_kind_of(s)->begin(s, z);
}

void sw_phase_values(sw_phase *s, const double u[], double F[])
{
  phase_kind_of(s)->values(s, u, F);
}

void sw_phase_move(sw_phase *s, const double u[])
{
  phase_kind_of(s)->move(s, u);
}

void sw_phase_jacobian(sw_phase *s, double J[])
{
  phase_kind_of(s)->jacobian(s, J);
}

void sw_phase_residual(void *context, const double u[], double F[])
{
  sw_phase_values(context, u, F);
}

void sw_phase_derivative(void *context, const double u[], double J[])
{
  (void)u;
  sw_phase_jacobian(context, J);
}

void sw_phase_along(sw_phase *s)
{
  phase_kind_of(s)->along(s);
}

const double *sw_phase_directions(sw_phase *s, int n, const double V[], const double DU[],
                                  double DF[])
{
  return phase_kind_of(s)->directions(s, n, V, DU, DF);
}

void sw_phase_increment(sw_phase *s, sw_two_sums to)
{
  phase_kind_of(s)->increment(s, to);
}
