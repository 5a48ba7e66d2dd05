/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/verifier.h -- data shared by the checks of `verify`: points, values of the model's
 * functions, scratch memory, random numbers, and functions that compute and record figures.
 */
#ifndef SW_PROGRAM_VERIFIER_H
#define SW_PROGRAM_VERIFIER_H

#include <stdint.h>

#include "model/system.h"
#include "program/difference.h"
#include "program/finding.h"
#include "sidewinder/witness.h"

/*
 * Uniform access to all functions of a system.
 */

/* The functions of a system that a table of witnesses lacks; their numbers follow sw_witnessed.
 * A model may have the two halves of the gradient, H_q and H_p, as separate functions. */
enum {
  SW_OUTPUT_CONSTRAINT_SCALE = SW_WITNESSED,
  SW_OUTPUT_HIDDEN_SCALE,
  SW_OUTPUT_GRAD_Q,
  SW_OUTPUT_GRAD_P,
  SW_OUTPUT_FIBRE_INCREMENT,
  SW_OUTPUTS
};

/* One function.  At most one of the two pointers is set.  If both are NULL, the output is an
 * initial state if init > 0; else the model has no such function. */
typedef struct sw_output {
  const char *name; /* as in model.h: "hamiltonian_grad" */
  sw_system_function *function;
  sw_system_lambda_function *lambda_function; /* of lambda or v */
  const sw_pattern *pattern;                  /* NULL: a vector */
  int first;                                  /* number of the vector's first entry */
  int count;                                  /* number of values that the function writes */
  /* 1 + the number of the initial state; 0: not an initial state */
  int init;
} sw_output;

/* Describes output `what`, a member of sw_witnessed or of the enum above.  SW_WITNESS_K_DEFAULT
 * and SW_WITNESS_INIT are not functions of the state, so they have only a name. */
sw_output sw_output_of(const sw_system *system, int what);

/* Initial state number i. */
sw_output sw_output_init(const sw_system *system, int i);

int sw_output_exists(const sw_output *output);

/* Returns the argument that function `what` takes as its lambda: lambda or v of the point, or
 * `weights` (SW_OUTPUT_WEIGHTS values) if the function reads more than lambda (sw_model).
 * The weights are
 *
 * - observables: (lambda, -lambda), the multipliers and the impulses;
 * - second derivatives of accelerations: (lambda, v_q, lambda, v_p), the weights of A, rho' and
 *   H_p after the multipliers;
 * - third and fourth derivatives of g: (lambda, v);
 * - fourth derivatives of H: (v, v_p, v_q). */
#define SW_OUTPUT_WEIGHTS(system) (2 * ((size_t)(system)->nc + 2 * (size_t)(system)->nq))
const double *sw_output_argument(const sw_system *system, int what, const double lambda[],
                                 const double v[], double weights[]);

/* Fills out with `fill`, then evaluates the function.  lambda may be NULL if the function does
 * not use it. */
void sw_output_evaluate(const sw_system *system, const sw_output *output, const double z[],
                        const double k[], const double lambda[], double fill, double out[]);

/* A point at which a check evaluates the model. */
typedef struct sw_point {
  int number;     /* used in messages */
  double *z;      /* 2d */
  double *k;      /* nk: random values at every other point, else the defaults */
  double *lambda; /* m: moves z by a fraction of `length` along the fibre */
} sw_point;

enum { SW_WORK = 7 };

