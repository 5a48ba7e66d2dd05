/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/flows.h -- a base method phi_h that the caller computes: a single map, or a
 * composition of maps such as exact flows of parts of H,
 *
 *   phi_h = m_n(c_n h) o ... o m_2(c_2 h) o m_1(c_1 h),   m_i one of the maps, c_i a weight.
 *
 * With the flows of H = A + B, the sequence 1/2 A, B, 1/2 A is the splitting of G. Strang (SIAM J.
 * Numer. Anal. 5, 1968), of order 2. SHAKE and RATTLE over such a method solve for the multipliers
 * alone. The sparsity of the maps' derivatives is unknown, so the Newton matrix is full: m x m
 * values, and each iteration propagates m directions of 2d values.
 */
#ifndef SIDEWINDER_FLOWS_H
#define SIDEWINDER_FLOWS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Computes z1 = m_h(z), 2d values, with the parameters k. h may be negative. Returns 0 on success.
 * With any other result the step fails with SW_ERR_NOT_FINITE. */
typedef int sw_map_values(void *context, double h, const double z[], const double k[], double z1[]);

/* Computes DV = m_h'(z) V, the derivative of the map applied to n directions of 2d values each,
 * stored one after the other. V and DV do not overlap. Returns the same codes as sw_map_values. */
typedef int sw_map_directions(void *context, double h, const double z[], const double k[], int n,
                              const double V[], double DV[]);

typedef struct sw_map {
  sw_map_values *values;
  sw_map_directions *directions;
  void
      *context; /* passed to both callbacks by all simulations that share the method; may be NULL */
  int symmetric; /* 1 if m_{-h} o m_h = id, as for a flow */
} sw_map;

#define SW_FLOWS_MOST 64 /* largest number of maps in a step */

typedef struct sw_flows {
  const char *name;
  int order; /* order of phi_h without constraints, at least 1 */
  int n_maps;
  const sw_map *maps;
  int n; /* number of maps in a step, at most SW_FLOWS_MOST */
  /* n indices into maps, in the order of application; each of 0 .. n_maps-1 occurs at least once */
  const int *map;
  const double *weight; /* n weights c_i; the weights of each map sum to 1 */
  /* 1: apply the maps in reverse order, which gives the adjoint if all maps are symmetric */
  int reversed;
} sw_flows;

#ifdef __cplusplus
}
#endif

#endif
