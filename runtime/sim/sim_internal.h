/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim_internal.h -- the members of a simulation, and functions shared by the files of this
 * folder:
 *
 *   sim.c            create and free         choice.c             resolves the options
 *   plan.c           what never changes      workspace.c          memory for all arrays
 *   state.c          set, save, restore      message.c            failures in words
 *   queries.c        read access             tangent.c            derivative of a step
 *   run.c            several steps           discrete_momentum.c  discrete Legendre transform
 *   step.c           one step, committed     make_step.c          one step, computed
 *   lifted.c         the lifted model    linearised.c         derivatives of phases
 *   pullback.c       transposed derivative
 *   fused.c          generated steps         project.c            projections to M and M^H
 *   cluster_steps.c  steps of clusters       batch.c              trajectories in lanes
 *   compensated.c    compensated summation   singular_ahead.c     surfaces with det N = 0
 *   kicks.c          forces and inputs       slides.c             z+, z- and sigma of RATTLE
 *   events.c         states between steps    heat.c               noise of a heat bath
 */
#ifndef SIDEWINDER_SIM_SIM_INTERNAL_H
#define SIDEWINDER_SIM_SIM_INTERNAL_H

#include <math.h>

#include "checks/energy_watch.h"
#include "checks/mass_watch.h"
#include "checks/motion_multipliers.h"
#include "checks/step_check.h"
#include "common/users.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "model/system.h"
#include "sidewinder/sim.h"
#include "sidewinder/stepper.h"
#include "solve/solver.h"
#include "step/holonomic.h"
#include "step/kick.h"
#include "step/noise.h"
#include "step/phase.h"
#include "step/splitting.h"
#include "step/tableau.h"

/* The clusters of a generated step (sidewinder/stepper.h) in a model at its sizes.  Constant. */
typedef struct sw_cluster_plan {
  const sw_clusters *table;
  long n;    /* number of clusters */
  int lanes; /* number of lanes of the generated code */
  long *at;  /* see sw_cluster_job: position j of cluster c has index at[j] + by[j] c */
  long *by;  /* see `at` */
  /* 1 if the positions of a cluster are contiguous and all strides `by` are equal */
  int is_row;
  long *row;    /* constraint a of cluster c has index row[a] + c */
  int is_alone; /* 1 if all forces act within clusters and every position belongs to a cluster */
  int free;     /* number of positions outside of clusters */
  int *rest;    /* indices of these positions */
} sw_cluster_plan;

/* The data of the clusters of one simulation. */
typedef struct sw_cluster_data {
  int ready;      /* 1 if the members below belong to the present parameters */
  int fits;       /* 1 if positions that share one mass in the generated code have equal masses */
  int varies;     /* 1 if clusters differ in their parameters */
  double *k;      /* parameters of the first cluster, each copied to all lanes */
  double *each;   /* parameters of all clusters: parameter i of cluster c is each[i n + c] */
  long *negative; /* n: signs of N, see sw_cluster_job */
  double *state;  /* states of all clusters (sw_cluster_job) */
  /* 1 if `state` and `negative` belong to the simulation's state, as after steps of clusters */
  int is_current;
} sw_cluster_data;

/* Finds the clusters by the pattern of Dg.  Sets *plan to NULL if the constraints do not form
 * such clusters.  free() releases *plan.  Errors: SW_ERR_MEMORY. */
sw_status sw_cluster_plan_create(const sw_system *system, const sw_stepper *stepper,
                                 sw_cluster_plan **plan);

/* Reserves the arrays for the clusters of a plan, or none if it is NULL. */
void sw_cluster_data_carve(sw_carver *c, const sw_cluster_plan *plan, sw_cluster_data *data);

/* Indices of the parts of a saved state (sidewinder/sim.h). */
enum { SW_SAVED_T0, SW_SAVED_N, SW_SAVED_H, SW_SAVED_Z };

/* The time of a state: n steps of size h after t0. */
typedef struct sw_clock {
  double t0;
  long n;
  double h; /* size of the last step; 0 if there was none */
} sw_clock;

/* The state: what a step changes.  The next step depends on it, on its own size and on the
 * parameters.  sw_state_copy restores it after a failed step. */
