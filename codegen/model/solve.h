/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * solve.h -- conditions on integers in normal form: solve_conditions.c builds them, solve.c decides
 * them.
 */
#ifndef SIDEWINDER_SOLVE_H
#define SIDEWINDER_SOLVE_H

#include "model/index_values.h"

enum { SOLVE_VARIABLES = 64, SOLVE_TERMS = 16 };

/* left - right as constant + sum of factor * variable. */
typedef struct solve_affine {
  int exact; /* 0: not of this form */
  long constant;
  int n;
  int at[SOLVE_TERMS];
  long factor[SOLVE_TERMS];
} solve_affine;

/* A condition without `not`: a comparison of left - right with 0, or the conjunction or
 * disjunction of its parts. */
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
  long parts; /* size of all conditions: the cost of one sweep */
  long sweeps;
  int too_large; /* 1 if there are more than SOLVE_VARIABLES variables */
};

/* A list of required conditions. */
typedef struct solve_given {
  const solve_node *condition;
  const struct solve_given *next;
} solve_given;

/* Number of a variable; n_variables if it is unknown. */
int solve_variable_at(const solve *s, const model_binder *binder);

#endif
