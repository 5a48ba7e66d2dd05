/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/sim.h -- a simulation: one model, one method, one state.
 *
 * Argument order: the object, then inputs, then outputs.  Pointers are never NULL unless it says
 * so.  The memory that steps need is allocated in sw_sim_create and released in sw_sim_free; a step
 * allocates nothing, but where a sparse matrix needs KLU's row exchanges.  The library never prints, never
 * exits, and has no mutable globals.  (SUNDIALS 6 itself prints a line to standard error where KINCreate finds no memory, and does not
 * survive where KINInit finds none for an iteration "fixed-point".)  Different simulations may run in different threads at the same time,
 * also of the same model, and also those that share memory (sw_sim_create_like); one simulation is for one thread at a time.
 * Threads of a simulation or an ensemble (options.threads) stay in the process that made it: a forked child steps its copy with one
 * thread, with the same results, and frees it; if another thread was in a call at the fork, the child may only free that copy.
 *
 * Units are the model's own.
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

/* A size of a model, such as the N of a chain of N nodes; or an array of indices, such as the first atoms of bonds
 * (sw_model.indices). */
typedef struct sw_size {
  const char *name;
  long value; /* the size, or the number of entries */
  const long *
      indices; /* `value` entries of an array of indices, which are checked and copied; NULL for a size */
} sw_size;

enum { SW_THREADS_MOST = 1024 };