typedef struct sw_state {
  double *z;      /* 2d */
  double *lambda; /* m: multipliers of the last step, summed over its phases */
  /* 2d: the previous state if the method needs it, or the carry if steps are compensated: the exact
   * state is then z + more.  With forces, 2: the work and its rounding error, to be subtracted.
   * With noise, the last 2: the seed and the number of the trajectory.  NULL if none of these; only
   * the last two occur together.  The last part of a saved state (sw_sim_save). */
  double *more;
  sw_clock clock;
  sw_known known;
  int is_fused; /* 1 if the stepper has taken the last step */
} sw_state;

/* Scratch of compensated.c, 2d values each; NULL unless options.compensated is set. */
typedef struct sw_carry {
  sw_two_sums sum; /* increment of the last computed step */
  double *end;     /* its end, rounded */
  double *next;    /* the carry of that end */
  double *reached; /* end of the phase before a slide */
} sw_carry;

/* Data of the energy watch in run.c. */
typedef struct sw_energy_watch {
  sw_state start;   /* the state before the steps since the last check */
  sw_stats stats;   /* statistics before these steps */
  double *gradient; /* 2d */
} sw_energy_watch;

/* The largest displacement of an entry by a projection, and the sizes for comparison: of
 * positions by sw_projection_part, of momenta |p0|_inf. */
typedef struct sw_moved {
  double q;
  double p;
  double size_q;
  double size_p;
} sw_moved;

/* The displacement relative to the size: 0 if nothing has moved, infinite if the size is 0. */
static inline double sw_moved_of(double moved, double size)
{
  return moved == 0.0 ? 0.0 : moved / size;
}

/* The larger relative displacement, of positions or momenta. */
static inline double sw_moved_part(const sw_moved *moved)
{
  return fmax(sw_moved_of(moved->q, moved->size_q), sw_moved_of(moved->p, moved->size_p));
}

/* "moves positions by 0.02 (5 % of 0.4), momenta by 0". */
enum { SW_MOVED_TEXT = 160 };
void sw_moved_text(const sw_moved *moved, char text[SW_MOVED_TEXT]);

/* Scratch of singular_ahead.c: values of N at another state, and two vectors. */
typedef struct sw_ahead {
  double *later;
  double *v; /* m */
  double *w; /* m */
} sw_ahead;

/* The points and multipliers of the last step of RATTLE (slides.c).  A composition has those of its
 * last part. */
typedef struct sw_slides {
  int is_known;   /* 0 if the state is not the end of a step */
  double *plus;   /* 2d: z+, where phi_h started */
  double *minus;  /* 2d: z-, where phi_h ended */
  double *sigma;  /* of all constraints of the whole system; 0 for dropped ones */
  double *angles; /* m: scratch */
  void *memory;
} sw_slides;

#define SW_MESSAGE_BYTES 512

/* The results of the creation of a simulation.  They never change afterwards. */
typedef struct sw_sim_plan {
  const sw_method *method;
  const sw_composition *composition;
  int order;          /* order of the method for this model */
  sw_options options; /* those that are read after creation; the others are NULL or 0 */
  sw_redundant redundant;
  const sw_stage_plan *base;       /* the base method, if it is a tableau; else NULL */
  const sw_flows *flows;           /* the base method, if it is a set of flows; else NULL */
  const sw_part_plan *parts;       /* plans of the flows if they are flows of H's parts, or NULL */
  const sw_stepper *stepper;       /* the generated step; NULL if there is none */
  const sw_stepper *widest;        /* the variant of `stepper` with the most lanes, or NULL */
  const sw_cluster_plan *clusters; /* of a stepper for clusters of constraints; else NULL */
  int conserves; /* 1 if the method should keep the energy near its initial value */
  /* number of phases: those of the method, then those of its starting method, then possibly a
   * slide */
  int phases;
  int own_phases;  /* number of phases of the method */
  int step_phases; /* the same plus the phases of the starting method */
  /* index of the last phase, which slides along a fibre to M^H if there are constraints */
  int slide;
  /* If is_fast is set, only the first phase is planned; sw_make_plan plans the others on demand. */
  sw_phase_plan phase[SW_PHASES_MOST];
  int is_fast;   /* 1 if holonomic.h replaces the phases */
  int is_forced; /* 1 if the model has forces at its sizes: each step is between two kicks */
  size_t n_more; /* number of values of sw_state.more */
  int has_noise; /* 1 if the method has noise */
  int is_halved; /* 1 if is_fast is set and the noise is between two halves of a step (heat.c) */
} sw_sim_plan;

/* Memory for the computation of steps: scratch, and caches of functions of the state and the
 * parameters.  The result of a step does not depend on its contents. */
