/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim_internal.h -- what a simulation is made of.
 *
 *   sim.c       create and free              workspace.c   one block of memory, cut into arrays
 *   shared.c    what simulations share       phases.c      what solves a step is cut into
 *   state.c     set, save, restore, run      message.c     failures in words
 *   queries.c   what it has                  project.c     onto M and M^H
 *   step.c      one step                     tangent.c     the derivative of a step, tangent_space.c directions along M^H
 *   fused.c     steps by straight-line code   solve_step.c  the solves of a step
 *   cluster_steps.c  the same of one cluster of a large model after the other, which clusters.c finds
 *   batch.c     trajectories side by side
 *   reversible.c  the step back              singular_ahead.c  a surface where det N = 0
 *                                            surface.c         the same between the ends of a step
 *   compensated.c  the sum of steps without what rounding leaves out
 */
#ifndef SIDEWINDER_SIM_SIM_INTERNAL_H
#define SIDEWINDER_SIM_SIM_INTERNAL_H

#include <math.h>

#include "checks/energy_watch.h"
#include "checks/mass_watch.h"
#include "checks/step_check.h"
#include "common/users.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "sidewinder/sim.h"
#include "sidewinder/stepper.h"
#include "sim/clusters.h"
#include "solve/solver.h"
#include "step/holonomic.h"
#include "step/phase.h"
#include "step/splitting.h"
#include "step/tableau.h"

/* Where the parts of a saved state are (sidewinder/sim.h). */
enum { SW_SAVED_T0, SW_SAVED_N, SW_SAVED_H, SW_SAVED_Z };

/* When a state is: n steps of size h after t0. */
typedef struct sw_clock {
  double t0;
  long n;
  double h; /* of the step that has led to the state; 0 if none has */
} sw_clock;

/* What a step of several parts goes back to where one of them fails. */
typedef struct sw_kept {
  double *z;      /* 2d, */
  double *lambda; /* m; NULL where a step has one part */
  double *carry;  /* 2d where steps are compensated */
  sw_sizes extent;
  sw_sizes judged;
  sw_side side;
  int checked;
  sw_stats stats;
} sw_kept;

/* Of compensated.c, 2d values each; NULL without options.compensated. */
typedef struct sw_carry {
  double *now;     /* the state is z + this */
  sw_two_sums sum; /* the increment of the step that has been made last, */
  double *end;     /* where it leads to, rounded, */
  double *next;    /* and what that leaves out */
  double *reached; /* the end of the phase before a slide */
  double *F;       /* as many as the largest phase has unknowns */
} sw_carry;

/* What run.c watches the energy with; NULL members if the method need not conserve it. */
typedef struct sw_energy_watch {
  double *start;    /* what sw_sim_save writes, before the steps that are under way */
  double *gradient; /* 2d */
  sw_stats stats;   /* before these steps */
} sw_energy_watch;

typedef struct sw_shared sw_shared;

/* How far a projection has moved a state, in the largest entry, and the sizes of what it is
 * compared with: for positions by sw_projection_part, for momenta |p0|_inf. */
typedef struct sw_moved {
  double q;
  double p;
  double size_q;
  double size_p;
} sw_moved;

/* The same relative to the size: 0 if nothing has moved, infinite if the size is 0. */
static inline double sw_moved_part(double moved, double size)
{
  return moved == 0.0 ? 0.0 : moved / size;
}

/* Scratch of singular_ahead.c: values of N at another state, and two vectors. */
typedef struct sw_ahead {
  double *later;
  double *v; /* m */
  double *w; /* m */
} sw_ahead;

#define SW_MESSAGE_BYTES 512

struct sw_sim {
  sw_system *system;
  int owns_system;
  sw_team *team; /* its own, which the system knows, too; NULL for one thread */
  sw_shared *shared;
  const sw_stage_plan *base; /* the base method, where it is a tableau; else NULL, */
  const sw_flows *flows;     /* and these are its maps, */
  const sw_part_plan
      *parts; /* and what they are of, where they are flows of parts of H; else NULL */
  int order; /* of the method: forces of constraints are impulses at the ends of a step, which has order 2 at most */
  const sw_method *method;
  const sw_composition *composition;
  const sw_stepper
      *stepper; /* takes the steps where it can; NULL where there is none for these options */
  const sw_stepper *widest; /* the same for most lanes, or that one */
  double *of_stepper;       /* what it keeps from call to call (sw_fused.kept) */
  sw_cluster_places *
      clusters; /* of a stepper for clusters of constraints; NULL where it has none, or does not fit */
  int is_fused; /* 1 where the stepper has taken the last step */
  sw_redundant redundant;
  sw_options options;
  sw_clock clock;
  double t;        /* what the clock shows */
  double *z;       /* 2d */
  double *shown;   /* the same wherever a caller may look (sw_step_settle) */
  sw_sizes extent; /* of z */
  double *earlier; /* 2d: the state before, where the method needs it; else NULL */
  sw_carry carry;
  double *k;            /* nk */
  double *lambda;       /* m: what acted in the last step, the sum over its phases */
  double *shown_lambda; /* the same of all constraints, if the system is a reduced one; else NULL */
  sw_kept kept;

