/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/witness_cases.h -- the model at the sizes of each case of its table of witnesses.
 */
#ifndef SW_PROGRAM_WITNESS_CASES_H
#define SW_PROGRAM_WITNESS_CASES_H

#include "program/verifier.h"

/* A model at the sizes of one case. */
typedef struct sw_witness_opened {
  const sw_witness_case *at;
  sw_system *system;
} sw_witness_opened;

/* Whether there is a table to compare with, and it is this model's; where not, the finding says why. */
int sw_witness_is_there(const sw_verifier *v, sw_finding *finding);

/* Opens the model at sizes of the table; *system is NULL, and message may say why, where that is not possible. */
sw_status sw_witness_open_at(const sw_verifier *v, const long sizes[], sw_system **system,
                             char message[]);

/* Calls visit for every case, until a check has failed. */
typedef void sw_witness_visit(const sw_verifier *v, const sw_witness_opened *c, sw_witnessed what,
                              sw_finding *finding);
void sw_witness_each_case(const sw_verifier *v, sw_witness_visit *visit, sw_witnessed what,
                          sw_finding *finding);

/* The same; where nothing was compared, the finding says why. */
void sw_witness_check(sw_verifier *v, sw_witness_visit *visit, sw_witnessed what,
                      sw_finding *finding);

/* The values of a function at a point, NULL where the table has none. */
const sw_witness_values *sw_witness_find(const sw_witness_point *p, sw_witnessed what, int number);

#endif
