/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the generated step (sidewinder/stepper.h) with the general solver, step by step from
 * the same states.
 *
 * If both take a step, the states, the multipliers and the rate of convergence must agree.  A
 * wrong Jacobian is visible only in the rate.  The generated step must reject the steps that the
 * general solver rejects, and must take most small steps of either sign.  It is also called with
 * states that a simulation never passes to it: with a NaN, with a singular N, and with other
 * floors.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "common/vectors.h"
#include "model/reduced.h"
#include "program/stepping.h"
#include "sidewinder/stepper.h"
#include "sim/sim_internal.h"

/* Step sizes range from 2^SMALLEST to 2^LARGEST times the model's own; RUN consecutive steps of
 * each size. */
enum { LARGEST = 8, SMALLEST = -10, LEVELS = LARGEST - SMALLEST + 1, RUN = 4 };

/* Number of short steps that replace one step, to find its correct end. */
enum { SHORTER = 16 };

/* Number of additional points, farther away, for each point of `verify`. */
enum { FARTHER = 2 };

/* ENOUGH: the check fails if none of this many good steps is taken by the generated code.
 * most_are_taken: smallest fraction of the good steps of some size that the generated code must
 * take. */
enum { ENOUGH = 100 };
static const double most_are_taken = 0.8;

/* Largest excess of the average iterations of a solve over the general solver's, in FEW or more
 * steps of about one size. */
static const double slower = 0.3;
enum { FEW = 20 };

/* MANY compensated steps, each SMALLER times smaller than the model's own, end within `lost`
 * units of round-off of each other.  Without compensation, their rounding errors add up to about
 * sqrt(MANY)/2 = 32 units. */
enum { MANY = 4096, SMALLER = 1024 };
static const double lost = 6.0;

/* Largest relative error of the residual threshold at which a step is rejected. */
static const double threshold_error = 1e-3;

/* Indices of the verifier's scratch arrays, for a step and its comparison. */
enum { START, MORE, SUM, SCALE, MOVED, POINT, SIZE, USED };

_Static_assert((int)USED <= (int)SW_WORK, "there is room for all of them");

/* Statistics of the steps of about one size and of one sign. */
typedef struct level {
  long good;     /* steps that the general solver takes */
  long taken;    /* steps that both take */
  long solved;   /* steps that both take with the same number of solves */
  double more;   /* sum over `solved` of the excess iterations per solve over the general solver */
  double rounds; /* sum over `solved` of the iterations per solve of the general solver */
} level;

typedef struct straight {
  sw_verifier *v;
  const sw_stepping *pair; /* first: with the generated step; second: with the general solver */
  sw_finding *finding;
  level *at; /* the level of the present step */
  level levels[2][LEVELS];
} straight;

/* One generated step. */
typedef struct attempt {
  int taken;
  const double *end;  /* 2d */
  const double *more; /* 2d, or NULL */
  const double *sum;  /* m: h times the multipliers */
  sw_stats stats;
} attempt;

static int verify_straight_goes_on(const straight *s)
{
  return s->finding->outcome == SW_CHECK_PASS;
}

/* ---- steps ---- */

/* Prepares a step from the state z and `more`, copied to scratch arrays. */
static sw_fused verify_straight_prepare(const straight *s, double h, const double z[],
                                        const double more[])
{
  sw_verifier *v = s->v;
  sw_fused f = sw_fused_begin(s->pair->first, h);
  sw_copy(v->work[START], z, (size_t)v->n);
  if (f.more != NULL) {
    sw_copy(v->work[MORE], more, (size_t)v->n);
    f.more = v->work[MORE];
  }
  f.z = v->work[START];
  f.sum = v->work[SUM];
  return f;
}

static int takes(const straight *s, sw_fused *f)
{
  return s->pair->first->plan->stepper->steps(f, 1) == 1;
}

/* Attempts a step of clusters, which needs the simulation. */
static attempt attempt_clusters(const straight *s, double h, const double z[])
{
  sw_sim *sim = s->pair->first;
  const int taken = sw_sim_set_state(sim, 0.0, z) == SW_OK && sw_fused_steps(sim, h, 1) == 1;
  sw_step_settle(sim);
  for (int i = 0; taken && i < s->v->system->nc; i++) {
    s->v->work[SUM][i] = h * sw_sim_mean_lambda(sim)[i];
  }
  return (attempt){taken, sim->state.z, NULL, s->v->work[SUM], sim->stats};
}

