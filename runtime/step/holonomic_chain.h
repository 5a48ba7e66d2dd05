/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_chain.h -- steps of holonomic.h for a long chain, in few walks through the memory.
 *
 * Where nearly all rows are those of one family, each with three columns in common with the row before and three with the row behind, the
 * matrices are eliminated from both ends of the chain towards its middle, and solved from there outwards (linear/envelope.h).  Nearly
 * all else that a step does with a row needs the rows and positions beside it alone.  So it is done block by block, by the functions of
 * holonomic_loops.h, just before a block is eliminated, or as soon as its multipliers are known:
 *
 *   SHAKE    frames, scales, g and Dg at q_free    while the matrix is factorised,
 *            multipliers, positions and g          while it is solved,
 *   RATTLE   p1, Dg, S and rho at q1               while N is factorised,
 *            multipliers, p1, rho and what judges  while it is solved.
 *
 * What only a block needs stands in windows behind the arrays for all rows, which stay in a cache: a frame is made anew where it is needed,
 * from positions that are there, which takes less time than to fetch it.  All numbers have the bits that they have without blocks.
 *
 * Rows and positions beside the parts that are eliminated row by row, at both ends and in the middle, are gaps: few, and done at once.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_CHAIN_H
#define SIDEWINDER_STEP_HOLONOMIC_CHAIN_H

#include "linear/deficient.h"
#include "step/holonomic.h"

enum { SW_CHAIN_LOW, SW_CHAIN_HIGH, SW_CHAIN_SIDES, SW_CHAIN_GAPS = 3 };

/* Rows, or positions, first .. end-1. */
typedef struct sw_span {
  int first;
  int end;
} sw_span;

typedef struct sw_chain {
  int applies; /* 1, or -1 where it is no such chain, or 0 where that is not known yet */
  long slides; /* that have been made */
  int waits;   /* steps that are left to others before the next one is tried, */
  int pause;   /*   of so many behind the last one that was refused, 0 where it was made */
  int first;   /* row of the family, */
  int rows;    /*   of which it has so many, */
  int column;  /*   the first one from this column on, each three columns farther */
  int entry;   /* of Dg, where the first one begins */
  long pieces; /* of the family, of some rows each */
  int window;  /* rows of a window */
  int swapped; /* 1 where side 0 of the envelope is SW_CHAIN_HIGH */
  /* Rows that are eliminated one by one: from the low end upwards, and from the high end downwards. */
  sw_span side[SW_CHAIN_SIDES];
  sw_span gap[SW_CHAIN_GAPS];     /* the other rows, */
  sw_span between[SW_CHAIN_GAPS]; /*   and positions that belong to no side */

  /* The walk that is under way. */
  sw_holonomic *s;
  const double *at;     /* d: where SHAKE's Jacobian is asked for, */
  int begins;           /*   and 1 where its residual is, too */
  double *F;            /* m: residual; on the way the right-hand side, and the solution */
  const double *from;   /* m: multipliers before, NULL for zeros, */
  double *to;           /*   and after a correction by the solution, */
  const double *lambda; /* m: SHAKE's, */
  double *sigma;        /*   and the slide's */
  double kick;          /* what p1 is moved by along `force` */
  const double *force;
  double floor;                 /* of a residual where a step ends, */
  sw_sizes size;                /*   in scales by these sizes */
  long piece[SW_CHAIN_SIDES];   /* up to which, from the middle, g is known, */
  int position[SW_CHAIN_SIDES]; /*   and up to which, from the ends, p1 */
  sw_most largest;              /* scaled residual, */
  sw_most largest_g;            /*   and at the end of a step, */
  sw_most largest_rho;
  sw_most largest_q;
  sw_most largest_p;
  atomic_int is_off; /*   where not all g and rho are within the floor if 1 */
  atomic_int is_bad; /* 1 where a scale is not finite */
} sw_chain;

/* Finds out whether a chain is one that this file is for, with the matrices of `linear`.  z: a state on M. */
void sw_chain_find(sw_chain *chain, sw_holonomic *s, const sw_deficient *linear, const double z[]);

/* Behind sw_holonomic_move: who makes SHAKE's matrix, at q_free with its residual, F, for all m rows, if `begins`; else at q1. */
sw_row_maker sw_chain_shake(sw_chain *chain, int begins, double F[]);

/* The largest scaled residual of the last walk, NaN where one is. */
double sw_chain_largest(const sw_chain *chain);

/* Corrects multipliers by the solution for the right-hand side F: to = from - A^{-1} F, from: NULL for zeros.  F becomes the residual there, the largest of which is returned; the positions there are in z1, and g in the context.  NaN where there is no such solver. */
double sw_chain_correct(sw_chain *chain, sw_deficient *linear, double F[], const double from[],
                        double to[]);

/* RATTLE's slide from there, with the lambda that was found: p1 in z1, and sigma.  *before and *after are the largest scaled residuals at 0 and at
 * sigma.  Where g and rho at its end are within `floor` of their scales by these sizes, and *after is good enough, 1 is returned; else 0, and
 * all is to be done again by holonomic.h. */
int sw_chain_slide(sw_chain *chain, sw_deficient *linear, const double lambda[], double sigma[],
                   double floor, sw_sizes size, double *before, double *after);

#endif
