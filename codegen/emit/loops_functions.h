/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_functions.h -- the functions of sw_model (sidewinder/model.h), with loops.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_FUNCTIONS_H
#define SIDEWINDER_EMIT_LOOPS_FUNCTIONS_H

#include "emit/loops_kernel.h"

/* One quantity that is made of the kernels of a list of families. */
typedef struct loops_quantity loops_quantity;
struct loops_quantity {
  /* The outputs of one kernel: sets n, values and entries of *k; n may be 0. */
  void (*outputs)(loops_emission *e, loops_kernel *k);
  loops_factor factor;
  /* What is done with them, in the innermost block. */
  void (*statements)(loops_frame *f, loops_kernel *k);
  /* Once an instance, before its kernels; NULL: nothing. */
  void (*begin)(loops_frame *f, const ir_looped_family *family);
  int counts_rows;   /* it asks for the number of the instance, */
  int counts_values; /*   and of its values among those of all kernels */
  int is_pattern;    /* nothing is computed */
};

/* The loops of n families, one after the other.  Returns how many values there are, as text, where the quantity
 * counts them and f->is_counting is 0. */
const char *loops_families(loops_frame *f, const loops_quantity *q, loops_kind kind, int n,
                           const ir_looped_family list[]);

/* 1 where a variable has to count rows and values, since their numbers do not follow simply from the variables of
 * the loops. */
int loops_have_to_count(loops_emission *e, const loops_quantity *q, int n,
                        const ir_looped_family list[]);

/* How many of their kernels have outputs. */
int loops_parts(loops_emission *e, const loops_quantity *q, int n, const ir_looped_family list[]);

/* ---- outputs ---- */

void loops_outputs_value(loops_emission *e, loops_kernel *k);
void loops_outputs_magnitude(loops_emission *e, loops_kernel *k);
void loops_outputs_gradient(loops_emission *e, loops_kernel *k);
void loops_outputs_gradient_q(loops_emission *e, loops_kernel *k); /* its entries for positions, */
void loops_outputs_gradient_p(loops_emission *e, loops_kernel *k); /* and for momenta */
void loops_outputs_hessian(loops_emission *e, loops_kernel *k);
void loops_outputs_hessian_times(loops_emission *e, loops_kernel *k); /* lambda[row] times it */
void loops_outputs_along(loops_emission *e, loops_kernel *k);         /* gradient's derivative */

/* ---- groups of functions ---- */

/* H, g, observables, invariants. */
void loops_emit_values(loops_emission *e, writer *w);
/* Sparse matrices, and constraint_jac_along. */
void loops_emit_matrices(loops_emission *e, writer *w);
/* The flows of those families that are neither shift. */
void loops_emit_flows(loops_emission *e, writer *w);
int loops_has_flow(const ir_loops *loops);
/* ranges, references, instances, parameter_values, initial states. */
void loops_emit_shapes(loops_emission *e, writer *w);

/* references and its texts; notes how many are tested. */
void loops_emit_references(loops_emission *e, writer *w);

/* ---- tables ---- */

void loops_emit_tables(loops_emission *e, writer *w);

#endif
