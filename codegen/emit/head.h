/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * head.h -- what generated files have in common, whatever their lowering: the head, tables, the run line.
 */
#ifndef SIDEWINDER_EMIT_HEAD_H
#define SIDEWINDER_EMIT_HEAD_H

#include "analysis/analysis.h"
#include "emit/writer.h"
#include "expr/loops.h"
#include "methods/methods.h"

/* What a generated file is made from. */
typedef struct emit_input {
  const model *model;
  const ir_program *program;
  const record *found;
  const ir_loops *loops;        /* NULL for a model whose sizes are fixed */
  const char *hamiltonian;      /* the right side of H(q, p) */
  const char *summary;          /* what the analysis says, in lines */
  const char *undivided;        /* why H has no parts with exact flows; NULL where it has */
  const char *const *parts;     /* those that found->splitting lists, each as a formula */
  const char *digest;           /* of the model's text and sizes, hexadecimal */
  const sw_method *step_method; /* what NAME_step.c is for; NULL: no method has the name */
  const char *step_base;
  int step_compensated;
  const char
      *unfused; /* why there is no NAME_step.c, a phrase about the model; NULL where there is one */
} emit_input;

/* The comment at the top: provenance, formulas, `unknowns` (lines about variables), sizes, analysis,
 * the model's text.  Then the includes. */
void emit_head(writer *w, arena *a, const emit_input *in, const char *unknowns);

/* The words and the name of a base method; nothing where the method takes none. */
const char *emit_over_base(arena *a, const char *words, const char *base);

/* What is behind the last '/'. */
const char *emit_base_name(const char *path);

/* static const TYPE NAME[] = {items}; nothing where there are no items, as C has no empty arrays.  Likewise strings. */
void emit_list(writer *w, const char *type, const char *name, const char *items);
void emit_strings(writer *w, arena *a, const char *table, const char *const values[], int n);

/* static const char analysis[] = ...; */
void emit_summary(writer *w, arena *a, const char *summary);

/* Members of sw_model. */
void emit_identity(writer *w, arena *a,
                   const emit_input *in); /* abi, name, title, digest, analysis */
void emit_run(writer *w, arena *a, const model_run *run);
/* 1 if N is proved to be regular for all parameters. */
int emit_is_regular(const emit_input *in);

/* Which proofs it states follows from what was found. */
void emit_structure(writer *w, arena *a, const emit_input *in, const ir_structure *s,
                    int commuting);

#endif
