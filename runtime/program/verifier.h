/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/verifier.h -- what the checks of `verify` share: points, the values of the model's functions at them,
 * scratch memory, random numbers, and how a figure is found and noted down.
 */
#ifndef SW_PROGRAM_VERIFIER_H
#define SW_PROGRAM_VERIFIER_H

#include <stdint.h>

#include "program/difference.h"
#include "program/finding.h"
#include "program/outputs.h"

/* Where a check looks at the model. */
typedef struct sw_point {
  int number;     /* for messages */
  double *z;      /* 2d */
  double *k;      /* nk: every other point has random ones */
  double *lambda; /* m: moves z by a part of `length` */
} sw_point;

enum { SW_WORK = 7 };

typedef struct sw_verifier {
  sw_system *system;
  sw_verify_options options;
  uint64_t random; /* state of the generator */
  int n;           /* 2d */
  int what;        /* the function that the present check is about, of sw_output_of */
  const char
      *method; /* the method that it is about, and its base method; NULL where it is about none */
  const char *base;
  /* "drop" where N is singular at the first initial state: the states are the same, and models with
   * redundant constraints are verified, too.  Else "error", which examines no matrix for its rank. */
  const char *redundant;
  double *length; /* 2d: the typical size of each entry of z */

  sw_point *near; /* options.points: random points near M */
  /* Points of M^H, or of all of phase space where m = 0; with random parameters where M^H is reached with them and
   * C = 0 there. */
  sw_point *on;
  int reached;      /* number of points in `on`, at most options.points */
  int second_class; /* 1 where C != 0 was met at other parameters than the defaults */

  sw_output output[SW_OUTPUTS];         /* the system's functions */
  double *value[SW_OUTPUTS];            /* their values where they were evaluated last */
  double *discrete_next;                /* dDf/dz1 (verify_discrete.c) */
  double *hidden_terms;                 /* the terms of Drho's entries (verify_derivatives.c) */
  double *first_hess;                   /* Hess H at the first point (verify_structure.c) */
  double *k_default;                    /* nk */
  double *work[SW_WORK];                /* max(2d, m, n_invariant) values each */
  void *block;                          /* all the arrays above stand in it */
  const char **names[SW_INVARIANT + 1]; /* of each sw_name_kind */
} sw_verifier;

/* Allocates everything.  The model's patterns must have been found good.
 * Returns 1, or 0 when out of memory; sw_verifier_clear is to be called in both cases. */
int sw_verifier_init(sw_verifier *verifier, sw_system *system, const sw_verify_options *options);
void sw_verifier_clear(sw_verifier *verifier);

/* (verify_points.c) Chooses the points; their arrays have been allocated.  Returns 0 when out of memory. */
int sw_verifier_choose_points(sw_verifier *verifier);

/* 1 where the parameters of a point are the defaults, or what data gives in their place. */
int sw_verifier_has_defaults(const sw_verifier *verifier, const sw_point *at);

/* Uniform in [-1, 1). */
double sw_verifier_random(sw_verifier *verifier);

/* Evaluates a function at a point and returns value[what], which is filled with NaN first, so that an entry that the
 * function forgets is seen. */
double *sw_verifier_value(sw_verifier *verifier, int what, const sw_point *at);

/* y = A x for the matrix in value[what], and size[i] = sum_j |A_ij x_j|. */
void sw_verifier_multiply(const sw_verifier *verifier, int what, const double x[], double y[],
                          double size[]);

/* The same for its transpose. */
void sw_verifier_multiply_transposed(const sw_verifier *verifier, int what, const double x[],
                                     double y[], double size[]);

/* sizes[i] += sum_j |A_ij x_j| for a symmetric matrix of which the pattern holds the lower triangle: the one in value[what], or A. */
void sw_verifier_add_sizes(const sw_verifier *verifier, int what, const double x[], double sizes[]);
void sw_add_sizes(const sw_pattern *lower, const double A[], const double x[], double sizes[]);

/* Spreads row `row` of the matrix in value[what], whose entries begin at entry *next, over x (cols values), and moves *next to the
 * next row. */
