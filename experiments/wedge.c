/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wedge.c -- paper 002, sections 3 to 5: the wedge product that VS and RATTLE (there VR) preserve, and their order.
 */
#include <math.h>
#include <string.h>

#include "commands.h"
#include "forms.h"
#include "tables.h"

extern const sw_model sw_model_chain6;

enum { NZ = 24 };

/* Theorem 5.1, by the command `converge`. */
void table_second_order(page *p)
{
  static const char *const methods[] = {"vs", "rattle"};

  page_head(p, "`--method` | order of the positions, paper | sidewinder | of the momenta, paper | "
               "sidewinder");
  for (int i = 0; i < 2; i++) {
    enum { IN_Q = 2, IN_P = 3 };
    command_table found;
    command_run(p, &found, "converge models/chain6.sw --method %s --step 0.01 --t-end 1",
                methods[i]);
    const double *fine = found.at[found.rows - 1];
    const double *coarse = found.at[found.rows - 2];
    page_row(p, "`%s`", methods[i]);
    page_compare(p, 2.0, log2(coarse[IN_Q] / fine[IN_Q]), 2);
    page_compare(p, 2.0, log2(coarse[IN_P] / fine[IN_P]), 2);
    page_end_row(p);
  }
}

static void put_change(page *p, const char *what, const run_setup *setup, const double z[])
{
  page_below_row(p, what, "0", "", forms_defect(setup, z, 0.01, 0), 1e-13);
}

/* Section 3 and 4: dq ^ dp, on vectors tangent to M. */
void table_wedge(page *p)
{
  const run_setup vs = {&sw_model_chain6, .method = "vs"};
  const run_setup rattle = {&sw_model_chain6, .method = "rattle"};
  const run_setup control = {&sw_model_chain6, .method = "rattle", .base = "explicit-midpoint"};
  sw_sim *sim = run_start(&vs);
  double z[NZ];
  double later[NZ];

  memcpy(z, sw_sim_state(sim), sizeof z);
  run_advance(sim, 0.01, 100);
  memcpy(later, sw_sim_state(sim), sizeof later);
  sw_sim_free(&sim);
  page_head(p, "change of dq ^ dp on M in a step, h = 0.01 | paper | reference | sidewinder");
  put_change(p, "VS, first step", &vs, z);
  put_change(p, "... after 100 steps, from a state off M^H", &vs, later);
  put_change(p, "VR, first step", &rattle, z);
  page_row(p, "control: RATTLE over a base method that is not symplectic");
  page_none(p);
  page_none(p);
  page_number(p, forms_defect(&control, z, 0.01, 0), 2);
  page_end_row(p);
}