  sw_step step; /* the one under way, or the last one */
  double *hess; /* values of Hess H, for steps at rest; NULL if holonomic.h steps */
  sw_requirement g;
  sw_requirement rho;
  int phases; /* those of the method, then those of the one that starts it, then perhaps a slide */
  int own_phases;  /* those of the method */
  int step_phases; /* and of the one that starts it */
  int slide;       /* the last one of all leads along a fibre to M^H, where there are constraints */
  int from;        /* the step under way, or the last one, has the phases from .. to-1 */
  int to;
  sw_phase phase[SW_PHASES_MOST];
  sw_phase_plan plan
      [SW_PHASES_MOST]; /* with the arrays of those in `shared`, but for a slide that is made later */
  sw_solver *solver[SW_PHASES_MOST]; /* NULL where there is nothing to solve for */
  sw_stage_four *stage_four;         /* what solves where a plan says fixed_point; else NULL */
  int is_fast;                       /* 1 where holonomic.h takes the place of the phases; */
  int is_complete; /* 0 while only it can: where the system is lean (model/system.h) */
  void *rest;      /* memory that is there from then on */
  sw_holonomic holonomic;
  sw_step_check check;
  sw_mass_watch *mass_watch; /* NULL if no step has to be watched */
  double *
      before; /* what sw_sim_save writes, before a step of the stepper that is watched; else NULL */
  int conserves; /* 1 if the method should keep the energy near its first value */
  sw_energy_watch watch;
  sw_energy_course energy; /* since the state was set */
  double H;                /* of the state, if H_known is 1 */
  int H_known;             /* 1 after steps that have been looked at, until another call */
  sw_ahead ahead;

  sw_moved moved; /* by the last projection */
  sw_sim *back;   /* takes the steps back; NULL where options.check_reversible is 0 */

  sw_stats stats;
  const char *failed; /* what has failed, in words */
  sw_failure failure; /* and why; cause 0 where the message says it all */
  char message[SW_MESSAGE_BYTES];
};

/* What simulations that are made like each other share: const, but for the count of them. */
struct sw_shared {
  sw_users users;
  sw_stage_plan base; /* one of these two */
  sw_flows flows;
  sw_splitting splitting;   /* what flows are made of, where they are of parts of H; else zeros */
  sw_layer_method layer[2]; /* those of a variational integrator, */
  sw_own_tableau layer_tableau[2]; /* and what they are */
  sw_one_step layer_map[2];
  sw_stage_plan of_start; /* the base method of the method that starts this one */
  sw_sim members;         /* of each of them, as far as they are known before there is memory */
  /* Of the simulations that take the steps back: this one where the method is symmetric, NULL where
   * options.check_reversible is 0. */
  sw_shared *back;
};

/* As sw_sim_create, of a system that has been made already and that must outlive the simulation; what
 * options->numerical_fibre asks for is up to the maker of the system. */
sw_status sw_sim_create_on(sw_system *system, const sw_options *options, sw_sim **sim);

/* What simulations of a system with these options share, for one user, and an end of use, the last of which frees it; NULL: none.
 * Errors: SW_ERR_OPTION, SW_ERR_MEMORY; then *shared is NULL. */
sw_status sw_shared_make(sw_system *system, const sw_options *options, sw_shared **shared);
void sw_shared_leave(sw_shared *shared);

/* The phases of the method, then those of the one that starts it, and the slide of a projection onto M^H, which steps to M^H
 * have anyway.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_phases(sw_sim *sim, const sw_stage_plan *of_start);

/* Allocates the simulation, with these members, and all of its arrays as one block of zeros and points the parts at each
 * other; *sim is NULL without memory.  Released with free(). */
sw_status sw_workspace_create(const sw_sim *members, sw_sim **sim);