typedef struct sw_workspace {
  sw_step step; /* the current or the last step */
  int from;     /* it uses the phases from .. to-1 */
  int to;
  sw_requirement g;
  sw_requirement rho;
  sw_phase phase[SW_PHASES_MOST];
  sw_solver *solver[SW_PHASES_MOST]; /* NULL if the phase has no unknowns */
  sw_holonomic holonomic;
  sw_step_check check;
  sw_mass_watch *mass_watch; /* NULL if no step needs the watch */
  sw_carry carry;
  sw_ahead ahead;
  sw_cluster_data clusters;
  double *of_stepper; /* data that the stepper keeps between calls (sw_fused.kept) */
  /* scratch: residuals, weights, or the sums of the stepper's multipliers.  m values if is_fast is
   * set, else one for each unknown of the largest phase */
  double *F;
  double *change; /* m: a correction of multipliers; NULL unless is_fast is set */
  double *trial;  /* m: trial multipliers; NULL unless is_fast is set */
  double *hess;   /* values of Hess H, for steps at rest; NULL if is_fast is set */
  double *shown;  /* the array that callers see; equals z between calls (sw_step_settle) */
  /* of all constraints of the whole system: the multipliers that callers see, then the impulses */
  double *shown_lambda;
  sw_motion *motion; /* the multipliers of the motion; NULL until first use */
  sw_slides *slides; /* NULL unless sw_slides_keep was called; then steps are not generated */
  /* m: 1 for the constraints that the last step has dropped.  NULL unless they may be dropped */
  unsigned char *dropped;
  sw_noise *noise;         /* NULL without noise */
  sw_kick *kick;           /* NULL without forces */
  sw_solver *kick_solver;  /* NULL if the equations of kicks are explicit */
  sw_state unkicked;       /* the start of a step with kicks; or without arrays */
  sw_stats unkicked_stats; /* the statistics there */
  sw_state kept;           /* the start of a step that may be taken back; or without arrays */
  sw_energy_watch watch;   /* without arrays if the method need not conserve the energy */
  /* 0 while only holonomic.h can step, because the system is lean (model/system.h) */
  int is_complete;
  void *rest;                         /* memory allocated by sw_sim_complete */
  sw_phase_plan late[SW_PHASES_MOST]; /* plans of the phases that sw_make_plan has planned */
} sw_workspace;

/* A simulation: a model with parameters, a constant plan, the state, and a workspace. */
struct sw_sim {
  sw_system *system;
  double *k; /* nk: the parameters */
  const sw_sim_plan *plan;
  sw_state state;
  sw_workspace work;

  sw_sim *lifted;           /* of the lifted model; NULL until first use (lifted.c) */
  sw_sim *back;             /* takes the steps back; NULL unless options.check_reversible is set */
  struct sw_shared *shared; /* the owner of the plan */
  int owns_system;
  sw_team *team; /* owned by the simulation and also used by the system; NULL with one thread */

  /* Results for callers. */
  sw_stats stats;
  sw_energy_course energy; /* since the state was set */
  double H;                /* energy of the state, if H_known is 1 */
  int H_known;             /* 1 after steps with an energy check, until the next call */
  sw_moved moved;          /* by the last projection */
  const char *failed;      /* the operation that has failed, in words */
  sw_failure failure;      /* the reason; its cause is 0 if `message` is complete */
  char message[SW_MESSAGE_BYTES];
};

/* Data shared by simulations that were created like each other.  Constant, except for the number
 * of users. */
typedef struct sw_shared {
  sw_users users;
  sw_sim_plan plan;
  sw_stage_plan base;       /* the base method, if it is a tableau */
  sw_flows flows;           /* the base method, if it is a set of flows of the caller */
  sw_splitting splitting;   /* the parts of the flows, if they are flows of H's parts; else zeros */
  sw_stage_plan second;     /* the tableau of one operation, if it has one */
  sw_layer_method layer[2]; /* methods before and after a state, of a variational integrator */
  sw_own_tableau layer_tableau[2]; /* the tableaux of `layer` */
  sw_one_step layer_map[2];        /* the one-step maps of `layer` */
  sw_stage_plan of_start;          /* base method of the starting method */
  sw_cluster_plan *clusters;
  /* Shared data of the simulations that take steps back: this struct if the method is symmetric;
   * NULL unless options.check_reversible is set. */
  struct sw_shared *back;
} sw_shared;

/* Like sw_sim_create, for an existing system, which must outlive the simulation.  Ignores
 * options->numerical_fibre, because the creator of the system handles it. */
