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
#define SW_MODEL_ABI 3

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

/* How far a proof of the analysis reaches.  A run checks at every step what is not proved for its parameters. */
typedef enum sw_proof {
  SW_NOT_PROVED,
  SW_PROVED_BY_DEFAULT, /* with the default parameters alone */
  SW_PROVED             /* for all parameters within their bounds, and for all sizes */
} sw_proof;

/* What the analysis found; the runtime may rely on it. */
typedef struct sw_structure {
  int separable;          /* 1 where H(q,p) = T(p) + V(q) */
  int holonomic;          /* 1 where no constraint depends on p */
  sw_mass_matrix mass;    /* H_pp */
  int degree_H;           /* degree of H as a polynomial in z, -1 where it is none */
  int degree_g;           /* largest degree of a constraint, -1 where one is no polynomial */
  sw_proof coisotropic;   /* {g_i,g_j} = 0 on M (paper 000, Assumption 2) */
  sw_proof nondegenerate; /* N is invertible everywhere on M^H (Lemma 3.11) */
  int commuting;          /* 1 where {g_i,g_j} = 0 identically: then dGamma/dlambda_i = X_{g_i} */
  const char *fibre;      /* how Gamma is computed, one phrase */
} sw_structure;

/* ---- a model whose sizes are run-time values ---- */

/* As sw_function and sw_lambda_function, at the sizes n[]. */
typedef void sw_sized_function(const long n[], const double z[], const double k[], double out[]);
typedef void sw_sized_lambda_function(const long n[], const double z[], const double k[],
                                      const double lambda[], double out[]);

/* A sparse matrix as a sum of contributions, numbered from 0 in the order of the loops.
 * `contributions` writes at which row and column each of them stands, unless row is NULL, and
 * returns how many there are.  `scatter` adds the value of contribution t to out[place[t]] for all
 * t; x is what the member of sw_loops says, unused and NULL where it says nothing. */
typedef struct sw_sized_matrix {
  long (*contributions)(const long n[], int row[], int col[]);
  void (*scatter)(const long n[], const double z[], const double k[], const double x[],
                  const int place[], double out[]);
} sw_sized_matrix;

/* An index set: labels, or a range whose bounds sw_loops.ranges computes. */
typedef struct sw_set {
  const char *name;
  const char *const *labels; /* NULL for a range */
} sw_set;

/* An array of coordinates or parameters: one entry for each element of the product of its sets, the
 * first index slowest. */
typedef struct sw_array {
  const char *name;
  int n_sets;
  const int *set; /* n_sets numbers of sets, NULL for a scalar */
} sw_array;

/* Bounds of all entries of an array of parameters, as in sw_model. */
typedef struct sw_bounds {
  double lower;
  double upper;
  unsigned char closed;
} sw_bounds;

/* How a family of constraints slides along its fibres. */
typedef enum sw_fibre_kind {
  SW_FIBRE_SHIFT_P, /* depends on q alone: p <- p - lambda g_q */
  SW_FIBRE_SHIFT_Q, /* depends on p alone: q <- q + lambda g_p */
  SW_FIBRE_FLOW     /* sw_loops.fibre_flow does it, or the runtime where that is NULL */
} sw_fibre_kind;

/* A family of constraints, observables or invariants: one instance for each element of the product
 * of its sets, the first index slowest, or for those that its filter selects. */
typedef struct sw_family {
  const char *name;
  int n_sets;
  const int *set; /* n_sets numbers of sets, NULL for a single instance */
  /* NULL without a filter.  Writes the n_sets indices of every instance, unless index is NULL, and
   * returns how many there are.  The index of a range is the integer, of labels the position. */
  long (*instances)(const long n[], long index[]);
  sw_fibre_kind fibre; /* of constraints */
} sw_family;

typedef struct sw_sized_state {
  const char *name;
  void (*state)(const long n[], const double k[], double z[]);
} sw_sized_state;

