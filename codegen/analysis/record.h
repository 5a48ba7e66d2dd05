/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h -- the record of facts: what is known of a model, by which evidence, and for which
 * parameters.
 *
 * The page, the JSON object, the head of the generated C, refusals and exit codes are renderings of
 * one record.  The arena of the analysis owns all its data.  Exact coordinates of points are not
 * kept.  Formulas are functions of (k, z); points are 2d values, q then p.
 */
#ifndef SIDEWINDER_ANALYSIS_RECORD_H
#define SIDEWINDER_ANALYSIS_RECORD_H

#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fact_answer { FACT_UNDECIDED, FACT_YES, FACT_NO } fact_answer;

/* The kind of evidence for an answer.  IDENTITY, CERTIFICATE and STRUCTURE are proofs. */
typedef enum fact_evidence {
  EVIDENCE_NONE,
  EVIDENCE_IDENTITY,    /* by the formula itself, for every z */
  EVIDENCE_CERTIFICATE, /* by an exact identity modulo the constraints, which is recorded */
  EVIDENCE_STRUCTURE,   /* by the form of H and g, as the text says */
  /* rigorous numbers at a recorded point: a ball excludes 0, and the point exists */
  EVIDENCE_WITNESS,
  EVIDENCE_SAMPLED /* at sampled points; a zero is a value below 2^-100 of its terms */
} fact_evidence;

/* The parameters for which a fact holds.  RANGE_ALL means all values within the bounds, which every
 * run observes. */
typedef enum fact_range { RANGE_DEFAULTS, RANGE_ALL } fact_range;

typedef struct fact {
  fact_answer answer;
  fact_evidence evidence;
  fact_range range;
  /* Other parameters, such as "a = 0.73", with a different answer; NULL if none were found. */
  const char *except;
} fact;

static inline int fact_proved(const fact *f)
{
  return f->answer != FACT_UNDECIDED &&
         (f->evidence == EVIDENCE_IDENTITY || f->evidence == EVIDENCE_CERTIFICATE ||
          f->evidence == EVIDENCE_STRUCTURE);
}

/* A product factor * generator.  The generator vanishes on the set in question.  It is constraint
 * `index` of its level, where level 0 is g, 1 is rho and so on.  For level = -1 it is zero for
 * every z, such as sin^2 + cos^2 - 1. */
typedef struct record_product {
  int level;
  int index;
  const ir_expr *factor;
  const ir_expr *generator;
} record_product;

/* The exact identity value = rest + sum of products, found by linear algebra over the rationals. */
typedef struct record_certificate {
  const ir_expr *value;
  const ir_expr *rest; /* reads parameters at most; 0 if value vanishes */
  int n;
  const record_product *products;
} record_certificate;

/* Points of a set. */
typedef struct record_sample {
  int tried;     /* number of starting points, with the default parameters */
  int points;    /* number of them that led to a point */
  int shown;     /* number of these points that are proved to exist */
  int elsewhere; /* number of further points, with other parameters */
  double spread; /* largest difference of two points in one entry, in scales (analysis/study.h) */
} record_sample;

/* {g_i,g_j} = 0 on M, for a pair whose bracket is not zero as an identity. */
typedef struct record_bracket {
  fact zero;
  const record_certificate *certificate; /* NULL if none was found */
  int points;                            /* number of points with a zero bracket */
  const double *at; /* for the answer NO, a point with a nonzero value; else NULL */
  double value;
} record_bracket;

/* A linear combination sum_i coefficients[i] g_i of all m constraints.  The largest coefficient is
 * 1 or -1. */
typedef struct record_combination {
  const double *coefficients; /* m coefficients; NULL if there is no combination */
  int constant;               /* 1 if all sampled points have the same combination */
  const double *at;           /* the point at which it was found */
} record_combination;

