/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symplectic form along steps of SHAKE and RATTLE, with the exact derivative of the step: differences
 * would leave a defect of their own.
 */
#include <stdlib.h>

#include "checks/symplectic.h"
#include "program/stepping.h"

enum { DIRECTIONS = 4 };

/* Fills V with random directions of the size of the state. */
static void choose_directions(sw_verifier *v, double V[])
{
  for (int j = 0; j < DIRECTIONS; j++) {
    for (int i = 0; i < v->n; i++) {
      V[(size_t)j * (size_t)v->n + (size_t)i] = v->length[i] * sw_verifier_random(v);
    }
  }
}

/* At one point of M^H, with half the step as long as a step fails. */
static void check_point(sw_verifier *v, sw_sim *sim, const char *base, int point, double V[],
                        sw_finding *finding)
{
  const double *z = v->on + (size_t)point * (size_t)v->n;
  double *DV = V + DIRECTIONS * (size_t)v->n;
  double h = 2.0 * sw_stepping_first_step(v->system);
  double defect = 0.0;
  sw_status status = SW_ERR_NOT_CONVERGED;

  for (int i = 0; i <= SW_STEPPING_HALVINGS && status != SW_OK; i++) {
    h /= 2.0;
    choose_directions(v, V);
    status = sw_sim_set_state(sim, 0.0, z);
    if (status == SW_OK) {
      status = sw_symplectic_defect(sim, h, DIRECTIONS, V, DV, &defect);
    }
  }
  if (status == SW_OK) {
    sw_finding_take(finding, defect, "%s, h = %g, point %d", base, h, point);
  } else {
    sw_finding_fail(finding, "no step of %s down to h = %g succeeds at point %d: %s", base, h,
                    point, sw_status_name(status));
  }
}

static void check_method(sw_verifier *v, const char *method, sw_finding *finding)
{
  if (v->system->nc == v->system->nq) {
    sw_finding_exclude(finding, "omega is 0 on M: there are as many constraints as freedoms");
    return;
  }
  double *V = calloc(2 * DIRECTIONS * (size_t)v->n, sizeof *V);
  if (V == NULL) {
    sw_finding_fail(finding, "out of memory");
    return;
  }
  for (const char *const *base = sw_base_names();
       *base != NULL && finding->outcome == SW_CHECK_PASS; base++) {
    const sw_tableau *tableau = sw_base_tableau(*base);
    sw_tableau_report report;
    sw_stepping pair;
    if (sw_tableau_examine(tableau, &report, NULL) != SW_OK || !report.symplectic ||
        !sw_stepping_affordable(v->system, tableau)) {
      continue;
    }
    if (sw_stepping_init(v, method, tableau, method, tableau, &pair, finding)) {
      for (int point = 0; point < v->reached && finding->outcome == SW_CHECK_PASS; point++) {
        if (sw_stepping_set_point(v, &pair, point) != SW_OK) {
          sw_finding_fail(finding, "the parameters of point %d are refused", point);
          break;
        }
        check_point(v, pair.first, *base, point, V, finding);
      }
    }
    sw_stepping_clear(&pair);
  }
  free(V);
}

void sw_check_presymplectic(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  check_method(v, "shake", finding);
}

void sw_check_symplectic(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  check_method(v, "rattle", finding);
}
