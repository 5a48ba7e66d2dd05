/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain.c -- paper 002, sections 7.2 and 7.3, Figs. 2 to 5: VS, RATTLE (there VR) and BDF2 on six nodes with rigid links.
 *
 * Reference numbers: D_chain.json and D_misc.json of the independent computations (page.md).  The paper's g is half of the
 * model's, and so is the residual g'(q) p of the velocity constraint.
 */
#include <math.h>
#include <string.h>

#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_chain6;

enum { NZ = 24, LINKS = 5 };

static run_setup chain(const char *method, double kappa)
{
  return (run_setup){&sw_model_chain6, .method = method, .parameter = "kappa", .value = kappa};
}

/* ---- Fig. 2 ---- */

/* max_i |g_i'(q) p|. */
static double velocity_residual(const sw_sim *sim)
{
  double rho[LINKS];

  sw_model_chain6.hidden(NULL, sw_sim_state(sim), sw_sim_parameters(sim), rho);
  return run_largest(LINKS, rho) / 2.0;
}

typedef struct residuals {
  double first; /* after step 1 */
  double hundredth;
  double max;
  double mean;        /* of steps 1 to 999: VS looks one step ahead, and the reference ends there */
  double early;       /* the largest of the first quarter */
  double late;        /* of the last */
  double from_rattle; /* largest distance of the positions */
} residuals;

static residuals watch_residual(const char *method, double kappa, FILE *data)
{
  const run_setup setup = chain(method, kappa);
  const run_setup by_rattle = chain("rattle", kappa);
  sw_sim *sim = run_start(&setup);
  sw_sim *rattle = run_start(&by_rattle);
  residuals r = {0};

  for (int n = 1; n <= 1000; n++) {
    run_advance(sim, 0.01, 1);
    run_advance(rattle, 0.01, 1);
    const double size = velocity_residual(sim);
    r.first = n == 1 ? size : r.first;
    r.hundredth = n == 100 ? size : r.hundredth;
    r.max = fmax(r.max, size);
    r.mean += n < 1000 ? size / 999.0 : 0.0;
    r.early = n <= 250 ? fmax(r.early, size) : r.early;
    r.late = n > 750 ? fmax(r.late, size) : r.late;
    r.from_rattle =
        fmax(r.from_rattle, run_distance(NZ / 2, sw_sim_state(sim), sw_sim_state(rattle)));
    if (data != NULL && n % 2 == 0) {
      fprintf(data, "%.10g %.6g\n", 0.01 * n, size);
    }
  }
  if (data != NULL) {
    fprintf(data, "\n\n");
  }
  sw_sim_free(&sim);
  sw_sim_free(&rattle);
  return r;
}

/* The paper's ideal method: steps of SHAKE, and a projection only where output is wanted.  Its distance from RATTLE. */
static double ideal_from_rattle(void)
{
  const run_setup by_shake = chain("shake", 1.0);
  const run_setup by_rattle = chain("rattle", 1.0);
  sw_sim *shake = run_start(&by_shake);
  sw_sim *rattle = run_start(&by_rattle);
  sw_sim *output = run_start(&by_rattle);

  run_advance(shake, 0.01, 1000);
  run_advance(rattle, 0.01, 1000);
  run_set_state(output, sw_sim_state(shake));
  if (sw_sim_project(output) != SW_OK) {
    page_die("no projection: %s", sw_sim_message(output));
  }
  const double distance = run_distance(NZ, sw_sim_state(output), sw_sim_state(rattle));
  sw_sim_free(&shake);
  sw_sim_free(&rattle);
  sw_sim_free(&output);
  return distance;
}

