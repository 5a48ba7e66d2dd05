/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/sim.h -- a simulation: one model, one method, one state.
 *
 * Argument order: the object, then inputs, then outputs. Pointers must not be NULL unless the
 * comment allows it. sw_sim_create allocates the memory for steps and sw_sim_free frees it; a step
 * allocates nothing, except for KLU's row exchanges in a sparse matrix. The library never prints,
 * never exits, and has no mutable globals. (SUNDIALS 6 itself prints a line to standard error if
 * KINCreate runs out of memory.)
 *
 * Different simulations may run in different threads at the same time, even with the same model or
 * with shared memory (sw_sim_create_like). One thread at a time may use a simulation. Threads of a
 * simulation or an ensemble (options.threads) belong to the process that created them. A forked
 * child steps its copy with one thread and the same results, and can free it. If another thread was
 * in a call during the fork, the child may only free that copy.
 *
 * All quantities are in the units of the model.
 */
#ifndef SIDEWINDER_SIM_H
#define SIDEWINDER_SIM_H

#include <stddef.h>

#include "sidewinder/flows.h"
#include "sidewinder/model.h"
#include "sidewinder/one_step.h"
#include "sidewinder/status.h"
#include "sidewinder/stepper.h"
#include "sidewinder/tableau.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_sim sw_sim;

/* A size of a model, such as the N of a chain of N nodes; or an array of indices
 * (sw_model.indices), such as the first atoms of bonds. */
typedef struct sw_size {
  const char *name;
  long value; /* the size, or the number of entries */
  /* NULL for a size; else `value` entries of an array of indices, which are checked and copied */
  const long *indices;
} sw_size;

enum { SW_THREADS_MOST = 1024 };

