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

#include "analysis/sample.h"

/* As certify, with the default parameters in the place of all others where `by_default` is 1.  The generators are constraints
 * of the model, or what vanishes where these do. */
const record_certificate *prove(study *s, int by_default, const ir_expr *value, int n,
                                const certify_generator generators[], int with_rest);

/* The constraints, and with `hidden` behind them the m hidden ones.  Returns how many. */
int proof_generators(study *s, int hidden, certify_generator out[]);

/* A certificate modulo g, or else, with `hidden`, modulo g and rho: for all parameters, or else with the default ones. */
typedef struct proof {
  const record_certificate *certificate; /* NULL where none was found */
  fact_range range;
  int hidden; /* 1: rho was used */
} proof;

proof prove_on_M(study *s, const ir_expr *value, int hidden, int with_rest);

/* Whether the value is 0 on M: as an identity; not at a point that was seen; by a certificate, which is sought where
 * `exactly` is 1 and kept in *certificate; or at all points that were seen. */
fact zero_on_M(study *s, const ir_expr *value, const sample_answer *seen, int exactly,
               const record_certificate **certificate);

/* Whether none of the poles of e meets M. */
int poles_are_off_M(study *s, const ir_expr *e);

/* Whether H or g has a pole, or a logarithm, at the zeros of the expression. */
int is_pole_of_model(study *s, const ir_expr *base);

/* Whether none of the poles of e, and none of the zeros of arguments of logarithms, meets M^H; those of H and g do not
 * count. */
int poles_are_off_MH(study *s, const ir_expr *e);

#endif
