/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/part_flow.h -- the exact flow of a part f of H, with its derivative.
 *
 *   z1 = z + Phi J f'(z),   dz1 = (1 + Phi J f'') dz,   J f' = (f_p, -f_q)
 *
 * Where f reads at most one half of each pair (q_i, p_i), f' is constant along the flow, and Phi = h.  Where f is quadratic the
 * field is linear, A = J f'' reads parameters alone, and Phi = integral_0^h exp(s A) ds (linear/phi_matrix.h), in the blocks
 * of entries that A connects.  Phi is computed anew where h or f'' are not those that it was computed with, so that it is a
 * function of them alone.
 */
#ifndef SIDEWINDER_STEP_PART_FLOW_H
#define SIDEWINDER_STEP_PART_FLOW_H

#include "common/carver.h"
#include "linear/blocks.h"
#include "model/system.h"

/* Entries of z that a quadratic part may connect with each other: Phi takes the cube of their number. */
enum { SW_BLOCK_MOST = 256 };

/* What all simulations share. */
typedef struct sw_part_plan {
  sw_part_kind kind;
  const sw_part *part;   /* NULL: all of H, which is of degree 2 */
  sw_pattern hess;       /* the lower triangle; its arrays are the model's, or the system's */
  sw_pattern derivative; /* 2d x 2d: the entries that dz1/dz can have */
  sw_blocks blocks;      /* of a quadratic part */
  size_t
      *square;   /* count + 1: where the matrix of each block starts, and where the last one ends */
  size_t *place; /* twice the entries of f'': where each, and its mirror image, stands in A */
  int largest;   /* rows of the largest block */
} sw_part_plan;

/* A part of the system's model, or, with NULL, all of its H, which is quadratic.  Errors: SW_ERR_MEMORY; SW_ERR_SIZE where a
 * block is larger than SW_BLOCK_MOST.  Freed in any case. */
sw_status sw_part_plan_make(const sw_system *system, const sw_part *part, sw_part_plan *plan);
void sw_part_plan_free(sw_part_plan *plan);

/* What one simulation computes with. */
typedef struct sw_part_flow {
  const sw_system *system;
  const sw_part_plan *plan;
  double *field;  /* 2d */
  double *hess;   /* its entries */
  double *used;   /* likewise: those that Phi is made of */
  double *matrix; /* A of each block, */
  double *phi;    /* and Phi */
  double *work;   /* of the largest block, twice */
  double h;       /* of phi, where is_known */
  int is_known;
} sw_part_flow;

/* Points *flow, of which the first two members are set, at its arrays. */
void sw_part_flow_carve(sw_carver *c, sw_part_flow *flow);

/* As sw_map_values and sw_map_directions (sidewinder/flows.h), the context being a sw_part_flow. */
int sw_part_flow_values(void *context, double h, const double z[], const double k[], double z1[]);
/* z1 - z, with errors relative to itself. */
void sw_part_flow_increment(void *context, double h, const double z[], const double k[],
                            double out[]);
int sw_part_flow_directions(void *context, double h, const double z[], const double k[], int n,
                            const double V[], double DV[]);

#endif
