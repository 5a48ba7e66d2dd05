/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the methods, from points of M^H.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/symplectic.h"
#include "common/vectors.h"
#include "methods/methods.h"
#include "program/stepping.h"
#include "step/splitting.h"
#include "step/tableau.h"

/* ---- steps there and back, and what they keep ---- */

/*
 * Checks single steps from points of M^H: reversed steps, SHAKE against RATTLE, and the
 * symplectic form.  The form is checked with the exact derivative of a step, because finite
 * differences would add a defect of their own.
 */

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
  return v->system->n_force > 0 ? "a step with forces keeps no two-form"
         : !sw_sim_has_tangent(sim)
             ? "its tangent takes C that was generated with --with variational"
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

/* ---- the order of a method ---- */

/*
 * Estimates the order of a method, such as RATTLE over a base method, from slopes.  It compares
 * the errors at T = 4 h with steps h, h/2, h/4, h/8.  The reference is extrapolated from steps
 * h/16, h/32 and h/64 of a symmetric method of order 2.
 *
 * A slope is conclusive only if the errors behave like a power of the step.  The slopes
 * themselves decide this, not the expected order: they must agree better as the step decreases,
 * and the errors must be far above rounding.  The step is halved until the slopes are conclusive
 * or the errors are rounding errors.  Then it grows by factors of sqrt(2).  The small factor is
 * needed for methods of high order: few of their steps lie between rounding errors and errors
 * that do not yet follow a power.
 *
 * A method that follows the exact flow has only rounding errors, so that its order is not
 * measurable.  A method counts as exact on two conditions.  All four step sizes end in the same
 * state, although the reference's method with 4 times smaller steps is still far from it.  And
 * this state agrees with the reference, if the reference is accurate enough.
 */

enum {
  LEVELS = 4,
  FIRST_STEPS = 4,
  REFERENCE_STEPS = 64,
  MOST_HALVINGS = 20,
  MOST_ENLARGEMENTS = 60
};

/* Largest difference between the last two slopes; the two before them may differ four times as
 * much.  A power law whose next term has twice the order leaves such differences. */
static const double settled = 0.06;

/* Errors relative to the state.  Below smallest_error they are rounding errors.  Below `rounding`
 * they may be; the agreement of the slopes decides. */
static const double smallest_error = 1e-12;
static const double rounding = 1e-11;

/* Larger errors are useless: two completely wrong states are equally wrong. */
static const double largest_error = 0.5;

/* Smallest errors of the reference's method with which a method with the same steps can count as
 * exact. */
static const double seen_beside_rounding = 1e-8; /* if its errors are rounding errors */
static const double seen_clearly = 1e-4;         /* if it ends in the same state for all steps */

typedef struct measurement {
  double seen;   /* error of the reference's method with 2 REFERENCE_STEPS steps */
  double spread; /* largest distance from the end of level 0 to the ends of the other levels */
  double error[LEVELS];
  double slope[LEVELS - 1];
} measurement;

/* Computes z(T) by a symmetric method with three numbers of steps; the second one ends in
 * `seen`.  The errors contain only even powers of the step, and the extrapolation removes the
 * first two. */
static sw_status verify_order_find_reference(sw_sim *sim, const double z[], double t, int n,
                                             double finest[], double seen[], double reference[])
{
  double *const ends[] = {reference, seen, finest};
  sw_status status = SW_OK;
  for (int level = 0; level < 3 && status == SW_OK; level++) {
    const int steps = REFERENCE_STEPS << level;
    status = sw_stepping_run(sim, z, t / steps, steps, ends[level]);
  }
  for (int i = 0; i < n; i++) {
    const double coarse = seen[i] + (seen[i] - reference[i]) / 3.0;
    const double fine = finest[i] + (finest[i] - seen[i]) / 3.0;
    reference[i] = fine + (fine - coarse) / 15.0;
  }
  return status;
}

/* The largest distance between two states, relative to their size. */
static double verify_order_distance(const sw_verifier *v, const double a[], const double b[])
{
  double largest = 0.0;
  for (int i = 0; i < v->n; i++) {
    const double size = fmax(v->length[i], fabs(b[i]));
    largest = fmax(largest, fabs(a[i] - b[i]) / size);
  }
  return largest;
}

static sw_status verify_order_measure(sw_verifier *v, const sw_stepping *pair, const double z[],
                                      double h, measurement *found)
{
  double *reference = v->work[0];
  double *end = v->work[1];
  double *first_end = v->work[2];
  double t = FIRST_STEPS * h;
  sw_status status =
      verify_order_find_reference(pair->second, z, t, v->n, end, first_end, reference);
  found->seen = verify_order_distance(v, first_end, reference);
  found->spread = 0.0;
  for (int level = 0; level < LEVELS && status == SW_OK; level++) {
    double *to = level == 0 ? first_end : end;
    status = sw_stepping_run(pair->first, z, ldexp(h, -level), FIRST_STEPS << level, to);
    found->error[level] = verify_order_distance(v, to, reference);
    found->spread = fmax(found->spread, verify_order_distance(v, to, first_end));
  }
  for (int level = 0; level + 1 < LEVELS; level++) {
    found->slope[level] = log2(found->error[level] / found->error[level + 1]);
  }
  return status;
}

typedef enum verdict { CONCLUSIVE, SMALLER_STEP, LARGER_STEP } verdict;

