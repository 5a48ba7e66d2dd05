/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/row_maker.h -- callbacks that produce the rows of a matrix while it is factorised.
 *
 * The elimination of a tridiagonal matrix waits for one division a row.  A row that is made by then, and the forward substitution, cost hardly any
 * time.
 */
#ifndef SIDEWINDER_LINEAR_ROW_MAKER_H
#define SIDEWINDER_LINEAR_ROW_MAKER_H

#include "common/team.h"
#include "linear/row_product.h"

typedef struct sw_row_maker {
  sw_range_job *
      make; /* writes the values of rows first .. end-1 where the matrix has them: any rows, in any order, and again */
  void *context;
  sw_neighbours neighbours; /* rows that can also be made one by one; none where first = end */
  /* With such rows, the right-hand side of the solve that follows, all of it but for those that `prepare` makes ready: L^{-1} is applied to it on the
   * way, so that it must stay as it is until that solve. */
  const double *right;
} sw_row_maker;

/* All n rows; maker: NULL where they are there. */
static inline void sw_make_rows(const sw_row_maker *maker, sw_team *team, size_t n)
{
  if (maker) {
    sw_team_share(team, n, maker->make, maker->context);
  }
}

#endif