sw_status sw_sim_create_on(sw_system *system, const sw_options *options, sw_sim **sim);

/* Create the data shared by the simulations of a system with these options, with one user; and
 * remove a user.  The last user frees the data.  NULL is allowed in sw_shared_leave.  Errors:
 * SW_ERR_OPTION, SW_ERR_MEMORY; then *shared is NULL. */
sw_status sw_shared_make(sw_system *system, const sw_options *options, sw_shared **shared);
void sw_shared_leave(sw_shared *shared);

/* The shared data for the lifted model of the simulations of *of, with the same method and base
 * method, which must be a tableau if there is one.  Errors: SW_ERR_MEMORY; then *shared is NULL. */
sw_status sw_shared_lift(const sw_shared *of, sw_system *lifted, sw_shared **shared);

/* Creates a simulation with these data.  It owns the system, even on failure.  On failure *sim is
 * NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_sim_create_shared(sw_shared *shared, sw_system *system, sw_sim **sim);

/* Allocates a simulation with this system and plan, and all of its arrays, as one block of zeros.
 * *sim is NULL if memory is short.  free() releases the block. */
sw_status sw_workspace_create(sw_system *system, const sw_sim_plan *plan, sw_sim **sim);

/* Prepares the search for dependent constraints, once the system is complete.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_make_redundancy(sw_sim *sim);

/* Allocates the parts that the simulation of a lean system lacks, on first use: for the
 * tangent, a projection, or the search for the constraints that made a step fail.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_sim_complete(sw_sim *sim);

/* The multipliers of the last step, impulses / h, of all constraints of the whole system. */
const double *sw_sim_mean_lambda(const sw_sim *sim);

/* The result of sw_sim_multipliers, for output; NaN if it fails. */
const double *sw_sim_shown_multipliers(sw_sim *sim);

/* Sets the state of *shown, of the same model and sizes, to z.  Copies parameters, multipliers,
 * time and statistics from *sim, for functions that read a simulation between steps. */
void sw_sim_show(const sw_sim *sim, const double z[], sw_sim *shown);

/* The members of sw_stats: counters, largest values and sums of measured quantities. */
#define SW_STATS(COUNT, LARGEST, SUM)                                                              \
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
  LARGEST(fibre_error)                                                                             \
  SUM(heat)

/* Adds counters, and keeps the larger of each measured quantity. */
void sw_stats_add(sw_stats *to, const sw_stats *of);

/* Convert the statistics to numbers for a file, and back. */
#define SW_STATS_PLACE(name) SW_STATS_##name,
enum { SW_STATS(SW_STATS_PLACE, SW_STATS_PLACE, SW_STATS_PLACE) SW_STATS_NUMBERS };
void sw_stats_save(const sw_stats *stats, double to[SW_STATS_NUMBERS]);
sw_stats sw_stats_restore(const double from[SW_STATS_NUMBERS]);

/* t0 + n h, not a running sum: its rounding error does not grow with the number of steps. */
static inline double sw_clock_time(const sw_clock *clock)
{
  return clock->n > 0 ? clock->t0 + (double)clock->n * clock->h : clock->t0;
}

/* The clock one step of size h later.  Counts steps of equal size; another size starts with a new
 * t0. */
sw_clock sw_clock_next(const sw_clock *clock, double h);

/* Takes one step of size clock.h that ends at `clock`.  The caller must call sw_step_settle
 * afterwards. */
sw_status sw_step_to(sw_sim *sim, sw_clock clock);

/* Makes sim->state.z the array that callers know, after one or more steps.  Steps of holonomic.h
 * alternate between two arrays, so that they need not copy the state. */
void sw_step_settle(sw_sim *sim);

/* Computes the step without committing it: z, lambda and the clock of the state are unchanged.
 * Afterwards the phases hold the unknowns of the step.  Errors: those of sw_sim_step. */
sw_status sw_step_make(sw_sim *sim, double h, sw_made_step *made);

/* Takes at most n steps of size h with the stepper and returns their number.  The general solver
 * must take the next one. */
long sw_fused_steps(sw_sim *sim, double h, long n);

/* 1 if a stepper may take a step of size h after `clock`.  A staggered method, or a method that
 * needs the previous state, requires a previous step of the same size. */
int sw_fused_keeps_pace(const sw_sim *sim, const sw_clock *clock, double h);

/* 1 if the stepper may take n steps from the present state: it is on M and M^H and passes the
 * other checks of the general solver. */
