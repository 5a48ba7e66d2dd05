/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula.h -- a formula as a small tree, and the one printer of it.
 *
 * Whatever has formulas (expressions, operations of C, the model, its indices) turns them into this tree, which says
 * what is added, multiplied, divided, raised or applied to what.  Where parentheses, signs and blanks stand follows
 * from the tree and the spelling alone.
 */
#ifndef SIDEWINDER_FORMULA_FORMULA_H
#define SIDEWINDER_FORMULA_FORMULA_H

#include <gmp.h>

#include "formula/notation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum formula_kind {
  FORMULA_ATOM,  /* text, as it is spelled */
  FORMULA_INDEX, /* text, an index such as "i-1" that stands as a number */
  FORMULA_PI,
  FORMULA_SUPERSCRIPT, /* text, the digits of an exponent */
  FORMULA_EXPONENT,    /* text, a fraction in one line */
  FORMULA_SUM,         /* of n parts; what is FORMULA_NEGATION is subtracted */
  FORMULA_PRODUCT,     /* of n parts */
  FORMULA_CALL,        /* text, the name of the function, of n parts */
  /* Shapes, of one part or two. */
  FORMULA_NEGATION,
  FORMULA_QUOTIENT,
  FORMULA_POWER,
  FORMULA_RAISED, /* a power whose exponent is FORMULA_SUPERSCRIPT */
  FORMULA_ROOT,
  FORMULA_ABS,
  FORMULA_GROUP,        /* in parentheses, whatever it is */
  FORMULA_NOT_NEGATIVE, /* 1 where it is not negative */
  FORMULA_BRACKET,      /* of Poisson */
  FORMULA_WHERE,        /* (condition, value), 0 where it does not hold */
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

/* A formula of one part, where y is NULL, or two. */
const formula *formula_of(arena *a, formula_kind kind, const formula *x, const formula *y);

/* FORMULA_SUM or FORMULA_PRODUCT; of one part, it is that part.  The array becomes the formula's. */
const formula *formula_list(arena *a, formula_kind kind, int n, const formula *const part[]);

/* name(x), or name(x, y). */
const formula *formula_call(arena *a, const char *name, const formula *x, const formula *y);

/* Exactly: an integer, a quotient of small numbers, a decimal where there is one, or else a quotient. */
const formula *formula_number(arena *a, mpq_srcptr value);

/* base^|exponent|, the root for 1/2 and the base itself for 1. */
const formula *formula_power(arena *a, const formula *base, mpq_srcptr exponent);

/* The formula as it is written, with as few parentheses as possible. */
const char *formula_text(arena *a, spelling s, const formula *f);

/* As the term of a sum, with its sign: " + x", " - x"; the first one "x" or "-x". */
const char *formula_term(arena *a, spelling s, const formula *f, int is_first);

#ifdef __cplusplus
}
#endif

#endif
