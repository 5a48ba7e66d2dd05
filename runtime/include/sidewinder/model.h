/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/model.h -- the contract between generated code and the runtime.
 *
 * A generated file exports one constant, `const sw_model sw_model_<name>`. Everything in it is
 * immutable and may be shared by all threads. This header and functions.h are C99 and need <math.h>
 * alone.
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
#define SW_MODEL_ABI 16

/* Computes out = f(z, k). n[] holds the sizes, followed by the values of sw_model.indices, array
 * after array; a model without sizes does not read n. Cannot fail: if the formula is undefined,
 * some entries of out are NaN or infinite, and the caller checks. Writes every entry of out, which
 * must not overlap z or k. */
typedef void sw_function(const long n[], const double z[], const double k[], double out[]);

/* out = f(z, k, lambda), linear or nonlinear in the m multipliers. */
typedef void sw_lambda_function(const long n[], const double z[], const double k[],
                                const double lambda[], double out[]);

/* The same for functions of two states, z and z1. */
typedef void sw_pair_function(const long n[], const double z[], const double z1[], const double k[],
                              double out[]);
typedef void sw_pair_lambda_function(const long n[], const double z[], const double z1[],
                                     const double k[], const double lambda[], double out[]);

/* Computes piece `piece` of `pieces` (numbered from 0), a contiguous range of instances of each
 * family. Writes exactly the entries of out of these instances, bit for bit as the whole function
 * does, so different threads can compute different pieces. For a family whose first index has n
 * values, where n depends on a size, the piece starts at value number n / pieces * piece + n %
 * pieces * piece / pieces. All other families are in piece 0. */
typedef void sw_piece_function(const long n[], long piece, long pieces, const double z[],
                               const double k[], double out[]);
typedef void sw_piece_lambda_function(const long n[], long piece, long pieces, const double z[],
                                      const double k[], const double lambda[], double out[]);

/* The positions of the given entries of a sparse matrix and their order: (row[e], col[e]) for e = 0
 * .. n-1. If they depend on the sizes, `list` returns their number and writes rows and columns
 * unless row is NULL. Values for the same position are added. */
typedef struct sw_places {
  int n;
  const int *row; /* NULL if n = 0 */
  const int *col;
  long (*list)(const long n[], int row[], int col[]); /* NULL: use the table */
} sw_places;

/* A sparse matrix: `values` writes one value per position. */
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

/* The model's `run` line. NULL, NaN and -1 mean that the line does not give the value. */
typedef struct sw_run_defaults {
  const char *method; /* "rattle" */
  const char *base;   /* "verlet" */
  const char *init;   /* name of an initial state */
  double step;        /* h */
  double t_end;
  long steps;
  long every;             /* steps between written rows */
  const char *compose;    /* "none" */
  const char *bias;       /* "symmetric" */
  int compensated;        /* 1 if requested */
  const char *base_minus; /* as base */
  const char *adjoint;    /* "none" */
  const char *redundant;  /* "error" */
} sw_run_defaults;

/* How the forces depend on the momenta, which decides how a kick is computed (methods.md). */
typedef enum sw_force_kind {
  SW_FORCE_ANY,     /* in any way */
  SW_FORCE_OF_Q,    /* not at all */
  SW_FORCE_DAMPING, /* F = b(q) - gamma p with one gamma(k) for all momenta */
  SW_FORCE_DIAGONAL /* F_i = b_i(q) - gamma_i(q) p_i */
} sw_force_kind;

/* An event is the zero of a function of the state between steps (sidewinder/events.h). */
typedef struct sw_event_kind {
  unsigned char directions; /* bit 0: the function rises through 0. Bit 1: it falls. */
  unsigned char stops;      /* 1: the run ends there */
} sw_event_kind;

typedef enum sw_mass_matrix {
  SW_MASS_GENERAL,          /* H_pp depends on the state */
  SW_MASS_CONSTANT,         /* H_pp is constant in z */
  SW_MASS_CONSTANT_DIAGONAL /* ... and diagonal */
} sw_mass_matrix;

