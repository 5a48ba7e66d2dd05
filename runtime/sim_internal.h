/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim_internal.h -- what a simulation is made of.
 *
 *   sim.c       create and free              workspace.c   one block of memory, cut into arrays
 *   state.c     set, save, restore, run      message.c     failures in words
 *   values.c    what it has
 *   step.c      one step                     component.c   which part of M^H, and which root
 *   project.c   onto M and M^H               dependent.c   constraints that follow from others
 *   tangent.c   the derivative of a step     reversible.c  the step back
 *   jump.c      the root that was found
 */
#ifndef SIDEWINDER_SIM_INTERNAL_H
#define SIDEWINDER_SIM_INTERNAL_H

#include "geometry/residuals.h"
#include "jump.h"
#include "methods/holonomic.h"
#include "methods/rattle.h"
#include "methods/shake.h"
#include "sidewinder/sim.h"
#include "solver/deficient.h"
#include "solver/redundancy.h"
#include "solver/solver.h"

/* Scratch of sw_component_sign. */
typedef struct sw_component {
  double *values;   /* of N */
  double *brackets; /* of C, where these are known at other sizes only */
  double *dense;    /* m x m, m, and m integers: for sw_component_negative, or NULL */
  double *work;
  int *pivots;
  double *g;            /* m */
  double *rho;          /* m */
  sw_deficient *linear; /* NULL where m = 0 or the method is "shake" */
} sw_component;

/* Scratch of sw_find_dependence. */
typedef struct sw_dependence_scratch {
  double *sum;               /* 2d: a combination of gradients */
  double *terms;             /* 2d: the sizes of its terms */
  double *weight;            /* m zeros */
  sw_redundancy *redundancy; /* of N; NULL where m = 0 */
} sw_dependence_scratch;

/* Where a state of M^H is: the sign of det N_ij = {{g_i,H},g_j} there, 0 where N is singular,
 * SW_SIGN_NOT_FINITE where it is not finite; and how many constraints N had to be rid of. */
typedef struct sw_side {
  int sign;
  int dropped;
} sw_side;
#define SW_SIGN_NOT_FINITE 2

/* When a state is: n steps of size h after t0. */
typedef struct sw_clock {
  double t0;
  long n;
  double h; /* 0 where n = 0 */
} sw_clock;

struct sw_sim {
  sw_system *system;
  int owns_system;
  const sw_base *base;
  int rattle; /* 1 for "rattle", 0 for "shake" */
  sw_redundant redundant;
  sw_options options;
  int checked; /* 1 once the state has been found on M (and on M^H) with these parameters */

  /* Of the N at the state, without its dependent constraints; set with `checked`, for "rattle". */
  sw_side side;
  int negative; /* sw_component_negative there */

  sw_clock clock;
  double t;        /* what the clock shows */
  double *z;       /* 2d */
  sw_sizes extent; /* of z */
  double *k;       /* nk */
  double *lambda;  /* m: what acted in the last step, lambda + sigma for RATTLE */

  double *u;          /* the unknowns of a solve */
  double *new_lambda; /* m */
  double *new_sigma;  /* m */
  sw_residual_scratch scratch;
  sw_shake shake;
  sw_rattle slide;
  sw_holonomic holonomic; /* takes their place where plan.holonomic is 1 */
  sw_component component;
  sw_watch watch; /* of the solve that is under way */
  double *other;  /* 2d: scratch */
  sw_dependence_scratch dependence;

  sw_shake_plan plan;
  sw_solver *shake_solver; /* NULL where there is nothing to solve for */
  sw_solver *slide_solver;

  sw_sim *back; /* takes the steps back; NULL where options.check_reversible is 0 */

  sw_stats stats;
  char message[512];
};

/* As sw_sim_create, of a system that has been made already and that must outlive the simulation; what
 * options->numerical_fibre asks for is up to the maker of the system. */
sw_status sw_sim_create_on(sw_system *system, const sw_options *options, sw_sim **sim);

/* The same over a base method that need not be among those that sw_options names; NULL: the one that is. */
sw_status sw_sim_create_over(sw_system *system, const sw_base *given, const sw_options *options,
                             sw_sim **sim);

/* Allocates the simulation and all of its arrays as one block of zeros and points the parts at each
 * other; *sim is NULL without memory.  Takes over *plan.  Released with free(). */