typedef struct sw_options {
  /* Constrained method (paper 000, Definitions 1.3 and 1.4):
   *   "shake"     z1 = phi_h(Gamma_{h lambda}(z0)) with g(z1) = 0
   *   "rattle"    then z1 <- Gamma_{h sigma}(z1) with rho(z1) = 0          (default)
   * and for constraints on the positions alone, each described in its file of runtime/methods/ and in docs/methods.md:
   *   "lobatto"   Lobatto IIIA-IIIB with forces of constraints in the stages (Jay 1996), of the order of its base method
   *   "index1"    the base method with H_beta = 0 in the stages, for algebraic variables beta and
   *               other linear g(q), of its order (McLachlan, Modin, Verdier, Wilkins 2013)
   *   "leapfrog"  SHAKE with momenta at half steps (paper 002, (12)-(14))
   *   "vs"        SHAKE with the momenta of t_n (paper 002, (15)-(18))
   *   "bdf2"      backward differentiation, as a control (paper 002, (35)-(37))
   *   "variational"  from explicit base methods, their adjoints, or one_step below (paper 004), of their order; for H that is
   *               quadratic in the momenta
   * Which of them a model or other options do not go with, sw_options_objection tells. */
  const char *method;
  /* Base method phi_h, for zdot = X_H without constraints:
   *   "euler-a"   symplectic Euler, p implicit:  p1 = p - h H_q(q,p1), q1 = q + h H_p(q,p1)
   *   "euler-b"   its adjoint, q implicit:       q1 = q + h H_p(q1,p), p1 = p - h H_q(q1,p)
   *   "verlet"    Stormer-Verlet, euler-b o euler-a with h/2 each
   *   "midpoint"  z1 = z + h X_H((z + z1)/2)
   *   "splitting" exact flows of parts of H; refused where the model has none, and SW_ERR_SIZE where one is too large
   * and all others of sw_base_choices (docs/methods.md).  NULL, the default, is the method's own choice: "verlet", "lobatto-4" for
   * "lobatto".  The last three methods above take none; NULL or "none". */
  const char *base;
  /* A base method of one's own in the place of `base`, with as many stages as it likes (sidewinder/tableau.h); NULL.  Only
   * needed during sw_sim_create. */
  const sw_tableau *tableau;
  /* Or one that the caller computes (sidewinder/flows.h); NULL.  What it points to has to outlive the simulation. */
  const sw_flows *flows;
  /* Composition of the method with itself, for a higher order: "none" (default), or one of sw_composition_names
   * (docs/methods.md), such as "triple-jump-4".  A step is then several ones of the sizes c_i h, and atomic like one.  For "rattle" over
   * a symmetric base method, else SW_ERR_OPTION. */
  const char *compose;
  /* For "variational": alpha-, alpha+ with -1 <= alpha- <= 0 <= alpha+ <= 1 and alpha+ - alpha- = 1, between which times
   * alpha h the curve of a state goes; -1/2, 1/2 by default, which makes the method symmetric; 0, 1 is the other usual choice. */
  double bias[2];
  /* For "variational", another method for the part of a curve that lies before its state, d- of paper 004, than for the part behind
   * it, d+, which has the base method: its name, or a tableau, of both of which the last paragraphs hold.  NULL, the default: the same. */
  const char *base_minus;
  const sw_tableau *tableau_minus;
  /* For "variational", a one-step method that the caller computes (sidewinder/one_step.h) in the place of the base method, and in
   * that of base_minus; NULL.  They are copied; their contexts have to outlive the simulation. */
  const sw_one_step *one_step;
  const sw_one_step *one_step_minus;
  /* For "variational": which of the two methods is the adjoint of what is named, R*_t = R_{-t}^{-1}, which is solved for: "none"
   * (default, and NULL), "minus", "plus" or "both". */
  const char *adjoint;
  /* For "variational": how a step is solved for.
   *   "newton"       with the exact Jacobian, dense
   *   "fixed-point"  by the iteration of paper 004, section 4.2, with Anderson acceleration; memory linear in d and the entries of
   *                  sparse matrices
   * NULL, the default: "newton" where the methods have the derivatives that it takes and the model has them in closed form, which
   * models with sizes have not, else "fixed-point".  Tangents take the same derivatives as "newton". */
  const char *iteration;
  /* A solve is accepted when every scaled residual is at most this, although it is always iterated
   * down to round-off or until it no longer falls.  Dimensionless; 1e-12. */
  double tolerance;
  /* Newton iterations of one search, 1 to 200; 30.  A solve searches with full steps and, where that fails,
   * once more with line search.  A fixed-point iteration may take ten times as many. */
  int max_iterations;
  /* 1: integrates the fibre flow numerically, even where the model has a closed form and where constraints on
   * the positions alone need no general flow.  To test one against the other; 0. */
  int numerical_fibre;
  /* 1: after every step, the step back is made, too, and the step is refused with SW_ERR_NOT_REVERSIBLE where
   * that does not lead to where it came from, up to reversible_tolerance of the size of the state (2e-8).
   * For "rattle" only, whose inverse is RATTLE over the adjoint base method; "shake" has none and refuses
   * it with SW_ERR_OPTION, as do `flows` with a map that is not symmetric.  Doubles time and memory; 0. */
  int check_reversible;
  double reversible_tolerance;
  /* 1: compensated summation of the steps.  The state is z and a carry, which keeps what is lost where a step is rounded to
   * the digits of z (sw_sim_carry), so that rounding errors add up to about h times what they are without.  For methods whose steps are
   * increments, all but "vs", "bdf2", "energy-momentum" and "variational"; over flows only of parts of H ("splitting"); and for
   * fibre flows that are known in closed form, else SW_ERR_OPTION.  Not the fastest way to make a step; 0. */
  int compensated;
  /* What to do where constraints follow from others, so that their multipliers are not unique:
   *   "error"     refuse the step and name them (default)
   *   "drop"      leave dependent constraints out, those of sw_model.follows before the method sees them and
   *               others from the solve; their multipliers are 0
   *   "min-norm"  the multipliers of the smallest Euclidean norm, each measured by what it changes in the equations of
 *               the step, which makes up for its unit
   * All give the same states.  Constraints that contradict others are found out in any case: their residuals
   * have to vanish, too.  Limits: at most 512 constraints that are connected with each other are examined, or
   * with the stage values of an implicit base method as many unknowns; and 256 to be named. */
  const char *redundant;
  /* The step of this model as straight-line code, &sw_stepper_NAME of NAME_step.c; NULL.  It must outlive the simulation. */
  const sw_stepper *stepper;
  /* For batches (sidewinder/batch.h): the same for several lanes, &sw_stepper_NAME_4 and so on, NULL after the last one; NULL. */
  const sw_stepper *const *lanes;
  /* Who solves the equations of a step:
   *   "auto"    the stepper, where there is one for the method and the base method, and for a step that it leaves alone the general way,
   *             from the same state (default)
   *   "fused"   the same; SW_ERR_OPTION where there is none, or none of the clusters of constraints that it is for
   *   "kinsol"  the general way
   * The states are the same up to round-off, and so are the verdicts. */
  const char *solver;
  /* Threads for the long loops of one step, 1 to SW_THREADS_MOST; 1.  States, multipliers and messages have the same bits for any number.
   * They pay for constraints on the positions alone by thousands, as docs/scaling.md says; in other steps they have little to do.  (The
   * threads of an ensemble, sidewinder/ensemble.h, are others: those have a trajectory each.)  Made in sw_sim_create, which fails with
   * SW_ERR_MEMORY where one cannot be started; between loops they sleep. */
  int threads;
  /* Sizes that are to differ from the model's own, and all its arrays of indices; none.  Only needed during sw_sim_create. */
  int n_sizes;
  const sw_size *sizes; /* n_sizes */
} sw_options;

