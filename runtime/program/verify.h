/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/verify.h -- checks of a model.  They compare its generated functions with each other,
 * with finite differences and with identities of the theory, and they test the methods on the
 * model.
 */
#ifndef SW_PROGRAM_VERIFY_H
#define SW_PROGRAM_VERIFY_H

#include "model/system.h"
#include "program/finding.h"

/* The number of findings of a report; the same for every model. */
int sw_verify_count(void);

/* The number of checks whose names begin with this text. */
int sw_verify_asked(const char *only);

/* Runs every requested check.  findings: sw_verify_count() elements, in the order of the report.
 * Returns 1 if no check failed, 0 if one failed, -1 if memory is short. */
int sw_verify_model(sw_system *system, const sw_verify_options *options, sw_finding findings[]);

#endif
