/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one_step_methods.c -- paper 004: orders of the variational integrators that Runge-Kutta methods make, and what they preserve.
 *
 * Reference numbers: F_sphere.json and F2_rigidbody.json of the independent computations (page.md).
 */
#include <math.h>
#include <string.h>

#include "../tests/reference/rigid_body.h"
#include "../tests/reference/spherical_pendulum.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_spherical_pendulum;
extern const sw_model sw_model_rigid_body;

enum { BASES = 4, BIASES = 2 };

static const char *const bases[BASES] = {"euler", "explicit-midpoint", "kutta-3", "rk4"};
static const char *const biases[BIASES] = {"(-1/2, 1/2)", "(0, 1)"};

/* Rows of a table are in the order of biases, base methods and steps. */
static run_setup setup_of(const sw_model *model, const reference_variational *row)
{
  return (run_setup){model, .method = "variational", .base = row->base,
                     .bias = {row->bias[0], row->bias[1]}};
}

static double error_of(const sw_model *model, const reference_variational *row,
                       const double exact[])
{
  const run_setup setup = setup_of(model, row);
  sw_sim *sim = run_start(&setup);

  run_advance(sim, row->step, row->steps);
  const double error = run_distance_2(sw_sim_nq(sim), sw_sim_state(sim), exact);
  sw_sim_free(&sim);
  return error;
}

/* `levels` step sizes for each method. */
static void orders(page *p, const sw_model *model, int levels, const reference_variational rows[],
                   const double exact[], int digits)
{
  page_head(p, "base method | r | bias | order, paper | error, reference | sidewinder "
               "| order, reference | sidewinder");
  for (int bias = 0; bias < BIASES; bias++) {
    for (int r = 1; r <= BASES; r++) {
      const reference_variational *fine = &rows[(bias * BASES + r) * levels - 1];
      const double found = error_of(model, fine, exact);
      const double before = error_of(model, fine - 1, exact);
      page_row(p, "`%s`", bases[r - 1]);
      page_cell(p, "%d", r);
      page_cell(p, "%s", biases[bias]);
      page_cell(p, "%d", bias == 0 ? r + r % 2 : r);
      page_compare(p, fine->error, found, digits);
      page_compare(p, log2(fine[-1].error / fine->error), log2(before / found), 3);
      page_end_row(p);
    }
  }
}

void table_variational_sphere(page *p)
{
  enum { LEVELS = 4 };
  const double *exact = reference_spherical_pendulum_exact[0].z;
  const reference_variational *rows = reference_spherical_pendulum_states;
  FILE *data = page_data(p, "004_orders.dat", "# h, errors of bias (-1/2,1/2), r = 1..4, of (0,1)");

  orders(p, &sw_model_spherical_pendulum, LEVELS, rows, exact, 5);
  for (int level = 0; level < LEVELS; level++) {
    fprintf(data, "%.10g", rows[level].step);
    for (int method = 0; method < BASES * BIASES; method++) {
      const reference_variational *row = &rows[method * LEVELS + level];
      fprintf(data, " %.6g", error_of(&sw_model_spherical_pendulum, row, exact));
    }
    fprintf(data, "\n");
  }
  page_close_data(data);
}

void table_variational_body(page *p)
{
  orders(p, &sw_model_rigid_body, 3, reference_rigid_body_states, reference_rigid_body_exact[0].z,
         4);
}

/* Changes of energy, of the momentum of the state and of the discrete one over a long run. */
typedef struct changes {
  double low;
  double high;
  double of_state;
  double discrete;
} changes;

