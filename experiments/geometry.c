/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * geometry.c -- paper 000: symplectic forms and reversibility (section 4), variables without a time derivative (section
 * 5.3), and the example in which nondegeneracy fails (section 5.2).
 *
 * Reference numbers: C5_symplecticity_A.json and C3_index1.json of the independent computations (page.md).
 */
#include <math.h>
#include <string.h>

#include "../tests/reference/index1.h"
#include "forms.h"
#include "hopf.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_hopf;
extern const sw_model sw_model_index1;
extern const sw_model sw_model_spherical;

enum { LINE_BYTES = 512 };

static const double step = 0.1;

/* ---- symplectic forms ---- */

/* What a step of SHAKE makes of the direction of the fibre: its largest component. */
static double fibre_direction(const double z[4])
{
  const run_setup setup = {&sw_model_hopf, .init = "za", .method = "shake", .base = "midpoint"};
  const double along[4] = {2.0 * z[2], 2.0 * z[3], -2.0 * z[0], -2.0 * z[1]};
  sw_sim *sim = run_start(&setup);
  double moved[4];

  run_set_state(sim, z);
  if (sw_sim_tangent_times(sim, step, 1, along, moved) != SW_OK) {
    page_die("no derivative of a step: %s", sw_sim_message(sim));
  }
  sw_sim_free(&sim);
  return run_largest(4, moved);
}

