/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orders.c -- paper 000: how fast SHAKE and RATTLE converge (Propositions 4.4 and 4.9, section 5.1.3).
 *
 * Reference numbers: A_order.json, C1.json and C2.json of the independent computations (page.md).  Errors at t = 1,
 * Euclidean.
 */
#include <math.h>

#include "../tests/reference/hopf.h"
#include "../tests/reference/pendulum.h"
#include "../tests/reference/spherical.h"
#include "hopf.h"
#include "page.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_hopf;
extern const sw_model sw_model_pendulum;
extern const sw_model sw_model_spherical;

typedef struct errors {
  double q;
  double p;
  double z;
  double fibre; /* of the fibre, for the Hopf model */
} errors;

static errors at_one(const run_setup *setup, long steps, const double exact[])
{
  sw_sim *sim = run_start(setup);
  const int d = sw_sim_nq(sim);

  run_advance(sim, 1.0 / (double)steps, steps);
  const double *z = sw_sim_state(sim);
  errors e = {run_distance_2(d, z, exact), run_distance_2(d, z + d, exact + d),
              run_distance_2(2 * d, z, exact), NAN};
  if (d == 2) {
    e.fibre = cabs(hopf_fibre(z) - hopf_fibre(exact));
  }
  sw_sim_free(&sim);
  return e;
}

void table_orders_mixed(page *p)
{
  static const struct {
    double rattle;
    double shake;
    double fibre;
  } expected[] = {{0.005129238278, 0.2363370779, 0.009001392623},
                  {0.001432575690, 0.1292147844, 0.002277956819},
                  {0.0003660953651, 0.06753952226, 0.0005687915019},
                  {9.195747380e-5, 0.03450524648, 0.0001421078660},
                  {2.301542614e-5, 0.01743509779, 3.552074959e-5},
                  {5.755469187e-6, 0.008762866687, 8.879790375e-6},
                  {1.438967840e-6, 0.004392716579, 2.219922650e-6}};
  const run_setup setup = {&sw_model_hopf, .init = "za", .base = "midpoint"};
  run_setup by_shake = setup;
  FILE *data = page_data(p, "000_orders.dat", "# h, RATTLE, SHAKE, SHAKE's fibre");
  errors r[7];
  errors s[7];

  by_shake.method = "shake";
  page_head(p, "h | RATTLE, reference | sidewinder | SHAKE, reference | sidewinder "
               "| fibre of SHAKE, reference | sidewinder");
  for (int i = 0; i < 7; i++) {
    r[i] = at_one(&setup, 10L << i, reference_hopf_exact[0].z);
    s[i] = at_one(&by_shake, 10L << i, reference_hopf_exact[0].z);
    page_row(p, "0.1/%d", 1 << i);
    page_compare(p, expected[i].rattle, r[i].z, 6);
    page_compare(p, expected[i].shake, s[i].z, 6);
    page_compare(p, expected[i].fibre, s[i].fibre, 6);
    page_end_row(p);
    fprintf(data, "%.10g %.6g %.6g %.6g\n", 0.1 / (1 << i), r[i].z, s[i].z, s[i].fibre);
  }
  page_row(p, "order, from the last two");
  page_compare(p, 1.9999, log2(r[5].z / r[6].z), 5);
  page_compare(p, 0.99629, log2(s[5].z / s[6].z), 4);
  page_compare(p, 2.0000, log2(s[5].fibre / s[6].fibre), 5);
  page_end_row(p);
  page_close_data(data);
}

typedef struct holonomic_case {
  const char *text;
  const sw_model *model;
  const char *base;
  const double *exact;
  struct {
    double q; /* of RATTLE, and of SHAKE */
    double p;
    double shake_p;
  } expected[2]; /* 160 and 320 steps */
} holonomic_case;

void table_orders_holonomic(page *p)
{
  static const holonomic_case cases[] = {
      {"pendulum, symplectic Euler",
       &sw_model_pendulum,
       "euler-a",
       reference_pendulum_exact[0].z,
       {{0.001662007629, 0.001034172945, 0.0009995824568},
        {0.0008314140504, 0.0005177042027, 0.0005003546835}}},
      {"pendulum, Stormer-Verlet",
       &sw_model_pendulum,
       "verlet",
       reference_pendulum_exact[0].z,
       {{1.561166003e-6, 1.086093152e-6, 0.002301119130},
        {3.902897590e-7, 2.715224109e-7, 0.001151189933}}},
      {"spherical, symplectic Euler",
       &sw_model_spherical,
       "euler-a",
       reference_spherical_exact[0].z,
       {{0.003306446662, 0.002802696510, 0.001819186306},
        {0.001653868625, 0.001402276409, 0.0009116374684}}},
      {"spherical, Stormer-Verlet",
       &sw_model_spherical,
       "verlet",
       reference_spherical_exact[0].z,
       {{2.885235542e-6, 5.607325924e-6, 0.003834593156},
        {7.213072013e-7, 1.401816696e-6, 0.001919795604}}},
      {"spherical, midpoint",
       &sw_model_spherical,
       "midpoint",
       reference_spherical_exact[0].z,
       {{3.218787178e-6, 5.273486308e-6, 0.003832841482},
        {8.046914515e-7, 1.318368815e-6, 0.001919362363}}},
  };

  page_head(p,
            "model, base method | error of q, reference | sidewinder | of p, RATTLE | sidewinder "
            "| of p, SHAKE | sidewinder");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const holonomic_case *c = &cases[i];
    const run_setup setup = {c->model, .method = "rattle", .base = c->base};
    run_setup by_shake = setup;
    errors r[2];
    errors s[2];
    by_shake.method = "shake";
    for (int k = 0; k < 2; k++) {
      r[k] = at_one(&setup, 160L << k, c->exact);
      s[k] = at_one(&by_shake, 160L << k, c->exact);
      page_row(p, "%s, h = 1/%d", k == 0 ? c->text : "...", 160 << k);
      page_compare(p, c->expected[k].q, r[k].q, 6);
      page_compare(p, c->expected[k].p, r[k].p, 6);
      page_compare(p, c->expected[k].shake_p, s[k].p, 6);
      page_end_row(p);
    }
    page_row(p, "... order");
    page_compare(p, log2(c->expected[0].q / c->expected[1].q), log2(r[0].q / r[1].q), 4);
    page_compare(p, log2(c->expected[0].p / c->expected[1].p), log2(r[0].p / r[1].p), 4);
    page_compare(p, log2(c->expected[0].shake_p / c->expected[1].shake_p), log2(s[0].p / s[1].p),
                 4);
    page_end_row(p);
  }
}
