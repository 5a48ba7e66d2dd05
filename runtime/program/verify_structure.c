/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the structural claims of the model, which the runtime relies on, against values of its
 * functions.  Claims that the model does not make are not checked: the general code is correct
 * for every model.
 */
#include <math.h>

#include "common/vectors.h"
#include "program/verifier.h"

/* Checks the entries of Hess H that must be zero: H_pq if H is separable, and the off-diagonal
 * entries of H_pp if the mass matrix is diagonal.  Figures are relative to the largest entry. */
static void check_zero_entries(sw_verifier *v, const double hess[], int point, sw_finding *finding)
{
  const sw_structure *claims = &v->system->model->structure;
  const sw_pattern *pattern = &v->system->hamiltonian_hess_pattern;
  const double largest = sw_max_abs((size_t)pattern->entries, hess);
  int d = v->system->nq;
  for (int e = 0; e < pattern->entries; e++) {
    int row = pattern->row[e];
    int col = pattern->col[e];
    int mixed = row >= d && col < d && claims->separable;
    int off_diagonal = col >= d && row != col && claims->mass == SW_MASS_CONSTANT_DIAGONAL;
    if (mixed || off_diagonal) {
      sw_finding_take(finding, sw_figure(hess[e], largest), "H_zz at %s, %s is %.3g (point %d)",
                      sw_verifier_z_name(v, row), sw_verifier_z_name(v, col), hess[e], point);
    }
  }
}

/* Compares H_pp with its value at the first point, if the mass matrix is constant. */
static void check_mass(sw_verifier *v, const double hess[], int point, sw_finding *finding)
{
  const sw_pattern *pattern = &v->system->hamiltonian_hess_pattern;
  const double *first = v->first_hess;
  for (int e = 0; e < pattern->entries; e++) {
    if (pattern->col[e] >= v->system->nq) {
      sw_finding_take(finding, sw_figure(hess[e] - first[e], fabs(hess[e]) + fabs(first[e])),
                      "H_pp at %s, %s is %.17g, but %.17g at another point (point %d)",
                      sw_verifier_z_name(v, pattern->row[e]),
                      sw_verifier_z_name(v, pattern->col[e]), hess[e], first[e], point);
    }
  }
}

void sw_check_energy_structure(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_structure *claims = &v->system->model->structure;
  const sw_point with_defaults = {at->number, at->z, v->k_default, at->lambda};
  if (!claims->separable && claims->mass == SW_MASS_GENERAL) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "the model claims neither");
    return;
  }
  const double *hess = sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_HESS, &with_defaults);
  if (at->number == 0) {
    sw_copy(v->first_hess, hess, (size_t)v->output[SW_WITNESS_HAMILTONIAN_HESS].count);
  }
  sw_finding_take(finding, 0.0, "%s", "");
  check_zero_entries(v, hess, at->number, finding);
  if (claims->mass != SW_MASS_GENERAL) {
    check_mass(v, hess, at->number, finding);
  }
}

void sw_check_constraint_structure(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_system *system = v->system;
  const sw_structure *claims = &system->model->structure;
  const sw_pattern *jacobian = &system->constraint_jac_pattern;
  const sw_pattern *brackets = &system->coisotropy_pattern;
  const char **names = v->names[SW_C];
  if (!claims->holonomic && !claims->commuting) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "the model claims neither");
    return;
  }
  const double *Dg = sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
  const double *C = sw_verifier_value(v, SW_WITNESS_COISOTROPY, at);
  sw_finding_take(finding, 0.0, "%s", "");
  for (int e = 0; claims->holonomic && e < jacobian->entries; e++) {
    if (jacobian->col[e] >= system->nq) {
      sw_finding_take(finding, fabs(Dg[e]), "%s depends on %s: %.3g (point %d)",
                      names[jacobian->row[e]], sw_verifier_z_name(v, jacobian->col[e]), Dg[e],
                      at->number);
    }
  }
  for (int e = 0; claims->commuting && e < brackets->entries; e++) {
    sw_finding_take(finding, fabs(C[e]), "{%s, %s} = %.3g off M (point %d)",
                    names[brackets->row[e]], names[brackets->col[e]], C[e], at->number);
  }
}
