/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hopf_fibres.c -- paper 000, section 5.4.2, Fig. 6: the points in which fibres meet M^H.
 *
 * Reference numbers: A_fig6.json and B_eq28_sign.json of the independent computations (page.md).
 */
#include <math.h>

#include "hopf.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_hopf;

enum { MAX_POINTS = 8, FIBRES = 200, LISTED = 60, DRAWN = 60 };

static const double step = 0.1;

/* Data of Fig. 6, for one fibre: H' on a grid, up to its sign, and the points of M^H. */
static void draw_levels(FILE *levels, FILE *points, int n, const double z[4])
{
  enum { ROWS = 72 };
  double theta[MAX_POINTS];

  for (int i = 0; i <= ROWS; i++) {
    double there[4];
    const double fraction = (double)i / ROWS - 0.5;
    hopf_along(&sw_model_hopf, z, 2.0 * acos(-1.0) * fraction, there);
    fprintf(levels, "%d %.5f %.5f\n", n, fraction, hopf_hidden(&sw_model_hopf, there));
  }
  fprintf(levels, "\n");
  const int found = hopf_points(&sw_model_hopf, z, MAX_POINTS, theta);
  int nearest = 0;
  for (int i = 0; i < found; i++) {
    nearest = fabs(theta[i]) < fabs(theta[nearest]) ? i : nearest;
  }
  for (int i = 0; i < found; i++) {
    fprintf(points, "%d %.6f %d\n", n, theta[i] / (2.0 * acos(-1.0)), i == nearest);
  }
}

/* How many points of M^H the fibres of SHAKE's orbit have, after 1, 2, ... steps. */
static void count_points(const page *p, int counts[FIBRES])
{
  const run_setup setup = {&sw_model_hopf, .init = "za", .method = "shake", .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  FILE *levels = page_data(p, "000_fig6.dat", "# n, theta/(2 pi), H'");
  FILE *points =
      page_data(p, "000_fig6_points.dat", "# n, theta/(2 pi) of points of M^H, 1 for RATTLE's");
  double theta[MAX_POINTS];

  for (int n = 0; n <= FIBRES; n++) {
    if (n <= DRAWN) {
      draw_levels(levels, points, n, sw_sim_state(sim));
    }
    if (n > 0) {
      counts[n - 1] = hopf_points(&sw_model_hopf, sw_sim_state(sim), MAX_POINTS, theta);
    }
    run_advance(sim, step, 1);
  }
  page_close_data(levels);
  page_close_data(points);
  sw_sim_free(&sim);
}

void table_points_on_fibres(page *p)
{
  static const char first[LISTED + 1] =
      "444444222222244444422222224444444222222444444422222224444442";
  static const double expected[2][3] = {{0.0, -0.968722253767, -0.295479663442},
                                        {2.1944991829521058161, 1.03311820792, 0.824260977148}};
  int counts[FIBRES];
  int of[2] = {0, 0};
  int same = 0;
  double z[4];
  double theta[MAX_POINTS];

  count_points(p, counts);
  for (int n = 0; n < FIBRES; n++) {
    of[0] += counts[n] == 4;
    of[1] += counts[n] == 2;
    same += n < LISTED && counts[n] == first[n] - '0';
  }
  page_head(p, "fibres along SHAKE's orbit from z_a | paper | reference | sidewinder");
  page_count_row(p, "of 200 fibres, number with four points on M^H", "some", 96, of[0]);
  page_count_row(p, "... with two points", "some", 104, of[1]);
  page_compare_row(p, "of the first 60 fibres, number with as many points as in the reference", "",
                   60.0, same, 2);
  run_initial(&sw_model_hopf, "za", z);
  const int n = hopf_points(&sw_model_hopf, z, MAX_POINTS, theta);
  page_count_row(p, "points on the fibre of z_a", "", 2, n);
  for (int i = 0; i < n && i < 2; i++) {
    double there[4];
    double energy;
    hopf_along(&sw_model_hopf, z, theta[i], there);
    const double k[2] = {0.0, -1.0};
    sw_model_hopf.hamiltonian(NULL, there, k, &energy);
    page_row(p, "... point %d: theta", i + 1);
    page_none(p);
    if (i == 0) {
      page_cell(p, "0");
      page_below(p, fabs(theta[i]), 1e-14);
    } else {
      page_compare(p, expected[i][0], theta[i], 13);
    }
    page_end_row(p);
    page_compare_row(p, "... N/4", "not 0", expected[i][1], hopf_slope(&sw_model_hopf, there), 12);
    page_compare_row(p, "... H", "", expected[i][2], energy, 12);
  }
}

/* dH/dtheta at a point that is on no particular sphere, where the paper's (28) has other signs. */
void table_derivative_on_fibres(page *p)
{
  static const double z[4] = {0.3, -0.4, 0.5, 0.1};
  static const struct {
    double theta;
    double printed;
    double derivative;
  } rows[] = {{0.4, -0.174822478750058, 0.167648917841063},
              {1.3, -0.509008426759027, 0.503853413040813},
              {-2.0, 0.329648843613450, -0.337216868566529}};

  page_head(p, "q = (0.3, -0.4), p = (0.5, 0.1) | paper, (28) | reference | sidewinder");
  for (int i = 0; i < 3; i++) {
    double there[4];
    hopf_along(&sw_model_hopf, z, rows[i].theta, there);
    page_row(p, "H'(%g)", rows[i].theta);
    page_number(p, rows[i].printed, 12);
    page_compare(p, rows[i].derivative, -hopf_hidden(&sw_model_hopf, there), 12);
    page_end_row(p);
  }
}

/* RATTLE on the second component of M^H, until it is refused. */
void table_other_component(page *p)
{
  static const double start[4] = {0.12881875232470061346, 0.42130856689192661432,
                                  0.87627380334622605802, 0.19506163662319143874};
  static const struct {
    int n;
    double slope;
    double energy;
  } rows[] = {{1, 1.0506706749451598, 0.8242674459113416},
              {10, 1.0007130172148067, 0.8242491121498415},
              {20, 0.3563423904359467, 0.8240735880885198},
              {21, 0.17435117298374997, 0.8241274212086125}};
  const run_setup setup = {&sw_model_hopf, .init = "za", .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  int n = 0;

  run_set_state(sim, start);
  page_head(p, "step | N/4, reference | sidewinder | H, reference | sidewinder");
  for (int i = 0; i < 4; i++) {
    run_advance(sim, step, rows[i].n - n);
    n = rows[i].n;
    page_row(p, "%d", n);
    page_compare(p, rows[i].slope, hopf_slope(&sw_model_hopf, sw_sim_state(sim)), 9);
    page_compare(p, rows[i].energy, run_energy(sim), 10);
    page_end_row(p);
  }
  const sw_status status = sw_sim_step(sim, step);
  page_row(p, "22");
  page_cell(p, "no solution");
  page_cell(p, "%s", status == SW_OK ? "taken" : "refused");
  page_none(p);
  page_cell(p, "`%s`", sw_status_name(status));
  page_end_row(p);
  sw_sim_free(&sim);
}