static verdict verify_order_judge(sw_status status, const measurement *found)
{
  const double *slope = found->slope;
  if (status != SW_OK || found->error[0] > largest_error) {
    return SMALLER_STEP;
  }
  /* If the ends are nearer to each other than to the reference, the errors are those of the
   * reference. */
  const int same_ends = found->spread < fmin(rounding, found->error[LEVELS - 1]);
  if (same_ends && found->error[LEVELS - 1] >= rounding) {
    return SMALLER_STEP;
  }
  /* A negative slope is possible: the momenta of VS have rounding errors of order eps/h. */
  if (same_ends || found->error[LEVELS - 1] < smallest_error || slope[LEVELS - 2] < 0.0) {
    return LARGER_STEP;
  }
  return fabs(slope[2] - slope[1]) <= settled && fabs(slope[1] - slope[0]) <= 4.0 * settled
             ? CONCLUSIVE
             : SMALLER_STEP;
}

/* The results of a search. */
typedef struct search_range {
  double lowest;  /* smallest step that was tried */
  double highest; /* largest step that was tried */
  int measured;   /* number of steps that succeeded */
  double largest; /* largest error of the steps that succeeded */
  /* 1 if all errors were rounding errors for a step with larger errors of the reference's
   * method */
  int agrees;
  /* largest step with equal ends although the reference's method had clear errors; 0: none */
  double exact;
  sw_status status; /* status of the last failure */
} search_range;

static verdict verify_order_try_step(sw_verifier *v, const sw_stepping *pair, const double z[],
                                     double h, measurement *found, search_range *range)
{
  sw_status status = verify_order_measure(v, pair, z, h, found);
  range->lowest = fmin(range->lowest, h);
  range->highest = fmax(range->highest, h);
  if (status == SW_OK) {
    range->measured++;
    for (int level = 0; level < LEVELS; level++) {
      range->largest = fmax(range->largest, found->error[level]);
    }
    const double worst = sw_max_abs(LEVELS, found->error);
    range->agrees |= worst < rounding && found->seen >= seen_beside_rounding;
    if (worst <= largest_error && found->spread < rounding && found->seen >= seen_clearly) {
      range->exact = fmax(range->exact, h);
    }
  } else {
    range->status = status;
  }
  return verify_order_judge(status, found);
}

/* Searches for a step with conclusive slopes.  Sets *h to the step and returns 1, or returns 0 if
 * there is none. */
static int verify_order_search(sw_verifier *v, const sw_stepping *pair, const double z[], double *h,
                               measurement *found, search_range *range)
{
  double first = *h;
  verdict now = SMALLER_STEP;
  *range = (search_range){.lowest = first, .highest = first, .status = SW_OK};
  for (int trial = 0; trial < MOST_HALVINGS && now == SMALLER_STEP; trial++) {
    *h = ldexp(first, -trial);
    now = verify_order_try_step(v, pair, z, *h, found, range);
  }
  first = now == LARGER_STEP ? *h : first;
  for (int trial = 1; trial <= MOST_ENLARGEMENTS && now != CONCLUSIVE; trial++) {
    int before = range->measured;
    *h = first * exp2(0.5 * trial);
    now = verify_order_try_step(v, pair, z, *h, found, range);
    if (range->measured == before) {
      return 0;
    }
  }
  return now == CONCLUSIVE;
}

static void report_search(const search_range *range, sw_finding *finding)
{
  if (range->measured == 0) {
    sw_finding_say(finding, SW_CHECK_FAIL, "no step from h = %.3g to %.3g succeeds: %s",
                   range->lowest, range->highest, sw_status_name(range->status));
  } else if (range->largest < rounding) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "no error above rounding for steps from h = %.3g to %.3g", range->lowest,
                   range->highest);
  } else if (range->agrees && range->exact > 0.0) {
    sw_finding_say(
        finding, SW_CHECK_NOT_APPLICABLE,
        "exact to round-off: %d to %d steps up to h = %.3g end in the same state, and no "
        "order is to be seen",
        FIRST_STEPS, FIRST_STEPS << (LEVELS - 1), range->exact);
  } else {
    sw_finding_say(finding, SW_CHECK_FAIL,
                   "not conclusive: for no step from h = %.3g to %.3g do the errors fall like a "
                   "power of the step",
                   range->lowest, range->highest);
  }
}

void sw_check_order(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  /* The reference uses another base method than the method under test, if possible. */
  const sw_tableau *base = sw_base_tableau(v->base);
  const int independent = (v->base == NULL || strcmp(v->base, "verlet") == 0) &&
                          sw_stepping_affordable(v->system, sw_base_tableau("midpoint"));
  const sw_tableau *other = sw_base_tableau(independent ? "midpoint" : "verlet");
  double h = sw_stepping_first_step(v->system);
  measurement found = {0};
  search_range range;
  sw_stepping pair;
  (void)at;
  if (sw_stepping_init(v, v->method, base, "rattle", other, &pair, finding)) {
    const int order = sw_sim_order(pair.first);
    if (sw_sim_set_parameters(pair.first, v->on[0].k) != SW_OK ||
        sw_sim_set_parameters(pair.second, v->on[0].k) != SW_OK) {
      sw_finding_say(finding, SW_CHECK_FAIL, "the parameters of point 0 are refused");
    } else if (verify_order_search(v, &pair, v->on[0].z, &h, &found, &range)) {
      sw_finding_take(finding, fmax(0.0, order - found.slope[2]), "%s", "");
      sw_finding_say(finding, SW_CHECK_PASS,
                     "slope %.3f, at least %d expected; error %.2g at h = %.3g", found.slope[2],
                     order, found.error[LEVELS - 1], ldexp(h, 1 - LEVELS));
    } else {
      report_search(&range, finding);
    }
  }
  sw_stepping_clear(&pair);
}
