/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "program/stepping.h"
#include "step/tableau.h"

/* Largest difference of two states, each entry relative to its own size and typical length. */
static void compare_states(sw_verifier *v, const double a[], const double b[], double h, int point,
                           sw_finding *finding)
{
  for (int i = 0; i < v->n; i++) {
    double error = fabs(a[i] - b[i]);
    sw_finding_take(finding, error == 0.0 ? 0.0 : error / (fabs(b[i]) + v->length[i]),
                    "%s is %.17g, expected %.17g (h = %g, point %d)", sw_verifier_z_name(v, i),
                    a[i], b[i], h, point);
  }
}

/* One way to take two simulations from the same point to states that must agree. */
typedef sw_status pair_of_runs(const sw_stepping *pair, const double z[], double h, double end[],
                               double expected[]);

/* Carries out runs at every point of M^H, with half the step as long as a step fails. */
static void check_pair(sw_verifier *v, sw_stepping *pair, pair_of_runs *runs, sw_finding *finding)
{
  double *end = v->work[0];
  double *expected = v->work[1];
  for (int point = 0; point < v->reached && finding->outcome == SW_CHECK_PASS; point++) {
    const double *z = v->on + (size_t)point * (size_t)v->n;
    double h = sw_stepping_first_step(v->system);
    sw_status status = sw_stepping_set_point(v, pair, point);
    if (status == SW_OK) {
      status = runs(pair, z, h, end, expected);
    }
    for (int i = 0; i < SW_STEPPING_HALVINGS && status != SW_OK; i++) {
      h /= 2.0;
      status = runs(pair, z, h, end, expected);
    }
    if (status == SW_OK) {
      compare_states(v, end, expected, h, point, finding);
    } else {
      sw_finding_fail(finding, "no step down to h = %g succeeds at point %d: %s", h, point,
                      sw_status_name(status));
    }
  }
}

static sw_status round_trip(const sw_stepping *pair, const double z[], double h, double end[],
                            double expected[])
{
  sw_status status = sw_stepping_run(pair->first, z, h, 1, end);
  if (status == SW_OK) {
    status = sw_stepping_run(pair->second, end, -h, 1, end);
  }
  memcpy(expected, z, pair->bytes);
  return status;
}

/* phi_{-h} of the adjoint undoes phi_h, and RATTLE inherits this (paper 000, section 4). */
void sw_check_round_trip(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_stepping pair;
  sw_own_tableau adjoint;
  sw_tableau_adjoint(sw_base_tableau(base), &adjoint);
  if (sw_stepping_init(v, "rattle", sw_base_tableau(base), "rattle", &adjoint.tableau, &pair,
                       finding)) {
    check_pair(v, &pair, round_trip, finding);
  }
  sw_stepping_clear(&pair);
}

/* RATTLE^k z against the point of M^H on the fibre of SHAKE^k z. */
static sw_status same_fibres(const sw_stepping *pair, const double z[], double h, double end[],
                             double expected[])
{
  const long steps = 5;
  sw_status status = sw_stepping_run(pair->first, z, h, steps, end);
  if (status == SW_OK) {
    status = sw_stepping_run(pair->second, z, h, steps, expected);
  }
  if (status == SW_OK) {
    status = sw_sim_set_state(pair->second, 0.0, end);
  }
  if (status == SW_OK) {
    status = sw_sim_project(pair->second);
  }
  memcpy(end, sw_sim_state(pair->second), pair->bytes);
  return status;
}

/* SHAKE and RATTLE stay on the same fibres: Pi o S^k = Pi o R^k (paper 000, eq. 11). */
void sw_check_same_fibres(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_stepping pair;
  if (sw_stepping_init(v, "shake", sw_base_tableau(base), "rattle", sw_base_tableau(base), &pair,
                       finding)) {
    check_pair(v, &pair, same_fibres, finding);
  }
  sw_stepping_clear(&pair);
}
