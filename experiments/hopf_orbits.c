/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hopf_orbits.c -- paper 000, section 5.4.2: Table 1, the closed curves of Fig. 4 and the energies of Fig. 5.
 *
 * Reference numbers: A_unit.json and A_level.json of the independent computations (page.md).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/reference/hopf.h"
#include "hopf.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_hopf;

enum { LONG = 10000, DRAWN = 600, NEIGHBOURS = 8, GRID = 4096 };

static const double step = 0.1;
static const char *const names[] = {"za", "zb", "zc"};
static const char *const printed_names[] = {"z_a", "z_b", "z_c"};

/* ---- Table 1 ---- */

void table_initial_data(page *p)
{
  static const double printed[3][4] = {
      {-0.7865261200000000, -0.4043988000000000, -0.3880746864163783, 0.2173391755798215},
      {-0.4963624948824013, -0.7319740436366664, -0.4275775933953260, 0.1225384882604160},
      {0.3477491188213400, -0.8131619010029159, -0.4368285559113795, -0.0837800227934176}};
  static const double level[3] = {0.98000000636258123048, 0.98000000636258110190,
                                  0.98000000636258122291};
  static const double energy[3] = {-0.29547966344184720000, -0.62305490707851353192,
                                   -0.70424276444476312220};

  page_head(p, "state | paper | reference | sidewinder");
  for (int i = 0; i < 3; i++) {
    const run_setup setup = {&sw_model_hopf, .init = names[i], .base = "midpoint"};
    sw_sim *sim = run_start(&setup);
    sw_check on;
    sw_check off;
    if (sw_model_check(&sw_model_hopf, NULL, sw_sim_state(sim), &on) != SW_OK ||
        sw_model_check(&sw_model_hopf, NULL, printed[i], &off) != SW_OK) {
      page_die("Table 1 cannot be examined");
    }
    page_row(p, "%s as printed: \\|q\\|^2 + \\|p\\|^2", printed_names[i]);
    page_cell(p, "1");
    page_compare(p, level[i], 1.0 - off.residual_g, 12);
    page_end_row(p);
    page_below_row(p, "... p.(q + g)", "0", "< 2e-16", off.residual_hidden / 2.0, 1e-15);
    page_below_row(p, "... with p scaled: \\|q\\|^2 + \\|p\\|^2 - 1", "", "0", on.residual_g,
                   1e-15);
    page_compare_row(p, "... H", "", energy[i], run_energy(sim), 14);
    run_set_state(sim, printed[i]);
    page_row(p, "... a step from the printed state");
    page_cell(p, "taken");
    page_none(p);
    page_cell(p, "`%s`", sw_status_name(sw_sim_step(sim, step)));
    page_end_row(p);
    sw_sim_free(&sim);
  }
}

/* ---- Fig. 4 ---- */

/* sum_n w(n/N) a_n / sum_n w(n/N) with the bump w(t) = exp(-1/(t (1 - t))): the mean of a quasi-periodic sequence, to many
 * more digits than the plain mean has. */
static double weighted_mean(int N, const double a[])
{
  double sum = 0.0;
  double weights = 0.0;

  for (int n = 1; n < N; n++) {
    const double t = (double)n / N;
    const double w = exp(-1.0 / (t * (1.0 - t)));
    sum += w * a[n];
    weights += w;
  }
  return sum / weights;
}

/* A point of the curve in polar coordinates; sorted by the angle. */
typedef struct polar {
  double angle;
  double log_r;
} polar;

static int by_angle(const void *a, const void *b)
{
  const polar *x = a;
  const polar *y = b;

  return (x->angle > y->angle) - (x->angle < y->angle);
}

/* The polynomial through the NEIGHBOURS points around place `at` of the closed curve, without point number `skip` (-1:
 * none), at an angle. */
static double interpolate(int n, const polar points[], int at, int skip, double angle)
{
  const double turn = 2.0 * acos(-1.0);
  double x[NEIGHBOURS];
  double y[NEIGHBOURS];
  double value = 0.0;
  int found = 0;

  for (int i = at - NEIGHBOURS / 2; found < NEIGHBOURS; i++) {
    if (i == skip) {
      continue;
    }
    const int wrapped = (i + n) % n;
    x[found] = points[wrapped].angle + (i < 0 ? -turn : i >= n ? turn : 0.0);
    y[found++] = points[wrapped].log_r;
  }
  for (int i = 0; i < NEIGHBOURS; i++) {
    double term = y[i];
    for (int j = 0; j < NEIGHBOURS; j++) {
      term *= i == j ? 1.0 : (angle - x[j]) / (x[i] - x[j]);
    }
    value += term;
  }
  return value;
}

