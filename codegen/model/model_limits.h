/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_limits.h -- what the checker refuses to go beyond, so that no model can exhaust the machine.
 *
 * They are part of the language: docs/language.md lists them.
 */
#ifndef SIDEWINDER_MODEL_LIMITS_H
#define SIDEWINDER_MODEL_LIMITS_H

#define MODEL_MAX_NAME          63
#define MODEL_MAX_BINDERS       8 /* of a family, a sum or an array */
#define MODEL_MAX_ARGUMENTS     8 /* of a let */
#define MODEL_MAX_SIZE          1000000000L
#define MODEL_MAX_LABELS        1000
#define MODEL_MAX_INSTANCES     100000000L        /* of a set, an array, a family or a sum */
#define MODEL_MAX_INDEX         1000000000000000L /* magnitude of an index expression and of its parts */
#define MODEL_MAX_INDEX_PARTS   1000 /* of an index expression, arguments of lets put in */
#define MODEL_MAX_STEPS         1000000000000000L /* of a run */
#define MODEL_MAX_EXPONENT      100               /* magnitude of a constant exponent */
#define MODEL_MAX_ROOT          2147483647L       /* its denominator */
#define MODEL_MAX_BITS          4096       /* of numerator and denominator of an exact constant */
#define MODEL_MAX_DEPTH         12000      /* of an expression, lets followed */
#define MODEL_MAX_ROUNDS        10000000L  /* of one enumeration of index values */
#define MODEL_MAX_ALL_ROUNDS    200000000L /* of all of them, times the parts to be evaluated */
#define MODEL_MAX_EXPANSION     1000000L   /* nodes visited with lets followed, for one body */
#define MODEL_MAX_UNROLLED      20000L /* degrees of freedom, and parameters, of an unrolled model */
#define MODEL_MAX_JACOBIAN      2e7    /* entries m x 2d of its dense Jacobian */
#define MODEL_MAX_COMPONENTS    200000L /* of vectors, each formula counted as often as it is used */
#define MODEL_MAX_ALL_EXPANSION 10000000L /* for all bodies together */

#endif
