/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * redundant.c -- paper 003: constraints that follow from others, always (a square with both diagonals, a chain with tied
 * constraints) or at a moment (a four-bar linkage that is flat).
 *
 * Reference numbers: G.json of the independent computations (page.md).
 */
#include <math.h>
#include <string.h>

#include "../tests/reference/square.h"
#include "chain6_tied.h"
#include "naive.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_square;
extern const sw_model sw_model_chain6;
extern const sw_model sw_model_four_bar;

static const char *const ways[] = {"min-norm", "drop"};

/* ---- the square ---- */

typedef struct square_run {
  double from_reference;
  double low; /* of H - H0, over 1000 steps */
  double high;
  double residual;
} square_run;

static square_run run_square(const char *redundant)
{
  const run_setup setup = {&sw_model_square, .method = "rattle", .base = "verlet",
                           .redundant = redundant};
  square_run r = {0.0, INFINITY, -INFINITY, 0.0};
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);

  for (int n = 0; n < 1000; n++) {
    run_advance(sim, 0.02, 1);
    r.low = fmin(r.low, run_energy(sim) - H0);
    r.high = fmax(r.high, run_energy(sim) - H0);
  }
  const sw_stats stats = sw_sim_stats(sim);
  r.residual = fmax(stats.residual_g, stats.residual_hidden);
  sw_sim_free(&sim);
  r.from_reference = run_rows_distance(&setup, RUN_ROWS(reference_square_states));
  return r;
}

void table_square(page *p)
{
  const run_setup refused = {&sw_model_square, .base = "verlet"};
  sw_sim *sim = run_start(&refused);

  page_head(p, "1000 steps, h = 0.02, six bars | paper | reference | sidewinder");
  page_row(p, "`--redundant error`");
  page_cell(p, "singular");
  page_cell(p, "singular");
  page_cell(p, "`%s`", sw_status_name(sw_sim_step(sim, 0.02)));
  page_end_row(p);
  for (int w = 0; w < 2; w++) {
    const square_run r = run_square(ways[w]);
    page_row(p, "`%s`: distance from the states of five bars", ways[w]);
    page_cell(p, "0");
    page_cell(p, "< 5e-11");
    page_below(p, r.from_reference, 1e-10);
    page_end_row(p);
    page_compare_row(p, "... smallest H - H0", "", -3.909104402755048e-05, r.low, 4);
    page_compare_row(p, "... largest H - H0", "", 0.00029334992886997924, r.high, 6);
    page_below_row(p, "... \\|g\\| and \\|{g,H}\\| of all six", "satisfied exactly", "< 7e-14",
                   r.residual, 1e-12);
  }
  sw_sim_free(&sim);
}

/* ---- the chain ---- */

static double chain_apart(const char *redundant, long steps)
{
  const run_setup plain = {&sw_model_chain6, .base = "verlet"};
  const run_setup tied = {&sw_model_chain6_tied, .base = "verlet", .redundant = redundant};
  sw_sim *a = run_start(&plain);
  sw_sim *b = run_start(&tied);
  double worst = 0.0;

  for (long n = 0; n < steps; n++) {
    run_advance(a, 0.01, 1);
    run_advance(b, 0.01, 1);
    worst = fmax(worst, run_distance(2 * sw_sim_nq(a), sw_sim_state(a), sw_sim_state(b)));
  }
  sw_sim_free(&a);
  sw_sim_free(&b);
  return worst;
}

void table_tied_chain(page *p)
{
  static const char *const references[] = {"< 4.3e-13", "< 3.1e-11", "< 4.8e-13", "< 5.3e-11"};

  page_head(p, "eight constraints, h = 0.01 | paper | reference | sidewinder");
  for (int w = 0; w < 2; w++) {
    page_row(p, "`%s`: distance from the states of five constraints, 100 steps", ways[w]);
    page_cell(p, "0");
    page_cell(p, "%s", references[2 * w]);
    page_below(p, chain_apart(ways[w], 100), 1e-12);
    page_end_row(p);
    page_row(p, "... 1000 steps");
    page_cell(p, "0");
    page_cell(p, "%s", references[2 * w + 1]);
    page_below(p, chain_apart(ways[w], 1000), 1e-10);
    page_end_row(p);
  }
}

/* ---- the four-bar linkage ---- */

