/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_functions.h -- the functions of sw_model (sidewinder/model.h), with loops.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_FUNCTIONS_H
#define SIDEWINDER_EMIT_LOOPS_FUNCTIONS_H

#include "emit/loops_kernel.h"

/* Outputs of a kernel that one function computes. */
typedef enum loops_outputs {
  OUTPUTS_NONE,
  OUTPUTS_VALUE,
  OUTPUTS_MAGNITUDE,
  OUTPUTS_GRADIENT,
  OUTPUTS_GRADIENT_Q, /* gradient entries of positions */
  OUTPUTS_GRADIENT_P, /* gradient entries of momenta */
  OUTPUTS_HESSIAN,
  OUTPUTS_HESSIAN_TIMES, /* lambda[row] times the Hessian */
  OUTPUTS_ALONG,         /* derivative of the gradient along v */
  OUTPUTS_THIRD,         /* derivative of the Hessian along u; of constraints, times lambda[row] */
  OUTPUTS_FOURTH,        /* second derivative of the Hessian along u and w */
  OUTPUTS_FLOW,          /* entries of the flow that are not constant */
  OUTPUTS_INCREMENT,     /* their increments */
  OUTPUTS_FLOW_Z         /* entries of the flow's derivative */
} loops_outputs;

/* A quantity that is computed from the kernels of a list of families. */
typedef struct loops_quantity {
  loops_outputs outputs;
  loops_factor factor;
  /* Writes the use of the outputs, in the innermost block. */
  void (*statements)(loops_frame *f, loops_kernel *k);
  /* Written once per instance, before its kernels; NULL: nothing. */
  void (*begin)(loops_frame *f, const ir_looped_family *family);
  int counts_rows;   /* 1: uses the number of the instance */
  int counts_values; /* 1: uses the number of each value among those of all kernels */
  int is_pattern;    /* 1: computes nothing */
} loops_quantity;

/* A family with its kernels that have outputs. */
typedef struct loops_plan_family {
  const ir_looped_family *of;
  int n;
  loops_kernel *kernels;
  long stride;      /* number of values in one iteration of the family's own loops */
  const char *rows; /* number of instances before this family, as text */
} loops_plan_family;

/* The plan of a quantity over a list of families. */
typedef struct loops_plan {
  const loops_quantity *quantity;
  loops_kind kind;
  int n;
  loops_plan_family *families;
  int parts; /* number of kernels that have outputs */
  /* 1: rows and values need counters, since their numbers are no simple functions of the loops'
   * variables */
  int is_counting;
  const char *values; /* number of values, as text, if is_counting is 0 */
} loops_plan;

loops_plan loops_plan_of(loops_frame *f, const loops_quantity *q, loops_kind kind);

/* Writes the loops of the families, one after the other. */
void loops_families(loops_frame *f, const loops_plan *plan);

/* ---- uses of the outputs (loops_statements.c) ---- */

/* Sets the values from one number to another to 0, before all loops. */
void loops_set_zeros(loops_frame *f, const char *from, const char *to);

void loops_add_to_sum(loops_frame *f, loops_kernel *k);
void loops_add_to_gradient(loops_frame *f, loops_kernel *k);
void loops_add_to_half(loops_frame *f, loops_kernel *k);
void loops_begin_row(loops_frame *f, const ir_looped_family *family);
void loops_set_row(loops_frame *f, loops_kernel *k);
void loops_move(loops_frame *f, loops_kernel *k);

/* Write the places of a matrix's values: in the lower triangle, in the full matrix, or in the row
 * of the instance. */
void loops_triangle_places(loops_frame *f, loops_kernel *k);
void loops_square_places(loops_frame *f, loops_kernel *k);
void loops_row_places(loops_frame *f, loops_kernel *k);
/* Write the values. */
void loops_set_values(loops_frame *f, loops_kernel *k);
void loops_set_triangle(loops_frame *f, loops_kernel *k);

/* ---- functions ---- */

/* Writes a half of the gradient of H (loops_rows.c): the functions NAME, NAME_piece and, for
 * remaining kernels, NAME_rest, and their members. Returns 0, without writing anything, if pieces
 * do not pay. */
int loops_emit_rows(loops_emission *e, const char *name, const char *quantity,
                    const loops_quantity *q);

/* Writes all functions of a state. */
void loops_emit_functions(loops_emission *e);
/* Writes all functions of sizes alone: ranges, instances, parameter_values, initial states. */
void loops_emit_shapes(loops_emission *e);
/* Writes the function references and its texts. */
void loops_emit_references(loops_emission *e);

#endif
