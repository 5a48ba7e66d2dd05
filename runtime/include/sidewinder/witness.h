/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/witness.h -- values of a model's functions at some points, to 30 digits.
 *
 * The generator computes these values from the model's text in ball arithmetic, independently of
 * the path to the generated C (docs/mathematics.md, section 8). A separate file NAME.witness.c
 * exports them as one constant, `const sw_witness sw_witness_<name>`. Programs link it, and their
 * `verify` compares the model with it. This header is C99.
 */
#ifndef SIDEWINDER_WITNESS_H
#define SIDEWINDER_WITNESS_H

#include "sidewinder/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every function of a model at given sizes, by the names of model.h. For a model with sizes this
 * includes the functions that the runtime derives from others. A table has no values of the fibre
 * flow: `verify` integrates its differential equation instead. */
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
  /* For models with accelerations. The second derivatives have (lambda, v_q, lambda, v_p) in the
   * place of lambda (model.h), where v = (v_q,v_p) belongs to the point; the third derivatives of
   * the constraints have (lambda, v_q). */
  SW_WITNESS_ACCELERATION,
  SW_WITNESS_ACCELERATION_JAC,
  SW_WITNESS_ACCELERATION_HESS, /* lower triangle */
  SW_WITNESS_CONSTRAINT_THIRD,  /* lower triangle */
  /* For models with loops and these functions. They have v, (v, v_p, v_q) and (lambda, v) in the
   * place of lambda. */
  SW_WITNESS_HAMILTONIAN_THIRD, /* all three: lower triangle */
  SW_WITNESS_HAMILTONIAN_FOURTH,
  SW_WITNESS_CONSTRAINT_FOURTH,
  /* For models with forces: F, d values, and its derivative in z, d x 2d. */
  SW_WITNESS_FORCE,
  SW_WITNESS_FORCE_JAC,
  SW_WITNESS_EVENT, /* for models with events */
  SW_WITNESSED
} sw_witnessed;

/* One entry: value + rest is within a relative error of 1e-30 of the exact value. If the exact
 * value is below 1e-30 times `size`, both are 0. size: the magnitude of the entry's terms before
 * cancellation; the rounding error is a small multiple of eps times it. */
typedef struct sw_witness_entry {
  int row;
  int col; /* 0 for a vector */
  double value;
  double rest;
  double size;
} sw_witness_entry;

/* One function at one point. Entries are sorted by row and column; absent entries are 0. */
typedef struct sw_witness_values {
  sw_witnessed what;
  int number; /* number of the initial state, else 0 */
  int n;
  const sw_witness_entry *entries;
  const char *missing; /* the reason if there are no values, else NULL */
} sw_witness_values;

typedef struct sw_witness_point {
  const double *z;      /* 2d */
  const double *k;      /* nk */
  const double *lambda; /* m; observables are evaluated with the impulses -lambda */
  const double *v;      /* 2d: direction for constraint_jac_along, and weights */
  int is_near;          /* 1 for an initial state */
  int n;
  const sw_witness_values *values;
} sw_witness_point;

/* The model at one choice of sizes. */
typedef struct sw_witness_case {
  int n_given;       /* number of sizes of the model and of entries of its arrays of indices */
  const long *sizes; /* n_given values, the sizes first */
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

/* Whether the model is valid at some sizes. */
typedef struct sw_witness_trial {
  int n_given;
  const long *sizes; /* as in sw_witness_case */
  int fits;
} sw_witness_trial;

typedef struct sw_witness {
  const char *name;
  const char *title;
  const char *digest; /* hash of the model */
  sw_run_defaults run;
  int polynomial_H; /* 1 if H is written as a polynomial in the state */
  int polynomial_g; /* 1 if all constraints are polynomials */
  int n_sizes;      /* 0 if the sizes are fixed */
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
