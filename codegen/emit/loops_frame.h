/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_frame.h -- one function of a looped model while it is written, and what its variables are called.
 *
 * A frame writes the body first.  Whatever the body then mentions by name (a size, an array, the number of
 * elements of a set) is bound at the head of the function, and nothing else is.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_FRAME_H
#define SIDEWINDER_EMIT_LOOPS_FRAME_H

#include "emit/c_names.h"
#include "emit/function.h"
#include "expr/index_form.h"
#include "expr/loops.h"
#include "formula/formula.h"

/* The lists of families of a model. */
typedef enum loops_kind {
  LOOPS_HAMILTONIAN,
  LOOPS_CONSTRAINTS,
  LOOPS_OBSERVE,
  LOOPS_INVARIANTS,
  LOOPS_OF_MODEL, /* those before it are what the model says; the others are made of them */
  LOOPS_DISCRETE_H = LOOPS_OF_MODEL,
  LOOPS_DISCRETE_G,
  LOOPS_KINDS
} loops_kind;

typedef struct loops_list {
  int n;
  const ir_looped_family *families;
  const char **instances; /* the name of the function that counts a filtered family, or NULL */
} loops_list;

/* What all functions of one file share. */
typedef struct loops_emission {
  arena *memory;
  ir_context *context;
  const model *model;
  const ir_loops *loops;
  const emit_words *words; /* no local variable may have one of these names */
  const char **sizes;      /* the name in C of each size, */
  const char **counts;     /* of the number of elements of each set, */
  const char **positions;  /* of each coordinate's arrays, */
  const char **momenta;    /*   */
  const char **parameters; /* of each parameter, */
  const char **indices;    /* of each array of indices */
  loops_list lists[LOOPS_KINDS];
  writer *functions; /* that have been written, */
  writer *members;   /*   and as members of sw_model */
} loops_emission;

typedef struct loops_frame {
  loops_emission *emission;
  arena *memory;
  writer *body;
  int indent;
  const char *row; /* the number of the present instance, */
  const char *at;  /*   and of the first of the present values of a matrix */
  int is_counting; /* 1: both are variables that count, 0: they follow from the loops' variables */
  int is_divided;  /* 1: the loops of families go through one piece of their instances, */
  int divides;     /*   and the loop that is opened next is the one that has pieces */
  const char *
      rows_low; /* where the loop that is opened next only leads to the rows of a piece: what is added to `end`, */
  const char *rows_high; /*   and to `begin`, such as " - 1"; else NULL; */
  int all_rows;          /* 1: to all of them */
  int writes_state;      /* z is written, so that no array of it is bound */
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
void loops_close(loops_frame *f, int blocks);

/* The function, with what it reads bound at its head: emit_function. */
void loops_frame_finish(loops_frame *f, const char *comment, const char *result, const char *name,
                        const char *arguments);

/* ---- text ---- */

/* Words in use where the body now is. */
emit_words *loops_words(const loops_frame *f);

/* A form as a C expression of type long, without parentheses around it. */
const char *loops_index(loops_frame *f, const index_form *form);
/* The same as a double, exact below 2^53. */
const char *loops_index_double(loops_frame *f, const index_form *form);
/* A bound in sizes that are doubles themselves. */
const char *loops_bound(loops_frame *f, const model_index *index);
/* A condition, or where `holds` is 0 its opposite. */
const char *loops_condition(loops_frame *f, const model_condition *c, int holds);
/* left - right REL 0, the terms on the sides where they are positive: "i < N - 1". */
const char *loops_compare(loops_frame *f, const index_form *left, formula_kind relation,
                          const index_form *right);

/* The condition as a reader would write it. */
const char *loops_condition_words(arena *a, const model_condition *c);

/* The number of elements of a set, as it is bound at the head of a function. */
const char *loops_count_value(loops_frame *f, const model_set *set);
/* A number (at least 1) times the number of elements of a product of sets. */
const char *loops_times(loops_frame *f, long constant, int n, const model_set *const sets[]);
/* The number of instances of a family. */
const char *loops_family_count(loops_frame *f, loops_kind kind, int i);

/* The entries of all coordinates, or parameters, before number n. */
const char *loops_coordinate_base(loops_frame *f, int n);
const char *loops_parameter_base(loops_frame *f, int n);
/* Where array of indices number n begins, behind the sizes. */
const char *loops_indices_base(loops_frame *f, int n);

/* Sum of two texts, where "0" is nothing. */
const char *loops_plus(arena *a, const char *x, const char *y);

/* 1 for a name or a number: what needs no parentheses. */
int loops_is_atom(const char *text);
/* "(int)s0", "(int)(3 * i)". */
const char *loops_as_int(arena *a, const char *text);

/* Where an entry stands in z (of a momentum where asked for), in k, or in lambda. */
const char *loops_place(loops_frame *f, const ir_reference *r, int is_momentum);

/* base + scale * the number of the present iteration of open loops, the first binder slowest. */
const char *loops_iteration(loops_frame *f, const char *base, int n,
                            const model_binder *const binders[], long scale);

/* The entry as a value that can be read: "q[3 * i - 3]", "(double)(i + 1)", "kappa". */
const char *loops_value(loops_frame *f, const ir_reference *r, int is_momentum);

/* The momentum's text of a site: "p[i,x]" where r->text is "q[i,x]". */
const char *loops_text(loops_frame *f, const ir_reference *r, int is_momentum);

int loops_set_number(const model *m, const model_set *set);

/* The sets of binders. */
const model_set **loops_sets(arena *a, int n, const model_binder *const binders[]);

#endif
