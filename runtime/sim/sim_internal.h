/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim_internal.h -- what a simulation is made of.
 *
 *   sim.c       create and free              workspace.c   one block of memory, cut into arrays
 *   state.c     set, save, restore, run      message.c     failures in words
 *   queries.c   what it has
 *   step.c      one step                     judge.c       whether it may start and end where it does
 *   project.c   onto M and M^H               component.c   which part of M^H
 *   tangent.c   the derivative of a step     dependent.c   constraints that follow from others
 *                                            reversible.c  the step back
 *   singular_ahead.c  a surface where det N = 0
 */
#ifndef SIDEWINDER_SIM_SIM_INTERNAL_H
#define SIDEWINDER_SIM_SIM_INTERNAL_H

#include "checks/bracket_terms.h"
#include "checks/jump.h"
#include "checks/residuals.h"
#include "common/users.h"
#include "linear/deficient.h"
#include "linear/redundancy.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "sidewinder/sim.h"
#include "solve/solver.h"
#include "step/holonomic.h"
#include "step/phase.h"

/* Scratch of component.c. */
typedef struct sw_component {
  double *values;   /* of N, as checks/bracket_terms.h leaves them */
  double *brackets; /* of C, where it is not proved to vanish */
  double *dense;    /* m x m, m, and m integers: for sw_component_negative, or NULL */
  double *work;
  int *pivots;
  sw_gradients g;       /* of the constraints */
  sw_gradients rho;     /* of the hidden constraints */
  double *later;        /* values of N at another state */
  double *eigenvector;  /* m: of singular_ahead.c */
  double *a;            /* m */
  double *b;            /* m */
  sw_deficient *linear; /* of N, or of sw_holonomic_matrix; NULL where neither is watched */
} sw_component;

/* Scratch of sw_find_dependence. */
typedef struct sw_dependence_scratch {
  double *sum;               /* 2d: a combination of gradients */
  double *terms;             /* 2d: the sizes of its terms */
  double *weight;            /* m zeros */
  sw_redundancy *redundancy; /* of N; NULL where m = 0 */
} sw_dependence_scratch;

/* Where a state of M^H is: the sign of det N_ij = {{g_i,H},g_j} there, or of (-1)^m times it where
 * sim->is_fast; 0 where N is singular, and the two below where that could not be found out. */
typedef struct sw_side {
  int sign;
  int dropped;  /* constraints that N had to be rid of */
  int clear;    /* 0 where what is left of N is nearly singular by its pivots */
  int negative; /* eigenvalues of N that are negative, -1 where this is not known */
} sw_side;
#define SW_SIGN_NOT_FINITE 2
#define SW_SIGN_NO_MEMORY  3

/* When a state is: n steps of size h after t0. */
typedef struct sw_clock {
  double t0;
  long n;
  double h; /* 0 where n = 0 */
} sw_clock;

/* What a step of several parts goes back to where one of them fails. */
typedef struct sw_kept {
  double *z;      /* 2d, */
  double *lambda; /* m; NULL where a step has one part */
  sw_sizes extent;
  sw_sizes judged;
  sw_side side;
  int checked;
  sw_stats stats;
} sw_kept;

enum { SW_PHASES_MOST = 2 };

typedef struct sw_shared sw_shared;

struct sw_sim {
  sw_system *system;
  int owns_system;
  sw_shared *shared;
  const sw_stage_plan *base; /* the base method, where it is a tableau; else NULL, */
  const sw_flows *flows;     /* and this is what a caller computes */
  int order; /* of the method: forces of constraints are impulses at the ends of a step, which has order 2 at most */
  const sw_method *method;
  const sw_composition *composition;
  sw_redundant redundant;
  sw_options options;
  int checked; /* 1 once the state has been found on M (and on M^H) with these parameters */

  /* Set with `checked`: of the N at the state, without its dependent constraints, where N is watched; and the sizes
   * by which g and rho were judged there. */
  sw_side side;
  sw_sizes judged;

  sw_clock clock;
  double t;        /* what the clock shows */
  double *z;       /* 2d */
  sw_sizes extent; /* of z */
  double *k;       /* nk */
  double *lambda;  /* m: what acted in the last step, the sum over its phases */
  sw_kept kept;

