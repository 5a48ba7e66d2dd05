/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/outputs.h"

#include <stddef.h>

static sw_output vector(const char *name, sw_system_function *function, int count)
{
  return (sw_output){.name = name, .function = function, .count = count};
}

static sw_output lambda_vector(const char *name, sw_system_lambda_function *function, int count)
{
  return (sw_output){.name = name, .lambda_function = function, .count = count};
}

static sw_output matrix(const char *name, sw_system_function *function, const sw_pattern *pattern)
{
  return (sw_output){
      .name = name, .function = function, .pattern = pattern, .count = pattern->entries};
}

static sw_output lambda_matrix(const char *name, sw_system_lambda_function *function,
                               const sw_pattern *pattern)
{
  return (sw_output){
      .name = name, .lambda_function = function, .pattern = pattern, .count = pattern->entries};
}

sw_output sw_output_of(const sw_system *s, sw_witnessed what)
{
  const int n = 2 * s->nq;
  switch (what) {
  case SW_WITNESS_K_DEFAULT:
    return (sw_output){.name = "k_default"};
  case SW_WITNESS_INIT:
    return (sw_output){.name = "init"};
  case SW_WITNESS_HAMILTONIAN:
    return vector("hamiltonian", s->hamiltonian, 1);
  case SW_WITNESS_HAMILTONIAN_GRAD:
    return vector("hamiltonian_grad", s->hamiltonian_grad, n);
  case SW_WITNESS_HAMILTONIAN_HESS:
    return matrix("hamiltonian_hess", s->hamiltonian_hess, &s->hamiltonian_hess_pattern);
  case SW_WITNESS_CONSTRAINT:
    return vector("constraint", s->constraint, s->nc);
  case SW_WITNESS_CONSTRAINT_JAC:
    return matrix("constraint_jac", s->constraint_jac, &s->constraint_jac_pattern);
  case SW_WITNESS_CONSTRAINT_JAC_ALONG:
    return lambda_matrix("constraint_jac_along", s->constraint_jac_along,
                         &s->constraint_jac_pattern);
  case SW_WITNESS_CONSTRAINT_HESS:
    return lambda_matrix("constraint_hess", s->constraint_hess, &s->constraint_hess_pattern);
  case SW_WITNESS_HIDDEN:
    return vector("hidden", s->hidden, s->nc);
  case SW_WITNESS_HIDDEN_JAC:
    return matrix("hidden_jac", s->hidden_jac, &s->hidden_jac_pattern);
  case SW_WITNESS_COISOTROPY:
    return matrix("coisotropy", s->coisotropy, &s->coisotropy_pattern);
  case SW_WITNESS_NONDEGENERACY:
    return matrix("nondegeneracy", s->nondegeneracy, &s->nondegeneracy_pattern);
  case SW_WITNESS_FIBRE_FLOW:
    return lambda_vector("fibre_flow", s->fibre_flow, n);
  case SW_WITNESS_FIBRE_FLOW_LAMBDA:
    return lambda_matrix("fibre_flow_lambda", s->fibre_flow_lambda, &s->fibre_flow_lambda_pattern);
  case SW_WITNESS_FIBRE_FLOW_Z:
    return lambda_matrix("fibre_flow_z", s->fibre_flow_z, &s->fibre_flow_z_pattern);
  case SW_WITNESS_OBSERVE:
    return lambda_vector("observe", s->observe, s->n_observe);
  case SW_WITNESS_INVARIANT:
    return vector("invariant", s->invariant, s->n_invariant);
  case SW_WITNESSED:
    break;
  }
  return (sw_output){.name = ""};
}

sw_output sw_output_half_gradient(const sw_system *s, int half)
{
  sw_output output = half == 0 ? vector("hamiltonian_grad_q", s->hamiltonian_grad_q, s->nq)
                               : vector("hamiltonian_grad_p", s->hamiltonian_grad_p, s->nq);
  output.first = half * s->nq;
  return output;
}

sw_output sw_output_init(const sw_system *s, int i)
{
  return (sw_output){.name = sw_system_init_name(s, i), .count = 2 * s->nq, .init = i + 1};
}

sw_output sw_output_constraint_scale(const sw_system *s)
{
  return vector("constraint_scale", s->constraint_scale, s->nc);
}

sw_output sw_output_hidden_scale(const sw_system *s)
{
  return vector("hidden_scale", s->hidden_scale, s->nc);
}

int sw_output_exists(const sw_output *output)
{
  return (output->function != NULL || output->lambda_function != NULL || output->init > 0) &&
         output->count > 0;
}

void sw_output_evaluate(const sw_system *system, const sw_output *output, const double z[],
                        const double k[], const double lambda[], double fill, double out[])
{
  for (int i = 0; i < output->count; i++) {
    out[i] = fill;
  }
  if (output->function != NULL) {
    output->function(system, z, k, out);
  } else if (output->lambda_function != NULL) {
    output->lambda_function(system, z, k, lambda, out);
  } else if (output->init > 0) {
    sw_system_init(system, output->init - 1, k, out);
  }
}
