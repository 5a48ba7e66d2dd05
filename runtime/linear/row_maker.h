/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/row_maker.h -- who makes the values of a matrix while it is factorised, and who uses a solution while it is found.
 *
 * The elimination of a tridiagonal matrix waits for one division a row.  A row that is made by then costs hardly any time.
 */
#ifndef SIDEWINDER_LINEAR_ROW_MAKER_H
#define SIDEWINDER_LINEAR_ROW_MAKER_H

#include "common/team.h"
#include "linear/row_product.h"

/* Calls for rows first .. end-1, by the thread that eliminates them, or substitutes for them, from that end of a chain, 0 or 1. */
typedef void sw_block_job(void *context, int side, int first, int end);

/* How many rows from this one on belong to one block, at an end where they follow each other in the order of the matrix (step = 1), or in the
 * opposite one (-1). */
typedef int sw_block_length(const void *context, int row, int step);

typedef struct sw_row_maker {
  sw_range_job *
      make; /* writes the values of rows first .. end-1 where the matrix has them: any rows, in any order, and again */
  void *context;
  sw_neighbours neighbours; /* rows that can also be made one by one; none where first = end */
  /* NULL, or what is called before rows first .. end-1 of these are made one by one: what they are made of is in *rows then, which are those of
   * `neighbours` at first. */
  void (*prepare)(void *context, int side, int first, int end, sw_neighbours *rows);
  sw_block_length *block; /* of such rows; NULL with `prepare` */
  /* NULL, or the right-hand side that is solved for next, which does not change until then: what can be done with it on the way, is. */
  double *right_side;
} sw_row_maker;

/* Who uses the components of a solution as soon as they are known: those of the lines of both ends of a chain, rows first[side] ..
 * end[side]-1, block by block from its middle towards the ends; the others are known behind all of these. */
typedef struct sw_solution_user {
  sw_block_job *use;
  sw_block_length *block;
  void *context;
  int first[2];
  int end[2];
} sw_solution_user;

/* All n rows; maker: NULL where they are there. */
static inline void sw_make_rows(const sw_row_maker *maker, sw_team *team, size_t n)
{
  if (maker) {
    sw_team_share(team, n, maker->make, maker->context);
  }
}

#endif
