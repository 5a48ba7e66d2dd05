/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/values.h -- the values that a fused step computes, each a formula of earlier ones.
 *
 * A formula refers to other values as inputs of the space IR_VALUE. Equal formulas are one value,
 * so common subexpressions are computed once. The level of a value says when it can be computed,
 * given its dependences (fused_level).
 */
#ifndef SIDEWINDER_FUSED_VALUES_H
#define SIDEWINDER_FUSED_VALUES_H

#include "expr/ir_program.h"

/* Levels, in the order of a step. */
enum {
  FUSED_SETUP, /* depends only on parameters and on the step size */
  /* depends on the state and on parameters; computed at the end of a step, it serves the next
   * step */
  FUSED_PLACE,
};
/* Values before the unknowns of phase 0, 1, ..., and values that depend on these unknowns. */
#define FUSED_BEGIN(phase) (2 + 2 * (phase))
#define FUSED_TRY(phase)   (3 + 2 * (phase))

/* Dependences of a value, as bits: h; matrices of linear flows (fused/step.h); the state at the
 * start; the unknowns of a phase; the state at the end, so far as this phase has found it. */
#define FUSED_H          1u
#define FUSED_PHI        2u
#define FUSED_Z          4u
#define FUSED_U(phase)   (8u << (2 * (phase)))
#define FUSED_NEW(phase) (16u << (2 * (phase)))

/* Largest number of unknowns of a solve: the code of an elimination grows with its cube. */
enum { FUSED_UNKNOWNS_MOST = 24, FUSED_BASIS_MOST = 2 * FUSED_UNKNOWNS_MOST };

typedef struct fused_value {
  const char *name;       /* suggested name such as "q.x", not unique */
  const char *note;       /* description; "" if the name suffices */
  const ir_expr *formula; /* NULL: the value is given, or renews another value at a new state */
  /* original formula, if `formula` is the affine form free + sum_j slope_j u_j; else NULL */
  const ir_expr *direct;
  int home;       /* the value whose storage it uses: itself, or the value that it renews */
  unsigned reads; /* bits of all its dependences */
  int basis;      /* number in the basis of its phase, or -1 */
  const ir_expr *
      *slope; /* derivatives by the basis of the phase under construction; NULL until requested */
  const ir_expr *free; /* its value at zero basis if it is affine in the basis, else NULL */
} fused_value;

typedef struct fused_values {
  ir_context *context;
  fused_value *at; /* indexed by the numbers of the inputs */
  int n;
  size_t room;
  int phase; /* phase under construction */
  int n_unknowns;
  /* Size of the basis. Values may be affine in its elements: the unknowns, or the sine and 1 -
   * cosine of an angle instead of its unknown. */
  int n_basis;
  int basis[FUSED_BASIS_MOST];   /* value of each basis element */
  int unknown[FUSED_BASIS_MOST]; /* unknown to which it belongs */
  /* its derivative by this unknown, or by the angle; NULL: 1 */
  const ir_expr *rate[FUSED_BASIS_MOST];
  /* 1: derivatives of a formula by the values that it reads are values themselves, shared by all
   * unknowns */
  int by_parts;
  /* indexed by the ids of formulas: the value with this formula, or NULL */
  const ir_expr **value_of;
  unsigned formulas;           /* length of value_of */
  struct fused_search *search; /* scratch of fused_reads */
} fused_values;

/* Numbers of values, in ascending order. */
typedef struct fused_list {
  int n;
  const int *at;
} fused_list;

fused_values *fused_values_create(ir_context *c);

/* A given value; a new unknown of the present phase. */
const ir_expr *fused_given(fused_values *f, unsigned reads, const char *name, const char *note);
const ir_expr *fused_unknown(fused_values *f, const char *name, const char *note);

/* Creates an unknown u = tan(phi/2), with *sine = sin phi, *versine = 1 - cos phi and *per_angle =
 * du/dphi. Derivatives are taken by phi. */
const ir_expr *fused_angle(fused_values *f, const char *name, const ir_expr **sine,
                           const ir_expr **versine, const ir_expr **per_angle);

/* A value that overwrites another one with its new value at the end of the present phase. */
const ir_expr *fused_renewed(fused_values *f, const ir_expr *value);

/* The value of a formula of values: the formula itself if it is a number or a value, else an
 * existing value with this formula, or a new one. If the formula is affine in the basis b, the
 * value becomes free + sum_j slope_j b_j, so that free and the slopes are computed before the
 * unknowns. */
const ir_expr *fused_define(fused_values *f, const char *name, const char *note,
                            const ir_expr *formula);

/* The same without a test for affinity; for the solution of linear equations. */
const ir_expr *fused_compute(fused_values *f, const char *name, const char *note,
                             const ir_expr *formula);

/* The same without a note; the name is formatted as by printf. */
const ir_expr *fused_compute_as(fused_values *f, const ir_expr *formula, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes `value` the value of the formula from now on. */
void fused_equate(fused_values *f, const ir_expr *formula, const ir_expr *value);

/* The value of a formula for use before `level`. If the value registered for the formula has this
 * level or a later one, a separate value is created. */
const ir_expr *fused_compute_before(fused_values *f, const char *name, const ir_expr *formula,
                                    int level);

/* The record of a value, by its input; NULL for a number. */
fused_value *fused_of(const fused_values *f, const ir_expr *value);

/* The value registered for a formula, or NULL. */
const ir_expr *fused_known(fused_values *f, const ir_expr *formula);

/* For each value, 1 if its computation needs value i in either of its forms, else 0. The caller
 * frees the array. */
char *fused_needing(const fused_values *f, int i);

/* 1 if one of the nodes needs value i for its computation, in either of its forms. */
int fused_is_needed(const fused_values *f, int i, int n, const ir_expr *const nodes[]);

/* Call this before `formula` is equated with `value`. The existing value of the formula becomes an
 * alias of `value` unless one of the n needed nodes depends on it. Its dependents can then be
 * computed as soon as `value` is known. */
void fused_take_over(fused_values *f, const ir_expr *formula, const ir_expr *value, int n,
                     const ir_expr *const needed[]);

/* Dependences of a formula of values, and the level at which it can be computed. */
unsigned fused_depends(const fused_values *f, const ir_expr *formula);
int fused_level(unsigned reads);

/* The values that a formula reads directly. The next call overwrites the list of fused_reads;
 * fused_reads_kept allocates its list. */
fused_list fused_reads(const fused_values *f, const ir_expr *formula);
fused_list fused_reads_kept(const fused_values *f, const ir_expr *formula);

/* Sets the marks of the values among the n nodes, and of all values that they need.  reads[i] lists
 * the values that value i reads directly. */
void fused_need(const fused_list reads[], int n, const ir_expr *const nodes[], char marks[]);

/* Derivative of a formula of values by unknown j of the present phase, or by the unknown's
 * angle. */
const ir_expr *fused_slope(fused_values *f, const ir_expr *formula, int j);

/* Ends the phase, which has its equations. Its unknowns count as known from now on. */
void fused_close_phase(fused_values *f);

#endif
