/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula.h -- a formula as a small tree, and its only printer.
 *
 * All sources of formulas (expressions, operations of C, the model, its indices) build this tree of
 * sums, products, quotients, powers and calls.  The tree and the spelling alone determine
 * parentheses, signs and spaces.
 */
#ifndef SIDEWINDER_FORMULA_FORMULA_H
#define SIDEWINDER_FORMULA_FORMULA_H

#include <gmp.h>

#include "formula/notation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum formula_kind {
  FORMULA_ATOM,  /* verbatim text */
  FORMULA_INDEX, /* text, an index such as "i-1" used as a number */
  FORMULA_PI,
  FORMULA_SUPERSCRIPT, /* text, the digits of an integer exponent */
  FORMULA_EXPONENT,    /* text, a fraction on one line */
  FORMULA_SUM,         /* sum of n parts; a part FORMULA_NEGATION is subtracted */
  FORMULA_PRODUCT,     /* product of n parts */
  FORMULA_CALL,        /* call of the function `text` with n arguments */
  /* Shapes with one or two parts. */
  FORMULA_NEGATION,
  FORMULA_QUOTIENT,
  FORMULA_POWER,
  FORMULA_RAISED, /* a power whose exponent is a FORMULA_SUPERSCRIPT */
  FORMULA_ROOT,
  FORMULA_ABS,
  FORMULA_GROUP,        /* always in parentheses */
  FORMULA_NOT_NEGATIVE, /* [x >= 0]: 1 if x is not negative */
  FORMULA_BRACKET,      /* Poisson bracket */
  FORMULA_WHERE,        /* (condition, value); 0 if the condition is false */
  FORMULA_SUM_OVER,     /* (domain, value) */
  FORMULA_PRODUCT_OVER,
  FORMULA_EQ, /* conditions, in the order of model_condition_kind */
  FORMULA_NE,
  FORMULA_LT,
  FORMULA_LE,
  FORMULA_GT,
  FORMULA_GE,
  FORMULA_AND,
  FORMULA_OR,
  FORMULA_NOT,
  FORMULA_KINDS
} formula_kind;

typedef struct formula formula;

struct formula {
  formula_kind kind;
  const char *text;
  int n;
  const formula *const *part;
};

const formula *formula_atom(arena *a, formula_kind kind, const char *text);

/* A formula of one part (y is NULL) or two. */
const formula *formula_of(arena *a, formula_kind kind, const formula *x, const formula *y);

/* FORMULA_SUM or FORMULA_PRODUCT; a list of one part is the part itself.  The formula takes over
 * the array. */
const formula *formula_list(arena *a, formula_kind kind, int n, const formula *const part[]);

/* name(x), or name(x, y). */
const formula *formula_call(arena *a, const char *name, const formula *x, const formula *y);

/* An exact number: an integer, a quotient of small integers, a decimal if it is finite, or else a
 * quotient. */
const formula *formula_number(arena *a, mpq_srcptr value);

/* base^|exponent|; a root for 1/2, and the base itself for 1. */
const formula *formula_power(arena *a, const formula *base, mpq_srcptr exponent);

/* The text of a formula, with as few parentheses as possible. */
const char *formula_text(arena *a, spelling s, const formula *f);

/* The text as a term of a sum, with its sign: " + x", " - x"; as the first term "x" or "-x". */
const char *formula_term(arena *a, spelling s, const formula *f, int is_first);

#ifdef __cplusplus
}
#endif

#endif