/* Makes the search of dependent constraints, once the system is complete.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_redundancy(sw_sim *sim);

/* Makes whatever a simulation of a lean system has left out: for what is seldom asked of a large one, as its tangent, a projection, or
 * which constraints have made a step fail.  Nothing happens where all is there.  Errors: SW_ERR_MEMORY. */
sw_status sw_sim_complete(sw_sim *sim);

/* Puts *shown, of the same model and sizes, into the state z with all else that is read of a simulation between steps as *sim has it. */
void sw_sim_show(const sw_sim *sim, const double z[], sw_sim *shown);

/* What sw_stats has: numbers of things, and the largest of what was measured. */
#define SW_STATS(COUNT, LARGEST)                                                                   \
  COUNT(steps)                                                                                     \
  COUNT(fused_steps)                                                                               \
  COUNT(solves)                                                                                    \
  COUNT(newton_iterations)                                                                         \
  LARGEST(residual_g)                                                                              \
  LARGEST(residual_hidden)                                                                         \
  LARGEST(residual_solve)                                                                          \
  COUNT(fibre_flows)                                                                               \
  COUNT(fibre_steps)                                                                               \
  COUNT(fibre_evaluations)                                                                         \
  LARGEST(fibre_error)

/* Adds what steps have cost; of residuals and errors the larger ones stay. */
void sw_stats_add(sw_stats *to, const sw_stats *of);

/* The same as numbers, to be kept in a file. */
#define SW_STATS_PLACE(name) SW_STATS_##name,
enum { SW_STATS(SW_STATS_PLACE, SW_STATS_PLACE) SW_STATS_NUMBERS };
void sw_stats_save(const sw_stats *stats, double to[SW_STATS_NUMBERS]);
sw_stats sw_stats_restore(const double from[SW_STATS_NUMBERS]);

/* t0 + n h, not a running sum. */
double sw_clock_time(const sw_clock *clock);

/* One step of size h later: steps of the same size are counted, another size begins with a new t0. */
sw_clock sw_clock_next(const sw_clock *clock, double h);

/* One step of size clock.h that ends when the clock says; sw_step_settle has to follow. */
sw_status sw_step_to(sw_sim *sim, sw_clock clock);

/* Steps of holonomic.h lead from one array to another and back, so that nothing has to be copied.  This makes sim->z the one that callers know,
 * behind the last of some steps. */
void sw_step_settle(sw_sim *sim);

/* Makes that step without taking it: state, time and lambda stay.  The unknowns of the phases are then those of the
 * step.  Errors: those of sw_sim_step. */
sw_status sw_step_make(sw_sim *sim, double h, double t, sw_made_step *made);

/* Takes at most n steps of size h by sim->stepper, and returns how many; the next one is up to the general way. */
long sw_fused_steps(sw_sim *sim, double h, long n);

/* Whether a step of size h is one of those that a stepper makes: of a staggered method, which then has all of its forces, and of one that needs the
 * state before, after a step of the same size. */
int sw_fused_keeps_pace(const sw_sim *sim, const sw_clock *clock, double h);

/* Whether sim->stepper may take n steps from the present state: on M and M^H, and so on, which the general way looks at. */
int sw_fused_may_start(sw_sim *sim, double h, long n);

/* The same of a stepper for clusters, whose steps are made from *f, which tells what they have found: sim->z is moved on. */
long sw_cluster_steps(sw_sim *sim, sw_fused *f, long n);

/* Forgets what is not known of the state that such steps have led to. */
void sw_cluster_steps_end(sw_sim *sim);

/* What its steps are made from, and what those of one lane add to the statistics. */
sw_fused sw_fused_begin(const sw_sim *sim, double h);
void sw_fused_count(const sw_fused *f, int lane, long taken, sw_stats *stats);

/* The solves of the step that has begun (solve_step.c): where it ends, and what they have found.  Errors: those of sw_sim_step. */
sw_status sw_step_solve(sw_sim *sim, sw_made_step *made);

/* What sw_check_start finds, without a solve. */
sw_status sw_step_look_at_start(sw_sim *sim);

/* Whether a step of size h may start from the present state, with what sw_check_start finds there.  Makes no step. */
sw_status sw_step_examine_start(sw_sim *sim, double h);

/* Makes the step back from the end of a step of size h, and tells in sim->failure where it does not lead to its start.
 * Errors: SW_ERR_NOT_REVERSIBLE. */
sw_status sw_check_reversible(sw_sim *sim, double h, const sw_made_step *made);