typedef struct sw_options {
  /* Constrained method (paper 000, Definitions 1.3 and 1.4):
   *   "shake"     z1 = phi_h(Gamma_{h lambda}(z0)) with g(z1) = 0
   *   "rattle"    then z1 <- Gamma_{h sigma}(z1) with rho(z1) = 0          (default)
   * For constraints on the positions alone (see the method's file in runtime/methods/, and
   * docs/methods.md):
   *   "lobatto"   Lobatto IIIA-IIIB with constraint forces in the stages (Jay 1996), of the
   *               order of its base method
   *   "index1"    the base method with H_beta = 0 in the stages, for algebraic variables beta
   *               and other linear g(q), of its order (McLachlan, Modin, Verdier, Wilkins 2013)
   *   "leapfrog"  SHAKE with momenta at half steps (paper 002, (12)-(14))
   *   "vs"        SHAKE with the momenta of t_n (paper 002, (15)-(18))
   *   "bdf2"      backward differentiation, as a control (paper 002, (35)-(37))
   *   "variational"  from explicit base methods, their adjoints, or one_step below (paper 004),
   *               of their order; needs an H that is quadratic in the momenta
   * sw_options_objection tells whether a model or another option excludes the method. */
  const char *method;
  /* Base method phi_h, for zdot = X_H without constraints:
   *   "euler-a"   symplectic Euler, p implicit:  p1 = p - h H_q(q,p1), q1 = q + h H_p(q,p1)
   *   "euler-b"   its adjoint, q implicit:       q1 = q + h H_p(q1,p), p1 = p - h H_q(q1,p)
   *   "verlet"    Stormer-Verlet, euler-b o euler-a with h/2 each
   *   "midpoint"  z1 = z + h X_H((z + z1)/2)
   *   "splitting" exact flows of parts of H; an error if the model has no such parts, and
   *               SW_ERR_SIZE if a part is too large
   * and the others in sw_base_choices (docs/methods.md). NULL (default) selects the method's own
   * default: "lobatto-4" for "lobatto", "verlet" for the others. "leapfrog", "vs", "bdf2" and
   * "energy-momentum" need no base method; for them use NULL or "none". */
  const char *base;
  /* User-defined base method that replaces `base` (sidewinder/tableau.h). Default NULL. Read only
   * during sw_sim_create. */
  const sw_tableau *tableau;
  /* User-computed base method (sidewinder/flows.h). Default NULL. Its arrays and contexts must
   * outlive the simulation. */
  const sw_flows *flows;
  /* Composition of the method with itself, for a higher order: "none" (default), or a name in
   * sw_composition_names (docs/methods.md), such as "triple-jump-4". A step then consists of
   * substeps of sizes c_i h and is atomic as a whole. Only for "rattle" over a symmetric base
   * method; otherwise SW_ERR_OPTION. */
  const char *compose;
  /* For "variational": alpha-, alpha+ with -1 <= alpha- <= 0 <= alpha+ <= 1 and alpha+ - alpha- =
   * 1. The curve of a state covers the times alpha- h to alpha+ h. The default -1/2, 1/2 makes the
   * method symmetric; 0, 1 is the other usual choice. */
  double bias[2];
  /* For "variational": a different method, by name or tableau, for d- of paper 004, the part of the
   * curve before the state. The base method computes d+, the part after it. The comments on `base`
   * and `tableau` apply. NULL (default): the base method for both. */
  const char *base_minus;
  const sw_tableau *tableau_minus;
  /* For "variational": user-computed one-step methods (sidewinder/one_step.h) that replace the base
   * method and base_minus. Default NULL. The structs are copied; their contexts must outlive the
   * simulation. */
  const sw_one_step *one_step;
  const sw_one_step *one_step_minus;
  /* For "variational": which of the two methods is replaced by its adjoint R*_t = R_{-t}^{-1},
   * which needs a solve: "none" (default, also NULL), "minus", "plus" or "both". */
  const char *adjoint;
  /* A solve is accepted if every scaled residual is at most this tolerance. The iteration still
   * continues to round-off, or until the residual stops falling. Dimensionless; default 1e-12. */
  double tolerance;
  /* Newton iterations of one search, 1 to 200; default 30. A solve first tries full steps and, if
   * that fails, repeats the search with a line search. */
  int max_iterations;
  /* 1: integrate the fibre flow numerically, even if the model has a closed form or the constraints
   * depend on the positions alone. For tests of one against the other. Default 0. */
  int numerical_fibre;
  /* 1: after every step also compute the step back. The step fails with SW_ERR_NOT_REVERSIBLE if
   * the result differs from the start by more than reversible_tolerance (2e-8) times the size of
   * the state. For "rattle" only, whose inverse is RATTLE over the adjoint base method. "shake" has
   * no such inverse and gives SW_ERR_OPTION, as do `flows` with a map that is not symmetric.
   * Doubles time and memory. Default 0. */
  int check_reversible;
  double reversible_tolerance;
  /* 1: compensated summation of the steps. The state is z plus a carry (sw_sim_carry), which keeps
   * the part of each step lost to rounding; rounding errors then add up to about h times their size
   * without it. Not for "vs", "bdf2", "energy-momentum" and "variational", whose steps are not
   * increments. With flows, only for "splitting". Needs fibre flows in closed form. SW_ERR_OPTION
   * otherwise. Slower than a plain step. Default 0. */
  int compensated;
  /* Treatment of redundant constraints, whose multipliers are not unique:
   *   "error"     fail and name the constraints (default)
   *   "drop"      omit dependent constraints, with impulse 0: the families in
   *               sw_model.follows before the method sees them, others in the solve
   *   "min-norm"  multipliers of the smallest Euclidean norm, each weighted by its effect on
   *               the equations of the step, which cancels its unit
   * All three give the same states. Contradictory constraints are always detected, because the
   * residuals of omitted constraints must vanish as well. Limits on each connected set: "drop" and
   * "min-norm" handle up to 512 constraints, or with an implicit base method 512 unknowns including
   * its stage values; "error" can name the constraints of sets up to 256. */
  const char *redundant;
  /* Generated straight-line step, &sw_stepper_NAME of NAME_step.c; must outlive the simulation.
   * Default NULL. */
  const sw_stepper *stepper;
  /* For batches (sidewinder/batch.h): generated steps for several lanes, &sw_stepper_NAME_4 and so
   * on, NULL-terminated. Default NULL. */
  const sw_stepper *const *lanes;
  /* Solver of a step's equations:
   *   "auto"    the stepper if it supports the method, the base method and `redundant`; a step that
   *             it cannot take falls back to the general solver from the same state (default)
   *   "fused"   as "auto", but SW_ERR_OPTION without a suitable stepper, or if the model has
   *             no cluster of constraints at these sizes
   *   "kinsol"  the general solver
   * The states agree up to round-off, and the statuses are the same. */
  const char *solver;
  /* Threads for the long loops of one step, 1 to SW_THREADS_MOST; default 1. States, multipliers
   * and messages agree bit for bit for any number. Threads pay off for thousands of constraints on
   * the positions alone (docs/scaling.md); other steps have few long loops. An ensemble
   * (sidewinder/ensemble.h) has separate threads, one trajectory each. sw_sim_create starts the
   * threads and fails with SW_ERR_MEMORY if it cannot; they sleep between loops. */
  int threads;
  /* Sizes that override the model's defaults, and all arrays of indices of the model. Default:
   * none. Read only during sw_sim_create. */
  int n_sizes;
  const sw_size *sizes; /* n_sizes */
} sw_options;