typedef struct sw_verifier {
  sw_system *system;
  sw_verify_options options;
  uint64_t random;    /* state of the random number generator */
  int n;              /* 2d */
  int what;           /* the function of the present check, see sw_output_of */
  const char *method; /* method of the present check; NULL if it needs none */
  const char *base;   /* base method of the present check; NULL if it needs none */
  /* Value of the option `redundant`.  "drop" if N is singular at the first initial state, so that
   * models with redundant constraints are verified at the same states.  Else "error", which
   * examines no matrix for its rank. */
  const char *redundant;
  double *length; /* 2d: the typical size of each entry of z */

  sw_point *near; /* options.points random points near M */
  /* Points of M^H, or of the whole phase space if m = 0.  A point has random parameters if M^H is
   * reached with them and C = 0 there. */
  sw_point *on;
  int reached;      /* number of points in `on`, at most options.points */
  int second_class; /* 1 if C != 0 was found at parameters other than the defaults */

  sw_output output[SW_OUTPUTS]; /* the system's functions */
  double *value[SW_OUTPUTS];    /* the functions' values from their last evaluation */
  double *discrete_next;        /* dDf/dz1 (verify_discrete.c) */
  /* magnitudes of the terms of Drho's entries (verify_functions.c) */
  double *hidden_terms;
  double *first_hess;               /* Hess H at the first point (verify_functions.c) */
  double *k_default;                /* nk */
  double *work[SW_WORK];            /* max(2d, m, n_invariant) values each */
  void *block;                      /* the memory of all arrays above */
  const char **names[SW_EVENT + 1]; /* one list for each sw_name_kind */
} sw_verifier;

/* Allocates all members.  The model's patterns must have been validated.  Returns 1, or 0 if
 * memory is short.  Call sw_verifier_clear in both cases. */
int sw_verifier_init(sw_verifier *verifier, sw_system *system, const sw_verify_options *options);
void sw_verifier_clear(sw_verifier *verifier);

/* Chooses the points (verify_points.c); their arrays must be allocated.  Returns 0 if memory is
 * short. */
int sw_verifier_choose_points(sw_verifier *verifier);

/* 1 if the parameters of the point are the defaults, or values from data that replace the
 * defaults. */
int sw_verifier_has_defaults(const sw_verifier *verifier, const sw_point *at);

/* Uniform in [-1, 1). */
double sw_verifier_random(sw_verifier *verifier);

/* Evaluates a function at a point and returns value[what].  Fills it with NaN first, so that
 * entries that the function does not write are detected. */
double *sw_verifier_value(sw_verifier *verifier, int what, const sw_point *at);

/* y = A x for the matrix in value[what], and size[i] = sum_j |A_ij x_j|. */
void sw_verifier_multiply(const sw_verifier *verifier, int what, const double x[], double y[],
                          double size[]);

/* y = A^T x, and size[j] = sum_i |A_ij x_i|. */
void sw_verifier_multiply_transposed(const sw_verifier *verifier, int what, const double x[],
                                     double y[], double size[]);

/* sizes[i] += sum_j |A_ij x_j| for a symmetric matrix whose pattern holds the lower triangle.
 * The first function uses the matrix in value[what], the second one A. */
void sw_verifier_add_sizes(const sw_verifier *verifier, int what, const double x[], double sizes[]);
void sw_add_sizes(const sw_pattern *lower, const double A[], const double x[], double sizes[]);

/* Expands row `row` of the matrix in value[what] into the dense vector x (cols values).  *next is
 * the index of the row's first entry; advances it to the next row. */
void sw_verifier_spread_row(const sw_verifier *verifier, int what, int row, int *next, double x[]);

/* X_f = (f_p, -f_q) of the gradient of f; 2d values each, which do not overlap. */
void sw_verifier_field(const sw_verifier *verifier, const double gradient[], double field[]);

/* At a point: field = X_H (2d values), rho = Dg X_H (m values) and size[i] = sum_j |Dg_ij X_H,j|.
 * The sizes are the magnitudes of the terms of rho_i as a contraction.  Leaves grad H and Dg in
 * value[]. */
void sw_verifier_contract_hidden(sw_verifier *verifier, const sw_point *at, double field[],
                                 double rho[], double size[]);

/* The model's name of entry i of z. */
const char *sw_verifier_z_name(const sw_verifier *verifier, int i);

/* |error| / size; 0 if error = 0, for any size. */
double sw_figure(double error, double size);

/* Updates the finding with `figure`.  Keeps the worst figure, and its location if the figure
 * exceeds the tolerance or is NaN. */
