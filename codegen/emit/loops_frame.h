/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_frame.h -- one function of a looped model while it is written: what it is given, and what its
 * variables are called.
 *
 * A frame writes the body first.  Whatever the body asks for by name (a size, an array, the number of
 * elements of a set) is bound at the head of the function, and nothing else is.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_FRAME_H
#define SIDEWINDER_EMIT_LOOPS_FRAME_H

#include "common/arena.h"
#include "emit/c_names.h"
#include "emit/index_form.h"
#include "emit/writer.h"
#include "expr/loops.h"

/* What all functions of one file share. */
typedef struct loops_emission {
  arena *memory;
  ir_context *context;
  const model *model;
  const ir_loops *loops;
  const emit_words *words;   /* no local variable may have one of these names */
  const char **sizes;        /* the name in C of each size, */
  const char **counts;       /* of the number of elements of each set, */
  const char **positions;    /* of each coordinate's arrays, */
  const char **momenta;      /*   */
  const char **parameters;   /* of each parameter, */
  const char **instances[3]; /* of the function that counts a filtered family, by loops_kind */
  int n_references;          /* that are tested */
  writer *members;           /* of sw_model: the functions that have been written */
} loops_emission;

typedef enum loops_kind { LOOPS_CONSTRAINTS, LOOPS_OBSERVE, LOOPS_INVARIANTS } loops_kind;

/* The arguments of emitted functions. */
typedef enum loops_argument {
  ARGUMENT_SIZES,
  ARGUMENT_Z,
  ARGUMENT_K,
  ARGUMENT_LAMBDA,
  ARGUMENT_V,
  ARGUMENT_OUT,
  ARGUMENTS
} loops_argument;

typedef struct loops_frame {
  loops_emission *emission;
  arena *memory;
  writer *body;
  int indent;
  int inside; /* blocks that are open */
  unsigned char used[ARGUMENTS];
  unsigned char *size_used;
  unsigned char *count_used;
  unsigned char *position_used;
  unsigned char *momentum_used;
  unsigned char *parameter_used;
  const char *row; /* the number of the present instance, */
  const char *at;  /*   and of the first of the present values of a matrix */
  int is_counting; /* 1: both are variables that count, 0: they follow from the loops' variables */
  int d_used;
  int writes_state; /* z is written, so that no array of it is bound */
  int n_binders;
  const model_binder **binders; /* of the open loops, */
  const char **binder_names;    /*   and their names */
  size_t binder_room;
  size_t name_room;
} loops_frame;

loops_emission *loops_emission_create(arena *a, ir_context *c, const model *m,
                                      const ir_loops *loops);

/* Notes a member of sw_model that is a function of the same name. */
void loops_member(loops_emission *e, const char *name);

loops_frame *loops_frame_create(loops_emission *e);

/* The body's lines: indented, long statements broken. */
void loops_line(loops_frame *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, and what follows is inside of a block; loops_close ends it. */
void loops_open(loops_frame *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void loops_close(loops_frame *f);

/* The function: comment, `signature` (which names the arguments in `takes`), bindings, body. */
void loops_frame_finish(loops_frame *f, writer *w, const char *comment, const char *signature,
                        unsigned takes);
#define TAKES(argument) (1u << (argument))

/* ---- text ---- */

/* Words in use where the body now is: a copy, with room for `more`. */
emit_words *loops_words(const loops_frame *f, size_t more);

/* A form as a C expression of type long, without parentheses around it. */
const char *loops_index(loops_frame *f, const index_form *form);
/* The same as a double, exact below 2^53. */
const char *loops_index_double(loops_frame *f, const index_form *form);
/* Left REL right, what they share left out: "i < N - 1". */
const char *loops_compare(loops_frame *f, const index_form *left, const char *relation,
                          const index_form *right);

/* The number of elements of a set, of a product of sets (at least 1 factor; parentheses are not
 * needed around it in a sum), and of the instances of a family. */
const char *loops_count(loops_frame *f, const model_set *set);
const char *loops_shape_count(loops_frame *f, int n, const model_set *const sets[]);
/* A number (at least 1) times that. */
const char *loops_times(loops_frame *f, long constant, int n, const model_set *const sets[]);
const char *loops_family_count(loops_frame *f, loops_kind kind, int i);

/* The entries of all coordinates, or parameters, before number n. */
const char *loops_coordinate_base(loops_frame *f, int n);
const char *loops_parameter_base(loops_frame *f, int n);

/* Sum of two texts, where "0" is nothing. */
const char *loops_plus(arena *a, const char *x, const char *y);

/* 1 for a name or a number: what needs no parentheses. */
int loops_is_atom(const char *text);
/* "(int)s0", "(int)(3 * i)". */
const char *loops_as_int(arena *a, const char *text);

/* Where an entry stands: its offset in its array, from `base` on; and in z (of a momentum where asked for),
 * in k, or in lambda. */
const char *loops_offset(loops_frame *f, const char *base, int n, const model_set *const sets[],
                         const model_index *const index[]);
const char *loops_place(loops_frame *f, const ir_reference *r, int is_momentum);

/* base + scale * the number of the present round of open loops, the first binder slowest. */
const char *loops_round(loops_frame *f, const char *base, int n,
                        const model_binder *const binders[], long scale);

/* The entry as a value that can be read: "q[3 * i - 3]", "(double)(i + 1)", "kappa". */
const char *loops_value(loops_frame *f, const ir_reference *r, int is_momentum);

/* The momentum's text of a site: "p[i,x]" where r->text is "q[i,x]". */
const char *loops_text(loops_frame *f, const ir_reference *r, int is_momentum);

/* Tables at file scope: the numbers of sets, and the labels of set number `set`. */
const char *loops_sets_name(const loops_emission *e, int n, const model_set *const sets[]);
const char *loops_labels_name(const loops_emission *e, int set);

int loops_coordinate_number(const model *m, const model_coordinate *coordinate);
int loops_set_number(const loops_emission *e, const model_set *set);

#endif
