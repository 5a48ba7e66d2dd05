/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * molecule.c -- paper 002, section 7.4, Figs. 6 and 7: RATTLE and BDF2 on seven atoms.
 *
 * Reference numbers: D_lj.json and D_misc.json of the independent computations (page.md).
 */
#include <math.h>
#include <string.h>

#include "../tests/reference/lj7.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_lj7;

enum { STEPS = 2000, QUARTERS = 4, AT = 5 };

static const double h = 0.1;
static const int at[AT] = {100, 200, 500, 1000, 2000};

typedef struct energies {
  double low; /* of H - H0 */
  double high;
  double mean[QUARTERS];
  double at[AT];
} energies;

/* Energies over 2000 steps; the motion of the first atom and the energy go to `data`. */
static energies watch(const char *method, const char *init, double tolerance, FILE *data)
{
  const run_setup setup = {&sw_model_lj7, .init = init, .method = method, .tolerance = tolerance};
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);
  energies e = {.low = INFINITY, .high = -INFINITY};

  for (int n = 1; n <= STEPS; n++) {
    run_advance(sim, h, 1);
    const double H = run_energy(sim) - H0;
    e.low = fmin(e.low, H);
    e.high = fmax(e.high, H);
    e.mean[(n - 1) / (STEPS / QUARTERS)] += H / ((double)STEPS / QUARTERS);
    for (int i = 0; i < AT; i++) {
      e.at[i] = n == at[i] ? H : e.at[i];
    }
    if (data != NULL && n % 2 == 0) {
      fprintf(data, "%.10g %.6f %.6f %.6f\n", h * n, sw_sim_state(sim)[0], sw_sim_state(sim)[1],
              H + H0);
    }
  }
  if (data != NULL) {
    fprintf(data, "\n\n");
  }
  sw_sim_free(&sim);
  return e;
}

void table_molecule(page *p)
{
  static const double damped[2][AT] = {
      {-0.025733427994809377, -0.037436671819403466, -0.05180052009918956, -0.05572610263653943,
       -0.057056188787425244},
      {-0.03529654970532059, -0.04900434122693653, -0.05890422169156051, -0.06070625042516986,
       -0.06114438681342271}};
  static const char *const starts[] = {"s_shape", "lowest"};
  static const double means[2][2] = {{0.0009510628254112419, 0.000950475727453215},
                                     {0.0015561931424201703, 0.0015971131821170825}};
  const run_setup all = {&sw_model_lj7, .method = "rattle"};
  char what[64];

  page_head(p, "h = 0.1, to t = 200 | paper | reference | sidewinder");
  for (int s = 0; s < 2; s++) {
    FILE *data = s == 0 ? page_data(p, "002_fig6.dat", "# t, q.1.x, q.1.y, H: RATTLE, BDF2") : NULL;
    const energies rattle = watch("rattle", starts[s], 0.0, data);
    const energies bdf = watch("bdf2", starts[s], 0.0, data);
    if (data != NULL) {
      page_close_data(data);
    }
    snprintf(what, sizeof what, "`%s`, RATTLE: smallest H - H0", starts[s]);
    page_compare_row(p, what, "conserved", reference_lj7_energy[s].low, rattle.low, 6);
    page_compare_row(p, "... largest H - H0", "conserved", reference_lj7_energy[s].high,
                     rattle.high, 6);
    page_compare_row(p, "... mean, first quarter", "conserved", means[s][0], rattle.mean[0], 6);
    page_compare_row(p, "... mean, last quarter", "conserved", means[s][1], rattle.mean[3], 6);
    for (int i = 0; i < AT; i++) {
      snprintf(what, sizeof what, "%s at t = %g", i == 0 ? "BDF2: H - H0" : "...", h * at[i]);
      page_compare_row(p, what, "lost", damped[s][i], bdf.at[i], 6);
    }
  }
  page_row(p, "distance of RATTLE from the reference, up to 2000 steps");
  page_none(p);
  page_cell(p, "< 8e-12 in double precision");
  page_below(p, run_rows_distance(&all, RUN_ROWS(reference_lj7_states)), 1e-10);
  page_end_row(p);
}

/* ---- larger steps ---- */

/* One cell: what became of 200 units of time with steps of size `step`. */
static void outcome(page *p, const char *method, double step)
{
  const run_setup setup = {&sw_model_lj7, .init = "s_shape", .method = method};
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);
  const long steps = lround(200.0 / step);
  sw_status status = SW_OK;
  long n = 0;

  while (n < steps && status == SW_OK) {
    status = sw_sim_step(sim, step);
    n++;
  }
  if (status != SW_OK) {
    page_cell(p, "fails at step %ld, `%s`", n, sw_status_name(status));
  } else {
    page_cell(p, "H - H0 = %.1e", run_energy(sim) - H0);
  }
  sw_sim_free(&sim);
}

void table_larger_steps(page *p)
{
  static const struct {
    double step;
    const char *rattle;
    const char *bdf;
  } rows[] = {{0.1, "runs", "H - H0 = -5.7e-02"},
              {0.2, "runs", "H - H0 = -5.7e-02"},
              {0.25, "runs", "H - H0 = -5.8e-02"},
              {0.3, "fails at step 49", "H - H0 = -5.8e-02"},
              {0.35, "fails at step 12", "H - H0 = -5.9e-02"},
              {0.4, "fails at step 13", "H - H0 = -5.9e-02"},
              {0.5, "fails at step 5", "fails at step 14"}};

  page_head(p, "h | RATTLE, reference | sidewinder | BDF2, reference | sidewinder");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    page_row(p, "%g", rows[i].step);
    page_cell(p, "%s", rows[i].rattle);
    outcome(p, "rattle", rows[i].step);
    page_cell(p, "%s", rows[i].bdf);
    outcome(p, "bdf2", rows[i].step);
    page_end_row(p);
  }
}
