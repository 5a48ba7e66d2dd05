/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/colouring.h -- colours the columns of a sparse matrix so that columns of one colour share
 * no row.
 */
#ifndef SIDEWINDER_LINEAR_COLOURING_H
#define SIDEWINDER_LINEAR_COLOURING_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Writes colour[j], 0 <= colour[j] < *colours, for each column of a sorted pattern.  Two columns
 * with an entry in the same row get different colours.  The algorithm is greedy in the order of the
 * columns and uses at most one colour more than the largest number of neighbours of a column.
 * Cost: the sum over the rows of their squared numbers of entries.  Errors: SW_ERR_MEMORY, also if
 * that sum exceeds 1e11. */
sw_status sw_colour_columns(const sw_pattern *pattern, int colour[], int *colours);

#endif