/* Kinds of named entries: positions, momenta, parameters, constraints, observables, invariants and
 * events. */
typedef enum sw_name_kind {
  SW_Q,
  SW_P,
  SW_K,
  SW_C,
  SW_OBSERVE,
  SW_INVARIANT,
  SW_EVENT
} sw_name_kind;

/* Bytes of a name: one identifier and up to eight indices. */
#define SW_NAME_BYTES 640

/* Cost and accuracy of a run since the last sw_sim_set_state or sw_sim_restore. */
typedef struct sw_stats {
  long steps;             /* successful steps */
  long fused_steps;       /* steps taken by the stepper, included in `steps` */
  long solves;            /* nonlinear solves */
  long newton_iterations; /* over all solves */
  double residual_g;      /* largest |g_i| after any step */
  double residual_hidden; /* largest |rho_i| after any step */
  double residual_solve;  /* largest scaled residual at the end of a solve */
  /* Statistics of a numerically integrated fibre flow, else 0: calls of the flow or its derivative,
   * integration steps, evaluations of Dg and Hess(lambda . g), and the largest estimated error
   * relative to the size of the state. */
  long fibre_flows;
  long fibre_steps;
  long fibre_evaluations;
  double fibre_error;
  double heat; /* sum of p.H_pp.p after each step of a method with noise, else 0 */
} sw_stats;

/* Results of sw_model_check at one state. */
typedef struct sw_check {
  double residual_g;      /* max |g_i| */
  double scaled_g;        /* max |g_i| / scale_i, see SW_STATE_TOLERANCE */
  double residual_hidden; /* max |rho_i| */
  double scaled_hidden;   /* max |rho_i| / scale_i */
  /* max |C_ij| / (|g_i,q| |g_j,p| + |g_i,p| |g_j,q|), with sums of absolute entries; 0 if C = 0
   * identically */
  double coisotropy;
  /* condition number of N with scaled rows and columns; infinite if N is singular, 1 if m = 0. A
   * 1-norm estimate for more than 200 constraints */
  double condition;
  /* numerical rank of N; entries at round-off count as 0. -1 (unknown) for a singular N of more
   * than 200 constraints */
  int rank;
  int worst_g;      /* index of the constraint that attains scaled_g, -1 if m = 0 */
  int worst_hidden; /* index of the constraint that attains scaled_hidden, -1 if m = 0 */
} sw_check;

/* Callback at the initial state (step 0) and after every step. A nonzero result ends the run with
 * SW_ERR_STOPPED. `user` is the argument of sw_sim_run. */
typedef int sw_observer(const sw_sim *sim, long step, void *user);

/* Fills *options with the defaults above. */
void sw_options_init(sw_options *options);

/* Fills *options with the defaults above, then with the model's run line, as the model's program
 * does. If `method` is not NULL, it replaces the method of the run line. Then the base method of
 * the run line is kept only if both methods accept the same choices, and options for the run line's
 * method alone are dropped. */
void sw_options_of_run(const sw_model *model, const char *method, sw_options *options);

/* The reason for which sw_sim_create would return SW_ERR_OPTION, as a sentence in static storage.
 * Returns "" if it would accept the options, or if only the model's sizes exclude the solver
 * "fused". */
const char *sw_options_objection(const sw_model *model, const sw_options *options);

/* Creates a simulation of *model, which must outlive it, at t = 0 with the model's default
 * parameters and first initial state (zero if the model has none). options may be NULL: the
 * defaults. On failure *sim is NULL.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_ABI, SW_ERR_MEMORY, SW_ERR_OPTION, SW_ERR_SIZE. */
sw_status sw_sim_create(const sw_model *model, const sw_options *options, sw_sim **sim);