/* The angles of both cranks. */
static void cranks(const double z[], double angle[2])
{
  angle[0] = atan2(z[1], z[0]);
  angle[1] = atan2(z[3], z[2] - 2.0);
}

typedef struct passage {
  double end;    /* the angle of the left crank at the end */
  double apart;  /* the largest difference of the two angles: 0 on the parallelogram */
  double energy; /* the largest |H - H0| */
} passage;

static passage pass(const char *redundant, double h, long steps)
{
  const run_setup setup = {&sw_model_four_bar, .init = "turning", .base = "verlet",
                           .redundant = redundant};
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);
  passage r = {0.0, 0.0, 0.0};

  for (long n = 0; n < steps; n++) {
    double angle[2];
    run_advance(sim, h, 1);
    cranks(sw_sim_state(sim), angle);
    r.end = angle[0];
    r.apart = fmax(r.apart, fabs(angle[0] - angle[1]));
    r.energy = fmax(r.energy, fabs(run_energy(sim) - H0));
  }
  sw_sim_free(&sim);
  return r;
}

void table_four_bar(page *p)
{
  static const struct {
    double h;
    long steps;
    double end;
    const char *apart;
    const char *energy;
  } rows[] = {{0.1, 20, -1.0033484232311953, "< 1.4e-13", "< 4e-15"},
              {0.07, 28, -0.9616042064654051, "< 6e-15", "< 9e-15"},
              {0.05, 40, -1.0008342722308137, "< 5.3e-13", "< 3e-14"},
              {0.03, 66, -0.9802971203494631, "< 9e-15", "< 5e-14"},
              {0.01, 200, -1.0000333348334374, "< 6.7e-12", "< 2e-13"}};

  page_head(p,
            "h | angle at the end, reference | sidewinder | cranks apart, reference | sidewinder "
            "| \\|H - H0\\|, reference | sidewinder");
  for (int i = 0; i < 5; i++) {
    const passage r = pass("min-norm", rows[i].h, rows[i].steps);
    page_row(p, "%g", rows[i].h);
    page_compare(p, rows[i].end, r.end, 12);
    page_cell(p, "%s", rows[i].apart);
    page_below(p, r.apart, 1e-11);
    page_cell(p, "%s", rows[i].energy);
    page_below(p, r.energy, 1e-12);
    page_end_row(p);
  }
}

/* ---- many times ---- */

/* One row: up to 200 units of time. */
static void turn_long(page *p, double gravity, double h)
{
  const run_setup setup = {&sw_model_four_bar,      .init = "turning",      .base = "verlet",
                           .redundant = "min-norm", .parameter = "gravity", .value = gravity};
  const long steps = lround(200.0 / h);
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);
  sw_status status = SW_OK;
  double before = sw_sim_state(sim)[1];
  double apart = 0.0;
  double energy = 0.0;
  long passed = 0;
  long n = 0;

  while (n < steps && (status = sw_sim_step(sim, h)) == SW_OK) {
    const double *z = sw_sim_state(sim);
    passed += (before < 0.0) != (z[1] < 0.0);
    before = z[1];
    apart = fmax(apart, fmax(fabs(z[1] - z[3]), fabs(z[0] - z[2] + 2.0)));
    energy = fmax(energy, fabs(run_energy(sim) - H0));
    n++;
  }
  page_row(p, "gravity %g, h = %g", gravity, h);
  page_cell(p, "%ld", passed);
  page_size(p, apart, 1e-9);
  page_size(p, energy, 1e-12);
  if (status == SW_OK) {
    page_cell(p, "t = 200");
  } else {
    page_cell(p, "t = %g, `%s`", sw_sim_time(sim), sw_status_name(status));
  }
  page_end_row(p);
  sw_sim_free(&sim);
}

void table_many_passages(page *p)
{
  static const double sizes[] = {0.1, 0.05, 0.01};

  page_head(
      p, "`min-norm` | flat configurations | distance from a parallelogram | \\|H - H0\\| | end");
  for (int gravity = 0; gravity < 2; gravity++) {
    for (int i = 0; i < 3; i++) {
      turn_long(p, gravity, sizes[i]);
    }
  }
}

/* ---- through the flat configuration, by the book and otherwise ---- */

enum { PASSING = 20 };

/* What 20 steps from `aimed`, which is flat after ten, have led to: angles, |g|, H - H0; 1 where a step failed. */
typedef struct flat {
  int failed; /* the step, 0 for none */
  double apart;
  double g;
  double energy;
} flat;

