/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_lines.h -- the rows of a chain, produced while they are eliminated.
 *
 * A row with one entry beside the pivot waits for the division of the row before.  The processor
 * produces the next row during that wait, at almost no cost, and each row passes through memory
 * only once.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_LINES_H
#define SIDEWINDER_LINEAR_ENVELOPE_LINES_H

#include "linear/envelope_elimination.h"
#include "linear/row_maker.h"

/* The rows produced during elimination: one line in each of the two parts beside a border.  One
 * line follows the order of A's rows, the other one the reverse order. */
typedef struct sw_lines {
  const sw_row_maker *maker;
  sw_neighbours rows; /* the producer of the rows */
  sw_line of[2];      /* empty (first = end) if all rows are in the store */
} sw_lines;

/* The lines of an envelope whose rows `maker` (NULL: none) can produce one by one.  Both are empty
 * if they cover less than half of the matrix. */
sw_lines sw_lines_of(const sw_envelope *envelope, const sw_row_maker *maker);

/* The three ranges of A's rows before, between and behind the lines. */
void sw_lines_others(const sw_envelope *envelope, const sw_lines *lines, int first[3], int end[3]);

/* Eliminates the remaining rows of a part's line and sets s->end to the end of the part.  Returns 0
 * if a pivot is bad. */
int sw_eliminate_line(const sw_lines *lines, int part, sw_elimination *s);

/* Eliminates both lines in parallel up to the end of the shorter one, so that their divisions
 * overlap.  Returns 0 if a pivot is bad. */
int sw_eliminate_lines(const sw_lines *lines, sw_elimination *a, sw_elimination *b);

#endif
