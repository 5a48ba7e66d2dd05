/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/model.h -- the contract between generated code and the runtime.
 *
 * A generated file exports one constant, `const sw_model sw_model_<name>`.  Everything in it is
 * immutable and may be shared by all threads.  This header and functions.h are C99 and need <math.h> alone.
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

#include "sidewinder/functions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this contract.  A runtime refuses a model whose `abi` differs. */
#define SW_MODEL_ABI 13

/* out = f(z, k) at n[]: the sizes and, after them, the values of sw_model.indices, array after array; a model without sizes does not
 * read it.  Cannot fail: where the formula
 * is not defined some entries of out are NaN or infinite, and the caller checks.  Writes every entry.  out
 * must not overlap z or k. */
typedef void sw_function(const long n[], const double z[], const double k[], double out[]);

/* out = f(z, k, lambda), linear or nonlinear in the m multipliers. */
typedef void sw_lambda_function(const long n[], const double z[], const double k[],
                                const double lambda[], double out[]);

/* The same of two states, z and z1. */
typedef void sw_pair_function(const long n[], const double z[], const double z1[], const double k[],
                              double out[]);
typedef void sw_pair_lambda_function(const long n[], const double z[], const double z1[],
                                     const double k[], const double lambda[], double out[]);

/* Piece number `piece` of `pieces` that are numbered from 0: of each family so many of its instances, which follow each other.  Writes the
 * entries of out that are those of its instances, of the very bits that the whole function writes, and no others, so that different
 * threads can do different pieces.  A family with n values of its first index, where n depends on a size, begins its piece with value
 * number n / pieces * piece + n % pieces * piece / pieces; other families are in the first piece. */
typedef void sw_piece_function(const long n[], long piece, long pieces, const double z[],
                               const double k[], double out[]);
typedef void sw_piece_lambda_function(const long n[], long piece, long pieces, const double z[],
                                      const double k[], const double lambda[], double out[]);

/* Which entries of a sparse matrix are given, in which order: at (row[e], col[e]) for e = 0 .. n-1 by a table,
 * or, where the sizes decide it, by `list`, which writes rows and columns, unless row is NULL, and returns how
 * many there are.  What is given for one place again is added to it. */
typedef struct sw_places {
  int n;
  const int *row; /* NULL where n = 0 */
  const int *col;
  long (*list)(const long n[], int row[], int col[]); /* NULL: the table */
} sw_places;

/* A sparse matrix: `values` writes one value for each of the places. */
typedef struct sw_matrix {
  sw_places places;
  sw_function *values;
} sw_matrix;

typedef struct sw_lambda_matrix {
  sw_places places;
  sw_lambda_function *values;
} sw_lambda_matrix;

typedef struct sw_pair_matrix {
  sw_places places;
  sw_pair_function *values;
} sw_pair_matrix;

typedef struct sw_pair_lambda_matrix {
  sw_places places;
  sw_pair_lambda_function *values;
} sw_pair_lambda_matrix;

/* A named starting point: z = state(k), 2d values. */
typedef struct sw_initial_state {
  const char *name;
  void (*state)(const long n[], const double k[], double z[]);
} sw_initial_state;

/* The model's `run` line.  NULL, NaN and -1 stand for what the model does not say. */
typedef struct sw_run_defaults {
  const char *method; /* "rattle" */
  const char *base;   /* "verlet" */
  const char *init;   /* name of an initial state */
  double step;        /* h */
  double t_end;
  long steps;
  long every;             /* rows between two that are written */
  const char *compose;    /* "none" */
  const char *bias;       /* "symmetric" */
  int compensated;        /* 1 where it says so */
  const char *base_minus; /* as base */
  const char *adjoint;    /* "none" */
  const char *iteration;  /* "newton" */
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
  /* 1 if H_pp depends on the positions, not on the momenta, and is not proved to be finite and regular everywhere: the
   * runtime looks at it along every step (checks/mass_watch.h). */
  int mass_watch;
} sw_structure;

/* ---- names and numbers of entries ---- */

#define SW_NO_DEFAULT (-1L)

/* An index set: labels, or a range whose bounds sw_model.ranges computes. */
typedef struct sw_set {
  const char *name;
  const char *const *labels; /* NULL for a range */
} sw_set;

