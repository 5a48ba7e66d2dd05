/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * head.h -- the parts common to generated files of both lowerings: the head, tables, the run line.
 */
#ifndef SIDEWINDER_EMIT_HEAD_H
#define SIDEWINDER_EMIT_HEAD_H

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
  const sw_method *step_method; /* method of NAME_step.c; NULL: no method has the name */
  const char *step_base;
  int step_compensated;
  /* why there is no NAME_step.c, a phrase about the model; NULL: there is one */
  const char *unfused;
} emit_input;

/* Writes the comment at the top, then the includes. The comment has provenance, formulas,
 * `unknowns` (lines about variables), sizes, analysis and the model's text. */
void emit_head(writer *w, arena *a, const emit_input *in, const char *unknowns);

/* `words` followed by the name of a base method; "" if the method has no base. */
const char *emit_over_base(arena *a, const char *words, const char *base);

/* The part of a path after the last '/'. */
const char *emit_base_name(const char *path);

/* Write static const TYPE NAME[] = {items};, or nothing if there are no items, since C has no empty
 * arrays. */
void emit_list(writer *w, const char *type, const char *name, const char *items);
void emit_strings(writer *w, arena *a, const char *table, const char *const values[], int n);

/* static const char analysis[] = ...; */
void emit_summary(writer *w, arena *a, const char *summary);

/* Write members of sw_model. */
void emit_identity(writer *w, arena *a,
                   const emit_input *in); /* abi, name, title, digest, analysis */
void emit_run(writer *w, arena *a, const model_run *run);
/* Returns 1 if N is proved to be regular for all parameters. */
int emit_is_regular(const emit_input *in);

/* Writes the structure. The proofs that it states follow from the record. */
void emit_structure(writer *w, arena *a, const emit_input *in, const ir_structure *s,
                    int commuting);

#endif
