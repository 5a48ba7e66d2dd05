/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/difference.h"
#include "program/outputs.h"
#include "program/verifier.h"

/* Evaluates twice into memory with different contents: an entry that is not written, or a function
 * that does not depend on its arguments alone, gives different bits. */
static void check_output(const sw_system *system, const sw_output *of, const double z[],
                         const double k[], const double lambda[], int point, sw_finding *finding)
{
  size_t count = (size_t)of->count;
  double *once = malloc((2 * count + 1) * sizeof *once);
  double *twice = once + count;
  if (once == NULL) {
    sw_finding_fail(finding, "out of memory");
    return;
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
  free(once);
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
  }
}

/* The invariants' gradients, by differences, one column of n_invariant values per entry of z. */
typedef struct invariant_gradients {
  double *size;       /* n_invariant: |I_i| + sum_j |dI_i/dz_j z_j| */
  double *derivative; /* 2d columns */
  double *rounding;   /* 2d columns: what rounding allows each derivative */
} invariant_gradients;

typedef struct invariant_context {
  sw_system *system;
} invariant_context;

static void evaluate_invariants(void *context, const double z[], double out[])
{
  const invariant_context *at = context;
  sw_verifier_evaluate(at->system, at->system->invariant, z, at->system->k_default, out,
                       at->system->n_invariant);
}

/* The size of the terms is not known before the derivatives are, so they are found twice. */
static sw_status differentiate(sw_verifier *v, const double z[], invariant_gradients *of)
{
  sw_system *system = v->system;
  size_t rows = (size_t)system->n_invariant;
  invariant_context context = {system};
  sw_difference difference = {.evaluate = evaluate_invariants,
                              .context = &context,
                              .rows = system->n_invariant,
                              .cols = v->n,
                              .v = z,
                              .length = v->length};
  double *sum = v->work[0];
  sw_status status = SW_OK;
  memset(of->size, 0, rows * sizeof *of->size);
  for (int pass = 0; pass < 2 && status == SW_OK; pass++) {
    evaluate_invariants(&context, z, sum);
    for (size_t i = 0; i < rows; i++) {
      sum[i] = fabs(sum[i]);
    }
    for (int j = 0; j < v->n && status == SW_OK; j++) {
      double *column = of->derivative + (size_t)j * rows;
      status =
          sw_difference_column(&difference, j, of->size, column, of->rounding + (size_t)j * rows);
      for (size_t i = 0; i < rows; i++) {
        sum[i] += fabs(column[i] * z[j]);
      }
    }
    memcpy(of->size, sum, rows * sizeof *sum);
  }
  return status;
}

/* {I_i, f} for every invariant, given grad f, relative to its terms and to rounding. */
static void check_bracket(sw_verifier *v, const invariant_gradients *of, const double gradient[],
                          const char *name, int point, sw_finding *finding)
{
  sw_system *system = v->system;
  int d = system->nq;
  size_t rows = (size_t)system->n_invariant;
  for (int i = 0; i < system->n_invariant; i++) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (int j = 0; j < v->n; j++) {
      double factor = j < d ? gradient[j + d] : -gradient[j - d];
      double derivative = of->derivative[(size_t)j * rows + (size_t)i];
      double rounding = of->rounding[(size_t)j * rows + (size_t)i];
      if (factor == 0.0) {
        continue;
      }
      sum += derivative * factor;
      magnitude += fabs(factor) * (fabs(derivative) + rounding / finding->tolerance);
    }
    sw_finding_take(finding, sum == 0.0 ? 0.0 : fabs(sum) / magnitude,
                    "{%s, %s} = %.3g on M^H (point %d)", v->names[SW_INVARIANT][i], name, sum,
                    point);
  }
}

static void check_at(sw_verifier *v, const double z[], invariant_gradients *of, int point,
                     sw_finding *finding)
{
  sw_system *system = v->system;
  const double *k = system->k_default;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  double *gradient = v->work[1];
  int e = 0;
  if (differentiate(v, z, of) != SW_OK) {
    sw_finding_fail(finding, "out of memory");
    return;
  }
  sw_verifier_evaluate(v->system, system->hamiltonian_grad, z, k, gradient, v->n);
  check_bracket(v, of, gradient, "H", point, finding);
  if (system->nc > 0) {
    sw_verifier_evaluate(v->system, system->constraint_jac, z, k, v->values.constraint_jac,
                         pattern->entries);
  }
  for (int i = 0; i < system->nc; i++) {
    memset(gradient, 0, (size_t)v->n * sizeof *gradient);
    for (; e < pattern->entries && pattern->row[e] == i; e++) {
      gradient[pattern->col[e]] = v->values.constraint_jac[e];
    }
    check_bracket(v, of, gradient, v->names[SW_C][i], point, finding);
  }
}

void sw_check_invariants(sw_verifier *v, const char *base, sw_finding *finding)
{
  size_t rows = (size_t)v->system->n_invariant;
  size_t matrix = rows * (size_t)v->n;
  double *block = malloc((rows + 2 * matrix) * sizeof *block);
  (void)base;
  if (block == NULL) {
    sw_finding_fail(finding, "out of memory");
    return;
  }
  invariant_gradients of = {block, block + rows, block + rows + matrix};
  for (int point = 0; point < v->reached && finding->outcome == SW_CHECK_PASS; point++) {
    check_at(v, v->on + (size_t)point * (size_t)v->n, &of, point, finding);
  }
  free(block);
}
