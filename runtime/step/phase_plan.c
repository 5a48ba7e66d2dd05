/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/phase_plan.h"

#include <stdlib.h>

#include "common/carver.h"
#include "linear/pattern.h"
#include "step/discrete.h"
#include "step/reach.h"

/* ---- colours of the columns of a sparse matrix: columns of one colour share no row ---- */

typedef struct colouring {
  const sw_pattern *pattern;
  int *in_column; /* entry numbers, by columns */
  int *column_start;
  int *row_start;
  int *taken; /* taken[c] = j + 1 if a neighbour of column j has colour c */
} colouring;

static void carve_colouring(sw_carver *c, void *of)
{
  colouring *w = of;
  const size_t rows = (size_t)w->pattern->rows;
  const size_t cols = (size_t)w->pattern->cols;

  w->in_column = sw_carve_bytes(c, (size_t)w->pattern->entries * sizeof(int));
  w->column_start = sw_carve_bytes(c, (cols + 1) * sizeof(int));
  w->row_start = sw_carve_bytes(c, (rows + 1) * sizeof(int));
  w->taken = sw_carve_bytes(c, (cols + 1) * sizeof(int));
}

/* Above this number of pairs, rows couple so many columns that colours save nothing. */
static const double most_pairs = 1e11;

static double count_pairs(const sw_pattern *pattern, const int row_start[])
{
  double pairs = 0.0;

  for (int i = 0; i < pattern->rows; i++) {
    const double entries = row_start[i + 1] - row_start[i];
    pairs += entries * entries;
  }
  return pairs;
}

/* Writes colour[j], 0 <= colour[j] < *colours, for each column of a sorted pattern.  Two columns
 * with an entry in the same row get different colours.  The algorithm is greedy in the order of the
 * columns and uses at most one colour more than the largest number of neighbours of a column.
 * Cost: the sum over the rows of their squared numbers of entries.  Errors: SW_ERR_MEMORY, also if
 * that sum exceeds 1e11. */
static sw_status colour_columns(const sw_pattern *pattern, int colour[], int *colours)
{
  colouring w = {.pattern = pattern};
  void *memory = sw_carve_block(carve_colouring, &w);

  *colours = 0;
  if (memory) {
    sw_sort_by_key(pattern->entries, NULL, pattern->col, pattern->cols, w.column_start,
                   w.in_column);
    sw_pattern_rows(pattern, w.row_start);
  }
  if (!memory || count_pairs(pattern, w.row_start) > most_pairs) {
    free(memory);
    return SW_ERR_MEMORY;
  }
  for (int j = 0; j < pattern->cols; j++) {
    for (int e = w.column_start[j]; e < w.column_start[j + 1]; e++) {
      const int row = pattern->row[w.in_column[e]];
      /* Only neighbours before column j have colours. */
      for (int f = w.row_start[row]; pattern->col[f] < j; f++) {
        w.taken[colour[pattern->col[f]]] = j + 1;
      }
    }
    colour[j] = 0;
    while (w.taken[colour[j]] == j + 1) {
      colour[j]++;
    }
    *colours = *colours > colour[j] ? *colours : colour[j] + 1;
  }
  free(memory);
  return SW_OK;
}

/* ---- the plan ---- */

/* Patterns of the unknowns' directions: of the start y after the slide, of the stage values x, and
 * of the multipliers in stages. */
static void directions(sw_reach *reach, const sw_phase_plan *plan, const sw_pattern *y[2],
                       const sw_pattern *x[], const sw_pattern *lambda[])
{
  const sw_system *system = reach->system;
  const int d = system->nq;
  const sw_pattern empty = {2 * d, plan->m, 0, NULL, NULL};
  const sw_pattern *flow = plan->m > 0 ? &system->fibre_flow_lambda_pattern : &empty;

  /* widened to n columns */
  const sw_pattern *wide = sw_reach_columns(reach, flow, 0, plan->n);
  y[0] = sw_reach_rows(reach, wide, 0, d);
  y[1] = sw_reach_rows(reach, wide, d, d);
  for (int b = 0; b < plan->stages->blocks; b++) {
    x[b] = sw_reach_unit(reach, d, plan->n, plan->m + plan->forces + b * d);
  }
  for (int i = 0; i * system->nc < plan->forces; i++) {
    lambda[i] = sw_reach_unit(reach, system->nc, plan->n, plan->m + i * system->nc);
  }
}

static const sw_pattern *below(sw_reach *reach, const sw_pattern *rows, const sw_pattern *more)
{
  return rows || reach->failed ? sw_reach_stack(reach, rows, more) : more;
}

/* The pattern for flows of parts of H; the multipliers are the only unknowns. */
static const sw_pattern *pattern_of_parts(sw_reach *reach, const sw_phase_plan *plan,
                                          const sw_pattern *required)
{
  const sw_flows *flows = plan->flows;
  const sw_pattern *moved =
      sw_reach_columns(reach, &reach->system->fibre_flow_lambda_pattern, 0, plan->n);

  for (int i = 0; i < flows->n; i++) {
    moved = sw_reach_product(reach, &plan->parts[flows->map[i]].derivative, moved);
  }
  return sw_reach_product(reach, required, moved);
}

/* The pattern of the Newton matrix for any base method. It is full for user-computed maps, which
 * may couple all entries, and for variational integrators, whose unknowns occur in all
 * equations. */
