/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/outputs.h -- the functions of a system, one like the other.
 */
#ifndef SW_PROGRAM_OUTPUTS_H
#define SW_PROGRAM_OUTPUTS_H

#include "model/system.h"
#include "sidewinder/witness.h"

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

/* What a witness says; SW_WITNESS_K_DEFAULT and SW_WITNESS_INIT are no functions of the state: they have a name
 * alone. */
sw_output sw_output_of(const sw_system *system, sw_witnessed what);

/* H_q (half = 0) or H_p (half = 1) alone, where the model has them: a part of the gradient. */
sw_output sw_output_half_gradient(const sw_system *system, int half);

/* Initial state number i. */
sw_output sw_output_init(const sw_system *system, int i);

sw_output sw_output_constraint_scale(const sw_system *system);
sw_output sw_output_hidden_scale(const sw_system *system);

int sw_output_exists(const sw_output *output);

/* Fills out with `fill` and evaluates.  lambda may be NULL where the function has none. */
void sw_output_evaluate(const sw_system *system, const sw_output *output, const double z[],
                        const double k[], const double lambda[], double fill, double out[]);

#endif