static attempt attempt_step(const straight *s, double h, const double z[], const double more[])
{
  sw_verifier *v = s->v;
  attempt a = {.taken = 0};
  if (s->pair->first->plan->stepper->steps == NULL) {
    return attempt_clusters(s, h, z);
  }
  sw_fused f = verify_straight_prepare(s, h, z, more);
  a.taken = takes(s, &f);
  a.end = f.z;
  a.more = f.more;
  a.sum = f.sum;
  if (a.taken && s->pair->first->system->whole) {
    sw_reduced_spread(s->pair->first->system, f.sum, v->work[SIZE]);
    sw_copy(v->work[SUM], v->work[SIZE], (size_t)v->system->nc);
  }
  if (a.taken) {
    sw_fused_count(&f, 0, 1, &a.stats);
  }
  return a;
}

/* Sets the second simulation to z, ready for steps of size h.  Takes one general step first if
 * the method needs a previous step of the same size. */
static sw_status verify_straight_start(const straight *s, const double z[], double h)
{
  sw_sim *general = s->pair->second;
  const sw_status status = sw_sim_set_state(general, 0.0, z);
  return status == SW_OK && !sw_fused_keeps_pace(general, &general->state.clock, h)
             ? sw_sim_step(general, h)
             : status;
}

/* ---- guards ---- */

static void expect_refusal(const straight *s, double h, const double z[], const double more[],
                           const char *why)
{
  sw_fused f = verify_straight_prepare(s, h, z, more);
  if (verify_straight_goes_on(s) && takes(s, &f)) {
    sw_finding_say(s->finding, SW_CHECK_FAIL, "it takes a step of h = %g from a state %s", h, why);
  }
}

/* Tests states with one entry that is not finite. */
static void feed_bad_states(const straight *s, double h, const double z[], const double more[])
{
  sw_verifier *v = s->v;
  double *bad = v->work[SCALE];
  static const double values[] = {NAN, INFINITY};
  for (int i = 0; i < 2 * v->n; i++) {
    char why[SW_NAME_BYTES + 32];
    sw_copy(bad, z, (size_t)v->n);
    bad[i / 2] = values[i % 2];
    snprintf(why, sizeof why, "where %s is not finite", sw_verifier_z_name(v, i / 2));
    expect_refusal(s, h, bad, more, why);
  }
}

/* 1 if N has a zero row at the state, which makes it singular. */
static int has_no_row(const straight *s, const double z[])
{
  sw_verifier *v = s->v;
  const sw_point at = {0, v->work[SCALE], s->pair->second->k, NULL};
  double *largest = v->work[MOVED];
  sw_copy(v->work[SCALE], z, (size_t)v->n);
  const double *N = sw_verifier_value(v, SW_WITNESS_NONDEGENERACY, &at);
  const sw_pattern *pattern = v->output[SW_WITNESS_NONDEGENERACY].pattern;
  sw_zero(largest, (size_t)v->system->nc);
  for (int e = 0; e < pattern->entries; e++) {
    largest[pattern->row[e]] = fmax(largest[pattern->row[e]], fabs(N[e]));
  }
  for (int i = 0; i < v->system->nc; i++) {
    if (largest[i] == 0.0 && !sw_follows(v->system, i)) {
      return 1;
    }
  }
  return 0;
}

/* Tests states with zero positions, zero momenta, or both.  The N of many models vanishes
 * there. */
static void feed_singular_states(const straight *s, double h, const double z[], const double more[])
{
  sw_verifier *v = s->v;
  double *bad = v->work[SIZE];
  for (int half = 0; half < 3; half++) {
    sw_copy(bad, z, (size_t)v->n);
    for (int i = 0; i < v->n; i++) {
      bad[i] = half == 2 || (i >= v->system->nq) == half ? 0.0 : bad[i];
    }
    if (has_no_row(s, bad)) {
      expect_refusal(s, h, bad, more, "where N is singular");
    }
  }
}

