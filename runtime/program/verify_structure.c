/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the model says about its structure, which the runtime relies on, against the values of its
 * functions.  A claim that is not made is not checked: the general code is right for every model.
 */
#include <math.h>
#include <stddef.h>

#include "program/verifier.h"

/* The largest entry of Hess H that the claims say is zero: H_pq where H is separable, and H_pp off the
 * diagonal where the mass matrix is diagonal; relative to the largest entry of all. */
static void check_zero_entries(sw_verifier *v, const double hess[], int point, sw_finding *finding)
{
  sw_system *system = v->system;
  const sw_pattern *pattern = &system->hamiltonian_hess_pattern;
  int d = system->nq;
  double largest = 0.0;
  for (int e = 0; e < pattern->entries; e++) {
    largest = fmax(largest, fabs(hess[e]));
  }
  for (int e = 0; e < pattern->entries; e++) {
    int row = pattern->row[e];
    int col = pattern->col[e];
    int mixed = row >= d && col < d && system->model->structure.separable;
    int off_diagonal =
        col >= d && row != col && system->model->structure.mass == SW_MASS_CONSTANT_DIAGONAL;
    if ((mixed || off_diagonal) && hess[e] != 0.0) {
      sw_finding_take(finding, fabs(hess[e]) / largest, "H_zz at %s, %s is %.3g (point %d)",
                      sw_verifier_z_name(v, row), sw_verifier_z_name(v, col), hess[e], point);
    }
  }
}

/* H_pp against its value at the first point, where the mass matrix is constant. */
static void check_mass(sw_verifier *v, const double hess[], const double first[], int point,
                       sw_finding *finding)
{
  const sw_pattern *pattern = &v->system->hamiltonian_hess_pattern;
  if (v->system->model->structure.mass == SW_MASS_GENERAL) {
    return;
  }
  for (int e = 0; e < pattern->entries; e++) {
    double change = fabs(hess[e] - first[e]);
    if (pattern->col[e] >= v->system->nq && change != 0.0) {
      sw_finding_take(finding, change / (fabs(hess[e]) + fabs(first[e])),
                      "H_pp at %s, %s is %.17g, but %.17g at another point (point %d)",
                      sw_verifier_z_name(v, pattern->row[e]),
                      sw_verifier_z_name(v, pattern->col[e]), hess[e], first[e], point);
    }
  }
}

void sw_check_energy_structure(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  int entries = system->hamiltonian_hess_pattern.entries;
  double *first = v->scratch;
  (void)base;
  if (!system->model->structure.separable && system->model->structure.mass == SW_MASS_GENERAL) {
    sw_finding_exclude(finding, "the model claims neither");
    return;
  }
  sw_finding_take(finding, 0.0, "%s", "");
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    double *hess = point == 0 ? first : v->values.energy_hess;
    sw_verifier_evaluate(v->system, system->hamiltonian_hess, z, system->k_default, hess, entries);
    check_zero_entries(v, hess, point, finding);
    check_mass(v, hess, first, point, finding);
  }
}

void sw_check_constraint_structure(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  const sw_pattern *jacobian = &system->constraint_jac_pattern;
  sw_values *at = &v->values;
  (void)base;
  if (!system->model->structure.holonomic && !system->model->structure.commuting) {
    sw_finding_exclude(finding, "the model claims neither");
    return;
  }
  sw_finding_take(finding, 0.0, "%s", "");
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    sw_verifier_evaluate(v->system, system->constraint_jac, z, k, at->constraint_jac,
                         jacobian->entries);
    sw_verifier_evaluate(v->system, system->coisotropy, z, k, at->coisotropy,
                         system->coisotropy_pattern.entries);
    for (int e = 0; system->model->structure.holonomic && e < jacobian->entries; e++) {
      if (jacobian->col[e] >= system->nq) {
        sw_finding_take(finding, fabs(at->constraint_jac[e]), "%s depends on %s: %.3g (point %d)",
                        v->names[SW_C][jacobian->row[e]], sw_verifier_z_name(v, jacobian->col[e]),
                        at->constraint_jac[e], point);
      }
    }
    for (int e = 0; system->model->structure.commuting && e < system->coisotropy_pattern.entries;
         e++) {
      sw_finding_take(finding, fabs(at->coisotropy[e]), "{%s, %s} = %.3g off M (point %d)",
                      v->names[SW_C][system->coisotropy_pattern.row[e]],
                      v->names[SW_C][system->coisotropy_pattern.col[e]], at->coisotropy[e], point);
    }
  }
}
