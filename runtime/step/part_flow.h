/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/part_flow.h -- the exact flow of a part f of H, with its derivative.
 *
 *   z1 = z + Phi J f'(z),   dz1 = (1 + Phi J f'') dz,   J f' = (f_p, -f_q)
 *
 * If f reads at most one half of each pair (q_i, p_i), f' is constant along the flow and Phi = h.
 * If f is quadratic, the field is linear with A = J f'' in the parameters alone, and Phi =
 * integral_0^h exp(s A) ds (linear/phi_matrix.h), block by block of the entries that A couples. Phi
 * is recomputed if h or f'' changed since the last computation, so it is a function of them alone.
 */
#ifndef SIDEWINDER_STEP_PART_FLOW_H
#define SIDEWINDER_STEP_PART_FLOW_H

#include "common/carver.h"
#include "linear/blocks.h"
#include "model/system.h"

/* Largest block of a quadratic part; the cost of Phi is cubic in its size. */
enum { SW_BLOCK_MOST = 256 };

/* Read-only data that all simulations share. */
typedef struct sw_part_plan {
  sw_part_kind kind;
  const sw_part *part;   /* NULL: all of H, which has degree 2 */
  sw_pattern hess;       /* the lower triangle; the model or the system owns its arrays */
  sw_pattern derivative; /* 2d x 2d: pattern of dz1/dz */
  sw_blocks blocks;      /* of a quadratic part */
  size_t *square;        /* count + 1: offset of each block's matrix, and the end of the last one */
  size_t *place; /* twice the entries of f'': offsets of each entry and of its mirror image in A */
  int largest;   /* rows of the largest block */
} sw_part_plan;

/* Plans a part of the system's model; NULL means all of H, which is quadratic. Call
 * sw_part_plan_free in any case.
 * Errors: SW_ERR_MEMORY; SW_ERR_SIZE if a block is larger than SW_BLOCK_MOST. */
sw_status sw_part_plan_make(const sw_system *system, const sw_part *part, sw_part_plan *plan);
void sw_part_plan_free(sw_part_plan *plan);

/* Working memory of one simulation. */
typedef struct sw_part_flow {
  const sw_system *system;
  const sw_part_plan *plan;
  double *field;  /* 2d */
  double *hess;   /* values of f'' */
  double *used;   /* the values of f'' from which phi was computed */
  double *matrix; /* A of each block */
  double *phi;    /* Phi of each block */
  double *work;   /* scratch: twice the size of the largest block */
  double h;       /* step size of phi, valid if is_known */
  int is_known;
} sw_part_flow;

/* Sets the array pointers of *flow, whose first two members are set. */
void sw_part_flow_carve(sw_carver *c, sw_part_flow *flow);

/* Callbacks as sw_map_values and sw_map_directions (sidewinder/flows.h); the context is a
 * sw_part_flow. */
int sw_part_flow_values(void *context, double h, const double z[], const double k[], double z1[]);
/* z1 - z, with errors relative to itself. */
void sw_part_flow_increment(void *context, double h, const double z[], const double k[],
                            double out[]);
int sw_part_flow_directions(void *context, double h, const double z[], const double k[], int n,
                            const double V[], double DV[]);

#endif