/* N on M^H. */
typedef struct record_nondegeneracy {
  fact regular;   /* N is invertible on all of M^H */
  fact singular;  /* N is singular on all of M^H */
  int invertible; /* number of points of M^H with the default parameters at which N is invertible */
  int degenerate; /* number of those at which N is singular */
  int undecided;  /* number of those at which neither is decided */
  int elsewhere;  /* number of points with other parameters at which N is invertible */
  /* 1 if -N = G H_pp G^T with a definite H_pp: N is singular exactly where the gradients of g are
   * dependent */
  int by_masses;
  fact_range masses; /* the parameters for which by_masses holds */
  /* det N for m <= 3, unless it is too long; else NULL. */
  const ir_expr *determinant;
  /* det N modulo the constraints, if this reads parameters only or has one sign by its form; else
   * NULL. */
  const ir_expr *reduced;
  /* The certificate det N = reduced + ...; NULL if reduced is NULL or reads the state. */
  const record_certificate *certificate;
  fact_range certificate_range; /* RANGE_DEFAULTS if it was found for the default parameters only */
  /* 1 if rho was used: the certificate holds on M^H, not on M. */
  int modulo_hidden;
  /* The value of reduced with the default parameters, if it reads parameters only. */
  double reduced_value;
  /* A point of M^H with singular N, with the default parameters, if N is not singular everywhere;
   * else NULL. */
  const double *witness;
  int witness_exists; /* 1 if it is proved that the point exists and det N is 0 there */
  /* If N is singular everywhere: its largest rank, and coefficients with sum_j N_ij
   * coefficients_j = 0. */
  int rank;
  record_combination null;
} record_nondegeneracy;

/* A constraint, or a combination of constraints, that the motion without them preserves on M: sum_i
 * c_i {g_i,H} = 0. */
typedef struct record_conserved {
  int constraint; /* -1 for a combination */
  fact zero;
  const record_certificate *certificate; /* NULL if rho is zero as an identity */
  record_combination combination;
} record_conserved;

/* A constraint that follows from others. */
typedef struct record_redundancy {
  int constraint;
  /* CERTIFICATE: g = sum of factors times others.  SAMPLED: g vanishes where the others do, and dg
   * is a combination of their gradients. */
  fact_evidence evidence;
  const record_certificate *certificate;
  record_combination combination; /* for SAMPLED: sum_i coefficients_i dg_i = 0 at the point */
} record_redundancy;

typedef struct record_independence {
  fact regular;   /* the gradients of g are independent on all of M */
  int rank;       /* largest rank of Dg at points of M */
  int least_rank; /* smallest rank of Dg at points of M */
  int flat;       /* the constraint whose gradient vanishes on M; -1 if there is none */
  fact flat_there;
  /* for IDENTITY: g = 0 only where base = 0, and base is a repeated factor of g; else NULL */
  const ir_expr *base;
  int redundant; /* number of redundant constraints, if they can be tolerated */
  /* 1 if they follow from the others near all examined points.  0 if M has singular shapes, or
   * fewer constraints determine M near some of its points only. */
  int follow;
  /* a description: "'c' follows from 'a', 'b'", or without `follow` "'c' depends on 'a', 'b'", at a
   * point of M; "" if none */
  const char *redundancy;
  int n_redundant;
  const record_redundancy *redundancies;
  /* A minimal family of constraints for which no point was found, or one constraint that is never 0
   * by its form, if no point of M was found: their indices. */
  int n_conflicting;
  const int *conflicting;
  /* The proof that M is empty: STRUCTURE by the form of the conflicting constraint, CERTIFICATE;
   * NONE if there is no proof. */
  fact_evidence empty;
  const record_certificate
      *contradiction; /* 1 = sum of factors times g_i, which proves that M is empty; or NULL */
} record_independence;

typedef enum chain_end {
  CHAIN_NONE,   /* not followed */
  CHAIN_CLOSED, /* every multiplier is determined; `index` is the index */
  CHAIN_FREE,   /* closed, but `n_free` multipliers are undetermined: infinitely many solutions */
  /* the constraints have no common point: proved, or (SAMPLED) none was found */
  CHAIN_CONTRADICTORY,
  CHAIN_TOO_LONG /* given up after `levels` levels: too many levels, or too large formulas */
} chain_end;

typedef struct record_link {
  int level;            /* 0 primary (a constraint), 1 secondary, 2 tertiary, 3 quaternary, ... */
  const ir_expr *value; /* the constraint is value = 0, without constant factors */
  /* 1 if the condition is a power or a product of powers of value, such as x^2 = 0 for x */
  int repeated;
} record_link;

/* The Dirac-Bergmann chain of M.  It is followed if N is singular everywhere on M^H. */
typedef struct record_chain {
  chain_end end;
  int levels; /* number of levels of constraints, including the primary one */
  int n_links;
  const record_link *links; /* ordered by level */
  int index;       /* index of the DAE, levels + 1; 3 for a nondegenerate model; 0 if it has none */
  int n_free;      /* number of undetermined multipliers */
  const int *free; /* indices of their constraints */
  fact_evidence evidence; /* CERTIFICATE if every decision was exact, else SAMPLED */
  /* The constraint whose g is a function of H, or -1.  SHAKE and RATTLE are then undefined (Ge and
   * Marsden). */
  int energy;
  int constant_on_fibres; /* 1 if every rho_i vanishes on M: H is constant along the fibres */
} record_chain;

