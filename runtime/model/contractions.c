/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contractions.c -- functions that a model omits: brackets from gradients and Hessians, and the
 * fibre flow from the flows of the families.
 *
 * With the field F = J Dg^T, whose columns are the X_{g_j} (system_plan.h):
 *
 *   rho  = Dg X_H                       hidden constraints, rho_i = {g_i,H}
 *   Drho = (g_i,zz X_H)_i - F^T Hess H  since the derivative of X_H = J grad H is J Hess H
 *   C    = Dg F                         C_ij = {g_i,g_j}
 *   N    = Drho F                       N_ij = {rho_i,g_j}
 *
 * If all flows have a closed form, the constraints commute, and Gamma_lambda is the composition of
 * the families' flows.  Families of different kinds then share no degree of freedom
 * (sw_model.structure).  The flow of one kind thus does not change the derivatives of the others,
 * and all of them may be evaluated at z.  All other fibre flows are integrated numerically
 * (numerical_fibre.h).
 */
#include <math.h>

#include "linear/sparse.h"
#include "model/system_plan.h"

/* X_H = (H_p, -H_q), in scratch memory. */
static const double *contractions_velocity(const sw_system *system, const double z[],
                                           const double k[])
{
  const sw_scratch *scratch = system->scratch;
  const int d = system->nq;

  system->hamiltonian_grad(system, z, k, scratch->gradient);
  for (int i = 0; i < d; i++) {
    scratch->velocity[i] = scratch->gradient[d + i];
    scratch->velocity[d + i] = -scratch->gradient[i];
  }
  return scratch->velocity;
}

