/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/verifier.h -- what the checks of `verify` share: points, values of the model's functions,
 * scratch memory, random numbers.
 */
#ifndef SW_PROGRAM_VERIFIER_H
#define SW_PROGRAM_VERIFIER_H

#include "model/system.h"
#include "program/finding.h"
#include "sidewinder/sim.h"

/* Values of the model's functions at one point.  Each array has the size that model.h states. */
typedef struct sw_values {
  double *energy;
  double *energy_grad;
  double *energy_hess;
  double *constraint;
  double *constraint_scale;
  double *constraint_jac;
  double *constraint_hess;
  double *hidden;
  double *hidden_scale;
  double *hidden_jac;
  double *coisotropy;
  double *nondegeneracy;
  double *flow;
  double *flow_lambda;
  double *flow_z;
  double *observe;
  double *invariant;
} sw_values;

enum { SW_WORK = 6 };

typedef struct sw_verifier {
  sw_system *system;
  sw_verify_options options;
  uint64_t random; /* state of the generator */
  int n;           /* 2d */
  /* "drop" where N is singular at the first initial state: the states are the same, and models with
   * redundant constraints are verified, too.  Else "error", which examines no matrix for its rank. */
  const char *redundant;
  double *length; /* 2d: the typical size of each entry of z */

  double *near;   /* points x 2d: random points near M */
  double *k;      /* points x nk: the parameters there; every other point has random ones */
  double *lambda; /* points x m: multipliers that move each point by a part of `length` */

  double *on; /* points x 2d: points of M^H, or of all of phase space where m = 0 */
  double *
      k_on; /* points x nk: the parameters there; every other point has random ones, where M^H is reached
                      * with them and C = 0 there */
  double *lambda_on; /* points x m */
  int reached;       /* number of points in `on`, at most options.points */
  int second_class;  /* 1 where C != 0 was met at other parameters than the defaults */

  sw_values values;
  double *work[SW_WORK];                /* max(2d, m, n_invariant) values each */
  double *scratch;                      /* as many values as Hess H has entries */
  double *block;                        /* all the arrays above stand in it */
  const char **names[SW_INVARIANT + 1]; /* of each sw_name_kind */
} sw_verifier;

/* Allocates everything and chooses the points.  The model's patterns must have been found good.
 * Returns 1, or 0 when out of memory; sw_verifier_clear is to be called in both cases. */
int sw_verifier_init(sw_verifier *verifier, sw_system *system, const sw_verify_options *options);
void sw_verifier_clear(sw_verifier *verifier);

/* (verify_points.c) Chooses them; the arrays have been allocated.  Returns 0 when out of memory. */
int sw_verifier_choose_points(sw_verifier *verifier);

/* 1 where the parameters of a point of M^H are the defaults. */
int sw_verifier_has_defaults(const sw_verifier *verifier, int point);

/* Uniform in [-1, 1). */
double sw_verifier_random(sw_verifier *verifier);

/* Evaluates a function into out, which is filled with NaN first, so that an entry that the function
 * forgets is seen. */
void sw_verifier_evaluate(const sw_system *system, sw_system_function *function, const double z[],
                          const double k[], double out[], int count);
void sw_verifier_evaluate_lambda(const sw_system *system, sw_system_lambda_function *function,
                                 const double z[], const double k[], const double lambda[],
                                 double out[], int count);

/* Takes `figure` into the finding: keeps the worst, and where that is above the tolerance or not a
 * number, says where it is. */
void sw_finding_take(sw_finding *finding, double figure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says something that is of interest whatever the outcome. */
void sw_finding_note(sw_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a check without a figure. */
void sw_finding_fail(sw_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sw_finding_exclude(sw_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The model's name of entry i of z. */
const char *sw_verifier_z_name(const sw_verifier *verifier, int i);

/* One check.  `base` is the base method it is about, NULL where it is about none. */
typedef void sw_check_function(sw_verifier *verifier, const char *base, sw_finding *finding);

/* verify_outputs.c */
sw_check_function sw_check_outputs;

/* verify_invariants.c */
sw_check_function sw_check_invariants;

/* verify_witness.c: the model against the table of witnesses; `base` is the name of a function. */
sw_check_function sw_check_witness;
sw_check_function sw_check_witness_names;
sw_check_function sw_check_witness_sizes;
sw_check_function sw_check_witness_defaults;
sw_check_function sw_check_witness_bounds;
sw_check_function sw_check_witness_init;
sw_check_function sw_check_witness_constraint_scale;
sw_check_function sw_check_witness_hidden_scale;

/* verify_structure.c: claims that the runtime relies on. */
sw_check_function sw_check_energy_structure;
sw_check_function sw_check_constraint_structure;

/* verify_functions.c: the generated derivatives against differences. */
sw_check_function sw_check_energy_grad;
sw_check_function sw_check_energy_hess;
sw_check_function sw_check_constraint_jac;
sw_check_function sw_check_constraint_hess;
sw_check_function sw_check_hidden_jac;
sw_check_function sw_check_flow_lambda;
sw_check_function sw_check_flow_z;

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

/* Takes C at one point into the finding. */
void sw_check_coisotropic_at(sw_verifier *verifier, const double z[], const double k[], int point,
                             sw_finding *finding);

/* verify_flow.c: identities of the fibre flow. */
sw_check_function sw_check_flow_zero;
sw_check_function sw_check_flow_tangent;
sw_check_function sw_check_flow_group;
sw_check_function sw_check_flow_generator;
sw_check_function sw_check_flow_symplectic;

/* verify_steps.c and verify_order.c: the methods, from points of M^H. */
sw_check_function sw_check_round_trip;
sw_check_function sw_check_same_fibres;
sw_check_function sw_check_order;

/* verify_symplectic.c: the symplectic form along the exact derivative of a step. */
sw_check_function sw_check_presymplectic;
sw_check_function sw_check_symplectic;

#endif
