/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * free_motion.c -- paper 000, section 5.4.1: motion on the sphere |q|^2 + |p|^2 = 1 without a potential, Proposition 5.1 and
 * Fig. 3.
 *
 * Reference numbers: B.json of the independent computations (page.md).
 */
#include <math.h>
#include <string.h>

#include "../tests/reference/hopf_free.h"
#include "hopf.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_hopf_free;

enum { MAX_POINTS = 8, STEPS = 1000 };

static const double step = 0.1;

/* z with q and p turned by an angle. */
static void turned(const double z[4], double angle, double out[4])
{
  const double c = cos(angle);
  const double s = sin(angle);

  for (int i = 0; i < 4; i += 2) {
    out[i] = c * z[i] - s * z[i + 1];
    out[i + 1] = s * z[i] + c * z[i + 1];
  }
}

/* What 1000 steps of RATTLE and SHAKE tell of a start. */
typedef struct free_run {
  double angle;      /* by which the first step turns q */
  double from_turn;  /* the largest distance of RATTLE from turning by n arcsin(h Omega) */
  double from_shake; /* of SHAKE, projected along its fibre, from RATTLE */
} free_run;

static free_run follow(const char *init, double delta)
{
  const run_setup setup = {&sw_model_hopf_free, .init = init, .base = "midpoint"};
  run_setup by_shake = setup;
  by_shake.method = "shake";
  sw_sim *rattle = run_start(&setup);
  sw_sim *shake = run_start(&by_shake);
  sw_sim *projection = run_start(&setup);
  free_run r = {NAN, 0.0, 0.0};
  double start[4];

  memcpy(start, sw_sim_state(rattle), sizeof start);
  for (int n = 1; n <= STEPS; n++) {
    double expected[4];
    run_advance(rattle, step, 1);
    run_advance(shake, step, 1);
    const double *z = sw_sim_state(rattle);
    if (n == 1) {
      r.angle = atan2(z[1], z[0]);
    }
    turned(start, n * delta, expected);
    r.from_turn = fmax(r.from_turn, run_distance(4, z, expected));
    run_set_state(projection, sw_sim_state(shake));
    if (sw_sim_project(projection) != SW_OK) {
      page_die("no projection: %s", sw_sim_message(projection));
    }
    r.from_shake = fmax(r.from_shake, run_distance(4, z, sw_sim_state(projection)));
  }
  sw_sim_free(&rattle);
  sw_sim_free(&shake);
  sw_sim_free(&projection);
  return r;
}

