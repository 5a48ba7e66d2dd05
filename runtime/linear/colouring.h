/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/colouring.h -- columns that share no row.
 */
#ifndef SIDEWINDER_LINEAR_COLOURING_H
#define SIDEWINDER_LINEAR_COLOURING_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* colour[j], 0 <= colour[j] < *colours, for each column of a sorted pattern, such that two columns with an
 * entry in the same row have different colours.  Greedy in the order of the columns; at most one colour
 * more than a column has neighbours.  Cost: the sum over the rows of the squares of their entries.  Errors:
 * SW_ERR_MEMORY, also where that is beyond 1e11. */
sw_status sw_colour_columns(const sw_pattern *pattern, int colour[], int *colours);

#endif