int sw_fused_may_start(sw_sim *sim, double h, long n);

/* sw_fused_steps for a stepper for clusters.  Takes the steps that *f describes, moves the state
 * and adds the results to *f. */
long sw_cluster_steps(sw_sim *sim, sw_fused *f, long n);

/* Discards cached data that do not belong to the state after steps of clusters. */
void sw_cluster_steps_end(sw_sim *sim);

/* The input of the stepper; and the contribution of one lane's steps to the statistics. */
sw_fused sw_fused_begin(const sw_sim *sim, double h);
void sw_fused_count(const sw_fused *f, int lane, long taken, sw_stats *stats);

/* Checks whether a step of size h may start from the present state, including sw_check_start.
 * Makes no step. */
sw_status sw_step_examine_start(sw_sim *sim, double h);

/* Refuses a step that has been made if N becomes singular between its ends (singular_ahead.c).  A
 * part of the step is made to decide, and the step is then made again.  Errors: those of
 * sw_sim_step. */
sw_status sw_check_surface(sw_sim *sim, double h, sw_made_step *made);

/* If a step of size h has failed because N becomes singular ahead, returns the time until then;
 * else 0.  Makes much smaller steps for this estimate; state, statistics and failure are
 * unchanged. */
double sw_singular_ahead(sw_sim *sim, double h, sw_status status);

/* Copies a state.  Does nothing if one of them is without arrays. */
void sw_state_copy(const sw_sim *sim, sw_state *to, const sw_state *from);

/* Commits a part of a step, whose size is `factor` times that of the step.  adds: 0 for the first
 * part, which resets lambda. */
void sw_step_take(sw_sim *sim, double factor, int adds, const sw_made_step *made);

/* The number of values that a stepper keeps between calls, for each lane. */
static inline size_t sw_kept_by(const sw_sim *sim, const sw_stepper *stepper)
{
  return stepper ? (size_t)sim->plan->composition->n * (size_t)stepper->kept : 0;
}

enum { SW_WORK_SUM, SW_WORK_ERROR, SW_WORK_NUMBERS };
enum { SW_SEED_KEY, SW_SEED_TRAJECTORY, SW_SEED_NUMBERS };

/* Sets the values of sw_state.more to 0, except for the seed and the trajectory. */
static inline void sw_begin_more(sw_sim *sim)
{
  sw_zero(sim->state.more, sim->plan->n_more - (sim->plan->has_noise ? SW_SEED_NUMBERS : 0));
}

/* ---- heat.c ---- */

/* Adds the noise to a state within the step, and raises the sizes of the step to its own.  *z: on
 * return the state after the noise. */
sw_status sw_heat_add(sw_sim *sim, const double **z);

/* Adds the noise of a step of size h to the state between the halves of the step. */
sw_status sw_heat_between(sw_sim *sim, double h);

/* Adds the kinetic energy after a step to the statistics. */
void sw_heat_count(sw_sim *sim);

/* sw_sim_temperature for other statistics.  (queries.c) */
double sw_heat_temperature(sw_sim *sim, const sw_stats *stats);

/* The seed and the trajectory of the state; NULL without noise. */
static inline double *sw_heat_seed(const sw_sim *sim)
{
  return sim->plan->has_noise ? sim->state.more + sim->plan->n_more - SW_SEED_NUMBERS : NULL;
}

/* ---- kicks.c ---- */

/* Examines the start of a step of size h with kicks.  Errors: those of sw_sim_step. */
sw_status sw_kicks_examine(sw_sim *sim, double h);

/* Finds the end of a kick of size h from the state, in work.kick; and moves the state there.
 * Errors: those of sw_sim_step. */
sw_status sw_kick_make(sw_sim *sim, double h);
void sw_kick_take(sw_sim *sim);

/* Begins a step of size h: keeps its start and takes the first kick. */
sw_status sw_kicks_begin(sw_sim *sim, double h);

/* Ends a step of size h that the method has taken, or has failed with `status`: takes the second
 * kick.  If the kick or the step has failed, restores the start. */
sw_status sw_kicks_end(sw_sim *sim, double h, sw_status status);

/* ---- pullback.c ---- */

/* Memory for the pullbacks of many steps of a simulation. */
typedef struct sw_pull sw_pull;

/* The reason for which steps have no pullback, or if of_k is set, no gradient; else NULL. */
const char *sw_pull_objection(const sw_sim *sim, int of_k);

