/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/witness_cases.h -- opens the model at the sizes of each case in its table of witnesses.
 */
#ifndef SW_PROGRAM_WITNESS_CASES_H
#define SW_PROGRAM_WITNESS_CASES_H

#include "program/verifier.h"

/* A model at the sizes of one case. */
typedef struct sw_witness_opened {
  const sw_witness_case *at;
  sw_system *system;
} sw_witness_opened;

/* One check of v->what.  It is called for every case of the table. */
typedef void sw_witness_check(const sw_verifier *v, const sw_witness_opened *c,
                              sw_finding *finding);

/* verify_witness.c: compare values with the table. */
sw_witness_check sw_witness_function;
sw_witness_check sw_witness_flow;
sw_witness_check sw_witness_defaults;
sw_witness_check sw_witness_inits;
sw_witness_check sw_witness_scale; /* of v->what, g or rho */

/* verify_witness_tables.c */
sw_witness_check sw_witness_names;
sw_witness_check sw_witness_bounds;
sw_check_function sw_check_witness_sizes;

/* Calls check for every case until one fails.  If nothing was compared, the finding says why. */
void sw_witness_each_case(const sw_verifier *v, sw_witness_check *check, sw_finding *finding);

/* 1 if a table exists and belongs to this model; else the finding says why not. */
int sw_witness_is_there(const sw_verifier *v, sw_finding *finding);

/* Opens the model at sizes of the table.  On failure *system is NULL, and message may give the
 * reason. */
sw_status sw_witness_open_at(const sw_verifier *v, const long sizes[], sw_system **system,
                             char message[]);

/* The values of a function at a point; NULL if the table has none. */
const sw_witness_values *sw_witness_find(const sw_witness_point *p, int what, int number);

#endif
