/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of RATTLE over a base method, by slope: errors at T = 4 h with steps h, h/2, h/4, h/8,
 * against a reference that is extrapolated from steps h/32 and h/64 of a symmetric method of order 2.
 *
 * A slope says something where the errors behave like a power of the step.  That is decided by the
 * slopes among themselves, not by the expected order: they must agree the better the smaller the step,
 * and the errors must be far above rounding.  The step is halved until they do, or doubled where the errors are too small.
 */
#include <math.h>
#include <string.h>

#include "program/stepping.h"

enum { LEVELS = 4, FIRST_STEPS = 4, REFERENCE_STEPS = 128, MOST_TRIALS = 16 };

/* The last two slopes may differ by this much, the two before them by four times as much: what a power
 * with a next term of twice the order leaves. */
static const double settled = 0.06;

/* Errors relative to the state; smaller ones are made of rounding. */
static const double smallest_error = 1e-11;

typedef struct measurement {
  double error[LEVELS];
  double slope[LEVELS - 1];
} measurement;

/* z(T) by extrapolation from `REFERENCE_STEPS` steps and twice as many. */
static sw_status find_reference(sw_sim *sim, const double z[], double t, int n, double coarse[],
                                double reference[])
{
  sw_status status = sw_stepping_run(sim, z, t / REFERENCE_STEPS, REFERENCE_STEPS, coarse);
  if (status == SW_OK) {
    status = sw_stepping_run(sim, z, t / (2 * REFERENCE_STEPS), 2 * REFERENCE_STEPS, reference);
  }
  for (int i = 0; i < n; i++) {
    reference[i] += (reference[i] - coarse[i]) / 3.0;
  }
  return status;
}

static sw_status measure(sw_verifier *v, const sw_stepping *pair, const double z[], double h,
                         measurement *found)
{
  double *reference = v->work[0];
  double *end = v->work[1];
  double t = FIRST_STEPS * h;
  sw_status status = find_reference(pair->second, z, t, v->n, end, reference);
  for (int level = 0; level < LEVELS && status == SW_OK; level++) {
    double largest = 0.0;
    status = sw_stepping_run(pair->first, z, ldexp(h, -level), FIRST_STEPS << level, end);
    for (int i = 0; i < v->n; i++) {
      largest = fmax(largest, fabs(end[i] - reference[i]) / v->length[i]);
    }
    found->error[level] = largest;
  }
  for (int level = 0; level + 1 < LEVELS; level++) {
    found->slope[level] = log2(found->error[level] / found->error[level + 1]);
  }
  return status;
}

typedef enum verdict { CONCLUSIVE, SMALLER_STEP, LARGER_STEP } verdict;

static verdict judge(sw_status status, const measurement *found)
{
  const double *slope = found->slope;
  if (status != SW_OK) {
    return SMALLER_STEP;
  }
  if (found->error[LEVELS - 1] < smallest_error) {
    return LARGER_STEP;
  }
  return fabs(slope[2] - slope[1]) <= settled && fabs(slope[1] - slope[0]) <= 4.0 * settled
             ? CONCLUSIVE
             : SMALLER_STEP;
}

/* Looks for a step whose slopes are conclusive.  The step goes one way only, so the search ends.
 * Sets *h to the last one tried; *exact says that even the largest step has no error. */
static int search(sw_verifier *v, const sw_stepping *pair, const double z[], double *h,
                  measurement *found, int *exact)
{
  verdict before = CONCLUSIVE;
  *exact = 0;
  for (int trial = 0; trial < MOST_TRIALS; trial++) {
    sw_status status = measure(v, pair, z, *h, found);
    verdict now = judge(status, found);
    if (now == CONCLUSIVE) {
      return 1;
    }
    if (status == SW_OK) {
      *exact = found->error[0] < smallest_error;
    }
    if (before != CONCLUSIVE && now != before) {
      return 0;
    }
    before = now;
    if (now == LARGER_STEP && *h >= 1e3 * sw_stepping_first_step(v->model)) {
      return 0;
    }
    *h = now == LARGER_STEP ? 2.0 * *h : 0.5 * *h;
  }
  return 0;
}

void sw_check_order(sw_verifier *v, const char *base, sw_finding *finding)
{
  /* The reference comes from another method than the one that is judged, where that is possible. */
  int independent = strcmp(base, "verlet") == 0 && sw_stepping_affordable(v->model, "midpoint");
  const char *other = independent ? "midpoint" : "verlet";
  double h = sw_stepping_first_step(v->model);
  int order = 0;
  int symmetric = 0;
  int exact = 0;
  measurement found = {0};
  sw_stepping pair;
  if (sw_base_info(base, &order, &symmetric) != SW_OK) {
    sw_finding_fail(finding, "no such base method");
  } else if (!sw_stepping_init(v, "rattle", base, "rattle", other, &pair, finding)) {
    sw_stepping_clear(&pair);
  } else {
    if (search(v, &pair, v->on, &h, &found, &exact)) {
      sw_finding_take(finding, fmax(0.0, order - found.slope[2]), "%s", "");
      sw_finding_note(finding, "slope %.3f, at least %d expected; error %.2g at h = %.3g",
                      found.slope[2], order, found.error[LEVELS - 1], ldexp(h, 1 - LEVELS));
    } else if (exact) {
      sw_finding_exclude(finding, "no error above rounding up to h = %.3g", h);
    } else {
      sw_finding_fail(finding, "not conclusive down to h = %.3g: slopes %.3f, %.3f, %.3f", h,
                      found.slope[0], found.slope[1], found.slope[2]);
    }
    sw_stepping_clear(&pair);
  }
}
