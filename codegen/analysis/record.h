/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h -- the record of facts: what is known of a model, by which evidence, and for what range.
 *
 * The page, the JSON object, the head of the generated C, refusals and exit codes are renderings of one record.
 * Everything is owned by the arena that the analysis was given, but for the exact coordinates of points, which are gone
 * with it.  Formulas are functions of (k, z), points are 2d values, q then p.
 */
#ifndef SIDEWINDER_ANALYSIS_RECORD_H
#define SIDEWINDER_ANALYSIS_RECORD_H

#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fact_answer { FACT_UNDECIDED, FACT_YES, FACT_NO } fact_answer;

/* How an answer is known.  IDENTITY, CERTIFICATE and STRUCTURE are proofs. */
typedef enum fact_evidence {
  EVIDENCE_NONE,
  EVIDENCE_IDENTITY,    /* by the formula itself, for every z */
  EVIDENCE_CERTIFICATE, /* by an exact identity modulo the constraints, which is kept */
  EVIDENCE_STRUCTURE,   /* by the form of H and g, as the text says */
  EVIDENCE_WITNESS, /* rigorous numbers at a point that is kept: a ball excludes 0, and the point exists */
  EVIDENCE_SAMPLED /* at points, where a zero is one to 2^-100 of its terms */
} fact_evidence;

/* The parameters that a fact is about.  A fact for all of them is one for those within their bounds, which every
 * run observes. */
typedef enum fact_range { RANGE_DEFAULTS, RANGE_ALL } fact_range;

typedef struct fact {
  fact_answer answer;
  fact_evidence evidence;
  fact_range range;
  /* Other parameters, such as "a = 0.73", for which the answer is another one; NULL where none were found. */
  const char *except;
} fact;

static inline int fact_proved(const fact *f)
{
  return f->answer != FACT_UNDECIDED &&
         (f->evidence == EVIDENCE_IDENTITY || f->evidence == EVIDENCE_CERTIFICATE ||
          f->evidence == EVIDENCE_STRUCTURE);
}

/* factor * generator.  The generator vanishes on the set in question: constraint `index` of its level, where
 * level 0 is g, 1 is rho and so on; or (level = -1) it is zero for every z, such as sin^2 + cos^2 - 1. */
typedef struct record_product {
  int level;
  int index;
  const ir_expr *factor;
  const ir_expr *generator;
} record_product;

/* The exact identity value = rest + sum of products, found by linear algebra over the rationals. */
typedef struct record_certificate {
  const ir_expr *value;
  const ir_expr *rest; /* reads parameters at most; 0 where value vanishes */
  int n;
  const record_product *products;
} record_certificate;

/* Points of a set. */
typedef struct record_sample {
  int tried;     /* starting points, with the default parameters */
  int points;    /* of them: that led to a point */
  int shown;     /* of these: that are shown to exist */
  int elsewhere; /* further points, with other parameters */
  double
      spread; /* the largest difference of two points in one entry, in scales (analysis/setup.h) */
} record_sample;

/* {g_i,g_j} = 0 on M, for a pair whose bracket is not zero as an identity. */
typedef struct record_bracket {
  fact zero;
  const record_certificate *certificate; /* or NULL */
  int points;                            /* points at which it was zero */
  const double *at;                      /* NO: a point, and the value there; else NULL */
  double value;
} record_bracket;

/* A linear combination sum_i coefficients[i] g_i of all m constraints; the largest coefficient is 1 (or
 * -1). */
typedef struct record_combination {
  const double *coefficients; /* m, or NULL where there is none */
  int constant;               /* 1 where it was the same at all sampled points */
  const double *at;           /* the point it was found at */
} record_combination;

/* N on M^H. */
typedef struct record_nondegeneracy {
  fact regular;   /* N is invertible on all of M^H */
  fact singular;  /* N is singular on all of M^H */
  int invertible; /* points of M^H with the default parameters at which N is invertible, */
  int degenerate; /* singular, */
  int undecided;  /* or neither could be told */
  int elsewhere;  /* points with other parameters at which it is invertible */
  int by_masses; /* 1: -N = G H_pp G^T with a positive definite H_pp, so N is singular just where */
  fact_range masses; /* the gradients of g are dependent */
  /* det N for m <= 3, where it is not too long; else NULL. */
  const ir_expr *determinant;
  /* What it is modulo the constraints, where that reads parameters only, or has one sign by its form; else NULL. */
  const ir_expr *reduced;
  /* det N = reduced + ...; NULL where reduced is, or reads the state. */
  const record_certificate *certificate;
  fact_range certificate_range; /* DEFAULTS: it was found with numbers for all parameters */
  /* 1 where rho was used, too: M^H instead of M. */
  int modulo_hidden;
  /* With the default parameters, where it reads parameters only. */
  double reduced_value;
  /* A point of M^H where N is singular, with the default parameters, though not everywhere; NULL. */
  const double *witness;
  int witness_exists; /* 1: it is shown to exist, and that det N is 0 there */
  /* Where it is singular everywhere: the largest rank, and sum_j N_ij coefficients_j = 0. */
  int rank;
  record_combination null;
} record_nondegeneracy;