/* Creates another simulation with the model, sizes and options of *like, in the initial state of
 * sw_sim_create and with the default parameters. It shares all read-only data with *like: sparsity
 * patterns, plans of the method, index sets, default parameters. One such simulation per thread
 * needs less memory and time than sw_sim_create. Another thread may step *like during the call. The
 * simulations may be freed in any order, each in any thread. On failure *sim is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_sim_create_like(const sw_sim *like, sw_sim **sim);

/* Frees *sim and sets it to NULL. Shared data is freed with the last simulation that uses it. Does
 * nothing if `sim` or *sim is NULL. */
void sw_sim_free(sw_sim **sim);

/* Copies the nk parameters. The state is kept; M depends on the parameters, so the next step checks
 * the state again.
 * Errors: SW_ERR_PARAMETER; then nothing changes. */
sw_status sw_sim_set_parameters(sw_sim *sim, const double k[]);

/* Forces (sw_model.forces) make a step K_{h/2} o Phi_h o K_{h/2}, with the step Phi of the method
 * and kicks K of the momenta at fixed positions, which end on M^H (docs/methods.md). The step has
 * order 2, or 1 if that of the method is 1. Time is a position: the kicks are at t_n and t_{n+1}.
 * A kick fails with the statuses of a step; then the whole step has not been made.
 *
 * sw_sim_work: the work of the forces since the last sw_sim_set_state or sw_sim_project, the sum of
 * the changes of H by kicks; 0 without forces. H minus the work is constant up to the error of the
 * method. */
double sw_sim_work(const sw_sim *sim);

/* Inputs (sw_model.inputs) are parameters that only forces and observables read. sw_sim_n_inputs
 * counts their entries; sw_sim_input returns the index in k of input `number`, counted from 0, or
 * -1. sw_sim_set_inputs copies all of them, in this order. They act from the next step on, in both
 * of its kicks. Unlike sw_sim_set_parameters it keeps all data about the state, so that it may be
 * called before every step; sw_sim_set_parameters sets inputs as well.
 * Errors: SW_ERR_PARAMETER (bounds); then nothing changes. */
int sw_sim_n_inputs(const sw_sim *sim);
int sw_sim_input(const sw_sim *sim, int number);
sw_status sw_sim_set_inputs(sw_sim *sim, const double u[]);

/* Methods with noise ("baoab", for models with a heat bath) draw it from a counter-based generator:
 * the noise of a step is a function of the seed, the number of the trajectory, and the time and the
 * number of steps of the state (sw_sim_save). The defaults are 0. Both are part of a saved state,
 * and sw_sim_set_state keeps them.
 *
 * sw_sim_temperature: the mean over all steps of p.H_pp.p/(d - m), the kinetic temperature kT,
 * where d does not count the time and m counts independent constraints; NaN before the first step
 * and without noise.
 * Errors: SW_ERR_ARGUMENT for a method without noise, and for numbers outside 0 .. 2^53; then
 * nothing changes. */
sw_status sw_sim_set_seed(sw_sim *sim, long seed, long trajectory);
double sw_sim_temperature(sw_sim *sim);

/* Copies the state z, 2d values; resets lambda and the statistics. Accepts any finite z. The first
 * step checks that z is on M (for "shake") or on M^H (for "rattle"), and fails with SW_ERR_OFF_M or
 * SW_ERR_OFF_MH if the scaled residual exceeds SW_STATE_TOLERANCE.
 * Errors: SW_ERR_ARGUMENT. */
sw_status sw_sim_set_state(sw_sim *sim, double t, const double z[]);

/* Saves and restores a simulation as one array of sw_sim_saved_count doubles. The array holds
 * everything on which later steps depend, except the model, sizes, parameters and options, and also
 * the last impulses, for output. A restored simulation continues bit for bit like the saved one,
 * whatever either did before.
 *
 *   saved[0] = t0, saved[1] = n, saved[2] = h    n steps of size h since t0: the time is t0 + n h
 *   saved[3 ..]                                  z, 2d values
 *   saved[3 + 2d ..]                             sw_sim_impulses divided by h, m values
 *   saved[3 + 2d + m ..]                         2d values: for "bdf2" the state before; with
 *                                                `compensated` the carry.  2 values in a model
 *                                                with forces: the work is their difference.
 *                                                Then 2 values for a method with noise: the seed
 *                                                and the trajectory
 *
 * n and h are 0 after sw_sim_set_state, and n is 1 after a step whose size differs from the
 * previous one. n = 0 with nonzero h describes a state of "leapfrog" or "bdf2" at time t0 that a
 * step of size h has reached. sw_sim_restore copies the array and resets the statistics; the next
 * step checks the state, as after sw_sim_set_state.
 * Errors: SW_ERR_ARGUMENT if a value is not finite or n is not a count; then nothing changes. */
