/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/difference.h"
#include "program/verifier.h"

/* One function of the model and the number of values that it must write. */
typedef struct output {
  const char *name;
  sw_system_function *function;
  sw_system_lambda_function *lambda_function; /* the one of the two that is not NULL is meant */
  int count;
} output;

static void evaluate(const sw_system *system, const output *of, const double z[], const double k[],
                     const double lambda[], double out[])
{
  if (of->function != NULL) {
    of->function(system, z, k, out);
  } else {
    of->lambda_function(system, z, k, lambda, out); /* NOLINT(clang-analyzer-core.CallAndMessage) */
  }
}

/* Evaluates twice into memory with different contents: an entry that is not written, or a function
 * that does not depend on its arguments alone, gives different bits. */
static void check_output(const sw_system *system, const output *of, const double z[],
                         const double k[], const double lambda[], int point, sw_finding *finding)
{
  size_t count = (size_t)of->count;
  double *once = malloc((2 * count + 1) * sizeof *once);
  double *twice = once + count;
  if (once == NULL) {
    sw_finding_fail(finding, "out of memory");
    return;
  }
  for (size_t i = 0; i < count; i++) {
    once[i] = 1.0;
    twice[i] = 2.0;
  }
  evaluate(system, of, z, k, lambda, once);
  evaluate(system, of, z, k, lambda, twice);
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
  const sw_system *f = v->system;
  int m = f->nc;
  const output outputs[] = {
      {"H", f->hamiltonian, NULL, 1},
      {"grad H", f->hamiltonian_grad, NULL, v->n},
      {"Hess H", f->hamiltonian_hess, NULL, f->hamiltonian_hess_pattern.entries},
      {"an observable", NULL, f->observe, f->n_observe},
      {"an invariant", f->invariant, NULL, f->n_invariant},
      {"g", f->constraint, NULL, m},
      {"the scale of g", f->constraint_scale, NULL, m},
      {"Dg", f->constraint_jac, NULL, f->constraint_jac_pattern.entries},
      {"Hess(lambda.g)", NULL, f->constraint_hess, f->constraint_hess_pattern.entries},
      {"rho", f->hidden, NULL, m},
      {"the scale of rho", f->hidden_scale, NULL, m},
      {"Drho", f->hidden_jac, NULL, f->hidden_jac_pattern.entries},
      {"C", f->coisotropy, NULL, f->coisotropy_pattern.entries},
      {"N", f->nondegeneracy, NULL, f->nondegeneracy_pattern.entries},
      {"Gamma", NULL, f->fibre_flow, v->n},
      {"dGamma/dlambda", NULL, f->fibre_flow_lambda, f->fibre_flow_lambda_pattern.entries},
      {"dGamma/dz", NULL, f->fibre_flow_z, f->fibre_flow_z_pattern.entries}};
  size_t count = m > 0 ? sizeof outputs / sizeof outputs[0] : 5;
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)f->nk;
    const double *lambda = v->lambda + (size_t)point * (size_t)m;
    for (size_t i = 0; i < count; i++) {
      if (outputs[i].count > 0) {
        check_output(f, &outputs[i], z, k, lambda, point, finding);
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
