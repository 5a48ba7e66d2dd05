/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/model.h -- the contract between generated code and the runtime.
 *
 * A generated file exports one constant, `const sw_model sw_model_<name>`.  Everything in it is
 * immutable and may be shared by all threads.  This header is C99 and needs nothing else.
 *
 * Letters (the same in the model file, the generated code and the runtime):
 *   d = nq, m = nc        degrees of freedom, constraints
 *   z = (q, p)            state, 2d values, positions first
 *   k                     parameters, nk values
 *   {a,b} = a_q . b_p - a_p . b_q           Poisson bracket, so df/dt = {f,H}
 *   X_f = (f_p, -f_q)                       Hamiltonian vector field
 *   M = {g = 0},  rho_i = {g_i,H},  M^H = {g = 0, rho = 0}
 * after McLachlan, Modin, Verdier and Wilkins, "Geometric Generalisations of SHAKE and RATTLE",
 * Found. Comput. Math. 14 (2014), called "paper 000" in these headers.
 */
#ifndef SIDEWINDER_MODEL_H
#define SIDEWINDER_MODEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this contract.  A runtime refuses a model whose `abi` differs. */
#define SW_MODEL_ABI 1

/* out = f(z, k).  Cannot fail: where the formula is not defined some entries of out are NaN or
 * infinite, and the caller checks.  Writes every entry.  out must not overlap z or k. */
typedef void sw_function(const double z[], const double k[], double out[]);

/* out = f(z, k, lambda), linear or nonlinear in the m multipliers. */
typedef void sw_lambda_function(const double z[], const double k[], const double lambda[],
                                double out[]);

/* The entries of a matrix that are not identically zero, row by row and by column within a row:
 * entry e stands at (row[e], col[e]).  A function with a pattern writes `entries` values. */
typedef struct sw_pattern {
  int rows;
  int cols;
  int entries;
  const int *row; /* entries values, NULL where entries = 0 */
  const int *col; /* entries values, NULL where entries = 0 */
} sw_pattern;

/* A named starting point: z = state(k), 2d values. */
typedef struct sw_initial_state {
  const char *name;
  void (*state)(const double k[], double z[]);
} sw_initial_state;

/* The model's `run` line.  NULL, NaN and -1 stand for what the model does not say. */
typedef struct sw_run_defaults {
  const char *method; /* "rattle" */
  const char *base;   /* "verlet" */
  const char *init;   /* name of an initial state */
  double step;        /* h */
  double t_end;
  long steps;
  long every; /* rows between two that are written */
} sw_run_defaults;

typedef enum sw_mass_matrix {
  SW_MASS_GENERAL,          /* H_pp depends on the state */
  SW_MASS_CONSTANT,         /* H_pp is constant in z */
  SW_MASS_CONSTANT_DIAGONAL /* ... and diagonal */
} sw_mass_matrix;

typedef enum sw_verdict {
  SW_PROVED,  /* zero as an identity in z and k */
  SW_SAMPLED, /* zero at sampled points of M */
  SW_FAILS    /* not zero; such a model is refused before C is generated */
} sw_verdict;

/* What the analysis found; the runtime may rely on it. */
typedef struct sw_structure {
  int separable;          /* 1 where H(q,p) = T(p) + V(q) */
  int holonomic;          /* 1 where no constraint depends on p */
  sw_mass_matrix mass;    /* H_pp */
  int degree_H;           /* degree of H as a polynomial in z, -1 where it is none */
  int degree_g;           /* largest degree of a constraint, -1 where one is no polynomial */
  sw_verdict coisotropic; /* {g_i,g_j} = 0 on M (paper 000, Assumption 2) */
  int commuting;          /* 1 where {g_i,g_j} = 0 identically: then dGamma/dlambda_i = X_{g_i} */
  const char *fibre;      /* how Gamma is computed, one phrase */
} sw_structure;

typedef struct sw_model {
  int abi;              /* SW_MODEL_ABI */
  const char *name;     /* as in the model file */
  const char *title;    /* the author's one line, "" if none */
  const char *digest;   /* of the model's text and sizes, hexadecimal */
  const char *analysis; /* what `info` prints: lines, each ended by a newline */

  int nq;          /* d */
  int nc;          /* m */
  int nk;          /* number of parameters, arrays counted entry by entry */
  int n_observe;   /* number of observables */
  int n_invariant; /* number of invariants */
  int n_init;      /* number of initial states; the first is the default */

  const char *const *q_names;         /* d names, such as "q.1.x" */
  const char *const *p_names;         /* d */
  const char *const *k_names;         /* nk, such as "m.3" */
  const char *const *c_names;         /* m, such as "length.4" */
  const char *const *observe_names;   /* n_observe */
  const char *const *invariant_names; /* n_invariant */

  const double *k_default; /* nk */
  const double *k_lower; /* nk; a parameter must be greater, or equal where closed; -inf if free */
  const double *k_upper; /* nk; +inf if free */
  const unsigned char
      *k_closed; /* nk; bit 0: the lower bound itself is allowed; bit 1: the upper */

  const sw_initial_state *init; /* n_init */
  sw_run_defaults run;
  sw_structure structure;

  /* H: one value.  grad H = (H_q, H_p): 2d values.  Hess H: lower triangle (row >= col). */
  sw_function *hamiltonian;
  sw_function *hamiltonian_grad;
  sw_function *hamiltonian_hess;
  sw_pattern hamiltonian_hess_pattern; /* 2d x 2d, row >= col only */

  /* The rest is NULL where m = 0.
   *
   * g: m values.  Scale of g: m values, a bound such that |computed g_i - g_i| <= about eps times
   * it (each term's magnitude, carried through the formula).  Dg: m x 2d.
   * Hess(lambda . g) = sum_i lambda_i g_i,zz: lower triangle. */
  sw_function *constraint;
  sw_function *constraint_scale;
  sw_function *constraint_jac;
  sw_pattern constraint_jac_pattern; /* m x 2d */
  sw_lambda_function *constraint_hess;
  sw_pattern constraint_hess_pattern; /* 2d x 2d, row >= col only */

  /* rho = {g,H}: m values (paper 000, Remark 3.10), its scale, and its Jacobian. */
  sw_function *hidden;
  sw_function *hidden_scale;
  sw_function *hidden_jac;
  sw_pattern hidden_jac_pattern; /* m x 2d */

  /* C_ij = {g_i,g_j} (paper 000, Example 1.7): all entries that are not identically zero. */
  sw_function *coisotropy;
  sw_pattern coisotropy_pattern; /* m x m */

  /* N_ij = {{g_i,H},g_j} (paper 000, Lemma 3.11): invertible on M^H. */
  sw_function *nondegeneracy;
  sw_pattern nondegeneracy_pattern; /* m x m */

  /* Gamma_lambda(z) = exp(sum_i lambda_i X_{g_i})(z): 2d values (paper 000, Corollary 3.7), its
   * derivative in lambda, and in z. */
  sw_lambda_function *fibre_flow;
  sw_lambda_function *fibre_flow_lambda;
  sw_pattern fibre_flow_lambda_pattern; /* 2d x m */
  sw_lambda_function *fibre_flow_z;
  sw_pattern fibre_flow_z_pattern; /* 2d x 2d */

  /* n_observe values; lambda is the multiplier of the last step.  n_invariant values.  NULL where
   * there are none. */
  sw_lambda_function *observe;
  sw_function *invariant;
} sw_model;

#ifdef __cplusplus
}
#endif

#endif
