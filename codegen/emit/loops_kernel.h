/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_kernel.h -- one kernel as straight-line C: gather, compute, scatter.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_KERNEL_H
#define SIDEWINDER_EMIT_LOOPS_KERNEL_H

#include "emit/loops_nest.h"
#include "expr/code.h"

/* A kernel inside its open loops, with the outputs that one function computes. */
typedef struct loops_kernel {
  const ir_kernel *kernel;
  const ir_looped_family *family; /* NULL for a default or an initial state */
  const ir_nest *outer;           /* nest of the family */
  const ir_nest *inner;           /* nest of the part */
  int adds;                       /* 1 if it is one of several summands */
  /* 1: the loop covers only iterations i that lead to the rows of a piece, which are i + low .. i +
   * high */
  int is_in_rows;
  long low;
  long high;
  int is_all_rows; /* 1: these are all iterations */
  /* if this parameter is 0, the kernel is skipped; NULL: none is known */
  const ir_reference *strength;
  int n; /* number of outputs */
  const ir_expr **values;
  const ir_entry *entries; /* local row and column of each output */
  /* for a matrix: number of values before the kernel's first iteration, as text */
  const char *base;
  const ir_code *code;
  emit_names names;
  emit_words *words;  /* names defined in the block */
  const char **sites; /* names of the positions of the sites, from loops_kernel_sites */
  const char **sums;  /* names of values that are sums and already computed, or NULL */
} loops_kernel;

/* The meaning of IR_LAMBDA in the outputs. */
typedef enum loops_factor {
  FACTOR_NONE,
  FACTOR_ROW,         /* input 0 is the multiplier of the constraint, lambda[row] */
  FACTOR_MULTIPLIERS, /* the kernel's own multipliers */
  FACTOR_V,           /* entry i is v at local unknown i */
  /* u at local unknowns, then w there, then the multiplier of the constraint. They are passed in
   * lambda: for H as u and w, for constraints as multipliers, u and w, where u and w have positions
   * only. */
  FACTOR_DIRECTIONS
} loops_factor;

void loops_kernel_code(loops_emission *e, loops_kernel *k, loops_factor factor);

/* The value of a kernel alone, with its code, inside this nest. */
loops_kernel loops_kernel_of_value(loops_emission *e, const ir_kernel *kernel,
                                   const ir_nest *outer);

/* Writes the declarations of the values that the code reads, and of the temporaries. */
void loops_kernel_gather(loops_frame *f, loops_kernel *k, loops_factor factor);

/* The value of output i; `tight` adds parentheses around a sum. */
const char *loops_kernel_value(loops_frame *f, const loops_kernel *k, int i, int tight);

/* Writes const long s0 = ...; for the wanted sites, or for all if wanted is NULL. */
void loops_kernel_sites(loops_frame *f, loops_kernel *k, const unsigned char *wanted);

/* Number in z of local unknown i, by the site's name or as an expression. */
const char *loops_kernel_unknown(loops_frame *f, loops_kernel *k, int i);

/* The label of local unknown i: "q[i,x]" or "p[i,x]". */
const char *loops_kernel_label(loops_frame *f, const loops_kernel *k, int i);

/* Writes the addition of the part's kernel to a variable, inside its loops. */
void loops_add_term(loops_frame *f, const ir_part *part, const char *name);

/* Writes the loops of a sum and pushes the name of the variable with its value, which is
 * returned. */
const char *loops_sum(loops_frame *f, const ir_part *part);

/* Order of two different sites. */
typedef enum loops_order {
  ORDER_BEFORE, /* the first has the smaller position in every iteration */
  ORDER_BEHIND, /* the first has the larger position */
  ORDER_APART,  /* the positions differ */
  ORDER_UNKNOWN /* they may be the same entry */
} loops_order;

loops_order loops_kernel_order(const loops_kernel *k, int i, int j);

#endif
