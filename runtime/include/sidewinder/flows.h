/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/flows.h -- a base method phi_h that a caller computes: a map of his own, or exact flows of parts of H one
 * after the other,
 *
 *   phi_h = m_n(c_n h) o ... o m_2(c_2 h) o m_1(c_1 h),   m_i one of the maps, c_i a weight.
 *
 * With the flows of H = A + B, 1/2 A, B, 1/2 A is the splitting of G. Strang (SIAM J. Numer. Anal. 5, 1968), of order 2.
 * SHAKE and RATTLE over such a method solve for the multipliers alone.  Since nothing is known of which entries a map connects,
 * their Newton matrix is full: m x m values, and m directions of 2d values in each iteration.
 */
#ifndef SIDEWINDER_FLOWS_H
#define SIDEWINDER_FLOWS_H

#ifdef __cplusplus
extern "C" {
#endif

/* z1 = m_h(z), 2d values, with the parameters k.  h may be negative.  Returns 0, or anything else where there is no value: the
 * step then fails with SW_ERR_NOT_FINITE. */
typedef int sw_map_values(void *context, double h, const double z[], const double k[], double z1[]);

/* DV = m_h'(z) V, the derivative of that map, for n directions, each 2d values, one after the other.  V and DV do not
 * overlap.  Returns as above. */
typedef int sw_map_directions(void *context, double h, const double z[], const double k[], int n,
                              const double V[], double DV[]);

typedef struct sw_map {
  sw_map_values *values;
  sw_map_directions *directions;
  void *
      context; /* handed to both, by all simulations that share the method; NULL where they need none */
  int symmetric; /* 1 where m_{-h} o m_h = id, as for a flow */
} sw_map;

#define SW_FLOWS_MOST 64 /* maps in a step */

typedef struct sw_flows {
  const char *name;
  int order; /* of phi_h without constraints, 1 or more */
  int n_maps;
  const sw_map *maps;
  int n;                /* maps in a step, at most SW_FLOWS_MOST */
  const int *map;       /* n: which, each of 0 .. n_maps-1 at least once, the first one first */
  const double *weight; /* n: c_i; those of each map add up to 1 */
  int reversed;         /* 1: the last one first, which is the adjoint of symmetric maps */
} sw_flows;

#ifdef __cplusplus
}
#endif

#endif