sw_status sw_workspace_create(sw_system *system, const sw_base *base, const sw_shake_plan *plan,
                              sw_sim **sim);

/* t0 + n h, not a running sum. */
double sw_clock_time(const sw_clock *clock);

/* One step of size h later: steps of the same size are counted, another size begins with a new t0. */
sw_clock sw_clock_next(const sw_clock *clock, double h);

/* One step of size clock.h that ends when the clock says. */
sw_status sw_step_to(sw_sim *sim, sw_clock clock);

/* A step that stands in the workspace: where it ends, and what is known there. */
typedef struct sw_made_step {
  const double *end; /* 2d */
  sw_sizes extent;
  sw_side side;
  double solve; /* largest scaled residual of its solves */
  double g;     /* max |g_i| and max |rho_i| */
  double rho;
} sw_made_step;

/* Makes that step without taking it: state, time and lambda stay.  new_lambda, new_sigma (m each) and the
 * stage values u + m are then those of the step.  Errors: those of sw_sim_step. */
sw_status sw_step_make(sw_sim *sim, double h, double t, sw_made_step *made);

/* Makes sim->back where the options ask for it.  Errors: SW_ERR_OPTION where the method has no inverse, and
 * those of sw_sim_create. */
sw_status sw_reversible_open(sw_sim *sim);

/* Makes the step back from the end of a step of size h.  Errors: SW_ERR_NOT_REVERSIBLE. */
sw_status sw_reversible_judge(sw_sim *sim, double h, const sw_made_step *made);

/* Forgets what is kept from step to step, which a step that failed may have spoilt. */
void sw_step_forget(sw_sim *sim);

/* Makes the pattern of the Newton matrix of sim->slide, unless it is there.  Errors: SW_ERR_MEMORY. */
sw_status sw_slide_plan(sw_sim *sim);

/* The same, and a solver for it.  Errors: SW_ERR_MEMORY; then *solver is NULL. */
sw_status sw_slide_open(sw_sim *sim, sw_solver **solver);

/* Solves for the slide onto M^H that sw_rattle_begin has set up in sim->slide, from sigma = 0.  Leaves
 * sigma in sim->new_sigma and the state in sim->slide.z1.  Errors: those of sw_solver_solve; no message. */
sw_status sw_slide(sw_sim *sim, sw_solver *solver, sw_solve_report *report);

/* A solver for the unknowns of that pattern, of which all from `first` to first+m-1 are multipliers, with the
 * options of the simulation; NULL where there are none.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_solver(const sw_sim *sim, const sw_pattern *pattern, int first,
                         sw_solver **solver);

/* The values of N at z in sim->component, entries at their round-off as 0, and Dg in sim->shake.jac.
 * Overwrites the scratch of the methods.  Returns 0 where one is not finite. */
int sw_component_values(sw_sim *sim, const double z[]);

/* Where z is.  Overwrites the scratch of the methods. */
sw_side sw_component_side(sw_sim *sim, const double z[]);

/* How many eigenvalues of the N of the last sw_component_side are negative.  N is symmetric on M^H, since
 * {{g_i,H},g_j} - {{g_j,H},g_i} = {{g_i,g_j},H} vanishes there, so that this number can change no more than
 * the sign of det N, of which it is the finer form.  -1 where it is not known: for "shake", one constraint,
 * more than SW_COMPONENT_DENSE of them, a singular N, or where holonomic.h applies (whose N is definite for
 * a positive mass matrix). */
int sw_component_negative(sw_sim *sim);
#define SW_COMPONENT_DENSE 32

/* sw_component_side at the end of a step of size h whose slide has just been solved, at less cost where N
 * is the matrix of that solve. */
sw_side sw_component_side_at_end(sw_sim *sim, double h, const double end[]);

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

/* How many entries of C nothing is known about at these sizes; 0 where they are 0 on M. */
size_t sw_brackets_unknown(const sw_system *system);

/* The entry of C with the largest |C_ij| / (|grad g_i| |grad g_j|) at the state, and that value, where C is
 * not known and it is above SW_BRACKET_TOLERANCE; else -1. */
int sw_second_class(sw_sim *sim, double *value);
#define SW_BRACKET_TOLERANCE 1e-8

/* SW_OK where the root u that the solver has found belongs to z, from which it slides (jump.h), else a
 * message and SW_ERR_COMPONENT.  `what` names the multipliers. */
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

#endif