/* Extent of a proof by the analysis. A run checks at every step all properties that are not proved
 * for its parameters. */
typedef enum sw_proof {
  SW_NOT_PROVED,
  SW_PROVED_BY_DEFAULT, /* for the default parameters alone */
  SW_PROVED             /* for all parameters within their bounds, and for all sizes */
} sw_proof;

/* What the analysis found; the runtime may rely on it. */
typedef struct sw_structure {
  int separable;          /* 1 if H(q,p) = T(p) + V(q) */
  int holonomic;          /* 1 if no constraint depends on p */
  sw_mass_matrix mass;    /* H_pp */
  int degree_H;           /* degree of H as a polynomial in z, -1 if H is not a polynomial */
  int degree_g;           /* largest degree of a constraint, -1 if one is not a polynomial */
  sw_proof coisotropic;   /* {g_i,g_j} = 0 on M (paper 000, Assumption 2) */
  sw_proof nondegenerate; /* N is invertible everywhere on M^H (Lemma 3.11) */
  int commuting;          /* 1 if {g_i,g_j} = 0 identically; then dGamma/dlambda_i = X_{g_i} */
  const char *fibre;      /* how Gamma is computed, one phrase */
  /* 1 if H_pp depends on the positions, not on the momenta, and is not proved to be finite and
   * regular everywhere: the runtime then watches H_pp along every step (checks/mass_watch.h). */
  int mass_watch;
  sw_force_kind force; /* of the sum of all forces */
} sw_structure;

/* ---- names and numbers of entries ---- */

#define SW_NO_DEFAULT (-1L)

/* An index set: labels, or a range whose bounds sw_model.ranges computes. */
typedef struct sw_set {
  const char *name;
  const char *const *labels; /* NULL for a range */
} sw_set;

/* An array of coordinates or parameters with one entry, such as "q.6.y", per element of the product
 * of its sets, the first index slowest. An array without sets has one entry with the array's own
 * name. */
typedef struct sw_array {
  const char *name;
  int n_sets;
  const int *set; /* n_sets numbers of sets, NULL for a single entry */
} sw_array;

/* Bounds of all entries of an array of parameters. A parameter must lie strictly between them, or
 * may equal a closed bound. A missing bound is -inf or +inf. */
typedef struct sw_bounds {
  double lower;
  double upper;
  /* Bit 0: the lower bound itself is allowed. Bit 1: the upper bound is. Bit 2: the model has no
   * default; data must give every entry, and parameter_values writes NaN. */
  unsigned char closed;
} sw_bounds;

/* An array that maps each element of a set to an element of another, such as each bond to its first
 * atom. Data gives the values (docs/data.md): integers for a range, positions for labels. */
typedef struct sw_index_array {
  const char *name;
  int set;    /* number of the set that indexes the array */
  int target; /* number of the set that contains the values */
} sw_index_array;

/* How a family of constraints slides along its fibres. */
typedef enum sw_fibre_kind {
  SW_FIBRE_SHIFT_P, /* depends on q alone: p <- p - lambda g_q */
  SW_FIBRE_SHIFT_Q, /* depends on p alone: q <- q + lambda g_p */
  SW_FIBRE_FLOW     /* by sw_model.family_flow, or numerically if that is NULL */
} sw_fibre_kind;

/* A family of constraints, observables, invariants, forces or events: one instance per element of
 * the product of its sets, the first index slowest, restricted to those that its filter selects. */
typedef struct sw_family {
  const char *name;
  int n_sets;
  const int *set; /* n_sets numbers of sets, NULL for a single instance */
  /* NULL without a filter. Returns the number of instances and, unless index is NULL, writes the
   * n_sets indices of each. An index into a range is the integer, an index into labels the
   * position. */
  long (*instances)(const long n[], long index[]);
  sw_fibre_kind fibre; /* for constraints */
} sw_family;

/* The reason why the flow of a part of H is exact. */
typedef enum sw_part_kind {
  SW_PART_COMMUTING, /* reads at most one half of each pair (q_i, p_i): z1 = z + h J grad(z) */
  /* a polynomial of degree 2 in z with coefficients in the parameters alone: a linear vector
   * field */
  SW_PART_QUADRATIC
} sw_part_kind;