typedef struct curve {
  double rotation; /* revolutions per step */
  double r_max;
  double r_min;
  double area;
  double
      off; /* the largest distance of a point from the curve that its neighbours make, in log r */
} curve;

/* The curve on which the fibres of a run of RATTLE lie. */
static curve trace(const char *init, const char *compose, double h)
{
  const run_setup setup = {&sw_model_hopf, .init = init, .method = "rattle", .base = "midpoint",
                           .compose = compose};
  sw_sim *sim = run_start(&setup);
  double *turn = malloc((LONG + 1) * sizeof *turn);
  polar *points = malloc((LONG + 1) * sizeof *points);
  curve c = {.r_min = INFINITY};

  if (turn == NULL || points == NULL) {
    page_die("out of memory");
  }
  double complex before = hopf_fibre(sw_sim_state(sim));
  for (int n = 0; n <= LONG; n++) {
    points[n] = (polar){carg(before), log(cabs(before))};
    run_advance(sim, h, 1);
    const double complex now = hopf_fibre(sw_sim_state(sim));
    turn[n] = carg(now / before) / (2.0 * acos(-1.0));
    before = now;
  }
  c.rotation = weighted_mean(LONG, turn);
  qsort(points, LONG, sizeof *points, by_angle);
  for (int i = 0; i < LONG; i++) {
    const double there = interpolate(LONG, points, i, i, points[i].angle);
    c.off = fmax(c.off, fabs(there - points[i].log_r));
  }
  for (int i = 0, at = 0; i < GRID; i++) {
    const double angle = acos(-1.0) * (2.0 * i / GRID - 1.0);
    while (at < LONG && points[at].angle < angle) {
      at++;
    }
    const double r = exp(interpolate(LONG, points, at, -1, angle));
    c.r_max = fmax(c.r_max, r);
    c.r_min = fmin(c.r_min, r);
    c.area += acos(-1.0) * r * r / GRID;
  }
  free(turn);
  free(points);
  sw_sim_free(&sim);
  return c;
}

