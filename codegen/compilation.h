/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compilation.h -- what is known of one model file: what its stages hand on.
 */
#ifndef SIDEWINDER_COMPILATION_H
#define SIDEWINDER_COMPILATION_H

#include "analysis/record.h"
#include "common/arena.h"
#include "expr/ir_program.h"
#include "expr/loops.h"
#include "model/model.h"

/* What one model file becomes, stage by stage; later members are NULL where an earlier stage failed or
 * the model is refused. */
typedef struct compilation {
  const char *file;          /* the path as given */
  int at_own_sizes;          /* as in compile_settings */
  int discrete;              /* likewise */
  const model *model;        /* language, model: text -> checked model */
  ir_context *context;       /* owns the expressions of program */
  const ir_loops *loops;     /* symbolic: checked model -> kernels; NULL where it is unrolled */
  const ir_program *program; /*           checked model -> expressions */
  const record *found;       /* analysis: expressions -> the record of facts */
  const char *summary;       /*           facts in words */
  const char *refusal;       /*           why the model is refused, "" where it is not */
  const char *undivided;     /*           why H has no parts with exact flows, NULL where it has */
  const char *const *parts;  /*           formulas of those that `found` lists */
  const char *sibling; /* looped: the sizes, such as "N = 3", at which program and found are what
                              * they are; these are NULL where the model could not be unrolled */
  const record *
      of_sample; /* of data: what is known of a sample whose graph alone may be why it would be refused; NULL where there is
                              * none, */
  const char *sample; /*          and what it is, such as "sample data, n_site = 4" */
  const char *
      data; /* the file whose sizes, graph and parameters program and found are about; NULL: the model's own */
  const char *undiscrete; /* why there are no discrete gradients though they were asked for; NULL */
  const char *unaccelerated; /* likewise of accelerations; phrases about them */
  /* 1: the method variational runs without accelerations, by its fixed-point iteration */
  int is_simple;
  const char *digest;      /* of the model's text and sizes */
  const char *step_source; /* emit: NAME_step.c; NULL where there is none, */
  const char *unfused;     /*       and why, a phrase about the model */
  const char *source;      /*       NAME.c */
  const char *header;      /*       NAME.h */
  const char *main_source; /*       a main for a program of its own */
  const char
      *witness_source; /*    NAME.witness.c, or NULL where compile_witness was not asked for it */
} compilation;

#endif
