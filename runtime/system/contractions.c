/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contractions.c -- the functions of a looped model's system: brackets made of gradients and Hessians, and
 * the fibre flow made of its families' parts.
 *
 * With the field F = J Dg^T, whose columns are the X_{g_j} (looped.h):
 *
 *   rho  = Dg X_H                       hidden constraints, rho_i = {g_i,H}
 *   Drho = (g_i,zz X_H)_i - F^T Hess H  since the derivative of X_H = J grad H is J Hess H
 *   C    = Dg F                         C_ij = {g_i,g_j}
 *   N    = Drho F                       N_ij = {rho_i,g_j}
 *
 * Where all flows have a closed form the constraints commute, so Gamma_lambda is the families' flows one
 * after the other.  Two kinds of families then share no degree of freedom (sw_loops): one kind's flow leaves
 * the derivatives of the others as they were, and all may be evaluated at z.  Elsewhere fibre/ does it.
 */
#include <math.h>

#include "sparse.h"
#include "system/looped.h"

static void scatter(const sw_looped *looped, const sw_sized_matrix *matrix, const double z[],
                    const double k[], const double x[], const int place[], int entries,
                    double out[])
{
  sw_zero(out, (size_t)entries);
  matrix->scatter(looped->n, z, k, x, place, out);
}

/* ---- H ---- */

static void hamiltonian(const sw_system *system, const double z[], const double k[], double out[])
{
  system->looped->loops->hamiltonian(system->looped->n, z, k, out);
}

static void hamiltonian_grad(const sw_system *system, const double z[], const double k[],
                             double out[])
{
  system->looped->loops->hamiltonian_grad(system->looped->n, z, k, out);
}

static void hamiltonian_grad_q(const sw_system *system, const double z[], const double k[],
                               double out[])
{
  system->looped->loops->hamiltonian_grad_q(system->looped->n, z, k, out);
}

static void hamiltonian_grad_p(const sw_system *system, const double z[], const double k[],
                               double out[])
{
  system->looped->loops->hamiltonian_grad_p(system->looped->n, z, k, out);
}

static void hamiltonian_hess(const sw_system *system, const double z[], const double k[],
                             double out[])
{
  const sw_looped *looped = system->looped;

  scatter(looped, &looped->loops->hamiltonian_hess, z, k, NULL, looped->hamiltonian_hess_place,
          system->hamiltonian_hess_pattern.entries, out);
}

/* X_H = (H_p, -H_q), in scratch memory. */
static const double *velocity(const sw_system *system, const double z[], const double k[])
{
  const sw_looped *looped = system->looped;
  const int d = system->nq;

  hamiltonian_grad(system, z, k, looped->gradient);
  for (int i = 0; i < d; i++) {
    looped->velocity[i] = looped->gradient[d + i];
    looped->velocity[d + i] = -looped->gradient[i];
  }
  return looped->velocity;
}

/* ---- g ---- */

static void constraint(const sw_system *system, const double z[], const double k[], double out[])
{
  system->looped->loops->constraint(system->looped->n, z, k, out);
}

static void constraint_scale(const sw_system *system, const double z[], const double k[],
                             double out[])
{
  system->looped->loops->constraint_scale(system->looped->n, z, k, out);
}

static void constraint_jac(const sw_system *system, const double z[], const double k[],
                           double out[])
{
  const sw_looped *looped = system->looped;

  scatter(looped, &looped->loops->constraint_jac, z, k, NULL, looped->jac_place,
          system->constraint_jac_pattern.entries, out);
}

static void constraint_hess(const sw_system *system, const double z[], const double k[],
                            const double lambda[], double out[])
{
  const sw_looped *looped = system->looped;

  scatter(looped, &looped->loops->constraint_hess, z, k, lambda, looped->hess_place,
          system->constraint_hess_pattern.entries, out);
}

static void constraint_jac_along(const sw_system *system, const double z[], const double k[],
                                 const double v[], double out[])
{
  const sw_looped *looped = system->looped;

  sw_zero(out, (size_t)system->constraint_jac_pattern.entries);
  looped->loops->constraint_jac_along(looped->n, z, k, v, looped->jac_place, out);
}