void table_velocity_residual(page *p)
{
  FILE *data = page_data(p, "002_fig2.dat", "# t, residual: VS, SHAKE of paper 000");
  const residuals vs = watch_residual("vs", 1.0, data);
  const residuals shake = watch_residual("shake", 1.0, data);
  const residuals rattle = watch_residual("rattle", 1.0, NULL);
  const residuals leapfrog = watch_residual("leapfrog", 1.0, NULL);
  const residuals soft = watch_residual("vs", 0.2, NULL);

  page_close_data(data);
  page_head(p, "h = 0.01, to t = 10 | paper | reference | sidewinder");
  page_compare_row(p, "VS, kappa = 1: \\|g'(q) p\\| after step 1", "", 3.185688213707544e-05,
                   vs.first, 8);
  page_compare_row(p, "... after step 100", "", 0.00045397283391367116, vs.hundredth, 8);
  page_compare_row(p, "... largest", "", 0.0017573229261007017, vs.max, 8);
  page_compare_row(p, "... mean", "", 0.0005592508882203838, vs.mean, 7);
  page_compare_row(p, "... largest of the first quarter", "not amplified", 0.0016363344193975893,
                   vs.early, 8);
  page_compare_row(p, "... largest of the last quarter", "not amplified", 0.0016839852440888592,
                   vs.late, 8);
  page_compare_row(p, "VS, kappa = 0.2: largest", "", 0.00014614711278372952, soft.max, 8);
  page_compare_row(p, "SHAKE as in paper 000, kappa = 1: largest", "", 0.08649324602329272,
                   shake.max, 8);
  page_below_row(p, "RATTLE: largest", "rounding error", "< 2e-15", rattle.max, 1e-13);
  page_below_row(p, "distance of the positions of VS from those of RATTLE", "0", "", vs.from_rattle,
                 1e-10);
  page_below_row(p, "distance of the positions of leapfrog SHAKE from those of RATTLE", "0",
                 "< 3e-12", leapfrog.from_rattle, 1e-10);
  page_below_row(p, "distance of 1000 steps of SHAKE and one projection from 1000 steps of RATTLE",
                 "0", "", ideal_from_rattle(), 1e-10);
}

/* ---- Figs. 3 and 4 ---- */

typedef struct end {
  double z[NZ];  /* at t = 10 */
  double energy; /* H - H0 */
} end;

static end at_ten(const run_setup *setup, long steps)
{
  sw_sim *sim = run_start(setup);
  const double H0 = run_energy(sim);
  end e;

  run_advance(sim, 10.0 / (double)steps, steps);
  memcpy(e.z, sw_sim_state(sim), sizeof e.z);
  e.energy = run_energy(sim) - H0;
  sw_sim_free(&sim);
  return e;
}

/* Errors, and H - H0, at t = 10. */
typedef struct expected_errors {
  long steps;
  double rattle;
  double rattle_energy;
  double bdf;
  double bdf_energy;
} expected_errors;

static void compare_errors(page *p, double kappa, const expected_errors expected[6],
                           const char *file)
{
  run_setup fine = chain("rattle", kappa);
  const run_setup rattle = chain("rattle", kappa);
  const run_setup bdf = chain("bdf2", kappa);
  FILE *data = page_data(p, file, "# h, errors: RATTLE, BDF2; |H - H0|: RATTLE, BDF2");

  fine.compose = "kahan-li-8";
  const end baseline = at_ten(&fine, 2000);
  page_head(p, "h | RATTLE, error, reference | sidewinder | BDF2, error, reference | sidewinder "
               "| RATTLE, H - H0, reference | sidewinder | BDF2, H - H0, reference | sidewinder");
  for (int i = 0; i < 6; i++) {
    const expected_errors *e = &expected[i];
    const double h = 10.0 / (double)e->steps;
    const end r = at_ten(&rattle, e->steps);
    const end b = at_ten(&bdf, e->steps);
    const double r_error = run_distance_2(NZ, r.z, baseline.z);
    const double b_error = run_distance_2(NZ, b.z, baseline.z);
    page_row(p, "%g", h);
    page_compare(p, e->rattle, r_error, 4);
    page_compare(p, e->bdf, b_error, 4);
    page_compare(p, e->rattle_energy, r.energy, 4);
    page_compare(p, e->bdf_energy, b.energy, 4);
    page_end_row(p);
    fprintf(data, "%.10g %.6g %.6g %.6g %.6g\n", h, r_error, b_error, fabs(r.energy),
            fabs(b.energy));
  }
  page_close_data(data);
}

void table_errors_stiff(page *p)
{
  static const expected_errors expected[6] = {
      {100, 1.0108766642501563, -0.06590327138242813, 2.919749266848121, -11.683475233214065},
      {200, 0.22352767955633762, -0.05980888907076576, 1.3517151552861824, -3.8980042123438317},
      {500, 0.034483355290867455, -0.010017841005311112, 0.20782507918270754, -0.4328565044780852},
      {1000, 0.00858057667884809, -0.0025208433274492847, 0.056538540964990086,
       -0.06264868444309002},
      {2000, 0.002142682709108851, -0.0006312380268234108, 0.015117902373738203,
       -0.008784307395281132},
      {4000, 0.0005355176738084968, -0.00015787378459464207, 0.003920512734402364,
       -0.0012956709874885064}};

  compare_errors(p, 1.0, expected, "002_fig3.dat");
}

