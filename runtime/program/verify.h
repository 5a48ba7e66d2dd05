/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/verify.h -- checks of a model: its generated functions against each other, against finite
 * differences and against the identities of the theory, and the methods on it.
 */
#ifndef SW_PROGRAM_VERIFY_H
#define SW_PROGRAM_VERIFY_H

#include "model/system.h"
#include "program/finding.h"

/* The number of findings of a report; the same for every model. */
int sw_verify_count(void);

/* How many checks have names that begin with this text. */
int sw_verify_asked(const char *only);

/* Carries out every check that is asked for.  findings: sw_verify_count() of them, in the order of the report.  Returns
 * 1 where none failed, 0 where one did, -1 when out of memory. */
int sw_verify_model(sw_system *system, const sw_verify_options *options, sw_finding findings[]);

#endif