static changes run_long(const run_setup *setup)
{
  enum { STEPS = 2000 };
  sw_sim *sim = run_start(setup);
  const double H = run_energy(sim);
  changes found = {0.0, 0.0, 0.0, 0.0};
  double first = 0.0;

  for (int n = 0; n <= STEPS; n++) {
    const double *z = sw_sim_state(sim);
    double x[6];
    if (sw_sim_legendre(sim, 0.1, x, NULL) != SW_OK) {
      page_die("discrete momentum: %s", sw_sim_message(sim));
    }
    const double J = x[0] * x[4] - x[1] * x[3];
    first = n == 0 ? J : first;
    found.low = fmin(found.low, run_energy(sim) - H);
    found.high = fmax(found.high, run_energy(sim) - H);
    found.of_state = fmax(found.of_state, fabs(z[0] * z[4] - z[1] * z[3] - 0.3));
    found.discrete = fmax(found.discrete, fabs(J - first));
    if (n < STEPS) {
      run_advance(sim, 0.1, 1);
    }
  }
  sw_sim_free(&sim);
  return found;
}

enum { DIM = 6, DIRECTIONS = 4 };

/* omega of all pairs of directions at the state, in the form that the method keeps, dqbar ^ dmu; and the sizes of its terms. */
static void form_of(sw_sim *sim, const double V[], double form[], double size[])
{
  double x[DIM];
  double D[DIM * DIM];
  double W[DIRECTIONS * DIM] = {0.0};

  if (sw_sim_legendre(sim, 0.1, x, D) != SW_OK) {
    page_die("two-form: %s", sw_sim_message(sim));
  }
  for (int n = 0; n < DIRECTIONS * DIM; n++) {
    for (int j = 0; j < DIM; j++) {
      W[n] += D[j * DIM + n % DIM] * V[n / DIM * DIM + j];
    }
  }
  for (int pair = 0; pair < DIRECTIONS * DIRECTIONS; pair++) {
    const double *v = W + pair / DIRECTIONS * DIM;
    const double *w = W + pair % DIRECTIONS * DIM;
    form[pair] = 0.0;
    size[pair] = 0.0;
    for (int i = 0; i < DIM / 2; i++) {
      form[pair] += v[i] * w[DIM / 2 + i] - v[DIM / 2 + i] * w[i];
      size[pair] += fabs(v[i] * w[DIM / 2 + i]) + fabs(v[DIM / 2 + i] * w[i]);
    }
  }
}

/* The largest change of the form in a step, relative to its terms, along directions that steps have carried. */
static double change_of_form(const run_setup *setup)
{
  enum { STEPS = 3 };
  double V[DIRECTIONS * DIM];
  double form[2][DIRECTIONS * DIRECTIONS];
  double size[2][DIRECTIONS * DIRECTIONS];
  double largest = 0.0;
  sw_sim *sim = run_start(setup);

  for (int i = 0; i < DIRECTIONS * DIM; i++) {
    V[i] = sin(1.0 + 37.0 * (double)i);
  }
  for (int n = 0; n < STEPS; n++) {
    form_of(sim, V, form[0], size[0]);
    if (sw_sim_tangent_times(sim, 0.1, DIRECTIONS, V, V) != SW_OK) {
      page_die("two-form: %s", sw_sim_message(sim));
    }
    run_advance(sim, 0.1, 1);
  }
  form_of(sim, V, form[1], size[1]);
  for (int pair = 0; pair < DIRECTIONS * DIRECTIONS; pair++) {
    const double sum = size[0][pair] + size[1][pair];
    largest = sum > 0.0 ? fmax(largest, fabs(form[1][pair] - form[0][pair]) / sum) : largest;
  }
  sw_sim_free(&sim);
  return largest;
}

static double there_and_back(const run_setup *setup)
{
  double z[6];
  sw_sim *sim = run_start(setup);

  memcpy(z, sw_sim_state(sim), sizeof z);
  run_advance(sim, 0.1, 1);
  run_advance(sim, -0.1, 1);
  const double off = run_distance(6, z, sw_sim_state(sim));
  sw_sim_free(&sim);
  return off;
}

