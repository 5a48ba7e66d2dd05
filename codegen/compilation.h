/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compilation.h -- the results of all stages for one model file.
 */
#ifndef SIDEWINDER_COMPILATION_H
#define SIDEWINDER_COMPILATION_H

#include "analysis/record.h"
#include "common/arena.h"
#include "expr/ir_program.h"
#include "expr/loops.h"
#include "model/model.h"

/* Sizes, or a sample of data, that give no verdict on a looped model. */
typedef struct aside {
  const char *at;      /* a description, such as "sample data, n_site = 4" or "N = 2" */
  const record *found; /* the facts there; NULL if earlier sizes took the time of the analysis */
  const model *examined;
  const ir_program *program;
} aside;

/* The results of the stages, in order.  Later members are NULL if an earlier stage failed or the
 * model is refused. */
typedef struct compilation {
  const char *file;          /* path as given */
  int at_own_sizes;          /* as in compile_settings */
  int discrete;              /* as in compile_settings */
  const model *model;        /* language, model: text -> checked model */
  ir_context *context;       /* owner of the expressions of program */
  const ir_loops *loops;     /* symbolic: checked model -> kernels; NULL if unrolled */
  const ir_program *program; /* symbolic: checked model -> expressions */
  const record *found;       /* analysis: expressions -> the record of facts */
  const model *examined; /* the model that program and found describe: of a looped one, a sibling */
  const char *summary;   /* report: facts in words */
  const char *refusal;   /* report: reasons if the model is refused, else "" */
  const char *undivided; /* report: reason why H has no parts with exact flows, else NULL */
  const char *const *parts; /* report: formulas of the parts that `found` lists */
  /* for looped models: the sizes, such as "N = 3", to which program and found belong; these are
   * NULL if the model could not be unrolled */
  const char *sibling;
  int n_aside; /* for looped models: sizes and samples without a verdict */
  aside *aside;
  /* data file whose sizes, graph and parameters program and found describe; NULL for the model's
   * own */
  const char *data;
  /* phrases: reasons why requested discrete gradients or accelerations are missing; else NULL */
  const char *undiscrete;
  const char *unaccelerated;
  const char *digest;         /* digest of the model's text and sizes */
  const char *step_source;    /* emit: NAME_step.c; NULL if there is none */
  const char *unfused;        /* emit: reason why there is no step, a phrase about the model */
  const char *source;         /* emit: NAME.c */
  const char *lifted_source;  /* emit: NAME_lifted.c; NULL unless the settings ask for it */
  const char *header;         /* emit: NAME.h */
  const char *main_source;    /* emit: the main of a program */
  const char *witness_source; /* emit: NAME.witness.c; NULL unless compile_witness was called */
} compilation;

#endif
