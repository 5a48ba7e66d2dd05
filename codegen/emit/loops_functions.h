/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_functions.h -- the functions of sw_model (sidewinder/model.h), with loops.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_FUNCTIONS_H
#define SIDEWINDER_EMIT_LOOPS_FUNCTIONS_H

#include "emit/loops_kernel.h"

/* What one function computes of a kernel. */
typedef enum loops_outputs {
  OUTPUTS_NONE,
  OUTPUTS_VALUE,
  OUTPUTS_MAGNITUDE,
  OUTPUTS_GRADIENT,
  OUTPUTS_GRADIENT_Q, /* its entries for positions, */
  OUTPUTS_GRADIENT_P, /*   and for momenta */
  OUTPUTS_HESSIAN,
  OUTPUTS_HESSIAN_TIMES, /* lambda[row] times it */
  OUTPUTS_ALONG,         /* the gradient's derivative along v */
  OUTPUTS_THIRD,         /* the Hessian's along u, of constraints times lambda[row], */
  OUTPUTS_FOURTH,        /*   and that one's along w */
  OUTPUTS_FLOW,          /* the entries of the flow that move, */
  OUTPUTS_INCREMENT,     /*   what is added to them, */
  OUTPUTS_FLOW_Z         /*   and of its derivative */
} loops_outputs;

/* One quantity that is made of the kernels of a list of families. */
typedef struct loops_quantity {
  loops_outputs outputs;
  loops_factor factor;
  /* What is done with them, in the innermost block. */
  void (*statements)(loops_frame *f, loops_kernel *k);
  /* Once an instance, before its kernels; NULL: nothing. */
  void (*begin)(loops_frame *f, const ir_looped_family *family);
  int counts_rows;   /* it asks for the number of the instance, */
  int counts_values; /*   and of its values among those of all kernels */
  int is_pattern;    /* nothing is computed */
} loops_quantity;

/* A family with those of its kernels that have outputs. */
typedef struct loops_plan_family {
  const ir_looped_family *of;
  int n;
  loops_kernel *kernels;
  long stride;      /* values in one iteration of the family's own loops */
  const char *rows; /* instances before it, as text */
} loops_plan_family;

/* A quantity of a list of families. */
typedef struct loops_plan {
  const loops_quantity *quantity;
  loops_kind kind;
  int n;
  loops_plan_family *families;
  int parts; /* kernels that have outputs */
  int is_counting; /* 1 where variables have to count rows and values, since their numbers do not follow simply
                       * from the variables of the loops */
  const char *values; /* how many there are, as text, where is_counting is 0 */
} loops_plan;

loops_plan loops_plan_of(loops_frame *f, const loops_quantity *q, loops_kind kind);

/* The loops of the families, one after the other. */
void loops_families(loops_frame *f, const loops_plan *plan);

/* ---- what is done with the outputs (loops_statements.c) ---- */

/* The values from one number to another become 0, before all loops. */
void loops_set_zeros(loops_frame *f, const char *from, const char *to);

void loops_add_to_sum(loops_frame *f, loops_kernel *k);
void loops_add_to_gradient(loops_frame *f, loops_kernel *k);
void loops_add_to_half(loops_frame *f, loops_kernel *k);
void loops_begin_row(loops_frame *f, const ir_looped_family *family);
void loops_set_row(loops_frame *f, loops_kernel *k);
void loops_move(loops_frame *f, loops_kernel *k);

/* Where the values of a matrix stand: in the lower triangle, anywhere, and in the row of the instance. */
void loops_triangle_places(loops_frame *f, loops_kernel *k);
void loops_square_places(loops_frame *f, loops_kernel *k);
void loops_row_places(loops_frame *f, loops_kernel *k);
/* And what they are. */
void loops_set_values(loops_frame *f, loops_kernel *k);
void loops_set_triangle(loops_frame *f, loops_kernel *k);

/* ---- functions ---- */

/* A half of the gradient of H (loops_rows.c): writes the functions NAME, NAME_piece and, where kernels are left, NAME_rest, and their
 * members; returns 0 where pieces do not pay, and nothing has been written. */
int loops_emit_rows(loops_emission *e, const char *name, const char *quantity,
                    const loops_quantity *q);

/* All that a state is put into. */
void loops_emit_functions(loops_emission *e);
/* What depends on sizes alone: ranges, instances, parameter_values, initial states. */
void loops_emit_shapes(loops_emission *e);
/* references and its texts. */
void loops_emit_references(loops_emission *e);

#endif
