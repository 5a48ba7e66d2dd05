/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.c -- the cost of a step: straight-line code, the general solver, and the general solver
 * without proofs about the structure.
 *
 * The kinds of steps are timed alternately in one process, in processor time, round by round, and
 * the minimum of each counts; so ratios are fair on a noisy machine.  round.c compares with
 * hand-written steps.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain6.h"
#include "charged_sphere.h"
#include "double_pendulum.h"
#include "four_particles.h"
#include "hopf.h"
#include "lj7.h"
#include "measure.h"
#include "mirror.h"
#include "pendulum.h"
#include "sidewinder/sim.h"
#include "spherical.h"
#include "spherical_pendulum.h"
#include "two_constraints.h"

enum { ROUNDS = 9, SHORT_ROUNDS = 200 };

static sw_sim *start(const sw_model *model, const char *method, const char *base,
                     const sw_stepper *stepper)
{
  sw_sim *sim = NULL;
  sw_options options;
  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.stepper = stepper;
  if (sw_sim_create(model, &options, &sim) != SW_OK) {
    fprintf(stderr, "cannot create a simulation of %s\n", model->name);
    exit(3);
  }
  return sim;
}

static void run(sw_sim *sim, double h, long steps)
{
  if (sw_sim_run(sim, h, steps, NULL, NULL) != SW_OK) {
    fprintf(stderr, "%s: %s\n", sw_sim_model(sim)->name, sw_sim_message(sim));
    exit(3);
  }
}

/* Times straight-line code and the general solver alternately, in rounds short enough that some
 * are not interrupted. */
static void compare_ways(const sw_model *model, const sw_stepper *stepper, double h)
{
  const long steps = 500;
  double best[2] = {INFINITY, INFINITY};
  long fused = 0;
  for (int round = 0; round < SHORT_ROUNDS; round++) {
    for (int way = 0; way < 2; way++) {
      sw_sim *sim = start(model, stepper->method, stepper->base, way == 0 ? stepper : NULL);
      run(sim, h, 2); /* the first steps may start from rest */
      const long before_them = sw_sim_stats(sim).fused_steps;
      const double before = seconds();
      run(sim, h, steps);
      best[way] = fmin(best[way], seconds() - before);
      fused = way == 0 ? sw_sim_stats(sim).fused_steps - before_them : fused;
      sw_sim_free(&sim);
    }
  }
  printf("  %-18s %-15s %-9s %9.1f %9.1f ns a step, ratio %5.1f; %5.1f %% of the steps\n",
         model->name, stepper->method, stepper->base, 1e9 * best[0] / (double)steps,
         1e9 * best[1] / (double)steps, best[1] / best[0], 100.0 * (double)fused / (double)steps);
}

#ifdef BENCH_OTHER_METHODS
extern const sw_stepper sw_stepper_pendulum_leapfrog_none;
extern const sw_stepper sw_stepper_pendulum_vs_none;
extern const sw_stepper sw_stepper_pendulum_lobatto_lobatto_4;
extern const sw_stepper sw_stepper_pendulum_lobatto_lobatto_6;
extern const sw_stepper sw_stepper_double_pendulum_lobatto_lobatto_4;
extern const sw_stepper sw_stepper_chain6_leapfrog_none;
extern const sw_stepper sw_stepper_chain6_lobatto_lobatto_4;
extern const sw_stepper sw_stepper_pendulum_bdf2_none;
extern const sw_stepper sw_stepper_double_pendulum_bdf2_none;
extern const sw_stepper sw_stepper_charged_sphere_rattle_midpoint;
extern const sw_stepper sw_stepper_charged_sphere_rattle_splitting;
extern const sw_stepper sw_stepper_mirror_rattle_splitting;

static void compare_other_methods(void)
{
  compare_ways(&sw_model_pendulum, &sw_stepper_pendulum_leapfrog_none, 0.1);
  compare_ways(&sw_model_chain6, &sw_stepper_chain6_leapfrog_none, 0.01);
  compare_ways(&sw_model_pendulum, &sw_stepper_pendulum_vs_none, 0.1);
  compare_ways(&sw_model_pendulum, &sw_stepper_pendulum_lobatto_lobatto_4, 0.1);
  compare_ways(&sw_model_pendulum, &sw_stepper_pendulum_lobatto_lobatto_6, 0.1);
  compare_ways(&sw_model_double_pendulum, &sw_stepper_double_pendulum_lobatto_lobatto_4, 0.01);
  compare_ways(&sw_model_chain6, &sw_stepper_chain6_lobatto_lobatto_4, 0.01);
  compare_ways(&sw_model_pendulum, &sw_stepper_pendulum_bdf2_none, 0.1);
  compare_ways(&sw_model_double_pendulum, &sw_stepper_double_pendulum_bdf2_none, 0.01);
  compare_ways(&sw_model_charged_sphere, &sw_stepper_charged_sphere_rattle_midpoint, 0.05);
  compare_ways(&sw_model_charged_sphere, &sw_stepper_charged_sphere_rattle_splitting, 0.05);
  compare_ways(&sw_model_mirror, &sw_stepper_mirror_rattle_splitting, 0.02);
}
#endif