/* Allocates the memory, for pullbacks with a gradient if of_k is set, and without one otherwise.
 * *pull is NULL on failure.  Errors: SW_ERR_MEMORY. */
sw_status sw_pull_create(sw_sim *sim, int of_k, sw_pull **pull);
void sw_pull_free(sw_pull **pull);

/* sw_sim_pullback without checks of the arguments and without a message. */
sw_status sw_pull_step(sw_pull *pull, double h, const double lambda1[], double lambda0[],
                       double gradient[]);

/* 1 if h is a valid step size: h is finite and not 0, and 1/h is finite.  Multipliers are sums
 * over the step times 1/h. */
static inline int sw_is_step_size(double h)
{
  return isfinite(h) && isfinite(1.0 / h);
}

/* ---- slides.c ---- */

/* Why steps of the simulation have no z+, z- and sigma; NULL if they have. */
const char *sw_slides_objection(const sw_sim *sim);

/* Keeps sim->work.slides of each step from now on.  Errors: SW_ERR_MEMORY. */
sw_status sw_slides_keep(sw_sim *sim);
void sw_slides_free(sw_sim *sim);

/* Fills sim->work.slides with those of the computed step from sim->state.z to `end`. */
void sw_slides_note(sw_sim *sim, const double end[]);

/* Ends the solve of a phase for g = 0.  Returns its end, from which the next phase starts. */
const double *sw_carry_correct(sw_sim *sim, int phase);

/* Sets the end of a computed step to the state plus its carry plus the increments of all
 * phases. */
void sw_carry_add(sw_sim *sim, sw_made_step *made);

/* Discards data cached from step to step, which a failed step may have corrupted. */
void sw_step_forget(sw_sim *sim);

/* Plans a phase that the plan has left out, on first use.  Errors: SW_ERR_MEMORY. */
sw_status sw_make_plan(sw_sim *sim, int phase);

/* Solves a problem in the unknowns of a phase, which has begun.  Errors: those of
 * sw_solver_solve; no message. */
sw_status sw_solve_phase(sw_sim *sim, int phase, sw_solver *solver, const sw_problem *problem,
                         sw_solve_report *report);

/* Creates a solver for unknowns with this pattern and the simulation's options.  The unknowns
 * first .. first+count-1 are multipliers.  *solver is NULL if there are no unknowns.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_make_solver(const sw_sim *sim, const sw_pattern *pattern, int first, int count,
                         sw_solver **solver);

/* ---- queries.c ---- */

/* Why the simulation has no derivative of a step, in static storage; NULL if it has. */
const char *sw_tangent_objection(const sw_sim *sim);

/* ---- lifted.c ---- */

/* Why the simulation has no derivatives with respect to parameters, in static storage; NULL if it
 * has them. */
const char *sw_lifted_objection(const sw_sim *sim);

/* Creates sim->lifted on first use, and sets its state to (q, k, 1; p, 0, 0).  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_lifted_open(sw_sim *sim);
void sw_lifted_set_state(sw_sim *sim);

/* ---- message.c ---- */

/* Clears the last failure at the start of an operation. */
static inline void sw_say_nothing(sw_sim *sim)
{
  sim->message[0] = '\0';
  sim->failure.cause = SW_CAUSE_NONE;
  sim->H_known = 0;
}

/* Writes sim->failure as text to sim->message and returns `status`.  `what` is the operation:
 * "step", "projection" or "tangent". */
sw_status sw_say(sw_sim *sim, const char *what, sw_status status);

/* Rejects an argument: writes sim->message and returns `status`. */
sw_status sw_refuse(sw_sim *sim, sw_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Rejects a value of entry i of k that is outside its bounds. */
sw_status sw_refuse_parameter(sw_sim *sim, int i, double value);

/* Why sw_sim_create rejects the solver "fused" although sw_options_objection accepts the
 * options. */
extern const char sw_no_clusters[];

/* Remedies for a failure other than another step or state. */
typedef enum sw_remedy {
  SW_REMEDY_OTHER,
  SW_REMEDY_PROJECT,
  SW_REMEDY_REDUNDANT, /* for constraints that are proved to follow from others */
  SW_REMEDY_DEPENDENT  /* for gradients that depend on other gradients */
} sw_remedy;

/* Writes the message of the last failure like sw_sim_message, but with the remedies `words`,
 * indexed by sw_remedy, instead of the library's own. */
void sw_sim_message_with(const sw_sim *sim, const char *const words[], char out[SW_MESSAGE_BYTES]);

#endif
