/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdicts.h -- what a verdict rests on: an exact identity, sampled points, or a witness.
 *
 * Everything is owned by the arena that the analysis was given.  Formulas are functions of (k, z), points are
 * 2d values, q then p, at the default parameters.
 */
#ifndef SIDEWINDER_IR_VERDICTS_H
#define SIDEWINDER_IR_VERDICTS_H

#include "ir/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a statement is known.  The first three are proofs. */
typedef enum verdict_kind {
  VERDICT_UNKNOWN,     /* nothing was found out */
  VERDICT_IDENTITY,    /* proved: it holds for every z, by the formula itself */
  VERDICT_CERTIFICATE, /* proved: by an exact identity modulo the constraints, which is kept */
  VERDICT_STRUCTURE,   /* proved: by the form of H and g, as the text says */
  VERDICT_SAMPLED,     /* holds at every sampled point */
  VERDICT_WITNESS      /* fails, at a point that is kept */
} verdict_kind;

/* factor * generator.  The generator vanishes on the set in question: constraint `index` of its level, where
 * level 0 is g, 1 is rho and so on; or (level = -1) it is zero for every z, such as sin^2 + cos^2 - 1. */
typedef struct verdict_product {
  int level;
  int index;
  const ir_expr *factor;
  const ir_expr *generator;
} verdict_product;

/* The exact identity value = rest + sum of products, found by linear algebra over the rationals. */
typedef struct verdict_certificate {
  const ir_expr *value;
  const ir_expr *rest; /* reads parameters at most; 0 where value vanishes */
  int n;
  const verdict_product *products;
} verdict_certificate;

/* The points that a sampled verdict rests on. */
typedef struct verdict_sample {
  int tried;     /* starting points */
  int points;    /* of them: that were projected onto the set */
  double spread; /* largest difference between two of them in one entry of z */
} verdict_sample;

/* {g_i,g_j} for a pair whose bracket is not zero as an identity. */
typedef struct verdict_bracket {
  verdict_kind kind; /* CERTIFICATE, SAMPLED, WITNESS, or UNKNOWN without a point of M */
  const verdict_certificate *certificate; /* or NULL */
  double largest;   /* of |{g_i,g_j}| at the points, relative to its terms and to the gradients */
  const double *at; /* where that was; NULL without a point */
  double value;     /* of the bracket there */
} verdict_bracket;

/* A linear combination sum_i coefficients[i] g_i of all m constraints; the largest coefficient is 1 (or
 * -1). */
typedef struct verdict_combination {
  const double *coefficients; /* m, or NULL where there is none */
  int constant;               /* 1 where it was the same at all sampled points */
  const double *at;           /* the point it was found at */
} verdict_combination;

/* What is known of the zeros of det N on M^H. */
typedef enum verdict_zeros {
  ZEROS_UNKNOWN, /* none was found, and none was ruled out */
  ZEROS_NEVER,   /* proved: `reduced` is a number that is not 0, or `kind` is STRUCTURE */
  ZEROS_NEVER_HERE, /* proved where `reduced`, a formula in parameters, is not 0: so at their defaults */
  ZEROS_SOMEWHERE, /* at `witness`, and not everywhere */
  ZEROS_EVERYWHERE /* proved where kind is IDENTITY or CERTIFICATE, otherwise at all sampled points */
} verdict_zeros;

typedef struct verdict_nondegeneracy {
  verdict_zeros zeros;
  verdict_kind kind;
  const ir_expr *determinant; /* det N for m <= 3, where it is not too long; else NULL */
  const ir_expr
      *reduced; /* what it is modulo the constraints, where that reads parameters only; else NULL */
  const verdict_certificate *certificate; /* det N = reduced + ...; NULL where reduced is */
  int modulo_hidden;        /* 1 where the certificate uses rho, too: M^H instead of M */
  double reduced_value;     /* with the default parameters */
  const double *witness;    /* a point of M^H where N is singular; NULL */
  int rank;                 /* largest rank of N at sampled points of M^H */
  verdict_combination null; /* ZEROS_EVERYWHERE: sum_j N_ij coefficients_j = 0 */
} verdict_nondegeneracy;

/* A constraint that follows from others. */
typedef struct verdict_redundancy {
  int constraint;
  verdict_kind
      kind; /* CERTIFICATE: g = sum of factors times others; SAMPLED: dg is the combination of theirs */
  const verdict_certificate *certificate;
  verdict_combination combination; /* SAMPLED: sum_i coefficients_i dg_i = 0 at the point */
} verdict_redundancy;

typedef struct verdict_independence {
  int n_redundant;
  const verdict_redundancy *redundant;
  /* A smallest family that no point was found for, where M has none: indices of constraints. */
  int n_conflicting;
  const int *conflicting;
  const verdict_certificate
      *contradiction; /* 1 = sum of factors times g_i: proved that M is empty; or NULL */
} verdict_independence;

typedef enum verdict_chain_end {
  CHAIN_NONE,   /* was not followed */
  CHAIN_CLOSED, /* every multiplier is determined: the index is `index` */
  CHAIN_FREE,   /* closed, yet `n_free` multipliers are not determined: infinitely many solutions */
  CHAIN_CONTRADICTORY, /* its constraints have no common point: proved, or (SAMPLED) none was found */
  CHAIN_TOO_LONG /* was given up: too many levels or too large formulas; `levels` is what was found */
} verdict_chain_end;

typedef struct verdict_chain_link {
  int level;            /* 0 primary (a constraint), 1 secondary, 2 tertiary, 3 quaternary, ... */
  const ir_expr *value; /* the constraint value = 0, without constant factors */
  int repeated; /* 1 where the condition is a power or a product of powers of this, such as x^2 = 0 for x */
} verdict_chain_link;

/* The Dirac-Bergmann chain of M, followed where N is singular everywhere on M^H. */
typedef struct verdict_chain {
  verdict_chain_end end;
  int levels; /* of constraints, the primary ones counted */
  int n_links;
  const verdict_chain_link *links; /* by level */
  int index;         /* of the DAE, levels + 1; 3 for a nondegenerate one; 0 where it has none */
  int n_free;        /* multipliers that stay free */
  const int *free;   /* which: indices of constraints */
  verdict_kind kind; /* CERTIFICATE where every decision was exact, SAMPLED otherwise */
  /* The constraint whose g is a function of H, by which SHAKE and RATTLE are not defined (Ge and Marsden);
   * -1: none. */
  int energy;
  int constant_on_fibres; /* 1 where every rho_i vanishes on M: H does not change along the fibres */
} verdict_chain;

#ifdef __cplusplus
}
#endif

#endif
