/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/compositions.h -- steps made of shorter ones, each a table in a file of its own (sidewinder/methods.h):
 *
 *   Psi_h = Phi_{c_n h} o ... o Phi_{c_1 h},   c_{n+1-i} = c_i,
 *
 * where Phi_h is symmetric; then Psi_h is symmetric, too.  If Phi_h has the even order p, the conditions for order p + 2 are
 * sum c_i = 1 and sum c_i^(p+1) = 0.  Higher orders have more conditions (Hairer, Lubich, Wanner, Geometric Numerical Integration,
 * 2nd ed., section V.3).
 */
#ifndef SIDEWINDER_METHODS_COMPOSITIONS_H
#define SIDEWINDER_METHODS_COMPOSITIONS_H

#include "sidewinder/methods.h"

typedef struct sw_composition {
  const char *name;
  const char *what; /* a few words, for lists */
  int order; /* over a symmetric method of order `of_order` or more; 0: that of the method itself */
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