/* Whether N becomes singular between the ends of a step that has been made (surface.c), which is made again if that has
 * to be found out by a part of it.  Errors: those of sw_sim_step. */
sw_status sw_check_surface(sw_sim *sim, double h, double t, sw_made_step *made);

/* Where a step of size h has failed because N becomes singular ahead, how far in time; else 0.  Makes much smaller steps to
 * find out; state, statistics and failure stay. */
double sw_singular_ahead(sw_sim *sim, double h, sw_status status);

/* For a step of several parts: keeps where it starts; goes back there; and takes over a part that has been made, of
 * the size `factor` times that of the step, from whose end the next one starts.  adds: 0 for the first part, with which lambda begins. */
void sw_step_keep(sw_sim *sim);
void sw_step_go_back(sw_sim *sim);
void sw_step_take(sw_sim *sim, double factor, int adds, const sw_made_step *made);

/* How many values steps of a stepper keep from call to call, for each lane. */
static inline size_t sw_kept_by(const sw_sim *sim, const sw_stepper *stepper)
{
  return stepper ? (size_t)sim->composition->n * (size_t)stepper->kept : 0;
}

/* How many values the carry has. */
static inline size_t sw_carry_size(const sw_sim *sim)
{
  return sim->options.compensated ? 2 * (size_t)sim->system->nq : 0;
}

/* What belongs to a state besides z, so many values: a carry, or the state before, of which no method has both.  The last part of what
 * sw_sim_save writes. */
static inline double *sw_sim_more(const sw_sim *sim)
{
  return sim->method->earlier ? sim->earlier : sim->carry.now;
}

/* A step size is finite and not 0, and so is 1/h: a multiplier is a sum over the step times 1/h. */
static inline int sw_is_step_size(double h)
{
  return isfinite(h) && isfinite(1.0 / h);
}

static inline size_t sw_more_size(const sw_sim *sim)
{
  return sim->method->earlier ? 2 * (size_t)sim->system->nq : sw_carry_size(sim);
}

/* Ends the solve of a phase for g = 0.  Returns where it leads to, from where the next phase starts. */
const double *sw_carry_correct(sw_sim *sim, int phase);

/* Puts the end of a step that has been made where the increments of its phases lead to from the state and its carry. */
void sw_carry_add(sw_sim *sim, sw_made_step *made);

/* Forgets what is kept from step to step, which a step that failed may have spoilt. */
void sw_step_forget(sw_sim *sim);

/* Makes the plan of a phase unless it is there.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_plan(sw_sim *sim, int phase);

/* Solves for the unknowns of a phase that has begun.  Errors: those of sw_solver_solve; no message. */
sw_status sw_solve_phase(sw_sim *sim, int phase, sw_solver *solver, sw_solve_report *report);

/* A solver for the unknowns of that pattern, of which all from `first` to first+count-1 are multipliers, with the
 * options of the simulation; NULL where there are none.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_solver(const sw_sim *sim, const sw_pattern *pattern, int first, int count,
                         sw_solver **solver);

/* ---- message.c ---- */

/* For what begins: nothing has failed. */
static inline void sw_say_nothing(sw_sim *sim)
{
  sim->message[0] = '\0';
  sim->failure.cause = SW_CAUSE_NONE;
  sim->H_known = 0;
}

/* Puts sim->failure into words in sim->message, for a `what` that has failed with that status, which is returned: "step",
 * "projection" or "tangent". */
sw_status sw_say(sw_sim *sim, const char *what, sw_status status);

/* Refuses an argument: writes sim->message itself, and returns the status. */
sw_status sw_refuse(sw_sim *sim, sw_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Why sw_sim_create refuses the solver "fused" where sw_options_objection has nothing against it. */
extern const char sw_no_clusters[];

/* What the tangent of a variational integrator takes. */
extern const char sw_no_tangent[];

/* What can be done about a failure by other means than steps and states. */
typedef enum sw_remedy {
  SW_REMEDY_OTHER,
  SW_REMEDY_PROJECT,
  SW_REMEDY_REDUNDANT, /* for constraints that are proved to follow from others */
  SW_REMEDY_DEPENDENT  /* for gradients that depend on others */
} sw_remedy;

/* The message of the last failure as sw_sim_message has it, with `words`, by sw_remedy, in the place of the library's own. */
void sw_sim_message_with(const sw_sim *sim, const char *const words[], char out[SW_MESSAGE_BYTES]);

#endif