/* Kinds of seams, which are surfaces `what` = 0 where a formula is not smooth. */
typedef enum seam_kind {
  SEAM_ABS,
  SEAM_MIN,  /* min or max */
  SEAM_ROOT, /* root of a square, such as sqrt(x^2) */
  SEAM_SIGN,
  SEAM_ATAN2,
  SEAM_TAN,
  SEAM_POLE,
  SEAM_INFINITE /* a pole of an invariant outside functions, or the argument of a logarithm */
} seam_kind;

typedef struct record_seam {
  seam_kind kind;
  const char *in; /* location, such as "constraint 'c'", "H" or "invariant 'I'" */
  /* argument of abs or sign, difference of min's arguments, first argument of atan2, cosine of
   * tan's argument, or divisor */
  const ir_expr *what;
  const double *at; /* a point of M on the seam (of M^H for an invariant); NULL if none was found */
  int invariant;    /* number of the invariant, from 0; -1 for H or a constraint */
  int order;        /* order of the first missing derivative, 1 or 2, for abs, min, max and roots */
} record_seam;

/* The verdicts whose answer is a list of functions of (q, p), as ROW(KEY, LABEL, SENTENCE, JSON):
 *   KEY       the name of the list in the record and in the JSON of `check`; the function
 *             examine_KEY of the analysis fills the list
 *   LABEL     on the page
 *   SENTENCE  about one function.  The first %s is the formula.  The second one is the point, or,
 *             without a point, the range of the parameters.
 *   JSON      the object for one function, from the same two values (report/json_parts.h) */
/* The power F . H_p of the instances of a force. */
typedef struct record_force {
  const char *name;
  int is_passive; /* 1: never positive, proved for all states and all parameters in their bounds */
} record_force;

#define RECORD_LISTS(ROW)                                                                          \
  /* zeros and poles of H_pp that M meets, if H is quadratic in the momenta */                     \
  ROW(mass_singular, "mass singular",                                                              \
      "H_pp has a zero or a pole where %s = 0, as at %s: no motion leads through",                 \
      "zero_of:e at:z")                                                                            \
  /* constraints n(q).p = 0 on the velocities that follow from no condition on positions */        \
  ROW(vakonomic, "vakonomic",                                                                      \
      "%s = 0 is not integrable%s; its multiplier moves positions, unlike rolling without "        \
      "slipping",                                                                                  \
      "constraint:e")                                                                              \
  /* momenta of affine maps of (q, p) that leave H and all constraints unchanged; not sought with
   * forces, which change them */  \
  ROW(symmetries, "symmetry", "%s is conserved, proved%s: its affine flow keeps H and g",          \
      "momentum:e parameters:w")

typedef struct record_finding {
  const ir_expr *value;
  const double *at; /* a point, or NULL */
  fact_range range;
} record_finding;

typedef struct record_list {
  int n;
  int unexamined; /* 1 if the model is too large for the examination, or it does not apply */
  record_finding *items;
} record_list;

/* H_pp. */
typedef struct record_mass {
  int of_momenta; /* 1: H is not quadratic in the momenta, and H_pp depends on them */
  int watch; /* 1 if H is quadratic, and H_pp is not proved to be finite and regular everywhere */
} record_mass;

/* {I,H} + sum_i lambda_i {I,g_i} = 0 on M^H, with N lambda = -{rho,H}. */
typedef struct record_invariant {
  fact conserved;
  int commutes;     /* 1 if {I,H} and all {I,g_i} vanish separately */
  int points;       /* number of points of M^H with dI/dt = 0 */
  const double *at; /* for the answer NO, a point with dI/dt = rate; else NULL */
  double rate;
} record_invariant;

/* Facts about one initial state, with the default parameters.  Values that are not finite are
 * stored as inf. */
typedef struct record_state {
  int finite;            /* 1 if the state, H, g, rho and N are finite */
  double largest_g;      /* max |g_i| */
  double largest_hidden; /* max |rho_i| */
  /* 1 if g is 0 to RECORD_ON_MANIFOLD of its scale, as a run measures it (sidewinder/sim.h) */
  int on_M;
  int on_MH; /* 1 if on_M, and rho is 0 to the same tolerance */
  /* largest ratio of terms to pivots of N; inf if N is singular to double precision */
  double condition;
} record_state;

