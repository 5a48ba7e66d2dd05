/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_limits.h -- limits of the checker, so that no model can exhaust the machine.
 *
 * They are part of the language: docs/language.md lists them.
 */
#ifndef SIDEWINDER_MODEL_LIMITS_H
#define SIDEWINDER_MODEL_LIMITS_H

#define MODEL_MAX_NAME      63
#define MODEL_MAX_BINDERS   8 /* of a family, a sum or an array */
#define MODEL_MAX_ARGUMENTS 8 /* of a let */
#define MODEL_MAX_SIZE      1000000000L
#define MODEL_MAX_LABELS    1000
#define MODEL_MAX_INSTANCES 100000000L /* of a set, an array, a family or a sum */
/* magnitude of an index expression and of its parts */
#define MODEL_MAX_INDEX 1000000000000000L
/* of an index expression, after substitution of let arguments */
#define MODEL_MAX_INDEX_PARTS 1000
#define MODEL_MAX_STEPS       1000000000000000L /* of a run */
#define MODEL_MAX_EXPONENT    100               /* magnitude of a constant exponent */
#define MODEL_MAX_ROOT        2147483647L       /* denominator of a constant exponent */
#define MODEL_MAX_BITS        4096      /* of numerator and denominator of an exact constant */
#define MODEL_MAX_DEPTH       12000     /* of an expression, with lets expanded */
#define MODEL_MAX_ROUNDS      10000000L /* of one enumeration of index values */
/* of all enumerations together, times the parts to be evaluated */
#define MODEL_MAX_ALL_ROUNDS    200000000L
#define MODEL_MAX_EXPANSION     1000000L /* nodes visited for one body, with lets expanded */
#define MODEL_MAX_UNROLLED      20000L /* degrees of freedom, and parameters, of an unrolled model */
#define MODEL_MAX_JACOBIAN      2e7    /* entries m x 2d of its dense Jacobian */
#define MODEL_MAX_COMPONENTS    200000L   /* of vectors, counted once for each use of a formula */
#define MODEL_MAX_ALL_EXPANSION 10000000L /* for all bodies together */

#endif