size_t sw_sim_saved_count(const sw_sim *sim);
void sw_sim_save(const sw_sim *sim, double saved[]);
sw_status sw_sim_restore(sw_sim *sim, const double saved[]);

/* Largest scaled residual of g and rho allowed in an initial state: max |f_i|/scale_i. scale_i is
 * the larger of the model's scale of f_i and sum_j |df_i/dz_j| size_j. size_j is max |q| for
 * positions and max |p| for momenta. */
#define SW_STATE_TOLERANCE 1e-10

/* Moves the state to a critical point of |(q - q0)/a|^2 + |(p - p0)/b|^2 subject to g(z) = 0, the
 * nearest point of M in that norm if z0 is close to M. Then moves it along its fibre to M^H
 * (Gamma_sigma(z) with rho = 0; not for "shake"). The scales are a = max |q0| and b = max |p0|, or
 * 1 if that is 0. The time of a model, a position with constant nonzero velocity, keeps its value.
 * On failure the state is unchanged. Allocates and frees scratch memory and a solver.
 * sw_sim_project_within fails with SW_ERR_OFF_M if that moves the positions or the momenta by more
 * than `most` times their size (docs/programs.md); sw_sim_project has no limit.
 * Errors: SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
#define SW_PROJECT_MOST 0.1 /* the default limit of programs and of Python */
sw_status sw_sim_project(sw_sim *sim);
sw_status sw_sim_project_within(sw_sim *sim, double most);

/* z, 2d values: the point of M^H on the fibre of the state, Gamma_sigma(state) with rho = 0, for
 * methods that leave M^H. After steps of "shake", z is the state that the same number of steps of
 * "rattle" would reach (paper 000, (11); the 'ideal method' at the end of paper 002). The
 * simulation does not change. Allocates and frees a solver.
 * Errors: SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_sim_hidden_point(sw_sim *sim, double z[]);

/* Takes one step of size h, which may be negative; h and 1/h must be finite and h nonzero. The step
 * is atomic: either it converges, or state, time and lambda stay bit for bit the same.
 *
 * A step whose equations converged to a wrong root fails with SW_ERR_COMPONENT: its multipliers are
 * far from those predicted by the linearisation at 0, or the determinant of the solve changed its
 * sign on the way (runtime/checks/step_check.h). "rattle" refuses to start or end at a singular N,
 * too.  It refuses to end on another component of M^H (paper 000, section 5.4.2, Fig. 6): det N
 * with another sign than at the start, or N with another number of negative eigenvalues (2 to 32
 * constraints that are not holonomic). With the options "drop" and "min-norm", dependent
 * constraints may make N singular. Then the sign is that of the determinant of the independent
 * constraints; it is not compared if their number changed, and eigenvalues are not compared.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_OFF_M, SW_ERR_OFF_MH, SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR,
 * SW_ERR_COMPONENT, SW_ERR_NOT_REVERSIBLE, SW_ERR_NOT_FINITE, SW_ERR_SIZE (second-class constraints
 * at these sizes), SW_ERR_MASS (H_pp becomes singular along the step), SW_ERR_ENERGY (the energy
 * leaves its scale although the method should conserve it; docs/programs.md). */
sw_status sw_sim_step(sw_sim *sim, double h);

/* Takes `steps` steps of size h; observe may be NULL. The time after n steps of one size is t0 + n
 * h, not a running sum, for any division into calls. Stops at the first failure. The energy is
 * checked after every 256 steps and at the end of the call, or after each step with an observer; a
 * step that takes the energy out of its scale is found and refused as by sw_sim_step.
 * Errors: those of sw_sim_step, SW_ERR_STOPPED. */
sw_status sw_sim_run(sw_sim *sim, double h, long steps, sw_observer *observe, void *user);

