/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/witness.h -- what a model's functions are at some points, to 30 digits.
 *
 * The generator computes the values from the model's text, in ball arithmetic and by another way than the
 * one that leads to the generated C (docs/mathematics.md, section 8).  They stand in a file NAME.witness.c
 * of their own, which exports one constant, `const sw_witness sw_witness_<name>`, and is compiled into programs
 * whose `verify` compares the model with them.  This header is C99.
 */
#ifndef SIDEWINDER_WITNESS_H
#define SIDEWINDER_WITNESS_H

#include "sidewinder/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every function of a model at given sizes, by the names of model.h; those of a model with sizes that the runtime
 * makes of others are among them. */
typedef enum sw_witnessed {
  SW_WITNESS_K_DEFAULT,
  SW_WITNESS_INIT,
  SW_WITNESS_HAMILTONIAN,
  SW_WITNESS_HAMILTONIAN_GRAD,
  SW_WITNESS_HAMILTONIAN_HESS, /* lower triangle */
  SW_WITNESS_CONSTRAINT,
  SW_WITNESS_CONSTRAINT_JAC,
  SW_WITNESS_CONSTRAINT_JAC_ALONG, /* row i: g_i,zz v */
  SW_WITNESS_CONSTRAINT_HESS,      /* lower triangle */
  SW_WITNESS_HIDDEN,
  SW_WITNESS_HIDDEN_JAC,
  SW_WITNESS_COISOTROPY,
  SW_WITNESS_NONDEGENERACY,
  SW_WITNESS_FIBRE_FLOW,
  SW_WITNESS_FIBRE_FLOW_LAMBDA,
  SW_WITNESS_FIBRE_FLOW_Z,
  SW_WITNESS_OBSERVE,
  SW_WITNESS_INVARIANT,
  /* Of models that have accelerations; their second derivatives for (lambda, v_q, lambda, v_p), where v = (v_q,v_p) is that of the
   * point, and the third derivatives of the constraints for (lambda, v_q), in the place of lambda (model.h). */
  SW_WITNESS_ACCELERATION,
  SW_WITNESS_ACCELERATION_JAC,
  SW_WITNESS_ACCELERATION_HESS, /* lower triangle */
  SW_WITNESS_CONSTRAINT_THIRD,  /* likewise */
  /* Of models with loops that have those, for v, for (v, v_p, v_q), and for (lambda, v). */
  SW_WITNESS_HAMILTONIAN_THIRD, /* likewise */
  SW_WITNESS_HAMILTONIAN_FOURTH,
  SW_WITNESS_CONSTRAINT_FOURTH,
  SW_WITNESSED
} sw_witnessed;

/* One entry: value + rest is within 1e-30 of the exact value, relative to it, or the exact value is smaller
 * than 1e-30 of `size`, and both are 0.  size: the magnitude of the terms that make the entry, before they
 * cancel; rounding is a small multiple of eps times it. */
typedef struct sw_witness_entry {
  int row;
  int col; /* 0 in a vector */
  double value;
  double rest;
  double size;
} sw_witness_entry;

/* One function at one point.  Entries are sorted by row and column; those that are not there are 0. */
typedef struct sw_witness_values {
  sw_witnessed what;
  int number; /* of an initial state, else 0 */
  int n;
  const sw_witness_entry *entries;
  const char *missing; /* why there are no values; NULL where there are */
} sw_witness_values;

typedef struct sw_witness_point {
  const double *z;      /* 2d */
  const double *k;      /* nk */
  const double *lambda; /* m */
  const double *v;      /* 2d: of constraint_jac_along, and weights */
  int is_near;          /* 1: an initial state */
  int n;
  const sw_witness_values *values;
} sw_witness_point;

/* The model at one choice of sizes. */
typedef struct sw_witness_case {
  int n_given;       /* sizes of the model, and entries of its arrays of indices */
  const long *sizes; /* n_given: first the sizes */
  int nq;
  int nc;
  int nk;
  int n_observe;
  int n_invariant;
  int n_init;
  /* q_names, p_names, k_names, c_names, observe_names, invariant_names, names of initial states */
  const char *const *names[7];
  const sw_bounds *bounds;            /* nk */
  const sw_witness_values *k_default; /* of the parameters */
  int n_points;
  const sw_witness_point *points;
} sw_witness_case;

/* Whether the model exists at some sizes. */
typedef struct sw_witness_trial {
  int n_given;
  const long *sizes; /* as those of a case */
  int fits;
} sw_witness_trial;

typedef struct sw_witness {
  const char *name;
  const char *title;
  const char *digest; /* of the model */
  sw_run_defaults run;
  int polynomial_H; /* 1 where it is written as a polynomial in the state */
  int polynomial_g; /* 1 where all constraints are */
  int n_sizes;      /* 0 where the sizes are fixed */
  const char *const *size_names;
  const long *size_default;
  int n_trials;
  const sw_witness_trial *trials;
  int n_cases;
  const sw_witness_case *cases;
} sw_witness;

#ifdef __cplusplus
}
#endif

#endif
