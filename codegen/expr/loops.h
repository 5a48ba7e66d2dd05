/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops.h -- what the looped lowering hands on: the kernels of a model's families, differentiated once,
 * and the loops around them.
 *
 * A family's body is a sum of parts.  A part is a kernel, summed over inner loops of its own (none, for
 * most).  A kernel is a function of the entries of arrays that it reads: its sites.  A site is one degree
 * of freedom, q and p of one entry of a coordinate, at indices that are expressions in the variables of
 * the loops and in sizes.  Two sites of a kernel are different expressions, yet may be the same entry for
 * some values of the variables: what is made of them is added up.
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

/* Loops, the first binder slowest, around those iterations that satisfy the condition.  Binders are unique
 * objects within a nest and all that surrounds it, but two of them may have the same name; indices and
 * conditions refer to them, to sizes and to integers only: the arguments of lets have been put in. */
typedef struct ir_nest {
  int n;
  const model_binder *const *binders;
  const model_condition *condition; /* NULL: all iterations */
} ir_nest;

typedef struct ir_part ir_part;

/* An entry of an array, an instance of a family of constraints, or a sum (of assignments only); exactly one of
 * the four is set, or none: then index[0] is meant as a number. */
typedef struct ir_reference {
  const char *text; /* as a reader would write it, such as "q[i+1,x]" */
  const model_coordinate *coordinate;
  const model_parameter *parameter;
  const model_family *constraint; /* without a filter */
  const ir_part *sum;
  int n_index;
  const model_index *const *index;
} ir_reference;

typedef struct ir_kernel {
  int n_sites;
  const ir_reference *sites;
  int n_values;
  const ir_reference *values;
  int n_multipliers; /* of observables only */
  const ir_reference *multipliers;
  const ir_expr *value;
  const ir_expr *magnitude; /* ir_magnitudes of value */
  /* Of H and constraints; the others have rows = 0. */
  ir_function gradient; /* 2 n_sites values, of which those that are not zero */
  ir_function hessian;  /* lower triangle of 2 n_sites x 2 n_sites */
} ir_kernel;

struct ir_part {
  ir_nest nest; /* inside of the family's own */
  ir_kernel kernel;
};

typedef enum ir_fibre {
  IR_FIBRE_SHIFT_P,
  IR_FIBRE_SHIFT_Q,
  IR_FIBRE_CLOSED,
  IR_FIBRE_NUMERICAL /* then the runtime integrates the flow of all families */
} ir_fibre;

/* A family of constraints (g = left - right), observables or invariants. */
typedef struct ir_looped_family {
  const model_family *family; /* its name and its place; NULL for H */
  ir_nest nest;
  int n_parts;
  const ir_part *parts;
  /* Constraints only.  IR_FIBRE_CLOSED: there is one part, without loops of its own, two sites of which are
   * never the same entry; the flow of lambda[0] g is 2 n_sites values over its kernel's inputs, and flow_z
   * its Jacobian, without the ones of the diagonal (2 n_sites x 2 n_sites, entries that are not zero). */
  ir_fibre fibre;
  ir_function flow;
  ir_function increment; /* flow - z: what is added */
  ir_function flow_z;
} ir_looped_family;

/* Values for entries of an array: target[index] = value, in every iteration of the nest. */
typedef struct ir_assignment {
  ir_nest nest;
  ir_reference target; /* a coordinate or a parameter */
  int is_momentum;
  ir_kernel kernel; /* without sites; gradient and hessian are empty */
} ir_assignment;

typedef struct ir_looped_state {
  const char *name;
  int n;
  const ir_assignment *assignments;
} ir_looped_state;

/* What holds for every choice of sizes, since it holds for the kernels. */
typedef struct ir_loops {
  int n_slots; /* of an environment for all binders: some are not the model's */
  ir_looped_family hamiltonian;
  int n_constraints;
  const ir_looped_family *constraints; /* in the order of the model, likewise the others */
  /* 0 where all constraints commute for all sizes, since those that can share a degree of freedom depend on q
   * alone, or on p alone.  1 where others can: whether these commute is then not known for all sizes, their
   * families are IR_FIBRE_NUMERICAL, and C is looked at where a run starts. */
  int shares;
  /* Of H, and of each family of constraints: what gradient and hessian of these kernels are is the discrete gradient between
   * IR_Z and IR_NEXT, and its derivative by IR_NEXT, all of it (expr/discrete_gradient.h).  NULL where nobody asked for them. */
  const ir_looped_family *discrete_H;
  const ir_looped_family *discrete_g;
  int has_directions; /* 1 where third and fourth derivatives along directions were asked for, and H is quadratic in the momenta */
  int n_observe;
  const ir_looped_family *observe;
  int n_invariants;
  const ir_looped_family *invariants;
  int n_defaults;
  const ir_assignment *defaults; /* of parameters */
  /* Of conditions and ends of loops, inner ones first: each a mod whose divisor is in sizes, and has to be positive, or an entry of an array of
   * indices whose place is, and has to be inside. */
  int n_partial;
  const model_index *const *partial;
  int n_states;
  const ir_looped_state *states;
  /* Only separable, holonomic, mass, degree_H, degree_g, fibre and numerical (of a family) are used. */
  ir_structure structure;
} ir_loops;

#ifdef __cplusplus
}
#endif

#endif
