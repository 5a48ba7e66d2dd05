/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/methods.h -- the constrained methods, each a table in a file of its own: the operations that make a step,
 * one after the other, each from the state that the one before has left.
 */
#ifndef SIDEWINDER_METHODS_METHODS_H
#define SIDEWINDER_METHODS_METHODS_H

#include "sidewinder/methods.h"

typedef enum sw_operation {
  SW_END,
  SW_FIBRE,      /* z <- Gamma_{h mu}(z), the m multipliers mu being unknowns */
  SW_BASE,       /* z <- phi_h(z), the base method: the stages of a tableau, or flows */
  SW_REQUIRE_G,  /* g(z) = 0: ends a solve for the unknowns since the last one */
  SW_REQUIRE_RHO /* rho(z) = 0, likewise */
} sw_operation;

enum { SW_OPERATIONS_MOST = 8 };

typedef struct sw_method {
  const char *name;
  const char *what; /* a few words, for lists */
  sw_operation operation[SW_OPERATIONS_MOST];
  int on_hidden;   /* 1 where rho = 0 at the start and at the end of a step, and not g = 0 alone */
  int has_inverse; /* 1 where a step over the adjoint base method undoes it */
} sw_method;

#define SW_METHOD_DECLARE(identifier, name) extern const sw_method sw_method_##identifier;
SW_METHODS(SW_METHOD_DECLARE)
#undef SW_METHOD_DECLARE

/* The method of that name, or NULL. */
const sw_method *sw_method_find(const char *name);

#endif
