/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome.h -- what `verify` says of a model at its own sizes.  Include it after cmocka.h.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdlib.h>
#include <string.h>

#include "program/verify.h"

/* As sw_verify_model. */
static inline int verify(const sw_model *model, const sw_verify_options *options,
                         sw_finding findings[])
{
  sw_system *system = NULL;
  assert_int_equal(sw_system_create(model, 0, NULL, &system, NULL), SW_OK);
  int good = sw_verify_model(system, options, findings);
  sw_system_free(&system);
  return good;
}

/* The outcomes of the checks of those n names; two points are enough for what is tested here. */
static inline void outcomes(const sw_model *model, int n, const char *const names[],
                            sw_outcome found[])
{
  const sw_verify_options options = {.seed = 1, .points = 2};
  int count = sw_verify_count();
  sw_finding *findings = calloc((size_t)count, sizeof *findings);
  assert_non_null(findings);
  int good = verify(model, &options, findings);
  int known = 0;
  int failed = 0;
  for (int i = 0; i < count; i++) {
    failed += findings[i].outcome == SW_CHECK_FAIL;
    for (int j = 0; j < n; j++) {
      if (strcmp(findings[i].name, names[j]) == 0) {
        found[j] = findings[i].outcome;
        known++;
      }
    }
  }
  free(findings);
  assert_int_equal(good, failed == 0);
  assert_int_equal(known, n);
}

static inline sw_outcome outcome(const sw_model *model, const char *name)
{
  sw_outcome found = SW_CHECK_PASS;
  outcomes(model, 1, &name, &found);
  return found;
}

#endif
