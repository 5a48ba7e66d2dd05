/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops.h -- functions of a looped model under construction: their frames, indices as C, loops,
 * kernels as straight-line C, and the functions of sw_model (sidewinder/model.h).
 *
 * A frame writes the body first. The head then binds exactly the names that the body mentions:
 * sizes, arrays, numbers of elements of sets.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_H
#define SIDEWINDER_EMIT_LOOPS_H

#include "emit/c_names.h"
#include "emit/writer.h"
#include "expr/code.h"
#include "expr/loops.h"
#include "formula/formula.h"
#include "model/index_form.h"

/* ---- frames (loops_frame.c) ---- */

/* The lists of families of a model. */
typedef enum loops_kind {
  LOOPS_HAMILTONIAN,
  LOOPS_CONSTRAINTS,
  LOOPS_OBSERVE,
  LOOPS_INVARIANTS,
  LOOPS_FORCES,
  LOOPS_EVENTS,
  LOOPS_OF_MODEL, /* the kinds before it are statements of the model; the others derive from them */
  LOOPS_DISCRETE_H = LOOPS_OF_MODEL,
  LOOPS_DISCRETE_G,
  LOOPS_FORCE_TARGETS,
  LOOPS_KINDS
} loops_kind;

typedef struct loops_list {
  int n;
  const ir_looped_family *families;
  const char **instances; /* name of the function that counts a filtered family, or NULL */
} loops_list;

/* Data shared by all functions of one file. */
typedef struct loops_emission {
  arena *memory;
  ir_context *context;
  const model *model;
  const ir_loops *loops;
  const emit_words *words; /* names that no local variable may have */
  const char **sizes;      /* C name of each size */
  const char **counts;     /* C name of the number of elements of each set */
  const char **positions;  /* C name of each coordinate's array of positions */
  const char **momenta;    /* C name of each coordinate's array of momenta */
  const char **parameters; /* C name of each parameter */
  const char **indices;    /* C name of each array of indices */
  loops_list lists[LOOPS_KINDS];
  writer *functions; /* text of the functions */
  writer *members;   /* text of the members of sw_model */
  int is_limited;    /* 1: a function reads MOST */
} loops_emission;

typedef struct loops_frame {
  loops_emission *emission;
  arena *memory;
  writer *body;
  int indent;
  const char *row; /* number of the present instance */
  const char *at;  /* number of the first of the present values of a matrix */
  int is_counting; /* 1: row and at are counters; 0: expressions in the loops' variables */
  int is_divided;  /* 1: the loops over families cover one piece of their instances */
  int divides;     /* 1: the next loop to be opened is divided into pieces */
  /* text such as " - 1" that is added to `end`; NULL unless the next loop covers only iterations
   * that lead to rows of a piece */
  const char *rows_low;
  const char *rows_high; /* the same for `begin` */
  int all_rows;          /* 1: these are all rows of the piece */
  int writes_state;      /* 1: the function writes z, so its arrays are not bound */
  int n_binders;
  const model_binder **binders; /* binders of the open loops */
  const char **binder_names;    /* their names */
  size_t binder_room;
  size_t name_room;
} loops_frame;

loops_emission *loops_emission_create(arena *a, ir_context *c, const model *m,
                                      const ir_loops *loops);

/* Adds a member of sw_model: a function of the same name. */
void loops_member(loops_emission *e, const char *name);

loops_frame *loops_frame_create(loops_emission *e);

