/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contractions.c -- what a model leaves out: brackets made of gradients and Hessians, and the fibre flow made of its
 * families' parts.
 *
 * With the field F = J Dg^T, whose columns are the X_{g_j} (system_plan.h):
 *
 *   rho  = Dg X_H                       hidden constraints, rho_i = {g_i,H}
 *   Drho = (g_i,zz X_H)_i - F^T Hess H  since the derivative of X_H = J grad H is J Hess H
 *   C    = Dg F                         C_ij = {g_i,g_j}
 *   N    = Drho F                       N_ij = {rho_i,g_j}
 *
 * Where all flows have a closed form the constraints commute, so Gamma_lambda is the families' flows one
 * after the other.  Two kinds of families then share no degree of freedom (sw_model.structure): one kind's flow leaves
 * the derivatives of the others as they were, and all may be evaluated at z.  Elsewhere fibre/ does it.
 */
#include <math.h>

#include "linear/sparse.h"
#include "model/system_plan.h"

/* X_H = (H_p, -H_q), in scratch memory. */
static const double *velocity(const sw_system *system, const double z[], const double k[])
{
  const sw_plan *plan = system->plan;
  const int d = system->nq;

  system->hamiltonian_grad(system, z, k, plan->gradient);
  for (int i = 0; i < d; i++) {
    plan->velocity[i] = plan->gradient[d + i];
    plan->velocity[d + i] = -plan->gradient[i];
  }
  return plan->velocity;
}

/* F at z.  Leaves Dg in scratch memory. */
static void field_at(const sw_system *system, const double z[], const double k[], double field[])
{
  const sw_plan *plan = system->plan;
  const double *jac = plan->jac;
  const int *source = plan->field_source;
  const int entries = system->constraint_jac_pattern.entries;

  system->constraint_jac(system, z, k, plan->jac);
  for (int e = 0; e < plan->field_split; e++) {
    field[e] = jac[source[e]];
  }
  for (int e = plan->field_split; e < entries; e++) {
    field[e] = -jac[source[e]];
  }
}

/* ---- brackets ---- */

void sw_contract_hidden(const sw_system *system, const double z[], const double k[], double out[])
{
  const sw_plan *plan = system->plan;
  const int *col = system->constraint_jac_pattern.col;
  const double *v = velocity(system, z, k);

  system->constraint_jac(system, z, k, plan->jac);
  for (int i = 0; i < system->nc; i++) {
    double sum = 0.0;
    for (int e = plan->jac_start[i]; e < plan->jac_start[i + 1]; e++) {
      sum += plan->jac[e] * v[col[e]];
    }
    out[i] = sum;
  }
}

/* sum_j |Dg_ij| |X_H,j|: an estimate, which does not see the rounding within Dg_ij and X_H,j where their
 * own terms cancel. */
void sw_contract_hidden_scale(const sw_system *system, const double z[], const double k[],
                              double out[])
{
  const sw_plan *plan = system->plan;
  const int *col = system->constraint_jac_pattern.col;
  const double *v = velocity(system, z, k);

  system->constraint_jac(system, z, k, plan->jac);
  for (int i = 0; i < system->nc; i++) {
    double sum = 0.0;
    for (int e = plan->jac_start[i]; e < plan->jac_start[i + 1]; e++) {
      sum += fabs(plan->jac[e] * v[col[e]]);
    }
    out[i] = sum;
  }
}

/* F and Hess H at z, in scratch memory. */
static void evaluate_factors(const sw_system *system, const double z[], const double k[])
{
  const sw_plan *plan = system->plan;

  field_at(system, z, k, plan->field);
  system->hamiltonian_hess(system, z, k, plan->hess_H);
}

/* out = -F^T Hess H, in the entries that the product makes. */
static void bend(const sw_plan *plan, const sw_product *product, double out[])
{
  sw_product_scaled(product, -1.0, plan->field, plan->hess_H, out);
}

