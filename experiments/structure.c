/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * structure.c -- paper 003: its five steps as they are printed and as they have to be, and what else is said to lose the
 * structure of RATTLE, on the pendulum.
 *
 * Reference numbers: G_003_literal_rattle.json of the independent computations (page.md).
 */
#include <math.h>
#include <string.h>

#include "../tests/reference/pendulum.h"
#include "naive.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_pendulum;

enum { LONG = 2000 };

/* A step of one of the methods: sidewinder's RATTLE, after which the momenta are multiplied by exp(-friction h), where `sim` is
 * not NULL, else a control. */
typedef struct stepper {
  const char *name;
  sw_sim *sim;
  double friction;
  naive_method control;
} stepper;

static const double parameters[2] = {1.0, 1.0}; /* gravity, length */

static stepper by_rattle(const char *name, double friction)
{
  const run_setup setup = {&sw_model_pendulum, .method = "rattle", .base = "verlet"};

  return (stepper){name, run_start(&setup), friction, {0}};
}

static stepper by_control(const char *name, naive_kind kind, double eps)
{
  return (stepper){name, NULL, 0.0, {&sw_model_pendulum, parameters, 2, 1, kind, eps}};
}

static void take(const stepper *s, double h, double z[4])
{
  if (s->sim == NULL) {
    if (naive_step(&s->control, h, z)) {
      page_die("%s: a step of the pendulum failed", s->name);
    }
    return;
  }
  run_set_state(s->sim, z);
  run_advance(s->sim, h, 1);
  memcpy(z, sw_sim_state(s->sim), 4 * sizeof *z);
  z[2] *= exp(-s->friction * h);
  z[3] *= exp(-s->friction * h);
}

static double energy(const double z[4])
{
  double H = NAN;

  sw_model_pendulum.hamiltonian(NULL, z, parameters, &H);
  return H;
}

typedef struct errors {
  double q;
  double p;
  double energy; /* H - H0 */
} errors;

static errors at_one(const stepper *s, long steps)
{
  double z[4];

  run_initial(&sw_model_pendulum, NULL, z);
  const double H0 = energy(z);
  for (long n = 0; n < steps; n++) {
    take(s, 1.0 / (double)steps, z);
  }
  return (errors){run_distance_2(2, z, reference_pendulum_exact[0].z),
                  run_distance_2(2, z + 2, reference_pendulum_exact[0].z + 2), energy(z) - H0};
}

void table_as_printed(page *p)
{
  static const double expected[][4] = {{0.0050274924, 0.0053423999, 0.00040026390, 0.00027834558},
                                       {0.0026866679, 0.0027167057, 9.9952062e-5, 6.9528829e-5},
                                       {0.0013865597, 0.0013708629, 2.4980885e-5, 1.7378613e-5},
                                       {0.00070409982, 0.00068870027, 6.2447755e-6, 4.3444287e-6},
                                       {0.00035475745, 0.00034518501, 1.5611660e-6, 1.0860932e-6},
                                       {0.00017805599, 0.00017280343, 3.9028976e-7, 2.7152241e-7}};
  stepper printed = by_control("as printed", NAIVE_AS_PRINTED, 0.0);
  stepper corrected = by_rattle("corrected", 0.0);
  FILE *data = page_data(p, "003_orders.dat", "# h, q as printed, q corrected");
  errors a[6];
  errors b[6];

  page_head(p, "h | as printed, error of q, reference | computed | of p, reference | computed "
               "| corrected, of q, reference | sidewinder | of p, reference | sidewinder");
  for (int i = 0; i < 6; i++) {
    a[i] = at_one(&printed, 10L << i);
    b[i] = at_one(&corrected, 10L << i);
    page_row(p, "0.1/%d", 1 << i);
    page_compare(p, expected[i][0], a[i].q, 6);
    page_compare(p, expected[i][1], a[i].p, 6);
    page_compare(p, expected[i][2], b[i].q, 6);
    page_compare(p, expected[i][3], b[i].p, 6);
    page_end_row(p);
    fprintf(data, "%.10g %.6g %.6g\n", 0.1 / (1 << i), a[i].q, b[i].q);
  }
  page_row(p, "order, from the last two");
  page_compare(p, 0.99450, log2(a[4].q / a[5].q), 4);
  page_compare(p, 0.99824, log2(a[4].p / a[5].p), 4);
  page_compare(p, 2.0000, log2(b[4].q / b[5].q), 5);
  page_compare(p, 2.0000, log2(b[4].p / b[5].p), 5);
  page_end_row(p);
  page_close_data(data);
  sw_sim_free(&corrected.sim);
}

