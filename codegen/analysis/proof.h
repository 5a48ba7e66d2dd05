/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proof.h -- certificates that are valid on M.
 *
 * An identity value = sum of factors times generators proves value = 0 on M only if the factors are
 * finite there: 1/x may be a factor although x = 0 on M.  A pole is harmless if H or g has it, too,
 * because the model is then undefined there.  It is also harmless if the form of its base excludes
 * zero, or if 1 is a combination of the constraints and the base.  A certificate with any other
 * pole is rejected.
 */
#ifndef SIDEWINDER_ANALYSIS_PROOF_H
#define SIDEWINDER_ANALYSIS_PROOF_H

#include "analysis/sample.h"

/* certify, but the certificate must hold on M.  If by_default is 1, all parameters have their
 * default values.  The generators are constraints of the model, or vanish on their zero set. */
const record_certificate *prove(study *s, int by_default, const ir_expr *value, int n,
                                const certify_generator generators[], int with_rest);

/* 1 if the factors of a certificate are finite wherever the generators are. The value then vanishes
 * on their whole zero set: x y = 0 does not imply y + 0/x = 0, with the factor 1/x, where x = 0. */
int factors_are_finite(study *s, const record_certificate *found, int n,
                       const certify_generator generators[]);

/* Lists the m constraints, followed, with `hidden`, by the m hidden ones.  Returns their number. */
int proof_generators(study *s, int hidden, certify_generator out[]);

/* A certificate modulo g, or, with `hidden`, modulo g and rho; for all parameters, or else for the
 * defaults. */
typedef struct proof {
  const record_certificate *certificate; /* NULL if none was found */
  fact_range range;
  int hidden; /* 1 if rho was used */
} proof;

proof prove_on_M(study *s, const ir_expr *value, int hidden, int with_rest);

/* Decides whether the value is 0 on M.  The evidence is an identity, a sampled point with another
 * value, a certificate, or all sampled points.  A certificate is sought if `exactly` is 1, and
 * returned in *certificate. */
fact zero_on_M(study *s, const ir_expr *value, const sample_answer *seen, int exactly,
               const record_certificate **certificate);

/* The fraction with a small denominator that equals x up to rounding.  Returns 0 if there is
 * none. */
int nearby_fraction(double x, mpq_t out);

/* 1 if H or g has a pole, or a logarithm, at the zeros of the expression. */
int is_pole_of_model(study *s, const ir_expr *base);

/* 1 if it is proved that M has no pole of e, except poles of H and g.  With `hidden`: if M^H has
 * neither a pole of e nor a zero of the argument of a logarithm. */
int poles_are_off(study *s, const ir_expr *e, int hidden);

#endif