/* An array of coordinates or parameters: one entry for each element of the product of its sets, the first
 * index slowest, such as "q.6.y"; one entry with the array's own name where it has no sets. */
typedef struct sw_array {
  const char *name;
  int n_sets;
  const int *set; /* n_sets numbers of sets, NULL for a single entry */
} sw_array;

/* Bounds of all entries of an array of parameters: a parameter must be greater than the lower one, or equal
 * where closed; -inf and +inf where it is free. */
typedef struct sw_bounds {
  double lower;
  double upper;
  /* Bit 0: the lower bound itself is allowed; bit 1: the upper; bit 2: the model has no default, so that data has to give
   * every entry, and parameter_values writes NaN. */
  unsigned char closed;
} sw_bounds;

/* Elements of a set for the elements of another, such as the first atom of every bond.  Data gives the values (docs/data.md): of a
 * range the integers, of labels the positions. */
typedef struct sw_index_array {
  const char *name;
  int set;    /* number of the set that has an entry for each of its elements */
  int target; /* number of the set whose elements are the values */
} sw_index_array;

/* How a family of constraints slides along its fibres. */
typedef enum sw_fibre_kind {
  SW_FIBRE_SHIFT_P, /* depends on q alone: p <- p - lambda g_q */
  SW_FIBRE_SHIFT_Q, /* depends on p alone: q <- q + lambda g_p */
  SW_FIBRE_FLOW     /* sw_model.family_flow does it, or the runtime where that is NULL */
} sw_fibre_kind;

/* A family of constraints, observables or invariants: one instance for each element of the product of its
 * sets, the first index slowest, or for those that its filter selects. */
typedef struct sw_family {
  const char *name;
  int n_sets;
  const int *set; /* n_sets numbers of sets, NULL for a single instance */
  /* NULL without a filter.  Writes the n_sets indices of every instance, unless index is NULL, and
   * returns how many there are.  The index of a range is the integer, of labels the position. */
  long (*instances)(const long n[], long index[]);
  sw_fibre_kind fibre; /* of constraints */
} sw_family;

/* Why the flow of a part of H is exact. */
typedef enum sw_part_kind {
  SW_PART_COMMUTING, /* reads at most one half of each pair (q_i, p_i): z1 = z + h J grad(z) */
  SW_PART_QUADRATIC /* a polynomial of degree 2 in z, its coefficients read parameters alone: a linear field */
} sw_part_kind;

/* One of the functions whose sum H is, for the base method "splitting". */
typedef struct sw_part {
  const char *formula; /* for people */
  sw_part_kind kind;
  sw_function *grad; /* 2d values */
  sw_matrix hess;    /* 2d x 2d, lower triangle, its places by a table */
} sw_part;

/* ---- the model ---- */

/* A model with sizes has arrays, families and loops; in one without, an array is one entry, a family one
 * instance, and there is nothing to loop over.  What a member means does not depend on that.
 *
 * Members that are called optional save work: where they are NULL the runtime computes the same from others. */
