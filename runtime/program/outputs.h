/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/outputs.h -- the functions of a system, one like the other.
 */
#ifndef SW_PROGRAM_OUTPUTS_H
#define SW_PROGRAM_OUTPUTS_H

#include "model/system.h"
#include "sidewinder/witness.h"

/* Behind what a table of witnesses has of a model (sw_witnessed) come the functions that it has not.  A model may have
 * the halves of the gradient, H_q and H_p, apart. */
enum {
  SW_OUTPUT_CONSTRAINT_SCALE = SW_WITNESSED,
  SW_OUTPUT_HIDDEN_SCALE,
  SW_OUTPUT_GRAD_Q,
  SW_OUTPUT_GRAD_P,
  SW_OUTPUT_FIBRE_INCREMENT,
  SW_OUTPUTS
};

/* One function: of the two pointers the one that is not NULL is meant; where both are, an initial state, and else
 * the model has no such function. */
typedef struct sw_output {
  const char *name; /* as in model.h: "hamiltonian_grad" */
  sw_system_function *function;
  sw_system_lambda_function *lambda_function; /* of lambda, or v */
  const sw_pattern *pattern;                  /* NULL: a vector */
  int first;                                  /* number of the vector's first entry */
  int count;                                  /* values that it writes */
  int init;                                   /* 1 + the number of an initial state; 0: none */
} sw_output;

/* What is one of sw_witnessed or of those above.  SW_WITNESS_K_DEFAULT and SW_WITNESS_INIT are no functions of the
 * state: they have a name alone. */
sw_output sw_output_of(const sw_system *system, int what);

/* Initial state number i. */
sw_output sw_output_init(const sw_system *system, int i);

int sw_output_exists(const sw_output *output);

/* What function `what` takes in the place of lambda, of the lambda and the v of a point: one of these, or, left in `weights`
 * (SW_OUTPUT_WEIGHTS values), what sw_model says of accelerations: for their second derivatives (lambda, v_q, lambda, v_p), the
 * weights of A, rho' and H_p behind the multipliers, for the third and fourth derivatives of g (lambda, v), and for the fourth ones
 * of H (v, v_p, v_q). */
#define SW_OUTPUT_WEIGHTS(system) (2 * ((size_t)(system)->nc + 2 * (size_t)(system)->nq))
const double *sw_output_argument(const sw_system *system, int what, const double lambda[],
                                 const double v[], double weights[]);

/* Fills out with `fill` and evaluates.  lambda may be NULL where the function has none. */
void sw_output_evaluate(const sw_system *system, const sw_output *output, const double z[],
                        const double k[], const double lambda[], double fill, double out[]);

#endif
