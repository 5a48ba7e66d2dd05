/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * particles.c -- paper 001, section 4: four particles by the energy-momentum method, and a particle whose H has no invariants.
 *
 * Reference numbers: E_gonzalez.json and E_generic.json of the independent computations (page.md).
 */
#include <math.h>

#include "../tests/reference/four_particles.h"
#include "../tests/reference/spherical.h"
#include "../tests/reference/spherical_discrete.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_four_particles;
extern const sw_model sw_model_spherical_discrete;

enum { STEPS = 1000, Q4 = 9, INVARIANTS = 7 };

static const run_setup particles = {&sw_model_four_particles, .method = "energy-momentum"};

/* Largest changes over a run. */
typedef struct kept {
  double first[INVARIANTS]; /* H, L, J, as the model lists them */
  double H;
  double L;
  double J;
  double g;
  double rho[2];
} kept;

/* The largest of n values, and of what has been seen before. */
static double larger(double seen, int n, const double a[], const double b[])
{
  return fmax(seen, run_distance(n, a, b));
}

static void look(sw_sim *sim, int n, kept *seen, FILE *bars, FILE *velocity)
{
  static const double zero[2] = {0.0, 0.0};
  const double *z = sw_sim_state(sim);
  const double *k = sw_sim_parameters(sim);
  double I[INVARIANTS];
  double g[2];
  double rho[2];

  sw_model_four_particles.invariant(NULL, z, k, I);
  sw_model_four_particles.constraint(NULL, z, k, g);
  sw_model_four_particles.hidden(NULL, z, k, rho);
  for (int i = 0; i < INVARIANTS && n == 0; i++) {
    seen->first[i] = I[i];
  }
  seen->H = larger(seen->H, 1, I, seen->first);
  seen->L = larger(seen->L, 3, I + 1, seen->first + 1);
  seen->J = larger(seen->J, 3, I + 4, seen->first + 4);
  seen->g = larger(seen->g, 2, g, zero);
  seen->rho[0] = fmax(seen->rho[0], fabs(rho[0]));
  seen->rho[1] = fmax(seen->rho[1], fabs(rho[1]));
  fprintf(velocity, "%.10g %.6g %.6g\n", 0.01 * n, rho[0], rho[1]);
  /* Two bars: particles 1 and 2, and 3 and 4. */
  for (int i = 0; i < 4 && n % 100 == 0; i++) {
    fprintf(bars, "%.6g %.6g %.6g%s\n", z[3 * i], z[3 * i + 1], z[3 * i + 2], i % 2 ? "\n\n" : "");
  }
}

void table_four_particles(page *p)
{
  sw_sim *sim = run_start(&particles);
  FILE *bars = page_data(p, "001_fig2.dat", "# x, y, z of the ends of a bar: a block for each");
  FILE *velocity = page_data(p, "001_fig3.dat", "# t, velocity constraints");
  kept seen = {.H = 0.0};

  look(sim, 0, &seen, bars, velocity);
  for (int n = 1; n <= STEPS; n++) {
    run_advance(sim, 0.01, 1);
    look(sim, n, &seen, bars, velocity);
  }
  page_close_data(bars);
  page_close_data(velocity);
  sw_sim_free(&sim);
  page_head(p, "1000 steps, h = 0.01 | paper | reference | sidewinder");
  page_below_row(p, "largest change of H", "kept", "< 5e-28", seen.H, 1e-13);
  page_below_row(p, "... of linear momentum", "kept", "< 3e-27", seen.L, 1e-13);
  page_below_row(p, "... of angular momentum", "kept", "< 2e-27", seen.J, 1e-13);
  page_below_row(p, "largest \\|g\\|", "0", "< 4e-31", seen.g, 1e-14);
  page_compare_row(p, "largest velocity of bar 1", "bounded", 1.7278082474909073e-05, seen.rho[0],
                   6);
  page_compare_row(p, "... of bar 2", "bounded", 1.4179192468812768e-05, seen.rho[1], 6);
  page_below_row(p, "distance from the states of the reference", "", "",
                 run_rows_distance(&particles, RUN_ROWS(reference_four_particles_states)), 1e-11);
}

/* Relative error of the position of particle 4 at t = 0.1. */
static double error_of_q4(double h)
{
  const reference_end *better = &reference_four_particles_q4[0];
  static const double zero[3] = {0.0, 0.0, 0.0};
  sw_sim *sim = run_start(&particles);

  run_advance(sim, h, lround(better->t_end / h));
  const double off = run_distance_2(3, sw_sim_state(sim) + Q4, better->x);
  sw_sim_free(&sim);
  return off / run_distance_2(3, better->x, zero);
}

void table_particle_errors(page *p)
{
  const int n = (int)(sizeof reference_four_particles_errors / sizeof(reference_error));
  FILE *data = page_data(p, "001_fig4.dat", "# h, relative error of q4");
  double before = 0.0;

  page_head(p, "h | relative error of q4, reference | sidewinder | order");
  for (int i = 0; i < n; i++) {
    const reference_error *known = &reference_four_particles_errors[i];
    const double found = error_of_q4(known->step);
    page_row(p, "%g", known->step);
    page_compare(p, known->error, found, 4);
    if (i == 0) {
      page_none(p);
    } else {
      page_number(p, log(before / found) / log(known[-1].step / known->step), 3);
    }
    page_end_row(p);
    fprintf(data, "%.10g %.6g\n", known->step, found);
    before = found;
  }
  page_close_data(data);
}

static const run_setup general = {&sw_model_spherical_discrete, .method = "energy-momentum"};

void table_midpoint_formula(page *p)
{
  sw_sim *sim = run_start(&general);
  const double H0 = run_energy(sim);
  double H = 0.0;

  for (int n = 0; n < STEPS; n++) {
    run_advance(sim, 0.1, 1);
    H = fmax(H, fabs(run_energy(sim) - H0));
  }
  sw_sim_free(&sim);
  page_head(p, "h = 0.1 | paper | reference | sidewinder");
  page_below_row(p, "largest change of H, 1000 steps", "kept", "< 8e-31", H, 1e-13);
  page_below_row(p, "distance from the states of the reference", "", "",
                 run_rows_distance(&general, RUN_ROWS(reference_spherical_discrete_states)), 1e-12);
}

void table_midpoint_errors(page *p)
{
  static const double expected[][2] = {{0.0015183485, 0.0047132745},
                                       {0.00038213248, 0.0011786861},
                                       {9.5692448e-5, 0.00029469312},
                                       {2.3933074e-5, 7.3674610e-5},
                                       {5.9838911e-6, 1.8418735e-5}};
  const reference_exact *exact = &reference_spherical_exact[0];

  page_head(p, "h | error of q at t = 1, reference | sidewinder | of p, reference | sidewinder");
  for (int i = 0; i < 5; i++) {
    sw_sim *sim = run_start(&general);
    run_advance(sim, 0.1 / (1 << i), 10L << i);
    const double *z = sw_sim_state(sim);
    page_row(p, "0.1/%d", 1 << i);
    page_compare(p, expected[i][0], run_distance_2(3, z, exact->z), 6);
    page_compare(p, expected[i][1], run_distance_2(3, z + 3, exact->z + 3), 6);
    page_end_row(p);
    sw_sim_free(&sim);
  }
}
