/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "program/verifier.h"

/* Number of guard values before and after an output array.  The function must not change them. */
enum { GUARDS = 16 };

static int count_changed(const double guards[], double fill)
{
  int changed = 0;
  for (int i = 0; i < GUARDS; i++) {
    changed += guards[i] != fill;
  }
  return changed;
}

/* Evaluates twice into memory with different contents.  The results differ if an entry is not
 * written, or if the function depends on anything but its arguments. */
static void check_output(const sw_system *system, const sw_output *of, const sw_point *at,
                         const double lambda[], sw_finding *finding)
{
  size_t count = (size_t)of->count;
  double *block = malloc((2 * count + 3 * GUARDS) * sizeof *block);
  if (block == NULL) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
    return;
  }
  double *once = block + GUARDS;
  double *twice = once + count + GUARDS;
  for (size_t i = 0; i < 2 * count + 3 * GUARDS; i++) {
    block[i] = 3.0;
  }
  sw_output_evaluate(system, of, at->z, at->k, lambda, 1.0, once);
  sw_output_evaluate(system, of, at->z, at->k, lambda, 2.0, twice);
  int different = 0;
  int where = 0;
  for (int i = 0; i < of->count; i++) {
    if (memcmp(&once[i], &twice[i], sizeof *once) != 0) {
      different++;
      where = i;
    }
  }
  sw_finding_take(finding, different,
                  "%s: %d values not written or not reproducible, the last is number %d (point %d)",
                  of->name, different, where, at->number);
  int beside = count_changed(block, 3.0) + count_changed(once + count, 3.0) +
               count_changed(twice + count, 3.0);
  sw_finding_take(finding, beside, "%s: %d values beside the array are written (point %d)",
                  of->name, beside, at->number);
  free(block);
}

void sw_check_outputs(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  double *weights = malloc((SW_OUTPUT_WEIGHTS(v->system) + 1) * sizeof *weights);
  for (int what = 0; weights != NULL && what < SW_OUTPUTS; what++) {
    if (sw_output_exists(&v->output[what])) {
      /* The test works with any vector of the length of z. */
      const double *lambda = sw_output_argument(v->system, what, at->lambda, v->length, weights);
      check_output(v->system, &v->output[what], at, lambda, finding);
    }
  }
  if (weights == NULL) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
  }
  free(weights);
  for (int i = 0; i < v->system->n_init; i++) {
    const sw_output init = sw_output_init(v->system, i);
    check_output(v->system, &init, at, NULL, finding);
  }
}
