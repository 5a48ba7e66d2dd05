/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks single steps from points of M^H: reversed steps, SHAKE against RATTLE, and the
 * symplectic form.  The form is checked with the exact derivative of a step, because finite
 * differences would add a defect of their own.
 */
#include <stdio.h>
#include <stdlib.h>

#include "checks/symplectic.h"
#include "common/vectors.h"
#include "methods/methods.h"
#include "program/stepping.h"
#include "step/splitting.h"
#include "step/tableau.h"

/* Updates the finding with the distance between the end states of two simulations. */
static sw_status verify_steps_compare(const sw_verifier *v, sw_status status, const double end[],
                                      const double expected[], double h, int point,
                                      sw_finding *finding)
{
  char what[32];
  snprintf(what, sizeof what, "h = %g", h);
  if (status == SW_OK) {
    sw_finding_take_state(finding, v, end, expected, what, point);
  }
  return status;
}

/* Runs the trial with two simulations.  Messages call it by its base method, or by its method if
 * there is none. */
static void with_both(sw_verifier *v, const char *method, const sw_tableau *base,
                      const char *second_method, const sw_tableau *second_base, sw_trial *trial,
                      sw_finding *finding)
{
  sw_stepping pair;
  if (sw_stepping_init(v, method, base, second_method, second_base, &pair, finding)) {
    sw_stepping_try(v, &pair, trial, v->base != NULL ? v->base : v->method, finding);
  }
  sw_stepping_clear(&pair);
}

static sw_status round_trip(sw_verifier *v, const sw_stepping *pair, const sw_point *at, double h,
                            sw_finding *finding)
{
  double *end = v->work[0];
  sw_status status = sw_stepping_run(pair->first, at->z, h, 1, end);
  if (status == SW_OK) {
    status = sw_stepping_run(pair->second, end, -h, 1, end);
  }
  return verify_steps_compare(v, status, end, at->z, h, at->number, finding);
}

/* phi_{-h} of the adjoint inverts phi_h, and the constrained methods inherit this (paper 000,
 * section 4, for RATTLE).  With a symmetric bias, the method's own step of -h inverts it. */
void sw_check_round_trip(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_tableau *base = sw_base_tableau(v->base);
  sw_own_tableau adjoint;
  (void)at;
  if (base != NULL && sw_method_find(v->method)->has_bias) {
    sw_tableau_copy(base, &adjoint);
  } else if (base != NULL) {
    sw_tableau_adjoint(base, &adjoint);
  }
  /* The splitting and methods without a base method are their own adjoints. */
  with_both(v, v->method, base, v->method, base != NULL ? &adjoint.tableau : NULL, round_trip,
            finding);
}

/* Takes several steps of both simulations from a point; ends in work[0] and work[1]. */
static sw_status run_both(sw_verifier *v, const sw_stepping *pair, const sw_point *at, double h)
{
  const long steps = 5;
  const sw_status status = sw_stepping_run(pair->first, at->z, h, steps, v->work[0]);
  return status == SW_OK ? sw_stepping_run(pair->second, at->z, h, steps, v->work[1]) : status;
}

/* Checks H after several steps from a point, relative to |H| plus its change over a typical
 * length. */
static sw_status keep_energy(sw_verifier *v, const sw_stepping *stepping, const sw_point *at,
                             double h, sw_finding *finding)
{
  const sw_system *system = v->system;
  const long steps = 5;
  double *end = v->work[0];
  double *slope = v->work[1];
  double first = 0.0;
  double last = 0.0;
  const sw_status status = sw_stepping_run(stepping->first, at->z, h, steps, end);
  if (status != SW_OK) {
    return status;
  }
  system->hamiltonian(system, at->z, at->k, &first);
  system->hamiltonian(system, end, at->k, &last);
  system->hamiltonian_grad(system, at->z, at->k, slope);
  double size = fabs(first);
  for (int i = 0; i < v->n; i++) {
    size += fabs(slope[i]) * v->length[i];
  }
  sw_finding_take(finding, sw_figure(last - first, size),
                  "H is %.17g after %ld steps of h = %g, "
                  "%.17g before (point %d)",
                  last, steps, h, first, at->number);
  return SW_OK;
}

void sw_check_energy_kept(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  (void)at;
  with_both(v, v->method, NULL, v->method, NULL, keep_energy, finding);
}

/* Compares RATTLE^k z with the point of M^H on the fibre of SHAKE^k z. */
static sw_status same_fibres(sw_verifier *v, const sw_stepping *pair, const sw_point *at, double h,
                             sw_finding *finding)
{
  sw_status status = run_both(v, pair, at, h);
  if (status == SW_OK) {
    status = sw_sim_set_state(pair->second, 0.0, v->work[0]);
  }
  if (status == SW_OK) {
    status = sw_sim_project(pair->second);
  }
  return verify_steps_compare(v, status, sw_sim_state(pair->second), v->work[1], h, at->number,
                              finding);
}

