/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * solve.h -- conditions on integers, ready to be decided: what solve_conditions.c makes and solve.c works on.
 */
#ifndef SIDEWINDER_SOLVE_H
#define SIDEWINDER_SOLVE_H

#include "model/index_values.h"

enum { SOLVE_VARIABLES = 64, SOLVE_TERMS = 16 };

/* left - right as constant + sum of factor * variable. */
typedef struct solve_affine {
  int exact; /* 0: it is no such form */
  long constant;
  int n;
  int at[SOLVE_TERMS];
  long factor[SOLVE_TERMS];
} solve_affine;

/* A condition without `not`: a comparison of left - right with 0, or all or some of its parts. */
typedef struct solve_node {
  model_condition_kind kind;
  const model_index *left;
  const model_index *right;
  solve_affine difference;
  int n;
  const struct solve_node **parts;
} solve_node;

struct solve {
  checker *c;
  int n_variables;
  const model_binder *variables[SOLVE_VARIABLES];
  const struct solve_given *given;
  long parts; /* of all conditions: what one sweep costs */
  long sweeps;
  int too_large; /* more variables than there is room for */
};

/* What has to hold. */
typedef struct solve_given {
  const solve_node *condition;
  const struct solve_given *next;
} solve_given;

/* Number of a variable; n_variables where it is none. */
int solve_variable_at(const solve *s, const model_binder *binder);

#endif