/* How far a step and a step back lead from where they began, after so many steps. */
static double there_and_back(const char *method, int before)
{
  const run_setup setup = {&sw_model_hopf, .init = "za", .method = method, .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  double z[4];

  run_advance(sim, step, before);
  memcpy(z, sw_sim_state(sim), sizeof z);
  run_advance(sim, step, 1);
  run_advance(sim, -step, 1);
  const double distance = run_distance(4, z, sw_sim_state(sim));
  sw_sim_free(&sim);
  return distance;
}

/* The largest distance between the ends of SHAKE steps from points of one fibre, up to 0.3 rad on both sides of z_a. */
static double ends_apart(void)
{
  const run_setup setup = {&sw_model_hopf, .init = "za", .method = "shake", .base = "midpoint"};
  sw_sim *sim = run_start(&setup);
  double z[4];
  double end[4];
  double worst = 0.0;

  memcpy(z, sw_sim_state(sim), sizeof z);
  run_advance(sim, step, 1);
  memcpy(end, sw_sim_state(sim), sizeof end);
  for (int i = -30; i <= 30; i++) {
    double there[4];
    hopf_along(&sw_model_hopf, z, 0.01 * i, there);
    run_set_state(sim, there);
    run_advance(sim, step, 1);
    worst = fmax(worst, run_distance(4, end, sw_sim_state(sim)));
  }
  sw_sim_free(&sim);
  return worst;
}

void table_geometry(page *p)
{
  const run_setup rattle = {&sw_model_hopf, .init = "za", .method = "rattle", .base = "midpoint"};
  const run_setup shake = {&sw_model_hopf, .init = "za", .method = "shake", .base = "midpoint"};
  const run_setup control = {&sw_model_spherical, .method = "rattle", .base = "explicit-midpoint"};
  double z[4];
  double two[4];
  double ball[6];
  sw_sim *sim = run_start(&shake);

  memcpy(z, sw_sim_state(sim), sizeof z);
  run_advance(sim, step, 2);
  memcpy(two, sw_sim_state(sim), sizeof two);
  sw_sim_free(&sim);
  run_initial(&sw_model_spherical, NULL, ball);
  page_head(p, "from z_a, h = 0.1 | paper | reference | sidewinder");
  page_below_row(p, "change of the presymplectic form on M by SHAKE", "0", "< 2e-32",
                 forms_defect(&shake, z, step, 0), 1e-14);
  page_below_row(p, "... from a state off M^H, after two steps of SHAKE", "0", "< 2e-32",
                 forms_defect(&shake, two, step, 0), 1e-14);
  page_below_row(p, "change of the presymplectic form on M by RATTLE", "0", "< 2e-32",
                 forms_defect(&rattle, z, step, 0), 1e-14);
  page_below_row(p, "... of the symplectic form on M^H", "0", "< 2e-33",
                 forms_defect(&rattle, z, step, 1), 1e-14);
  page_row(p, "control: RATTLE over Runge's midpoint, which is not symplectic (`spherical`)");
  page_none(p);
  page_none(p);
  page_number(p, forms_defect(&control, ball, step, 1), 2);
  page_end_row(p);
  page_below_row(p, "derivative of SHAKE applied to the direction of the fibre", "0", "< 4e-35",
                 fibre_direction(z), 1e-14);
  page_below_row(p, "distance between the ends of SHAKE from 61 points of the fibre of z_a", "0",
                 "", ends_apart(), 1e-14);
  page_below_row(p, "distance from the start after a step of RATTLE and a step back", "0",
                 "< 3e-51", there_and_back("rattle", 0), 1e-14);
  page_compare_row(p, "distance from the start after a step of SHAKE and a step back", "", 0.103284,
                   there_and_back("shake", 2), 6);
}

/* ---- index 1 ---- */

void table_index_one(page *p)
{
  enum { Q, P = 2 }; /* of the state (q, alpha, p, beta) */
  const run_setup rattle = {&sw_model_index1, .method = "rattle", .base = "midpoint"};
  const run_setup shake = {&sw_model_index1, .method = "shake", .base = "midpoint"};
  sw_sim *r = run_start(&rattle);
  sw_sim *s = run_start(&shake);
  double apart = 0.0;
  double low = INFINITY;
  double high = -INFINITY;
  const double H0 = run_energy(r);

  for (int n = 0; n < 1000; n++) {
    run_advance(r, step, 1);
    run_advance(s, step, 1);
    const double *a = sw_sim_state(r);
    const double *b = sw_sim_state(s);
    apart = fmax(apart, fmax(fabs(a[Q] - b[Q]), fabs(a[P] - b[P])));
    low = fmin(low, run_energy(r));
    high = fmax(high, run_energy(r));
  }
  page_head(p, "1000 steps, h = 0.1 | paper | reference | sidewinder");
  page_compare_row(p, "H at the start", "", 0.26839821542546397564, H0, 14);
  page_below_row(p, "distance of SHAKE from the midpoint rule for the index-1 equation", "0",
                 "< 3e-39", run_rows_distance(&shake, RUN_ROWS(reference_index1_states)), 1e-12);
  page_below_row(p, "distance of RATTLE from that rule", "0", "< 3e-39",
                 run_rows_distance(&rattle, RUN_ROWS(reference_index1_states)), 1e-12);
  page_below_row(p, "distance between (q, p) of SHAKE and of RATTLE", "0", "", apart, 1e-12);
  page_compare_row(p, "RATTLE: smallest H", "", 0.268363138987, low, 11);
  page_compare_row(p, "... largest H", "", 0.268430601869, high, 11);
  sw_sim_free(&r);
  sw_sim_free(&s);
}

/* (q, p), and beta, at t = 1. */
static void index_one_end(const char *method, const char *base, long steps, double end[3])
{
  const run_setup setup = {&sw_model_index1, .method = method, .base = base};
  sw_sim *sim = run_start(&setup);

  run_advance(sim, 1.0 / (double)steps, steps);
  const double *z = sw_sim_state(sim); /* (q, alpha, p, beta) */
  end[0] = z[0];
  end[1] = z[2];
  end[2] = z[3];
  sw_sim_free(&sim);
}

void table_index_one_orders(page *p)
{
  static const struct {
    const char *method;
    const char *base;
    double order;
  } rows[] = {{"index1", "midpoint", 2.0},   {"index1", "gauss-4", 4.0},
              {"index1", "gauss-6", 6.0},    {"lobatto", "lobatto-4", 4.0},
              {"lobatto", "lobatto-6", 6.0}, {"rattle", "midpoint", 2.0},
              {"rattle", "gauss-4", 2.0},    {"rattle", "gauss-6", 2.0}};
  enum { STEPS = 10, FINE = 40 * STEPS };
  double fine[3];

  index_one_end("index1", "gauss-6", FINE, fine);
  page_head(p, "errors at t = 1 | (q, p), h = 0.1 | h = 0.05 | order | beta, h = 0.1 | h = 0.05 "
               "| order");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double end[2][3];
    page_row(p, "`%s` over `%s`", rows[i].method, rows[i].base);
    for (int half = 0; half < 2; half++) {
      index_one_end(rows[i].method, rows[i].base, (1L + half) * STEPS, end[half]);
    }
    for (int beta = 0; beta < 2; beta++) {
      double e[2];
      for (int half = 0; half < 2; half++) {
        e[half] = run_distance_2(beta ? 1 : 2, end[half] + 2 * beta, fine + 2 * beta);
        page_size(p, e[half], 1e-15);
      }
      page_agrees(p, rows[i].order, log2(e[0] / e[1]), 2);
    }
    page_end_row(p);
  }
}

/* ---- where nondegeneracy fails ---- */

/* What `sidewinder check --ascii` says of a model from "Refused" on. */
static void refusal(page *p, const char *model)
{
  char command[4096];
  char line[LINE_BYTES];
  int found = 0;

  snprintf(command, sizeof command, "'%s' check --ascii '%s' 2>/dev/null", p->generator, model);
  FILE *output = popen(command, "r");
  if (output == NULL) {
    page_die("cannot run %s", p->generator);
  }
  while (fgets(line, sizeof line, output) != NULL) {
    found |= strncmp(line, "Refused", 7) == 0;
    if (found) {
      page_say(p, "%s%s", line[0] == '\n' ? "" : "    ", line);
    }
  }
  pclose(output);
  if (!found) {
    page_die("%s is not refused", model);
  }
}

void table_failing(page *p)
{
  page_say(p, "With H = p^2/2 + pbar q, `sidewinder check tests/geometry/five.sw` prints\n\n");
  refusal(p, "tests/geometry/five.sw");
  page_say(p, "\nWith H = p^2/2, `sidewinder check tests/geometry/free.sw` prints\n\n");
  refusal(p, "tests/geometry/free.sw");
}
