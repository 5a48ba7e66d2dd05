/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h -- what a lowering hands on for the file: functions, and rows of the tables that sw_model has.
 */
#ifndef SIDEWINDER_EMIT_TABLES_H
#define SIDEWINDER_EMIT_TABLES_H

#include "emit/head.h"

typedef enum emit_table_id {
  TABLE_POSITIONS,
  TABLE_MOMENTA,
  TABLE_PARAMETERS,
  TABLE_BOUNDS,
  TABLE_CONSTRAINTS,
  TABLE_OBSERVABLES,
  TABLE_INVARIANTS,
  TABLE_INIT,
  TABLES
} emit_table_id;

typedef struct emit_table {
  size_t n;
  size_t room;
  const char **rows; /* what stands between the braces of each */
} emit_table;

typedef struct emit_parts {
  arena *memory;
  const char *functions;
  writer *lists; /* tables that the rows refer to */
  emit_table tables[TABLES];
  const char *const *names[TABLE_PARAMETERS + 1]; /* of the variables, one for each row */
  const char *sizes;                              /* members of the constant: of sizes and sets, */
  const char *members;                            /*   and of functions */
  const ir_structure *structure;
  int commuting;
} emit_parts;

void emit_row(arena *a, emit_table *table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of an array over n sets, whose list is `sets` or "NULL". */
void emit_array_row(emit_parts *parts, emit_table_id table, const char *name, int n,
                    const char *sets);
/* Likewise a family of constraints, observables or invariants, which `instances` counts where it is filtered. */
void emit_family_row(emit_parts *parts, emit_table_id table, const char *name, int n,
                     const char *sets, const char *instances, const char *fibre);
/* Of the bounds of a parameter. */
void emit_bounds_row(emit_parts *parts, const model_parameter *p);

/* Of initial state number i; and the name of its function. */
void emit_state_row(emit_parts *parts, const char *name, int i);
const char *emit_state_name(arena *a, int i);

/* static const TYPE TABLE[] = {...}; on one line where it fits; nothing where there are no rows. */
void emit_rows(writer *w, const char *type, const char *name, const emit_table *table);

/* What a model without loops has: straight lines, and a name for every entry. */
emit_parts emit_unrolled(arena *a, ir_context *c, const emit_input *input);
/* With loops: one kernel a family, and sizes that are arguments.  `loops` takes the place of program and found. */
emit_parts emit_looped(arena *a, ir_context *c, const emit_input *input);

/* The tables, and the constant. */
void emit_tables(writer *w, const emit_parts *parts);
void emit_constant(writer *w, arena *a, const emit_input *in, const emit_parts *parts);

#endif
