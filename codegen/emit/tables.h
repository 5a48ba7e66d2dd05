/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h -- the input of a generated file; the output of a lowering: functions, and rows of the
 * tables of sw_model; the parts that both lowerings share: rows, tables, the constant.
 */
#ifndef SIDEWINDER_EMIT_TABLES_H
#define SIDEWINDER_EMIT_TABLES_H

#include "analysis/analysis.h"
#include "emit/writer.h"
#include "expr/loops.h"
#include "methods/methods.h"

/* The input for a generated file. */
typedef struct emit_input {
  const model *model;
  const ir_program *program;
  const record *found;
  const ir_loops *loops;        /* NULL for a model with fixed sizes */
  const char *hamiltonian;      /* right side of H(q, p) */
  const char *summary;          /* summary of the analysis, in lines */
  const char *undivided;        /* why H has no parts with exact flows; NULL: it has */
  const char *const *parts;     /* the parts in found->splitting, each as a formula */
  const char *digest;           /* of the model's text and sizes, hexadecimal */
  int has_lifted;               /* 1 if NAME_lifted.c is generated as well */
  const ir_structure *stated;   /* the structure to state; NULL: that of the functions */
  const sw_method *step_method; /* method of NAME_step.c; NULL: no method has the name */
  const char *step_base;
  int step_compensated;
  /* why there is no NAME_step.c, a phrase about the model; NULL: there is one */
  const char *unfused;
} emit_input;

/* `words` followed by the name of a base method; "" if the method has no base. */
const char *emit_over_base(arena *a, const char *words, const char *base);

/* Begins the comment at the top of the file NAME`suffix`: its licence and origin, then `more`. */
void emit_origin(writer *w, const model *m, const char *suffix, const char *more);
#define EMIT_DO_NOT_EDIT                                                                           \
  "\n * Do not edit: change the model and run `sidewinder generate` on it.\n *"

/* Write static const TYPE NAME[] = {items};, or nothing if there are no items, since C has no empty
 * arrays. */
void emit_list(writer *w, const char *type, const char *name, const char *items);
void emit_strings(writer *w, arena *a, const char *table, const char *const values[], int n);

/* Writes the member `run` of sw_model. */
void emit_run(writer *w, arena *a, const model_run *run);
/* Returns 1 if N is proved to be regular for all parameters. */
int emit_is_regular(const emit_input *in);

/* Flags of the constraints that, by a certificate, follow from the others, and their number; none
 * for a model with loops. */
const char *emit_follows(arena *a, const emit_input *in, int *n);

typedef enum emit_table_id {
  TABLE_POSITIONS,
  TABLE_MOMENTA,
  TABLE_PARAMETERS,
  TABLE_BOUNDS,
  TABLE_CONSTRAINTS,
  TABLE_OBSERVABLES,
  TABLE_INVARIANTS,
  TABLE_FORCES,
  TABLE_EVENTS,
  TABLE_INIT,
  TABLES
} emit_table_id;

typedef struct emit_table {
  size_t n;
  size_t room;
  const char **rows; /* contents of the braces of each row */
} emit_table;

typedef struct emit_parts {
  arena *memory;
  const char *functions;
  writer *lists; /* tables that the rows refer to */
  emit_table tables[TABLES];
  const char *const *names[TABLE_PARAMETERS + 1]; /* names of the variables, one per row */
  const char *sizes;                              /* members of sw_model for sizes and sets */
  const char *members;                            /* members of sw_model for functions */
  const ir_structure *structure;
  int commuting;
} emit_parts;

void emit_row(arena *a, emit_table *table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the row of an array over n sets; `sets` is the name of their list, or "NULL". */
void emit_array_row(emit_parts *parts, emit_table_id table, const char *name, int n,
                    const char *sets);
/* Adds the row of a family of constraints, observables or invariants. `instances`: the function
 * that counts a filtered family, or NULL. */
void emit_family_row(emit_parts *parts, emit_table_id table, const char *name, int n,
                     const char *sets, const char *instances, const char *fibre);
/* Adds the bounds of a parameter. */
void emit_bounds_row(emit_parts *parts, const model_parameter *p);

/* The comment before the function of an initial state, or of the bath. */
const char *emit_state_comment(arena *a, const char *name, int is_bath);

/* Adds the row of initial state number i. emit_state_name: the name of its function. */
void emit_state_row(emit_parts *parts, const char *name, int i);
const char *emit_state_name(arena *a, int i);

/* Writes static const TYPE TABLE[] = {...}; on one line if it fits; nothing if there are no
 * rows. */
void emit_rows(writer *w, const char *type, const char *name, const emit_table *table);

/* Parts for a model without loops: straight-line functions, and a name for every entry. */
emit_parts emit_unrolled(arena *a, ir_context *c, const emit_input *input);
/* Parts for a model with loops: one kernel per family, and sizes as arguments. Uses input->loops
 * instead of program and found. */
emit_parts emit_looped(arena *a, ir_context *c, const emit_input *input);

/* Write the tables and the constant sw_model_NAME. */
void emit_tables(writer *w, const emit_parts *parts);
void emit_constant(writer *w, arena *a, const emit_input *in, const emit_parts *parts);

#endif
