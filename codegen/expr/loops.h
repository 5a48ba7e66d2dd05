/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops.h -- the output of the looped lowering: the kernels of a model's families, differentiated
 * once, and the loops around them.
 *
 * The body of a family is a sum of parts.  A part is a kernel, summed over inner loops of its own
 * (most parts have none).  A kernel is a function of the array entries that it reads, its sites.  A
 * site is one degree of freedom: q and p of one entry of a coordinate, at indices that are
 * expressions in loop variables and sizes.  Two sites of a kernel are different expressions, but
 * may be the same entry for some values of the variables; their contributions are then added.
 *
 * Inputs of a kernel's expressions (expr/expr.h):
 *   IR_Z, 0 .. n_sites-1          position of site i;   IR_Z, n_sites .. 2 n_sites-1   its momentum
 *   IR_K, i                       value i: an entry of a parameter, or an index as a number
 *   IR_LAMBDA, i                  multiplier i
 */
#ifndef SIDEWINDER_EXPR_LOOPS_H
#define SIDEWINDER_EXPR_LOOPS_H

#include "expr/ir_program.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nested loops, the first binder outermost, over the iterations that satisfy the condition.
 * Binders are unique objects within a nest and its surroundings, but two of them may have the same
 * name.  Indices and conditions refer to binders, sizes and integers only; arguments of lets are
 * already substituted. */
typedef struct ir_nest {
  int n;
  const model_binder *const *binders;
  const model_condition *condition; /* NULL selects all iterations */
} ir_nest;

typedef struct ir_part ir_part;

/* An entry of an array, an instance of a family of constraints, or a sum (in assignments only).  At
 * most one of the four pointers is set.  If none is set, the reference is index[0] as a number. */
typedef struct ir_reference {
  const char *text; /* spelling for human readers, such as "q[i+1,x]" */
  const model_coordinate *coordinate;
  const model_parameter *parameter;
  const model_family *constraint; /* a family without a filter */
  const ir_part *sum;
  int n_index;
  const model_index *const *index;
  int is_impulse; /* of a constraint: its impulse instead of its multiplier */
} ir_reference;

typedef struct ir_kernel {
  int n_sites;
  const ir_reference *sites;
  int n_values;
  const ir_reference *values;
  int n_multipliers; /* and impulses; nonzero for observables only */
  const ir_reference *multipliers;
  const ir_expr *value;
  const ir_expr *magnitude; /* ir_magnitudes of value */
  /* Derivatives for H and constraints; other kernels have rows = 0. */
  ir_function gradient; /* nonzero ones of 2 n_sites components */
  ir_function hessian;  /* lower triangle, 2 n_sites x 2 n_sites */
} ir_kernel;

struct ir_part {
  ir_nest nest; /* loops within the family's own nest */
  ir_kernel kernel;
};

typedef enum ir_fibre {
  IR_FIBRE_SHIFT_P,
  IR_FIBRE_SHIFT_Q,
  IR_FIBRE_CLOSED,
  IR_FIBRE_NUMERICAL /* the runtime then integrates the flow of all families */
} ir_fibre;

/* A family of constraints (g = left - right), observables or invariants. */
typedef struct ir_looped_family {
  const model_family *family; /* source of name and location; NULL for H */
  ir_nest nest;
  int n_parts;
  const ir_part *parts;
  /* The fibre flow, for constraints only.  A family with IR_FIBRE_CLOSED has one part without loops
   * of its own, whose sites are always different entries.  flow is the flow of lambda[0] g: 2
   * n_sites values over the inputs of its kernel.  flow_z is the Jacobian of flow without the ones
   * of the diagonal: the nonzero entries of a 2 n_sites x 2 n_sites matrix. */
  ir_fibre fibre;
  ir_function flow;
  ir_function increment; /* flow - z */
  ir_function flow_z;
} ir_looped_family;

/* Assigns values to entries of an array: target[index] = value, in every iteration of the nest. */
typedef struct ir_assignment {
  ir_nest nest;
  ir_reference target; /* a coordinate or a parameter */
  int is_momentum;
  ir_kernel kernel; /* has no sites; gradient and hessian are empty */
} ir_assignment;

typedef struct ir_looped_state {
  const char *name;
  int n;
  const ir_assignment *assignments;
} ir_looped_state;

/* The looped model.  Facts in it hold for all sizes, because they hold for the kernels. */
typedef struct ir_loops {
  /* number of slots in an environment for all binders, including binders that are not the
   * model's */
  int n_slots;
  ir_looped_family hamiltonian;
  int n_constraints;
  const ir_looped_family *constraints; /* in the model's order, as the other families */
  /* 0 if all constraints commute for all sizes: any two that can share a degree of freedom depend
   * on q alone, or on p alone. 1 if other constraints can share one.  It is then unknown if these
   * commute; their families are IR_FIBRE_NUMERICAL, and a run examines C at its start. */
  int shares;
  /* Discrete gradients of H and of each family of constraints, or NULL if not requested.  Here
   * `gradient` is the discrete gradient between IR_Z and IR_NEXT, and `hessian` is its full
   * derivative with respect to IR_NEXT (expr/discrete_gradient.h). */
  const ir_looped_family *discrete_H;
  const ir_looped_family *discrete_g;
  /* 1 if third and fourth derivatives along directions are requested and H is quadratic in p */
  int has_directions;
  int n_observe;
  const ir_looped_family *observe;
  int n_invariants;
  const ir_looped_family *invariants;
  int n_events;
  const ir_looped_family *events;
  int n_forces;
  const ir_looped_family *forces; /* their kernels have gradients, but no Hessians */
  /* for each force, the position of its momentum, with gradients */
  const ir_looped_family *force_targets;
  int n_defaults;
  const ir_assignment *defaults; /* default values of parameters */
  /* Partial operations in conditions and ends of loops, inner ones first.  One kind is a mod whose
   * divisor depends on sizes and must be positive.  The other is an entry of an index array whose
   * position depends on sizes and must be within the array. */
  int n_partial;
  const model_index *const *partial;
  int n_states;
  const ir_looped_state *states;
  int has_bath; /* 1 if states[n_states] is the heat bath (model.h) */
  /* Only separable, holonomic, mass, degree_H, degree_g, force, fibre and numerical (of a family)
   * are used. */
  ir_structure structure;
} ir_loops;

/* ---- the additional functions that a variational integrator needs (acceleration.c) ---- */

/* The program with IR_ACCELERATION and the functions after it.  The program itself if H is not
 * quadratic in the momenta or a constraint reads them, since the field of the Lagrangian is then
 * another one, and if the functions exceed a limit: the attempt has IR_ATTEMPT_MIB_METHOD.  *why
 * is then the reason, a phrase about accelerations; else NULL. */
const ir_program *ir_with_acceleration(ir_context *c, const ir_program *p, const char **why);

/* The same for loops: sets has_directions, so that the runtime can compute accelerations. */
const ir_loops *ir_with_directions(ir_context *c, const ir_loops *loops, const char **why);

#ifdef __cplusplus
}
#endif

#endif