/* What takes the place of the sizes, names, parameters, initial states and functions of sw_model.
 * Brackets are contractions of these gradients and Hessians, made by the runtime.  Where
 * structure.commuting is 1, two constraints that share a degree of freedom both depend on q alone, or
 * both on p alone, so that all commute for every choice of sizes.  Where it is 0 this need not be so:
 * the runtime computes C at the sizes of a run, refuses constraints that are second class there, and
 * integrates the flow of all of them numerically. */
typedef struct sw_loops {
  int n_sizes;
  const char *const *size_names; /* n_sizes */
  const long *size_default;      /* n_sizes */

  int n_sets;
  const sw_set *sets;
  /* First and last element of every set (labels: 0 and their number - 1); last < first where it is
   * empty.  In floating point, so that nothing can overflow: a result beyond the range of an int
   * makes the sizes unusable, and none of the other functions is called then. */
  void (*ranges)(const double n[], double first[], double last[]);

  /* 0 where every reference to an array is inside of it and every divisor of an index is positive, else the
   * number, from 1, of one that is not.  Called before any other function is. */
  int (*references)(const long n[]);
  const char *const *reference_texts; /* such as "q[i+1,x] in H is outside of its array" */

  int n_coordinates;
  const sw_array *positions; /* n_coordinates; q is these arrays, one after the other */
  const sw_array *momenta;   /* n_coordinates, of the same shapes */
  int n_parameters;
  const sw_array *parameters;                           /* n_parameters; k is these arrays */
  const sw_bounds *bounds;                              /* n_parameters */
  void (*parameter_values)(const long n[], double k[]); /* the defaults */
  const sw_sized_state *init;                           /* n_init of sw_model */

  int n_constraints;
  const sw_family *constraints; /* g is these families, one after the other */
  int n_observe;
  const sw_family *observe;
  int n_invariants;
  const sw_family *invariants;

  sw_sized_function *hamiltonian;
  sw_sized_function *hamiltonian_grad;
  /* H_q and H_p alone, d values each; NULL unless H(q,p) = T(p) + V(q). */
  sw_sized_function *hamiltonian_grad_q;
  sw_sized_function *hamiltonian_grad_p;
  sw_sized_matrix hamiltonian_hess; /* lower triangle */

  /* NULL where there are no constraints. */
  sw_sized_function *constraint;
  sw_sized_function *constraint_scale;
  sw_sized_matrix constraint_jac;
  /* x = lambda; lower triangle. */
  sw_sized_matrix constraint_hess;
  /* x = v, 2d values: row i is g_i,zz v, with the contributions of constraint_jac. */
  void (*constraint_jac_along)(const long n[], const double z[], const double k[], const double v[],
                               const int place[], double out[]);

  /* NULL where no family is SW_FIBRE_FLOW, or where one of them has no closed form: the runtime then
   * integrates the flow of all constraints numerically.  fibre_flow moves z, in place, by those families'
   * parts of Gamma_lambda.  fibre_flow_z: x = lambda; their parts of dGamma/dz - 1. */
  void (*fibre_flow)(const long n[], const double k[], const double lambda[], double z[]);
  sw_sized_matrix fibre_flow_z;

  /* NULL where there are none. */
  sw_sized_lambda_function *observe_values;
  sw_sized_function *invariant_values;
} sw_loops;

typedef struct sw_model {
  int abi;              /* SW_MODEL_ABI */
  const char *name;     /* as in the model file */
  const char *title;    /* the author's one line, "" if none */
  const char *digest;   /* of the model's text and sizes, hexadecimal */
  const char *analysis; /* what `info` prints: lines, each ended by a newline */

  /* NULL where the sizes are fixed.  Else they are run-time values: then the members from here on are 0 or
   * NULL, but for n_init, run and structure, and *loops has what takes their place. */
  const sw_loops *loops;

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
   * derivative in lambda, and in z.  All three NULL where no closed form is known: the runtime then
   * integrates it numerically, to round-off, by Dg and Hess(lambda . g). */
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