/* Lower end of the search for the smallest floor. */
static const double least_of_all = 1e-40;

/* Finds the smallest floor with which the step is taken, by bisection. */
static double least_floor(const straight *s, double h, const double z[], const double more[])
{
  double low = least_of_all;
  double high = 1.0;
  for (int i = 0; i < 24; i++) {
    const double middle = sqrt(low) * sqrt(high);
    sw_fused f = verify_straight_prepare(s, h, z, more);
    f.floor = middle;
    if (takes(s, &f)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return high;
}

/* Computes the largest and the smallest scale of the residuals at z, sum_j |df_i/dz_j| size_j,
 * for f = g or f = rho.  bounds[0] is the smallest one. */
static void scale_bounds(const straight *s, int jacobian, const double z[], double bounds[2])
{
  sw_verifier *v = s->v;
  const sw_point at = {0, v->work[SCALE], s->pair->second->k, NULL};
  const size_t d = (size_t)v->system->nq;
  const double size[] = {sw_max_abs(d, z), sw_max_abs(d, z + d)};
  sw_copy(v->work[SCALE], z, (size_t)v->n);
  const double *slope = sw_verifier_value(v, jacobian, &at);
  const sw_pattern *pattern = v->output[jacobian].pattern;
  double *scale = v->work[MOVED];
  sw_zero(scale, (size_t)v->system->nc);
  for (int e = 0; e < pattern->entries; e++) {
    scale[pattern->row[e]] += fabs(slope[e]) * size[pattern->col[e] >= v->system->nq];
  }
  bounds[0] = bounds[1] = scale[0];
  for (int i = 1; i < v->system->nc; i++) {
    bounds[0] = fmin(bounds[0], scale[i]);
    bounds[1] = fmax(bounds[1], scale[i]);
  }
}

/* Checks that the step is taken exactly if the floor is at least its largest scaled residual. */
static void check_floor(const straight *s, double h, int point, const double z[],
                        const double more[])
{
  double g[2];
  double rho[2];
  if (s->v->system->nc == 0) {
    return;
  }
  sw_fused f = verify_straight_prepare(s, h, z, more);
  f.floor = 1.0;
  if (!takes(s, &f)) {
    return;
  }
  const double largest_g = f.residual_g[0];
  const double largest_rho = s->pair->first->work.check.on_hidden ? f.residual_rho[0] : 0.0;
  scale_bounds(s, SW_WITNESS_CONSTRAINT_JAC, f.z, g);
  scale_bounds(s, SW_WITNESS_HIDDEN_JAC, f.z, rho);
  const double low = fmax(largest_g / g[1], largest_rho / rho[1]);
  const double high = fmax(largest_g / g[0], largest_rho / rho[0]);
  const double found = least_floor(s, h, z, more);
  if (!(found >= low * (1.0 - threshold_error)) ||
      !(found <= high * (1.0 + threshold_error) + 2.0 * least_of_all)) {
    sw_finding_say(
        s->finding, SW_CHECK_FAIL,
        "h = %g: the end of a step is accepted from a floor of %.4g on, and its largest scaled "
        "residual is between %.4g and %.4g (point %d)",
        h, found, low, high, point);
  }
}

static void check_guards(straight *s, const sw_point *at)
{
  const double h = sw_stepping_first_step(s->v->system) / 16.0;
  const sw_sim *general = s->pair->second;
  if (s->pair->first->plan->stepper->steps == NULL || verify_straight_start(s, at->z, h) != SW_OK) {
    return;
  }
  feed_bad_states(s, h, general->state.z, general->state.more);
  if (s->v->system->nc > 0) {
    feed_singular_states(s, h, general->state.z, general->state.more);
  }
}

/* ---- agreement ---- */

/* Compares the multipliers by the displacement that their differences cause together.  The
 * displacement is relative to that of each multiplier and to the size of a state.  The
 * multipliers themselves are not compared, because round-off dominates them if constraints are
 * nearly dependent. */
static void compare_multipliers(const straight *s, double h, int point, const double sum[],
                                sw_finding *found)
{
  sw_verifier *v = s->v;
  const sw_sim *general = s->pair->second;
  const int d = v->system->nq;
  const sw_point at = {point, general->state.z, general->k, NULL};
  const double *lambda = sw_sim_mean_lambda(general);
  double *u = v->work[SCALE];
  double *moved = v->work[MOVED];
  double *size = v->work[SIZE];
  sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, &at);
  for (int i = 0; i < v->system->nc; i++) {
    u[i] = h * lambda[i];
  }
  sw_verifier_multiply_transposed(v, SW_WITNESS_CONSTRAINT_JAC, u, moved, size);
  for (int i = 0; i < v->system->nc; i++) {
    u[i] = sum[i] - h * lambda[i];
  }
  sw_verifier_multiply_transposed(v, SW_WITNESS_CONSTRAINT_JAC, u, moved, v->work[START]);
  for (int j = 0; j < v->n; j++) {
    const int i = j < d ? j + d : j - d;
    sw_finding_take(found, sw_figure(moved[j], size[j] + v->length[i]),
                    "h = %g: multipliers differ by what moves %s by %.3g (point %d)", h,
                    sw_verifier_z_name(v, i), moved[j], point);
  }
}

/* Compares a step that both have taken.  A step larger than the model's own may be
 * ill-conditioned, by about the square of the ratio. */
static void compare_step(straight *s, double h, int point, const attempt *a, const sw_stats *before)
{
  const sw_sim *general = s->pair->second;
  const double ratio = h / sw_stepping_first_step(s->v->system);
  const double by = fmax(1.0, ratio * ratio);
  const long solves = general->stats.solves - before->solves;
  sw_finding found = {.worst = -1.0, .tolerance = by * s->finding->tolerance};
  char what[32];
  snprintf(what, sizeof what, "h = %g", h);
  if (solves > 0 && a->stats.solves == solves) {
    const long rounds = general->stats.newton_iterations - before->newton_iterations;
    s->at->solved++;
    s->at->more += (double)(a->stats.newton_iterations - rounds) / (double)solves;
    s->at->rounds += (double)rounds / (double)solves;
  }
  sw_finding_take_state(&found, s->v, a->end, general->state.z, what, point);
  if (a->more != NULL && general->plan->method->earlier) {
    sw_finding_take_state(&found, s->v, a->more, general->state.more, "the state before", point);
  }
  if (s->v->system->nc > 0) {
    compare_multipliers(s, h, point, a->sum, &found);
  }
  sw_finding_take(s->finding, found.worst / by, "%s", found.note);
}

/* Takes MANY steps of size h one by one, so that each step stores its carry and loads that of the
 * previous step. */
static sw_status step_singly(sw_sim *sim, const double z[], double h)
{
  sw_status status = sw_sim_set_state(sim, 0.0, z);
  for (int i = 0; i < MANY && status == SW_OK; i++) {
    status = sw_sim_step(sim, h);
  }
  return status;
}

/* Compares the ends of many small compensated steps from a point. */
static void compare_carries(const straight *s, const sw_point *at)
{
  const sw_verifier *v = s->v;
  const double h = sw_stepping_first_step(v->system) / SMALLER;
  sw_sim *const *of = (sw_sim *const[]){s->pair->first, s->pair->second};
  if (!of[0]->plan->options.compensated || step_singly(of[0], at->z, h) != SW_OK ||
      step_singly(of[1], at->z, h) != SW_OK) {
    return;
  }
  const double *generated = sw_sim_state(of[0]);
  const double *general = sw_sim_state(of[1]);
  for (int i = 0; i < v->n && verify_straight_goes_on(s); i++) {
    const double size = fmax(v->length[i] / 16.0, fmax(fabs(at->z[i]), fabs(general[i])));
    const double units = fabs(generated[i] - general[i]) / (DBL_EPSILON * size);
    if (!(units <= lost)) {
      sw_finding_say(s->finding, SW_CHECK_FAIL,
                     "after %d compensated steps of h = %g from point %d, %s differs by %.3g units "
                     "of round-off",
                     MANY, h, at->number, sw_verifier_z_name(v, i), units);
    }
  }
}

/* 1 if the step's `end` is near the end of SHORTER general steps from the same state, relative to
 * their displacement. */
static int follows_short_steps(const straight *s, double h, const double z[], const double end[])
{
  const sw_verifier *v = s->v;
  double *reached = v->work[SCALE];
  double apart = 0.0;
  double moved = 0.0;
  if (sw_stepping_run(s->pair->second, z, h / SHORTER, SHORTER, reached) != SW_OK) {
    return 0;
  }
  for (int i = 0; i < v->n; i++) {
    apart = fmax(apart, fabs(end[i] - reached[i]) / v->length[i]);
    moved = fmax(moved, fabs(reached[i] - z[i]) / v->length[i]);
  }
  return apart <= 0.5 * moved;
}

/* Decides about a step that only the generated code takes: one of the two codes has left the
 * branch of the state. */
static void judge_other_branch(straight *s, double h, int point, const attempt *a, sw_status status)
{
  sw_verifier *v = s->v;
  double *z = v->work[MOVED];
  double *end = v->work[SIZE];
  sw_copy(z, s->pair->second->state.z, (size_t)v->n);
  sw_copy(end, a->end, (size_t)v->n);
  if (!follows_short_steps(s, h, z, end)) {
    sw_finding_say(s->finding, SW_CHECK_FAIL,
                   "it takes a step of h = %g from point %d that the general solver refuses: %s", h,
                   point, sw_status_name(status));
  }
}

/* Takes a general step of the method.  The kicks of forces are outside of generated steps. */
static sw_status step_of_method(sw_sim *sim, double h)
{
  if (!sim->plan->is_forced) {
    return sw_sim_step(sim, h);
  }
  const sw_status status = sw_step_to(sim, sw_clock_next(&sim->state.clock, h));
  sw_step_settle(sim);
  return status;
}

/* Takes one step with both codes and compares them. */
static void step_both(straight *s, double h, int point, sw_status *status)
{
  sw_sim *general = s->pair->second;
  const sw_stats before = general->stats;
  const attempt a = attempt_step(s, h, general->state.z, general->state.more);
  *status = step_of_method(general, h);
  s->at->good += *status == SW_OK;
  s->at->taken += *status == SW_OK && a.taken;
  /* The energy monitor of the general simulation also refuses steps that its solver takes. */
  if (a.taken && *status != SW_OK && *status != SW_ERR_ENERGY) {
    judge_other_branch(s, h, point, &a, *status);
  } else if (a.taken && *status == SW_OK) {
    compare_step(s, h, point, &a, &before);
  }
}

/* Takes steps of all sizes and of one sign from a point. */
static void walk(straight *s, const sw_point *at, double sign)
{
  const sw_sim *sim = s->pair->first;
  const int is_single = sim->plan->composition->n == 1;
  const double own = sign * sw_stepping_first_step(s->v->system);
  for (int e = is_single ? LARGEST : 0; e >= SMALLEST && verify_straight_goes_on(s); e--) {
    const double h = ldexp(own, e);
    sw_status status = verify_straight_start(s, at->z, h);
    s->at = &s->levels[sign < 0.0][e - SMALLEST];
    if (status == SW_OK && is_single && sim->plan->stepper->steps != NULL) {
      check_floor(s, h, at->number, s->pair->second->state.z, s->pair->second->state.more);
    }
    for (int n = 0; n < RUN && status == SW_OK && verify_straight_goes_on(s); n++) {
      step_both(s, h, at->number, &status);
    }
  }
}

/* ---- the whole check ---- */

/* Moves to a point farther from the initial states than the points of `verify`.  Returns 0 if
 * there is none. */
static int move_away(const straight *s, const sw_point *from, double amount, double z[])
{
  sw_verifier *v = s->v;
  sw_sim *general = s->pair->second;
  for (int i = 0; i < v->n; i++) {
    z[i] = from->z[i] + amount * v->length[i] * sw_verifier_random(v);
  }
  if (sw_sim_set_state(general, 0.0, z) != SW_OK || sw_sim_project(general) != SW_OK) {
    return 0;
  }
  sw_copy(z, sw_sim_state(general), (size_t)v->n);
  return 1;
}

static void check_point(straight *s, const sw_point *at)
{
  walk(s, at, 1.0);
  walk(s, at, -1.0);
  if (verify_straight_goes_on(s)) {
    check_guards(s, at);
  }
  if (verify_straight_goes_on(s)) {
    compare_carries(s, at);
  }
}

/* The largest fraction of good steps of one sign, over all sizes, that the generated code takes;
 * 1 if there are too few steps. */
static double best_part(const level levels[])
{
  double best = -1.0;
  for (int i = 0; i < LEVELS; i++) {
    if (levels[i].good >= FEW) {
      best = fmax(best, (double)levels[i].taken / (double)levels[i].good);
    }
  }
  return best < 0.0 ? 1.0 : best;
}

/* Checks that the solves of steps of one sign converge as fast as the general solver's. */
static void judge_convergence(const straight *s, const level levels[])
{
  for (int i = 0; i < LEVELS && verify_straight_goes_on(s); i++) {
    const double excess = levels[i].more / (double)levels[i].solved;
    /* An affine solve takes one iteration, and one more if its residual is at round-off of what is
     * accepted; with a wrong Jacobian it takes many.  A compensated step needs one more iteration
     * (sidewinder/fused_solve.h). */
    const int is_affine = levels[i].rounds <= 1.25 * (double)levels[i].solved;
    const double allowed =
        slower + (is_affine ? 1.0 : 0.0) + (s->pair->first->plan->options.compensated ? 1.0 : 0.0);
    if (levels[i].solved >= FEW && excess > allowed) {
      sw_finding_say(s->finding, SW_CHECK_FAIL,
                     "its solves take %.2f iterations more than those of the general solver, on "
                     "average over %ld steps",
                     excess, levels[i].solved);
    }
  }
}

/* Checks that the generated step was used and that its solves converge. */
static void conclude(const straight *s)
{
  long good = 0;
  long taken = 0;
  for (int sign = 0; sign < 2; sign++) {
    for (int i = 0; i < LEVELS; i++) {
      good += s->levels[sign][i].good;
      taken += s->levels[sign][i].taken;
    }
  }
  for (int sign = 0; sign < 2 && verify_straight_goes_on(s); sign++) {
    const double part = best_part(s->levels[sign]);
    if (part < most_are_taken || (taken == 0 && good >= ENOUGH)) {
      sw_finding_say(
          s->finding, SW_CHECK_FAIL,
          "it takes %ld of %ld steps that the general solver takes, and with h %s 0 at most "
          "%.0f %% of those of one size",
          taken, good, sign == 0 ? ">" : "<", 100.0 * part);
    }
    judge_convergence(s, s->levels[sign]);
  }
  if (verify_straight_goes_on(s) && s->finding->note[0] == '\0') {
    sw_finding_say(s->finding, SW_CHECK_PASS, "it takes %ld of %ld steps", taken, good);
  }
}

/* Checks the points of `verify`, and `farther` additional points for each of them. */
static void verify_straight_check_points(straight *s, int farther)
{
  sw_verifier *v = s->v;
  for (int i = 0; i < v->reached && verify_straight_goes_on(s); i++) {
    if (sw_sim_set_parameters(s->pair->first, v->on[i].k) != SW_OK ||
        sw_sim_set_parameters(s->pair->second, v->on[i].k) != SW_OK) {
      continue;
    }
    check_point(s, &v->on[i]);
    for (int j = 0; j < farther && verify_straight_goes_on(s); j++) {
      const sw_point other = {v->on[i].number, v->work[POINT], v->on[i].k, NULL};
      if (move_away(s, &v->on[i], j % 2 ? 1.0 : 0.3, v->work[POINT])) {
        check_point(s, &other);
      }
    }
  }
}

/* Checks the steps of the method, and of a composition of it if there is one. */
void sw_check_straight_line(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  static const char *const compositions[] = {"none", "triple-jump-4"};
  (void)at;
  for (int i = 0; i < 2 && finding->outcome == SW_CHECK_PASS; i++) {
    sw_stepping pair;
    straight s = {.v = v, .pair = &pair, .finding = finding};
    if (sw_stepping_init_straight(v, compositions[i], &pair, finding)) {
      verify_straight_check_points(&s, i == 0 ? FARTHER : 0);
      conclude(&s);
    }
    sw_stepping_clear(&pair);
  }
}