/* What becomes of a SHAKE step of such a size from b1. */
static const char *outcome(double h)
{
  const run_setup setup = {&sw_model_hopf_free, .init = "b1", .method = "shake",
                           .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  const sw_status status = sw_sim_step(sim, h);

  sw_sim_free(&sim);
  return status == SW_OK ? "taken" : "refused";
}

/* A point of the three-sphere, seen stereographically from (1, 1, 1, -1)/2, a point far from the three circles of the figure. */
static void draw(FILE *file, const double z[4])
{
  const double away = 1.0 - (z[0] + z[1] + z[2] - z[3]) / 2.0;
  const double x = (z[0] + z[3]) / sqrt(2.0);
  const double y = (z[1] - z[2]) / sqrt(2.0);
  const double up = (z[0] - z[1] - z[2] - z[3]) / 2.0;

  fprintf(file, "%.5f %.5f %.5f\n", x / away, y / away, up / away);
}

/* Blocks: a fibre; the two orbits through it, by RATTLE, which returns after 120 steps; where it meets M^H. */
static void draw_fibre(const page *p)
{
  const double start[4] = {sqrt(0.91), 0.0, 0.0, 0.3};
  const double Omega = 0.3 * sqrt(0.91) / (0.91 - 0.09);
  const double h = sin(acos(-1.0) / 60.0) / Omega;
  FILE *file = page_data(p, "000_fig3.dat", "# x y z: fibre, orbit, other orbit, points of M^H");
  double z[4];
  double theta[MAX_POINTS];

  for (int i = 0; i <= 120; i++) {
    hopf_along(&sw_model_hopf_free, start, i * acos(-1.0) / 60.0, z);
    draw(file, z);
  }
  for (int other = 0; other < 2; other++) {
    const run_setup setup = {&sw_model_hopf_free, .base = "midpoint"};
    sw_sim *sim = run_start(&setup);
    hopf_along(&sw_model_hopf_free, start, other * acos(0.0), z);
    run_set_state(sim, z);
    fprintf(file, "\n\n");
    for (int n = 0; n <= 120; n++) {
      draw(file, sw_sim_state(sim));
      run_advance(sim, h, 1);
    }
    sw_sim_free(&sim);
  }
  fprintf(file, "\n\n");
  const int n = hopf_points(&sw_model_hopf_free, start, MAX_POINTS, theta);
  for (int i = 0; i < n; i++) {
    hopf_along(&sw_model_hopf_free, start, theta[i], z);
    draw(file, z);
  }
  page_close_data(file);
}

/* Where RATTLE is after turning by half a circle in 18 steps, as a distance from -z. */
static double from_antipode(double Omega)
{
  const run_setup setup = {&sw_model_hopf_free, .init = "b1", .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  double antipode[4];

  for (int i = 0; i < 4; i++) {
    antipode[i] = -sw_sim_state(sim)[i];
  }
  run_advance(sim, sin(acos(-1.0) / 18.0) / Omega, 18);
  const double distance = run_distance(4, sw_sim_state(sim), antipode);
  sw_sim_free(&sim);
  return distance;
}

typedef struct free_start {
  const char *init;
  double Omega;
  double alpha;
} free_start;

/* The root of alpha - 1/alpha = 1/Omega whose size is nearest to |p|/|q|. */
static double alpha_of(double Omega, double size)
{
  const double root = sqrt(0.25 / (Omega * Omega) + 1.0);
  const double one = 0.5 / Omega + root;
  const double other = 0.5 / Omega - root;

  return fabs(fabs(one) - size) < fabs(fabs(other) - size) ? one : other;
}

static void start_rows(page *p, const free_start *start)
{
  const double arcsine = 0.17227952372802138167; /* of h |Omega|, h = 0.1 */
  const double delta = start->Omega > 0.0 ? arcsine : -arcsine;
  const free_run r = follow(start->init, delta);
  const double Omega = sin(r.angle) / step;
  double z[4];

  run_initial(&sw_model_hopf_free, start->init, z);
  const double size = hypot(z[2], z[3]) / hypot(z[0], z[1]);
  page_row(p, "`%s`: rotation of q and p in a step of RATTLE", start->init);
  page_cell(p, "some angle");
  page_compare(p, delta, r.angle, 14);
  page_end_row(p);
  page_compare_row(p, "... Omega, if the rotation is arcsin(h Omega)", "1/(alpha - 1/alpha)",
                   start->Omega, Omega, 13);
  page_row(p, "... alpha = -det(q,p)/\\|q\\|^2");
  page_cell(p, "+-%.3g", size);
  page_compare(p, start->alpha, alpha_of(Omega, size), 12);
  page_end_row(p);
  page_below_row(p, "... distance from a rotation by n arcsin(h Omega), 1000 steps", "0", "< 1e-36",
                 r.from_turn, 1e-11);
  page_below_row(p, "... distance of SHAKE, projected along its fibre, from RATTLE", "0", "< 1e-36",
                 r.from_shake, 1e-11);
}

void table_free_motion(page *p)
{
  static const free_start starts[] = {{"b1", 12.0 / 7.0, -0.75},
                                      {"b1_reversed", -12.0 / 7.0, 0.75},
                                      {"b2", -12.0 / 7.0, -4.0 / 3.0},
                                      {"b2_reversed", 12.0 / 7.0, 4.0 / 3.0}};
  double z[4];
  double theta[MAX_POINTS];

  page_head(p, "from the state | paper | reference | sidewinder");
  for (int i = 0; i < 4; i++) {
    start_rows(p, &starts[i]);
  }
  const run_setup all = {&sw_model_hopf_free, .method = "rattle"};
  const run_setup all_shake = {&sw_model_hopf_free, .method = "shake"};
  page_below_row(p, "distance of RATTLE from the reference after 1, 10, 100, 1000 steps", "", "",
                 run_rows_distance(&all, RUN_ROWS(reference_hopf_free_states)), 1e-11);
  page_below_row(p, "distance of SHAKE from the reference after these steps", "", "",
                 run_rows_distance(&all_shake, RUN_ROWS(reference_hopf_free_states)), 1e-11);
  run_initial(&sw_model_hopf_free, "b1", z);
  page_count_row(p, "points of the fibre of `b1` on M^H", "2 of each component", 4,
                 hopf_points(&sw_model_hopf_free, z, MAX_POINTS, theta));
  page_below_row(
      p, "distance from -z, the antipode on the fibre, after 18 steps with h Omega = sin(pi/18)",
      "0", "0", from_antipode(12.0 / 7.0), 1e-13);
  page_row(p, "a step of SHAKE with h Omega = 0.99 and 1.01");
  page_none(p);
  page_cell(p, "solution, no solution");
  page_cell(p, "%s, %s", outcome(0.99 * 7.0 / 12.0), outcome(1.01 * 7.0 / 12.0));
  page_end_row(p);
  draw_fibre(p);
}