/* F at z.  Leaves Dg in scratch memory. */
static void field_at(const sw_system *system, const double z[], const double k[], double field[])
{
  const sw_looped *looped = system->looped;
  const double *jac = looped->jac;
  const int *source = looped->field_source;
  const int entries = system->constraint_jac_pattern.entries;

  constraint_jac(system, z, k, looped->jac);
  for (int e = 0; e < looped->field_split; e++) {
    field[e] = jac[source[e]];
  }
  for (int e = looped->field_split; e < entries; e++) {
    field[e] = -jac[source[e]];
  }
}

/* ---- brackets ---- */

static void hidden(const sw_system *system, const double z[], const double k[], double out[])
{
  const sw_looped *looped = system->looped;
  const int *col = system->constraint_jac_pattern.col;
  const double *v = velocity(system, z, k);

  constraint_jac(system, z, k, looped->jac);
  for (int i = 0; i < system->nc; i++) {
    double sum = 0.0;
    for (int e = looped->jac_start[i]; e < looped->jac_start[i + 1]; e++) {
      sum += looped->jac[e] * v[col[e]];
    }
    out[i] = sum;
  }
}

/* sum_j |Dg_ij| |X_H,j|: an estimate, which does not see the rounding within Dg_ij and X_H,j where their
 * own terms cancel. */
static void hidden_scale(const sw_system *system, const double z[], const double k[], double out[])
{
  const sw_looped *looped = system->looped;
  const int *col = system->constraint_jac_pattern.col;
  const double *v = velocity(system, z, k);

  constraint_jac(system, z, k, looped->jac);
  for (int i = 0; i < system->nc; i++) {
    double sum = 0.0;
    for (int e = looped->jac_start[i]; e < looped->jac_start[i + 1]; e++) {
      sum += fabs(looped->jac[e] * v[col[e]]);
    }
    out[i] = sum;
  }
}

/* F and Hess H at z, in scratch memory. */
static void evaluate_factors(const sw_system *system, const double z[], const double k[])
{
  const sw_looped *looped = system->looped;

  field_at(system, z, k, looped->field);
  hamiltonian_hess(system, z, k, looped->hamiltonian_hess);
}

/* out = -F^T Hess H, in the entries that the product makes. */
static void bend(const sw_looped *looped, const sw_product *product, double out[])
{
  sw_product_scaled(product, -1.0, looped->field, looped->hamiltonian_hess, out);
}

/* Drho, with F in scratch memory. */
static void hidden_jac(const sw_system *system, const double z[], const double k[], double out[])
{
  const sw_looped *looped = system->looped;

  evaluate_factors(system, z, k);
  bend(looped, &looped->curvature, out);
  looped->loops->constraint_jac_along(looped->n, z, k, velocity(system, z, k), looped->along_place,
                                      out);
}

static void nondegeneracy(const sw_system *system, const double z[], const double k[], double out[])
{
  const sw_looped *looped = system->looped;

  if (looped->needs_along) {
    hidden_jac(system, z, k, looped->hidden_jac);
  } else {
    evaluate_factors(system, z, k);
    bend(looped, &looped->reached, looped->hidden_jac);
  }
  sw_product_values(&looped->nondegeneracy, looped->hidden_jac, looped->field, out);
}

static void coisotropy(const sw_system *system, const double z[], const double k[], double out[])
{
  const sw_looped *looped = system->looped;

  if (looped->coisotropy.entries > 0) {
    field_at(system, z, k, looped->field);
    sw_product_values(&looped->coisotropy, looped->jac, looped->field, out);
  }
}

/* ---- the fibre flow ---- */

