/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome.h -- what one check of `verify` says of a model.  Include it after cmocka.h.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdlib.h>
#include <string.h>

#include "program/verify.h"

/* The outcome of the check of that name; two points are enough for what is tested here. */
static inline sw_outcome outcome(const sw_model *model, const char *name)
{
  const sw_verify_options options = {.seed = 1, .points = 2};
  int count = sw_verify_count();
  sw_finding *findings = calloc((size_t)count, sizeof *findings);
  assert_non_null(findings);
  int good = sw_verify_model(model, &options, findings);
  int found = -1;
  int failed = 0;
  for (int i = 0; i < count; i++) {
    failed += findings[i].outcome == SW_CHECK_FAIL;
    if (strcmp(findings[i].name, name) == 0)
      found = (int)findings[i].outcome;
  }
  free(findings);
  assert_int_equal(good, failed == 0);
  assert_int_not_equal(found, -1);
  return (sw_outcome)found;
}

#endif
