/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/composer.h -- a step under construction; private to fused/.
 */
#ifndef SIDEWINDER_FUSED_COMPOSER_H
#define SIDEWINDER_FUSED_COMPOSER_H

#include "fused/step.h"

/* Fibre flows that rotate. In them a multiplier occurs only in the sine and the cosine of one
 * angle, or in G_0(c,t) = cos(w t) and G_1(c,t) = sin(w t)/w (expr/expr.h). Here c = -w^2 is
 * negative for all parameters within their bounds.
 *
 * With u = tan(phi/2), sin phi = 2u/(1 + u^2) and 1 - cos phi = u sin phi (Cayley). So a step with
 * the unknown u evaluates no sine or cosine. */
typedef struct fused_flow {
  /* 2d: the flow. If multiplier j rotates, input nc + 2j of IR_LAMBDA is sin phi_j, and input nc +
   * 2j + 1 is 1 - cos phi_j. */
  const ir_expr **z;
  /* nc: phi_j = rate_j lambda_j with a positive rate of parameters; NULL for a multiplier that does
   * not rotate */
  const ir_expr **rate;
} fused_flow;

fused_flow fused_flow_of(ir_context *c, const ir_program *p);

typedef struct composer {
  ir_context *context;
  arena *memory;
  const ir_program *program;
  const sw_method *method;
  const fused_base *base;
  const double *multiplier; /* weights of the multipliers of the coming phases */
  int compensated;
  fused_flow flow; /* the fibre flow */
  fused_values *values;
  fused_step *step;
  fused_phase *phase;     /* the phase under construction */
  const ir_expr **z;      /* 2d: the state reached so far */
  const ir_expr **start;  /* 2d: the state at the start of the phase */
  const ir_expr **before; /* 2d: the state at the start of the previous phase */
  const ir_expr **by;     /* 2d: c->z minus the start of the step; NULL without a carry */
  int may_advance;
  int is_cut;          /* 1: the first half of the step ends with the first phase (fused/step.h) */
  const char *refusal; /* why there is no step, or NULL */
} composer;

/* A formula of the model at values for z and lambda. Either may be NULL if the formula does not
 * read it. */
const ir_expr *composer_at(composer *c, const ir_expr *formula, const ir_expr *const z[],
                           const ir_expr *const lambda[]);

/* Entry i of a vector function of the model, at z. */
const ir_expr *composer_value(composer *c, ir_function_id id, int i, const ir_expr *const z[]);

/* Dg_i(x) u. */
const ir_expr *composer_slope_of_g(composer *c, const ir_expr *const x[], int i,
                                   const ir_expr *const u[]);

/* The dotted name of entry i of z. */
const char *composer_name(const composer *c, int i);

/* Defines the value of a formula of values, named "what_of". */
const ir_expr *composer_define(composer *c, const char *what, const char *of,
                               const ir_expr *formula);

/* The same for entry i of z. */
const ir_expr *composer_define_entry(composer *c, const char *what, int i, const ir_expr *formula);

/* composer_scaled: factor * formula. composer_part_of_h: weight * h, as a value of the setup. */
const ir_expr *composer_scaled(const composer *c, double factor, const ir_expr *formula);
const ir_expr *composer_part_of_h(composer *c, double weight);

/* *sum += a b. */
void composer_add(const composer *c, const ir_expr **sum, const ir_expr *a, const ir_expr *b);

/* The constant 0. */
const ir_expr *composer_zero(const composer *c);
/* An array of n formulas that are NULL. */
const ir_expr **composer_formulas(const composer *c, int n);
/* An array of n formulas that are the constant 0. */
const ir_expr **composer_zeros(const composer *c, int n);

/* For each row of an n x n matrix, the first row of its block. Nonzero entries connect the rows of
 * a block; NULL is zero. */
int *composer_blocks(composer *c, int n, const ir_expr *const A[]);

/* The conjugate entry of i: the momentum of a position, or the position of a momentum. */
int composer_conjugate(const composer *c, int i);

/* The time derivative of entry i of z, from the slope of H by the conjugate entry: H_p for
 * positions, -H_q for momenta. */
const ir_expr *composer_driving(const composer *c, int i, const ir_expr *slope);

/* Returns 0, and sets a refusal, if the phase can have no further unknown. */
int composer_has_room(composer *c);

/* Adds an unknown to the phase, with its initial guess. If there are too many unknowns, sets a
 * refusal and returns the guess. */
const ir_expr *composer_unknown(composer *c, const char *name, const char *note,
                                const ir_expr *guess);

/* Sets equation number `row` of the phase: formula = 0, where the formula belongs to constraint i
 * and is called `what`. The convergence test compares the residual with `scale`. */
void composer_equate(composer *c, int row, const char *what, int i, const ir_expr *formula,
                     const ir_expr *scale);

/* The same for the residual of g_i. */
void composer_hold(composer *c, int row, int i, const ir_expr *formula);

/* Sets equation number `row`, formula = 0, which has the unit of unknown number `row`: of positions
 * (half 0) or momenta (half 1). name: the entry of the state to which it belongs. */
void composer_miss(composer *c, int row, int half, const char *name, const ir_expr *formula);

/* c->z <- phi_h(c->z), for SW_BASE and SW_FORCED. Entries of stage values that cannot be computed
 * explicitly become unknowns of the phase, with equations. The multipliers of stages in which
 * constraints act become unknowns as well. */
void composer_stages(composer *c, const sw_operation *o);

/* c->z <- phi_h(c->z), where phi_h is a composition of exact flows. */
void composer_flows(composer *c);

/* c->z <- the end of a step with discrete gradients; entries that cannot be computed explicitly
 * become unknowns. */
void composer_discrete(composer *c, const sw_operation *o);

/* c->z <- the end of a step of a variational integrator over an explicit base method; adds its
 * phases. */
void composer_legendre(composer *c, const sw_operation *o);

/* Completes the phase and begins the next one. */
void composer_next_phase(composer *c);

/* Sets equation number i after a slide: formula = 0, where the formula is rho_i. Its slope by a
 * multiplier is an entry of N. */
void composer_hide(composer *c, int i, const ir_expr *formula);

/* composer_find_N: N at a state, in values whose names begin with `what`. composer_factorise: its
 * factors; sets a refusal if a pivot is always zero. */
void composer_find_N(composer *c, const char *what, const ir_expr *const z[], fused_matrix *N);
void composer_factorise(composer *c, const char *matrix, const char *what, fused_matrix *m);

/* Computes the changes of the unknowns, and the pivots, of a phase that has its equations. */
void composer_change(composer *c);

/* 1 if entry i of z is final: only slides follow, and the fibre flow does not change the entry. */
int composer_is_final(const composer *c, const sw_operation *rest, int i);

/* Marks the final entries of the state, and their carries. */
void composer_mark_early(composer *c, const sw_operation *rest);

/* Redefines values of the state that depend only on final entries as values at the end of the
 * step. */
void composer_renew_place(composer *c);

#endif
