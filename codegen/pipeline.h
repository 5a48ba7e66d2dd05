/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipeline.h -- the whole compiler on one page.
 */
#ifndef SIDEWINDER_PIPELINE_H
#define SIDEWINDER_PIPELINE_H

#include "arena.h"
#include "ir/analysis.h"
#include "ir/program.h"
#include "model/model.h"

/* Exit codes of every command. */
typedef enum outcome {
  OUTCOME_GOOD = 0,
  OUTCOME_NO = 1,     /* the answer is no: the theory does not cover the model, or a check failed */
  OUTCOME_WRONG = 2,  /* wrong usage or a wrong model */
  OUTCOME_FAILED = 3, /* a file, the compiler, or the numerics failed */
} outcome;

/* What one model file becomes, stage by stage; later members are NULL where an earlier stage failed or
 * the model is refused. */
typedef struct compilation {
  const char *file;          /* the path as given */
  const model *model;        /* language, model: text -> checked model */
  ir_context *context;       /* owns the expressions of program */
  const ir_program *program; /* symbolic: checked model -> expressions */
  const analysis *found;     /* ir: expressions -> verdicts */
  const char *summary;       /*     verdicts in words */
  const char *digest;        /* of the model's text and sizes */
  const char *source;        /* emit: NAME.c */
  const char *header;        /*       NAME.h */
  const char *main_source;   /*       a main for a program of its own */
} compilation;

/* Runs all stages on the file `path`.  Errors in the model are printed on stderr.  OUTCOME_GOOD: every
 * member is set.  OUTCOME_NO: all but source, header and main_source; analysis_refusal says why. */
outcome compile_model(arena *a, const char *path, int n_sizes, const model_size_setting sizes[],
                      compilation *c);

/* Releases what the arena does not own. */
void compilation_free(compilation *c);

#endif