void sw_verifier_spread_row(const sw_verifier *verifier, int what, int row, int *next, double x[]);

/* X_f = (f_p, -f_q) of the gradient of f; 2d values each, which do not overlap. */
void sw_verifier_field(const sw_verifier *verifier, const double gradient[], double field[]);

/* X_H at a point in field (2d), rho = Dg X_H (m) and size[i] = sum_j |Dg_ij X_H,j|, the terms that rho_i sums where it is a
 * contraction (m).  Leaves grad H and Dg in value[]. */
void sw_verifier_contract_hidden(sw_verifier *verifier, const sw_point *at, double field[],
                                 double rho[], double size[]);

/* The model's name of entry i of z. */
const char *sw_verifier_z_name(const sw_verifier *verifier, int i);

/* |error| / size; 0 where there is no error, whatever the size. */
double sw_figure(double error, double size);

/* Takes `figure` into the finding: keeps the worst, and where that is above the tolerance or not a
 * number, says where it is. */
void sw_finding_take(sw_finding *finding, double figure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Takes in how far the state a is from b, each entry relative to its own size and typical length; `what` a is. */
void sw_finding_take_state(sw_finding *finding, const sw_verifier *verifier, const double a[],
                           const double b[], const char *what, int point);

/* Takes in how far a generated derivative is from differences; its columns are entries of lambda, or of z. */
void sw_verifier_compare(const sw_verifier *verifier, const sw_difference *of, int by_lambda,
                         int point, sw_finding *finding);

/* Says something that is of interest, and sets the outcome: one but SW_CHECK_PASS ends a check without a figure. */
void sw_finding_say(sw_finding *finding, sw_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One check.  It is called for each point that it looks at, with v->what, v->method and v->base as its row in verify.c says, or
 * once, without a point, where it looks at all of them in a way of its own. */
typedef void sw_check_function(sw_verifier *verifier, const sw_point *at, sw_finding *finding);

/* verify_outputs.c */
sw_check_function sw_check_outputs;

/* verify_structure.c: claims that the runtime relies on. */
sw_check_function sw_check_energy_structure;
sw_check_function sw_check_constraint_structure;

/* verify_derivatives.c: the generated derivative `what` against differences. */
sw_check_function sw_check_derivative;

/* verify_scales.c */
sw_check_function sw_check_scales;

/* verify_brackets.c: brackets against contractions of generated gradients; C. */
sw_check_function sw_check_hidden;
sw_check_function sw_check_coisotropy;
sw_check_function sw_check_nondegeneracy;
sw_check_function sw_check_antisymmetry;
sw_check_function sw_check_coisotropic;

/* Largest |C_ij| over |grad g_i| |grad g_j| that counts as 0 on M. */
#define SW_COISOTROPIC 1e-11

/* verify_discrete.c: discrete gradients, of H where `what` is 0, of lambda.g where it is 1. */
sw_check_function sw_check_discrete_difference;
sw_check_function sw_check_discrete_nearby;
sw_check_function sw_check_discrete_symmetry;
sw_check_function sw_check_discrete_next;

/* verify_flow.c: identities of the fibre flow. */
sw_check_function sw_check_flow_zero;
sw_check_function sw_check_flow_tangent;
sw_check_function sw_check_flow_group;
sw_check_function sw_check_flow_generator;
sw_check_function sw_check_flow_symplectic;
sw_check_function sw_check_flow_increment;

/* verify_parts.c: what H is divided into. */
sw_check_function sw_check_parts_add_up;
sw_check_function sw_check_parts_exact;

/* verify_invariants.c */
sw_check_function sw_check_invariants;

/* verify_steps.c and verify_order.c: the methods, from points of M^H. */
sw_check_function sw_check_round_trip;
sw_check_function sw_check_energy_kept;
sw_check_function sw_check_straight_line;
sw_check_function sw_check_same_fibres;
sw_check_function sw_check_same_positions;
sw_check_function sw_check_symplectic;
sw_check_function sw_check_order;

#endif