/* Named entries of a system: positions, momenta, parameters, constraints, observables, invariants. */
typedef enum sw_name_kind { SW_Q, SW_P, SW_K, SW_C, SW_OBSERVE, SW_INVARIANT } sw_name_kind;

/* Room for a name: one identifier, and up to eight indices. */
#define SW_NAME_BYTES 640

/* What a run has cost and how well it did, since the last sw_sim_set_state or sw_sim_restore. */
typedef struct sw_stats {
  long steps;             /* successful ones */
  long fused_steps;       /* of them, those that straight-line code has taken */
  long solves;            /* nonlinear solves */
  long newton_iterations; /* over all solves */
  double residual_g;      /* largest |g_i| after any step */
  double residual_hidden; /* largest |rho_i| after any step */
  double residual_solve;  /* largest scaled residual that a solve was left with */
  /* Of a fibre flow that is integrated numerically, else 0: how often it or its derivative was asked for, the
   * steps of its integration, the evaluations of Dg and Hess(lambda . g) that it took, and its
   * largest estimated error, relative to the size of the state. */
  long fibre_flows;
  long fibre_steps;
  long fibre_evaluations;
  double fibre_error;
} sw_stats;

/* What sw_model_check finds at one state. */
typedef struct sw_check {
  double residual_g;      /* max |g_i| */
  double scaled_g;        /* max |g_i| / scale_i, see SW_STATE_TOLERANCE */
  double residual_hidden; /* max |rho_i| */
  double scaled_hidden;   /* max |rho_i| / scale_i */
  double coisotropy;      /* max |C_ij| / (|g_i,q| |g_j,p| + |g_i,p| |g_j,q|), sums of the entries'
                           * sizes; 0 where C = 0 identically */
  double condition;       /* of N, rows and columns scaled; inf where singular, 1 where m = 0.  An
                           * estimate in the 1-norm for more than 200 constraints */
  int rank;         /* numerical rank of N; an entry at its round-off counts as 0.  -1 (unknown)
                           * for a singular N of more than 200 constraints */
  int worst_g;      /* index of the constraint that attains scaled_g, -1 where m = 0 */
  int worst_hidden; /* likewise for scaled_hidden */
} sw_check;

/* Called after sw_sim_set_state's point (step 0) and after every step; anything but 0 ends the
 * run with SW_ERR_STOPPED.  `user` is what was given to sw_sim_run. */
typedef int sw_observer(const sw_sim *sim, long step, void *user);

/* Fills *options with the defaults above. */
void sw_options_init(sw_options *options);

/* Fills *options with the defaults above and then with what the model's run line says of the method, or of `method` where that is not NULL, as
 * the model's program does: the base method of the run line is that of another method only where both have the same choice, and what
 * else goes with the run line's method alone is left out for others. */
void sw_options_of_run(const sw_model *model, const char *method, sw_options *options);

/* Why sw_sim_create refuses options for a model with SW_ERR_OPTION: a sentence about the method, or another option, in static
 * storage; "" where it does not, or where what is there at the model's sizes is not what the solver "fused" is for. */
const char *sw_options_objection(const sw_model *model, const sw_options *options);

/* Makes a simulation of *model, which must outlive it, with the model's default parameters and
 * first initial state (zero where it has none), at t = 0.  options may be NULL: the defaults.
 * On failure *sim is NULL.  Errors: SW_ERR_ARGUMENT, SW_ERR_ABI, SW_ERR_MEMORY, SW_ERR_OPTION,
 * SW_ERR_SIZE. */
sw_status sw_sim_create(const sw_model *model, const sw_options *options, sw_sim **sim);

