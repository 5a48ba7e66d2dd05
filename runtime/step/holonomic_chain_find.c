/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holonomic_chain_find.c -- which systems are chains that holonomic_chain.h is for.
 */
#include <math.h>

#include "common/vectors.h"
#include "step/holonomic_chain_view.h"

/* Whether pieces are of the rows that model.h says. */
static int has_these_pieces(const sw_chain *chain, const double z[])
{
  const sw_holonomic *s = chain->s;
  const int m = s->plan->m;
  const int behind = chain->first + chain->rows;
  const long looked_at[] = {0, 1, chain->pieces / 2, chain->pieces - 1};
  double *value = s->g->value;
  int so = 1;

  for (int i = 0; i < 4 && so; i++) {
    const sw_span rows = {sw_chain_row(chain, looked_at[i]), sw_chain_row(chain, looked_at[i] + 1)};
    sw_fill(value, (double)NAN, (size_t)m);
    sw_system_pieces(s->system, SW_PIECES_OF_VALUES, looked_at[i], looked_at[i] + 1, chain->pieces,
                     z, s->k, NULL, value);
    for (int row = 0; row < m; row++) {
      const int is_other = row < chain->first || row >= behind;
      const int is_here = is_other ? i == 0 : row >= rows.first && row < rows.end;
      so &= is_here ? !isnan(value[row]) : isnan(value[row]);
    }
  }
  return so;
}

/* Whether rows are as neighbours are, and no other row has a position of a side. */
static int has_these_columns(const sw_chain *chain)
{
  const sw_pattern *Dg = &chain->s->system->constraint_jac_pattern;
  int so = 1;

  for (int e = 0; e < Dg->entries; e++) {
    const int row = Dg->row[e];
    const int col = Dg->col[e];
    if (row >= chain->first && row < chain->first + chain->rows) {
      const int nth = e - (chain->entry + 6 * (row - chain->first));
      so &= nth >= 0 && nth < 6 && col == sw_chain_column(chain, row) + nth;
    } else {
      int is_between = 0;
      for (int i = 0; i < SW_CHAIN_GAPS; i++) {
        is_between |= col >= chain->between[i].first && col < chain->between[i].end;
      }
      so &= is_between;
    }
  }
  return so;
}

/* From the rows of the sides. */
static void find_gaps(sw_chain *chain)
{
  const sw_span low = chain->side[SW_CHAIN_LOW];
  const sw_span high = chain->side[SW_CHAIN_HIGH];

  chain->gap[0] = (sw_span){0, low.first};
  chain->gap[1] = (sw_span){low.end, high.first};
  chain->gap[2] = (sw_span){high.end, chain->s->plan->m};
  chain->between[0] = (sw_span){0, sw_chain_column(chain, low.first) + 3};
  chain->between[1] =
      (sw_span){sw_chain_column(chain, low.end), sw_chain_column(chain, high.first + 1)};
  chain->between[2] = (sw_span){sw_chain_column(chain, high.end), chain->s->system->nq};
}

/* Leaves the sides in the chain. */
static int find_sides(sw_chain *chain, const sw_deficient *linear)
{
  const sw_row_maker maker = sw_chain_maker(chain, NULL, NULL, NULL);
  sw_solution_user ends;
  int step[2];

  if (maker.neighbours.first == maker.neighbours.end ||
      !sw_deficient_ends(linear, &maker, &ends, step)) {
    return 0;
  }
  chain->swapped = step[0] < 0;
  for (int side = 0; side < 2; side++) {
    const int of = sw_chain_side(chain, side);
    chain->side[of] = (sw_span){ends.first[side], ends.end[side]};
  }
  enum { LEAST = 2 * SW_CHAIN_WINDOW };
  const sw_span low = chain->side[SW_CHAIN_LOW];
  const sw_span high = chain->side[SW_CHAIN_HIGH];
  return low.end - low.first > LEAST && high.end - high.first > LEAST && low.end < high.first &&
         high.end < chain->s->plan->m;
}

void sw_chain_find(sw_chain *chain, sw_holonomic *s, const sw_deficient *linear, const double z[])
{
  const sw_runs *runs = &s->plan->short_way.jac_runs;

  *chain = (sw_chain){.s = s, .window = s->plan->short_way.window, .applies = -1};
  if (s->hidden_jac || !sw_system_long_family(s->system, &chain->first, &chain->rows)) {
    return;
  }
  const sw_run run = sw_run_within(&runs->run[sw_runs_find(runs, chain->first)], chain->first,
                                   chain->first + chain->rows);
  chain->column = run.col;
  chain->entry = run.entry;
  chain->pieces = chain->rows / SW_CHAIN_PIECE / SW_CHAIN_BLOCK * SW_CHAIN_BLOCK;
  if (run.width != 6 || !run.is_dense || run.step != 3 || run.end - run.first != chain->rows ||
      !find_sides(chain, linear)) {
    return;
  }
  find_gaps(chain);
  chain->applies = has_these_columns(chain) && has_these_pieces(chain, z) ? 1 : -1;
}