static const sw_pattern *newton_pattern(sw_reach *reach, const sw_phase_plan *plan,
                                        const sw_pattern *required)
{
  const sw_system *system = reach->system;
  const sw_pattern *y[2] = {NULL, NULL};
  const sw_pattern *x[SW_VALUES_MOST] = {NULL};
  const sw_pattern *lambda[SW_SLOPES_MOST] = {NULL};
  sw_stage_reach made = {.r = {NULL}};
  const sw_pattern *rows = NULL;

  if (plan->parts) {
    return pattern_of_parts(reach, plan, required);
  }
  if (plan->flows || plan->layer) {
    return sw_reach_full(reach, plan->n, plan->n);
  }
  directions(reach, plan, y, x, lambda);
  sw_reach_stages(reach, plan->stages, y, x, plan->forces > 0 ? lambda : NULL, &made);
  if (plan->m > 0) {
    rows = sw_reach_product(reach, required, sw_reach_stack(reach, made.z1[0], made.z1[1]));
  }
  for (int i = 0; i * system->nc < plan->forces; i++) {
    const sw_pattern *Dg_q =
        sw_reach_columns(reach, &system->constraint_jac_pattern, 0, system->nq);
    rows = below(reach, rows, sw_reach_product(reach, Dg_q, made.forced[i]));
  }
  for (int b = 0; b < plan->stages->blocks; b++) {
    rows = below(reach, rows, made.r[b]);
  }
  return rows;
}

static sw_status plan_colours(sw_phase_plan *plan)
{
  plan->colour = malloc((size_t)plan->n * sizeof *plan->colour);
  return plan->colour ? colour_columns(&plan->jacobian, plan->colour, &plan->colours)
                      : SW_ERR_MEMORY;
}

static sw_status plan_newton(const sw_system *system, const sw_pattern *required,
                             sw_phase_plan *plan)
{
  sw_reach reach;
  sw_status status = SW_ERR_MEMORY;

  sw_reach_begin(&reach, system);
  const sw_pattern *pattern = newton_pattern(&reach, plan, required);
  if (pattern) {
    status = sw_pattern_copy(pattern, &plan->jacobian);
  }
  sw_reach_end(&reach);
  return status == SW_OK && !plan->layer ? plan_colours(plan) : status;
}

/* ---- holonomic.h ---- */

int sw_positions_alone(const sw_system *system)
{
  const sw_pattern *Dg = &system->constraint_jac_pattern;

  for (int e = 0; e < Dg->entries; e++) {
    if (Dg->col[e] >= system->nq) {
      return 0;
    }
  }
  return 1;
}

int sw_is_holonomic(const sw_system *system, const sw_stage_plan *stages)
{
  const sw_structure *s = &system->model->structure;

  return system->nc > 0 && !system->fibre && s->holonomic && s->separable &&
         s->mass != SW_MASS_GENERAL && sw_stage_plan_kick(stages) >= 0.0 &&
         sw_positions_alone(system);
}

/* Creates the plan and the pattern of the Newton matrix. Errors: SW_ERR_MEMORY. */
static sw_status holonomic_plan_make(const sw_system *system, sw_holonomic_plan *plan,
                                     sw_pattern *jacobian)
{
  sw_pattern Dg = system->constraint_jac_pattern;
  sw_status status = sw_mass_create(system, &plan->mass);

  /* Drop the columns of momenta: no constraint depends on p. */
  Dg.cols = system->nq;
  if (status == SW_OK) {
    status = sw_runs_create(&Dg, &plan->jac_runs);
  }
  if (status == SW_OK && !sw_mass_is_diagonal(&plan->mass)) {
    status = sw_product_create(&Dg, &plan->mass.pattern, &plan->drift, &plan->slope);
    status = status == SW_OK ? sw_runs_create(&plan->slope, &plan->slope_runs) : status;
  }
  return status == SW_OK ? sw_row_product_create(&Dg, plan->slope.row ? &plan->slope : &Dg,
                                                 &plan->product, jacobian)
                         : status;
}

static void holonomic_plan_free(sw_holonomic_plan *plan)
{
  sw_mass_free(&plan->mass);
  sw_runs_free(&plan->jac_runs);
  sw_runs_free(&plan->slope_runs);
  sw_pattern_free(&plan->slope);
  sw_product_free(&plan->drift);
  sw_row_product_free(&plan->product);
}

/* ---- all phases ---- */

sw_status sw_phase_plan_make(const sw_system *system, int may_be_holonomic, sw_phase_plan *plan)
{
  const sw_pattern *required =
      plan->hidden ? &system->hidden_jac_pattern : &system->constraint_jac_pattern;
  sw_status status = SW_OK;

  plan->holonomic = may_be_holonomic && plan->stages && sw_is_holonomic(system, plan->stages);
  if (plan->discrete) {
    status = sw_discrete_pattern(system, &plan->jacobian);
    status = status == SW_OK ? plan_colours(plan) : status;
  } else if (plan->holonomic) {
    plan->kick = sw_stage_plan_kick(plan->stages);
    status = holonomic_plan_make(system, &plan->fast, &plan->jacobian);
  } else if (plan->combination) {
    status = SW_OK; /* no solve */
  } else if (!plan->stages && !plan->flows && !plan->layer) {
    status = sw_product_create(required, &system->fibre_flow_lambda_pattern, &plan->product,
                               &plan->jacobian);
  } else if (plan->n > 0) {
    status = plan_newton(system, required, plan);
  }
  if (status != SW_OK) {
    sw_phase_plan_free(plan);
    return status;
  }
  plan->is_made = 1;
  return SW_OK;
}

void sw_phase_plan_free(sw_phase_plan *plan)
{
  sw_pattern_free(&plan->jacobian);
  holonomic_plan_free(&plan->fast);
  sw_product_free(&plan->product);
  free(plan->colour);
  *plan = (sw_phase_plan){0};
}
