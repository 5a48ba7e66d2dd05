/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_chain_view.h -- what the walks of holonomic_chain.h have in common: pieces, windows, and which rows complete what.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_CHAIN_VIEW_H
#define SIDEWINDER_STEP_HOLONOMIC_CHAIN_VIEW_H

#include "step/holonomic_chain.h"
#include "step/holonomic_loops.h"

/* ---- pieces ---- */

/* The first row of a piece, as in model.h. */
int sw_chain_row(const sw_chain *chain, long piece);

/* The piece that a row of the family is in. */
long sw_chain_piece(const sw_chain *chain, int row);

/* The first column of a row of the family. */
static inline int sw_chain_column(const sw_chain *chain, int row)
{
  return chain->column + 3 * (row - chain->first);
}

/* Which end of the chain a side of the matrix is, and the other way round. */
static inline int sw_chain_side(const sw_chain *chain, int side)
{
  return chain->swapped ? 1 - side : side;
}

/* These rows and the ones beside them. */
sw_span sw_chain_and_beside(const sw_chain *chain, sw_span rows);

/* The positions that rows of a block complete, as the walk leads from the middle of the chain outwards, and the rows that these do. */
sw_span sw_chain_completed_positions(const sw_chain *chain, int side, sw_span rows);
sw_span sw_chain_completed_rows(const sw_chain *chain, int side, sw_span rows);

/* ---- views ---- */

/* A context of holonomic_loops.h for some rows, whose pieces are first_piece .. end_piece-1, and what it points at. */
typedef struct sw_chain_view {
  sw_holonomic s;
  sw_requirement g;
  long first_piece;
  long end_piece;
} sw_chain_view;

/* Of rows of the family, and where side < 0 of any rows, with all that is made of them alone in windows, or, where side < 0, where it is for
 * all rows. */
void sw_view_make(const sw_chain *chain, sw_chain_view *v, int side, sw_span rows);

/* What its loops go over. */
static inline void sw_view_rows(sw_chain_view *v, int first, int end)
{
  v->s.part.row = first;
  v->s.part.end_row = end;
}

static inline void sw_view_positions(sw_chain_view *v, int first, int end)
{
  v->s.part.position = first;
  v->s.part.end_position = end;
}

/* Values of the pieces of the view; those of other families are in the first piece. */
void sw_view_evaluate(const sw_chain *chain, const sw_chain_view *v, sw_piecewise of,
                      const double z[], double out[]);

/* Dg, S^T and their sums at z. */
void sw_view_frame(const sw_chain *chain, sw_chain_view *v, const double z[], sw_frame *frame);

/* ---- walks ---- */

/* Nothing has been found yet. */
void sw_chain_start(sw_chain *chain);

/* Who makes a matrix, for a solve with this right-hand side: rows of gaps by `make`, behind all that they are made of. */
sw_row_maker sw_chain_maker(sw_chain *chain, const double right[], sw_range_job *make,
                            void (*prepare)(void *, int, int, int, sw_neighbours *));

/* Who uses its solution. */
sw_solution_user sw_chain_user(sw_chain *chain, sw_block_job *use);

/* Rows first .. end-1 of Dg S for the Dg of the end, from there and this frame. */
void sw_chain_multiply(const sw_chain *chain, const sw_frame *frame, size_t first, size_t end);

static inline void sw_chain_meet(sw_most *most, double size)
{
  sw_most_meet(most, sw_size_bits(size));
}

#endif
