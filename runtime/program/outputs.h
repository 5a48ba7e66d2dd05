/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/outputs.h -- uniform access to all functions of a system.
 */
#ifndef SW_PROGRAM_OUTPUTS_H
#define SW_PROGRAM_OUTPUTS_H

#include "model/system.h"
#include "sidewinder/witness.h"

/* The functions of a system that a table of witnesses lacks; their numbers follow sw_witnessed.
 * A model may have the two halves of the gradient, H_q and H_p, as separate functions. */
enum {
  SW_OUTPUT_CONSTRAINT_SCALE = SW_WITNESSED,
  SW_OUTPUT_HIDDEN_SCALE,
  SW_OUTPUT_GRAD_Q,
  SW_OUTPUT_GRAD_P,
  SW_OUTPUT_FIBRE_INCREMENT,
  SW_OUTPUTS
};

/* One function.  At most one of the two pointers is set.  If both are NULL, the output is an
 * initial state if init > 0; else the model has no such function. */
typedef struct sw_output {
  const char *name; /* as in model.h: "hamiltonian_grad" */
  sw_system_function *function;
  sw_system_lambda_function *lambda_function; /* of lambda or v */
  const sw_pattern *pattern;                  /* NULL: a vector */
  int first;                                  /* number of the vector's first entry */
  int count;                                  /* number of values that the function writes */
  /* 1 + the number of the initial state; 0: not an initial state */
  int init;
} sw_output;

/* Describes output `what`, a member of sw_witnessed or of the enum above.  SW_WITNESS_K_DEFAULT
 * and SW_WITNESS_INIT are not functions of the state, so they have only a name. */
sw_output sw_output_of(const sw_system *system, int what);

/* Initial state number i. */
sw_output sw_output_init(const sw_system *system, int i);

int sw_output_exists(const sw_output *output);

/* Returns the argument that function `what` takes as its lambda: lambda or v of the point, or
 * `weights` (SW_OUTPUT_WEIGHTS values) if the function belongs to the accelerations (sw_model).
 * The weights are
 *
 * - second derivatives of accelerations: (lambda, v_q, lambda, v_p), the weights of A, rho' and
 *   H_p after the multipliers;
 * - third and fourth derivatives of g: (lambda, v);
 * - fourth derivatives of H: (v, v_p, v_q). */
#define SW_OUTPUT_WEIGHTS(system) (2 * ((size_t)(system)->nc + 2 * (size_t)(system)->nq))
const double *sw_output_argument(const sw_system *system, int what, const double lambda[],
                                 const double v[], double weights[]);

/* Fills out with `fill`, then evaluates the function.  lambda may be NULL if the function does
 * not use it. */
void sw_output_evaluate(const sw_system *system, const sw_output *output, const double z[],
                        const double k[], const double lambda[], double fill, double out[]);

#endif
