/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_reference_energy.c -- the energy of the initial states, which the heads of the model files
 * state; its bounds along long runs, against reference numbers; and the periods of the double
 * pendulum's small oscillations, which theory gives.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../reference/chain6.h"
#include "../reference/hopf.h"
#include "../reference/index1.h"
#include "../reference/lj7.h"
#include "../reference/two_constraints.h"
#include "reference.h"

typedef struct known_energy {
  const sw_model *model;
  const char *init;
  double energy;
} known_energy;

static const known_energy known[] = {
    {&sw_model_pendulum, "default", -0.675},
    {&sw_model_pendulum_norm, "default", -0.675},
    {&sw_model_spherical, "default", -0.325},
    {&sw_model_hopf, "za", -0.2954796634418472},
    {&sw_model_hopf, "zb", -0.62305490707851353192},
    {&sw_model_hopf, "zc", -0.70424276444476312220},
    {&sw_model_hopf_free, "b1", 0.18},
    {&sw_model_hopf_free, "b2", 0.32},
    {&sw_model_index1, "default", 0.26839821542546397564},
    {&sw_model_two_constraints, "default", -0.97686188615247135497},
    {&sw_model_chain6, "default", 30.0},
    {&sw_model_lj7, "s_shape", -1.1906712929931418116},
    {&sw_model_lj7, "lowest", -1.1906718934004767730},
    {&sw_model_double_pendulum, "horizontal", 0.0},
};

static double energy_error(const known_energy *entry)
{
  const reference_problem problem = {entry->model, NULL, 0.0};
  sw_sim *sim = reference_start(&problem, entry->init, "rattle", "verlet");
  double energy;
  entry->model->hamiltonian(NULL, sw_sim_state(sim), sw_sim_parameters(sim), &energy);
  sw_sim_free(&sim);
  return reference_distance(1, &energy, &entry->energy);
}

/* Sums of up to some forty terms of order one, and one of 30: 64 units of round-off each. */
static void initial_energies(void **unused)
{
  known_energy wrong = known[0];
  (void)unused;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    reference_accept(known[i].model->name, energy_error(&known[i]),
                     64.0 * 2.2204460492503131e-16 * fmax(1.0, fabs(known[i].energy)));
  wrong.energy += 1e-13;
  reference_refuse("pendulum, energy off by 1e-13", energy_error(&wrong), 64.0 * 2.3e-16);
}

static void bounds(const char *what, const reference_problem *problem, int n,
                   const reference_range ranges[], double tolerance)
{
  reference_accept(what, reference_ranges_error(problem, n, ranges), tolerance);
}

static void energy_bounds_of_long_runs(void **unused)
{
  const reference_problem hopf = {&sw_model_hopf, NULL, 0.0};
  const reference_problem index1 = {&sw_model_index1, NULL, 0.0};
  const reference_problem two = {&sw_model_two_constraints, NULL, 0.0};
  const reference_problem soft = {&sw_model_chain6, "kappa", 0.2};
  const reference_problem lj7 = {&sw_model_lj7, NULL, 0.0};
  reference_range wrong = reference_hopf_energy[0];
  (void)unused;
  bounds("hopf, 10000 steps", &hopf, REFERENCE_ROWS(reference_hopf_energy), 1e-11);
  bounds("index1, 1000 steps", &index1, REFERENCE_ROWS(reference_index1_energy), 1e-12);
  bounds("two_constraints, 1000 steps", &two, REFERENCE_ROWS(reference_two_constraints_energy),
         1e-11);
  bounds("chain6, kappa = 0.2, 10000 steps", &soft, REFERENCE_ROWS(reference_chain6_energy_02),
         1e-11);
  bounds("lj7, 2000 steps", &lj7, REFERENCE_ROWS(reference_lj7_energy), 1e-11);
  wrong.high += 2e-11;
  reference_refuse("hopf, upper bound off by 2e-11", reference_ranges_error(&hopf, 1, &wrong),
                   1e-11);
}

/* |z(period) - z(0)| of a small oscillation from rest, in 4000 steps.  The nonlinear terms shift
 * the phase after a period by 2 pi c a^2, where a = 1e-3 is the amplitude and c is of order one;
 * the method shifts it by 2 pi (omega h)^2/24, less than 7e-7.  At the turning point a shift delta
 * shows in p_2, as 2 sqrt 2 a omega delta at most: 3.4e-8 c. */
static double period_error(const char *init, double omega)
{
  const reference_problem problem = {&sw_model_double_pendulum, NULL, 0.0};
  const double period = 2.0 * 3.14159265358979323846 / omega;
  double start[8];
  double error;
  sw_sim *sim = reference_start(&problem, init, "rattle", "verlet");
  memcpy(start, sw_sim_state(sim), sizeof start);
  reference_advance(sim, period / 4000.0, 4000);
  error = reference_distance(8, sw_sim_state(sim), start);
  sw_sim_free(&sim);
  return error;
}

static void double_pendulum_periods(void **unused)
{
  const double allowed = 5e-8;
  (void)unused;
  reference_accept("double pendulum, slow mode", period_error("slow", sqrt(2.0 - sqrt(2.0))),
                   allowed);
  reference_accept("double pendulum, fast mode", period_error("fast", sqrt(2.0 + sqrt(2.0))),
                   allowed);
  reference_refuse("double pendulum, frequency off by 1e-4",
                   period_error("slow", sqrt(2.0 - sqrt(2.0)) * (1.0 + 1e-4)), allowed);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(initial_energies),
      cmocka_unit_test(energy_bounds_of_long_runs),
      cmocka_unit_test(double_pendulum_periods),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
