/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/composer.h -- a step in the making; private to fused/.
 */
#ifndef SIDEWINDER_FUSED_COMPOSER_H
#define SIDEWINDER_FUSED_COMPOSER_H

#include "fused/rotation.h"
#include "fused/step.h"

typedef struct composer {
  ir_context *context;
  arena *memory;
  const ir_program *program;
  fused_flow flow; /* along fibres */
  fused_values *values;
  fused_step *step;
  fused_phase *phase;     /* the one in the making */
  const ir_expr **z;      /* 2d: the state that has been reached, */
  const ir_expr **start;  /* the one where the phase starts, */
  const ir_expr **before; /* and the one where the last phase has started */
  const ir_expr **by;     /* 2d: c->z less the start of the step; NULL without a carry */
  int may_advance;
  int is_cut; /* whether the step ends its first half where the first phase does (fused/step.h) */
  const char *refusal; /* why there is no step, or NULL */
} composer;

/* A formula of the model with values for z and for lambda, of which either may be NULL where it reads none. */
const ir_expr *composer_at(composer *c, const ir_expr *formula, const ir_expr *const z[],
                           const ir_expr *const lambda[]);

/* The dotted name of entry i of z. */
const char *composer_name(const composer *c, int i);

/* The value of a formula of values, which is called what_of. */
const ir_expr *composer_define(composer *c, const char *what, const char *of,
                               const ir_expr *formula);

/* Likewise of entry i of z. */
const ir_expr *composer_define_entry(composer *c, const char *what, int i, const ir_expr *formula);

/* The formula times a number, and that part of h as a value of the setup. */
const ir_expr *composer_scaled(const composer *c, double factor, const ir_expr *formula);
const ir_expr *composer_part_of_h(composer *c, double weight);

/* n formulas that are the number 0. */
const ir_expr **composer_zeros(const composer *c, int n);

/* The entry of z that the slope of H by entry i drives, and is driven by: a momentum for a position, and the other way round. */
int composer_conjugate(const composer *c, int i);

/* That slope with the sign that it drives entry i of z with: H_p drives positions, and -H_q momenta. */
const ir_expr *composer_driving(const composer *c, int i, const ir_expr *slope);

/* 0, and a refusal, where the phase can have no more unknowns. */
int composer_has_room(composer *c);

/* An unknown of the phase, with the value where Newton's method begins, which it is where there are too many. */
const ir_expr *composer_unknown(composer *c, const char *name, const char *note,
                                const ir_expr *guess);

/* Equation number `row` of the phase: that formula of constraint i, which is called `what`, is 0, as far as this scale tells. */
void composer_equate(composer *c, int row, const char *what, int i, const ir_expr *formula,
                     const ir_expr *scale);

/* The same of the residual of g_i. */
void composer_hold(composer *c, int row, int i, const ir_expr *formula);

/* Equation number `row`, which has the unit of the unknown of that number: that formula = 0, in positions (half 0) or momenta (half 1); name: of
 * the entry that is missed. */
void composer_miss(composer *c, int row, int half, const char *name, const ir_expr *formula);

/* c->z <- phi_h(c->z), for SW_BASE and SW_FORCED; entries of stage values that cannot be computed become unknowns, and so do the multipliers of
 * stages where constraints act, with equations in the phase. */
void composer_stages(composer *c, const sw_tableau *base, const sw_operation *o);

/* c->z <- phi_h(c->z), made of flows. */
void composer_flows(composer *c, int n, const fused_part parts[]);

/* c->z <- the end of a step with discrete gradients, likewise. */
void composer_discrete(composer *c);

/* c->z <- the end of a step of a variational integrator over an explicit base method, with phases of its own. */
void composer_legendre(composer *c, const sw_tableau *tableau);

/* The phase is complete, and the next one begins. */
void composer_next_phase(composer *c);

/* Equation number i: that formula, rho_i after a slide, of which the slope by a multiplier is an entry of N, is 0. */
void composer_hide(composer *c, int i, const ir_expr *formula);

/* N at a state, in values whose names begin with `what`, and its factors, with a refusal where there are none. */
void composer_find_N(composer *c, const char *what, const ir_expr *const z[], fused_matrix *N);
void composer_factorise(composer *c, const char *matrix, const char *what, fused_matrix *m);

/* The changes of the unknowns of a phase that has its equations, and the pivots. */
void composer_change(composer *c);

/* Whether nothing will change entry i of z any more: the fibre flow leaves it alone, and only slides follow. */
int composer_is_final(const composer *c, const sw_operation *rest, int i);

/* Marks the entries of the state that are final, with their carries. */
void composer_mark_early(composer *c, const sw_operation *rest);

/* Where these take their place in the state, values that belong to the state and read these alone are those of the end from then on. */
void composer_renew_place(composer *c);

#endif