/* Makes another simulation of the model, the sizes and the options of *like, in the state that sw_sim_create starts from,
 * and with the default parameters.  It shares with *like all that neither of them writes to: sparsity patterns, plans of the
 * method, index sets, default parameters; so a simulation for each of several threads costs less memory and time than
 * sw_sim_create.  It may be made while another thread steps *like, which only has to live until this returns: they may be
 * freed in any order, each in any thread.  On failure *sim is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_sim_create_like(const sw_sim *like, sw_sim **sim);

/* Releases all that *sim owns, and what it shares with others once the last of them is freed, and sets *sim to NULL.
 * NULL, or a pointer to NULL, is fine. */
void sw_sim_free(sw_sim **sim);

/* k: nk values, copied.  The state stays; as they move M, the next step checks it again.
 * Errors: SW_ERR_PARAMETER, and then nothing is changed. */
sw_status sw_sim_set_parameters(sw_sim *sim, const double k[]);

/* z: 2d values, copied; resets lambda and the statistics.  Any finite z is taken here; whether it
 * is on M (for "shake") or on M^H (for "rattle") is checked by the first step, which refuses with
 * SW_ERR_OFF_M or SW_ERR_OFF_MH where the scaled residual exceeds SW_STATE_TOLERANCE.
 * Errors: SW_ERR_ARGUMENT. */
sw_status sw_sim_set_state(sw_sim *sim, double t, const double z[]);

/* Where a simulation is, as one array of sw_sim_saved_count doubles: all that its further steps depend on
 * besides the model, its sizes, the parameters and the options, and the last multipliers, which are for
 * output.  A step is a map of it: a simulation that has been given the array goes on as the one that it was
 * taken from does, bit for bit, whatever either of them did before.
 *
 *   saved[0] = t0, saved[1] = n, saved[2] = h    n steps of size h since t0: the time is t0 + n h
 *   saved[3 ..]                                  z, 2d values
 *   saved[3 + 2d ..]                             lambda, m values
 *   saved[3 + 2d + m ..]                         for "bdf2": the state before, 2d values; with `compensated`: the carry
 *
 * n and h are 0 after sw_sim_set_state, and n is 1 after a step of another size than the one before.  n = 0 with h not 0
 * stands for a state of "leapfrog" or "bdf2" at time t0 that a step of size h has led to.  restore
 * copies the array and resets the statistics; as after sw_sim_set_state, the next step checks the state.
 * Errors: SW_ERR_ARGUMENT where a value is not finite or n is no count; then nothing is changed. */
size_t sw_sim_saved_count(const sw_sim *sim);
void sw_sim_save(const sw_sim *sim, double saved[]);
sw_status sw_sim_restore(sw_sim *sim, const double saved[]);

/* Largest scaled residual of g and rho that an initial state may have: max |f_i|/scale_i, where
 * scale_i is the larger of the model's scale of f_i and sum_j |df_i/dz_j| size_j, and size_j is
 * max |q| for the positions, max |p| for the momenta. */
#define SW_STATE_TOLERANCE 1e-10

/* Moves the state to a critical point of |(q - q0)/a|^2 + |(p - p0)/b|^2 with g(z) = 0, the nearest point of M in
 * that norm where z0 is not far from M, then along its fibre to M^H (Gamma_sigma(z) with rho = 0; not for
 * "shake").  A distance needs scales: a = max |q0| and b = max |p0|, of the state itself, or 1 where
 * that is 0.  The time of a model keeps its value: it is a position whose velocity is constant and not 0.
 * On failure the state is unchanged.  Allocates its scratch memory and a solver, and frees both.
 * Errors: SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_sim_project(sw_sim *sim);

/* z, 2d values: the point of M^H on the fibre of the state, Gamma_sigma(state) with rho = 0, for states of methods that leave M^H.
 * Of a state that steps of "shake" have led to it is the one that as many steps of "rattle" lead to (paper 000, (11); the 'ideal method'
 * at the end of paper 002).  The simulation stays as it is.  Allocates and frees a solver.
 * Errors: SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR, SW_ERR_NOT_FINITE, SW_ERR_MEMORY. */
sw_status sw_sim_hidden_point(sw_sim *sim, double z[]);

