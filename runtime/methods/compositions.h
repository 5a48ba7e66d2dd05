/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/compositions.h -- steps composed of shorter steps, each a table in its own file
 * (sidewinder/methods.h):
 *
 *   Psi_h = Phi_{c_n h} o ... o Phi_{c_1 h},   c_{n+1-i} = c_i.
 *
 * If Phi_h is symmetric, Psi_h is symmetric as well.  If Phi_h has the even order p, the conditions
 * for order p + 2 are sum c_i = 1 and sum c_i^(p+1) = 0.  Higher orders have more conditions
 * (Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section V.3).
 */
#ifndef SIDEWINDER_METHODS_COMPOSITIONS_H
#define SIDEWINDER_METHODS_COMPOSITIONS_H

#include "sidewinder/methods.h"

typedef struct sw_composition {
  const char *name;
  const char *what; /* a short description, for lists */
  /* order over a symmetric method whose order is at least of_order; 0: the order of the method */
  int order;
  int of_order;
  int n;
  const double *factor; /* n: c_i */
} sw_composition;

#define SW_COMPOSITION_DECLARE(identifier, name)                                                   \
  extern const sw_composition sw_composition_##identifier;
SW_COMPOSITIONS(SW_COMPOSITION_DECLARE)
#undef SW_COMPOSITION_DECLARE

/* The composition of that name, or NULL. */
const sw_composition *sw_composition_find(const char *name);

#endif