/* A constraint, or a combination of constraints, that the motion without them keeps on M: sum_i c_i {g_i,H} = 0. */
typedef struct record_conserved {
  int constraint; /* -1: a combination */
  fact zero;
  const record_certificate *certificate; /* NULL where rho is zero as an identity */
  record_combination combination;
} record_conserved;

/* A constraint that follows from others. */
typedef struct record_redundancy {
  int constraint;
  /* CERTIFICATE: g = sum of factors times others; SAMPLED: it vanishes where they do, and dg is the combination of
   * theirs. */
  fact_evidence evidence;
  const record_certificate *certificate;
  record_combination combination; /* SAMPLED: sum_i coefficients_i dg_i = 0 at the point */
} record_redundancy;

typedef struct record_independence {
  fact regular;   /* the gradients of g are independent on all of M */
  int rank;       /* largest rank of Dg at points of M */
  int least_rank; /* and smallest */
  int flat;       /* the constraint whose gradient vanishes on M; -1 */
  fact flat_there;
  const ir_expr *
      base; /* IDENTITY: g = 0 only where base = 0, and base is a factor of g more than once; else NULL */
  int redundant; /* how many constraints can be left out, where that is tolerated */
  int follow; /* 1: they follow from the others near all points that were tried.  0: M has singular shapes, */
              /* or is given by fewer constraints near some of its points only */
  const char *redundancy; /* which, "'c' follows from 'a', 'b'", or without `follow` */
                          /* "'c' depends on 'a', 'b'", at a point of M; "" if none */
  int n_redundant;
  const record_redundancy *redundancies;
  /* A smallest family that no point was found for, where M has none: indices of constraints. */
  int n_conflicting;
  const int *conflicting;
  const record_certificate
      *contradiction; /* 1 = sum of factors times g_i: proved that M is empty; or NULL */
} record_independence;

typedef enum chain_end {
  CHAIN_NONE,   /* was not followed */
  CHAIN_CLOSED, /* every multiplier is determined: the index is `index` */
  CHAIN_FREE,   /* closed, yet `n_free` multipliers are not determined: infinitely many solutions */
  CHAIN_CONTRADICTORY, /* its constraints have no common point: proved, or (SAMPLED) none was found */
  CHAIN_TOO_LONG /* was given up: too many levels or too large formulas; `levels` is what was found */
} chain_end;

typedef struct record_link {
  int level;            /* 0 primary (a constraint), 1 secondary, 2 tertiary, 3 quaternary, ... */
  const ir_expr *value; /* the constraint value = 0, without constant factors */
  int repeated; /* 1 where the condition is a power or a product of powers of this, such as x^2 = 0 for x */
} record_link;

/* The Dirac-Bergmann chain of M, followed where N is singular everywhere on M^H. */
typedef struct record_chain {
  chain_end end;
  int levels; /* of constraints, the primary ones counted */
  int n_links;
  const record_link *links; /* by level */
  int index;       /* of the DAE, levels + 1; 3 for a nondegenerate one; 0 where it has none */
  int n_free;      /* multipliers that stay free */
  const int *free; /* which: indices of constraints */
  fact_evidence evidence; /* CERTIFICATE where every decision was exact, SAMPLED otherwise */
  /* The constraint whose g is a function of H, by which SHAKE and RATTLE are not defined (Ge and Marsden);
   * -1: none. */
  int energy;
  int constant_on_fibres; /* 1 where every rho_i vanishes on M: H does not change along the fibres */
} record_chain;

/* Where a formula is not smooth: `what` is zero there. */
typedef enum seam_kind {
  SEAM_ABS,
  SEAM_MIN,  /* or max */
  SEAM_ROOT, /* of a square, such as sqrt(x^2) */
  SEAM_SIGN,
  SEAM_ATAN2,
  SEAM_TAN,
  SEAM_POLE,
  SEAM_INFINITE /* a pole of an invariant outside of functions, or the argument of a logarithm */
} seam_kind;

typedef struct record_seam {
  seam_kind kind;
  const char *in; /* such as "constraint 'c'", "H" or "invariant 'I'" */
  const ir_expr *
      what; /* the argument of abs or sign, the difference of min's, the first of atan2, the cosine of tan's, a divisor */
  const double
      *at; /* a point of M (of M^H for an invariant) that is on it; NULL where none was found */
  int invariant; /* the number of the invariant, from 0; -1: of H or a constraint */
  int order; /* of the first derivative that does not exist, 1 or 2, for abs, min, max and roots */
} record_seam;

/* A surface what = 0, and a point of M on it. */
typedef struct record_surface {
  const ir_expr *what;
  const double *at;
} record_surface;

/* H_pp, in the first place of an H that is quadratic in the momenta. */
typedef struct record_mass {
  int of_momenta; /* 1: H is not, and H_pp depends on momenta; the other members are then 0 */
  int watch;      /* 1: it is not proved to be finite and regular everywhere */
  int n;
  record_surface *surfaces; /* on which it has a zero or a pole, and that M meets */
} record_mass;