/* SHAKE and RATTLE stay on the same fibres: Pi o S^k = Pi o R^k (paper 000, eq. 11). */
void sw_check_same_fibres(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_tableau *base = sw_base_tableau(v->base);
  (void)at;
  with_both(v, "shake", base, "rattle", base, same_fibres, finding);
}

/* Compares the positions after several steps from a point. */
static sw_status same_positions(sw_verifier *v, const sw_stepping *pair, const sw_point *at,
                                double h, sw_finding *finding)
{
  const size_t d = (size_t)v->system->nq;
  const sw_status status = run_both(v, pair, at, h);
  sw_copy(v->work[0] + d, v->work[1] + d, d);
  return verify_steps_compare(v, status, v->work[0], v->work[1], h, at->number, finding);
}

/* The two variants of SHAKE in paper 002 have the same positions as RATTLE over Verlet (section
 * 4). */
void sw_check_same_positions(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  (void)at;
  with_both(v, v->method, NULL, "rattle", sw_base_tableau("verlet"), same_positions, finding);
}

/* Checks the symplectic form along random directions of the size of the state. */
static sw_status keep_form(sw_verifier *v, const sw_stepping *stepping, const sw_point *at,
                           double h, sw_finding *finding)
{
  enum { DIRECTIONS = 4 };
  const size_t n = (size_t)v->n;
  double *V = malloc(2 * DIRECTIONS * n * sizeof *V);
  double defect = 0.0;
  if (V == NULL) {
    return SW_ERR_MEMORY;
  }
  for (size_t i = 0; i < DIRECTIONS * n; i++) {
    V[i] = v->length[i % n] * sw_verifier_random(v);
  }
  sw_status status = sw_sim_set_state(stepping->first, 0.0, at->z);
  if (status == SW_OK) {
    status = sw_symplectic_defect(stepping->first, h, DIRECTIONS, V, V + DIRECTIONS * n, &defect);
  }
  if (status == SW_OK) {
    sw_finding_take(finding, defect, "%s, h = %g, point %d", v->base, h, at->number);
  }
  free(V);
  return status;
}

/* 1 if the method preserves a form over a base method with this report. */
static int keeps_form(const sw_verifier *v, const sw_tableau_report *report)
{
  return report->symplectic || sw_method_find(v->method)->has_bias;
}

/* Why the preserved form cannot be checked; NULL if it can. */
static const char *why_no_form(const sw_verifier *v, const sw_sim *sim)
{
  enum { MOST_DENSE = 200 }; /* unknowns; with more the check takes minutes */
  const int unknowns = 2 * (v->system->nq + v->system->nc);
  return !sw_sim_has_tangent(sim) ? "its tangent takes C that was generated with --with variational"
         : sw_sim_has_legendre(sim) && unknowns > MOST_DENSE
             ? "the matrices of its tangent are dense, and too large: take smaller sizes"
             : NULL;
}

/* Checks the method over every base method that it allows and that makes it symplectic. */
void sw_check_symplectic(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const char *objection = "";
  (void)at;
  if (v->system->nc == v->system->nq) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "omega is 0 on M: there are as many constraints as freedoms");
  }
  for (const char *const *base = sw_base_choices();
       *base != NULL && finding->outcome == SW_CHECK_PASS; base++) {
    const sw_tableau *tableau = sw_base_tableau(*base);
    sw_tableau_report report;
    sw_stepping stepping;
    if (tableau == NULL
            ? !sw_splitting_has_flows(v->system)
            : sw_tableau_examine(tableau, &report, NULL) != SW_OK || !keeps_form(v, &report) ||
                  !sw_stepping_affordable(v->system, tableau)) {
      continue;
    }
    v->base = *base;
    if (sw_stepping_objection(v, v->method, tableau)[0] != '\0') {
      objection = sw_stepping_objection(v, v->method, tableau);
      continue;
    }
    if (sw_stepping_init(v, v->method, tableau, v->method, tableau, &stepping, finding)) {
      const char *why_not = why_no_form(v, stepping.first);
      if (why_not == NULL) {
        sw_stepping_try(v, &stepping, keep_form, *base, finding);
      } else {
        sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "%s", why_not);
      }
    }
    sw_stepping_clear(&stepping);
  }
  if (finding->outcome == SW_CHECK_PASS && finding->worst < 0.0 && objection[0] != '\0') {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "%s", objection);
  }
}