static void time_model(const sw_model *model, const char *base, double h, long steps)
{
  double best = INFINITY;
  sw_stats stats = {0};
  for (int round = 0; round < ROUNDS; round++) {
    sw_sim *sim = start(model, "rattle", base, NULL);
    double t0 = seconds();
    run(sim, h, steps);
    best = fmin(best, seconds() - t0);
    stats = sw_sim_stats(sim);
    sw_sim_free(&sim);
  }
  printf("  %-10s %-9s d = %2d, m = %2d  %9.1f ns a step, %4.2f Newton iterations a step\n",
         model->name, base, model->n_coordinates, model->n_constraints, 1e9 * best / (double)steps,
         (double)stats.newton_iterations / (double)stats.steps);
}

static double time_steps(const sw_model *model, const char *method, const char *base, double h,
                         long steps)
{
  sw_sim *sim = NULL;
  sw_options options;
  sw_options_init(&options);
  options.method = method;
  options.base = base;
  if (sw_sim_create(model, &options, &sim) != SW_OK) {
    fprintf(stderr, "cannot create a simulation of %s\n", model->name);
    exit(3);
  }
  double t0 = seconds();
  run(sim, h, steps);
  double t1 = seconds();
  sw_sim_free(&sim);
  return t1 - t0;
}

/* Times steps with {g_i, g_j} and N marked as proved, and with neither proved.  In the second
 * case every step evaluates both at its end.  Rounds are short enough that some are not
 * interrupted. */
static void compare_watched(const sw_model *model, const char *method, const char *base, double h,
                            long steps)
{
  sw_model proved = *model;
  sw_model watched = *model;
  proved.structure.coisotropic = SW_PROVED;
  proved.structure.nondegenerate = SW_PROVED;
  watched.structure.coisotropic = SW_NOT_PROVED;
  watched.structure.nondegenerate = SW_NOT_PROVED;
  double best_proved = INFINITY;
  double best_watched = INFINITY;
  for (int round = 0; round < SHORT_ROUNDS; round++) {
    best_proved = fmin(best_proved, time_steps(&proved, method, base, h, steps));
    best_watched = fmin(best_watched, time_steps(&watched, method, base, h, steps));
  }
  printf("  %-12s %-7s %-9s %9.1f %9.1f ns a step, ratio %5.2f\n", model->name, method, base,
         1e9 * best_proved / (double)steps, 1e9 * best_watched / (double)steps,
         best_watched / best_proved);
}

int main(void)
{
  printf("Straight-line code and the general way\n");
  compare_ways(&sw_model_pendulum, &sw_stepper_pendulum, 0.1);
  compare_ways(&sw_model_hopf, &sw_stepper_hopf, 0.1);
  compare_ways(&sw_model_double_pendulum, &sw_stepper_double_pendulum, 0.01);
  compare_ways(&sw_model_spherical, &sw_stepper_spherical, 0.05);
  compare_ways(&sw_model_two_constraints, &sw_stepper_two_constraints, 0.02);
  compare_ways(&sw_model_chain6, &sw_stepper_chain6, 0.01);
  compare_ways(&sw_model_lj7, &sw_stepper_lj7, 0.005);
  compare_ways(&sw_model_four_particles, &sw_stepper_four_particles, 0.01);
  compare_ways(&sw_model_spherical_pendulum, &sw_stepper_spherical_pendulum, 0.1);
#ifdef BENCH_OTHER_METHODS
  compare_other_methods();
#endif
  printf("\n");
  printf("Steps where {g_i,g_j} = 0 and N are proved, and where they are watched\n");
  compare_watched(&sw_model_pendulum, "shake", "verlet", 0.01, 1000);
  compare_watched(&sw_model_chain6, "shake", "verlet", 0.005, 500);
  compare_watched(&sw_model_chain6, "rattle", "verlet", 0.005, 500);
  compare_watched(&sw_model_hopf, "rattle", "midpoint", 0.01, 1000);
  compare_watched(&sw_model_two_constraints, "shake", "midpoint", 0.01, 1000);
  compare_watched(&sw_model_two_constraints, "rattle", "midpoint", 0.01, 1000);
  printf("\n");
  printf("RATTLE through the runtime\n");
  time_model(&sw_model_pendulum, "verlet", 0.01, 50000);
  time_model(&sw_model_pendulum, "midpoint", 0.01, 50000);
  time_model(&sw_model_hopf, "verlet", 0.01, 50000);
  time_model(&sw_model_hopf, "midpoint", 0.01, 50000);
  time_model(&sw_model_chain6, "verlet", 0.005, 10000);
  time_model(&sw_model_lj7, "verlet", 0.01, 5000);
  return 0;
}