typedef struct sw_model {
  int abi;              /* SW_MODEL_ABI */
  const char *name;     /* as in the model file */
  const char *title;    /* the author's one line, "" if none */
  const char *digest;   /* of the model's text and sizes, hexadecimal */
  const char *analysis; /* what `info` prints: lines, each ended by a newline */

  /* Numbers that a run can set, each with a default. */
  int n_sizes;
  const char *const *size_names; /* n_sizes */
  const long
      *size_default; /* n_sizes; SW_NO_DEFAULT for the number of elements of a set that is data */

  int n_sets;
  const sw_set *sets;
  /* First and last element of every set (labels: 0 and their number - 1); last < first where it is
   * empty.  In floating point, so that nothing can overflow: a result beyond the range of an int
   * makes the sizes unusable, and none of the other functions is called then.  NULL without sets. */
  void (*ranges)(const double n[], double first[], double last[]);

  int n_indices;
  const sw_index_array *indices; /* n_indices */

  /* 0 where every reference to an array is inside of it and every divisor of an index is positive, else the
   * number, from 1, of one that is not.  Called before any other function is.  NULL: 0 at all sizes. */
  int (*references)(const long n[]);
  const char *const *reference_texts; /* such as "q[i+1,x] in H is outside of its array" */

  int n_coordinates;
  const sw_array *positions; /* n_coordinates; q is these arrays, one after the other: d entries */
  const sw_array *momenta;   /* n_coordinates, of the same shapes */
  int n_parameters;
  const sw_array *parameters; /* n_parameters; k is these arrays: nk entries */
  const sw_bounds *bounds;    /* n_parameters */
  void (*parameter_values)(const long n[], double k[]); /* the defaults */

  int n_constraints;
  const sw_family *constraints; /* g is these families, one after the other: m entries */
  /* n_constraints flags, 1 for a family that is proved to follow from those with 0, for all parameters
   * and sizes: g = sum of factors times those, with finite factors.  NULL if there is none. */
  const unsigned char *follows;
  int n_observe;
  const sw_family *observables;
  int n_invariant;
  const sw_family *invariants;

  int n_init;
  const sw_initial_state *init; /* n_init; the first is the default */
  sw_run_defaults run;
  /* Where `commuting` is 1, two families of constraints of different kinds of fibre share no degree of freedom,
   * and all constraints commute for every choice of sizes.  Where it is 0 this need not be so: the runtime
   * computes C at the sizes of a run, and refuses constraints that are second class there. */
  sw_structure structure;

  /* H: one value.  grad H = (H_q, H_p): 2d values.  Hess H, 2d x 2d: lower triangle (row >= col). */
  sw_function *hamiltonian;
  sw_function *hamiltonian_grad;
  sw_matrix hamiltonian_hess;
  /* H_q and H_p alone, d values each, for H(q,p) = T(p) + V(q).  Optional, both or none. */
  sw_function *hamiltonian_grad_q;
  sw_function *hamiltonian_grad_p;
  /* The same in pieces, for the threads of one simulation: a piece has the entries of arrays whose first index is in one of `pieces` ranges, and
   * sets these alone; with what `rest`, which is NULL where nothing is left, adds to all of them when all pieces are there, they
   * are what the whole is, bit for bit.  Optional, each of them. */
  sw_piece_function *hamiltonian_grad_q_piece;
  sw_function *hamiltonian_grad_q_rest;
  sw_piece_function *hamiltonian_grad_p_piece;
  sw_function *hamiltonian_grad_p_rest;

  /* The rest, but for observables and invariants, is NULL where there are no constraints.
   *
   * g: m values.  Scale of g: m values, a bound such that |computed g_i - g_i| <= about eps times
   * it (each term's magnitude, carried through the formula).  Dg, m x 2d.
   * Hess(lambda . g) = sum_i lambda_i g_i,zz, 2d x 2d: lower triangle. */
  sw_function *constraint;
  sw_function *constraint_scale;
  sw_matrix constraint_jac;
  sw_lambda_matrix constraint_hess;
  /* Row i is g_i,zz v, for v (2d values) in the place of lambda, at the places of constraint_jac.  Optional
   * where hidden_jac is there. */
  sw_lambda_function *constraint_jac_along;

  /* constraint, constraint_scale, the values of constraint_jac, and constraint_jac_along in pieces, for the threads of one
   * simulation.  Optional, each of them. */
  sw_piece_function *constraint_piece;
  sw_piece_function *constraint_scale_piece;
  sw_piece_function *constraint_jac_piece;
  sw_piece_lambda_function *constraint_jac_along_piece;

  /* rho = {g,H}: m values (paper 000, Remark 3.10), its scale, and its Jacobian, m x 2d.  Optional, and so
   * are the others that follow. */
  sw_function *hidden;
  sw_function *hidden_scale;
  sw_matrix hidden_jac;

  /* C_ij = {g_i,g_j}, m x m (paper 000, Example 1.7): all entries that are not identically zero. */
  sw_matrix coisotropy;

  /* N_ij = {{g_i,H},g_j}, m x m (paper 000, Lemma 3.11): invertible on M^H. */
  sw_matrix nondegeneracy;

  /* Gamma_lambda(z) = exp(sum_i lambda_i X_{g_i})(z): 2d values (paper 000, Corollary 3.7), its
   * derivative in lambda, 2d x m, and in z, 2d x 2d.  All three or none: then it is made of the flows of the
   * families, or, where one that is SW_FIBRE_FLOW has none, integrated numerically, to round-off. */
  sw_lambda_function *fibre_flow;
  sw_lambda_matrix fibre_flow_lambda;
  sw_lambda_matrix fibre_flow_z;
  /* Gamma_lambda(z) - z, 2d values, each of whose terms vanishes with lambda, so that its errors are relative to itself and not
   * to z: for compensated summation.  NULL without fibre_flow, and where all constraints are on the positions, since the
   * runtime has Dg for those. */
  sw_lambda_function *fibre_increment;

  /* family_flow moves z, in place, by the parts of Gamma_lambda of those families that are SW_FIBRE_FLOW;
   * family_flow_z: their parts of dGamma/dz - 1.  Both or none. */
  void (*family_flow)(const long n[], const double k[], const double lambda[], double z[]);
  sw_lambda_matrix family_flow_z;
  /* Adds to out their parts of Gamma_lambda(z) - z, as fibre_increment says.  NULL without family_flow. */
  sw_lambda_function *family_increment;

  /* What the method energy-momentum takes, all or none, and none where the generator was not asked for it.  A discrete
   * gradient has Df(z,z1).(z1 - z) = f(z1) - f(z), Df(z,z1) = Df(z1,z) and Df(z,z) = grad f(z) (O. Gonzalez,
   * J. Nonlinear Sci. 6, 1996).  DH: 2d values, and its derivative by z1, 2d x 2d, all of it.  Dg, m x 2d, and the
   * derivative by z1 of sum_i lambda_i Dg_i, 2d x 2d; NULL without constraints. */
  sw_pair_function *discrete_grad;
  sw_pair_matrix discrete_grad_next;
  sw_pair_matrix discrete_jac;
  sw_pair_lambda_matrix discrete_jac_next;

  /* For variational integrators, with H quadratic in p and constraints on the positions alone: of a model without sizes the four
   * members that follow, of one with sizes those behind them and constraint_third, all or none.  Without them that method takes
   * H = T(p) + V(q) with a constant H_pp and constraints that are at most quadratic, by fixed-point iteration, and its steps have
   * no tangent.
   *
   * acceleration: {H_p,H} + sum_j lambda_j {H_p,g_j}, d values, and {rho,H} + sum_j lambda_j {rho,g_j}, m values: the rates of
   * the velocities and of rho along the constrained field.  Their derivatives by (z, lambda), d + m x 2d + m.  Second
   * derivatives by (z, lambda) of a sum of these rates and of H_p, lower triangle, for (lambda, weights of the rates,
   * weights of H_p) in the place of lambda: 2 m + 2 d values.
   * constraint_third: second derivatives by q of tau . g_q u, d x d, lower triangle, for (tau, u) in the place of
   * lambda.  NULL where there are no constraints. */
  sw_lambda_function *acceleration;
  sw_lambda_matrix acceleration_jac;
  sw_lambda_matrix acceleration_hess;
  sw_lambda_matrix constraint_third;
  /* Along directions, of which the runtime makes accelerations and their derivatives.  Second derivatives by z, 2d x 2d, lower
   * triangle, of grad H . u for u (2d values) in the place of lambda, and of u . Hess H w for (u, w).  Second derivatives by q,
   * d x d, lower triangle, of u . (tau . g)_qq w for (tau, u, w), where u and w have d values. */
  sw_lambda_matrix hamiltonian_third;
  sw_lambda_matrix hamiltonian_fourth;
  sw_lambda_matrix constraint_fourth;

  /* One value for each instance; lambda is the multiplier of the last step.  NULL where there are none. */
  sw_lambda_function *observe;
  sw_function *invariant;

  /* H as a sum of at most SW_PARTS_MOST (methods.h) parts with exact flows; none where H is T(p) + V(q) or of degree 2, which
   * structure says, and none where no such parts were found: why, with the term of H, is what `undivided` says then, else
   * it is NULL. */
  int n_parts;
  const sw_part *parts;
  const char *undivided;
} sw_model;

#ifdef __cplusplus
}
#endif

#endif
