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
  fused_phase *phase;    /* the one in the making */
  const ir_expr **z;     /* 2d: the state that has been reached, */
  const ir_expr **start; /* and the one where the phase starts */
  int may_advance;
  int is_cut; /* whether the step ends its first half where the first phase does (fused/step.h) */
  const char *refusal; /* why there is no step, or NULL */
} composer;

/* A formula of the model with values for z and for lambda, of which either may be NULL where it reads none. */
const ir_expr *composer_at(composer *c, const ir_expr *formula, const ir_expr *const z[],
                           const ir_expr *const lambda[]);

/* The dotted name of entry i of z. */
const char *composer_name(const composer *c, int i);

/* 0, and a refusal, where the phase can have no more unknowns. */
int composer_has_room(composer *c);

/* An unknown of the phase, with the value where Newton's method begins, which it is where there are too many. */
const ir_expr *composer_unknown(composer *c, const char *name, const char *note,
                                const ir_expr *guess);

/* c->z <- phi_h(c->z); entries of stage values that cannot be computed become unknowns, with equations in the phase. */
void composer_stages(composer *c, const sw_tableau *base);

#endif
