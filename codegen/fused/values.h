/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/values.h -- what a fused step computes, value by value, each a formula of earlier ones.
 *
 * A formula reads other values as inputs of the space IR_VALUE, so that what is computed once stays one value; equal formulas are
 * one value.  When a value can be computed follows from what it depends on (fused_level).
 */
#ifndef SIDEWINDER_FUSED_VALUES_H
#define SIDEWINDER_FUSED_VALUES_H

#include "expr/ir_program.h"

/* In the order of a step. */
enum {
  FUSED_SETUP, /* the parameters and the size of the step alone */
  FUSED_PLACE, /* the state and parameters: what is computed where a step ends serves the next one */
};
/* What precedes the unknowns of phase 0, 1, ..., and what depends on them. */
#define FUSED_BEGIN(phase) (2 + 2 * (phase))
#define FUSED_TRY(phase)   (3 + 2 * (phase))

/* What a value depends on, as bits: h, matrices of linear flows (fused/step.h), the state at the start, the unknowns of a phase, and the state at the end as far as that phase has
 * found it. */
#define FUSED_H          1u
#define FUSED_PHI        2u
#define FUSED_Z          4u
#define FUSED_U(phase)   (8u << (2 * (phase)))
#define FUSED_NEW(phase) (16u << (2 * (phase)))

/* The code of an elimination grows with the cube of the unknowns, so these are the most that a solve may have. */
enum { FUSED_UNKNOWNS_MOST = 24, FUSED_BASIS_MOST = 2 * FUSED_UNKNOWNS_MOST };

typedef struct fused_value {
  const char *name;       /* what it may be called, such as "q.x": not unique */
  const char *note;       /* what it is; "" where the name says it */
  const ir_expr *formula; /* NULL: it is given, or stands where another value did, at a new state */
  const ir_expr
      *direct;    /* what it comes from where the formula is free + sum_j slope_j u_j; else NULL */
  int home;       /* the value in whose place it is kept: itself, or the one that it renews */
  unsigned reads; /* bits of all that it depends on */
  int basis;      /* its number in the basis of its phase, or -1 */
  const ir_expr **
      slope; /* derivatives by the basis of the phase in the making; NULL before they are asked for */
  const ir_expr *free; /* its value where that is zero, where it is affine in it; else NULL */
} fused_value;

typedef struct fused_values {
  ir_context *context;
  fused_value *at; /* by the index of their inputs */
  int n;
  size_t room;
  int phase; /* the one in the making, */
  int n_unknowns;
  /* and what values are affine in, or not: unknowns, or the sine and 1 - the cosine of an angle in the place of one. */
  int n_basis;
  int basis[FUSED_BASIS_MOST];           /* these values, */
  int unknown[FUSED_BASIS_MOST];         /* of these unknowns; */
  const ir_expr *rate[FUSED_BASIS_MOST]; /* their derivatives by it, or by that angle; NULL: 1 */
  int by_parts; /* 1: derivatives of a formula by what it reads are values, which serve all unknowns */
  const ir_expr **value_of;    /* by the ids of formulas: the value that has it, or NULL */
  unsigned formulas;           /* the length of that array */
  struct fused_search *search; /* scratch of fused_reads */
} fused_values;

/* Values, in ascending order. */
typedef struct fused_list {
  int n;
  const int *at;
} fused_list;

fused_values *fused_values_create(ir_context *c);

/* A value that is given, and a new unknown of the present phase. */
const ir_expr *fused_given(fused_values *f, unsigned reads, const char *name, const char *note);
const ir_expr *fused_unknown(fused_values *f, const char *name, const char *note);

/* A new unknown u = tan(phi/2), with *sine = sin phi, *versine = 1 - cos phi and *per_angle = du/dphi.  Derivatives are by phi. */
const ir_expr *fused_angle(fused_values *f, const char *name, const ir_expr **sine,
                           const ir_expr **versine, const ir_expr **per_angle);

/* A value that stands in the same place as another, later: what it is where the present phase has ended. */
const ir_expr *fused_renewed(fused_values *f, const ir_expr *value);

/* The value of a formula of values: the formula itself where it is a number or a value, one that has this formula, or a new one.  What
 * is affine in the basis b becomes free + sum_j slope_j b_j, so that all but the b_j is computed before the unknowns. */
const ir_expr *fused_define(fused_values *f, const char *name, const char *note,
                            const ir_expr *formula);

/* The same without looking whether it is affine: for what solves for the unknowns. */
const ir_expr *fused_compute(fused_values *f, const char *name, const char *note,
                             const ir_expr *formula);

/* From now on the formula has that value. */
void fused_equate(fused_values *f, const ir_expr *formula, const ir_expr *value);

/* The value of a formula that is of a lower level, for what is computed at that level: where the value that it has is of the state that
 * a later move leads to, a value of its own. */
const ir_expr *fused_compute_before(fused_values *f, const char *name, const ir_expr *formula,
                                    int level);

/* The value with that input; NULL for a number. */
fused_value *fused_of(const fused_values *f, const ir_expr *value);

/* The value that a formula has by now; NULL: none. */
const ir_expr *fused_known(fused_values *f, const ir_expr *formula);

/* For each value, 1 if it needs value i to be computed, by either of its forms, else 0; to be freed. */
char *fused_needing(const fused_values *f, int i);

/* Whether one of the nodes needs value i to be computed, by either of its forms. */
int fused_is_needed(const fused_values *f, int i, int n, const ir_expr *const nodes[]);

/* The value that has this formula, before it is equated with another one, is that other one where none of these n nodes needs it: what depends
 * on it can be computed as soon as the other one is there. */
void fused_take_over(fused_values *f, const ir_expr *formula, const ir_expr *value, int n,
                     const ir_expr *const needed[]);

/* What a formula of values depends on, and when it can be computed. */
unsigned fused_depends(const fused_values *f, const ir_expr *formula);
int fused_level(unsigned reads);

/* The values that the formula reads itself.  The next call overwrites the list; fused_reads_kept allocates it. */
fused_list fused_reads(const fused_values *f, const ir_expr *formula);
fused_list fused_reads_kept(const fused_values *f, const ir_expr *formula);

/* The derivative of a formula of values by unknown j of the present phase, or by its angle. */
const ir_expr *fused_slope(fused_values *f, const ir_expr *formula, int j);

/* The present phase has its equations: its unknowns are known to what comes. */
void fused_close_phase(fused_values *f);

#endif
