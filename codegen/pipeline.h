/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipeline.h -- the whole compiler on one page.
 */
#ifndef SIDEWINDER_PIPELINE_H
#define SIDEWINDER_PIPELINE_H

#include "analysis/analysis.h"
#include "arena.h"
#include "ir/loops.h"
#include "ir/program.h"
#include "model/model.h"

/* Exit codes of every command. */
typedef enum outcome {
  OUTCOME_GOOD = 0,
  OUTCOME_NO = 1,     /* the answer is no: the theory does not cover the model, or a check failed */
  OUTCOME_WRONG = 2,  /* wrong usage or a wrong model */
  OUTCOME_FAILED = 3, /* a file, the compiler, or the numerics failed */
} outcome;

/* How the families of a model become C. */
typedef enum lowering {
  LOWERING_AUTO,     /* unrolled where the model is small at the present sizes, or has none */
  LOWERING_UNROLLED, /* every instance by itself, all brackets as formulas; the sizes are fixed */
  LOWERING_LOOPED    /* one kernel a family, in loops; the sizes are arguments */
} lowering;

/* Most degrees of freedom and constraints, together, of what LOWERING_AUTO unrolls. */
#define LOWERING_SMALL 32

/* What one model file becomes, stage by stage; later members are NULL where an earlier stage failed or
 * the model is refused. */
typedef struct compilation {
  const char *file;          /* the path as given */
  int at_own_sizes;          /* as in compile_settings */
  const model *model;        /* language, model: text -> checked model */
  ir_context *context;       /* owns the expressions of program */
  const ir_loops *loops;     /* symbolic: checked model -> kernels; NULL where it is unrolled */
  const ir_program *program; /*           checked model -> expressions */
  const record *found;       /* analysis: expressions -> the record of facts */
  const char *summary;       /*           facts in words */
  const char *refusal;       /*           why the model is refused, "" where it is not */
  const char *sibling; /* looped: the sizes, such as "N = 3", at which program and found are what
                              * they are; these are NULL where the model could not be unrolled */
  const char *digest;  /* of the model's text and sizes */
  const char *source;  /* emit: NAME.c */
  const char *header;  /*       NAME.h */
  const char *main_source; /*       a main for a program of its own */
  const char
      *witness_source; /*    NAME.witness.c, or NULL where compile_witness was not asked for it */
} compilation;

typedef struct compile_settings {
  int n_sizes;
  const model_size_setting *sizes; /* in the place of the model's own */
  lowering how;
  /* 1: what is looped is compiled at the model's own sizes, where these are possible, so that one program serves
   * all sizes; those above only decide whether it is looped. */
  int at_own_sizes;
} compile_settings;

/* Runs all stages on the file `path`.  Errors in the model are printed on stderr.  OUTCOME_GOOD: every
 * member is set but for what looped models lack and witness_source.  OUTCOME_NO: all but source, header and main_source. */
outcome compile_model(arena *a, const char *path, const compile_settings *settings, compilation *c);

/* Adds the table of witnesses (witness/witness.h) to a model that is not refused: a program then has it for
 * `verify`. */
void compile_witness(arena *a, compilation *c);

/* Releases what the libraries keep for the next computation; at the end of the process, so that what is left
 * then is a leak. */
void compile_close(void);

/* Releases what the arena does not own. */
void compilation_free(compilation *c);

#endif
