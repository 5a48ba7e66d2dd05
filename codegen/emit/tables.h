/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h -- the tables of a generated file, and the constant that it exports.
 */
#ifndef SIDEWINDER_EMIT_TABLES_H
#define SIDEWINDER_EMIT_TABLES_H

#include "emit/head.h"

/* How many rows each table has; the ones of 0 rows are not written. */
typedef struct emit_counts {
  int n_sizes;
  int n_sets;
  int n_references; /* 0: there is no function of that name */
  int n_coordinates;
  int n_parameters;
  int n_constraints;
  int n_observe;
  int n_invariants;
  int n_states;
} emit_counts;

/* static const TYPE TABLE[] = {...}; nothing where n = 0.  A row is what stands between its braces; a
 * table that fits on a line is written on one. */
void emit_rows(writer *w, arena *a, const char *type, const char *table, int n,
               const char *const rows[]);

/* Rows: of an array of parameters' bounds, and of an initial state, number i. */
const char *emit_bounds_row(arena *a, const model_parameter *p);
const char *emit_state_row(arena *a, const char *name, int i);

/* The name of initial state number i's function. */
const char *emit_state_name(arena *a, int i);

/* What a lowering hands on for the file. */
typedef struct emit_parts {
  const char *positions; /* the variables, for the comment at the head */
  const char *momenta;
  const char *parameters;
  const char *functions;
  const char *tables;
  const char *members; /* of the constant: lines for its functions */
  emit_counts counts;
  const ir_structure *structure;
  int commuting;
} emit_parts;

/* The constant. */
void emit_constant(writer *w, arena *a, const emit_input *in, const emit_parts *parts);

#endif
