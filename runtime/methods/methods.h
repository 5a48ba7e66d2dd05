/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/methods.h -- the constrained methods.  Each is a table in its own file: the operations of
 * a step, each applied to the state that the previous one has computed.
 */
#ifndef SIDEWINDER_METHODS_METHODS_H
#define SIDEWINDER_METHODS_METHODS_H

#include "methods/bases.h"
#include "sidewinder/methods.h"

typedef enum sw_operation_kind {
  SW_END,
  SW_FIBRE, /* z <- Gamma_{h lambda}(z), with m unknown multipliers lambda */
  SW_BASE,  /* z <- phi_h(z), the base method: the stages of a tableau, or a splitting into flows */
  /* The base method with forces of constraints on the positions in the stages of a tableau:
   *   Q_i = q + h sum_j a_ij H_p(Q_j,P_j),
   *   P_i = p - h sum_j a^_ij (H_q(Q_j,P_j) + Dg(Q_j)^T lambda_j),
   * and g(Q_j) = 0 for each multiplier lambda_j. step/stage_plan.h lists the stages that have
   * one. */
  SW_FORCED,
  SW_COMBINE, /* z <- a weighted sum of states */
  /* z <- the state whose curve begins where the curve of z ends, with the momentum there.  This is
   * a separate solve (step/variational_step.h), for explicit base methods, their adjoints, or a
   * caller's own method. */
  SW_LEGENDRE,
  /* z <- z1 = z + h J (DH(z,z1) + sum_i lambda_i Dg_i(z,z1)) with discrete gradients
   * (step/discrete.h), for unknown z1 and m unknown multipliers lambda */
  SW_DISCRETE,
  SW_NOISE,      /* p <- c p + noise of the heat bath (step/noise.h), before a solve begins */
  SW_REQUIRE_G,  /* g(z) = 0: ends a solve for the unknowns since the previous solve */
  SW_REQUIRE_RHO /* rho(z) = 0: ends a solve as well */
} sw_operation_kind;

/* Weights of positions [0] and momenta [1]. */
typedef struct sw_combination {
  double now[2];     /* of z */
  double before[2];  /* of z at the start of the last solve */
  double earlier[2]; /* of the state at the start of the previous step */
} sw_combination;

typedef struct sw_operation {
  sw_operation_kind kind;
  double force; /* SW_BASE: factor of H_q; 0 means 1 */
  /* SW_BASE: replaces the tableau of the method; at most one operation has one. NULL: none */
  const sw_tableau *tableau;
  /* SW_FORCED: 1 if the stages satisfy g(Q_i) = (1 - c_i) g(q), c_i = sum_j a_ij, instead of
   * g(Q_i) = 0.  A linear g is then 0 at the end of the step even if g(q) is not. */
  int closes;
  sw_combination combination; /* SW_COMBINE: the weights */
} sw_operation;

enum { SW_OPERATIONS_MOST = 12, SW_PHASES_MOST = 5 };

/* Requirements of a method.  The first three concern models with constraints only. */
enum {
  SW_NEEDS_HOLONOMIC = 1,     /* constraints on the positions alone */
  SW_NEEDS_CONSTANT_MASS = 2, /* H(q,p) = p.M^{-1} p/2 + a.p + V(q) with a constant M */
  /* a base method whose first stage is the start and whose last stage is the end of a step */
  SW_NEEDS_LOBATTO = 4,
  SW_NEEDS_DISCRETE = 8,      /* discrete gradients */
  SW_NEEDS_ACCELERATION = 16, /* sw_model.acceleration */
  SW_NEEDS_LINEAR = 32,       /* constraints with constant derivatives, if there are constraints */
  SW_NEEDS_INVERTIBLE = 64,   /* a base method with invertible A and A^ */
  SW_NEEDS_BATH = 128         /* a heat bath: steps contain noise, so H is not conserved */
};

typedef struct sw_method {
  const char *name;
  const char *what; /* a short description, for lists */
  sw_operation operation[SW_OPERATIONS_MOST];
  unsigned needs;

  const char *base; /* the default base method; NULL if the base method cannot be chosen */
  /* the method's own base method, which cannot be replaced; base and tableau are both NULL if there
   * is no base method */
  const sw_tableau *tableau;
  int order;      /* 0: the order of the base method */
  int order_most; /* upper bound of the order with constraints; 0: none */

  int on_hidden; /* 1 if rho = 0 at the start and at the end of a step, in addition to g = 0 */
  int begins_on_hidden; /* 1 if a run must start with rho = 0, although steps do not end there */
  int has_inverse;      /* 1 if a step over the adjoint base method inverts a step */
  /* 1 if instead a step of -h with opposite bias (sw_options.bias) and exchanged base methods
   * inverts it */
  int has_bias;
  /* 1 if momenta are half a step earlier than positions.  A force then acts for half of the step
   * before its positions and half of the step after them; in the first step only for the latter. */
  int staggered;
  int earlier; /* 1 if a step needs the previous state, made by a step of the same size */
  const struct sw_method *start; /* makes the step if there is no previous state */

  /* The multipliers of a step are the sum of those of its solves, with these weights. */
  double multiplier[SW_PHASES_MOST];
} sw_method;

/* Returns 1 if the method has a base method. */
static inline int sw_method_takes_base(const sw_method *method)
{
  return method->base || method->tableau;
}

#define SW_METHOD_DECLARE(identifier, name) extern const sw_method sw_method_##identifier;
SW_METHODS(SW_METHOD_DECLARE)
#undef SW_METHOD_DECLARE

/* The method of that name, or NULL. */
const sw_method *sw_method_find(const char *name);

/* The tableau of the method over the base method of this name; the method's own tableau over
 * "none".  NULL if there is none. */
const sw_tableau *sw_method_tableau(const sw_method *method, const char *base);

/* The default base method.  If the model's run line names the same method, or one with the same
 * default, this is the run line's base method.  Otherwise it is the method's own default, or "none"
 * if the base method cannot be chosen. of_run and base_of_run may be NULL. */
const char *sw_method_base(const sw_method *method, const sw_method *of_run,
                           const char *base_of_run);

#endif
