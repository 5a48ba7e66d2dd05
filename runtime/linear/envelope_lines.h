/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_lines.h -- the rows of a chain, which are made while they are eliminated.
 *
 * A row with one entry beside the pivot waits for the division of the row before.  By then a processor has made the next row, which
 * costs hardly any time that way, and no memory is gone through twice.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_LINES_H
#define SIDEWINDER_LINEAR_ENVELOPE_LINES_H

#include "linear/envelope_elimination.h"
#include "linear/row_maker.h"

/* What is made on the way: the lines of both parts beside a border, one of which follows the order of A's rows and one the opposite one. */
typedef struct sw_lines {
  const sw_row_maker *maker;
  sw_neighbours rows; /* which make them */
  sw_line of[2];      /* none (first = end) where all rows are in the store */
} sw_lines;

/* The lines of an envelope that such rows make; none where these are less than half of the matrix.  maker: may be NULL. */
sw_lines sw_lines_of(const sw_envelope *envelope, const sw_row_maker *maker);

/* The three ranges of A's rows before, between and behind both lines. */
void sw_lines_others(const sw_envelope *envelope, const sw_lines *lines, int first[3], int end[3]);

/* The rest of the line of a part, where *s has got to it, and s->end at the end of the part.  Returns 0 where a pivot is bad. */
int sw_eliminate_line(const sw_lines *lines, int part, sw_elimination *s);

/* Both lines side by side, as far as the shorter one goes, so that neither waits for the other one's division. */
int sw_eliminate_lines(const sw_lines *lines, sw_elimination *a, sw_elimination *b);

#endif