/* Exact derivative of a step of size h from the current state, by the implicit function theorem.
 * The map z0 -> z1 is defined by the equations of the step on the whole phase space, on M and
 * off it; for "bdf2" it is (z_n, z_{n-1}) -> (z_{n+1}, z_n).
 * sw_sim_tangent: D, N x N with N = sw_sim_n_state(sim), column-major, D[j N + i] = dz1_i/dz0_j.
 * sw_sim_tangent_times: DV = D V for n directions, n N values, one direction after the other; V
 * and DV may be the same array.
 * Memory is linear in d and in the entries of the solve's matrix, which is full for
 * "variational". The step is computed but not committed: state, time,
 * lambda and statistics do not change. Both functions allocate and free scratch memory.
 * Errors: SW_ERR_ARGUMENT (n < 0), SW_ERR_MEMORY, and those of sw_sim_step; DV is then
 * unspecified. */
sw_status sw_sim_tangent_times(sw_sim *sim, double h, int n, const double V[], double DV[]);
sw_status sw_sim_tangent(sw_sim *sim, double h, double D[]);
/* 0 if both functions would fail with SW_ERR_OPTION: "baoab", and "variational" with a
 * user-computed one-step method that has no second derivatives. */
int sw_sim_has_tangent(const sw_sim *sim);

/* Projects n directions V at the current state orthogonally onto the tangent space of M^H, {v : Dg
 * v = 0, Drho v = 0}, if the method keeps g = 0 but not rho = 0 ("energy-momentum"): the derivative
 * of its steps does not remove components transverse to M^H. Directions of other methods stay as
 * they are, because the derivative of a step maps any direction into one such space.
 * Errors: SW_ERR_MEMORY, SW_ERR_NOT_FINITE; V is then unspecified. */
sw_status sw_sim_project_directions(sw_sim *sim, int n, double V[]);

/* For "variational": x = (qbar, mu), 2d values: the end point qbar of the current state's curve for
 * a step of size h, where the next state's curve begins, and the momentum mu there, its part
 * tangent to {g = 0}. The step preserves the two-form dqbar ^ dmu. If H and g have a symmetry q ->
 * q + e X q, it also preserves the discrete momentum mu . X qbar (paper 004, section 2). D, 2d x 2d
 * column-major, or NULL: the derivative of the map z -> (qbar, mu + a multiple of Dg(qbar)), which
 * gives the same two-form. For a composition, the functions describe a single step without
 * composition. The simulation does not change.
 * Errors: SW_ERR_OPTION with another method, SW_ERR_NOT_FINITE. */
sw_status sw_sim_legendre(sw_sim *sim, double h, double x[], double D[]);
int sw_sim_has_legendre(const sw_sim *sim); /* 1 for "variational" */

/* d, m, nk, and the numbers of observables and invariants at the sizes of this simulation. */
int sw_sim_nq(const sw_sim *sim);
/* dimension of the step map: 2d, or 4d with "bdf2", which also maps the previous state */
int sw_sim_n_state(const sw_sim *sim);
int sw_sim_nc(const sw_sim *sim);
int sw_sim_nk(const sw_sim *sim);
/* Number of constraints with independent gradients at the current state; M has 2d minus this
 * dimension there. Returns m if dependence is not examined (limits: sw_options.redundant), and -1
 * if memory runs out. The simulation does not change, but a large one may allocate memory and keep
 * it. */
int sw_sim_n_independent(sw_sim *sim);
int sw_sim_n_observe(const sw_sim *sim);
int sw_sim_n_invariant(const sw_sim *sim);

/* Writes the name of entry i, such as "q.6.y", to buffer and returns buffer. 0 <= i < number of
 * entries of that kind. */
const char *sw_sim_name(const sw_sim *sim, sw_name_kind kind, int i, char buffer[SW_NAME_BYTES]);

/* Named initial states: their number; the name of state i, owned by the model; z = state i at the
 * current parameters, 2d values. */
int sw_sim_n_init(const sw_sim *sim);
const char *sw_sim_init_name(const sw_sim *sim, int i);
void sw_sim_init_state(const sw_sim *sim, int i, double z[]);

/* Current values. The pointers are valid for the life of sim, the values until its next call. */
double sw_sim_time(const sw_sim *sim);
const double *sw_sim_state(const sw_sim *sim);      /* 2d values */
const double *sw_sim_parameters(const sw_sim *sim); /* nk values */
/* The carry c, 2d values, with `compensated`, else NULL. The state is z + c, and z is that sum
 * rounded to double precision. Zero after sw_sim_set_state and sw_sim_project. */
