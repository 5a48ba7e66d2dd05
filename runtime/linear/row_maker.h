/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/row_maker.h -- callbacks that produce the rows of a matrix while it is factorised.
 *
 * Each row in the elimination of a tridiagonal matrix waits for one division.  Producing a row and
 * substituting forward during that wait costs almost nothing.
 */
#ifndef SIDEWINDER_LINEAR_ROW_MAKER_H
#define SIDEWINDER_LINEAR_ROW_MAKER_H

#include "common/team.h"
#include "linear/row_product.h"

typedef struct sw_row_maker {
  /* writes the values of rows first .. end-1 to their place in the matrix; rows are requested
   * in any order and possibly repeatedly */
  sw_range_job *make;
  void *context;
  sw_neighbours neighbours; /* rows that can also be produced one by one; empty if first = end */
  /* The right-hand side of the next solve; needed if `neighbours` is not empty.  The factorisation
   * applies L^{-1} to it, so it must not change before that solve. */
  const double *right;
} sw_row_maker;

/* Produces all n rows.  maker: NULL if the values exist already. */
static inline void sw_make_rows(const sw_row_maker *maker, sw_team *team, size_t n)
{
  if (maker) {
    sw_team_share(team, n, maker->make, maker->context);
  }
}

#endif