/* The first steps, as a trajectory that examples/hopf_orbits.gp and hopf_energy.gp read. */
static void draw_orbit(const page *p, const char *file, const char *init, const char *method)
{
  const run_setup setup = {&sw_model_hopf, .init = init, .method = method, .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  FILE *data = page_data(p, file, "t,q.1,q.2,p.1,p.2,energy,residual_hidden");

  for (int n = 0; n <= DRAWN; n++) {
    const double *z = sw_sim_state(sim);
    fprintf(data, "%.10g,%.7f,%.7f,%.7f,%.7f,%.9f,%.9f\n", n * step, z[0], z[1], z[2], z[3],
            run_energy(sim), fabs(2.0 * hopf_hidden(&sw_model_hopf, z)));
    run_advance(sim, step, 1);
  }
  page_close_data(data);
  sw_sim_free(&sim);
}

void table_closed_curves(page *p)
{
  static const struct {
    double rotation;
    double period;
    double exact;
    double r_max;
    double r_min;
    double area;
  } expected[3] = {{-0.038224511466890466, 2.6161223822734425, 2.620508241232919, 3.251252974561776,
                    1.2864217640629971, 18.00598538895365},
                   {-0.02804158033862984, 3.5661328210607612, 3.570056142135196, 1.2571947802109937,
                    0.744757842277591, 3.1339055397322757},
                   {-0.026519433260772707, 3.7708196482433527, 3.774611896704537,
                    1.0096516500964716, 0.6293619200162117, 2.0803288662579127}};

  page_head(p, "orbit | paper | reference | sidewinder");
  for (int i = 0; i < 3; i++) {
    const curve c = trace(names[i], "none", step);
    const curve fine = trace(names[i], "kahan-li-8", step / 4.0);
    page_row(p, "%s: revolutions per step", printed_names[i]);
    page_none(p);
    page_compare(p, expected[i].rotation, c.rotation, 10);
    page_end_row(p);
    page_compare_row(p, "... period", "", expected[i].period, step / fabs(c.rotation), 10);
    page_compare_row(p, "... period of the exact motion (RATTLE, composed to order 8)", "",
                     expected[i].exact, step / 4.0 / fabs(fine.rotation), 11);
    page_compare_row(p, "... largest \\|w\\|", "", expected[i].r_max, c.r_max, 6);
    page_compare_row(p, "... smallest \\|w\\|", "", expected[i].r_min, c.r_min, 6);
    page_compare_row(p, "... enclosed area", "", expected[i].area, c.area, 8);
    page_row(p, "... largest distance of 10000 points from the curve through their neighbours, in "
                "log \\|w\\|");
    page_cell(p, "closed");
    page_cell(p, "%s", i == 0 ? "< 2e-09" : "< 3e-15");
    page_below(p, c.off, 1e-12);
    page_end_row(p);
  }
  draw_orbit(p, "hopf_za.csv", "za", "rattle");
  draw_orbit(p, "hopf_zb.csv", "zb", "rattle");
  draw_orbit(p, "hopf_zc.csv", "zc", "rattle");
  draw_orbit(p, "hopf_shake.csv", "za", "shake");
}

/* ---- Fig. 5 ---- */

typedef struct extent {
  double low;
  double high;
} extent;

static void widen(extent *e, double value)
{
  e->low = fmin(e->low, value);
  e->high = fmax(e->high, value);
}

typedef struct energies {
  extent H;
  extent hidden;
  double g;
  double mean[2]; /* of H, over both halves */
} energies;

static energies watch(const char *method)
{
  const run_setup setup = {&sw_model_hopf, .init = "za", .method = method, .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  energies e = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, 0.0, {0.0, 0.0}};

  for (int n = 1; n <= LONG; n++) {
    run_advance(sim, step, 1);
    const double H = run_energy(sim);
    widen(&e.H, H);
    widen(&e.hidden, hopf_hidden(&sw_model_hopf, sw_sim_state(sim)));
    e.mean[n > LONG / 2] += H / (LONG / 2);
  }
  e.g = sw_sim_stats(sim).residual_g;
  sw_sim_free(&sim);
  return e;
}

void table_energy(page *p)
{
  const energies r = watch("rattle");
  const energies s = watch("shake");
  const run_setup all = {&sw_model_hopf, .method = "rattle"};
  const run_setup all_shake = {&sw_model_hopf, .method = "shake"};

  page_head(p, "10000 steps from z_a | paper | reference | sidewinder");
  page_compare_row(p, "RATTLE: smallest H", "", -0.30206250800736, r.H.low, 11);
  page_compare_row(p, "... largest H", "", -0.29398231250149, r.H.high, 11);
  page_compare_row(p, "... mean of H, first half", "no drift", -0.296130250468, r.mean[0], 10);
  page_compare_row(p, "... mean of H, second half", "no drift", -0.296127222653, r.mean[1], 10);
  page_below_row(p, "... \\|p.(q + g)\\|", "machine accuracy", "< 4e-26",
                 fmax(r.hidden.high, -r.hidden.low), 1e-15);
  page_compare_row(p, "SHAKE: smallest H", "", -0.29466850855761, s.H.low, 11);
  page_compare_row(p, "... largest H", "", -0.28051751416247, s.H.high, 11);
  page_compare_row(p, "... mean of H, first half", "no drift", -0.291256107496, s.mean[0], 10);
  page_compare_row(p, "... mean of H, second half", "no drift", -0.291253368312, s.mean[1], 10);
  page_compare_row(p, "... smallest p.(q + g)", "about h", 0.064769206338879, s.hidden.low, 10);
  page_compare_row(p, "... largest p.(q + g)", "about h", 0.11180534163532, s.hidden.high, 10);
  page_below_row(p, "both: \\|g\\|", "machine accuracy", "< 2e-25", fmax(r.g, s.g), 1e-14);
  page_below_row(p, "distance of RATTLE from the reference after 1, 10, 100, 1000 steps", "", "",
                 run_rows_distance(&all, RUN_ROWS(reference_hopf_states)), 1e-12);
  page_below_row(p, "distance of SHAKE from the reference after these steps", "", "",
                 run_rows_distance(&all_shake, RUN_ROWS(reference_hopf_states)), 1e-12);
}