void table_variational_long(page *p)
{
  static const struct {
    double low;
    double high;
    double back; /* 0: below round-off */
  } expected[BIASES][BASES] = {{{-0.0006713513485672173, 0.0004262900768127187, 0.0},
                                {-0.00018956139933257177, 0.00015052504620816087, 0.0},
                                {-1.016472059633955e-06, 9.071691463580223e-07, 0.0},
                                {-5.921674350872763e-08, 2.44958015649388e-07, 0.0}},
                               {{-4.316657794189993e-05, 0.03200334043917463, 0.005036},
                                {-0.0007470493500771891, 0.0006265329143266829, 1.148e-5},
                                {-0.00012258959702293737, 6.326775530141049e-07, 1.462e-5},
                                {-1.0128232981188035e-06, 3.883005481819524e-06, 4.334e-8}}};

  page_head(p, "base method | bias | lowest H - H_0, reference | sidewinder | highest, reference "
               "| sidewinder | change of the momentum | of J | of the two-form | back, reference | "
               "sidewinder");
  for (int bias = 0; bias < BIASES; bias++) {
    for (int r = 0; r < BASES; r++) {
      const reference_variational *row =
          &reference_spherical_pendulum_states[(bias * BASES + r) * 4];
      const run_setup setup = setup_of(&sw_model_spherical_pendulum, row);
      const changes found = run_long(&setup);
      page_row(p, "`%s`", bases[r]);
      page_cell(p, "%s", biases[bias]);
      page_compare(p, expected[bias][r].low, found.low, 5);
      page_compare(p, expected[bias][r].high, found.high, 5);
      page_number(p, found.of_state, 2);
      page_below(p, found.discrete, 1e-12);
      page_below(p, change_of_form(&setup), 1e-14);
      if (expected[bias][r].back > 0.0) {
        page_compare(p, expected[bias][r].back, there_and_back(&setup), 4);
      } else {
        page_cell(p, "0");
        page_below(p, there_and_back(&setup), 1e-14);
      }
      page_end_row(p);
    }
  }
}

/* ---- another method for one of the two maps ---- */

/* The error of the positions at t = 1 after so many steps. */
static double error_after(const run_setup *setup, long steps)
{
  sw_sim *sim = run_start(setup);

  run_advance(sim, 1.0 / (double)steps, steps);
  const double error =
      run_distance_2(3, sw_sim_state(sim), reference_spherical_pendulum_exact[0].z);
  sw_sim_free(&sim);
  return error;
}

static void put_pair(page *p, const run_setup *setup, const char *minus, const char *order,
                     double error, double back)
{
  const double found = error_after(setup, 80);

  page_row(p, "`%s`", setup->base);
  page_cell(p, "%s", minus);
  page_cell(p, "%s", order);
  if (error > 0.0) {
    page_compare(p, error, found, 5);
  } else {
    page_none(p);
    page_size(p, found, 0.0);
  }
  page_number(p, log2(error_after(setup, 40) / found), 3);
  if (back > 0.0) {
    page_compare(p, back, there_and_back(setup), 4);
  } else {
    page_none(p);
    page_size(p, there_and_back(setup), 1e-14);
  }
  page_end_row(p);
}

void table_variational_pairs(page *p)
{
  static const struct {
    double error; /* of the adjoint before the state */
    double back;
  } known[] = {{0.001603076820475079, 0.0025454580496493406},
               {3.870188134312401e-06, 4.735784561560319e-06},
               {1.719115550416761e-08, 1.771778946446645e-06}};
  run_setup setup = {.model = &sw_model_spherical_pendulum, .method = "variational"};

  page_head(
      p,
      "method after the state | method before it | order, paper | error, reference | sidewinder | "
      "order | back, reference | sidewinder");
  setup.adjoint = "minus";
  for (int r = 1; r <= 3; r++) {
    char even[8];
    snprintf(even, sizeof even, "%d", r + r % 2);
    setup.base = bases[r - 1];
    put_pair(p, &setup, "its adjoint", even, known[r - 1].error, known[r - 1].back);
  }
  setup.adjoint = NULL;
  setup.base_minus = "kutta-3";
  setup.base = "rk4";
  put_pair(p, &setup, "`kutta-3`", "", 0.0, 0.0);
  setup.base = "explicit-midpoint";
  put_pair(p, &setup, "`kutta-3`", "", 0.0, 0.0);
  setup.base_minus = "rk4";
  setup.base = "rk4";
  put_pair(p, &setup, "`rk4`", "4", 0.0, 0.0);
}