void table_errors_soft(page *p)
{
  static const expected_errors expected[6] = {
      {100, 0.04051868088055943, -0.00047903430029538896, 0.3135963846809415, -0.268039671721672},
      {200, 0.010040803404924317, -0.00011173813270826116, 0.08100116131812672,
       -0.046267762403884305},
      {500, 0.0016026186282793262, -1.7545135976959614e-05, 0.012975420476906559,
       -0.00334290941435178},
      {1000, 0.0004005156275141401, -4.374608393753476e-06, 0.0032502780979421345,
       -0.00042856417778125433},
      {2000, 0.00010012022408803267, -1.0929253155822494e-06, 0.0008139912354285377,
       -5.453927815768367e-05},
      {4000, 2.5029513170937033e-05, -2.7316427075874117e-07, 0.00020371826594422376,
       -7.00356833682747e-06}};

  compare_errors(p, 0.2, expected, "002_fig3_soft.dat");
}

/* ---- Fig. 5 ---- */

enum { AT = 5 };

static const double at[AT] = {10.0, 25.0, 50.0, 75.0, 100.0};

typedef struct energies {
  double low;
  double high;
  double mean[4]; /* of the quarters */
  double at[AT];
} energies;

static energies to_hundred(const char *method, double kappa, FILE *data)
{
  const run_setup setup = chain(method, kappa);
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);
  energies e = {.low = INFINITY, .high = -INFINITY};

  for (int n = 1; n <= 10000; n++) {
    run_advance(sim, 0.01, 1);
    const double H = run_energy(sim) - H0;
    e.low = fmin(e.low, H);
    e.high = fmax(e.high, H);
    e.mean[(n - 1) / 2500] += H / 2500.0;
    for (int i = 0; i < AT; i++) {
      e.at[i] = n == lround(at[i] / 0.01) ? H : e.at[i];
    }
    if (n % 20 == 0) {
      fprintf(data, "%.10g %.6g\n", 0.01 * n, H);
    }
  }
  fprintf(data, "\n\n");
  sw_sim_free(&sim);
  return e;
}

void table_energy_over_time(page *p)
{
  static const double soft_at[AT] = {-0.00042856417778125433, -0.0016762355408754814,
                                     -0.002255874739901742, -0.003346078644920425,
                                     -0.004505441505921581};
  static const double stiff_at[AT] = {-0.06264868444309002, -0.14473558364642258,
                                      -0.2943934196950764, -0.7740531855739796,
                                      -1.4531203530682575};
  static const int digits[AT] = {5, 5, 1, 1, 1}; /* chaos leaves no more */
  FILE *data = page_data(p, "002_fig5.dat",
                         "# t, H - H0: RATTLE and BDF2, kappa = 1; likewise, kappa = 0.2");
  const energies rattle = to_hundred("rattle", 1.0, data);
  const energies bdf = to_hundred("bdf2", 1.0, data);
  const energies soft = to_hundred("rattle", 0.2, data);
  const energies soft_bdf = to_hundred("bdf2", 0.2, data);
  char what[64];

  page_close_data(data);
  page_head(p, "h = 0.01, to t = 100 | paper | reference | sidewinder");
  page_compare_row(p, "kappa = 0.2, RATTLE: smallest H - H0", "conserved", -0.0003183119247900379,
                   soft.low, 6);
  page_compare_row(p, "... mean, first quarter", "conserved", -7.850971586975284e-05, soft.mean[0],
                   5);
  page_compare_row(p, "... mean, last quarter", "conserved", -8.394558422569034e-05, soft.mean[3],
                   2);
  for (int i = 0; i < AT; i++) {
    snprintf(what, sizeof what, "%s at t = %g", i == 0 ? "kappa = 0.2, BDF2: H - H0" : "...",
             at[i]);
    page_compare_row(p, what, "not", soft_at[i], soft_bdf.at[i], i < 4 ? 5 : 3);
  }
  page_compare_row(p, "kappa = 1, RATTLE: smallest H - H0", "conserved", -0.023744266797514513,
                   rattle.low, 1);
  for (int i = 0; i < AT; i++) {
    snprintf(what, sizeof what, "%s at t = %g", i == 0 ? "kappa = 1, BDF2: H - H0" : "...", at[i]);
    page_compare_row(p, what, "not", stiff_at[i], bdf.at[i], digits[i]);
  }
}