/* The largest change of the symplectic form by a step on the projections of the four unit vectors to M^H, as the reference
 * measures it.  In the coordinates (angle, momentum along the circle) of M^H the form is the area, so that it changes by det - 1
 * of the step; on those vectors it is at most 0.512 at the initial state.  By central differences, with an error of about
 * 1e-10. */
static double defect(const stepper *s)
{
  const double small = 1e-5;
  double start[4];
  double D[2][2];

  run_initial(&sw_model_pendulum, NULL, start);
  const double angle = atan2(start[1], start[0]);
  const double along = start[0] * start[3] - start[1] * start[2];
  for (int j = 0; j < 2; j++) {
    double end[2][2];
    for (int side = 0; side < 2; side++) {
      const double by = side == 0 ? -small : small;
      const double a = angle + (j == 0 ? by : 0.0);
      const double l = along + (j == 1 ? by : 0.0);
      double z[4] = {cos(a), sin(a), -l * sin(a), l * cos(a)};
      take(s, 0.1, z);
      end[side][0] = atan2(z[1], z[0]);
      end[side][1] = z[0] * z[3] - z[1] * z[2];
    }
    D[0][j] = (end[1][0] - end[0][0]) / (2.0 * small);
    D[1][j] = (end[1][1] - end[0][1]) / (2.0 * small);
  }
  return 0.512 * fabs(D[0][0] * D[1][1] - D[0][1] * D[1][0] - 1.0);
}

typedef struct long_run {
  double low; /* of H - H0 */
  double high;
  double last;
  double g;
} long_run;

static long_run run_long(const stepper *s, FILE *data)
{
  long_run r = {INFINITY, -INFINITY, 0.0, 0.0};
  double z[4];

  run_initial(&sw_model_pendulum, NULL, z);
  const double H0 = energy(z);
  for (int n = 1; n <= LONG; n++) {
    double g;
    take(s, 0.1, z);
    sw_model_pendulum.constraint(NULL, z, parameters, &g);
    r.last = energy(z) - H0;
    r.low = fmin(r.low, r.last);
    r.high = fmax(r.high, r.last);
    r.g = fmax(r.g, fabs(g));
    if (n % 10 == 0) {
      fprintf(data, "%.10g %.6g\n", 0.1 * n, r.last);
    }
  }
  fprintf(data, "\n\n");
  return r;
}

void table_structure(page *p)
{
  /* Smallest, largest, last H - H0, and the defect; NAN where there is no reference. */
  static const double expected[2][4] = {
      {-0.0006757574076412639, 0.00026988444738595637, -6.453322533052219e-05, NAN},
      {-0.32498902066102275, -0.0009752455971598355, -0.32498902066102275, 0.003818}};
  stepper steppers[] = {by_rattle("RATTLE", 0.0),
                        by_control("the five steps as printed", NAIVE_AS_PRINTED, 0.0),
                        by_control("Verlet, then projected", NAIVE_PROJECTED, 0.0),
                        by_control("RATTLE with A + eps I, eps = 1e-2", NAIVE_REGULARISED, 1e-2),
                        by_control("... eps = 1e-4", NAIVE_REGULARISED, 1e-4),
                        by_rattle("RATTLE with friction 0.1", 0.1)};
  FILE *data = page_data(p, "003_energy.dat", "# t, H - H0: a block for each method");

  page_head(
      p, "2000 steps, h = 0.1 | smallest H - H0 | largest | last | \\|g\\| | change of the form");
  for (int i = 0; i < 6; i++) {
    const long_run r = run_long(&steppers[i], data);
    page_row(p, "%s", steppers[i].name);
    page_number(p, r.low, 3);
    page_number(p, r.high, 3);
    page_number(p, r.last, 3);
    page_size(p, r.g, 1e-12);
    page_size(p, defect(&steppers[i]), 1e-9);
    page_end_row(p);
    if (i < 2) {
      page_row(p, "... reference");
      for (int j = 0; j < 3; j++) {
        page_agrees(p, expected[i][j], j == 0 ? r.low : j == 1 ? r.high : r.last, 3);
      }
      page_none(p);
      if (i == 1) {
        page_agrees(p, expected[i][3], defect(&steppers[i]), 4);
      } else {
        page_cell(p, "0");
      }
      page_end_row(p);
    }
  }
  page_close_data(data);
  sw_sim_free(&steppers[0].sim);
  sw_sim_free(&steppers[5].sim);
}