/* One step of size h, which may be negative; h is finite and not 0, and so is 1/h, else it is refused.  The step is atomic: it ends
 * converged, or state, time and lambda are what they were, bit for bit.
 * A step whose equations have led to another root than the one that belongs to the state is refused with
 * SW_ERR_COMPONENT: its multipliers are far from those that the equations predict when they are linearised
 * at 0, or the determinant of the solve has changed its sign on the way to them (runtime/checks/jump.h).  "rattle"
 * also refuses to start or end where N is singular, and to end where det N has another sign, or N another
 * number of negative eigenvalues (2 to 32 constraints that are not holonomic), than at the start: on another
 * component of M^H (paper 000, section 5.4.2, Fig. 6).  With the options "drop" and "min-norm" N may be
 * singular by constraints that depend on others; the sign is that of the determinant of the others, and is
 * not compared where their number has changed, nor are the eigenvalues where there are such constraints.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_OFF_M, SW_ERR_OFF_MH, SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR,
 * SW_ERR_COMPONENT, SW_ERR_NOT_REVERSIBLE, SW_ERR_NOT_FINITE, SW_ERR_SIZE (constraints that are second
 * class at these sizes), SW_ERR_MASS (H_pp becomes singular along the step), SW_ERR_ENERGY (the energy leaves its scale, although the
 * method should conserve it; docs/programs.md). */
sw_status sw_sim_step(sw_sim *sim, double h);

/* `steps` steps of size h; observe may be NULL.  The time after n steps of one size is t0 + n h, not a running
 * sum, however many calls they are made by.  Stops at the first failure.  The energy is
 * looked at after every 256 steps and at the end of the call, or with an observer after each step; a step that takes it out of its scale
 * is found and refused as by sw_sim_step.  Errors: those of sw_sim_step, SW_ERR_STOPPED. */
sw_status sw_sim_run(sw_sim *sim, double h, long steps, sw_observer *observe, void *user);

/* The exact derivative of a step of size h from the present state, by the implicit function theorem: of the
 * map z0 -> z1 of all of phase space that the equations of the step define, on M and off it; for "bdf2" of the map
 * (z_n, z_{n-1}) -> (z_{n+1}, z_n).  D: N x N, N = sw_sim_n_state(sim),
 * column by column, D[j N + i] = dz1_i/dz0_j.  sw_sim_tangent_times: its product with n directions, V and
 * DV: n times N values, one direction after the other; they may be the same array.  Memory is linear in d
 * and in the entries of the solve's matrix, which is full for "variational", however its steps are solved for.  The step is made, but not taken: state, time, lambda and
 * statistics stay as they are.  Both allocate and free their own scratch memory.
 * Errors: SW_ERR_ARGUMENT (n < 0), SW_ERR_MEMORY, and those of sw_sim_step; DV is then unspecified. */
sw_status sw_sim_tangent_times(sw_sim *sim, double h, int n, const double V[], double DV[]);
sw_status sw_sim_tangent(sw_sim *sim, double h, double D[]);
/* 0 where both are refused with SW_ERR_OPTION: steps of "variational" that are solved for by fixed-point iteration, of a model or
 * methods without the derivatives that "newton" takes. */
int sw_sim_has_tangent(const sw_sim *sim);

/* Projects n directions V of the present state orthogonally onto the tangent space of M^H, {v : Dg v = 0, Drho v = 0}, if the
 * method keeps g = 0 but not rho = 0 ("energy-momentum"): the derivative of its steps does not remove what is transverse to M^H.
 * Directions of other methods stay as they are, because the derivative of a step maps any direction into one such space.
 * Errors: SW_ERR_MEMORY, SW_ERR_NOT_FINITE; V is then unspecified. */
sw_status sw_sim_project_directions(sw_sim *sim, int n, double V[]);

/* For "variational": x = (qbar, mu), 2d values, where the curve of a step of size h that belongs to the present state ends, and the
 * momentum there, the part that is tangent to {g = 0}; the curve of the next state begins there.  The step keeps the two-form
 * dqbar ^ dmu, and where H and g have a symmetry q -> q + e X q the discrete momentum mu . X qbar (paper 004, section 2).  D, 2d x 2d,
 * column by column, or NULL: the derivative of the map from z to (qbar, mu + a multiple of Dg(qbar)), which serves as well for that
 * form.  Of a composition it is a step of its own.  Nothing changes.  Errors: SW_ERR_OPTION with another method, SW_ERR_NOT_FINITE. */