/* Drho, with F in scratch memory. */
void sw_contract_hidden_jac(const sw_system *system, const double z[], const double k[],
                            double out[])
{
  const sw_plan *plan = system->plan;

  evaluate_factors(system, z, k);
  bend(plan, &plan->curvature, out);
  plan->model->constraint_jac_along(plan->n, z, k, velocity(system, z, k), plan->given);
  sw_add_at(plan->constraint_jac.n, plan->along_place, plan->given, out);
}

void sw_contract_nondegeneracy(const sw_system *system, const double z[], const double k[],
                               double out[])
{
  const sw_plan *plan = system->plan;

  if (plan->needs_hidden_jac) {
    system->hidden_jac(system, z, k, plan->hidden_jac);
    if (!plan->along_place) { /* the model's own leaves no field behind */
      field_at(system, z, k, plan->field);
    }
  } else {
    evaluate_factors(system, z, k);
    bend(plan, &plan->reached, plan->hidden_jac);
  }
  sw_product_values(&plan->nondegeneracy, plan->hidden_jac, plan->field, out);
}

void sw_contract_coisotropy(const sw_system *system, const double z[], const double k[],
                            double out[])
{
  const sw_plan *plan = system->plan;

  if (plan->coisotropy.entries > 0) {
    field_at(system, z, k, plan->field);
    sw_product_values(&plan->coisotropy, plan->jac, plan->field, out);
  }
}

/* ---- the fibre flow ---- */

/* out += the shifts' parts of F lambda: p by -g_q, q by g_p. */
static void shift(const sw_system *system, const double z[], const double k[],
                  const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;
  const sw_family_table *table = &plan->constraints;
  const int *col = system->constraint_jac_pattern.col;
  const int d = system->nq;

  system->constraint_jac(system, z, k, plan->jac);
  for (int f = 0; f < table->n; f++) {
    const sw_fibre_kind kind = table->family[f].fibre;
    if (kind == SW_FIBRE_FLOW) {
      continue;
    }
    /* A shift of p has entries for q alone, a shift of q for p alone. */
    const int to = kind == SW_FIBRE_SHIFT_P ? d : -d;
    const double sign = kind == SW_FIBRE_SHIFT_P ? -1.0 : 1.0;
    for (int i = table->start[f]; i < table->start[f + 1]; i++) {
      const double step = sign * lambda[i];
      for (int e = plan->jac_start[i]; e < plan->jac_start[i + 1]; e++) {
        out[col[e] + to] += step * plan->jac[e];
      }
    }
  }
}

void sw_compose_flow(const sw_system *system, const double z[], const double k[],
                     const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;

  sw_copy(out, z, 2 * (size_t)system->nq);
  if (plan->has_shift) {
    shift(system, z, k, lambda, out);
  }
  if (plan->has_flow) {
    plan->model->family_flow(plan->n, k, lambda, out);
  }
}

/* Column j is X_{g_j}, at the end of the fibre flow: the constraints commute. */
void sw_compose_flow_lambda(const sw_system *system, const double z[], const double k[],
                            const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;

  sw_compose_flow(system, z, k, lambda, plan->state);
  field_at(system, plan->state, k, out);
}

void sw_compose_flow_z(const sw_system *system, const double z[], const double k[],
                       const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;
  const sw_pattern *hess = &system->constraint_hess_pattern;

  sw_zero(out, (size_t)system->fibre_flow_z_pattern.entries);
  for (int i = 0; i < 2 * system->nq; i++) {
    out[plan->one_place[i]] = 1.0;
  }
  if (plan->has_shift) {
    system->constraint_hess(system, z, k, lambda, plan->hess_g);
    for (int e = 0; e < hess->entries; e++) {
      const double value = hess->row[e] < system->nq ? -plan->hess_g[e] : plan->hess_g[e];
      for (size_t side = 0; side < 2; side++) {
        const int place = plan->shift_place[2 * (size_t)e + side];
        if (place >= 0) {
          out[place] += value;
        }
      }
    }
  }
  if (plan->has_flow) {
    plan->model->family_flow_z.values(plan->n, z, k, lambda, plan->given);
    sw_add_at(plan->flow_places, plan->flow_place, plan->given, out);
  }
}
