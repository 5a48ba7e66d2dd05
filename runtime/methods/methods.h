/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/methods.h -- the constrained methods, each a table in a file of its own: the operations that make a step,
 * one after the other, each from the state that the one before has left.
 */
#ifndef SIDEWINDER_METHODS_METHODS_H
#define SIDEWINDER_METHODS_METHODS_H

#include "methods/bases.h"
#include "sidewinder/methods.h"

typedef enum sw_operation_kind {
  SW_END,
  SW_FIBRE,    /* z <- Gamma_{h mu}(z), the m multipliers mu being unknowns */
  SW_BASE,     /* z <- phi_h(z), the base method: the stages of a tableau, or flows */
  SW_FORCED,   /* the same with forces of constraints on the positions in the stages of a tableau,
                  *   Q_i = q + h sum_j a_ij H_p(Q_j,P_j),  P_i = p - h sum_j a^_ij (H_q(Q_j,P_j) + Dg(Q_j)^T lambda_j),
                  * and g(Q_j) = 0 for each multiplier lambda_j (step/stage_plan.h says which stages have one) */
  SW_COMBINE,  /* z <- a weighted sum of states */
  SW_LEGENDRE, /* z <- the state whose curve begins where that of z ends, with the momentum there: a solve of its own
                  * (step/variational_step.h), over explicit base methods, their adjoints, or what a caller computes */
  SW_DISCRETE, /* z <- z1 = z + h J (DH(z,z1) + sum_i lambda_i Dg_i(z,z1)) with discrete gradients (step/discrete.h), the m
                  * multipliers lambda and z1 being unknowns */
  SW_REQUIRE_G,  /* g(z) = 0: ends a solve for the unknowns since the last one */
  SW_REQUIRE_RHO /* rho(z) = 0, likewise */
} sw_operation_kind;

/* Weights of positions [0] and of momenta [1]. */
typedef struct sw_combination {
  double now[2];     /* of z itself, */
  double before[2];  /* of z where the last solve began, */
  double earlier[2]; /* and of the state where the last step began */
} sw_combination;

typedef struct sw_operation {
  sw_operation_kind kind;
  double force; /* SW_BASE: H_q times this; 0: as it is */
  int closes; /* 1, SW_FORCED: g(Q_i) = (1 - c_i) g(q), c_i = sum_j a_ij, and not 0: then a linear g
               * is 0 at the end of the step, also if g(q) is not */
  sw_combination combination; /* SW_COMBINE */
} sw_operation;

enum { SW_OPERATIONS_MOST = 8, SW_PHASES_MOST = 5 };

/* What a method asks of models, the first three of models with constraints. */
enum {
  SW_NEEDS_HOLONOMIC = 1,     /* constraints on the positions alone, */
  SW_NEEDS_CONSTANT_MASS = 2, /* and H(q,p) = p.M^{-1} p/2 + a.p + V(q) with a constant M, */
  /* and a base method whose first stage is the start and whose last one is the end; */
  SW_NEEDS_LOBATTO = 4,
  SW_NEEDS_DISCRETE = 8,      /* discrete gradients; */
  SW_NEEDS_ACCELERATION = 16, /* a model with sw_model.acceleration */
  SW_NEEDS_LINEAR = 32,       /* constraints with constant derivatives, if there are constraints */
  SW_NEEDS_INVERTIBLE = 64    /* a base method with invertible A and A^ */
};

typedef struct sw_method {
  const char *name;
  const char *what; /* a few words, for lists */
  sw_operation operation[SW_OPERATIONS_MOST];
  unsigned needs;

  const char *base; /* the base method, where none is named, */
  /* or the one that belongs to the method, which then takes no other; both NULL: it takes none */
  const sw_tableau *tableau;
  int order;      /* 0: that of the base method, */
  int order_most; /* with constraints at most this, where it is not 0 */

  int on_hidden; /* 1 where rho = 0 at the start and at the end of a step, and not g = 0 alone */
  int begins_on_hidden; /* 1 where a run has to begin with rho = 0, although steps do not end there */
  int has_inverse;      /* 1 where a step over the adjoint base method undoes it, */
  int has_bias; /* or, where this is 1, the step of -h with the opposite bias (sw_options.bias) and its two methods exchanged */
  int staggered; /* 1 where momenta are those of half a step before, and the forces those of the half steps before and
                    * after the positions; at the beginning of a run those of the half step after */
  int earlier; /* 1 where a step needs the state before the present one, made by a step of the same size; */
  const struct sw_method *start; /* without one this method makes the step */

  /* The multipliers of a step are the sum of those of its solves times these. */
  double multiplier[SW_PHASES_MOST];
} sw_method;

/* Whether the method has a base method. */
static inline int sw_method_takes_base(const sw_method *method)
{
  return method->base || method->tableau;
}

#define SW_METHOD_DECLARE(identifier, name) extern const sw_method sw_method_##identifier;
SW_METHODS(SW_METHOD_DECLARE)
#undef SW_METHOD_DECLARE

/* The method of that name, or NULL. */
const sw_method *sw_method_find(const char *name);

/* The tableau of the method over the base method of that name, its own one over "none"; NULL where it has none there. */
const sw_tableau *sw_method_tableau(const sw_method *method, const char *base);

/* The base method where none is named: that of the model's run line, where its method is this one or one with the same choice, else the
 * method's own; "none" where it takes none.  The last two may be NULL. */
const char *sw_method_base(const sw_method *method, const sw_method *of_run,
                           const char *base_of_run);

#endif
