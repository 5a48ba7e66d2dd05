/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_kernel.h -- one kernel as straight-line C: gather, compute, scatter.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_KERNEL_H
#define SIDEWINDER_EMIT_LOOPS_KERNEL_H

#include "emit/loops_nest.h"
#include "expr/code.h"

/* A kernel inside of its open loops, with the outputs that one function computes of it. */
typedef struct loops_kernel {
  const ir_kernel *kernel;
  const ir_looped_family *family; /* NULL for a default or an initial state */
  const ir_nest *outer;           /* the family's, */
  const ir_nest *inner;           /*   and the part's own */
  int adds;                       /* 1 where it is one of several that are added up */
  int is_in_rows; /* 1: goes through those iterations i that lead to the rows of a piece, which are i + low .. i + high */
  long low;
  long high;
  int is_all_rows;              /* 1: and these are all iterations */
  const ir_reference *strength; /* where this is 0, nothing is added; NULL: not known of any */
  int n;                        /* outputs: */
  const ir_expr **values;
  const ir_entry *entries; /* which local row and column each of them has */
  const char *base; /* of a matrix: values before the first iteration of the kernel, as text */
  const ir_code *code;
  emit_names names;
  emit_words *words;  /* names that the block has given */
  const char **sites; /* names of the places of the sites, from loops_kernel_sites */
  const char **sums;  /* names of those values that are sums and are known already, or NULL */
} loops_kernel;

/* What IR_LAMBDA is in the outputs. */
typedef enum loops_factor {
  FACTOR_NONE,
  FACTOR_ROW,         /* input 0 is the multiplier of the constraint, lambda[row] */
  FACTOR_MULTIPLIERS, /* the kernel's own multipliers */
  FACTOR_V,           /* entry i is v at local unknown i */
  /* u at local unknowns, then w there, then the multiplier of the constraint: what follow each other in the place of lambda, of H
   * as u and w, of constraints as multipliers, u and w, which are then of positions alone */
  FACTOR_DIRECTIONS
} loops_factor;

void loops_kernel_code(loops_emission *e, loops_kernel *k, loops_factor factor);

/* The value of a kernel alone, with its code, inside of that nest. */
loops_kernel loops_kernel_of_value(loops_emission *e, const ir_kernel *kernel,
                                   const ir_nest *outer);

/* Gathers what the code reads and computes the temporaries. */
void loops_kernel_gather(loops_frame *f, loops_kernel *k, loops_factor factor);

/* The value of output i; `tight` puts parentheses around a sum. */
const char *loops_kernel_value(loops_frame *f, const loops_kernel *k, int i, int tight);

/* const long s0 = ...; for the sites that `wanted` says, or all. */
void loops_kernel_sites(loops_frame *f, loops_kernel *k, const unsigned char *wanted);

/* Entry of z of local unknown i, by the site's name or spelt out. */
const char *loops_kernel_unknown(loops_frame *f, loops_kernel *k, int i);

/* "q[i,x]" or "p[i,x]". */
const char *loops_kernel_label(loops_frame *f, const loops_kernel *k, int i);

/* Adds the part's kernel to a variable, inside of its loops. */
void loops_add_term(loops_frame *f, const ir_part *part, const char *name);

/* The loops of a sum, after which the variable whose name is returned has its value; the name is pushed. */
const char *loops_sum(loops_frame *f, const ir_part *part);

/* How two different sites stand to each other. */
typedef enum loops_order {
  ORDER_BEFORE, /* the first has the smaller place in every iteration */
  ORDER_BEHIND, /* the larger */
  ORDER_APART,  /* they differ */
  ORDER_UNKNOWN /* they may be the same entry */
} loops_order;

loops_order loops_kernel_order(const loops_kernel *k, int i, int j);

#endif
