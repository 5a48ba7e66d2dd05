/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proof.h -- certificates that hold on M.
 *
 * An identity value = sum of factors times generators shows that value is 0 on M only where the factors are finite: 1/x
 * may be one although x = 0 on M.  Such a pole is harmless where H or g has it, too, so that the model is not defined
 * there; where the form of its base excludes zero; or where 1 is a combination of the constraints and the base.  With
 * any other pole no certificate is accepted.
 */
#ifndef SIDEWINDER_ANALYSIS_PROOF_H
#define SIDEWINDER_ANALYSIS_PROOF_H

#include "analysis/study.h"

/* As certify, with the default parameters in the place of all others where `by_default` is 1.  The generators are constraints
 * of the model, or what vanishes where these do. */
const record_certificate *prove(study *s, int by_default, const ir_expr *value, int n,
                                const certify_generator generators[], int with_rest);

/* The constraints, and with `hidden` behind them the m hidden ones.  Returns how many. */
int proof_generators(study *s, int hidden, certify_generator out[]);

/* Whether none of the poles of e meets M. */
int poles_are_off_M(study *s, const ir_expr *e);

#endif
