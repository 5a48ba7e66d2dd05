/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "program/outputs.h"
#include "program/verifier.h"

/* Values before and behind an array that a function writes to, which it must leave alone. */
enum { GUARDS = 16 };

static int count_changed(const double guards[], double fill)
{
  int changed = 0;
  for (int i = 0; i < GUARDS; i++) {
    changed += guards[i] != fill;
  }
  return changed;
}

/* Evaluates twice into memory with different contents: an entry that is not written, or a function
 * that does not depend on its arguments alone, gives different bits. */
static void check_output(const sw_system *system, const sw_output *of, const double z[],
                         const double k[], const double lambda[], int point, sw_finding *finding)
{
  size_t count = (size_t)of->count;
  double *block = malloc((2 * count + 3 * GUARDS) * sizeof *block);
  if (block == NULL) {
    sw_finding_fail(finding, "out of memory");
    return;
  }
  double *once = block + GUARDS;
  double *twice = once + count + GUARDS;
  for (size_t i = 0; i < 2 * count + 3 * GUARDS; i++) {
    block[i] = 3.0;
  }
  sw_output_evaluate(system, of, z, k, lambda, 1.0, once);
  sw_output_evaluate(system, of, z, k, lambda, 2.0, twice);
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
                  of->name, different, where, point);
  int beside = count_changed(block, 3.0) + count_changed(once + count, 3.0) +
               count_changed(twice + count, 3.0);
  sw_finding_take(finding, beside, "%s: %d values beside the array are written (point %d)",
                  of->name, beside, point);
  free(block);
}

void sw_check_outputs(sw_verifier *v, const char *base, sw_finding *finding)
{
  const sw_system *system = v->system;
  sw_output outputs[SW_WITNESSED + 4] = {
      sw_output_constraint_scale(system), sw_output_hidden_scale(system),
      sw_output_half_gradient(system, 0), sw_output_half_gradient(system, 1)};
  (void)base;
  for (int what = 0; what < SW_WITNESSED; what++) {
    outputs[4 + what] = sw_output_of(system, (sw_witnessed)what);
  }
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    const double *lambda = v->lambda + (size_t)point * (size_t)system->nc;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
      /* constraint_jac_along takes a vector of the length of z. */
      const double *with = i == 4 + SW_WITNESS_CONSTRAINT_JAC_ALONG ? v->length : lambda;
      if (sw_output_exists(&outputs[i])) {
        check_output(system, &outputs[i], z, k, with, point, finding);
      }
    }
    for (int i = 0; i < system->n_init; i++) {
      const sw_output init = sw_output_init(system, i);
      check_output(system, &init, z, k, lambda, point, finding);
    }
  }
}