#define RECORD_ON_MANIFOLD 1e-10

/* The division of H into parts with exact flows, for the base method "splitting". */
typedef enum record_division {
  DIVISION_NONE,
  DIVISION_WHOLE,  /* H is of degree 1 or 2: one part */
  DIVISION_VERLET, /* T(p) + V(q) */
  DIVISION_PARTS
} record_division;

/* The reason why the flow of a part is exact.  The first three kinds read at most one half of each
 * pair (q_i, p_i). */
typedef enum record_flow {
  FLOW_KICK,  /* reads positions */
  FLOW_MIXED, /* reads positions and momenta, but of no pair both */
  FLOW_DRIFT, /* reads momenta */
  FLOW_LINEAR /* of degree 2, with coefficients that read parameters alone */
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
  const record_part *parts; /* NULL except for DIVISION_PARTS */
  /* For DIVISION_NONE: a part of term number `term` of H (ir_program.terms) without an exact flow,
   * and the degree of freedom `pair` of which it reads both halves.  term is -1 if there are too
   * many terms, or parts. */
  const ir_expr *stuck;
  int term;
  int pair;
} record_splitting;

/* The division that the form of H alone determines. */
static inline record_division record_division_by_form(const ir_structure *s)
{
  return s->degree_H == 1 || s->degree_H == 2 ? DIVISION_WHOLE
         : s->separable                       ? DIVISION_VERLET
                                              : DIVISION_NONE;
}

typedef enum record_refusal {
  REFUSED_NOT,
  REFUSED_NO_POINT,  /* proved that M is empty */
  REFUSED_FLAT,      /* dg_i = 0 on M */
  REFUSED_DEPENDENT, /* the gradients are dependent on M, but no constraint follows from others */
  REFUSED_SECOND_CLASS, /* a bracket {g_i,g_j} is not 0 on M */
  REFUSED_DEGENERATE,   /* N is singular on M^H */
  REFUSED_NO_MOTION     /* proved that M^H is empty */
} record_refusal;

typedef enum record_answer {
  ANSWER_YES,
  /* N is singular at some points, or the answer differs for some parameters */
  ANSWER_NOT_EVERYWHERE,
  ANSWER_UNEXAMINED, /* no point of M^H was found, or nothing could be decided at its points */
  ANSWER_NO
} record_answer;

/* The knowledge about zeros of det N on M^H. */
typedef enum record_zeros {
  ZEROS_UNKNOWN,    /* none was found, and none was excluded */
  ZEROS_NEVER,      /* proved that there are none */
  ZEROS_NEVER_HERE, /* proved that there are none with the default parameters */
  ZEROS_DEPENDENT,  /* proved: exactly where the gradients of g are dependent */
  ZEROS_SOMEWHERE,  /* at a witness, but not everywhere */
  ZEROS_EVERYWHERE
} record_zeros;

typedef struct record {
  record_refusal refused; /* the first reason for a refusal */
  /* 1 if elimination over the rationals proves, for the default parameters, that M^H is empty */
  int no_motion;
  record_sample M;
  record_sample MH;
  fact coisotropic;
  int pair;                 /* index into structure.pairs of a pair that fails; -1 if none */
  record_bracket *brackets; /* one for each of structure.pairs */
  record_independence independence;
  record_nondegeneracy N;
  int n_conserved;
  const record_conserved *conserved;
  record_chain chain;           /* CHAIN_NONE unless N is singular everywhere */
  record_invariant *invariants; /* one for each invariant of the model */
  int n_seams;
  const record_seam *seams;   /* seams that meet M, and seams of invariants */
  const record_state *states; /* one for each initial state */
  record_splitting splitting;
  record_mass mass;
  double spent; /* work of the analysis, in units of its limit */
#define RECORD_LIST(key, ...) record_list key;
  int n_forces;
  record_force *forces;
  RECORD_LISTS(RECORD_LIST)
#undef RECORD_LIST
} record;

record_zeros record_zeros_of_N(const record *r);

/* Decides whether the theory applies to the model, given its numbers of constraints and initial
 * states. */
record_answer record_conclusion(const record *r, int constraints, int states);

#ifdef __cplusplus
}
#endif

#endif