/* out += the shifts' parts of F lambda: p by -g_q, q by g_p. */
static void shift(const sw_system *system, const double z[], const double k[],
                  const double lambda[], double out[])
{
  const sw_looped *looped = system->looped;
  const sw_family_table *table = &looped->constraints;
  const int *col = system->constraint_jac_pattern.col;
  const int d = system->nq;

  constraint_jac(system, z, k, looped->jac);
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
      for (int e = looped->jac_start[i]; e < looped->jac_start[i + 1]; e++) {
        out[col[e] + to] += step * looped->jac[e];
      }
    }
  }
}

static void fibre_flow(const sw_system *system, const double z[], const double k[],
                       const double lambda[], double out[])
{
  const sw_looped *looped = system->looped;

  sw_copy(out, z, 2 * (size_t)system->nq);
  if (looped->has_shift) {
    shift(system, z, k, lambda, out);
  }
  if (looped->has_flow) {
    looped->loops->fibre_flow(looped->n, k, lambda, out);
  }
}

/* Column j is X_{g_j}, at the end of the fibre flow: the constraints commute. */
static void fibre_flow_lambda(const sw_system *system, const double z[], const double k[],
                              const double lambda[], double out[])
{
  const sw_looped *looped = system->looped;

  fibre_flow(system, z, k, lambda, looped->state);
  field_at(system, looped->state, k, out);
}

static void fibre_flow_z(const sw_system *system, const double z[], const double k[],
                         const double lambda[], double out[])
{
  const sw_looped *looped = system->looped;
  const sw_pattern *hess = &system->constraint_hess_pattern;

  sw_zero(out, (size_t)system->fibre_flow_z_pattern.entries);
  for (int i = 0; i < 2 * system->nq; i++) {
    out[looped->one_place[i]] = 1.0;
  }
  if (looped->has_shift) {
    constraint_hess(system, z, k, lambda, looped->hess);
    for (int e = 0; e < hess->entries; e++) {
      const double value = hess->row[e] < system->nq ? -looped->hess[e] : looped->hess[e];
      for (size_t side = 0; side < 2; side++) {
        const int place = looped->shift_place[2 * (size_t)e + side];
        if (place >= 0) {
          out[place] += value;
        }
      }
    }
  }
  if (looped->has_flow) {
    looped->loops->fibre_flow_z.scatter(looped->n, z, k, lambda, looped->flow_place, out);
  }
}

/* ---- outputs ---- */

static void observe(const sw_system *system, const double z[], const double k[],
                    const double lambda[], double out[])
{
  system->looped->loops->observe_values(system->looped->n, z, k, lambda, out);
}

static void invariant(const sw_system *system, const double z[], const double k[], double out[])
{
  system->looped->loops->invariant_values(system->looped->n, z, k, out);
}

void sw_looped_functions(sw_system *system)
{
  system->hamiltonian = hamiltonian;
  system->hamiltonian_grad = hamiltonian_grad;
  system->hamiltonian_grad_q =
      system->looped->loops->hamiltonian_grad_q ? hamiltonian_grad_q : NULL;
  system->hamiltonian_grad_p =
      system->looped->loops->hamiltonian_grad_p ? hamiltonian_grad_p : NULL;
  system->hamiltonian_hess = hamiltonian_hess;
  if (system->nc > 0) {
    system->constraint = constraint;
    system->constraint_scale = constraint_scale;
    system->constraint_jac = constraint_jac;
    system->constraint_hess = constraint_hess;
    system->constraint_jac_along = constraint_jac_along;
    system->hidden = hidden;
    system->hidden_scale = hidden_scale;
    system->hidden_jac = hidden_jac;
    system->coisotropy = coisotropy;
    system->nondegeneracy = nondegeneracy;
    /* Without a closed form of all families system.c puts a numerical flow in their place. */
    if (!system->looped->has_flow || system->looped->loops->fibre_flow) {
      system->fibre_flow = fibre_flow;
      system->fibre_flow_lambda = fibre_flow_lambda;
      system->fibre_flow_z = fibre_flow_z;
    }
  }
  system->observe = system->n_observe > 0 ? observe : NULL;
  system->invariant = system->n_invariant > 0 ? invariant : NULL;
}