  sw_residual_scratch scratch;
  sw_step step; /* the one under way, or the last one */
  sw_requirement g;
  sw_requirement rho;
  int phases;
  sw_phase phase[SW_PHASES_MOST];
  sw_phase_plan plan
      [SW_PHASES_MOST]; /* with the arrays of those in `shared`, but for a slide that is made later */
  sw_solver *solver[SW_PHASES_MOST]; /* NULL where there is nothing to solve for */
  int is_fast;                       /* 1 where holonomic.h takes the place of the phases */
  sw_holonomic holonomic;
  sw_component component;
  sw_watch watch;        /* of the solve that is under way */
  double *other;         /* 2d: scratch */
  double *scratch_state; /* 2d */
  sw_dependence_scratch dependence;

  sw_sim *back; /* takes the steps back; NULL where options.check_reversible is 0 */

  sw_stats stats;
  char message[512];
};

/* What simulations that are made like each other share: const, but for the count of them. */
struct sw_shared {
  sw_users users;
  sw_stage_plan base; /* one of these two */
  sw_flows flows;
  sw_sim members; /* of each of them, as far as they are known before there is memory */
  sw_shared *
      back; /* of the simulations that take the steps back: this one where the method is symmetric, NULL where
                    * options.check_reversible is 0 */
};

/* As sw_sim_create, of a system that has been made already and that must outlive the simulation; what
 * options->numerical_fibre asks for is up to the maker of the system. */
sw_status sw_sim_create_on(sw_system *system, const sw_options *options, sw_sim **sim);

/* Allocates the simulation, with these members, and all of its arrays as one block of zeros and points the parts at each
 * other; *sim is NULL without memory.  Released with free(). */
sw_status sw_workspace_create(const sw_sim *members, sw_sim **sim);

/* t0 + n h, not a running sum. */
double sw_clock_time(const sw_clock *clock);

/* One step of size h later: steps of the same size are counted, another size begins with a new t0. */
sw_clock sw_clock_next(const sw_clock *clock, double h);

/* One step of size clock.h that ends when the clock says. */
sw_status sw_step_to(sw_sim *sim, sw_clock clock);

/* A step that stands in the workspace: where it ends, and what is known there. */
typedef struct sw_made_step {
  const double *end; /* 2d */
  const double *rho; /* m: there */
  sw_sizes extent;
  sw_sizes sizes; /* by which g and rho are judged there */
  sw_side side;
  double solve; /* largest scaled residual of its solves */
  double largest_g;
  double largest_rho;
} sw_made_step;

/* Makes that step without taking it: state, time and lambda stay.  The unknowns of the phases are then those of the
 * step.  Errors: those of sw_sim_step. */
sw_status sw_step_make(sw_sim *sim, double h, double t, sw_made_step *made);

/* Makes the step back from the end of a step of size h.  Errors: SW_ERR_NOT_REVERSIBLE. */
sw_status sw_reversible_judge(sw_sim *sim, double h, const sw_made_step *made);

/* Where a step of size h has failed because N becomes singular ahead, says so in sim->message, in the place of its
 * remedy.  Makes much smaller steps to find out; state and statistics stay. */
void sw_approach_explain(sw_sim *sim, double h, sw_status status);

/* For a step of several parts: keeps where it starts; goes back there; and takes over a part that has been made, of
 * the size `factor` times that of the step, from whose end the next one starts. */
void sw_step_keep(sw_sim *sim);
void sw_step_go_back(sw_sim *sim);
void sw_step_take(sw_sim *sim, double factor, const sw_made_step *made);

/* Forgets what is kept from step to step, which a step that failed may have spoilt. */
void sw_step_forget(sw_sim *sim);

/* Makes the plan of a phase unless it is there.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_plan(sw_sim *sim, int phase);

/* Solves for the unknowns of a phase that has begun.  Errors: those of sw_solver_solve; no message. */
sw_status sw_solve_phase(sw_sim *sim, int phase, sw_solver *solver, sw_solve_report *report);

/* A solver for the unknowns of that pattern, of which all from `first` to first+m-1 are multipliers, with the
 * options of the simulation; NULL where there are none.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_solver(const sw_sim *sim, const sw_pattern *pattern, int first,
                         sw_solver **solver);

/* 1 where what is proved as far as that holds for the parameters of the simulation. */
int sw_covered(const sw_sim *sim, sw_proof proof);

