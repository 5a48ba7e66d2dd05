/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "program/difference.h"
#include "program/verifier.h"

/* A function of one of its arguments, the others held. */
typedef struct section {
  sw_system *system;
  sw_system_function *function; /* of z */
  int rows;
  const double *z; /* where lambda varies */
  const double *k;
  const double *lambda; /* where z varies */
  double *jacobian;     /* scratch memory for Dg */
} section;

/* A derivative with its pattern, of a function of z and k alone. */
typedef struct derivative {
  sw_system_function *function;
  int rows;
  sw_system_function *derivative;
  const sw_pattern *pattern; /* NULL: one dense row */
  double *value;
  int symmetric;
} derivative;

static void compare(sw_verifier *v, const sw_difference *difference, int point, int by_z,
                    sw_finding *finding)
{
  sw_difference_worst worst;
  if (sw_difference_compare(difference, &worst) != SW_OK) {
    sw_finding_fail(finding, "out of memory");
    return;
  }
  sw_finding_take(finding, worst.figure,
                  "row %d, column %s: %.17g generated, %.17g by differences (point %d)", worst.row,
                  by_z ? sw_verifier_z_name(v, worst.col) : v->names[SW_C][worst.col],
                  worst.generated, worst.difference, point);
}

static void evaluate_function(void *context, const double z[], double out[])
{
  const section *at = context;
  sw_verifier_evaluate(at->system, at->function, z, at->k, out, at->rows);
}

static void check_derivative(sw_verifier *v, const derivative *of, sw_finding *finding)
{
  for (int point = 0; point < v->options.points && finding->outcome == SW_CHECK_PASS; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)v->system->nk;
    section at = {.system = v->system, .function = of->function, .rows = of->rows, .k = k};
    sw_difference difference = {.evaluate = evaluate_function,
                                .context = &at,
                                .rows = of->rows,
                                .cols = v->n,
                                .v = z,
                                .length = v->length,
                                .pattern = of->pattern,
                                .value = of->value,
                                .symmetric = of->symmetric};
    sw_verifier_evaluate(v->system, of->derivative, z, k, of->value,
                         of->pattern != NULL ? of->pattern->entries : of->rows * v->n);
    compare(v, &difference, point, 1, finding);
  }
}

void sw_check_energy_grad(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  derivative of = {system->hamiltonian,   1, system->hamiltonian_grad, NULL,
                   v->values.energy_grad, 0};
  (void)base;
  check_derivative(v, &of, finding);
}

void sw_check_energy_hess(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  derivative of = {system->hamiltonian_grad, v->n,
                   system->hamiltonian_hess, &system->hamiltonian_hess_pattern,
                   v->values.energy_hess,    1};
  (void)base;
  check_derivative(v, &of, finding);
}

void sw_check_constraint_jac(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  derivative of = {system->constraint,       system->nc,
                   system->constraint_jac,   &system->constraint_jac_pattern,
                   v->values.constraint_jac, 0};
  (void)base;
  check_derivative(v, &of, finding);
}

void sw_check_hidden_jac(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  derivative of = {system->hidden,       system->nc,
                   system->hidden_jac,   &system->hidden_jac_pattern,
                   v->values.hidden_jac, 0};
  (void)base;
  check_derivative(v, &of, finding);
}

/* out = Dg(z)^T lambda, the gradient of lambda . g */
static void evaluate_gradient(void *context, const double z[], double out[])
{
  const section *at = context;
  const sw_pattern *pattern = &at->system->constraint_jac_pattern;
  sw_verifier_evaluate(at->system, at->system->constraint_jac, z, at->k, at->jacobian,
                       pattern->entries);
  for (int i = 0; i < at->rows; i++) {
    out[i] = 0.0;
  }
  for (int e = 0; e < pattern->entries; e++) {
    out[pattern->col[e]] += at->lambda[pattern->row[e]] * at->jacobian[e];
  }
}

static void evaluate_flow_of_z(void *context, const double z[], double out[])
{
  const section *at = context;
  sw_verifier_evaluate_lambda(at->system, at->system->fibre_flow, z, at->k, at->lambda, out,
                              at->rows);
}

static void evaluate_flow_of_lambda(void *context, const double lambda[], double out[])
{
  const section *at = context;
  sw_verifier_evaluate_lambda(at->system, at->system->fibre_flow, at->z, at->k, lambda, out,
                              at->rows);
}

/* A derivative of something that also depends on lambda. */
typedef struct lambda_derivative {
  void (*evaluate)(void *context, const double v[], double out[]);
  sw_system_lambda_function *derivative;
  const sw_pattern *pattern;
  double *value;
  int symmetric;
  int by_z; /* 1: with respect to z, 0: with respect to lambda */
} lambda_derivative;

static void check_lambda_derivative(sw_verifier *v, const lambda_derivative *of,
                                    sw_finding *finding)
{
  sw_system *system = v->system;
  for (int point = 0; point < v->options.points && finding->outcome == SW_CHECK_PASS; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    const double *lambda = v->lambda + (size_t)point * (size_t)system->nc;
    double *length = v->work[0];
    section at = {.system = system,
                  .rows = v->n,
                  .z = z,
                  .k = k,
                  .lambda = lambda,
                  .jacobian = v->values.constraint_jac};
    for (int i = 0; i < system->nc; i++) {
      length[i] = lambda[i] < 0.0 ? -lambda[i] : lambda[i];
    }
    sw_difference difference = {.evaluate = of->evaluate,
                                .context = &at,
                                .rows = v->n,
                                .cols = of->by_z ? v->n : system->nc,
                                .v = of->by_z ? z : lambda,
                                .length = of->by_z ? v->length : length,
                                .pattern = of->pattern,
                                .value = of->value,
                                .symmetric = of->symmetric};
    sw_verifier_evaluate_lambda(v->system, of->derivative, z, k, lambda, of->value,
                                of->pattern->entries);
    compare(v, &difference, point, of->by_z, finding);
  }
}

void sw_check_constraint_hess(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  lambda_derivative of = {.evaluate = evaluate_gradient,
                          .derivative = system->constraint_hess,
                          .pattern = &system->constraint_hess_pattern,
                          .value = v->values.constraint_hess,
                          .symmetric = 1,
                          .by_z = 1};
  (void)base;
  check_lambda_derivative(v, &of, finding);
}

void sw_check_flow_lambda(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  lambda_derivative of = {.evaluate = evaluate_flow_of_lambda,
                          .derivative = system->fibre_flow_lambda,
                          .pattern = &system->fibre_flow_lambda_pattern,
                          .value = v->values.flow_lambda,
                          .by_z = 0};
  (void)base;
  check_lambda_derivative(v, &of, finding);
}

void sw_check_flow_z(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  lambda_derivative of = {.evaluate = evaluate_flow_of_z,
                          .derivative = system->fibre_flow_z,
                          .pattern = &system->fibre_flow_z_pattern,
                          .value = v->values.flow_z,
                          .by_z = 1};
  (void)base;
  check_lambda_derivative(v, &of, finding);
}