const double *sw_sim_carry(const sw_sim *sim);
/* The m impulses of the last step, in the unit of h lambda_i: sums of h lambda_i over its solves,
 * such as h lambda for "shake" and h lambda + h sigma for "rattle", or of those over the substeps
 * of a composition. Impulse i changes p by -impulse_i dg_i/dq (and q by impulse_i dg_i/dp), at the
 * states where the method evaluates g: docs/mathematics.md, section 11, tells the time. 0 before
 * the first step. Of a model with forces: of the method between the kicks, without sigma of the
 * kicks. */
const double *sw_sim_impulses(const sw_sim *sim);
/* 1 if "drop" omits constraint i: it is proved to follow from others, or the solves of the last
 * step omit it. Its impulse is then 0. Otherwise 0. 0 <= i < m. */
int sw_sim_drops(const sw_sim *sim, int i);
const sw_model *sw_sim_model(const sw_sim *sim);
/* Order of the method: the order of the composition if there is one; otherwise the order of the
 * base method, at most 2 with constraints. */
int sw_sim_order(const sw_sim *sim);
sw_stats sw_sim_stats(const sw_sim *sim);

/* The last failure in words, with numbers and a remedy; "" after a success. sim owns the text. */
const char *sw_sim_message(const sw_sim *sim);

/* NULL-terminated lists of the names that sw_options accepts.  Static storage. */
const char *const *sw_method_names(void);
const char *const *sw_composition_names(void);
const char *const *sw_redundant_names(void);
const char *const *sw_solver_names(void);
const char *const *sw_adjoint_names(void);

/* The m multipliers lambda of the motion at the current state, which are a function of the state:
 *
 *   zdot = X_H + sum_i lambda_i X_{g_i},   lambda = -N^{-1} {rho,H},   N_ij = {rho_i,g_j},
 *
 * because rho = {g,H} stays 0. With forces F, zdot has the term (0, F) and lambda = -N^{-1}
 * ({rho,H} + Drho.(0, F)), at the current inputs. The force of constraint i on p is -lambda_i dg_i/dq: with g = |q|^2
 * - l^2 for a rod, lambda > 0 pulls. Its unit is that of H divided by that of g_i. If the state is
 * only on M, lambda is that of the point of M^H on its fibre (sw_sim_hidden_point). g = 0 is
 * presumed, to the tolerance of steps: a state that was set is not examined. The method plays no
 * part; states of "leapfrog" have momenta half a step earlier than positions. If redundant
 * constraints are dropped, too, lambda has the smallest norm of all solutions, that of w_j
 * lambda_j: w_j^2 = |N_jj|, or the sum of the squares of the derivatives of g_j if constraints
 * depend on momenta. On failure lambda is NaN. The simulation does not change. The first call
 * allocates memory and keeps it; calls off M^H allocate and free a solver.
 * Errors: SW_ERR_SINGULAR, SW_ERR_NOT_CONVERGED, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_sim_multipliers(sw_sim *sim, double lambda[]);

/* H (1 value), the observables (n_observe values) and the invariants (n_invariant values) at the
 * current state. Observables that use `multiplier` have sw_sim_multipliers, and those that use
 * `impulse` have sw_sim_impulses; so sw_sim_observe may allocate memory and clear the message in
 * models that have such observables. A value is NaN or infinite where its formula is undefined. */
void sw_sim_hamiltonian(sw_sim *sim, double out[]);
void sw_sim_observe(sw_sim *sim, double out[]);
void sw_sim_invariant(sw_sim *sim, double out[]);

/* Evaluates the assumptions of the theory at one state: residuals, coisotropy (paper 000,
 * Assumption 2), and the condition of N (Assumption 1 through Lemma 3.11). k may be NULL: the
 * defaults. Uses the model's default sizes. Allocates and frees scratch memory.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_ABI, SW_ERR_MEMORY, SW_ERR_NOT_FINITE, SW_ERR_NOT_CONVERGED (the
 * singular values of N; practically never). */
sw_status sw_model_check(const sw_model *model, const double k[], const double z[],
                         sw_check *result);

#ifdef __cplusplus
}
#endif

#endif