sw_status sw_sim_legendre(sw_sim *sim, double h, double x[], double D[]);
int sw_sim_has_legendre(const sw_sim *sim); /* 1 for "variational" */

/* d, m, nk, and the numbers of observables and invariants, at the sizes of this simulation. */
int sw_sim_nq(const sw_sim *sim);
int sw_sim_n_state(
    const sw_sim
        *sim); /* what a step maps: 2d values, and as many of an earlier state with "bdf2" */
int sw_sim_nc(const sw_sim *sim);
int sw_sim_nk(const sw_sim *sim);
/* The number of constraints whose gradients are independent at the present state; M has 2d less that many dimensions there.  It is m if
 * dependence is not examined (sw_options.redundant has the limits).  Nothing changes, but a large simulation may allocate
 * memory that it keeps.  -1 without memory. */
int sw_sim_n_independent(sw_sim *sim);
int sw_sim_n_observe(const sw_sim *sim);
int sw_sim_n_invariant(const sw_sim *sim);

/* Writes the name of an entry, such as "q.6.y", to buffer, and returns buffer.  i is from 0 to below the
 * number of entries of that kind. */
const char *sw_sim_name(const sw_sim *sim, sw_name_kind kind, int i, char buffer[SW_NAME_BYTES]);

/* The named initial states: how many there are, the name of number i, owned by the model, and z = that state at the current parameters, 2d values. */
int sw_sim_n_init(const sw_sim *sim);
const char *sw_sim_init_name(const sw_sim *sim, int i);
void sw_sim_init_state(const sw_sim *sim, int i, double z[]);

/* Current values; the pointers stay valid for the life of sim, the values until its next call. */
double sw_sim_time(const sw_sim *sim);
const double *sw_sim_state(const sw_sim *sim);      /* 2d values */
const double *sw_sim_parameters(const sw_sim *sim); /* nk values */
/* 2d values c, with `compensated`, else NULL: the state is z + c, and z that rounded to double precision.  Zero after
 * sw_sim_set_state and sw_sim_project. */
const double *sw_sim_carry(const sw_sim *sim);
/* The m multipliers that acted in the last step: lambda for "shake", lambda + sigma for "rattle", whose
 * two slides share the work in a way that depends on the base method; for a composition sum_i c_i of those.  They approximate the
 * multipliers of zdot = X_H + sum_i lambda_i X_{g_i}; 0 before the first step. */
const double *sw_sim_lambda(const sw_sim *sim);
const sw_model *sw_sim_model(const sw_sim *sim);
/* The order of the method: that of its composition, if there is one; else that of its base method, but 2 at most where there
 * are constraints. */
int sw_sim_order(const sw_sim *sim);
sw_stats sw_sim_stats(const sw_sim *sim);

/* The last failure in words, with numbers and a remedy; "" after a success.  Owned by sim. */
const char *sw_sim_message(const sw_sim *sim);

/* NULL-terminated lists of the names that sw_options accepts.  Static storage. */
const char *const *sw_method_names(void);
const char *const *sw_composition_names(void);
const char *const *sw_redundant_names(void);
const char *const *sw_solver_names(void);
const char *const *sw_adjoint_names(void);
const char *const *sw_iteration_names(void);

/* H, the observables and the invariants at the current state and multipliers; out: 1, n_observe,
 * n_invariant values, NaN or infinite where a formula is not defined. */
void sw_sim_hamiltonian(sw_sim *sim, double out[]);
void sw_sim_observe(sw_sim *sim, double out[]);
void sw_sim_invariant(sw_sim *sim, double out[]);

/* Evaluates the theory's assumptions at one state: residuals, coisotropy (paper 000, Assumption 2),
 * and the condition of N (Assumption 1 through Lemma 3.11).  k may be NULL: the defaults.
 * The model has its default sizes.  Allocates and frees its own scratch memory.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_ABI, SW_ERR_MEMORY, SW_ERR_NOT_FINITE, SW_ERR_NOT_CONVERGED (the singular
 * values of N, practically never). */
sw_status sw_model_check(const sw_model *model, const double k[], const double z[],
                         sw_check *result);

#ifdef __cplusplus
}
#endif

#endif
