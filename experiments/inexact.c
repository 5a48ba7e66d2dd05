/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inexact.c -- paper 002, sections 7.1 and 8: what inexact solves do to the energy of RATTLE on six nodes.
 */
#include <math.h>
#include <string.h>

#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_chain6;

enum { STEPS = 4000, QUARTERS = 4, NZ = 24 };

static const double h = 0.05;

/* One row: 4000 steps with at most so many iterations of Newton's method in a search, and the rest of the residual
 * tolerated. */
static void inexact(page *p, int iterations, FILE *data)
{
  const run_setup setup = {&sw_model_chain6, .method = "rattle", .tolerance = 0.1,
                           .max_iterations = iterations};
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);
  double mean[QUARTERS] = {0.0};

  for (int n = 1; n <= STEPS; n++) {
    run_advance(sim, h, 1);
    const double H = run_energy(sim) - H0;
    mean[(n - 1) / (STEPS / QUARTERS)] += H / ((double)STEPS / QUARTERS);
    if (n % 10 == 0) {
      fprintf(data, "%.10g %.6g\n", h * n, H);
    }
  }
  fprintf(data, "\n\n");
  page_row(p, "%d", iterations);
  page_size(p, sw_sim_stats(sim).residual_g, 1e-9);
  for (int i = 0; i < QUARTERS; i++) {
    page_cell(p, "%.2f", mean[i]);
  }
  page_end_row(p);
  sw_sim_free(&sim);
}

void table_inexact(page *p)
{
  FILE *data = page_data(p, "002_inexact.dat", "# t, H - H0: 1, 2, 3 iterations");

  page_head(p, "largest number of iterations | \\|g\\| | mean of H - H0, first quarter | second | "
               "third | last");
  for (int i = 1; i <= 3; i++) {
    inexact(p, i, data);
  }
  page_close_data(data);
}

/* `--tolerance` only says when a solve is good enough to be taken; it is always iterated down to round-off. */
void table_tolerance(page *p)
{
  static const double tolerances[] = {1e-12, 1e-9, 1e-6};
  double first[NZ];

  page_head(p, "`--tolerance` | Newton iterations | final state compared with that of 1e-12");
  for (int i = 0; i < 3; i++) {
    const run_setup setup = {&sw_model_chain6, .method = "rattle", .tolerance = tolerances[i]};
    sw_sim *sim = run_start(&setup);
    run_advance(sim, h, STEPS);
    if (i == 0) {
      memcpy(first, sw_sim_state(sim), sizeof first);
    }
    page_row(p, "%.0e", tolerances[i]);
    page_cell(p, "%ld", sw_sim_stats(sim).newton_iterations);
    page_cell(p, "%s",
              memcmp(first, sw_sim_state(sim), sizeof first) == 0 ? "same bits" : "different");
    page_end_row(p);
    sw_sim_free(&sim);
  }
}