/* One summand of H for the base method "splitting". */
typedef struct sw_part {
  const char *formula; /* for display */
  sw_part_kind kind;
  sw_function *grad; /* 2d values */
  sw_matrix hess;    /* 2d x 2d, lower triangle, positions by a table */
} sw_part;

/* ---- the model ---- */

/* A model with sizes has arrays, families and loops. In a model without sizes each array is one
 * entry and each family one instance. The meaning of the members is the same in both cases.
 *
 * Optional members save work: if they are NULL, the runtime computes the same values from other
 * members. */
typedef struct sw_model {
  int abi;              /* SW_MODEL_ABI */
  const char *name;     /* as in the model file */
  const char *title;    /* the author's one line, "" if none */
  const char *digest;   /* hash of the model's text and sizes, hexadecimal */
  const char *analysis; /* output of `info`; every line ends with a newline */

  /* Numbers that a run can set, each with a default. */
  int n_sizes;
  const char *const *size_names; /* n_sizes */
  const long *size_default; /* n_sizes; SW_NO_DEFAULT for the length of a set that data gives */

  int n_sets;
  const sw_set *sets;
  /* Computes the first and last element of every set (labels: 0 and their number - 1); last < first
   * for an empty set. Floating point avoids overflow: a result beyond the range of an int makes the
   * sizes invalid, and no other function is called then. NULL without sets. */
  void (*ranges)(const double n[], double first[], double last[]);

  int n_indices;
  const sw_index_array *indices; /* n_indices */

  /* Returns 0 if every array reference is in bounds and every divisor of an index is positive; else
   * the number, from 1, of a reference that is not. Called before any other function. NULL: 0 at
   * all sizes. */
  int (*references)(const long n[]);
  const char *const *reference_texts; /* such as "q[i+1,x] in H is outside of its array" */

  int n_coordinates;
  const sw_array *positions; /* n_coordinates; q concatenates these arrays: d entries */
  const sw_array *momenta;   /* n_coordinates, of the same shapes */
  int n_parameters;
  const sw_array *parameters; /* n_parameters; k concatenates these arrays: nk entries */
  const sw_bounds *bounds;    /* n_parameters */
  /* n_parameters flags: 1 for an input, which may change from step to step. H, g and initial states
   * do not read inputs. NULL if there is none. */
  const unsigned char *inputs;
  void (*parameter_values)(const long n[], double k[]); /* the defaults */

  int n_constraints;
  const sw_family *constraints; /* g concatenates these families: m entries */
  /* n_constraints flags: 1 for a redundant family, proved to follow from the families with flag
   * 0 for all parameters and sizes: g = a sum of finite factors times theirs. NULL if there is
   * none. */
  const unsigned char *follows;
  int n_observe;
  const sw_family *observables;
  int n_invariant;
  const sw_family *invariants;

  int n_init;
  const sw_initial_state *init; /* n_init; the first is the default */
  sw_run_defaults run;
  /* If `commuting` is 1, families with different kinds of fibre share no degree of freedom, and all
   * constraints commute at all sizes. If `commuting` is 0, the runtime computes C at the sizes of a
   * run and rejects constraints that are second class there. */
  sw_structure structure;

  /* H: one value. grad H = (H_q, H_p): 2d values. Hess H, 2d x 2d: lower triangle (row >= col). */
  sw_function *hamiltonian;
  sw_function *hamiltonian_grad;
  sw_matrix hamiltonian_hess;
  /* H_q and H_p separately, d values each, for H(q,p) = T(p) + V(q). Optional, both or none. */
  sw_function *hamiltonian_grad_q;
  sw_function *hamiltonian_grad_p;
  /* H_q and H_p in pieces, for the threads of one simulation. A piece writes the entries of arrays
   * whose first index is in one of `pieces` ranges. After all pieces, `rest` adds the remaining
   * terms to all entries; it is NULL if there are none. The result equals that of the whole
   * function bit for bit. Each member is optional. */
  sw_piece_function *hamiltonian_grad_q_piece;
  sw_function *hamiltonian_grad_q_rest;
  sw_piece_function *hamiltonian_grad_p_piece;
  sw_function *hamiltonian_grad_p_rest;

  /* The constraints. All members except those for observables and invariants are NULL for a model
   * without constraints.
   *
   * g: m values. Scale of g: m values, a bound such that |computed g_i - g_i| <= about eps times it
   * (each term's magnitude, carried through the formula). Dg, m x 2d. Hess(lambda . g) = sum_i
   * lambda_i g_i,zz, 2d x 2d: lower triangle. */
  sw_function *constraint;
  sw_function *constraint_scale;
  sw_matrix constraint_jac;
  sw_lambda_matrix constraint_hess;
  /* Row i is g_i,zz v, with v (2d values) in the place of lambda and the sparsity of
   * constraint_jac. Optional if hidden_jac is given. */
  sw_lambda_function *constraint_jac_along;

  /* constraint, constraint_scale, the values of constraint_jac, and constraint_jac_along in pieces,
   * for the threads of one simulation. Each member is optional. */
  sw_piece_function *constraint_piece;
  sw_piece_function *constraint_scale_piece;
  sw_piece_function *constraint_jac_piece;
  sw_piece_lambda_function *constraint_jac_along_piece;

  /* rho = {g,H}: m values (paper 000, Remark 3.10), its scale, and its Jacobian, m x 2d. These and
   * the members below are optional. */
  sw_function *hidden;
  sw_function *hidden_scale;
  sw_matrix hidden_jac;

  /* C_ij = {g_i,g_j}, m x m (paper 000, Example 1.7): all entries that are not identically zero. */
  sw_matrix coisotropy;

  /* N_ij = {{g_i,H},g_j}, m x m (paper 000, Lemma 3.11): invertible on M^H. */
  sw_matrix nondegeneracy;

  /* Gamma_lambda(z) = exp(sum_i lambda_i X_{g_i})(z): 2d values (paper 000, Corollary 3.7), its
   * derivative in lambda, 2d x m, and in z, 2d x 2d. All three or none. Without them the runtime
   * composes the flows of the families; if an SW_FIBRE_FLOW family has none, the runtime integrates
   * numerically, to round-off. */
  sw_lambda_function *fibre_flow;
  sw_lambda_matrix fibre_flow_lambda;
  sw_lambda_matrix fibre_flow_z;
  /* Gamma_lambda(z) - z, 2d values, for compensated summation. Each of its terms vanishes with
   * lambda, so its error is relative to the increment and not to z. NULL without fibre_flow, and if
   * all constraints are on the positions, for which the runtime uses Dg. */
  sw_lambda_function *fibre_increment;

  /* family_flow applies to z, in place, the parts of Gamma_lambda for the SW_FIBRE_FLOW families;
   * family_flow_z is their part of dGamma/dz - 1. Both or none. */
  void (*family_flow)(const long n[], const double k[], const double lambda[], double z[]);
  sw_lambda_matrix family_flow_z;
  /* Adds the SW_FIBRE_FLOW families' part of Gamma_lambda(z) - z to out, with errors as in
   * fibre_increment. NULL without family_flow. */
  sw_lambda_function *family_increment;

  /* For the method energy-momentum, all or none; the generator writes them on request. A discrete
   * gradient satisfies Df(z,z1).(z1 - z) = f(z1) - f(z), Df(z,z1) = Df(z1,z) and Df(z,z) = grad
   * f(z) (O. Gonzalez, J. Nonlinear Sci. 6, 1996). DH: 2d values, and its full derivative in z1, 2d
   * x 2d. Dg, m x 2d, and the derivative in z1 of sum_i lambda_i Dg_i, 2d x 2d; both NULL without
   * constraints. */
  sw_pair_function *discrete_grad;
  sw_pair_matrix discrete_grad_next;
  sw_pair_matrix discrete_jac;
  sw_pair_lambda_matrix discrete_jac_next;

  /* For variational integrators, with H quadratic in p and constraints on the positions alone. A
   * model without sizes gives all or none of the next four members; a model with sizes gives
   * constraint_third and the three members after them. The method needs these members.
   *
   * acceleration: {H_p,H} + sum_j lambda_j {H_p,g_j}, d values, and {rho,H} + sum_j lambda_j
   * {rho,g_j}, m values: the rates of the velocities and of rho along the constrained field.
   * acceleration_jac: their derivatives in (z, lambda), d + m x 2d + m. acceleration_hess: second
   * derivatives in (z, lambda) of a weighted sum of these rates and of H_p, lower triangle, with
   * (lambda, weights of the rates, weights of H_p) in the place of lambda: 2 m + 2 d values.
   * constraint_third: second derivatives in q of tau . g_q u, d x d, lower triangle, with (tau, u)
   * in the place of lambda. NULL without constraints. */
  sw_lambda_function *acceleration;
  sw_lambda_matrix acceleration_jac;
  sw_lambda_matrix acceleration_hess;
  sw_lambda_matrix constraint_third;
  /* Higher derivatives along directions, from which the runtime computes accelerations and their
   * derivatives. hamiltonian_third: second derivatives in z, 2d x 2d, lower triangle, of grad H . u
   * for u (2d values) in the place of lambda. hamiltonian_fourth: those of u . Hess H w for (u, w).
   * constraint_fourth: second derivatives in q, d x d, lower triangle, of u . (tau . g)_qq w for
   * (tau, u, w), where u and w have d values. */
  sw_lambda_matrix hamiltonian_third;
  sw_lambda_matrix hamiltonian_fourth;
  sw_lambda_matrix constraint_fourth;

  /* One value per instance; lambda holds the multipliers at z (sw_sim_multipliers), then, if an
   * observable reads them, the impulses of the last step (sw_sim_impulses). NULL if there are no
   * observables. */
  sw_lambda_function *observe;
  /* n_observe sums: 1 if the observables of the family read multipliers, 2 if they read impulses.
   * NULL if none does. Rows without such observables do not compute lambda. */
  const unsigned char *reads_lambda;
  sw_function *invariant;

  /* Forces, which come from no Hamiltonian: p' = -H_q - lambda . g_q + F(z, k). Instance e of the
   * families contributes force_e to the entry force_target.col[e] of F, counted from 0 to d-1;
   * force_target.row[e] = e. force_jac: n_force_instances x 2d, derivatives of force_e in z. All
   * NULL or zero if there are no forces. */
  int n_forces;
  const sw_family *forces;
  sw_places force_target;
  sw_function *force; /* one value per instance */
  sw_matrix force_jac;

  /* Events: one value per instance, whose zeros are the events. All NULL or zero if there are
   * none. */
  int n_events;
  const sw_family *events;
  const sw_event_kind *event_kinds; /* n_events */
  sw_function *event;
  /* The heat bath, for the method baoab: the entries of z for positions are the temperatures kT of
   * the coordinates, those for momenta their frictions. NULL if there is no bath. */
  void (*bath)(const long n[], const double k[], double z[]);

  /* H as a sum of at most SW_PARTS_MOST (methods.h) parts with exact flows. There are no parts if H
   * is T(p) + V(q) or of degree 2 (see `structure`), or if the analysis found none. In the latter
   * case `undivided` gives the reason and the term of H; otherwise it is NULL. */
  int n_parts;
  const sw_part *parts;
  const char *undivided;

  /* For derivatives with respect to parameters (sidewinder/derivatives.h); optional. The lifted
   * model has the entries of k as positions nq .. nq+nk-1, with its own parameters empty, and a
   * factor s of H and of the forces as the last position. Its other members describe (q, k, s; p,
   * p_k, p_s) likewise. Its `structure` is that of this model at constant k and s. It has no
   * initial states, observables, invariants, or parts. */
  const struct sw_model *lifted;
} sw_model;

#ifdef __cplusplus
}
#endif

#endif
