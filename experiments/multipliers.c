/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * multipliers.c -- paper 001, section 4: the order of multipliers, by the command `converge`.
 *
 * Reference numbers: the multipliers of E_gonzalez.json against those of the motion, integrated in double precision with
 * steps of 2.5e-5.
 */
#include <math.h>

#include "commands.h"
#include "tables.h"

/* Columns of the command. */
enum { H, N_STEPS, IN_Q, IN_P, ORDER, IN_LAMBDA, ORDER_LAMBDA, IN_MIDDLE, ORDER_MIDDLE };

/* An order: none in the first row. */
static void put_order(page *p, double order)
{
  if (isnan(order)) {
    page_none(p);
  } else {
    page_number(p, order, 3);
  }
}

void table_particle_multipliers(page *p)
{
  command_table found;

  command_run(p, &found,
              "converge models/four_particles.sw --method energy-momentum --step 0.01 --t-end 0.1");
  page_head(p, "h | error of q | order | of lambda at the end | order | in mid-step | order");
  for (int i = 0; i < found.rows; i++) {
    const double *at = found.at[i];
    page_row(p, "0.01/%d", 1 << i);
    page_size(p, at[IN_Q], 0.0);
    put_order(p, at[ORDER]);
    page_size(p, at[IN_LAMBDA], 0.0);
    put_order(p, at[ORDER_LAMBDA]);
    page_size(p, at[IN_MIDDLE], 0.0);
    put_order(p, at[ORDER_MIDDLE]);
    page_end_row(p);
  }
  page_say(p, "\n");
  page_head(p, "h = 0.01 | paper | reference | sidewinder");
  page_compare_row(p, "error of lambda, at the end of the step", "perhaps reduced",
                   0.00048037728764, found.at[0][IN_LAMBDA], 5);
  page_compare_row(p, "... in its middle", "perhaps reduced", 0.00022749272331,
                   found.at[0][IN_MIDDLE], 5);
}

void table_multiplier_orders(page *p)
{
  static const struct {
    const char *method;
    double state;
    double end;
    double middle;
  } rows[] = {{"rattle", 2.0, 1.0, 2.0},
              {"lobatto", 4.0, 1.0, 2.0},
              {"vs", 2.0, 1.0, 2.0},
              {"bdf2", 2.0, 2.0, 1.0},
              {"energy-momentum", 2.0, 1.0, 1.0},
              {"variational", 4.0, 4.0, 1.0}};

  page_head(p, "`--method` | states | sidewinder | multipliers at the end | sidewinder | in "
               "mid-step | sidewinder");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    command_table found;
    command_run(p, &found,
                "converge models/pendulum.sw --method %s --step 0.05 --t-end 1 --levels 4",
                rows[i].method);
    const double *at = found.at[found.rows - 1];
    page_row(p, "`%s`", rows[i].method);
    page_compare(p, rows[i].state, at[ORDER], 2);
    page_compare(p, rows[i].end, at[ORDER_LAMBDA], 2);
    page_compare(p, rows[i].middle, at[ORDER_MIDDLE], 2);
    page_end_row(p);
  }
}