/* Whether N is looked at where steps start and end: for methods on M^H, which it is about, and for others where
 * constraints on the positions alone have an N that does not change along their fibres, unless it
 * is proved to be regular. */
int sw_watches_n(const sw_sim *sim);

/* The values of N at z in sim->component, cleaned as checks/bracket_terms.h says, with the gradients of g and
 * rho; Dg in sim->g.jac and Drho in sim->rho.jac.  Returns 0 where one is not finite. */
int sw_component_values(sw_sim *sim, const double z[]);

/* Where z is, at the start or the end of a step.  Overwrites the scratch of the methods. */
sw_side sw_component_side(sw_sim *sim, int at_end, const double z[]);

/* The same where a slide of step/holonomic.h has just factorised its matrix, with that status. */
sw_side sw_component_side_of_slide(const sw_sim *sim, sw_status status);

/* How many eigenvalues of the N of the last sw_component_values are negative.  N is symmetric on M^H, since
 * {{g_i,H},g_j} - {{g_j,H},g_i} = {{g_i,g_j},H} vanishes there, so that this number can change no more than
 * the sign of det N, of which it is the finer form.  -1 where it is not known: for one constraint, more than
 * SW_COMPONENT_DENSE of them, a singular N, or where sim->is_fast (whose N is definite for
 * a positive mass matrix). */
int sw_component_negative(sw_sim *sim, const double z[]);
#define SW_COMPONENT_DENSE 32

/* What the constraints depend on at one state. */
typedef struct sw_dependence {
  int dependent; /* constraints whose gradients depend on those of others */
  int degenerate; /* combinations of constraints that N does not see, although their gradient is not 0 */
  int large; /* constraints that are connected, where these are too many to be examined; else 0 */
  char text
      [320]; /* "'c.3' follows from 'c.1', 'c.2'", for the first ones; "" where there are none */
} sw_dependence;

/* How many constraints may be connected to be examined. */
int sw_dependence_limit(const sw_sim *sim);

/* Looks at z, by a rank-revealing factorisation of N, for the start of a run and for failures: it is slow.
 * Overwrites the scratch of the methods.  Returns 0 where N or Dg are not finite. */
int sw_find_dependence(sw_sim *sim, const double z[], sw_dependence *found);

/* How many entries of C are not proved to be 0 on M for all parameters and sizes. */
size_t sw_brackets_unknown(const sw_system *system);

/* The entry of C with the largest |C_ij| relative to its terms (checks/bracket_terms.h) at z, where C is not proved
 * to vanish with these parameters and that is above SW_BRACKET_TOLERANCE; else -1.  *value becomes C_ij,
 * *relative the other. */
int sw_second_class(sw_sim *sim, const double z[], double *value, double *relative);
#define SW_BRACKET_TOLERANCE 1e-8

/* How far apart the ends of two slides from z are, of h times the multipliers a and b, relative to the sizes
 * of the step.  Overwrites scratch. */
double sw_slides_apart(sw_sim *sim, double h, const double z[], const double a[], const double b[]);

/* ---- judge.c; each writes a message where it refuses ---- */

/* Whether H and its gradient are finite at the state.  Errors: SW_ERR_NOT_FINITE. */
sw_status sw_judge_finite(sw_sim *sim);

/* Whether a step that has begun may start at the state, and whether it may end where it does, which completes
 * made->side.  Errors: those of sw_sim_step. */
sw_status sw_judge_start(sw_sim *sim);
sw_status sw_judge_end(sw_sim *sim, sw_made_step *made);

/* SW_OK where the root u that the solver has found belongs to z, from which it slides (jump.h), else
 * SW_ERR_COMPONENT or SW_ERR_NOT_CONVERGED.  `what` names the multipliers. */
sw_status sw_judge_root(sw_sim *sim, const sw_solver *solver, double h, const double z[],
                        const double u[], const char *what);

/* Each writes sim->message and returns the status, so that a failure is one line where it is found.
 * `what` names what failed: "step" or "projection". */
sw_status sw_fail(sw_sim *sim, sw_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
sw_status sw_fail_solve(sw_sim *sim, sw_status status, const char *what,
                        const sw_solve_report *report);
sw_status sw_fail_not_finite(sw_sim *sim, const char *what);
/* SW_ERR_COMPONENT: the step was not made because of `what`. */
sw_status sw_fail_component(sw_sim *sim, const char *what);

#endif