void sw_finding_take(sw_finding *finding, double figure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Updates the finding with the distance of state a from b, each entry relative to its own size
 * and typical length.  Messages call a `what`. */
void sw_finding_take_state(sw_finding *finding, const sw_verifier *verifier, const double a[],
                           const double b[], const char *what, int point);

/* Updates the finding with the error of a generated derivative against differences.  Its columns
 * are entries of lambda if by_lambda is 1, else of z. */
void sw_verifier_compare(const sw_verifier *verifier, const sw_difference *of, int by_lambda,
                         int point, sw_finding *finding);

/* Sets the note and the outcome.  Any outcome but SW_CHECK_PASS ends a check without a figure. */
void sw_finding_say(sw_finding *finding, sw_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One check.  Its row in verify.c gives v->what, v->method and v->base.  It is called once for
 * each point; or just once, if it chooses its points itself and ignores `at`. */
typedef void sw_check_function(sw_verifier *verifier, const sw_point *at, sw_finding *finding);

/* verify_functions.c: every output; structural properties; derivatives `what` against differences;
 * scales; brackets against contractions of gradients, and properties of C. */
sw_check_function sw_check_outputs;
sw_check_function sw_check_energy_structure;
sw_check_function sw_check_constraint_structure;
sw_check_function sw_check_derivative;
sw_check_function sw_check_scales;
sw_check_function sw_check_hidden;
sw_check_function sw_check_coisotropy;
sw_check_function sw_check_nondegeneracy;
sw_check_function sw_check_antisymmetry;
sw_check_function sw_check_coisotropic;

/* |C_ij| up to this bound times |grad g_i| |grad g_j| counts as 0 on M. */
#define SW_COISOTROPIC 1e-11

/* verify_discrete.c: discrete gradients of H (`what` = 0) or of lambda.g (`what` = 1). */
sw_check_function sw_check_discrete_difference;
sw_check_function sw_check_discrete_nearby;
sw_check_function sw_check_discrete_symmetry;
sw_check_function sw_check_discrete_next;

/* verify_flow.c: identities of the fibre flow; the parts of H for splitting methods. */
sw_check_function sw_check_flow_zero;
sw_check_function sw_check_flow_tangent;
sw_check_function sw_check_flow_group;
sw_check_function sw_check_flow_generator;
sw_check_function sw_check_flow_symplectic;
sw_check_function sw_check_flow_increment;
sw_check_function sw_check_parts_add_up;
sw_check_function sw_check_parts_exact;

/* verify_invariants.c */
sw_check_function sw_check_invariants;

/* verify_steps.c: the methods, from points of M^H. */
sw_check_function sw_check_round_trip;
sw_check_function sw_check_energy_kept;
sw_check_function sw_check_straight_line;
sw_check_function sw_check_same_fibres;
sw_check_function sw_check_same_positions;
sw_check_function sw_check_symplectic;
sw_check_function sw_check_order;

/* verify_parameters.c: derivatives of steps along parameters and the step size. */
sw_check_function sw_check_along_parameters;

/* ---- verify_witness.c: the table of witnesses ---- */

/* A model at the sizes of one case. */
typedef struct sw_witness_opened {
  const sw_witness_case *at;
  sw_system *system;
} sw_witness_opened;

/* One check of v->what.  It is called for every case of the table. */
typedef void sw_witness_check(const sw_verifier *v, const sw_witness_opened *c,
                              sw_finding *finding);

/* Compare values with the table, or the fibre flow with its integral. */
sw_witness_check sw_witness_function;
sw_witness_check sw_witness_flow;
sw_witness_check sw_witness_defaults;
sw_witness_check sw_witness_inits;
sw_witness_check sw_witness_scale; /* of v->what, g or rho */
sw_witness_check sw_witness_names;
sw_witness_check sw_witness_bounds;
sw_check_function sw_check_witness_sizes;

/* Calls check for every case until one fails.  If nothing was compared, the finding says why. */
void sw_witness_each_case(const sw_verifier *v, sw_witness_check *check, sw_finding *finding);

#endif