/* {I,H} + sum_i lambda_i {I,g_i} = 0 on M^H, where N lambda = -{rho,H}. */
typedef struct record_invariant {
  fact conserved;
  int commutes;     /* 1: {I,H} and all {I,g_i} vanish by themselves */
  int points;       /* of M^H at which it was zero */
  const double *at; /* NO: a point, and dI/dt there */
  double rate;
} record_invariant;

/* What holds at one initial state, with the default parameters.  Values that are not finite are inf. */
typedef struct record_state {
  int finite;            /* 1 where the state, H, g, rho and N are */
  double largest_g;      /* max |g_i| */
  double largest_hidden; /* max |rho_i| */
  int on_M; /* g is 0 to RECORD_ON_MANIFOLD of its scale, as a run measures it (sidewinder/sim.h) */
  int on_MH; /* and rho */
  double
      condition; /* digits that N loses there, as a factor; inf where it is singular to double precision */
} record_state;

#define RECORD_ON_MANIFOLD 1e-10

/* How H is divided into parts with exact flows, for the base method "splitting". */
typedef enum record_division {
  DIVISION_NONE,
  DIVISION_WHOLE,  /* H is of degree 2: one part */
  DIVISION_VERLET, /* T(p) + V(q) */
  DIVISION_PARTS
} record_division;

/* Why the flow of a part is exact.  The first three read at most one half of each pair (q_i, p_i). */
typedef enum record_flow {
  FLOW_KICK,  /* a function of positions */
  FLOW_MIXED, /* of both, though of no pair */
  FLOW_DRIFT, /* of momenta */
  FLOW_LINEAR /* of degree 2, its coefficients read parameters alone */
} record_flow;

typedef struct record_part {
  record_flow flow;
  const ir_expr *value;
  ir_function grad;
  ir_function hess; /* lower triangle */
} record_part;

typedef struct record_splitting {
  record_division division;
  int n;
  const record_part *parts; /* NULL but for DIVISION_PARTS */
  /* DIVISION_NONE: a part of term number `term` of H (ir_program.terms) that has no exact flow, and the degree of
   * freedom of which it reads both halves.  term -1: there are too many terms, or parts. */
  const ir_expr *stuck;
  int term;
  int pair;
} record_splitting;

/* What the form of H alone says. */
static inline record_division record_division_by_form(const ir_structure *s)
{
  return s->degree_H == 1 || s->degree_H == 2 ? DIVISION_WHOLE
         : s->separable                       ? DIVISION_VERLET
                                              : DIVISION_NONE;
}

typedef enum record_refusal {
  REFUSED_NOT,
  REFUSED_NO_POINT, /* no point of M was found */
  REFUSED_FLAT,     /* dg_i = 0 on M */
  REFUSED_DEPENDENT, /* the gradients are dependent on M, without a constraint that follows from others */
  REFUSED_SECOND_CLASS, /* {g_i,g_j} is not 0 on M */
  REFUSED_DEGENERATE,   /* N is singular on M^H */
  REFUSED_NO_MOTION     /* proved: M^H is empty */
} record_refusal;

typedef enum record_answer {
  ANSWER_YES,
  ANSWER_NOT_EVERYWHERE, /* not where N is singular, or not for all parameters */
  ANSWER_UNEXAMINED,     /* no point of M^H was found, or nothing could be decided at those */
  ANSWER_NO
} record_answer;

/* What is known of the zeros of det N on M^H. */
typedef enum record_zeros {
  ZEROS_UNKNOWN,    /* none was found, and none was ruled out */
  ZEROS_NEVER,      /* proved */
  ZEROS_NEVER_HERE, /* proved for the default parameters */
  ZEROS_DEPENDENT,  /* proved: just where the gradients of g are dependent */
  ZEROS_SOMEWHERE,  /* at a witness, and not everywhere */
  ZEROS_EVERYWHERE
} record_zeros;

typedef struct record {
  record_refusal refused; /* the first reason that applies */
  int no_motion; /* 1: elimination over the rationals proves that M^H is empty, with the default parameters */
  record_sample M;
  record_sample MH;
  fact coisotropic;
  int pair;                 /* a pair that fails, an index into structure.pairs; -1 */
  record_bracket *brackets; /* one for each of structure.pairs */
  record_independence independence;
  record_nondegeneracy N;
  int n_conserved;
  const record_conserved *conserved;
  record_chain chain;           /* CHAIN_NONE where N is not singular everywhere */
  record_invariant *invariants; /* one for each */
  int n_seams;
  const record_seam *seams;   /* those that meet M, or an invariant */
  const record_state *states; /* one for each initial state */
  record_splitting splitting;
  record_mass mass;
} record;

record_zeros record_zeros_of_N(const record *r);

/* Whether the theory applies, all in all, to a model with so many constraints and initial states. */
record_answer record_conclusion(const record *r, int constraints, int states);

#ifdef __cplusplus
}
#endif

#endif