/* F at z.  Leaves Dg in scratch memory. */
static void field_at(const sw_system *system, const double z[], const double k[], double field[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const double *jac = scratch->jac;
  const int *source = plan->field_source;
  const int entries = system->constraint_jac_pattern.entries;

  system->constraint_jac(system, z, k, scratch->jac);
  for (int e = 0; e < plan->field_split; e++) {
    field[e] = jac[source[e]];
  }
  for (int e = plan->field_split; e < entries; e++) {
    field[e] = -jac[source[e]];
  }
}

/* ---- brackets ---- */

/* Dg X_H, or the same sum of absolute values. */
static void contract(const sw_system *system, const double z[], const double k[], int magnitudes,
                     double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const int *col = system->constraint_jac_pattern.col;
  const double *v = contractions_velocity(system, z, k);

  system->constraint_jac(system, z, k, scratch->jac);
  for (int i = 0; i < system->nc; i++) {
    double sum = 0.0;
    for (int e = plan->jac_start[i]; e < plan->jac_start[i + 1]; e++) {
      const double term = scratch->jac[e] * v[col[e]];
      sum += magnitudes ? fabs(term) : term;
    }
    out[i] = sum;
  }
}

void sw_contract_hidden(const sw_system *system, const double z[], const double k[], double out[])
{
  contract(system, z, k, 0, out);
}

/* sum_j |Dg_ij| |X_H,j|. This estimate ignores the rounding within Dg_ij and X_H,j if their own
 * terms cancel. */
void sw_contract_hidden_scale(const sw_system *system, const double z[], const double k[],
                              double out[])
{
  contract(system, z, k, 1, out);
}

/* Evaluates F and Hess H at z into scratch memory. */
static void evaluate_factors(const sw_system *system, const double z[], const double k[])
{
  const sw_scratch *scratch = system->scratch;

  field_at(system, z, k, scratch->field);
  system->hamiltonian_hess(system, z, k, scratch->hess_H);
}

/* out = -F^T Hess H, for the entries of the product. */
static void add_curvature_term(const sw_scratch *scratch, const sw_product *product, double out[])
{
  sw_product_scaled(product, -1.0, scratch->field, scratch->hess_H, out);
}

/* Drho.  Leaves F in scratch memory. */
void sw_contract_hidden_jac(const sw_system *system, const double z[], const double k[],
                            double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;

  evaluate_factors(system, z, k);
  add_curvature_term(scratch, &plan->curvature, out);
  plan->model->constraint_jac_along(plan->n, z, k, contractions_velocity(system, z, k),
                                    scratch->given);
  sw_add_at(plan->placed[SW_PLACED_constraint_jac].n, plan->along_place, scratch->given, out);
}

void sw_contract_nondegeneracy(const sw_system *system, const double z[], const double k[],
                               double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;

  if (plan->needs_hidden_jac) {
    system->hidden_jac(system, z, k, scratch->hidden_jac);
    if (!plan->along_place) { /* the model's own function does not compute the field */
      field_at(system, z, k, scratch->field);
    }
  } else {
    evaluate_factors(system, z, k);
    add_curvature_term(scratch, &plan->reached, scratch->hidden_jac);
  }
  sw_product_values(&plan->nondegeneracy, scratch->hidden_jac, scratch->field, out);
}

void sw_contract_coisotropy(const sw_system *system, const double z[], const double k[],
                            double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;

  if (plan->coisotropy.entries > 0) {
    field_at(system, z, k, scratch->field);
    sw_product_values(&plan->coisotropy, scratch->jac, scratch->field, out);
  }
}

/* ---- the fibre flow ---- */

/* out += the part of F lambda from shifts: -g_q for p, g_p for q. */
static void shift(const sw_system *system, const double z[], const double k[],
                  const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const sw_family_table *table = &plan->constraints;
  const int *col = system->constraint_jac_pattern.col;
  const int d = system->nq;

  system->constraint_jac(system, z, k, scratch->jac);
  for (int f = 0; f < table->n; f++) {
    const sw_fibre_kind kind = table->family[f].fibre;
    if (kind == SW_FIBRE_FLOW) {
      continue;
    }
    /* A family that shifts p has entries for q alone, and vice versa. */
    const int to = kind == SW_FIBRE_SHIFT_P ? d : -d;
    const double sign = kind == SW_FIBRE_SHIFT_P ? -1.0 : 1.0;
    for (int i = table->start[f]; i < table->start[f + 1]; i++) {
      const double step = sign * lambda[i];
      for (int e = plan->jac_start[i]; e < plan->jac_start[i + 1]; e++) {
        out[col[e] + to] += step * scratch->jac[e];
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

void sw_shift_increment(const sw_system *system, const double z[], const double k[],
                        const double lambda[], double out[])
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  double *values = system->scratch->jac;

  sw_zero(out, 2 * (size_t)system->nq);
  system->constraint_jac(system, z, k, values);
  for (int e = 0; e < jac->entries; e++) {
    out[jac->col[e] + system->nq] -= values[e] * lambda[jac->row[e]];
  }
}

void sw_compose_increment(const sw_system *system, const double z[], const double k[],
                          const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;

  sw_zero(out, 2 * (size_t)system->nq);
  if (plan->has_shift) {
    shift(system, z, k, lambda, out);
  }
  if (plan->has_flow) {
    plan->model->family_increment(plan->n, z, k, lambda, out);
  }
}

int sw_has_increment(const sw_model *model)
{
  int flows = 0;

  for (int f = 0; f < model->n_constraints; f++) {
    flows += model->constraints[f].fibre == SW_FIBRE_FLOW;
  }
  return model->n_constraints == 0 || model->structure.holonomic || model->fibre_increment ||
         (!model->fibre_flow && (flows == 0 || model->family_increment));
}

/* Column j is X_{g_j} at the end of the fibre flow, since the constraints commute. */
void sw_compose_flow_lambda(const sw_system *system, const double z[], const double k[],
                            const double lambda[], double out[])
{
  const sw_scratch *scratch = system->scratch;

  sw_compose_flow(system, z, k, lambda, scratch->state);
  field_at(system, scratch->state, k, out);
}

void sw_compose_flow_z(const sw_system *system, const double z[], const double k[],
                       const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const sw_pattern *hess = &system->constraint_hess_pattern;

  sw_zero(out, (size_t)system->fibre_flow_z_pattern.entries);
  for (int i = 0; i < 2 * system->nq; i++) {
    out[plan->one_place[i]] = 1.0;
  }
  if (plan->has_shift) {
    system->constraint_hess(system, z, k, lambda, scratch->hess_g);
    for (int e = 0; e < hess->entries; e++) {
      const double value = hess->row[e] < system->nq ? -scratch->hess_g[e] : scratch->hess_g[e];
      for (size_t side = 0; side < 2; side++) {
        const int place = plan->shift_place[2 * (size_t)e + side];
        if (place >= 0) {
          out[place] += value;
        }
      }
    }
  }
  if (plan->has_flow) {
    plan->model->family_flow_z.values(plan->n, z, k, lambda, scratch->given);
    sw_add_at(plan->flow_places, plan->flow_place, scratch->given, out);
  }
}