static void examine(flat *f, const double z[], const double k[], double H0, FILE *data, int n)
{
  double angle[2];
  double g[3];
  double H;

  sw_model_four_bar.constraint(NULL, z, k, g);
  sw_model_four_bar.hamiltonian(NULL, z, k, &H);
  cranks(z, angle);
  f->apart = fmax(f->apart, fabs(angle[0] - angle[1]));
  f->g = fmax(f->g, run_largest(3, g));
  f->energy = H - H0;
  fprintf(data, "%.10g %.6f %.6f\n", 0.1 * n, angle[0], angle[1]);
}

/* sidewinder's RATTLE; with `friction` the momenta are multiplied by exp(-friction h) after each step. */
static flat flat_by_rattle(const char *redundant, double friction, FILE *data)
{
  const run_setup setup = {&sw_model_four_bar, .init = "aimed", .base = "verlet",
                           .redundant = redundant};
  sw_sim *sim = run_start(&setup);
  const double H0 = run_energy(sim);
  flat f = {0, 0.0, 0.0, 0.0};

  for (int n = 1; n <= PASSING && f.failed == 0; n++) {
    if (sw_sim_step(sim, 0.1) != SW_OK) {
      f.failed = n;
      break;
    }
    double z[8];
    memcpy(z, sw_sim_state(sim), sizeof z);
    for (int a = 4; a < 8; a++) {
      z[a] *= exp(-friction * 0.1);
    }
    if (friction > 0.0) {
      run_set_state(sim, z);
    }
    examine(&f, z, sw_sim_parameters(sim), H0, data, n);
  }
  sw_sim_free(&sim);
  fprintf(data, "\n\n");
  return f;
}

static flat flat_naively(naive_kind kind, double eps, FILE *data)
{
  const double k[2] = {1.0, 0.0}; /* m, gravity */
  const naive_method method = {&sw_model_four_bar, k, 4, 3, kind, eps};
  flat f = {0, 0.0, 0.0, 0.0};
  double z[8];
  double H0;

  run_initial(&sw_model_four_bar, "aimed", z);
  sw_model_four_bar.hamiltonian(NULL, z, k, &H0);
  for (int n = 1; n <= PASSING; n++) {
    if (naive_step(&method, 0.1, z)) {
      f.failed = n;
      break;
    }
    examine(&f, z, k, H0, data, n);
  }
  fprintf(data, "\n\n");
  return f;
}

static void flat_row(page *p, const char *what, const char *paper, flat f)
{
  page_row(p, "%s", what);
  page_cell(p, "%s", paper);
  if (f.failed != 0) {
    page_cell(p, "fails at step %d", f.failed);
  } else {
    page_cell(p, "passes");
  }
  page_size(p, f.apart, 1e-12);
  page_size(p, f.g, 1e-12);
  page_size(p, f.energy, 1e-12);
  page_end_row(p);
}

void table_naive(page *p)
{
  FILE *data = page_data(p, "003_flat.dat", "# t, angle of the left crank, of the right crank");

  page_head(
      p,
      "20 steps, h = 0.1, flat after 10 steps | paper | outcome | cranks apart | \\|g\\| | H - H0");
  flat_row(p, "RATTLE, `--redundant error`", "ill-posed", flat_by_rattle("error", 0.0, data));
  flat_row(p, "RATTLE, `min-norm`", "exact, symplectic", flat_by_rattle("min-norm", 0.0, data));
  flat_row(p, "RATTLE, `drop`", "exact, symplectic", flat_by_rattle("drop", 0.0, data));
  flat_row(p, "RATTLE with A + eps I, eps = 1e-2", "not exact",
           flat_naively(NAIVE_REGULARISED, 1e-2, data));
  flat_row(p, "... eps = 1e-4", "not exact", flat_naively(NAIVE_REGULARISED, 1e-4, data));
  flat_row(p, "... eps = 1e-8", "not exact", flat_naively(NAIVE_REGULARISED, 1e-8, data));
  flat_row(p, "RATTLE with friction 0.1", "dissipative", flat_by_rattle("min-norm", 0.1, data));
  flat_row(p, "Verlet, then projected", "not symplectic", flat_naively(NAIVE_PROJECTED, 0.0, data));
  page_close_data(data);
}
