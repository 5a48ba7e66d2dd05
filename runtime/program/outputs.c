/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/verifier.h"

#include <stddef.h>

#include "common/vectors.h"

#define VECTOR(member, n)                                                                          \
  (sw_output)                                                                                      \
  {                                                                                                \
    .name = #member, .function = s->member, .count = (n)                                           \
  }
#define LAMBDA_VECTOR(member, n)                                                                   \
  (sw_output)                                                                                      \
  {                                                                                                \
    .name = #member, .lambda_function = s->member, .count = (n)                                    \
  }
#define MATRIX(member)                                                                             \
  (sw_output)                                                                                      \
  {                                                                                                \
    .name = #member, .function = s->member, .pattern = &s->member##_pattern,                       \
    .count = s->member##_pattern.entries                                                           \
  }
#define LAMBDA_MATRIX(member, places)                                                              \
  (sw_output)                                                                                      \
  {                                                                                                \
    .name = #member, .lambda_function = s->member, .pattern = &s->places##_pattern,                \
    .count = s->places##_pattern.entries                                                           \
  }

sw_output sw_output_of(const sw_system *s, int what)
{
  const sw_output all[SW_OUTPUTS] = {
      [SW_WITNESS_K_DEFAULT] = {.name = "k_default"},
      [SW_WITNESS_INIT] = {.name = "init"},
      [SW_WITNESS_HAMILTONIAN] = VECTOR(hamiltonian, 1),
      [SW_WITNESS_HAMILTONIAN_GRAD] = VECTOR(hamiltonian_grad, 2 * s->nq),
      [SW_WITNESS_HAMILTONIAN_HESS] = MATRIX(hamiltonian_hess),
      [SW_WITNESS_CONSTRAINT] = VECTOR(constraint, s->nc),
      [SW_WITNESS_CONSTRAINT_JAC] = MATRIX(constraint_jac),
      [SW_WITNESS_CONSTRAINT_JAC_ALONG] = LAMBDA_MATRIX(constraint_jac_along, constraint_jac),
      [SW_WITNESS_CONSTRAINT_HESS] = LAMBDA_MATRIX(constraint_hess, constraint_hess),
      [SW_WITNESS_HIDDEN] = VECTOR(hidden, s->nc),
      [SW_WITNESS_HIDDEN_JAC] = MATRIX(hidden_jac),
      [SW_WITNESS_COISOTROPY] = MATRIX(coisotropy),
      [SW_WITNESS_NONDEGENERACY] = MATRIX(nondegeneracy),
      [SW_WITNESS_FIBRE_FLOW] = LAMBDA_VECTOR(fibre_flow, 2 * s->nq),
      [SW_WITNESS_FIBRE_FLOW_LAMBDA] = LAMBDA_MATRIX(fibre_flow_lambda, fibre_flow_lambda),
      [SW_WITNESS_FIBRE_FLOW_Z] = LAMBDA_MATRIX(fibre_flow_z, fibre_flow_z),
      [SW_WITNESS_OBSERVE] = LAMBDA_VECTOR(observe, s->n_observe),
      [SW_WITNESS_INVARIANT] = VECTOR(invariant, s->n_invariant),
      [SW_WITNESS_ACCELERATION] = LAMBDA_VECTOR(acceleration, s->nq + s->nc),
      [SW_WITNESS_ACCELERATION_JAC] = LAMBDA_MATRIX(acceleration_jac, acceleration_jac),
      [SW_WITNESS_ACCELERATION_HESS] = LAMBDA_MATRIX(acceleration_hess, acceleration_hess),
      [SW_WITNESS_CONSTRAINT_THIRD] = LAMBDA_MATRIX(constraint_third, constraint_third),
      [SW_WITNESS_HAMILTONIAN_THIRD] = LAMBDA_MATRIX(hamiltonian_third, hamiltonian_third),
      [SW_WITNESS_HAMILTONIAN_FOURTH] = LAMBDA_MATRIX(hamiltonian_fourth, hamiltonian_fourth),
      [SW_WITNESS_CONSTRAINT_FOURTH] = LAMBDA_MATRIX(constraint_fourth, constraint_fourth),
      [SW_WITNESS_FORCE] = VECTOR(force, s->nq),
      [SW_WITNESS_FORCE_JAC] = MATRIX(force_jac),
      [SW_WITNESS_EVENT] = VECTOR(event, s->n_event),
      [SW_OUTPUT_CONSTRAINT_SCALE] = VECTOR(constraint_scale, s->nc),
      [SW_OUTPUT_HIDDEN_SCALE] = VECTOR(hidden_scale, s->nc),
      [SW_OUTPUT_GRAD_Q] = VECTOR(hamiltonian_grad_q, s->nq),
      [SW_OUTPUT_GRAD_P] = VECTOR(hamiltonian_grad_p, s->nq),
      [SW_OUTPUT_FIBRE_INCREMENT] = LAMBDA_VECTOR(fibre_increment, 2 * s->nq),
  };
  sw_output output = all[what];
  output.first = what == SW_OUTPUT_GRAD_P ? s->nq : 0;
  return output;
}

sw_output sw_output_init(const sw_system *s, int i)
{
  return (sw_output){.name = sw_system_init_name(s, i), .count = 2 * s->nq, .init = i + 1};
}

const double *sw_output_argument(const sw_system *system, int what, const double lambda[],
                                 const double v[], double weights[])
{
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;

  switch (what) {
  case SW_WITNESS_CONSTRAINT_JAC_ALONG:
  case SW_WITNESS_HAMILTONIAN_THIRD:
    return v;
  case SW_WITNESS_HAMILTONIAN_FOURTH:
    sw_copy(weights, v, 2 * d);
    sw_copy(weights + 2 * d, v + d, d);
    sw_copy(weights + 3 * d, v, d);
    return weights;
  case SW_WITNESS_OBSERVE: /* the impulses are -lambda */
    sw_copy(weights, lambda, m);
    for (size_t i = 0; i < m; i++) {
      weights[m + i] = -lambda[i];
    }
    return weights;
  case SW_WITNESS_CONSTRAINT_THIRD:
  case SW_WITNESS_CONSTRAINT_FOURTH:
    sw_copy(weights, lambda, m);
    sw_copy(weights + m, v, 2 * d);
    return weights;
  case SW_WITNESS_ACCELERATION_HESS:
    sw_copy(weights, lambda, m);
    sw_copy(weights + m, v, d);
    sw_copy(weights + m + d, lambda, m);
    sw_copy(weights + 2 * m + d, v + d, d);
    return weights;
  default:
    return lambda;
  }
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