/* Writes a statement of the body, indented; long ones are broken. */
void loops_line(loops_frame *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for the beginning of a block; loops_close ends blocks. */
void loops_open(loops_frame *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void loops_close(loops_frame *f, int blocks);

/* Writes the function, with the variables that it reads bound at its head (emit_function). */
void loops_frame_finish(loops_frame *f, const char *comment, const char *result, const char *name,
                        const char *arguments);

/* ---- text ---- */

/* Names in use at the present position of the body. */
emit_words *loops_words(const loops_frame *f);

/* A form as a C expression of type long, without outer parentheses. */
const char *loops_index(loops_frame *f, const index_form *form);
/* A bound, computed in doubles from sizes that are doubles. */
const char *loops_bound(loops_frame *f, const model_index *index);
/* A condition, or its negation if `holds` is 0. */
const char *loops_condition(loops_frame *f, const model_condition *c, int holds);
/* left - right REL 0, with each term on the side where it is positive: "i < N - 1". */
const char *loops_compare(loops_frame *f, const index_form *left, formula_kind relation,
                          const index_form *right);

/* The condition in readable words. */
const char *loops_condition_words(arena *a, const model_condition *c);

/* The expression to which the head of a function binds the number of elements of a set. */
const char *loops_count_value(loops_frame *f, const model_set *set);
/* A constant (at least 1) times the number of elements of a product of sets. */
const char *loops_times(loops_frame *f, long constant, int n, const model_set *const sets[]);
/* Number of instances of a family. */
const char *loops_family_count(loops_frame *f, loops_kind kind, int i);

/* Number of entries of all coordinates, or parameters, before number n. */
const char *loops_coordinate_base(loops_frame *f, int n);
const char *loops_parameter_base(loops_frame *f, int n);
/* Start of array of indices number n in sizes[]. */
const char *loops_indices_base(loops_frame *f, int n);

/* Sum of two texts; "0" is omitted. */
const char *loops_plus(arena *a, const char *x, const char *y);

/* 1 for a name or a number, which needs no parentheses. */
int loops_is_atom(const char *text);
/* "(int)s0", "(int)(3 * i)". */
const char *loops_as_int(arena *a, const char *text);

/* Number of an entry in z (of the momentum if is_momentum), in k, or in lambda. */
const char *loops_place(loops_frame *f, const ir_reference *r, int is_momentum);

/* base + scale * the number of the present iteration of open loops, where the first binder varies
 * slowest. */
const char *loops_iteration(loops_frame *f, const char *base, int n,
                            const model_binder *const binders[], long scale);

/* The entry as a readable value: "q[3 * i - 3]", "(double)(i + 1)", "kappa". */
const char *loops_value(loops_frame *f, const ir_reference *r, int is_momentum);

/* The text of a site, or of its momentum: "p[i,x]" if r->text is "q[i,x]". */
const char *loops_text(loops_frame *f, const ir_reference *r, int is_momentum);

int loops_set_number(const model *m, const model_set *set);

/* The array of the sets of n binders. */
const model_set **loops_sets(arena *a, int n, const model_binder *const binders[]);

/* ---- index sets and filters as loops (loops_frame.c) ---- */

/* 1 if the number of iterations of the outermost loop depends on a size. */
int loops_nest_grows(const ir_nest *nest);

/* Opens the blocks of a nest and returns their number. If a conjunct of the condition compares its
 * innermost variable, alone and with factor 1, it becomes a bound of that variable's loop. Other
 * conjuncts skip iterations. */
int loops_nest_open(loops_frame *f, const ir_nest *nest);

/* First and last value of the first variable of a nest, from its set and the condition. A form is
 * linear if it is exact. */
void loops_nest_ends(loops_frame *f, const ir_nest *nest, index_form *first, index_form *last);

/* The first iteration of a piece of the loop over a set that begins at `start`, or the one after
 * the last. */
const char *loops_cut(loops_frame *f, const char *start, const model_set *set, int is_end);

/* Pushes a name made from `text`: for a binder whose loop is written separately, or (binder NULL)
 * for another local variable, such as the total of a sum. It is released with the binders. */
const char *loops_nest_push(loops_frame *f, const model_binder *binder, const char *text);

/* Opens the loops of the variables from number `first` on; the names of the earlier ones have been
 * pushed. */
int loops_nest_open_from(loops_frame *f, const ir_nest *nest, int first);

/* Closes the blocks and releases the binders. */
void loops_nest_close(loops_frame *f, const ir_nest *nest, int blocks);

/* The nest in readable words: "i in link, k in xyz"; "" without binders. */
const char *loops_nest_text(arena *a, const ir_nest *nest);

/* 1 if a conjunct of the condition implies that a difference of two indices is not 0. *sign is its
 * sign, or 0 if the sign is unknown. */
int loops_nest_separates(const ir_nest *nest, const index_form *difference, int *sign);

/* ---- a kernel: gather, compute, scatter (loops_kernel.c) ---- */

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

/* ---- uses of the outputs (loops_kernel.c) ---- */

/* Sets the values from one number to another to 0, before all loops. */
void loops_set_zeros(loops_frame *f, const char *from, const char *to);

void loops_add_to_sum(loops_frame *f, loops_kernel *k);
void loops_add_to_gradient(loops_frame *f, loops_kernel *k);
void loops_add_to_half(loops_frame *f, loops_kernel *k);
void loops_set_row(loops_frame *f, loops_kernel *k);
void loops_move(loops_frame *f, loops_kernel *k);

/* The places of a matrix's values. */
typedef enum loops_places {
  PLACES_NONE,
  PLACES_TRIANGLE, /* in the lower triangle */
  PLACES_SQUARE,   /* in the full matrix */
  PLACES_ROW       /* in the row of the instance */
} loops_places;

/* Writes the places. */
void loops_set_places(loops_frame *f, loops_kernel *k, loops_places places);
/* Write the values. */
void loops_set_values(loops_frame *f, loops_kernel *k);
void loops_set_triangle(loops_frame *f, loops_kernel *k);

/* ---- the loops of a list of families (loops_families.c) ---- */

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
  /* Writes the use of the outputs, in the innermost block; NULL: computes nothing. */
  void (*statements)(loops_frame *f, loops_kernel *k);
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
  loops_places places;
  int n;
  loops_plan_family *families;
  int parts;         /* number of kernels that have outputs */
  int sets_rows;     /* 1: writes one value for each instance, which may begin as 0 */
  int counts_rows;   /* 1: uses the number of the instance */
  int counts_values; /* 1: uses the number of each value, counted over all kernels */
  /* 1: rows and values need counters, since their numbers are no simple functions of the loops'
   * variables */
  int is_counting;
  const char *values; /* number of values, as text, if is_counting is 0 */
} loops_plan;

/* places: PLACES_NONE for the values of the quantity, else their places. */
loops_plan loops_plan_of(loops_frame *f, const loops_quantity *q, loops_kind kind,
                         loops_places places);

/* Writes the loops of the families, one after the other. */
void loops_families(loops_frame *f, const loops_plan *plan);

/* ---- functions of sw_model ---- */

/* Writes a half of the gradient of H of the rows of arrays: the functions NAME, NAME_piece and, for
 * remaining kernels, NAME_rest, and their members. Returns 0, without writing anything, if pieces
 * do not pay (loops_rows.c). */
int loops_emit_rows(loops_emission *e, const char *name, const char *quantity,
                    const loops_quantity *q);

/* Writes all functions of a state (loops_functions.c). */
void loops_emit_functions(loops_emission *e);

/* Writes the function references and its texts (loops_references.c). */
void loops_emit_references(loops_emission *e);

/* Writes all functions of sizes alone: ranges, references, instances, parameter_values, initial
 * states (loops_shapes.c). */
void loops_emit_shapes(loops_emission *e);

#endif
